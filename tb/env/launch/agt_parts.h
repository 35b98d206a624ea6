/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* agt_parts: shared by agt_neighbours.c, the environment of agt, and agt_scheduler.c, the scheduler in it. */
#ifndef HD_AGT_PARTS_H
#define HD_AGT_PARTS_H

#include "env/launch/agt_neighbours.h"

/* Returns true if a group of the kernel waits. */
static inline bool hd_agt_pending(const struct hd_plane_kernel *k) {
  return k->chain.chained || k->over_n;
}

/* Returns true if exactly one group waits. */
static inline bool hd_agt_single(const struct hd_plane_kernel *k) {
  return k->chain.chained ? k->chain.nagei == k->chain.lagei && !k->over_n : k->over_n == 1;
}

/* Returns true if a group linked to the kernel is appended to its list in memory. */
static inline bool hd_agt_overflows(const struct hd_plane_kernel *k, const struct hd_ptr *p) {
  return !p->onchip || k->over_n;
}

/* Returns true if the group in A3 joins the chain of this kernel. */
static inline bool hd_agt_joins(const struct hd_agt_neighbours *s, unsigned kdei) {
  const struct hd_plane_kernel *k = &s->kernel[kdei];
  return s->a3.valid && s->a3.kdei == kdei && !k->failed && !hd_agt_overflows(k, &s->a3.ptr);
}

/* Simulates one cycle of the scheduler: hands out TBs of the kernel in the SSCR; starts, replaces or stops a kernel. */
void hd_agt_step_sscr(struct hd_agt_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                      const struct hd_agt_out *now);

#endif
