/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Device launches: kernels and saves, their effects and the conditions that they wait for. */
#include "unit/launch/devq_fixture.h"

/* A kernel: child and pool entry in A3, with what the TB's kernel has as parent record. */
TEST_F(test_kernel) {
  struct hd_devlaunch d = beat(HD_KIND_KERNEL, true);
  d.stream = 3;
  d.desc.param = 0x4001;
  d.threads = 33;
  offer(7, d);
  for (unsigned t = 0; t < 4; t++) cycle();
  assert_int_equal(out.push.valid && out.birth.valid, 1);
  assert_int_equal(out.birth.kdei, 5);
  assert_int_equal(out.birth.kin, 17);
  assert_int_equal(out.birth.alloc, 0);
  assert_memory_equal(&out.push.kernel.desc, &d.desc, sizeof d.desc);
  assert_int_equal(out.push.kernel.need.warps, 2);
  assert_int_equal(out.push.kernel.need.regs, 4);
  assert_int_equal(out.push.kernel.ctas, 4);
  assert_int_equal(out.push.kernel.level, 2);
  assert_int_equal(out.push.kernel.stream, 3);
  assert_int_equal(out.push.kernel.up, 17);
  assert_int_equal(out.push.kernel.smx, 7);
  assert_int_equal(out.event[0], 1);
  assert_int_equal(answer(7), HD_CODE_ACCEPTED);
}

/* The first child of a kernel takes the free record. */
TEST_F(test_first_child) {
  in.kd_kin_valid[5] = 0;
  offer(0, beat(HD_KIND_KERNEL, true));
  for (unsigned t = 0; t < 4; t++) cycle();
  assert_int_equal(out.birth.alloc, 1);
  assert_int_equal(out.birth.kin, 40);
  assert_int_equal(out.push.kernel.up, 40);
}

/* One kernel or save at a time in A2 and A3: one per 3 cycles. */
TEST_F(test_kernels_one_per_3_cycles) {
  for (unsigned t = 0; t < 60; t++) {
    offer(0, beat(HD_KIND_KERNEL, true));
    cycle();
    assert_int_equal(out.push.valid, t >= 3 && t % 3 == 0);
  }
}

/* Groups without a kernel of their key, or that no AGE can hold, continue as kernels. */
TEST_F(test_unmatched) {
  in.match_found.hit = in.match_found.kdei = 0;
  offer(0, beat(HD_KIND_GROUP, true));
  for (unsigned t = 0; t < 4; t++) cycle();
  assert_int_equal(out.push.valid, 1);
  assert_int_equal(out.event[3], 1);
  assert_int_equal(out.kind, HD_KIND_GROUP);
  assert_int_equal(out.unhold.valid, 0);
  assert_int_equal(answer(0), HD_CODE_ACCEPTED);
}

/* The level goes up to the highest and stays there. */
TEST_F(test_level) {
  static const uint8_t want[] = {1, 2, 3, 4, 4};
  for (unsigned k = 0; k < 5; k++) {
    in.sched_look.level = (uint8_t)k;
    offer(0, beat(HD_KIND_GROUP, true));
    for (unsigned t = 0; t < 3; t++) cycle();
    assert_int_equal(out.group.info.level, want[k]);
  }
}

/* A save: context pointer, level of the TB itself, the next place of the saved list, which is a ring. */
TEST_F(test_save) {
  struct hd_devlaunch d = beat(HD_KIND_SAVE, true);
  d.desc = (struct hd_desc){.param = 0xabcd};
  d.threads = d.ctas = 0; /* irrelevant fields do not count */
  in.kd_sav_first[5] = (uint16_t)(cfg.sav_max - 2);
  in.kd_sav_count[5] = 5;
  offer(0, d);
  for (unsigned t = 0; t < 4; t++) cycle();
  assert_int_equal(out.save.valid, 1);
  assert_int_equal(out.save.kdei, 5);
  assert_int_equal(out.save.kin, 17);
  assert_int_equal(out.save.pos, 3);
  assert_true(out.save.tb.ctx == 0xabcd);
  assert_int_equal(out.save.tb.level, 1);
  assert_int_equal(out.event[4], 1);
  assert_int_equal(answer(0), HD_CODE_ACCEPTED);
}

/* Kernels wait for the pool, saves for the suspension unit; a group needs neither. */
TEST_F(test_waits_for_room) {
  in.pool_room.ready = in.susp_save_room = 0;
  assert_int_equal(answer_to(beat(HD_KIND_GROUP, true)), HD_CODE_ACCEPTED);
  offer(0, beat(HD_KIND_KERNEL, true));
  for (unsigned t = 0; t < 5; t++) cycle();
  assert_int_equal(arch()->a2_valid, 0);
  in.pool_room.ready = 1;
  assert_int_equal(answer(0), HD_CODE_ACCEPTED);
  offer(0, beat(HD_KIND_SAVE, true));
  for (unsigned t = 0; t < 5; t++) cycle();
  assert_int_equal(arch()->a2_valid, 0);
  in.susp_save_room = 1;
  assert_int_equal(answer(0), HD_CODE_ACCEPTED);
}

/* A kernel in A2 or A3 does not delay a group behind it; an illegal one delays a kernel only while it is in A1. */
TEST_F(test_kernel_then_group) {
  struct hd_devlaunch bad = beat(HD_KIND_KERNEL, false);
  bad.ctas = 0;
  const struct hd_devlaunch beats[] = {bad, beat(HD_KIND_KERNEL, false), beat(HD_KIND_GROUP, true)};
  for (unsigned t = 0, n = 0; t < 7; t++) {
    if (n < 3 && !in.dev_launch_valid[0]) offer(0, beats[n++]);
    cycle();
    assert_int_equal(out.push.valid, t == 5);
    assert_int_equal(out.unhold.valid, t == 6);
  }
}

TEST_MAIN("devq_kernels", NULL, NULL)
