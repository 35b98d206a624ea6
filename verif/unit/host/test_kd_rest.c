/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The Kernel Distributor: a suspending kernel with entries in banks: they wait for places in its saved list, and remain
 * as its rest. The list has SavMax places. */
#include "unit/host/kd_fixture.h"

enum { HWQ = 4, TAG = 44, KIN = 9 };

static void serve(bool last) {
  in.sched_take.valid = 1;
  in.sched_take.last = last;
  cycle();
}

/* A TB of the kernel in entry 0 is saved, and done: it runs no more. */
static void save_and_retire(void) {
  save(0);
  cycle();
  retire(0);
  cycle();
}

/* A kernel of the host in entry 0, whose native part is in a bank, with a child; `saved` of its TBs are saved. */
static void begin_saved(unsigned saved) {
  in.laperm_enter.bank = in.kmu_offer.valid = 1;
  in.kmu_offer.kernel = ut_kernel(HWQ, TAG);
  in.kmu_offer.kernel.level = 1;
  in.kmu_offer.kernel.origin.smx = 3;
  cycle();
  serve(false);
  birth(0, KIN);
  cycle();
  for (unsigned n = 0; n < saved; n++) {
    if (n) serve(false);
    save_and_retire();
  }
}

/* TBs of a suspending kernel may be handed out of banks as long as its list has a place for each; sav_full is one
 * cycle old, so one is spare. */
TEST_F(test_sav_full) {
  begin_saved(cfg.sav_max - 3);
  serve(false); /* this one runs */
  cycle();
  assert_int_equal(out.sav_full[0], 0);
  serve(false); /* and this one: SavMax - 1 */
  cycle();
  assert_int_equal(out.sav_full[0], 0);
  cycle();
  assert_int_equal(out.sav_full[0], 1);
  retire(0);
  cycle();
  cycle();
  assert_int_equal(out.sav_full[0], 1);
  cycle();
  assert_int_equal(out.sav_full[0], 0);
}

/* Only a suspending kernel counts, however many of its TBs run. */
TEST_F(test_full_of_running_tbs) {
  begin_saved(0);
  for (unsigned n = 0; n < cfg.sav_max; n++) serve(false);
  cycle();
  cycle();
  assert_int_equal(out.sav_full[0], 0);
  assert_int_equal(out.save_ok[0], 1);
}

/* While there are places the kernel waits for its banks. */
TEST_F(test_no_rest_with_places) {
  in.susp_suspend_free = 1;
  begin_saved(cfg.sav_max - 2);
  for (int t = 0; t < 10; t++) {
    cycle();
    assert_int_equal(out.stall || out.suspend.valid, 0);
  }
}

/* Chosen when the last of its TBs is done: t; steal t + 1; in t + 2 it leaves, and its rest stays. */
static void leave_rest(void) {
  in.susp_suspend_free = 1;
  begin_saved(cfg.sav_max - 1);
  cycle();
  cycle();
  assert_int_equal(out.stall, 1);
}

TEST_F(test_rest) {
  leave_rest();
  cycle();
  assert_int_equal(out.suspend.valid && out.rest.valid, 1);
  assert_int_equal(out.rest.kin, KIN);
  assert_int_equal(out.suspend.kernel.kin, KIN);
  assert_int_equal(out.suspend.kernel.origin.tag, TAG);
  assert_int_equal(out.suspend.kernel.progress.sav_count, cfg.sav_max - 1);
  assert_int_equal(out.free.valid, 0); /* the tag row is written */
  cycle();
  assert_int_equal(out.left[0], 1);
  assert_int_equal(out.free.valid, 1);
  assert_int_equal(out.entry.kdei, 1);
  assert_int_equal(arch()->valid[0], 1);
  assert_int_equal(arch()->host[0], 0);
  assert_int_equal(queued_of(0), 1);
  assert_int_equal(out.suspending[0] || out.kin_valid[0] || out.sav_count[0] || out.sav_first[0], 0);
  assert_int_equal(out.ndone[0] && out.eligible[0], 1);
  assert_int_equal(out.level[0], 1);
}

/* It hands out what banks hold, and leaves as a device kernel, a child of the one that was suspended; no HWQ reopens.
 */
TEST_F(test_rest_ends) {
  leave_rest();
  cycle();
  cycle();
  serve(true);
  retire(0);
  for (unsigned h = 0; h < cfg.num_hwq; h++) assert_int_equal(out.reopen[h], 0);
  do {
    cycle();
    for (unsigned h = 0; h < cfg.num_hwq; h++) assert_int_equal(out.reopen[h], 0);
  } while (!out.leave.valid);
  assert_int_equal(out.leave.origin.rest, 1);
  assert_int_equal(out.leave.origin.up, KIN);
  assert_int_equal(out.leave.origin.smx, 3);
  assert_int_equal(out.leave.origin.host || out.leave.origin.failed || out.leave.kin_valid, 0);
}

/* A rest gets a child, saves a TB and is suspended itself: then nothing stays. */
TEST_F(test_rest_is_suspended) {
  leave_rest();
  cycle();
  cycle();
  serve(true);
  birth(0, KIN + 1);
  cycle();
  save_and_retire();
  do cycle();
  while (!out.suspend.valid);
  assert_int_equal(out.rest.valid, 0);
  assert_int_equal(out.suspend.kernel.kin, KIN + 1);
  assert_int_equal(out.suspend.kernel.origin.rest, 1);
  cycle();
  assert_int_equal(arch()->valid[0], 0);
}

/* Memory loses the group that banks still held, while the kernel leaves: the kernel is suspended as it was, and what
 * stays has failed. */
static void lost_in(unsigned at) {
  leave_rest();
  for (unsigned t = 0; t < 2; t++) {
    if (t == at) {
      /* leave_rest has shown the cycle of steal: the next one is that of send. */
      fail_event(HD_KD_LOST, 0);
    }
    cycle();
    if (t) break;
    assert_int_equal(out.suspend.valid && out.rest.valid, 1);
    assert_int_equal(out.suspend.kernel.origin.failed, 0);
    assert_int_equal(out.suspend.kernel.progress.sav_count, cfg.sav_max - 1);
  }
  do cycle();
  while (!out.leave.valid);
  assert_int_equal(out.leave.origin.rest, 1);
  assert_int_equal(out.leave.origin.failed, 1);
}

TEST_F(test_lost_as_it_leaves) {
  lost_in(0);
}

TEST_F(test_lost_behind) {
  lost_in(1);
}

TEST_MAIN("kd_rest", NULL, NULL)
