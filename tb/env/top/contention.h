/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* contention: the plane's counters of contention in its random environment: for a while there is much, then little or
 * none. With random numbers of its own, so that what else the environment does is as without them. */
#ifndef HD_CONTENTION_H
#define HD_CONTENTION_H

#include "engine/rng.h"
#include "gen/hd_top_ports.h"

struct hd_contention {
  struct hd_rng rng;
  uint32_t storm; /* phase: a counter grows in so many of 256 cycles */
};

/* A life of the plane begins; rng stays as it is. The counters, which no reset clears, stand anywhere. Whether it
 * throttles. */
uint32_t hd_contention_begin(struct hd_contention *c, const struct hd_rng *rng, struct hd_top_in *in);
/* The counters of the next cycle. */
void hd_contention_drive(struct hd_contention *c, struct hd_top_in *in);

#endif
