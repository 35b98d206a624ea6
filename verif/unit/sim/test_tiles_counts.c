/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Counters of workloads of tiles: levels that run at the same time, bytes that TBs read and write, and the counters of
 * the graph buffer in the plane's golden model. */
#include "engine/sim.h"
#include "sim/fit.h"
#include "sim/loop.h"
#include "unit/util.h"
#include "work/tiles.h"

static struct hd_tiles_data data;
static struct hd_tiles *tiles;
static char err[400];

static void make_with(const char *name, uint32_t width, uint32_t height, const struct hd_tiles_opts *o) {
  const struct hd_tiles_kind *kind = hd_tiles_find(name);
  data = (struct hd_tiles_data){.kind = kind, .width = width, .height = height, .sweeps = 1, .bins = kind->bins};
  assert_true(hd_tiles_generate(&data, 3));
  tiles = hd_tiles_new(&data, o, err, sizeof err);
  if (tiles == NULL) fail_msg("%s", err);
}

static void make(const char *name, uint32_t width, uint32_t height, uint32_t side) {
  const struct hd_tiles_opts o = {
      .nodes = side * side, .launch = HD_TILES_GRAPH, .block_size = 8, .overhead = 100, .cycles_per_step = 7};
  make_with(name, width, height, &o);
}

static int teardown(void **state) {
  (void)state;
  hd_tiles_free(tiles);
  hd_tiles_data_free(&data);
  tiles = NULL;
  return 0;
}

/* ---- levels ---- */

static void begin(uint32_t tb) {
  const struct hd_resident r = {.blkid = tb};
  hd_tiles_taken(tiles, 0, &r);
}

static void end(uint32_t tb) {
  const struct hd_work work = hd_tiles_work(tiles);
  work.cta_done(work.ctx, 0, tb);
}

/* 4 x 4: TB x + 4 y is of level x + y. */
TEST_WITH(test_level_range, NULL, teardown) {
  make("dtw", 8, 8, 4);
  begin(0), end(0);
  begin(1), begin(4);
  assert_int_equal(hd_tiles_level_range(tiles), 0);
  end(1);
  begin(2), end(2);
  assert_int_equal(hd_tiles_level_range(tiles), 1);
  begin(3); /* of level 3, while TB 4 of level 1 runs */
  assert_int_equal(hd_tiles_level_range(tiles), 2);
  end(4);
  begin(5), begin(8); /* of level 2 */
  end(3);
  end(5), end(8);
  begin(6), end(6);
  begin(7), end(7);
  assert_int_equal(hd_tiles_level_range(tiles), 2); /* the maximum so far */
  assert_null(hd_tiles_broken(tiles));
}

/* Return to a level that is lower than all running ones. */
TEST_WITH(test_level_goes_down, NULL, teardown) {
  make("dtw", 8, 8, 4);
  begin(0), end(0);
  begin(1), end(1);
  begin(2), end(2);
  begin(3);
  begin(4);
  assert_int_equal(hd_tiles_level_range(tiles), 2);
  end(3), end(4);
  begin(7);
  begin(8);
  assert_int_equal(hd_tiles_level_range(tiles), 2);
}

/* ---- bytes ---- */

/* 6 x 4 cells in 2 x 2 tiles of 3 x 2 cells. */
TEST_WITH(test_bytes, NULL, teardown) {
  /* west and north of the tiles: 0, 2, 3 and 2 + 3 + 1 cells */
  static const struct {
    const char *name;
    uint64_t bytes;
  } of[] = {{"dtw", 4 * (3 + 2) * 8 + (24 + 11) * 8},
            {"sw", 4 * (3 + 2) + (24 + 11) * 4},
            {"intimg", 24 * 2 + (24 + 11) * 8},
            {"hist", 24 * 2 + (24 + 11) * 4 * 16},
            /* in place: read and written; each tile has one neighbour in x, and one in y */
            {"heat2d", (2 * 24 + 4 * (2 + 3)) * 4},
            {"sor", (2 * 24 + 4 * (2 + 3)) * 8}};
  for (unsigned k = 0; k < sizeof of / sizeof *of; k++) {
    make(of[k].name, 6, 4, 2);
    if (hd_tiles_bytes(tiles) != of[k].bytes)
      fail_msg("%s: %llu bytes, not %llu", of[k].name, (unsigned long long)hd_tiles_bytes(tiles),
               (unsigned long long)of[k].bytes);
    teardown(state);
  }
}

/* ---- times ---- */

/* Up to n percent longer, with another seed other values; the mean is half of it. */
TEST_WITH(test_uneven, NULL, teardown) {
  uint64_t sum[2] = {0, 0}, least = UINT64_MAX, most = 0;
  unsigned differ = 0;
  for (uint64_t seed = 0; seed < 2; seed++) {
    const struct hd_tiles_opts o = {.nodes = 1024,
                                    .launch = HD_TILES_GRAPH,
                                    .block_size = 8,
                                    .overhead = 1000,
                                    .cycles_per_step = 3000,
                                    .uneven = 50,
                                    .seed = seed};
    static uint64_t first[1024];
    make_with("dtw", 64, 64, &o); /* tiles of 2 x 2 cells: 3 steps, 10000 cycles */
    const struct hd_work work = hd_tiles_work(tiles);
    for (uint32_t b = 0; b < 1024; b++) {
      const uint64_t held = work.duration(work.ctx, 0, b);
      assert_int_equal(held, work.duration(work.ctx, 0, b));
      sum[seed] += held;
      if (held < least) least = held;
      if (held > most) most = held;
      if (seed == 0) first[b] = held;
      differ += seed == 1 && first[b] != held;
    }
    assert_true(sum[seed] > 1024 * 12300 && sum[seed] < 1024 * 12700);
    teardown(state);
  }
  assert_true(least >= 10000 && least < 10050 && most > 14950 && most <= 15000);
  assert_true(differ > 1000);
}

/* ---- the graph buffer ---- */

static struct hd_loop_result run(struct hd_cfg cfg, enum hd_tiles_launch launch, enum hd_deplinks_policy order,
                                 uint32_t uneven) {
  const struct hd_tiles_opts o = {.nodes = 1024,
                                  .launch = launch,
                                  .order = order,
                                  .bound = 2,
                                  .block_size = 64,
                                  .regs = hd_fit_regs(&cfg),
                                  .overhead = 100,
                                  .cycles_per_step = 1000,
                                  .uneven = uneven};
  make_with("dtw", 96, 96, &o);
  const struct hd_sim_opts so = {.block = "top", .cfg = cfg, .engine = HD_ENGINE_MODEL, .test = "tiles"};
  struct hd_sim *sim = hd_sim_open(&so, err, sizeof err);
  if (sim == NULL) fail_msg("%s", err);
  const struct hd_launcher_opts lo = {.cfg = &cfg, .kind = HD_KIND_KERNEL, .memory_latency = 20};
  const struct hd_loop_opts l = {
      .cfg = &cfg, .patience = 20000, .take_every = 1, .launcher = &lo, .taken = hd_tiles_taken, .watcher = tiles};
  const struct hd_work work = hd_tiles_work(tiles);
  struct hd_loop_result r = hd_loop_run(sim, &work, &l);
  hd_sim_close(sim);
  if (r.verdict != HD_PASS) fail_msg("%s", r.text);
  return r;
}

/* The 48 bytes of the descriptor; nodes, TB ids and edges once; a graph that fits the window needs no more. */
enum { ONCE = 48 + 1024 * (8 + 2) + 2 * 32 * 31 * 2 };

TEST_WITH(test_traffic, NULL, teardown) {
  struct hd_loop_result r = run(ut_cfg("k20c"), HD_TILES_GRAPH, HD_DEPLINKS_LRR, 0);
  assert_int_equal(r.graph.bytes, ONCE);
  assert_true(r.graph.early_updates == 0 && r.graph.big_nodes == 0);
  assert_int_equal(hd_tiles_level_range(tiles), 1);
  teardown(state);
  /* Updates of nodes beyond a small LNA; those that a small PUB cannot hold go to memory. */
  r = run(ut_cfg_but(ut_cfg_with("k20c", "Lna", 16), "Pub", 4), HD_TILES_GRAPH, HD_DEPLINKS_LRR, 0);
  assert_true(r.graph.pub_most == 4 && r.graph.pub_updates > 4 && r.graph.early_updates > 0);
  assert_true(r.graph.bytes > ONCE);
}

/* None with a window that holds all running nodes and their children, some with a smaller one. */
TEST_WITH(test_pub, NULL, teardown) {
  struct hd_loop_result r = run(ut_cfg_with("k20c", "Lna", 512), HD_TILES_GRAPH, HD_DEPLINKS_LRR, 50);
  assert_true(r.graph.pub_most == 0 && r.graph.pub_updates == 0);
  teardown(state);
  r = run(ut_cfg_with("k20c", "Lna", 64), HD_TILES_GRAPH, HD_DEPLINKS_LRR, 50);
  assert_true(r.graph.pub_most > 0 && r.graph.pub_most <= 64 && r.graph.pub_updates >= r.graph.pub_most);
}

/* LVL keeps its bound, LRR exceeds it, barriers keep TBs of a level together. */
TEST_WITH(test_bound, NULL, teardown) {
  const struct hd_cfg cfg = ut_cfg_but(ut_cfg_with("k20c", "Lna", 512), "Lea", 2048);
  run(cfg, HD_TILES_GRAPH, HD_DEPLINKS_LRR, 100);
  assert_true(hd_tiles_level_range(tiles) > 4);
  teardown(state);
  run(cfg, HD_TILES_GRAPH, HD_DEPLINKS_LVL, 100);
  assert_int_equal(hd_tiles_level_range(tiles), 2);
  teardown(state);
  run(cfg, HD_TILES_BARRIERS, HD_DEPLINKS_LRR, 100);
  assert_int_equal(hd_tiles_level_range(tiles), 0);
}

TEST_MAIN("tiles_counts", NULL, NULL)
