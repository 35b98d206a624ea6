/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/dispatch/throttle_neighbours.h"

#include <string.h>

/* Cycles from a sample to its verdict; samples of a long trend. */
enum { VERDICT = 63, LONG = 13 };
/* Effective limits of the epoch and band words. */
enum { SHORTEST = 64, LONGEST = 65535, WIDEST = 7 };
static const uint64_t most_stalls = UINT64_C(0x1fffffffe);

/* ---- behaviour of the block, as on its page ---- */

static void begin(struct hd_throttle_neighbours *s) {
  s->since = 0;
  s->busy = 0;
  s->last = (struct hd_throttle_fraction){0, 1};
}

uint32_t hd_throttle_neighbours_epoch(const struct hd_throttle_in *in) {
  return in->regs_config.throttle_epoch < SHORTEST  ? SHORTEST
         : in->regs_config.throttle_epoch > LONGEST ? LONGEST
                                                    : in->regs_config.throttle_epoch;
}

uint8_t hd_throttle_neighbours_band(const struct hd_throttle_in *in) {
  return (uint8_t)(in->regs_config.throttle_band > WIDEST ? WIDEST : in->regs_config.throttle_band);
}

void hd_throttle_neighbours_bar(const struct hd_throttle_neighbours *s, unsigned band, hd_wide *over, hd_wide *under) {
  *over = (hd_wide)s->last.stalls * ((1u << band) + (band != 0));
  *under = (hd_wide)s->last.span << band;
}

bool hd_throttle_neighbours_samples(const struct hd_throttle_neighbours *s, const struct hd_throttle_in *in) {
  return in->regs_config.throttle && in->sched_unassigned && s->since >= hd_throttle_neighbours_epoch(in) &&
         !hd_throttle_neighbours_wakes(s, in);
}

bool hd_throttle_neighbours_wakes(const struct hd_throttle_neighbours *s, const struct hd_throttle_in *in) {
  return in->regs_config.throttle && in->sched_unassigned && s->cfg.recovers &&
         s->since >= 2 * hd_throttle_neighbours_epoch(in);
}

bool hd_throttle_neighbours_judges(const struct hd_throttle_neighbours *s, const struct hd_throttle_in *in) {
  return in->regs_config.throttle && s->busy && s->since == VERDICT;
}

static void follow(struct hd_throttle_neighbours *s, const struct hd_throttle_in *in) {
  const bool samples = hd_throttle_neighbours_samples(s, in);
  const uint32_t epoch = hd_throttle_neighbours_epoch(in);
  s->was_off = !in->regs_config.throttle;
  s->waits = s->since >= epoch && in->regs_config.throttle && !samples ? s->waits + 1 : 0;
  s->sampled = in->regs_config.throttle && (samples || s->sampled);
  if (hd_throttle_neighbours_judges(s, in)) {
    s->busy = 0;
    if (s->degree.span) s->last = s->degree;
  }
  if (samples) {
    s->degree.stalls = (uint64_t)(uint32_t)(in->dram_full - s->at.dram_full) + (uint32_t)(in->icnt2sm - s->at.icnt2sm);
    s->degree.span = in->cycles - s->at.cycles;
    s->busy = 1;
    s->band = hd_throttle_neighbours_band(in);
    s->trend_left -= s->trend_left > 0;
  }
  if (!in->regs_config.throttle) begin(s);
  if (samples || hd_throttle_neighbours_wakes(s, in) || !in->regs_config.throttle) {
    s->at = *in;
    s->since = 0;
  }
  s->since += s->since < 2 * epoch;
}

/* ---- degrees ---- */

/* Returns a number of random length; sometimes the maximum. */
static uint32_t any_number(struct hd_rng *rng) {
  const unsigned bits = hd_rng_below(rng, 40);
  return bits > 32 ? UINT32_MAX - hd_rng_below(rng, 2) : bits ? (uint32_t)hd_rng_bits(rng, bits) : 0;
}

/* Returns a degree at the end of this band, over a different number of cycles: exactly at the end if the span allows,
 * otherwise slightly below; the maximum if stalls are limited. */
static struct hd_throttle_fraction follow_last(const struct hd_throttle_neighbours *s, struct hd_rng *rng,
                                               unsigned band) {
  struct hd_throttle_fraction f = {0, any_number(rng)};
  hd_wide over, under;
  hd_throttle_neighbours_bar(s, band, &over, &under);
  if (hd_rng_p(rng, 100)) f.span = (s->last.span << band) * (1 + hd_rng_below(rng, 3));
  if (!f.span) f.span = 1;
  while (f.span > 1 && over * f.span / under >= most_stalls) f.span /= 2;
  f.stalls = over * f.span / under < most_stalls ? (uint64_t)(over * f.span / under) : most_stalls;
  return f;
}

/* Returns the last degree with stalls and cycles multiplied by a random factor, if they do not overflow. */
static struct hd_throttle_fraction times_last(struct hd_throttle_neighbours *s, struct hd_rng *rng) {
  const uint64_t times = 1 + hd_rng_below(rng, hd_rng_p(rng, 128) ? 4 : 1000);
  struct hd_throttle_fraction f = s->last;
  if (f.stalls * times > most_stalls || f.span * times > UINT32_MAX) return f;
  f.stalls *= times;
  f.span *= (uint32_t)times;
  return f;
}

/* Steps are usually small, so that many fit before the maximum. An idle memory has no stalls, or a power of two. */
static struct hd_throttle_fraction next_degree(struct hd_throttle_neighbours *s, struct hd_rng *rng,
                                               const struct hd_throttle_in *in) {
  const bool bar = s->trend == HD_THROTTLE_RISES || (s->trend == HD_THROTTLE_STAYS && hd_rng_p(rng, 128));
  struct hd_throttle_fraction f = follow_last(s, rng, bar ? hd_throttle_neighbours_band(in) : 0);
  const uint64_t step = 1 + (hd_rng_p(rng, 200) ? 0 : hd_rng_bits(rng, 1 + hd_rng_below(rng, 20)));
  if (s->trend == HD_THROTTLE_RISES) f.stalls += step;
  if (s->trend == HD_THROTTLE_FALLS) f.stalls -= f.stalls < step ? f.stalls : step;
  if (s->trend == HD_THROTTLE_STAYS && !bar) f = times_last(s, rng);
  if (s->trend == HD_THROTTLE_VARIES) f.stalls = f.stalls / 128 * (64 + hd_rng_below(rng, 128)) + hd_rng_below(rng, 64);
  if (s->trend == HD_THROTTLE_IDLE) f.stalls = hd_rng_p(rng, 40) ? UINT64_C(1) << hd_rng_below(rng, 33) : 0;
  if (s->trend == HD_THROTTLE_ANY || (!s->last.stalls && s->trend == HD_THROTTLE_FALLS)) {
    f.stalls = (uint64_t)any_number(rng) + any_number(rng);
    f.span = any_number(rng);
    if (hd_rng_p(rng, 60)) f.stalls = most_stalls;
  }
  if (f.stalls > most_stalls) f.stalls = most_stalls;
  if (hd_rng_p(rng, s->trend == HD_THROTTLE_IDLE ? 40 : 12)) f.span = 0;
  return f;
}

/* ---- counters ---- */

static void choose_trend(struct hd_throttle_neighbours *s, struct hd_rng *rng) {
  if (s->trend_left) return;
  const bool long_rise = !s->began && hd_rng_p(rng, 150);
  s->calm = long_rise && hd_rng_p(rng, 220);
  const unsigned least = s->began && hd_rng_p(rng, 128) ? HD_THROTTLE_FALLS : HD_THROTTLE_RISES;
  s->trend = (uint8_t)(long_rise ? HD_THROTTLE_RISES : least + hd_rng_below(rng, HD_THROTTLE_TRENDS - least));
  s->trend_left = (uint8_t)(long_rise ? LONG : 1 + hd_rng_below(rng, hd_rng_p(rng, 30) ? LONG : 3));
  s->noise = hd_rng_p(rng, 128);
}

/* Sets the counters so that the next sample has this degree. */
static void show_degree(const struct hd_throttle_neighbours *s, struct hd_rng *rng, struct hd_throttle_fraction f,
                        struct hd_throttle_in *in) {
  const uint64_t most = UINT32_MAX, least = f.stalls > most ? f.stalls - most : 0;
  uint64_t dram_full = f.stalls > most ? most : f.stalls;
  if (hd_rng_p(rng, 128)) dram_full = least + hd_rng_next(rng) % (dram_full - least + 1);
  if (hd_rng_p(rng, 60)) dram_full = least;
  in->cycles = s->at.cycles + f.span;
  in->dram_full = s->at.dram_full + (uint32_t)dram_full;
  in->icnt2sm = s->at.icnt2sm + (uint32_t)(f.stalls - dram_full);
}

static void drive_counters(struct hd_throttle_neighbours *s, struct hd_rng *rng, struct hd_throttle_in *in) {
  const bool counts = !s->noise && s->trend == HD_THROTTLE_ANY;
  if (hd_throttle_neighbours_samples(s, in) && !counts) {
    show_degree(s, rng, next_degree(s, rng, in), in);
  } else if (s->noise) {
    in->cycles = any_number(rng);
    in->dram_full = any_number(rng);
    in->icnt2sm = any_number(rng);
  } else {
    in->cycles++;
    in->dram_full += hd_rng_below(rng, 13);
    in->icnt2sm += hd_rng_below(rng, 7);
  }
}

/* ---- waiting TBs, and the words ---- */

static uint32_t any_epoch(struct hd_rng *rng) {
  switch (hd_rng_below(rng, 16)) {
    case 0:
      return 65 + hd_rng_below(rng, 200);
    case 1:
      return LONGEST - 1 + hd_rng_below(rng, 4);
    case 2:
      return (uint32_t)hd_rng_bits(rng, 1 + hd_rng_below(rng, 32));
    case 3:
      return UINT32_C(1) << hd_rng_below(rng, 32);
    default:
      return SHORTEST - hd_rng_below(rng, hd_rng_p(rng, 128) ? 2 : SHORTEST + 1);
  }
}

/* Long epochs are used for limited periods, and not while a run begins with a long rise. */
static void drive_words(struct hd_throttle_neighbours *s, struct hd_rng *rng, struct hd_throttle_in *in) {
  const bool rests = s->since == 2 * hd_throttle_neighbours_epoch(in);
  if (!s->epoch_left || (rests && hd_rng_p(rng, 12))) {
    in->regs_config.throttle_epoch = s->calm ? SHORTEST : any_epoch(rng);
    s->epoch_left = 1 + hd_rng_below(rng, hd_throttle_neighbours_epoch(in) > 4 * SHORTEST ? 400 : 1000);
  }
  s->epoch_left--;
  if (!hd_rng_below(rng, 50))
    in->regs_config.throttle_band = hd_rng_p(rng, 200) ? hd_rng_below(rng, WIDEST + 3) : 1u << hd_rng_below(rng, 32);
}

/* In some periods no TB waits. */
static void drive_waiting(struct hd_throttle_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                          struct hd_throttle_in *in) {
  if (!s->calm && !hd_rng_below(rng, 16 * SHORTEST)) s->quiet_left = hd_rng_below(rng, 4 * SHORTEST);
  in->sched_unassigned = !s->quiet_left && hd_rng_p(rng, p->source);
  s->quiet_left -= s->quiet_left > 0;
}

/* ---- the switch ---- */

/* Switches off at any time: while a sample is compared, in the cycle of its verdict, or instead of a sample. Usually
 * not while a run begins with a long rise, so that n falls to two. */
static void drive_switch(struct hd_throttle_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                         struct hd_throttle_in *in) {
  bool off = false;
  in->regs_config.throttle = 1;
  if (s->calm) return;
  if (s->busy && s->since == 1) s->off_in = hd_rng_p(rng, 24) ? 1 + hd_rng_below(rng, VERDICT) : 0;
  if (s->busy && s->since == 1 && hd_rng_p(rng, 12)) s->off_in = VERDICT;
  if (s->off_in) off = --s->off_in == 0;
  if (hd_throttle_neighbours_samples(s, in)) off |= hd_rng_p(rng, 12);
  off |= !hd_rng_below(rng, 4 * SHORTEST) && hd_rng_p(rng, p->bad + 30);
  if (off) s->off_left = 1 + hd_rng_below(rng, hd_rng_p(rng, 160) ? 3 : SHORTEST);
  in->regs_config.throttle = !s->off_left;
  s->off_left -= s->off_left > 0;
}

void hd_throttle_neighbours_reset(struct hd_throttle_neighbours *s) {
  struct hd_cfg cfg = s->cfg;
  memset(s, 0, sizeof *s);
  s->cfg = cfg;
  begin(s);
}

void hd_throttle_neighbours_drive(struct hd_throttle_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                                  const struct hd_throttle_out *out, const struct hd_throttle_out *now,
                                  struct hd_throttle_in *in) {
  (void)out;
  (void)now;
  if (s->began) follow(s, in);
  s->before = *in;
  choose_trend(s, rng);
  s->began = 1;
  drive_words(s, rng, in);
  drive_waiting(s, rng, p, in);
  drive_switch(s, rng, p, in);
  drive_counters(s, rng, in);
}
