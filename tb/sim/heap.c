/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "sim/heap.h"

#include <stdlib.h>

static bool before(const struct hd_event *x, const struct hd_event *y) {
  return x->cycle != y->cycle ? x->cycle < y->cycle : x->order < y->order;
}

bool hd_heap_push(struct hd_heap *h, struct hd_event e) {
  if (h->n == h->cap) {
    uint32_t cap = h->cap != 0 ? 2 * h->cap : 64;
    struct hd_event *grown = realloc(h->event, cap * sizeof *grown);
    if (grown == NULL) return false;
    h->event = grown;
    h->cap = cap;
  }
  uint32_t i = h->n++;
  for (; i > 0 && before(&e, &h->event[(i - 1) / 2]); i = (i - 1) / 2) h->event[i] = h->event[(i - 1) / 2];
  h->event[i] = e;
  return true;
}

struct hd_event hd_heap_pop(struct hd_heap *h) {
  struct hd_event top = h->event[0], last = h->event[--h->n];
  uint32_t i = 0;
  for (;;) {
    uint32_t child = 2 * i + 1;
    if (child >= h->n) break;
    if (child + 1 < h->n && before(&h->event[child + 1], &h->event[child])) child++;
    if (!before(&h->event[child], &last)) break;
    h->event[i] = h->event[child];
    i = child;
  }
  h->event[i] = last;
  return top;
}

void hd_heap_free(struct hd_heap *h) {
  free(h->event);
  *h = (struct hd_heap){0};
}
