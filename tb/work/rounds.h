/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* rounds: what all workloads share that a GPU program solves in rounds, each a kernel over a list of items, whose
 * threads have an item each and walk its elements (vertices and their edges, say); flat or with launches from the
 * device. A workload of this sort is a struct hd_rounds_kind: what the items are, what an element's work is, which list
 * comes next, what a plain program finds.
 *
 * Each problem launches one kernel per round, with one thread per item of its list; the next one is launched when
 * kernel_done of the one before arrives. Several problems run at once: problem k launches on HWQ k mod NumHwq.
 *
 * A TB's elements are visited when the TB ends. What a kind finds in a round must not depend on the order in which
 * elements are visited, so that every policy and configuration has the same kernels to run. A thread takes
 * CyclesPerElement for each turn of its elements (an element is one turn, unless the kind tells otherwise), a warp as
 * long as its slowest thread, a TB as long as its slowest warp, and Overhead.
 *
 * With a threshold, a thread whose item has at least so many elements, and enough for a TB of ChildSize threads,
 * launches floor(elements / ChildSize) such TBs (ceil if the kind rounds up), in which a thread has one element, and
 * walks the remaining elements itself. Its warp calls after Overhead; what its threads walk themselves comes after the
 * call. A round has ended when its kernel is reported and all its children have ended: with groups the one does not
 * imply the other, since a group may run as part of another problem's kernel, so a program counts in memory.
 *
 * With opts.sync a TB that has launched waits for its children when its own work is done (cudaDeviceSynchronize()).
 *
 * Together (opts.together) is the other way to share the work of large items: the threads of a warp walk 32 elements of
 * one of its items at a time, then of the next one. Such a warp takes as long as all its items one after the other.
 *
 * On SMXs that run warps (opts.warps) an element is visited by the warp that walks it, and what takes how long is
 * theirs: rounds_warps.c. */
#ifndef HD_ROUNDS_H
#define HD_ROUNDS_H

#include <stddef.h>

#include "graph/graph.h"
#include "sim/work.h"
#include "work/rows.h"

/* An element that is walked. */
struct hd_rounds_at {
  uint32_t problem, place, item; /* place: in the list of the round */
  uint64_t element;
  uint32_t turn, turns; /* of the element: which, and how many it has, if they are counted */
};

/* A load or store of a thread. */
struct hd_rounds_step {
  enum hd_warp_kind kind;
  uint32_t before; /* instructions before it: about what a compiler makes of the program */
};

/* What was found, for reports. */
#define HD_ROUNDS_COUNTS 3u
struct hd_rounds_found {
  struct {
    const char *key; /* NULL: none */
    uint64_t value;
  } count[HD_ROUNDS_COUNTS];
  char text[128]; /* the same in words */
};

/* What a kind works on; it takes what it needs. */
enum hd_rounds_input { HD_ROUNDS_GRAPH, HD_ROUNDS_LINES, HD_ROUNDS_STANZAS, HD_ROUNDS_MADE };
struct hd_rounds_data {
  const struct hd_graph *graph;
  const struct hd_rows *rows; /* NULL: they are made */
  struct hd_rounds_made {
    uint32_t rows;
    bool uniform; /* keys; or skewed */
    uint64_t seed;
  } made;
  const char *expression; /* NULL: HD_REGX_DEFAULT */
};

struct hd_rounds_kind {
  const char *name;
  const char *one, *many; /* what a problem is called: search, searches */
  const char *plain;      /* what checks it: "a plain BFS" */
  enum hd_rounds_input input;
  bool round_up;   /* TBs of a child */
  bool weights;    /* of the graph are asked for */
  bool undirected; /* it must be */
  bool single;     /* one problem at a time, unless more are asked for */
  /* The program of a thread: loads and stores before it walks, then for each turn of an element. A thread of a child
   * does without the former. */
  const struct hd_rounds_step *head, *body;
  unsigned heads, bodies;

  /* Makes the state of *problems problems, or of fewer; *items: how long a list can be. NULL: out of memory. */
  void *(*open)(const struct hd_rounds_data *data, uint32_t *problems, uint32_t *items);
  void (*close)(void *state);
  /* The first list of a problem: its length. NULL: all *items items. */
  uint32_t (*begin)(void *state, uint32_t problem, uint32_t *list);
  /* The graph whose vertices are the items, and whose edges the elements: its col[element]. Or NULL: range() tells. */
  const struct hd_graph *(*graph)(const void *state);
  /* The elements of an item, in the round that begins: *from to *to - 1. */
  void (*range)(const void *state, uint32_t problem, uint32_t item, uint64_t *from, uint64_t *to);
  /* Turns of an element, 1 or more; NULL: one. */
  uint32_t (*turns)(const void *state, const struct hd_rounds_at *at);
  /* Where step `step` of the head goes. */
  uint64_t (*head_address)(const void *state, const struct hd_rounds_at *at, unsigned step);
  /* What n threads of a warp touch in step `step` of the body: hd_rounds_touch() with a function of one thread. */
  void (*body_touch)(const void *state, const struct hd_rounds_at *at, uint32_t n, unsigned step,
                     struct hd_warp_op *op);
  /* The work of elements, from `at` to end - 1; of each after its last turn. */
  void (*visit)(void *state, struct hd_rounds_at at, uint64_t end);
  /* A round has ended, over list[0] to list[n - 1]: the next list in its place, and its length; 0: it is solved. */
  uint32_t (*next)(void *state, uint32_t problem, uint32_t round, uint32_t *list, uint32_t n);
  /* Whether what was found is not what a plain program finds that shares nothing with the above. False: out of memory.
   */
  bool (*check)(const void *state, uint32_t problem, bool *wrong);
  /* What all problems together have found. */
  void (*found)(const void *state, struct hd_rounds_found *found);
};

struct hd_rounds_opts {
  uint32_t problems;
  uint32_t block_size; /* threads of a TB */
  uint32_t regs;       /* per thread */
  uint32_t smem;       /* of a TB, in units of 256 bytes */
  uint32_t overhead;
  uint32_t cycles_per_element;
  uint32_t num_hwq;
  uint64_t seed;       /* of the jitter; 0 = none */
  uint32_t jitter;     /* each launch is late by 0 to this many cycles */
  uint32_t threshold;  /* elements from which on a thread launches; 0: none does */
  uint32_t child_size; /* threads of a child's TB */
  bool sync;           /* a TB ends behind all that it launched */
  bool together;       /* a warp's threads walk the elements of one item after the other; without a threshold */
  bool warps;          /* elements are visited by the operations of warps, not when a TB ends */
};

struct hd_rounds;

/* The data must stay. NULL: out of memory. */
struct hd_rounds *hd_rounds_new(const struct hd_rounds_kind *kind, const struct hd_rounds_data *data,
                                const struct hd_rounds_opts *o);
void hd_rounds_free(struct hd_rounds *r);
struct hd_work hd_rounds_work(struct hd_rounds *r);
/* How many problems there are. */
uint32_t hd_rounds_problems(const struct hd_rounds *r);
/* The kind's own. */
const void *hd_rounds_state(const struct hd_rounds *r);
const struct hd_rounds_kind *hd_rounds_kind(const struct hd_rounds *r);
/* Compares all problems with the plain program: how many are wrong. False: out of memory. */
bool hd_rounds_check(const struct hd_rounds *r, uint32_t *wrong);

/* The kinds that there are, by name; NULL: it is none of them. */
#define HD_ROUNDS_NAMES "bfs sssp clr join regx rec amr bht"
const struct hd_rounds_kind *hd_rounds_find(const char *name);

/* Where step `step` of the body goes; false: the thread takes no part in it. */
typedef bool hd_rounds_address(const void *state, const struct hd_rounds_at *at, unsigned step, uint64_t *address);

/* The threads that have turns left and take part touch their addresses. Inlined, and the function of one thread into
 * it: the compiler has the loop and the program together. */
static inline void hd_rounds_touch(hd_rounds_address *address_of, const void *state, const struct hd_rounds_at *at,
                                   uint32_t n, unsigned step, struct hd_warp_op *op) {
  for (uint32_t k = 0; k < n; k++) {
    uint64_t address;
    if (at[k].turn >= at[k].turns || !address_of(state, &at[k], step, &address)) continue;
    hd_warp_touch(op, address);
    op->lanes++;
  }
}

/* Lays out arrays one behind the other: where one of so many bytes begins. */
static inline uint64_t hd_rounds_put(uint64_t *end, uint64_t bytes) {
  uint64_t at = *end;
  *end = (at + bytes + 255) / 256 * 256;
  return at;
}

#endif
