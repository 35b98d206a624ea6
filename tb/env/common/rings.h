/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* rings: the rings of memring in their region, as environments and oracles know them (docs/service/memring.md). */
#ifndef HD_RINGS_H
#define HD_RINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/rng.h"
#include "gen/hd_types.h"

/* Size of an entry in memory. */
enum { HD_RING_BEATS = 2, HD_RING_BYTES = 16 * HD_RING_BEATS };

/* Returns log2 of the number of entries of each ring in a region of `count` entries; -1 if no ring fits. */
static inline int hd_rings_order(const struct hd_cfg *cfg, uint64_t count) {
  int order = (int)cfg->ring_pos_w;
  while (order >= (int)cfg->ring_order_min && (uint64_t)cfg->ring_queues << order > count) order--;
  return order >= (int)cfg->ring_order_min ? order : -1;
}

/* Returns the bytes from the start of the region that the rings take. */
static inline uint64_t hd_rings_bytes(const struct hd_cfg *cfg, uint64_t count) {
  const int order = hd_rings_order(cfg, count);
  return order < 0 ? 0 : ((uint64_t)cfg->ring_queues << order) * HD_RING_BYTES;
}

/* Returns the distance of an entry from the start of the region, in entries. Requires a ring. */
static inline uint64_t hd_rings_place(const struct hd_cfg *cfg, uint64_t count, unsigned queue, uint64_t index) {
  const int order = hd_rings_order(cfg, count);
  return ((uint64_t)queue << order) + (index & ((UINT64_C(1) << order) - 1));
}

/* Returns the entries of a ring that may be in use when it reports room for one more. Requires a ring. */
static inline uint32_t hd_rings_room(const struct hd_cfg *cfg, uint64_t count) {
  return (UINT32_C(1) << hd_rings_order(cfg, count)) - cfg->ring_margin;
}

/* Returns the size of a region, in entries: none, too small for a ring of each queue, or for rings of one of the
 * `orders` smallest sizes, exactly or with entries left over. */
uint32_t hd_rings_count(const struct hd_cfg *cfg, struct hd_rng *rng, unsigned orders);

/* The region for an environment with random memory. It stores the entries of a few queues (`use`), `span` of each; in
 * longer rings a place is used again after that many. */
enum { HD_RINGS_PLACES = 1 << 14, HD_RINGS_USED = 64 };

struct hd_rings {
  uint32_t base, count;        /* as in the registers */
  uint16_t use[HD_RINGS_USED]; /* adjacent queues, one of them first */
  unsigned uses;
  uint32_t span;
  uint8_t bytes[HD_RINGS_PLACES * HD_RING_BYTES];
};

/* Chooses the queues, and base and size of the region: often small; sometimes it wraps around the end of the address
 * space within the first queue. Address bits of `base` beyond the width are ignored. */
void hd_rings_choose(struct hd_rings *r, struct hd_rng *rng, const struct hd_cfg *cfg);

/* Returns the position of a queue in `use`, or `uses` if it is not there. */
unsigned hd_rings_find(const struct hd_rings *r, unsigned queue);

/* Returns true if the ring may hold one more entry, besides `entries` that are in it or being read. */
bool hd_rings_stores(const struct hd_rings *r, const struct hd_cfg *cfg, uint32_t entries);

/* Returns the address in `bytes` for an address in memory, or their number. */
uint64_t hd_rings_at(const struct hd_rings *r, const struct hd_cfg *cfg, uint64_t addr);

#endif
