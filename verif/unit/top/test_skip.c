/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Skipped cycles against the same cycles one by one: planes in the middle of random work whose inputs freeze, and whole
 * searches. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/hd_cfg.h"
#include "engine/block_driver.h"
#include "sim/loop.h"
#include "test_list.h"
#include "top/skip.h"
#include "top/top_inside.h"
#include "work/bfs.h"

/* Two planes and a copy of the first's earlier state. */
struct planes {
  struct hd_top *stepped, *skipped;
  struct hd_top_last *last;
  size_t size, last_size;
};

static struct planes make_planes(const struct hd_cfg *cfg) {
  struct planes p = {.size = hd_top_size(cfg), .last_size = hd_top_last_size(cfg)};
  p.stepped = malloc(p.size);
  p.skipped = malloc(p.size);
  p.last = malloc(p.last_size);
  assert_true(p.stepped && p.skipped && p.last);
  return p;
}

static void free_planes(struct planes *p) {
  free(p->stepped);
  free(p->skipped);
  free(p->last);
}

/* An enabled throttle counts up to an epoch, repeatedly while a TB waits that may go to any SMX: such a plane is never
 * idle. */
static bool counts(const struct hd_top *m) {
  return (hd_top_regs(m)->config[HD_CONFIG_THROTTLE] & 1) && hd_top_sched(m)->unassigned;
}

/* Cycles; the throttle counts two of them. */
static unsigned epoch_of(const struct hd_top *m) {
  const uint32_t epoch = hd_top_regs(m)->config[HD_CONFIG_THROTTLE_EPOCH];
  return epoch < HD_THROTTLE_EPOCH_LEAST ? HD_THROTTLE_EPOCH_LEAST : epoch;
}

/* From here on the inputs do not change. Returns how many cycles were skipped; each way must lead to the same state. */
static unsigned freeze(struct planes *p, const struct hd_top *m, const struct hd_top_in *in, unsigned n,
                       unsigned epoch) {
  static struct hd_top_out out, later;
  memcpy(p->stepped, m, p->size);
  memset(p->last, 0, p->last_size);
  for (unsigned t = 0; t < 200 + 2 * epoch; t++) {
    hd_top_cycle(p->stepped, in, &out);
    if (!hd_top_is_idle(p->stepped, p->last)) continue;
    memcpy(p->skipped, p->stepped, p->size);
    hd_top_skip(p->skipped, p->last, n);
    for (unsigned k = 0; k < n; k++) {
      hd_top_cycle(p->stepped, in, &later);
      assert_memory_equal(&later, &out, sizeof out);
    }
    assert_memory_equal(p->skipped, p->stepped, p->size);
    /* And it stays idle. */
    hd_top_cycle(p->skipped, in, &later);
    assert_true(hd_top_is_idle(p->skipped, p->last));
    return n;
  }
  return 0;
}

/* Inputs as they are, or with no input valid, or with all clients ready; memory sends nothing. */
static struct hd_top_in frozen(const struct hd_top_in *in, struct hd_rng *rng) {
  struct hd_top_in f = *in;
  f.rvalid = f.bvalid = f.psel = f.penable = 0;
  if (hd_rng_p(rng, 128)) f.host_launch_valid = 0;
  if (hd_rng_p(rng, 128)) memset(f.dev_launch_valid, 0, sizeof f.dev_launch_valid);
  if (hd_rng_p(rng, 200)) memset(f.cta_done_valid, 0, sizeof f.cta_done_valid);
  return f;
}

static void freezes(const char *name, uint64_t seed, unsigned cycles) {
  static const struct hd_profile profile = {"random", 64, 160, 8};
  static struct hd_top_in in;
  static struct hd_top_out out;
  const struct hd_block_driver *t = &hd_block_driver_top;
  struct hd_cfg cfg;
  struct hd_rng rng = {seed};
  assert_true(hd_cfg_find(name, &cfg));
  struct planes p = make_planes(&cfg);
  struct hd_top *m = malloc(p.size);
  void *stim = calloc(1, t->stim_size);
  assert_true(m && stim);
  hd_top_init(m, &cfg);
  t->stim_init(stim, &cfg, &rng);
  memset(&in, 0, sizeof in);
  memset(&out, 0, sizeof out);
  unsigned tried = 0, still = 0;
  for (unsigned n = 0; n < cycles; n++) {
    t->drive(stim, &rng, &profile, &out, NULL, &in);
    hd_top_cycle(m, &in, &out);
    if (n % 37 != 0) continue;
    const struct hd_top_in f = frozen(&in, &rng);
    const bool rests = freeze(&p, m, &f, 1 + hd_rng_below(&rng, 300), epoch_of(m)) != 0;
    assert_false(rests && counts(p.stepped));
    tried += !counts(p.stepped);
    still += rests;
  }
  t->stim_free(stim);
  free(stim);
  free(m);
  free_planes(&p);
  /* Nearly all planes that can become idle do so when no new input arrives. */
  assert_true(tried > 100 && still > tried - tried / 10);
}

TEST(test_frozen) {
  freezes("tiny", 1, 40000);
  freezes("k20c", 1, 8000);
}

/* If informed too rarely, or after a reset, it does not report idle. */
TEST(test_not_known) {
  static struct hd_top_in in;
  static struct hd_top_out out;
  struct hd_cfg cfg;
  assert_true(hd_cfg_find("tiny", &cfg));
  struct planes p = make_planes(&cfg);
  memset(&in, 0, sizeof in);
  memset(p.last, 0, p.last_size);
  hd_top_init(p.stepped, &cfg);
  unsigned calls = 0;
  do {
    hd_top_cycle(p.stepped, &in, &out);
    assert_true(++calls < 40);
  } while (!hd_top_is_idle(p.stepped, p.last));
  hd_top_cycle(p.stepped, &in, &out);
  hd_top_cycle(p.stepped, &in, &out);
  assert_false(hd_top_is_idle(p.stepped, p.last));
  hd_top_reset(p.stepped);
  hd_top_cycle(p.stepped, &in, &out);
  assert_false(hd_top_is_idle(p.stepped, p.last));
  free_planes(&p);
}

/* ---- whole runs ---- */

/* A hub with this many leaves, each with a path of three behind it. */
static void make_graph(struct hd_graph *g, uint64_t leaves) {
  struct hd_edges e = {0};
  for (uint64_t k = 1; k <= leaves; k++) {
    assert_true(hd_edges_add(&e, 0, k));
    assert_true(hd_edges_add(&e, k, leaves + k));
    assert_true(hd_edges_add(&e, leaves + k, 2 * leaves + k));
  }
  assert_true(hd_graph_build(g, &e));
}

static struct hd_loop_result search(const struct hd_graph *g, int kind, enum hd_policy policy, enum hd_skip skip) {
  char err[300];
  struct hd_cfg cfg;
  assert_true(hd_cfg_find("tiny", &cfg));
  const struct hd_rounds_opts b = {.problems = 4,
                                   .block_size = 64,
                                   .regs = 16,
                                   .overhead = 100,
                                   .cycles_per_element = 8,
                                   .num_hwq = cfg.num_hwq,
                                   .threshold = kind < 0 ? 0 : 32,
                                   .child_size = 32};
  const struct hd_sim_opts s = {.block = "top", .cfg = cfg, .engine = HD_ENGINE_MODEL, .test = "skip"};
  const struct hd_launcher_opts launcher = {.cfg = &cfg,
                                            .kind = (enum hd_kind)(kind < 0 ? 0 : kind),
                                            .policy = policy,
                                            .memory_latency = 50,
                                            .records = 64,
                                            .buffers = 64,
                                            .latency = hd_device_latency_k20c()};
  const struct hd_loop_opts o = {
      .cfg = &cfg, .patience = 100000, .take_every = 1, .skip = skip, .launcher = kind < 0 ? NULL : &launcher};
  struct hd_rounds *bfs = hd_rounds_new(&hd_bfs, &(struct hd_rounds_data){.graph = g}, &b);
  struct hd_sim *sim = hd_sim_open(&s, err, sizeof err);
  uint32_t wrong = 1;
  assert_true(bfs && sim);
  const struct hd_work work = hd_rounds_work(bfs);
  struct hd_loop_result r = hd_loop_run(sim, &work, &o);
  assert_string_equal(r.text, "");
  assert_int_equal(r.verdict, HD_PASS);
  assert_true(hd_rounds_check(bfs, &wrong) && wrong == 0);
  hd_sim_close(sim);
  hd_rounds_free(bfs);
  return r;
}

/* Skipped and compared at each skip; and against the same search without skips. */
static void alike(const struct hd_graph *g, int kind, enum hd_policy policy) {
  struct hd_loop_result a = search(g, kind, policy, HD_SKIP_CHECKED), b = search(g, kind, policy, HD_SKIP_NEVER);
  assert_true(a.skipped > a.cycles / 4);
  assert_int_equal(b.skipped, 0);
  a.skipped = 0;
  assert_memory_equal(&a, &b, sizeof a);
}

TEST(test_searches) {
  struct hd_graph g;
  make_graph(&g, 300);
  alike(&g, -1, HD_POLICY_RR);
  alike(&g, HD_KIND_KERNEL, HD_POLICY_RR);
  alike(&g, HD_KIND_GROUP, HD_POLICY_RR);
  alike(&g, HD_KIND_GROUP, HD_POLICY_ADAPTIVE_BIND);
  hd_graph_free(&g);
}

/* The comparison of skips detects a wrong one: here the inputs are not those of the previous cycle. */
TEST(test_check) {
  static struct hd_top_in in;
  char err[300];
  struct hd_sim_opts s = {.block = "top", .engine = HD_ENGINE_MODEL, .test = "skip"};
  assert_true(hd_cfg_find("tiny", &s.cfg));
  struct hd_sim *sim = hd_sim_open(&s, err, sizeof err);
  const void *out;
  assert_non_null(sim);
  memset(&in, 0, sizeof in);
  do assert_int_equal(hd_sim_cycle(sim, &in, &out), HD_PASS);
  while (!hd_sim_is_idle(sim));
  assert_true(hd_sim_skip(sim, &in, 100, true));
  in.cta_done_valid[0] = 1;
  assert_false(hd_sim_skip(sim, &in, 100, true));
  hd_sim_close(sim);
}

TEST_MAIN("skip", NULL, NULL)
