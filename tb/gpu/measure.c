/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "gpu/measure.h"

#include <time.h>

enum { SLOTS = 8, WARPS = 64 };

static void begin(void *ctx, const struct hd_warp_tb *tb, uint32_t warp, void *state) {
  (void)ctx, (void)tb, (void)warp;
  *(uint32_t *)state = 0;
}

static void next(void *ctx, const struct hd_warp_tb *tb, uint32_t warp, void *state, struct hd_warp_op *op) {
  const struct hd_measure *m = ctx;
  uint32_t *step = state, all = m->tbs * m->warps;
  op->instructions = m->instructions;
  op->kind = *step < m->steps * m->turns ? HD_WARP_LOAD : HD_WARP_END;
  uint64_t first = ((uint64_t)(*step % m->steps) * all + tb->blkid * m->warps + warp) * m->width;
  for (uint32_t k = 0; op->kind == HD_WARP_LOAD && k < m->width; k++) hd_warp_touch(op, (first + k) * HD_LINE_BYTES);
  ++*step;
}

/* Places each TB in the first free place. */
static bool run(struct hd_gpu *g, const struct hd_measure *m, uint64_t *now) {
  uint32_t begun = 0, ended = 0;
  struct hd_gpu_notice t;
  bool good = true;
  *now = 0;
  for (; begun < m->tbs && begun < m->smxs * SLOTS; begun++)
    good = good && hd_gpu_take(g, 0, begun % m->smxs, begun / m->smxs, &(struct hd_warp_tb){.blkid = begun}, m->warps);
  while (good && ended < m->tbs) {
    *now = hd_gpu_run(g, *now + 1000000);
    for (; hd_gpu_notice(g, &t); ended++)
      if (begun < m->tbs) {
        const struct hd_warp_tb tb = {.blkid = begun++};
        good = good && hd_gpu_take(g, *now, t.smx, t.slot, &tb, m->warps);
      }
  }
  return good;
}

bool hd_measure(const struct hd_measure *m, struct hd_measured *r) {
  static const struct hd_warp_source source = {sizeof(uint32_t), begin, next};
  char text[200];
  struct hd_measure copy = *m;
  struct hd_gpu *g = hd_gpu_new(&m->gpu, m->smxs, SLOTS, WARPS, &source, &copy, text, sizeof text);
  clock_t start = clock();
  bool good = g != NULL && run(g, m, &r->cycles);
  r->seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  if (good) r->gpu = hd_gpu_counts(g);
  if (good) r->memory = hd_gpu_memory(g);
  hd_gpu_free(g);
  return good;
}
