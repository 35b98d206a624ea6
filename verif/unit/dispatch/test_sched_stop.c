/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The SMX scheduler: kernels that stop, and kernels that resume with saved TBs in the middle of a unit. */
#include "unit/dispatch/sched_fixture.h"

/* The next saved TB of the kernel. */
static void offer_saved(unsigned kdei, uint64_t ctx) {
  in.susp_saved.valid = 1;
  in.susp_saved.kdei = (uint8_t)kdei;
  in.susp_saved.tb = (struct hd_saved){.ctx = ctx, .level = 3};
}

/* A resumed kernel: saved TBs first, each dispatched with its context pointer; then the native part where it
 * stopped. */
TEST_F(test_saved_tbs_first) {
  enter(2, 10, 1);
  in.kmu_offer.kernel.progress = (struct hd_progress){.nextbl = 8, .sav_first = 5, .sav_count = 2};
  cycle();
  in.kd_sav_count[2] = 2;
  in.kd_nextbl[2] = 8;
  expect_grant(-1);
  assert_int_equal(out.events.waiting, 1);
  assert_int_equal(out.grant.level, 0);
  assert_int_equal(out.saved_pop, 0);
  offer_saved(1, 99); /* another kernel's */
  expect_grant(-1);
  assert_int_equal(out.saved_pop, 0);
  offer_saved(2, 0x111);
  expect_grant(-1);
  assert_int_equal(out.saved_pop, 1);
  offer_saved(2, 0x222);
  expect_grant(0);
  assert_int_equal(out.grant.kind, HD_UNIT_SAVED);
  assert_int_equal(out.grant.level, 3);
  assert_int_equal(out.grant.unit_end, 1);
  assert_int_equal(out.saved_pop, 1);
  assert_int_equal(out.advance || out.hand.grant || out.unmark, 0);
  in.kd_sav_count[2] = 1;
  in.susp_saved.valid = 0;
  in.kd_desc = ut_launch(0, 7).desc;
  expect_grant(1);
  assert_int_equal(out.dispatch[0].restart, 1);
  assert_int_equal(out.dispatch[0].level, 3);
  assert_true(out.dispatch[0].desc.param == 0x111);
  assert_int_equal(out.dispatch[0].desc.grid_x, 4);
  in.kd_sav_count[2] = 0;
  expect_grant(2);
  assert_int_equal(out.grant.kind, HD_UNIT_NATIVE);
  assert_true(out.dispatch[1].desc.param == 0x222);
  expect_grant(3);
  assert_int_equal(out.dispatch[2].blkid, 8);
  assert_int_equal(out.dispatch[2].restart, 0);
  assert_true(out.dispatch[2].desc.param == 0x10000 + 7);
  assert_int_equal(out.unmark, 1);
}

/* The last saved TB is handed out, and no other work is left: the kernel ends. With natives done, its groups follow. */
TEST_F(test_end_after_saved_tbs) {
  for (unsigned groups = 0; groups < 2; groups++) {
    hd_sched_reset(m);
    enter(2, 10, 1);
    in.kmu_offer.kernel.progress = (struct hd_progress){.ndone = 1, .nextbl = 3, .sav_count = 1};
    offer_saved(2, 1);
    cycle();
    in.kd_sav_count[2] = in.kd_ndone[2] = 1;
    in.kd_nextbl[2] = 3; /* a group was parked */
    in.link_pending[2] = in.link_single[2] = (uint8_t)groups;
    if (groups) offer_group(2, 9, 5);
    expect_grant(-1);
    expect_grant(0);
    assert_int_equal(out.unmark, !groups);
    assert_int_equal(out.group_pop, groups);
    in.kd_sav_count[2] = 0;
    no_group();
    expect_grant(groups ? 1 : -1);
  }
  expect_grant(2);
  assert_int_equal(out.dispatch[1].blkid, 3); /* it continues where it was parked */
  assert_int_equal(out.grant.unit_end, 1);
}

/* A kernel that is to be suspended stops in the same cycle: its place within its unit is reported, it is unmarked, the
 * next one follows. */
TEST_F(test_stop_in_the_native_part) {
  for (unsigned why = 0; why < 2; why++) {
    hd_sched_reset(m);
    enter(2, 10, 1);
    cycle();
    expect_grant(0);
    expect_grant(1);
    in_kd(4, 3, 1);
    next(4);
    (why ? in.kd_failed : in.kd_suspending)[2] = 1;
    expect_grant(-1);
    assert_int_equal(out.park.valid, 1);
    assert_int_equal(out.park.nextbl, 2);
    assert_int_equal(out.hand.park, 0);
    assert_int_equal(out.unmark, 1);
    assert_int_equal(out.events.blocked, 1);
    next(-1);
    expect_grant(2);
    assert_int_equal(out.sscr.kdei, 4);
    assert_int_equal(out.park.valid, 0);
    in.kd_suspending[2] = in.kd_failed[2] = 0;
  }
}

/* The same in a group, whose AGE is parked; a saved TB that was not handed out is dropped: the KD's list still has it;
 * without a unit there is nothing to park. */
TEST_F(test_stop_in_other_units) {
  enter(2, 10, 1);
  in.kmu_offer.kernel.progress.ndone = 1;
  cycle();
  in.kd_ndone[2] = in.link_pending[2] = in.link_single[2] = 1;
  offer_group(2, 9, 5);
  expect_grant(-1);
  no_group();
  expect_grant(0);
  in.kd_suspending[2] = 1;
  expect_grant(-1);
  assert_int_equal(out.park.valid && out.hand.park && out.unmark, 1);
  assert_int_equal(out.park.nextbl, 1);
  expect_grant(-1);
  assert_int_equal(out.sscr.valid, 0);
  in.kd_suspending[2] = 0;
  enter(2, 10, 1);
  in.kmu_offer.kernel.progress = (struct hd_progress){.ndone = 1, .sav_count = 1};
  cycle();
  in.kd_sav_count[2] = 1;
  offer_saved(2, 1);
  expect_grant(-1);
  in.susp_saved.valid = 0;
  in.kd_suspending[2] = 1;
  expect_grant(-1);
  assert_int_equal(out.unmark, 1);
  assert_int_equal(out.park.valid || out.hand.park || out.park.nextbl, 0);
  in.kd_suspending[2] = 0;
  enter(2, 10, 1);
  in.kmu_offer.kernel.progress = (struct hd_progress){.ndone = 1, .sav_count = 1};
  cycle();
  in.kd_failed[2] = 1;
  in.kd_sav_count[2] = 0;
  expect_grant(-1);
  assert_int_equal(out.unmark, 1);
  assert_int_equal(out.park.valid || out.events.blocked, 0);
}

/* A stopped kernel to which a group is linked in that cycle is loaded again, without a unit, and stops again. */
TEST_F(test_stop_and_link) {
  enter(2, 10, 1);
  cycle();
  in.kd_suspending[2] = in.fcfs_marked[2] = 1;
  link_event(2);
  expect_grant(-1);
  assert_int_equal(out.unmark, 1);
  expect_grant(-1);
  assert_int_equal(out.sscr.valid && out.events.waiting && out.unmark, 1);
  assert_int_equal(out.park.valid, 0);
  expect_grant(-1);
  assert_int_equal(out.sscr.valid, 0);
}

/* In a cycle in which the KD's table is read for a suspension nothing is handed out; a unit may be loaded. */
TEST_F(test_steal) {
  enter(2, 2, 1);
  cycle();
  in.kd_stall = 1;
  expect_grant(-1);
  assert_int_equal(out.events.blocked, 1);
  assert_int_equal(out.unmark, 0);
  expect_grant(0);
  in.link_pending[2] = in.link_single[2] = 1;
  expect_grant(1);
  in.kd_ndone[2] = 1;
  in.kd_stall = 1;
  offer_group(2, 1, 1);
  expect_grant(-1);
  assert_int_equal(out.group_pop, 1);
  expect_grant(2);
}

/* A group that was parked continues where it stopped; a place behind its end, from a damaged record, is its last TB. */
TEST_F(test_parked_group) {
  for (unsigned damaged = 0; damaged < 2; damaged++) {
    hd_sched_reset(m);
    enter(2, 10, 1);
    in.kmu_offer.kernel.progress = (struct hd_progress){.ndone = 1, .nextbl = damaged ? 5 : 3};
    cycle();
    in.kd_nextbl[2] = in.kmu_offer.kernel.progress.nextbl;
    in.kd_ndone[2] = in.link_pending[2] = in.link_single[2] = 1;
    offer_group(2, 9, 5);
    expect_grant(-1);
    expect_grant(0);
    assert_int_equal(out.grant.unit_end, damaged);
    expect_grant(damaged ? -1 : 1);
    assert_int_equal(out.dispatch[0].blkid, damaged ? 4 : 3);
  }
}

/* The kernel in the SSCR stops in a cycle in which a bank hands out a TB: both happen. */
TEST_F(test_stop_beside_a_take) {
  enter(2, 10, 1);
  cycle();
  expect_sscr(0);
  fill_bank(5, HD_UNIT_GROUP, 2, 4, 1); /* even one of its own: bank entries continue */
  bound(6, 5, 1);
  in.kd_suspending[2] = 1;
  expect_take(6, 5, false);
  assert_int_equal(out.park.valid && out.unmark, 1);
  assert_int_equal(out.park.nextbl, 1);
  assert_int_equal(out.grant.unit_end, 0);
  in.kd_suspending[2] = 0;
  expect_sscr(-1);
  assert_int_equal(out.sscr.valid, 0);
  expect_take(6, 5, false);
}

/* Spare TBs wait in the cycle of a stop: the kernel is still there. */
TEST_F(test_nothing_spare_in_the_cycle_of_a_stop) {
  enter(2, 10, 1);
  cycle();
  fill_bank(5, HD_UNIT_GROUP, 3, 4, 1);
  spare(0, 5, 1);
  in.kd_suspending[2] = 1;
  expect_sscr(-1);
  assert_int_equal(out.park.valid && out.unmark && out.events.blocked, 1);
  in.kd_suspending[2] = 0;
  expect_take(0, 5, true);
}

/* When the KD's table is read for a suspension, banks wait too. */
TEST_F(test_steal_holds_up_banks) {
  fill_bank(5, HD_UNIT_GROUP, 3, 4, 1);
  bound(1, 5, 1);
  spare(2, 5, 1);
  in.kd_stall = 1;
  expect_sscr(-1);
  assert_int_equal(out.events.blocked, 1);
  expect_take(1, 5, false);
  in.kd_stall = 1;
  expect_sscr(-1);
  expect_take(2, 5, true);
}

TEST_MAIN("sched_stop", NULL, NULL)
