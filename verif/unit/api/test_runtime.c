/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Work of a driver: launches from dimensions, coordinates from linear ids. */
#include "api/runtime.h"
#include "unit/util.h"

static const struct hd_launch_args plain = {.grid = {100, 3, 2},
                                            .cta = {16, 8, 2},
                                            .regs = 32,
                                            .smem_bytes = 4096,
                                            .pc = 0x1234,
                                            .param = 0xff00000000,
                                            .hwq = 3,
                                            .tag = 77};

static enum hd_code make(const struct hd_launch_args *a, struct hd_launch *l) {
  struct hd_cfg c = ut_cfg("k20c");
  return hd_launch_make(&c, a, l);
}

/* Expects a code, and for a refusal a launch of zeroes. */
static void expect(const struct hd_launch_args *a, enum hd_code code) {
  struct hd_launch l, zero;
  memset(&l, 0x5a, sizeof l);
  memset(&zero, 0, sizeof zero);
  assert_int_equal(make(a, &l), code);
  if (code != HD_CODE_ACCEPTED) assert_memory_equal(&l, &zero, sizeof l);
}

/* The runtime multiplies, so that the plane need not: 600 TBs of 256 threads. */
TEST(test_fills_all_fields) {
  struct hd_launch l;
  assert_int_equal(make(&plain, &l), HD_CODE_ACCEPTED);
  assert_int_equal(l.ctas, 600);
  assert_int_equal(l.threads, 256);
  assert_int_equal(l.smem, 16);
  assert_int_equal(l.regs, 32);
  assert_int_equal(l.hwq, 3);
  assert_int_equal(l.tag, 77);
  assert_int_equal(l.desc.grid_x, 100);
  assert_int_equal(l.desc.cta_z, 2);
  assert_true(l.desc.pc == 0x1234 && l.desc.param == 0xff00000000);
}

/* Shared memory is rounded up to units of 256 bytes. */
TEST(test_smem_rounds_up) {
  static const uint32_t want[][2] = {{0, 0}, {1, 1}, {256, 1}, {257, 2}, {49152, 192}};
  for (unsigned i = 0; i < sizeof want / sizeof *want; i++) {
    struct hd_launch_args a = plain;
    struct hd_launch l;
    a.smem_bytes = want[i][0];
    assert_int_equal(make(&a, &l), HD_CODE_ACCEPTED);
    assert_int_equal(l.smem, want[i][1]);
  }
}

/* Each of the six dimensions may be zero by mistake. */
TEST(test_zero_dimensions) {
  for (unsigned i = 0; i < 6; i++) {
    struct hd_launch_args a = plain;
    uint32_t *const dim[] = {&a.grid.x, &a.grid.y, &a.grid.z, &a.cta.x, &a.cta.y, &a.cta.z};
    *dim[i] = 0;
    expect(&a, HD_CODE_ZERO_DIM);
  }
}

/* 2^32 - 1 TBs are the most: 65535 * 65537 is exactly that, one row more is over the limit. */
TEST(test_tb_count_limit) {
  struct hd_launch_args a = plain;
  struct hd_launch l;
  a.grid = (struct hd_dim3){65537, 65535, 1};
  assert_int_equal(make(&a, &l), HD_CODE_ACCEPTED);
  assert_true(l.ctas == UINT32_MAX);
  a.grid = (struct hd_dim3){65538, 65535, 1};
  expect(&a, HD_CODE_OVER_LIMIT);
  a.grid = (struct hd_dim3){0x7fffffff, 65535, 65535};
  expect(&a, HD_CODE_OVER_LIMIT);
}

/* A graph: at most 65535 TBs, its descriptor at a multiple of 64, where there is memory. */
TEST(test_graph) {
  struct hd_launch_args a = plain;
  struct hd_launch l;
  assert_int_equal(make(&plain, &l), HD_CODE_ACCEPTED);
  assert_int_equal(l.graph, 0);
  a.graph = true;
  assert_int_equal(make(&a, &l), HD_CODE_ACCEPTED);
  assert_int_equal(l.graph, 1);
  a.grid = (struct hd_dim3){65535, 1, 1};
  expect(&a, HD_CODE_ACCEPTED);
  a.grid = (struct hd_dim3){256, 256, 1};
  expect(&a, HD_CODE_OVER_LIMIT);
  a = plain;
  a.graph = true;
  a.param += 32;
  expect(&a, HD_CODE_OVER_LIMIT);
  struct hd_cfg c = ut_cfg_with("k20c", "AddrW", 36);
  a.param = UINT64_C(1) << 36;
  assert_int_equal(hd_launch_make(&c, &a, &l), HD_CODE_OVER_LIMIT);
  a.param -= 64;
  assert_int_equal(hd_launch_make(&c, &a, &l), HD_CODE_ACCEPTED);
}

/* CUDA's limits of a grid: 2^31 - 1, 2^16 - 1, 2^16 - 1. */
TEST(test_grid_limits) {
  static const struct hd_dim3 good[] = {{0x7fffffff, 1, 1}, {1, 0xffff, 1}, {1, 1, 0xffff}};
  static const struct hd_dim3 bad[] = {{0x80000000, 1, 1}, {1, 0x10000, 1}, {1, 1, 0x10000}};
  for (unsigned i = 0; i < 3; i++) {
    struct hd_launch_args a = plain;
    a.grid = good[i];
    expect(&a, HD_CODE_ACCEPTED);
    a.grid = bad[i];
    expect(&a, HD_CODE_OVER_LIMIT);
  }
}

/* CUDA's limits of a TB: 1024, 1024, 64 threads, 1024 in all. */
TEST(test_cta_limits) {
  static const struct hd_dim3 good[] = {{1024, 1, 1}, {1, 1024, 1}, {1, 1, 64}, {32, 32, 1}};
  static const struct hd_dim3 bad[] = {{1025, 1, 1}, {1, 1025, 1}, {1, 1, 65}, {32, 33, 1}, {1024, 1024, 64}};
  struct hd_launch_args a = plain;
  for (unsigned i = 0; i < sizeof good / sizeof *good; i++) {
    a.cta = good[i];
    expect(&a, HD_CODE_ACCEPTED);
  }
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    a.cta = bad[i];
    expect(&a, HD_CODE_OVER_LIMIT);
  }
}

/* What no field can carry is over a limit: registers, addresses, tag. */
TEST(test_field_limits) {
  struct hd_launch_args regs = plain, pc = plain, param = plain, tag = plain;
  regs.regs = 256;
  pc.pc = UINT64_C(1) << 40;
  param.param = UINT64_C(1) << 40;
  tag.tag = 1 << 16;
  expect(&regs, HD_CODE_OVER_LIMIT);
  expect(&pc, HD_CODE_OVER_LIMIT);
  expect(&param, HD_CODE_OVER_LIMIT);
  expect(&tag, HD_CODE_OVER_LIMIT);
}

/* More shared memory than an SMX has, however large the number. */
TEST(test_smem_never_fits) {
  struct hd_launch_args a = plain;
  a.smem_bytes = 49153;
  expect(&a, HD_CODE_NEVER_FITS);
  a.smem_bytes = UINT32_MAX;
  expect(&a, HD_CODE_NEVER_FITS);
}

/* A HWQ that does not exist, also one whose number fits no field. */
TEST(test_unknown_hwq) {
  struct hd_launch_args a = plain;
  a.hwq = 32;
  expect(&a, HD_CODE_UNKNOWN_HWQ);
  a.hwq = 259;
  expect(&a, HD_CODE_UNKNOWN_HWQ);
}

/* Several errors: the first in the plane's order is reported. */
TEST(test_order_of_errors) {
  struct hd_launch_args a = {.grid = {0, 1, 1}, .cta = {1025, 1, 1}, .smem_bytes = 1 << 20, .hwq = 99};
  expect(&a, HD_CODE_ZERO_DIM);
  a.grid.x = 1;
  expect(&a, HD_CODE_OVER_LIMIT);
  a.cta.x = 1;
  expect(&a, HD_CODE_NEVER_FITS);
  a.smem_bytes = 0;
  expect(&a, HD_CODE_UNKNOWN_HWQ);
  a.hwq = 0;
  expect(&a, HD_CODE_ACCEPTED);
}

/* x runs fastest, then y, then z; every TB of a grid has its own place. */
TEST(test_blkid_counts_through_the_grid) {
  const struct hd_desc d = {.grid_x = 3, .grid_y = 4, .grid_z = 2};
  uint32_t blkid = 0;
  struct hd_dim3 at;
  for (uint32_t z = 0; z < 2; z++) {
    for (uint32_t y = 0; y < 4; y++) {
      for (uint32_t x = 0; x < 3; x++) {
        assert_true(hd_blkid_decode(&d, blkid++, &at));
        assert_true(at.x == x && at.y == y && at.z == z);
      }
    }
  }
  assert_false(hd_blkid_decode(&d, blkid, &at));
}

/* The largest grids do not overflow on the way. */
TEST(test_blkid_of_large_grids) {
  const struct hd_desc wide = {.grid_x = 0x7fffffff, .grid_y = 2, .grid_z = 1}, none = {.grid_x = 5};
  struct hd_dim3 at = {9, 9, 9};
  assert_true(hd_blkid_decode(&wide, 0xfffffffd, &at));
  assert_true(at.x == 0x7ffffffe && at.y == 1 && at.z == 0);
  assert_false(hd_blkid_decode(&wide, 0xfffffffe, &at));
  assert_false(hd_blkid_decode(&none, 0, &at));
  assert_int_equal(at.x, 0x7ffffffe);
}

/* Each code has a text of its own. */
TEST(test_code_texts) {
  for (unsigned i = 0; i <= HD_CODE_KEPT; i++) {
    for (unsigned j = 0; j < i; j++) assert_string_not_equal(hd_code_text(i), hd_code_text(j));
    assert_string_not_equal(hd_code_text(i), "unknown code");
  }
  assert_string_equal(hd_code_text(HD_CODE_KEPT + 1), "unknown code");
}

TEST_MAIN("runtime", NULL, NULL)
