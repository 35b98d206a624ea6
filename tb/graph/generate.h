/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* generate: graphs that are made, undirected, the same from the same seed.
 *
 *   graph500  R-MAT of the Graph 500 benchmark: `degree` edges for each node are drawn with .57 .19 .19 .05, ids are
 *             permuted; nodes is a power of two. Most nodes have few edges, some very many.
 *   banded    a band matrix, as discretised equations have: each node has 3 to 47 neighbours, of which the farthest are
 *             64 places away.
 *   road      a grid of streets, as wide as high, of which every sixth is missing: up to 4 neighbours. */
#ifndef HD_GENERATE_H
#define HD_GENERATE_H

#include "graph/graph.h"

struct hd_generate {
  const char *name;
  uint32_t nodes; /* 64 or more; those without an edge are left out */
  uint32_t degree;
  uint64_t seed;
};

/* NULL, or what would be accepted: the names, or other numbers. */
const char *hd_generate_check(const struct hd_generate *o);
/* False: out of memory, or more edges than HD_EDGES_MAX. */
bool hd_generate(const struct hd_generate *o, struct hd_graph *g);

#endif
