/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The SMX scheduler with FairEvery: bank TBs that overtake queue 0, and the turn that queue 0 then gets. */
#include "unit/dispatch/sched_fixture.h"

/* 13 SMXs, each bound to bank 9, whose TBs need `smem`; kernel 4 has 30 TBs in the SSCR. */
static void start_fair(unsigned fair_every, unsigned smem) {
  free(m);
  start(ut_cfg_with("k20c", "FairEvery", fair_every));
  enter(4, 30, 1);
  cycle();
  fill_bank(9, HD_UNIT_GROUP, 3, 400, 0);
  for (unsigned s = 0; s < 13; s++) bound(s, 9, smem);
}

/* k TBs of banks, then one of queue 0: a TB in each cycle, each for the next SMX. */
TEST_F(test_every_so_many) {
  for (unsigned k = 1; k <= 3; k++) {
    start_fair(k, 1);
    for (unsigned n = 0, s = 0; n < 5; n++) {
      for (unsigned b = 0; b < k; b++) expect_take(s++ % 13, 9, false);
      expect_sscr((int)(s++ % 13));
      assert_int_equal(out.sscr.kdei, 4);
    }
  }
}

/* FairEvery 0: never. */
TEST_F(test_never) {
  start_fair(0, 1);
  for (unsigned n = 0; n < 100; n++) expect_take(n % 13, 9, false);
}

/* Only consecutive TBs count, and only while queue 0 offers one. */
TEST_F(test_what_counts) {
  start_fair(2, 1);
  expect_take(0, 9, false);
  in.laperm_bound_valid[1] = 0;
  in.laperm_bound_valid[4] = 0;
  expect_sscr(1); /* by itself: the count begins again */
  expect_take(2, 9, false);
  expect_take(3, 9, false);
  expect_sscr(4);
  bound(1, 9, 1);
  bound(4, 9, 1);
  expect_take(5, 9, false);
  in.kd_suspending[4] = 1;
  expect_take(6, 9, false); /* the kernel stops: this TB does not overtake */
  in.kd_suspending[4] = 0;
  for (unsigned n = 7; n < 12; n++) expect_take(n, 9, false); /* nor while there is no kernel */
  enter(5, 30, 1);
  expect_take(12, 9, false);
  expect_take(0, 9, false);
  expect_take(1, 9, false);
  expect_sscr(2);
}

/* A kernel that stops in its turn leaves a cycle without a grant. */
TEST_F(test_stop_in_its_turn) {
  start_fair(1, 1);
  expect_take(0, 9, false);
  in.kd_suspending[4] = 1;
  expect_sscr(-1);
  for (unsigned n = 1; n < 6; n++) expect_take(n, 9, false);
}

/* In its turn a TB waits for room, and the banks wait for it: until the first TB ends, at the latest the last one. */
TEST_F(test_turn_waits_for_room) {
  free(m);
  start(ut_cfg_with("k20c", "FairEvery", 3));
  enter(4, 30, 192); /* all of an SMX */
  cycle();
  fill_bank(9, HD_UNIT_GROUP, 3, 400, 0);
  in_kd(3, 1, 1);
  for (unsigned s = 0; s < 3; s++) bound(s, 9, 1);
  for (unsigned s = 3; s < 13; s++) in.throttle_open[s] = 0;
  for (unsigned s = 0; s < 3; s++) expect_take(s, 9, false);
  for (unsigned n = 0; n < 20; n++) {
    expect_sscr(-1);
    assert_int_equal(out.events.blocked, 1);
  }
  done(1, 0);
  expect_sscr(-1);
  expect_sscr(1);
  expect_take(2, 9, false);
}

/* In a turn a closed SMX still accepts the TBs that are bound to it. */
TEST_F(test_closed_in_a_turn) {
  start_fair(2, 1);
  memset(in.throttle_open, 0, sizeof in.throttle_open);
  for (unsigned n = 0; n < 20; n++) expect_take(n % 13, 9, false);
  in.throttle_open[9] = 1; /* the turn has lasted since the second TB */
  expect_take(7, 9, false);
  expect_take(8, 9, false);
  expect_sscr(9);
  expect_take(10, 9, false);
  expect_take(11, 9, false);
  expect_take(12, 9, false);
}

/* A TB of the graph gets the turn too, on the SMX that it prefers. */
TEST_F(test_turn_of_the_graph) {
  start_fair(2, 1);
  in.dats_tb.valid = in.dats_tb.wants = in.dats_run.valid = 1;
  in.dats_tb.smx = 11;
  in.dats_run.kdei = 7;
  in.kd_need[7] = in.dats_run.need = (struct hd_need){.warps = 1, .regs = 2, .smem = 1};
  expect_take(0, 9, false);
  expect_take(1, 9, false);
  cycle();
  assert_int_equal(out.graph_take, 1);
  assert_int_equal(out.grant.smx, 11);
  assert_int_equal(out.take.valid || out.grant.valid, 0);
  expect_take(12, 9, false);
}

/* ChoiceLatency 2: the need of a TB of queue 0 is tried in the first cycle of its turn, the need of banks after it.
 * With equal needs no cycle is lost. */
TEST_F(test_choice_in_two_cycles) {
  for (unsigned smem = 1; smem <= 2; smem++) {
    free(m);
    start(ut_cfg_but(ut_cfg_with("k20c", "ChoiceLatency", 2), "FairEvery", 2));
    enter(4, 30, 1);
    cycle();
    fill_bank(9, HD_UNIT_GROUP, 3, 400, 0);
    for (unsigned s = 0; s < 13; s++) bound(s, 9, smem);
    in.laperm_then.valid = 1;
    in.laperm_then.need = in.laperm_bound_need[0];
    if (smem == 2) expect_sscr(-1);
    for (unsigned n = 0, s = 0; n < 4; n++) {
      expect_take(s++ % 13, 9, false);
      expect_take(s++ % 13, 9, false);
      if (smem == 2) expect_sscr(-1);
      expect_sscr((int)(s++ % 13));
      if (smem == 2) expect_sscr(-1);
    }
  }
}

TEST_MAIN("sched_fair", NULL, NULL)
