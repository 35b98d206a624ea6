/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* graph_arrays: addresses of the arrays of a graph that a program walks, and its loads from them, for workloads in
 * rounds whose items are vertices and whose state begins with a struct hd_graph_arrays: row and col, words of 4 bytes,
 * then the list of each problem. */
#ifndef HD_GRAPH_ARRAYS_H
#define HD_GRAPH_ARRAYS_H

#include "work/rounds.h"

struct hd_graph_arrays {
  const struct hd_graph *g;
  uint64_t row, col, list; /* addresses; list: of problem 0 */
  uint64_t words, bytes;   /* size of an array with a word, or a byte, per vertex: distance between problems */
  uint64_t end;            /* first free address after the arrays */
};

static inline struct hd_graph_arrays hd_graph_arrays(const struct hd_graph *g, uint32_t problems) {
  const uint64_t nodes = g->nodes;
  struct hd_graph_arrays a = {
      .g = g, .words = (4 * nodes + 255) / 256 * 256, .bytes = (nodes + 255) / 256 * 256, .end = 256};
  a.row = hd_rounds_put(&a.end, 4 * (nodes + 1));
  a.col = hd_rounds_put(&a.end, 4 * g->row[nodes]);
  a.list = hd_rounds_put(&a.end, a.words * problems);
  return a;
}

/* Return the address of a vertex's word, or byte, in an array that each problem has. */
static inline uint64_t hd_graph_word(const struct hd_graph_arrays *a, uint64_t array, uint32_t problem, uint32_t v) {
  return array + a->words * problem + 4 * (uint64_t)v;
}

static inline uint64_t hd_graph_byte(const struct hd_graph_arrays *a, uint64_t array, uint32_t problem, uint32_t v) {
  return array + a->bytes * problem + v;
}

/* The elements of a vertex are its edges. */
static inline const struct hd_graph *hd_graph_of(const void *state) {
  return ((const struct hd_graph_arrays *)state)->g;
}

/* v = list[i]; e = row[v]; end = row[v + 1]; a fourth step, for kinds that use it, loads a word of v. The instructions
 * before the first load compute the thread's index and compare it with the length of the list. */
#define HD_GRAPH_HEADS 3u
static const struct hd_rounds_step hd_graph_head[HD_GRAPH_HEADS + 1] = {
    {HD_WARP_LOAD, 8}, {HD_WARP_LOAD, 2}, {HD_WARP_LOAD, 0}, {HD_WARP_LOAD, 2}};

/* Returns the address of one of the first HD_GRAPH_HEADS steps. */
static inline uint64_t hd_graph_head_address(const void *state, const struct hd_rounds_at *at, unsigned step) {
  const struct hd_graph_arrays *a = state;
  if (step == 0) return hd_graph_word(a, a->list, at->problem, at->place);
  return a->row + 4 * ((uint64_t)at->item + step - 1);
}

#endif
