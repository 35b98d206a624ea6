/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* sssp: shortest paths from a source to all vertices, by Bellman and Ford's rule over a list of the vertices whose
 * distance has changed: a problem is the search of a source, chosen as in bfs.h.
 *
 * A round reads the distances that the round before has left, and leaves the least that any of its edges offers: so it
 * does not depend on the order in which edges are walked. The next list is the vertices that came nearer, in ascending
 * order.
 *
 * Weights are those of the graph (hd_graph.weight). A graph without has whole ones from 1 to 64, made of the ids of an
 * edge's ends, the same in both directions. Sums are floats, as a GPU's. */
#ifndef HD_SSSP_H
#define HD_SSSP_H

#include "work/rounds.h"

extern const struct hd_rounds_kind hd_sssp;

/* Distances that search k has found: one for each vertex; INFINITY: it is not reached. */
const float *hd_sssp_distances(const struct hd_rounds *r, uint32_t search);

#endif
