/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* warp_around: the random environment of warp: TBs are assigned to slots, become valid and end warp by warp or at once;
 * warps are ready or not, rest after they issued, and stall more or less often; policies change. Inputs of invalid
 * warps are noise. */
#ifndef HD_WARP_AROUND_H
#define HD_WARP_AROUND_H

#include "dispatch/warp.h"
#include "engine/twin.h"

/* Choices that stay for a number of cycles. */
struct hd_warp_phase {
  uint32_t left;  /* cycles */
  uint8_t policy; /* enum hd_wpolicy; one more: another one in each cycle */
  uint8_t one_list;
  uint8_t flood;  /* all valid warps are ready */
  uint8_t still;  /* none stalls */
  uint16_t rest;  /* cycles for which a warp rests at most after it has issued */
  uint16_t ready; /* that one is ready that does not rest, in 1/256 */
  uint32_t life;  /* cycles for which a TB runs on average; 0: none ends */
  uint16_t fill;  /* that a slot that is empty has a new TB, in 1/256 */
  uint16_t comes; /* that a warp of a new TB becomes valid, in 1/256 */
};

struct hd_warp_around {
  struct hd_cfg cfg;
  struct hd_warp_phase phase;
  /* TBs. */
  uint8_t left[HD_MAX_CTAS_PER_SMX]; /* warps that have still to become valid */
  uint8_t ends[HD_MAX_CTAS_PER_SMX]; /* its warps end one after the other */
  /* Warps. */
  uint8_t slow[HD_MAX_WARPS_PER_SMX]; /* that it stalls, in 1/256 */
  uint16_t rest[HD_MAX_WARPS_PER_SMX];
  /* For the cover points: the golden model at the beginning of the cycle, what was sampled last, for how long a warp
   * has been valid (255 at most), and the cycle before. */
  struct hd_warp seen;
  uint8_t one_list;
  uint8_t age[HD_MAX_WARPS_PER_SMX];
  struct hd_warp_in was_in;
};

void hd_warp_around_reset(struct hd_warp_around *s);

/* Follows the warps that issue in the next cycle (now), and makes its inputs. */
void hd_warp_around_drive(struct hd_warp_around *s, struct hd_rng *rng, const struct hd_profile *p,
                          const struct hd_warp_out *out, const struct hd_warp_out *now, struct hd_warp_in *in);

#endif
