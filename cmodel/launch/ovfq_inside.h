/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* ovfq_inside: the parts of ovfq and their functions. Shared by the files of ovfq, not installed.
 *
 *   ovfq.c         the memory port, its queues of writes and reads, the tag; arbitration   hd_ovfq in the RTL
 *   ovfq_lists.c   start, length and number of each list                                   hd_ovfq_lists
 *   ovfq_ahead.c   the walk: read-ahead, a window of pointers and rows of groups            hd_ovfq_ahead
 *
 * All three operate on the state of ovfq.h. */
#ifndef HD_OVFQ_INSIDE_H
#define HD_OVFQ_INSIDE_H

#include "launch/ovfq.h"

/* Tables, in the order of the CSV. */
enum { WRITE_ROW, WAIT_ROW, READ_ROW, KIN_ROW, PTR_ROW, SELF_ROW, INFO_ROW };

/* Returns true if row `row` of a ring of `rows` is one of the n from `first` on. */
static inline bool hd_ovfq_in_ring(unsigned row, unsigned first, unsigned n, unsigned rows) {
  return (row + rows - first) % rows < n;
}

/* ---- ovfq_lists.c ---- */

/* The edge: lists grow, shrink, leave and return. (ovfq.c counts the answers to writes.) */
void hd_ovfq_lists_step(struct hd_ovfq *m, const struct hd_ovfq_in *in);

/* Sets their registers. */
void hd_ovfq_lists_arch(const struct hd_ovfq *m, struct hd_ovfq_arch *a);

/* ---- ovfq_ahead.c ---- */

/* Actions of the walk at the edge, decided from the state at the start of the cycle. */
struct hd_ovfq_walk {
  unsigned plan;  /* number of places for the next read of the list; 0: no new plan */
  bool drop_plan; /* the current plan covers a pointer that is still in flight */
  bool straight;  /* the pushed pointer goes directly into the window */
  bool look;      /* a pointer is read from the window */
  bool enters;    /* the pointer read before gets a row */
  bool show;      /* the next row is offered */
};

/* Returns true if a read of the list is planned and may begin. */
bool hd_ovfq_ahead_wants_list(const struct hd_ovfq *m);

/* Returns true if the pointer at the rows needs a record. */
bool hd_ovfq_ahead_wants_record(const struct hd_ovfq *m, const struct hd_ovfq_in *in);

/* Decides the actions of a walk that continues. fetches: the wanted record is requested in this cycle. */
void hd_ovfq_ahead_decide(const struct hd_ovfq *m, const struct hd_ovfq_in *in, bool fetches, struct hd_ovfq_walk *w);

/* The edge of a walk that continues; before the lists change, and before a beat. */
void hd_ovfq_ahead_step(struct hd_ovfq *m, const struct hd_ovfq_in *in, const struct hd_ovfq_walk *w);

/* Discards everything read ahead. */
void hd_ovfq_ahead_stop(struct hd_ovfq *m);

/* Begins a walk at the first group of the tag's list. */
void hd_ovfq_ahead_begin(struct hd_ovfq *m);

/* Processes a beat of the oldest read while the walk continues. */
void hd_ovfq_ahead_beat(struct hd_ovfq *m, const struct hd_memdata *r);

/* Set its registers, and row `row` of its tables. */
void hd_ovfq_ahead_arch(const struct hd_ovfq *m, struct hd_ovfq_arch *a);
void hd_ovfq_ahead_arch_row(const struct hd_ovfq *m, unsigned row, struct hd_ovfq_arch *a);

#endif
