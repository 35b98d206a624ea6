/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The SMX scheduler while SMXs are closed: unbound TBs go to open SMXs, bound TBs still go to their closed SMX. */
#include "unit/dispatch/sched_node_fixture.h"

/* Only these two are open; the same twice: only that one. */
static void open_only(unsigned a, unsigned b) {
  memset(in.throttle_open, 0, sizeof in.throttle_open);
  in.throttle_open[a] = in.throttle_open[b] = 1;
}

static void close_all(void) {
  memset(in.throttle_open, 0, sizeof in.throttle_open);
}

/* Queue 0 uses the open SMXs round robin, skipping the closed ones; with none open it waits, and then continues. */
TEST_F(test_queue_0) {
  enter(4, 9, 1);
  cycle();
  open_only(3, 7);
  expect_sscr(3);
  expect_sscr(7);
  expect_sscr(3);
  close_all();
  for (int t = 0; t < 3; t++) {
    expect_sscr(-1);
    assert_int_equal(out.events.blocked, 1);
    assert_int_equal(out.sscr.kdei, 4);
  }
  memset(in.throttle_open, 1, sizeof in.throttle_open);
  expect_sscr(4);
  expect_sscr(5);
  assert_int_equal(out.dispatch[4].blkid, 3);
}

/* A group and a saved TB may go to any SMX as well. */
TEST_F(test_group_and_saved_tb) {
  enter(4, 2, 1);
  in.kmu_offer.kernel.progress.sav_count = 1;
  cycle();
  in.kd_sav_count[4] = 1;
  in.susp_saved.valid = 1;
  in.susp_saved.kdei = 4;
  in.kd_ndone[4] = in.link_pending[4] = in.link_single[4] = 1;
  open_only(2, 2);
  cycle();
  expect_sscr(2);
  assert_int_equal(out.grant.kind, HD_UNIT_SAVED);
  in.kd_sav_count[4] = in.susp_saved.valid = 0;
  offer_group(4, 0, 5);
  close_all();
  for (int t = 0; t < 3; t++) expect_sscr(-1);
  assert_int_equal(out.grant.kind, HD_UNIT_GROUP);
  open_only(8, 8);
  expect_sscr(8);
}

/* Bound before queue 0, with a kernel in the SSCR and without one: a closed SMX gets the TBs bound to it. */
TEST_F(test_bound_on_closed) {
  close_all();
  fill_bank(5, HD_UNIT_GROUP, 9, 40, 2);
  bound(5, 5, 1);
  expect_take(5, 5, false);
  enter(4, 3, 1);
  expect_sscr(-1); /* 5 has a full dispatch register */
  expect_take(5, 5, false);
  expect_sscr(-1);
  assert_int_equal(out.events.blocked, 1);
  in.throttle_open[6] = 1;
  expect_sscr(6); /* round from 6 */
}

/* Spare TBs may go to any SMX: a closed one does not get them, though they are offered to it. */
TEST_F(test_spare) {
  for (unsigned s = 0; s < 13; s++) spare(s, 12 - s, 1);
  for (unsigned b = 0; b < 13; b++) fill_bank(b, HD_UNIT_GROUP, b, 9, 1);
  open_only(2, 11);
  expect_take(2, 10, true);
  expect_take(11, 1, true);
  expect_take(2, 10, true);
  close_all();
  expect_sscr(-1);
  assert_int_equal(out.events.blocked, 1);
  bound(9, 3, 1);
  expect_take(9, 3, false);
}

/* Nodes of a graph go to open SMXs; a preference for a closed one is treated as if that had no room. */
TEST_F(test_nodes) {
  node(3, 100, 1);
  open_only(4, 10);
  expect_node(4);
  expect_node(10);
  wants(6);
  expect_node(4);
  wants(10);
  expect_node(10);
  close_all();
  expect_node(-1);
  assert_int_equal(out.events.blocked, 1);
  in.throttle_open[6] = in.throttle_open[7] = 1;
  wants(7);
  expect_node(7);
}

static void expect_unassigned(bool there) {
  cycle();
  cycle(); /* reported one cycle later */
  assert_int_equal(out.unassigned, there);
}

/* Reports a TB that may go to any SMX, whether it is granted or not: of the SSCR unless that stops, of the graph, a
 * spare one while queue 0 is empty. */
TEST_F(test_unassigned) {
  expect_unassigned(false);
  fill_bank(5, HD_UNIT_GROUP, 9, 40, 2);
  bound(5, 5, 1);
  expect_unassigned(false);
  spare(6, 5, 1);
  expect_unassigned(true);
  close_all();
  expect_unassigned(true);
  in.laperm_spare_valid[6] = 0;
  expect_unassigned(false);
  node(3, 100, 1);
  expect_unassigned(true);
  no_node();
  expect_unassigned(false);
  enter(4, 3, 1);
  cycle();
  expect_unassigned(true);
  in.kd_suspending[4] = 1;
  cycle();
  cycle();
  assert_int_equal(out.unassigned, 0);
}

/* ChoiceLatency 2: a tested fit counts only while the SMX is open, and at once when it opens. */
TEST_F(test_found_before) {
  free(m);
  start(ut_cfg_with("k20c", "ChoiceLatency", 2));
  enter(4, 5, 1);
  cycle();
  close_all();
  expect_sscr(-1);
  expect_sscr(-1);
  open_only(7, 7);
  expect_sscr(7);
}

TEST_MAIN("sched_open", NULL, NULL)
