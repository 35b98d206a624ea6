/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* search: every reachable state of a small machine, breadth first. States are plain bytes of one size, without padding;
 * two that are equal as bytes are one. A machine that is to come to an end is asked whether it can go in circles, too.
 * What is found is told with the shortest way to it, one move a line (a circle: the way to it, then round it). */
#ifndef HD_SEARCH_H
#define HD_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { SEARCH_MOVES = 64, SEARCH_LABEL = 48 };

/* What a machine puts its moves into. */
struct search_moves {
  unsigned n;
  char *state; /* where the next one goes: SEARCH_MOVES of them */
  char label[SEARCH_MOVES][SEARCH_LABEL];
};

struct search_machine {
  size_t bytes;
  /* All moves from a state. */
  void (*moves)(const void *ctx, const void *state, struct search_moves *m);
  /* NULL, or the rule that a state breaks. */
  const char *(*judge)(const void *ctx, const void *state);
  /* It may rest here; NULL: anywhere. */
  bool (*over)(const void *ctx, const void *state);
  bool ends; /* it must not go in circles */
  const void *ctx;
};

enum search_end { SEARCH_FINE, SEARCH_BROKEN, SEARCH_DEADLOCK, SEARCH_CIRCLE, SEARCH_TOO_LARGE };

struct search_result {
  enum search_end end;
  const char *rule;       /* that was broken */
  uint64_t states, moves; /* found up to the end */
  uint32_t longest;       /* way from the first state to a last one, of a machine that ends */
};

/* Adds a move; the state is copied. */
void search_add(struct search_moves *m, size_t bytes, const void *state, const char *label);

/* From this state on, at most `limit` states; the way to what is wrong goes to `way` unless that is NULL. */
struct search_result search(const struct search_machine *k, const void *first, uint32_t limit, FILE *way);

/* fine, broken, deadlock, circle, too large. */
const char *search_name(enum search_end end);

#endif
