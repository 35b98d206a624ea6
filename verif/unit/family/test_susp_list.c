/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Suspended kernels: saved lists, read in chunks for the current kernel. */
#include "unit/family/susp_fixture.h"

/* Waits for a saved TB and takes it. Returns its context pointer, or -1 if none is offered within 60 cycles. */
static long take_saved(void) {
  for (int t = 0; t < 60; t++) {
    hd_susp_eval(m, &in, &out);
    in.sched_saved_pop = out.saved.valid;
    long ctx = out.saved.valid ? (long)out.saved.tb.ctx : -1;
    cycle();
    if (ctx >= 0) return ctx;
  }
  return -1;
}

static void fill_list(unsigned kin, unsigned first, unsigned count) {
  for (unsigned k = 0; k < count; k++) {
    save(kin, (first + k) % cfg.sav_max, 1000 + k);
    idle(6);
  }
}

/* The list of the current kernel is read a chunk at a time and offered in order. */
TEST_F(test_saved_list) {
  fill_list(4, 3, 5);
  bursts = 0;
  current(1, 4, 3, 5); /* followed from t + 1, latched in t + 1, requested in t + 2, available in t + 11 */
  cycle();
  assert_int_equal(arch()->sv_tag, 1);
  assert_int_equal(arch()->sv_pos, 3);
  assert_int_equal(arch()->sv_left, 5);
  cycle();
  assert_int_equal(out.mem.valid, 0);
  cycle();
  assert_int_equal(out.mem.valid, 1);
  assert_true(out.mem.req.addr == BASE * 256 + 4 * cfg.sus_stride + 128);
  idle(8);
  assert_int_equal(out.saved.valid, 0);
  for (int t = 0; t < 3; t++) {
    cycle();
    assert_int_equal(out.saved.valid, 1);
    assert_int_equal(out.saved.kdei, 1);
    assert_int_equal(out.saved.tb.ctx, 1000);
    assert_int_equal(out.saved.tb.level, 0);
  }
  for (unsigned k = 0; k < 5; k++) assert_int_equal(take_saved(), 1000 + k);
  assert_int_equal(take_saved(), -1);
  assert_int_equal(out.saved.tb.ctx || out.saved.kdei, 0);
  assert_int_equal(bursts, 1);
}

/* The list wraps: the last place and the first are in different chunks, or in the same chunk read again. */
TEST_F(test_saved_list_wraps) {
  fill_list(4, 14, 4);
  bursts = 0;
  current(0, 4, 14, 4);
  for (unsigned k = 0; k < 4; k++) assert_int_equal(take_saved(), 1000 + k);
  assert_int_equal(take_saved(), -1);
  assert_int_equal(bursts, 2);
}

/* A long list: one TB per cycle within a chunk; the next chunk is read when it is reached. */
TEST_F(test_chunks) {
  free(m);
  start("k20c");
  fill_list(100, 10, 24);
  bursts = 0;
  current(31, 100, 10, 24);
  for (unsigned k = 0; k < 24; k++) {
    assert_int_equal(take_saved(), 1000 + k);
    assert_int_equal(arch()->sv_left, 23 - k);
    assert_int_equal(arch()->chunk_valid, (10 + k) % 16 != 15);
  }
  assert_int_equal(bursts, 3);
}

/* Another kernel becomes current: its list is followed; data read for the previous one is dropped, including errors. */
TEST_F(test_kernel_changes) {
  fill_list(4, 0, 2);
  save(6, 7, 66);
  idle(6);
  current(0, 4, 0, 2);
  idle(5); /* the chunk is in flight */
  fail = 1;
  current(1, 6, 7, 1);
  cycle();
  assert_int_equal(arch()->op, HD_SUSP_LIST);
  assert_int_equal(arch()->sv_pos, 7);
  assert_int_equal(take_saved(), 66);
  assert_int_equal(out.chunk_fail.valid || out.events.error, 0);
  fail = 0;
  in.kd_sav_count[1] = 0; /* handed out */
  cycle();
  assert_int_equal(arch()->sv_tag, 0);
  in.kd_sav_count[1] = 1; /* saved again */
  cycle();
  assert_int_equal(arch()->sv_tag, 1);
  in.sched_sscr.valid = 0;
  cycle();
  assert_int_equal(arch()->sv_tag || arch()->sv_left, 0);
}

/* The last beat of a chunk arrives in the same cycle in which the kernel changes: dropped as well. */
TEST_F(test_change_at_the_last_beat) {
  fill_list(4, 0, 1);
  current(0, 4, 0, 1);
  while (port != READ || left > 1) cycle();
  in.sched_sscr.valid = 0;
  cycle();
  assert_int_equal(arch()->op, HD_SUSP_IDLE);
  assert_int_equal(arch()->chunk_valid, 0);
  bursts = 0;
  in.sched_sscr.valid = 1;
  assert_int_equal(take_saved(), 1000);
  assert_int_equal(bursts, 1);
}

/* No chunk is read for a list in the cycle in which it is left. */
TEST_F(test_change_before_the_read) {
  current(0, 4, 0, 1);
  cycle();
  in.sched_sscr.valid = 0;
  cycle();
  assert_int_equal(arch()->op, HD_SUSP_IDLE);
  cycle();
  assert_int_equal(out.mem.valid, 0);
}

/* A saved list that cannot be read: fail event of the kernel. */
TEST_F(test_list_error) {
  fail = 1;
  current(1, 4, 0, 2);
  for (int t = 0; t < 20 && !out.chunk_fail.valid; t++) cycle();
  assert_int_equal(out.chunk_fail.kdei, 1);
  assert_int_equal(out.events.error, 1);
  assert_int_equal(out.kin_fail.valid || out.saved.valid, 0);
  in.kd_sav_count[1] = 0;
  cycle();
  assert_int_equal(out.chunk_fail.valid || out.chunk_fail.kdei, 0);
  idle(20);
  assert_int_equal(arch()->sv_tag || arch()->op, 0);
}

TEST_MAIN("susp_list", NULL, NULL)
