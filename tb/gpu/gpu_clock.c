/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* SMXs cycle by cycle: an external scheduler (choice.h) selects the warps that issue, and receives the causes of
 * waits. */
#include <stdlib.h>

#include "gpu/gpu_inside.h"

bool hd_gpu_clock(struct hd_gpu *g, const struct hd_choice *choice) {
  g->clock = calloc(g->smxs, sizeof *g->clock);
  if (g->clock == NULL) return false;
  for (uint32_t s = 0; s < g->smxs; s++) g->clock[s].assigned = HD_CHOICE_NO_SLOT;
  for (uint32_t w = 0; w < g->warps; w += g->schedulers) g->turns |= UINT64_C(1) << w;
  g->choice = *choice;
  return true;
}

uint64_t hd_gpu_clock_assign(struct hd_gpu *g, uint32_t smx, uint32_t slot, uint64_t now) {
  g->clock[smx].assigned = slot;
  g->assigned = true;
  return now + 2;
}

void hd_gpu_clock_wake(struct hd_gpu *g, uint32_t warp) {
  struct hd_gpu_clock *c = &g->clock[warp / g->warps];
  const uint32_t w = warp % g->warps;
  const uint64_t bit = UINT64_C(1) << w;
  c->valid |= bit;
  c->able |= bit;
  c->calls &= ~bit;
  c->slot[w] = (uint8_t)(g->warp[warp].place % g->slots);
  g->warp[warp].free = 0;
}

/* ---- a cycle ---- */

/* A warp issues an instruction: the first of its next operation, or a later one. */
static void issue(struct hd_gpu *g, uint32_t smx, uint32_t w) {
  const uint32_t warp = smx * g->warps + w, scheduler = smx * g->schedulers + w % g->schedulers;
  struct hd_gpu_warp *x = &g->warp[warp];
  if (x->left == 0) {
    hd_gpu_fetch(g, warp);
    x->left = x->op.instructions + 1;
  }
  x->free = g->wheel.now + g->o.issue_every;
  if (--x->left != 0) return;
  g->clock[smx].able &= ~(UINT64_C(1) << w);
  x->sent = UINT64_MAX;
  g->scheduler[scheduler].warp = w;
  hd_wheel_add(&g->wheel, g->smxs * g->warps + scheduler, g->wheel.now + 1);
}

/* Returns the warps that can continue and do not wait for the result of their last instruction. */
static uint64_t ready(const struct hd_gpu *g, uint32_t smx) {
  uint64_t set = g->clock[smx].able;
  if (g->o.issue_every == 1) return set;
  for (uint64_t left = set; left != 0; left &= left - 1) {
    const uint32_t w = (uint32_t)__builtin_ctzll(left);
    if (g->warp[smx * g->warps + w].free > g->wheel.now + 1) set &= ~(UINT64_C(1) << w);
  }
  return set;
}

/* Sorts warps that neither issue nor are ready by what they wait for. */
static void sort_waits(const struct hd_gpu *g, uint32_t smx, uint64_t waits, struct hd_choice_record *seen) {
  const struct hd_gpu_clock *c = &g->clock[smx];
  seen->control = waits & c->calls;
  seen->raw = waits & ~c->calls;
  for (uint64_t left = seen->raw & ~c->able; left != 0; left &= left - 1) {
    const uint32_t w = (uint32_t)__builtin_ctzll(left);
    if (g->warp[smx * g->warps + w].sent > g->wheel.now) seen->pipe |= UINT64_C(1) << w;
  }
  seen->raw &= ~seen->pipe;
}

/* Counts schedulers with warps that do not issue, by cause: that of the warp that is closest to issue. */
static void count_stalls(struct hd_gpu *g, const struct hd_choice_record *seen, uint64_t issued) {
  struct hd_gpu_stalls *n = &g->n.stalls;
  n->warps_control += (uint64_t)__builtin_popcountll(seen->control);
  n->warps_raw += (uint64_t)__builtin_popcountll(seen->raw);
  n->warps_pipe += (uint64_t)__builtin_popcountll(seen->pipe);
  for (uint32_t p = 0; p < g->schedulers; p++) {
    const uint64_t own = g->turns << p;
    if ((issued & own) != 0 || (seen->valid & own) == 0) continue;
    if ((seen->ready & own) != 0)
      n->choice++;
    else if ((seen->pipe & own) != 0)
      n->pipe++;
    else if ((seen->raw & own) != 0)
      n->raw++;
    else
      n->control++;
  }
}

static void step(struct hd_gpu *g, uint32_t smx) {
  struct hd_gpu_clock *c = &g->clock[smx];
  if (c->valid == 0 && c->assigned == HD_CHOICE_NO_SLOT) return;
  const uint64_t issued = g->choice.issued(g->choice.ctx, smx, g->wheel.now);
  for (uint64_t left = issued; left != 0; left &= left - 1) issue(g, smx, (uint32_t)__builtin_ctzll(left));
  struct hd_choice_record seen = {.valid = c->valid, .ready = ready(g, smx), .slot = c->slot, .assigned = c->assigned};
  sort_waits(g, smx, seen.valid & ~seen.ready & ~issued, &seen);
  count_stalls(g, &seen, issued);
  g->choice.show(g->choice.ctx, smx, g->wheel.now, &seen);
  c->assigned = HD_CHOICE_NO_SLOT;
}

void hd_gpu_clock_step(struct hd_gpu *g) {
  g->assigned = false;
  for (uint32_t s = 0; s < g->smxs; s++) step(g, s);
}

bool hd_gpu_clock_moves(const struct hd_gpu *g) {
  bool moves = g->assigned;
  for (uint32_t s = 0; s < g->smxs; s++) moves |= g->clock[s].able != 0;
  return moves;
}
