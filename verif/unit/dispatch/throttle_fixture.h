/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the throttle tests: running counters, and samples of a given degree of contention. */
#ifndef HD_THROTTLE_FIXTURE_H
#define HD_THROTTLE_FIXTURE_H

#include "dispatch/throttle.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static struct hd_throttle *m;
static struct hd_throttle_in in;
static struct hd_throttle_out out;

static inline void start_with(struct hd_cfg c) {
  cfg = c;
  m = ut_new(hd_throttle_size(&cfg));
  hd_throttle_init(m, &cfg);
  memset(&in, 0, sizeof in);
  in.regs_config.throttle = 1;
  in.regs_config.throttle_epoch = cfg.epoch;
}

/* No recovery and no dead band; tests set a band where they need one. */
static inline struct hd_cfg by_the_paper(struct hd_cfg c) {
  return ut_cfg_but(c, "Recovers", 0);
}

/* 13 SMXs, the shortest epoch, no band, no recovery. */
static inline int setup(void **state) {
  (void)state;
  start_with(by_the_paper(ut_cfg_with("k20c", "Epoch", 64)));
  return 0;
}

static inline int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

static inline const struct hd_throttle_arch *arch(void) {
  static struct hd_throttle_arch a;
  memset(&a, 0x5a, sizeof a);
  hd_throttle_arch(m, &a, true);
  return &a;
}

/* Runs one cycle; then `out` holds its outputs. */
static inline void cycle(void) {
  memset(&out, 0x5a, sizeof out);
  hd_throttle_eval(m, &in, &out);
  hd_throttle_tick(m, &in);
}

static inline void idle(unsigned cycles) {
  for (; cycles; cycles--) hd_throttle_tick(m, &in);
}

/* Checks that in the next cycle exactly the first n SMXs are open. */
static inline void shows(unsigned n) {
  hd_throttle_eval(m, &in, &out);
  assert_int_equal(out.open_count, n);
  for (unsigned k = 0; k < cfg.num_smx; k++) assert_int_equal(out.open[k], k < n);
}

/* Runs one cycle in which a TB waits, with the counters advanced by these amounts. */
static inline void sample(uint32_t cycles, uint32_t dram_full, uint32_t icnt2sm) {
  in.cycles += cycles;
  in.dram_full += dram_full;
  in.icnt2sm += icnt2sm;
  in.sched_unassigned = 1;
  cycle();
  in.sched_unassigned = 0;
}

/* 13 SMXs, the shortest epoch, no band, with recovery. */
static inline void recovering(void) {
  free(m);
  start_with(ut_cfg_with("k20c", "Epoch", 64));
}

/* Lets an epoch pass with idle counters, takes a sample, waits for its verdict and expects n open SMXs. */
static inline void epoch(uint32_t cycles, uint32_t dram_full, uint32_t icnt2sm, unsigned n) {
  while (arch()->since < in.regs_config.throttle_epoch) idle(1);
  sample(cycles, dram_full, icnt2sm);
  assert_true(arch()->busy);
  idle(HD_THROTTLE_VERDICT);
  shows(n);
}

#endif
