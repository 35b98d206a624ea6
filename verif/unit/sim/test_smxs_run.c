/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The plane's warp schedulers and its throttle in the loop: right answers under every policy of both, nothing starves,
 * and the same run whether cycles are passed over or not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first */
#include <cmocka.h>

#include "engine/config.h"
#include "sim/fit.h"
#include "sim/loop.h"
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

/* Contention that grows for three quarters of a while, then is over. */
static void grows(void *ctx, uint64_t now, uint64_t *dram_full, uint64_t *icnt2sm) {
  const uint64_t whole = 8192, part = 6144, at = now % whole < part ? now % whole : part;
  (void)ctx;
  *dram_full = now / whole * (part * part / 64) + at * at / 64;
  *icnt2sm = 0;
}

struct run {
  const char *cfg;
  const struct hd_warps_opts *warps;
  const struct hd_gate_opts *gate;
  enum hd_policy policy; /* of launches from the device, if there is a threshold */
  uint32_t threshold, issue_every;
  enum hd_skip skip;
};

static struct hd_sim *open_plane(const char *name, struct hd_cfg *cfg) {
  char err[500];
  if (!hd_config_parse(name, cfg, err, sizeof err)) fail_msg("%s", err);
  const struct hd_sim_opts so = {.block = "top", .cfg = *cfg, .engine = HD_ENGINE_MODEL, .test = "test"};
  struct hd_sim *sim = hd_sim_open(&so, err, sizeof err);
  if (sim == NULL) fail_msg("%s", err);
  return sim;
}

/* Runs four searches; the answer must be right. */
static struct hd_loop_result run(const struct run *r) {
  struct hd_cfg cfg;
  struct hd_sim *sim = open_plane(r->cfg, &cfg);
  const struct hd_rounds_opts bo = {.problems = 4,
                                    .block_size = 64,
                                    .num_hwq = cfg.num_hwq,
                                    .threshold = r->threshold,
                                    .child_size = 8,
                                    .warps = true};
  struct hd_rounds *b = hd_rounds_new(&hd_bfs, &(struct hd_rounds_data){.graph = &g}, &bo);
  assert_non_null(b);
  const struct hd_work work = hd_rounds_work(b);
  struct hd_gpu_opts gpu = hd_gpu_defaults();
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
                                 .gate = r->gate,
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
  assert_int_equal(x->gate.closes, y->gate.closes);
  assert_int_equal(x->gate.open_sum, y->gate.open_sum);
  assert_int_equal(x->gate.held, y->gate.held);
}

/* A scheduler with warps issues, or does not for one cause. */
static void test_policies(void **state) {
  (void)state;
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

/* The warp schedulers and the throttle as RTL and as model, compared in every cycle. */
static void test_lockstep(void **state) {
  (void)state;
  const struct hd_warps_opts w = {.policy = HD_WPOLICY_LWF, .engine = HD_ENGINE_BOTH},
                             m = {.policy = HD_WPOLICY_LWF, .engine = HD_ENGINE_MODEL};
  const struct hd_gate_opts gate = {.engine = HD_ENGINE_BOTH, .contention = grows};
  struct run r = {.cfg = "tiny", .warps = &w, .gate = &gate};
  const struct hd_loop_result both = run(&r);
  r.warps = &m;
  const struct hd_loop_result model = run(&r);
  same(&both, &model);
}

/* With every policy of LaPerm SMXs close, and all is done; a TB that is bound to a closed SMX runs. */
static void test_throttle(void **state) {
  (void)state;
  const struct hd_warps_opts w = {.policy = HD_WPOLICY_LWF, .engine = HD_ENGINE_MODEL};
  const struct hd_gate_opts gate = {.engine = HD_ENGINE_MODEL, .contention = grows};
  for (unsigned p = HD_POLICY_RR; p <= HD_POLICY_ADAPTIVE_BIND; p++) {
    struct run r = {.cfg = "tiny+NumSmx=5", .warps = &w, .gate = &gate, .policy = (enum hd_policy)p, .threshold = 6};
    const struct hd_loop_result skipped = run(&r);
    r.skip = HD_SKIP_NEVER;
    const struct hd_loop_result all = run(&r);
    same(&skipped, &all);
    const bool binds = p == HD_POLICY_SMX_BIND || p == HD_POLICY_ADAPTIVE_BIND;
    assert_int_equal(all.gate.least, 2);
    assert_true(all.gate.closes > 3 && all.gate.opens > 0 && all.gate.held > 0);
    assert_true(binds ? all.gate.bound > 0 : all.gate.bound + all.gate.passed == 0);
  }
}

/* A graph's TBs are held back, and all of it runs. */
static void test_graph(void **state) {
  (void)state;
  struct hd_cfg cfg;
  char err[400];
  struct hd_sim *sim = open_plane("tiny+NumSmx=5", &cfg);
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
  const struct hd_gate_opts gate = {.engine = HD_ENGINE_MODEL, .contention = grows};
  const struct hd_launcher_opts launcher = {.cfg = &cfg, .kind = HD_KIND_KERNEL, .memory_latency = 20};
  const struct hd_loop_opts l = {.cfg = &cfg,
                                 .patience = 30000,
                                 .take_every = 1,
                                 .gate = &gate,
                                 .launcher = &launcher,
                                 .taken = hd_tiles_taken,
                                 .watcher = tiles};
  const struct hd_work work = hd_tiles_work(tiles);
  const struct hd_loop_result r = hd_loop_run(sim, &work, &l);
  hd_sim_close(sim);
  if (r.verdict != HD_PASS) fail_msg("%s", r.text);
  assert_int_equal(hd_tiles_done(tiles), 256);
  assert_null(hd_tiles_broken(tiles));
  assert_true(r.gate.least == 2 && r.gate.held > 0);
  hd_tiles_free(tiles);
  hd_tiles_data_free(&data);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_policies), cmocka_unit_test(test_lockstep),
                                     cmocka_unit_test(test_throttle), cmocka_unit_test(test_graph)};
  return cmocka_run_group_tests(tests, begin, end);
}
