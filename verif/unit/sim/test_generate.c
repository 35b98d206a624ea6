/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Generated graphs: degrees, targets of edges, and reproducibility from a seed. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "graph/generate.h"
#include "test_list.h"

static struct hd_graph make(const char *name, uint64_t seed) {
  const struct hd_generate o = {.name = name, .nodes = 4096, .degree = 16, .seed = seed};
  struct hd_graph g;
  assert_null(hd_generate_check(&o));
  assert_true(hd_generate(&o, &g));
  return g;
}

TEST(test_seeds) {
  const char *const names[] = {"graph500", "banded", "road"};
  for (unsigned k = 0; k < 3; k++) {
    struct hd_graph one = make(names[k], 1), same = make(names[k], 1), other = make(names[k], 2);
    assert_int_equal(one.edges, same.edges);
    assert_memory_equal(one.col, same.col, 2 * one.edges * sizeof *one.col);
    assert_true(one.edges != other.edges || memcmp(one.col, other.col, 2 * one.edges * sizeof *one.col) != 0);
    hd_graph_free(&one);
    hd_graph_free(&same);
    hd_graph_free(&other);
  }
}

/* A few vertices have a large part of the edges, and are not the first ones; edges are not drawn twice needlessly. */
TEST(test_graph500) {
  struct hd_graph g = make("graph500", 1);
  uint32_t top[41];
  uint64_t sum = 0, place = 0;
  assert_int_equal(g.read, 4096 * 16);
  assert_true(hd_graph_top(&g, 41, top));
  for (unsigned k = 0; k < 41; k++) {
    sum += hd_graph_degree(&g, top[k]);
    place += top[k];
  }
  assert_true(10 * sum > 2 * g.edges); /* one in a hundred: a tenth of all ends */
  assert_true(place / 41 > g.nodes / 4 && place / 41 < 3 * g.nodes / 4);
  hd_graph_free(&g);
}

TEST(test_banded) {
  struct hd_graph g = make("banded", 1);
  uint32_t few = 0, many = 0;
  assert_int_equal(g.nodes, 4096);
  for (uint32_t v = 0; v < g.nodes; v++) {
    const uint32_t degree = hd_graph_degree(&g, v);
    assert_in_range(degree, 3, 47);
    few += degree < 12;
    many += degree > 38;
    for (uint64_t e = g.row[v]; e < g.row[v + 1]; e++) assert_true(g.col[e] + 64 >= v && g.col[e] <= (uint64_t)v + 64);
  }
  assert_true(few > 40 && many > 40);
  hd_graph_free(&g);
}

/* 2 x 64 x 63 streets, a sixth of them missing. */
TEST(test_road) {
  struct hd_graph g = make("road", 1);
  assert_in_range(g.edges, 8064 * 79 / 100, 8064 * 87 / 100);
  assert_int_equal(hd_graph_largest(&g), 4);
  for (uint32_t v = 0; v < g.nodes; v++)
    for (uint64_t e = g.row[v]; e < g.row[v + 1]; e++) {
      const uint64_t a = g.id[v], b = g.id[g.col[e]];
      assert_true(a / 64 == b / 64 ? a + 1 == b || b + 1 == a : a + 64 == b || b + 64 == a);
    }
  hd_graph_free(&g);
}

TEST(test_refused) {
  assert_non_null(hd_generate_check(&(struct hd_generate){.name = "torus", .nodes = 4096}));
  assert_non_null(hd_generate_check(&(struct hd_generate){.name = "graph500", .nodes = 4095}));
  assert_non_null(hd_generate_check(&(struct hd_generate){.name = "road", .nodes = 63}));
  assert_null(hd_generate_check(&(struct hd_generate){.name = "road", .nodes = 4095}));
}

TEST_MAIN("generate", NULL, NULL)
