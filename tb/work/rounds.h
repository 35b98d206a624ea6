/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* rounds: common part of the workloads that a GPU program solves in rounds. Each round is a kernel over a list of
 * items; each thread has one item and walks its elements (for example vertices and their edges), flat or with launches
 * from the device. Each such workload is a struct hd_rounds_kind: its items, the work of an element, the next list, the
 * reference program.
 *
 * Each problem launches one kernel per round, with one thread per item of its list; the next round is launched when
 * kernel_done of the previous one arrives. Several problems run at once: problem k launches on HWQ k mod NumHwq.
 *
 * A TB's elements are visited when the TB ends. The result of a round must not depend on the order in which elements
 * are visited, so that every policy and configuration runs the same kernels. A thread takes CyclesPerElement for each
 * turn of its elements (an element is one turn, unless the kind defines turns()), a warp as long as its slowest thread,
 * a TB as long as its slowest warp plus Overhead.
 *
 * With a threshold, a thread whose item has at least that many elements, and enough for a TB of ChildSize threads,
 * launches floor(elements / ChildSize) such TBs (ceil if the kind rounds up), in which each thread has one element, and
 * walks the remaining elements itself. Its warp calls after Overhead; the threads walk their own elements after the
 * call. A round has ended when its kernel is reported and all its children have ended. With groups the one does not
 * imply the other, since a group may run as part of another problem's kernel: a program counts in memory.
 *
 * With opts.sync a TB that has launched waits for its children when its own work is done (cudaDeviceSynchronize()).
 *
 * opts.together is another way to share the work of large items: the threads of a warp together walk 32 elements of one
 * item at a time, then those of the next item. Such a warp takes as long as all its items one after the other.
 *
 * On SMXs that run warps (opts.warps) an element is visited by the warp that walks it, and durations come from the SMX:
 * rounds_warps.c. */
#ifndef HD_ROUNDS_H
#define HD_ROUNDS_H

#include <stddef.h>

#include "graph/graph.h"
#include "sim/work.h"
#include "work/rows.h"

/* Position of a walk: an element. */
struct hd_rounds_at {
  uint32_t problem, place, item; /* place: in the list of the round */
  uint64_t element;
  uint32_t turn, turns; /* turn of the element, and their number if the kind counts them */
};

/* A load or store of a thread. */
struct hd_rounds_step {
  enum hd_warp_kind kind;
  uint32_t before; /* instructions before it, about those that a compiler generates */
};

/* Result of a workload, for reports. */
#define HD_ROUNDS_COUNTS 3u
struct hd_rounds_found {
  struct {
    const char *key; /* NULL: none */
    uint64_t value;
  } count[HD_ROUNDS_COUNTS];
  char text[128]; /* the same as a sentence */
};

/* Input of a kind; each kind uses the fields that it needs. */
enum hd_rounds_input { HD_ROUNDS_GRAPH, HD_ROUNDS_LINES, HD_ROUNDS_STANZAS, HD_ROUNDS_MADE };
struct hd_rounds_data {
  const struct hd_graph *graph;
  const struct hd_rows *rows; /* NULL: generated */
  struct hd_rounds_made {
    uint32_t rows;
    bool uniform; /* uniform keys; otherwise skewed */
    uint64_t seed;
  } made;
  const char *expression; /* NULL: HD_REGX_DEFAULT */
};

struct hd_rounds_kind {
  const char *name;
  const char *one, *many; /* names of a problem: search, searches */
  const char *plain;      /* the reference program: "a plain BFS" */
  enum hd_rounds_input input;
  bool round_up;   /* round the TBs of a child up */
  bool weights;    /* uses the weights of the graph */
  bool undirected; /* requires an undirected graph */
  bool single;     /* one problem at a time by default */
  /* The program of a thread: loads and stores before its walk, then those of each turn of an element. A child's thread
   * skips the former. */
  const struct hd_rounds_step *head, *body;
  unsigned heads, bodies;

  /* Creates the state of *problems problems, or of fewer (updates *problems); *items: the maximum length of a list.
   * Returns NULL if out of memory. */
  void *(*open)(const struct hd_rounds_data *data, uint32_t *problems, uint32_t *items);
  void (*close)(void *state);
  /* Writes the first list of a problem and returns its length. NULL: all *items items. */
  uint32_t (*begin)(void *state, uint32_t problem, uint32_t *list);
  /* Returns the graph whose vertices are the items and whose edges are the elements: its col[element]. NULL: use
   * range(). */
  const struct hd_graph *(*graph)(const void *state);
  /* Sets the elements of an item in the round that begins: *from to *to - 1. */
  void (*range)(const void *state, uint32_t problem, uint32_t item, uint64_t *from, uint64_t *to);
  /* Returns the turns of an element, 1 or more; NULL: one. */
  uint32_t (*turns)(const void *state, const struct hd_rounds_at *at);
  /* Returns the address of step `step` of the head. */
  uint64_t (*head_address)(const void *state, const struct hd_rounds_at *at, unsigned step);
  /* Adds the accesses of n threads of a warp in step `step` of the body: hd_rounds_touch() with a function of one
   * thread. */
  void (*body_touch)(const void *state, const struct hd_rounds_at *at, uint32_t n, unsigned step,
                     struct hd_warp_op *op);
  /* Does the work of elements `at` to end - 1, each after its last turn. */
  void (*visit)(void *state, struct hd_rounds_at at, uint64_t end);
  /* A round over list[0] to list[n - 1] has ended: writes the next list in its place and returns its length; 0: the
   * problem is solved. */
  uint32_t (*next)(void *state, uint32_t problem, uint32_t round, uint32_t *list, uint32_t n);
  /* Sets *wrong if the result differs from that of an independent plain program. Returns false if out of memory. */
  bool (*check)(const void *state, uint32_t problem, bool *wrong);
  /* Fills in the result over all problems. */
  void (*found)(const void *state, struct hd_rounds_found *found);
};

struct hd_rounds_opts {
  uint32_t problems;
  uint32_t block_size; /* threads per TB */
  uint32_t regs;       /* per thread */
  uint32_t smem;       /* per TB, in units of 256 bytes */
  uint32_t overhead;
  uint32_t cycles_per_element;
  uint32_t num_hwq;
  uint64_t seed;       /* seed of the jitter; 0 = none */
  uint32_t jitter;     /* each launch is delayed by 0 to this many cycles */
  uint32_t threshold;  /* number of elements from which on a thread launches; 0: none does */
  uint32_t child_size; /* threads per TB of a child */
  bool sync;           /* a TB ends after everything that it launched */
  bool together;       /* a warp's threads walk the elements of one item after the other; requires threshold 0 */
  bool warps;          /* elements are visited by operations of warps instead of at the TB's end */
};

struct hd_rounds;

/* Creates the workload. The data must outlive it. Returns NULL if out of memory. */
struct hd_rounds *hd_rounds_new(const struct hd_rounds_kind *kind, const struct hd_rounds_data *data,
                                const struct hd_rounds_opts *o);
void hd_rounds_free(struct hd_rounds *r);
struct hd_work hd_rounds_work(struct hd_rounds *r);
/* Returns the number of problems. */
uint32_t hd_rounds_problems(const struct hd_rounds *r);
/* Returns the state of the kind. */
const void *hd_rounds_state(const struct hd_rounds *r);
const struct hd_rounds_kind *hd_rounds_kind(const struct hd_rounds *r);
/* Compares all problems with the reference program; *wrong: number of wrong ones. Returns false if out of memory. */
bool hd_rounds_check(const struct hd_rounds *r, uint32_t *wrong);

/* Returns the kind with that name, or NULL. */
#define HD_ROUNDS_NAMES "bfs sssp clr join regx rec amr bht"
const struct hd_rounds_kind *hd_rounds_find(const char *name);

/* Sets *address for step `step` of the body. Returns false if the thread is inactive in it. */
typedef bool hd_rounds_address(const void *state, const struct hd_rounds_at *at, unsigned step, uint64_t *address);

/* Adds the accesses of the threads that have turns left and are active. sim speed: inlined together with the function
 * of one thread. */
static inline void hd_rounds_touch(hd_rounds_address *address_of, const void *state, const struct hd_rounds_at *at,
                                   uint32_t n, unsigned step, struct hd_warp_op *op) {
  for (uint32_t k = 0; k < n; k++) {
    uint64_t address;
    if (at[k].turn >= at[k].turns || !address_of(state, &at[k], step, &address)) continue;
    hd_warp_touch(op, address);
    op->lanes++;
  }
}

/* Places arrays one after the other: returns the address of an array of that size. */
static inline uint64_t hd_rounds_put(uint64_t *end, uint64_t bytes) {
  uint64_t at = *end;
  *end = (at + bytes + 255) / 256 * 256;
  return at;
}

#endif
