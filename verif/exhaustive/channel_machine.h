/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* channel_machine: channels, their consumers and the aggregator without time, small enough to be searched.
 *
 * The host puts tasks into channel 0. A wavefront takes up to `lanes` elements of a channel and, as it likes, puts
 * some into the channel of their children: it reserves one element for a continuation if its channel has one, then m
 * for children, enqueues both, and frees what it took. What finds no room yields: its slot is free, its record is not.
 * Of those that wait for a channel the first is given its room when it fits, unless one of its CU that was given room
 * still waits for a slot there; a slot it gets as new work does: of all that can go the deepest level goes first, a
 * restart before new work of its level. Less than a full wavefront goes only when no producer can add to it: none runs
 * or is given room, and none can begin.
 *
 * `literal` has the rules that were gone without, each by itself: what becomes of them is a deadlock or a circle. */
#ifndef HD_CHANNEL_MACHINE_H
#define HD_CHANNEL_MACHINE_H

#include "exhaustive/search.h"

enum { CHANS = 5, PLACES = 4, WAVES = 6, CUS = 2, NO_CHANNEL = 255 };

enum literal {
  SOUND,
  EARLY,           /* sound as well: what is ready may go at any time, whole or not, in any order of the levels */
  YIELD_WITHOUT_N, /* a restart as soon as one element is free, without a grant: it asks again */
  PARTIAL_WAITS,   /* nothing partial while anything upstream is there at all, yielded ones too */
  CROSSING,        /* a grant that would cross the end wants room for the skipped and for itself, always */
  ASKS_ONCE,       /* a skip is made only by who asks, not while a restart waits */
  PREDICATE_HOLDS, /* nothing partial while any predicate holds, that of a continuation that must wait too */
  POOL_LEVELS,     /* a record is kept for each deeper level, and none for continuations */
  POOL_BLIND,      /* new work takes the last yield record */
  CHILDREN_FIRST   /* the client reserves for its children, then for the continuation */
};

struct graph_channel {
  uint8_t level, continuation; /* it waits until every deeper level is empty */
  uint8_t child, after;        /* channels: children, continuations; NO_CHANNEL */
};

struct graph {
  const char *name;
  uint8_t chans, capacity, grain, lanes, fan; /* fan: children of an element, at most */
  uint8_t cus, slots, records;
  uint8_t host, budget; /* tasks of the host; children in all, at most (0: any) */
  struct graph_channel chan[CHANS];
  enum literal literal;
};

/* A machine for search() over this graph, and its first state (as many bytes as that tells). */
struct search_machine channel_machine(const struct graph *g);
void channel_machine_first(const struct graph *g, void *state);

#endif
