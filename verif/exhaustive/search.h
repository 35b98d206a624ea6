/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* search: visits every reachable state of a small machine, breadth first. States are plain bytes of one size, without
 * padding; states with equal bytes are equal. A machine that must terminate is also checked for cycles. A failure is
 * printed with the shortest path to it, one move per line (for a cycle: the path to it, then once around it). */
#ifndef HD_SEARCH_H
#define HD_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { SEARCH_MOVES = 64, SEARCH_LABEL = 48 };

/* Collects the moves of a machine. */
struct search_moves {
  unsigned n;
  char *state; /* where the next state goes: room for SEARCH_MOVES */
  char label[SEARCH_MOVES][SEARCH_LABEL];
};

struct search_machine {
  size_t bytes;
  /* Adds all moves from a state. */
  void (*moves)(const void *ctx, const void *state, struct search_moves *m);
  /* Returns NULL, or the rule that a state breaks. */
  const char *(*judge)(const void *ctx, const void *state);
  /* Returns whether it may stop here; NULL: anywhere. */
  bool (*over)(const void *ctx, const void *state);
  bool ends; /* it must have no cycle */
  const void *ctx;
};

enum search_end { SEARCH_FINE, SEARCH_BROKEN, SEARCH_DEADLOCK, SEARCH_CIRCLE, SEARCH_TOO_LARGE };

struct search_result {
  enum search_end end;
  const char *rule;       /* the broken rule */
  uint64_t states, moves; /* found so far */
  uint32_t longest;       /* longest path from the first state to a final one, of a machine that terminates */
};

/* Adds a move; copies the state. */
void search_add(struct search_moves *m, size_t bytes, const void *state, const char *label);

/* Searches from this state on, at most `limit` states; prints the path to a failure to `way` unless that is NULL. */
struct search_result search(const struct search_machine *k, const void *first, uint32_t limit, FILE *way);

/* Verdicts: fine, broken, deadlock, circle, too large. */
const char *search_name(enum search_end end);

#endif
