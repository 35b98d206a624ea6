/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Forces between bodies, run without a plane: close to the sum over all pairs, and exactly equal to the plain
   program. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "test_list.h"
#include "work/bht.h"
#include "work/bht_plain.h"

static struct hd_rounds *solve(uint32_t bodies) {
  const struct hd_rounds_opts o = {.problems = 2, .block_size = 64, .num_hwq = 1};
  const struct hd_rounds_data data = {.made = {.rows = bodies, .seed = 1}};
  struct hd_rounds *r = hd_rounds_new(&hd_bht, &data, &o);
  assert_non_null(r);
  const struct hd_work w = hd_rounds_work(r);
  uint32_t wrong = 1;
  for (uint32_t kernel = 0; !w.finished(w.ctx); kernel++) {
    struct hd_launch l = {0};
    assert_true(w.next(w.ctx, kernel, &l));
    for (uint32_t b = l.ctas; b-- > 0;) w.cta_done(w.ctx, kernel, b);
    w.kernel_done(w.ctx, kernel, kernel);
  }
  assert_true(hd_rounds_check(r, &wrong));
  assert_int_equal(wrong, 0);
  return r;
}

/* A few bodies are one leaf: all pairs, exactly. */
TEST(test_few) {
  for (uint32_t bodies = 1; bodies <= HD_BHT_LEAF; bodies++) {
    struct hd_rounds *r = solve(bodies);
    for (uint32_t i = 0; i < bodies; i++) {
      const struct hd_bht_body b = hd_bht_body(r, 0, i);
      int64_t force[2] = {0, 0};
      for (uint32_t k = 0; k < bodies; k++) {
        const struct hd_bht_body other = hd_bht_body(r, 0, k);
        const int64_t dx = other.x - b.x, dy = other.y - b.y, d2 = dx * dx + dy * dy + 1024;
        if (k == i) continue;
        force[0] += dx * 1048576 / d2;
        force[1] += dy * 1048576 / d2;
      }
      assert_true(force[0] == b.force_x && force[1] == b.force_y);
    }
    hd_rounds_free(r);
  }
}

/* For many bodies the forces equal those of all pairs within a few percent; the interactions are far fewer. */
TEST(test_many) {
  enum { BODIES = 2000 };
  struct hd_rounds *r = solve(BODIES);
  struct hd_rounds_found f;
  double error = 0, all = 0;
  for (uint32_t i = 0; i < BODIES; i++) {
    const struct hd_bht_body b = hd_bht_body(r, 1, i);
    double x = 0, y = 0;
    for (uint32_t k = 0; k < BODIES; k++) {
      const struct hd_bht_body other = hd_bht_body(r, 1, k);
      const double dx = (double)(other.x - b.x), dy = (double)(other.y - b.y), d2 = dx * dx + dy * dy + 1024;
      x += dx * 1048576 / d2;
      y += dy * 1048576 / d2;
    }
    error += hypot(x - (double)b.force_x, y - (double)b.force_y);
    all += hypot(x, y);
  }
  assert_true(error < 0.1 * all);
  hd_bht.found(hd_rounds_state(r), &f);
  assert_int_equal(f.count[0].value, 2 * BODIES);
  assert_true(f.count[1].value < (uint64_t)2 * BODIES * BODIES / 10);
  hd_rounds_free(r);
}

TEST_MAIN("bht", NULL, NULL)
