/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The Kernel Management Unit: round robin of host kernels, device kernels and suspended kernels. */
#include "unit/host/kmu_fixture.h"

/* A device kernel as the pool offers it. */
static struct hd_devk device_kernel(unsigned n) {
  struct hd_devk d = {.desc = ut_launch(0, n).desc, .need = {.warps = 3, .regs = 5, .smem = 7}, .ctas = 11};
  d.level = 2;
  d.stream = 4;
  d.up = (uint16_t)n;
  d.smx = 12;
  return d;
}

/* A device kernel picked in t is offered to the KD in t+1, with the parent record that waits for it and the SMX that
 * launched it. */
TEST_F(test_device_kernel) {
  in.pool_head.valid = 1;
  in.pool_head.kernel = device_kernel(77);
  cycle();
  assert_int_equal(out.pool_pop, 1);
  assert_int_equal(out.susp_pop, 0);
  in.pool_head.valid = 0;
  cycle();
  assert_int_equal(out.pool_pop, 0);
  struct hd_kernel want = {.desc = in.pool_head.kernel.desc, .need = in.pool_head.kernel.need, .ctas = 11, .level = 2};
  want.origin.up = 77;
  want.origin.stream = 4;
  want.origin.smx = 12;
  assert_int_equal(out.offer.valid, 1);
  assert_memory_equal(&out.offer.kernel, &want, sizeof want);
}

/* A suspended kernel is offered as it was read from memory. */
TEST_F(test_resumed_kernel) {
  in.susp_head.valid = 1;
  in.susp_head.kernel = ut_kernel(7, 70);
  in.susp_head.kernel.resumed = 1;
  in.susp_head.kernel.kin = 5;
  in.susp_head.kernel.progress = (struct hd_progress){.nextbl = 3, .sav_first = 15, .sav_count = 2};
  in.susp_head.kernel.groups.pending = 1;
  in.susp_head.kernel.groups.chained = 1;
  in.susp_head.kernel.groups.nagei = 12;
  in.susp_head.kernel.over = (struct hd_memlist){.first = 9, .count = 4};
  cycle();
  assert_int_equal(out.susp_pop, 1);
  assert_int_equal(out.pool_pop, 0);
  in.susp_head.valid = 0;
  cycle();
  assert_int_equal(out.susp_pop, 0);
  assert_int_equal(out.offer.valid, 1);
  assert_memory_equal(&out.offer.kernel, &in.susp_head.kernel, sizeof in.susp_head.kernel);
}

/* No kernel is taken from pool or suspension while the KD does not accept the offered one. */
TEST_F(test_no_pop_while_the_stage_holds) {
  in.pool_head.valid = in.susp_head.valid = 1;
  in.pool_head.kernel = device_kernel(1);
  in.susp_head.kernel = ut_kernel(1, 1);
  cycle();
  assert_int_equal(out.pool_pop + out.susp_pop, 1);
  for (int t = 0; t < 5; t++) {
    cycle();
    assert_int_equal(out.offer.valid, 1);
    assert_int_equal(out.pool_pop + out.susp_pop, 0);
  }
  in.kd_entry.valid = 1;
  cycle();
  assert_int_equal(out.pool_pop + out.susp_pop, 1);
}

/* Sets the waiting kernels of the other classes; returns the picked class: 0 host, 1 device, 2 suspended. */
struct turn {
  uint8_t dev, res, class;
};

/* Picks a kernel in each of n cycles; it is offered in the next. */
static void take_turns(const struct turn *turn, size_t n) {
  for (size_t i = 0; i < n; i++) {
    in.pool_head.valid = turn[i].dev;
    in.susp_head.valid = turn[i].res;
    cycle();
    assert_int_equal(out.pool_pop, turn[i].class == 1);
    assert_int_equal(out.susp_pop, turn[i].class == 2);
    in.pool_head.valid = in.susp_head.valid = 0;
    hd_kmu_eval(m, &in, &out);
    assert_int_equal(out.offer.valid, 1);
    assert_int_equal(out.offer.kernel.origin.host, turn[i].class != 1);
    assert_int_equal(out.offer.kernel.resumed, turn[i].class == 2);
  }
}

/* Host, device, suspended: the class after the last one picked has priority; one without a kernel is skipped. */
TEST_F(test_classes_take_turns) {
  in.pool_head.kernel = device_kernel(1);
  in.susp_head.kernel = ut_kernel(1, 1);
  in.susp_head.kernel.resumed = 1;
  for (unsigned h = 0; h < 4; h++) answer_to(ut_launch(h, h)); /* HWQ 0 is in the output stage: the pointer is at 1 */
  in.kd_entry.valid = 1;
  static const struct turn turns[] = {{1, 1, 1}, {1, 1, 2}, {1, 1, 0}, {0, 1, 2}, {1, 0, 0},
                                      {0, 0, 0}, {1, 1, 1}, {1, 0, 1}, {0, 1, 2}};
  take_turns(turns, sizeof turns / sizeof *turns);
  cycle();
  cycle();
  assert_int_equal(out.offer.valid, 0);
  static struct hd_kmu_arch a;
  hd_kmu_arch(m, &a, false);
  assert_int_equal(a.class_ptr, 0);
}

/* Under the other policies: device kernels, then suspended ones, then host kernels, without alternation. */
TEST_F(test_device_kernels_first) {
  in.pool_head.kernel = device_kernel(1);
  in.susp_head.kernel = ut_kernel(1, 1);
  in.susp_head.kernel.resumed = 1;
  for (unsigned h = 0; h < 2; h++) answer_to(ut_launch(h, h)); /* HWQ 0 is in the output stage */
  in.kd_entry.valid = 1;
  for (unsigned n = 0; n < 9; n++) {
    in.regs_config.policy = (uint8_t)(HD_POLICY_TB_PRI + n % 3);
    in.pool_head.valid = n < 5;
    in.susp_head.valid = n < 8;
    cycle();
    assert_int_equal(out.pool_pop, n < 5);
    assert_int_equal(out.susp_pop, n >= 5 && n < 8);
  }
  in.pool_head.valid = in.susp_head.valid = 0;
  cycle();
  assert_int_equal(out.offer.valid && out.offer.kernel.origin.host && !out.offer.kernel.resumed, 1);
  assert_int_equal(out.offer.kernel.origin.tag, 1);
}

/* With FairEvery 3 the classes alternate under these policies too, once three device or suspended kernels were picked
 * in a row; a device kernel that gets its turn is the first of the next three. */
TEST_F(test_fair) {
  free(m);
  start_with(ut_cfg_with("k20c", "FairEvery", 3));
  in.regs_config.policy = HD_POLICY_SMX_BIND;
  in.pool_head.kernel = device_kernel(1);
  in.susp_head.kernel = ut_kernel(1, 1);
  in.susp_head.kernel.resumed = 1;
  for (unsigned h = 0; h < 5; h++) answer_to(ut_launch(h, h)); /* HWQ 0 is in the output stage */
  in.kd_entry.valid = 1;
  static const struct turn turns[] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 2}, {1, 1, 0}, /* all wait */
                                      {1, 0, 1}, {0, 1, 2}, {0, 1, 2}, {1, 1, 0},            /* suspended ones count */
                                      {1, 0, 1}, {1, 0, 1}, {0, 0, 0},                       /* a host's by itself */
                                      {0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {0, 0, 0},            /* before these too */
                                      {1, 0, 1}, {1, 0, 1}, {1, 0, 1}, {1, 0, 1}, {1, 1, 1},
                                      {1, 1, 1}, {1, 1, 2}, /* no head left */
                                      {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 2}};
  take_turns(turns, sizeof turns / sizeof *turns);
}

TEST_MAIN("kmu_classes", NULL, NULL)
