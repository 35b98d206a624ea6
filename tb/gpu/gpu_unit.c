/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "gpu/gpu_inside.h"

enum { AHEAD = 64 }; /* cycles by which a unit is worked out before they come */

/* Sends lines of its first operation until that is done, or it comes too far ahead: then u->free tells when to go on.
 */
static bool send_lines(struct hd_gpu *g, uint32_t smx, uint32_t warp) {
  struct hd_gpu_unit *u = &g->unit[smx];
  const struct hd_warp_op *op = &g->warp[warp].op;
  uint64_t now = g->wheel.now;
  bool store = op->kind == HD_WARP_STORE;
  while (u->line < op->lines) {
    uint64_t cycle = u->free + 1;
    if (u->free > now + AHEAD) return false;
    bool sent = store ? hd_memsys_store(g->memory, smx, now, u->free - now, op->line[u->line], &cycle)
                      : hd_memsys_load(g->memory, smx, now, u->free - now, op->line[u->line], &cycle);
    if (!sent) {
      g->n.unit_waits += cycle - u->free;
      u->free = cycle;
      continue;
    }
    u->line++;
    u->free++;
    if (store) cycle = u->free;
    if (cycle > u->slowest) u->slowest = cycle;
  }
  return true;
}

static void count(struct hd_gpu *g, const struct hd_gpu_warp *w, uint64_t done) {
  if (g->footprint != NULL) hd_footprint_touch(g->footprint, w->place, w->op.line, w->op.lines);
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
  uint64_t now = g->wheel.now;
  while (u->n != 0) {
    uint32_t warp = smx * g->warps + u->queue[u->first];
    if (u->free < now) u->free = now;
    if (!send_lines(g, smx, warp)) {
      hd_wheel_add(&g->wheel, g->smxs * (g->warps + g->schedulers) + smx, u->free);
      return;
    }
    uint64_t done = u->slowest > now ? u->slowest : now + 1;
    count(g, &g->warp[warp], done);
    g->warp[warp].sent = u->free;
    hd_wheel_add(&g->wheel, warp, done);
    u->line = 0;
    u->slowest = 0;
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
