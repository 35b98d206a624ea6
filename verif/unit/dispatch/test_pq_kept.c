/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* A bank of priority queues: places kept for entries that return from memory. */
#include "unit/dispatch/pq_fixture.h"

/* Eight places; a reserve keeps four of them. */
static int eight(void **state) {
  setup(state);
  start(8, 4);
  return 0;
}

static void room_is(unsigned room, unsigned kept) {
  assert_int_equal(out.room, room);
  assert_int_equal(out.push_ready, room > 0);
  assert_int_equal(hd_pq_room(m), room);
  assert_int_equal(arch()->kept, kept);
}

/* The entry uses a kept place. */
static void push_kept(unsigned name, unsigned level, unsigned ctas) {
  in.push_kept = 1;
  push(name, level, ctas);
}

static void reserve(void) {
  in.reserve = 1;
  cycle();
}

static void release(unsigned n) {
  in.release = (uint8_t)n;
  cycle();
}

/* A reserve keeps a line of places from the next cycle on; a release gives up some or all of them. */
TEST_WITH(test_reserve_and_release, eight, teardown) {
  start(128, 4);
  in.reserve = 1;
  hd_pq_eval(m, &in, &out);
  room_is(7, 0);
  cycle();
  room_is(7, 4);
  start(8, 4);
  reserve();
  room_is(4, 4);
  reserve();
  room_is(0, 8);
  release(3);
  room_is(3, 5);
  release(5);
  room_is(7, 0);
}

/* Only an entry that uses a kept place enters while all free ones are kept; the place is then used, not kept. */
TEST_WITH(test_push_of_a_full_bank, eight, teardown) {
  for (unsigned i = 0; i < 4; i++) push(i, 1, 1);
  reserve();
  room_is(0, 4);
  push(9, 1, 1);
  room_is(0, 4);
  assert_int_equal(arch()->level_count[0], 4);
  push_kept(4, 2, 1);
  room_is(0, 3);
  expect(4, 0);
  for (unsigned i = 5; i < 8; i++) push_kept(i, 1, 1);
  room_is(0, 0);
  push(9, 1, 1);
  DRAINS(8, 4, 0, 1, 2, 3, 5, 6, 7);
}

/* An entry that uses no kept place leaves them, and one that uses one leaves the others. */
TEST_WITH(test_pushes_of_both_kinds, eight, teardown) {
  reserve();
  push(0, 1, 1);
  room_is(3, 4);
  push_kept(1, 1, 1);
  room_is(3, 3);
  for (unsigned i = 2; i < 5; i++) push(i, 1, 1);
  room_is(0, 3);
  take();
  room_is(1, 3); /* an entry that leaves does not restore a kept place */
  DRAINS(4, 1, 2, 3, 4);
  room_is(5, 3);
}

/* Every entry is stored in the lowest free place. */
TEST_WITH(test_places_of_kept, eight, teardown) {
  reserve();
  push_kept(0, 1, 1);
  push(1, 1, 1);
  push_kept(2, 1, 1);
  for (unsigned i = 0; i < 3; i++) assert_int_equal(arch()->row[i].arrival, i);
}

/* Reserve, release, push and take in one cycle. */
TEST_WITH(test_all_at_once, eight, teardown) {
  for (unsigned i = 0; i < 2; i++) push(i, 1, 1);
  reserve();
  room_is(2, 4);
  in.push_kept = 1;
  in.release = 3;
  push_and_take(2, 3, 1);
  room_is(6, 0);
  expect(2, 0);
  reserve();
  room_is(2, 4);
  in.release = 2;
  in.take = 1;
  push(3, 1, 1);
  room_is(4, 2);
  in.reserve = 1;
  in.release = 1;
  in.push_kept = 1;
  push_and_take(4, 1, 1); /* 1 leaves, 3 stays */
  room_is(2, 4);
  assert_int_equal(arch()->level_count[0], 2);
  DRAINS(2, 3, 4);
}

/* A reserve of the last places, as an entry takes the one beside them. */
TEST_WITH(test_reserve_of_the_last, eight, teardown) {
  for (unsigned i = 0; i < 3; i++) push(i, 1, 1);
  room_is(5, 0);
  in.reserve = 1;
  push(3, 1, 1);
  room_is(0, 4);
  in.release = 4;
  push_and_take(4, 1, 1); /* refused: what is released counts in the next cycle */
  room_is(5, 0);
  DRAINS(3, 1, 2, 3);
}

/* The size of a line follows from PqDepth and SpillFlight. */
TEST_WITH(test_lines, eight, teardown) {
  static const struct { unsigned depth, line; } cases[] = {{2, 1}, {3, 1}, {4, 2}, {7, 2}, {8, 4}, {128, 4}};
  for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
    start(cases[k].depth, 4);
    reserve();
    assert_int_equal(arch()->kept, cases[k].line);
    assert_int_equal(cfg.spill_line, cases[k].line);
  }
}

/* As many entries in and out as without kept places. */
TEST_WITH(test_rates_of_kept, eight, teardown) {
  for (unsigned i = 0; i < 3; i++) push(i, 1, 1);
  reserve();
  for (unsigned i = 3; i < 300; i++) {
    if (arch()->kept == 0) in.reserve = 1;
    in.push_kept = arch()->kept > 0;
    expect(i - 3, 0);
    push_and_take(i, 1, 1);
  }
}

/* A reset keeps no place. */
TEST_WITH(test_reset_of_kept, eight, teardown) {
  reserve();
  hd_pq_reset(m);
  hd_pq_eval(m, &in, &out);
  room_is(7, 0);
}

TEST_MAIN("pq_kept", NULL, NULL)
