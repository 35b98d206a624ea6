/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The Kernel Distributor: saved TBs, kernels that are suspended and resumed, and kernels that fail. */
#include "unit/host/kd_fixture.h"

/* Saved TBs are counted; the kernel hands out no more TBs and accepts no groups until it is suspended. */
TEST_F(test_save) {
  two_saved();
  cycle();
  assert_int_equal(out.sav_count[0], 2);
  assert_int_equal(out.suspending[0], 1);
  assert_int_equal(out.eligible[0], 0);
  assert_int_equal(out.save_ok[0], 1);
  for (int t = 0; t < 5; t++) cycle(); /* the third TB runs on */
  assert_int_equal(arch()->susp_state, 0);
  assert_int_equal(arch()->valid[0], 1);
}

/* Suspension: idle in t, Steal t+1, Send t+2, the entry is left in t+3. Nothing is reported, no HWQ reopens. */
TEST_F(test_suspension) {
  two_saved();
  in.sched_park.valid = 1;
  in.sched_park.nextbl = 3;
  in.susp_suspend_free = 1;
  in.link_pending[0] = 1; /* its groups go with it */
  retire(0);
  cycle();
  cycle(); /* t */
  assert_int_equal(out.stall || out.suspend.valid, 0);
  cycle();
  assert_int_equal(out.stall, 1);
  assert_int_equal(out.take.valid, 1);
  assert_int_equal(out.take.kdei, 0);
  in.link_pending[0] = 0;
  cycle();
  assert_int_equal(out.stall || out.take.valid, 0);
  assert_int_equal(out.suspend.valid, 1);
  struct hd_kernel want = ut_kernel(5, 55);
  want.kin = 7;
  want.progress = (struct hd_progress){.nextbl = 3, .sav_count = 2};
  assert_memory_equal(&out.suspend.kernel, &want, sizeof want);
  assert_int_equal(arch()->valid[0], 0);
  assert_int_equal(arch()->tag_row_valid[0], 0);
  cycle();
  assert_int_equal(out.suspend.valid, 0);
  assert_int_equal(out.left[0], 1);
  for (int t = 0; t < 4; t++) {
    assert_int_equal(out.leave.valid || out.reopen[5], 0);
    cycle();
  }
  assert_int_equal(out.entry.kdei, 0);
}

/* It waits while susp is busy. Of two, the lower entry goes first, the other after it. */
TEST_F(test_suspensions_in_turn) {
  for (unsigned i = 0; i < 3; i++) {
    enter(i, i);
    grant(i);
    cycle();
    birth(i, i);
    cycle();
    if (i == 0) continue;
    save(i);
    cycle();
    in.fcfs_marked[i] = 0;
    retire(i);
    cycle();
  }
  for (int t = 0; t < 5; t++) cycle();
  assert_int_equal(out.stall || out.suspend.valid, 0);
  in.susp_suspend_free = 1;
  for (int t = 0; t < 7; t++) {
    cycle();
    assert_int_equal(out.stall, t == 1 || t == 4);
    assert_int_equal(out.suspend.valid, t == 2 || t == 5);
    assert_int_equal(out.suspend.kernel.kin, t == 2 ? 1 : t == 5 ? 2 : 0);
  }
}

/* In Steal the tag RAM is taken: no report begins, one that is taken is over. */
TEST_F(test_no_report_in_steal) {
  in.kin_leave_ready = 0;
  pass_through(1);
  pass_through(2);
  pass_through(3); /* one at the output, two wait */
  enter(5, 50);
  const unsigned i = out.entry.kdei;
  grant(i);
  cycle();
  birth(i, 3);
  cycle();
  save(i);
  cycle();
  in.fcfs_marked[i] = 0;
  retire(i);
  in.susp_suspend_free = 1;
  cycle();
  cycle();
  in.kin_leave_ready = 1;
  cycle();
  assert_int_equal(out.stall, 1);
  assert_int_equal(out.leave.origin.tag, 1);
  cycle();
  assert_int_equal(out.leave.valid, 0);
  cycle();
  assert_int_equal(out.leave.valid, 1);
  assert_int_equal(out.leave.origin.tag, 2);
}

/* A resumed kernel has its progress and its record; saved TBs are handed out first, around the ring. */
TEST_F(test_resumed_kernel) {
  in.kmu_offer.valid = 1;
  in.kmu_offer.kernel = ut_kernel(2, 22);
  in.kmu_offer.kernel.resumed = 1;
  in.kmu_offer.kernel.kin = 12;
  in.kmu_offer.kernel.progress =
      (struct hd_progress){.ndone = 1, .nextbl = 2, .sav_first = (uint16_t)(cfg.sav_max - 1), .sav_count = 2};
  cycle();
  in.fcfs_marked[0] = 1;
  cycle();
  assert_int_equal(out.kin_valid[0], 1);
  assert_int_equal(out.kin[0], 12);
  assert_int_equal(out.ndone[0], 1);
  assert_int_equal(out.nextbl[0], 2);
  assert_int_equal(out.sav_first[0], cfg.sav_max - 1);
  assert_int_equal(out.sav_count[0], 2);
  assert_int_equal(out.suspending[0], 0);
  assert_int_equal(out.eligible[0], 0); /* no group joins while it has saved TBs */
  in.sched_grant.kind = HD_UNIT_SAVED;
  grant(0);
  in.sched_grant.unit_end = 1;
  cycle();
  cycle();
  assert_int_equal(out.sav_first[0], 0);
  assert_int_equal(out.sav_count[0], 1);
  assert_int_equal(out.nextbl[0], 2); /* the place in the parked unit stays */
  grant(0);
  in.sched_grant.unit_end = 1;
  save(0); /* one leaves, one comes */
  cycle();
  cycle();
  assert_int_equal(out.sav_first[0], 1);
  assert_int_equal(out.sav_count[0], 1);
  assert_int_equal(out.suspending[0], 1);
}

/* The saved list has room for all TBs that can be resident, and no more are saved. */
TEST_F(test_save_ok_ends_at_sav_max) {
  enter(0, 1);
  grant(0);
  cycle();
  cycle();
  assert_int_equal(out.save_ok[0], 0); /* it has launched nothing that it could wait for */
  birth(0, 1);
  cycle();
  for (unsigned i = 0; i < cfg.sav_max; i++) {
    cycle();
    assert_int_equal(out.save_ok[0], 1);
    save(0);
    cycle();
  }
  cycle();
  assert_int_equal(out.sav_count[0], cfg.sav_max);
  assert_int_equal(out.save_ok[0], 0);
}

/* A failed kernel hands out no more TBs, is not suspended, and reports the failure when it leaves; the event wins over
   a save. */
TEST_F(test_fail_event) {
  for (unsigned bus = 0; bus < 3; bus++) {
    hd_kd_reset(m);
    memset(in.fcfs_marked, 0, sizeof in.fcfs_marked);
    two_saved();
    in.susp_suspend_free = 1;
    save(0);
    fail_event(bus, 0);
    cycle();
    cycle();
    assert_int_equal(out.failed[0], 1);
    assert_int_equal(out.ndone[0], 1);
    assert_int_equal(out.sav_count[0], 0);
    assert_int_equal(out.suspending[0], 0);
    assert_int_equal(out.eligible[0] || out.save_ok[0], 0);
    retire(0);
    cycle();
    cycle();
    assert_int_equal(arch()->pend_failed[0], 1);
    cycle();
    cycle();
    assert_int_equal(out.leave.valid, 1);
    assert_int_equal(out.leave.origin.failed, 1);
    assert_int_equal(out.leave.kin, 7);
    assert_int_equal(out.stall, 0);
  }
}

/* A save that was accepted before the kernel failed and arrives a cycle later is lost like the others: the kernel ends
 * in place. It is not suspended, which would make it enter the KD again only to end there. */
TEST_F(test_save_after_fail_event) {
  for (unsigned bus = 0; bus < cfg.num_fail; bus++) {
    hd_kd_reset(m);
    memset(in.fcfs_marked, 0, sizeof in.fcfs_marked);
    two_saved();
    in.susp_suspend_free = 1;
    if (bus == HD_KD_LOST) in.laperm_push.valid = 1, in.laperm_push.kdei = 0, cycle();
    fail_event(bus, 0);
    cycle();
    save(0);
    cycle();
    cycle();
    assert_int_equal(out.failed[0], 1);
    assert_int_equal(out.sav_count[0], 0);
    assert_int_equal(out.suspending[0], 0);
    retire(0);
    for (int t = 0; t < 4; t++) {
      cycle();
      assert_int_equal(out.stall || out.suspend.valid, 0);
    }
    assert_int_equal(out.leave.valid, 1);
    assert_int_equal(out.leave.origin.failed, 1);
    assert_int_equal(out.leave.kin, 7);
  }
}

/* A kernel that is idle is neither released nor suspended in the cycle of its fail event; several may fail at once. */
TEST_F(test_fail_event_holds_an_idle_kernel) {
  for (unsigned i = 0; i < 3; i++) enter(i, i);
  memset(in.fcfs_marked, 0, sizeof in.fcfs_marked);
  for (unsigned i = 0; i < 3; i++) fail_event(i, i);
  cycle();
  for (unsigned i = 0; i < 3; i++) assert_int_equal(arch()->valid[i], 1);
  cycle();
  for (unsigned i = 0; i < 3; i++) {
    assert_int_equal(arch()->valid[i], 0);
    assert_int_equal(arch()->pend_failed[2 * i], 1);
  }
}

TEST_MAIN("kd_suspend", NULL, NULL)
