/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* devq_inside: the parts of devq and what they do for each other. Shared by the files of devq, not installed.
 *
 *   devq.c        the turns of the SMXs, q, A1, A2, answers     hd_devq, hd_devq_turns, .._judge, .._room, .._answers
 *   devq_tell.c   A3: kernels, saves, holds that end, events    hd_devq_tell */
#ifndef HD_DEVQ_INSIDE_H
#define HD_DEVQ_INSIDE_H

#include "launch/devq.h"

/* The code of the answer to what is in A3: a group that found no room in its bank is refused; one that found no AGE
 * stays in its record. */
enum hd_code hd_devq_answer_code(const struct hd_devq *m, const struct hd_devq_in *in);

/* The outputs of A3. */
void hd_devq_show_a3(const struct hd_devq *m, const struct hd_devq_in *in, struct hd_devq_out *out);

#endif
