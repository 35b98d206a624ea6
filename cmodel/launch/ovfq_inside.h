/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* ovfq_inside: the parts of ovfq and what they do for each other. Shared by the files of ovfq, not installed.
 *
 *   ovfq.c         the memory port, its queues of writes and reads, the tag; what begins   hd_ovfq in the RTL
 *   ovfq_lists.c   where each list begins, how long it is, which number it has             hd_ovfq_lists
 *   ovfq_ahead.c   the walk: what is read ahead, a window of pointers and rows of groups   hd_ovfq_ahead
 *
 * All three work on the one state of ovfq.h. */
#ifndef HD_OVFQ_INSIDE_H
#define HD_OVFQ_INSIDE_H

#include "launch/ovfq.h"

/* Tables, in the order of the CSV. */
enum { WRITE_ROW, WAIT_ROW, READ_ROW, KIN_ROW, PTR_ROW, SELF_ROW, INFO_ROW };

/* Row `row` of a ring of so many counts: it is one of the n from `first` on. */
static inline bool hd_ovfq_in_ring(unsigned row, unsigned first, unsigned n, unsigned rows) {
  return (row + rows - first) % rows < n;
}

/* ---- ovfq_lists.c ---- */

/* The edge: the lists grow, shrink, come and go. (Answers to writes are counted in ovfq.c.) */
void hd_ovfq_lists_step(struct hd_ovfq *m, const struct hd_ovfq_in *in);

/* Their registers. */
void hd_ovfq_lists_arch(const struct hd_ovfq *m, struct hd_ovfq_arch *a);

/* ---- ovfq_ahead.c ---- */

/* What the walk does at the edge: decided from the state at the start of the cycle. */
struct hd_ovfq_walk {
  unsigned plan;  /* places that the next read of the list is to take; 0: no new plan */
  bool drop_plan; /* the plan that there is waits for a pointer that is on its way */
  bool straight;  /* the pointer that is pushed goes into the window */
  bool look;      /* a pointer is read from the window */
  bool enters;    /* the one that was read before gets a row */
  bool show;      /* the next row is offered */
};

/* A read of the list is planned, and may begin. */
bool hd_ovfq_ahead_wants_list(const struct hd_ovfq *m);

/* A pointer stands at the rows that needs a record. */
bool hd_ovfq_ahead_wants_record(const struct hd_ovfq *m, const struct hd_ovfq_in *in);

/* Decides all of it, of a walk that goes on. fetches: the record that is wanted is asked for in this cycle. */
void hd_ovfq_ahead_decide(const struct hd_ovfq *m, const struct hd_ovfq_in *in, bool fetches, struct hd_ovfq_walk *w);

/* The edge of a walk that goes on; before the lists change, and before a beat. */
void hd_ovfq_ahead_step(struct hd_ovfq *m, const struct hd_ovfq_in *in, const struct hd_ovfq_walk *w);

/* What was read ahead is not wanted any more. */
void hd_ovfq_ahead_stop(struct hd_ovfq *m);

/* A walk begins at the first group of the tag's list. */
void hd_ovfq_ahead_begin(struct hd_ovfq *m);

/* A beat of the oldest read while the walk goes on. */
void hd_ovfq_ahead_beat(struct hd_ovfq *m, const struct hd_memdata *r);

/* Its registers, and row `row` of its tables. */
void hd_ovfq_ahead_arch(const struct hd_ovfq *m, struct hd_ovfq_arch *a);
void hd_ovfq_ahead_arch_row(const struct hd_ovfq *m, unsigned row, struct hd_ovfq_arch *a);

#endif
