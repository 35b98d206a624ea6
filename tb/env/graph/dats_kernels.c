/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/common/memory.h"
#include "env/graph/dats_neighbours.h"

enum { ALIGN = 128, COUNT = 32, BOUND = 34, POLICY = 36, EDGES = 40, ANY = 8 };

static void flip(struct hd_dats_neighbours *s, unsigned bit) {
  s->bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
}

/* ---- valid descriptors ---- */

/* Sometimes the first or the last possible address. */
static uint64_t random_addr(const struct hd_dats_neighbours *s, struct hd_rng *rng) {
  const uint64_t last = hd_memory_mask(&s->cfg) & ~(uint64_t)(ALIGN - 1);
  return hd_rng_below(rng, ANY) ? hd_rng_next(rng) & last : hd_rng_p(rng, 128) ? last : 0;
}

static uint32_t random_ctas(const struct hd_cfg *c, struct hd_rng *rng) {
  const uint32_t most = c->ctas_w < 16 ? (UINT32_C(1) << c->ctas_w) - 1 : UINT16_MAX;
  if (!hd_rng_below(rng, ANY)) return hd_rng_p(rng, 128) ? most : 1;
  return 1 + hd_rng_below(rng, most > 300 && hd_rng_p(rng, 128) ? 300 : most);
}

static uint32_t random_edges(struct hd_rng *rng) {
  const uint32_t most = UINT32_MAX - 7;
  if (!hd_rng_below(rng, ANY)) return hd_rng_p(rng, 128) ? most : 0;
  uint32_t n = (uint32_t)hd_rng_bits(rng, 1 + hd_rng_below(rng, 32));
  return n < most ? n : most;
}

static void make_right(struct hd_dats_neighbours *s, struct hd_rng *rng) {
  s->ctas = random_ctas(&s->cfg, rng);
  for (unsigned k = 0; k < 4; k++) hd_memory_put(s->bytes + 8 * k, 8, random_addr(s, rng));
  hd_memory_put(s->bytes + COUNT, 2, s->ctas);
  hd_memory_put(s->bytes + BOUND, 2, hd_rng_bits(rng, 16));
  hd_memory_put(s->bytes + POLICY, 4, hd_rng_below(rng, HD_GPOLICY_LVL_BIND + 1));
  hd_memory_put(s->bytes + EDGES, 8, random_edges(rng));
  hd_memory_put(s->bytes + 48, 8, hd_rng_next(rng));
  hd_memory_put(s->bytes + 56, 8, hd_rng_next(rng));
}

/* ---- errors ---- */

static void spoil_addr(struct hd_dats_neighbours *s, struct hd_rng *rng, unsigned kind) {
  const unsigned low = 7, first = kind < HD_DATS_HIGH_ADDR ? 0 : s->cfg.addr_w;
  const unsigned bits = kind < HD_DATS_HIGH_ADDR ? low : 64 - s->cfg.addr_w;
  flip(s, 64 * (kind % 4) + first + hd_rng_below(rng, bits));
}

static void spoil_zeros(struct hd_dats_neighbours *s, struct hd_rng *rng, unsigned which) {
  const unsigned at = which < 3 ? POLICY + 1 + which : EDGES + 4 + which - 3;
  flip(s, 8 * at + hd_rng_below(rng, 8));
}

static void spoil_numbers(struct hd_dats_neighbours *s, struct hd_rng *rng, unsigned kind) {
  const uint32_t count = (uint32_t)hd_memory_get(s->bytes + COUNT, 2);
  if (kind == HD_DATS_MORE_NODES) hd_memory_put(s->bytes + COUNT, 2, count + 1);
  if (kind == HD_DATS_FEWER_NODES) hd_memory_put(s->bytes + COUNT, 2, count - 1);
  if (kind == HD_DATS_CTAS_BEYOND) s->ctas |= UINT32_C(0x10000) << hd_rng_below(rng, s->cfg.ctas_w - 16);
  if (kind == HD_DATS_POLICY_3) s->bytes[POLICY] = 3;
  if (kind == HD_DATS_POLICY_BEYOND) flip(s, 8 * POLICY + 2 + hd_rng_below(rng, 6));
  if (kind == HD_DATS_EDGES_BEYOND) hd_memory_put(s->bytes + EDGES, 4, UINT32_MAX - hd_rng_below(rng, 7));
}

/* Returns true if the error is possible: not with 64-bit addresses or 16-bit TB counts that cannot exceed the limit,
 * nor if one node too many and one too few would cancel out. */
static bool may_be(const struct hd_dats_neighbours *s, unsigned kind) {
  const uint32_t nodes = UINT32_C(1) << HD_DATS_MORE_NODES | UINT32_C(1) << HD_DATS_FEWER_NODES;
  if (s->wrong >> kind & 1) return false;
  if (kind >= HD_DATS_HIGH_ADDR && kind < HD_DATS_MORE_NODES) return s->cfg.addr_w < 64;
  if (kind == HD_DATS_MORE_NODES || kind == HD_DATS_FEWER_NODES) return !(s->wrong & nodes);
  return kind != HD_DATS_CTAS_BEYOND || s->cfg.ctas_w > 16;
}

static void spoil(struct hd_dats_neighbours *s, struct hd_rng *rng, unsigned kind) {
  if (!may_be(s, kind)) return;
  s->wrong |= UINT32_C(1) << kind;
  if (kind < HD_DATS_MORE_NODES)
    spoil_addr(s, rng, kind);
  else if (kind >= HD_DATS_ZEROS && kind < HD_DATS_EDGES_BEYOND)
    spoil_zeros(s, rng, kind - HD_DATS_ZEROS);
  else
    spoil_numbers(s, rng, kind);
}

void hd_dats_neighbours_kernel(struct hd_dats_neighbours *s, struct hd_rng *rng, const struct hd_profile *p) {
  const struct hd_cfg *c = &s->cfg;
  s->offered = 1;
  s->ran = 0;
  s->at = hd_rng_below(rng, ANY) ? hd_rng_bits(rng, c->graph_w) : hd_memory_mask(c) >> 6;
  s->need.warps = (uint8_t)hd_rng_bits(rng, c->warps_w);
  s->need.regs = (uint16_t)hd_rng_bits(rng, c->reg_units_w);
  s->need.smem = (uint16_t)hd_rng_bits(rng, c->smem_units_w);
  s->wrong = 0;
  make_right(s, rng);
  if (!p->bad || !hd_rng_p(rng, p->bad + 60)) return;
  for (unsigned n = hd_rng_below(rng, ANY) ? 1 : 2 + hd_rng_below(rng, 3); n; n--)
    spoil(s, rng, hd_rng_below(rng, HD_DATS_WRONGS));
}
