/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dgb_around: the environment of dgb in random runs: graphs of many shapes in a memory, some of them wrong; SMXs that
 * take the nodes and are done with them in any order; and the memory. dgb_graphs makes the graphs, dgb_large one of
 * 65528 nodes, with which the profile `large` begins. */
#ifndef HD_DGB_AROUND_H
#define HD_DGB_AROUND_H

#include "engine/twin.h"
#include "env/common/memory.h"
#include "gen/hd_dgb_ports.h"

/* Of a graph; and bytes of memory, of which `base` is the first. */
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

/* What is wrong with a graph. */
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

/* A graph in words. */
struct hd_dgb_graph {
  uint32_t nodes, edges;
  uint16_t level[HD_DGB_MAX_NODES];
  uint16_t parents[HD_DGB_MAX_NODES], cta[HD_DGB_MAX_NODES];
  uint32_t first[HD_DGB_MAX_NODES + 1]; /* of its edges, once they are sorted */
  uint16_t from[HD_DGB_MAX_EDGES], to[HD_DGB_MAX_EDGES];
};

/* A TB that runs. */
struct hd_dgb_tb {
  uint32_t due;
  uint16_t index;
  uint8_t smx;
};

struct hd_dgb_around {
  struct hd_cfg cfg;
  uint32_t now;
  uint8_t active, told; /* a graph runs; one was told before */
  uint8_t wrong;        /* enum hd_dgb_wrong */
  uint8_t again;        /* it is the one that ran before */
  uint8_t sound;        /* the memory makes no errors */
  uint8_t before_smx;   /* SMX of the hand-out in the cycle before, NumSmx: none; and the place */
  uint16_t before_index;
  uint8_t early_before;           /* early_before: an early update in the cycle before */
  uint32_t widest_in, widest_out; /* parents, children of a node at most */
  uint32_t unoffered;             /* cycles without an offer before this one, while TBs run */
  /* Phases. */
  uint8_t hold;    /* TBs are done together, when it is over */
  uint8_t alone;   /* all TBs go to one SMX */
  uint16_t slow;   /* TBs take up to so many cycles */
  uint16_t oldest; /* .. and some of them so many more */
  uint32_t running;
  struct hd_dgb_tb tb[HD_MAX_LNA];
  struct hd_dgbstart start;
  struct hd_dgb_graph graph;
  struct hd_memory_many port;
  uint64_t base;
  uint8_t *image; /* a large graph's memory; NULL: it is in `bytes` */
  uint64_t image_size;
  uint8_t bytes[HD_DGB_IMAGE];
};

void hd_dgb_around_reset(struct hd_dgb_around *s);

/* Gives back the memory of a large graph. */
void hd_dgb_around_free(struct hd_dgb_around *s);

/* Follows the cycle before (in, out) and makes the inputs of the next. */
void hd_dgb_around_drive(struct hd_dgb_around *s, struct hd_rng *rng, const struct hd_profile *p,
                         const struct hd_dgb_out *out, const struct hd_dgb_out *now, struct hd_dgb_in *in);

/* ---- dgb_graphs ---- */

/* An empty graph; a node of that level behind the others; an edge, which must lead to a larger number. Nodes and edges
 * beyond what there is room for are left out. */
void hd_dgb_graph_clear(struct hd_dgb_graph *g);
void hd_dgb_graph_node(struct hd_dgb_graph *g, unsigned level);
void hd_dgb_graph_edge(struct hd_dgb_graph *g, unsigned from, unsigned to);

/* Behind the last edge: sorts them by `from` and counts starts and parents. */
void hd_dgb_graph_sort(struct hd_dgb_graph *g);

/* The most parents, the most children of a node. */
uint32_t hd_dgb_graph_widest_in(const struct hd_dgb_graph *g);
uint32_t hd_dgb_graph_widest_out(const struct hd_dgb_graph *g);

/* Lays the graph into memory at the addresses of *start, sets its counts there, and clears the early updates. bytes:
 * size bytes from address `base` on. */
void hd_dgb_graph_lay(const struct hd_dgb_graph *g, struct hd_dgbstart *start, uint8_t *bytes, uint64_t base);

/* The large graph, from s->base on; only its numbers of nodes and edges are in s->graph. */
void hd_dgb_large_make(struct hd_dgb_around *s, struct hd_rng *rng);

/* Any graph; sizes follow the configuration. */
void hd_dgb_graph_random(struct hd_dgb_graph *g, const struct hd_cfg *cfg, struct hd_rng *rng);

#endif
