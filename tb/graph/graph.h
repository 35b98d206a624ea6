/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* graph: a graph in compressed sparse rows (CSR), undirected unless asked for otherwise.
 *
 * Edges are collected as pairs of any 64-bit ids, then built into a graph: the ids that occur are numbered densely from
 * 0 in ascending order, each edge is entered in both directions, self loops and further mentions of an edge (in either
 * direction) are dropped and counted. Neighbours of a vertex are in ascending order. A vertex without an edge is not in
 * the graph: a search can neither reach nor leave it.
 *
 * With keep_direction each edge is an arc, entered once, in the row of its source; the arc back is another one. Edges
 * that the input calls undirected are two arcs then.
 *
 * With keep_weights the graph has weights if every edge that was added has one: of several mentions of an edge the
 * least one counts. */
#ifndef HD_GRAPH_H
#define HD_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What one file may hold; it bounds the memory that any input can ask for (16 bytes for each edge read). */
#define HD_EDGES_MAX ((size_t)1 << 26)

/* What the input tells of its edges; an edge list may tell nothing. */
enum hd_direction { HD_UNTOLD, HD_UNDIRECTED, HD_DIRECTED };

/* What the file holds and the graph does not. */
struct hd_ignored {
  uint64_t weights;        /* of edges: nobody asked for them */
  uint64_t vertex_weights; /* and sizes, which METIS has */
  uint64_t fields;         /* behind the weight of an edge, and imaginary parts */
  uint64_t lines;          /* of DIMACS that are of no edge */
  uint64_t said;           /* edges that a comment counts, 0 = none does; a wrong count is no refusal */
  bool header;             /* a first line of two numbers was taken as NODES EDGES */
};

struct hd_edges {
  struct hd_edge {
    uint64_t from, to;
  } * edge;
  size_t n, cap;
  enum hd_direction direction;
  bool keep_direction;
  bool keep_weights;
  struct hd_ignored ignored;
  float *weight;   /* with keep_weights, of each edge */
  size_t weighted; /* edges that were given one */
};

struct hd_graph {
  uint32_t nodes;
  bool directed; /* direction was kept */
  enum hd_direction input;
  uint64_t edges;      /* if directed, arcs */
  uint64_t *row;       /* nodes + 1: neighbours of v are col[row[v]] to col[row[v + 1] - 1] */
  uint32_t *col;       /* 2 * edges, or as many as there are arcs */
  float *weight;       /* of each of these neighbours; NULL: not asked for, or not every edge has one */
  uint64_t *id;        /* the id that the input gave to a vertex */
  uint64_t read;       /* edges read */
  uint64_t self_loops; /* of them dropped */
  uint64_t duplicates; /* of them dropped */
  struct hd_ignored ignored;
  uint64_t declared; /* nodes that the file's header tells, 0 if it tells none; an edge list's may be too few */
};

/* False when the limit is reached or memory runs out. */
bool hd_edges_add(struct hd_edges *e, uint64_t from, uint64_t to);
/* Gives a weight to the edge that was added last; with keep_weights. */
void hd_edges_weigh(struct hd_edges *e, float weight);
void hd_edges_free(struct hd_edges *e);

/* Builds *g from the edges, which it frees. False: out of memory; *g is then empty. */
bool hd_graph_build(struct hd_graph *g, struct hd_edges *e);
/* The same undirected graph without the vertices of more than `max_degree` neighbours (and those that then have none).
 */
bool hd_graph_without(const struct hd_graph *g, uint32_t max_degree, struct hd_graph *out);
void hd_graph_free(struct hd_graph *g);

static inline bool hd_graph_made_undirected(const struct hd_graph *g) {
  return g->input == HD_DIRECTED && !g->directed;
}

/* Whether the file holds more than the graph, or other edges than it says. */
static inline bool hd_graph_is_less(const struct hd_graph *g) {
  const struct hd_ignored *i = &g->ignored;
  return g->self_loops != 0 || g->duplicates != 0 || i->weights != 0 || i->vertex_weights != 0 || i->fields != 0 ||
         i->lines != 0 || i->header || (i->said != 0 && i->said != g->read);
}

/* Of a directed graph: arcs from v. */
static inline uint32_t hd_graph_degree(const struct hd_graph *g, uint32_t v) {
  return (uint32_t)(g->row[v + 1] - g->row[v]);
}
uint32_t hd_graph_largest(const struct hd_graph *g);

/* The k vertices of largest degree into `out`, largest first; the lower number first on ties. k <= nodes. */
bool hd_graph_top(const struct hd_graph *g, uint32_t k, uint32_t *out);

#endif
