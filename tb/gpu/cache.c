/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "gpu/cache.h"

#include <stdlib.h>
#include <string.h>

bool hd_cache_init(struct hd_cache *c, uint32_t sets, uint32_t ways) {
  size_t n = (size_t)sets * ways;
  *c = (struct hd_cache){.sets = sets,
                         .ways = ways,
                         .line = malloc(n * sizeof *c->line),
                         .asked = calloc(n, sizeof *c->asked),
                         .ready = calloc(n, sizeof *c->ready),
                         .used = calloc(n, sizeof *c->used),
                         .dirty = calloc(n, sizeof *c->dirty),
                         .even = (sets & (sets - 1)) == 0};
  if (c->line != NULL && c->asked != NULL && c->ready != NULL && c->used != NULL && c->dirty != NULL) {
    memset(c->line, 0xff, n * sizeof *c->line);
    return true;
  }
  hd_cache_free(c);
  return false;
}

void hd_cache_free(struct hd_cache *c) {
  free(c->line);
  free(c->asked);
  free(c->ready);
  free(c->used);
  free(c->dirty);
  *c = (struct hd_cache){0};
}

/* The least recently used is still to come: the next one that is not. */
static uint32_t another(const struct hd_cache *c, uint32_t first, uint64_t now, uint64_t *soonest) {
  uint32_t best = HD_CACHE_NONE;
  *soonest = UINT64_MAX;
  for (uint32_t at = first; at < first + c->ways; at++) {
    if (c->ready[at] < *soonest) *soonest = c->ready[at];
    if (c->ready[at] <= now && (best == HD_CACHE_NONE || c->used[at] < c->used[best])) best = at;
  }
  return best;
}

uint32_t hd_cache_victim(const struct hd_cache *c, uint32_t first, uint64_t now, uint64_t *soonest) {
  uint32_t best = first;
  uint64_t least = c->used[first];
  for (uint32_t at = first + 1; at < first + c->ways; at++) {
    best = c->used[at] < least ? at : best;
    least = c->used[at] < least ? c->used[at] : least;
  }
  return c->ready[best] <= now ? best : another(c, first, now, soonest);
}

void hd_cache_put(struct hd_cache *c, uint32_t at, uint32_t line, uint64_t ready) {
  c->line[at] = line;
  c->asked[at] = 1;
  c->ready[at] = ready;
  c->used[at] = ++c->uses;
  c->dirty[at] = false;
}

void hd_cache_drop(struct hd_cache *c, uint32_t at) {
  c->line[at] = HD_CACHE_NONE;
  c->ready[at] = c->used[at] = 0;
  c->dirty[at] = false;
}
