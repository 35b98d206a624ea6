/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Recommendations, run without a plane: items bought together, on a matrix small enough to check by hand; long rows
 * that are split. */
#include <stddef.h>
#include <stdint.h>

#include "test_list.h"
#include "work/rec.h"

static struct hd_graph g;

static int free_graph(void **state) {
  (void)state;
  hd_graph_free(&g);
  return 0;
}

static struct hd_rounds *solve(void) {
  const struct hd_rounds_opts o = {.problems = 1, .block_size = 4, .num_hwq = 1, .cycles_per_element = 1};
  const struct hd_rounds_data data = {.graph = &g};
  struct hd_rounds *r = hd_rounds_new(&hd_rec, &data, &o);
  assert_non_null(r);
  const struct hd_work w = hd_rounds_work(r);
  struct hd_launch l = {0};
  uint32_t wrong = 1;
  assert_true(w.next(w.ctx, 0, &l));
  for (uint32_t b = l.ctas; b-- > 0;) w.cta_done(w.ctx, 0, b);
  w.kernel_done(w.ctx, 0, 0);
  assert_true(w.finished(w.ctx));
  assert_true(hd_rounds_check(r, &wrong));
  assert_int_equal(wrong, 0);
  return r;
}

static void buy(struct hd_edges *e, uint64_t user, uint64_t product) {
  assert_true(hd_edges_add(e, user, 10 + product));
}

/* Users 0 to 2, products 10 to 13: 0 and 1 both buy 10 and 11, 2 buys 11 and 12, 13 is bought by 2 alone. */
TEST_WITH(test_small, NULL, free_graph) {
  struct hd_edges e = {0};
  buy(&e, 0, 0);
  buy(&e, 0, 1);
  buy(&e, 1, 0);
  buy(&e, 1, 1);
  buy(&e, 2, 1);
  buy(&e, 2, 2);
  buy(&e, 2, 3);
  assert_true(hd_graph_build(&g, &e));
  struct hd_rounds *r = solve();
  const uint32_t wanted[] = {1, 0, 0, 4, 3, 4, 4}; /* vertices: users 0 to 2, products 3 to 6 */
  assert_memory_equal(hd_rec_found(r, 0), wanted, sizeof wanted);
  hd_rounds_free(r);
}

/* For a product that all users buy only the first 32 users count. */
TEST_WITH(test_cut, NULL, free_graph) {
  struct hd_edges e = {0};
  struct hd_rounds_found f;
  for (uint64_t user = 0; user < 40; user++) assert_true(hd_edges_add(&e, user, 100));
  for (uint64_t product = 101; product < 103; product++)
    assert_true(hd_edges_add(&e, 38, product) && hd_edges_add(&e, 39, product));
  assert_true(hd_graph_build(&g, &e));
  struct hd_rounds *r = solve();
  assert_int_equal(hd_rec_found(r, 0)[39], 38); /* by 101 and 102; through 100 neither is seen */
  assert_int_equal(hd_rec_found(r, 0)[37], 0);
  assert_int_equal(hd_rec_found(r, 0)[0], 1);
  hd_rec.found(hd_rounds_state(r), &f);
  assert_int_equal(f.count[1].value, 40 * 32 + 38 * 1 + 2 * 3 + 2 * (2 * 2 + 2 * 3));
  hd_rounds_free(r);
}

TEST_MAIN("rec", NULL, NULL)
