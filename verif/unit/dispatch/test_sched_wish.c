/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The SMX scheduler: TBs of a graph that prefer an SMX. */
#include "unit/dispatch/sched_node_fixture.h"

/* The preferred SMX gets it, though others precede it. */
TEST_F(test_preferred) {
  node(0, 0, 1);
  wants(7);
  expect_node(7);
  expect_node(8); /* 7's dispatch register was full */
  expect_node(7);
  in.dats_tb.smx = 0;
  expect_node(0);
  in.dats_tb.wants = 0;
  expect_node(1);
}

/* If that cannot take it (no room, a full dispatch register, or bound to a bank), any other gets it. */
TEST_F(test_wish_that_can_not_be) {
  enter(0, 1, 100);
  cycle();
  expect_own(0); /* SMX 0 has 92 units */
  node(0, 0, 93);
  wants(0);
  expect_node(1);
  in.dats_run.need.smem = 1;
  fill_bank(3, HD_UNIT_GROUP, 2, 90, 0);
  bound(0, 3, 1);
  expect_node(2);
  in.laperm_bound_valid[0] = 0;
  expect_node(0);
}

/* SMXs bound to a bank are unaffected: the preference is for queue 0 only. */
TEST_F(test_wish_beside_bound) {
  node(0, 0, 1);
  wants(7);
  fill_bank(3, HD_UNIT_GROUP, 2, 90, 0);
  bound(2, 3, 1);
  expect_take(2, 3, false);
  expect_node(7);
  in.dats_tb.smx = 2; /* its source is the bank */
  expect_node(8);
}

/* The preference counts only while the graph has priority. */
TEST_F(test_no_wish_of_the_younger) {
  enter(4, 2, 1);
  cycle();
  node(0, 0, 1);
  wants(7);
  in.dats_older[4] = 1;
  expect_own(0);
  in.dats_older[4] = 0;
  expect_node(7);
}

TEST_MAIN("sched_wish", NULL, NULL)
