/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* sssp: shortest paths from a source to all vertices, by the Bellman-Ford algorithm over a list of the vertices whose
 * distance has changed. A problem is the search from one source, chosen as in bfs.h.
 *
 * A round reads the distances of the previous round and stores the minimum over its edges, so the result does not
 * depend on the order in which edges are walked. The next list holds the vertices whose distance decreased, in
 * ascending order.
 *
 * Weights are those of the graph (hd_graph.weight). A graph without weights has whole ones from 1 to 64, a hash of the
 * ids of the two vertices, equal in both directions. Sums are floats, as on a GPU. */
#ifndef HD_SSSP_H
#define HD_SSSP_H

#include "work/rounds.h"

extern const struct hd_rounds_kind hd_sssp;

/* Returns the distances found by a search, one per vertex; INFINITY: not reached. */
const float *hd_sssp_distances(const struct hd_rounds *r, uint32_t search);

#endif
