/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The memory image of a graph. */
#include <string.h>

#include "api/deplinks_inside.h"

static uint64_t round_up(uint64_t bytes) {
  return (bytes + HD_DEPLINKS_CHUNK - 1) / HD_DEPLINKS_CHUNK * HD_DEPLINKS_CHUNK;
}

bool hd_deplinks_place(const struct hd_cfg *cfg, const struct hd_deplinks_graph *g, uint64_t base,
                       struct hd_deplinks_regions *at) {
  /* so that no sum of sizes wraps */
  const uint64_t limit = UINT64_C(1) << (cfg->addr_w < 62 ? cfg->addr_w : 62);
  *at = (struct hd_deplinks_regions){0};
  if (base > limit) return false;
  struct hd_deplinks_regions r = {
      .nodes = g->nodes, .edges = g->edges, .policy = g->policy, .bound = g->bound, .node = round_up(base)};
  r.edge = r.node + round_up(8 * ((uint64_t)g->nodes + 1));
  r.tb = r.edge + round_up(2 * (uint64_t)g->edges);
  r.early = r.tb + round_up(2 * (uint64_t)g->nodes);
  r.end = r.early + round_up(2 * (uint64_t)g->nodes);
  if (r.end > limit) return false;
  *at = r;
  return true;
}

static void put16(uint8_t *p, uint32_t value) {
  p[0] = (uint8_t)value;
  p[1] = (uint8_t)(value >> 8);
}

static void put64(uint8_t *p, uint64_t value) {
  for (unsigned k = 0; k < 4; k++) put16(p + 2 * k, (uint32_t)(value >> 16 * k));
}

void hd_deplinks_image(const struct hd_deplinks_graph *g, const struct hd_deplinks_regions *at, uint8_t *bytes) {
  uint8_t *edge = bytes + (at->edge - at->node), *tb = bytes + (at->tb - at->node);
  memset(bytes, 0, (size_t)(at->end - at->node));
  for (uint32_t v = 0; v <= g->nodes; v++) {
    put16(bytes + 8 * (size_t)v, g->node[v].start);
    put16(bytes + 8 * (size_t)v + 2, g->node[v].start >> 16);
    put16(bytes + 8 * (size_t)v + 4, g->node[v].parents);
    put16(bytes + 8 * (size_t)v + 6, g->node[v].level);
  }
  for (uint32_t e = 0; e < g->edges; e++) put16(edge + 2 * (size_t)e, g->edge[e]);
  for (uint32_t v = 0; v < g->nodes; v++) put16(tb + 2 * (size_t)v, g->tb[v]);
}

void hd_deplinks_describe(const struct hd_deplinks_regions *at, uint8_t bytes[HD_DEPLINKS_DESCRIPTOR]) {
  put64(bytes, at->node);
  put64(bytes + 8, at->edge);
  put64(bytes + 16, at->tb);
  put64(bytes + 24, at->early);
  put16(bytes + 32, at->nodes);
  put16(bytes + 34, at->bound);
  put16(bytes + 36, (uint32_t)at->policy);
  put16(bytes + 38, 0);
  put64(bytes + 40, at->edges);
}
