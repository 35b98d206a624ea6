/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* choice: who chooses the warps that issue, cycle by cycle, in place of the schedulers that gpu.h tells of: a warp
 * scheduler of the plane, say, as RTL or as model. */
#ifndef HD_CHOICE_H
#define HD_CHOICE_H

#include <stdint.h>

#define HD_CHOICE_NO_SLOT UINT32_MAX

/* What an SMX shows in a cycle. Sets of warps: bit w is warp w. */
struct hd_choice_seen {
  uint64_t valid;              /* they belong to a TB and have not ended */
  uint64_t ready;              /* .. and can issue an instruction behind what has issued up to this cycle */
  uint64_t control, raw, pipe; /* .. and can not, since their warp launches; needs data; waits for its unit */
  const uint8_t *slot;         /* by warp: of its TB */
  uint32_t assigned;           /* the slot that a TB is assigned to, or HD_CHOICE_NO_SLOT */
};

struct hd_choice {
  void *ctx;
  /* The warps that issue in this cycle: chosen of those that were shown as ready in the cycle before, one for each
   * scheduler at most. */
  uint64_t (*issued)(void *ctx, uint32_t smx, uint64_t cycle);
  /* What the SMX shows in this cycle, after that. Cycles go up; in those that are left out it had no warps. */
  void (*show)(void *ctx, uint32_t smx, uint64_t cycle, const struct hd_choice_seen *seen);
};

#endif
