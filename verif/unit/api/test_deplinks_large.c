/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* DepLinks: random graphs against a reference, the largest graphs, time and memory proportional to size, the bytes of a
 * graph in memory, and errors that the checks of graphs and orders must detect. */
#include "unit/api/deplinks_fixture.h"

/* ---- against the reference ---- */

/* Edges from TBs to TBs behind them in a random order of all, many of them twice. */
TEST(test_random) {
  static struct fixture_plain p;
  uint64_t seed = 3;
  uint32_t merged = 0;
  for (unsigned round = 0; round < 1000; round++) {
    uint32_t rank[FIXTURE_MOST] = {0};
    memset(&p, 0, sizeof p);
    p.n = 1 + ut_below(&seed, FIXTURE_MOST);
    for (uint32_t k = 0; k < p.n; k++) rank[k] = ut_rand(&seed);
    struct hd_deplinks d = fixture_row(p.n);
    for (uint32_t k = 0, edges = ut_below(&seed, 4 * p.n); k < edges; k++) {
      uint32_t a = ut_below(&seed, p.n), b = ut_below(&seed, p.n);
      if (rank[a] >= rank[b]) continue;
      merged += p.edge[a][b];
      p.edge[a][b] = true;
      assert_int_equal(hd_deplinks_add(&d, a, b), HD_DEPLINKS_OK);
    }
    struct hd_deplinks_graph g = fixture_build(&d);
    fixture_same(&p, &g);
    assert_true(merged >= g.merged);
    merged -= (uint32_t)g.merged;
    hd_deplinks_graph_free(&g);
  }
  assert_int_equal(merged, 0);
}

/* ---- large ---- */

TEST(test_largest) {
  struct hd_deplinks_graph g = fixture_pattern(HD_DEPLINKS_CHAIN, 65535, 1, 1);
  assert_true(g.nodes == 65535 && g.edges == 65534 && g.levels == 65535);
  assert_true(g.node[65534].level == 65534 && g.node[65534].start == 65534 && g.edge[65533] == 65534);
  hd_deplinks_graph_free(&g);
  g = fixture_pattern(HD_DEPLINKS_STAR, 65535, 1, 1);
  assert_true(g.out_most == 65534 && g.node[1].start == 65534 && g.edge[65533] == 65534);
  hd_deplinks_graph_free(&g);
  g = fixture_pattern(HD_DEPLINKS_WAVEFRONT, 255, 257, 1);
  assert_true(g.nodes == 65535 && g.levels == 511 && g.width == 255 && g.edges == 2 * 65535 - 255 - 257);
  hd_deplinks_graph_free(&g);
  g = fixture_pattern(HD_DEPLINKS_BARRIER, 51, 1285, 1);
  assert_true(g.nodes == 65535 && g.levels == 1285 && g.edges == 1284 * 51 * 51 && g.in_most == 51);
  hd_deplinks_graph_free(&g);
}

/* From 64 TBs to 65535, and from one edge per TB to a thousand: steps and bytes stay in proportion to size. */
TEST(test_linear) {
  static const struct hd_dim3 grid[] = {{8, 8, 1}, {64, 64, 1}, {51, 1285, 1}, {1000, 4, 1}, {5, 13107, 1}};
  for (unsigned p = HD_DEPLINKS_WAVEFRONT; p <= HD_DEPLINKS_LAYERED; p++)
    for (unsigned k = 0; k < sizeof grid / sizeof *grid; k++) {
      struct fixture_memory m = {0};
      const struct hd_deplinks_memory memory = fixture_memory(&m);
      struct hd_deplinks d;
      struct hd_deplinks_graph g;
      hd_deplinks_init(&d, grid[k], &memory);
      assert_int_equal(hd_deplinks_add_pattern(&d, (enum hd_deplinks_pattern)p, 7, 1), HD_DEPLINKS_OK);
      assert_int_equal(hd_deplinks_build(&d, &g), HD_DEPLINKS_OK);
      uint64_t size = d.nodes + d.edges;
      assert_true(d.steps <= 13 * size);
      assert_true(m.most <= 50 * (uint64_t)d.nodes + 18 * (uint64_t)d.edges + 4000);
      hd_deplinks_free(&d);
      hd_deplinks_graph_free(&g);
      assert_int_equal(m.live, 0);
    }
}

/* ---- in memory ---- */

static uint32_t le(const uint8_t *p, unsigned bytes) {
  uint32_t value = 0;
  while (bytes-- != 0) value = value << 8 | p[bytes];
  return value;
}

/* A graph's bytes, read back; all else is 0. */
static void read_back(const struct hd_deplinks_graph *g, uint64_t base) {
  const struct hd_cfg cfg = ut_cfg("k20c");
  struct hd_deplinks_regions at;
  assert_true(hd_deplinks_place(&cfg, g, base, &at));
  assert_true(at.node >= base && at.node < base + 128);
  assert_true(at.node % 128 == 0 && at.edge % 128 == 0 && at.tb % 128 == 0 && at.early % 128 == 0);
  assert_true(at.edge - at.node >= 8 * (g->nodes + 1) && at.tb - at.edge >= 2 * (uint64_t)g->edges);
  assert_true(at.early - at.tb >= 2 * g->nodes && at.end - at.early >= 2 * g->nodes);
  assert_true(at.end - at.node < 8 * (g->nodes + 1) + 2 * (uint64_t)g->edges + 4 * g->nodes + 4 * 128);
  assert_true(at.nodes == g->nodes && at.edges == g->edges && at.policy == g->policy && at.bound == g->bound);
  size_t size = (size_t)(at.end - at.node);
  uint8_t *bytes = ut_new(size);
  hd_deplinks_image(g, &at, bytes);
  for (uint32_t v = 0; v <= g->nodes; v++) {
    assert_int_equal(le(bytes + 8 * v, 4), g->node[v].start);
    assert_int_equal(le(bytes + 8 * v + 4, 2), g->node[v].parents);
    assert_int_equal(le(bytes + 8 * v + 6, 2), g->node[v].level);
    memset(bytes + 8 * v, 0, 8);
  }
  for (uint32_t e = 0; e < g->edges; e++) assert_int_equal(le(bytes + (at.edge - at.node) + 2 * e, 2), g->edge[e]);
  for (uint32_t v = 0; v < g->nodes; v++) assert_int_equal(le(bytes + (at.tb - at.node) + 2 * v, 2), g->tb[v]);
  memset(bytes + (at.edge - at.node), 0, 2 * g->edges);
  memset(bytes + (at.tb - at.node), 0, 2 * g->nodes);
  for (size_t k = 0; k < size; k++) assert_int_equal(bytes[k], 0);
  free(bytes);
}

/* The 3 x 3 wavefront, written out by hand. */
TEST(test_bytes) {
  static const uint8_t node[80] = {0, 0, 0, 0, 0, 0, 0,  0, 2, 0, 0, 0, 1, 0, 1,  0, 4, 0, 0, 0, 1, 0, 1, 0,  6,
                                   0, 0, 0, 1, 0, 2, 0,  7, 0, 0, 0, 2, 0, 2, 0,  9, 0, 0, 0, 1, 0, 2, 0, 10, 0,
                                   0, 0, 2, 0, 3, 0, 11, 0, 0, 0, 2, 0, 3, 0, 12, 0, 0, 0, 2, 0, 4, 0, 12};
  static const uint8_t edge[24] = {1, 0, 2, 0, 3, 0, 4, 0, 4, 0, 5, 0, 6, 0, 6, 0, 7, 0, 7, 0, 8, 0, 8, 0};
  static const uint8_t tb[18] = {0, 0, 1, 0, 3, 0, 2, 0, 4, 0, 6, 0, 5, 0, 7, 0, 8, 0};
  const struct hd_cfg cfg = ut_cfg("k20c");
  struct hd_deplinks_regions at;
  uint8_t bytes[512];
  struct hd_deplinks_graph g = fixture_pattern(HD_DEPLINKS_WAVEFRONT, 3, 3, 1);
  assert_true(hd_deplinks_place(&cfg, &g, 0x12345681, &at));
  assert_int_equal(at.node, 0x12345700);
  assert_int_equal(at.edge, 0x12345780);
  assert_int_equal(at.tb, 0x12345800);
  assert_int_equal(at.early, 0x12345880);
  assert_int_equal(at.end, 0x12345900);
  hd_deplinks_image(&g, &at, bytes);
  assert_memory_equal(bytes, node, sizeof node);
  assert_memory_equal(bytes + 128, edge, sizeof edge);
  assert_memory_equal(bytes + 256, tb, sizeof tb);
  hd_deplinks_graph_free(&g);
}

TEST(test_images) {
  struct hd_deplinks_graph g = fixture_pattern(HD_DEPLINKS_LAYERED, 100, 40, 1);
  read_back(&g, 0);
  hd_deplinks_graph_free(&g);
  g = fixture_pattern(HD_DEPLINKS_CHAIN, 15, 1, 1); /* 16 entries: a chunk to the byte */
  read_back(&g, 128);
  hd_deplinks_graph_free(&g);
  g = fixture_pattern(HD_DEPLINKS_CHAIN, 1, 1, 1); /* no edge */
  read_back(&g, 1);
  hd_deplinks_graph_free(&g);
  g = fixture_pattern(HD_DEPLINKS_BARRIER, 300, 3, 1); /* more edges than 16 bits */
  read_back(&g, UINT64_C(0xfe00000000));
  hd_deplinks_graph_free(&g);
}

/* It must end within 40 bits of address. */
TEST(test_addresses) {
  const struct hd_cfg cfg = ut_cfg("k20c");
  struct hd_deplinks_regions at;
  struct hd_deplinks_graph g = fixture_pattern(HD_DEPLINKS_WAVEFRONT, 3, 3, 1);
  assert_true(hd_deplinks_place(&cfg, &g, (UINT64_C(1) << 40) - 512, &at));
  assert_false(hd_deplinks_place(&cfg, &g, (UINT64_C(1) << 40) - 511, &at));
  assert_true(at.node == 0 && at.end == 0);
  assert_false(hd_deplinks_place(&cfg, &g, UINT64_MAX, &at));
  hd_deplinks_graph_free(&g);
}

/* ---- the checks ---- */

/* Changing any number of a valid graph by one is detected. Uses a chain, since in other graphs a moved edge may give
 * another valid graph. */
TEST(test_check) {
  char text[200];
  struct hd_deplinks_graph g = fixture_pattern(HD_DEPLINKS_CHAIN, 5, 5, 1);
  for (int by = -1; by <= 1; by += 2) {
    for (uint32_t v = 0; v <= g.nodes; v++) {
      struct hd_deplinks_node good = g.node[v];
      g.node[v].start = good.start + (uint32_t)by;
      assert_int_equal(hd_deplinks_check(&g, text, sizeof text), HD_DEPLINKS_WRONG);
      g.node[v] = good;
      g.node[v].parents = (uint16_t)(good.parents + by);
      assert_int_equal(hd_deplinks_check(&g, text, sizeof text), HD_DEPLINKS_WRONG);
      g.node[v] = good;
      g.node[v].level = (uint16_t)(good.level + by);
      assert_int_equal(hd_deplinks_check(&g, text, sizeof text), HD_DEPLINKS_WRONG);
      g.node[v] = good;
    }
    for (uint32_t e = 0; e < g.edges; e++) {
      g.edge[e] = (uint16_t)(g.edge[e] + by);
      assert_int_equal(hd_deplinks_check(&g, text, sizeof text), HD_DEPLINKS_WRONG);
      g.edge[e] = (uint16_t)(g.edge[e] - by);
    }
    for (uint32_t v = 0; v < g.nodes; v++) {
      g.tb[v] = (uint16_t)(g.tb[v] + by);
      assert_int_equal(hd_deplinks_check(&g, text, sizeof text), HD_DEPLINKS_WRONG);
      g.tb[v] = (uint16_t)(g.tb[v] - by);
    }
  }
  assert_int_equal(hd_deplinks_check(&g, text, sizeof text), HD_DEPLINKS_OK);
  hd_deplinks_graph_free(&g);
}

/* An edge that is stored twice, and counted twice. */
TEST(test_check_twice) {
  struct hd_deplinks_node node[] = {{0, 0, 0}, {2, 2, 1}, {2, 0, 0}};
  uint16_t edge[] = {1, 1}, tb[] = {0, 1};
  char text[200];
  struct hd_deplinks_graph other = fixture_pattern(HD_DEPLINKS_CHAIN, 2, 1, 1), g = other;
  g.edges = 2;
  g.node = node;
  g.edge = edge;
  g.tb = tb;
  assert_int_equal(hd_deplinks_check(&g, text, sizeof text), HD_DEPLINKS_WRONG);
  assert_string_equal(text, "VID 0 has child 1 after child 1");
  hd_deplinks_graph_free(&other);
}

static void expect_order(const struct hd_deplinks_graph *g, const uint16_t *order, uint32_t n, const char *want) {
  char text[200];
  assert_int_equal(hd_deplinks_order(g, order, n, text, sizeof text), *want ? HD_DEPLINKS_WRONG : HD_DEPLINKS_OK);
  assert_string_equal(text, want);
}

TEST(test_order) {
  uint16_t order[9] = {0, 3, 6, 1, 2, 4, 5, 7, 8};
  struct hd_deplinks_graph g = fixture_pattern(HD_DEPLINKS_WAVEFRONT, 3, 3, 1);
  expect_order(&g, order, 9, "");
  expect_order(&g, g.tb, 9, "");
  expect_order(&g, order, 8, "TB 8 (2, 2, 0) is missing");
  order[3] = 4;
  expect_order(&g, order, 9, "place 3: TB 4 (1, 1, 0) before 1 of its 2 parents");
  order[3] = 6;
  expect_order(&g, order, 9, "place 3: TB 6 (0, 2, 0) again");
  order[3] = 9;
  expect_order(&g, order, 9, "place 3: there is no TB 9 of 9");
  hd_deplinks_graph_free(&g);
}

TEST_MAIN("deplinks_large", NULL, NULL)
