/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* channel_ring: the elements of one channel of a channel_machine, each in a state of its own. */
#ifndef HD_CHANNEL_RING_H
#define HD_CHANNEL_RING_H

#include "exhaustive/channel_machine.h"

struct ring {
  uint8_t head, used, ready; /* place of the first; not freed; in the queue */
  uint8_t element[PLACES];   /* by place: its state, and 16 times the wavefront that has it */
  uint8_t queue[PLACES];     /* places in the order of publication */
};

/* n more fit: in one piece, from the tail on, or from place 0 if what is left to the end is skipped. */
bool ring_fits(const struct graph *g, const struct ring *r, unsigned n);

/* What is used leaves room for the skip alone, after which a grant can begin at place 0; and that skip. */
bool ring_skips(const struct graph *g, const struct ring *r, unsigned n);
void ring_skip(const struct graph *g, struct ring *r, unsigned n);

/* n that fit become the wavefront's; those of it go into the queue; the first n of the queue are given to it; and it is
 * done with them. */
void ring_reserve(const struct graph *g, struct ring *r, unsigned n, unsigned wave);
void ring_enqueue(const struct graph *g, struct ring *r, unsigned wave);
void ring_take(struct ring *r, unsigned n, unsigned wave);
void ring_finish(const struct graph *g, struct ring *r, unsigned wave);

/* All that is used is done: what may be left is a grain that is not full. */
bool ring_is_empty(const struct graph *g, const struct ring *r);

#endif
