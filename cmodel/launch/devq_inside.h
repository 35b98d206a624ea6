/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* devq_inside: the parts of devq and their functions. Shared by the files of devq, not installed.
 *
 *   devq.c        rotation of SMXs, q, A1, A2, answers          hd_devq, hd_devq_arb, .._judge, .._room, .._answers
 *   devq_gate.c   which SMXs wait in their ports                hd_devq_gate
 *   devq_effects.c   A3: kernels, saves, holds that end, events    hd_devq */
#ifndef HD_DEVQ_INSIDE_H
#define HD_DEVQ_INSIDE_H

#include "launch/devq.h"

/* Decisions that hold for all SMXs in a cycle. */
struct hd_devq_gate {
  bool row, kernel, save;        /* there is room for one beat of the kind */
  bool row_passed, alone_passed; /* a skipped SMX waits with such a beat: others must not overtake it */
};
struct hd_devq_gate hd_devq_gate(const struct hd_devq *m, const struct hd_devq_in *in);

/* Returns the sort of the beat that an SMX offers. */
enum hd_devq_sort hd_devq_sort(const struct hd_devq *m, const struct hd_devq_in *in, unsigned smx);

/* Returns true if the SMX offers a beat that has to wait in its port. */
bool hd_devq_waits(const struct hd_devq *m, const struct hd_devq_in *in, const struct hd_devq_gate *g, unsigned smx);

/* Returns true if every launch of the SMX's bank in flight, and one more kernel, would find a place there. */
bool hd_devq_sure(const struct hd_devq *m, const struct hd_devq_in *in, unsigned smx);

/* Returns true if q holds a beat that needs exclusive passage. */
bool hd_devq_one_waits(const struct hd_devq *m);

/* Return the launches of the SMXs of a bank in q, A2 and A3, and the rows of spill reserved for launches there. */
unsigned hd_devq_fly(const struct hd_devq *m, unsigned bank);
unsigned hd_devq_promised(const struct hd_devq *m);

/* The edge: updates which SMXs were skipped. smx: the SMX whose beat was accepted, or -1. */
void hd_devq_step_gate(struct hd_devq *m, const struct hd_devq_in *in, int smx);

/* Returns true if the SMX has a place for one more answer, so that a beat may be accepted. */
static inline bool hd_devq_open(const struct hd_devq *m, unsigned smx) {
  return m->owed[smx] < m->cfg.ans_depth;
}

/* Returns the answer's code for the launch in A3: a group that found no room in its bank is refused; one that found no
 * AGE stays in its record. */
enum hd_code hd_devq_answer_code(const struct hd_devq *m, const struct hd_devq_in *in);

/* Sets the outputs of A3. */
void hd_devq_show_a3(const struct hd_devq *m, const struct hd_devq_in *in, struct hd_devq_out *out);

#endif
