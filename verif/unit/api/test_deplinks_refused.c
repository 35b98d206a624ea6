/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* DepLinks: rejected graphs and their messages: the TB by id and coordinates, the cycle; allocation failures at every
   call, without leaks. */
#include "unit/api/deplinks_fixture.h"

/* A grid of 4 x 3 x 2. */
static struct hd_deplinks box(void) {
  struct hd_deplinks d;
  assert_int_equal(hd_deplinks_init(&d, (struct hd_dim3){4, 3, 2}, NULL), HD_DEPLINKS_OK);
  return d;
}

/* The graph was rejected with this error, accepts no more edges, and cannot be built. Frees it. */
static void refused(struct hd_deplinks *d, enum hd_deplinks_code code, uint32_t tb, const char *text) {
  struct hd_deplinks_graph g;
  size_t edges = d->edges;
  assert_int_equal(d->code, code);
  assert_int_equal(d->tb, tb);
  assert_string_equal(d->text, text);
  if (tb != HD_DEPLINKS_NO_TB) assert_int_equal(d->at.x + d->grid.x * (d->at.y + d->grid.y * d->at.z), tb);
  assert_int_equal(hd_deplinks_add(d, 0, 1), code);
  assert_int_equal(hd_deplinks_phases(d, 1, 1), code);
  assert_int_equal(hd_deplinks_set_policy(d, HD_DEPLINKS_LVL, 1), code);
  assert_int_equal(hd_deplinks_set_policy(d, HD_DEPLINKS_LVL, 70000), code);
  assert_int_equal(hd_deplinks_build(d, &g), code);
  assert_int_equal(d->edges, edges);
  assert_null(g.node);
  assert_string_equal(d->text, text);
  hd_deplinks_free(d);
}

/* ---- grids ---- */

TEST(test_grids) {
  struct hd_deplinks d;
  for (unsigned k = 0; k < 3; k++) {
    assert_int_equal(hd_deplinks_init(&d, (struct hd_dim3){k != 0, k != 1, k != 2}, NULL), HD_DEPLINKS_ZERO_DIM);
    hd_deplinks_free(&d);
  }
  assert_int_equal(hd_deplinks_init(&d, (struct hd_dim3){0, 1, 1}, NULL), HD_DEPLINKS_ZERO_DIM);
  refused(&d, HD_DEPLINKS_ZERO_DIM, HD_DEPLINKS_NO_TB, "the grid of 0 x 1 x 1 has no TB");
}

/* A grid of 65535 TBs is accepted in any shape; one more TB, or an overflow of the product, is rejected. */
TEST(test_nodes) {
  static const struct hd_dim3 good[] = {{65535, 1, 1}, {1, 1, 65535}, {255, 257, 1}, {3, 5, 4369}};
  static const struct hd_dim3 over[] = {{65536, 1, 1},
                                        {256, 256, 1},
                                        {2, 2, 16384},
                                        {UINT32_MAX, 1, 1},
                                        {65536, 65536, 65536},
                                        {1u << 31, 2, 1},
                                        {1u << 16, 1u << 16, 1},
                                        {UINT32_MAX, UINT32_MAX, UINT32_MAX},
                                        {1u << 17, 1u << 17, 1u << 30}};
  struct hd_deplinks d;
  for (unsigned k = 0; k < sizeof good / sizeof *good; k++) {
    assert_int_equal(hd_deplinks_init(&d, good[k], NULL), HD_DEPLINKS_OK);
    assert_int_equal(d.nodes, 65535);
    hd_deplinks_free(&d);
  }
  for (unsigned k = 0; k < sizeof over / sizeof *over; k++) {
    assert_int_equal(hd_deplinks_init(&d, over[k], NULL), HD_DEPLINKS_NODES_OVER);
    assert_int_equal(d.nodes, 0);
    hd_deplinks_free(&d);
  }
  hd_deplinks_init(&d, (struct hd_dim3){256, 256, 1}, NULL);
  refused(&d, HD_DEPLINKS_NODES_OVER, 65535,
          "the grid of 256 x 256 x 1 has more than 65535 TBs: the first excess one is TB 65535 (255, 255, 0)");
}

/* ---- edges ---- */

static void own_parent(struct hd_deplinks *d, struct hd_dim3 b, void *ctx) {
  uint32_t *calls = ctx;
  ++*calls;
  hd_deplinks_parent(d, (struct hd_dim3){b.x / 2, b.y, b.z}); /* TB 0 is its own */
}

TEST(test_self) {
  struct hd_deplinks d = box();
  assert_int_equal(hd_deplinks_add(&d, 22, 22), HD_DEPLINKS_SELF);
  refused(&d, HD_DEPLINKS_SELF, 22, "TB 22 (2, 2, 1) is its own parent");
  uint32_t calls = 0;
  d = box();
  assert_int_equal(hd_deplinks_each(&d, own_parent, &calls), HD_DEPLINKS_SELF);
  assert_int_equal(calls, 1); /* no further TB is requested */
  refused(&d, HD_DEPLINKS_SELF, 0, "TB 0 (0, 0, 0) is its own parent");
  static const uint32_t before[] = {1, 2, 3}, after[] = {4, 3};
  d = box();
  assert_int_equal(hd_deplinks_barrier(&d, before, 3, after, 2), HD_DEPLINKS_SELF);
  refused(&d, HD_DEPLINKS_SELF, 3, "TB 3 (3, 0, 0) is its own parent");
}

TEST(test_no_such_tb) {
  static const struct hd_deplinks_item item = {7, HD_DEPLINKS_OUT};
  struct hd_deplinks d = box();
  assert_int_equal(hd_deplinks_add(&d, 24, 1), HD_DEPLINKS_BAD_TB);
  refused(&d, HD_DEPLINKS_BAD_TB, HD_DEPLINKS_NO_TB, "there is no TB 24 in the grid of 24 TBs");
  d = box();
  assert_int_equal(hd_deplinks_add(&d, 1, UINT32_MAX), HD_DEPLINKS_BAD_TB);
  refused(&d, HD_DEPLINKS_BAD_TB, HD_DEPLINKS_NO_TB, "there is no TB 4294967295 in the grid of 24 TBs");
  d = box();
  assert_int_equal(hd_deplinks_task(&d, 24, &item, 1), HD_DEPLINKS_BAD_TB);
  refused(&d, HD_DEPLINKS_BAD_TB, HD_DEPLINKS_NO_TB, "there is no TB 24 in the grid of 24 TBs");
  d = box();
  hd_deplinks_parent(&d, (struct hd_dim3){0, 0, 0});
  refused(&d, HD_DEPLINKS_BAD_TB, HD_DEPLINKS_NO_TB, "hd_deplinks_parent was called outside of a mapping function");
  d = box();
  hd_deplinks_depend(&d, HD_DEPLINKS_IN, 5);
  refused(&d, HD_DEPLINKS_BAD_TB, HD_DEPLINKS_NO_TB, "hd_deplinks_depend was called outside of a mapping function");
}

TEST(test_numbers) {
  struct hd_deplinks d = box();
  assert_int_equal(hd_deplinks_set_policy(&d, HD_DEPLINKS_LVL, 65536), HD_DEPLINKS_BAD_POLICY);
  refused(&d, HD_DEPLINKS_BAD_POLICY, HD_DEPLINKS_NO_TB, "the bound is 65536 levels; up to 65535 would be accepted");
  d = box();
  assert_int_equal(hd_deplinks_set_policy(&d, (enum hd_deplinks_policy)3, 0), HD_DEPLINKS_BAD_POLICY);
  refused(&d, HD_DEPLINKS_BAD_POLICY, HD_DEPLINKS_NO_TB, "policy 3 does not exist; 0 to 2 would be accepted");
  d = box();
  assert_int_equal(hd_deplinks_phases(&d, 0, 1), HD_DEPLINKS_BAD_SIZE);
  refused(&d, HD_DEPLINKS_BAD_SIZE, HD_DEPLINKS_NO_TB, "a phase of 0 TBs");
  d = box();
  assert_int_equal(hd_deplinks_phases(&d, 1, 0), HD_DEPLINKS_BAD_SIZE);
  refused(&d, HD_DEPLINKS_BAD_SIZE, HD_DEPLINKS_NO_TB, "a group of 0 TBs");
}

/* The largest number of parents of a TB is all others: a count that 16 bits hold. */
TEST(test_parents) {
  struct hd_deplinks_graph g = fixture_pattern(HD_DEPLINKS_STAR_IN, 65535, 1, 1);
  assert_int_equal(g.in_most, 65534);
  assert_int_equal(g.node[65534].parents, 65534);
  hd_deplinks_graph_free(&g);
}

/* ---- cycles ---- */

TEST(test_cycle_of_two) {
  static const struct hd_deplinks_edge list[] = {{0, 5}, {5, 6}, {6, 23}, {23, 6}, {23, 7}, {7, 8}};
  struct hd_deplinks d = box();
  struct hd_deplinks_graph g;
  hd_deplinks_add_list(&d, list, 6);
  assert_int_equal(hd_deplinks_build(&d, &g), HD_DEPLINKS_CYCLE);
  assert_int_equal(d.cycle_length, 2);
  assert_true(d.cycle[0] == 6 && d.cycle[1] == 23);
  refused(&d, HD_DEPLINKS_CYCLE, 6,
          "a cycle of parents and children: TB 6 (2, 1, 0), TB 23 (3, 2, 1), and again TB 6 (2, 1, 0)");
}

/* In a ring with a chord, the short way round. */
TEST(test_short_cycle) {
  struct hd_deplinks d = fixture_row(200);
  struct hd_deplinks_graph g;
  hd_deplinks_phases(&d, 1, 1);
  hd_deplinks_add(&d, 199, 0);
  hd_deplinks_add(&d, 52, 3);
  assert_int_equal(hd_deplinks_build(&d, &g), HD_DEPLINKS_CYCLE);
  assert_int_equal(d.cycle_length, 50);
  for (unsigned k = 0; k < 50; k++) assert_int_equal(d.cycle[k], 3 + k);
  refused(&d, HD_DEPLINKS_CYCLE, 3,
          "a cycle of parents and children: TB 3 (3, 0, 0), TB 4 (4, 0, 0), TB 5 (5, 0, 0), TB 6 (6, 0, 0), "
          "TB 7 (7, 0, 0), .. (50 TBs), and again TB 3 (3, 0, 0)");
}

/* The longest cycle; its text stays within its buffer. */
TEST(test_long_cycle) {
  struct hd_deplinks d;
  struct hd_deplinks_graph g;
  hd_deplinks_init(&d, (struct hd_dim3){1, 1, 65535}, NULL);
  hd_deplinks_phases(&d, 1, 1);
  hd_deplinks_add(&d, 65534, 0);
  assert_int_equal(hd_deplinks_build(&d, &g), HD_DEPLINKS_CYCLE);
  assert_int_equal(d.cycle_length, 65535);
  for (unsigned k = 0; k < 65535; k++) assert_int_equal(d.cycle[k], k);
  hd_deplinks_free(&d);
}

/* Random graphs of any kind: rejected if the reference finds a cycle, and the reported cycle consists of different
   TBs. */
TEST(test_random_cycles) {
  static struct fixture_plain p;
  uint64_t seed = 11;
  unsigned cycles = 0;
  for (unsigned round = 0; round < 2000; round++) {
    memset(&p, 0, sizeof p);
    p.n = 2 + ut_below(&seed, 39);
    struct hd_deplinks d = fixture_row(p.n);
    struct hd_deplinks_graph g;
    for (uint32_t k = 0, edges = ut_below(&seed, 2 * p.n); k < edges; k++) {
      uint32_t a = ut_below(&seed, p.n), b = ut_below(&seed, p.n);
      if (a == b) continue;
      p.edge[a][b] = true;
      hd_deplinks_add(&d, a, b);
    }
    bool sound = fixture_levels(&p);
    assert_int_equal(hd_deplinks_build(&d, &g), sound ? HD_DEPLINKS_OK : HD_DEPLINKS_CYCLE);
    if (sound) fixture_same(&p, &g);
    bool seen[FIXTURE_MOST] = {false};
    for (uint32_t k = 0; k < d.cycle_length; k++) {
      uint16_t tb = d.cycle[k];
      assert_true(p.edge[tb][d.cycle[(k + 1) % d.cycle_length]] && !seen[tb] && tb >= d.tb);
      seen[tb] = true;
    }
    assert_true(sound || (d.cycle_length >= 2 && d.cycle[0] == d.tb));
    cycles += !sound;
    hd_deplinks_graph_free(&g);
    hd_deplinks_free(&d);
  }
  assert_true(cycles > 300 && cycles < 1700);
}

/* ---- memory ---- */

static void use_all(struct hd_deplinks *d, struct hd_dim3 b, void *ctx) {
  (void)ctx;
  hd_deplinks_parent(d, (struct hd_dim3){b.x - 1, b.y, b.z});
  for (uint32_t k = 0; k < 40; k++) hd_deplinks_depend(d, HD_DEPLINKS_IN, b.x + 100 * k);
  hd_deplinks_depend(d, HD_DEPLINKS_OUT, b.x + 3);
}

/* Collects, builds, checks; an allocation may fail. Afterwards no memory is in use. Returns the final code. */
static enum hd_deplinks_code with_memory(struct fixture_memory *m, bool cycle) {
  const struct hd_deplinks_memory memory = fixture_memory(m);
  struct hd_deplinks d;
  struct hd_deplinks_graph g = {0};
  char text[200] = "";
  uint16_t order[100];
  hd_deplinks_init(&d, (struct hd_dim3){100, 1, 1}, &memory);
  hd_deplinks_each(&d, use_all, NULL);
  if (cycle) hd_deplinks_add(&d, 70, 20);
  enum hd_deplinks_code code = hd_deplinks_build(&d, &g);
  assert_true(code == HD_DEPLINKS_OK || (d.text[0] != '\0' && g.node == NULL));
  if (code == HD_DEPLINKS_CYCLE) assert_true(d.cycle != NULL || strstr(d.text, "out of memory") != NULL);
  hd_deplinks_free(&d);
  if (code == HD_DEPLINKS_OK) code = hd_deplinks_check(&g, text, sizeof text);
  for (uint32_t v = 0; code == HD_DEPLINKS_OK && v < 100; v++) order[v] = g.tb[v];
  if (code == HD_DEPLINKS_OK) code = hd_deplinks_order(&g, order, 100, text, sizeof text);
  if (g.node != NULL) hd_deplinks_graph_free(&g);
  assert_int_equal(m->live, 0);
  assert_int_equal(m->bytes, 0);
  return code;
}

/* Each of its allocations fails once, alone, and together with all later ones. */
TEST(test_no_memory) {
  for (unsigned cycle = 0; cycle < 2; cycle++) {
    struct fixture_memory m = {0};
    enum hd_deplinks_code want = cycle ? HD_DEPLINKS_CYCLE : HD_DEPLINKS_OK;
    assert_int_equal(with_memory(&m, cycle), want);
    size_t calls = m.calls;
    assert_true(calls > 20);
    for (size_t k = 1; k <= calls; k++)
      for (unsigned for_good = 0; for_good < 2; for_good++) {
        m = (struct fixture_memory){.fails = k, .for_good = for_good};
        enum hd_deplinks_code code = with_memory(&m, cycle);
        assert_true(code == HD_DEPLINKS_MEMORY || (cycle && code == HD_DEPLINKS_CYCLE && k + 3 > calls));
      }
  }
}

/* A barrier too large for any memory is rejected before it is begun, with its TB. */
TEST(test_too_large) {
  struct fixture_memory m = {.fails = 12, .for_good = true};
  const struct hd_deplinks_memory memory = fixture_memory(&m);
  struct hd_deplinks d;
  hd_deplinks_init(&d, (struct hd_dim3){60000, 1, 1}, &memory);
  assert_int_equal(hd_deplinks_phases(&d, 30000, 30000), HD_DEPLINKS_MEMORY);
  assert_int_equal(d.tb, 30000 + d.edges / 30000);
  assert_non_null(strstr(d.text, "out of memory at TB 3"));
  hd_deplinks_free(&d);
  assert_int_equal(m.live, 0);
}

/* Kinds of items and patterns that do not exist. */
static void bad_kind(struct hd_deplinks *d, struct hd_dim3 block, void *ctx) {
  (void)ctx;
  if (block.x == 1) hd_deplinks_depend(d, (enum hd_deplinks_kind)3, 7);
}

TEST(test_kinds) {
  struct hd_deplinks d = fixture_row(3);
  assert_int_equal(hd_deplinks_each(&d, bad_kind, NULL), HD_DEPLINKS_BAD_KIND);
  assert_string_equal(d.text, "TB 1 (1, 0, 0): item kind 3 does not exist");
  hd_deplinks_free(&d);
  d = fixture_row(3);
  assert_int_equal(hd_deplinks_add_pattern(&d, (enum hd_deplinks_pattern)7, 1, 1), HD_DEPLINKS_BAD_KIND);
  assert_string_equal(d.text, "pattern 7 does not exist");
  hd_deplinks_free(&d);
}

/* With 64 bits of address a graph has a place, up to where sums of sizes could wrap. */
TEST(test_wide_addresses) {
  const struct hd_cfg cfg = ut_cfg_with("k20c", "AddrW", 64);
  struct hd_deplinks d = fixture_row(3);
  struct hd_deplinks_graph g;
  struct hd_deplinks_regions at;
  assert_int_equal(hd_deplinks_build(&d, &g), HD_DEPLINKS_OK);
  assert_true(hd_deplinks_place(&cfg, &g, UINT64_C(1) << 50, &at));
  assert_int_equal(at.node, UINT64_C(1) << 50);
  assert_false(hd_deplinks_place(&cfg, &g, UINT64_MAX - 100, &at));
  hd_deplinks_graph_free(&g);
  hd_deplinks_free(&d);
}

TEST_MAIN("deplinks_refused", NULL, NULL)
