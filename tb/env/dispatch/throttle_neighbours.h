/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* throttle_neighbours: the random environment of throttle. It tracks the times of samples and sets counters so that the
 * degree rises, falls, stays, varies a little or is silent, each for a while, or is arbitrary. Between samples the
 * counters count or are noise. In some periods no TB waits. The words of epoch and band change at any time and may be
 * out of range. */
#ifndef HD_THROTTLE_NEIGHBOURS_H
#define HD_THROTTLE_NEIGHBOURS_H

#include "engine/block_driver.h"
#include "gen/hd_throttle_ports.h"

/* How the degree of the next sample follows from the last. */
enum hd_throttle_trend {
  HD_THROTTLE_RISES, /* beyond the band */
  HD_THROTTLE_FALLS,
  HD_THROTTLE_STAYS,  /* or is at the end of the band */
  HD_THROTTLE_VARIES, /* by half of the last at most */
  HD_THROTTLE_IDLE,   /* no stalls */
  HD_THROTTLE_ANY,
  HD_THROTTLE_TRENDS
};

/* A degree of contention. */
struct hd_throttle_fraction {
  uint64_t stalls;
  uint32_t span;
};

struct hd_throttle_neighbours {
  struct hd_cfg cfg;
  uint8_t began; /* a cycle has passed since reset */
  /* State of the block, as on its page. */
  uint32_t since;
  uint32_t waits;  /* cycles in which a sample could have been taken */
  uint8_t sampled; /* a sample was taken since it was switched on */
  uint8_t busy;
  uint8_t band;                             /* of the sample being compared */
  struct hd_throttle_in at;                 /* counters at the last sample */
  struct hd_throttle_fraction degree, last; /* the degree being compared, and the previous one */
  struct hd_throttle_in before;             /* inputs of the previous cycle */
  /* Trend of the counters. */
  uint8_t trend;      /* enum hd_throttle_trend */
  uint8_t trend_left; /* samples */
  uint8_t noise;      /* counters are random except in a sample */
  /* Waiting TBs, and the words. */
  uint32_t quiet_left; /* cycles without a waiting TB */
  uint32_t epoch_left; /* cycles for which the word stays */
  /* The switch. */
  uint8_t was_off;   /* in the previous cycle */
  uint8_t calm;      /* it stays on during this trend */
  uint32_t off_in;   /* cycles until it is switched off; 0: not decided */
  uint32_t off_left; /* cycles for which it is off */
};

void hd_throttle_neighbours_reset(struct hd_throttle_neighbours *s);

/* Processes the previous cycle (in) and sets the inputs of the next. */
void hd_throttle_neighbours_drive(struct hd_throttle_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                                  const struct hd_throttle_out *out, const struct hd_throttle_out *now,
                                  struct hd_throttle_in *in);

/* Return the effective values of the epoch and band words of these inputs. */
uint32_t hd_throttle_neighbours_epoch(const struct hd_throttle_in *in);
uint8_t hd_throttle_neighbours_band(const struct hd_throttle_in *in);

/* Sets the end of the band as the fraction over / under; higher degrees are outside. `under` is never 0. */
__extension__ typedef unsigned __int128 hd_wide;
void hd_throttle_neighbours_bar(const struct hd_throttle_neighbours *s, unsigned band, hd_wide *over, hd_wide *under);

/* Return true for a cycle with these inputs if a sample is taken; if a waiting TB ends a rest; if a verdict is made. */
bool hd_throttle_neighbours_samples(const struct hd_throttle_neighbours *s, const struct hd_throttle_in *in);
bool hd_throttle_neighbours_wakes(const struct hd_throttle_neighbours *s, const struct hd_throttle_in *in);
bool hd_throttle_neighbours_judges(const struct hd_throttle_neighbours *s, const struct hd_throttle_in *in);

#endif
