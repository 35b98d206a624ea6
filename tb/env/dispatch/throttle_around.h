/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* throttle_around: the environment of throttle in random runs. It follows when samples are taken, and makes counters so
 * that degrees go up, go down, stay, for a while each, or are anything. Between samples the counters count, or are
 * noise. */
#ifndef HD_THROTTLE_AROUND_H
#define HD_THROTTLE_AROUND_H

#include "engine/twin.h"
#include "gen/hd_throttle_ports.h"

/* How the degree of the next sample follows from the last. */
enum hd_throttle_trend {
  HD_THROTTLE_RISES,
  HD_THROTTLE_FALLS,
  HD_THROTTLE_STAYS,
  HD_THROTTLE_RESTS, /* no stalls */
  HD_THROTTLE_ANY,
  HD_THROTTLE_TRENDS
};

/* A degree of contention. */
struct hd_throttle_fraction {
  uint64_t stalls;
  uint32_t span;
};

struct hd_throttle_around {
  struct hd_cfg cfg;
  uint8_t began; /* a cycle has passed since reset */
  /* The block as its page tells it. */
  uint16_t since;
  uint32_t waits;  /* cycles in which a sample might have been taken */
  uint8_t sampled; /* there was one since it was switched on */
  uint8_t busy;
  struct hd_throttle_in at;                 /* counters at the last sample */
  struct hd_throttle_fraction degree, last; /* that is compared, and with which one */
  /* The way of the counters. */
  uint8_t trend;      /* enum hd_throttle_trend */
  uint8_t trend_left; /* samples */
  uint8_t noise;      /* they are anything but in a sample */
  /* The switch. */
  uint8_t was_off;   /* in the cycle before */
  uint8_t calm;      /* it stays on while this trend lasts */
  uint32_t off_in;   /* cycles until it is switched off; 0: that is not settled */
  uint32_t off_left; /* cycles in which it is */
};

void hd_throttle_around_reset(struct hd_throttle_around *s);

/* Follows the cycle before (in) and makes the inputs of the next. */
void hd_throttle_around_drive(struct hd_throttle_around *s, struct hd_rng *rng, const struct hd_profile *p,
                              const struct hd_throttle_out *out, const struct hd_throttle_out *now,
                              struct hd_throttle_in *in);

/* A sample is taken in a cycle with these inputs; a verdict comes in it. */
bool hd_throttle_around_samples(const struct hd_throttle_around *s, const struct hd_throttle_in *in);
bool hd_throttle_around_judges(const struct hd_throttle_around *s, const struct hd_throttle_in *in);

#endif
