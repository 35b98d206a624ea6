/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Parent records: suspension and resume, saves in flight, failures. */
#include "unit/family/kin_fixture.h"

static void fail_row(unsigned row, bool back) {
  in.susp_kin_fail.valid = 1;
  in.susp_kin_fail.kin = (uint16_t)row;
  in.susp_kin_fail.back = back;
}

/* A failed kernel stays while a saved TB of it is being written to memory; one that has not failed does not. */
TEST_F(test_no_save_is_left_behind) {
  struct hd_origin failed = host(5, 0);
  failed.failed = 1;
  birth(0, true);
  cycle();
  leave(failed, 0);
  in.susp_saving = 1;
  for (unsigned k = 0; k < 3; k++) {
    hd_kin_eval(m, &in, &out);
    assert_int_equal(out.leave_ready, 0);
    hd_kin_tick(m, &in);
  }
  assert_int_equal(arch()->gone[0], 0);
  in.kd_leave.origin.failed = 0;
  cycle();
  assert_int_equal(out.leave_ready, 1);
  assert_int_equal(arch()->gone[0], 1);
}

/* Suspended with a child: offered for resume when the child is complete; then it leaves like any other. */
TEST_F(test_resume) {
  birth(1, true);
  cycle();
  suspend(1, host(6, 1));
  cycle();
  assert_int_equal(arch()->susp[1], 1);
  for (int t = 0; t < 5; t++) {
    cycle();
    assert_int_equal(out.resume.valid, 0);
  }
  leave(device(1, 0), -1); /* t */
  cycle();
  cycle();
  cycle(); /* t + 2: ready */
  assert_int_equal(out.resume.valid, 0);
  for (int t = 0; t < 3; t++) {
    cycle();
    assert_int_equal(out.resume.valid, 1);
    assert_int_equal(out.resume.kin, 1);
  }
  in.susp_resume_ready = 1;
  cycle();
  cycle();
  assert_int_equal(out.resume.valid, 0);
  assert_int_equal(arch()->susp[1], 0);
  leave(host(6, 1), 1);
  cycle();
  assert_int_equal(until_done(), 0);
  assert_int_equal(out.kernel_done.failed, 0);
}

/* The children are complete before the parent is suspended: it resumes at once. */
TEST_F(test_children_before_suspension) {
  birth(0, true);
  cycle();
  leave(device(0, 0), -1);
  cycle();
  suspend(0, host(2, 0)); /* the child is in C */
  cycle();
  cycle();
  cycle();
  assert_int_equal(out.resume.valid, 1);
}

/* Ready records go round robin, one at a time: after 1 come 2 and 0. */
TEST_F(test_ready_round_robin) {
  static const unsigned done[] = {1, 0, 2}, expected[] = {1, 2, 0};
  for (unsigned r = 0; r < 3; r++) {
    birth(r, true);
    cycle();
    suspend(r, host(r, 0));
    cycle();
  }
  for (unsigned k = 0; k < 3; k++) {
    leave(device(done[k], 0), -1);
    cycle();
  }
  for (unsigned t = 0; t < 4; t++) cycle();
  in.susp_resume_ready = 1;
  for (unsigned k = 0; k < 3; k++) {
    cycle();
    assert_int_equal(out.resume.valid, 1);
    assert_int_equal(out.resume.kin, expected[k]);
    cycle();
    assert_int_equal(out.resume.valid, 0);
  }
}

/* The record is written by leave and by suspended: the second waits. */
TEST_F(test_suspended_waits_for_leave) {
  birth(0, true);
  cycle();
  birth(1, true);
  cycle();
  leave(host(1, 0), 0);
  suspend(1, host(2, 0));
  cycle();
  assert_int_equal(out.suspended_ready, 0);
  assert_int_equal(arch()->susp[1], 0);
  suspend(1, host(2, 0));
  cycle();
  assert_int_equal(out.suspended_ready, 1);
  assert_int_equal(arch()->susp[1], 1);
}

/* A suspended kernel whose save or record was not written completes as failed when its child is complete. */
TEST_F(test_failed_while_suspended) {
  birth(0, true);
  cycle();
  suspend(0, host(3, 1));
  fail_row(0, false);
  cycle();
  assert_int_equal(until_done(), -1);
  leave(device(0, 0), -1);
  cycle();
  assert_int_equal(until_done(), 2);
  assert_int_equal(out.kernel_done.tag, 3);
  assert_int_equal(out.kernel_done.failed, 1);
  assert_int_equal(out.resume.valid, 0);
}

/* A record that cannot be read: ripe at once, its origin is still known. */
TEST_F(test_not_read_back) {
  birth(0, true);
  cycle();
  leave(device(0, 0), -1);
  cycle();
  cycle();
  suspend(0, host(3, 1));
  in.susp_resume_ready = 1;
  for (int t = 0; t < 3; t++) cycle();
  assert_int_equal(arch()->susp[0], 0);
  fail_row(0, true);
  cycle();
  assert_int_equal(until_done(), 1);
  assert_int_equal(out.kernel_done.tag, 3);
  assert_int_equal(out.kernel_done.failed, 1);
  cycle();
  assert_int_equal(out.reopen[1], 1);
}

/* A failure in the KD is reported; the next user of the record starts clean. */
TEST_F(test_failed_is_told_and_forgotten) {
  struct hd_origin bad = host(1, 0);
  bad.failed = 1;
  leave(bad, -1);
  cycle();
  assert_int_equal(until_done(), 0);
  assert_int_equal(out.kernel_done.failed, 1);
  birth(0, true);
  cycle();
  fail_row(0, false);
  leave(device(0, 0), -1);
  cycle();
  cycle();
  leave(host(2, 0), 0);
  cycle();
  assert_int_equal(until_done(), 0);
  assert_int_equal(out.kernel_done.failed, 1);
  birth(0, true);
  cycle();
  assert_int_equal(arch()->failed[0] || arch()->gone[0] || arch()->susp[0], 0);
}

/* A kernel with one child is suspended, and leaves a rest behind. */
static void leaves_rest(bool as_a_birth_comes) {
  birth(1, true);
  cycle();
  in.kd_rest.valid = 1;
  in.kd_rest.kin = 1;
  cycle();
  if (as_a_birth_comes) birth(2, true);
  cycle();
  assert_int_equal(arch()->children[1], as_a_birth_comes ? 1 : 2);
  cycle();
  assert_int_equal(arch()->children[1], 2);
  suspend(1, host(6, 1));
  cycle();
}

/* The rest of a kernel is a child like any other: the kernel resumes when the rest is complete too. */
TEST_F(test_rest) {
  struct hd_origin rest = device(1, 0);
  rest.rest = 1;
  leaves_rest(false);
  leave(device(1, 0), -1);
  for (int t = 0; t < 6; t++) {
    cycle();
    assert_int_equal(out.resume.valid, 0);
  }
  leave(rest, -1);
  for (int t = 0; t < 4; t++) cycle();
  assert_int_equal(out.resume.valid, 1);
  assert_int_equal(out.resume.kin, 1);
}

/* A birth is counted first. */
TEST_F(test_rest_and_birth) {
  leaves_rest(true);
  assert_int_equal(arch()->children[2], 1);
}

/* A kernel that has lost a part does not resume: with its last child it is complete, as failed. */
TEST_F(test_rest_fails) {
  struct hd_origin rest = device(1, 0);
  rest.rest = rest.failed = 1;
  leaves_rest(false);
  leave(rest, -1);
  for (int t = 0; t < 6; t++) {
    cycle();
    assert_int_equal(out.resume.valid || out.kernel_done_valid, 0);
  }
  leave(device(1, 0), -1);
  assert_in_range(until_done(), 0, 4);
  assert_int_equal(out.kernel_done.failed, 1);
}

TEST_MAIN("kin_suspend", NULL, NULL)
