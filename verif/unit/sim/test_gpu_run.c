/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Searches on SMXs that run warps, through the plane's model: correct answers under every launch model, and identical
 * runs with and without skipping of idle cycles. */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/config.h"
#include "sim/loop.h"
#include "test_list.h"
#include "unit/temp.h"
#include "work/bfs.h"

static struct hd_graph g;

/* Rings of chords, and eleven vertices that share all others among them: degrees from 5 to some sixty. */
static int begin(void **state) {
  enum { NODES = 600 };
  struct hd_edges e = {0};
  for (uint32_t v = 0; v < NODES; v++) {
    assert_true(hd_edges_add(&e, v, (v + 1) % NODES) && hd_edges_add(&e, v, (v * 7 + 3) % NODES));
    assert_true(hd_edges_add(&e, v, v % 11));
  }
  assert_true(hd_graph_build(&g, &e));
  return temp_setup(state);
}

static int end(void **state) {
  hd_graph_free(&g);
  return temp_teardown(state);
}

struct run {
  const char *cfg;
  enum hd_kind kind; /* of launches, if there is a threshold */
  uint32_t threshold, child_size, pending;
  enum hd_skip skip;
  struct hd_series *series;
};

/* Runs four searches; the answer must be right. */
static struct hd_loop_result run(const struct run *r) {
  char err[500];
  struct hd_cfg cfg;
  if (!hd_config_parse(r->cfg, &cfg, err, sizeof err)) fail_msg("%s", err);
  const struct hd_sim_opts so = {.block = "top", .cfg = cfg, .engine = HD_ENGINE_MODEL, .test = "test"};
  struct hd_sim *sim = hd_sim_open(&so, err, sizeof err);
  if (sim == NULL) fail_msg("%s", err);
  const struct hd_rounds_opts bo = {.problems = 4,
                                    .block_size = 64,
                                    .num_hwq = cfg.num_hwq,
                                    .threshold = r->threshold,
                                    .child_size = r->child_size,
                                    .warps = true};
  struct hd_rounds *b = hd_rounds_new(&hd_bfs, &(struct hd_rounds_data){.graph = &g}, &bo);
  assert_non_null(b);
  const struct hd_work work = hd_rounds_work(b);
  const struct hd_gpu_opts gpu = hd_gpu_defaults();
  const struct hd_launcher_opts launcher = {
      .cfg = &cfg, .kind = r->kind, .memory_latency = 5, .records = r->pending, .buffers = r->pending};
  const struct hd_loop_opts o = {.cfg = &cfg,
                                 .patience = 20000,
                                 .take_every = 1,
                                 .skip = r->skip,
                                 .gpu = &gpu,
                                 .series = r->series,
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
  assert_int_equal(x->ctas, y->ctas);
  assert_int_equal(x->gpu.instructions, y->gpu.instructions);
  assert_int_equal(x->gpu.load_wait, y->gpu.load_wait);
  assert_int_equal(x->gpu_memory.l1_hits, y->gpu_memory.l1_hits);
  assert_int_equal(x->gpu_memory.dram_reads, y->gpu_memory.dram_reads);
}

/* Skipping cycles changes no result, neither of the SMXs nor of the plane. */
static struct hd_loop_result run_each_way(struct run r) {
  struct hd_loop_result skipped = run(&r);
  r.skip = HD_SKIP_NEVER;
  struct hd_loop_result all = run(&r);
  r.skip = HD_SKIP_CHECKED;
  struct hd_loop_result checked = run(&r);
  same(&skipped, &all);
  same(&skipped, &checked);
  assert_true(skipped.skipped > 0);
  return skipped;
}

TEST(test_flat) {
  struct hd_loop_result r = run_each_way((struct run){.cfg = "tiny"});
  struct hd_memsys_counts m = r.gpu_memory;
  assert_true(r.gpu.loads > 0 && r.gpu.stores > 0);
  assert_int_equal(m.loads, r.gpu.load_lines);
  assert_int_equal(m.stores, r.gpu.store_lines);
  assert_int_equal(m.filled, m.l2_loads);
  assert_true(r.gpu.instructions <= r.cycles * 2 * 4);
}

TEST(test_launches) {
  for (unsigned k = 0; k < 4; k++) {
    const struct run r = {.cfg = "tiny",
                          .kind = k % 2 == 0 ? HD_KIND_KERNEL : HD_KIND_GROUP,
                          .threshold = 32,
                          .child_size = k < 2 ? 32 : 48,
                          .pending = 64};
    const struct hd_loop_result result = run_each_way(r);
    assert_int_equal(result.device.alone, 0);
    assert_true(result.ctas > run(&(struct run){.cfg = "tiny"}).ctas);
  }
}

/* Threads that cannot launch walk their edges themselves; no edge is walked twice or omitted. */
TEST(test_alone) {
  struct run r = {.cfg = "k20c", .kind = HD_KIND_GROUP, .threshold = 16, .child_size = 8, .pending = 1000};
  struct hd_loop_result all = run_each_way(r);
  r.pending = 2;
  struct hd_loop_result few = run_each_way(r);
  assert_int_equal(all.device.alone, 0);
  assert_true(few.device.alone > 0);
  assert_true(all.ctas > few.ctas);
}

/* More SMXs are faster. */
TEST(test_scale) {
  uint64_t few = run(&(struct run){.cfg = "tiny+NumSmx=1"}).cycles;
  uint64_t many = run(&(struct run){.cfg = "tiny+NumSmx=4"}).cycles;
  assert_true(many < few);
}

/* The rows of a series sum to the counts of the run; the same rows with and without skipping of cycles. */
TEST(test_series) {
  char err[200], line[2][400];
  uint64_t cycle, tbs, warps, instructions, sum = 0, rows = 0;
  struct hd_series s[2];
  struct run r = {.cfg = "tiny"};
  struct hd_loop_result result;
  char path[2][512];
  for (unsigned k = 0; k < 2; k++) {
    snprintf(path[k], sizeof path[k], "%s/%u.csv", temp_dir, k);
    assert_true(hd_series_open(&s[k], path[k], 500, false, err, sizeof err));
    r.series = &s[k];
    r.skip = k == 0 ? HD_SKIP : HD_SKIP_NEVER;
    result = run(&r);
    assert_true(hd_series_commit(&s[k], err, sizeof err));
  }
  FILE *f[] = {fopen(path[0], "r"), fopen(path[1], "r")};
  assert_true(f[0] != NULL && f[1] != NULL);
  while (fgets(line[0], sizeof line[0], f[0]) != NULL) {
    assert_non_null(fgets(line[1], sizeof line[1], f[1]));
    assert_string_equal(line[0], line[1]);
    if (rows++ == 0) continue;
    assert_int_equal(
        sscanf(line[0], "%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",%" SCNu64, &cycle, &tbs, &warps, &instructions), 4);
    assert_int_equal(cycle, 500 * (rows - 1) - 1);
    assert_true(warps >= tbs && instructions <= 500 * 2 * 4);
    sum += instructions;
  }
  assert_null(fgets(line[1], sizeof line[1], f[1]));
  assert_int_equal(rows - 1, result.cycles / 500);
  assert_true(sum <= result.gpu.instructions && sum + 500 * 2 * 4 > result.gpu.instructions);
  fclose(f[0]);
  fclose(f[1]);
}

TEST_MAIN("gpu_run", begin, end)
