/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* cache: which lines a cache holds, of 128 bytes each, in sets of some ways; the least recently used way of a set goes.
 *
 * A line is named by its address divided by 128. It has its way from the moment it is asked for: `ready` is the cycle
 * in which it is there. Until then it can not be evicted.
 *
 * What is known of a set lies together, so that a search in it touches few lines of the cache of the machine that runs
 * this: of each way its line and the note, then of each `ready`, then of each when it was used. */
#ifndef HD_CACHE_H
#define HD_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#define HD_LINE_BYTES 128u
#define HD_CACHE_NONE UINT32_MAX

struct hd_cache {
  uint32_t sets, ways;
  bool even; /* the sets are a power of two */
  uint64_t uses;
  uint64_t *set; /* three words for each way */
};

/* False: out of memory. */
bool hd_cache_init(struct hd_cache *c, uint32_t sets, uint32_t ways);
void hd_cache_free(struct hd_cache *c);

/* The set in which `name` lies. */
static inline uint64_t *hd_cache_set(const struct hd_cache *c, uint32_t name) {
  const uint32_t set = c->even ? name & (c->sets - 1) : name % c->sets;
  return &c->set[(uint64_t)set * 3 * c->ways];
}

/* Of the ways of a set: HD_CACHE_NONE, if it is empty. */
static inline uint32_t *hd_cache_line(uint64_t *set) {
  return (uint32_t *)set;
}

/* What the owner of the cache writes down for each way; 0 when a line is put into it. */
static inline uint32_t *hd_cache_note(const struct hd_cache *c, uint64_t *set) {
  return (uint32_t *)set + c->ways;
}

/* The line is there from this cycle on. */
static inline uint64_t *hd_cache_ready(const struct hd_cache *c, uint64_t *set) {
  return set + c->ways;
}

/* The larger, the later it was used; 0: it is empty. */
static inline uint64_t *hd_cache_used(const struct hd_cache *c, uint64_t *set) {
  return set + 2 * c->ways;
}

/* Among `ways`; inlined, so that the compiler compares all ways at once. */
static inline uint32_t hd_cache_among(const uint32_t *line, uint32_t name, uint32_t ways) {
  uint32_t found = HD_CACHE_NONE;
  for (uint32_t w = 0; w < ways; w++) found = line[w] == name ? w : found;
  return found;
}

/* The way of a line in its set, or HD_CACHE_NONE. A line that is found is used by this. */
static inline uint32_t hd_cache_find(struct hd_cache *c, uint64_t *set, uint32_t name) {
  const uint32_t *line = hd_cache_line(set);
  const uint32_t w = c->ways == 4   ? hd_cache_among(line, name, 4)
                     : c->ways == 8 ? hd_cache_among(line, name, 8)
                                    : hd_cache_among(line, name, c->ways);
  if (w != HD_CACHE_NONE) hd_cache_used(c, set)[w] = ++c->uses;
  return w;
}

/* The way that a new line takes: an empty one, or the least recently used that is there in cycle `now`. HD_CACHE_NONE:
 * all lines of the set are still to come; *soonest is when the first does. */
uint32_t hd_cache_victim(const struct hd_cache *c, uint64_t *set, uint64_t now, uint64_t *soonest);

/* Puts the line into that way, where it will be in cycle `ready`. */
static inline void hd_cache_put(struct hd_cache *c, uint64_t *set, uint32_t way, uint32_t name, uint64_t ready) {
  hd_cache_line(set)[way] = name;
  hd_cache_note(c, set)[way] = 0;
  hd_cache_ready(c, set)[way] = ready;
  hd_cache_used(c, set)[way] = ++c->uses;
}

/* Takes the line out of that way. */
static inline void hd_cache_drop(struct hd_cache *c, uint64_t *set, uint32_t way) {
  hd_cache_line(set)[way] = HD_CACHE_NONE;
  hd_cache_note(c, set)[way] = 0;
  hd_cache_ready(c, set)[way] = hd_cache_used(c, set)[way] = 0;
}

/* The set will be searched soon. */
static inline void hd_cache_ahead(const struct hd_cache *c, const uint64_t *set) {
  for (uint32_t word = 0; word < 3 * c->ways; word += 8) __builtin_prefetch(&set[word], 1);
}

#endif
