/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* heap: things that happen later, the earliest first; of one cycle, in the order of `order`. */
#ifndef HD_HEAP_H
#define HD_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_event {
  uint64_t cycle, order;
  uint32_t what, part; /* the owner's */
};

struct hd_heap {
  struct hd_event *event; /* the earliest is event[0] */
  uint32_t n, cap;
};

/* False: out of memory, nothing is changed. */
bool hd_heap_push(struct hd_heap *h, struct hd_event e);
/* Takes the earliest; there must be one. */
struct hd_event hd_heap_pop(struct hd_heap *h);
void hd_heap_free(struct hd_heap *h);

/* Whether something is due in cycle `now`. */
static inline bool hd_heap_due(const struct hd_heap *h, uint64_t now) {
  return h->n > 0 && h->event[0].cycle <= now;
}

#endif
