/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Every workload in rounds through the plane's model: correct answers under each launch model, on timers and on warps,
 * also when most launches of children fail; the same rounds on every plane; and a check that fails. */
#include "engine/config.h"
#include "sim/loop.h"
#include "unit/util.h"
#include "work/rounds.h"

static struct hd_graph g;

/* Rings of chords, and vertices that all are neighbours of: degrees from 4 to some hundred. */
static int begin(void **state) {
  (void)state;
  enum { NODES = 600 };
  struct hd_edges e = {0};
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
  const char *kind;
  bool warps, together, sync, spin;
  uint32_t slots; /* of an SMX; 0: the configuration's */
  enum hd_policy policy;
  enum hd_kind launch; /* if there is a threshold */
  uint32_t threshold, child_size, pending;
};

static struct hd_rounds *make(const struct run *r, uint32_t hwqs) {
  const struct hd_rounds_kind *kind = hd_rounds_find(r->kind);
  const struct hd_rounds_opts o = {.problems = 2,
                                   .block_size = 64,
                                   .overhead = 20,
                                   .cycles_per_element = 2,
                                   .num_hwq = hwqs,
                                   .threshold = r->threshold,
                                   .child_size = r->child_size,
                                   .sync = r->sync,
                                   .together = r->together,
                                   .warps = r->warps};
  const struct hd_rounds_data data = {.graph = &g, .made = {.rows = 500, .seed = 1}};
  assert_non_null(kind);
  struct hd_rounds *rounds = hd_rounds_new(kind, &data, &o);
  assert_non_null(rounds);
  return rounds;
}

/* Solves two problems on a small plane; the answer must be right, unless TBs wait in their slots and the run is stuck.
 */
static struct hd_loop_result run(const struct run *r, struct hd_rounds_found *found) {
  char err[500];
  struct hd_cfg cfg;
  if (!hd_config_parse("tiny", &cfg, err, sizeof err)) fail_msg("%s", err);
  if (r->slots != 0) cfg = ut_cfg_with("tiny", "CtasPerSmx", r->slots);
  const struct hd_sim_opts so = {.block = "top", .cfg = cfg, .engine = HD_ENGINE_MODEL, .test = "test"};
  struct hd_sim *sim = hd_sim_open(&so, err, sizeof err);
  if (sim == NULL) fail_msg("%s", err);
  struct hd_rounds *rounds = make(r, cfg.num_hwq);
  const struct hd_work work = hd_rounds_work(rounds);
  const struct hd_gpu_opts gpu = hd_gpu_defaults();
  const struct hd_launcher_opts launcher = {.cfg = &cfg,
                                            .kind = r->launch,
                                            .policy = r->policy,
                                            .memory_latency = 5,
                                            .records = r->pending,
                                            .buffers = r->pending,
                                            .spin = r->spin};
  const struct hd_loop_opts o = {.cfg = &cfg,
                                 .patience = 20000,
                                 .take_every = 1,
                                 .gpu = r->warps ? &gpu : NULL,
                                 .launcher = r->threshold != 0 ? &launcher : NULL};
  struct hd_loop_result result = hd_loop_run(sim, &work, &o);
  hd_sim_close(sim);
  if (r->spin && result.verdict == HD_STUCK) {
    hd_rounds_free(rounds);
    return result;
  }
  if (result.verdict != HD_PASS) fail_msg("%s: %s", r->kind, result.text);
  uint32_t wrong = 1;
  assert_true(hd_rounds_check(rounds, &wrong));
  if (wrong != 0) fail_msg("%s: %u problems are wrong", r->kind, wrong);
  hd_rounds_kind(rounds)->found(hd_rounds_state(rounds), found);
  hd_rounds_free(rounds);
  return result;
}

/* Each kind, by name: HD_ROUNDS_NAMES. */
static void each_kind(void (*test)(const char *kind)) {
  char names[] = HD_ROUNDS_NAMES;
  char *rest = names;
  for (char *name; (name = strtok_r(rest, " ", &rest)) != NULL;) test(name);
}

static void launch_models(const char *kind) {
  struct hd_rounds_found flat, found;
  struct run r = {.kind = kind};
  const uint64_t kernels = run(&r, &flat).kernels;
  for (unsigned k = 1; k < 6; k++) {
    r = (struct run){.kind = kind,
                     .warps = k % 2,
                     .launch = k < 4 ? HD_KIND_GROUP : HD_KIND_KERNEL,
                     .threshold = k < 2 ? 0 : 12,
                     .child_size = 12,
                     .pending = 64};
    struct hd_loop_result result = run(&r, &found);
    assert_int_equal(result.kernels, kernels);
    assert_int_equal(k < 2 ? 0 : 1, result.device.ctas != 0);
    assert_string_equal(found.text, flat.text);
  }
}

/* Parents hold the only slot of each SMX, and wait for their children: they are saved, under every policy. */
static void waits(const char *kind) {
  struct hd_rounds_found flat, found;
  const uint64_t kernels = run(&(struct run){.kind = kind}, &flat).kernels;
  uint64_t saves = 0;
  for (unsigned k = 0; k < 8; k++) {
    const struct run r = {.kind = kind,
                          .warps = k % 2,
                          .sync = true,
                          .slots = 1,
                          .policy = (enum hd_policy)(k / 2),
                          .launch = HD_KIND_KERNEL,
                          .threshold = 12,
                          .child_size = 12,
                          .pending = 64};
    const struct hd_loop_result result = run(&r, &found);
    const struct hd_save_stats *s = &result.device.save;
    assert_int_equal(result.kernels, kernels);
    assert_string_equal(found.text, flat.text);
    assert_int_equal(s->saves, s->restarts);
    assert_int_equal(s->refused, 0);
    saves += s->saves;
  }
  assert_true(saves != 0);
}

TEST(test_waits) {
  each_kind(waits);
}

/* .. or stay in their slots with opts.spin, and then no progress is made. */
TEST(test_spin) {
  struct hd_rounds_found found;
  for (unsigned warps = 0; warps < 2; warps++) {
    const struct run r = {.kind = "bfs",
                          .warps = warps,
                          .sync = true,
                          .spin = true,
                          .launch = HD_KIND_KERNEL,
                          .threshold = 12,
                          .child_size = 12,
                          .pending = 64};
    assert_int_equal(run(&r, &found).verdict, HD_STUCK);
  }
}

/* Warps whose threads walk an item together find the same answer. */
static void together(const char *kind) {
  struct hd_rounds_found found, same;
  for (unsigned warps = 0; warps < 2; warps++) {
    const uint64_t kernels = run(&(struct run){.kind = kind, .warps = warps}, &found).kernels;
    assert_int_equal(run(&(struct run){.kind = kind, .warps = warps, .together = true}, &same).kernels, kernels);
    assert_string_equal(found.text, same.text);
  }
}

TEST(test_together) {
  each_kind(together);
}

TEST(test_launch_models) {
  each_kind(launch_models);
}

/* Threads that cannot launch walk their elements themselves; none is walked twice or omitted. */
static void few_pending(const char *kind) {
  struct hd_rounds_found found;
  for (unsigned warps = 0; warps < 2; warps++) {
    const struct run r = {
        .kind = kind, .warps = warps, .launch = HD_KIND_GROUP, .threshold = 12, .child_size = 8, .pending = 2};
    assert_true(run(&r, &found).device.alone > 0);
  }
}

TEST(test_alone) {
  each_kind(few_pending);
}

/* An unsolved problem is a wrong answer. */
static void unsolved(const char *kind) {
  uint32_t wrong = 0;
  struct hd_rounds *rounds = make(&(struct run){.kind = kind}, 2);
  assert_true(hd_rounds_check(rounds, &wrong));
  assert_int_equal(wrong, hd_rounds_problems(rounds));
  hd_rounds_free(rounds);
}

TEST(test_check_fails) {
  each_kind(unsolved);
}

TEST_MAIN("rounds", begin, end)
