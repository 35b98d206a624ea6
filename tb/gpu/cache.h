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

struct hd_cache_way {
  uint64_t ready; /* the line is there from this cycle on */
  uint64_t used;  /* the larger, the later it was used */
  uint32_t asked; /* requests that wait for it, the first one included */
  bool dirty;
};

struct hd_cache {
  uint32_t sets, ways;
  uint32_t *line; /* by set and way; HD_CACHE_NONE: empty */
  struct hd_cache_way *way;
  uint64_t uses;
};

#define HD_CACHE_NONE UINT32_MAX

/* False: out of memory. */
bool hd_cache_init(struct hd_cache *c, uint32_t sets, uint32_t ways);
void hd_cache_free(struct hd_cache *c);

/* The way of a line, or HD_CACHE_NONE. A line that is found is used by this. `set` is below c->sets. */
uint32_t hd_cache_find(struct hd_cache *c, uint32_t set, uint32_t line);
/* The way that a new line takes: an empty one, or the least recently used that is there in cycle `now`. HD_CACHE_NONE:
 * all lines of the set are still to come; *soonest is when the first does. */
uint32_t hd_cache_victim(const struct hd_cache *c, uint32_t set, uint64_t now, uint64_t *soonest);
/* Puts the line into that way, where it will be in cycle `ready`. */
void hd_cache_put(struct hd_cache *c, uint32_t at, uint32_t line, uint64_t ready);

#endif
