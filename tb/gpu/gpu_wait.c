/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* TBs that wait for their launches: moves of their contexts, leaving a slot, return to a slot. */
#include <string.h>

#include "gpu/gpu_inside.h"

/* Header of the kept state; the workload's state of each warp follows, by number. */
struct kept {
  uint64_t waits; /* warps that have not ended */
  uint32_t warps;
};

/* Returns the hardware warp of warp `number` of the TB if it waits, otherwise HD_GPU_NO_WARP. */
static uint32_t waiting(const struct hd_gpu *g, uint32_t smx, uint32_t slot, uint32_t number) {
  const struct hd_gpu_place *p = &g->place[smx * g->slots + slot];
  const uint32_t warp = smx * g->warps + p->warp[number];
  return p->warp[number] < HD_GPU_WARPS_MAX && g->warp[warp].waits ? warp : HD_GPU_NO_WARP;
}

void hd_gpu_move(struct hd_gpu *g, uint32_t smx, uint32_t slot, bool store, uint32_t line, uint32_t lines,
                 uint64_t cycle) {
  struct hd_gpu_place *p = &g->place[smx * g->slots + slot];
  const uint32_t share = (lines + p->waits - 1) / p->waits;
  for (uint32_t k = 0; k < p->warps; k++) {
    const uint32_t warp = waiting(g, smx, slot, k);
    if (warp == HD_GPU_NO_WARP) continue;
    struct hd_gpu_warp *w = &g->warp[warp];
    w->moves = true;
    w->stores = store;
    w->line = line;
    w->lines = lines < share ? lines : share;
    line += w->lines;
    lines -= w->lines;
    p->moving++;
    hd_wheel_add(&g->wheel, warp, cycle);
  }
}

void hd_gpu_fetch_move(struct hd_gpu_warp *w) {
  struct hd_warp_op *op = &w->op;
  op->kind = w->lines == 0 ? HD_WARP_WAIT : w->stores ? HD_WARP_STORE : HD_WARP_LOAD;
  while (op->lines < HD_WARP_LANES && w->lines != 0) {
    op->line[op->lines++] = w->line++;
    w->lines--;
  }
  if (op->lines != 0) op->instructions = op->lines - 1; /* one instruction per line: a register of all lanes */
}

uint32_t hd_gpu_waiting(const struct hd_gpu *g, uint32_t smx, uint32_t slot) {
  return g->place[smx * g->slots + slot].waits;
}

void hd_gpu_end_wait(struct hd_gpu *g, uint32_t smx, uint32_t slot, uint64_t cycle) {
  struct hd_gpu_place *p = &g->place[smx * g->slots + slot];
  for (uint32_t k = 0; k < p->warps; k++) {
    const uint32_t warp = waiting(g, smx, slot, k);
    if (warp == HD_GPU_NO_WARP) continue;
    g->warp[warp].waits = false;
    hd_wheel_add(&g->wheel, warp, cycle);
  }
  p->waits = 0;
}

size_t hd_gpu_kept(const struct hd_gpu *g) {
  return sizeof(struct kept) + HD_GPU_WARPS_MAX * g->source.state;
}

void hd_gpu_leave(struct hd_gpu *g, uint32_t smx, uint32_t slot, void *kept) {
  const struct hd_gpu_place *p = &g->place[smx * g->slots + slot];
  struct kept of = {.warps = p->warps};
  unsigned char *state = (unsigned char *)kept + sizeof of;
  for (uint32_t k = 0; k < p->warps; k++) {
    const uint32_t warp = waiting(g, smx, slot, k);
    if (warp == HD_GPU_NO_WARP) continue;
    const uint64_t bit = UINT64_C(1) << warp % g->warps;
    of.waits |= UINT64_C(1) << k;
    memcpy(state + k * g->source.state, g->state + warp * g->source.state, g->source.state);
    g->busy[smx] &= ~bit;
    if (g->clock == NULL) continue;
    g->clock[smx].valid &= ~bit;
    g->clock[smx].calls &= ~bit;
  }
  memcpy(kept, &of, sizeof of);
}

bool hd_gpu_take_back(struct hd_gpu *g, uint64_t now, uint32_t smx, uint32_t slot, const struct hd_warp_tb *tb,
                      const void *kept) {
  const uint32_t at = smx * g->slots + slot;
  struct kept of;
  const unsigned char *state = (const unsigned char *)kept + sizeof of;
  struct hd_gpu_place *p = &g->place[at];
  memcpy(&of, kept, sizeof of);
  *p = (struct hd_gpu_place){.tb = *tb, .warps = of.warps};
  memset(p->warp, HD_GPU_WARPS_MAX, sizeof p->warp);
  if (g->clock != NULL) hd_gpu_clock_assign(g, smx, slot, now);
  if (g->footprint != NULL) hd_footprint_move(g->footprint, at, tb->family);
  for (; of.waits != 0; of.waits &= of.waits - 1) {
    const uint32_t number = (uint32_t)__builtin_ctzll(of.waits), warp = hd_gpu_settle(g, smx, slot, number);
    if (warp == HD_GPU_NO_WARP) return false;
    memcpy(g->state + warp * g->source.state, state + number * g->source.state, g->source.state);
    g->warp[warp].waits = true;
    p->left++;
    p->waits++;
  }
  g->taken++;
  return true;
}
