/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* graphs: random TB graphs of many shapes, correct and wrong, in the memory format of the graph buffer. */
#ifndef HD_GRAPHS_H
#define HD_GRAPHS_H

#include "engine/twin.h"
#include "gen/hd_types.h"

/* Of a graph; and bytes of memory that it needs at most. */
enum { HD_DGB_MAX_NODES = 1300, HD_DGB_MAX_EDGES = 12000, HD_DGB_IMAGE = 64 * 1024 };

enum hd_dgb_shape {
  HD_DGB_FLAT,
  HD_DGB_CHAIN,
  HD_DGB_LAYERED,
  HD_DGB_STAR_IN,
  HD_DGB_STAR_OUT,
  HD_DGB_SCALE_FREE,
  HD_DGB_BARRIER,
  HD_DGB_BARRIERS,
  HD_DGB_MESH,
  HD_DGB_SHAPES
};

/* Errors of a graph. */
enum hd_dgb_wrong {
  HD_DGB_RIGHT,
  HD_DGB_COUNT_LOW,
  HD_DGB_COUNT_HIGH,
  HD_DGB_EDGE_BACK,
  HD_DGB_EDGE_BEYOND,
  HD_DGB_START_DOWN,
  HD_DGB_TRUNCATED,
  HD_DGB_TOO_MANY,
  HD_DGB_LEVEL_JUMPS,
  HD_DGB_LEVEL_DOWN,
  HD_DGB_FIRST_START,
  HD_DGB_WRONGS
};

/* A graph. */
struct hd_dgb_graph {
  uint32_t nodes, edges;
  uint16_t level[HD_DGB_MAX_NODES];
  uint16_t parents[HD_DGB_MAX_NODES], cta[HD_DGB_MAX_NODES];
  uint32_t first[HD_DGB_MAX_NODES + 1]; /* of its edges, once they are sorted */
  uint16_t from[HD_DGB_MAX_EDGES], to[HD_DGB_MAX_EDGES];
};

/* An empty graph; a node of that level behind the others; an edge, which must lead to a larger number. Nodes and edges
 * beyond what there is room for are left out. */
void hd_dgb_graph_clear(struct hd_dgb_graph *g);
void hd_dgb_graph_node(struct hd_dgb_graph *g, unsigned level);
void hd_dgb_graph_edge(struct hd_dgb_graph *g, unsigned from, unsigned to);

/* So many chains side by side, of n nodes together: node v leads to node v + chains. */
void hd_dgb_graph_chains(struct hd_dgb_graph *g, unsigned chains, unsigned n);

/* Behind the last edge: sorts them by `from` and counts starts and parents. */
void hd_dgb_graph_sort(struct hd_dgb_graph *g);

/* Return the maximum number of parents, and of children, of a node. */
uint32_t hd_dgb_graph_widest_in(const struct hd_dgb_graph *g);
uint32_t hd_dgb_graph_widest_out(const struct hd_dgb_graph *g);

/* Lays the graph into memory at the addresses of *start, sets its counts there, and clears the early updates. bytes:
 * size bytes from address `base` on. */
void hd_dgb_graph_lay(const struct hd_dgb_graph *g, struct hd_dgbstart *start, uint8_t *bytes, uint64_t base);

/* Any graph; sizes follow the configuration. */
void hd_dgb_graph_random(struct hd_dgb_graph *g, const struct hd_cfg *cfg, struct hd_rng *rng);

/* Makes one thing of the graph wrong, and lays it as hd_dgb_graph_lay() does. Where that thing can not be wrong it
 * stays right. Starts and levels are kept in *g as they are in memory, so that it can be laid again. */
void hd_dgb_graph_spoil(struct hd_dgb_graph *g, enum hd_dgb_wrong wrong, struct hd_rng *rng, struct hd_dgbstart *start,
                        uint8_t *bytes, uint64_t base);

#endif
