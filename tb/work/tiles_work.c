/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "work/tiles.h"
#include "work/tiles_inside.h"

/* Entry addresses of the programs; the values do not matter. */
enum { TILE_PC = 0x1000, PARENT_PC = 0x2000, PARENT_THREADS = 32 };

/* ---- global barriers: kernel k is wave k ---- */

static bool next(void *ctx, uint64_t now, struct hd_launch *l) {
  struct hd_tiles *t = ctx;
  const bool nested = t->o.launch == HD_TILES_NESTED;
  if (t->state != HD_TILES_WAIT || t->ready_at > now) return false;
  t->state = HD_TILES_RUN;
  l->graph = hd_tiles_has_graph(t);
  l->ctas = nested ? 1 : l->graph ? t->graph.nodes : hd_tiles_width(t, t->next);
  l->threads = (uint16_t)(nested ? PARENT_THREADS : t->o.block_size);
  l->desc.pc = nested ? PARENT_PC : TILE_PC;
  l->desc.grid_x = l->ctas;
  l->desc.grid_y = l->desc.grid_z = 1;
  l->desc.cta_x = l->threads;
  l->desc.cta_y = l->desc.cta_z = 1;
  l->regs = (uint8_t)t->o.regs;
  l->smem = (uint16_t)(nested ? 0 : t->o.smem);
  return true;
}

static bool next_at(void *ctx, uint64_t *cycle) {
  const struct hd_tiles *t = ctx;
  if (t->state == HD_TILES_WAIT) *cycle = t->ready_at;
  return t->state == HD_TILES_WAIT;
}

static uint64_t duration(void *ctx, uint32_t kernel, uint32_t blkid) {
  const struct hd_tiles *t = ctx;
  if (t->o.launch == HD_TILES_NESTED) return 1; /* its only warp launches */
  return hd_tiles_cycles(t, hd_tiles_vid(t, kernel, blkid));
}

static void cta_done(void *ctx, uint32_t kernel, uint32_t blkid) {
  struct hd_tiles *t = ctx;
  if (t->o.launch != HD_TILES_NESTED) hd_tiles_end(t, hd_tiles_vid(t, kernel, blkid));
}

static void kernel_done(void *ctx, uint64_t now, uint32_t kernel) {
  struct hd_tiles *t = ctx;
  (void)kernel;
  t->next++;
  t->state = t->o.launch != HD_TILES_WAVES || t->next == t->graph.levels ? HD_TILES_ENDED : HD_TILES_WAIT;
  t->ready_at = now + hd_tiles_delay(t);
}

static bool finished(void *ctx) {
  const struct hd_tiles *t = ctx;
  return t->state == HD_TILES_ENDED;
}

static double share(const void *ctx) {
  const struct hd_tiles *t = ctx;
  return (double)t->done / t->wave[t->graph.levels];
}

void hd_tiles_taken(void *tiles, uint32_t smx, const struct hd_resident *r) {
  struct hd_tiles *t = tiles;
  (void)smx;
  if (t->o.launch != HD_TILES_NESTED)
    hd_tiles_begin(t, hd_tiles_vid(t, r->kernel, r->blkid));
  else if (r->child != 0)
    hd_tiles_begin(t, hd_tiles_vid(t, r->item, r->blkid));
}

/* ---- nested launches: item k is wave k ---- */

static bool device_warp(void *ctx, uint32_t kernel, uint32_t blkid, uint32_t k, struct hd_work_warp *w) {
  const struct hd_tiles *t = ctx;
  (void)kernel, (void)blkid;
  if (k >= t->graph.levels) return false;
  uint64_t alone = 0;
  for (uint32_t b = 0; b < hd_tiles_width(t, k); b++) alone += hd_tiles_cycles(t, hd_tiles_vid(t, k, b));
  *w = (struct hd_work_warp){.before = k == 0 ? t->o.overhead : 0, .calls = 1};
  w->call[0] = (struct hd_work_call){.item = k, .ctas = hd_tiles_width(t, k), .alone = alone};
  return true;
}

static uint64_t device_duration(void *ctx, uint32_t kernel, uint32_t item, uint32_t blkid) {
  const struct hd_tiles *t = ctx;
  (void)kernel;
  return hd_tiles_cycles(t, hd_tiles_vid(t, item, blkid));
}

static void device_launched(void *ctx, uint32_t kernel, uint32_t item) {
  (void)ctx, (void)kernel, (void)item;
}

/* The parent computes the wave itself. */
static void device_alone(void *ctx, uint32_t kernel, uint32_t item) {
  struct hd_tiles *t = ctx;
  (void)kernel;
  for (uint32_t b = 0; b < hd_tiles_width(t, item); b++) {
    const uint32_t v = hd_tiles_vid(t, item, b);
    hd_tiles_begin(t, v);
    hd_tiles_end(t, v);
    t->node[v].alone = true;
  }
}

static void device_cta_done(void *ctx, uint32_t kernel, uint32_t item, uint32_t blkid) {
  struct hd_tiles *t = ctx;
  (void)kernel;
  hd_tiles_end(t, hd_tiles_vid(t, item, blkid));
}

static void device_ended(void *ctx, uint64_t now, uint32_t kernel, uint32_t item) {
  (void)ctx, (void)now, (void)kernel, (void)item;
}

struct hd_work hd_tiles_work(struct hd_tiles *t) {
  t->device = (struct hd_work_device){
      .child = {.cta = {t->o.block_size, 1, 1}, .regs = t->o.regs, .smem_bytes = t->o.smem * 256, .pc = TILE_PC},
      .sync = HD_SYNC_EACH,
      .warp = device_warp,
      .duration = device_duration,
      .launched = device_launched,
      .alone = device_alone,
      .cta_done = device_cta_done,
      .ended = device_ended};
  const struct hd_work_device *device = t->o.launch == HD_TILES_NESTED ? &t->device : NULL;
  const struct hd_deplinks_graph *graph = hd_tiles_has_graph(t) ? &t->graph : NULL;
  return (struct hd_work){.ctx = t,
                          .next = next,
                          .next_at = next_at,
                          .duration = duration,
                          .cta_done = cta_done,
                          .kernel_done = kernel_done,
                          .finished = finished,
                          .share = share,
                          .device = device,
                          .warps = &hd_tiles_warps,
                          .graph = graph};
}
