/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The SMX scheduler: TBs of a graph, together with the kernel in the SSCR and with banks. */
#include "unit/dispatch/sched_node_fixture.h"

/* No other work: one TB a cycle, to the SMXs round robin; no kernel shows in the SSCR. */
TEST_F(test_alone) {
  node(3, 100, 1);
  for (unsigned n = 0; n < 15; n++) {
    in.dats_tb.cta = 100 + n;
    expect_node((int)(n % 13));
    assert_int_equal(out.sscr.valid || out.events.blocked || out.events.waiting || out.unmark || out.grant.level, 0);
    assert_int_equal(out.sscr.kdei || out.grant.kind, 0);
  }
  no_node();
  expect_node(-1);
  assert_int_equal(out.events.blocked, 0);
}

/* The TB: its kernel's descriptor as it comes a cycle later; level 0, no group, no AGE. */
TEST_F(test_dispatch) {
  node(3, 4711, 5);
  expect_node(0);
  no_node();
  in.kd_desc = ut_launch(0, 5).desc;
  const struct hd_dispatch want = {.kdei = GRAPH, .blkid = 4711, .desc = in.kd_desc};
  in.dispatch_ready[0] = 0;
  for (int t = 0; t < 3; t++) {
    cycle();
    assert_int_equal(out.dispatch_valid[0], 1);
    assert_memory_equal(&out.dispatch[0], &want, sizeof want);
    memset(&in.kd_desc, 0, sizeof in.kd_desc);
  }
  assert_int_equal(hd_sched_tbcr(m, 0)->smem, 192 - 5);
}

/* A kernel older than the graph hands out all its TBs; then the graph; then a younger one. */
TEST_F(test_by_age) {
  enter(4, 2, 1);
  cycle();
  node(0, 0, 1);
  in.dats_older[4] = 1;
  in_kd(6, 2, 1);
  next(6);
  expect_own(0);
  expect_own(1);
  assert_int_equal(out.unmark, 1);
  next(-1);
  in.dats_older[4] = 0;
  expect_node(2); /* 6 is in the SSCR, and younger */
  assert_int_equal(out.sscr.valid, 1);
  assert_int_equal(out.sscr.kdei, 6);
  expect_node(3);
  no_node();
  expect_own(4);
  expect_own(5);
}

/* No node is ready: a younger kernel does not wait; an older entry that is not in the SSCR does not matter. */
TEST_F(test_passed_over) {
  enter(4, 9, 1);
  cycle();
  in.dats_run.valid = 1;
  in.dats_run.kdei = GRAPH;
  in.dats_older[5] = 1;
  expect_own(0);
  node(1, 1, 1);
  expect_node(1);
  no_node();
  expect_own(2);
  assert_int_equal(out.grant.level, 0);
}

/* An older kernel that waits for its group keeps a ready node waiting; one that stops does so until it is unmarked. */
TEST_F(test_older_is_not_passed) {
  enter(4, 1, 1);
  cycle();
  in.link_pending[4] = in.link_single[4] = 1;
  expect_own(0);
  in.kd_ndone[4] = 1;
  in.dats_older[4] = 1;
  node(0, 0, 1);
  for (int t = 0; t < 3; t++) {
    expect_node(-1);
    assert_int_equal(out.events.waiting && out.events.blocked, 1); /* a node is left, and goes nowhere */
  }
  in.kd_failed[4] = 1;
  expect_node(-1);
  assert_int_equal(out.unmark, 1);
  expect_node(1);
}

/* A node that does not fit keeps a younger kernel and spare banks waiting; an older kernel that does not fit keeps the
   node waiting. */
TEST_F(test_does_not_fit) {
  hand_out(0, 13, 100); /* 92 units are left everywhere */
  enter(1, 9, 1);
  cycle();
  fill_bank(3, HD_UNIT_GROUP, 2, 9, 0);
  for (unsigned s = 0; s < 13; s++) spare(s, 3, 1);
  node(0, 0, 93);
  expect_node(-1);
  assert_int_equal(out.events.blocked, 1);
  in.dats_run.need.smem = 92;
  expect_node(0);
  free(m);
  start(cfg);
  hand_out(0, 13, 100);
  enter(1, 9, 93);
  cycle();
  in.dats_older[1] = 1;
  node(0, 0, 1);
  expect_node(-1);
  assert_int_equal(out.events.blocked, 1);
}

/* While the graph has priority the SSCR does not advance; its level does not show, its kernel and kind do. */
TEST_F(test_sscr_stands) {
  in.kd_level[4] = 3;
  enter(4, 1, 1);
  in.kmu_offer.kernel.level = 3;
  cycle();
  node(0, 0, 1);
  for (int s = 0; s < 3; s++) {
    expect_node(s);
    assert_int_equal(out.unmark || out.grant.level, 0);
    assert_int_equal(out.sscr.kdei, 4);
  }
  no_node();
  expect_own(3);
  assert_int_equal(out.unmark, 1);
  assert_int_equal(out.grant.level, 3);
}

/* A group that arrives while the graph has priority is loaded all the same. */
TEST_F(test_sscr_loads_meanwhile) {
  enter(4, 1, 1);
  cycle();
  in.link_pending[4] = in.link_single[4] = 1;
  expect_own(0);
  in.kd_ndone[4] = 1;
  node(0, 0, 1);
  expect_node(1);
  offer_group(4, 5, 1);
  expect_node(2);
  assert_int_equal(out.group_pop, 1);
  no_group();
  no_node();
  expect_own(3);
  assert_int_equal(out.hand.grant && out.hand.last, 1);
}

/* Bound before queue 0, queue 0 before spare. */
TEST_F(test_beside_banks) {
  node(0, 0, 1);
  fill_bank(3, HD_UNIT_GROUP, 2, 90, 0);
  bound(1, 3, 1);
  spare(0, 3, 1);
  spare(2, 3, 1);
  expect_node(0);
  expect_take(1, 3, false);
  assert_int_equal(out.graph_take, 0);
  expect_node(2);
  no_node();
  expect_take(0, 3, true); /* round from 3 */
}

TEST_F(test_steal) {
  node(0, 0, 1);
  in.kd_stall = 1;
  expect_node(-1);
  assert_int_equal(out.events.blocked, 1);
  expect_node(0);
}

/* Visit = 1: the pointer moves as long as a node is offered; a preference waits for it. */
TEST_F(test_visit) {
  free(m);
  start(ut_cfg_with("k20c", "Visit", 1));
  expect_node(-1);
  node(0, 0, 1);
  expect_node(0);
  wants(3);
  expect_node(-1);
  assert_int_equal(out.events.blocked, 1);
  expect_node(-1);
  expect_node(3);
  expect_node(4); /* 3's register was full */
  no_node();
  expect_node(-1);
  node(0, 0, 1);
  expect_node(5);
}

/* FairEvery: gives way at the end of a group, also without a marked kernel behind it, because of the graph's age. */
TEST_F(test_give_way) {
  free(m);
  start(ut_cfg_with("k20c", "FairEvery", 2));
  enter(0, 1, 1);
  in.kmu_offer.kernel.progress.ndone = 1;
  cycle();
  in.kd_ndone[0] = in.link_pending[0] = 1;
  in.dats_older[0] = 1;
  offer_group(0, 5, 1);
  expect_own(-1);
  node(0, 0, 1);
  expect_own(0);
  assert_int_equal(out.give_way, 0);
  expect_own(1);
  assert_int_equal(out.give_way, 1);
  assert_int_equal(out.rotate, 0);
  in.dats_older[0] = 0;
  expect_node(2); /* TBs of the graph do not count */
  assert_int_equal(out.give_way, 0);
  no_node();
  next(1);
  in_kd(1, 9, 1);
  expect_own(3);
  assert_int_equal(out.give_way && out.rotate, 1);
}

/* With the last group of all, or without FairEvery, it does not. */
TEST_F(test_no_give_way) {
  for (uint32_t every = 0; every < 2; every++) {
    free(m);
    start(ut_cfg_with("k20c", "FairEvery", every));
    enter(0, 1, 1);
    in.kmu_offer.kernel.progress.ndone = 1;
    cycle();
    in.kd_ndone[0] = in.link_pending[0] = 1;
    in.link_single[0] = (uint8_t)every;
    offer_group(0, 5, 1);
    expect_own(-1);
    expect_own(0);
    assert_int_equal(out.give_way || out.rotate, 0);
    assert_int_equal(out.unmark, every);
  }
}

/* Ends: each SMX reports its node in the cycle after the completion, all in one cycle. */
TEST_F(test_nodes_are_done) {
  for (unsigned s = 0; s < 13; s++) {
    node(100 - s, s, 1);
    expect_node((int)s);
  }
  no_node();
  cycle();
  for (unsigned s = 0; s < 13; s++) done(s, 0);
  cycle();
  for (unsigned s = 0; s < 13; s++) assert_int_equal(out.node_done[s] || out.node_place[s], 0);
  cycle();
  for (unsigned s = 0; s < 13; s++) {
    assert_int_equal(out.done_ok[s] && out.node_done[s], 1);
    assert_int_equal(out.node_place[s], 100 - s);
  }
  cycle();
  for (unsigned s = 0; s < 13; s++) assert_int_equal(out.node_done[s] || out.node_place[s], 0);
  assert_int_equal(out.retire.valid && !out.retire.tb.age_valid && !out.retire.tb.agei, 1);
  assert_int_equal(out.retire.tb.kdei, GRAPH);
}

/* From a completion in t to the next node's dispatch: the slot is free for the decision in t+1. */
TEST_F(test_refill) {
  for (unsigned s = 0; s < 13; s++) {
    node(s, s, 192);
    expect_node((int)s);
  }
  node(20, 20, 192);
  expect_node(-1);
  done(5, 0);
  expect_node(-1);
  expect_node(5);
  assert_int_equal(out.node_done[5], 1);
  assert_int_equal(out.node_place[5], 5);
}

TEST_MAIN("sched_graph", NULL, NULL)
