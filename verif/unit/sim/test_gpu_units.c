/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The SMXs: instructions of other units, and barriers. */
#include <stddef.h>
#include <stdint.h>

#include "gpu/gpu.h"
#include "test_list.h"

/* The program of a warp: operations of `instructions` and one more each; then it ends with one instruction. */
struct script {
  struct hd_gpu *g;
  const struct {
    enum hd_warp_kind kind;
    enum hd_warp_unit unit;
    uint32_t instructions, times;
  } warp[2];
};

static void begin(void *ctx, const struct hd_warp_tb *tb, uint32_t warp, void *state) {
  (void)ctx, (void)tb, (void)warp;
  *(uint32_t *)state = 0;
}

static void next(void *ctx, const struct hd_warp_tb *tb, uint32_t warp, void *state, struct hd_warp_op *op) {
  const struct script *s = ctx;
  uint32_t *times = state;
  (void)tb;
  op->kind = HD_WARP_END;
  if ((*times)++ == s->warp[warp].times) return;
  op->kind = s->warp[warp].kind;
  op->unit = s->warp[warp].unit;
  op->instructions = s->warp[warp].instructions;
}

static const struct hd_warp_source source = {sizeof(uint32_t), begin, next};

/* Returns the cycle in which a TB of n warps has ended. */
static uint64_t run(struct script *s, const struct hd_gpu_opts *o, uint32_t warps) {
  char text[200];
  struct hd_gpu_notice t;
  s->g = hd_gpu_new(o, 1, 2, 64, &source, s, text, sizeof text);
  assert_non_null(s->g);
  assert_true(hd_gpu_take(s->g, 0, 0, 1, &(struct hd_warp_tb){.blkid = 0}, warps));
  hd_gpu_run(s->g, 1000000);
  assert_true(hd_gpu_notice(s->g, &t));
  assert_int_equal(t.event, HD_GPU_ENDED);
  assert_false(hd_gpu_notice(s->g, &t));
  return t.cycle;
}

/* Each unit has its own latency, after the issue of its instruction. */
TEST(test_units) {
  struct hd_gpu_opts o = hd_gpu_defaults();
  for (uint32_t u = 0; u < HD_WARP_UNITS; u++) o.latency[u] = 10 + 7 * u;
  for (uint32_t u = 0; u < HD_WARP_UNITS; u++) {
    struct script s = {.warp = {{HD_WARP_DELAY, u, 6, 100}}};
    assert_int_equal(run(&s, &o, 1), 1 + 100 * (7 + o.latency[u]) + 1);
    const struct hd_gpu_counts n = hd_gpu_counts(s.g);
    assert_int_equal(n.delays, 100);
    assert_int_equal(n.instructions, 701);
    assert_int_equal(n.loads + n.stores + n.barriers, 0);
    hd_gpu_free(s.g);
  }
}

/* While a warp waits its scheduler issues from another. */
TEST(test_units_overlap) {
  struct hd_gpu_opts o = hd_gpu_defaults();
  o.schedulers = 1;
  o.latency[HD_WARP_DOUBLE] = 50;
  struct script s = {.warp = {{HD_WARP_DELAY, HD_WARP_DOUBLE, 0, 10}, {HD_WARP_DELAY, HD_WARP_DOUBLE, 0, 10}}};
  assert_int_equal(run(&s, &o, 2), 1 + 10 * 51 + 1 + 1); /* a cycle later than one alone */
  hd_gpu_free(s.g);
}

/* A warp at a barrier continues in the cycle after the last one has arrived. */
TEST(test_barrier) {
  struct hd_gpu_opts o = hd_gpu_defaults();
  struct script s = {.warp = {{HD_WARP_BARRIER, 0, 10, 1}, {HD_WARP_BARRIER, 0, 100, 1}}};
  assert_int_equal(run(&s, &o, 2), 1 + 101 + 1 + 1);
  const struct hd_gpu_counts n = hd_gpu_counts(s.g);
  assert_int_equal(n.barriers, 2);
  assert_int_equal(n.barrier_wait, (103 - 12) + 1);
  hd_gpu_free(s.g);
  struct script again = {.warp = {{HD_WARP_BARRIER, 0, 10, 5}, {HD_WARP_BARRIER, 0, 100, 5}}};
  assert_int_equal(run(&again, &o, 2), 1 + 5 * (101 + 1) + 1);
  hd_gpu_free(again.g);
}

/* A warp that has ended delays no other; and a TB of one warp does not wait. */
TEST(test_barrier_ended) {
  struct hd_gpu_opts o = hd_gpu_defaults();
  struct script s = {.warp = {{HD_WARP_BARRIER, 0, 10, 1}, {HD_WARP_DELAY, HD_WARP_SPECIAL, 79, 1}}};
  assert_int_equal(run(&s, &o, 2), 1 + 80 + o.latency[HD_WARP_SPECIAL] + 1 + 1 + 1);
  hd_gpu_free(s.g);
  struct script alone = {.warp = {{HD_WARP_BARRIER, 0, 10, 3}}};
  assert_int_equal(run(&alone, &o, 1), 1 + 3 * (11 + 1) + 1);
  hd_gpu_free(alone.g);
}

TEST_MAIN("gpu_units", NULL, NULL)
