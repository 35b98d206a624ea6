/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Shortest paths, run without a plane: known distances, with weights of the input and with generated ones. */
#include <math.h>

#include "unit/sim/graph_fixture.h"
#include "work/sssp.h"

static struct hd_graph read_weighted(const char *name, const char *text, bool directed) {
  const struct hd_read_opts o = {.weights = true, .directed = directed};
  struct hd_graph g;
  if (!hd_graph_read(temp_text(name, text), &o, &g, NULL, err, sizeof err)) fail_msg("%s", err);
  return g;
}

/* Distances from the vertex of largest degree; returns the number of rounds. */
static uint32_t solve(const struct hd_graph *g, const float *wanted) {
  const struct hd_rounds_opts o = {.problems = 1, .block_size = 4, .num_hwq = 1};
  const struct hd_rounds_data data = {.graph = g};
  struct hd_rounds *r = hd_rounds_new(&hd_sssp, &data, &o);
  assert_non_null(r);
  const struct hd_work w = hd_rounds_work(r);
  uint32_t kernels = 0, wrong = 1;
  while (!w.finished(w.ctx)) {
    struct hd_launch l = {0};
    assert_true(w.next(w.ctx, kernels, &l));
    for (uint32_t b = l.ctas; b-- > 0;) w.cta_done(w.ctx, kernels, b);
    w.kernel_done(w.ctx, kernels, kernels);
    kernels++;
  }
  for (uint32_t v = 0; wanted != NULL && v < g->nodes; v++)
    if (!(hd_sssp_distances(r, 0)[v] == wanted[v]))
      fail_msg("vertex %u: %g, not %g", v, (double)hd_sssp_distances(r, 0)[v], (double)wanted[v]);
  assert_true(hd_rounds_check(r, &wrong));
  assert_int_equal(wrong, 0);
  hd_rounds_free(r);
  return kernels;
}

/* The path with more edges is the shorter one: vertex 3 is found in round 1, and gets closer in rounds 2 and 3. */
TEST(test_detour) {
  struct hd_graph g = read_weighted("a.txt", "0 1 1\n1 2 1\n2 3 1\n0 3 9.5\n1 3 5\n0 4 0\n0 5 2\n", false);
  const float wanted[] = {0, 1, 2, 3, 0, 2};
  assert_int_equal(solve(&g, wanted), 4);
  hd_graph_free(&g);
}

/* For repeated edges the smallest weight counts; all formats give the same result. */
TEST(test_formats) {
  const char *const files[][2] = {
      {"a.txt", "0 1 4\n1 0 2.5\n1 2 3\n1 3 1\n2 3 1\n"},
      {"a.gr", "p sp 4 5\na 1 2 4\na 2 1 2.5\na 2 3 3\na 2 4 1\na 3 4 1\n"},
      {"a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n4 4 4\n2 1 2.5\n3 2 3\n4 2 1\n4 3 1\n"},
      {"a.graph", "4 4 1\n2 2.5\n1 2.5 3 3 4 1\n2 3 4 1\n2 1 3 1\n"}};
  const float wanted[] = {2.5, 0, 2, 1};
  for (unsigned k = 0; k < 4; k++) {
    struct hd_graph g = read_weighted(files[k][0], files[k][1], false);
    assert_non_null(g.weight);
    solve(&g, wanted);
    hd_graph_free(&g);
  }
}

/* Arcs have weights of their own. */
TEST(test_directed) {
  struct hd_graph g = read_weighted("a.gr", "p sp 3 4\na 1 2 7\na 2 1 1\na 1 3 2\na 3 2 4\n", true);
  const float wanted[] = {0, 6, 2};
  solve(&g, wanted);
  hd_graph_free(&g);
}

/* If an edge has no weight all weights are generated, from 1 to 64, the same in both directions. */
TEST(test_made) {
  struct hd_graph g = read_weighted("a.gr", "p sp 3 2\na 1 2 1000\na 2 3\n", false);
  assert_null(g.weight);
  const struct hd_rounds_opts o = {.problems = 3, .block_size = 4, .num_hwq = 1};
  const struct hd_rounds_data data = {.graph = &g};
  struct hd_rounds *r = hd_rounds_new(&hd_sssp, &data, &o);
  assert_int_equal(hd_rounds_problems(r), 3);
  hd_rounds_free(r);
  solve(&g, NULL);
  hd_graph_free(&g);
}

static void refused(const char *text, const char *says) {
  const struct hd_read_opts o = {.weights = true};
  struct hd_graph g;
  assert_false(hd_graph_read(temp_text("a.txt", text), &o, &g, NULL, err, sizeof err));
  if (strstr(err, says) == NULL) fail_msg("'%s' is not in: %s", says, err);
}

TEST(test_refused) {
  refused("0 1 2\n1 2 -1\n", "a.txt:2: the weight is -1; 0 to ");
  refused("0 1 2\n1 2 1e39\n", "a.txt:2: the weight is 1e+39; 0 to ");
  is_good("a.txt", "0 1 2\n1 2 -1\n", 3, 2); /* where they do not matter */
}

TEST_MAIN("sssp", temp_setup, temp_teardown)
