/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* channel_ring: the elements of one channel of a channel_machine, each with its own state. */
#ifndef HD_CHANNEL_RING_H
#define HD_CHANNEL_RING_H

#include "exhaustive/channel_machine.h"

struct ring {
  uint8_t head, used, ready; /* place of the first; elements not freed; in the queue */
  uint8_t element[PLACES];   /* by place: its state, and 16 times its wavefront */
  uint8_t queue[PLACES];     /* places in the order of publication */
};

/* Returns whether n more fit contiguously, from the tail on, or from place 0 after skipping the places to the end. */
bool ring_fits(const struct graph *g, const struct ring *r, unsigned n);

/* Returns whether the used places leave room for the skip alone, after which a grant can begin at place 0; makes that
   skip. */
bool ring_skips(const struct graph *g, const struct ring *r, unsigned n);
void ring_skip(const struct graph *g, struct ring *r, unsigned n);

/* n fitting elements are reserved for the wavefront; its elements enter the queue; the first n of the queue are
 * assigned to it; it is done with them. */
void ring_reserve(const struct graph *g, struct ring *r, unsigned n, unsigned wave);
void ring_enqueue(const struct graph *g, struct ring *r, unsigned wave);
void ring_take(struct ring *r, unsigned n, unsigned wave);
void ring_finish(const struct graph *g, struct ring *r, unsigned wave);

/* Returns whether all used elements are done; a partial grain may remain. */
bool ring_is_empty(const struct graph *g, const struct ring *r);

#endif
