/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* A graph of maximum size, for 16-bit numbers: a chain in which each node also leads to the last eight nodes, which
 * share one beat of early updates; and two nodes with tens of thousands of edges to the next. The level of the very
 * last node is wrong: the graph runs up to it, and ends with that node's number. */
#include <stdlib.h>
#include <string.h>

#include "env/graph/dgb_neighbours.h"

enum { NODES = 65528, ENDS = 8, CHAIN = NODES - ENDS, ALIGN = 128 };

/* Edges of the two large nodes beyond those of every node of the chain. Every bit of the number of edges, and of the
 * number of parents of the next node, is set in one of the two; the total is 4 less than a multiple of 2^17 edges, so
 * that the number of their rows carries. */
static const struct { uint16_t vid, edges; } large[2] = {{0x5555, 0xaa9a}, {0xaaaa, 0x55f3}};

static unsigned more(unsigned vid) {
  return vid == large[0].vid ? large[0].edges : vid == large[1].vid ? large[1].edges : 0;
}

/* Edges to the next of the chain, and to the last eight. */
static unsigned edges_of(unsigned vid) {
  if (vid >= CHAIN) return 0;
  return (vid + 1 < CHAIN) + ENDS + more(vid);
}

static unsigned parents_of(unsigned vid) {
  if (vid >= CHAIN) return CHAIN;
  return vid ? 1 + more(vid - 1) : 0;
}

void hd_dgb_large_make(struct hd_dgb_neighbours *s, struct hd_rng *rng) {
  const unsigned edges = (CHAIN - 1) * (ENDS + 1) + ENDS + large[0].edges + large[1].edges;
  const uint64_t nodes = 8u * (NODES + 1), ids = (2u * NODES + ALIGN - 1) / ALIGN * ALIGN;
  const uint64_t ids_at = (nodes + ALIGN - 1) / ALIGN * ALIGN, early_at = ids_at + ids, edges_at = early_at + ids;
  s->image_size = edges_at + (2u * edges + ALIGN - 1) / ALIGN * ALIGN;
  s->image = calloc(1, s->image_size);
  if (!s->image) abort();
  s->start = (struct hd_dgbstart){.nodes = s->base,
                                  .ids = s->base + ids_at,
                                  .early = s->base + early_at,
                                  .edges = s->base + edges_at,
                                  .node_count = NODES,
                                  .edge_count = edges};
  uint8_t *edge = s->image + edges_at;
  uint32_t first = 0;
  for (unsigned v = 0; v < NODES; v++) {
    uint8_t *node = s->image + 8u * v;
    hd_memory_put(node, 4, first);
    hd_memory_put(node + 4, 2, parents_of(v));
    hd_memory_put(node + 6, 2, v < CHAIN ? v : v + 1 < NODES ? CHAIN : 0);
    hd_memory_put(s->image + ids_at + 2u * v, 2, hd_rng_bits(rng, 16));
    for (unsigned k = 0, n = edges_of(v); k < n; k++, first++, edge += 2)
      hd_memory_put(edge, 2, k < n - ENDS ? v + 1 : CHAIN + k - (n - ENDS));
  }
  hd_memory_put(s->image + 8u * NODES, 8, first);
  hd_dgb_graph_clear(&s->graph);
  s->graph.nodes = NODES;
  s->graph.edges = edges;
  s->widest_in = CHAIN;
  s->widest_out = large[0].edges + ENDS + 1;
}
