/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* What the warps of a breadth-first search run. A thread of a level's kernel:
 *
 *     v = frontier[i]; e = row[v]; end = row[v + 1];
 *     if (end - e is enough) launch(..), e += what the child walks;
 *     for (; e < end; e++) { u = col[e]; if (distance[u] is not known) mark[u] = 1; }
 *
 * A thread of a child walks one edge in the same way; its parameters tell which. A warp makes an operation of what its
 * threads do in one step, without those that are through their edges. */
#include "work/bfs_inside.h"

enum step { FRONTIER, ROW, ROW_END, CALL, EDGES, COL, DISTANCE, MARK };

/* Instructions before the load, store or launch: about what a compiler makes of the above. */
enum {
  BEFORE_FRONTIER = 8, /* the thread's index, is it within the frontier */
  BEFORE_ROW = 2,
  BEFORE_ROW_END = 0,
  BEFORE_CALL = 4,
  BEFORE_COL = 4, /* the loop's end and its address */
  BEFORE_DISTANCE = 2,
  BEFORE_MARK = 3,
  BEFORE_END = 1
};

struct walk {
  uint32_t step;
  uint32_t n; /* threads that have edges left */
  uint32_t edge[HD_WARP_LANES], end[HD_WARP_LANES];
  uint32_t marks, u[HD_WARP_LANES]; /* the ends of the edges of this step; then those that are to be marked */
};

/* ---- where things lie ---- */

static uint64_t put(uint64_t *end, uint64_t bytes) {
  uint64_t at = *end;
  *end = (at + bytes + 255) / 256 * 256;
  return at;
}

static struct hd_bfs_layout lay_out(const struct hd_bfs *b) {
  uint64_t end = 256, nodes = b->g->nodes;
  struct hd_bfs_layout l = {.words = (4 * nodes + 255) / 256 * 256, .bytes = (nodes + 255) / 256 * 256};
  l.row = put(&end, 4 * (nodes + 1));
  l.col = put(&end, 4 * b->g->row[nodes]);
  l.frontier = put(&end, l.words * b->o.sources);
  l.distance = put(&end, l.words * b->o.sources);
  l.mark = put(&end, l.bytes * b->o.sources);
  return l;
}

/* ---- a warp ---- */

/* The vertices of a warp: frontier[*from] to frontier[*to - 1]. */
static struct hd_bfs_search *threads_of(const struct hd_bfs *b, const struct hd_warp_tb *tb, uint32_t warp,
                                        uint32_t *from, uint32_t *to) {
  struct hd_bfs_search *s = hd_bfs_slice(b, tb->kernel, tb->blkid, from, to);
  *from += warp * HD_WARP_LANES;
  if (*to > *from + HD_WARP_LANES) *to = *from + HD_WARP_LANES;
  if (*to < *from) *to = *from;
  return s;
}

static void add_edges(struct walk *w, uint64_t edge, uint64_t end) {
  if (edge == end) return;
  w->edge[w->n] = (uint32_t)edge;
  w->end[w->n++] = (uint32_t)end;
}

/* A child's threads walk an edge each. */
static void begin_child(const struct hd_bfs *b, const struct hd_warp_tb *tb, uint32_t warp, struct walk *w) {
  const struct hd_bfs_search *s = &b->search[b->of_kernel[tb->kernel]];
  uint64_t first = b->g->row[s->frontier[tb->item]] + (uint64_t)tb->blkid * b->o.child_size;
  for (uint32_t k = warp * HD_WARP_LANES; k < b->o.child_size && w->n < HD_WARP_LANES; k++)
    add_edges(w, first + k, first + k + 1);
}

static void begin(void *ctx, const struct hd_warp_tb *tb, uint32_t warp, void *state) {
  struct walk *w = state;
  w->n = 0;
  w->step = tb->child != 0 ? COL : FRONTIER;
  if (tb->child != 0) begin_child(ctx, tb, warp, w);
}

/* The edges that the threads of a level's kernel walk themselves. */
static void take_edges(const struct hd_bfs *b, const struct hd_bfs_search *s, uint32_t from, uint32_t to,
                       struct walk *w) {
  for (uint32_t i = from; i < to; i++) {
    uint32_t v = s->frontier[i];
    uint64_t others = hd_bit(s->alone, i) ? 0 : (uint64_t)hd_bfs_child_ctas(b, v) * b->o.child_size;
    add_edges(w, b->g->row[v] + others, b->g->row[v + 1]);
  }
}

static bool launches(const struct hd_bfs *b, const struct hd_bfs_search *s, uint32_t from, uint32_t to) {
  for (uint32_t i = from; b->o.threshold != 0 && i < to; i++)
    if (hd_bfs_child_ctas(b, s->frontier[i]) != 0) return true;
  return false;
}

/* Steps before the loop; false: this one has no operation. */
static bool before_loop(const struct hd_bfs *b, const struct hd_bfs_search *s, uint32_t from, uint32_t to,
                        struct walk *w, struct hd_warp_op *op) {
  uint64_t frontier = b->at.frontier + b->at.words * (uint64_t)(s - b->search);
  op->lanes = to - from;
  switch (w->step++) {
    case FRONTIER:
      op->instructions = BEFORE_FRONTIER;
      for (uint32_t i = from; i < to; i++) hd_warp_touch(op, frontier + 4 * (uint64_t)i);
      return true;
    case ROW:
      op->instructions = BEFORE_ROW;
      for (uint32_t i = from; i < to; i++) hd_warp_touch(op, b->at.row + 4 * (uint64_t)s->frontier[i]);
      return true;
    case ROW_END:
      op->instructions = BEFORE_ROW_END;
      for (uint32_t i = from; i < to; i++) hd_warp_touch(op, b->at.row + 4 * (uint64_t)s->frontier[i] + 4);
      return true;
    case CALL:
      op->instructions = BEFORE_CALL;
      op->kind = HD_WARP_CALL;
      return launches(b, s, from, to);
    default:
      take_edges(b, s, from, to, w);
      return false;
  }
}

static void load_col(const struct hd_bfs *b, struct walk *w, struct hd_warp_op *op) {
  op->instructions = BEFORE_COL;
  op->lanes = w->n;
  for (uint32_t k = 0; k < w->n; k++) {
    hd_warp_touch(op, b->at.col + 4 * (uint64_t)w->edge[k]);
    w->u[k] = b->g->col[w->edge[k]];
  }
  w->step = DISTANCE;
}

/* Those that were reached on a level before are known; a thread that is through its edges is out. */
static void load_distance(const struct hd_bfs *b, const struct hd_bfs_search *s, struct walk *w,
                          struct hd_warp_op *op) {
  uint64_t distance = b->at.distance + b->at.words * (uint64_t)(s - b->search);
  uint32_t left = 0;
  op->instructions = BEFORE_DISTANCE;
  op->lanes = w->n;
  w->marks = 0;
  for (uint32_t k = 0; k < w->n; k++) {
    uint32_t u = w->u[k], edge = w->edge[k] + 1;
    hd_warp_touch(op, distance + 4 * (uint64_t)u);
    if (!hd_bit(s->reached, u)) w->u[w->marks++] = u;
    w->edge[left] = edge;
    w->end[left] = w->end[k];
    left += edge != w->end[k];
  }
  w->n = left;
  w->step = w->marks != 0 ? MARK : COL;
}

static void store_mark(const struct hd_bfs *b, struct hd_bfs_search *s, struct walk *w, struct hd_warp_op *op) {
  uint64_t mark = b->at.mark + b->at.bytes * (uint64_t)(s - b->search);
  op->kind = HD_WARP_STORE;
  op->instructions = BEFORE_MARK;
  op->lanes = w->marks;
  for (uint32_t k = 0; k < w->marks; k++) {
    hd_warp_touch(op, mark + w->u[k]);
    hd_bit_set(s->found, w->u[k]);
  }
  w->step = COL;
}

static void next(void *ctx, const struct hd_warp_tb *tb, uint32_t warp, void *state, struct hd_warp_op *op) {
  const struct hd_bfs *b = ctx;
  struct hd_bfs_search *s = &b->search[b->of_kernel[tb->kernel]];
  struct walk *w = state;
  while (w->step < COL) {
    uint32_t from, to;
    threads_of(b, tb, warp, &from, &to);
    if (from == to)
      w->step = COL;
    else if (before_loop(b, s, from, to, w, op))
      return;
  }
  op->kind = HD_WARP_LOAD;
  if (w->step == DISTANCE) {
    load_distance(b, s, w, op);
  } else if (w->step == MARK) {
    store_mark(b, s, w, op);
  } else if (w->n != 0) {
    load_col(b, w, op);
  } else {
    op->kind = HD_WARP_END;
    op->instructions = BEFORE_END;
    op->lanes = HD_WARP_LANES;
  }
}

struct hd_warp_source hd_bfs_warps(struct hd_bfs *b) {
  b->at = lay_out(b);
  return (struct hd_warp_source){.state = sizeof(struct walk), .begin = begin, .next = next};
}
