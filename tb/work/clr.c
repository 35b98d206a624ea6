/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* A thread of a round's kernel:
 *
 *     v = list[i]; e = row[v]; end = row[v + 1]; p = priority[v];
 *     for (; e < end; e++) {
 *       u = col[e];
 *       if (colour[u] is none and priority[u] goes before p) waits[v] = 1;
 *     } */
#include "work/clr.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/bits.h"
#include "graph/mix.h"
#include "work/graph_arrays.h"

struct colouring {
  uint32_t *colour, *priority;
  uint64_t *waits; /* a bit per vertex: a neighbour must be coloured first */
};

struct clr {
  struct hd_graph_arrays at;
  uint64_t colour, priority, waits; /* addresses, of colouring 0 */
  uint32_t colourings;
  struct colouring *colouring;
};

static void close_clr(void *state) {
  struct clr *b = state;
  for (uint32_t k = 0; b->colouring != NULL && k < b->colourings; k++) {
    free(b->colouring[k].colour);
    free(b->colouring[k].priority);
    free(b->colouring[k].waits);
  }
  free(b->colouring);
  free(b);
}

static bool new_colouring(const struct clr *b, struct colouring *c, uint32_t k) {
  const uint32_t nodes = b->at.g->nodes;
  c->colour = malloc(nodes * sizeof *c->colour);
  c->priority = malloc(nodes * sizeof *c->priority);
  c->waits = calloc(nodes / 64 + 1, sizeof *c->waits);
  if (c->colour == NULL || c->priority == NULL || c->waits == NULL) return false;
  memset(c->colour, 0xff, nodes * sizeof *c->colour);
  for (uint32_t v = 0; v < nodes; v++) c->priority[v] = (uint32_t)hd_mix3(k, b->at.g->id[v], 0);
  return true;
}

static void *open_clr(const struct hd_rounds_data *data, uint32_t *colourings, uint32_t *items) {
  const struct hd_graph *g = data->graph;
  struct clr *b = calloc(1, sizeof *b);
  *items = g->nodes;
  if (b == NULL) return NULL;
  *b = (struct clr){.at = hd_graph_arrays(g, *colourings), .colourings = *colourings};
  b->colour = hd_rounds_put(&b->at.end, b->at.words * *colourings);
  b->priority = hd_rounds_put(&b->at.end, b->at.words * *colourings);
  b->waits = hd_rounds_put(&b->at.end, b->at.bytes * *colourings);
  b->colouring = calloc(*colourings, sizeof *b->colouring);
  bool good = b->colouring != NULL;
  for (uint32_t k = 0; good && k < *colourings; k++) good = new_colouring(b, &b->colouring[k], k);
  if (good) return b;
  close_clr(b);
  return NULL;
}

static uint64_t head_address(const void *state, const struct hd_rounds_at *at, unsigned step) {
  const struct clr *b = state;
  if (step == HD_GRAPH_HEADS) return hd_graph_word(&b->at, b->priority, at->problem, at->item);
  return hd_graph_head_address(&b->at, at, step);
}

/* Returns true if u is coloured before v. */
static bool before(const struct colouring *c, uint32_t u, uint32_t v) {
  return c->priority[u] != c->priority[v] ? c->priority[u] > c->priority[v] : u < v;
}

enum step { COL, COLOUR, PRIORITY, WAITS, STEPS };
static const struct hd_rounds_step body[STEPS] = {
    {HD_WARP_LOAD, 4}, {HD_WARP_LOAD, 2}, {HD_WARP_LOAD, 2}, {HD_WARP_STORE, 3}};

static inline bool body_address(const void *state, const struct hd_rounds_at *at, unsigned step, uint64_t *address) {
  const struct clr *b = state;
  const struct colouring *c = &b->colouring[at->problem];
  const uint32_t u = b->at.g->col[at->element];
  switch (step) {
    case COL:
      *address = b->at.col + 4 * at->element;
      return true;
    case COLOUR:
      *address = hd_graph_word(&b->at, b->colour, at->problem, u);
      return true;
    case PRIORITY:
      *address = hd_graph_word(&b->at, b->priority, at->problem, u);
      return c->colour[u] == HD_CLR_NONE;
    default:
      *address = hd_graph_byte(&b->at, b->waits, at->problem, at->item);
      return c->colour[u] == HD_CLR_NONE && before(c, u, at->item);
  }
}

static void body_touch(const void *state, const struct hd_rounds_at *at, uint32_t n, unsigned step,
                       struct hd_warp_op *op) {
  hd_rounds_touch(body_address, state, at, n, step, op);
}

static void visit(void *state, struct hd_rounds_at at, uint64_t end) {
  const struct clr *b = state;
  const struct colouring *c = &b->colouring[at.problem];
  for (; at.element < end; at.element++) {
    const uint32_t u = b->at.g->col[at.element];
    if (c->colour[u] == HD_CLR_NONE && before(c, u, at.item)) hd_bit_set(c->waits, at.item);
  }
}

/* Colours the vertices that need not wait; the others are the next list. */
static uint32_t next(void *state, uint32_t colouring, uint32_t round, uint32_t *list, uint32_t n) {
  const struct clr *b = state;
  const struct colouring *c = &b->colouring[colouring];
  uint32_t left = 0;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t v = list[i];
    if (hd_bit(c->waits, v))
      list[left++] = v;
    else
      c->colour[v] = round;
  }
  memset(c->waits, 0, (b->at.g->nodes / 64 + 1) * sizeof *c->waits);
  return left;
}

/* ---- the reference program: colours vertices in order of priority, each with the colour after the highest colour of
 * its coloured neighbours ---- */

struct order {
  uint32_t priority, v;
};

static int by_priority(const void *x, const void *y) {
  const struct order *a = x, *b = y;
  if (a->priority != b->priority) return a->priority > b->priority ? -1 : 1;
  return a->v < b->v ? -1 : 1;
}

static void plain(const struct hd_graph *g, const struct order *order, uint32_t *colour) {
  for (uint32_t v = 0; v < g->nodes; v++) colour[v] = HD_CLR_NONE;
  for (uint32_t i = 0; i < g->nodes; i++) {
    uint32_t v = order[i].v, least = 0;
    for (uint64_t e = g->row[v]; e < g->row[v + 1]; e++) {
      const uint32_t other = colour[g->col[e]];
      if (other != HD_CLR_NONE && other >= least) least = other + 1;
    }
    colour[v] = least;
  }
}

static bool neighbours_differ(const struct hd_graph *g, const uint32_t *colour) {
  for (uint32_t v = 0; v < g->nodes; v++)
    for (uint64_t e = g->row[v]; e < g->row[v + 1]; e++)
      if (colour[v] == colour[g->col[e]]) return false;
  return true;
}

static bool check(const void *state, uint32_t colouring, bool *wrong) {
  const struct clr *b = state;
  const struct colouring *c = &b->colouring[colouring];
  const uint32_t nodes = b->at.g->nodes;
  uint32_t *colour = calloc(nodes, sizeof *colour);
  struct order *order = malloc(nodes * sizeof *order);
  const bool good = colour != NULL && order != NULL;
  if (good) {
    for (uint32_t v = 0; v < nodes; v++) order[v] = (struct order){c->priority[v], v};
    qsort(order, nodes, sizeof *order, by_priority);
    plain(b->at.g, order, colour);
    *wrong = memcmp(colour, c->colour, nodes * sizeof *colour) != 0 || !neighbours_differ(b->at.g, c->colour);
  }
  free(colour);
  free(order);
  return good;
}

static void found(const void *state, struct hd_rounds_found *f) {
  const struct clr *b = state;
  uint64_t vertices = 0, most = 0, fewest = UINT64_MAX;
  for (uint32_t k = 0; k < b->colourings; k++) {
    uint64_t colours = 0;
    for (uint32_t v = 0; v < b->at.g->nodes; v++) {
      const uint32_t colour = b->colouring[k].colour[v];
      if (colour == HD_CLR_NONE) continue;
      vertices++;
      if (colour >= colours) colours = colour + 1;
    }
    if (colours > most) most = colours;
    if (colours < fewest) fewest = colours;
  }
  *f = (struct hd_rounds_found){.count = {{"vertices", vertices}, {"colours", fewest}, {"colours_most", most}}};
  snprintf(f->text, sizeof f->text, "%" PRIu64 " vertices have colours, %" PRIu64 " to %" PRIu64 " in a colouring",
           vertices, fewest, most);
}

const struct hd_rounds_kind hd_clr = {.name = "clr",
                                      .one = "colouring",
                                      .many = "colourings",
                                      .plain = "a sequential program",
                                      .undirected = true,
                                      .head = hd_graph_head,
                                      .heads = HD_GRAPH_HEADS + 1,
                                      .body = body,
                                      .bodies = STEPS,
                                      .open = open_clr,
                                      .close = close_clr,
                                      .graph = hd_graph_of,
                                      .head_address = head_address,
                                      .body_touch = body_touch,
                                      .visit = visit,
                                      .next = next,
                                      .check = check,
                                      .found = found};

const uint32_t *hd_clr_colours(const struct hd_rounds *r, uint32_t colouring) {
  const struct clr *b = hd_rounds_state(r);
  return b->colouring[colouring].colour;
}

const uint32_t *hd_clr_priorities(const struct hd_rounds *r, uint32_t colouring) {
  const struct clr *b = hd_rounds_state(r);
  return b->colouring[colouring].priority;
}
