/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* outstanding: resources that are occupied until a known cycle, such as the MSHRs of an L1. */
#ifndef HD_OUTSTANDING_H
#define HD_OUTSTANDING_H

#include <stdbool.h>
#include <stdint.h>

struct hd_outstanding {
  uint64_t *until; /* ring buffer of end cycles, soonest first */
  uint32_t places, first, n;
};

/* Returns false if out of memory. */
bool hd_outstanding_init(struct hd_outstanding *o, uint32_t places);
void hd_outstanding_free(struct hd_outstanding *o);

/* Returns the k-th end cycle, soonest first. */
static inline uint64_t *hd_outstanding_at(struct hd_outstanding *o, uint32_t k) {
  uint32_t i = o->first + k;
  return &o->until[i < o->places ? i : i - o->places];
}

/* Frees what has ended by cycle `now`. Returns true if a place is free. Otherwise *soonest is the cycle in which one
 * will be. */
static inline bool hd_outstanding_room(struct hd_outstanding *o, uint64_t now, uint64_t *soonest) {
  while (o->n != 0 && o->until[o->first] <= now) {
    o->first = o->first + 1 < o->places ? o->first + 1 : 0;
    o->n--;
  }
  if (o->n < o->places) return true;
  *soonest = o->until[o->first];
  return false;
}

/* Allocates a place until cycle `until`. Requires a free one. Most calls come in the order of their ends. */
static inline void hd_outstanding_add(struct hd_outstanding *o, uint64_t until) {
  uint32_t k = o->n++;
  for (; k > 0 && *hd_outstanding_at(o, k - 1) > until; k--) *hd_outstanding_at(o, k) = *hd_outstanding_at(o, k - 1);
  *hd_outstanding_at(o, k) = until;
}

#endif
