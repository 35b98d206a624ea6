/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* devq_inside: the parts of devq and what they do for each other. Shared by the files of devq, not installed.
 *
 *   devq.c        the turns of the SMXs, q, A1, A2, answers     hd_devq, hd_devq_turns, .._judge, .._room, .._answers
 *   devq_gate.c   which SMXs wait in their ports                hd_devq_gate
 *   devq_tell.c   A3: kernels, saves, holds that end, events    hd_devq_tell */
#ifndef HD_DEVQ_INSIDE_H
#define HD_DEVQ_INSIDE_H

#include "launch/devq.h"

/* What is decided for all SMXs of a cycle. */
struct hd_devq_gate {
  bool row, kernel, save;        /* there is room for one of the sort */
  bool row_passed, alone_passed; /* an SMX that was passed over waits with such a beat: others do not go before it */
};
struct hd_devq_gate hd_devq_gate(const struct hd_devq *m, const struct hd_devq_in *in);

/* The sort of the beat that an SMX offers. */
enum hd_devq_sort hd_devq_sort(const struct hd_devq *m, const struct hd_devq_in *in, unsigned smx);

/* Does the SMX offer a beat that has to wait in its port? */
bool hd_devq_waits(const struct hd_devq *m, const struct hd_devq_in *in, const struct hd_devq_gate *g, unsigned smx);

/* Does every launch of the SMX's bank that is under way find a place there, and a kernel too? */
bool hd_devq_sure(const struct hd_devq *m, const struct hd_devq_in *in, unsigned smx);

/* Does q hold a beat that is to be alone? */
bool hd_devq_one_waits(const struct hd_devq *m);

/* Launches of the SMXs of a bank in q, A2 and A3; rows of spill that are promised to launches there. */
unsigned hd_devq_fly(const struct hd_devq *m, unsigned bank);
unsigned hd_devq_promised(const struct hd_devq *m);

/* The edge: who was passed over. smx: of which SMX a beat was taken, or -1. */
void hd_devq_step_gate(struct hd_devq *m, const struct hd_devq_in *in, int smx);

/* May an SMX have a beat taken: is there a place for its answer? */
static inline bool hd_devq_open(const struct hd_devq *m, unsigned smx) {
  return m->owed[smx] < m->cfg.ans_depth;
}

/* The code of the answer to what is in A3: a group that found no room in its bank is refused; one that found no AGE
 * stays in its record. */
enum hd_code hd_devq_answer_code(const struct hd_devq *m, const struct hd_devq_in *in);

/* The outputs of A3. */
void hd_devq_show_a3(const struct hd_devq *m, const struct hd_devq_in *in, struct hd_devq_out *out);

#endif
