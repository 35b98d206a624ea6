/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Timing and long-run behaviour of throttle, measured on the RTL in lockstep with the model. */
#include <string.h>

/* clang-format off */
#include "equiv/cases.h"
#include "gen/hd_throttle_ports.h"
/* clang-format on */

enum { SMXS = 13, EPOCH = 64, SHOWS = 64 };

static struct hd_sim *sim;
static struct hd_throttle_in in;
static const struct hd_throttle_out *out;

static void start_with_epoch(const char *config, uint32_t epoch) {
  char err[256];
  const struct hd_sim_opts opts = {.block = "throttle", .cfg = hd_case_cfg(config), .seed = 1, .test = "throttle"};
  sim = hd_sim_open(&opts, err, sizeof err);
  if (!sim) fail_msg("%s", err);
  memset(&in, 0, sizeof in);
  in.regs_config.throttle = 1;
  in.regs_config.throttle_epoch = epoch;
}

static void start(const char *config) {
  start_with_epoch(config, EPOCH);
}

static void stop(void) {
  assert_int_equal(hd_sim_finish(sim), HD_PASS);
  hd_sim_close(sim);
}

/* Runs one cycle in which the GPU's counters advance by these amounts. */
static void cycle(uint32_t dram_full, uint32_t icnt2sm) {
  const void *seen;
  assert_int_equal(hd_sim_cycle(sim, &in, &seen), HD_PASS);
  out = seen;
  in.cycles++;
  in.dram_full += dram_full;
  in.icnt2sm += icnt2sm;
}

/* Returns n after this many epochs in which a TB always waits. */
static unsigned after(unsigned epochs, uint32_t dram_full, uint32_t icnt2sm) {
  for (unsigned k = 0; k < epochs * EPOCH; k++) cycle(dram_full, icnt2sm);
  return out->open_count;
}

/* A sample with more contention closes an SMX 64 cycles later, no sooner, and the next sample is taken an epoch
   later. */
TEST(test_latency) {
  unsigned changed[3], changes = 0, n = SMXS;
  start_with_epoch("tiny+NumSmx=13", 100);
  in.sched_unassigned = 1;
  for (unsigned t = 0; changes < 3; t++) {
    cycle(t / 50, 0);
    assert_true(t < 1000);
    if (out->open_count == n) continue;
    assert_int_equal(out->open_count, n - 1);
    for (unsigned k = 0; k < SMXS; k++) assert_int_equal(out->open[k], k < n - 1);
    changed[changes++] = t;
    n--;
  }
  print_message("n changes in cycles %u, %u, %u\n", changed[0], changed[1], changed[2]);
  assert_int_equal(changed[0], 100 + SHOWS);
  assert_int_equal(changed[1], 200 + SHOWS);
  assert_int_equal(changed[2], 300 + SHOWS);
  stop();
}

/* Without a waiting TB no sample is taken. */
TEST(test_none_waits) {
  start("tiny+NumSmx=13+EqualHolds=1+Recovers=0");
  for (unsigned t = 0; t < 20 * EPOCH; t++) cycle(t, t);
  assert_int_equal(out->open_count, SMXS);
  in.sched_unassigned = 1;
  cycle(0, 0);
  in.sched_unassigned = 0;
  assert_int_equal(after(2, 0, 0), SMXS - 1);
  stop();
}

/* Contention grows for 20 epochs, then stops: n in the epochs after. */
static unsigned grow_and_end(const char *config, unsigned epochs) {
  start(config);
  in.sched_unassigned = 1;
  for (unsigned k = 1; k <= 20; k++) after(1, k, k);
  assert_int_equal(after(1, 21, 21), 2);
  const unsigned n = after(epochs, 0, 0);
  stop();
  return n;
}

/* n is back at all SMXs two epochs and 63 cycles later: the second sample is the first that counts no stalls. */
TEST(test_recovers) {
  unsigned t = 0;
  grow_and_end("tiny+NumSmx=13", 3);
  start("tiny+NumSmx=13");
  in.sched_unassigned = 1;
  for (unsigned k = 1; k <= 20; k++) after(1, k, k);
  after(1, 21, 21);
  for (; out->open_count < SMXS; t++) cycle(0, 0);
  print_message("all SMXs are open %u cycles after contention has ended\n", t);
  assert_true(t > EPOCH && t <= 2 * EPOCH + SHOWS);
  stop();
}

/* With the comparison of the paper's listing it never recovers. */
TEST(test_listing_stays) {
  const unsigned late = grow_and_end("tiny+NumSmx=13+EqualHolds=1+Recovers=0", 100);
  print_message("with the paper's listing n stays at %u of %u\n", late, SMXS);
  assert_int_equal(late, 3);
}

/* The last TB of a small kernel is assigned, and contention continues: two epochs after the last sample all SMXs are
 * open. The next kernel finds all of them open, and its first sample is taken an epoch after its first TB. */
TEST(test_between_kernels) {
  unsigned closed = 0, t = 0;
  start_with_epoch("tiny+NumSmx=13", 200);
  in.sched_unassigned = 1;
  for (; t < 200 || out->open_count == SMXS; t++) cycle(t, 0); /* that is, 64 cycles after a sample */
  in.sched_unassigned = 0;
  for (; out->open_count < SMXS; closed++) cycle(1000, 0);
  assert_int_equal(SHOWS + closed, 2 * 200 + 1);
  for (unsigned k = 0; k < 1000; k++) cycle(1000, 0);
  in.sched_unassigned = 1;
  for (t = 0; out->open_count == SMXS; t++) cycle(1000000, 0);
  print_message("closed for %u cycles; the next verdict shows %u cycles after a TB\n", closed, t - 1);
  assert_int_equal(t - 1, 200 + SHOWS);
  stop();
}

/* Steady contention that varies by a fifth: n stays at all SMXs; without the band it does not. */
TEST(test_steady) {
  for (unsigned band = 0; band <= 2; band += 2) {
    unsigned sum = 0;
    start("tiny+NumSmx=13");
    in.sched_unassigned = 1;
    in.regs_config.throttle_band = band;
    after(8, 100, 0);
    for (unsigned k = 0; k < 200; k++) sum += after(1, 100 + k * 7 % 20, 0);
    print_message("band %u: %u.%02u SMXs open on the mean\n", band, sum / 200, sum % 200 / 2);
    assert_true(band ? sum == 200 * SMXS : sum < 200 * SMXS - 100);
    stop();
  }
}

/* Register values beyond the limits: an epoch of 65535 cycles, and of 64. */
TEST(test_limits) {
  start_with_epoch("tiny+NumSmx=13", UINT32_MAX);
  in.sched_unassigned = 1;
  for (unsigned t = 0; t < 65535 + SHOWS; t++) {
    cycle(1, 0);
    assert_int_equal(out->open_count, SMXS);
  }
  cycle(1, 0);
  assert_int_equal(out->open_count, SMXS - 1);
  in.regs_config.throttle_epoch = 0;
  cycle(1000000, 0);
  for (unsigned t = 1; t < SHOWS; t++) {
    cycle(0, 0);
    assert_int_equal(out->open_count, SMXS - 1);
  }
  stop();
}

TEST_MAIN("throttle in time", NULL, NULL)
