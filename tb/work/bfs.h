/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* bfs: breadth-first searches over a graph: a problem is a search, a round a level, a list the frontier. Search k
 * starts at the vertex with the k-th largest degree (the lower number first on ties); at most one search per vertex.
 *
 * The next frontier is the set of vertices found, in ascending order, as from a program that compacts a bit map. So it
 * does not depend on the order in which TBs end. */
#ifndef HD_BFS_H
#define HD_BFS_H

#include "work/rounds.h"

extern const struct hd_rounds_kind hd_bfs;

#define HD_BFS_UNREACHED UINT32_MAX

/* Returns the distances found by search k, one per vertex. */
const uint32_t *hd_bfs_distances(const struct hd_rounds *r, uint32_t search);
uint32_t hd_bfs_source(const struct hd_rounds *r, uint32_t search);

#endif
