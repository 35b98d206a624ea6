/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Parent records: children, the order of completion, streams. */
#include "unit/family/kin_fixture.h"

TEST_F(test_empty_after_reset) {
  cycle();
  assert_int_equal(out.free.valid, 1);
  assert_int_equal(out.free.kin, 0);
  assert_int_equal(out.leave_ready && out.lost_ready && out.suspended_ready, 1);
  assert_int_equal(out.kernel_done_valid || out.resume.valid || out.stream_done.valid, 0);
}

/* A kernel without children: kernel_done in the cycle after it has left; its HWQ was opened by the KD. */
TEST_F(test_no_children) {
  leave(host(7, 1), -1);
  cycle();
  assert_int_equal(out.leave_ready, 1);
  cycle();
  assert_int_equal(out.kernel_done_valid, 1);
  assert_int_equal(out.kernel_done.tag, 7);
  assert_int_equal(out.kernel_done.failed, 0);
  cycle();
  assert_int_equal(out.kernel_done_valid || out.kernel_done.tag || out.reopen[1], 0);
}

/* Kernels complete one per cycle. */
TEST_F(test_one_per_cycle) {
  for (unsigned k = 0; k < 20; k++) {
    leave(host(k, 0), -1);
    cycle();
    assert_int_equal(out.leave_ready, 1);
    assert_int_equal(out.kernel_done_valid, k > 0);
    if (k) assert_int_equal(out.kernel_done.tag, k - 1);
  }
}

/* The first child takes the lowest free record. */
TEST_F(test_records_are_allocated) {
  for (unsigned r = 0; r < 8; r++) {
    cycle();
    assert_int_equal(out.free.kin, r);
    birth(r, true);
    cycle();
  }
  cycle();
  assert_int_equal(out.free.valid, 0);
  assert_int_equal(out.free.kin, 0);
  assert_int_equal(arch()->children[7], 1);
}

/* The parent leaves first: kernel_done waits for its child, then its HWQ opens. */
TEST_F(test_parent_waits) {
  birth(0, true);
  cycle();
  leave(host(9, 1), 0);
  cycle();
  assert_int_equal(arch()->gone[0], 1);
  assert_int_equal(arch()->row[0].tag, 9);
  assert_int_equal(until_done(), -1);
  leave(device(0, 0), -1); /* t */
  cycle();
  cycle(); /* t + 1: in C */
  assert_int_equal(out.kernel_done_valid, 0);
  assert_int_equal(arch()->children[0], 0);
  cycle(); /* t + 2: ripe */
  assert_int_equal(out.leave_ready, 0);
  cycle(); /* t + 3: C */
  assert_int_equal(out.kernel_done_valid, 1);
  assert_int_equal(out.kernel_done.tag, 9);
  assert_int_equal(out.reopen[1], 0);
  cycle();
  assert_int_equal(out.reopen[1], 1);
  assert_int_equal(arch()->valid[0], 0);
  cycle();
  assert_int_equal(out.reopen[1], 0);
}

/* The child completes first: the parent completes as it leaves. Its HWQ opens with kernel_done. */
TEST_F(test_child_first) {
  birth(0, true);
  cycle();
  leave(device(0, 0), -1);
  cycle();
  cycle();
  leave(host(3, 0), 0);
  cycle();
  assert_int_equal(until_done(), 0);
  cycle();
  assert_int_equal(out.reopen[0], 1);
  assert_int_equal(arch()->valid[0], 0);
}

/* The last child completes in the same cycle in which the parent leaves: no event is lost or reported twice. */
TEST_F(test_child_in_the_cycle_of_leave) {
  birth(0, true);
  cycle();
  leave(device(0, 0), -1);
  cycle();
  leave(host(3, 0), 0); /* A birth and a completion of one record in a cycle cancel out. */
  cycle();
  assert_int_equal(arch()->gone[0], 1);
  assert_int_equal(until_done(), 1);
  assert_int_equal(out.kernel_done.tag, 3);
  assert_int_equal(until_done(), -1);
}

/* A birth and a completion of one record in a cycle leave the count unchanged. */
TEST_F(test_birth_and_completion) {
  birth(2, true);
  cycle();
  leave(device(2, 0), -1);
  cycle();
  birth(2, false);
  cycle();
  assert_int_equal(arch()->children[2], 1);
  assert_int_equal(arch()->valid[2], 1);
}

/* A chain: each completes after the next below it. */
TEST_F(test_chain) {
  for (unsigned r = 0; r < 4; r++) {
    birth(r, true);
    cycle();
  }
  leave(host(1, 0), 0);
  cycle();
  for (unsigned r = 1; r < 4; r++) {
    leave(device(r - 1, 0), (int)r);
    cycle();
  }
  assert_int_equal(until_done(), -1);
  leave(device(3, 0), -1);
  cycle();
  assert_int_equal(until_done(), 2 * 4);
  for (unsigned r = 0; r < 4; r++) assert_int_equal(arch()->valid[r], 0);
}

/* Ripe records go round robin, and before kernels that leave. */
TEST_F(test_ripe_round_robin) {
  static const unsigned tags[] = {10, 11, 12};
  for (unsigned r = 0; r < 3; r++) {
    birth(r, true);
    cycle();
    leave(host(tags[r], 0), (int)r);
    cycle();
  }
  in.kernel_done_ready = 0;
  leave(host(99, 0), -1);
  cycle();
  in.kernel_done_ready = 1;
  leave(device(2, 0), -1);
  cycle();
  leave(device(1, 0), -1);
  cycle();
  leave(device(0, 0), -1);
  cycle();
  assert_int_equal(out.leave_ready, 0); /* record 2 is ripe */
  leave(device(0, 0), -1);
  cycle();
  assert_int_equal(out.kernel_done.tag, 12);
  assert_int_equal(out.leave_ready, 0);
  leave(device(0, 0), -1);
  cycle();
  assert_int_equal(out.kernel_done.tag, 11);
  assert_int_equal(out.leave_ready, 1);
  assert_int_equal(until_done(), 2);
  assert_int_equal(out.kernel_done.tag, 10);
}

/* kernel_done stays until it is taken; no other kernel completes meanwhile. */
TEST_F(test_done_holds) {
  in.kernel_done_ready = 0;
  leave(host(5, 0), -1);
  cycle();
  for (int t = 0; t < 4; t++) {
    leave(host(6, 0), -1);
    in.pool_lost.valid = 1;
    cycle();
    assert_int_equal(out.kernel_done.tag, 5);
    assert_int_equal(out.leave_ready || out.lost_ready, 0);
  }
  in.kernel_done_ready = 1;
  leave(host(6, 0), -1);
  cycle();
  assert_int_equal(out.leave_ready, 1);
  assert_int_equal(until_done(), 0);
  assert_int_equal(out.kernel_done.tag, 6);
}

/* A kernel lost by the pool counts as complete, before one that leaves, and its stream continues. */
TEST_F(test_lost) {
  birth(0, true);
  cycle();
  leave(host(4, 0), 0);
  cycle();
  in.pool_lost.valid = 1;
  in.pool_lost.up = 0;
  in.pool_lost.stream = 3;
  leave(host(8, 0), -1);
  cycle();
  assert_int_equal(out.lost_ready, 1);
  assert_int_equal(out.leave_ready, 0);
  cycle();
  cycle();
  assert_int_equal(out.stream_done.valid, 1);
  assert_int_equal(out.stream_done.stream, 3);
  assert_int_equal(until_done(), 0);
  assert_int_equal(out.kernel_done.tag, 4);
  assert_int_equal(out.kernel_done.failed, 0);
}

/* The completion of a device kernel is reported to its stream; stream 0 is none. */
TEST_F(test_stream_done) {
  birth(0, true);
  cycle();
  birth(0, false);
  leave(device(0, 2), -1);
  cycle();
  leave(device(0, 0), -1);
  cycle();
  assert_int_equal(out.stream_done.valid, 0);
  cycle();
  assert_int_equal(out.stream_done.valid, 1);
  assert_int_equal(out.stream_done.stream, 2);
  cycle();
  assert_int_equal(out.stream_done.valid || out.stream_done.stream, 0);
}

/* Reset with work in flight leaves the state of a new model, byte for byte. */
TEST_F(test_reset) {
  struct hd_kin *fresh = ut_new(hd_kin_size(&cfg));
  hd_kin_init(fresh, &cfg);
  birth(0, true);
  cycle();
  suspend(0, host(3, 1));
  cycle();
  leave(host(2, 1), -1);
  in.kernel_done_ready = 0;
  cycle();
  assert_memory_not_equal(m, fresh, hd_kin_size(&cfg));
  hd_kin_reset(m);
  assert_memory_equal(m, fresh, hd_kin_size(&cfg));
  free(fresh);
}

TEST_MAIN("kin", NULL, NULL)
