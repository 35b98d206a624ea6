/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Colourings, run without a plane: neighbours differ, and each vertex has the next colour after those of the neighbours
 * that precede it. */
#include <stddef.h>
#include <stdint.h>

#include "test_list.h"
#include "work/clr.h"

static struct hd_graph g;

static int free_graph(void **state) {
  (void)state;
  hd_graph_free(&g);
  return 0;
}

static void edge(struct hd_edges *e, uint64_t a, uint64_t b) {
  assert_true(hd_edges_add(e, a, b));
}

/* Runs all colourings to their end, a kernel's TBs last first; returns the number of rounds of the first one. */
static uint32_t solve(struct hd_rounds *r) {
  const struct hd_work w = hd_rounds_work(r);
  uint32_t kernel = 0;
  for (; !w.finished(w.ctx); kernel++) {
    struct hd_launch l = {0};
    assert_true(w.next(w.ctx, kernel, &l));
    for (uint32_t b = l.ctas; b-- > 0;) w.cta_done(w.ctx, kernel, b);
    w.kernel_done(w.ctx, kernel, kernel);
  }
  return kernel;
}

static struct hd_rounds *make(uint32_t colourings) {
  const struct hd_rounds_opts o = {.problems = colourings, .block_size = 4, .num_hwq = 1};
  const struct hd_rounds_data data = {.graph = &g};
  struct hd_rounds *r = hd_rounds_new(&hd_clr, &data, &o);
  assert_non_null(r);
  return r;
}

/* In a complete graph each vertex has a colour of its own, the highest priority the first one. */
TEST_WITH(test_complete, NULL, free_graph) {
  struct hd_edges e = {0};
  for (uint32_t v = 0; v < 9; v++)
    for (uint32_t u = 0; u < v; u++) edge(&e, v, u);
  assert_true(hd_graph_build(&g, &e));
  struct hd_rounds *r = make(1);
  assert_int_equal(solve(r), 9);
  for (uint32_t v = 0; v < 9; v++) {
    uint32_t before = 0;
    for (uint32_t u = 0; u < 9; u++) before += hd_clr_priorities(r, 0)[u] > hd_clr_priorities(r, 0)[v];
    assert_int_equal(hd_clr_colours(r, 0)[v], before);
  }
  hd_rounds_free(r);
}

/* A vertex waits for the neighbours that precede it, and for no other. */
TEST_WITH(test_rule, NULL, free_graph) {
  struct hd_edges e = {0};
  uint32_t random = 1;
  for (unsigned i = 0; i < 3000; i++) {
    random = random * 1664525 + 1013904223;
    edge(&e, (random >> 8) % 700, (random >> 20) % 700);
  }
  assert_true(hd_graph_build(&g, &e));
  struct hd_rounds *r = make(3);
  uint32_t wrong = 1;
  solve(r);
  for (uint32_t k = 0; k < 3; k++) {
    const uint32_t *colour = hd_clr_colours(r, k), *priority = hd_clr_priorities(r, k);
    for (uint32_t v = 0; v < g.nodes; v++) {
      uint32_t least = 0;
      for (uint64_t i = g.row[v]; i < g.row[v + 1]; i++) {
        const uint32_t u = g.col[i];
        assert_int_not_equal(colour[u], colour[v]);
        if (priority[u] > priority[v] && colour[u] >= least) least = colour[u] + 1;
      }
      assert_int_equal(colour[v], least);
    }
  }
  assert_true(hd_rounds_check(r, &wrong));
  assert_int_equal(wrong, 0);
  assert_memory_not_equal(hd_clr_priorities(r, 0), hd_clr_priorities(r, 1), g.nodes * sizeof(uint32_t));
  hd_rounds_free(r);
}

TEST_MAIN("clr", NULL, NULL)
