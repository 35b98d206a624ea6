/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "gpu/gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/wheel.h"

enum {
  WARPS_MAX = 64, /* of an SMX: sets of warps are words */
  AHEAD = 64      /* cycles by which a load/store unit is worked out before they come */
};

struct warp {
  uint64_t age; /* the smaller, the older */
  uint64_t issued;
  uint32_t place, number; /* of its TB; its own in it */
  struct hd_warp_op op;
};

struct place {
  struct hd_warp_tb tb;
  uint32_t left; /* warps that have not ended */
  uint8_t warp[WARPS_MAX];
};

struct scheduler {
  uint64_t ready; /* warps of the SMX that can issue */
  uint32_t warp;  /* that it issued of last, or is issuing of */
  bool issues, listed;
};

/* A load/store unit: warps whose operations wait for it or are in it, in order. */
struct unit {
  uint8_t queue[WARPS_MAX];
  uint32_t first, n;
  uint32_t line;    /* of the first one: lines that were sent */
  uint64_t slowest; /* of these */
  uint64_t free;    /* from this cycle on it can send */
};

struct hd_gpu {
  struct hd_gpu_opts o;
  uint32_t smxs, slots, warps, schedulers; /* per SMX but the first */
  struct hd_memsys *memory;
  struct hd_warp_source source;
  void *ctx;
  struct warp *warp;           /* by SMX and hardware warp */
  unsigned char *state;        /* likewise, source.state bytes each */
  struct place *place;         /* by SMX and slot */
  struct scheduler *scheduler; /* by SMX and number */
  struct unit *unit;           /* by SMX */
  uint64_t *busy;              /* by SMX: warps that are taken */
  struct hd_wheel wheel;       /* numbers: warps, then schedulers, then units */
  uint32_t *list, listed;      /* schedulers that may choose a warp in this cycle */
  struct hd_gpu_told *told;    /* by warp, as many as can be told of one cycle */
  uint32_t told_n, told_at;
  uint64_t taken;
  struct hd_gpu_counts n;
};

struct hd_gpu_opts hd_gpu_defaults(void) {
  return (struct hd_gpu_opts){.schedulers = 4, .memory = hd_memsys_defaults()};
}

/* ---- making it ---- */

static bool make_parts(struct hd_gpu *g) {
  uint32_t warps = g->smxs * g->warps, schedulers = g->smxs * g->schedulers;
  g->warp = calloc(warps, sizeof *g->warp);
  g->state = calloc(warps, g->source.state + 1);
  g->place = calloc((size_t)g->smxs * g->slots, sizeof *g->place);
  g->scheduler = calloc(schedulers, sizeof *g->scheduler);
  g->unit = calloc(g->smxs, sizeof *g->unit);
  g->busy = calloc(g->smxs, sizeof *g->busy);
  g->list = calloc(schedulers, sizeof *g->list);
  g->told = calloc(warps, sizeof *g->told);
  return g->warp != NULL && g->state != NULL && g->place != NULL && g->scheduler != NULL && g->unit != NULL &&
         g->busy != NULL && g->list != NULL && g->told != NULL &&
         hd_wheel_init(&g->wheel, warps + schedulers + g->smxs);
}

bool hd_gpu_check(const struct hd_gpu_opts *o, uint32_t warps, char *text, size_t text_size) {
  if (warps <= WARPS_MAX) return hd_memsys_check(&o->memory, text, text_size);
  snprintf(text, text_size, "%u warps on an SMX; %d or less would be accepted", warps, WARPS_MAX);
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
  if (make_parts(g)) g->memory = hd_memsys_new(&o->memory, smxs, text, text_size);
  if (g->memory != NULL) return g;
  hd_gpu_free(g);
  return NULL;
}

void hd_gpu_free(struct hd_gpu *g) {
  if (g == NULL) return;
  hd_memsys_free(g->memory);
  hd_wheel_free(&g->wheel);
  free(g->warp);
  free(g->state);
  free(g->place);
  free(g->scheduler);
  free(g->unit);
  free(g->busy);
  free(g->list);
  free(g->told);
  free(g);
}

/* ---- schedulers ---- */

static void tell(struct hd_gpu *g, const struct warp *w, bool ended) {
  g->told[g->told_n++] = (struct hd_gpu_told){.ended = ended,
                                              .cycle = g->wheel.now,
                                              .smx = w->place / g->slots,
                                              .slot = w->place % g->slots,
                                              .warp = w->number};
}

/* It may choose once all else of this cycle has happened. */
static void list(struct hd_gpu *g, uint32_t scheduler) {
  struct scheduler *s = &g->scheduler[scheduler];
  if (s->listed || s->issues) return;
  s->listed = true;
  g->list[g->listed++] = scheduler;
}

/* The warp can issue. */
static void wake(struct hd_gpu *g, uint32_t warp) {
  uint32_t smx = warp / g->warps, w = warp % g->warps, scheduler = smx * g->schedulers + w % g->schedulers;
  g->scheduler[scheduler].ready |= UINT64_C(1) << w;
  list(g, scheduler);
}

static uint32_t oldest(const struct warp *of_smx, uint64_t ready) {
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

/* It issues the next operation of the warp that it issued of last, or of the oldest. */
static void choose(struct hd_gpu *g, uint32_t scheduler) {
  struct scheduler *s = &g->scheduler[scheduler];
  uint32_t first = scheduler / g->schedulers * g->warps;
  s->listed = false;
  if (s->ready == 0) return;
  if ((s->ready >> s->warp & 1) == 0) s->warp = oldest(&g->warp[first], s->ready);
  s->ready &= ~(UINT64_C(1) << s->warp);
  struct warp *w = &g->warp[first + s->warp];
  struct hd_warp_op *op = &w->op;
  op->kind = HD_WARP_LOAD;
  op->instructions = op->lines = 0;
  op->lanes = HD_WARP_LANES;
  op->seen = 0;
  g->source.next(g->ctx, &g->place[w->place].tb, w->number, state_of(g, first + s->warp), op);
  s->issues = true;
  g->n.operations += 1 + (op->instructions != 0);
  g->n.instructions += op->instructions + 1;
  g->n.lanes += (uint64_t)op->lanes * (op->instructions + 1);
  hd_wheel_add(&g->wheel, g->smxs * g->warps + scheduler, g->wheel.now + op->instructions + 1);
}

static void end_warp(struct hd_gpu *g, uint32_t warp) {
  struct warp *w = &g->warp[warp];
  g->busy[warp / g->warps] &= ~(UINT64_C(1) << warp % g->warps);
  if (--g->place[w->place].left == 0) tell(g, w, true);
}

/* ---- load/store units ---- */

/* Sends lines of its first operation until that is done, or it comes too far ahead: then u->free tells when to go on.
 */
static bool send_lines(struct hd_gpu *g, uint32_t smx, uint32_t warp) {
  struct unit *u = &g->unit[smx];
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

static void count(struct hd_gpu *g, const struct warp *w, uint64_t done) {
  if (w->op.kind == HD_WARP_STORE) {
    g->n.stores++;
    g->n.store_lines += w->op.lines;
    return;
  }
  g->n.loads++;
  g->n.load_lines += w->op.lines;
  g->n.load_wait += done - w->issued;
}

/* Works off what can be sent in this cycle; an event goes on with the rest. */
static void work_off(struct hd_gpu *g, uint32_t smx) {
  struct unit *u = &g->unit[smx];
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
    hd_wheel_add(&g->wheel, warp, done);
    u->line = 0;
    u->slowest = 0;
    u->first = (u->first + 1) % WARPS_MAX;
    u->n--;
  }
}

static void to_unit(struct hd_gpu *g, uint32_t warp) {
  uint32_t smx = warp / g->warps;
  struct unit *u = &g->unit[smx];
  g->warp[warp].issued = g->wheel.now;
  u->queue[(u->first + u->n++) % WARPS_MAX] = (uint8_t)(warp % g->warps);
  if (u->n == 1) work_off(g, smx);
}

/* ---- events ---- */

/* The last instruction of the operation has been issued. */
static void issued(struct hd_gpu *g, uint32_t scheduler) {
  struct scheduler *s = &g->scheduler[scheduler];
  uint32_t warp = scheduler / g->schedulers * g->warps + s->warp;
  s->issues = false;
  switch (g->warp[warp].op.kind) {
    case HD_WARP_LOAD:
    case HD_WARP_STORE:
      to_unit(g, warp);
      break;
    case HD_WARP_CALL:
      tell(g, &g->warp[warp], false);
      break;
    case HD_WARP_END:
      end_warp(g, warp);
      break;
  }
  list(g, scheduler);
}

static void happen(struct hd_gpu *g, uint32_t number) {
  uint32_t warps = g->smxs * g->warps, schedulers = g->smxs * g->schedulers;
  g->n.events++;
  if (g->wheel.cycle[number] > g->wheel.now)
    hd_wheel_add(&g->wheel, number, g->wheel.cycle[number]); /* it was on its way */
  else if (number < warps)
    wake(g, number);
  else if (number < warps + schedulers)
    issued(g, number - warps);
  else
    work_off(g, number - warps - schedulers);
}

uint64_t hd_gpu_run(struct hd_gpu *g, uint64_t cycle) {
  uint64_t at;
  while (g->told_n == 0 && hd_wheel_next(&g->wheel, &at) && at <= cycle) {
    for (uint32_t k = hd_wheel_take(&g->wheel, at), after; k != HD_WHEEL_NONE; k = after) {
      after = hd_wheel_after(&g->wheel, k);
      happen(g, k);
    }
    for (uint32_t k = 0; k < g->listed; k++) choose(g, g->list[k]);
    g->listed = 0;
  }
  if (g->told_n != 0) return g->wheel.now;
  if (cycle > g->wheel.now) g->wheel.now = cycle;
  return cycle;
}

bool hd_gpu_told(struct hd_gpu *g, struct hd_gpu_told *told) {
  if (g->told_at < g->told_n) {
    *told = g->told[g->told_at++];
    return true;
  }
  g->told_at = g->told_n = 0;
  return false;
}

bool hd_gpu_next(const struct hd_gpu *g, uint64_t *cycle) {
  if (g->told_n != g->told_at) {
    *cycle = g->wheel.now;
    return true;
  }
  return hd_wheel_next(&g->wheel, cycle);
}

/* ---- TBs ---- */

bool hd_gpu_take(struct hd_gpu *g, uint64_t now, uint32_t smx, uint32_t slot, const struct hd_warp_tb *tb,
                 uint32_t warps) {
  uint32_t at = smx * g->slots + slot, number = 0;
  struct place *p = &g->place[at];
  *p = (struct place){.tb = *tb, .left = warps};
  for (uint32_t w = 0; w < g->warps && number < warps; w++) {
    uint32_t warp = smx * g->warps + w;
    if (g->busy[smx] >> w & 1) continue;
    g->busy[smx] |= UINT64_C(1) << w;
    p->warp[number] = (uint8_t)w;
    g->warp[warp].age = g->taken * WARPS_MAX + number;
    g->warp[warp].place = at;
    g->warp[warp].number = number;
    g->source.begin(g->ctx, tb, number++, state_of(g, warp));
    hd_wheel_add(&g->wheel, warp, now + 1);
  }
  g->taken++;
  return number == warps;
}

void hd_gpu_go_on(struct hd_gpu *g, uint32_t smx, uint32_t slot, uint32_t warp, uint64_t cycle) {
  hd_wheel_add(&g->wheel, smx * g->warps + g->place[smx * g->slots + slot].warp[warp], cycle);
}

struct hd_gpu_counts hd_gpu_counts(const struct hd_gpu *g) {
  return g->n;
}

struct hd_memsys_counts hd_gpu_memory(struct hd_gpu *g) {
  return hd_memsys_counts(g->memory, g->wheel.now);
}
