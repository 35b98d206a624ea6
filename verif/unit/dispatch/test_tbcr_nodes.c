/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Thread block control registers: TBs that are nodes of a graph. */
#include "unit/dispatch/tbcr_fixture.h"

enum { GRAPH = 5, PLACE = 77 };

/* A TB of a node at that place of the LNA runs: two cycles. */
static void run_node(unsigned kdei, unsigned place) {
  grant(kdei, 1234);
  in.grant_agei = (uint16_t)place;
  cycle();
  in.grant_agei = 0;
  cycle();
}

static void graph_runs(unsigned kdei) {
  in.run_valid = 1;
  in.run_kdei = (uint8_t)kdei;
}

/* The next cycle reports a node at that place; or, with -1, none. */
static void expect_node(int place) {
  cycle();
  assert_int_equal(out.done_ok, 1);
  assert_int_equal(out.node_done, place >= 0);
  assert_int_equal(out.node_place, place >= 0 ? place : 0);
}

/* The slot keeps the place; it is not shown to the SMX, nor to the counting of TBs. */
TEST_F(test_place_is_kept_and_not_shown) {
  graph_runs(GRAPH);
  run_node(GRAPH, PLACE);
  assert_int_equal(out.dispatch_valid, 1);
  assert_int_equal(out.dispatch.agei, 0);
  assert_int_equal(out.dispatch.group || out.dispatch.age_valid || out.dispatch.restart || out.dispatch.level, 0);
  assert_int_equal(out.dispatch.blkid, 1234);
  assert_int_equal(arch()->agei[0], PLACE);
  assert_int_equal(arch()->age_valid[0], 0);
  done(0);
  cycle();
  cycle();
  assert_int_equal(out.retire_valid, 1);
  assert_int_equal(out.retire.kdei, GRAPH);
  assert_int_equal(out.retire.age_valid || out.retire.agei, 0);
  assert_int_equal(arch()->done_row[0].agei, 0);
}

/* Completed in t, reported in t + 1, once. */
TEST_F(test_node_is_told) {
  graph_runs(GRAPH);
  run_node(GRAPH, PLACE);
  done(0);
  cycle();
  assert_int_equal(out.node_done || out.node_place, 0);
  expect_node(PLACE);
  cycle();
  assert_int_equal(out.done_ok || out.node_done || out.node_place, 0);
}

/* Place 0 is one, too; and one in each cycle. */
TEST_F(test_nodes_in_a_row) {
  graph_runs(GRAPH);
  for (unsigned k = 0; k < 4; k++) run_node(GRAPH, 3 - k);
  for (unsigned k = 0; k < 4; k++) {
    done(k);
    if (k == 0)
      cycle();
    else
      expect_node((int)(4 - k));
  }
  expect_node(0);
}

/* A TB of another kernel is no node, whether of a group with an AGE or not. */
TEST_F(test_others_are_none) {
  graph_runs(GRAPH);
  run_cta(GRAPH + 1);
  grant(4, 0);
  in.grant_group = in.grant_age_valid = 1;
  in.grant_agei = PLACE;
  cycle();
  in.grant_group = in.grant_age_valid = 0;
  in.grant_agei = 0;
  cycle();
  for (unsigned k = 0; k < 2; k++) {
    done(k);
    cycle();
    expect_node(-1);
  }
}

/* Whether a graph runs, and which, is sampled in the cycle of the completion. */
TEST_F(test_asked_with_the_report) {
  for (unsigned k = 0; k < 4; k++) run_node(GRAPH, PLACE + k);
  done(0);
  in.run_kdei = GRAPH; /* run_valid is 0 */
  cycle();
  graph_runs(GRAPH);
  expect_node(-1);
  done(1);
  cycle();
  graph_runs(GRAPH + 1);
  expect_node(PLACE + 1);
  done(2);
  cycle();
  expect_node(-1);
  graph_runs(GRAPH);
  done(3);
  cycle();
  in.run_valid = in.run_kdei = 0;
  expect_node(PLACE + 3);
}

/* A completion of an empty slot, or of a TB that is still in the dispatch register, reports no node. */
TEST_F(test_only_what_is_accepted) {
  graph_runs(0);
  done(0);
  cycle();
  cycle();
  assert_int_equal(out.done_empty, 1);
  assert_int_equal(out.node_done || out.node_place, 0);
  in.dispatch_ready = 0;
  grant(0, 0);
  in.grant_agei = PLACE;
  cycle();
  in.grant_agei = 0;
  done(0);
  cycle();
  cycle();
  assert_int_equal(out.done_early, 1);
  assert_int_equal(out.node_done || out.node_place, 0);
  in.dispatch_ready = 1;
  cycle();
  done(0);
  cycle();
  expect_node(PLACE);
}

/* More places than the AGT has AGEs: a slot is wide enough. */
TEST_F(test_large_lna) {
  free(m);
  start(ut_cfg_with("tiny", "Lna", 512));
  assert_true(cfg.agei_w >= 9);
  graph_runs(1);
  run_node(1, 511);
  assert_int_equal(arch()->agei[0], 511);
  done(0);
  cycle();
  expect_node(511);
}

TEST_MAIN("tbcr_nodes", NULL, NULL)
