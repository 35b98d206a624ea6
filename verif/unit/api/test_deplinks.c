/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* DepLinks: the paper's example, mapping functions, barriers, queries on a graph. */
#include "unit/api/deplinks_fixture.h"

#define ARRAY(a) (a), sizeof(a) / sizeof *(a)

static void same16(const uint16_t *got, const uint16_t *want, size_t n) {
  for (size_t k = 0; k < n; k++)
    if (got[k] != want[k]) fail_msg("place %zu is %u, not %u", k, got[k], want[k]);
}

/* ---- the paper's example ---- */

static void wavefront(struct hd_deplinks *d, struct hd_dim3 b, void *ctx) {
  (void)ctx;
  hd_deplinks_parent(d, (struct hd_dim3){b.x - 1, b.y, b.z});
  hd_deplinks_parent(d, (struct hd_dim3){b.x, b.y - 1, b.z});
}

/* Figure 7's graph: 3 x 3, renamed level by level. Starts 0 2 4 6 7 9 10 11 12, and the closing entry. */
TEST(test_figure_7) {
  static const uint16_t edge[] = {1, 2, 3, 4, 4, 5, 6, 6, 7, 7, 8, 8};
  static const uint16_t tb[] = {0, 1, 3, 2, 4, 6, 5, 7, 8};
  static const struct hd_deplinks_node node[] = {{0, 0, 0}, {2, 1, 1},  {4, 1, 1},  {6, 1, 2},  {7, 2, 2},
                                                 {9, 1, 2}, {10, 2, 3}, {11, 2, 3}, {12, 2, 4}, {12, 0, 0}};
  struct hd_deplinks d;
  assert_int_equal(hd_deplinks_init(&d, (struct hd_dim3){3, 3, 1}, NULL), HD_DEPLINKS_OK);
  assert_int_equal(hd_deplinks_each(&d, wavefront, NULL), HD_DEPLINKS_OK);
  assert_int_equal(d.edges, 12);
  assert_int_equal(d.ignored, 6);
  struct hd_deplinks_graph g = fixture_build(&d);
  assert_int_equal(g.nodes, 9);
  assert_int_equal(g.edges, 12);
  same16(g.edge, ARRAY(edge));
  same16(g.tb, ARRAY(tb));
  for (unsigned v = 0; v < 10; v++) assert_memory_equal(&g.node[v], &node[v], sizeof node[v]);
  assert_int_equal(g.levels, 5);
  assert_int_equal(g.widest, 2);
  assert_int_equal(g.width, 3);
  assert_int_equal(g.in_most, 2);
  assert_int_equal(g.in_tb, 4);
  assert_int_equal(g.out_most, 2);
  assert_int_equal(g.out_tb, 0);
  hd_deplinks_graph_free(&g);
}

/* Its edges, from a list, in any order and some of them twice, give the same graph. */
TEST(test_list) {
  static const struct hd_deplinks_edge list[] = {{7, 8}, {5, 8}, {6, 7}, {4, 7}, {4, 5}, {2, 5}, {3, 6}, {3, 4},
                                                 {1, 4}, {1, 2}, {0, 3}, {0, 1}, {4, 5}, {0, 1}, {0, 1}};
  struct hd_deplinks d;
  assert_int_equal(hd_deplinks_init(&d, (struct hd_dim3){3, 3, 1}, NULL), HD_DEPLINKS_OK);
  assert_int_equal(hd_deplinks_add_list(&d, ARRAY(list)), HD_DEPLINKS_OK);
  struct hd_deplinks_graph g = fixture_build(&d), other = fixture_pattern(HD_DEPLINKS_WAVEFRONT, 3, 3, 1);
  assert_int_equal(g.merged, 3);
  assert_int_equal(g.edges, 12);
  assert_memory_equal(g.node, other.node, 10 * sizeof *g.node);
  assert_memory_equal(g.edge, other.edge, 12 * sizeof *g.edge);
  assert_memory_equal(g.tb, other.tb, 9 * sizeof *g.tb);
  hd_deplinks_graph_free(&g);
  hd_deplinks_graph_free(&other);
}

/* ---- mapping functions ---- */

/* Called once for each TB, with its coordinates, x fastest. */
static void note(struct hd_deplinks *d, struct hd_dim3 b, void *ctx) {
  uint32_t *calls = ctx;
  assert_int_equal(b.x + d->grid.x * (b.y + d->grid.y * b.z), *calls);
  assert_true(b.x < d->grid.x && b.y < d->grid.y && b.z < d->grid.z);
  ++*calls;
}

TEST(test_each) {
  struct hd_deplinks d;
  uint32_t calls = 0;
  assert_int_equal(hd_deplinks_init(&d, (struct hd_dim3){5, 3, 4}, NULL), HD_DEPLINKS_OK);
  assert_int_equal(hd_deplinks_each(&d, note, &calls), HD_DEPLINKS_OK);
  assert_int_equal(calls, 60);
  struct hd_deplinks_graph g = fixture_build(&d); /* without an edge: all are roots, and keep their ids */
  assert_int_equal(g.edges, 0);
  assert_int_equal(g.levels, 1);
  assert_int_equal(g.width, 60);
  for (uint32_t v = 0; v < 60; v++) assert_int_equal(g.tb[v], v);
  hd_deplinks_graph_free(&g);
}

/* The parents of a TB of a stencil are its existing neighbours' TBs. */
TEST(test_stencil) {
  struct hd_deplinks_graph g = fixture_pattern(HD_DEPLINKS_STENCIL, 4, 3, 5);
  assert_int_equal(g.levels, 5);
  assert_int_equal(g.width, 12);
  for (uint32_t v = 0; v < 60; v++) {
    uint32_t x = g.tb[v] % 4, y = g.tb[v] / 4 % 3, z = g.tb[v] / 12;
    uint32_t border = (x == 0) + (x == 3) + (y == 0) + (y == 2);
    assert_int_equal(g.node[v].level, z);
    assert_int_equal(g.node[v].parents, z == 0 ? 0 : 5 - border);
    assert_int_equal(g.node[v + 1].start - g.node[v].start, z == 4 ? 0 : 5 - border);
  }
  hd_deplinks_graph_free(&g);
}

/* A parent just outside the grid, on any side, or as far away as numbers go, is ignored. */
static void outside(struct hd_deplinks *d, struct hd_dim3 b, void *ctx) {
  (void)ctx;
  hd_deplinks_parent(d, (struct hd_dim3){b.x + d->grid.x, b.y, b.z});
  hd_deplinks_parent(d, (struct hd_dim3){b.x, b.y + d->grid.y, b.z});
  hd_deplinks_parent(d, (struct hd_dim3){b.x, b.y, b.z + d->grid.z});
  hd_deplinks_parent(d, (struct hd_dim3){UINT32_MAX, b.y, b.z});
  hd_deplinks_parent(d, (struct hd_dim3){UINT32_MAX, UINT32_MAX, UINT32_MAX});
}

TEST(test_outside) {
  struct hd_deplinks d;
  assert_int_equal(hd_deplinks_init(&d, (struct hd_dim3){2, 3, 2}, NULL), HD_DEPLINKS_OK);
  assert_int_equal(hd_deplinks_each(&d, outside, NULL), HD_DEPLINKS_OK);
  assert_int_equal(d.edges, 0);
  assert_int_equal(d.ignored, 60);
  hd_deplinks_free(&d);
}

/* ---- policies ---- */

static void set_policy(struct hd_deplinks *d, struct hd_dim3 b, void *ctx) {
  (void)b;
  (void)ctx;
  hd_deplinks_set_policy(d, HD_DEPLINKS_LVL, 4);
}

TEST(test_policy) {
  struct hd_deplinks d = fixture_row(2);
  struct hd_deplinks_graph g;
  assert_int_equal(hd_deplinks_build(&d, &g), HD_DEPLINKS_OK);
  assert_int_equal(g.policy, HD_DEPLINKS_LRR);
  hd_deplinks_graph_free(&g);
  assert_int_equal(hd_deplinks_each(&d, set_policy, NULL), HD_DEPLINKS_OK); /* as in code block 5 */
  assert_int_equal(hd_deplinks_build(&d, &g), HD_DEPLINKS_OK);
  assert_int_equal(g.policy, HD_DEPLINKS_LVL);
  assert_int_equal(g.bound, 4);
  hd_deplinks_graph_free(&g);
  assert_int_equal(hd_deplinks_set_policy(&d, HD_DEPLINKS_LVL_BIND, 65535), HD_DEPLINKS_OK);
  assert_int_equal(d.bound, 65535);
  assert_int_equal(hd_deplinks_set_policy(&d, HD_DEPLINKS_LRR, 7), HD_DEPLINKS_OK);
  assert_int_equal(d.bound, 0);
  hd_deplinks_free(&d);
}

/* ---- barriers ---- */

/* 64 TBs before and 64 after: 64 children each, and parents. */
TEST(test_global_barrier) {
  struct hd_deplinks d = fixture_row(128);
  assert_int_equal(hd_deplinks_phases(&d, 64, 64), HD_DEPLINKS_OK);
  struct hd_deplinks_graph g = fixture_build(&d);
  assert_int_equal(g.edges, 4096);
  assert_int_equal(g.levels, 2);
  assert_true(g.widest == 0 && g.width == 64); /* of two as wide, the first */
  for (uint32_t v = 0; v < 64; v++) {
    assert_int_equal(g.node[v].start, 64 * v);
    assert_int_equal(g.node[64 + v].parents, 64);
    for (uint32_t k = 0; k < 64; k++) assert_int_equal(g.edge[64 * v + k], 64 + k);
  }
  hd_deplinks_graph_free(&g);
}

/* Figure 2, right: four TBs before and four after, in pairs; and the same pairs from lists. */
TEST(test_pairs) {
  static const uint16_t edge[] = {4, 5, 4, 5, 6, 7, 6, 7};
  static const uint32_t tb[] = {0, 1, 4, 5, 2, 3, 6, 7};
  for (unsigned lists = 0; lists < 2; lists++) {
    struct hd_deplinks d = fixture_row(8);
    if (lists == 0) assert_int_equal(hd_deplinks_phases(&d, 4, 2), HD_DEPLINKS_OK);
    for (unsigned k = 0; lists == 1 && k < 8; k += 4)
      assert_int_equal(hd_deplinks_barrier(&d, tb + k, 2, tb + k + 2, 2), HD_DEPLINKS_OK);
    struct hd_deplinks_graph g = fixture_build(&d);
    assert_int_equal(g.edges, 8);
    same16(g.edge, ARRAY(edge));
    hd_deplinks_graph_free(&g);
  }
}

/* Phases, groups and the grid need not be multiples of each other: checked against the definition of the waiting
   TBs. */
TEST(test_odd_phases) {
  static struct fixture_plain p;
  for (uint32_t n = 1; n < 24; n++)
    for (uint32_t phase = 1; phase < 26; phase++)
      for (uint32_t group = 1; group <= phase + 1; group++) {
        memset(&p, 0, sizeof p);
        p.n = n;
        for (uint32_t c = 0; c < n; c++)
          for (uint32_t a = 0; a < n; a++)
            p.edge[a][c] = a / phase + 1 == c / phase && (a % phase) / group == (c % phase) / group;
        struct hd_deplinks d = fixture_row(n);
        assert_int_equal(hd_deplinks_phases(&d, phase, group), HD_DEPLINKS_OK);
        struct hd_deplinks_graph g = fixture_build(&d);
        assert_int_equal(g.merged, 0);
        fixture_same(&p, &g);
        hd_deplinks_graph_free(&g);
      }
}

/* ---- the other patterns ---- */

TEST(test_patterns) {
  struct hd_deplinks_graph g = fixture_pattern(HD_DEPLINKS_CHAIN, 7, 2, 1);
  assert_true(g.levels == 14 && g.edges == 13 && g.width == 1);
  hd_deplinks_graph_free(&g);
  g = fixture_pattern(HD_DEPLINKS_STAR, 9, 1, 1);
  assert_true(g.levels == 2 && g.out_most == 8 && g.out_tb == 0 && g.in_most == 1);
  hd_deplinks_graph_free(&g);
  g = fixture_pattern(HD_DEPLINKS_STAR_IN, 9, 1, 1);
  assert_true(g.levels == 2 && g.in_most == 8 && g.in_tb == 8 && g.out_most == 1);
  hd_deplinks_graph_free(&g);
  g = fixture_pattern(HD_DEPLINKS_BARRIER, 5, 3, 1);
  assert_true(g.levels == 3 && g.edges == 50 && g.width == 5);
  hd_deplinks_graph_free(&g);
  g = fixture_pattern(HD_DEPLINKS_LAYERED, 10, 6, 1);
  assert_true(g.levels == 6 && g.width == 10 && g.edges + g.merged == 150 && g.in_most == 3);
  hd_deplinks_graph_free(&g);
  g = fixture_pattern(HD_DEPLINKS_WAVEFRONT, 1, 1, 1); /* a single TB */
  assert_true(g.nodes == 1 && g.edges == 0 && g.levels == 1 && g.node[1].start == 0);
  hd_deplinks_graph_free(&g);
}

/* The descriptor: 48 bytes, little endian. */
TEST(test_descriptor) {
  const struct hd_deplinks_regions at = {.node = 0x1122334480,
                                         .edge = 0x2233445500,
                                         .tb = 0x80,
                                         .early = 0xffffffff80,
                                         .nodes = 0xabcd,
                                         .edges = 0x87654321,
                                         .policy = HD_DEPLINKS_LVL_BIND,
                                         .bound = 0x1234};
  static const uint8_t want[HD_DEPLINKS_DESCRIPTOR] = {
      0x80, 0x44, 0x33, 0x22, 0x11, 0, 0, 0, 0x00, 0x55, 0x44, 0x33, 0x22, 0, 0, 0, 0x80, 0,    0,    0,    0, 0, 0, 0,
      0x80, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0xcd, 0xab, 0x34, 0x12, 2,    0, 0, 0, 0x21, 0x43, 0x65, 0x87, 0, 0, 0, 0};
  uint8_t bytes[HD_DEPLINKS_DESCRIPTOR];
  memset(bytes, 0x5a, sizeof bytes);
  hd_deplinks_describe(&at, bytes);
  assert_memory_equal(bytes, want, sizeof want);
}

TEST_MAIN("deplinks", NULL, NULL)
