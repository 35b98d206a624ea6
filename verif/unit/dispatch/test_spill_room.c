/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Room for groups, queues with groups, reset. */
#include "unit/dispatch/spill_fixture.h"

/* The region has to hold a ring of 16 for each of the 8 queues; a new size counts two cycles later. */
TEST_F(test_region) {
  const struct {
    uint32_t count;
    bool room;
  } cases[] = {{0, false}, {1, false}, {127, false}, {128, true}, {1000, true}, {UINT32_MAX, true}};
  for (unsigned k = 0; k < 6; k++) {
    in.regs_config.spill_count = cases[k].count;
    assert_false(hd_spill_quiet(m, cases[k].count));
    idle(2);
    for (unsigned q = 0; q < 8; q++) assert_int_equal(out.room[q], cases[k].room);
    expect_quiet();
  }
}

/* A ring has room up to its margin of 11; other queues of the bank are not affected. Groups put while the first one
 * without room is written are not lost. */
static void full(unsigned order, unsigned places) {
  start_as(ut_cfg("tiny"));
  in.regs_config.spill_count = 8u << order;
  idle(2);
  close_all();
  unsigned n = 0;
  for (; n < 400; n++) {
    for (unsigned t = 0; t < 50 && !(room(0, 1) && hd_spill_rows(m)); t++) cycle();
    if (!room(0, 1)) break;
    put_now(0, 1, n);
  }
  idle(50);
  assert_in_range(n, places - 11 + 1, places - 11 + 1 + cfg.spill_depth - 1);
  assert_int_equal(writes, n);
  for (unsigned q = 0; q < 8; q++) assert_int_equal(out.room[q], q != 0);
  expect_nothing();
  /* One that is read makes room, if no more than the margin is used then. */
  open_bank(0, true);
  for (unsigned k = 0; k < n; k++) expect(0, 1, k);
  assert_int_equal(room(0, 1), 1);
  put(0, 1, 100);
  expect(0, 1, 100);
}

TEST_F(test_full) {
  full(4, 16);
  full(5, 32);
  full(6, 64);
}

/* Groups are put one at a time: exactly the sixth leaves no room, and room returns with the request of one. */
TEST_F(test_last_place) {
  close_all();
  for (unsigned n = 0; n < 5; n++) {
    assert_int_equal(room(1, 4), 1);
    put_now(1, 4, n);
    idle(20);
  }
  assert_int_equal(room(1, 4), 0);
  open_bank(1, true);
  while (!out.reserve[1]) cycle();
  close_all();
  idle(3);
  assert_int_equal(room(1, 4), 1);
}

/* Groups that wait to go to memory: three at most, of any queue. */
TEST_F(test_puts) {
  stall_requests = true;
  cycle();
  assert_int_equal(out.rows, 3);
  for (unsigned n = 0; n < 3; n++) {
    put_now(n % 2, 1, 1 + n);
    cycle();
    assert_int_equal(out.rows, 2 - n);
  }
  idle(10);
  assert_int_equal(out.rows, 0);
  assert_int_equal(room(0, 1) && room(1, 1), 1);
  assert_int_equal(arch()->puts, 3);
  for (unsigned row = 0; row < 3; row++) assert_int_equal(arch()->put_row_valid[row], 1);
  stall_requests = false;
  for (unsigned n = 0; n < 3; n++) expect(n % 2, 1, 1 + n);
  assert_int_equal(out.rows, 3);
}

/* The ring of groups to be written wraps. */
TEST_F(test_puts_wrap) {
  for (unsigned n = 0; n < 10; n++) {
    assert_int_equal(arch()->first_put, n % 3);
    put_now(1, 2, n);
    assert_int_equal(arch()->put_row_valid[n % 3], 1);
    expect(1, 2, n);
  }
}

/* A queue is held from the cycle after the put until the one after the group was taken. */
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
  assert_int_equal(held(1, 3), 1);
  cycle();
  assert_int_equal(held(1, 3), 0);
  expect_quiet();
}

/* .. also while it is only in the ring of groups to be written, being written, in memory, or being read. */
TEST_F(test_held_everywhere) {
  close_all();
  stall_requests = true;
  put_now(0, 1, 1);
  put_now(1, 4, 2);
  for (unsigned t = 0; t < 20; t++) {
    cycle();
    assert_int_equal(held(0, 1) && held(1, 4), 1);
  }
  stall_requests = false;
  for (unsigned t = 0; t < 40; t++) {
    cycle();
    assert_int_equal(held(0, 1) && held(1, 4), 1);
  }
  port.latency = 30;
  open_all();
  for (unsigned t = 0; t < 25; t++) {
    cycle();
    assert_int_equal(held(0, 1) && held(1, 4), 1);
  }
  expect(0, 1, 1);
  expect(1, 4, 2);
  idle(2);
  expect_quiet();
}

/* One is put as another of its queue is taken. */
TEST_F(test_put_and_back) {
  in.laperm_back_ready = 0;
  put_now(0, 2, 5);
  while (!arch()->backs) cycle();
  in.laperm_back_ready = 1;
  put_now(0, 2, 6);
  assert_int_equal(arch()->count[0], 1);
  assert_int_equal(arch()->count[1], 0);
  for (unsigned t = 0; t < 10; t++) {
    cycle();
    assert_int_equal(held(0, 2), 1);
  }
  expect(0, 2, 5);
  expect(0, 2, 6);
  idle(2);
  assert_int_equal(held(0, 2), 0);
}

/* The groups of a kernel are counted from the put until they are read. */
TEST_F(test_counts) {
  close_all();
  for (unsigned n = 0; n < 5; n++) {
    put(n % 2, 1, n);
    assert_int_equal(arch()->count[0], n / 2 + 1);
    assert_int_equal(arch()->count[1], (n + 1) / 2);
  }
  idle(50);
  in.laperm_back_ready = 0;
  open_bank(1, true);
  while (arch()->backs < 2) cycle();
  assert_int_equal(arch()->count[0], 3);
  assert_int_equal(arch()->count[1], 0);
}

/* As new after a reset, in any state. */
TEST_F(test_reset) {
  struct hd_spill *fresh = ut_new(hd_spill_size(&cfg));
  hd_spill_init(fresh, &cfg);
  in.laperm_back_ready = 0;
  close_all();
  for (unsigned n = 0; n < 4; n++) put(n % 2, 1 + n % 4, n);
  fail_writes = 3;
  while (!m->closed) cycle();
  open_all();
  while (!m->backs) cycle();
  assert_int_equal(arch()->closed && arch()->outs && arch()->count[0] && m->any_held, 1);
  assert_memory_not_equal(m, fresh, sizeof *m);
  hd_spill_reset(m);
  assert_memory_equal(m, fresh, sizeof *m);
  assert_true(hd_spill_quiet(m, 0));
  free(fresh);
}

TEST_MAIN("spill_room", NULL, NULL)
