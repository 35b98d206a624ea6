/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/common/graphs.h"

/* The graph to spoil, and the error. */
struct spoilt {
  struct hd_dgb_graph *graph;
  struct hd_dgbstart *start;
  enum hd_dgb_wrong wrong;
};

/* Returns a node other than the first, if there is one. */
static unsigned any_node(const struct spoilt *s, struct hd_rng *rng) {
  return s->graph->nodes > 1 ? 1 + hd_rng_below(rng, s->graph->nodes - 1) : 0;
}

/* Makes a parent count wrong, if possible. */
static void spoil_counts(struct spoilt *s, struct hd_rng *rng) {
  struct hd_dgb_graph *g = s->graph;
  unsigned v = any_node(s, rng);
  if (s->wrong == HD_DGB_COUNT_HIGH)
    g->parents[v] += (uint16_t)(1 + hd_rng_below(rng, hd_rng_p(rng, 128) ? 3 : UINT16_MAX - g->parents[v]));
  else if (g->parents[v])
    g->parents[v] = hd_rng_p(rng, 128) ? (uint16_t)(g->parents[v] - 1) : 0;
}

static void spoil_edges(struct spoilt *s, struct hd_rng *rng) {
  struct hd_dgb_graph *g = s->graph;
  unsigned e = g->edges ? hd_rng_below(rng, g->edges) : 0;
  if (!g->edges) return;
  if (s->wrong == HD_DGB_EDGE_BACK)
    g->to[e] = (uint16_t)hd_rng_below(rng, g->from[e] + 1u);
  else
    g->to[e] = (uint16_t)(g->nodes + (hd_rng_p(rng, 128) ? 0 : hd_rng_below(rng, 1000)));
}

/* Sets the edge count above the true one, up to the largest value that fits. */
static void spoil_count(struct spoilt *s, struct hd_rng *rng) {
  if (hd_rng_p(rng, 80))
    s->start->edge_count += 65536;
  else if (hd_rng_p(rng, 128))
    s->start->edge_count = (uint32_t)(hd_rng_bits(rng, 32) | 65536) & ~UINT32_C(7);
  else
    s->start->edge_count += 1 + hd_rng_below(rng, 40);
}

static void spoil_starts(struct spoilt *s, struct hd_rng *rng) {
  struct hd_dgb_graph *g = s->graph;
  unsigned v = any_node(s, rng);
  if (s->wrong == HD_DGB_FIRST_START)
    g->first[0] = 1 + hd_rng_below(rng, 3);
  else if (s->wrong == HD_DGB_TRUNCATED)
    s->start->edge_count -= s->start->edge_count ? 1 + hd_rng_below(rng, (s->start->edge_count + 1) / 2) : 0;
  else if (s->wrong == HD_DGB_TOO_MANY)
    spoil_count(s, rng);
  else
    g->first[v] = hd_rng_p(rng, 80)    ? g->first[v] + 65536
                  : hd_rng_p(rng, 128) ? (uint32_t)hd_rng_bits(rng, 32)
                                       : g->first[v] / 2;
}

static void spoil_levels(struct spoilt *s, struct hd_rng *rng) {
  struct hd_dgb_graph *g = s->graph;
  unsigned v = hd_rng_below(rng, g->nodes);
  if (s->wrong == HD_DGB_LEVEL_JUMPS)
    g->level[v] = (uint16_t)(g->level[v] + 2 + (hd_rng_p(rng, 128) ? hd_rng_bits(rng, 16) : hd_rng_below(rng, 3)));
  else if (g->level[v])
    g->level[v] = (uint16_t)(g->level[v] - 1);
}

static void spoil(struct spoilt *s, struct hd_rng *rng) {
  switch (s->wrong) {
    case HD_DGB_RIGHT:
      break;
    case HD_DGB_COUNT_LOW:
    case HD_DGB_COUNT_HIGH:
      spoil_counts(s, rng);
      break;
    case HD_DGB_EDGE_BACK:
    case HD_DGB_EDGE_BEYOND:
      spoil_edges(s, rng);
      break;
    case HD_DGB_LEVEL_JUMPS:
    case HD_DGB_LEVEL_DOWN:
      spoil_levels(s, rng);
      break;
    default:
      spoil_starts(s, rng);
  }
}

void hd_dgb_graph_spoil(struct hd_dgb_graph *g, enum hd_dgb_wrong wrong, struct hd_rng *rng, struct hd_dgbstart *start,
                        uint8_t *bytes, uint64_t base) {
  struct spoilt s = {.graph = g, .start = start, .wrong = wrong};
  start->edge_count = g->edges;
  spoil(&s, rng);
  const uint32_t edges = start->edge_count;
  hd_dgb_graph_lay(g, start, bytes, base);
  if (wrong == HD_DGB_TRUNCATED || wrong == HD_DGB_TOO_MANY) start->edge_count = edges;
}
