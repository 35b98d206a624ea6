/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* beside: the signals that the harness adds to a waveform, in the scope `lockstep`: the cycle number of the reports
 * and, on request, the golden model's value of every compared field, under the name used in reports
 * (lockstep.model.sched.tbcr[2].valid[1]). */
#ifndef HD_WAVE_MODEL_H
#define HD_WAVE_MODEL_H

#include <stdbool.h>

struct hd_sim;

/* Opens a waveform of the simulation. `model` adds the model's values, which is slow. */
void hd_wave_model_open(struct hd_sim *s, const char *fst, bool model);
/* Sets the inputs with which the model's outputs are recorded from now on. */
void hd_wave_model_inputs(struct hd_sim *s, const void *in);
/* Closes the waveform; does nothing if none is open. */
void hd_wave_model_close(struct hd_sim *s);

#endif
