/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/common/rings.h"

#include "env/common/memory.h"

uint32_t hd_rings_count(const struct hd_cfg *cfg, struct hd_rng *rng, unsigned orders) {
  const unsigned largest = cfg->ring_pos_w - cfg->ring_order_min, k = hd_rng_below(rng, orders + 2);
  const uint32_t least = cfg->ring_queues << cfg->ring_order_min;
  if (k == 0) return 0;
  if (k == 1) return hd_rng_p(rng, 128) ? least - 1 : 1 + hd_rng_below(rng, least - 1);
  const uint32_t all = least << (k - 2 < largest ? k - 2 : largest);
  return all + (hd_rng_p(rng, 128) ? 0 : hd_rng_below(rng, all));
}

/* Often the last queues. */
static void choose_queues(struct hd_rings *r, struct hd_rng *rng, const struct hd_cfg *cfg) {
  const unsigned all = cfg->ring_queues;
  r->uses = all < HD_RINGS_USED ? all : HD_RINGS_USED;
  while (r->uses << cfg->ring_order_min > HD_RINGS_PLACES) r->uses /= 2;
  for (r->span = HD_RINGS_PLACES; r->span * r->uses > HD_RINGS_PLACES; r->span /= 2) continue;
  const unsigned first = hd_rng_p(rng, 100) ? all - r->uses : hd_rng_below(rng, all), k = hd_rng_below(rng, r->uses);
  for (unsigned n = 0; n < r->uses; n++) r->use[n] = (uint16_t)((first + n) % all);
  const uint16_t favourite = r->use[k];
  r->use[k] = r->use[0];
  r->use[0] = favourite;
}

void hd_rings_choose(struct hd_rings *r, struct hd_rng *rng, const struct hd_cfg *cfg) {
  choose_queues(r, rng, cfg);
  r->count = hd_rng_p(rng, 16) ? hd_huge_count(rng) : hd_rings_count(cfg, rng, hd_rng_p(rng, 160) ? 1 : 24);
  r->base = (uint32_t)hd_rng_bits(rng, 32);
  if (hd_rings_order(cfg, r->count) < 0 || !hd_rng_p(rng, 32)) return;
  const uint64_t at = hd_rings_place(cfg, r->count, r->use[0], hd_rng_below(rng, 40));
  r->base = (uint32_t)((hd_memory_mask(cfg) + 1 - at * HD_RING_BYTES) / 256);
}

unsigned hd_rings_find(const struct hd_rings *r, unsigned queue) {
  unsigned k = 0;
  while (k < r->uses && r->use[k] != queue) k++;
  return k;
}

bool hd_rings_stores(const struct hd_rings *r, const struct hd_cfg *cfg, uint32_t entries) {
  const int order = hd_rings_order(cfg, r->count);
  return order >= 0 && (UINT64_C(1) << order <= r->span || entries + cfg->ring_flight * cfg->ring_line < r->span);
}

uint64_t hd_rings_at(const struct hd_rings *r, const struct hd_cfg *cfg, uint64_t addr) {
  const int order = hd_rings_order(cfg, r->count);
  const uint64_t place = ((addr - (uint64_t)r->base * 256) & hd_memory_mask(cfg)) / HD_RING_BYTES;
  if (order < 0 || place >> order >= cfg->ring_queues) return sizeof r->bytes;
  const unsigned k = hd_rings_find(r, (unsigned)(place >> order));
  const uint64_t index = place & ((UINT64_C(1) << order) - 1);
  return k == r->uses ? sizeof r->bytes : (k * r->span + index % r->span) * HD_RING_BYTES;
}
