/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Finds a cycle to report: walks from parent to parent among the TBs that were not visited, then shortens the cycle by
 * searching, from a few of its TBs, for the shortest way back. O(V + E). */
#include <stdio.h>
#include <string.h>

#include "api/deplinks_inside.h"

enum { TRIES = 16, SHOWN = 6, SHORTEST = 2 };

#define UNSEEN UINT32_MAX

/* The TBs that were not visited, and the state of the search. */
struct search {
  const struct hd_dep_work *w;
  uint32_t nodes;
  /* by TB: UNSEEN, or its place in the walk; in a search, the TB from which it was reached as a parent */
  uint32_t *seen;
  uint16_t *queue; /* of a search; or the walk */
  uint16_t *best;  /* the shortest cycle so far, each TB the parent of the next */
  uint32_t length; /* its length */
  uint16_t start[TRIES];
  uint32_t starts;
};

static void forget(struct search *s) {
  for (uint32_t k = 0; k < s->nodes; k++) s->seen[k] = UNSEEN;
}

/* Every TB that was not visited has a parent that was not. */
static uint16_t parent_left(const struct hd_dep_work *w, uint16_t tb) {
  size_t k = w->in_row[tb];
  while (w->left[w->in[k]] == 0) k++;
  return w->in[k];
}

/* Walks from the first such TB to its first such parent, and so on, until a TB repeats. */
static void walk(struct search *s) {
  uint32_t n = 0;
  uint16_t tb = 0;
  while (s->w->left[tb] == 0) tb++;
  forget(s);
  for (; s->seen[tb] == UNSEEN; tb = parent_left(s->w, tb)) {
    s->seen[tb] = n;
    s->queue[n++] = tb;
  }
  uint32_t first = s->seen[tb];
  s->length = n - first;
  for (uint32_t k = 0; k < s->length; k++) s->best[k] = s->queue[n - 1 - k];
  s->starts = s->length < TRIES ? s->length : TRIES;
  for (uint32_t k = 0; k < s->starts; k++) s->start[k] = s->best[(uint64_t)k * s->length / s->starts];
}

/* Saves the path from `start` through its child `tb` back to it. */
static void keep(struct search *s, uint16_t start, uint16_t tb) {
  uint32_t n = 1;
  for (uint32_t t = tb; t != start; t = s->seen[t]) n++;
  if (n >= s->length) return;
  s->length = n;
  s->best[0] = start;
  n = 1;
  for (uint32_t t = tb; t != start; t = s->seen[t]) s->best[n++] = (uint16_t)t;
}

/* Finds the shortest cycle through `start`: breadth first from parent to parent. */
static void search_from(struct search *s, uint16_t start) {
  uint32_t head = 0, tail = 0;
  forget(s);
  s->seen[start] = start;
  s->queue[tail++] = start;
  while (head < tail) {
    uint16_t tb = s->queue[head++];
    for (size_t k = s->w->in_row[tb]; k < s->w->in_row[tb + 1]; k++) {
      uint16_t parent = s->w->in[k];
      if (parent == start) {
        keep(s, start, tb);
        return;
      }
      if (s->w->left[parent] == 0 || s->seen[parent] != UNSEEN) continue;
      s->seen[parent] = tb;
      s->queue[tail++] = parent;
    }
  }
}

/* Stores the cycle in *d, starting at its smallest TB. Returns false if out of memory. */
static bool hand_over(struct hd_deplinks *d, const struct search *s) {
  uint32_t first = 0;
  d->cycle = hd_dep_take(&d->memory, s->length, sizeof *d->cycle);
  if (d->cycle == NULL) return false;
  for (uint32_t k = 1; k < s->length; k++)
    if (s->best[k] < s->best[first]) first = k;
  for (uint32_t k = 0; k < s->length; k++) d->cycle[k] = s->best[(first + k) % s->length];
  d->cycle_length = s->length;
  return true;
}

static enum hd_deplinks_code refuse(struct hd_deplinks *d) {
  char list[SHOWN * sizeof(struct hd_dep_name) + 40];
  uint32_t shown = d->cycle_length <= SHOWN ? d->cycle_length : SHOWN - 1;
  int n = 0;
  for (uint32_t k = 1; k < shown; k++)
    n += snprintf(list + n, sizeof list - (size_t)n, "%s, ", hd_dep_name(d->grid, d->cycle[k]).s);
  if (shown < d->cycle_length) snprintf(list + n, sizeof list - (size_t)n, ".. (%u TBs), ", (unsigned)d->cycle_length);
  const struct hd_dep_name tb = hd_dep_name(d->grid, d->cycle[0]);
  return hd_dep_refuse(d, HD_DEPLINKS_CYCLE, d->cycle[0], "a cycle of parents and children: %s, %sand again %s", tb.s,
                       list, tb.s);
}

enum hd_deplinks_code hd_dep_cycle(struct hd_deplinks *d, const struct hd_dep_work *w) {
  struct search s = {.w = w, .nodes = d->nodes, .queue = w->queue};
  uint16_t tb = 0;
  s.seen = hd_dep_take(&d->memory, d->nodes, sizeof *s.seen);
  s.best = hd_dep_take(&d->memory, d->nodes, sizeof *s.best);
  bool good = s.seen != NULL && s.best != NULL;
  if (good) {
    walk(&s);
    for (uint32_t k = 0; k < s.starts && s.length > SHORTEST; k++) search_from(&s, s.start[k]);
    good = hand_over(d, &s);
  }
  hd_dep_release(&d->memory, s.seen);
  hd_dep_release(&d->memory, s.best);
  if (good) return refuse(d);
  while (w->left[tb] == 0) tb++;
  return hd_dep_refuse(d, HD_DEPLINKS_CYCLE, tb, "%s waits for a cycle; out of memory to list it",
                       hd_dep_name(d->grid, tb).s);
}
