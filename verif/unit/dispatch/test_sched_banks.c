/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The SMX scheduler: TBs from banks, both bound to an SMX and spare. */
#include "unit/dispatch/sched_fixture.h"

/* TBs bound to an SMX have priority over the kernel in the SSCR, whose TBs the other SMXs get; that kernel's place
 * within its unit does not advance meanwhile. */
TEST_F(test_bound_before_queue_0) {
  enter(4, 3, 1);
  cycle();
  fill_bank(6, HD_UNIT_GROUP, 9, 5, 2);
  bound(1, 6, 1);
  expect_sscr(0);
  expect_take(1, 6, false);
  assert_int_equal(out.sscr.kdei, 4); /* still the SSCR's */
  assert_int_equal(out.grant.unit_end || out.unmark, 0);
  expect_sscr(2);
  assert_int_equal(out.grant.unit_end || out.unmark, 0);
  expect_sscr(3);
  assert_int_equal(out.grant.unit_end && out.unmark, 1);
  assert_int_equal(out.dispatch[2].blkid, 1);
}

/* The last TB of an entry is reported, and is not the last one of the SSCR's unit, which has one TB left too. */
TEST_F(test_take_ends_no_unit) {
  enter(4, 1, 1);
  cycle();
  fill_bank(0, HD_UNIT_GROUP, 9, 3, 2);
  bound(0, 0, 1);
  expect_take(0, 0, false);
  assert_int_equal(out.take.last, 1);
  assert_int_equal(out.grant.unit_end || out.advance || out.hand.grant || out.hand.last || out.unmark, 0);
  expect_sscr(1);
  assert_int_equal(out.unmark, 1);
}

/* Without a kernel in the SSCR bound TBs are handed out all the same; the pointer moves on from the SMX that got
   one. */
TEST_F(test_bound_without_a_kernel) {
  fill_bank(9, HD_UNIT_GROUP, 2, 100, 0);
  bound(9, 9, 1);
  expect_take(9, 9, false);
  bound(8, 8, 1);
  fill_bank(8, HD_UNIT_GROUP, 3, 100, 0);
  expect_take(8, 8, false); /* round from 10 */
  expect_take(9, 9, false);
  memset(in.laperm_bound_valid, 0, sizeof in.laperm_bound_valid);
  enter(0, 1, 1);
  expect_sscr(-1);
  expect_sscr(10);
}

/* Queue 0 has priority over spare TBs, including the cycle of its last TB; then the spare TBs are handed out. */
TEST_F(test_queue_0_before_spare) {
  enter(4, 2, 1);
  cycle();
  for (unsigned s = 0; s < 13; s++) spare(s, 12 - s, 1);
  for (unsigned b = 0; b < 13; b++) fill_bank(b, HD_UNIT_GROUP, b, 9, 1);
  expect_sscr(0);
  expect_sscr(1);
  assert_int_equal(out.unmark, 1);
  for (unsigned s = 2; s < 13; s++) expect_take(s, 12 - s, true);
  enter(5, 1, 1);
  expect_take(0, 12, true); /* it is there from the next cycle on */
  expect_sscr(1);
  expect_take(2, 10, true);
}

/* Bound before spare, where an SMX has both. */
TEST_F(test_bound_before_spare) {
  fill_bank(0, HD_UNIT_GROUP, 1, 9, 0);
  fill_bank(5, HD_UNIT_GROUP, 2, 9, 0);
  bound(0, 0, 1);
  spare(0, 5, 1);
  expect_take(0, 0, false);
  expect_sscr(-1); /* its dispatch register was full when the cycle began */
  assert_int_equal(out.events.blocked, 1);
  in.laperm_bound_valid[0] = 0;
  expect_take(0, 5, true);
}

/* A kernel in the SSCR that waits for its group keeps queue 0 from being empty: no spare TB is handed out, bound TBs
 * are. */
TEST_F(test_no_spare_while_the_sscr_waits) {
  enter(4, 1, 1);
  cycle();
  in.link_pending[4] = in.link_single[4] = 1;
  expect_sscr(0);
  in.kd_ndone[4] = 1;
  spare(1, 7, 1);
  fill_bank(7, HD_UNIT_GROUP, 1, 9, 0);
  for (int t = 0; t < 3; t++) {
    expect_sscr(-1);
    assert_int_equal(out.events.waiting, 1);
    assert_int_equal(out.events.blocked, 0);
  }
  bound(2, 7, 1);
  expect_take(2, 7, false);
  assert_int_equal(out.events.waiting, 1);
}

/* A stage is skipped only when it is empty: a bound TB that does not fit keeps its SMX from the small TBs of queue 0,
 * which the others get. */
TEST_F(test_bound_that_does_not_fit_blocks) {
  hand_out(0, 13, 100); /* 92 units are left everywhere */
  enter(1, 100, 1);
  cycle();
  fill_bank(0, HD_UNIT_NATIVE, 2, 9, 0);
  for (unsigned s = 0; s < 13; s++) bound(s, 0, 93);
  for (int t = 0; t < 3; t++) {
    expect_sscr(-1);
    assert_int_equal(out.events.blocked, 1);
  }
  in.laperm_bound_valid[5] = 0;
  expect_sscr(5);
  expect_sscr(-1);
  bound(7, 0, 92);
  expect_take(7, 0, false);
  expect_sscr(5);
}

/* A spare TB that does not fit is waited for too; the SMX's own need counts. */
TEST_F(test_spare_that_does_not_fit) {
  hand_out(0, 13, 100);
  cycle();
  fill_bank(3, HD_UNIT_NATIVE, 2, 9, 0);
  spare(0, 3, 93);
  expect_sscr(-1);
  assert_int_equal(out.events.blocked, 1);
  spare(4, 3, 92);
  expect_take(4, 3, true);
  done(0, 0);
  expect_sscr(-1);
  expect_take(0, 3, true);
}

/* The SMX allocates the need of the bank's TB, not that of the SSCR's kernel. */
TEST_F(test_take_needs) {
  fill_bank(2, HD_UNIT_NATIVE, 7, 9, 0);
  bound(0, 2, 50);
  spare(1, 2, 60);
  expect_take(0, 2, false);
  in.laperm_bound_valid[0] = 0;
  expect_take(1, 2, true);
  enter(4, 9, 11);
  in.laperm_spare_valid[1] = 0;
  expect_sscr(-1);
  bound(2, 2, 70);
  expect_take(2, 2, false);
  expect_sscr(3);
  static const unsigned smem[] = {50, 60, 70, 11};
  for (unsigned s = 0; s < 4; s++) assert_int_equal(hd_sched_tbcr(m, s)->smem, 192 - smem[s]);
}

/* A TB of a bank takes room from the kernel in the SSCR: its fit is checked again. */
TEST_F(test_take_leaves_less_room) {
  free(m);
  start(ut_cfg_with("k20c", "NumSmx", 1));
  enter(4, 9, 100);
  cycle();
  fill_bank(0, HD_UNIT_NATIVE, 7, 9, 0);
  bound(0, 0, 100);
  expect_take(0, 0, false);
  in.laperm_bound_valid[0] = 0;
  for (int t = 0; t < 4; t++) {
    expect_sscr(-1);
    assert_int_equal(out.events.blocked, 1);
  }
  in.kd_need[7] = (struct hd_need){.warps = 1, .regs = 2, .smem = 100};
  done(0, 0);
  expect_sscr(-1);
  expect_sscr(0);
}

/* An SMX whose dispatch register is full gets nothing bound to it; the next one in cyclic order does. */
TEST_F(test_bound_waits_for_the_dispatch_register) {
  in.dispatch_ready[3] = 0;
  fill_bank(0, HD_UNIT_GROUP, 2, 100, 0);
  bound(3, 0, 1);
  expect_take(3, 0, false);
  for (int t = 0; t < 3; t++) {
    expect_sscr(-1);
    assert_int_equal(out.events.blocked, 1);
  }
  bound(2, 0, 1);
  expect_take(2, 0, false);
  in.dispatch_ready[3] = 1;
  expect_sscr(-1);
  expect_take(3, 0, false);
}

/* A TB of a group out of a bank: the entry's dimensions, parameter address, level and next TB; a group without an AGE.
 * The rest is the descriptor of its kernel, which the KD shows in the next cycle; all stays until it is taken. */
TEST_F(test_dispatch_of_a_group_in_a_bank) {
  enter(2, 10, 1);
  cycle();
  fill_bank(5, HD_UNIT_GROUP, 3, 40, 33);
  bound(0, 5, 1);
  in.dispatch_ready[0] = 0;
  expect_take(0, 5, false);
  in.laperm_bound_valid[0] = 0;
  memset(in.laperm_bank_front, 0, sizeof in.laperm_bank_front);
  in.kd_desc = ut_launch(0, 5).desc;
  struct hd_dispatch want = {.kdei = 3, .group = 1, .level = 3, .blkid = 33, .desc = in.kd_desc};
  want.desc.grid_x = 7;
  want.desc.grid_y = 8;
  want.desc.grid_z = 9;
  want.desc.param = (0x1000 + 5) * 64;
  for (int t = 0; t < 3; t++) {
    cycle();
    assert_int_equal(out.dispatch_valid[0], 1);
    assert_memory_equal(&out.dispatch[0], &want, sizeof want);
    memset(&in.kd_desc, 0, sizeof in.kd_desc);
    if (t == 1) assert_int_equal(out.dispatch[1].kdei, 2); /* and the SSCR continues with its own */
  }
}

/* A TB of a native part out of a bank: its kernel's descriptor as it is, and not one of a group. */
TEST_F(test_dispatch_of_a_native_part_in_a_bank) {
  fill_bank(5, HD_UNIT_NATIVE, 3, 40, 39);
  spare(0, 5, 1);
  expect_take(0, 5, true);
  in.laperm_spare_valid[0] = 0;
  in.kd_desc = ut_launch(0, 5).desc;
  const struct hd_dispatch want = {.kdei = 3, .level = 3, .blkid = 39, .desc = in.kd_desc};
  cycle();
  assert_memory_equal(&out.dispatch[0], &want, sizeof want);
  done(0, 0);
  for (int t = 0; t < 2; t++) cycle();
  assert_int_equal(out.retire.valid, 0);
  cycle();
  assert_int_equal(out.retire.valid, 1);
  assert_int_equal(out.retire.tb.kdei, 3);
  assert_int_equal(out.retire.tb.age_valid, 0);
}

/* Visit = 1: a bound TB waits for the pointer too, which moves as long as any SMX is offered a TB. */
TEST_F(test_visit_walks_past_banks) {
  free(m);
  start(ut_cfg_with("k20c", "Visit", 1));
  for (int t = 0; t < 5; t++) expect_sscr(-1); /* no TB is offered: the pointer does not move */
  fill_bank(9, HD_UNIT_GROUP, 3, 40, 0);
  bound(3, 9, 1);
  for (unsigned round = 0; round < 2; round++) {
    for (unsigned s = 0; s < 13; s++) {
      if (s == 3) {
        expect_take(3, 9, false);
      } else {
        expect_sscr(-1);
        assert_int_equal(out.events.blocked, 1);
      }
    }
  }
  in.laperm_bound_valid[3] = 0;
  for (int t = 0; t < 3; t++) expect_sscr(-1); /* it stops again, at 0 */
  assert_int_equal(out.events.blocked, 0);
  spare(0, 9, 1);
  expect_take(0, 9, true);
}

/* Visit = 1 with a kernel in the SSCR: an SMX whose bound TB does not fit is passed, and gets none of queue 0. */
TEST_F(test_visit_passes_a_blocked_smx) {
  free(m);
  start(ut_cfg_with("k20c", "Visit", 1));
  enter(4, 30, 1);
  cycle();
  fill_bank(9, HD_UNIT_GROUP, 3, 40, 0);
  bound(1, 9, 193);
  expect_sscr(0);
  expect_sscr(-1);
  assert_int_equal(out.events.blocked, 1);
  for (int s = 2; s < 13; s++) expect_sscr(s);
  expect_sscr(0);
}

/* With FairEvery = 2 a kernel gives way after two TBs of its own: those of banks do not count. */
TEST_F(test_takes_do_not_count_for_rotation) {
  free(m);
  start(ut_cfg_with("k20c", "FairEvery", 2));
  enter(0, 1, 1);
  in.kmu_offer.kernel.progress.ndone = 1;
  cycle();
  in_kd(1, 9, 1);
  next(1);
  in.kd_ndone[0] = in.link_pending[0] = 1;
  offer_group(0, 5, 1);
  expect_sscr(-1);
  fill_bank(9, HD_UNIT_GROUP, 3, 40, 0);
  for (unsigned s = 0; s < 2; s++) {
    bound(s, 9, 1);
    expect_take(s, 9, false);
  }
  expect_sscr(2);
  assert_int_equal(out.rotate, 0);
  bound(3, 9, 1);
  expect_take(3, 9, false);
  expect_sscr(4);
  assert_int_equal(out.rotate, 1);
}

/* More SMXs than a word has bits: each gets what its own bank offers. */
TEST_F(test_banks_of_132_smxs) {
  free(m);
  start(ut_cfg("big"));
  for (unsigned s = 0; s < 132; s++) {
    fill_bank(s, HD_UNIT_GROUP, s % 100, 40, 0);
    bound(s, s, 1);
  }
  expect_sscr(-1); /* big tries a cycle ahead whether a TB fits */
  for (unsigned s = 0; s < 140; s++) expect_take(s % 132, s % 132, false);
}

TEST_MAIN("sched_banks", NULL, NULL)
