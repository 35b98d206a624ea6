/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include <stdio.h>
#include <stdlib.h>

#include "gpu/gpu_inside.h"

struct hd_gpu_opts hd_gpu_defaults(void) {
  return (struct hd_gpu_opts){
      .schedulers = 4,
      .issue_every = 1,
      .latency = {[HD_WARP_SHARED] = 47, [HD_WARP_SPECIAL] = 20, [HD_WARP_DOUBLE] = 20, [HD_WARP_TENSOR] = 20},
      .memory = hd_memsys_defaults()};
}

/* ---- creation ---- */

static bool make_parts(struct hd_gpu *g) {
  uint32_t warps = g->smxs * g->warps, schedulers = g->smxs * g->schedulers;
  g->warp = calloc(warps, sizeof *g->warp);
  g->state = calloc(warps, g->source.state + 1);
  g->place = calloc((size_t)g->smxs * g->slots, sizeof *g->place);
  g->scheduler = calloc(schedulers, sizeof *g->scheduler);
  g->unit = calloc(g->smxs, sizeof *g->unit);
  g->busy = calloc(g->smxs, sizeof *g->busy);
  g->list = calloc(schedulers, sizeof *g->list);
  g->notice = calloc(warps, sizeof *g->notice);
  return g->warp != NULL && g->state != NULL && g->place != NULL && g->scheduler != NULL && g->unit != NULL &&
         g->busy != NULL && g->list != NULL && g->notice != NULL &&
         hd_wheel_init(&g->wheel, warps + schedulers + g->smxs);
}

bool hd_gpu_check(const struct hd_gpu_opts *o, uint32_t warps, char *text, size_t text_size) {
  if (warps <= HD_GPU_WARPS_MAX) return hd_memsys_check(&o->memory, text, text_size);
  snprintf(text, text_size, "%u warps on an SMX; %d or fewer would be accepted", warps, HD_GPU_WARPS_MAX);
  return false;
}

struct hd_gpu *hd_gpu_new(const struct hd_gpu_opts *o, uint32_t smxs, uint32_t slots, uint32_t warps,
                          const struct hd_warp_source *source, void *ctx, char *text, size_t text_size) {
  if (!hd_gpu_check(o, warps, text, text_size)) return NULL;
  struct hd_gpu *g = calloc(1, sizeof *g);
  snprintf(text, text_size, "out of memory");
  if (g == NULL) return NULL;
  *g = (struct hd_gpu){.o = *o,
                       .smxs = smxs,
                       .slots = slots,
                       .warps = warps,
                       .schedulers = o->schedulers,
                       .source = *source,
                       .ctx = ctx};
  bool good = make_parts(g);
  if (good && o->footprint) good = (g->footprint = hd_footprint_new(smxs * slots)) != NULL;
  if (good) g->memory = hd_memsys_new(&o->memory, smxs, text, text_size);
  if (g->memory != NULL) return g;
  hd_gpu_free(g);
  return NULL;
}

void hd_gpu_free(struct hd_gpu *g) {
  if (g == NULL) return;
  hd_memsys_free(g->memory);
  hd_footprint_free(g->footprint);
  hd_wheel_free(&g->wheel);
  free(g->warp);
  free(g->state);
  free(g->place);
  free(g->scheduler);
  free(g->unit);
  free(g->busy);
  free(g->list);
  free(g->notice);
  free(g->clock);
  free(g);
}

/* ---- schedulers ---- */

static void notify(struct hd_gpu *g, const struct hd_gpu_warp *w, enum hd_gpu_event event) {
  g->notice[g->notice_n++] = (struct hd_gpu_notice){.event = event,
                                                    .cycle = g->wheel.now,
                                                    .smx = w->place / g->slots,
                                                    .slot = w->place % g->slots,
                                                    .warp = w->number};
}

/* Lists a scheduler that may choose a warp after all other events of this cycle. */
static void list(struct hd_gpu *g, uint32_t scheduler) {
  struct hd_gpu_scheduler *s = &g->scheduler[scheduler];
  if (s->listed || s->issues) return;
  s->listed = true;
  g->list[g->listed++] = scheduler;
}

/* Marks the warp as ready to issue. */
static void wake(struct hd_gpu *g, uint32_t warp) {
  uint32_t smx = warp / g->warps, w = warp % g->warps, scheduler = smx * g->schedulers + w % g->schedulers;
  if (g->clock != NULL) {
    hd_gpu_clock_wake(g, warp);
    return;
  }
  g->scheduler[scheduler].ready |= UINT64_C(1) << w;
  list(g, scheduler);
}

static uint32_t oldest(const struct hd_gpu_warp *of_smx, uint64_t ready) {
  uint32_t best = (uint32_t)__builtin_ctzll(ready);
  for (ready &= ready - 1; ready != 0; ready &= ready - 1) {
    uint32_t w = (uint32_t)__builtin_ctzll(ready);
    if (of_smx[w].age < of_smx[best].age) best = w;
  }
  return best;
}

static void *state_of(const struct hd_gpu *g, uint32_t warp) {
  return g->state + warp * g->source.state;
}

void hd_gpu_fetch(struct hd_gpu *g, uint32_t warp) {
  struct hd_gpu_warp *w = &g->warp[warp];
  struct hd_warp_op *op = &w->op;
  op->kind = HD_WARP_LOAD;
  op->instructions = op->lines = 0;
  op->lanes = HD_WARP_LANES;
  op->seen = 0;
  if (w->moves)
    hd_gpu_fetch_move(w);
  else
    g->source.next(g->ctx, &g->place[w->place].tb, w->number, state_of(g, warp), op);
  hd_memsys_ahead(g->memory, op->line, op->lines);
  g->n.operations += 1 + (op->instructions != 0);
  g->n.instructions += op->instructions + 1;
  g->n.lanes += (uint64_t)op->lanes * (op->instructions + 1);
}

/* Issues the next operation of the warp that the scheduler issued from last if it is ready, otherwise of the oldest. */
static void choose(struct hd_gpu *g, uint32_t scheduler) {
  struct hd_gpu_scheduler *s = &g->scheduler[scheduler];
  uint32_t first = scheduler / g->schedulers * g->warps;
  s->listed = false;
  if (s->ready == 0) return;
  if ((s->ready >> s->warp & 1) == 0) s->warp = oldest(&g->warp[first], s->ready);
  s->ready &= ~(UINT64_C(1) << s->warp);
  hd_gpu_fetch(g, first + s->warp);
  s->issues = true;
  hd_wheel_add(&g->wheel, g->smxs * g->warps + scheduler, g->wheel.now + g->warp[first + s->warp].op.instructions + 1);
}

/* The warps at the TB's barrier continue in the next cycle. */
static void open_barrier(struct hd_gpu *g, uint32_t place) {
  struct hd_gpu_place *p = &g->place[place];
  for (uint32_t k = 0; k < p->warps; k++) {
    const uint32_t warp = place / g->slots * g->warps + p->warp[k];
    if (p->warp[k] == HD_GPU_WARPS_MAX || !g->warp[warp].barred) continue;
    g->warp[warp].barred = false;
    g->n.barrier_wait += g->wheel.now + 1 - g->warp[warp].issued;
    hd_wheel_add(&g->wheel, warp, g->wheel.now + 1);
  }
  p->barred = 0;
}

static void come_to_barrier(struct hd_gpu *g, uint32_t warp) {
  struct hd_gpu_warp *w = &g->warp[warp];
  struct hd_gpu_place *p = &g->place[w->place];
  if (g->clock != NULL) g->clock[warp / g->warps].calls |= UINT64_C(1) << warp % g->warps;
  w->issued = g->wheel.now;
  w->barred = true;
  g->n.barriers++;
  if (++p->barred == p->left) open_barrier(g, w->place);
}

/* The warp waits for the result of another unit. */
static void delay(struct hd_gpu *g, uint32_t warp) {
  struct hd_gpu_warp *w = &g->warp[warp];
  w->sent = g->wheel.now;
  g->n.delays++;
  hd_wheel_add(&g->wheel, warp, g->wheel.now + g->o.latency[w->op.unit]);
}

static void end_warp(struct hd_gpu *g, uint32_t warp) {
  struct hd_gpu_warp *w = &g->warp[warp];
  g->busy[warp / g->warps] &= ~(UINT64_C(1) << warp % g->warps);
  if (g->clock != NULL) g->clock[warp / g->warps].valid &= ~(UINT64_C(1) << warp % g->warps);
  struct hd_gpu_place *p = &g->place[w->place];
  p->warp[w->number] = HD_GPU_WARPS_MAX;
  if (--p->left == p->waits && p->left != 0) notify(g, w, HD_GPU_WAITS);
  if (p->left != 0 && p->barred == p->left) open_barrier(g, w->place);
  if (p->left != 0) return;
  if (g->footprint != NULL) hd_footprint_end(g->footprint, w->place);
  notify(g, w, HD_GPU_ENDED);
}

/* The warp waits, perhaps as the last one of its TB; or it has moved its share of the context. */
static void wait(struct hd_gpu *g, uint32_t warp) {
  struct hd_gpu_warp *w = &g->warp[warp];
  struct hd_gpu_place *p = &g->place[w->place];
  if (g->clock != NULL) g->clock[warp / g->warps].calls |= UINT64_C(1) << warp % g->warps;
  if (w->moves) {
    w->moves = false;
    if (--p->moving == 0) notify(g, w, HD_GPU_MOVED);
    return;
  }
  w->waits = true;
  if (++p->waits == p->left) notify(g, w, HD_GPU_WAITS);
}

/* ---- events ---- */

/* The last instruction of the operation has been issued. */
static void issued(struct hd_gpu *g, uint32_t scheduler) {
  struct hd_gpu_scheduler *s = &g->scheduler[scheduler];
  uint32_t warp = scheduler / g->schedulers * g->warps + s->warp;
  s->issues = false;
  switch (g->warp[warp].op.kind) {
    case HD_WARP_LOAD:
    case HD_WARP_STORE:
      hd_gpu_unit_add(g, warp);
      break;
    case HD_WARP_CALL:
      if (g->footprint != NULL) hd_footprint_launch(g->footprint, g->warp[warp].place);
      if (g->clock != NULL) g->clock[warp / g->warps].calls |= UINT64_C(1) << warp % g->warps;
      notify(g, &g->warp[warp], HD_GPU_CALLS);
      break;
    case HD_WARP_WAIT:
      wait(g, warp);
      break;
    case HD_WARP_DELAY:
      delay(g, warp);
      break;
    case HD_WARP_BARRIER:
      come_to_barrier(g, warp);
      break;
    case HD_WARP_END:
      end_warp(g, warp);
      break;
  }
  if (g->clock == NULL) list(g, scheduler);
}

static void happen(struct hd_gpu *g, uint32_t number) {
  uint32_t warps = g->smxs * g->warps, schedulers = g->smxs * g->schedulers;
  g->n.events++;
  if (g->wheel.cycle[number] > g->wheel.now)
    hd_wheel_add(&g->wheel, number, g->wheel.cycle[number]); /* later than a turn of the wheel */
  else if (number < warps)
    wake(g, number);
  else if (number < warps + schedulers)
    issued(g, number - warps);
  else
    hd_gpu_unit_go_on(g, number - warps - schedulers);
}

/* Processes all events of cycle `at`. */
static void run_events(struct hd_gpu *g, uint64_t at) {
  for (uint32_t k = hd_wheel_take(&g->wheel, at), after; k != HD_WHEEL_NONE; k = after) {
    after = hd_wheel_after(&g->wheel, k);
    happen(g, k);
  }
}

static uint64_t run_clock(struct hd_gpu *g, uint64_t cycle) {
  uint64_t at;
  while (g->notice_n == 0 && g->clocked <= cycle) {
    if (hd_wheel_next(&g->wheel, &at) && at <= g->clocked) run_events(g, at);
    g->wheel.now = g->clocked++;
    hd_gpu_clock_step(g);
  }
  return g->notice_n != 0 ? g->wheel.now : cycle;
}

uint64_t hd_gpu_run(struct hd_gpu *g, uint64_t cycle) {
  uint64_t at;
  if (g->clock != NULL) return run_clock(g, cycle);
  while (g->notice_n == 0 && hd_wheel_next(&g->wheel, &at) && at <= cycle) {
    run_events(g, at);
    for (uint32_t k = 0; k < g->listed; k++) choose(g, g->list[k]);
    g->listed = 0;
  }
  if (g->notice_n != 0) return g->wheel.now;
  if (cycle > g->wheel.now) g->wheel.now = cycle;
  return cycle;
}

bool hd_gpu_notice(struct hd_gpu *g, struct hd_gpu_notice *notice) {
  if (g->notice_at < g->notice_n) {
    *notice = g->notice[g->notice_at++];
    return true;
  }
  g->notice_at = g->notice_n = 0;
  return false;
}

bool hd_gpu_next(const struct hd_gpu *g, uint64_t *cycle) {
  if (g->notice_n != g->notice_at) {
    *cycle = g->wheel.now;
    return true;
  }
  if (g->clock == NULL || !hd_gpu_clock_moves(g)) return hd_wheel_next(&g->wheel, cycle);
  *cycle = g->clocked;
  return true;
}

/* ---- TBs ---- */

uint32_t hd_gpu_settle(struct hd_gpu *g, uint32_t smx, uint32_t slot, uint32_t number) {
  const uint32_t at = smx * g->slots + slot, first = smx * g->warps;
  uint32_t w = 0;
  while (w < g->warps && (g->busy[smx] >> w & 1) != 0) w++;
  if (w == g->warps) return HD_GPU_NO_WARP;
  g->busy[smx] |= UINT64_C(1) << w;
  g->place[at].warp[number] = (uint8_t)w;
  g->warp[first + w].age = g->taken * HD_GPU_WARPS_MAX + number;
  g->warp[first + w].place = at;
  g->warp[first + w].number = number;
  g->warp[first + w].waits = g->warp[first + w].moves = g->warp[first + w].barred = false;
  return first + w;
}

bool hd_gpu_take(struct hd_gpu *g, uint64_t now, uint32_t smx, uint32_t slot, const struct hd_warp_tb *tb,
                 uint32_t warps) {
  uint32_t at = smx * g->slots + slot, number = 0;
  uint64_t from = g->clock != NULL ? hd_gpu_clock_assign(g, smx, slot, now) : now + 1;
  g->place[at] = (struct hd_gpu_place){.tb = *tb, .warps = warps, .left = warps};
  if (g->footprint != NULL) hd_footprint_begin(g->footprint, at, tb->family, tb->child != 0);
  for (; number < warps; number++) {
    const uint32_t warp = hd_gpu_settle(g, smx, slot, number);
    if (warp == HD_GPU_NO_WARP) break;
    g->source.begin(g->ctx, tb, number, state_of(g, warp));
    hd_wheel_add(&g->wheel, warp, from);
  }
  g->taken++;
  return number == warps;
}

void hd_gpu_go_on(struct hd_gpu *g, uint32_t smx, uint32_t slot, uint32_t warp, uint64_t cycle) {
  hd_wheel_add(&g->wheel, smx * g->warps + g->place[smx * g->slots + slot].warp[warp], cycle);
}

struct hd_gpu_counts hd_gpu_counts(const struct hd_gpu *g) {
  struct hd_gpu_counts n = g->n;
  for (uint32_t s = 0; s < g->smxs; s++) n.unit_waits += g->unit[s].sends.waits;
  return n;
}

struct hd_memsys_counts hd_gpu_memory(struct hd_gpu *g) {
  return hd_memsys_counts(g->memory, g->wheel.now);
}

void hd_gpu_contention(const struct hd_gpu *g, uint64_t *dram_full, uint64_t *icnt2sm) {
  hd_memsys_contention(g->memory, dram_full, icnt2sm);
}

bool hd_gpu_footprint(const struct hd_gpu *g, struct hd_footprint_shares *s) {
  return hd_footprint_shares(g->footprint, s);
}
