/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Workloads of tiles in the closed loop, on the golden model of the plane: 1024 TBs, wave by wave, from the host and
 * from a TB, as a kernel with barriers between its waves, and as one with its graph. */
#include "engine/sim.h"
#include "sim/fit.h"
#include "sim/loop.h"
#include "unit/util.h"
#include "work/tiles.h"

enum { SIZE = 96, HOST = 3000, PATIENCE = 20000 };

static struct hd_tiles_data data;
static struct hd_tiles *tiles;

static int teardown(void **state) {
  (void)state;
  hd_tiles_free(tiles);
  hd_tiles_data_free(&data);
  tiles = NULL;
  return 0;
}

/* Running TBs, and the wave of the last one taken: no TB may begin before the previous wave is over. */
struct watch {
  uint32_t running, wave;
  bool early;
};

static struct watch watched;
static uint32_t wave_of[1024]; /* TB, of one kernel */
static enum hd_tiles_launch launch;
static enum hd_deplinks_policy order;
static uint32_t lea;   /* 0: the configuration's */
static uint32_t slots; /* 0: the configuration's */
static enum hd_policy policy;
static bool spin, warps;

static void taken(void *ctx, uint32_t smx, const struct hd_resident *r) {
  const bool nested = launch == HD_TILES_NESTED;
  hd_tiles_taken(ctx, smx, r);
  if (nested && r->child == 0) return;
  const uint32_t wave = nested ? r->item : launch == HD_TILES_BARRIERS ? wave_of[r->blkid] : r->kernel;
  watched.early |= watched.running != 0 && wave != watched.wave;
  watched.wave = wave;
  watched.running++;
}

static void left(void *ctx, uint64_t now, uint32_t smx, const struct hd_resident *r) {
  (void)ctx, (void)now, (void)smx;
  watched.running -= launch != HD_TILES_NESTED || r->child != 0;
}

/* step: cycles of one step. */
static struct hd_loop_result run(const char *name, const char *config, uint32_t step, enum hd_skip skip) {
  struct hd_cfg cfg = lea != 0     ? ut_cfg_with(config, "Lea", lea)
                      : slots != 0 ? ut_cfg_with(config, "CtasPerSmx", slots)
                                   : ut_cfg(config);
  const struct hd_tiles_kind *kind = hd_tiles_find(name);
  const struct hd_tiles_opts o = {.nodes = 1024,
                                  .launch = launch,
                                  .order = order,
                                  .bound = 3,
                                  .block_size = 64,
                                  .regs = hd_fit_regs(&cfg),
                                  .overhead = 100,
                                  .cycles_per_step = step,
                                  .host_latency = HOST};
  char err[400];
  data =
      (struct hd_tiles_data){.kind = kind, .width = SIZE, .height = SIZE, .sweeps = kind->sweeps, .bins = kind->bins};
  assert_true(hd_tiles_generate(&data, 1));
  tiles = hd_tiles_new(&data, &o, err, sizeof err);
  assert_non_null(tiles);
  const struct hd_deplinks_graph *g = hd_tiles_graph(tiles);
  for (uint32_t v = 0; v < g->nodes; v++) wave_of[g->tb[v]] = g->node[v].level;
  const struct hd_sim_opts so = {.block = "top", .cfg = cfg, .engine = HD_ENGINE_MODEL, .test = "tiles"};
  struct hd_sim *sim = hd_sim_open(&so, err, sizeof err);
  if (sim == NULL) fail_msg("%s", err);
  const struct hd_gpu_opts gpu = hd_gpu_defaults();
  const struct hd_launcher_opts lo = {
      .cfg = &cfg, .kind = HD_KIND_KERNEL, .policy = policy, .memory_latency = 20, .spin = spin, .context_cycles = 1};
  const struct hd_loop_opts l = {.cfg = &cfg,
                                 .patience = PATIENCE,
                                 .take_every = 1,
                                 .skip = skip,
                                 .gpu = warps ? &gpu : NULL,
                                 .launcher = launch != HD_TILES_WAVES ? &lo : NULL,
                                 .taken = taken,
                                 .left = left,
                                 .watcher = tiles};
  const struct hd_work work = hd_tiles_work(tiles);
  watched = (struct watch){0};
  struct hd_loop_result r = hd_loop_run(sim, &work, &l);
  hd_sim_close(sim);
  if (r.verdict != HD_PASS && !spin) fail_msg("%s: %s", name, r.text);
  return r;
}

static void check_answer(void) {
  struct hd_tiles_wrong wrong;
  hd_tiles_check(tiles, &wrong);
  assert_true(wrong.tiles == 0 && !wrong.out_of_room);
  assert_null(hd_tiles_broken(tiles));
  assert_int_equal(hd_tiles_done(tiles), 1024);
  assert_true(watched.running == 0 && !watched.early);
}

static const char *const names[] = {"dtw", "heat2d", "hist", "intimg", "sor", "sw"};

/* Cycles of TBs that run longer than the loop's limit of idle cycles are skipped all the same. */
TEST_WITH(test_waves, NULL, teardown) {
  launch = HD_TILES_WAVES;
  for (unsigned k = 0; k < 6; k++) {
    struct hd_loop_result r = run(names[k], "k20c", PATIENCE, HD_SKIP);
    check_answer();
    assert_int_equal(r.kernels, hd_tiles_graph(tiles)->levels);
    assert_int_equal(r.ctas, 1024);
    assert_true(r.cycles > r.kernels * (HOST + PATIENCE) && r.cycles - r.skipped < 100 * r.kernels);
    teardown(state);
  }
}

TEST_WITH(test_nested, NULL, teardown) {
  launch = HD_TILES_NESTED;
  for (unsigned k = 0; k < 6; k++) {
    struct hd_loop_result r = run(names[k], "k20c", PATIENCE, HD_SKIP);
    check_answer();
    assert_int_equal(r.kernels, 1);
    assert_int_equal(r.ctas, 1025);
    assert_int_equal(r.device.kernels, hd_tiles_graph(tiles)->levels);
    assert_int_equal(r.device.alone, 0);
    assert_int_equal(r.device.save.saves, r.device.kernels);
    teardown(state);
  }
}

/* The parent has the only slot in which a TB of a wave may run: saved, it frees the slot, under every policy, on timers
 * and warps. In its slot it waits forever where its children are bound to it. */
TEST_WITH(test_one_slot, NULL, teardown) {
  launch = HD_TILES_NESTED;
  slots = 1;
  for (policy = HD_POLICY_RR; policy <= HD_POLICY_ADAPTIVE_BIND; policy++) {
    uint64_t cycles[2];
    for (unsigned k = 0; k < 2; k++) {
      warps = k != 0;
      struct hd_loop_result r = run("sw", "tiny", 20, HD_SKIP);
      const struct hd_save_stats *s = &r.device.save;
      check_answer();
      assert_int_equal(r.ctas, 1025);
      assert_true(s->saves == r.device.kernels && s->restarts == s->saves && s->refused + s->dropped == 0);
      cycles[k] = r.cycles;
      teardown(state);
    }
    assert_true(cycles[0] != cycles[1]);
    warps = false;
    spin = true;
    assert_int_equal(run("sw", "tiny", 20, HD_SKIP).verdict, policy == HD_POLICY_SMX_BIND ? HD_STUCK : HD_PASS);
    spin = false;
    teardown(state);
  }
  policy = HD_POLICY_RR;
  slots = 0;
}

/* Cycles of a workload wave by wave, run once. */
static uint64_t by_waves(unsigned k) {
  static uint64_t cycles[6];
  if (cycles[k] == 0) {
    launch = HD_TILES_WAVES;
    cycles[k] = run(names[k], "k20c", PATIENCE, HD_SKIP).cycles;
    teardown(NULL);
  }
  return cycles[k];
}

/* One kernel, each wave after the previous one; without the host's launches that is faster, if the LEA holds the edges
 * of a wave. */
TEST_WITH(test_barriers, NULL, teardown) {
  for (unsigned k = 0; k < 6; k++) {
    const uint64_t waves = by_waves(k);
    launch = HD_TILES_BARRIERS;
    for (unsigned large = 0; large < 2; large++) {
      lea = large ? 4096 : 0;
      struct hd_loop_result r = run(names[k], "k20c", PATIENCE, HD_SKIP);
      lea = 0;
      check_answer();
      assert_int_equal(r.kernels, 1);
      assert_int_equal(r.ctas, 1024);
      assert_true(!large || r.cycles < waves);
      teardown(state);
    }
  }
}

/* A TB begins as soon as its parents have ended: no wave is waited for, so less time is lost than by waves. */
TEST_WITH(test_graph, NULL, teardown) {
  static const enum hd_deplinks_policy orders[] = {HD_DEPLINKS_LRR, HD_DEPLINKS_LVL, HD_DEPLINKS_LVL_BIND};
  for (unsigned k = 0; k < 6; k++) {
    const uint64_t waves = by_waves(k);
    launch = HD_TILES_GRAPH;
    order = orders[k % 3];
    struct hd_loop_result r = run(names[k], "k20c", PATIENCE, HD_SKIP);
    check_answer();
    assert_int_equal(r.kernels, 1);
    assert_int_equal(r.ctas, 1024);
    assert_true(r.cycles < waves);
    teardown(state);
  }
  order = HD_DEPLINKS_LRR;
}

/* On a small plane, and with skipped cycles compared. */
TEST_WITH(test_tiny, NULL, teardown) {
  launch = HD_TILES_WAVES;
  run("sor", "tiny", 20, HD_SKIP_CHECKED);
  check_answer();
  teardown(state);
  launch = HD_TILES_NESTED;
  run("sor", "tiny", 20, HD_SKIP_CHECKED);
  check_answer();
  teardown(state);
  launch = HD_TILES_BARRIERS;
  run("sor", "tiny", 20, HD_SKIP_CHECKED);
  check_answer();
  teardown(state);
  launch = HD_TILES_GRAPH;
  run("sor", "tiny", 20, HD_SKIP_CHECKED);
  check_answer();
}

TEST_MAIN("tiles_run", NULL, NULL)
