/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Linking: kernels that fail, or are suspended and resumed with their lists. */
#include "unit/launch/link_fixture.h"

static void fail_kernel(unsigned bus, unsigned kdei) {
  in.fails[bus].valid = 1;
  in.fails[bus].kdei = (uint8_t)kdei;
}

/* Three fail events at once; together with a link event and an advance; of a kernel whose group is just linked. */
TEST_F(test_fail_events) {
  launch(1, 1, 0);
  launch(2, 2, 0);
  launch(2, 3, 0);
  launch(3, 4, 0);
  fail_kernel(0, 1);
  fail_kernel(1, 2);
  fail_kernel(2, 3);
  group(4, 5, 0);
  advance(2, 3);
  cycle();
  for (unsigned k = 1; k <= 3; k++) check_list(k, false, 0, 0);
  fail_kernel(2, 4);
  cycle();
  assert_int_equal(out.link.valid, 1);
  check_list(4, false, 0, 0);
}

/* Each of them by itself, and all of one kernel. */
TEST_F(test_each_fail_event) {
  for (unsigned bus = 0; bus < HD_MAX_NUM_FAIL; bus++) {
    launch(1, bus, 0);
    launch(2, 8 + bus, 0);
    fail_kernel(bus, 1);
    cycle();
    check_list(1, false, 0, 0);
    check_list(2, true, 8, 8 + bus);
  }
  for (unsigned bus = 0; bus < HD_MAX_NUM_FAIL; bus++) fail_kernel(bus, 2);
  cycle();
  check_list(2, false, 0, 0);
}

/* A group for a kernel that has failed is lost: its AGE stays taken; no link event, no list. */
TEST_F(test_group_of_failed_kernel) {
  in.kd_failed[1] = 1;
  launch(1, 9, 0);
  assert_int_equal(out.link.valid || out.link.over || out.link.kdei || out.link.ptr.onchip, 0);
  assert_int_equal(out.alloc.valid, 1);
  check_list(1, false, 0, 0);
  launch(1, 9, 33);
  assert_int_equal(out.kept, 1);
  assert_int_equal(out.link.valid || out.link.over, 0);
  check_list(1, false, 0, 0);
}

/* A suspended kernel takes its list along, visible for one cycle, and brings it back into another entry. */
TEST_F(test_take_and_enter) {
  launch(6, 4, 0);
  launch(6, 5, 0);
  in.kd_take.valid = 1;
  in.kd_take.kdei = 6;
  cycle();
  assert_int_equal(out.list.pending, 0);
  cycle();
  struct hd_list list = out.list;
  assert_int_equal(list.pending && list.chained, 1);
  assert_int_equal(list.nagei, 4);
  assert_int_equal(list.lagei, 5);
  check_list(6, false, 0, 0);
  assert_int_equal(out.list.pending || out.list.chained || out.list.lagei, 0);
  in.kd_entry.kdei = 9;
  in.kmu_offer.kernel.groups = list;
  cycle(); /* not taken by the KD */
  check_list(9, false, 0, 0);
  in.kd_entry.valid = 1;
  cycle();
  check_list(9, true, 4, 5);
  launch(9, 8, 0);
  check_behind(5);
}

/* With groups in memory, behind a chain and without one. `pending` of a resumed kernel is ignored: ovfq reports it. */
TEST_F(test_take_and_enter_with_memory) {
  for (unsigned chain = 0; chain < 2; chain++) {
    if (chain) launch(6, 4, 0);
    memory(6, 2);
    in.kd_take.valid = 1;
    in.kd_take.kdei = 6;
    cycle();
    memory(6, 0);
    cycle();
    struct hd_list list = out.list;
    assert_int_equal(list.pending, 1);
    assert_int_equal(list.chained, chain);
    assert_int_equal(list.nagei, chain ? 4 : 0);
    check_list(6, false, 0, 0);
    in.kd_entry.valid = 1;
    in.kd_entry.kdei = (uint8_t)(8 + chain);
    in.kmu_offer.kernel.groups = list;
    cycle();
    hd_link_eval(m, &in, &out);
    assert_int_equal(out.pending[8 + chain], chain);
    memory(8 + chain, 2);
    hd_link_eval(m, &in, &out);
    assert_int_equal(out.pending[8 + chain], 1);
    assert_int_equal(out.chained[8 + chain], chain);
    assert_int_equal(out.single[8 + chain], 0);
    launch(8 + chain, 20 + chain, 0);
    check_over();
  }
}

/* A kernel without groups is suspended: its list is empty. A fail event in that cycle does not change it. */
TEST_F(test_take_empty_and_fail) {
  in.kd_take.valid = 1;
  in.kd_take.kdei = 3;
  cycle();
  cycle();
  assert_int_equal(out.list.pending || out.list.chained, 0);
  launch(3, 1, 0);
  in.kd_take.valid = 1;
  in.kd_take.kdei = 3;
  fail_kernel(1, 3);
  cycle();
  cycle();
  assert_int_equal(out.list.pending && out.list.chained, 1);
  assert_int_equal(out.list.nagei, 1);
  check_list(3, false, 0, 0);
}

/* A kernel that is not resumed begins with an empty list. */
TEST_F(test_enter_empty) {
  in.kd_entry.valid = 1;
  in.kd_entry.kdei = 2;
  in.kmu_offer.kernel.groups = (struct hd_list){0};
  cycle();
  check_list(2, false, 0, 0);
}

TEST_MAIN("link_leave", NULL, NULL)
