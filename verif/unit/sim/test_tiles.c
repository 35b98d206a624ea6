/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Workloads of tiles, run without a plane: their graphs, correct answers in any order that the graph allows, and
 * detection of an order that it does not allow. */
#include "unit/util.h"
#include "work/tiles.h"

static const char *const names[] = {"dtw", "heat2d", "hist", "intimg", "sor", "sw"};
enum { KINDS = 6 };

static struct hd_tiles_data data;
static struct hd_tiles *tiles;
static struct hd_work work;
static char err[400];

/* A workload on width x height generated cells in side x side tiles. */
static void make(const char *name, uint32_t width, uint32_t height, uint32_t side, uint32_t sweeps,
                 enum hd_tiles_launch launch) {
  const struct hd_tiles_kind *kind = hd_tiles_find(name);
  const struct hd_tiles_opts o = {.nodes = side * side * sweeps,
                                  .launch = launch,
                                  .block_size = 8,
                                  .regs = 16,
                                  .overhead = 100,
                                  .cycles_per_step = 7,
                                  .host_latency = 50};
  assert_non_null(kind);
  data = (struct hd_tiles_data){
      .kind = kind, .width = width, .height = height, .sweeps = sweeps, .bins = kind->bins > 1 ? 5 : 1};
  assert_true(hd_tiles_generate(&data, 3));
  tiles = hd_tiles_new(&data, &o, err, sizeof err);
  if (tiles == NULL) fail_msg("%s", err);
  work = hd_tiles_work(tiles);
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

/* ---- TBs by VID: TB `blkid` of kernel `wave` ---- */

static struct hd_resident named(uint32_t vid) {
  const struct hd_deplinks_graph *g = hd_tiles_graph(tiles);
  struct hd_resident r = {.kernel = g->node[vid].level};
  while (vid > 0 && g->node[vid - 1].level == r.kernel) {
    vid--;
    r.blkid++;
  }
  return r;
}

static void begin(uint32_t vid) {
  const struct hd_resident r = named(vid);
  hd_tiles_taken(tiles, 0, &r);
}

static void end(uint32_t vid) {
  const struct hd_resident r = named(vid);
  work.cta_done(work.ctx, r.kernel, r.blkid);
}

static uint32_t wrong_tiles(void) {
  struct hd_tiles_wrong wrong;
  hd_tiles_check(tiles, &wrong);
  assert_false(wrong.out_of_room);
  return wrong.tiles;
}

/* Runs all TBs, up to eight at once, in a random order that the graph allows. */
static void run_at_random(uint64_t seed) {
  const struct hd_deplinks_graph *g = hd_tiles_graph(tiles);
  uint32_t *parents = ut_new(g->nodes * sizeof *parents), *ready = ut_new(g->nodes * sizeof *ready), running[8];
  uint32_t n_ready = 0, n_running = 0, done = 0;
  for (uint32_t v = 0; v < g->nodes; v++)
    if ((parents[v] = g->node[v].parents) == 0) ready[n_ready++] = v;
  while (done < g->nodes) {
    if (n_ready > 0 && n_running < 8 && (n_running == 0 || ut_below(&seed, 2) == 0)) {
      const uint32_t k = ut_below(&seed, n_ready);
      begin(running[n_running++] = ready[k]);
      ready[k] = ready[--n_ready];
      continue;
    }
    const uint32_t k = ut_below(&seed, n_running), v = running[k];
    running[k] = running[--n_running];
    end(v);
    done++;
    for (uint32_t e = g->node[v].start; e < g->node[v + 1].start; e++)
      if (--parents[g->edge[e]] == 0) ready[n_ready++] = g->edge[e];
  }
  free(parents);
  free(ready);
}

/* ---- answers ---- */

/* Sizes that tiles do not divide, wider than high and the reverse, tiles of one cell, and a single tile. */
TEST_WITH(test_answers, NULL, teardown) {
  static const uint32_t size[][3] = {{37, 23, 5}, {7, 31, 7}, {6, 6, 6}, {19, 4, 1}, {1, 1, 1}};
  for (unsigned k = 0; k < KINDS; k++)
    for (unsigned s = 0; s < 5; s++)
      for (uint64_t seed = 1; seed < 4; seed++) {
        const bool sweeps = k == 1 || k == 4;
        make(names[k], size[s][0], size[s][1], size[s][2], sweeps ? (uint32_t)seed : 1, HD_TILES_WAVES);
        run_at_random(seed);
        assert_int_equal(hd_tiles_done(tiles), hd_tiles_graph(tiles)->nodes);
        assert_null(hd_tiles_broken(tiles));
        assert_int_equal(wrong_tiles(), 0);
        drop();
      }
}

/* A workload with the lowest bit of cell `spoiled` inverted. */
static const struct hd_tiles_kind *sound;
static uint32_t spoiled;

static void spoil(const struct hd_tiles_data *d, const struct hd_tiles_row *r) {
  sound->row(d, r);
  const uint32_t x = spoiled % d->width, y = spoiled / d->width;
  if (r->y == y && r->x0 <= x && x < r->x1) ((unsigned char *)r->own)[(x - r->x0) * d->kind->item * d->bins] ^= 1;
}

/* The check detects one wrong bit of any cell, and names the tile. */
TEST_WITH(test_check_sees_each_cell, NULL, teardown) {
  for (unsigned k = 0; k < KINDS; k++)
    for (spoiled = 0; spoiled < 45; spoiled++) {
      make(names[k], 9, 5, 3, 1, HD_TILES_WAVES);
      sound = data.kind;
      struct hd_tiles_kind kind = *sound;
      kind.row = spoil;
      data.kind = &kind;
      run_at_random(1);
      struct hd_tiles_wrong wrong;
      hd_tiles_check(tiles, &wrong);
      const uint32_t y = spoiled / 9; /* rows of tiles begin at 0, 1 and 3 */
      assert_true(wrong.tiles >= 1 && wrong.x == spoiled % 9 / 3 && wrong.y == (y >= 3 ? 2 : y >= 1 ? 1 : 0));
      drop();
    }
}

/* Answers that can be checked by hand. */
TEST_WITH(test_known_answers, NULL, teardown) {
  make("sw", 8, 7, 2, 1, HD_TILES_WAVES);
  memcpy(data.sequence[0], "ACACACTA", 8); /* the textbook's example */
  memcpy(data.sequence[1], "AGCACAC", 7);
  run_at_random(1);
  assert_true(hd_tiles_result(tiles) == 11); /* A-CACAC against AGCACAC: six letters, one omitted */
  drop();
  make("dtw", 4, 3, 2, 1, HD_TILES_WAVES);
  memcpy(data.series[0], (double[]){1, 2, 3, 3}, 4 * sizeof(double));
  memcpy(data.series[1], (double[]){1, 2, 4}, 3 * sizeof(double));
  run_at_random(1);
  assert_true(hd_tiles_result(tiles) == 2); /* both 3 are matched with the 4 */
  drop();
  make("intimg", 3, 3, 3, 1, HD_TILES_WAVES);
  for (uint16_t k = 0; k < 9; k++) data.grey[k] = k;
  run_at_random(1);
  assert_true(hd_tiles_result(tiles) == 36);
  drop();
  make("hist", 3, 3, 3, 1, HD_TILES_WAVES); /* 5 bins of 51.2 grey values: 0 to 51 are in the first */
  for (uint16_t k = 0; k < 9; k++) data.grey[k] = (uint16_t)(k < 2 ? 51 : k < 5 ? 52 : 255);
  run_at_random(1);
  assert_true(hd_tiles_result(tiles) == 4);
}

/* ---- dependencies ---- */

/* The paper's wavefront: 191 levels of 9216 nodes; in sweeps, two levels more for each. */
TEST_WITH(test_graphs, NULL, teardown) {
  static const uint32_t nodes[] = {1024, 4096, 9216}, side[] = {32, 64, 96}, halved[] = {16, 32, 48};
  for (unsigned k = 0; k < 3; k++) {
    make("heat2d", 96, 96, side[k], 1, HD_TILES_WAVES);
    const struct hd_deplinks_graph *g = hd_tiles_graph(tiles);
    assert_int_equal(g->nodes, nodes[k]);
    assert_int_equal(g->edges, 2 * side[k] * (side[k] - 1));
    assert_int_equal(g->levels, 2 * side[k] - 1);
    assert_int_equal(g->width, side[k]);
    drop();
    make("sor", 96, 96, halved[k], 4, HD_TILES_WAVES);
    g = hd_tiles_graph(tiles);
    assert_int_equal(g->nodes, nodes[k]);
    assert_int_equal(g->edges, (4 + 3) * 2 * halved[k] * (halved[k] - 1) + 3 * halved[k] * halved[k]);
    assert_int_equal(g->levels, 2 * halved[k] - 1 + 2 * 3);
    assert_int_equal(g->in_most, 5);
    drop();
  }
}

TEST(test_sides) {
  assert_int_equal(hd_tiles_side(1024, 1), 32);
  assert_int_equal(hd_tiles_side(9216, 4), 48);
  assert_int_equal(hd_tiles_side(9216, 9), 32);
  assert_int_equal(hd_tiles_side(1, 1), 1);
  assert_int_equal(hd_tiles_side(1000, 1), 0);
  assert_int_equal(hd_tiles_side(1024, 3), 0);
  assert_int_equal(hd_tiles_side(1024, 0), 0);
}

/* ---- illegal orders ---- */

/* TB 4, in the middle of nine, begins while its western neighbour still runs. Some cells are then wrong, in every
 * workload, and the text names both TBs. */
TEST_WITH(test_begun_too_early, NULL, teardown) {
  for (unsigned k = 0; k < KINDS; k++) {
    make(names[k], 11, 10, 3, 1, HD_TILES_WAVES);
    for (uint32_t v = 0; v < 9; v++) {
      begin(v);
      if (v == 2) continue; /* (0, 1) */
      if (v == 4) end(2);   /* the middle one has begun before */
      end(v);
    }
    assert_non_null(hd_tiles_broken(tiles));
    assert_string_equal(hd_tiles_broken(tiles),
                        "TB 4 (1, 1, 0) of wave 2 began before its parent TB 3 (0, 1, 0) of "
                        "wave 1 had ended");
    assert_true(wrong_tiles() > 0);
    drop();
  }
}

/* In sweeps: a tile that begins before its eastern neighbour has ended in the sweep before. */
TEST_WITH(test_sweep_too_early, NULL, teardown) {
  make("sor", 8, 8, 2, 2, HD_TILES_WAVES);
  begin(0); /* (0, 0, 0) */
  end(0);
  begin(2); /* (0, 1, 0) */
  end(2);
  begin(3);
  assert_string_equal(hd_tiles_broken(tiles),
                      "TB 3 (1, 1, 0) of wave 2 began before its parent TB 1 (1, 0, 0) of wave "
                      "1 had ended");
  drop();
  make("sor", 8, 8, 2, 2, HD_TILES_WAVES);
  begin(0);
  end(0);
  begin(2);
  end(2);
  begin(4); /* (0, 0, 1) */
  assert_string_equal(hd_tiles_broken(tiles),
                      "TB 4 (0, 0, 1) of wave 2 began before its parent TB 1 (1, 0, 0) of wave "
                      "1 had ended");
}

TEST_WITH(test_begun_twice, NULL, teardown) {
  make("sw", 8, 8, 2, 1, HD_TILES_WAVES);
  begin(0);
  end(0);
  begin(0);
  assert_string_equal(hd_tiles_broken(tiles), "TB 0 (0, 0, 0) of wave 0 began a second time");
}

/* A TB that never ran leaves wrong cells. */
TEST_WITH(test_one_is_missing, NULL, teardown) {
  for (unsigned k = 0; k < KINDS; k++) {
    make(names[k], 10, 10, 2, 1, HD_TILES_WAVES);
    for (uint32_t v = 0; v < 3; v++) begin(v), end(v);
    assert_null(hd_tiles_broken(tiles));
    assert_true(wrong_tiles() > 0);
    drop();
  }
}

/* ---- launches ---- */

/* Waves: each kernel starts host_latency cycles after the completion of the previous one, with the TBs of its level; a
 * TB of 3 x 3 cells takes 5 diagonals. */
TEST_WITH(test_waves, NULL, teardown) {
  make("dtw", 9, 9, 3, 1, HD_TILES_WAVES);
  static const uint32_t ctas[] = {1, 2, 3, 2, 1};
  uint64_t cycle, now = 0;
  assert_null(work.device);
  for (uint32_t k = 0; k < 5; k++) {
    struct hd_launch l = {0};
    assert_true(work.next_at(work.ctx, &cycle) && cycle == now + 50);
    assert_false(work.next(work.ctx, cycle - 1, &l));
    assert_true(work.next(work.ctx, cycle, &l));
    assert_true(l.ctas == ctas[k] && l.desc.grid_x == ctas[k] && l.threads == 8 && l.regs == 16);
    assert_false(work.next(work.ctx, cycle, &l) || work.next_at(work.ctx, &cycle) || work.finished(work.ctx));
    assert_int_equal(work.duration(work.ctx, k, 0), 100 + 5 * 7);
    now += 1000;
    work.kernel_done(work.ctx, now, k);
  }
  assert_true(work.finished(work.ctx));
}

/* Nested: one kernel of one TB, whose calls are the waves. */
TEST_WITH(test_nested, NULL, teardown) {
  make("dtw", 9, 9, 3, 1, HD_TILES_NESTED);
  static const uint32_t ctas[] = {1, 2, 3, 2, 1};
  struct hd_launch l = {0};
  struct hd_work_warp w;
  assert_true(work.next(work.ctx, 50, &l) && l.ctas == 1 && l.threads == 32);
  for (uint32_t k = 0; k < 5; k++) {
    assert_true(work.device->sync == HD_SYNC_EACH && work.device->warp(work.ctx, 0, 0, k, &w));
    assert_true(w.calls == 1 && w.call[0].item == k && w.call[0].ctas == ctas[k]);
    assert_int_equal(w.call[0].alone, ctas[k] * (100 + 5 * 7));
    assert_int_equal(work.device->duration(work.ctx, 0, k, 0), 100 + 5 * 7);
    work.device->alone(work.ctx, 0, k);
  }
  assert_false(work.device->warp(work.ctx, 0, 0, 5, &w));
  work.kernel_done(work.ctx, 999, 0);
  assert_true(work.finished(work.ctx));
  assert_null(hd_tiles_broken(tiles));
  assert_int_equal(wrong_tiles(), 0);
}

/* Steps: diagonals and scans, more cells than threads among them. */
TEST(test_steps) {
  assert_int_equal(hd_tiles_diagonals(1, 1, 8, 0), 1);
  assert_int_equal(hd_tiles_diagonals(4, 9, 8, 0), 12);
  assert_int_equal(hd_tiles_diagonals(5, 3, 2, 0), 1 + 1 + 2 + 2 + 2 + 1 + 1);
  assert_int_equal(hd_tiles_diagonals(5, 3, 2, 1), 0 + 1 + 1 + 1 + 1 + 1 + 0);
  assert_int_equal(hd_tiles_diagonals(5, 3, 4, 3), 0);
  assert_int_equal(hd_tiles_scans(4, 3, 1, 8, 0), 4 + 3);
  assert_int_equal(hd_tiles_scans(4, 3, 1, 8, 3), 3);
  assert_int_equal(hd_tiles_scans(4, 3, 5, 8, 0), 2 * 4 + 3 * 3);
}

/* ---- data ---- */

/* The same data for the same seed, other data for another. */
TEST(test_generated) {
  struct hd_tiles_data d[3];
  for (unsigned k = 0; k < 3; k++) {
    d[k] = (struct hd_tiles_data){.kind = &hd_tiles_sw, .width = 500, .height = 300, .sweeps = 1, .bins = 1};
    assert_true(hd_tiles_generate(&d[k], k == 2 ? 8 : 7));
    assert_int_equal(strspn(d[k].sequence[1], "ACGT"), 300);
  }
  assert_string_equal(d[0].sequence[0], d[1].sequence[0]);
  assert_string_equal(d[0].sequence[1], d[1].sequence[1]);
  assert_string_not_equal(d[0].sequence[0], d[2].sequence[0]);
  for (unsigned k = 0; k < 3; k++) hd_tiles_data_free(&d[k]);
}

/* Sizes that do not fit are rejected with a message. */
TEST(test_refused) {
  struct hd_tiles_data d = {.kind = &hd_tiles_heat2d, .width = 31, .height = 40, .sweeps = 1, .bins = 1};
  struct hd_tiles_opts o = {.nodes = 1024, .block_size = 8};
  assert_null(hd_tiles_new(&d, &o, err, sizeof err));
  assert_string_equal(err,
                      "31 x 40 cells for 32 x 32 tiles; as many cells as tiles on each side, or more, would be "
                      "accepted");
  o.nodes = 1000;
  assert_null(hd_tiles_new(&d, &o, err, sizeof err));
  assert_non_null(strstr(err, "a square of tiles times the sweeps would be accepted"));
  o.nodes = 1024;
  d.width = d.height = 1 << 15;
  assert_null(hd_tiles_new(&d, &o, err, sizeof err));
  assert_non_null(strstr(err, "more than 1 GiB; 268435456 cells would be accepted"));
  d.kind = &hd_tiles_dtw;
  d.width = d.height = 1 << 22;
  assert_null(hd_tiles_new(&d, &o, err, sizeof err));
  assert_string_equal(
      err,
      "4194304 x 4194304 cells in 32 x 32 tiles, whose borders need more than 1 GiB; a width and height "
      "of 4194304 cells together, or fewer tiles, would be accepted");
  d.width = d.height = 1 << 21;
  assert_true(hd_tiles_fits(&d, o.nodes, err, sizeof err));
  d.width++;
  assert_false(hd_tiles_fits(&d, o.nodes, err, sizeof err));
  d.kind = &hd_tiles_intimg;
  d.width = d.height = 1 << 15;
  assert_null(hd_tiles_new(&d, &o, err, sizeof err));
  assert_string_equal(err, "32768 x 32768 pixels need more than 1 GiB; 536870912 would be accepted");
}

TEST_MAIN("tiles", NULL, NULL)
