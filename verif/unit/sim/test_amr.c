/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Meshes, run without a plane: the cells of each level are the refinement of the previous one; launches may also run
 * TBs for a part of them. */
#include <stddef.h>
#include <stdint.h>

#include "test_list.h"
#include "work/amr.h"

static struct hd_rounds *make(uint32_t threshold, uint32_t child_size) {
  const struct hd_rounds_opts o = {.problems = 2,
                                   .block_size = 64,
                                   .num_hwq = 1,
                                   .threshold = threshold,
                                   .child_size = child_size,
                                   .cycles_per_element = 1};
  const struct hd_rounds_data data = {.made = {.rows = 1024, .seed = 1}};
  struct hd_rounds *r = hd_rounds_new(&hd_amr, &data, &o);
  assert_non_null(r);
  return r;
}

TEST(test_levels) {
  struct hd_rounds *r = make(0, 32);
  const struct hd_work w = hd_rounds_work(r);
  uint32_t kernel = 0, wrong = 1;
  for (; !w.finished(w.ctx); kernel++) {
    struct hd_launch l = {0};
    assert_true(w.next(w.ctx, kernel, &l));
    for (uint32_t b = l.ctas; b-- > 0;) w.cta_done(w.ctx, kernel, b);
    w.kernel_done(w.ctx, kernel, kernel);
  }
  assert_in_range(kernel, 4, 6);
  assert_true(hd_rounds_check(r, &wrong));
  assert_int_equal(wrong, 0);
  for (uint32_t k = 0; k < 2; k++) {
    assert_int_equal(hd_amr_level(r, k, 0).cells, 32 * 32);
    for (uint32_t level = 0; level + 1 < HD_AMR_LEVELS; level++) {
      const struct hd_amr_level l = hd_amr_level(r, k, level), next = hd_amr_level(r, k, level + 1);
      const uint64_t cut = l.cells - l.leaves;
      assert_true(next.cells >= 4 * cut && next.cells <= 64 * cut);
    }
    assert_true(hd_amr_level(r, k, 0).leaves < 32 * 32);
  }
  hd_rounds_free(r);
}

/* A cell that is refined into 64 parts launches ceil(64 / 24) TBs, and its thread walks none; one of 16 walks them
   itself. */
TEST(test_launches) {
  struct hd_rounds *r = make(32, 24);
  const struct hd_work w = hd_rounds_work(r);
  struct hd_launch l = {0};
  struct hd_work_warp warp;
  uint32_t calls = 0;
  assert_true(w.next(w.ctx, 0, &l));
  for (uint32_t b = 0; b < l.ctas; b++)
    for (uint32_t k = 0; w.device->warp(w.ctx, 0, b, k, &warp); k++)
      for (uint32_t c = 0; c < warp.calls; c++, calls++) {
        assert_int_equal(warp.call[c].ctas, 3);
        assert_int_equal(warp.call[c].alone, 64);
        assert_true(warp.after <= 16);
      }
  assert_true(calls > 5);
  hd_rounds_free(r);
}

TEST_MAIN("amr", NULL, NULL)
