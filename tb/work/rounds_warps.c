/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The operations of warps of a workload in rounds. A thread of a round's kernel:
 *
 *     the steps of the head; launch(..) if its item has enough elements;
 *     for (each of its elements) for (each turn) the steps of the body
 *     cudaDeviceSynchronize() if its warp has launched and opts.sync is set
 *
 * With opts.together, all threads of a warp walk the elements of one item, then those of the next.
 *
 * A thread of a child executes the body for one element, given by its parameters. A step of a warp's active threads is
 * one operation. A warp repeats a turn as often as the thread with most turns needs; threads that have walked all their
 * elements are inactive. */
#include "work/rounds_inside.h"

enum { BEFORE_CALL = 4, BEFORE_ITEM = 4, BEFORE_WAIT = 1, BEFORE_END = 1 }; /* instructions */

struct walk {
  uint32_t step; /* steps of the head, then the call, then the start of the loop, then steps of the body */
  uint32_t turn, turns;
  uint32_t n;                            /* threads with elements left */
  uint32_t stride;                       /* distance between two elements of a thread */
  uint32_t place, last;                  /* together: the next item; the end of the warp's items */
  bool waits;                            /* it waits for its children before it ends */
  bool shared;                           /* the item must be broadcast to all threads before the next operation */
  struct hd_rounds_at at[HD_WARP_LANES]; /* element of each such thread */
  uint64_t end[HD_WARP_LANES];
};

/* Returns the problem of a warp, and its places of the list: *from to *to - 1. */
static const struct hd_rounds_problem *threads_of(const struct hd_rounds *r, const struct hd_warp_tb *tb, uint32_t warp,
                                                  uint32_t *from, uint32_t *to) {
  const struct hd_rounds_problem *p = hd_rounds_slice(r, tb->kernel, tb->blkid, from, to);
  *from += warp * HD_WARP_LANES;
  if (*to > *from + HD_WARP_LANES) *to = *from + HD_WARP_LANES;
  if (*to < *from) *to = *from;
  return p;
}

/* Sets the turns of each thread's next element; one each if the kind does not define turns(). */
static void begin_elements(const struct hd_rounds *r, struct walk *w) {
  w->turn = 0;
  w->turns = 1;
  if (r->kind->turns == NULL) return;
  for (uint32_t k = 0; k < w->n; k++) {
    struct hd_rounds_at *at = &w->at[k];
    at->turn = 0;
    at->turns = r->kind->turns(r->state, at);
    if (at->turns > w->turns) w->turns = at->turns;
  }
}

static void add_elements(const struct hd_rounds *r, const struct hd_rounds_problem *p, struct walk *w, uint32_t place,
                         uint64_t from, uint64_t to) {
  if (from >= to) return;
  w->at[w->n] = hd_rounds_at(r, p, place, from);
  w->end[w->n++] = to;
}

/* Each thread of a child walks one element. */
static void begin_child(const struct hd_rounds *r, const struct hd_warp_tb *tb, uint32_t warp, struct walk *w) {
  const struct hd_rounds_problem *p = &r->problem[r->of_kernel[tb->kernel]];
  struct hd_rounds_split s = hd_rounds_split(r, p, tb->item);
  uint64_t first = s.from + (uint64_t)tb->blkid * r->o.child_size;
  for (uint32_t k = warp * HD_WARP_LANES; k < r->o.child_size && w->n < HD_WARP_LANES && first + k < s.own; k++)
    add_elements(r, p, w, tb->item, first + k, first + k + 1);
  begin_elements(r, w);
}

static uint32_t first_of_body(const struct hd_rounds *r) {
  return r->kind->heads + 2;
}

static void begin(void *ctx, const struct hd_warp_tb *tb, uint32_t warp, void *state) {
  const struct hd_rounds *r = ctx;
  struct walk *w = state;
  w->step = tb->child != 0 ? first_of_body(r) : 0;
  w->n = w->place = w->last = 0;
  w->stride = r->o.together ? HD_WARP_LANES : 1;
  w->shared = w->waits = false;
  if (tb->child != 0) begin_child(r, tb, warp, w);
}

/* Sets the elements that the threads of a round's kernel walk themselves. */
static void take_elements(const struct hd_rounds *r, const struct hd_rounds_problem *p, uint32_t from, uint32_t to,
                          struct walk *w) {
  w->place = from;
  w->last = to;
  for (uint32_t i = from; i < to && !r->o.together; i++) {
    struct hd_rounds_split s = hd_rounds_split(r, p, i);
    add_elements(r, p, w, i, hd_bit(p->alone, i) ? s.from : s.own, s.to);
  }
  begin_elements(r, w);
}

/* Together: takes the first elements of the next item that has any. Returns false if there is no such item. */
static bool take_item(const struct hd_rounds *r, const struct hd_rounds_problem *p, struct walk *w) {
  if (!r->o.together) return false;
  while (w->n == 0 && w->place < w->last) {
    const struct hd_rounds_split s = hd_rounds_split(r, p, w->place);
    for (uint32_t k = 0; k < HD_WARP_LANES; k++) add_elements(r, p, w, w->place, s.from + k, s.to);
    w->place++;
  }
  w->shared = true;
  begin_elements(r, w);
  return w->n != 0;
}

static void head_step(const struct hd_rounds *r, const struct hd_rounds_problem *p, uint32_t from, uint32_t to,
                      uint32_t step, struct hd_warp_op *op) {
  op->kind = r->kind->head[step].kind;
  op->instructions = r->kind->head[step].before;
  for (uint32_t i = from; i < to; i++) {
    const struct hd_rounds_at at = hd_rounds_at(r, p, i, 0);
    hd_warp_touch(op, r->kind->head_address(r->state, &at, step));
  }
}

/* The next step before the body. Returns false if it has no operation. */
static bool before_body(const struct hd_rounds *r, const struct hd_warp_tb *tb, uint32_t warp, struct walk *w,
                        struct hd_warp_op *op) {
  const uint32_t step = w->step++;
  uint32_t from, to;
  const struct hd_rounds_problem *p = threads_of(r, tb, warp, &from, &to);
  if (from == to) return false;
  op->lanes = to - from;
  if (step < r->kind->heads) {
    head_step(r, p, from, to, step, op);
    return true;
  }
  if (step > r->kind->heads) { /* the refused launches are known by now */
    take_elements(r, p, from, to, w);
    return false;
  }
  op->kind = HD_WARP_CALL;
  op->instructions = BEFORE_CALL;
  w->waits = r->o.sync && hd_rounds_launch(p, from, to);
  return hd_rounds_launch(p, from, to);
}

/* Visits the elements that were walked and advances each thread to its next element, if any. */
static void end_elements(const struct hd_rounds *r, struct walk *w) {
  uint32_t left = 0;
  for (uint32_t k = 0; k < w->n; k++) {
    struct hd_rounds_at at = w->at[k];
    r->kind->visit(r->state, at, at.element + 1);
    at.element += w->stride;
    if (at.element >= w->end[k]) continue;
    w->at[left] = at;
    w->end[left++] = w->end[k];
  }
  w->n = left;
  begin_elements(r, w);
}

/* The next step of the body. Returns false if it has no operation. */
static bool in_loop(const struct hd_rounds *r, struct walk *w, struct hd_warp_op *op) {
  const uint32_t first = first_of_body(r), step = w->step++ - first;
  op->kind = r->kind->body[step].kind;
  op->instructions = r->kind->body[step].before + (w->shared ? BEFORE_ITEM : 0);
  op->lanes = 0;
  r->kind->body_touch(r->state, w->at, w->n, step, op);
  w->shared &= op->lanes == 0;
  if (step + 1 == r->kind->bodies) {
    w->step = first;
    if (++w->turn == w->turns)
      end_elements(r, w);
    else
      for (uint32_t k = 0; k < w->n; k++) w->at[k].turn = w->turn;
  }
  return op->lanes != 0;
}

static void next(void *ctx, const struct hd_warp_tb *tb, uint32_t warp, void *state, struct hd_warp_op *op) {
  const struct hd_rounds *r = ctx;
  const struct hd_rounds_problem *p = &r->problem[r->of_kernel[tb->kernel]];
  struct walk *w = state;
  while (w->step < first_of_body(r))
    if (before_body(r, tb, warp, w, op)) return;
  while (w->n != 0 || take_item(r, p, w))
    if (in_loop(r, w, op)) return;
  op->kind = w->waits ? HD_WARP_WAIT : HD_WARP_END;
  op->instructions = w->waits ? BEFORE_WAIT : BEFORE_END;
  op->lanes = HD_WARP_LANES;
  w->waits = false;
}

const struct hd_warp_source hd_rounds_warps = {.state = sizeof(struct walk), .begin = begin, .next = next};
