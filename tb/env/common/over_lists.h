/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* over_lists: the lists of overflowed groups as the neighbours of ovfq know them: their places in memory, and the
 * events that drop a list (docs/launch/ovfq.md). */
#ifndef HD_OVER_LISTS_H
#define HD_OVER_LISTS_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/hd_ovfq_ports.h"

/* Returns the number of places of a list, minus one. */
uint32_t hd_lists_mask(const struct hd_cfg *cfg, uint64_t rec_count);
/* Returns the bytes of all lists. */
uint64_t hd_lists_bytes(const struct hd_cfg *cfg, uint32_t mask);
/* Finds list n and place q at the address; returns false if there is none. */
bool hd_lists_find(const struct hd_cfg *cfg, uint64_t addr, uint32_t list_base, uint32_t mask, uint32_t *n,
                   uint32_t *q);

/* Return true if the kernel fails in this cycle; if it fails or is taken out of the KD, both of which drop its list. */
bool hd_list_fails(const struct hd_ovfq_in *in, const struct hd_ovfq_out *out, unsigned k);
bool hd_list_cleared(const struct hd_ovfq_in *in, const struct hd_ovfq_out *out, unsigned k);

#endif
