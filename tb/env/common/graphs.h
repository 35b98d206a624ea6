/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* graphs: random TB graphs of many shapes, correct and wrong, in the memory format of the graph buffer. */
#ifndef HD_GRAPHS_H
#define HD_GRAPHS_H

#include "engine/block_driver.h"
#include "gen/hd_types.h"

/* Maximum size of a graph; bytes of memory for it. */
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

struct hd_dgb_graph {
  uint32_t nodes, edges;
  uint16_t level[HD_DGB_MAX_NODES];
  uint16_t parents[HD_DGB_MAX_NODES], cta[HD_DGB_MAX_NODES];
  uint32_t first[HD_DGB_MAX_NODES + 1]; /* index of its edges, once sorted */
  uint16_t from[HD_DGB_MAX_EDGES], to[HD_DGB_MAX_EDGES];
};

/* Make the graph empty; add a node at the given level behind the others; add an edge, which must lead to a larger
 * number. Nodes and edges that do not fit are omitted. */
void hd_dgb_graph_clear(struct hd_dgb_graph *g);
void hd_dgb_graph_node(struct hd_dgb_graph *g, unsigned level);
void hd_dgb_graph_edge(struct hd_dgb_graph *g, unsigned from, unsigned to);

/* Adds `chains` parallel chains with n nodes in total: node v leads to node v + chains. */
void hd_dgb_graph_chains(struct hd_dgb_graph *g, unsigned chains, unsigned n);

/* Requires that all edges are added. Sorts them by `from`; counts starts and parents. */
void hd_dgb_graph_sort(struct hd_dgb_graph *g);

/* Return the maximum number of parents, and of children, of a node. */
uint32_t hd_dgb_graph_widest_in(const struct hd_dgb_graph *g);
uint32_t hd_dgb_graph_widest_out(const struct hd_dgb_graph *g);

/* Writes the graph to memory at the addresses in *start, sets the counts in *start, and clears the early updates.
 * `bytes` holds the memory from address `base` on. */
void hd_dgb_graph_lay(const struct hd_dgb_graph *g, struct hd_dgbstart *start, uint8_t *bytes, uint64_t base);

/* Makes a random graph; sizes depend on the configuration. */
void hd_dgb_graph_random(struct hd_dgb_graph *g, const struct hd_cfg *cfg, struct hd_rng *rng);

/* Makes one part of the graph wrong and writes it as hd_dgb_graph_lay() does. If that part can not be wrong, it stays
 * correct. *g keeps starts and levels as they are in memory, so that it can be written again. */
void hd_dgb_graph_spoil(struct hd_dgb_graph *g, enum hd_dgb_wrong wrong, struct hd_rng *rng, struct hd_dgbstart *start,
                        uint8_t *bytes, uint64_t base);

#endif
