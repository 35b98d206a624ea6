/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* rounds_inside: declarations shared by rounds.c (kernels, TBs on timers), rounds_device.c (launches from TBs) and
 * rounds_warps.c (operations of warps). */
#ifndef HD_ROUNDS_INSIDE_H
#define HD_ROUNDS_INSIDE_H

#include "common/bits.h"
#include "work/rounds.h"

enum hd_rounds_progress { HD_ROUNDS_WAITS, HD_ROUNDS_RUNS, HD_ROUNDS_SOLVED };

/* Elements from .. to - 1. */
struct hd_rounds_range {
  uint64_t from, to;
};

struct hd_rounds_problem {
  enum hd_rounds_progress progress;
  uint32_t round;
  uint64_t ready_at; /* HD_ROUNDS_WAITS: cycle in which its next kernel is launched */
  uint32_t *list;
  struct hd_rounds_range *range; /* elements of each place in the list; without a graph */
  uint32_t n;                    /* length of the list */
  uint64_t listed;               /* items of all previous rounds */
  uint32_t children;             /* children of this round that have not ended */
  bool reported;                 /* this round's kernel is done */
  /* A bit for each place in the list: */
  uint64_t *launches; /* its thread launches */
  uint64_t *alone;    /* its thread does the work that it could not launch */
};

struct hd_rounds {
  const struct hd_rounds_kind *kind;
  void *state;
  const struct hd_graph *graph; /* or NULL */
  struct hd_rounds_opts o;
  struct hd_work_device device;
  struct hd_rounds_problem *problem;
  uint32_t running;    /* problems that are not solved */
  uint32_t items;      /* items per problem, such as vertices */
  uint32_t *of_kernel; /* problem of each kernel */
  uint32_t kernels, cap;
};

/* Returns the elements of a place in a problem's list. */
static inline struct hd_rounds_range hd_rounds_range(const struct hd_rounds *r, const struct hd_rounds_problem *p,
                                                     uint32_t place) {
  if (r->graph == NULL) return p->range[place];
  const uint64_t *row = &r->graph->row[p->list[place]];
  return (struct hd_rounds_range){row[0], row[1]};
}

/* A split of these elements: `from` to `own` - 1 are a child's, `own` to `to` - 1 the thread's. */
struct hd_rounds_split {
  uint64_t from, own, to;
  uint32_t ctas; /* TBs of the child; 0: no child */
};
/* Returns the split of a thread that launches. */
struct hd_rounds_split hd_rounds_split_launch(const struct hd_rounds *r, const struct hd_rounds_problem *p,
                                              uint32_t place);
/* Returns the split of any thread. */
static inline struct hd_rounds_split hd_rounds_split(const struct hd_rounds *r, const struct hd_rounds_problem *p,
                                                     uint32_t place) {
  if (hd_bit(p->launches, place)) return hd_rounds_split_launch(r, p, place);
  const struct hd_rounds_range all = hd_rounds_range(r, p, place);
  return (struct hd_rounds_split){all.from, all.from, all.to, 0};
}

/* Returns the problem of a TB, and the places of the list that it works on: *from to *to - 1. */
struct hd_rounds_problem *hd_rounds_slice(const struct hd_rounds *r, uint32_t kernel, uint32_t blkid, uint32_t *from,
                                          uint32_t *to);
static inline struct hd_rounds_at hd_rounds_at(const struct hd_rounds *r, const struct hd_rounds_problem *p,
                                               uint32_t place, uint64_t element) {
  return (struct hd_rounds_at){
      .problem = (uint32_t)(p - r->problem), .place = place, .item = p->list[place], .element = element, .turns = 1};
}

static inline uint32_t hd_rounds_turns(const struct hd_rounds *r, const struct hd_rounds_at *at) {
  return r->kind->turns != NULL ? r->kind->turns(r->state, at) : 1;
}

static inline uint32_t hd_lesser(uint32_t x, uint32_t y) {
  return x < y ? x : y;
}

/* Returns the cycles that a thread takes to walk these elements. */
uint64_t hd_rounds_walk(const struct hd_rounds *r, const struct hd_rounds_problem *p, uint32_t place, uint64_t from,
                        uint64_t to);
/* Returns the cycles that the slowest thread of a warp takes for the elements that it walks itself. */
uint64_t hd_rounds_warp_walk(const struct hd_rounds *r, const struct hd_rounds_problem *p, uint32_t from, uint32_t to);
/* Returns true if a thread of the warp launches. */
static inline bool hd_rounds_launch(const struct hd_rounds_problem *p, uint32_t from, uint32_t to) {
  for (uint32_t k = from / 64; k * 64 < to; k++) {
    uint64_t word = p->launches[k];
    if (k * 64 < from) word &= ~UINT64_C(0) << (from % 64);
    if (to - k * 64 < 64) word &= ~(~UINT64_C(0) << (to % 64));
    if (word != 0) return true;
  }
  return false;
}
/* Does the work of these elements. */
void hd_rounds_visit(const struct hd_rounds *r, const struct hd_rounds_problem *p, uint32_t place, uint64_t from,
                     uint64_t to);

/* Ends the round if its kernel and all its children have ended. */
void hd_rounds_end(struct hd_rounds *r, uint64_t now, uint32_t problem);

/* Address of a child's program; the value does not matter. */
#define HD_ROUNDS_CHILD_PC 0x2000u
struct hd_work_device hd_rounds_device(const struct hd_rounds *r);

/* Generates the operations of the warps. */
extern const struct hd_warp_source hd_rounds_warps;

#endif
