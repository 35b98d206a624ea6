/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* A bank of priority queues: full banks, places, sizes, rates. */
#include "unit/dispatch/pq_fixture.h"

/* A full bank refuses; an entry that leaves makes room from the next cycle on. */
TEST_F(test_full) {
  for (unsigned i = 0; i < 128; i++) {
    assert_int_equal(out.push_ready || !i, 1);
    push(i, 1 + i % 4, 1);
  }
  assert_int_equal(out.push_ready, 0);
  assert_int_equal(out.room, 0);
  push(200, 4, 1);
  expect(3, 0);
  push_and_take(201, 4, 1); /* refused, though one leaves */
  assert_int_equal(out.push_ready, 1);
  assert_int_equal(out.room, 1);
  take();
  assert_int_equal(out.room, 2);
  take();
  assert_int_equal(out.room, 3);
  push(203, 4, 1);
  assert_int_equal(out.room, 2);
  push(202, 4, 1);
  assert_int_equal(out.push_ready, 1);
  assert_int_equal(out.room, 1);
  for (unsigned i = 0; i < 30; i++) take();
  assert_int_equal(out.room, 7);
  expect(202, 0);
  assert_int_equal(arch()->level_count[3], 1);
}

/* The lowest place that was free when the cycle began. */
TEST_F(test_places) {
  start(6, 4);
  for (unsigned i = 0; i < 4; i++) push(i, 1 + i, 1); /* places 0 to 3 */
  push_and_take(9, 1, 1);                             /* 3 leaves place 3; 9 goes to 4 */
  assert_int_equal(arch()->row[4].arrival, 9);
  push_and_take(8, 1, 1); /* 2 leaves place 2; 8 goes to 3 */
  assert_int_equal(arch()->row[3].arrival, 8);
  push(7, 4, 1);
  assert_int_equal(arch()->row[2].arrival, 7);
  for (unsigned i = 0; i < 6; i++) assert_int_equal(arch()->used[i] && arch()->row_valid[i], i < 5);
  DRAINS(5, 7, 1, 0, 9, 8);
  for (unsigned i = 0; i < 6; i++) assert_int_equal(arch()->used[i] || arch()->row_valid[i], 0);
}

/* One level, two places: a queue of two. */
TEST_F(test_smallest) {
  start(2, 1);
  push(1, 1, 2);
  push(2, 1, 1);
  assert_int_equal(out.push_ready, 0);
  take();
  expect(1, 1);
  push_and_take(3, 1, 1);
  expect(2, 0);
  push_and_take(4, 1, 1);
  assert_int_equal(out.push_ready, 1);
  DRAINS(1, 4);
}

/* Sixteen levels: each push is in front in the next cycle, and all come back. */
TEST_F(test_sixteen_levels) {
  start(128, 16);
  for (unsigned l = 1; l <= 16; l++) {
    push(l, l, 2);
    expect(l, 0);
    assert_int_equal(hd_pq_level(m), l);
    take();
  }
  for (unsigned l = 16; l >= 1; l--) {
    assert_int_equal(arch()->level_count[l - 1], 1);
    expect(l, 1);
    take();
  }
  assert_int_equal(out.front_valid, 0);
}

/* As many cycles as entries to fill the bank, as many to empty it, and one entry in and one out in each between. */
TEST_F(test_rates) {
  unsigned taken = 0;
  for (unsigned i = 0; i < 128; i++) push(i, 1 + i % 4, 1);
  assert_int_equal(out.push_ready, 0);
  take();
  for (unsigned i = 0; i < 300; i++) {
    assert_int_equal(out.push_ready && out.front_valid, 1);
    push_and_take(128 + i, 1 + i % 4, 1);
  }
  for (; out.front_valid; taken++) take();
  assert_int_equal(taken, 127);
}

TEST_MAIN("pq_sizes", NULL, NULL)
