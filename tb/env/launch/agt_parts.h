/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* agt_parts: the environment of agt, agt_around.c, and the scheduler in it, agt_scheduler.c: what they share. */
#ifndef HD_AGT_PARTS_H
#define HD_AGT_PARTS_H

#include "env/launch/agt_around.h"

/* A group of the kernel waits. */
static inline bool hd_agt_pending(const struct hd_plane_kernel *k) {
  return k->chain.chained || k->over_n;
}

/* Just one group waits. */
static inline bool hd_agt_single(const struct hd_plane_kernel *k) {
  return k->chain.chained ? k->chain.nagei == k->chain.lagei && !k->over_n : k->over_n == 1;
}

/* A group that is linked to the kernel goes into the list in memory. */
static inline bool hd_agt_goes_over(const struct hd_plane_kernel *k, const struct hd_ptr *p) {
  return !p->onchip || k->over_n;
}

/* The group in A3 joins the chain of this kernel. */
static inline bool hd_agt_joins(const struct hd_agt_around *s, unsigned kdei) {
  const struct hd_plane_kernel *k = &s->kernel[kdei];
  return s->a3.valid && s->a3.kdei == kdei && !k->failed && !hd_agt_goes_over(k, &s->a3.ptr);
}

/* One cycle of the scheduler: what is in the SSCR is handed out, a kernel comes, gives way, stops. */
void hd_agt_step_sscr(struct hd_agt_around *s, struct hd_rng *rng, const struct hd_profile *p,
                      const struct hd_agt_out *now);

#endif
