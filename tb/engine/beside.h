/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* beside: what a waveform shows beside the RTL's signals, in a scope `lockstep`: the cycle as reports count it, and, on
 * demand, the golden model's values of all that is compared, each under the name that reports give it
 * (lockstep.model.sched.tbcr[2].valid[1]). */
#ifndef HD_BESIDE_H
#define HD_BESIDE_H

#include <stdbool.h>

struct hd_sim;

/* Begins a waveform of the simulation; `model`: with the model's values, which takes its time. */
void hd_beside_open(struct hd_sim *s, const char *fst, bool model);
/* The inputs that both sides have from now on. */
void hd_beside_inputs(struct hd_sim *s, const void *in);
/* Ends it; nothing if there is none. */
void hd_beside_close(struct hd_sim *s);

#endif
