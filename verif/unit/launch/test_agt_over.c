/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The Aggregated Group Table: overflowed groups behind the chain, change of kernel and failures at each place. */
#include "unit/launch/agt_fixture.h"

/* A record passes through: taken in t, offered unchanged in t + 1. */
TEST_F(test_record) {
  current(3);
  idle(2);
  offer(3, record(70000));
  check_pop(true);
  check_group(record(70000));
  assert_int_equal(out.group.kdei, 3);
  assert_int_equal(out.over_pop, 0);
  assert_int_equal(take(), 70000);
  assert_int_equal(take(), -1);
  check_cursor(HD_AGT_IDLE, 0);
}

/* One with an AGE is read from the table: taken in t, offered in t + 2 with the data of its launch; the cursor
   stays. */
TEST_F(test_age_from_memory) {
  current(3);
  launch_over(3, onchip(12));
  offer(3, onchip(12));
  check_pop(true);
  assert_int_equal(arch()->rd_valid, 1);
  check_cursor(HD_AGT_IDLE, 0);
  cycle();
  assert_int_equal(out.group.valid, 0);
  assert_int_equal(out.succ, 12);
  check_group(onchip(12));
  assert_int_equal(arch()->rd_valid, 0);
  assert_int_equal(take(), 12);
  assert_int_equal(take(), -1);
}

/* Behind a chain of two: the second is read in t, the cursor is at the tail in t + 1, the row is there; taken in t + 2.
 * No cycle is lost: one group in each. */
TEST_F(test_behind_the_chain) {
  launch(0, 1);
  launch(0, 2);
  current(0);
  offer(0, record(3));
  check_pop(false); /* change of kernel */
  check_pop(false); /* 1 is read */
  check_pop(false); /* t */
  check_cursor(HD_AGT_TAIL, 0);
  assert_int_equal(arch()->rd_valid, 1);
  in.sched_group_pop = 1;
  check_pop(false); /* t + 1 */
  assert_int_equal(out.group.group.self.index, 1);
  in.sched_group_pop = 1;
  check_pop(true);
  assert_int_equal(out.group.group.self.index, 2);
  check_group(record(3));
  check_cursor(HD_AGT_TAIL, 0);
}

/* The scheduler takes no group: the chain fills the queue of three, and the overflowed group waits for room. */
TEST_F(test_no_room) {
  for (unsigned k = 1; k <= 3; k++) launch(0, k);
  current(0);
  offer(0, record(4));
  for (unsigned t = 0; t < 10; t++) check_pop(false);
  assert_int_equal(arch()->gq_count, 3);
  check_cursor(HD_AGT_TAIL, 0);
  in.sched_group_pop = 1;
  check_pop(false); /* the queue is full at the start of the cycle */
  check_pop(true);
  assert_int_equal(arch()->gq_count, 3);
  for (int k = 2; k <= 4; k++) assert_int_equal(take(), k);
}

/* Records one per cycle; AGEs every other cycle, since the row of the one before must be queued first. */
TEST_F(test_rate) {
  current(0);
  idle(2);
  for (unsigned k = 0; k < 100; k++) {
    offer(0, record(k));
    in.sched_group_pop = k > 0;
    if (k) check_group(record(k - 1));
    check_pop(true);
  }
  assert_int_equal(take(), 99);
  for (unsigned k = 0; k < 100; k++) launch_over(0, onchip(k));
  for (unsigned k = 0; k < 100; k++) {
    offer(0, onchip(k));
    check_pop(true);
    in.sched_group_pop = k > 0;
    offer(0, onchip(k + 1));
    check_pop(false);
    check_group(onchip(k));
  }
}

/* Records and AGEs mixed, behind a chain: in order. */
TEST_F(test_mixed) {
  unsigned popped = 0;
  launch(0, 0);
  launch(0, 1);
  for (unsigned k = 2; k < 40; k++)
    if (k % 3) launch_over(0, onchip(k));
  current(0);
  for (unsigned t = 0, next = 2; popped < 40; t++) {
    assert_true(t < 200);
    if (next < 40 && !in.ovfq_over.valid && t % 7) offer(0, next % 3 ? onchip(next) : record(next));
    hd_agt_eval(m, &in, &out);
    in.sched_group_pop = out.group.valid && t % 4;
    if (in.sched_group_pop) check_group(popped < 2 || popped % 3 ? onchip(popped) : record(popped));
    popped += in.sched_group_pop;
    cycle();
    if (out.over_pop) next++, withdraw();
  }
  assert_int_equal(take(), -1);
}

/* Taken only if it is of the kernel of the walk, which must be in the SSCR, also in the previous cycle. */
TEST_F(test_of_this_kernel_only) {
  offer(2, record(5));
  idle(2);
  check_pop(false); /* no kernel */
  current(1);
  for (unsigned t = 0; t < 4; t++) check_pop(false);
  current(2);
  check_pop(false); /* change of kernel */
  current(-1);
  check_pop(false);
  current(2);
  check_pop(false);
  check_pop(true);
}

/* A chain that is not read yet comes first, also while the walk is idle. */
TEST_F(test_idle_with_a_chain) {
  launch(0, 1);
  struct hd_list l = list_d[0];
  memset(&list_d[0], 0, sizeof l);
  cycle();
  current(0);
  idle(2);
  list_d[0] = l; /* it is there again */
  cycle();
  check_cursor(HD_AGT_IDLE, 0);
  offer(0, record(2));
  check_pop(false);
  check_cursor(HD_AGT_AT, 1);
  for (unsigned t = 0; t < 2; t++) check_pop(false);
  check_pop(true);
  assert_int_equal(take(), 1);
  assert_int_equal(take(), 2);
}

/* The chain has been handed out while groups of memory are: the walk is idle then, and takes more. When all of these
 * are handed out a chain begins again. */
TEST_F(test_chain_again) {
  launch(0, 1);
  current(0);
  assert_int_equal(take(), 1);
  offer(0, record(2));
  check_pop(true);
  advance(0);
  idle(2);
  check_cursor(HD_AGT_IDLE, 0);
  assert_int_equal(take(), 2);
  offer(0, record(3));
  check_pop(true);
  assert_int_equal(take(), 3);
  launch(0, 4);
  launch(0, 5);
  assert_int_equal(take(), 4);
  assert_int_equal(take(), 5);
}

/* A group is linked to the chain in the cycle in which its last row is read: one of memory comes behind it. */
TEST_F(test_link_goes_first) {
  launch(0, 1);
  in.devq_group.info = info(2);
  current(0);
  cycle();
  link(0, 2);
  cycle();
  check_cursor(HD_AGT_AT, 2);
  offer(0, record(3));
  check_pop(false);
  check_cursor(HD_AGT_TAIL, 0);
  assert_int_equal(take(), 1);
  assert_int_equal(take(), 2);
  assert_int_equal(take(), 3);
}

/* ---- stops ---- */

enum where { AT, READ, TAIL, IDLE, RECORD_QUEUED, AGE_READ, AGE_QUEUED, PLACES };

/* Runs the walk of kernel 7, which has AGEs 20 and 21, or only groups in memory, up to this place. */
static void walk_to(enum where w) {
  bool chain = w == AT || w == READ || w == TAIL;
  hd_agt_reset(m);
  memset(list_d, 0, sizeof list_d);
  current(-1);
  withdraw();
  cycle();
  if (chain) launch(7, 20);
  if (chain) launch(7, 21);
  if (!chain) launch_over(7, onchip(22));
  current(7);
  idle(w == AT ? 1 : w == READ ? 2 : 5);
  if (w < RECORD_QUEUED) return;
  offer(7, w == RECORD_QUEUED ? record(23) : onchip(22));
  check_pop(true);
  if (w == AGE_QUEUED) cycle();
}

static void check_walked_to(enum where w) {
  static const struct {
    unsigned cursor, age, rd, n;
  } want[PLACES] = {{HD_AGT_AT, 20, 0, 0},  {HD_AGT_AT, 21, 1, 0},  {HD_AGT_TAIL, 0, 0, 2}, {HD_AGT_IDLE, 0, 0, 0},
                    {HD_AGT_IDLE, 0, 0, 1}, {HD_AGT_IDLE, 0, 1, 0}, {HD_AGT_IDLE, 0, 0, 1}};
  check_cursor(want[w].cursor, want[w].age);
  assert_int_equal(arch()->rd_valid, want[w].rd);
  assert_int_equal(arch()->gq_count, want[w].n);
}

static void check_nothing_ahead(void) {
  assert_int_equal(arch()->rd_valid, 0);
  assert_int_equal(arch()->gq_count, 0);
}

/* At each place of the walk another kernel takes over, with a chain, with groups in memory alone, or with none; on
 * return the walk begins again. In the cycle of the change no group is taken from memory. */
TEST_F(test_change_at_each_place) {
  for (unsigned w = 0; w < PLACES; w++)
    for (unsigned other = 0; other < 3; other++) {
      walk_to(w);
      if (other == 0) launch(8, 30); /* it joins; the walk continues for two cycles */
      if (other) check_walked_to(w);
      current(other == 2 ? -1 : 8);
      offer(7, record(40));
      check_pop(false);
      withdraw();
      check_nothing_ahead();
      check_cursor(other ? HD_AGT_IDLE : HD_AGT_AT, other ? 0 : 30);
      if (other == 0) assert_int_equal(take(), 30);
      if (other == 1) offer(8, record(31));
      if (other == 1) assert_int_equal(take(), 31);
      withdraw();
      current(7);
      cycle();
      if (w <= TAIL) assert_int_equal(take(), 20);
      if (w <= TAIL) assert_int_equal(take(), 21);
      offer(7, onchip(w > TAIL ? 22 : 20));
      assert_int_equal(take(), w > TAIL ? 22 : 20);
    }
}

/* At each place the kernel fails, by each of the three events: groups read ahead are dropped, and none is taken from
 * memory. Fail events of other kernels have no effect. */
TEST_F(test_fail_at_each_place) {
  for (unsigned w = 0; w < PLACES; w++)
    for (unsigned bus = 0; bus < HD_MAX_NUM_FAIL; bus++) {
      walk_to(w);
      in.fails[bus].valid = in.fails[(bus + 1) % HD_MAX_NUM_FAIL].valid = 1;
      in.fails[bus].kdei = 7;
      in.fails[(bus + 1) % HD_MAX_NUM_FAIL].kdei = 6;
      offer(7, record(40));
      memset(&list_d[7], 0, sizeof list_d[7]);
      check_pop(false);
      withdraw();
      check_nothing_ahead();
      check_cursor(HD_AGT_IDLE, 0);
      assert_int_equal(take(), -1);
    }
}

TEST_F(test_fail_of_others) {
  walk_to(TAIL);
  offer(7, record(40));
  for (unsigned bus = 0; bus < HD_MAX_NUM_FAIL; bus++) {
    in.fails[bus].valid = 1;
    in.fails[bus].kdei = (uint8_t)bus;
  }
  check_pop(true);
  assert_int_equal(take(), 20);
  assert_int_equal(take(), 21);
  assert_int_equal(take(), 40);
}

/* The kernel fails as the walk changes over to it: it stays idle, though its chain is still shown. */
TEST_F(test_fail_in_the_change) {
  launch(3, 1);
  current(3);
  in.fails[2].valid = 1;
  in.fails[2].kdei = 3;
  memset(&list_d[3], 0, sizeof list_d[3]);
  cycle();
  check_cursor(HD_AGT_IDLE, 0);
  assert_int_equal(arch()->wk_valid, 1);
  assert_int_equal(take(), -1);
}

TEST_MAIN("agt_over", NULL, NULL)
