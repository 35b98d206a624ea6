/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* A bank of priority queues: order, next TB, need, overtaking, push and take in the same cycle. */
#include "unit/dispatch/pq_fixture.h"

/* After reset: empty, room, nothing shown. */
TEST_F(test_empty_after_reset) {
  static const struct hd_pq_out want = {.push_ready = 1, .room = 7};
  static const struct hd_pq_arch none;
  hd_pq_eval(m, &in, &out);
  assert_memory_equal(&out, &want, sizeof out);
  assert_memory_equal(arch()->used, none.used, sizeof none.used);
  assert_memory_equal(arch()->level_count, none.level_count, sizeof none.level_count);
  assert_false(hd_pq_any(m));
  assert_int_equal(hd_pq_room(m), 7);
  assert_int_equal(arch()->kept, 0);
  assert_int_equal(hd_pq_level(m), 0);
}

/* An entry is the head in the cycle after its push, unchanged, and hands out TBs 0, 1, .. once each. */
TEST_F(test_one_entry) {
  offer(9, 2, 3);
  struct hd_pqentry e = in.push;
  cycle();
  assert_memory_equal(&out.front, &e, sizeof e);
  for (unsigned tb = 0; tb < 3; tb++) {
    expect(9, tb);
    cycle(); /* without a take it stays */
    expect(9, tb);
    take();
  }
  static const struct hd_pq_out none = {.push_ready = 1, .room = 7};
  assert_memory_equal(&out, &none, sizeof out);
}

/* An entry begins with the TB with which it was pushed; overtaken, it continues after the TBs that it has handed
   out. */
TEST_F(test_next_tb_of_a_push) {
  offer(1, 2, 6);
  in.push_nextbl = 3;
  cycle();
  expect(1, 3);
  take();
  push(2, 3, 1);
  expect(2, 0);
  take();
  expect(1, 4);
  take();
  expect(1, 5);
  take();
  assert_int_equal(out.front_valid, 0);
}

/* An entry is pushed with only its last TB left: it leaves with the first take. */
TEST_F(test_only_the_last_tb) {
  offer(1, 2, 6);
  in.push_nextbl = 5;
  cycle();
  assert_int_equal(out.front_last, 1);
  push_and_take(2, 2, 1);
  expect(2, 0);
}

/* The need of the head is that of its kernel, which may be known only from the cycle after the push on. */
TEST_F(test_need) {
  in.need[5].warps = 99; /* of a kernel that was there before */
  push(5, 1, 2);
  assert_int_equal(out.front_need.warps, 6);
  push(7, 2, 1);
  assert_int_equal(out.front_need.warps, 8);
  assert_int_equal(out.front_need.smem, 14);
  take();
  assert_int_equal(out.front_need.warps, 6);
  take();
  take();
  assert_int_equal(out.front_need.warps || out.front_need.regs, 0);
}

/* Within a level in the order of arrival, with room for a take between the pushes. */
TEST_F(test_first_in_first_out) {
  for (unsigned i = 0; i < 4; i++) push(i, 3, 2);
  take();
  take();
  for (unsigned i = 4; i < 8; i++) push(i, 3, 1);
  expect(1, 0);
  DRAINS(10, 1, 2, 3, 4, 5, 6, 7);
}

/* Higher levels first, in any order of pushes. */
TEST_F(test_levels) {
  static const unsigned level[8] = {2, 1, 4, 3, 1, 4, 2, 3};
  for (unsigned i = 0; i < 8; i++) push(i, level[i], 1 + i % 2);
  for (unsigned l = 0; l < 4; l++) assert_int_equal(arch()->level_count[l], 2);
  DRAINS(12, 2, 5, 3, 7, 0, 6, 1, 4);
}

/* An entry that is overtaken in the middle resumes where it stopped, and so does a second one. */
TEST_F(test_overtaken) {
  push(1, 1, 5);
  take();
  take();
  push(2, 2, 3);
  expect(2, 0);
  take();
  push(3, 4, 1);
  expect(3, 0);
  take();
  expect(2, 1);
  take();
  take();
  expect(1, 2);
  DRAINS(3, 1);
}

/* A TB is handed out in the cycle in which the entry is overtaken: it counts. */
TEST_F(test_overtaken_in_a_take) {
  push(1, 1, 3);
  push_and_take(2, 2, 2);
  expect(2, 0);
  push_and_take(3, 3, 1);
  expect(3, 0);
  take();
  expect(2, 1);
  take();
  expect(1, 1);
  DRAINS(2, 1);
}

/* The entry behind the front is overtaken by one that stays behind the front. */
TEST_F(test_second_overtaken) {
  push(1, 4, 2);
  push(2, 1, 1);
  push(3, 3, 1);
  expect(1, 0);
  push_and_take(4, 4, 1);
  expect(1, 1);
  push(5, 2, 1);
  DRAINS(5, 1, 4, 3, 5, 2);
}

/* The last TB is handed out while an entry arrives: below, at and above the level of the next entry, and of the leaving
   one. */
TEST_F(test_push_with_the_last) {
  for (unsigned level = 1; level <= 4; level++) {
    push(1, 3, 1);
    push(2, 2, 1);
    push(3, 2, 1);
    push_and_take(4, level, 1);
    if (level > 2)
      DRAINS(3, 4, 2, 3);
    else
      DRAINS(3, 2, 3, 4);
  }
}

/* The only entry: it leaves while another comes, of any level; it stays while another comes. */
TEST_F(test_push_and_take_of_one) {
  push(0, 2, 1);
  for (unsigned i = 1; i < 30; i++) {
    push_and_take(i, 1 + i % 4, 1);
    expect(i, 0);
    assert_int_equal(arch()->level_count[i % 4], 1);
  }
  take();
  push(1, 2, 2);
  push_and_take(2, 2, 1);
  expect(1, 1);
  DRAINS(2, 1, 2);
}

/* Every pair of levels, in the same cycle as the first TB of two: the list is the same as for separate cycles. */
TEST_F(test_push_and_take_of_all_levels) {
  for (unsigned front = 1; front <= 4; front++) {
    for (unsigned level = 1; level <= 4; level++) {
      push(1, front, 2);
      push_and_take(2, level, 1);
      if (level > front)
        DRAINS(2, 2, 1);
      else
        DRAINS(2, 1, 2);
    }
  }
}

/* For models composed of blocks: the accessors return the outputs, and a step is a clock edge. */
TEST_F(test_accessors) {
  push(1, 2, 2);
  offer(2, 3, 4);
  hd_pq_step(m, &in.push, 1, false, true);
  in.need[2] = in.push_need;
  in.push_valid = 0;
  cycle();
  expect(2, 1);
  assert_int_equal(hd_pq_room(m), 7);
  assert_true(hd_pq_any(m));
  assert_int_equal(hd_pq_level(m), 3);
  hd_pq_step(m, NULL, 0, false, true);
  assert_memory_equal(hd_pq_front(m), &out.front, sizeof out.front);
  assert_int_equal(hd_pq_nextbl(m), 2);
  assert_false(hd_pq_last(m));
}

/* .. and so are a step and the places kept after it. */
TEST_F(test_accessors_of_kept_places) {
  start(8, 4);
  hd_pq_keep(m, true, 0);
  assert_int_equal(hd_pq_room(m), 4);
  offer(1, 2, 1);
  hd_pq_step(m, &in.push, 0, true, false);
  hd_pq_keep(m, false, 1);
  assert_int_equal(hd_pq_room(m), 5);
  assert_int_equal(arch()->kept, 2);
  hd_pq_keep(m, false, 0);
  assert_int_equal(arch()->kept, 2);
}

/* The state depends only on the waiting entries (apart from the record of the row written last): emptied, or reset in
 * the middle, it equals a new bank byte for byte. */
TEST_F(test_state_is_canonical) {
  struct hd_pq *fresh = ut_new(hd_pq_size(&cfg));
  hd_pq_init(fresh, &cfg);
  for (unsigned i = 0; i < 20; i++) push(i, 1 + i % 3, 1 + i % 2);
  assert_memory_not_equal(m, fresh, hd_pq_size(&cfg));
  while (out.front_valid) take();
  memset(m->wrote, 0, sizeof m->wrote);
  assert_memory_equal(m, fresh, hd_pq_size(&cfg));
  for (unsigned i = 0; i < 20; i++) push_and_take(i, 1 + i % 3, 3);
  in.reserve = 1;
  cycle();
  hd_pq_reset(m);
  assert_memory_equal(m, fresh, hd_pq_size(&cfg));
  free(fresh);
}

TEST_MAIN("pq", NULL, NULL)
