/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "work/kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph/mix.h"

#define KERNEL_PC 0x3000u
enum { LAST = 1 }; /* instructions before the end, and before a last store without computation */

static const struct hd_kernels_kind kinds[] = {
    /* c = a + b */
    {.name = "vectoradd",
     .ctas = 196,
     .resident = 6,
     .warps = 5,
     .least = 1,
     .most = 1,
     .loads = 2,
     .lines = 1,
     .before = 4,
     .compute = 2,
     .place = HD_KERNELS_STREAM},
    /* A reduction with the stride of the grid. */
    {.name = "multigpu",
     .ctas = 32,
     .resident = 6,
     .warps = 5,
     .least = 64,
     .most = 64,
     .loads = 1,
     .lines = 1,
     .before = 3,
     .compute = 1,
     .place = HD_KERNELS_STREAM},
    /* Option pricing: each TB walks paths over the same random numbers. */
    {.name = "montecarlo",
     .ctas = 193,
     .resident = 7,
     .warps = 4,
     .smem = 27,
     .least = 16,
     .most = 16,
     .loads = 1,
     .lines = 1,
     .before = 3,
     .compute = 40,
     .place = HD_KERNELS_SHARED},
    /* Binary searches in tiles, and a store of the result. */
    {.name = "mergesort",
     .ctas = 8156,
     .resident = 7,
     .warps = 4,
     .smem = 27,
     .least = 1,
     .most = 3,
     .loads = 1,
     .lines = 4,
     .before = 4,
     .compute = 6,
     .place = HD_KERNELS_ANY,
     .region = 16384,
     .hot = 64,
     .hot_percent = 50,
     .stores = true},
    /* Hashes of chunks: much computation, addresses of threads far apart. */
    {.name = "storegpu",
     .ctas = 384,
     .resident = 3,
     .warps = 10,
     .least = 3,
     .most = 3,
     .loads = 1,
     .lines = 8,
     .before = 4,
     .compute = 48,
     .place = HD_KERNELS_STREAM},
    /* Walks down a suffix tree while the query matches. */
    {.name = "mummer",
     .ctas = 196,
     .resident = 4,
     .warps = 8,
     .least = 4,
     .most = 24,
     .loads = 1,
     .lines = 12,
     .before = 4,
     .compute = 10,
     .place = HD_KERNELS_ANY,
     .region = 65536,
     .hot = 256,
     .hot_percent = 30},
};

struct hd_kernels {
  const struct hd_kernels_kind *kind;
  struct hd_kernels_opts o;
  bool launched;
  uint32_t done;
};

const struct hd_kernels_kind *hd_kernels_find(const char *name) {
  for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (strcmp(kinds[k].name, name) == 0) return &kinds[k];
  return NULL;
}

struct hd_kernels *hd_kernels_new(const struct hd_kernels_kind *kind, const struct hd_kernels_opts *o) {
  struct hd_kernels *k = calloc(1, sizeof *k);
  if (k != NULL) *k = (struct hd_kernels){.kind = kind, .o = *o};
  return k;
}

void hd_kernels_free(struct hd_kernels *k) {
  free(k);
}

/* ---- warps ---- */

struct walk {
  uint32_t turn, turns, load; /* load: index in this turn; kind->loads: the store */
};

static uint64_t of_warp(const struct hd_kernels *k, uint32_t cta, uint32_t warp) {
  return hd_mix3(k->o.seed, cta, warp);
}

static uint32_t turns_of(const struct hd_kernels *k, uint32_t cta, uint32_t warp) {
  const struct hd_kernels_kind *d = k->kind;
  if (d->least == d->most) return d->least;
  const double more = pow((double)(d->most + 1) / d->least, hd_mix_unit(of_warp(k, cta, warp)));
  const uint32_t turns = (uint32_t)(d->least * more);
  return turns < d->most ? turns : d->most;
}

static void begin(void *ctx, const struct hd_warp_tb *tb, uint32_t warp, void *state) {
  *(struct walk *)state = (struct walk){.turns = turns_of(ctx, tb->blkid, warp)};
}

/* Returns the n-th line of a load. */
static uint64_t line_of(const struct hd_kernels *k, uint32_t cta, uint32_t warp, const struct walk *w, uint32_t n) {
  const struct hd_kernels_kind *d = k->kind;
  const uint64_t load = (uint64_t)w->turn * d->loads + w->load, number = (uint64_t)cta * d->warps + warp;
  if (d->place == HD_KERNELS_SHARED) return load * d->lines + n;
  if (d->place == HD_KERNELS_STREAM) return (load * d->ctas * d->warps + number) * d->lines + n;
  const uint64_t any = hd_mix3(of_warp(k, cta, warp), load * d->lines + n, 1);
  return any % 100 < d->hot_percent ? any / 100 % d->hot : any / 100 % d->region;
}

/* Returns the line of a store. Results are after all loaded lines. */
static uint64_t result_of(const struct hd_kernels *k, uint32_t cta, uint32_t warp, uint32_t turn) {
  const uint64_t number = (uint64_t)cta * k->kind->warps + warp;
  return (UINT64_C(1) << 24) + (k->kind->stores ? number * (k->kind->most + 1) + turn : number);
}

static void touch_line(struct hd_warp_op *op, uint64_t line) {
  hd_warp_touch(op, line * HD_LINE_BYTES);
}

static void store(const struct hd_kernels *k, const struct hd_warp_tb *tb, uint32_t warp, struct walk *w,
                  struct hd_warp_op *op) {
  const bool last = k->kind->stores && w->turn == w->turns;
  op->kind = HD_WARP_STORE;
  op->instructions = last ? LAST : k->kind->compute;
  touch_line(op, result_of(k, tb->blkid, warp, w->turn++));
  w->load = 0;
}

static void next(void *ctx, const struct hd_warp_tb *tb, uint32_t warp, void *state, struct hd_warp_op *op) {
  const struct hd_kernels *k = ctx;
  const struct hd_kernels_kind *d = k->kind;
  struct walk *w = state;
  if (w->turn > w->turns) {
    op->kind = HD_WARP_END;
    op->instructions = LAST;
  } else if (w->turn == w->turns || w->load == d->loads) {
    store(k, tb, warp, w, op);
  } else {
    op->instructions = d->before + (w->load == 0 && w->turn != 0 && !d->stores ? d->compute : 0);
    for (uint32_t n = 0; n < d->lines; n++) touch_line(op, line_of(k, tb->blkid, warp, w, n));
    if (++w->load < d->loads || d->stores) return;
    w->turn++;
    w->load = 0;
  }
}

static const struct hd_warp_source warps = {sizeof(struct walk), begin, next};

uint64_t hd_kernels_instructions(const struct hd_kernels *k) {
  const struct hd_kernels_kind *d = k->kind;
  const uint64_t turn = d->loads * (d->before + 1) + d->compute + d->stores, ends = (d->stores ? LAST : 0) + LAST + 2;
  uint64_t sum = 0;
  for (uint32_t cta = 0; cta < d->ctas; cta++)
    for (uint32_t w = 0; w < d->warps; w++) sum += turns_of(k, cta, w) * turn + ends;
  return sum;
}

/* ---- the kernel ---- */

static uint64_t start(const struct hd_kernels *k) {
  return k->o.seed != 0 && k->o.jitter != 0 ? hd_mix(k->o.seed) % k->o.jitter : 0;
}

static bool next_kernel(void *ctx, uint64_t now, struct hd_launch *l) {
  struct hd_kernels *k = ctx;
  const struct hd_kernels_kind *d = k->kind;
  if (k->launched || now < start(k)) return false;
  k->launched = true;
  l->desc.pc = KERNEL_PC;
  l->desc.grid_x = l->ctas = d->ctas;
  l->desc.grid_y = l->desc.grid_z = l->desc.cta_y = l->desc.cta_z = 1;
  l->threads = (uint16_t)(d->warps * HD_WARP_LANES);
  l->desc.cta_x = l->threads;
  l->regs = (uint8_t)k->o.regs;
  l->smem = (uint16_t)d->smem;
  return true;
}

static bool next_at(void *ctx, uint64_t *cycle) {
  const struct hd_kernels *k = ctx;
  *cycle = start(k);
  return !k->launched;
}

static void cta_done(void *ctx, uint32_t kernel, uint32_t blkid) {
  struct hd_kernels *k = ctx;
  (void)kernel, (void)blkid;
  k->done++;
}

static void kernel_done(void *ctx, uint64_t now, uint32_t kernel) {
  (void)ctx, (void)now, (void)kernel;
}

static bool finished(void *ctx) {
  const struct hd_kernels *k = ctx;
  return k->launched;
}

static double share(const void *ctx) {
  const struct hd_kernels *k = ctx;
  return (double)k->done / k->kind->ctas;
}

struct hd_work hd_kernels_work(struct hd_kernels *k) {
  return (struct hd_work){.ctx = k,
                          .next = next_kernel,
                          .next_at = next_at,
                          .cta_done = cta_done,
                          .kernel_done = kernel_done,
                          .finished = finished,
                          .share = share,
                          .warps = &warps};
}

uint32_t hd_kernels_done(const struct hd_kernels *k) {
  return k->done;
}
