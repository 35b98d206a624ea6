/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Room for groups, non-empty queues, memory errors, reset. */
#include "unit/dispatch/spill_fixture.h"

/* Without a region there is no room; a place is room for one. */
TEST_F(test_region) {
  const struct {
    uint32_t count;
    bool room;
  } cases[] = {{0, false}, {1, true}, {2, true}, {16, true}, {UINT32_MAX, true}};
  for (unsigned k = 0; k < 5; k++) {
    in.regs_config.spill_count = cases[k].count;
    cycle();
    assert_int_equal(out.put_ready, cases[k].room);
  }
}

/* All places are used, and no more than there are, though the region is larger; one that is read is free again. */
static void full(uint32_t count, unsigned places) {
  start_as(ut_cfg("tiny"));
  close_all();
  in.regs_config.spill_count = count;
  for (unsigned n = 0; n < places; n++) put(0, 1, n);
  idle(30);
  assert_int_equal(writes, places);
  assert_int_equal(out.put_ready, 0);
  expect_nothing();
  open_bank(0, true);
  expect(0, 1, 0);
  close_all();
  idle(5);
  for (unsigned n = 1; n < 4 && !hd_spill_put_ready(m, in.regs_config.spill_count); n++) cycle();
  put_now(0, 1, 100);
  idle(30);
  open_bank(0, true);
  for (unsigned n = 1; n < places; n++) expect(0, 1, n);
  expect(0, 1, 100);
}

TEST_F(test_full) {
  full(1, 1);
  full(5, 5);
  full(16, 16);
  full(1000, 16);
}

/* Groups that wait to go to memory: three at most, each with a place of its own. */
TEST_F(test_puts) {
  stall_requests = true;
  cycle();
  assert_int_equal(out.put_ready, 1);
  assert_int_equal(out.rows, 3);
  for (unsigned n = 0; n < 3; n++) {
    assert_int_equal(out.put_ready, 1);
    put_now(n % 2, 1, 1 + n);
    cycle();
    assert_int_equal(out.rows, 2 - n);
  }
  idle(10);
  assert_int_equal(out.put_ready || out.rows, 0);
  assert_int_equal(arch()->puts, 3);
  for (unsigned row = 0; row < 3; row++) assert_int_equal(arch()->put_row_valid[row], 1);
  in.regs_config.spill_count = 12;
  stall_requests = false;
  for (unsigned n = 0; n < 3; n++) expect(n % 2, 1, 1 + n);
  assert_int_equal(out.rows, 3);
  /* Two places: one holds the head while its request is pending, the other is reported; with a single place none is. */
  idle(5);
  in.regs_config.spill_count = 2;
  stall_requests = true;
  put_now(0, 1, 3);
  idle(5);
  assert_int_equal(out.mem.valid, 1);
  assert_int_equal(out.put_ready, 1);
  in.regs_config.spill_count = 1;
  cycle();
  assert_int_equal(out.put_ready, 0);
}

/* A queue is held from the cycle after the put until the group was taken. */
TEST_F(test_held) {
  in.laperm_back_ready = 0;
  put_now(1, 3, 5);
  assert_int_equal(held(1, 3), 0);
  for (unsigned t = 0; t < 40; t++) {
    cycle();
    for (unsigned q = 0; q < 8; q++) assert_int_equal(out.held[q], q == 6);
  }
  in.laperm_back_ready = 1;
  cycle();
  assert_int_equal(held(1, 3), 1);
  cycle();
  assert_int_equal(held(1, 3), 0);
}

/* One is put as another of its queue is taken. */
TEST_F(test_put_and_back) {
  in.laperm_back_ready = 0;
  put_now(0, 2, 5);
  while (!hd_spill_quiet(m) && !arch()->backs) cycle();
  in.laperm_back_ready = 1;
  put_now(0, 2, 6);
  assert_int_equal(arch()->held_count[1], 1);
  cycle();
  assert_int_equal(held(0, 2), 1);
  expect(0, 2, 5);
  expect(0, 2, 6);
  cycle();
  assert_int_equal(held(0, 2), 0);
}

/* The group with an error is reported once, with its kernel, in the cycle after its last beat; others are
   unaffected. */
static void lost(bool of_write, int beat) {
  start_as(ut_cfg("tiny"));
  close_all();
  fail_write = of_write;
  put(0, 2, 1);
  put(0, 2, 2);
  put(1, 2, 3);
  idle(30);
  fail_beat = beat;
  memset(in.laperm_place, 1, cfg.num_bank);
  for (unsigned t = 0; t < 40 && !losts; t++) cycle();
  assert_int_equal(losts, 1);
  assert_int_equal(now - 1, last_beat_at + 1);
  assert_int_equal(lost_kdei, kernel_of(1));
  expect(1, 2, 3);
  expect(0, 2, 2);
  expect_nothing();
  assert_int_equal(losts, 1);
  for (unsigned q = 0; q < 8; q++) assert_int_equal(arch()->held_count[q], 0);
  assert_true(hd_spill_quiet(m));
}

TEST_F(test_lost) {
  lost(true, -1);
  lost(false, 0);
  lost(false, 1);
  lost(true, 1);
}

/* A lost group is no longer held when it is reported, and its bank can be requested again. */
TEST_F(test_held_of_lost) {
  fail_write = true;
  put_now(0, 4, 2);
  for (unsigned t = 0; t < 40 && !losts; t++) cycle();
  assert_int_equal(out.lost.valid, 1);
  assert_int_equal(held(0, 4), 0);
  assert_int_equal(arch()->out_valid[0], 0);
  put(0, 4, 4);
  expect(0, 4, 4);
}

/* As new after a reset, in any state. */
TEST_F(test_reset) {
  struct hd_spill *fresh = ut_new(hd_spill_size(&cfg));
  hd_spill_init(fresh, &cfg);
  in.laperm_back_ready = 0;
  for (unsigned n = 0; n < 7; n++) put(n % 2, 1 + n % 4, n);
  assert_memory_not_equal(m, fresh, sizeof *m);
  hd_spill_reset(m);
  assert_memory_equal(m, fresh, sizeof *m);
  assert_true(hd_spill_quiet(m));
  free(fresh);
}

TEST_MAIN("spill_room", NULL, NULL)
