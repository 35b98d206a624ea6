/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The plane's warp schedulers and its throttle in the loop: correct answers under every policy of both, no starvation,
 * and identical runs with and without skipping of cycles. */
#include <stddef.h>
#include <stdint.h>

#include "engine/config.h"
#include "sim/fit.h"
#include "sim/loop.h"
#include "test_list.h"
#include "work/bfs.h"
#include "work/tiles.h"

static struct hd_graph g;

/* Rings of chords, and vertices that all are neighbours of: degrees from 4 to some hundred. */
static int begin(void **state) {
  enum { NODES = 600 };
  struct hd_edges e = {0};
  (void)state;
  for (uint32_t v = 0; v < NODES; v++) {
    assert_true(hd_edges_add(&e, v, (v + 1) % NODES) && hd_edges_add(&e, v, (v * 7 + 3) % NODES));
    if (v % 3 == 0) assert_true(hd_edges_add(&e, v, v % 11));
  }
  assert_true(hd_graph_build(&g, &e));
  return 0;
}

static int end(void **state) {
  (void)state;
  hd_graph_free(&g);
  return 0;
}

struct run {
  const char *cfg;
  enum hd_engine engine; /* of the plane; 0: its model */
  const struct hd_warps_opts *warps;
  bool throttle;
  enum hd_policy policy; /* of launches from the device, if there is a threshold */
  uint32_t threshold, issue_every;
  enum hd_skip skip;
};

static struct hd_sim *open_plane(const char *name, enum hd_engine engine, struct hd_cfg *cfg) {
  char err[500];
  if (!hd_config_parse(name, cfg, err, sizeof err)) fail_msg("%s", err);
  const struct hd_sim_opts so = {.block = "top", .cfg = *cfg, .engine = engine, .test = "test"};
  struct hd_sim *sim = hd_sim_open(&so, err, sizeof err);
  if (sim == NULL) fail_msg("%s", err);
  return sim;
}

/* SMXs whose memory is soon full. */
static struct hd_gpu_opts small_gpu(void) {
  struct hd_gpu_opts o = hd_gpu_defaults();
  o.memory.l1_kb = o.memory.dram_queue = 1;
  o.memory.l2_kb = 16;
  o.memory.l2_parts = 2;
  return o;
}

/* Runs four searches; the answer must be right. */
static struct hd_loop_result run(const struct run *r) {
  struct hd_cfg cfg;
  struct hd_sim *sim = open_plane(r->cfg, r->engine != 0 ? r->engine : HD_ENGINE_MODEL, &cfg);
  const struct hd_rounds_opts bo = {.problems = 4,
                                    .block_size = 64,
                                    .num_hwq = cfg.num_hwq,
                                    .threshold = r->threshold,
                                    .child_size = 8,
                                    .warps = true};
  struct hd_rounds *b = hd_rounds_new(&hd_bfs, &(struct hd_rounds_data){.graph = &g}, &bo);
  assert_non_null(b);
  const struct hd_work work = hd_rounds_work(b);
  struct hd_gpu_opts gpu = r->throttle ? small_gpu() : hd_gpu_defaults();
  if (r->warps != NULL) gpu.schedulers = 2;
  if (r->issue_every != 0) gpu.issue_every = r->issue_every;
  const struct hd_launcher_opts launcher = {
      .cfg = &cfg, .kind = HD_KIND_GROUP, .policy = r->policy, .memory_latency = 5, .records = 64, .buffers = 64};
  const struct hd_loop_opts o = {.cfg = &cfg,
                                 .patience = 20000,
                                 .take_every = 1,
                                 .skip = r->skip,
                                 .gpu = &gpu,
                                 .warps = r->warps,
                                 .throttle = r->throttle,
                                 .launcher = r->threshold != 0 ? &launcher : NULL};
  struct hd_loop_result result = hd_loop_run(sim, &work, &o);
  hd_sim_close(sim);
  if (result.verdict != HD_PASS) fail_msg("%s", result.text);
  uint32_t wrong = 1;
  assert_true(hd_rounds_check(b, &wrong));
  assert_int_equal(wrong, 0);
  hd_rounds_free(b);
  return result;
}

static void same(const struct hd_loop_result *x, const struct hd_loop_result *y) {
  assert_int_equal(x->cycles, y->cycles);
  assert_int_equal(x->gpu.instructions, y->gpu.instructions);
  assert_int_equal(x->gpu.load_wait, y->gpu.load_wait);
  assert_memory_equal(&x->gpu.stalls, &y->gpu.stalls, sizeof x->gpu.stalls);
  assert_int_equal(x->starved, y->starved);
  assert_memory_equal(&x->throttle, &y->throttle, sizeof x->throttle);
}

/* A scheduler with warps issues, or has exactly one cause for not issuing. */
TEST(test_policies) {
  for (unsigned p = HD_WPOLICY_RR; p <= HD_WPOLICY_LWF; p++) {
    const struct hd_warps_opts w = {.policy = (enum hd_wpolicy)p, .engine = HD_ENGINE_MODEL};
    struct run r = {.cfg = "tiny", .warps = &w, .issue_every = p % 2 == 0 ? 4 : 1};
    const struct hd_loop_result skipped = run(&r);
    r.skip = HD_SKIP_NEVER;
    const struct hd_loop_result all = run(&r);
    same(&skipped, &all);
    const struct hd_gpu_stalls *s = &all.gpu.stalls;
    assert_true(s->raw > 0 && s->pipe > 0 && s->choice > 0);
    assert_true(all.gpu.instructions + s->raw + s->pipe + s->control + s->choice <= all.cycles * 2 * 2);
  }
}

/* The warp schedulers, and the plane with its throttle, as RTL and as model, compared in every cycle. */
TEST(test_lockstep) {
  const struct hd_warps_opts w = {.policy = HD_WPOLICY_LWF, .engine = HD_ENGINE_BOTH},
                             m = {.policy = HD_WPOLICY_LWF, .engine = HD_ENGINE_MODEL};
  struct run r = {.cfg = "tiny", .engine = HD_ENGINE_BOTH, .warps = &w, .throttle = true};
  const struct hd_loop_result both = run(&r);
  r.engine = HD_ENGINE_MODEL;
  r.warps = &m;
  const struct hd_loop_result model = run(&r);
  same(&both, &model);
}

/* By the paper's rule, which closes more: with every policy of LaPerm SMXs close, and all work is done; a TB that is
 * bound to a closed SMX runs. */
TEST(test_throttle) {
  const struct hd_warps_opts w = {.policy = HD_WPOLICY_LWF, .engine = HD_ENGINE_MODEL};
  for (unsigned p = HD_POLICY_RR; p <= HD_POLICY_ADAPTIVE_BIND; p++) {
    struct run r = {.cfg = "tiny+NumSmx=5+DeadBand=0+Recovers=0",
                    .warps = &w,
                    .throttle = true,
                    .policy = (enum hd_policy)p,
                    .threshold = 6};
    const struct hd_loop_result skipped = run(&r);
    r.skip = HD_SKIP_NEVER;
    const struct hd_loop_result all = run(&r);
    same(&skipped, &all);
    const bool binds = p == HD_POLICY_SMX_BIND || p == HD_POLICY_ADAPTIVE_BIND;
    const struct hd_loop_throttle *t = &all.throttle;
    print_message("n %u at least, %.2f; closed %u times, opened %u; %u bound\n", t->least,
                  (double)t->open_sum / (double)all.cycles, (unsigned)t->closes, (unsigned)t->opens,
                  (unsigned)t->bound);
    assert_in_range(t->least, 2, 3);
    assert_true(t->closes > 3 && t->opens > 0 && t->open_sum < 5 * all.cycles);
    assert_int_equal(t->bound > 0, binds);
  }
}

/* SMXs close to the TBs of a graph, and all of it runs. The loop writes the registers of the throttle. */
TEST(test_graph) {
  struct hd_cfg cfg;
  char err[400];
  struct hd_sim *sim = open_plane("tiny+NumSmx=5+Epoch=5000+Recovers=0", HD_ENGINE_MODEL, &cfg);
  const struct hd_tiles_kind *kind = hd_tiles_find("sw");
  const struct hd_tiles_opts o = {.nodes = 256,
                                  .launch = HD_TILES_GRAPH,
                                  .bound = 3,
                                  .block_size = 64,
                                  .regs = hd_fit_regs(&cfg),
                                  .overhead = 100,
                                  .cycles_per_step = 3};
  struct hd_tiles_data data = {.kind = kind, .width = 128, .height = 128, .sweeps = kind->sweeps, .bins = kind->bins};
  assert_true(hd_tiles_generate(&data, 1));
  struct hd_tiles *tiles = hd_tiles_new(&data, &o, err, sizeof err);
  assert_non_null(tiles);
  const struct hd_gpu_opts gpu = small_gpu();
  const struct hd_launcher_opts launcher = {.cfg = &cfg, .kind = HD_KIND_KERNEL, .memory_latency = 20};
  const struct hd_loop_opts l = {.cfg = &cfg,
                                 .patience = 30000,
                                 .take_every = 1,
                                 .gpu = &gpu,
                                 .throttle = true,
                                 .rule = {.epoch = 64, .banded = true},
                                 .launcher = &launcher,
                                 .taken = hd_tiles_taken,
                                 .watcher = tiles};
  const struct hd_work work = hd_tiles_work(tiles);
  const struct hd_loop_result r = hd_loop_run(sim, &work, &l);
  hd_sim_close(sim);
  if (r.verdict != HD_PASS) fail_msg("%s", r.text);
  assert_int_equal(hd_tiles_done(tiles), 256);
  assert_null(hd_tiles_broken(tiles));
  print_message("n %u at least; closed %u times, opened %u\n", r.throttle.least, (unsigned)r.throttle.closes,
                (unsigned)r.throttle.opens);
  assert_true(r.throttle.closes > 3 && r.throttle.opens > 3);
  hd_tiles_free(tiles);
  hd_tiles_data_free(&data);
}

TEST_MAIN("smxs_run", begin, end)
