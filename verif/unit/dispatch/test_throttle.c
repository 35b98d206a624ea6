/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The throttle: cycles of its samples, cycles in which n changes, its limits, and its enable. */
#include "unit/dispatch/throttle_fixture.h"

/* ---- samples ---- */

/* After reset every SMX is open, and the first sample is taken in cycle Epoch, although a TB waits all the time. */
TEST_F(test_first) {
  in.sched_unassigned = 1;
  in.cycles = 1000;
  for (unsigned t = 0; t < cfg.epoch; t++) {
    assert_int_equal(arch()->since, t);
    shows(13);
    cycle();
    assert_false(arch()->busy);
  }
  cycle();
  assert_true(arch()->busy);
  assert_int_equal(arch()->span, 1000);
  assert_int_equal(arch()->since, 1);
}

/* No TB waits, no sample: it is taken as soon as one does. */
TEST_F(test_waits) {
  idle(500);
  assert_int_equal(arch()->since, 2 * cfg.epoch);
  assert_false(arch()->busy);
  sample(7, 1, 2);
  assert_int_equal(arch()->stalls, 3);
  assert_int_equal(arch()->span, 7);
}

/* Samples are at least Epoch cycles apart, and a TB waits in the cycle of each. */
TEST_F(test_apart) {
  free(m);
  start_with(by_the_paper(ut_cfg_with("k20c", "Epoch", 100)));
  in.sched_unassigned = 1;
  for (unsigned t = 0; t <= 1000; t++) {
    in.cycles = t;
    cycle();
    const unsigned last = t / 100 * 100;
    assert_int_equal(arch()->last_cycles, last);
    assert_int_equal(arch()->since, t < 100 ? t + 1 : t - last + 1);
    assert_int_equal(arch()->busy, t >= 100 && t - last < 63);
  }
}

/* A sample reads the counters of its own cycle, and stores them; stalls and span show while it is compared. */
TEST_F(test_sample) {
  epoch(100, 30, 4, 12);
  idle(1);
  in.dram_full = 9999; /* not in a sample */
  idle(1);
  in.dram_full = 30;
  sample(50, 10, 7);
  const struct hd_throttle_arch *a = arch();
  assert_true(a->last_cycles == 150 && a->last_dram_full == 40 && a->last_icnt2sm == 11);
  assert_true(a->busy && a->stalls == 17 && a->span == 50);
  assert_true(a->last_stalls == 34 && a->last_span == 100);
  idle(63);
  a = arch();
  assert_true(!a->busy && !a->stalls && !a->span);
  assert_true(a->last_stalls == 17 && a->last_span == 50);
}

/* A sample in t: n shows in t + 64. Then, with the shortest epoch, the next sample is taken. */
TEST_F(test_latency) {
  idle(cfg.epoch);
  sample(10, 5, 5);
  in.sched_unassigned = 1;
  for (unsigned t = 1; t < 64; t++) {
    shows(13);
    in.dram_full++;
    in.cycles++;
    cycle();
  }
  assert_false(arch()->busy);
  shows(12);
  cycle();
  assert_true(arch()->busy);
  assert_true(arch()->stalls == 63 && arch()->span == 63);
}

/* ---- n ---- */

/* Higher degrees close one SMX each, down to two; a degree that is not higher opens one, up to all. */
TEST_F(test_limits) {
  unsigned n = 13;
  for (unsigned k = 1; k <= 20; k++) {
    n = n > 2 ? n - 1 : 2;
    epoch(1000, k, 0, n);
  }
  for (unsigned k = 20; k > 0; k--) {
    n = n < 13 ? n + 1 : 13;
    epoch(1000, 0, k - 1, n);
  }
}

/* Degrees are fractions: 1/3 is higher than 33/100, 2/6 is not higher than 1/3, 333/1000 is lower. */
TEST_F(test_fractions) {
  epoch(100, 33, 0, 12);
  epoch(3, 0, 1, 11);
  epoch(6, 1, 1, 12);
  epoch(1000, 333, 0, 13);
  epoch(3000, 999, 1, 12);
}

/* A degree equal to the last counts as not higher; with EqualHolds it changes nothing. */
TEST_F(test_equal) {
  epoch(10, 1, 0, 12);
  epoch(10, 2, 0, 11);
  epoch(20, 3, 1, 12);
  epoch(30, 0, 6, 13);
  epoch(10, 2, 0, 13);
  free(m);
  start_with(by_the_paper(ut_cfg_but(ut_cfg_with("k20c", "Epoch", 64), "EqualHolds", 1)));
  epoch(10, 1, 0, 12);
  epoch(10, 2, 0, 11);
  epoch(20, 3, 1, 11);
  epoch(100, 19, 0, 12);
}

/* The GPU's counter does not advance: n and the last degree stay, the counters are stored. */
TEST_F(test_no_span) {
  epoch(10, 5, 0, 12);
  epoch(0, 77, 88, 12);
  const struct hd_throttle_arch *a = arch();
  assert_true(a->last_stalls == 5 && a->last_span == 10);
  assert_true(a->last_dram_full == 82 && a->last_icnt2sm == 88);
  epoch(10, 6, 0, 11);
  epoch(0, 0, 0, 11);
  epoch(10, 5, 0, 12);
}

/* Machines of one, two and three SMXs. */
TEST_F(test_few) {
  for (unsigned smxs = 1; smxs <= 3; smxs++) {
    free(m);
    start_with(by_the_paper(ut_cfg_with("tiny", "NumSmx", smxs)));
    const unsigned least = smxs < 2 ? smxs : 2;
    epoch(10, 1, 0, least);
    epoch(10, 2, 0, least);
    epoch(10, 2, 0, smxs);
    epoch(10, 1, 0, smxs);
  }
}

/* The largest machine closes all but two. */
TEST_F(test_many) {
  free(m);
  start_with(by_the_paper(ut_cfg_with("big", "Epoch", 64)));
  unsigned n = 132;
  for (unsigned k = 1; k < 140; k++) epoch(1, k, 0, n > 2 ? --n : 2);
  epoch(1, 0, 0, 3);
}

/* ---- the enable ---- */

/* Disabled: every SMX is open from the next cycle on, and only the counters are stored; enabled again: as after
   reset. */
TEST_F(test_off) {
  epoch(10, 5, 0, 12);
  epoch(10, 6, 0, 11);
  in.regs_config.throttle = 0;
  in.sched_unassigned = 1;
  in.dram_full += 100;
  in.cycles += 1000;
  cycle();
  assert_int_equal(out.open_count, 11);
  shows(13);
  const struct hd_throttle_arch *a = arch();
  assert_true(a->last_stalls == 0 && a->last_span == 1 && a->since == 1 && !a->busy);
  idle(200);
  assert_int_equal(arch()->since, 1);
  in.regs_config.throttle = 1;
  for (unsigned t = 1; t < cfg.epoch; t++) {
    cycle();
    assert_false(arch()->busy);
  }
  cycle();
  a = arch();
  assert_true(a->busy && a->stalls == 0 && a->span == 0);
}

/* Disabled while a sample is compared, in the cycle of its verdict or of a sample: it is dropped. */
TEST_F(test_off_busy) {
  for (unsigned after = 1; after <= 64; after++) {
    epoch(1000, after, 0, 12);
    while (arch()->since < cfg.epoch) idle(1);
    sample(1, 1, 0);
    idle(after - 1);
    in.regs_config.throttle = 0;
    in.sched_unassigned = 1;
    cycle();
    in.regs_config.throttle = 1;
    in.sched_unassigned = 0;
    shows(13);
    assert_false(arch()->busy);
    idle(100);
    shows(13);
    assert_true(arch()->last_stalls == 0 && arch()->last_span == 1);
  }
}

/* Reset: as at the start, including the stored counters. */
TEST_F(test_reset) {
  epoch(10, 5, 3, 12);
  idle(1);
  sample(10, 9, 9);
  hd_throttle_reset(m);
  shows(13);
  const struct hd_throttle_arch *a = arch();
  assert_true(!a->since && !a->busy && !a->last_cycles && !a->last_dram_full && !a->last_icnt2sm);
  assert_true(a->last_stalls == 0 && a->last_span == 1 && !a->stalls && !a->span);
}

TEST_MAIN("throttle", NULL, NULL)
