/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/common/dev_graphs.h"

#include <string.h>

#include "env/common/graphs.h"
#include "env/common/memory.h"
#include "gen/hd_regs_map.h"

/* Arrays begin at multiples of ALIGN, with up to GAPS * ALIGN bytes between them. */
enum { ALIGN = 128, GAPS = 4, COUNT = 32, BOUND = 34, POLICY = 36, EDGES = 40 };

/* The part of a kernel with a graph that is invalid. */
enum { RIGHT, LAUNCH, DESCRIPTOR, GRAPH, WRONGS };

/* Allocates `bytes` in the last 4 GB of the quarter that holds the region of suspended kernels, which is smaller and at
 * the beginning of that quarter. */
static uint64_t place(struct hd_dev *d, uint64_t bytes) {
  const uint64_t quarter = (uint64_t)(d->config[HD_CONFIG_SUS_BASE] >> 30 << 30) * 256;
  const uint64_t first = quarter + ((UINT64_C(1) << 30) - (UINT64_C(1) << 24)) * 256 + (UINT64_C(1) << 24);
  const uint64_t room = (UINT64_C(1) << 32) - (UINT64_C(1) << 25);
  if (d->graph_at + bytes > room) d->graph_at = 0;
  const uint64_t at = first + d->graph_at;
  d->graph_at += bytes;
  return at & hd_memory_mask(&d->cfg);
}

/* Assigns TBs to nodes in random order. */
static void shuffle(struct hd_dgb_graph *g, struct hd_rng *rng) {
  for (unsigned v = 0; v < g->nodes; v++) g->cta[v] = (uint16_t)v;
  for (unsigned v = g->nodes; v > 1; v--) {
    const unsigned other = hd_rng_below(rng, v);
    const uint16_t was = g->cta[other];
    g->cta[other] = g->cta[v - 1];
    g->cta[v - 1] = was;
  }
}

/* Places the arrays from address `at` on, the edges last, so that no array follows them. Returns the end address. */
static uint64_t place_arrays(struct hd_dgbstart *start, const struct hd_dgb_graph *g, struct hd_rng *rng, uint64_t at) {
  uint64_t *const addr[] = {&start->nodes, &start->ids, &start->early, &start->edges};
  const uint32_t bytes[] = {8 * g->nodes + 8, 2 * g->nodes, 2 * g->nodes + 14, 2 * g->edges + 16};
  for (unsigned k = 0; k < 4; k++) {
    *addr[k] = at;
    at += (bytes[k] + ALIGN - 1) / ALIGN * ALIGN + ALIGN * hd_rng_below(rng, GAPS);
  }
  return at;
}

static void describe(uint8_t *bytes, const struct hd_dgbstart *start) {
  const uint64_t addr[] = {start->nodes, start->edges, start->ids, start->early};
  for (unsigned k = 0; k < 4; k++) hd_memory_put(bytes + 8 * k, 8, addr[k]);
  hd_memory_put(bytes + COUNT, 2, start->node_count);
  hd_memory_put(bytes + BOUND, 2, start->bound);
  hd_memory_put(bytes + POLICY, 4, start->policy);
  hd_memory_put(bytes + EDGES, 8, start->edge_count);
}

static void spoil_descriptor(uint8_t *bytes, struct hd_rng *rng) {
  switch (hd_rng_below(rng, 5)) {
    case 0:
      bytes[POLICY] = 3;
      break;
    case 1:
      hd_memory_put(bytes + COUNT, 2, hd_memory_get(bytes + COUNT, 2) + 1);
      break;
    case 2:
      bytes[EDGES + 4 + hd_rng_below(rng, 4)] = 1;
      break;
    case 3:
      bytes[8 * hd_rng_below(rng, 4)] ^= 64;
      break;
    default:
      bytes[8 * hd_rng_below(rng, 4) + 7] ^= 128;
  }
}

static void spoil_launch(struct hd_launch *l, struct hd_rng *rng) {
  if (hd_rng_p(rng, 128))
    l->ctas |= UINT32_C(1) << (16 + hd_rng_below(rng, 15));
  else
    l->desc.param |= UINT64_C(1) << hd_rng_below(rng, 6);
}

void hd_dev_add_graph(struct hd_dev *d, struct hd_rng *rng, unsigned bad, struct hd_launch *l) {
  struct hd_dgb_graph g;
  uint8_t bytes[ALIGN + HD_DGB_IMAGE];
  const unsigned wrong = hd_rng_p(rng, bad) ? 1 + hd_rng_below(rng, WRONGS - 1) : RIGHT;
  const uint64_t base = place(d, sizeof bytes) & ~(uint64_t)(ALIGN - 1);
  struct hd_dgbstart start = {.policy = (uint8_t)hd_rng_below(rng, HD_GPOLICY_LVL_BIND + 1)};
  memset(bytes, 0, sizeof bytes);
  start.bound = (uint16_t)(hd_rng_p(rng, 20) ? hd_rng_bits(rng, 16) : hd_rng_below(rng, 3));
  hd_dgb_graph_random(&g, &d->cfg, rng);
  shuffle(&g, rng);
  const uint64_t end = place_arrays(&start, &g, rng, base + ALIGN);
  if (wrong == GRAPH)
    hd_dgb_graph_spoil(&g, 1 + hd_rng_below(rng, HD_DGB_WRONGS - 1), rng, &start, bytes, base);
  else
    hd_dgb_graph_lay(&g, &start, bytes, base);
  describe(bytes, &start);
  if (wrong == DESCRIPTOR) spoil_descriptor(bytes, rng);
  hd_axi_mem_write(d->mem, base, bytes, (size_t)(end - base));
  l->graph = 1;
  l->ctas = g.nodes;
  l->desc.param = base;
  if (wrong == LAUNCH) spoil_launch(l, rng);
}
