/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The FCFS controller: the order in which kernels were marked. */
#include "fcfs.h"
#include "util.h"

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
  struct hd_fcfs_in in = {.unmark = unmark};
  if (enter >= 0) in = (struct hd_fcfs_in){1, 1, (uint8_t)enter, unmark};
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
  assert_int_equal(out.head_valid, head >= 0);
  assert_int_equal(out.head_kdei, head >= 0 ? head : 0);
  assert_int_equal(out.next_valid, next >= 0);
  assert_int_equal(out.next_kdei, next >= 0 ? next : 0);
}

/* After reset no kernel is marked. */
static void test_empty_after_reset(void **state) {
  (void)state;
  expect(-1, -1);
  struct hd_fcfs_out out = look();
  for (unsigned i = 0; i < cfg.num_kde; i++) assert_int_equal(out.marked[i], 0);
}

/* The order is that of arrival, not of the entries' numbers. */
static void test_oldest_first(void **state) {
  (void)state;
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

/* A kernel that is offered but not taken by the KD is not marked. */
static void test_needs_valid_and_ready(void **state) {
  (void)state;
  struct hd_fcfs_in in = {.enter_valid = 1, .enter_kdei = 3};
  hd_fcfs_tick(m, &in);
  expect(-1, -1);
  in = (struct hd_fcfs_in){.enter_ready = 1, .enter_kdei = 3};
  hd_fcfs_tick(m, &in);
  expect(-1, -1);
}

/* One leaves and one comes in the same cycle: both happen, also when only one was there. */
static void test_unmark_and_enter_at_once(void **state) {
  (void)state;
  cycle(5, false);
  cycle(6, true);
  expect(6, -1);
  cycle(7, false);
  cycle(5, true);
  expect(7, 5);
}

/* The marked set follows the queue. */
static void test_marked_set(void **state) {
  (void)state;
  cycle(31, false);
  cycle(0, false);
  cycle(-1, true);
  struct hd_fcfs_out out = look();
  for (unsigned i = 0; i < cfg.num_kde; i++) assert_int_equal(out.marked[i], i == 0);
}

/* All entries marked at once: none is forgotten, and they leave in order. */
static void test_full(void **state) {
  (void)state;
  for (unsigned i = 0; i < cfg.num_kde; i++) cycle((int)(i * 7 % cfg.num_kde), false);
  struct hd_fcfs_out out = look();
  for (unsigned i = 0; i < cfg.num_kde; i++) assert_int_equal(out.marked[i], 1);
  for (unsigned i = 0; i < cfg.num_kde; i++) {
    assert_int_equal(look().head_kdei, i * 7 % cfg.num_kde);
    cycle(-1, true);
  }
  expect(-1, -1);
}

/* The architectural order is packed: positions from count on are 0. */
static void test_arch_is_packed(void **state) {
  (void)state;
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

/* The state depends on what is queued alone: emptied again it is that of reset, byte for byte. */
static void test_state_is_canonical(void **state) {
  (void)state;
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

/* Random marks and unmarks against a list of arrival numbers. */
static void test_against_arrival_numbers(void **state) {
  (void)state;
  uint64_t seed = 7;
  unsigned arrived[32] = {0}, now = 1; /* 0: not marked */
  for (int t = 0; t < 20000; t++) {
    int oldest = -1;
    for (int i = 0; i < 32; i++) {
      if (arrived[i] && (oldest < 0 || arrived[i] < arrived[oldest])) oldest = i;
    }
    struct hd_fcfs_out out = look();
    assert_int_equal(out.head_valid, oldest >= 0);
    if (oldest >= 0) assert_int_equal(out.head_kdei, oldest);
    bool unmark = oldest >= 0 && ut_below(&seed, 2);
    int enter = (int)ut_below(&seed, 32);
    if (arrived[enter]) enter = -1;
    cycle(enter, unmark);
    if (unmark) arrived[oldest] = 0;
    if (enter >= 0) arrived[enter] = now++;
  }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_empty_after_reset),        TEST(test_oldest_first),       TEST(test_needs_valid_and_ready),
      TEST(test_unmark_and_enter_at_once), TEST(test_marked_set),         TEST(test_full),
      TEST(test_arch_is_packed),           TEST(test_state_is_canonical), TEST(test_against_arrival_numbers),
  };
  return cmocka_run_group_tests_name("fcfs", tests, NULL, NULL);
}
