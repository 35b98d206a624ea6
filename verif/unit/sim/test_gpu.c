/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The SMXs: issue cycles, stall reasons of a warp, and the effect of more SMXs. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gpu/gpu.h"
#include "test_list.h"

enum { SLOTS = 8, WARPS = 64, LOG = 64 };

/* Warps that all run this many operations of `kind`, each after this many instructions, then end. */
struct script {
  struct hd_gpu *g;
  uint32_t steps, instructions, lines;
  enum hd_warp_kind kind;
  /* Where a warp's next line is. */
  uint32_t (*line)(const struct hd_warp_tb *tb, uint32_t warp, uint32_t step, uint32_t k);
  uint32_t log[LOG], logged; /* owner of the operation: TB x 100 + warp */
  uint64_t made;
};

static void begin(void *ctx, const struct hd_warp_tb *tb, uint32_t warp, void *state) {
  (void)ctx, (void)tb, (void)warp;
  *(uint32_t *)state = 0;
}

static void next(void *ctx, const struct hd_warp_tb *tb, uint32_t warp, void *state, struct hd_warp_op *op) {
  struct script *s = ctx;
  uint32_t *step = state;
  if (s->logged < LOG) s->log[s->logged++] = tb->blkid * 100 + warp;
  s->made++;
  op->instructions = s->instructions;
  op->kind = *step < s->steps ? s->kind : HD_WARP_END;
  for (uint32_t k = 0; op->kind != HD_WARP_END && k < s->lines; k++)
    hd_warp_touch(op, (uint64_t)HD_LINE_BYTES * s->line(tb, warp, *step, k));
  ++*step;
}

static const struct hd_warp_source source = {sizeof(uint32_t), begin, next};

static void make(struct script *s, const struct hd_gpu_opts *o, uint32_t smxs) {
  char text[200];
  s->g = hd_gpu_new(o, smxs, SLOTS, WARPS, &source, s, text, sizeof text);
  if (s->g == NULL) fail_msg("%s", text);
}

static void take(struct script *s, uint64_t now, uint32_t smx, uint32_t slot, uint32_t blkid, uint32_t warps) {
  const struct hd_warp_tb tb = {.blkid = blkid};
  assert_true(hd_gpu_take(s->g, now, smx, slot, &tb, warps));
}

/* Runs this many TBs, each in the first free slot, at most `stride` cycles at once. Returns the cycle in which the last
   one has ended. */
static uint64_t run(struct script *s, uint32_t smxs, uint32_t tbs, uint32_t warps, uint64_t stride) {
  uint64_t now = 0;
  uint32_t begun = 0, ended = 0;
  for (; begun < tbs && begun < smxs * SLOTS; begun++) take(s, 0, begun % smxs, begun / smxs, begun, warps);
  while (ended < tbs) {
    struct hd_gpu_notice t;
    uint64_t nothing;
    assert_true(hd_gpu_next(s->g, &nothing));
    now = hd_gpu_run(s->g, now + stride);
    while (hd_gpu_notice(s->g, &t)) {
      assert_int_equal(t.cycle, now);
      if (t.event == HD_GPU_CALLS) {
        hd_gpu_go_on(s->g, t.smx, t.slot, t.warp, now + 10);
        continue;
      }
      ended++;
      if (begun < tbs) take(s, now, t.smx, t.slot, begun++, warps);
    }
  }
  return now;
}

#define ALL UINT64_C(1000000000)

static uint32_t one_after_the_other(const struct hd_warp_tb *tb, uint32_t warp, uint32_t step, uint32_t k) {
  (void)tb, (void)warp, (void)k;
  return step;
}

/* All lines differ: every load goes to DRAM. Warps are adjacent, step by step. */
static uint32_t never_again(const struct hd_warp_tb *tb, uint32_t warp, uint32_t step, uint32_t k) {
  return (step * 10000 + tb->blkid * 8 + warp) * 8 + k;
}

/* ---- a warp ---- */

/* A single warp that needs its loads: its instructions, plus the latency of each load. */
TEST(test_chase) {
  struct hd_gpu_opts o = hd_gpu_defaults();
  struct script s = {.steps = 100, .instructions = 6, .lines = 1, .kind = HD_WARP_LOAD, .line = one_after_the_other};
  make(&s, &o, 1);
  assert_int_equal(run(&s, 1, 1, 1, ALL), 1 + 100 * (7 + o.memory.dram_latency) + 7);
  hd_gpu_free(s.g);
}

static uint32_t near_and_far(const struct hd_warp_tb *tb, uint32_t warp, uint32_t step, uint32_t k) {
  (void)tb, (void)warp;
  return k == 0 ? 0 : step * 100;
}

/* The slowest line counts, at any position; the unit sends one line per cycle. */
TEST(test_slowest_line) {
  struct hd_gpu_opts o = hd_gpu_defaults();
  struct script s = {.steps = 10, .lines = 2, .kind = HD_WARP_LOAD, .line = near_and_far};
  make(&s, &o, 1);
  /* the first load has one line, since both are the same */
  assert_int_equal(run(&s, 1, 1, 1, ALL), 1 + 10 * (1 + o.memory.dram_latency) + 9 + 1);
  struct hd_gpu_counts n = hd_gpu_counts(s.g);
  assert_int_equal(n.loads, 10);
  assert_int_equal(n.load_lines, 19);
  assert_int_equal(hd_gpu_memory(s.g).l1_hits, 9);
  hd_gpu_free(s.g);
}

/* Computation alone, longer than the wheel: to the cycle. */
TEST(test_long_computation) {
  struct hd_gpu_opts o = hd_gpu_defaults();
  struct script s = {.instructions = 99999};
  make(&s, &o, 1);
  assert_int_equal(run(&s, 1, 1, 1, ALL), 1 + 100000);
  hd_gpu_free(s.g);
}

/* A store ends when its lines are sent. */
TEST(test_stores_go_on) {
  struct hd_gpu_opts o = hd_gpu_defaults();
  struct script s = {.steps = 5, .instructions = 4, .lines = 3, .kind = HD_WARP_STORE, .line = never_again};
  make(&s, &o, 1);
  assert_int_equal(run(&s, 1, 1, 1, ALL), 1 + 5 * (5 + 3) + 5);
  assert_int_equal(hd_gpu_counts(s.g).store_lines, 15);
  hd_gpu_free(s.g);
}

/* A warp that calls stops until it may continue. */
TEST(test_call) {
  struct hd_gpu_opts o = hd_gpu_defaults();
  struct script s = {.steps = 3, .instructions = 1, .kind = HD_WARP_CALL};
  make(&s, &o, 2);
  assert_int_equal(run(&s, 2, 2, 1, ALL), 1 + 3 * (2 + 10) + 2);
  hd_gpu_free(s.g);
}

/* ---- schedulers ---- */

/* An instruction per scheduler and cycle: 24 warps on 4 schedulers are 6 on each. */
TEST(test_issue) {
  struct hd_gpu_opts o = hd_gpu_defaults();
  for (o.schedulers = 1; o.schedulers <= 4; o.schedulers *= 2) {
    struct script s = {.instructions = 999};
    make(&s, &o, 1);
    assert_int_equal(run(&s, 1, 1, 24, ALL), 1 + 24 / o.schedulers * 1000);
    assert_int_equal(hd_gpu_counts(s.g).instructions, 24 * 1000);
    hd_gpu_free(s.g);
  }
}

/* Greedy: the first warp continues until it must wait for its load; then the oldest. A later TB comes after all warps
 * of an earlier one, and a warp that can continue comes before younger ones. */
TEST(test_greedy_then_oldest) {
  struct hd_gpu_opts o = hd_gpu_defaults();
  o.schedulers = 1;
  struct script s = {.steps = 2, .instructions = 299, .lines = 1, .kind = HD_WARP_LOAD, .line = never_again};
  make(&s, &o, 1);
  take(&s, 0, 0, 5, 1, 2);
  take(&s, 0, 0, 0, 2, 1);
  struct hd_gpu_notice t;
  for (unsigned ended = 0; ended < 2;) {
    hd_gpu_run(s.g, ALL);
    while (hd_gpu_notice(s.g, &t)) ended += t.event == HD_GPU_ENDED;
  }
  /* a load takes less than the 300 instructions of another warp, so the two of TB 1 alternate */
  const uint32_t order[] = {100, 101, 100, 101, 100, 101, 200, 200, 200};
  assert_int_equal(s.logged, 9);
  for (unsigned k = 0; k < 9; k++) assert_int_equal(s.log[k], order[k]);
  hd_gpu_free(s.g);
}

/* Without a wait a warp continues, though an older one could. */
TEST(test_greedy) {
  struct hd_gpu_opts o = hd_gpu_defaults();
  o.schedulers = 1;
  struct script s = {.steps = 3, .instructions = 9, .lines = 0, .kind = HD_WARP_CALL};
  make(&s, &o, 1);
  take(&s, 0, 0, 0, 1, 2);
  struct hd_gpu_notice t;
  hd_gpu_run(s.g, ALL);
  assert_true(hd_gpu_notice(s.g, &t) && t.event == HD_GPU_CALLS && t.warp == 0 && t.cycle == 11);
  hd_gpu_go_on(s.g, 0, 0, 0, 15); /* while warp 1 issues */
  assert_false(hd_gpu_notice(s.g, &t));
  hd_gpu_run(s.g, ALL);
  assert_true(hd_gpu_notice(s.g, &t) && t.warp == 1 && t.cycle == 21);
  assert_false(hd_gpu_notice(s.g, &t));
  hd_gpu_run(s.g, 30);
  assert_int_equal(s.log[2], 100);
  hd_gpu_free(s.g);
}

/* ---- more SMXs ---- */

static double speed_up(struct script s, const struct hd_gpu_opts *o, uint32_t few, uint32_t many) {
  struct script t = s;
  make(&s, o, few);
  make(&t, o, many);
  double up = (double)run(&s, few, 1040, 8, ALL) / (double)run(&t, many, 1040, 8, ALL);
  hd_gpu_free(s.g);
  hd_gpu_free(t.g);
  return up;
}

/* Twice as many SMXs are twice as fast if computing, or their own L1s and MSHRs, are the limit .. */
TEST(test_doubling_computes) {
  struct hd_gpu_opts o = hd_gpu_defaults();
  struct script s = {.steps = 4, .instructions = 2000, .lines = 1, .kind = HD_WARP_LOAD, .line = one_after_the_other};
  double up = speed_up(s, &o, 13, 26);
  if (up < 1.98 || up > 2.02) fail_msg("%.3f times as fast", up);
}

/* .. and no faster if DRAM is the limit. */
TEST(test_doubling_streams) {
  struct hd_gpu_opts o = hd_gpu_defaults();
  o.memory.mshrs = 128;
  struct script s = {.steps = 16, .instructions = 2, .lines = 8, .kind = HD_WARP_LOAD, .line = never_again};
  double up = speed_up(s, &o, 13, 26);
  if (up < 0.98 || up > 1.02) fail_msg("%.3f times as fast", up);
  make(&s, &o, 13);
  uint64_t end = run(&s, 13, 1040, 8, ALL);
  double bytes = 1040.0 * 8 * 16 * 8 * HD_LINE_BYTES / (double)end;
  if (bytes < 0.97 * 295 || bytes > 295) fail_msg("%.1f bytes a cycle", bytes);
  hd_gpu_free(s.g);
}

/* ---- nothing is lost ---- */

static uint32_t here_and_there(const struct hd_warp_tb *tb, uint32_t warp, uint32_t step, uint32_t k) {
  uint64_t h = (((uint64_t)tb->blkid * 32 + warp) * 64 + step) * 32 + k;
  h *= 0x9e3779b97f4a7c15;
  return (uint32_t)(h >> 40) % ((h & 7) != 0 ? 500 : 100000);
}

/* Every operation is done and every requested line is answered, once; whether all is run in one call or cycle by
 * cycle. */
TEST(test_conservation) {
  struct hd_gpu_opts o = hd_gpu_defaults();
  uint64_t end[2], hits[2];
  for (unsigned k = 0; k < 2; k++) {
    struct script s = {.steps = 20, .instructions = 3, .lines = 7, .kind = HD_WARP_LOAD, .line = here_and_there};
    make(&s, &o, 4);
    end[k] = run(&s, 4, 100, 5, k == 0 ? ALL : 1);
    struct hd_gpu_counts n = hd_gpu_counts(s.g);
    struct hd_memsys_counts m = hd_gpu_memory(s.g);
    hits[k] = m.l1_hits;
    assert_int_equal(s.made, 100 * 5 * (20 + 1));
    assert_int_equal(n.loads, 100 * 5 * 20);
    assert_int_equal(n.operations, 2 * s.made); /* each has a computation before it */
    assert_int_equal(n.instructions, 4 * s.made);
    assert_int_equal(m.loads, n.load_lines);
    assert_int_equal(m.filled, m.loads - m.l1_hits - m.l1_merged);
    uint64_t nothing;
    assert_false(hd_gpu_next(s.g, &nothing));
    hd_gpu_free(s.g);
  }
  assert_int_equal(end[0], end[1]);
  assert_int_equal(hits[0], hits[1]);
}

/* Threads that touch the same line are one request. */
TEST(test_coalescing) {
  struct hd_warp_op op = {0};
  for (uint32_t k = 0; k < 32; k++) hd_warp_touch(&op, 1024 + 4 * k);
  assert_int_equal(op.lines, 1);
  op = (struct hd_warp_op){0};
  for (uint32_t k = 0; k < 32; k++) hd_warp_touch(&op, 1020 + 4 * k);
  assert_int_equal(op.lines, 2);
  op = (struct hd_warp_op){0};
  for (uint32_t k = 0; k < 32; k++) hd_warp_touch(&op, 8192 * (k / 2));
  assert_int_equal(op.lines, 16);
}

TEST_MAIN("gpu", NULL, NULL)
