/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "exhaustive/search.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX };

struct found {
  const struct search_machine *k;
  char *states;
  uint32_t n, limit, slots; /* slots: a power of two */
  uint32_t *slot, *from;    /* hash table of states; the predecessor of each state on a shortest path */
  struct search_moves *m;
  struct search_result r;
};

static void *room(size_t n, size_t size) {
  void *p = calloc(n, size);
  if (p == NULL) {
    fprintf(stderr, "search: out of memory\n");
    exit(7);
  }
  return p;
}

static char *state_of(const struct found *f, uint32_t i) {
  return f->states + (size_t)i * f->k->bytes;
}

void search_add(struct search_moves *m, size_t bytes, const void *state, const char *label) {
  if (m->n == SEARCH_MOVES) abort();
  memcpy(m->state + m->n * bytes, state, bytes);
  snprintf(m->label[m->n], SEARCH_LABEL, "%s", label);
  m->n++;
}

/* ---- the set of states ---- */

static uint64_t hash(const char *state, size_t bytes) {
  uint64_t h = 0x9e3779b97f4a7c15;
  for (size_t k = 0; k < bytes; k++) h = (h ^ (uint8_t)state[k]) * 0x100000001b3;
  return h ^ h >> 29;
}

/* Returns the slot of the state, or the free slot for it. */
static uint32_t *slot_of(struct found *f, const char *state) {
  uint32_t at = (uint32_t)hash(state, f->k->bytes) & (f->slots - 1);
  while (f->slot[at] != NONE && memcmp(state_of(f, f->slot[at]), state, f->k->bytes) != 0)
    at = (at + 1) & (f->slots - 1);
  return &f->slot[at];
}

/* Returns false if out of memory. */
static bool enter(struct found *f, const char *state, uint32_t from) {
  uint32_t *slot = slot_of(f, state);
  if (*slot != NONE) return true;
  if (f->n == f->limit) return false;
  memcpy(state_of(f, f->n), state, f->k->bytes);
  f->from[f->n] = from;
  *slot = f->n++;
  return true;
}

static void moves_of(struct found *f, uint32_t i) {
  f->m->n = 0;
  f->k->moves(f->k->ctx, state_of(f, i), f->m);
}

/* ---- output ---- */

static void report_move(struct found *f, uint32_t i, uint32_t next, FILE *way) {
  moves_of(f, i);
  for (unsigned k = 0; k < f->m->n; k++) {
    if (memcmp(f->m->state + k * f->k->bytes, state_of(f, next), f->k->bytes) != 0) continue;
    fprintf(way, "    %s\n", f->m->label[k]);
    return;
  }
}

static void report_way(struct found *f, uint32_t i, FILE *way) {
  if (f->from[i] == NONE) return;
  report_way(f, f->from[i], way);
  report_move(f, f->from[i], i, way);
}

static void stop(struct found *f, enum search_end end, const char *rule, uint32_t i, FILE *way) {
  f->r.end = end;
  f->r.rule = rule;
  if (way != NULL) report_way(f, i, way);
}

/* ---- breadth first ---- */

/* Returns false if the state is wrong. */
static bool look(struct found *f, uint32_t i, FILE *way) {
  const char *rule = f->k->judge(f->k->ctx, state_of(f, i));
  if (rule != NULL) {
    stop(f, SEARCH_BROKEN, rule, i, way);
    return false;
  }
  moves_of(f, i);
  f->r.moves += f->m->n;
  if (!f->m->n && f->k->over != NULL && !f->k->over(f->k->ctx, state_of(f, i))) {
    stop(f, SEARCH_DEADLOCK, "nothing can move, and it is not over", i, way);
    return false;
  }
  for (unsigned k = 0; k < f->m->n; k++) {
    if (enter(f, f->m->state + k * f->k->bytes, i)) continue;
    stop(f, SEARCH_TOO_LARGE, "more states than there is room for", i, NULL);
    return false;
  }
  return true;
}

/* ---- cycles: depth first, with the longest path from each finished state ---- */

struct step {
  uint32_t state, move; /* the next move to try */
};

static void report_circle(struct found *f, const struct step *stack, uint32_t depth, uint32_t again, FILE *way) {
  uint32_t k = 0;
  while (stack[k].state != again) k++;
  stop(f, SEARCH_CIRCLE, "it can go in circles", again, way);
  if (way == NULL) return;
  fprintf(way, "    -- round and round:\n");
  for (; k < depth; k++) report_move(f, stack[k].state, k + 1 < depth ? stack[k + 1].state : again, way);
}

static void walk(struct found *f, FILE *way) {
  struct step *stack = room(f->n + 1, sizeof *stack);
  uint32_t *longest = room(f->n, sizeof *longest), depth = 1; /* 0 not seen, 1 on the stack, else moves + 2 */
  longest[0] = 1;
  while (depth && f->r.end == SEARCH_FINE) {
    struct step *top = &stack[depth - 1];
    moves_of(f, top->state);
    uint32_t best = 2;
    for (unsigned k = 0; k < top->move; k++) {
      const uint32_t far = longest[*slot_of(f, f->m->state + k * f->k->bytes)] + 1;
      if (far > best) best = far;
    }
    if (top->move == f->m->n) {
      longest[top->state] = best;
      depth--;
      continue;
    }
    const uint32_t next = *slot_of(f, f->m->state + top->move++ * f->k->bytes);
    if (longest[next] == 1) report_circle(f, stack, depth, next, way);
    if (longest[next] != 0) continue;
    longest[next] = 1;
    stack[depth++] = (struct step){next, 0};
  }
  if (f->r.end == SEARCH_FINE) f->r.longest = longest[0] - 2;
  free(stack);
  free(longest);
}

struct search_result search(const struct search_machine *k, const void *first, uint32_t limit, FILE *way) {
  struct found f = {.k = k, .limit = limit, .slots = 1};
  while (f.slots < 2 * limit) f.slots *= 2;
  f.states = room(limit, k->bytes);
  f.slot = room(f.slots, sizeof *f.slot);
  f.from = room(limit, sizeof *f.from);
  f.m = room(1, sizeof *f.m);
  f.m->state = room(SEARCH_MOVES, k->bytes);
  memset(f.slot, 0xff, f.slots * sizeof *f.slot);
  enter(&f, first, NONE);
  for (uint32_t i = 0; i < f.n && look(&f, i, way);) i++;
  if (f.r.end == SEARCH_FINE && k->ends) walk(&f, way);
  f.r.states = f.n;
  free(f.states);
  free(f.slot);
  free(f.from);
  free(f.m->state);
  free(f.m);
  return f.r;
}

const char *search_name(enum search_end end) {
  static const char *const names[] = {"fine", "broken", "deadlock", "circle", "too large"};
  return names[end];
}
