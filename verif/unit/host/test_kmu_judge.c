/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The Kernel Management Unit: checks of launches, and the resource needs of a TB. */
#include "unit/host/kmu_fixture.h"

/* Warps round up to 32 threads, registers of a warp up to RegUnit: 33 threads of 20 registers are 2 warps of 3 units.
 */
TEST_F(test_need_is_rounded_up) {
  struct hd_launch l = ut_launch(0, 1);
  l.threads = 33;
  l.regs = 20; /* 640 registers a warp: 3 units of 256 */
  l.smem = 7;
  assert_int_equal(answer_to(l), HD_CODE_ACCEPTED);
  cycle();
  assert_int_equal(out.offer.kernel.need.warps, 2);
  assert_int_equal(out.offer.kernel.need.regs, 6);
  assert_int_equal(out.offer.kernel.need.smem, 7);
}

/* Any of the six dimensions, the TB size or the TB count may be zero: each is reported as such. */
TEST_F(test_zero_dim) {
  for (unsigned i = 0; i < 8; i++) {
    struct hd_launch l = ut_launch(0, i);
    if (i == 0) l.desc.grid_x = 0;
    if (i == 1) l.desc.grid_y = 0;
    if (i == 2) l.desc.grid_z = 0;
    if (i == 3) l.desc.cta_x = 0;
    if (i == 4) l.desc.cta_y = 0;
    if (i == 5) l.desc.cta_z = 0;
    if (i == 6) l.threads = 0;
    if (i == 7) l.ctas = 0;
    assert_int_equal(answer_to(l), HD_CODE_ZERO_DIM);
  }
}

/* CUDA's limits of a TB: at the limit is accepted, one more is not. */
TEST_F(test_over_limit) {
  for (unsigned over = 0; over < 2; over++) {
    for (unsigned i = 0; i < 4; i++) {
      struct hd_launch l = ut_launch(4 * over + i, i);
      if (i == 0) l.desc.cta_x = (uint16_t)(1024 + over);
      if (i == 1) l.desc.cta_y = (uint16_t)(1024 + over);
      if (i == 2) l.desc.cta_z = (uint8_t)(64 + over);
      if (i == 3) l.threads = (uint16_t)(1024 + over);
      assert_int_equal(answer_to(l), over ? HD_CODE_OVER_LIMIT : HD_CODE_ACCEPTED);
    }
  }
}

/* A TB that takes exactly an empty SMX is accepted; one register unit or 256 bytes more never fits. */
TEST_F(test_never_fits) {
  struct hd_launch l = ut_launch(0, 1);
  l.threads = 1024;
  l.regs = 64; /* 32 warps of 8 units: all 256 */
  l.smem = 192;
  assert_int_equal(answer_to(l), HD_CODE_ACCEPTED);
  l.regs = 65;
  assert_int_equal(answer_to(l), HD_CODE_NEVER_FITS);
  l.regs = 64;
  l.smem = 193;
  assert_int_equal(answer_to(l), HD_CODE_NEVER_FITS);
}

/* On a small SMX the warps alone may be too many: tiny has 4. */
TEST_F(test_never_fits_by_warps) {
  free(m);
  start("tiny");
  struct hd_launch l = ut_launch(0, 1);
  l.regs = 0;
  l.threads = 128;
  assert_int_equal(answer_to(l), HD_CODE_ACCEPTED);
  l.threads = 129;
  assert_int_equal(answer_to(l), HD_CODE_NEVER_FITS);
}

/* HWQ 31 is the last of 32. */
TEST_F(test_unknown_hwq) {
  assert_int_equal(answer_to(ut_launch(31, 1)), HD_CODE_ACCEPTED);
  assert_int_equal(answer_to(ut_launch(32, 2)), HD_CODE_UNKNOWN_HWQ);
  assert_int_equal(answer_to(ut_launch(255, 3)), HD_CODE_UNKNOWN_HWQ);
}

/* All errors at once: they are reported in their order of precedence. */
TEST_F(test_precedence) {
  struct hd_launch l = ut_launch(99, 1);
  l.desc.grid_x = 0;
  l.threads = 1025;
  l.smem = 1000;
  assert_int_equal(answer_to(l), HD_CODE_ZERO_DIM);
  l.desc.grid_x = 1;
  assert_int_equal(answer_to(l), HD_CODE_OVER_LIMIT);
  l.threads = 1024;
  assert_int_equal(answer_to(l), HD_CODE_NEVER_FITS);
  l.smem = 1;
  assert_int_equal(answer_to(l), HD_CODE_UNKNOWN_HWQ);
  l.hwq = 0;
  assert_int_equal(answer_to(l), HD_CODE_ACCEPTED);
}

/* A refused launch has no effect: no kernel follows. */
TEST_F(test_refused_leaves_nothing) {
  struct hd_launch l = ut_launch(0, 1);
  l.ctas = 0;
  assert_int_equal(answer_to(l), HD_CODE_ZERO_DIM);
  assert_int_equal(next_kernel(), -1);
}

TEST_MAIN("kmu_judge", NULL, NULL)
