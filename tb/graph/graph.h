/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* graph: a graph in compressed sparse rows (CSR), undirected by default.
 *
 * Edges are collected as pairs of any 64-bit ids, then built into a graph: ids are numbered densely from 0 in ascending
 * order, each edge is entered in both directions, self loops and repeated edges (in either direction) are dropped and
 * counted. Neighbours of a vertex are in ascending order. Vertices without an edge are not in the graph: a search can
 * neither reach nor leave them.
 *
 * With keep_direction each edge is an arc, entered once, in the row of its source; the reverse arc is a separate one.
 * An edge that the input declares undirected becomes two arcs.
 *
 * With keep_weights the graph has weights if every added edge has one: a repeated edge keeps its smallest weight. */
#ifndef HD_GRAPH_H
#define HD_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limit for one file; it bounds the memory that any input can need (16 bytes per edge read). */
#define HD_EDGES_MAX ((size_t)1 << 26)

/* The input's declaration of its edges; an edge list may have none. */
enum hd_direction { HD_UNTOLD, HD_UNDIRECTED, HD_DIRECTED };

/* Content of the file that is not in the graph. */
struct hd_ignored {
  uint64_t weights;        /* edge weights that were not requested */
  uint64_t vertex_weights; /* vertex weights and sizes, in METIS */
  uint64_t fields;         /* fields after the weight of an edge, and imaginary parts */
  uint64_t lines;          /* DIMACS lines that describe no edge */
  uint64_t edges_declared; /* number of edges according to a comment, 0 = none; a wrong number is accepted */
  bool header;             /* a first line of two numbers was read as NODES EDGES */
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
  float *weight;   /* with keep_weights: weight of each edge */
  size_t weighted; /* number of edges with a weight */
};

struct hd_graph {
  uint32_t nodes;
  bool directed; /* direction was kept */
  enum hd_direction input;
  uint64_t edges;      /* if directed, arcs */
  uint64_t *row;       /* nodes + 1: neighbours of v are col[row[v]] to col[row[v + 1] - 1] */
  uint32_t *col;       /* 2 * edges entries; if directed, one per arc */
  float *weight;       /* weight of each of these neighbours; NULL: not requested, or not every edge has one */
  uint64_t *id;        /* input id of each vertex */
  uint64_t read;       /* edges read */
  uint64_t self_loops; /* dropped self loops */
  uint64_t duplicates; /* dropped repetitions */
  struct hd_ignored ignored;
  uint64_t declared; /* number of nodes in the file's header, 0 if none; may be too small for an edge list */
};

/* Returns false if the limit is reached or if out of memory. */
bool hd_edges_add(struct hd_edges *e, uint64_t from, uint64_t to);
/* Sets the weight of the edge added last. Requires keep_weights. */
void hd_edges_weigh(struct hd_edges *e, float weight);
void hd_edges_free(struct hd_edges *e);

/* Builds *g from the edges, which it frees. Returns false if out of memory; *g is then empty. */
bool hd_graph_build(struct hd_graph *g, struct hd_edges *e);
/* Builds the undirected graph without vertices of more than `max_degree` neighbours, nor those that then have none.
 * Returns false if out of memory. */
bool hd_graph_without(const struct hd_graph *g, uint32_t max_degree, struct hd_graph *out);
void hd_graph_free(struct hd_graph *g);

static inline bool hd_graph_made_undirected(const struct hd_graph *g) {
  return g->input == HD_DIRECTED && !g->directed;
}

/* Returns true if the file holds more than the graph, or declares another number of edges. */
static inline bool hd_graph_is_less(const struct hd_graph *g) {
  const struct hd_ignored *i = &g->ignored;
  return g->self_loops != 0 || g->duplicates != 0 || i->weights != 0 || i->vertex_weights != 0 || i->fields != 0 ||
         i->lines != 0 || i->header || (i->edges_declared != 0 && i->edges_declared != g->read);
}

/* Returns the number of neighbours of v; in a directed graph, of arcs from v. */
static inline uint32_t hd_graph_degree(const struct hd_graph *g, uint32_t v) {
  return (uint32_t)(g->row[v + 1] - g->row[v]);
}
uint32_t hd_graph_largest(const struct hd_graph *g);

/* Writes the k vertices of largest degree to `out`, largest first, lower number first on ties. Requires k <= nodes. */
bool hd_graph_top(const struct hd_graph *g, uint32_t k, uint32_t *out);

#endif
