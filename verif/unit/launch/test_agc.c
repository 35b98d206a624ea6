/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* AGEs from load to release: TB counts, exactly one release. */
#include "unit/launch/agc_fixture.h"

TEST_F(test_empty_after_reset) {
  cycle();
  assert_int_equal(out.slot.valid, 1);
  assert_int_equal(out.slot.slot, 0);
  assert_int_equal(out.free.valid, 0);
  assert_int_equal(out.record_done_valid, 0);
  assert_int_equal(arch()->cur_valid, 0);
}

/* Retired in t: counted in t+1, freed in t+2, and reported once. */
TEST_F(test_free_latency) {
  hand_out(true, 3, 1);
  cycle();
  cycle();
  retire(3);
  cycle();
  cycle();
  assert_int_equal(out.free.valid, 0);
  cycle();
  assert_int_equal(out.free.valid, 1);
  assert_int_equal(out.free.index, 3);
  assert_int_equal(until_free(), -1);
}

/* All TBs out so far are done, but the last is not handed out: the AGE stays. */
TEST_F(test_current) {
  load(true, 1);
  cycle();
  for (unsigned k = 0; k < 2; k++) {
    grant(false);
    cycle();
  }
  retire(1);
  cycle();
  retire(1);
  assert_int_equal(until_free(), -1);
  grant(true);
  cycle();
  cycle();
  retire(1);
  assert_int_equal(until_free(), 2);
}

/* The last TB but one is retired in the same cycle in which the last is handed out: the AGE waits for the last. */
TEST_F(test_retire_in_the_end) {
  load(true, 0);
  cycle();
  grant(false);
  cycle();
  cycle();
  grant(true);
  retire(0);
  cycle();
  assert_int_equal(arch()->handed_row[0], 2);
  assert_int_equal(until_free(), -1);
  retire(0);
  assert_int_equal(until_free(), 2);
}

/* TBs of one AGE retired in consecutive cycles are all counted. */
TEST_F(test_retire_back_to_back) {
  hand_out(true, 2, 4);
  for (unsigned k = 0; k < 4; k++) {
    retire(2);
    cycle();
    assert_int_equal(out.free.valid, 0);
  }
  assert_int_equal(arch()->done_row[2], 3);
  cycle();
  assert_int_equal(arch()->done_row[2], 4);
  assert_int_equal(until_free(), 0);
}

/* TBs of three AGEs retired round robin. */
TEST_F(test_retire_in_turn) {
  unsigned freed = 0;
  for (unsigned i = 0; i < 3; i++) hand_out(true, i, 2);
  for (unsigned k = 0; k < 9; k++) {
    if (k < 6) retire(k % 3);
    cycle();
    if (out.free.valid) assert_int_equal(out.free.index, freed++);
  }
  assert_int_equal(freed, 3);
}

/* More TBs than the counts can distinguish, but never more at a time than fit in the SMXs. */
TEST_F(test_counts_wrap) {
  load(true, 1);
  cycle();
  for (unsigned k = 0; k < 27; k++) {
    grant(k == 26);
    if (k >= 3) retire(1);
    cycle();
    assert_int_equal(out.free.valid, 0);
  }
  assert_int_equal(arch()->handed_row[1], 27 % 8);
  for (unsigned k = 0; k < 3; k++) {
    assert_int_equal(out.free.valid, 0);
    retire(1);
    cycle();
  }
  assert_int_equal(until_free(), 1);
}

/* The TBs of a native part belong to no AGE. */
TEST_F(test_native_ctas) {
  hand_out(true, 0, 1);
  in.sched_retire.valid = 1;
  in.sched_retire.tb = (struct hd_retire){0};
  assert_int_equal(until_free(), -1);
  assert_int_equal(arch()->r1_valid, 0);
}

/* A freed AGE is used again in the next cycles: its earlier counts are forgotten. */
TEST_F(test_reuse) {
  hand_out(true, 2, 3);
  for (unsigned k = 0; k < 3; k++) {
    retire(2);
    cycle();
  }
  assert_int_equal(until_free(), 1);
  assert_int_equal(arch()->seen[2], 1);
  load(true, 2);
  cycle(); /* loaded .. */
  cycle(); /* .. and forgotten */
  assert_int_equal(arch()->seen[2], 0);
  for (unsigned k = 0; k < 2; k++) {
    grant(k == 1);
    cycle();
  }
  cycle();
  retire(2);
  assert_int_equal(until_free(), -1);
  retire(2);
  assert_int_equal(until_free(), 2);
}

/* The next group is loaded in the cycle in which the current one ends: one TB per cycle across groups. */
TEST_F(test_load_in_the_end) {
  load(true, 0);
  cycle();
  for (unsigned i = 0; i < 4; i++) {
    grant(true);
    if (i < 3) load(true, i + 1);
    cycle();
  }
  assert_int_equal(arch()->cur_valid, 0);
  for (unsigned i = 0; i < 4; i++) {
    retire(i);
    cycle();
    assert_int_equal(out.free.valid, i >= 2);
  }
  assert_int_equal(until_free(), 0);
  assert_int_equal(until_free(), 0);
}

/* Reset with work in flight leaves the state of a new model, byte for byte. */
TEST_F(test_reset) {
  struct hd_agc *fresh = ut_new(hd_agc_size(&cfg));
  hd_agc_init(fresh, &cfg);
  run_overflowed(5, 0);
  hand_out(true, 1, 2);
  load(false, 6);
  cycle();
  park(1);
  retire(1);
  cycle();
  assert_memory_not_equal(m, fresh, hd_agc_size(&cfg));
  hd_agc_reset(m);
  assert_memory_equal(m, fresh, hd_agc_size(&cfg));
  free(fresh);
}

TEST_MAIN("agc", NULL, NULL)
