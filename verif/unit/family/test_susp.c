/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Suspended kernels: saves, records, resumed kernels, precedence, errors. */
#include "unit/family/susp_fixture.h"

static struct hd_kernel kernel(unsigned kin, unsigned first, unsigned count) {
  struct hd_kernel k;
  memset(&k, 0, sizeof k);
  k.desc = ut_launch(0, kin).desc;
  k.need = (struct hd_need){.warps = 1, .regs = 2, .smem = 3};
  k.ctas = 1000 + kin;
  k.level = 2;
  k.origin.up = 1;
  k.origin.stream = 3;
  k.origin.smx = 1;
  k.kin = (uint16_t)kin;
  k.progress.nextbl = 17;
  k.progress.sav_first = (uint16_t)first;
  k.progress.sav_count = (uint16_t)count;
  return k;
}

static void suspend(unsigned kin, unsigned first, unsigned count) {
  in.kd_suspend.valid = 1;
  in.kd_suspend.kernel = kernel(kin, first, count);
  in.link_list = (struct hd_list){.pending = 1, .chained = 1, .nagei = 2, .lagei = 3};
  in.ovfq_taken = (struct hd_memlist){.first = 77, .count = 5};
  cycle();
  in.kd_suspend.kernel = (struct hd_kernel){0};
  in.link_list = (struct hd_list){0};
  in.ovfq_taken = (struct hd_memlist){0};
}

/* kin requests until the record is accepted for reading. */
static void resume(unsigned kin) {
  in.kin_resume.valid = 1;
  in.kin_resume.kin = (uint16_t)kin;
  for (int t = 0; t < 60; t++) {
    cycle();
    if (!out.resume_ready) continue;
    in.kin_resume.valid = in.kin_resume.kin = 0;
    return;
  }
  fail_msg("the record is never read");
}

TEST_F(test_empty_after_reset) {
  cycle();
  assert_int_equal(out.save_room && out.suspend_free && out.resume_ready, 1);
  assert_int_equal(out.suspended.valid || out.head.valid || out.saved.valid || out.mem.valid || out.kin_fail.valid, 0);
}

/* Given in t: latched in t + 1, requested in t + 2; one beat, half of it written. */
TEST_F(test_save) {
  uint64_t list = 3 * cfg.sus_stride + 128;
  memset(memory, 0xee, sizeof memory);
  save(3, 5, 0x123456789b);
  cycle();
  assert_int_equal(out.mem.valid, 0);
  cycle();
  assert_int_equal(out.mem.valid, 1);
  assert_int_equal(out.mem.req.write, 1);
  assert_int_equal(out.mem.req.len, 0);
  assert_true(out.mem.req.addr == BASE * 256 + list + 32);
  assert_int_equal(out.mem.wbeat.strb, 0xff00);
  assert_true(out.mem.wbeat.lo == 0);
  idle(2); /* beat, B */
  assert_int_equal(arch()->save_count, 0);
  save(3, 6, 0x21);
  idle(4);
  assert_true(word_at(list + 40) == (0x123456789b | (uint64_t)(0x123456789b % 5) << 40));
  assert_true(word_at(list + 48) == (0x21 | UINT64_C(3) << 40));
  assert_true(word_at(list + 32) == UINT64_C(0xeeeeeeeeeeeeeeee));
  assert_true(word_at(list + 56) == UINT64_C(0xeeeeeeeeeeeeeeee));
}

/* There is room for three unanswered saves. */
TEST_F(test_save_room) {
  frozen = 1;
  for (unsigned k = 0; k < 3; k++) {
    save(1, k, 100 + k);
    assert_int_equal(out.save_room, 1);
  }
  cycle();
  assert_int_equal(out.save_room, 0);
  assert_int_equal(out.saving, 1);
  frozen = 0;
  idle(30);
  for (unsigned k = 0; k < 3; k++) assert_int_equal(memory[cfg.sus_stride + 128 + 8 * k], 100 + k);
  assert_int_equal(out.save_room, 1);
  assert_int_equal(out.saving, 0);
}

/* The record is written, then reported to kin; then the place is free. */
TEST_F(test_suspend) {
  suspend(2, 1, 3); /* t */
  cycle();
  assert_int_equal(out.suspend_free, 0);
  assert_int_equal(out.mem.valid, 0);
  cycle();
  assert_int_equal(out.mem.valid, 1);
  assert_int_equal(out.mem.req.len, 7);
  assert_true(out.mem.req.addr == BASE * 256 + 2 * cfg.sus_stride);
  idle(9); /* beats, B */
  assert_int_equal(out.suspended.valid, 0);
  cycle();
  assert_int_equal(out.events.suspend, 1);
  for (int t = 0; t < 5; t++) {
    assert_int_equal(out.suspended.valid, 1);
    assert_int_equal(out.suspended.kin, 2);
    assert_int_equal(out.suspended.origin.stream, 3);
    assert_int_equal(out.suspended.origin.smx, 1);
    assert_int_equal(out.suspend_free, 0);
    cycle();
    assert_int_equal(out.events.suspend, 0);
  }
  in.kin_suspended_ready = 1;
  cycle();
  cycle();
  assert_int_equal(out.suspended.valid || out.suspended.kin || out.suspended.origin.stream, 0);
  assert_int_equal(out.suspend_free, 1);
  assert_int_equal(bursts, 1);
  assert_true(word_at(2 * cfg.sus_stride + 56) == (UINT64_C(3) << 32 | 2));
  assert_true(word_at(2 * cfg.sus_stride + 72) == (UINT64_C(5) << 32 | 77));
  assert_int_equal(memory[2 * cfg.sus_stride + 70], 1);
}

/* A record is written after the earlier saves, and after those that arrive while it waits. */
TEST_F(test_saves_before_the_record) {
  frozen = 1;
  save(1, 0, 9);
  suspend(1, 0, 2);
  save(1, 1, 10);
  frozen = 0;
  idle(12); /* two writes of one beat, 5 cycles each, then the record */
  assert_int_equal(arch()->save_count, 0);
  assert_int_equal(arch()->op, HD_SUSP_RECORD);
  assert_int_equal(memory[cfg.sus_stride + 128], 9);
  assert_int_equal(memory[cfg.sus_stride + 136], 10);
}

/* A resumed kernel is unchanged, with the SMX that launched it, in the cycle after its last beat. */
TEST_F(test_resume) {
  suspend(5, 4, 1);
  while (arch()->record_valid) {
    in.kin_suspended_ready = 1;
    cycle();
  }
  resume(5); /* t */
  cycle();
  assert_int_equal(out.mem.valid, 1);
  assert_int_equal(out.mem.req.write, 0);
  idle(8);
  assert_int_equal(out.head.valid, 0);
  cycle();
  assert_int_equal(out.head.valid, 1);
  assert_int_equal(out.events.resume, 1);
  struct hd_kernel k = kernel(5, 4, 1);
  k.resumed = 1;
  k.groups = (struct hd_list){.pending = 1, .chained = 1, .nagei = 2, .lagei = 3};
  k.over = (struct hd_memlist){.first = 77, .count = 5};
  for (int t = 0; t < 3; t++) {
    cycle();
    assert_memory_equal(&out.head.kernel, &k, sizeof k);
    assert_int_equal(out.resume_ready, 0); /* one at a time */
  }
  in.kmu_susp_pop = 1;
  cycle();
  cycle();
  assert_int_equal(out.head.valid || out.head.kernel.ctas || out.events.resume, 0);
  assert_int_equal(out.resume_ready, 1);
}

/* Pending work is done in this order: save, record, chunk, resume. */
TEST_F(test_order) {
  frozen = 1;
  save(1, 0, 1);
  cycle(); /* its request is pending */
  suspend(2, 0, 0);
  current(0, 4, 0, 1);
  in.kin_resume.valid = 1;
  in.kin_resume.kin = 3;
  cycle();
  save(1, 1, 1);
  frozen = 0;
  static const unsigned expected[] = {HD_SUSP_SAVE, HD_SUSP_SAVE, HD_SUSP_RECORD, HD_SUSP_LIST, HD_SUSP_RESUME};
  for (unsigned k = 0; k < 5; k++) {
    while (arch()->op == HD_SUSP_IDLE) cycle();
    assert_int_equal(arch()->op, expected[k]);
    if (expected[k] == HD_SUSP_RESUME) {
      assert_int_equal(out.resume_ready, 1);
      break;
    }
    assert_int_equal(out.resume_ready, 0);
    while (arch()->op != HD_SUSP_IDLE) cycle();
  }
}

/* A save that fails is reported to its parent record; those behind it continue. */
TEST_F(test_save_error) {
  fail = 1;
  save(7, 0, 1);
  save(6, 0, 2);
  for (int t = 0; t < 20 && !out.kin_fail.valid; t++) cycle();
  assert_int_equal(out.kin_fail.valid, 1);
  assert_int_equal(out.kin_fail.kin, 7);
  assert_int_equal(out.kin_fail.back, 0);
  assert_int_equal(out.events.error, 1);
  cycle();
  assert_int_equal(out.kin_fail.valid || out.kin_fail.kin || out.events.error, 0);
  idle(10);
  assert_int_equal(memory[6 * cfg.sus_stride + 128], 2);
}

/* A record that fails is still reported as suspended, with the error. */
TEST_F(test_record_error) {
  fail = 1;
  suspend(2, 0, 0);
  for (int t = 0; t < 20 && !out.suspended.valid; t++) cycle();
  assert_int_equal(out.kin_fail.valid && out.kin_fail.kin == 2 && !out.kin_fail.back && out.events.error, 1);
  assert_int_equal(out.events.suspend, 0);
  cycle();
  assert_int_equal(out.suspended.valid, 1);
  assert_int_equal(out.kin_fail.valid, 0);
}

/* A kernel that cannot be read, for each failing beat. */
TEST_F(test_resume_error) {
  fail = 1;
  resume(3);
  for (int t = 0; t < 20 && !out.kin_fail.valid; t++) cycle();
  assert_int_equal(out.kin_fail.kin, 3);
  assert_int_equal(out.kin_fail.back && out.events.error, 1);
  assert_int_equal(out.head.valid || out.events.resume, 0);
  assert_int_equal(out.resume_ready, 1);
}

/* Reset with work in flight leaves the state of a new model, byte for byte. */
TEST_F(test_reset) {
  struct hd_susp *fresh = ut_new(hd_susp_size(&cfg));
  hd_susp_init(fresh, &cfg);
  save(1, 2, 3);
  suspend(1, 2, 1);
  current(1, 4, 0, 2);
  idle(3);
  assert_memory_not_equal(m, fresh, hd_susp_size(&cfg));
  hd_susp_reset(m);
  assert_memory_equal(m, fresh, hd_susp_size(&cfg));
  free(fresh);
}

TEST_MAIN("susp", NULL, NULL)
