/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "gpu/outstanding.h"

#include <stdlib.h>

bool hd_outstanding_init(struct hd_outstanding *o, uint32_t places) {
  *o = (struct hd_outstanding){.until = calloc(places, sizeof *o->until), .places = places};
  return o->until != NULL;
}

void hd_outstanding_free(struct hd_outstanding *o) {
  free(o->until);
  *o = (struct hd_outstanding){0};
}

static uint64_t *at(struct hd_outstanding *o, uint32_t k) {
  uint32_t i = o->first + k;
  return &o->until[i < o->places ? i : i - o->places];
}

bool hd_outstanding_room(struct hd_outstanding *o, uint64_t now, uint64_t *soonest) {
  for (; o->n != 0 && *at(o, 0) <= now; o->n--) o->first = o->first + 1 < o->places ? o->first + 1 : 0;
  if (o->n < o->places) return true;
  *soonest = *at(o, 0);
  return false;
}

/* Most come in the order in which they end. */
void hd_outstanding_add(struct hd_outstanding *o, uint64_t until) {
  uint32_t k = o->n++;
  for (; k > 0 && *at(o, k - 1) > until; k--) *at(o, k) = *at(o, k - 1);
  *at(o, k) = until;
}
