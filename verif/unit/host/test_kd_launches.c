/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The Kernel Distributor: kernels whose TBs launch, conditions that keep them in the KD, and the reports when they
   leave. */
#include "unit/host/kd_fixture.h"

/* Groups linked, in flight from A1 to A3, or with an unanswered pointer: each alone keeps an unmarked kernel. */
TEST_F(test_what_keeps_a_kernel) {
  enter(0, 1);
  in.devq_hold.valid = 1;
  cycle();
  in.fcfs_marked[0] = 0;
  in.link_pending[0] = 1;
  cycle();
  in.devq_unhold.valid = 1;
  cycle();
  cycle();
  in.ovfq_unanswered[0] = 1;
  in.link_pending[0] = 0;
  cycle();
  in.ovfq_unanswered[0] = 0;
  in.devq_hold.valid = 1; /* in this very cycle */
  cycle();
  assert_int_equal(arch()->hold[0], 1);
  cycle();
  in.devq_unhold.valid = 1; /* counts at the end of the cycle */
  cycle();
  assert_int_equal(arch()->valid[0], 1);
  cycle();
  assert_int_equal(arch()->valid[0], 0);
  cycle();
  assert_int_equal(out.left[0], 1);
  cycle();
  assert_int_equal(out.left[0], 0);
}

/* Two groups of a kernel in A2 and A3, a third one leaves A1 while the first leaves A3: the count does not change. */
TEST_F(test_hold_is_net) {
  enter(0, 1);
  for (int t = 0; t < 2; t++) {
    in.devq_hold.valid = 1;
    cycle();
  }
  in.devq_hold.valid = in.devq_unhold.valid = 1;
  cycle();
  assert_int_equal(arch()->hold[0], 2);
  for (int t = 0; t < 2; t++) {
    in.devq_unhold.valid = 1;
    cycle();
  }
  assert_int_equal(arch()->hold[0], 0);
}

/* A kernel with a parent record keeps its HWQ closed and reports the record when it leaves. */
TEST_F(test_parent_leaves) {
  enter(9, 77);
  grant(0);
  cycle();
  birth(0, 21);
  cycle();
  cycle();
  assert_int_equal(out.kin_valid[0], 1);
  assert_int_equal(out.kin[0], 21);
  assert_int_equal(out.save_ok[0], 1);
  in.fcfs_marked[0] = 0;
  retire(0);
  cycle();
  cycle();
  assert_int_equal(arch()->pend_kin_valid[0], 1);
  assert_int_equal(arch()->pend_kin[0], 21);
  cycle();
  assert_int_equal(out.reopen[9], 0);
  assert_int_equal(out.left[0], 1);
  assert_int_equal(out.kin_valid[0] || out.kin[0] || out.save_ok[0], 0);
  cycle();
  assert_int_equal(out.leave.valid, 1);
  assert_int_equal(out.leave.origin.tag, 77);
  assert_int_equal(out.leave.kin_valid, 1);
  assert_int_equal(out.leave.kin, 21);
  assert_int_equal(out.leave.origin.failed, 0);
}

/* A device kernel has no HWQ to reopen. */
TEST_F(test_device_kernel_leaves) {
  in.kmu_offer.valid = 1;
  in.kmu_offer.kernel = ut_kernel(0, 0);
  in.kmu_offer.kernel.origin = (struct hd_origin){.up = 9, .stream = 3, .smx = 1};
  in.kmu_offer.kernel.level = 2;
  cycle();
  in.fcfs_marked[0] = 1;
  cycle();
  assert_int_equal(out.level[0], 2);
  in.fcfs_marked[0] = 0;
  cycle();
  cycle();
  assert_int_equal(out.reopen[0], 0);
  cycle();
  assert_int_equal(out.leave.valid, 1);
  assert_int_equal(out.leave.origin.host, 0);
  assert_int_equal(out.leave.origin.up, 9);
  assert_int_equal(out.leave.origin.stream, 3);
  assert_int_equal(out.leave.origin.smx, 1);
  assert_int_equal(out.leave.kin_valid, 0);
}

TEST_MAIN("kd_launches", NULL, NULL)
