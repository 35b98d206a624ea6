/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* A thread of the kernel:
 *
 *     v = list[k]; e = row[v]; end = row[v + 1];
 *     for (; e < end; e++) {
 *       i = col[e]; b = row[i]; n = min(row[i + 1] - b, MOST); c = place[e];
 *       for (t = 0; t < n; t++) candidate[c + t] = col[b + t];
 *     } */
#include "work/rec.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "work/graph_arrays.h"

struct rec {
  struct hd_graph_arrays at;
  uint64_t places, candidates; /* addresses; candidates: of problem 0 */
  uint64_t *place;             /* index of the first candidate of each edge, and an end entry */
  uint32_t problems;
  uint32_t **candidate, **best; /* for each problem */
};

static void close_rec(void *state) {
  struct rec *b = state;
  for (uint32_t k = 0; k < b->problems; k++) {
    if (b->candidate != NULL) free(b->candidate[k]);
    if (b->best != NULL) free(b->best[k]);
  }
  free(b->candidate);
  free(b->best);
  free(b->place);
  free(b);
}

static uint32_t ends(const struct hd_graph *g, uint64_t edge) {
  const uint32_t degree = hd_graph_degree(g, g->col[edge]);
  return degree < HD_REC_MOST ? degree : HD_REC_MOST;
}

static bool make_places(struct rec *b) {
  const uint64_t edges = b->at.g->row[b->at.g->nodes];
  b->place = malloc((edges + 1) * sizeof *b->place);
  if (b->place == NULL) return false;
  b->place[0] = 0;
  for (uint64_t e = 0; e < edges; e++) b->place[e + 1] = b->place[e] + ends(b->at.g, e);
  return true;
}

static bool new_problem(struct rec *b, uint32_t k) {
  b->candidate[k] = malloc(b->place[b->at.g->row[b->at.g->nodes]] * sizeof **b->candidate + 1);
  b->best[k] = malloc(b->at.g->nodes * sizeof **b->best);
  if (b->candidate[k] == NULL || b->best[k] == NULL) return false;
  memset(b->best[k], 0xff, b->at.g->nodes * sizeof **b->best);
  memset(b->candidate[k], 0xff, b->place[b->at.g->row[b->at.g->nodes]] * sizeof **b->candidate);
  return true;
}

static void *open_rec(const struct hd_rounds_data *data, uint32_t *problems, uint32_t *items) {
  const struct hd_graph *g = data->graph;
  struct rec *b = calloc(1, sizeof *b);
  if (b == NULL) return NULL;
  *items = g->nodes;
  *b = (struct rec){.at = hd_graph_arrays(g, *problems), .problems = *problems};
  b->places = hd_rounds_put(&b->at.end, 4 * g->row[g->nodes]);
  b->candidates = b->at.end;
  b->candidate = calloc(*problems, sizeof *b->candidate);
  b->best = calloc(*problems, sizeof *b->best);
  bool good = b->candidate != NULL && b->best != NULL && make_places(b);
  for (uint32_t k = 0; good && k < *problems; k++) good = new_problem(b, k);
  if (good) return b;
  close_rec(b);
  return NULL;
}

static uint32_t turns(const void *state, const struct hd_rounds_at *at) {
  return ends(((const struct rec *)state)->at.g, at->element);
}

enum step { COL, ROW, ROW_END, PLACE, OTHER, CANDIDATE, STEPS };
static const struct hd_rounds_step body[STEPS] = {{HD_WARP_LOAD, 4}, {HD_WARP_LOAD, 2}, {HD_WARP_LOAD, 0},
                                                  {HD_WARP_LOAD, 1}, {HD_WARP_LOAD, 4}, {HD_WARP_STORE, 1}};

/* All steps but the last two are executed only in the first turn of an edge. */
static inline bool body_address(const void *state, const struct hd_rounds_at *at, unsigned step, uint64_t *address) {
  const struct rec *b = state;
  const uint64_t e = at->element, i = b->at.g->col[e];
  const uint64_t all = b->place[b->at.g->row[b->at.g->nodes]];
  switch (step) {
    case COL:
      *address = b->at.col + 4 * e;
      break;
    case ROW:
      *address = b->at.row + 4 * i;
      break;
    case ROW_END:
      *address = b->at.row + 4 * (i + 1);
      break;
    case PLACE:
      *address = b->places + 4 * e;
      break;
    case OTHER:
      *address = b->at.col + 4 * (b->at.g->row[i] + at->turn);
      return true;
    default:
      *address = b->candidates + 4 * (all * at->problem + b->place[e] + at->turn);
      return true;
  }
  return at->turn == 0;
}

static void body_touch(const void *state, const struct hd_rounds_at *at, uint32_t n, unsigned step,
                       struct hd_warp_op *op) {
  hd_rounds_touch(body_address, state, at, n, step, op);
}

static void visit(void *state, struct hd_rounds_at at, uint64_t end) {
  const struct rec *b = state;
  for (uint64_t e = at.element; e < end; e++)
    memcpy(b->candidate[at.problem] + b->place[e], b->at.g->col + b->at.g->row[b->at.g->col[e]],
           ends(b->at.g, e) * sizeof **b->candidate);
}

static int by_number(const void *x, const void *y) {
  const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
  return a < b ? -1 : a > b;
}

/* Returns the value of the longest run in sorted candidates, the first on ties, ignoring v. */
static uint32_t longest_run(const uint32_t *c, uint64_t n, uint32_t v) {
  uint32_t best = HD_REC_NONE;
  uint64_t most = 0;
  for (uint64_t i = 0, from = 0; i < n; i++) {
    if (i != 0 && c[i] != c[i - 1]) from = i;
    if (c[i] == v || i + 1 - from <= most) continue;
    most = i + 1 - from;
    best = c[i];
  }
  return best;
}

static uint32_t next(void *state, uint32_t problem, uint32_t round, uint32_t *list, uint32_t n) {
  struct rec *b = state;
  (void)round, (void)list, (void)n;
  for (uint32_t v = 0; v < b->at.g->nodes; v++) {
    const uint64_t from = b->place[b->at.g->row[v]], to = b->place[b->at.g->row[v + 1]];
    uint32_t *c = b->candidate[problem] + from;
    qsort(c, to - from, sizeof *c, by_number);
    b->best[problem][v] = longest_run(c, to - from, v);
  }
  return 0;
}

static bool ranks_before(const uint32_t *count, uint32_t w, uint32_t best) {
  return w < best ? count[w] >= count[best] : count[w] > count[best];
}

/* The reference program: a counter per vertex, without lists. */
static uint32_t plain(const struct hd_graph *g, uint32_t v, uint32_t *count) {
  uint32_t best = HD_REC_NONE;
  for (uint64_t e = g->row[v]; e < g->row[v + 1]; e++) {
    const uint32_t i = g->col[e];
    for (uint64_t f = g->row[i]; f < g->row[i + 1] && f < g->row[i] + HD_REC_MOST; f++) count[g->col[f]]++;
  }
  for (uint64_t pass = 0; pass < 2; pass++) /* once to find the best, once to clear the counters */
    for (uint64_t e = g->row[v]; e < g->row[v + 1]; e++) {
      const uint32_t i = g->col[e];
      for (uint64_t f = g->row[i]; f < g->row[i + 1] && f < g->row[i] + HD_REC_MOST; f++) {
        const uint32_t w = g->col[f];
        if (pass == 0 && w != v && (best == HD_REC_NONE || ranks_before(count, w, best))) best = w;
        if (pass == 1) count[w] = 0;
      }
    }
  return best;
}

static bool check(const void *state, uint32_t problem, bool *wrong) {
  const struct rec *b = state;
  uint32_t *count = calloc(b->at.g->nodes, sizeof *count);
  *wrong = false;
  for (uint32_t v = 0; count != NULL && v < b->at.g->nodes; v++)
    *wrong |= plain(b->at.g, v, count) != b->best[problem][v];
  free(count);
  return count != NULL;
}

static void found(const void *state, struct hd_rounds_found *f) {
  const struct rec *b = state;
  uint64_t vertices = 0;
  for (uint32_t k = 0; k < b->problems; k++)
    for (uint32_t v = 0; v < b->at.g->nodes; v++) vertices += b->best[k][v] != HD_REC_NONE;
  const uint64_t candidates = b->problems * b->place[b->at.g->row[b->at.g->nodes]];
  *f = (struct hd_rounds_found){.count = {{"vertices", vertices}, {"candidates", candidates}}};
  snprintf(f->text, sizeof f->text, "recommendations for %" PRIu64 " vertices, from %" PRIu64 " candidates", vertices,
           candidates);
}

const struct hd_rounds_kind hd_rec = {.name = "rec",
                                      .one = "matrix",
                                      .many = "matrices",
                                      .plain = "a program that counts",
                                      .undirected = true,
                                      .single = true,
                                      .head = hd_graph_head,
                                      .heads = HD_GRAPH_HEADS,
                                      .body = body,
                                      .bodies = STEPS,
                                      .open = open_rec,
                                      .close = close_rec,
                                      .graph = hd_graph_of,
                                      .turns = turns,
                                      .head_address = hd_graph_head_address,
                                      .body_touch = body_touch,
                                      .visit = visit,
                                      .next = next,
                                      .check = check,
                                      .found = found};

const uint32_t *hd_rec_found(const struct hd_rounds *r, uint32_t problem) {
  const struct rec *b = hd_rounds_state(r);
  return b->best[problem];
}
