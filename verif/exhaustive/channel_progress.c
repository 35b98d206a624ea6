/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* channel_progress: shows that channels always come to an end, however little room they have. Searches every reachable
 * state of small graphs of channels with their consumers and the aggregator (channel_machine), for any order of events
 * and any number of children per wavefront. Each run ends, since no state repeats, and all work is then done: no
 * deadlock, no livelock. The same search with one literal rule at a time must fail; `-v` prints the path to the
 * failure. */
#include <stdlib.h>
#include <string.h>

#include "exhaustive/channel_machine.h"

enum { LIMIT = 3000000 };

/* Graphs of two levels and of three, with continuations on each level but the last, as in Cilk; and a channel that
 * feeds itself. The last two are early: the aggregator does not know of anything that a wavefront should wait for, as
 * in the cycles in which its registers are out of date. */
#define CILK_2 .name = "cilk, 2 levels", LEVELS_2
#define CILK_3 .name = "cilk, 3 levels", LEVELS_3
#define EARLY_2 .name = "early, 2 levels", LEVELS_2
#define EARLY_3 .name = "early, 3 levels", LEVELS_3
#define LEVELS_2 .chans = 3, .chan = {{0, 0, 1, 2}, {1, 0, NO_CHANNEL, NO_CHANNEL}, {0, 1, NO_CHANNEL, NO_CHANNEL}}
#define LEVELS_3                                       \
  .chans = 5, .chan = {{0, 0, 1, 3},                   \
                       {1, 0, 2, 4},                   \
                       {2, 0, NO_CHANNEL, NO_CHANNEL}, \
                       {0, 1, NO_CHANNEL, NO_CHANNEL}, \
                       {1, 1, NO_CHANNEL, NO_CHANNEL}}
#define ITSELF .name = "itself", .chans = 1, .chan = {{0, 0, 0, NO_CHANNEL}}
#define SIZES(capacity_, grain_, lanes_, fan_) \
  .capacity = (capacity_), .grain = (grain_), .lanes = (lanes_), .fan = (fan_)
#define UNITS(cus_, slots_, records_) .cus = (cus_), .slots = (slots_), .records = (records_)

static const struct graph sound[] = {
    {CILK_2, SIZES(2, 1, 2, 1), UNITS(1, 1, 4), .host = 6},
    {CILK_2, SIZES(2, 2, 2, 1), UNITS(1, 2, 5), .host = 6},
    {CILK_2, SIZES(4, 1, 2, 2), UNITS(1, 2, 5), .host = 5},
    {CILK_2, SIZES(4, 4, 2, 2), UNITS(2, 1, 5), .host = 5},
    {CILK_2, SIZES(4, 2, 4, 1), UNITS(1, 1, 4), .host = 6},
    {CILK_3, SIZES(2, 1, 2, 1), UNITS(1, 1, 5), .host = 5},
    {CILK_3, SIZES(2, 2, 2, 1), UNITS(2, 1, 6), .host = 5},
    {CILK_3, SIZES(4, 1, 2, 2), UNITS(1, 1, 5), .host = 4},
    {CILK_3, SIZES(4, 2, 2, 2), UNITS(1, 2, 6), .host = 3},
    {ITSELF, SIZES(4, 1, 2, 2), UNITS(1, 2, 4), .host = 1, .budget = 3},
    {EARLY_2, SIZES(4, 1, 2, 2), UNITS(1, 2, 5), .host = 4, .literal = EARLY},
    {EARLY_3, SIZES(2, 2, 2, 1), UNITS(2, 1, 6), .host = 5, .literal = EARLY},
};

static const struct broken {
  const char *rule;
  enum search_end end;
  struct graph graph;
} broken[] = {
    {"a yield omits the size of its request",
     SEARCH_CIRCLE,
     {CILK_2, SIZES(4, 1, 2, 2), UNITS(1, 2, 5), .host = 5, .literal = YIELD_WITHOUT_N}},
    {"what is left waits for a producer that has yielded",
     SEARCH_DEADLOCK,
     {CILK_2, SIZES(4, 1, 2, 2), UNITS(1, 2, 5), .host = 5, .literal = PARTIAL_WAITS}},
    {"what is left waits for its own channel",
     SEARCH_DEADLOCK,
     {ITSELF, SIZES(4, 1, 2, 2), UNITS(1, 2, 3), .host = 1, .budget = 3, .literal = PARTIAL_WAITS}},
    {"what would cross the end makes no skip alone",
     SEARCH_DEADLOCK,
     {CILK_2, SIZES(4, 1, 2, 2), UNITS(1, 2, 5), .host = 5, .literal = CROSSING}},
    {"a skip is made only as a wavefront asks",
     SEARCH_DEADLOCK,
     {CILK_2, SIZES(4, 4, 2, 2), UNITS(1, 2, 5), .host = 5, .literal = ASKS_ONCE}},
    {"what is left waits for a continuation that waits",
     SEARCH_DEADLOCK,
     {CILK_2, SIZES(4, 1, 2, 2), UNITS(1, 2, 5), .host = 5, .literal = PREDICATE_HOLDS}},
    {"no yield record is kept for a continuation",
     SEARCH_DEADLOCK,
     {CILK_2, SIZES(4, 2, 4, 1), UNITS(1, 1, 3), .host = 6, .literal = POOL_LEVELS}},
    {"new work takes the last yield record",
     SEARCH_DEADLOCK,
     {CILK_2, SIZES(4, 1, 2, 2), UNITS(1, 1, 2), .host = 5, .literal = POOL_BLIND}},
    {"children are reserved before the continuation",
     SEARCH_DEADLOCK,
     {CILK_2, SIZES(2, 1, 1, 1), UNITS(1, 2, 5), .host = 4, .literal = CHILDREN_FIRST}},
    {"a wavefront waits for room in its own channel",
     SEARCH_DEADLOCK,
     {ITSELF, SIZES(2, 1, 2, 2), UNITS(1, 1, 3), .host = 1, .budget = 3}},
};

static struct search_result run(const struct graph *g, FILE *way) {
  const struct search_machine m = channel_machine(g);
  char *first = calloc(1, m.bytes);
  if (first == NULL) exit(7);
  channel_machine_first(g, first);
  const struct search_result r = search(&m, first, LIMIT, way);
  free(first);
  return r;
}

static bool holds(const struct graph *g, bool tell) {
  const struct search_result r = run(g, tell ? stdout : NULL);
  printf("  %-15s %4u %5u %5u %4u %3u x %u %7u  %8llu %8llu %7u  %s\n", g->name, g->capacity, g->grain, g->lanes,
         g->fan, g->cus, g->slots, g->records, (unsigned long long)r.states, (unsigned long long)r.moves, r.longest,
         r.end == SEARCH_FINE ? "ok" : "FAILED");
  return r.end == SEARCH_FINE;
}

static bool breaks(const struct broken *b, bool tell) {
  const struct search_result r = run(&b->graph, tell ? stdout : NULL);
  printf("  %-52s %8llu  %-8s  %s\n", b->rule, (unsigned long long)r.states, search_name(r.end),
         r.end == b->end ? "ok" : "FAILED");
  return r.end == b->end;
}

int main(int argc, char **argv) {
  const bool tell = argc == 2 && strcmp(argv[1], "-v") == 0;
  unsigned passed = 0, all = 0;
  printf("  %-15s %4s %5s %5s %4s %7s %7s  %8s %8s %7s\n", "graph", "C", "grain", "lanes", "fan", "CUs", "records",
         "states", "moves", "longest");
  for (unsigned k = 0; k < sizeof sound / sizeof *sound; k++, all++) passed += holds(&sound[k], tell);
  printf("\n  %-52s %8s\n", "with this rule instead", "states");
  for (unsigned k = 0; k < sizeof broken / sizeof *broken; k++, all++) passed += breaks(&broken[k], tell);
  printf("\n%u passed, %u failed\n", passed, all - passed);
  return passed != all;
}
