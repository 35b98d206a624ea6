/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* cache: which lines a cache holds, of 128 bytes each, in sets of some ways; the least recently used way of a set goes.
 *
 * A line is named by its address divided by 128. It has its way from the moment it is asked for: `ready` is the cycle
 * in which it is there. Until then it can not be evicted. */
#ifndef HD_CACHE_H
#define HD_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#define HD_LINE_BYTES 128u
#define HD_CACHE_NONE UINT32_MAX

/* All by set and way. */
struct hd_cache {
  uint32_t sets, ways;
  uint32_t *line;  /* HD_CACHE_NONE: empty */
  uint32_t *asked; /* requests that wait for it, the first one included */
  uint64_t *ready; /* the line is there from this cycle on */
  uint64_t *used;  /* the larger, the later it was used; 0: it is empty */
  bool *dirty;
  uint64_t uses;
  bool even; /* the sets are a power of two */
};

/* False: out of memory. */
bool hd_cache_init(struct hd_cache *c, uint32_t sets, uint32_t ways);
void hd_cache_free(struct hd_cache *c);

/* The first way of the set in which `name` lies. */
static inline uint32_t hd_cache_set(const struct hd_cache *c, uint32_t name) {
  return (c->even ? name & (c->sets - 1) : name % c->sets) * c->ways;
}

/* Among `ways` of a set from `first` on; inlined, so that the compiler compares all ways at once. */
static inline uint32_t hd_cache_among(const uint32_t *line, uint32_t name, uint32_t ways) {
  uint32_t found = HD_CACHE_NONE;
  for (uint32_t w = 0; w < ways; w++) found = line[w] == name ? w : found;
  return found;
}

/* The way of a line in the set that begins with way `first`, or HD_CACHE_NONE. A line that is found is used by this. */
static inline uint32_t hd_cache_find(struct hd_cache *c, uint32_t first, uint32_t line) {
  const uint32_t *l = &c->line[first];
  uint32_t w = c->ways == 4   ? hd_cache_among(l, line, 4)
               : c->ways == 8 ? hd_cache_among(l, line, 8)
                              : hd_cache_among(l, line, c->ways);
  if (w == HD_CACHE_NONE) return HD_CACHE_NONE;
  c->used[first + w] = ++c->uses;
  return first + w;
}

/* The way that a new line takes: an empty one, or the least recently used that is there in cycle `now`. HD_CACHE_NONE:
 * all lines of the set are still to come; *soonest is when the first does. */
uint32_t hd_cache_victim(const struct hd_cache *c, uint32_t first, uint64_t now, uint64_t *soonest);
/* Puts the line into that way, where it will be in cycle `ready`. */
void hd_cache_put(struct hd_cache *c, uint32_t at, uint32_t line, uint64_t ready);
/* Takes the line out of that way. */
void hd_cache_drop(struct hd_cache *c, uint32_t at);

#endif
