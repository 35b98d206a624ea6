/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* TBs that wait for their launches, on SMXs that run warps: the cycle in which the end is reported, the cost of their
 * contexts, and warps that resume at their instruction on another SMX. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gpu/gpu.h"
#include "test_list.h"

enum { SLOTS = 8, WARPS = 64, BUSY = 19, LINES = 70, LINE = 1000 };

static struct hd_gpu *g;
static uint32_t steps[4]; /* by warp of TB 7: operations made */

/* TBs 7 and 8: warp 1 computes and ends, the others wait and compute. Other TBs: warps that compute. */
static void next(void *ctx, const struct hd_warp_tb *tb, uint32_t warp, void *state, struct hd_warp_op *op) {
  uint32_t *step = state;
  (void)ctx;
  op->instructions = tb->blkid < 7 || warp == 1 ? BUSY : 4;
  op->kind = tb->blkid >= 7 && warp != 1 && *step == 0 ? HD_WARP_WAIT : HD_WARP_END;
  if (tb->blkid == 7) {
    assert_int_equal(*step, steps[warp]);
    steps[warp]++;
  }
  ++*step;
}

static void begin(void *ctx, const struct hd_warp_tb *tb, uint32_t warp, void *state) {
  (void)ctx, (void)tb, (void)warp;
  *(uint32_t *)state = 0;
}

static int start(void **state) {
  static const struct hd_warp_source source = {sizeof(uint32_t), begin, next};
  const struct hd_gpu_opts o = hd_gpu_defaults();
  char text[200];
  (void)state;
  memset(steps, 0, sizeof steps);
  g = hd_gpu_new(&o, 2, SLOTS, WARPS, &source, NULL, text, sizeof text);
  assert_non_null(g);
  assert_true(hd_gpu_take(g, 0, 0, 3, &(struct hd_warp_tb){.blkid = 7}, 3));
  return 0;
}

static int stop(void **state) {
  (void)state;
  hd_gpu_free(g);
  return 0;
}

/* Expects this event next, of the TB in that slot; returns its cycle. */
static uint64_t notice(enum hd_gpu_event event, uint32_t smx, uint32_t slot) {
  struct hd_gpu_notice t, none;
  hd_gpu_run(g, 1000000);
  assert_true(hd_gpu_notice(g, &t) && !hd_gpu_notice(g, &none));
  assert_true(t.event == event && t.smx == smx && t.slot == slot);
  return t.cycle;
}

/* A TB waits when its last computing warp has ended; its warps continue all at once. */
TEST_WITH(test_waits, start, stop) {
  uint64_t at = notice(HD_GPU_WAITS, 0, 3), nothing;
  assert_int_equal(at, 1 + BUSY + 1);
  assert_int_equal(hd_gpu_waiting(g, 0, 3), 2);
  assert_false(hd_gpu_next(g, &nothing));
  hd_gpu_end_wait(g, 0, 3, at + 5);
  assert_int_equal(notice(HD_GPU_ENDED, 0, 3), at + 5 + 5);
}

/* .. or when its last warp waits. */
TEST_WITH(test_last_waits, start, stop) {
  assert_true(hd_gpu_take(g, 0, 1, 0, &(struct hd_warp_tb){.blkid = 8}, 1));
  struct hd_gpu_notice t;
  hd_gpu_run(g, 1000000);
  assert_true(hd_gpu_notice(g, &t) && t.event == HD_GPU_WAITS && t.smx == 1 && t.cycle == 1 + 5);
}

/* Stores, one line per instruction, after which the SMX is free for another TB; loads, from the L2, on another SMX. */
TEST_WITH(test_leaves, start, stop) {
  uint64_t at = notice(HD_GPU_WAITS, 0, 3), nothing;
  const struct hd_gpu_counts before = hd_gpu_counts(g);
  unsigned char kept[4096];
  assert_true(hd_gpu_kept(g) <= sizeof kept);
  hd_gpu_move(g, 0, 3, true, LINE, LINES, at + 1);
  at = notice(HD_GPU_MOVED, 0, 3);
  struct hd_gpu_counts n = hd_gpu_counts(g);
  assert_int_equal(n.store_lines, LINES);
  assert_int_equal(n.loads, 0);
  assert_int_equal(n.instructions - before.instructions, LINES + 2); /* and one behind the last line, of each warp */
  hd_gpu_leave(g, 0, 3, kept);
  assert_false(hd_gpu_next(g, &nothing));
  assert_true(hd_gpu_take(g, at, 0, 3, &(struct hd_warp_tb){.blkid = 1}, WARPS)); /* all warps are free */
  at = notice(HD_GPU_ENDED, 0, 3);
  assert_true(hd_gpu_take_back(g, at, 1, 5, &(struct hd_warp_tb){.blkid = 7}, kept));
  assert_int_equal(hd_gpu_waiting(g, 1, 5), 2);
  hd_gpu_move(g, 1, 5, false, LINE, LINES, at + 1);
  const uint64_t moved = notice(HD_GPU_MOVED, 1, 5);
  n = hd_gpu_counts(g);
  assert_int_equal(n.load_lines, LINES);
  const struct hd_memsys_counts m = hd_gpu_memory(g);
  assert_true(m.l2_hits == LINES && m.dram_reads == 0);
  /* 35 lines of each warp are 32 and 3; a load has the latency of the L2, and the port takes a line in 4 cycles */
  assert_true(moved >= at + 120 + 4 * LINES && moved <= at + 2 * 120 + 4 * LINES + 40);
  hd_gpu_end_wait(g, 1, 5, moved + 1);
  assert_int_equal(notice(HD_GPU_ENDED, 1, 5), moved + 1 + 5);
  assert_true(steps[0] == 2 && steps[1] == 1 && steps[2] == 2);
}

/* A context without lines takes an instruction. */
TEST_WITH(test_no_lines, start, stop) {
  const uint64_t at = notice(HD_GPU_WAITS, 0, 3);
  hd_gpu_move(g, 0, 3, true, LINE, 0, at + 1);
  assert_int_equal(notice(HD_GPU_MOVED, 0, 3), at + 2);
  assert_int_equal(hd_gpu_counts(g).stores, 0);
}

TEST_MAIN("gpu_wait", NULL, NULL)
