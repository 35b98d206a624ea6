/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* channel_figure: the example of channels-isca2014 section 3.2 (figure 4) as a run of block "apu".
 *
 * Two wavefronts of four lanes are producers of one channel of eight elements. Wavefront 0 reserves first. Wavefront 1
 * publishes first, so its elements are dispatched first. Its consumers are done first, but space is free again only
 * when those of 0 are done as well. The paper gives no times.
 *
 * The values of a step are observed at the ports: element states follow from answers and dispatches, the control array
 * is read from memory, and `room` is the answer to a request for all eight elements. */
#ifndef HD_CHANNEL_FIGURE_H
#define HD_CHANNEL_FIGURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/sim.h"

enum { HD_CHANNEL_FIGURE_STEPS = 8, HD_CHANNEL_FIGURE_ELEMENTS = 8 };

/* The channel at the end of a step. */
struct hd_channel_figure_step {
  uint64_t cycle;
  char element[HD_CHANNEL_FIGURE_ELEMENTS + 1]; /* . available, r reserved, R ready, D dispatched, d done */
  char control[HD_CHANNEL_FIGURE_ELEMENTS + 1]; /* offsets in the order of publication; . none */
  const char *room;                             /* for all eight elements: "yes" or "no"; "-": not requested */
};

struct hd_channel_figure {
  enum hd_verdict verdict; /* if not PASS, the steps are incomplete */
  char text[200];
  uint64_t cycles;
  uint32_t steps;
  struct hd_channel_figure_step step[HD_CHANNEL_FIGURE_STEPS];
};

/* Sets the configuration: a small one that has a channel of this size. */
void hd_channel_figure_config(struct hd_cfg *cfg);

/* Runs the example on an open simulation of block "apu". */
void hd_channel_figure_run(struct hd_sim *sim, struct hd_channel_figure *run);

/* Return the event of a step, and the paper's name for its time. */
const char *hd_channel_figure_event(unsigned step);
const char *hd_channel_figure_time(unsigned step);

/* Returns true if the end of a step agrees with the paper. Otherwise text names the first difference. */
bool hd_channel_figure_agrees(const struct hd_channel_figure_step *s, unsigned step, char *text, size_t text_size);

#endif
