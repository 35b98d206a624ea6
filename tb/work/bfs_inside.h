/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* bfs_inside: what bfs.c (searches, TBs that are timed) and bfs_warps.c (what warps run) share. */
#ifndef HD_BFS_INSIDE_H
#define HD_BFS_INSIDE_H

#include "common/bits.h"
#include "work/bfs.h"

enum hd_bfs_state { HD_BFS_WAITS, HD_BFS_RUNS, HD_BFS_ENDED };

struct hd_bfs_search {
  enum hd_bfs_state state;
  uint32_t source, level;
  uint64_t ready_at; /* when it waits: when its next kernel is launched */
  uint32_t *distance;
  uint32_t *frontier;
  uint32_t n;        /* of the frontier */
  uint32_t children; /* of this level that have not ended */
  bool reported;     /* this level's kernel is done */
  uint64_t *found;   /* a bit for each vertex at the end of an edge that was walked on this level .. */
  uint64_t *reached; /* .. and for each one that some level before has reached */
  uint64_t *alone;   /* a bit for each place in the frontier: its thread does what it could not launch */
};

/* Where the program's arrays lie: row and col of the graph, words of 4 bytes, and of each search the frontier, the
 * distances (words too) and the marks (bytes). */
struct hd_bfs_layout {
  uint64_t row, col, frontier, distance, mark; /* the last three of search 0 */
  uint64_t words, bytes;                       /* from one search to the next */
};

struct hd_bfs {
  const struct hd_graph *g;
  struct hd_bfs_opts o;
  struct hd_work_device device;
  struct hd_warp_source warps;
  struct hd_bfs_layout at;
  struct hd_bfs_search *search;
  uint32_t running;    /* searches that have not ended */
  uint32_t *of_kernel; /* the search that launched it */
  uint32_t kernels, cap;
};

/* The vertices of a TB: frontier[*from] to frontier[*to - 1]. */
struct hd_bfs_search *hd_bfs_slice(const struct hd_bfs *b, uint32_t kernel, uint32_t blkid, uint32_t *from,
                                   uint32_t *to);
/* TBs of a child that the thread of vertex v launches; 0: it launches none. */
uint32_t hd_bfs_child_ctas(const struct hd_bfs *b, uint32_t v);
/* The operations of the searches' warps; lays out b->at. */
struct hd_warp_source hd_bfs_warps(struct hd_bfs *b);

#endif
