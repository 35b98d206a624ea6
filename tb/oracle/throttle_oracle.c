/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "oracle/throttle_oracle.h"

#include "gen/hd_throttle_ports.h"

/* LATENCY: cycles from a sample to the change of n. LEAST: smallest n, if that many SMXs exist. */
enum { LATENCY = 64, LEAST = 2 };

/* Limits to which the configured epoch and band are clamped. */
enum { SHORTEST = 64, LONGEST = 65535, WIDEST = 7 };

struct fraction {
  uint64_t over, under;
};

struct oracle {
  struct hd_cfg cfg;
  uint64_t now;
  uint64_t from;            /* cycle of the last sample, or from which epochs are counted */
  uint64_t due;             /* cycle in which the result of the last sample changes n; 0: none is due */
  struct hd_throttle_in at; /* counters at the last sample */
  struct fraction degree, last;
  uint8_t band;  /* band at the last sample */
  uint8_t n;     /* n in the cycle before; 0: this is the first cycle */
  uint8_t off;   /* throttling was off in the cycle before */
  uint8_t rests; /* two epochs had passed since `from` in the cycle before */
};

HD_BLOCK_ORACLE_STATE(throttle)

/* Returns < 0, 0, > 0 if x is lower than, equal to, higher than y. Requires denominators > 0. */
static int compare(struct fraction x, struct fraction y) {
  for (int sign = 1;; sign = -sign) {
    const uint64_t whole_x = x.over / x.under, whole_y = y.over / y.under;
    if (whole_x != whole_y) return whole_x < whole_y ? -sign : sign;
    const uint64_t left_x = x.over % x.under, left_y = y.over % y.under;
    if (!left_x || !left_y) return left_x ? sign : left_y ? -sign : 0;
    x = (struct fraction){x.under, left_x}; /* the reciprocal, which reverses the order */
    y = (struct fraction){y.under, left_y};
  }
}

/* ---- n ---- */

static const char *watch_set(const struct oracle *o, const struct hd_throttle_out *out) {
  const unsigned max = o->cfg.num_smx, n = out->open_count;
  if (n > max || n < (max < LEAST ? max : LEAST)) return "n is out of its range";
  for (unsigned k = 0; k < max; k++)
    if (out->open[k] != (k < n)) return "other SMXs are open than the first n";
  return NULL;
}

static const char *watch_verdict(const struct oracle *o, unsigned n) {
  const unsigned down = o->n > LEAST ? o->n - 1u : o->n, up = o->n < o->cfg.num_smx ? o->n + 1u : o->n;
  if (!o->degree.over && o->cfg.recovers)
    return n != o->cfg.num_smx ? "an SMX is closed though there was no contention" : NULL;
  if (!o->degree.under) return n != o->n ? "n changes though no cycle has passed" : NULL;
  const struct fraction bar = {o->last.over * ((UINT64_C(1) << o->band) + (o->band != 0)), o->last.under << o->band};
  const int how = compare(o->degree, bar);
  if (how > 0) return n != down ? "contention rose, and n is not lowered by one" : NULL;
  if (!how && o->cfg.equal_holds) return n != o->n ? "contention did not change, and n does" : NULL;
  return n != up ? "contention did not rise, and n is not raised by one" : NULL;
}

static const char *watch_n(struct oracle *o, unsigned n) {
  const char *rule;
  if (!o->n) return n != o->cfg.num_smx ? "an SMX is closed after reset" : NULL;
  if (o->off) return n != o->cfg.num_smx ? "an SMX is closed though throttling is off" : NULL;
  if (o->rests && o->cfg.recovers)
    return n != o->cfg.num_smx ? "an SMX is closed though no TB waited for two epochs" : NULL;
  if (!o->due || o->now != o->due) return n != o->n ? "n changes without a verdict" : NULL;
  rule = watch_verdict(o, n);
  if (o->degree.under) o->last = o->degree;
  o->due = 0;
  return rule;
}

/* ---- samples ---- */

static void remember(struct oracle *o, const struct hd_throttle_in *in) {
  o->at = *in;
  o->from = o->now;
}

static uint64_t epoch_of(const struct hd_throttle_in *in) {
  return in->regs_config.throttle_epoch < SHORTEST  ? SHORTEST
         : in->regs_config.throttle_epoch > LONGEST ? LONGEST
                                                    : in->regs_config.throttle_epoch;
}

static void sample(struct oracle *o, const struct hd_throttle_in *in) {
  const uint32_t dram_full = in->dram_full - o->at.dram_full, icnt2sm = in->icnt2sm - o->at.icnt2sm;
  o->degree.over = (uint64_t)dram_full + icnt2sm;
  o->degree.under = (uint32_t)(in->cycles - o->at.cycles);
  o->band = (uint8_t)(in->regs_config.throttle_band > WIDEST ? WIDEST : in->regs_config.throttle_band);
  o->due = o->now + LATENCY;
  remember(o, in);
}

static void follow(struct oracle *o, const struct hd_throttle_in *in) {
  const uint64_t passed = o->now - o->from;
  o->off = !in->regs_config.throttle;
  o->rests = in->regs_config.throttle && passed >= 2 * epoch_of(in);
  if (o->off) {
    remember(o, in);
    o->due = 0;
    o->last = (struct fraction){0, 1};
  } else if (in->sched_unassigned && o->rests && o->cfg.recovers) {
    remember(o, in);
  } else if (in->sched_unassigned && passed >= epoch_of(in)) {
    sample(o, in);
  } else if (passed >= 2 * epoch_of(in)) {
    o->from++; /* the count stops at two epochs, so that a longer epoch set later starts from here */
  }
}

const char *hd_throttle_oracle_watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_throttle_in *in = in_;
  const struct hd_throttle_out *out = out_;
  (void)cycle;
  if (!o->n) o->last = (struct fraction){0, 1};
  const char *rule = watch_set(o, out);
  if (!rule) rule = watch_n(o, out->open_count);
  o->n = out->open_count;
  follow(o, in);
  o->now++;
  return rule;
}
