/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* heap: a priority queue of future events, earliest first; events of one cycle are ordered by `order`. */
#ifndef HD_HEAP_H
#define HD_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_event {
  uint64_t cycle, order;
  uint32_t what, part; /* chosen by the owner */
};

struct hd_heap {
  struct hd_event *event; /* the earliest is event[0] */
  uint32_t n, cap;
};

/* Returns false if out of memory; the heap is then unchanged. */
bool hd_heap_push(struct hd_heap *h, struct hd_event e);
/* Removes and returns the earliest event. Requires a non-empty heap. */
struct hd_event hd_heap_pop(struct hd_heap *h);
void hd_heap_free(struct hd_heap *h);

/* Returns true if an event is due in cycle `now`. */
static inline bool hd_heap_due(const struct hd_heap *h, uint64_t now) {
  return h->n > 0 && h->event[0].cycle <= now;
}

#endif
