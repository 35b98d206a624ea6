/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* cache: tags of a set-associative cache with 128-byte lines and LRU replacement.
 *
 * A line is named by its address divided by 128. It is allocated on request; `ready` is the cycle in which its data
 * arrive. It cannot be evicted before that.
 *
 * sim speed: all data of a set are adjacent (name and note of each way, then each `ready`, then each time of last use):
 * a lookup touches few cache lines of the host. */
#ifndef HD_CACHE_H
#define HD_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#define HD_LINE_BYTES 128u
#define HD_CACHE_NONE UINT32_MAX

struct hd_cache {
  uint32_t sets, ways;
  bool even; /* the number of sets is a power of two */
  uint64_t uses;
  uint64_t *set; /* three words per way */
};

/* Returns false if out of memory. */
bool hd_cache_init(struct hd_cache *c, uint32_t sets, uint32_t ways);
void hd_cache_free(struct hd_cache *c);

/* Returns the set of line `name`. */
static inline uint64_t *hd_cache_set(const struct hd_cache *c, uint32_t name) {
  const uint32_t set = c->even ? name & (c->sets - 1) : name % c->sets;
  return &c->set[(uint64_t)set * 3 * c->ways];
}

/* Returns the names of a set's ways; HD_CACHE_NONE marks an empty way. */
static inline uint32_t *hd_cache_line(uint64_t *set) {
  return (uint32_t *)set;
}

/* Returns the owner's notes, one per way; hd_cache_put() clears the note. */
static inline uint32_t *hd_cache_note(const struct hd_cache *c, uint64_t *set) {
  return (uint32_t *)set + c->ways;
}

/* Returns the cycles from which on the lines are present, one per way. */
static inline uint64_t *hd_cache_ready(const struct hd_cache *c, uint64_t *set) {
  return set + c->ways;
}

/* Returns the times of last use, one per way: larger is later, 0 is an empty way. */
static inline uint64_t *hd_cache_used(const struct hd_cache *c, uint64_t *set) {
  return set + 2 * c->ways;
}

/* Finds a name among `ways`. Inlined so that the compiler compares all ways at once. */
static inline uint32_t hd_cache_among(const uint32_t *line, uint32_t name, uint32_t ways) {
  uint32_t found = HD_CACHE_NONE;
  for (uint32_t w = 0; w < ways; w++) found = line[w] == name ? w : found;
  return found;
}

/* Returns the way of a line, or HD_CACHE_NONE on a miss. A hit updates the time of last use. */
static inline uint32_t hd_cache_find(struct hd_cache *c, uint64_t *set, uint32_t name) {
  const uint32_t *line = hd_cache_line(set);
  const uint32_t w = c->ways == 4   ? hd_cache_among(line, name, 4)
                     : c->ways == 8 ? hd_cache_among(line, name, 8)
                                    : hd_cache_among(line, name, c->ways);
  if (w != HD_CACHE_NONE) hd_cache_used(c, set)[w] = ++c->uses;
  return w;
}

/* Returns the way for a new line: an empty one, or the least recently used one that is present in cycle `now`. Returns
 * HD_CACHE_NONE if all lines of the set are in flight; *soonest is then the first arrival. */
uint32_t hd_cache_victim(const struct hd_cache *c, uint64_t *set, uint64_t now, uint64_t *soonest);

/* Allocates the way to the line, whose data arrive in cycle `ready`. */
static inline void hd_cache_put(struct hd_cache *c, uint64_t *set, uint32_t way, uint32_t name, uint64_t ready) {
  hd_cache_line(set)[way] = name;
  hd_cache_note(c, set)[way] = 0;
  hd_cache_ready(c, set)[way] = ready;
  hd_cache_used(c, set)[way] = ++c->uses;
}

/* Invalidates the way. */
static inline void hd_cache_drop(struct hd_cache *c, uint64_t *set, uint32_t way) {
  hd_cache_line(set)[way] = HD_CACHE_NONE;
  hd_cache_note(c, set)[way] = 0;
  hd_cache_ready(c, set)[way] = hd_cache_used(c, set)[way] = 0;
}

/* Prefetches a set that will be searched soon. */
static inline void hd_cache_ahead(const struct hd_cache *c, const uint64_t *set) {
  for (uint32_t word = 0; word < 3 * c->ways; word += 8) __builtin_prefetch(&set[word], 1);
}

#endif
