/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The SMX scheduler: groups after the native part and after each other; choice of the next kernel; rotation. */
#include "unit/dispatch/sched_fixture.h"

/* When the native TBs end, the available group follows in the next cycle; its TBs count from 0, with its own
 * dimensions, parameter address, AGE and level; the rest of the descriptor is the kernel's. */
TEST_F(test_group_follows_the_native_part) {
  enter(3, 2, 1);
  in.kmu_offer.kernel.level = 1;
  cycle();
  in.link_pending[3] = in.link_single[3] = 1;
  offer_group(3, 55, 2);
  expect_grant(0);
  assert_int_equal(out.grant.level, 1);
  assert_int_equal(out.group_pop || out.grant.unit_end, 0);
  assert_int_equal(out.grant.kind, HD_UNIT_NATIVE);
  expect_grant(1);
  assert_int_equal(out.grant.unit_end, 1);
  assert_int_equal(out.unmark || out.advance || out.hand.grant, 0);
  assert_int_equal(out.group_pop && out.hand.load, 1);
  assert_int_equal(out.hand.ptr.onchip, 1);
  assert_int_equal(out.hand.ptr.index, 55);
  in.kd_ndone[3] = 1;
  no_group();
  expect_grant(2);
  assert_int_equal(out.grant.kind, HD_UNIT_GROUP);
  assert_int_equal(out.grant.level, 2);
  assert_int_equal(out.hand.grant, 1);
  assert_int_equal(out.grant.unit_end || out.hand.last || out.advance || out.hand.load, 0);
  in.kd_desc = ut_launch(0, 5).desc;
  in.dispatch_ready[2] = 0;
  expect_grant(3);
  assert_int_equal(out.grant.unit_end && out.hand.last && out.advance && out.unmark, 1);
  struct hd_dispatch want = {
      .kdei = 3, .group = 1, .age_valid = 1, .agei = 55, .level = 2, .blkid = 0, .desc = in.kd_desc};
  want.desc.grid_x = 7;
  want.desc.grid_y = 8;
  want.desc.grid_z = 9;
  want.desc.param = (0x1000 + 55) * 64;
  assert_memory_equal(&out.dispatch[2], &want, sizeof want);
  assert_int_equal(out.dispatch[1].age_valid, 0);
  memset(&in.kd_desc, 0, sizeof in.kd_desc);
  in.link_pending[3] = in.link_single[3] = 0;
  cycle(); /* an offer that is not accepted stays */
  assert_memory_equal(&out.dispatch[2], &want, sizeof want);
  assert_int_equal(out.dispatch[3].blkid, 1);
  assert_int_equal(out.sscr.valid, 0);
}

/* Groups of one TB each follow each other in every cycle, those that overflowed among them. */
TEST_F(test_one_tb_groups) {
  enter(0, 1, 1);
  cycle();
  in.link_pending[0] = 1;
  in.agc_slot.valid = 1;
  in.agc_slot.slot = 17;
  for (unsigned n = 0; n < 200; n++) {
    offer_group(0, n, 1);
    if (n % 3 == 0) in.agt_group.group.self.onchip = 0;
    if (n == 1) in.kd_ndone[0] = 1;
    expect_grant((int)(n % 13));
    assert_int_equal(out.group_pop, 1);
    assert_int_equal(out.advance, n > 0);
    if (n < 2) continue;
    const struct hd_dispatch *d = &out.dispatch[(n - 1) % 13]; /* of the group loaded two cycles before */
    assert_int_equal(d->agei, (n - 2) % 3 == 0 ? cfg.agt_size + 17 : n - 2);
    done((n - 1) % 13, d->slot);
  }
}

/* A group that overflowed waits for a slot; the wait is reported. */
TEST_F(test_group_waits_for_a_slot) {
  enter(0, 1, 1);
  cycle();
  in.link_pending[0] = in.link_single[0] = 1;
  offer_group(0, 900, 1);
  in.agt_group.group.self.onchip = 0;
  expect_grant(0);
  assert_int_equal(out.group_pop || out.events.waiting, 0);
  in.kd_ndone[0] = 1;
  for (int t = 0; t < 3; t++) {
    expect_grant(-1);
    assert_int_equal(out.events.waiting && out.events.slot_wait, 1);
    assert_int_equal(out.events.blocked || out.group_pop || out.unmark, 0);
  }
  in.agc_slot.valid = 1;
  in.agc_slot.slot = 3;
  expect_grant(-1);
  assert_int_equal(out.group_pop, 1);
  assert_int_equal(out.hand.ptr.onchip, 0);
  assert_int_equal(out.hand.ptr.index, 900);
  assert_int_equal(out.events.slot_wait, 0);
  expect_grant(1);
  assert_int_equal(out.events.waiting, 0);
  cycle();
  assert_int_equal(out.dispatch[1].agei, cfg.agt_size + 3);
}

/* Another kernel's group, or none: the SSCR waits without a unit, and is not blocked. */
TEST_F(test_waits_for_its_own_group) {
  enter(0, 1, 1);
  cycle();
  in.link_pending[0] = in.link_single[0] = 1;
  offer_group(1, 4, 1);
  expect_grant(0);
  in.kd_ndone[0] = 1;
  for (int t = 0; t < 3; t++) {
    expect_grant(-1);
    assert_int_equal(out.events.waiting, 1);
    assert_int_equal(out.events.slot_wait || out.group_pop || out.events.blocked, 0);
    assert_int_equal(out.sscr.kdei, 0);
    assert_int_equal(out.sscr.valid, 1);
  }
  offer_group(0, 4, 1);
  expect_grant(-1);
  expect_grant(1);
  assert_int_equal(out.unmark, 1);
}

/* A group that is linked in the same cycle in which the last one ends: the kernel stays. */
TEST_F(test_link_at_the_last_tb) {
  enter(0, 1, 1);
  cycle();
  in.link_pending[0] = in.link_single[0] = 1;
  offer_group(0, 4, 1);
  expect_grant(0);
  in.kd_ndone[0] = 1;
  no_group();
  link_event(0);
  expect_grant(1);
  assert_int_equal(out.advance, 1);
  assert_int_equal(out.unmark, 0);
  expect_grant(-1);
  assert_int_equal(out.events.waiting, 1);
  offer_group(0, 5, 1);
  expect_grant(-1);
  expect_grant(2);
  assert_int_equal(out.unmark, 1);
}

/* The same with the native part: it ends, and its first group arrives. */
TEST_F(test_link_at_the_last_native_tb) {
  enter(0, 1, 1);
  cycle();
  link_event(0);
  expect_grant(0);
  assert_int_equal(out.unmark, 0);
  in.kd_ndone[0] = in.link_pending[0] = in.link_single[0] = 1;
  expect_grant(-1);
  assert_int_equal(out.events.waiting, 1);
}

/* An unmarked kernel returns with a group: the SSCR has it in the next cycle, without a unit; its native TBs do not
 * start again. Loaded at the end of 7, granted in 8, if the link event is in 3. */
TEST_F(test_marked_again) {
  in_kd(6, 5, 1);
  in.kd_ndone[6] = 1;
  link_event(6);
  cycle(); /* 3 */
  in.fcfs_marked[6] = in.link_pending[6] = in.link_single[6] = 1;
  for (int t = 4; t < 7; t++) {
    expect_grant(-1);
    assert_int_equal(out.sscr.valid && out.events.waiting, 1);
    assert_int_equal(out.sscr.kdei, 6);
  }
  offer_group(6, 1, 1);
  expect_grant(-1); /* 7 */
  assert_int_equal(out.group_pop, 1);
  expect_grant(0); /* 8 */
  assert_int_equal(out.grant.kind, HD_UNIT_GROUP);
}

/* A group for a kernel that is marked, or while another hands out, changes nothing in the SSCR. */
TEST_F(test_link_elsewhere) {
  in_kd(6, 5, 1);
  in.kd_ndone[6] = in.fcfs_marked[6] = 1;
  link_event(6); /* marked: it will come from the FCFS controller */
  cycle();
  cycle();
  assert_int_equal(out.sscr.valid, 0);
  enter(0, 3, 1);
  cycle();
  in.fcfs_marked[6] = 0;
  for (unsigned n = 0; n < 2; n++) {
    link_event(6);
    expect_grant((int)n);
    assert_int_equal(out.sscr.kdei, 0);
  }
  link_event(6);
  expect_grant(2); /* the last TB: now it follows */
  assert_int_equal(out.unmark, 1);
  expect_grant(-1);
  assert_int_equal(out.sscr.kdei, 6);
  assert_int_equal(out.events.waiting, 1);
}

/* At a kernel's end: the next marked kernel first, then one that a group marks, then one that enters. */
TEST_F(test_who_comes_next) {
  for (unsigned missing = 0; missing < 3; missing++) {
    hd_sched_reset(m);
    memset(in.kd_ndone, 0, sizeof in.kd_ndone);
    enter(0, 1, 1);
    cycle();
    in_kd(1, 2, 1);
    in_kd(2, 2, 1);
    in.kd_ndone[2] = 1;
    next(missing > 0 ? -1 : 1);
    if (missing < 2) link_event(2);
    enter(3, 2, 1);
    expect_grant(0);
    next(-1);
    cycle();
    assert_int_equal(out.sscr.kdei, missing + 1);
    assert_int_equal(out.events.waiting, missing == 1);
  }
}

/* With FairEvery = 4 a kernel goes behind the others at the end of the group in which it has handed out 4 TBs. */
TEST_F(test_rotation) {
  free(m);
  start(ut_cfg_with("k20c", "FairEvery", 4));
  enter(0, 2, 1);
  cycle();
  in.link_pending[0] = 1;
  in_kd(1, 9, 1);
  next(1);
  static const uint8_t ctas[] = {1, 2}; /* 2 native TBs, 1, 2: the fifth TB ends the group */
  for (unsigned n = 0, g = 0; n < 5; n++) {
    offer_group(0, n, g < 2 ? ctas[g] : 9);
    if (n == 2) in.kd_ndone[0] = 1;
    expect_grant((int)n);
    assert_int_equal(out.rotate, n == 4);
    assert_int_equal(out.unmark, 0);
    g += out.group_pop;
    if (n == 4) assert_int_equal(out.group_pop || out.hand.load, 0); /* it is loaded when the kernel comes back */
  }
  next(-1);
  expect_grant(5);
  assert_int_equal(out.sscr.kdei, 1);
}

/* No rotation without another marked kernel, within the native part, or when no unit is left. */
TEST_F(test_no_rotation) {
  free(m);
  start(ut_cfg_with("k20c", "FairEvery", 1));
  enter(0, 2, 1);
  cycle();
  next(1);
  in_kd(1, 9, 1);
  in.link_pending[0] = 1;
  offer_group(0, 1, 1);
  for (unsigned n = 0; n < 2; n++) {
    expect_grant((int)n);
    assert_int_equal(out.rotate, 0);
  }
  in.kd_ndone[0] = 1;
  next(-1);
  expect_grant(2);
  assert_int_equal(out.rotate || out.unmark, 0);
  assert_int_equal(out.group_pop, 1);
  in.link_single[0] = 1;
  next(1);
  expect_grant(3);
  assert_int_equal(out.rotate, 0);
  assert_int_equal(out.unmark, 1);
  struct hd_sched_arch *a = calloc(1, sizeof *a);
  hd_sched_arch(m, a, false);
  assert_int_equal(a->fair, 0); /* counts again from 0 for the next kernel */
  free(a);
}

/* A completed TB of a group reports its AGE when it retires. */
TEST_F(test_retire_tells_the_age) {
  enter(3, 1, 1);
  cycle();
  in.link_pending[3] = in.link_single[3] = 1;
  offer_group(3, 55, 1);
  cycle();
  no_group();
  cycle();
  in.link_pending[3] = 0;
  for (int t = 0; t < 2; t++) cycle();
  done(1, 0);
  for (int t = 0; t < 2; t++) cycle();
  assert_int_equal(out.retire.valid, 0);
  cycle();
  assert_int_equal(out.retire.valid, 1);
  assert_int_equal(out.retire.tb.kdei, 3);
  assert_int_equal(out.retire.tb.age_valid, 1);
  assert_int_equal(out.retire.tb.agei, 55);
}

TEST_MAIN("sched_groups", NULL, NULL)
