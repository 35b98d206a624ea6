/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "gpu/cache.h"

#include <stdlib.h>
#include <string.h>

bool hd_cache_init(struct hd_cache *c, uint32_t sets, uint32_t ways) {
  const size_t bytes = ((size_t)sets * ways * 3 * sizeof *c->set + 63) / 64 * 64;
  *c = (struct hd_cache){.sets = sets, .ways = ways, .even = (sets & (sets - 1)) == 0, .set = aligned_alloc(64, bytes)};
  if (c->set == NULL) return false;
  memset(c->set, 0, bytes);
  for (uint32_t s = 0; s < sets; s++) memset(hd_cache_set(c, s), 0xff, ways * sizeof(uint32_t));
  return true;
}

void hd_cache_free(struct hd_cache *c) {
  free(c->set);
  *c = (struct hd_cache){0};
}

/* The least recently used line is still in flight: returns the next one that is present. */
static uint32_t another(uint32_t ways, const uint64_t *ready, const uint64_t *used, uint64_t now, uint64_t *soonest) {
  uint32_t best = HD_CACHE_NONE;
  *soonest = UINT64_MAX;
  for (uint32_t w = 0; w < ways; w++) {
    if (ready[w] < *soonest) *soonest = ready[w];
    if (ready[w] <= now && (best == HD_CACHE_NONE || used[w] < used[best])) best = w;
  }
  return best;
}

static inline uint32_t least_of(const uint64_t *used, uint32_t ways) {
  uint64_t least = used[0];
  uint32_t best = 0;
  for (uint32_t w = 1; w < ways; w++) {
    best = used[w] < least ? w : best;
    least = used[w] < least ? used[w] : least;
  }
  return best;
}

uint32_t hd_cache_victim(const struct hd_cache *c, uint64_t *set, uint64_t now, uint64_t *soonest) {
  const uint64_t *ready = hd_cache_ready(c, set), *used = hd_cache_used(c, set);
  const uint32_t best = c->ways == 4 ? least_of(used, 4) : c->ways == 8 ? least_of(used, 8) : least_of(used, c->ways);
  return ready[best] <= now ? best : another(c->ways, ready, used, now, soonest);
}
