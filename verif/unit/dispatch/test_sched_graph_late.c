/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The SMX scheduler with ChoiceLatency 2: TBs of a graph. */
#include "unit/dispatch/sched_fixture.h"

enum { GRAPH = 9 };

static int setup_late(void **state) {
  (void)state;
  start(ut_cfg_with("k20c", "ChoiceLatency", 2));
  return 0;
}

/* Offers a node that needs this much shared memory. */
static void node(unsigned smem) {
  in.dats_tb.valid = in.dats_run.valid = 1;
  in.dats_run.kdei = GRAPH;
  in.dats_run.need = in.kd_need[GRAPH] = (struct hd_need){.warps = 1, .regs = 2, .smem = (uint16_t)smem};
}

static void no_node(void) {
  in.dats_tb.valid = 0;
}

static void expect_node(int smx) {
  cycle();
  assert_int_equal(out.graph_take, smx >= 0);
  assert_int_equal(out.grant.smx, smx >= 0 ? smx : 0);
  assert_int_equal(out.grant.valid || out.take.valid, 0);
}

/* The first node waits one cycle; later ones are handed out one per cycle. */
TEST_WITH(test_first_node, setup_late, teardown) {
  node(1);
  expect_node(-1);
  assert_int_equal(out.events.blocked, 1);
  for (int s = 0; s < 15; s++) expect_node(s % 13);
  no_node();
  expect_node(-1);
  node(1);
  expect_node(-1); /* its need was not tested */
  expect_node(2);
}

/* The result is for that need only. */
TEST_WITH(test_another_need, setup_late, teardown) {
  node(1);
  expect_node(-1);
  node(2);
  expect_node(-1);
  expect_node(0);
}

/* While the graph has priority, the need of the kernel in the SSCR is tried for the time after it. */
TEST_WITH(test_back_to_the_sscr, setup_late, teardown) {
  enter(4, 9, 7);
  cycle();
  node(1);
  expect_node(-1);
  expect_node(0);
  expect_node(1);
  no_node();
  expect_sscr(2);
  node(1);
  expect_node(-1);
  in.dats_older[4] = 1;
  expect_sscr(3);
}

/* A preferred SMX without a tested fit does not keep the TB from others. */
TEST_WITH(test_preferred, setup_late, teardown) {
  hand_out(0, 1, 192);
  cycle();
  node(1);
  in.dats_tb.wants = 1;
  in.dats_tb.smx = 0;
  expect_node(-1);
  expect_node(1);
  in.dats_tb.smx = 7;
  expect_node(7);
  done(0, 0);
  in.dats_tb.smx = 0;
  expect_node(8); /* the completion comes in this cycle .. */
  expect_node(9); /* .. room is found in this one .. */
  expect_node(0);
}

TEST_MAIN("sched_graph_late", NULL, NULL)
