/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Groups that are lost in memory: reported once each, with their kernels, when all others have returned. */
#include "unit/dispatch/spill_fixture.h"

/* Waits until all groups that were put are in memory, or lost. */
static void written(void) {
  for (unsigned t = 0; t < 600 && (m->puts || m->memring.writes); t++) cycle();
  assert_int_equal(m->puts || m->memring.writes, 0);
}

static bool any_room(void) {
  return memchr(out.room, 1, cfg.ring_queues) != NULL;
}

/* Waits for this number of losses in total, then until there is room again. */
static void expect_losses(unsigned n) {
  for (unsigned t = 0; t < 600 && losses < n; t++) cycle();
  assert_int_equal(losses, n);
  assert_false(any_room());
  cycle();
  assert_true(any_room());
  assert_int_equal(out.lost.valid, 0);
  idle(3);
  expect_quiet();
  for (unsigned k = 0; k < cfg.num_kde; k++) assert_int_equal(arch()->count[k], 0);
}

/* The first of three groups is lost: by its write, or by a beat of its read. The others return; the report follows the
 * last one, with the kernel of the first. */
static void lost(bool of_write, unsigned beats_lost) {
  start_as(ut_cfg("tiny"));
  close_all();
  fail_writes = of_write;
  put(0, 2, 1);
  put(0, 2, 2);
  put(1, 2, 3);
  written();
  cycle();
  assert_int_equal(any_room(), !of_write);
  fail_beats = beats_lost;
  open_bank(0, true);
  expect(0, 2, 2);
  assert_int_equal(losses, 0);
  assert_false(any_room());
  expect_nothing();
  assert_int_equal(losses, 0);
  open_bank(1, true);
  expect(1, 2, 3);
  expect_losses(1);
  assert_int_equal(loss[0].kdei, kernel_of(1));
  assert_int_equal(loss[0].at, back_at + 2);
}

TEST_F(test_lost) {
  lost(true, 0);
  lost(false, 1);
  lost(false, 2);
  lost(false, 3);
  lost(true, 3);
}

/* The last group, and the only one: its place is given up one cycle after its last beat, and the loss is reported two
 * cycles later. */
TEST_F(test_only_one) {
  put_now(1, 4, 3);
  fail_beats = 2;
  expect_losses(1);
  assert_int_equal(gots, 0);
  assert_int_equal(loss[0].kdei, 1);
  assert_int_equal(released_at, last_beat_at + 1);
  assert_int_equal(release, 1);
  assert_int_equal(loss[0].at, last_beat_at + 3);
  put(1, 4, 5);
  expect(1, 4, 5);
}

/* A lost group is held no longer once its place is given up. */
TEST_F(test_held_of_lost) {
  put_now(0, 4, 2);
  fail_beats = 1;
  while (!out.mem.valid || out.mem.req.write) cycle();
  idle(2);
  assert_int_equal(now - 1, last_beat_at);
  for (unsigned t = 0; t < 2; t++) {
    cycle();
    assert_int_equal(held(0, 4), 1);
  }
  assert_int_equal(arch()->outs || arch()->out[3], 0);
  cycle();
  assert_int_equal(held(0, 4), 0);
}

/* Waits for the last beat of the next read, and lets its first beat fail. */
static void fail_a_read(void) {
  fail_beats = 1;
  do cycle();
  while (!in.mem.r_valid || !in.mem.r.last);
}

/* A write that failed closes the block as soon as its answer is counted; a read that failed two cycles after its last
 * beat. */
TEST_F(test_closed) {
  close_all();
  fail_writes = 1;
  put(0, 1, 1);
  while (!hd_memring_failing(&m->memring)) {
    cycle();
    assert_true(any_room());
  }
  cycle();
  assert_false(any_room());
  assert_int_equal(arch()->closed, 1);
  expect_nothing();
  assert_int_equal(losses, 0);
  open_all();
  expect_losses(1);
  put_now(0, 1, 2);
  fail_a_read();
  assert_true(any_room());
  cycle();
  assert_true(any_room());
  cycle();
  assert_false(any_room());
  expect_losses(2);
}

/* A group that saw room before the block was closed is put, returns, and delays the report. */
TEST_F(test_put_while_closed) {
  put_now(0, 1, 1);
  fail_a_read();
  cycle();
  assert_true(room(1, 2));
  put_now(1, 2, 4);
  assert_int_equal(arch()->closed, 1);
  expect(1, 2, 4);
  assert_int_equal(losses, 0);
  expect_losses(1);
  assert_int_equal(loss[0].kdei, kernel_of(1));
  assert_int_equal(loss[0].at, back_at + 2);
}

/* Losses of several kernels: the lowest kernel first, one report per cycle and group. */
TEST_F(test_several_kernels) {
  static const unsigned kernel[] = {9, 31, 9, 4, 9, 31, 4, 4, 31, 12}, want[] = {4, 9, 31, 31};
  start_as(ut_cfg("k20c"));
  close_all();
  port.holds_answers = 1;
  for (unsigned n = 0; n < 10; n++) put(n % 3, 1 + n % 2, kernel[n] + 32 * n);
  while (m->puts) cycle();
  fail_writes = 1u << 1 | 1u << 4 | 1u << 7 | 1u << 8;
  port.holds_answers = 0;
  written();
  open_all();
  expect_losses(4);
  assert_int_equal(gots, 6);
  for (unsigned n = 0; n < 6; n++) {
    static const unsigned good[] = {0, 2, 3, 5, 6, 9};
    bool found = false;
    for (unsigned k = 0; k < 6; k++) found |= got[n].name == kernel[good[k]] + 32 * good[k];
    assert_true(found);
  }
  for (unsigned k = 0; k < 4; k++) {
    assert_int_equal(loss[k].kdei, want[k]);
    assert_int_equal(loss[k].at, loss[0].at + k);
  }
}

/* Everything is lost, by writes and by reads. */
TEST_F(test_all_lost) {
  close_all();
  port.holds_answers = 1;
  for (unsigned n = 0; n < 3; n++) put(n % 2, 1 + n, n);
  while (m->puts) cycle();
  fail_writes = 7;
  port.holds_answers = 0;
  written();
  open_all();
  expect_losses(3);
  assert_int_equal(gots, 0);
  for (unsigned n = 0; n < 3; n++) assert_int_equal(loss[n].kdei, n == 2);
  for (unsigned n = 0; n < 6; n++) {
    put_now(1, 1, n);
    fail_a_read();
    expect_losses(4 + n);
    assert_int_equal(loss[3 + n].kdei, kernel_of(n));
  }
}

TEST_MAIN("spill_lost", NULL, NULL)
