/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* contention: drives the plane's contention counters (DRAM full, interconnect to SM) in random runs, in phases of high,
 * low and no contention. Uses its own random generator, so that the rest of the stimulus is the same as without it. */
#ifndef HD_CONTENTION_H
#define HD_CONTENTION_H

#include "engine/rng.h"
#include "gen/hd_top_ports.h"

struct hd_contention {
  struct hd_rng rng;
  uint32_t storm; /* phase: a counter grows in storm / 256 of the cycles */
};

/* Starts a new run between two resets; does not advance `rng`. The counters start at arbitrary values, since no reset
 * clears them. Sets the configuration words of the throttle: enabled in half of the runs; epochs are short, since runs
 * are short; words may be out of range. */
void hd_contention_begin(struct hd_contention *c, const struct hd_rng *rng, struct hd_top_in *in, uint32_t *config);
/* Sets the counters for the next cycle. */
void hd_contention_drive(struct hd_contention *c, struct hd_top_in *in);

#endif
