/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* warps: the plane's warp schedulers on the SMXs, one each: they receive the state of the warps and choose which issue.
 *
 * sim speed: an SMX without warps is skipped; its scheduler catches up when the next TB arrives. */
#ifndef HD_WARPS_H
#define HD_WARPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/sim.h"
#include "gen/hd_types.h"
#include "gpu/choice.h"

struct hd_warps_opts {
  enum hd_wpolicy policy;
  bool one_list;         /* lwf: one list over all TBs */
  enum hd_engine engine; /* engine of the schedulers: the model alone, or both */
};

struct hd_warps;

/* Returns NULL on failure; text then names the reason. */
struct hd_warps *hd_warps_new(const struct hd_warps_opts *o, const struct hd_cfg *cfg, char *text, size_t text_size);
void hd_warps_free(struct hd_warps *w);

struct hd_choice hd_warps_choice(struct hd_warps *w);

/* Returns HD_PASS, or the first failure of a scheduler; text then says where. */
enum hd_verdict hd_warps_verdict(const struct hd_warps *w, char *text, size_t text_size);
/* Returns the number of warps that issued because they had waited for WarpWait cycles. */
uint64_t hd_warps_starved(const struct hd_warps *w);
/* Returns the cycles in which RTL and model of a scheduler were compared, summed over all SMXs; 0 with the model
 * alone. */
uint64_t hd_warps_compared(const struct hd_warps *w);

#endif
