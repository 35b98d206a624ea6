/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The dead band, its register and that of the epoch, and the recovery of n to all SMXs. */
#include "unit/dispatch/throttle_fixture.h"

/* ---- the band ---- */

/* 1000 by more than 1/2^k of it, and not by exactly that; both sides as fractions of other spans. */
TEST_F(test_band) {
  static const unsigned bar[] = {1000, 1500, 1250, 1125};
  for (unsigned k = 0; k < 4; k++) {
    in.regs_config.throttle = 0;
    idle(1);
    in.regs_config.throttle = 1;
    in.regs_config.throttle_band = k;
    epoch(1000, 1000, 0, 12);
    epoch(1000, bar[k] + 1, 0, 11);
    epoch(1000, 1000, 0, 12);
    epoch(3000, 3 * bar[k], 0, 13);
    epoch(1000, 1000, 0, 13);
    epoch(3000, 3 * bar[k], 1, 12);
  }
}

/* The widest numbers under the narrowest band: 129 * 2^32 does not fit 39 bits. */
TEST_F(test_band_wide) {
  const uint32_t max = UINT32_MAX;
  in.regs_config.throttle_band = 7;
  epoch(128, 128, 0, 12);
  epoch(max, max, max / 128, 13); /* 129/128 of it, less something */
  epoch(128, 128, 0, 13);
  epoch(max, max, max / 128 + 1, 12); /* a bit more */
}

/* Band and epoch beyond their limits are clamped to the limits. */
TEST_F(test_words) {
  static const uint32_t bands[] = {7, 8, 1u << 31, UINT32_MAX};
  for (unsigned k = 0; k < 4; k++) {
    in.regs_config.throttle_band = bands[k];
    idle(200);
    sample(1, 1, 0);
    assert_int_equal(arch()->band, 7);
    idle(63);
  }
  for (uint32_t e = 0; e < 64; e += 21) {
    in.regs_config.throttle_epoch = e;
    in.regs_config.throttle = 0;
    idle(1);
    in.regs_config.throttle = in.sched_unassigned = 1;
    idle(63);
    assert_false(arch()->busy);
    idle(1);
    assert_true(arch()->busy);
    in.sched_unassigned = 0;
  }
  for (unsigned k = 0; k < 3; k++) {
    in.regs_config.throttle_epoch = (const uint32_t[]){65535, 65536, UINT32_MAX}[k];
    in.regs_config.throttle = 0;
    idle(1);
    in.regs_config.throttle = in.sched_unassigned = 1;
    idle(65534);
    assert_false(arch()->busy);
    idle(1);
    assert_true(arch()->busy);
    in.sched_unassigned = 0;
    idle(200000);
    assert_int_equal(arch()->since, 131070);
  }
}

/* The band of the sample counts, not a later write. */
TEST_F(test_band_of_sample) {
  epoch(100, 100, 0, 12);
  in.regs_config.throttle_band = 2;
  idle(64);
  sample(100, 120, 0);
  in.regs_config.throttle_band = 0;
  idle(63);
  shows(13);
}

/* A shorter epoch counts at once; a longer one from where the count has stopped. */
TEST_F(test_epoch_changes) {
  in.regs_config.throttle_epoch = 1000;
  idle(500);
  in.regs_config.throttle_epoch = 200;
  sample(1, 0, 0);
  assert_true(arch()->busy);
  idle(5000);
  assert_int_equal(arch()->since, 400);
  in.regs_config.throttle_epoch = 500;
  in.sched_unassigned = 1;
  idle(100);
  assert_false(arch()->busy);
  idle(1);
  assert_true(arch()->busy);
}

/* ---- recovery ---- */

/* Down to n SMXs. */
static void close_to(unsigned n) {
  for (unsigned k = 1; k <= 13 - n; k++) epoch(64, k * k, 0, 13 - k);
}

/* A sample without stalls opens all at its verdict, also if no cycle has passed. */
TEST_F(test_silent) {
  for (unsigned span = 0; span <= 64; span += 64) {
    recovering();
    close_to(4);
    epoch(span, 0, 0, 13);
    assert_int_equal(arch()->last_stalls, span ? 0 : 81);
    epoch(64, 1, 0, span ? 12 : 13);
  }
  recovering();
  close_to(4);
  epoch(64, 0, 1, 5);
}

/* Two epochs after a sample, the second without a waiting TB, all are open, for any counters; the last degree stays. */
TEST_F(test_rest) {
  recovering();
  in.regs_config.throttle_epoch = 100;
  close_to(2);
  const unsigned since = arch()->since;
  for (unsigned t = since; t <= 200; t++) {
    shows(2);
    in.dram_full += 1000;
    in.cycles++;
    cycle();
  }
  shows(13);
  assert_true(arch()->last_stalls == 121 && arch()->last_span == 64);
  idle(1000);
  shows(13);
}

/* A TB that waits in the last cycle of the second epoch causes a sample, and there is no rest. One that ends a rest
 * causes none: the epoch starts again with the counters of that cycle. */
TEST_F(test_rest_ends) {
  recovering();
  epoch(64, 1000, 0, 12);
  idle(63);
  sample(64, 2000, 0);
  assert_true(arch()->busy);
  idle(63);
  shows(11);
  idle(64);
  sample(64, 1000000, 0);
  shows(13);
  const struct hd_throttle_arch *a = arch();
  assert_true(!a->busy && a->since == 1 && a->last_stalls == 2000 && a->last_dram_full == 1003000);
  in.sched_unassigned = 1;
  idle(63);
  assert_false(arch()->busy);
  sample(64, 3000, 0);
  assert_true(arch()->busy && arch()->stalls == 3000);
  idle(63);
  shows(12);
}

/* Neither without recovery. */
TEST_F(test_does_not) {
  close_to(2);
  idle(1000);
  shows(2);
  epoch(64, 0, 0, 3);
}

/* From a cycle on the counters do not change: 4 * Epoch + 63 cycles later all SMXs are open, whenever TBs wait. */
TEST_F(test_bound) {
  uint64_t seed = 0x5eed;
  unsigned longest = 0;
  for (unsigned round = 0; round < 3000; round++) {
    recovering();
    close_to(2 + ut_below(&seed, 10));
    const unsigned often = ut_below(&seed, 4), t_end = ut_below(&seed, 200);
    unsigned took = 0;
    in.dram_full += 100000;
    for (unsigned t = 0; t < 1000; t++) {
      in.sched_unassigned = often == 0 ? ut_below(&seed, 2) : often == 1 ? ut_below(&seed, 100) == 0 : often == 2;
      if (t < t_end) in.dram_full += t * 100;
      in.cycles += t < t_end;
      hd_throttle_eval(m, &in, &out);
      if (t >= t_end && out.open_count < 13) took = t - t_end + 1;
      hd_throttle_tick(m, &in);
    }
    assert_true(took <= 4 * 64 + 63);
    if (took > longest) longest = took;
  }
  print_message("with epochs of 64 all were open %u cycles later at the latest\n", longest);
  assert_true(longest > 3 * 64);
}

TEST_MAIN("throttle_recovers", NULL, NULL)
