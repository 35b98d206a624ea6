/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The FCFS controller: the order in which kernels were marked. */
#include "host/fcfs.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static struct hd_fcfs *m;

static int setup(void **state) {
  (void)state;
  cfg = ut_cfg("k20c");
  m = ut_new(hd_fcfs_size(&cfg));
  hd_fcfs_init(m, &cfg);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

/* One cycle: `enter` is marked unless it is -1, the oldest leaves if `unmark`. */
static void cycle(int enter, bool unmark) {
  struct hd_fcfs_in in = {.sched_unmark = unmark};
  if (enter >= 0) {
    in.kd_entry.valid = in.laperm_enter.mark = 1;
    in.kd_entry.kdei = (uint8_t)enter;
  }
  hd_fcfs_tick(m, &in);
}

/* One cycle in which a group is linked to `kdei`. */
static void mark(unsigned kdei, bool unmark, bool rotate) {
  const struct hd_fcfs_in in = {
      .sched_unmark = unmark, .sched_rotate = rotate, .link_link.valid = 1, .link_link.kdei = (uint8_t)kdei};
  hd_fcfs_tick(m, &in);
}

static void rotate(void) {
  const struct hd_fcfs_in in = {.sched_rotate = 1};
  hd_fcfs_tick(m, &in);
}

static struct hd_fcfs_out look(void) {
  const struct hd_fcfs_in in = {0};
  struct hd_fcfs_out out;
  hd_fcfs_eval(m, &in, &out);
  return out;
}

/* Expects these two at the head; -1: none there. */
static void expect(int head, int next) {
  struct hd_fcfs_out out = look();
  assert_int_equal(out.head.valid, head >= 0);
  assert_int_equal(out.head.kdei, head >= 0 ? head : 0);
  assert_int_equal(out.next.valid, next >= 0);
  assert_int_equal(out.next.kdei, next >= 0 ? next : 0);
}

/* After reset no kernel is marked. */
TEST_F(test_empty_after_reset) {
  expect(-1, -1);
  struct hd_fcfs_out out = look();
  for (unsigned i = 0; i < cfg.num_kde; i++) assert_int_equal(out.marked[i], 0);
}

/* The order is that of arrival, not of the entries' numbers. */
TEST_F(test_oldest_first) {
  cycle(9, false);
  expect(9, -1);
  cycle(2, false);
  cycle(30, false);
  expect(9, 2);
  cycle(-1, true);
  expect(2, 30);
  cycle(-1, true);
  expect(30, -1);
  cycle(-1, true);
  expect(-1, -1);
}

/* A kernel is marked if it enters the KD and is to be marked. */
TEST_F(test_needs_entry_and_mark) {
  struct hd_fcfs_in in = {.kd_entry.valid = 1, .kd_entry.kdei = 3};
  hd_fcfs_tick(m, &in);
  expect(-1, -1);
  in = (struct hd_fcfs_in){.laperm_enter.mark = 1, .kd_entry.kdei = 3};
  hd_fcfs_tick(m, &in);
  expect(-1, -1);
}

/* One leaves and one comes in the same cycle: both happen, also when only one was there. */
TEST_F(test_unmark_and_enter_at_once) {
  cycle(5, false);
  cycle(6, true);
  expect(6, -1);
  cycle(7, false);
  cycle(5, true);
  expect(7, 5);
}

/* A group marks its kernel again, as the youngest; a kernel that is marked keeps its place. */
TEST_F(test_mark_joins_once) {
  cycle(5, false);
  mark(6, false, false);
  expect(5, 6);
  mark(5, false, false);
  mark(6, false, false);
  expect(5, 6);
  cycle(-1, true);
  expect(6, -1);
  mark(5, false, false);
  expect(6, 5);
}

/* The oldest is unmarked and a group is linked to it in one cycle: it joins again, behind the others. */
TEST_F(test_mark_of_the_unmarked) {
  cycle(5, false);
  cycle(6, false);
  mark(5, true, false);
  expect(6, 5);
  cycle(-1, true);
  mark(5, true, false);
  expect(5, -1);
}

/* The oldest becomes the youngest; if it is the only one, nothing changes. */
TEST_F(test_rotate) {
  cycle(1, false);
  rotate();
  expect(1, -1);
  cycle(2, false);
  cycle(3, false);
  rotate();
  expect(2, 3);
  rotate();
  expect(3, 1);
  struct hd_fcfs_out out = look();
  for (unsigned i = 0; i < cfg.num_kde; i++) assert_int_equal(out.marked[i], i >= 1 && i <= 3);
}

/* All in one cycle: first the oldest moves, then the kernel of the group joins, then the one that enters. */
TEST_F(test_order_within_a_cycle) {
  cycle(1, false);
  cycle(2, false);
  struct hd_fcfs_in in = {
      .kd_entry.valid = 1, .laperm_enter.mark = 1, .kd_entry.kdei = 3, .link_link.valid = 1, .link_link.kdei = 4};
  in.sched_rotate = 1;
  hd_fcfs_tick(m, &in); /* 2 1 4 3 */
  expect(2, 1);
  cycle(-1, true);
  expect(1, 4);
  in.sched_rotate = 0;
  in.sched_unmark = 1;
  in.kd_entry.kdei = 5;
  in.link_link.kdei = 1;
  hd_fcfs_tick(m, &in); /* 4 3 1 5 */
  expect(4, 3);
  cycle(-1, true);
  expect(3, 1);
  cycle(-1, true);
  expect(1, 5);
}

/* The marked set follows the queue. */
TEST_F(test_marked_set) {
  cycle(31, false);
  cycle(0, false);
  cycle(-1, true);
  struct hd_fcfs_out out = look();
  for (unsigned i = 0; i < cfg.num_kde; i++) assert_int_equal(out.marked[i], i == 0);
}

/* All entries marked at once: none is forgotten, and they leave in order. */
TEST_F(test_full) {
  for (unsigned i = 0; i < cfg.num_kde; i++) cycle((int)(i * 7 % cfg.num_kde), false);
  struct hd_fcfs_out out = look();
  for (unsigned i = 0; i < cfg.num_kde; i++) assert_int_equal(out.marked[i], 1);
  for (unsigned i = 0; i < cfg.num_kde; i++) {
    assert_int_equal(look().head.kdei, i * 7 % cfg.num_kde);
    cycle(-1, true);
  }
  expect(-1, -1);
}

/* The architectural order is packed: positions from count on are 0. */
TEST_F(test_arch_is_packed) {
  struct hd_fcfs_arch a;
  cycle(8, false);
  cycle(9, false);
  cycle(10, true);
  hd_fcfs_arch(m, &a, true);
  assert_int_equal(a.count, 2);
  assert_int_equal(a.order[0], 9);
  assert_int_equal(a.order[1], 10);
  for (unsigned i = 2; i < cfg.num_kde; i++) assert_int_equal(a.order[i], 0);
}

/* The state depends only on the queued kernels: emptied, it equals the reset state byte for byte. */
TEST_F(test_state_is_canonical) {
  struct hd_fcfs *fresh = ut_new(hd_fcfs_size(&cfg));
  hd_fcfs_init(fresh, &cfg);
  cycle(3, false);
  cycle(4, true);
  assert_memory_not_equal(m, fresh, hd_fcfs_size(&cfg));
  cycle(-1, true);
  assert_memory_equal(m, fresh, hd_fcfs_size(&cfg));
  cycle(3, false);
  hd_fcfs_reset(m);
  assert_memory_equal(m, fresh, hd_fcfs_size(&cfg));
  free(fresh);
}

/* Random moves against a list of arrival numbers. */
TEST_F(test_against_arrival_numbers) {
  uint64_t seed = 7;
  unsigned arrived[32] = {0}, now = 1; /* 0: not marked */
  for (int t = 0; t < 20000; t++) {
    int oldest = -1;
    for (int i = 0; i < 32; i++) {
      if (arrived[i] && (oldest < 0 || arrived[i] < arrived[oldest])) oldest = i;
    }
    struct hd_fcfs_out out = look();
    assert_int_equal(out.head.valid, oldest >= 0);
    if (oldest >= 0) assert_int_equal(out.head.kdei, oldest);
    bool unmark = oldest >= 0 && ut_below(&seed, 2), turn = oldest >= 0 && !unmark && ut_below(&seed, 2);
    int enter = (int)ut_below(&seed, 32), group = (int)ut_below(&seed, 40);
    if (arrived[enter]) enter = -1;
    if (group == enter || group >= 32) group = -1;
    struct hd_fcfs_in in = {
        .sched_unmark = unmark, .sched_rotate = turn, .link_link.valid = group >= 0, .kd_entry.valid = enter >= 0};
    in.laperm_enter.mark = 1;
    in.kd_entry.kdei = (uint8_t)enter;
    in.link_link.kdei = (uint8_t)group;
    hd_fcfs_tick(m, &in);
    if (unmark) arrived[oldest] = 0;
    if (turn) arrived[oldest] = now++;
    if (group >= 0 && !arrived[group]) arrived[group] = now++;
    if (enter >= 0) arrived[enter] = now++;
  }
}

TEST_MAIN("fcfs", NULL, NULL)
