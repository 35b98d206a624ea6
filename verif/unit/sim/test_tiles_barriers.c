/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Workloads of tiles as one kernel with barriers between its waves, run without a plane: the graph, and detection of a
 * TB that does not wait for the whole previous wave. */
#include "unit/util.h"
#include "work/tiles.h"

static struct hd_tiles_data data;
static struct hd_tiles *tiles;
static char err[400];

static void make(const char *name, uint32_t side, uint32_t sweeps, enum hd_tiles_launch launch) {
  const struct hd_tiles_kind *kind = hd_tiles_find(name);
  const struct hd_tiles_opts o = {
      .nodes = side * side * sweeps, .launch = launch, .block_size = 8, .overhead = 100, .cycles_per_step = 7};
  data = (struct hd_tiles_data){.kind = kind, .width = 12, .height = 12, .sweeps = sweeps, .bins = kind->bins};
  assert_true(hd_tiles_generate(&data, 3));
  tiles = hd_tiles_new(&data, &o, err, sizeof err);
  if (tiles == NULL) fail_msg("%s", err);
}

static void drop(void) {
  hd_tiles_free(tiles);
  hd_tiles_data_free(&data);
  tiles = NULL;
}

static int teardown(void **state) {
  (void)state;
  drop();
  return 0;
}

/* The TB of these coordinates runs, alone. */
static void run(uint32_t x, uint32_t y, uint32_t sweep) {
  const struct hd_deplinks_graph *g = hd_tiles_graph(tiles);
  const struct hd_work work = hd_tiles_work(tiles);
  const struct hd_resident r = {.blkid = x + g->grid.x * (y + g->grid.y * sweep)};
  hd_tiles_taken(tiles, 0, &r);
  work.cta_done(work.ctx, 0, r.blkid);
}

/* Levels and VIDs are those of the tiles' own graph; n x m edges lie between waves of n and of m TBs. */
TEST_WITH(test_graphs, NULL, teardown) {
  static const char *const names[] = {"dtw", "heat2d", "hist", "intimg", "sor", "sw"};
  for (unsigned k = 0; k < 6; k++) {
    const uint32_t sweeps = k == 1 || k == 4 ? 3 : 1;
    uint16_t level[48], tb[48];
    make(names[k], 4, sweeps, HD_TILES_GRAPH);
    const struct hd_deplinks_graph *g = hd_tiles_graph(tiles);
    const uint32_t nodes = g->nodes;
    uint32_t edges = 0;
    for (uint32_t v = 0; v < nodes; v++) {
      level[v] = g->node[v].level;
      tb[v] = g->tb[v];
      for (uint32_t p = 0; p < v; p++) edges += level[p] + 1 == level[v];
    }
    teardown(state);
    make(names[k], 4, sweeps, HD_TILES_BARRIERS);
    g = hd_tiles_graph(tiles);
    assert_true(g->nodes == nodes && g->edges == edges && hd_tiles_work(tiles).graph == g);
    assert_int_equal(hd_deplinks_check(g, err, sizeof err), HD_DEPLINKS_OK);
    for (uint32_t v = 0; v < nodes; v++) assert_true(g->node[v].level == level[v] && g->tb[v] == tb[v]);
    teardown(state);
  }
}

/* 12 x 12 tiles: waves of 1 to 12 TBs and back. */
TEST_WITH(test_edges, NULL, teardown) {
  uint32_t edges = 0;
  for (uint32_t n = 1; n < 12; n++) edges += 2 * n * (n + 1);
  make("sw", 12, 1, HD_TILES_BARRIERS);
  assert_int_equal(hd_tiles_graph(tiles)->edges, edges);
  assert_int_equal(hd_tiles_graph(tiles)->in_most, 12);
}

/* The parents among the tiles of (2, 0) have ended, and another TB of their wave has not. */
TEST_WITH(test_too_early, NULL, teardown) {
  make("dtw", 3, 1, HD_TILES_BARRIERS);
  run(0, 0, 0);
  run(1, 0, 0);
  assert_null(hd_tiles_broken(tiles));
  run(2, 0, 0);
  assert_string_equal(hd_tiles_broken(tiles),
                      "TB 2 (2, 0, 0) of wave 2 began before its parent TB 3 (0, 1, 0) of wave 1 had ended");
}

/* The next sweep, too, waits for all of a wave. */
TEST_WITH(test_sweep_too_early, NULL, teardown) {
  make("sor", 3, 2, HD_TILES_BARRIERS);
  run(0, 0, 0);
  run(0, 1, 0), run(1, 0, 0);
  run(0, 0, 1);
  assert_null(hd_tiles_broken(tiles));
  run(1, 1, 0);
  run(0, 1, 1);
  assert_string_equal(hd_tiles_broken(tiles),
                      "TB 12 (0, 1, 1) of wave 3 began before its parent TB 2 (2, 0, 0) of wave 2 had ended");
}

TEST_MAIN("tiles_barriers", NULL, NULL)
