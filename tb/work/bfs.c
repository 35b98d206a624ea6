/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* A thread of a level's kernel:
 *
 *     v = frontier[i]; e = row[v]; end = row[v + 1];
 *     for (; e < end; e++) { u = col[e]; if (distance[u] is not known) mark[u] = 1; } */
#include "work/bfs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/bits.h"
#include "work/graph_arrays.h"

struct search {
  uint32_t source;
  uint32_t *distance;
  uint64_t *found;   /* a bit per vertex: found on this level */
  uint64_t *reached; /* a bit per vertex: reached on an earlier level */
};

struct bfs {
  struct hd_graph_arrays at;
  uint64_t distance, mark; /* addresses, of search 0 */
  uint32_t searches;
  struct search *search;
};

static void close_bfs(void *state) {
  struct bfs *b = state;
  for (uint32_t k = 0; b->search != NULL && k < b->searches; k++) {
    free(b->search[k].distance);
    free(b->search[k].found);
    free(b->search[k].reached);
  }
  free(b->search);
  free(b);
}

static bool new_search(const struct bfs *b, struct search *s, uint32_t source) {
  const size_t words = b->at.g->nodes / 64 + 1;
  s->source = source;
  s->distance = malloc(b->at.g->nodes * sizeof *s->distance);
  s->found = calloc(words, sizeof *s->found);
  s->reached = calloc(words, sizeof *s->reached);
  if (s->distance == NULL || s->found == NULL || s->reached == NULL) return false;
  memset(s->distance, 0xff, b->at.g->nodes * sizeof *s->distance);
  s->distance[source] = 0;
  hd_bit_set(s->reached, source);
  return true;
}

static void *open_bfs(const struct hd_rounds_data *data, uint32_t *searches, uint32_t *items) {
  const struct hd_graph *g = data->graph;
  if (*searches > g->nodes) *searches = g->nodes;
  *items = g->nodes;
  struct bfs *b = calloc(1, sizeof *b);
  if (b == NULL) return NULL;
  *b = (struct bfs){.at = hd_graph_arrays(g, *searches), .searches = *searches};
  b->distance = hd_rounds_put(&b->at.end, b->at.words * *searches);
  b->mark = hd_rounds_put(&b->at.end, b->at.bytes * *searches);
  uint32_t *top = malloc(*searches * sizeof *top + 1);
  b->search = calloc(*searches, sizeof *b->search);
  bool good = top != NULL && b->search != NULL && hd_graph_top(g, *searches, top);
  for (uint32_t k = 0; good && k < *searches; k++) good = new_search(b, &b->search[k], top[k]);
  free(top);
  if (good) return b;
  close_bfs(b);
  return NULL;
}

static uint32_t begin(void *state, uint32_t search, uint32_t *frontier) {
  const struct bfs *b = state;
  frontier[0] = b->search[search].source;
  return 1;
}

enum step { COL, DISTANCE, MARK, STEPS };
/* The instructions before col: loop condition and address. */
static const struct hd_rounds_step body[STEPS] = {{HD_WARP_LOAD, 4}, {HD_WARP_LOAD, 2}, {HD_WARP_STORE, 3}};

/* A vertex reached on an earlier level is not marked again. */
static inline bool body_address(const void *state, const struct hd_rounds_at *at, unsigned step, uint64_t *address) {
  const struct bfs *b = state;
  const uint32_t *col = &b->at.g->col[at->element];
  if (step == COL) {
    *address = b->at.col + 4 * at->element;
    __builtin_prefetch(col); /* for the next step */
    return true;
  }
  if (step == DISTANCE) {
    *address = hd_graph_word(&b->at, b->distance, at->problem, *col);
    return true;
  }
  *address = hd_graph_byte(&b->at, b->mark, at->problem, *col);
  return !hd_bit(b->search[at->problem].reached, *col);
}

static void body_touch(const void *state, const struct hd_rounds_at *at, uint32_t n, unsigned step,
                       struct hd_warp_op *op) {
  hd_rounds_touch(body_address, state, at, n, step, op);
}

static void visit(void *state, struct hd_rounds_at at, uint64_t end) {
  const struct bfs *b = state;
  uint64_t *found = b->search[at.problem].found;
  for (; at.element < end; at.element++) hd_bit_set(found, b->at.g->col[at.element]);
}

/* The next frontier: vertices found on this level and not reached earlier. */
static uint32_t next(void *state, uint32_t search, uint32_t level, uint32_t *frontier, uint32_t n) {
  struct bfs *b = state;
  struct search *s = &b->search[search];
  n = 0;
  for (uint32_t w = 0; w < b->at.g->nodes / 64 + 1; w++) {
    for (uint64_t bits = s->found[w] & ~s->reached[w]; bits != 0; bits &= bits - 1) {
      uint32_t v = w * 64 + hd_lowest(bits);
      frontier[n++] = v;
      s->distance[v] = level + 1;
    }
    s->reached[w] |= s->found[w];
    s->found[w] = 0;
  }
  return n;
}

/* The reference program, with a plain queue. Returns false if out of memory. */
static bool plain(const struct hd_graph *g, uint32_t source, uint32_t *distance) {
  uint32_t *queue = malloc(g->nodes * sizeof *queue);
  if (queue == NULL) return false;
  for (uint32_t v = 0; v < g->nodes; v++) distance[v] = HD_BFS_UNREACHED;
  uint32_t head = 0, tail = 0;
  distance[source] = 0;
  queue[tail++] = source;
  while (head < tail) {
    uint32_t v = queue[head++];
    for (uint64_t e = g->row[v]; e < g->row[v + 1]; e++)
      if (distance[g->col[e]] == HD_BFS_UNREACHED) {
        distance[g->col[e]] = distance[v] + 1;
        queue[tail++] = g->col[e];
      }
  }
  free(queue);
  return true;
}

static bool check(const void *state, uint32_t search, bool *wrong) {
  const struct bfs *b = state;
  const struct search *s = &b->search[search];
  uint32_t *distance = malloc(b->at.g->nodes * sizeof *distance);
  bool good = distance != NULL && plain(b->at.g, s->source, distance);
  if (good) *wrong = memcmp(distance, s->distance, b->at.g->nodes * sizeof *distance) != 0;
  free(distance);
  return good;
}

static void found(const void *state, struct hd_rounds_found *f) {
  const struct bfs *b = state;
  uint64_t vertices = 0, levels = 0, edges = 0;
  for (uint32_t k = 0; k < b->searches; k++)
    for (uint32_t v = 0; v < b->at.g->nodes; v++) {
      uint32_t distance = b->search[k].distance[v];
      if (distance == HD_BFS_UNREACHED) continue;
      vertices++;
      edges += hd_graph_degree(b->at.g, v);
      if (distance > levels) levels = distance;
    }
  *f = (struct hd_rounds_found){.count = {{"vertices", vertices}, {"levels", levels}, {"edges", edges}}};
  snprintf(f->text, sizeof f->text, "%" PRIu64 " vertices in %" PRIu64 " levels, %" PRIu64 " edges lead out of them",
           vertices, levels, edges);
}

const struct hd_rounds_kind hd_bfs = {.name = "bfs",
                                      .one = "search",
                                      .many = "searches",
                                      .plain = "a plain BFS",
                                      .head = hd_graph_head,
                                      .heads = HD_GRAPH_HEADS,
                                      .body = body,
                                      .bodies = STEPS,
                                      .open = open_bfs,
                                      .close = close_bfs,
                                      .begin = begin,
                                      .graph = hd_graph_of,
                                      .head_address = hd_graph_head_address,
                                      .body_touch = body_touch,
                                      .visit = visit,
                                      .next = next,
                                      .check = check,
                                      .found = found};

const uint32_t *hd_bfs_distances(const struct hd_rounds *r, uint32_t search) {
  const struct bfs *b = hd_rounds_state(r);
  return b->search[search].distance;
}

uint32_t hd_bfs_source(const struct hd_rounds *r, uint32_t search) {
  const struct bfs *b = hd_rounds_state(r);
  return b->search[search].source;
}
