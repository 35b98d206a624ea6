/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "exhaustive/channel_ring.h"

#include <string.h>

enum element { FREE, RESERVED, READY, DISPATCHED, DONE };

static void release(const struct graph *g, struct ring *r) {
  while (r->used) {
    unsigned n = g->grain - r->head % g->grain;
    if (n > r->used) return;
    for (unsigned k = 0; k < n; k++)
      if (r->element[(r->head + k) % g->capacity] != DONE) return;
    for (unsigned k = 0; k < n; k++) r->element[(r->head + k) % g->capacity] = FREE;
    r->head = (uint8_t)((r->head + n) % g->capacity);
    r->used = (uint8_t)(r->used - n);
  }
}

static unsigned skipped(const struct graph *g, const struct ring *r, unsigned n) {
  const unsigned tail = (r->head + r->used) % g->capacity;
  return tail + n > g->capacity ? g->capacity - tail : 0;
}

bool ring_fits(const struct graph *g, const struct ring *r, unsigned n) {
  return r->used + skipped(g, r, n) + n <= g->capacity;
}

bool ring_skips(const struct graph *g, const struct ring *r, unsigned n) {
  const unsigned tail = (r->head + r->used) % g->capacity;
  return g->literal != CROSSING && skipped(g, r, n) && r->used <= tail && !ring_fits(g, r, n);
}

void ring_reserve(const struct graph *g, struct ring *r, unsigned n, unsigned wave) {
  const unsigned skip = skipped(g, r, n);
  for (unsigned k = 0; k < skip + n; k++) {
    const unsigned place = (r->head + r->used++) % g->capacity;
    r->element[place] = (uint8_t)(k < skip ? DONE : RESERVED | wave << 4);
  }
}

void ring_skip(const struct graph *g, struct ring *r, unsigned n) {
  for (unsigned k = skipped(g, r, n); k; k--) r->element[(r->head + r->used++) % g->capacity] = DONE;
  release(g, r);
}

void ring_enqueue(const struct graph *g, struct ring *r, unsigned wave) {
  for (unsigned k = 0; k < r->used; k++) {
    const unsigned place = (r->head + k) % g->capacity;
    if (r->element[place] != (RESERVED | wave << 4)) continue;
    r->element[place] = READY;
    r->queue[r->ready++] = (uint8_t)place;
  }
}

void ring_take(struct ring *r, unsigned n, unsigned wave) {
  for (unsigned k = 0; k < n; k++) r->element[r->queue[k]] = (uint8_t)(DISPATCHED | wave << 4);
  r->ready = (uint8_t)(r->ready - n);
  memmove(r->queue, r->queue + n, r->ready);
  memset(r->queue + r->ready, 0, PLACES - r->ready);
}

void ring_finish(const struct graph *g, struct ring *r, unsigned wave) {
  for (unsigned k = 0; k < g->capacity; k++)
    if (r->element[k] == (DISPATCHED | wave << 4)) r->element[k] = DONE;
  release(g, r);
}

bool ring_is_empty(const struct graph *g, const struct ring *r) {
  for (unsigned k = 0; k < r->used; k++)
    if (r->element[(r->head + k) % g->capacity] != DONE) return false;
  return true;
}
