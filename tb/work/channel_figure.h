/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* channel_figure: the example of channels-isca2014 section 3.2 (figure 4) as a run of block "apu".
 *
 * Two wavefronts of four lanes are producers of one channel of eight elements. Wavefront 0 reserves first, 1 publishes
 * first: its elements go first. The consumers of 1 are done first, and there is room again only when those of 0 are
 * done as well. The paper says nothing of times.
 *
 * What a step shows was seen at the ports: the states of the elements follow from answers and from what is handed out,
 * the control array is what lies in memory, room is what a request for all eight elements is answered. */
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
  const char *room;                             /* for all elements: "yes", "no", or "-", which was not asked */
};

struct hd_channel_figure {
  enum hd_verdict verdict; /* not PASS: what follows is not whole */
  char text[200];
  uint64_t cycles;
  uint32_t steps;
  struct hd_channel_figure_step step[HD_CHANNEL_FIGURE_STEPS];
};

/* The configuration: one of the smallest that have all of this. */
void hd_channel_figure_config(struct hd_cfg *cfg);

/* Runs the example on an open simulation of block "apu". */
void hd_channel_figure_run(struct hd_sim *sim, struct hd_channel_figure *run);

/* What happens in a step, and the paper's name of its time. */
const char *hd_channel_figure_event(unsigned step);
const char *hd_channel_figure_time(unsigned step);

/* Whether the end of a step is as in the paper. If not, text says what differs first. */
bool hd_channel_figure_agrees(const struct hd_channel_figure_step *s, unsigned step, char *text, size_t text_size);

#endif
