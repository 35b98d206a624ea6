/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* generate: generated undirected graphs; equal seeds give equal graphs.
 *
 *   graph500  R-MAT of the Graph 500 benchmark: `degree` edges per node, drawn with .57 .19 .19 .05; ids are permuted;
 *             the number of nodes is a power of two. Most nodes have few edges, some very many.
 *   banded    a band matrix, as in discretised equations: each node has 3 to 47 neighbours, at most 64 places away.
 *   road      a square grid of streets without every sixth one: up to 4 neighbours. */
#ifndef HD_GENERATE_H
#define HD_GENERATE_H

#include "graph/graph.h"

struct hd_generate {
  const char *name;
  uint32_t nodes; /* 64 or more; nodes without an edge are omitted */
  uint32_t degree;
  uint64_t seed;
};

/* Returns NULL, or a text with the accepted names or numbers. */
const char *hd_generate_check(const struct hd_generate *o);
/* Returns false if out of memory or above HD_EDGES_MAX edges. */
bool hd_generate(const struct hd_generate *o, struct hd_graph *g);

#endif
