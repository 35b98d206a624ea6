/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Lists of overflowed groups: kernels that are suspended and resumed with their lists; full lists. */
#include "unit/launch/ovfq_fixture.h"

TEST_F(test_suspended_kernel) {
  in.kd_kin[0] = 3;
  put_records(0, 10, 3);
  settle();
  take(0);
  cycle();
  watch_taken();
  assert_int_equal(out.there[0] || out.one[0], 0);
  settle();
  struct hd_ovfq_arch *a = arch();
  assert_int_equal(a->list[0], cfg.num_kde + 3);
  assert_int_equal(a->given[3] && a->kin_row_valid[3] && a->kin_row[3] == 0, 1);
  assert_int_equal(a->kin_row_valid[2], 0);
  enter(0);
  idle(1);
  put_records(0, 20, 2);
  settle();
  assert_int_equal(stored(cfg.num_kde + 3, 0), 20);
  assert_int_equal(stored(0, 0), 10);
  resume(1, 3);
  settle();
  assert_int_equal(arch()->list[1], 0);
  assert_int_equal(arch()->kin_row[3], 1);
  assert_int_equal(arch()->first[1] == away.first && out.there[1], 1);
  current(1);
  drain(1);
  current(0);
  drain(0);
}

/* One after the other: each gets its own list back, in any entry. */
TEST_F(test_same_parent_record) {
  for (unsigned n = 0; n < 12; n++) {
    unsigned from = n % 2, to = n / 2 % 2;
    in.kd_kin[from] = 5;
    current(from);
    settle();
    put_records(from, n, 5);
    while (list[from].first + 2 != list[from].n) cycle();
    no_current();
    settle();
    take(from);
    cycle();
    watch_taken();
    idle(14);
    resume(to, 5);
    current(to); /* before its list is there */
    idle(4);
    put_records(to, 40 + n, 3);
    drain(to);
    no_current();
    settle();
  }
  struct hd_ovfq_arch *a = arch();
  for (unsigned k = 0; k < cfg.num_kde; k++)
    for (unsigned j = 0; j < k; j++) assert_int_not_equal(a->list[j], a->list[k]);
}

/* A kernel is suspended in the cycle in which another is resumed; the leaving one goes first. */
TEST_F(test_take_and_resume) {
  in.kd_kin[0] = 3;
  in.kd_kin[1] = 6;
  put_records(0, 10, 7);
  put_records(1, 30, 4);
  settle();
  take(0);
  cycle();
  watch_taken();
  idle(20);
  struct hd_memlist first = away;
  resume(0, 3);
  drop(1);
  in.kd_take.valid = 1; /* of the other: its groups are 30 to 33 */
  in.kd_take.kdei = 1;
  cycle();
  assert_int_equal(arch()->out_pending && arch()->in_pending, 1);
  current(0);
  cycle();
  away = out.taken;
  assert_int_equal(away.count, 4);
  assert_int_equal(arch()->swap && !arch()->swap_in, 1);
  idle(2);
  assert_int_equal(arch()->swap && arch()->swap_in && !arch()->out_pending, 1);
  idle(1);
  assert_int_equal(arch()->list[0] == 0 && arch()->list[1] == cfg.num_kde + 6, 1);
  assert_int_equal(first.first, 0);
  drain(0);
  for (unsigned n = 0; n < 4; n++) away_word[n] = 30 + n;
  away_n = 4;
  resume(1, 6);
  current(1);
  idle(1);
  drain(1);
  assert_int_equal(arch()->list[1], 1);
}

/* A list of 64 places is full in the cycle in which the last of them is assigned, until the cycle after a group was
 * handed out; it is also full when its kernel is resumed. Other lists are not. */
TEST_F(test_full) {
  free(m);
  start_with(small(), 0); /* 64 places */
  for (unsigned n = 0; n < 64; n++) {
    assert_int_equal(out.full[0], 0);
    put(0, true, n % cfg.agt_size);
  }
  assert_int_equal(out.full[0], 1);
  settle();
  assert_int_equal(out.full[0] && !out.full[1], 1);
  take(0);
  cycle();
  watch_taken();
  assert_int_equal(out.full[0], 0);
  settle();
  resume(1, 0);
  cycle();
  assert_int_equal(out.full[1], 0);
  cycle();
  assert_int_equal(out.full[1], 1);
  current(1);
  while (!seen) cycle();
  assert_int_equal(out.full[1], 1); /* the cycle of the hand-out */
  cycle();
  assert_int_equal(out.full[1], 0);
  drain(1);
}

/* A failed kernel's list is not full. */
TEST_F(test_full_and_failed) {
  free(m);
  start_with(small(), 0);
  for (unsigned n = 0; n < 64; n++) put(0, true, 0);
  settle();
  in.fails[1].valid = 1;
  cycle();
  assert_int_equal(out.full[0], 1);
  cycle();
  assert_int_equal(out.full[0], 0);
}

TEST_MAIN("ovfq_suspend", NULL, NULL)
