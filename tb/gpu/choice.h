/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* choice: an external warp scheduler, called in each cycle instead of the built-in schedulers of gpu.h; for example a
 * warp scheduler of the plane, as RTL or as model. */
#ifndef HD_CHOICE_H
#define HD_CHOICE_H

#include <stdint.h>

#define HD_CHOICE_NO_SLOT UINT32_MAX

/* State of an SMX in a cycle. Sets of warps: bit w is warp w. */
struct hd_choice_record {
  uint64_t valid;              /* warps of resident TBs that have not ended */
  uint64_t ready;              /* .. that can issue after the instructions issued up to this cycle */
  uint64_t control, raw, pipe; /* .. that cannot: a launch is open; data are missing; the unit is busy */
  const uint8_t *slot;         /* slot of each warp's TB */
  uint32_t assigned;           /* slot that receives a TB, or HD_CHOICE_NO_SLOT */
};

struct hd_choice {
  void *ctx;
  /* Returns the warps that issue in this cycle, at most one per scheduler, out of those that were ready in the cycle
   * before. */
  uint64_t (*issued)(void *ctx, uint32_t smx, uint64_t cycle);
  /* Reports the SMX's state of this cycle, after issued(). Cycles ascend; in omitted cycles the SMX had no warps. */
  void (*show)(void *ctx, uint32_t smx, uint64_t cycle, const struct hd_choice_record *seen);
};

#endif
