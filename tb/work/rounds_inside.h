/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* rounds_inside: what rounds.c (kernels, TBs that are timed) and rounds_warps.c (what warps run) share. */
#ifndef HD_ROUNDS_INSIDE_H
#define HD_ROUNDS_INSIDE_H

#include "common/bits.h"
#include "work/rounds.h"

enum hd_rounds_progress { HD_ROUNDS_WAITS, HD_ROUNDS_RUNS, HD_ROUNDS_SOLVED };

struct hd_rounds_problem {
  enum hd_rounds_progress progress;
  uint32_t round;
  uint64_t ready_at; /* when it waits: when its next kernel is launched */
  uint32_t *list;
  struct {
    uint64_t from, to;
  } * range;         /* of each item of the list: its elements are from .. to - 1 */
  uint32_t n;        /* of the list */
  uint32_t children; /* of this round that have not ended */
  bool reported;     /* this round's kernel is done */
  uint64_t *alone;   /* a bit for each place in the list: its thread does what it could not launch */
};

struct hd_rounds {
  const struct hd_rounds_kind *kind;
  void *state;
  struct hd_rounds_opts o;
  struct hd_work_device device;
  struct hd_rounds_problem *problem;
  uint32_t running;    /* problems that are not solved */
  uint32_t *of_kernel; /* the problem that launched it */
  uint32_t kernels, cap;
};

/* The elements of a place in a problem's list: those from `from` to `own` - 1 are a child's, the others its thread's.
 */
struct hd_rounds_split {
  uint64_t from, own, to;
  uint32_t ctas; /* of the child; 0: there is none */
};
struct hd_rounds_split hd_rounds_split(const struct hd_rounds *r, const struct hd_rounds_problem *p, uint32_t place);

/* The places of a TB: *from to *to - 1 of the list. */
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

/* Cycles of a thread that walks these elements. */
uint64_t hd_rounds_walk(const struct hd_rounds *r, const struct hd_rounds_problem *p, uint32_t place, uint64_t from,
                        uint64_t to);
/* Of the threads of a warp: what the slowest one walks itself .. */
uint64_t hd_rounds_warp_walk(const struct hd_rounds *r, const struct hd_rounds_problem *p, uint32_t from, uint32_t to);
/* .. and whether one of them launches. */
bool hd_rounds_launch(const struct hd_rounds *r, const struct hd_rounds_problem *p, uint32_t from, uint32_t to);
/* Does the work of these elements. */
void hd_rounds_visit(const struct hd_rounds *r, const struct hd_rounds_problem *p, uint32_t place, uint64_t from,
                     uint64_t to);

/* A round ends, if nothing of it is left. */
void hd_rounds_end(struct hd_rounds *r, uint64_t now, uint32_t problem);

/* The address of a child's program; any would do. */
#define HD_ROUNDS_CHILD_PC 0x2000u
struct hd_work_device hd_rounds_device(const struct hd_rounds *r);

/* The operations of the warps. */
extern const struct hd_warp_source hd_rounds_warps;

#endif
