/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* A thread of a round's kernel:
 *
 *     v = list[i]; e = row[v]; end = row[v + 1]; d = distance[v];
 *     for (; e < end; e++) {
 *       u = col[e]; n = d + weight[e];
 *       if (n < distance[u]) { atomicMin(&nearer[u], n); mark[u] = 1; }
 *     } */
#include "work/sssp.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/bits.h"
#include "graph/mix.h"
#include "work/graph_arrays.h"

struct search {
  uint32_t source, rounds;
  float *distance, *nearer;
  uint64_t *mark; /* a bit per vertex: its distance decreased in this round */
};

struct sssp {
  struct hd_graph_arrays at;
  float *weight;                            /* of each edge */
  uint64_t weights, distance, nearer, mark; /* addresses; the last three of search 0 */
  uint32_t searches;
  struct search *search;
};

static void close_sssp(void *state) {
  struct sssp *b = state;
  for (uint32_t k = 0; b->search != NULL && k < b->searches; k++) {
    free(b->search[k].distance);
    free(b->search[k].nearer);
    free(b->search[k].mark);
  }
  free(b->search);
  free(b->weight);
  free(b);
}

static float made_weight(const struct hd_graph *g, uint32_t v, uint32_t u) {
  const uint64_t a = g->id[v], b = g->id[u];
  return (float)(1 + hd_mix3(0, a < b ? a : b, a < b ? b : a) % 64);
}

static bool take_weights(struct sssp *b) {
  const struct hd_graph *g = b->at.g;
  b->weight = malloc(g->row[g->nodes] * sizeof *b->weight + 1);
  if (b->weight == NULL) return false;
  for (uint32_t v = 0; v < g->nodes; v++)
    for (uint64_t e = g->row[v]; e < g->row[v + 1]; e++)
      b->weight[e] = g->weight != NULL ? g->weight[e] : made_weight(g, v, g->col[e]);
  return true;
}

static bool new_search(const struct sssp *b, struct search *s, uint32_t source) {
  s->source = source;
  s->distance = malloc(b->at.g->nodes * sizeof *s->distance);
  s->nearer = malloc(b->at.g->nodes * sizeof *s->nearer);
  s->mark = calloc(b->at.g->nodes / 64 + 1, sizeof *s->mark);
  if (s->distance == NULL || s->nearer == NULL || s->mark == NULL) return false;
  for (uint32_t v = 0; v < b->at.g->nodes; v++) s->distance[v] = s->nearer[v] = v == source ? 0 : INFINITY;
  return true;
}

static void *open_sssp(const struct hd_rounds_data *data, uint32_t *searches, uint32_t *items) {
  const struct hd_graph *g = data->graph;
  if (*searches > g->nodes) *searches = g->nodes;
  *items = g->nodes;
  struct sssp *b = calloc(1, sizeof *b);
  if (b == NULL) return NULL;
  *b = (struct sssp){.at = hd_graph_arrays(g, *searches), .searches = *searches};
  b->weights = hd_rounds_put(&b->at.end, 4 * g->row[g->nodes]);
  b->distance = hd_rounds_put(&b->at.end, b->at.words * *searches);
  b->nearer = hd_rounds_put(&b->at.end, b->at.words * *searches);
  b->mark = hd_rounds_put(&b->at.end, b->at.bytes * *searches);
  uint32_t *top = malloc(*searches * sizeof *top + 1);
  b->search = calloc(*searches, sizeof *b->search);
  bool good = top != NULL && b->search != NULL && take_weights(b) && hd_graph_top(g, *searches, top);
  for (uint32_t k = 0; good && k < *searches; k++) good = new_search(b, &b->search[k], top[k]);
  free(top);
  if (good) return b;
  close_sssp(b);
  return NULL;
}

static uint32_t begin(void *state, uint32_t search, uint32_t *list) {
  const struct sssp *b = state;
  list[0] = b->search[search].source;
  return 1;
}

static uint64_t head_address(const void *state, const struct hd_rounds_at *at, unsigned step) {
  const struct sssp *b = state;
  if (step == HD_GRAPH_HEADS) return hd_graph_word(&b->at, b->distance, at->problem, at->item);
  return hd_graph_head_address(&b->at, at, step);
}

enum step { COL, WEIGHT, DISTANCE, NEARER, MARK, STEPS };
static const struct hd_rounds_step body[STEPS] = {
    {HD_WARP_LOAD, 4}, {HD_WARP_LOAD, 1}, {HD_WARP_LOAD, 2}, {HD_WARP_STORE, 4}, {HD_WARP_STORE, 2}};

static float offered(const struct sssp *b, const struct hd_rounds_at *at) {
  return b->search[at->problem].distance[at->item] + b->weight[at->element];
}

static inline bool body_address(const void *state, const struct hd_rounds_at *at, unsigned step, uint64_t *address) {
  const struct sssp *b = state;
  const uint32_t u = b->at.g->col[at->element];
  switch (step) {
    case COL:
      *address = b->at.col + 4 * at->element;
      return true;
    case WEIGHT:
      *address = b->weights + 4 * at->element;
      return true;
    case DISTANCE:
      *address = hd_graph_word(&b->at, b->distance, at->problem, u);
      return true;
    case NEARER:
      *address = hd_graph_word(&b->at, b->nearer, at->problem, u);
      break;
    default:
      *address = hd_graph_byte(&b->at, b->mark, at->problem, u);
  }
  return offered(b, at) < b->search[at->problem].distance[u];
}

static void body_touch(const void *state, const struct hd_rounds_at *at, uint32_t n, unsigned step,
                       struct hd_warp_op *op) {
  hd_rounds_touch(body_address, state, at, n, step, op);
}

static void visit(void *state, struct hd_rounds_at at, uint64_t end) {
  const struct sssp *b = state;
  const struct search *s = &b->search[at.problem];
  for (; at.element < end; at.element++) {
    const uint32_t u = b->at.g->col[at.element];
    const float n = offered(b, &at);
    if (n >= s->nearer[u]) continue;
    s->nearer[u] = n;
    hd_bit_set(s->mark, u);
  }
}

static uint32_t next(void *state, uint32_t search, uint32_t round, uint32_t *list, uint32_t n) {
  struct sssp *b = state;
  struct search *s = &b->search[search];
  n = 0;
  for (uint32_t w = 0; w < b->at.g->nodes / 64 + 1; w++) {
    for (uint64_t bits = s->mark[w]; bits != 0; bits &= bits - 1) {
      uint32_t v = w * 64 + hd_lowest(bits);
      list[n++] = v;
      s->distance[v] = s->nearer[v];
    }
    s->mark[w] = 0;
  }
  s->rounds = round + 1;
  return n;
}

/* ---- the reference program: Dijkstra, with a heap of distance and vertex in one number. Sums of floats are equal,
 * since both programs add along a path from its source, and rounding preserves the order ---- */

struct heap {
  uint64_t *key;
  size_t n, cap;
};

static bool push(struct heap *h, float distance, uint32_t v) {
  if (h->n == h->cap) {
    size_t cap = h->cap != 0 ? 2 * h->cap : 1024;
    uint64_t *grown = realloc(h->key, cap * sizeof *grown);
    if (grown == NULL) return false;
    h->key = grown;
    h->cap = cap;
  }
  uint32_t bits;
  memcpy(&bits, &distance, sizeof bits); /* bits of non-negative floats sort like the floats */
  const uint64_t key = (uint64_t)bits << 32 | v;
  size_t i = h->n++;
  for (; i != 0 && h->key[(i - 1) / 2] > key; i = (i - 1) / 2) h->key[i] = h->key[(i - 1) / 2];
  h->key[i] = key;
  return true;
}

static uint32_t pop(struct heap *h) {
  const uint32_t least = (uint32_t)h->key[0];
  const uint64_t key = h->key[--h->n];
  size_t i = 0;
  for (size_t child; (child = 2 * i + 1) < h->n; i = child) {
    if (child + 1 < h->n && h->key[child + 1] < h->key[child]) child++;
    if (h->key[child] >= key) break;
    h->key[i] = h->key[child];
  }
  h->key[i] = key;
  return least;
}

static bool plain(const struct sssp *b, uint32_t source, float *distance, uint64_t *settled) {
  struct heap h = {0};
  for (uint32_t v = 0; v < b->at.g->nodes; v++) distance[v] = INFINITY;
  distance[source] = 0;
  bool good = push(&h, 0, source);
  while (good && h.n != 0) {
    const uint32_t v = pop(&h);
    if (hd_bit(settled, v)) continue;
    hd_bit_set(settled, v);
    for (uint64_t e = b->at.g->row[v]; good && e < b->at.g->row[v + 1]; e++) {
      const float n = distance[v] + b->weight[e];
      if (n >= distance[b->at.g->col[e]]) continue;
      distance[b->at.g->col[e]] = n;
      good = push(&h, n, b->at.g->col[e]);
    }
  }
  free(h.key);
  return good;
}

static bool check(const void *state, uint32_t search, bool *wrong) {
  const struct sssp *b = state;
  const struct search *s = &b->search[search];
  float *distance = malloc(b->at.g->nodes * sizeof *distance);
  uint64_t *settled = calloc(b->at.g->nodes / 64 + 1, sizeof *settled);
  bool good = distance != NULL && settled != NULL && plain(b, s->source, distance, settled);
  *wrong = false;
  for (uint32_t v = 0; good && v < b->at.g->nodes; v++) *wrong |= !(distance[v] == s->distance[v]);
  free(distance);
  free(settled);
  return good;
}

static void found(const void *state, struct hd_rounds_found *f) {
  const struct sssp *b = state;
  uint64_t vertices = 0, rounds = 0;
  float farthest = 0;
  for (uint32_t k = 0; k < b->searches; k++) {
    if (b->search[k].rounds > rounds) rounds = b->search[k].rounds;
    for (uint32_t v = 0; v < b->at.g->nodes; v++) {
      const float distance = b->search[k].distance[v];
      vertices += !isinf(distance);
      if (!isinf(distance) && distance > farthest) farthest = distance;
    }
  }
  *f = (struct hd_rounds_found){.count = {{"vertices", vertices}, {"rounds", rounds}}};
  snprintf(f->text, sizeof f->text, "%" PRIu64 " vertices in %" PRIu64 " rounds, the farthest at %g; weights %s",
           vertices, rounds, (double)farthest, b->at.g->weight != NULL ? "of the input" : "made");
}

const struct hd_rounds_kind hd_sssp = {.name = "sssp",
                                       .one = "search",
                                       .many = "searches",
                                       .plain = "Dijkstra's",
                                       .weights = true,
                                       .head = hd_graph_head,
                                       .heads = HD_GRAPH_HEADS + 1,
                                       .body = body,
                                       .bodies = STEPS,
                                       .open = open_sssp,
                                       .close = close_sssp,
                                       .begin = begin,
                                       .graph = hd_graph_of,
                                       .head_address = head_address,
                                       .body_touch = body_touch,
                                       .visit = visit,
                                       .next = next,
                                       .check = check,
                                       .found = found};

const float *hd_sssp_distances(const struct hd_rounds *r, uint32_t search) {
  const struct sssp *b = hd_rounds_state(r);
  return b->search[search].distance;
}
