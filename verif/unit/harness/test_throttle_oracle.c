/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The oracle of throttle: reports no rule for the golden model in its random environment, and reports one when in one
 * cycle an output is changed without the model's knowledge, or an input, as if the model had ignored it. */
#include "gen/hd_throttle_ports.h"
#include "oracle/throttle_oracle.h"
#include "unit/harness/oracle_fixture.h"

/* ---- the oracle alone: the test plays the block, with four SMXs ---- */

static struct hd_throttle_in in;
static void *oracle;

static int setup(void **state) {
  (void)state;
  cfg = ut_cfg_with("tiny", "NumSmx", 4);
  oracle = zeroed(hd_throttle_oracle_size(&cfg));
  hd_throttle_oracle_init(oracle, &cfg);
  memset(&in, 0, sizeof in);
  in.regs_config.throttle = 1;
  in.regs_config.throttle_epoch = cfg.epoch;
  return 0;
}

static int teardown(void **state) {
  (void)state;
  free(oracle);
  return 0;
}

/* One cycle that shows n. */
static const char *shows(unsigned n) {
  struct hd_throttle_out out = {.open_count = (uint8_t)n};
  for (unsigned k = 0; k < n; k++) out.open[k] = 1;
  return hd_throttle_oracle_watch(oracle, 0, &in, &out);
}

static void right(unsigned n) {
  const char *rule = shows(n);
  if (rule) fail_msg("the oracle names '%s'", rule);
}

static void wrong(unsigned n, const char *want) {
  const char *rule = shows(n);
  if (!rule || strcmp(rule, want) != 0)
    fail_msg("the oracle should name '%s', and names '%s'", want, rule ? rule : "none");
}

/* A sample is taken; the last cycle before the verdict shows has passed. */
static void sample(unsigned n, uint32_t cycles, uint32_t dram_full) {
  in.sched_unassigned = 1;
  in.cycles += cycles;
  in.dram_full += dram_full;
  right(n);
  in.sched_unassigned = 0;
  for (unsigned t = 1; t < 64; t++) right(n);
}

/* The first epoch after reset. */
static void wait(void) {
  for (unsigned t = 0; t < cfg.epoch; t++) right(4);
}

TEST_F(test_higher) {
  wait();
  sample(4, 10, 1);
  right(3);
  in.regs_config.throttle = 0;
  right(3);
  in.regs_config.throttle = 1;
  for (unsigned t = 1; t < cfg.epoch; t++) right(4);
  sample(4, 10, 1);
  wrong(4, "contention rose, and n is not lowered by one");
}

TEST_F(test_not_higher) {
  wait();
  sample(4, 10, 2);
  sample(3, 10, 4); /* the first cycle shows the previous verdict */
  sample(2, 20, 8);
  wrong(2, "contention did not rise, and n is not raised by one");
}

TEST_F(test_holds) {
  free(oracle);
  cfg = ut_cfg_but(ut_cfg_with("tiny", "NumSmx", 4), "EqualHolds", 1);
  oracle = zeroed(hd_throttle_oracle_size(&cfg));
  hd_throttle_oracle_init(oracle, &cfg);
  wait();
  sample(4, 10, 2);
  sample(3, 20, 4);
  wrong(4, "contention did not change, and n does");
}

/* By a quarter is not more than a quarter. */
TEST_F(test_band) {
  in.regs_config.throttle_band = 2;
  wait();
  sample(4, 100, 40);
  sample(3, 200, 100);
  wrong(2, "contention did not rise, and n is not raised by one");
}

TEST_F(test_beyond_band) {
  in.regs_config.throttle_band = 2;
  wait();
  sample(4, 100, 40);
  sample(3, 200, 101);
  in.regs_config.throttle_band = 0; /* the band of the sample counts */
  wrong(4, "contention rose, and n is not lowered by one");
}

TEST_F(test_silent) {
  wait();
  sample(4, 10, 2);
  sample(3, 10, 4);
  sample(2, 10, 0);
  wrong(3, "an SMX is closed though there was no contention");
}

TEST_F(test_rest) {
  wait();
  sample(4, 10, 2);
  for (unsigned t = 64; t <= 2 * cfg.epoch; t++) right(3);
  wrong(3, "an SMX is closed though no TB waited for two epochs");
}

TEST_F(test_no_cycle) {
  wait();
  sample(4, 10, 2);
  sample(3, 0, 9);
  wrong(4, "n changes though no cycle has passed");
}

TEST_F(test_limits) {
  wait();
  for (unsigned n = 4; n > 2; n--) sample(n, 10, 10 - n);
  sample(2, 10, 20);
  wrong(1, "n is out of its range");
  wrong(5, "n is out of its range");
}

TEST_F(test_early) {
  wait();
  in.sched_unassigned = 1;
  in.cycles = in.dram_full = 1;
  right(4);
  for (unsigned t = 1; t < 63; t++) right(4);
  wrong(3, "n changes without a verdict");
}

/* A TB waits, but the epoch has not passed: there is no sample. */
TEST_F(test_epoch) {
  in.sched_unassigned = in.cycles = in.dram_full = 1;
  right(4);
  for (unsigned t = 1; t < 64; t++) right(4);
  wrong(3, "n changes without a verdict");
}

TEST_F(test_off) {
  wait();
  sample(4, 10, 1);
  right(3);
  in.regs_config.throttle = 0;
  right(3);
  right(4);
  wrong(3, "an SMX is closed though throttling is off");
}

TEST_F(test_reset) {
  wrong(3, "an SMX is closed after reset");
}

/* ---- over the model ---- */

#define BREACH(name, if_, then)                                         \
  static bool name(const void *in_, void *out_) {                       \
    struct hd_throttle_in *i = (struct hd_throttle_in *)(uintptr_t)in_; \
    struct hd_throttle_out *out = out_;                                 \
    (void)i, (void)out;                                                 \
    if (!(if_)) return false;                                           \
    then;                                                               \
    return true;                                                        \
  }

BREACH(other_set, out->open[0], out->open[0] = 0)
BREACH(count_alone, true, out->open_count = 1)
BREACH(closed, true, out->open_count = 0; memset(out->open, 0, sizeof out->open))

TEST(over_model) {
  silent("throttle");
  names("throttle", "other SMXs are open than the first n", other_set);
  names("throttle", "n is out of its range", count_alone);
  names("throttle", "n is out of its range", closed);
}

TEST_MAIN("throttle_oracle", NULL, NULL)
