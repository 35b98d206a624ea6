/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include <stdlib.h>
#include <string.h>

#include "work/bfs_inside.h"
#include "work/mix.h"

/* The addresses of the programs' entries, of the kernels and of the children; any would do. */
enum { BFS_PC = 0x1000, BFS_CHILD_PC = 0x2000 };

static uint64_t delay(const struct hd_bfs *b, uint32_t search, uint32_t level) {
  if (b->o.seed == 0 || b->o.jitter == 0) return 0;
  return hd_mix3(b->o.seed, search, level) % ((uint64_t)b->o.jitter + 1);
}

static bool start(struct hd_bfs *b, uint32_t k, uint32_t source) {
  struct hd_bfs_search *s = &b->search[k];
  s->source = source;
  s->distance = malloc(b->g->nodes * sizeof *s->distance);
  s->frontier = malloc(b->g->nodes * sizeof *s->frontier);
  s->found = calloc(b->g->nodes / 64 + 1, sizeof *s->found);
  s->reached = calloc(b->g->nodes / 64 + 1, sizeof *s->reached);
  s->alone = calloc(b->g->nodes / 64 + 1, sizeof *s->alone);
  if (s->distance == NULL || s->frontier == NULL || s->found == NULL || s->reached == NULL || s->alone == NULL)
    return false;
  memset(s->distance, 0xff, b->g->nodes * sizeof *s->distance);
  s->distance[source] = 0;
  hd_bit_set(s->reached, source);
  s->frontier[0] = source;
  s->n = 1;
  s->ready_at = delay(b, k, 0);
  return true;
}

struct hd_bfs *hd_bfs_new(const struct hd_graph *g, const struct hd_bfs_opts *o) {
  uint32_t sources = o->sources < g->nodes ? o->sources : g->nodes;
  struct hd_bfs *b = calloc(1, sizeof *b);
  uint32_t *top = malloc(sources * sizeof *top + 1);
  if (b != NULL) {
    *b = (struct hd_bfs){.g = g, .o = *o, .running = sources};
    b->o.sources = sources;
    b->search = calloc(sources, sizeof *b->search);
  }
  bool good = b != NULL && b->search != NULL && top != NULL && hd_graph_top(g, sources, top);
  for (uint32_t k = 0; good && k < sources; k++) good = start(b, k, top[k]);
  free(top);
  if (good) return b;
  hd_bfs_free(b);
  return NULL;
}

void hd_bfs_free(struct hd_bfs *b) {
  if (b == NULL) return;
  for (uint32_t k = 0; b->search != NULL && k < b->o.sources; k++) {
    free(b->search[k].distance);
    free(b->search[k].frontier);
    free(b->search[k].found);
    free(b->search[k].reached);
    free(b->search[k].alone);
  }
  free(b->search);
  free(b->of_kernel);
  free(b);
}

/* The search that waits and was due first; the lower number on ties. */
static struct hd_bfs_search *due_first(struct hd_bfs *b) {
  struct hd_bfs_search *first = NULL;
  for (uint32_t k = 0; k < b->o.sources; k++) {
    struct hd_bfs_search *s = &b->search[k];
    if (s->state == HD_BFS_WAITS && (first == NULL || s->ready_at < first->ready_at)) first = s;
  }
  return first;
}

static bool note_kernel(struct hd_bfs *b, uint32_t search) {
  if (b->kernels == b->cap) {
    uint32_t cap = b->cap != 0 ? b->cap * 2 : 256;
    uint32_t *grown = realloc(b->of_kernel, cap * sizeof *grown);
    if (grown == NULL) return false;
    b->of_kernel = grown;
    b->cap = cap;
  }
  b->of_kernel[b->kernels++] = search;
  return true;
}

static bool next(void *ctx, uint64_t now, struct hd_launch *l) {
  struct hd_bfs *b = ctx;
  struct hd_bfs_search *s = due_first(b);
  if (s == NULL || s->ready_at > now) return false;
  uint32_t k = (uint32_t)(s - b->search);
  /* Without memory to note the kernel the search stays where it is, and the loop's watchdog ends the run. */
  if (!note_kernel(b, k)) return false;
  s->state = HD_BFS_RUNS;
  l->ctas = (s->n + b->o.block_size - 1) / b->o.block_size;
  l->desc.pc = BFS_PC;
  l->desc.grid_x = l->ctas;
  l->desc.grid_y = l->desc.grid_z = 1;
  l->desc.cta_x = (uint16_t)b->o.block_size;
  l->desc.cta_y = 1;
  l->desc.cta_z = 1;
  l->threads = (uint16_t)b->o.block_size;
  l->regs = (uint8_t)b->o.regs;
  l->smem = (uint16_t)b->o.smem;
  l->hwq = (uint8_t)(k % b->o.num_hwq);
  return true;
}

static bool next_at(void *ctx, uint64_t *cycle) {
  const struct hd_bfs_search *s = due_first(ctx);
  if (s != NULL) *cycle = s->ready_at;
  return s != NULL;
}

struct hd_bfs_search *hd_bfs_slice(const struct hd_bfs *b, uint32_t kernel, uint32_t blkid, uint32_t *from,
                                   uint32_t *to) {
  struct hd_bfs_search *s = &b->search[b->of_kernel[kernel]];
  *from = blkid * b->o.block_size;
  *to = s->n - *from < b->o.block_size ? s->n : *from + b->o.block_size;
  return s;
}

uint32_t hd_bfs_child_ctas(const struct hd_bfs *b, uint32_t v) {
  uint32_t degree = hd_graph_degree(b->g, v);
  return b->o.threshold != 0 && degree >= b->o.threshold ? degree / b->o.child_size : 0;
}

/* Edges that the thread walks itself. */
static uint32_t own_edges(const struct hd_bfs *b, uint32_t v) {
  return hd_graph_degree(b->g, v) - hd_bfs_child_ctas(b, v) * b->o.child_size;
}

static uint64_t walk(const struct hd_bfs *b, uint32_t edges) {
  return (uint64_t)edges * b->o.cycles_per_edge;
}

/* Of the threads of a warp: the largest number of edges that one walks, and whether one launches. */
static uint32_t warp_edges(const struct hd_bfs *b, const struct hd_bfs_search *s, uint32_t from, uint32_t to,
                           bool *launches) {
  uint32_t largest = 0;
  *launches = false;
  for (uint32_t i = from; i < to; i++) {
    uint32_t edges = own_edges(b, s->frontier[i]);
    if (edges > largest) largest = edges;
    *launches |= hd_bfs_child_ctas(b, s->frontier[i]) != 0;
  }
  return largest;
}

static uint32_t lesser(uint32_t x, uint32_t y) {
  return x < y ? x : y;
}

/* Of the warps that do not launch: what a warp does that launches is asked for with device_warp(). */
static uint64_t duration(void *ctx, uint32_t kernel, uint32_t blkid) {
  struct hd_bfs *b = ctx;
  uint32_t from, to, largest = 0;
  const struct hd_bfs_search *s = hd_bfs_slice(b, kernel, blkid, &from, &to);
  for (uint32_t i = from; i < to; i += 32) {
    bool launches;
    uint32_t edges = warp_edges(b, s, i, lesser(i + 32, to), &launches);
    if (!launches && edges > largest) largest = edges;
  }
  uint64_t cycles = b->o.overhead + walk(b, largest);
  return cycles != 0 ? cycles : 1;
}

/* Walks edges first to last - 1 of v, which is in the frontier. */
static void expand(struct hd_bfs *b, struct hd_bfs_search *s, uint32_t v, uint32_t first, uint32_t last) {
  for (uint64_t e = b->g->row[v] + first; e < b->g->row[v] + last; e++) {
    uint32_t u = b->g->col[e];
    hd_bit_set(s->found, u);
  }
}

/* A thread that launches walks its last edges. */
static void cta_done(void *ctx, uint32_t kernel, uint32_t blkid) {
  struct hd_bfs *b = ctx;
  if (b->o.warps) return; /* they have walked them */
  uint32_t from, to;
  struct hd_bfs_search *s = hd_bfs_slice(b, kernel, blkid, &from, &to);
  for (uint32_t i = from; i < to; i++) {
    uint32_t v = s->frontier[i], degree = hd_graph_degree(b->g, v);
    expand(b, s, v, degree - own_edges(b, v), degree);
  }
}

/* The next frontier: what was found and had not been reached. */
static void compact(const struct hd_bfs *b, struct hd_bfs_search *s) {
  s->n = 0;
  for (uint32_t w = 0; w < b->g->nodes / 64 + 1; w++) {
    for (uint64_t bits = s->found[w] & ~s->reached[w]; bits != 0; bits &= bits - 1) {
      uint32_t v = w * 64 + (uint32_t)__builtin_ctzll(bits);
      s->frontier[s->n++] = v;
      s->distance[v] = s->level + 1;
    }
    s->reached[w] |= s->found[w];
    s->found[w] = s->alone[w] = 0;
  }
}

/* The next level, when nothing of this one is left. */
static void end_level(struct hd_bfs *b, uint64_t now, uint32_t k) {
  struct hd_bfs_search *s = &b->search[k];
  if (!s->reported || s->children != 0) return;
  compact(b, s);
  s->level++;
  s->reported = false;
  s->state = s->n != 0 ? HD_BFS_WAITS : HD_BFS_ENDED;
  s->ready_at = now + delay(b, k, s->level);
  b->running -= s->state == HD_BFS_ENDED;
}

static void kernel_done(void *ctx, uint64_t now, uint32_t kernel) {
  struct hd_bfs *b = ctx;
  b->search[b->of_kernel[kernel]].reported = true;
  end_level(b, now, b->of_kernel[kernel]);
}

static bool finished(void *ctx) {
  const struct hd_bfs *b = ctx;
  return b->running == 0;
}

/* ---- launches from the device; an item is a place in the frontier ---- */

static void plan_warp(const struct hd_bfs *b, const struct hd_bfs_search *s, uint32_t from, uint32_t to,
                      struct hd_work_warp *w) {
  bool launches;
  w->before = b->o.overhead;
  w->after = walk(b, warp_edges(b, s, from, to, &launches));
  w->calls = 0;
  for (uint32_t i = from; i < to; i++) {
    uint32_t v = s->frontier[i], ctas = hd_bfs_child_ctas(b, v);
    if (ctas == 0) continue;
    w->call[w->calls++] =
        (struct hd_work_call){.lane = i - from, .item = i, .ctas = ctas, .alone = walk(b, hd_graph_degree(b->g, v))};
  }
}

static bool device_warp(void *ctx, uint32_t kernel, uint32_t blkid, uint32_t k, struct hd_work_warp *w) {
  struct hd_bfs *b = ctx;
  uint32_t from, to;
  const struct hd_bfs_search *s = hd_bfs_slice(b, kernel, blkid, &from, &to);
  for (uint32_t i = from; i < to; i += 32) {
    bool launches;
    warp_edges(b, s, i, lesser(i + 32, to), &launches);
    if (!launches || k-- != 0) continue;
    w->warp = (i - from) / 32;
    plan_warp(b, s, i, lesser(i + 32, to), w);
    return true;
  }
  return false;
}

static uint64_t device_duration(void *ctx, uint32_t kernel, uint32_t item, uint32_t blkid) {
  const struct hd_bfs *b = ctx;
  (void)kernel, (void)item, (void)blkid;
  uint64_t cycles = b->o.overhead + walk(b, 1);
  return cycles != 0 ? cycles : 1;
}

static void device_launched(void *ctx, uint32_t kernel, uint32_t item) {
  struct hd_bfs *b = ctx;
  (void)item;
  b->search[b->of_kernel[kernel]].children++;
}

static void device_cta_done(void *ctx, uint32_t kernel, uint32_t item, uint32_t blkid) {
  struct hd_bfs *b = ctx;
  struct hd_bfs_search *s = &b->search[b->of_kernel[kernel]];
  if (b->o.warps) return;
  expand(b, s, s->frontier[item], blkid * b->o.child_size, (blkid + 1) * b->o.child_size);
}

static void device_alone(void *ctx, uint32_t kernel, uint32_t item) {
  struct hd_bfs *b = ctx;
  struct hd_bfs_search *s = &b->search[b->of_kernel[kernel]];
  uint32_t v = s->frontier[item];
  if (b->o.warps)
    hd_bit_set(s->alone, item);
  else
    expand(b, s, v, 0, hd_graph_degree(b->g, v) - own_edges(b, v));
}

static void device_ended(void *ctx, uint64_t now, uint32_t kernel, uint32_t item) {
  struct hd_bfs *b = ctx;
  uint32_t k = b->of_kernel[kernel];
  (void)item;
  b->search[k].children--;
  end_level(b, now, k);
}

struct hd_work hd_bfs_work(struct hd_bfs *b) {
  b->device = (struct hd_work_device){
      .child = {.cta = {b->o.child_size, 1, 1}, .regs = b->o.regs, .smem_bytes = b->o.smem * 256, .pc = BFS_CHILD_PC},
      .warp = device_warp,
      .duration = device_duration,
      .launched = device_launched,
      .alone = device_alone,
      .cta_done = device_cta_done,
      .ended = device_ended};
  b->warps = hd_bfs_warps(b);
  return (struct hd_work){.ctx = b,
                          .next = next,
                          .next_at = next_at,
                          .duration = duration,
                          .cta_done = cta_done,
                          .kernel_done = kernel_done,
                          .finished = finished,
                          .device = b->o.threshold != 0 ? &b->device : NULL,
                          .warps = &b->warps};
}
