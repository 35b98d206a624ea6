/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* over_lists: the lists of overflowed groups as the neighbours of ovfq know them: their places in memory, and the
 * events that drop a list (docs/launch/ovfq.md). */
#ifndef HD_OVER_LISTS_H
#define HD_OVER_LISTS_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/hd_ovfq_ports.h"

/* Places of a list less one. */
uint32_t hd_lists_mask(const struct hd_cfg *cfg, uint64_t rec_count);
/* Of all lists. */
uint64_t hd_lists_bytes(const struct hd_cfg *cfg, uint32_t mask);
/* Which place q of which list n lies there; false: none. */
bool hd_lists_find(const struct hd_cfg *cfg, uint64_t addr, uint32_t list_base, uint32_t mask, uint32_t *n,
                   uint32_t *q);

/* The kernel fails in this cycle, or is taken out; in both cases its list is dropped. */
bool hd_list_fails(const struct hd_ovfq_in *in, const struct hd_ovfq_out *out, unsigned k);
bool hd_list_cleared(const struct hd_ovfq_in *in, const struct hd_ovfq_out *out, unsigned k);

#endif
