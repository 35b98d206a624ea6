/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/common/graphs.h"

#include <string.h>

#include "env/common/memory.h"

/* Less than the maximum, so that a last level fits. */
enum { MOST_NODES = HD_DGB_MAX_NODES - 20 };

void hd_dgb_graph_clear(struct hd_dgb_graph *g) {
  g->nodes = g->edges = 0;
}

void hd_dgb_graph_node(struct hd_dgb_graph *g, unsigned level) {
  if (g->nodes == HD_DGB_MAX_NODES) return;
  g->cta[g->nodes] = (uint16_t)g->nodes;
  g->level[g->nodes++] = (uint16_t)level;
}

void hd_dgb_graph_edge(struct hd_dgb_graph *g, unsigned from, unsigned to) {
  if (g->edges == HD_DGB_MAX_EDGES || from >= g->nodes || to >= g->nodes) return;
  g->from[g->edges] = (uint16_t)from;
  g->to[g->edges++] = (uint16_t)to;
}

void hd_dgb_graph_sort(struct hd_dgb_graph *g) {
  uint16_t sorted[HD_DGB_MAX_EDGES];
  uint32_t at[HD_DGB_MAX_NODES + 1];
  memset(g->parents, 0, sizeof g->parents);
  memset(at, 0, sizeof at);
  memset(sorted, 0, sizeof sorted);
  for (unsigned e = 0; e < g->edges; e++) {
    g->parents[g->to[e]]++;
    at[g->from[e] + 1u]++;
  }
  for (unsigned v = 0; v < g->nodes; v++) at[v + 1] += at[v];
  memcpy(g->first, at, sizeof at);
  for (unsigned e = 0; e < g->edges; e++) sorted[at[g->from[e]]++] = g->to[e];
  memcpy(g->to, sorted, g->edges * sizeof *sorted);
  for (unsigned v = 0; v < g->nodes; v++)
    for (uint32_t e = g->first[v]; e < g->first[v + 1]; e++) g->from[e] = (uint16_t)v;
}

uint32_t hd_dgb_graph_widest_in(const struct hd_dgb_graph *g) {
  uint32_t most = 0;
  for (unsigned v = 0; v < g->nodes; v++) most = g->parents[v] > most ? g->parents[v] : most;
  return most;
}

uint32_t hd_dgb_graph_widest_out(const struct hd_dgb_graph *g) {
  uint32_t most = 0;
  for (unsigned v = 0; v < g->nodes; v++) {
    uint32_t children = g->first[v + 1] - g->first[v];
    most = children > most ? children : most;
  }
  return most;
}

void hd_dgb_graph_lay(const struct hd_dgb_graph *g, struct hd_dgbstart *start, uint8_t *bytes, uint64_t base) {
  uint8_t *nodes = bytes + (start->nodes - base), *edges = bytes + (start->edges - base);
  uint8_t *ids = bytes + (start->ids - base), *early = bytes + (start->early - base);
  start->node_count = (uint16_t)g->nodes;
  start->edge_count = g->edges;
  for (unsigned v = 0; v < g->nodes; v++) {
    hd_memory_put(nodes + 8u * v, 4, g->first[v]);
    hd_memory_put(nodes + 8u * v + 4, 2, g->parents[v]);
    hd_memory_put(nodes + 8u * v + 6, 2, g->level[v]);
    hd_memory_put(ids + 2u * v, 2, g->cta[v]);
  }
  hd_memory_put(nodes + 8u * g->nodes, 8, g->edges);
  for (unsigned e = 0; e < g->edges; e++) hd_memory_put(edges + 2u * e, 2, g->to[e]);
  memset(early, 0, (2u * g->nodes + 15) / 16 * 16);
}

/* ---- Shapes ---- */

/* Returns a number of nodes: few, as many as the LNA has entries, or more. */
static unsigned nodes_of(const struct hd_cfg *cfg, struct hd_rng *rng) {
  switch (hd_rng_below(rng, 8)) {
    case 0:
    case 1:
      return 1 + hd_rng_below(rng, 6);
    case 5:
    case 6:
      return 4 + hd_rng_below(rng, 20);
    case 4:
      return cfg->lna - 2 + hd_rng_below(rng, 5);
    case 2:
      return 1 + hd_rng_below(rng, 2 * cfg->lna);
    case 3:
      return cfg->lna + hd_rng_below(rng, 30);
    default:
      return 2 * cfg->lna + hd_rng_below(rng, 2 * cfg->lna);
  }
}

/* Adds n nodes of one level; each has 1 to `most` parents in the previous level. */
static void add_level(struct hd_dgb_graph *g, struct hd_rng *rng, unsigned n, unsigned level, unsigned before,
                      unsigned most) {
  unsigned first = g->nodes;
  for (unsigned k = 0; k < n; k++) {
    hd_dgb_graph_node(g, level);
    unsigned parents = level ? 1 + hd_rng_below(rng, most) : 0;
    for (unsigned i = 0; i < parents && before; i++)
      hd_dgb_graph_edge(g, first - before + hd_rng_below(rng, before), first + k);
    if (level > 1 && !hd_rng_below(rng, 4)) hd_dgb_graph_edge(g, hd_rng_below(rng, first), first + k);
  }
}

static void make_layered(struct hd_dgb_graph *g, const struct hd_cfg *cfg, struct hd_rng *rng, unsigned n) {
  unsigned width = 1 + hd_rng_below(rng, 1 + hd_rng_below(rng, cfg->lna)), most = 1 + hd_rng_below(rng, 6), before = 0;
  for (unsigned level = 0; g->nodes < n; level++) {
    unsigned now = 1 + hd_rng_below(rng, width);
    add_level(g, rng, now, level, before, most);
    before = now;
  }
}

void hd_dgb_graph_chains(struct hd_dgb_graph *g, unsigned chains, unsigned n) {
  for (unsigned v = 0; v < n; v++) {
    hd_dgb_graph_node(g, v / chains);
    if (v >= chains) hd_dgb_graph_edge(g, v - chains, v);
  }
}

/* Levels of nodes; each node of a level has edges to all nodes of the next. */
static void make_barriers(struct hd_dgb_graph *g, struct hd_rng *rng, unsigned groups, unsigned most) {
  unsigned before = 0;
  for (unsigned level = 0; level < groups; level++) {
    unsigned first = g->nodes, now = 1 + hd_rng_below(rng, most);
    if ((before + 1) * now + g->edges > HD_DGB_MAX_EDGES) return;
    for (unsigned k = 0; k < now; k++) hd_dgb_graph_node(g, level);
    for (unsigned a = first - before; a < first; a++)
      for (unsigned b = first; b < g->nodes; b++) hd_dgb_graph_edge(g, a, b);
    before = g->nodes - first;
  }
}

/* One barrier that is large compared with PUB and LEA. */
static void make_barrier(struct hd_dgb_graph *g, const struct hd_cfg *cfg, struct hd_rng *rng) {
  unsigned a = 1 + cfg->lna / 8 + hd_rng_below(rng, cfg->lna / 4), b = cfg->lna / 2 + hd_rng_below(rng, cfg->lna);
  while (a * b > HD_DGB_MAX_EDGES) a--, b--;
  for (unsigned v = 0; v < a + b; v++) hd_dgb_graph_node(g, v >= a);
  for (unsigned v = 0; v < a; v++)
    for (unsigned w = a; w < a + b; w++) hd_dgb_graph_edge(g, v, w);
}

static void make_star_in(struct hd_dgb_graph *g, unsigned n) {
  for (unsigned v = 0; v < n; v++) hd_dgb_graph_node(g, 0);
  hd_dgb_graph_node(g, 1);
  for (unsigned v = 0; v < n; v++) hd_dgb_graph_edge(g, v, n);
}

/* One node with about as many children as the LEA holds, some repeated, and nodes before and behind it. */
static void make_star_out(struct hd_dgb_graph *g, const struct hd_cfg *cfg, struct hd_rng *rng) {
  unsigned before = hd_rng_below(rng, 6), behind = hd_rng_below(rng, 6), children = cfg->lea / 2;
  children += hd_rng_below(rng, cfg->lea + 8);
  if (hd_rng_p(rng, 100)) children = cfg->lea;
  unsigned distinct = hd_rng_p(rng, 200) ? 1 + hd_rng_below(rng, cfg->lna + cfg->lna / 2) : children;
  if (distinct > MOST_NODES) distinct = MOST_NODES;
  for (unsigned v = 0; v < before + 1 + behind; v++) hd_dgb_graph_node(g, 0);
  for (unsigned v = 0; v < distinct; v++) hd_dgb_graph_node(g, 1);
  for (unsigned e = 0; e < children; e++) hd_dgb_graph_edge(g, before, before + 1 + behind + e % distinct);
  for (unsigned v = before + 1; v < before + 1 + behind; v++)
    hd_dgb_graph_edge(g, v, before + 1 + behind + hd_rng_below(rng, distinct));
}

/* Parents are often taken from an existing edge, so that nodes with many children gain more. */
static void make_scale_free(struct hd_dgb_graph *g, struct hd_rng *rng, unsigned n) {
  unsigned per = 1 + hd_rng_below(rng, 3), level = 0, first = 0;
  hd_dgb_graph_node(g, 0);
  for (unsigned v = 1; v < n; v++) {
    unsigned edges = g->edges;
    if (hd_rng_p(rng, 40)) level++, first = v;
    hd_dgb_graph_node(g, level);
    for (unsigned k = 0; k < per && first; k++) {
      unsigned from = edges && hd_rng_p(rng, 200) ? g->from[hd_rng_below(rng, edges)] : hd_rng_below(rng, first);
      if (from < first) hd_dgb_graph_edge(g, from, v);
    }
  }
}

/* A wavefront over a square, as in figure 7 of the paper, by diagonals. */
static void make_mesh(struct hd_dgb_graph *g, unsigned side) {
  for (unsigned d = 0, first = 0; d + 1 < 2 * side; d++) {
    unsigned low = d < side ? 0 : d - side + 1, n = (d < side ? d + 1 : 2 * side - 1 - d), next = first + n;
    unsigned next_low = d + 1 < side ? 0 : d + 2 - side, next_n = d + 1 < side ? d + 2 : 2 * side - 2 - d;
    for (unsigned k = 0; k < n; k++) hd_dgb_graph_node(g, d);
    for (unsigned k = 0; k < n; k++)
      for (unsigned row = low + k; row <= low + k + 1; row++)
        if (row >= next_low && row - next_low < next_n) {
          g->from[g->edges] = (uint16_t)(first + k);
          g->to[g->edges++] = (uint16_t)(next + row - next_low);
        }
    first = next;
  }
}

void hd_dgb_graph_random(struct hd_dgb_graph *g, const struct hd_cfg *cfg, struct hd_rng *rng) {
  unsigned any = nodes_of(cfg, rng), n = any < MOST_NODES ? any : MOST_NODES, most = 2 + cfg->lna / 4;
  hd_dgb_graph_clear(g);
  switch (hd_rng_below(rng, HD_DGB_SHAPES)) {
    case HD_DGB_FLAT:
      if (hd_rng_p(rng, 80)) n = 1;
      for (unsigned v = 0; v < n; v++) hd_dgb_graph_node(g, 0);
      break;
    case HD_DGB_CHAIN:
      hd_dgb_graph_chains(g, 1, n < 60 ? n : 60);
      break;
    case HD_DGB_STAR_IN:
      make_star_in(g, n);
      break;
    case HD_DGB_STAR_OUT:
      make_star_out(g, cfg, rng);
      break;
    case HD_DGB_SCALE_FREE:
      make_scale_free(g, rng, n);
      break;
    case HD_DGB_BARRIER:
      make_barrier(g, cfg, rng);
      break;
    case HD_DGB_BARRIERS:
      make_barriers(g, rng, 2 + hd_rng_below(rng, 6), most < 30 ? most : 30);
      break;
    case HD_DGB_MESH:
      make_mesh(g, 2 + hd_rng_below(rng, 12));
      break;
    default:
      make_layered(g, cfg, rng, n);
  }
  hd_dgb_graph_sort(g);
  for (unsigned v = 0; v < g->nodes; v++) g->cta[v] = (uint16_t)hd_rng_bits(rng, 16);
}
