/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* bfs: breadth-first searches over a graph as a GPU program runs them, flat or with launches from the device.
 *
 * Each search launches one kernel per level, with one thread per vertex of the frontier; the next level is launched
 * when kernel_done of the one before arrives. K searches run at once: search k starts at the k-th vertex of largest
 * degree (the lower number first on ties) and launches on HWQ k mod NumHwq.
 *
 * A TB's vertices are expanded when the TB ends. The next frontier is the set of vertices found, in ascending order, as
 * a program makes it that compacts a bit map: it does not depend on the order in which TBs ended, so every policy and
 * configuration has the same kernels to run. A thread walks all edges of its vertex, a warp takes as long as its
 * slowest thread, a TB as long as its slowest warp: Overhead + largest degree x CyclesPerEdge.
 *
 * With a threshold, a thread whose vertex has at least so many edges, and enough for a TB of ChildSize threads,
 * launches floor(degree / ChildSize) such TBs, in which a thread has one edge, and walks the remaining edges itself.
 * Its warp calls after Overhead; what its threads walk themselves comes after the call. A level has ended when its
 * kernel is reported and all its children have ended: with groups the one does not imply the other, since a group may
 * run as part of another search's kernel, so a program counts in memory.
 *
 * On SMXs that run warps (opts.warps) a vertex is found by the warp that marks it, and what takes how long is theirs:
 * bfs_warps.c. */
#ifndef HD_BFS_H
#define HD_BFS_H

#include <stddef.h>

#include "graph/graph.h"
#include "sim/work.h"

struct hd_bfs_opts {
  uint32_t sources;    /* searches; no more than one from each vertex are made */
  uint32_t block_size; /* threads of a TB */
  uint32_t regs;       /* per thread */
  uint32_t smem;       /* of a TB, in units of 256 bytes */
  uint32_t overhead;
  uint32_t cycles_per_edge;
  uint32_t num_hwq;
  uint64_t seed;       /* of the jitter; 0 = none */
  uint32_t jitter;     /* each launch is late by 0 to this many cycles */
  uint32_t threshold;  /* edges from which on a thread launches; 0: none does */
  uint32_t child_size; /* threads of a child's TB */
  bool warps;          /* the searches are done by the operations of warps, not when a TB ends */
};

struct hd_bfs;

/* The graph must stay. NULL: out of memory. */
struct hd_bfs *hd_bfs_new(const struct hd_graph *g, const struct hd_bfs_opts *o);
void hd_bfs_free(struct hd_bfs *b);
struct hd_work hd_bfs_work(struct hd_bfs *b);
/* How many searches there are. */
uint32_t hd_bfs_sources(const struct hd_bfs *b);

#define HD_BFS_UNREACHED UINT32_MAX

/* Distances that search k has found: one for each vertex. */
const uint32_t *hd_bfs_distances(const struct hd_bfs *b, uint32_t search);
uint32_t hd_bfs_source(const struct hd_bfs *b, uint32_t search);

/* What all searches together have found: vertices, the deepest level, edges that lead out of the vertices. */
struct hd_bfs_found {
  uint64_t vertices, edges;
  uint32_t levels;
};
struct hd_bfs_found hd_bfs_found(const struct hd_bfs *b);

/* The same by a plain queue, sharing nothing with the above: the reference. `distance` has room for every vertex.
 * False: out of memory. */
bool hd_bfs_reference(const struct hd_graph *g, uint32_t source, uint32_t *distance);
/* Compares all searches with the reference: how many are wrong in any vertex. False: out of memory. */
bool hd_bfs_check(const struct hd_bfs *b, uint32_t *wrong);

#endif
