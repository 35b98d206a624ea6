/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Linking: groups that are appended to the list in memory. */
#include "unit/launch/link_fixture.h"

/* A group without an AGE begins the list in memory; the chain before it stays as it is. */
TEST_F(test_overflow_begins) {
  launch(0, 7, 0);
  launch(0, 8, 0);
  launch(0, 7, 21);
  assert_int_equal(out.kept, 1);
  check_ptr(out.link.ptr, false, 21);
  check_over();
  assert_int_equal(out.link.kdei, 0);
  memory(0, 1);
  check_list(0, true, 7, 8);
  assert_int_equal(out.pending[0], 1);
  assert_int_equal(out.single[0], 0);
}

/* The first group of a kernel overflows: there is no chain. */
TEST_F(test_overflow_without_chain) {
  launch(1, 7, 0);
  launch(0, 7, 21);
  check_over();
  check_list(0, false, 0, 0);
  memory(0, 1);
  hd_link_eval(m, &in, &out);
  assert_int_equal(out.pending[0] && out.single[0], 1);
  assert_int_equal(out.chained[0] || out.nagei[0] || out.lagei[0], 0);
}

/* Behind groups in memory an AGE is appended there too, with a chain before them and without. It is allocated all the
   same. */
TEST_F(test_age_behind_a_record) {
  launch(0, 7, 0);
  memory(0, 1);
  launch(0, 30, 0);
  assert_int_equal(out.kept, 0);
  assert_int_equal(out.alloc.valid, 1);
  assert_int_equal(out.alloc.index, 30);
  check_ptr(out.link.ptr, true, 30);
  check_over();
  check_list(0, true, 7, 7);
  memory(2, 5);
  launch(2, 31, 0);
  check_over();
  check_list(2, false, 0, 0);
  launch(3, 32, 0); /* another kernel */
  check_first();
}

/* The last group in memory is handed out in the cycle of a link event: it still counts, so the new one is appended
 * behind it. One cycle later a chain begins again. */
TEST_F(test_chain_again) {
  memory(4, 1);
  group(4, 10, 0);
  cycle();
  advance(4, 999);
  group(4, 11, 0);
  cycle();
  check_over();
  check_list(4, false, 0, 0);
  memory(4, 0); /* as if none had come */
  cycle();
  check_ptr(out.link.ptr, true, 11);
  check_first();
  check_list(4, true, 11, 11);
  launch(4, 12, 0);
  check_behind(11);
}

/* Groups in memory are handed out: link is not involved, for any input from agt. */
TEST_F(test_advance_in_memory) {
  launch(5, 3, 0);
  memory(4, 2);
  advance(4, 77);
  cycle();
  memory(4, 1);
  advance(4, 78);
  cycle();
  check_list(4, false, 0, 0);
  check_list(5, true, 3, 3);
}

/* The last AGE of the chain before groups in memory is handed out in the cycle in which a group is linked behind
   these. */
TEST_F(test_advance_before_memory) {
  launch(4, 3, 0);
  memory(4, 1);
  group(4, 9, 0);
  cycle();
  advance(4, 999);
  cycle();
  check_over();
  assert_int_equal(out.single[4], 0);
  check_list(4, false, 0, 0);
  assert_int_equal(out.pending[4], 1);
  assert_int_equal(out.single[4], 1); /* ovfq still reports one */
}

/* A group that finds the list full gets neither a place nor an AGE, under each hash; the one directly after it, for
 * another kernel, does. */
TEST_F(test_full_list) {
  for (unsigned hash = 0; hash < 3; hash++) {
    start("k20c", hash);
    memory(4, 2);
    in.ovfq_full[4] = 1;
    group(4, 9, 21);
    cycle();
    assert_int_equal(out.refused, 0);
    group(5, 9, 22);
    cycle();
    assert_int_equal(out.refused, 1);
    assert_int_equal(out.kept || out.alloc.valid || out.link.valid || out.link.over, 0);
    cycle();
    assert_int_equal(out.refused, 0);
    assert_int_equal(out.alloc.valid && out.alloc.index == (hash == HD_AGT_HASH_FREELIST ? 0 : 9), 1);
    check_first();
    assert_int_equal(out.link.kdei, 5);
    in.ovfq_full[4] = 0;
    launch(4, 10, 23);
    assert_int_equal(out.refused, 0);
    check_over();
  }
}

/* pending and single count both parts of the list. */
TEST_F(test_pending_and_single) {
  for (unsigned chain = 0; chain <= 2; chain++)
    for (unsigned over = 0; over <= 2; over++) {
      start("k20c", HD_AGT_HASH_HWTID);
      for (unsigned k = 0; k < chain; k++) launch(6, k, 0);
      memory(6, over);
      hd_link_eval(m, &in, &out);
      assert_int_equal(out.chained[6], chain > 0);
      assert_int_equal(out.pending[6], chain + over > 0);
      assert_int_equal(out.single[6], chain + over == 1);
    }
}

TEST_MAIN("link_over", NULL, NULL)
