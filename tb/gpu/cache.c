/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "gpu/cache.h"

#include <stdlib.h>
#include <string.h>

bool hd_cache_init(struct hd_cache *c, uint32_t sets, uint32_t ways) {
  size_t n = (size_t)sets * ways;
  *c = (struct hd_cache){
      .sets = sets, .ways = ways, .line = malloc(n * sizeof *c->line), .way = calloc(n, sizeof *c->way)};
  if (c->line != NULL && c->way != NULL) {
    memset(c->line, 0xff, n * sizeof *c->line);
    return true;
  }
  hd_cache_free(c);
  return false;
}

void hd_cache_free(struct hd_cache *c) {
  free(c->line);
  free(c->way);
  *c = (struct hd_cache){0};
}

uint32_t hd_cache_find(struct hd_cache *c, uint32_t set, uint32_t line) {
  uint32_t first = set * c->ways;
  for (uint32_t at = first; at < first + c->ways; at++)
    if (c->line[at] == line) {
      c->way[at].used = ++c->uses;
      return at;
    }
  return HD_CACHE_NONE;
}

uint32_t hd_cache_victim(const struct hd_cache *c, uint32_t set, uint64_t now, uint64_t *soonest) {
  uint32_t best = HD_CACHE_NONE, first = set * c->ways;
  *soonest = UINT64_MAX;
  for (uint32_t at = first; at < first + c->ways; at++) {
    const struct hd_cache_way *w = &c->way[at];
    if (c->line[at] == HD_CACHE_NONE) return at;
    if (w->ready < *soonest) *soonest = w->ready;
    if (w->ready <= now && (best == HD_CACHE_NONE || w->used < c->way[best].used)) best = at;
  }
  return best;
}

void hd_cache_put(struct hd_cache *c, uint32_t at, uint32_t line, uint64_t ready) {
  c->line[at] = line;
  c->way[at] = (struct hd_cache_way){.ready = ready, .used = ++c->uses, .asked = 1};
}
