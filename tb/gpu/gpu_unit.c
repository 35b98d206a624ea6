/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "gpu/gpu_inside.h"

enum { AHEAD = 64 }; /* most cycles that a unit is computed ahead */

static void count(struct hd_gpu *g, const struct hd_gpu_warp *w, uint64_t done) {
  if (g->footprint != NULL && !w->moves) hd_footprint_touch(g->footprint, w->place, w->op.line, w->op.lines);
  if (w->op.kind == HD_WARP_STORE) {
    g->n.stores++;
    g->n.store_lines += w->op.lines;
    return;
  }
  g->n.loads++;
  g->n.load_lines += w->op.lines;
  g->n.load_wait += done - w->issued;
}

void hd_gpu_unit_go_on(struct hd_gpu *g, uint32_t smx) {
  struct hd_gpu_unit *u = &g->unit[smx];
  struct hd_memsys_sends *s = &u->sends;
  uint64_t now = g->wheel.now;
  while (u->n != 0) {
    uint32_t warp = smx * g->warps + u->queue[u->first];
    const struct hd_warp_op *op = &g->warp[warp].op;
    if (s->free < now) s->free = now;
    s->store = op->kind == HD_WARP_STORE;
    if (!hd_memsys_send(g->memory, smx, now, now + AHEAD, op->line, op->lines, s)) {
      hd_wheel_add(&g->wheel, g->smxs * (g->warps + g->schedulers) + smx, s->free);
      return;
    }
    uint64_t done = s->slowest > now ? s->slowest : now + 1;
    count(g, &g->warp[warp], done);
    g->warp[warp].sent = s->free;
    hd_wheel_add(&g->wheel, warp, done);
    s->sent = 0;
    s->slowest = 0;
    u->first = (u->first + 1) % HD_GPU_WARPS_MAX;
    u->n--;
  }
}

void hd_gpu_unit_add(struct hd_gpu *g, uint32_t warp) {
  uint32_t smx = warp / g->warps;
  struct hd_gpu_unit *u = &g->unit[smx];
  g->warp[warp].issued = g->wheel.now;
  u->queue[(u->first + u->n++) % HD_GPU_WARPS_MAX] = (uint8_t)(warp % g->warps);
  if (u->n == 1) hd_gpu_unit_go_on(g, smx);
}
