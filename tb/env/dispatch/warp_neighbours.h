/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* warp_neighbours: the random environment of warp: TBs are assigned to slots, become valid and end warp by warp or at
 * once; warps are ready or not, rest after they issued, and stall more or less often; policies change. Inputs of
 * invalid warps are noise. */
#ifndef HD_WARP_NEIGHBOURS_H
#define HD_WARP_NEIGHBOURS_H

#include "dispatch/warp.h"
#include "engine/block_driver.h"

/* Choices that stay for a number of cycles. */
struct hd_warp_phase {
  uint32_t left;  /* cycles */
  uint8_t policy; /* enum hd_wpolicy; one above: a random one in each cycle */
  uint8_t one_list;
  uint8_t flood;    /* all valid warps are ready */
  uint8_t still;    /* no warp stalls */
  uint16_t rest;    /* maximum cycles for which a warp rests after it issued */
  uint16_t ready;   /* probability (of 256) that a warp that does not rest is ready */
  uint32_t episode; /* average cycles for which a TB runs; 0: TBs do not end */
  uint16_t fill;    /* probability (of 256) that an empty slot receives a TB */
  uint16_t comes;   /* probability (of 256) that a warp of a new TB becomes valid */
};

struct hd_warp_neighbours {
  struct hd_cfg cfg;
  struct hd_warp_phase phase;
  /* State of TBs. */
  uint8_t left[HD_MAX_CTAS_PER_SMX]; /* warps that have still to become valid */
  uint8_t ends[HD_MAX_CTAS_PER_SMX]; /* its warps end one after the other */
  /* State of warps. */
  uint8_t slow[HD_MAX_WARPS_PER_SMX]; /* probability (of 256) that it stalls */
  uint16_t rest[HD_MAX_WARPS_PER_SMX];
  /* For the cover points: the golden model at the beginning of the cycle, the list sampled last, for how long a warp
   * has been valid (255 at most), and the previous cycle. */
  struct hd_warp seen;
  uint8_t one_list;
  uint8_t age[HD_MAX_WARPS_PER_SMX];
  struct hd_warp_in was_in;
};

void hd_warp_neighbours_reset(struct hd_warp_neighbours *s);

/* Processes the warps that issue in the next cycle (now), and sets its inputs. */
void hd_warp_neighbours_drive(struct hd_warp_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                              const struct hd_warp_out *out, const struct hd_warp_out *now, struct hd_warp_in *in);

#endif
