/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* DepLinks: in and out sets. A TB must depend on all TBs that its items conflict with, and on no other TB. */
#include "unit/api/deplinks_fixture.h"

#define ARRAY(a) (a), sizeof(a) / sizeof *(a)

static const struct hd_deplinks_item in_a = {10, HD_DEPLINKS_IN}, out_a = {10, HD_DEPLINKS_OUT},
                                     inout_a = {10, HD_DEPLINKS_INOUT};

/* The edges of a graph, in TBs: "0>1 0>2 ". */
static const char *edges_of(const struct hd_deplinks_graph *g) {
  static char text[400];
  int n = 0;
  text[0] = '\0';
  for (uint32_t v = 0; v < g->nodes; v++)
    for (uint32_t e = g->node[v].start; e < g->node[v + 1].start; e++)
      n += snprintf(text + n, sizeof text - (size_t)n, "%u>%u ", g->tb[v], g->tb[g->edge[e]]);
  return text;
}

/* TBs 0, 1, .. with one item each. */
static void expect(const struct hd_deplinks_item *const *item, uint32_t n, const char *edges) {
  struct hd_deplinks d = fixture_row(n);
  for (uint32_t tb = 0; tb < n; tb++) assert_int_equal(hd_deplinks_task(&d, tb, item[tb], 1), HD_DEPLINKS_OK);
  struct hd_deplinks_graph g = fixture_build(&d);
  assert_string_equal(edges_of(&g), edges);
  hd_deplinks_graph_free(&g);
}

/* Writer, readers, writer: the readers depend on the first writer, the last writer only on the readers. */
TEST(test_writer_readers) {
  static const struct hd_deplinks_item *const item[] = {&out_a, &in_a, &in_a, &out_a, &in_a};
  expect(ARRAY(item), "0>1 0>2 1>3 2>3 3>4 ");
}

TEST(test_writers) {
  static const struct hd_deplinks_item *const item[] = {&out_a, &out_a, &inout_a, &inout_a};
  expect(ARRAY(item), "0>1 1>2 2>3 ");
}

/* A reader of a key without a writer depends on no TB, but later writers depend on it. */
TEST(test_readers_first) {
  static const struct hd_deplinks_item *const item[] = {&in_a, &in_a, &inout_a, &in_a};
  expect(ARRAY(item), "0>2 1>2 2>3 ");
}

/* A key both in and out is inout, in either order; a repeated key counts once. */
TEST(test_in_and_out) {
  static const struct hd_deplinks_item both[][2] = {{{10, HD_DEPLINKS_IN}, {10, HD_DEPLINKS_OUT}},
                                                    {{10, HD_DEPLINKS_OUT}, {10, HD_DEPLINKS_IN}},
                                                    {{10, HD_DEPLINKS_INOUT}, {10, HD_DEPLINKS_INOUT}}};
  struct hd_deplinks d = fixture_row(5);
  hd_deplinks_task(&d, 0, &in_a, 1);
  for (uint32_t tb = 1; tb < 4; tb++) assert_int_equal(hd_deplinks_task(&d, tb, both[tb - 1], 2), HD_DEPLINKS_OK);
  hd_deplinks_task(&d, 4, &in_a, 1);
  struct hd_deplinks_graph g = fixture_build(&d);
  assert_string_equal(edges_of(&g), "0>1 1>2 2>3 3>4 ");
  hd_deplinks_graph_free(&g);
}

/* A reader that names a key twice is one dependency. */
TEST(test_read_twice) {
  static const struct hd_deplinks_item twice[] = {{10, HD_DEPLINKS_IN}, {10, HD_DEPLINKS_IN}};
  struct hd_deplinks d = fixture_row(2);
  hd_deplinks_task(&d, 0, ARRAY(twice));
  hd_deplinks_task(&d, 1, &out_a, 1);
  assert_int_equal(d.edges, 1);
  hd_deplinks_free(&d);
}

/* A TB that is a task twice does not depend on itself; mutual dependencies are a cycle. */
TEST(test_twice) {
  struct hd_deplinks d = fixture_row(2);
  struct hd_deplinks_graph g;
  hd_deplinks_task(&d, 0, &out_a, 1);
  hd_deplinks_task(&d, 0, &in_a, 1);
  hd_deplinks_task(&d, 0, &out_a, 1);
  assert_int_equal(hd_deplinks_task(&d, 1, &in_a, 1), HD_DEPLINKS_OK);
  assert_int_equal(hd_deplinks_build(&d, &g), HD_DEPLINKS_OK);
  assert_string_equal(edges_of(&g), "0>1 ");
  hd_deplinks_graph_free(&g);
  hd_deplinks_task(&d, 0, &out_a, 1);
  assert_int_equal(hd_deplinks_build(&d, &g), HD_DEPLINKS_CYCLE);
  hd_deplinks_free(&d);
}

/* From a mapping function: blocks of a matrix that is factored in place, as wavefronts are. */
static void factor(struct hd_deplinks *d, struct hd_dim3 b, void *ctx) {
  (void)ctx;
  hd_deplinks_depend(d, HD_DEPLINKS_INOUT, b.x + 100 * b.y);
  if (b.x > 0) hd_deplinks_depend(d, HD_DEPLINKS_IN, b.x - 1 + 100 * b.y);
  if (b.y > 0) hd_deplinks_depend(d, HD_DEPLINKS_IN, b.x + 100 * (b.y - 1));
}

TEST(test_from_map) {
  struct hd_deplinks d;
  hd_deplinks_init(&d, (struct hd_dim3){12, 9, 1}, NULL);
  assert_int_equal(hd_deplinks_each(&d, factor, NULL), HD_DEPLINKS_OK);
  struct hd_deplinks_graph g = fixture_build(&d), want = fixture_pattern(HD_DEPLINKS_WAVEFRONT, 12, 9, 1);
  assert_int_equal(g.edges, want.edges);
  assert_memory_equal(g.node, want.node, 109 * sizeof *g.node);
  assert_memory_equal(g.edge, want.edge, g.edges * sizeof *g.edge);
  hd_deplinks_graph_free(&g);
  hd_deplinks_graph_free(&want);
}

/* ---- against all pairs ---- */

enum { ITEMS = 5 };

struct tasks {
  uint32_t n, tb[FIXTURE_MOST], items[FIXTURE_MOST]; /* in order */
  struct hd_deplinks_item item[FIXTURE_MOST][ITEMS];
};

/* Random tasks of different TBs, in any order of TBs. */
static void make_tasks(struct tasks *t, uint64_t *seed) {
  t->n = 1 + ut_below(seed, FIXTURE_MOST);
  uint32_t keys = 1 + ut_below(seed, 30), writes = 1 + ut_below(seed, 4);
  for (uint32_t k = 0; k < t->n; k++) t->tb[k] = k;
  for (uint32_t k = t->n; k > 1; k--) {
    uint32_t other = ut_below(seed, k), tb = t->tb[k - 1];
    t->tb[k - 1] = t->tb[other];
    t->tb[other] = tb;
  }
  for (uint32_t k = 0; k < t->n; k++) {
    t->items[k] = ut_below(seed, ITEMS + 1);
    for (uint32_t i = 0; i < t->items[k]; i++) {
      uint64_t key = ut_below(seed, keys) * UINT64_C(0x100000001);
      bool writing = ut_below(seed, 4) < writes;
      t->item[k][i] = (struct hd_deplinks_item){key, !writing            ? HD_DEPLINKS_IN
                                                     : ut_below(seed, 2) ? HD_DEPLINKS_OUT
                                                                         : HD_DEPLINKS_INOUT};
    }
  }
}

static bool conflict(const struct tasks *t, uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < t->items[a]; i++)
    for (uint32_t k = 0; k < t->items[b]; k++)
      if (t->item[a][i].key == t->item[b][k].key &&
          (t->item[a][i].kind != HD_DEPLINKS_IN || t->item[b][k].kind != HD_DEPLINKS_IN))
        return true;
  return false;
}

/* reach[a][b]: b comes after a, directly or through others. */
static void closure(bool reach[FIXTURE_MOST][FIXTURE_MOST], uint32_t n) {
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t a = 0; a < n; a++)
      for (uint32_t b = 0; reach[a][k] && b < n; b++) reach[a][b] |= reach[k][b];
}

TEST(test_random_sets) {
  static struct tasks t;
  static bool want[FIXTURE_MOST][FIXTURE_MOST], got[FIXTURE_MOST][FIXTURE_MOST], direct[FIXTURE_MOST][FIXTURE_MOST];
  uint64_t seed = 5;
  uint32_t edges = 0;
  for (unsigned round = 0; round < 400; round++) {
    make_tasks(&t, &seed);
    memset(want, 0, sizeof want);
    memset(got, 0, sizeof got);
    struct hd_deplinks d = fixture_row(t.n);
    for (uint32_t k = 0; k < t.n; k++) {
      assert_int_equal(hd_deplinks_task(&d, t.tb[k], t.item[k], t.items[k]), HD_DEPLINKS_OK);
      for (uint32_t before = 0; before < k; before++) want[t.tb[before]][t.tb[k]] = conflict(&t, before, k);
    }
    memcpy(direct, want, sizeof direct);
    struct hd_deplinks_graph g = fixture_build(&d);
    edges += g.edges;
    for (uint32_t v = 0; v < g.nodes; v++)
      for (uint32_t e = g.node[v].start; e < g.node[v + 1].start; e++) {
        got[g.tb[v]][g.tb[g.edge[e]]] = true;
        assert_true(direct[g.tb[v]][g.tb[g.edge[e]]]); /* no edge without a reason */
      }
    closure(want, t.n);
    closure(got, t.n);
    assert_memory_equal(got, want, sizeof got);
    hd_deplinks_graph_free(&g);
  }
  assert_true(edges > 10000);
}

/* Many keys, many readers, over and over: steps and memory stay in proportion to the items. */
TEST(test_many_keys) {
  for (uint32_t n = 500; n <= 32000; n *= 8) {
    struct fixture_memory m = {0};
    const struct hd_deplinks_memory memory = fixture_memory(&m);
    struct hd_deplinks d;
    size_t items = 0;
    hd_deplinks_init(&d, (struct hd_dim3){n, 1, 1}, &memory);
    for (uint32_t tb = 0; tb < n; tb++) {
      const struct hd_deplinks_item item[] = {{tb * UINT64_C(4096), HD_DEPLINKS_OUT},
                                              {tb / 2 * UINT64_C(4096), HD_DEPLINKS_IN},
                                              {tb % 97, HD_DEPLINKS_IN},
                                              {tb * UINT64_C(7919) % 97, tb % 50 ? HD_DEPLINKS_IN : HD_DEPLINKS_INOUT}};
      assert_int_equal(hd_deplinks_task(&d, tb, ARRAY(item)), HD_DEPLINKS_OK);
      items += 4;
    }
    struct hd_deplinks_graph g = fixture_build(&d);
    assert_true(g.edges > n && g.edges <= 2 * items);
    hd_deplinks_graph_free(&g);
    assert_true(d.steps < 20 * (items + n));
    assert_int_equal(m.live, 0);
  }
}

/* Places of readers that a writer has replaced are reused: many rounds take no more memory than one. */
TEST(test_readers_again) {
  struct fixture_memory m = {0};
  const struct hd_deplinks_memory memory = fixture_memory(&m);
  struct hd_deplinks d;
  hd_deplinks_init(&d, (struct hd_dim3){65, 1, 1}, &memory);
  size_t most = 0;
  for (uint32_t round = 0; round < 100; round++) {
    for (uint32_t tb = 0; tb < 65; tb++) hd_deplinks_task(&d, tb, tb < 64 ? &in_a : &out_a, 1);
    if (round == 0) most = m.bytes - 4 * d.pair_room;
    assert_int_equal(m.bytes - 4 * d.pair_room, most);
  }
  hd_deplinks_free(&d);
  assert_int_equal(m.live, 0);
}

TEST_MAIN("deplinks_sets", NULL, NULL)
