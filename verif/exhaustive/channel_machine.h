/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* channel_machine: channels, their consumers and the aggregator without time, small enough for an exhaustive search.
 *
 * The host puts tasks into channel 0. A wavefront takes up to `lanes` elements of a channel. It may put elements into
 * the channel of their children: it reserves one element for a continuation if its channel has one, then m for
 * children, enqueues both, and frees the elements that it took. A wavefront that finds no room yields: its slot is
 * freed, its record is not. Of those that wait for a channel the first is granted its room when it fits, unless a
 * wavefront of its CU with granted room still waits for a slot there. It gets a slot in the same way as new work: the
 * deepest level goes first, a restart before new work of its level. Less than a full wavefront goes only when no
 * producer can add to it: none runs or is granted room, and none can begin.
 *
 * `literal` selects the paper's rules that we do not use, each by itself: each leads to a deadlock or a cycle. */
#ifndef HD_CHANNEL_MACHINE_H
#define HD_CHANNEL_MACHINE_H

#include "exhaustive/search.h"

enum { CHANS = 5, PLACES = 4, WAVES = 6, CUS = 2, NO_CHANNEL = 255 };

enum literal {
  SOUND,
  EARLY,           /* sound as well: ready work may go at any time, full or partial, in any order of the levels */
  YIELD_WITHOUT_N, /* a restart as soon as one element is free, without a grant: it requests again */
  PARTIAL_WAITS,   /* nothing partial while any element is upstream, yielded ones included */
  CROSSING,        /* a grant that would cross the end always needs room for the skipped places and for itself */
  ASKS_ONCE,       /* a skip is made only by a request, not while a restart waits */
  PREDICATE_HOLDS, /* nothing partial while any predicate holds, including that of a continuation that must wait */
  POOL_LEVELS,     /* a record is kept for each deeper level, and none for continuations */
  POOL_BLIND,      /* new work takes the last yield record */
  CHILDREN_FIRST   /* the client reserves for its children, then for the continuation */
};

struct graph_channel {
  uint8_t level, continuation; /* the consumer waits until every deeper level is empty */
  uint8_t child, after;        /* channels: children, continuations; NO_CHANNEL */
};

struct graph {
  const char *name;
  uint8_t chans, capacity, grain, lanes, fan; /* fan: largest number of children of an element */
  uint8_t cus, slots, records;
  uint8_t host, budget; /* tasks of the host; largest number of children in all (0: any) */
  struct graph_channel chan[CHANS];
  enum literal literal;
};

/* Returns a machine for search() over this graph, and its first state, of the size that the machine states. */
struct search_machine channel_machine(const struct graph *g);
void channel_machine_first(const struct graph *g, void *state);

#endif
