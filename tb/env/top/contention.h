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

/* A run of the plane between two resets begins; rng stays as it is. The counters, which no reset clears, are anything.
 * Sets the configuration words of the throttle: it is on in every other run; epochs are short, since a run is; words
 * may be out of range. */
void hd_contention_begin(struct hd_contention *c, const struct hd_rng *rng, struct hd_top_in *in, uint32_t *config);
/* The counters of the next cycle. */
void hd_contention_drive(struct hd_contention *c, struct hd_top_in *in);

#endif
