/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dgb_neighbours: the random environment of dgb: graphs of many shapes in a memory, some of them wrong; SMXs that
 * accept nodes and complete them in any order; and the memory. dgb_large makes a graph of 65528 nodes, with which the
 * profile `large` starts. */
#ifndef HD_DGB_NEIGHBOURS_H
#define HD_DGB_NEIGHBOURS_H

#include "engine/block_driver.h"
#include "env/common/graphs.h"
#include "env/common/memory.h"
#include "gen/hd_dgb_ports.h"

/* A running TB. */
struct hd_dgb_tb {
  uint32_t due;
  uint16_t index;
  uint8_t smx;
};

struct hd_dgb_neighbours {
  struct hd_cfg cfg;
  uint32_t now;
  uint8_t active, reported; /* a graph runs; one was started before */
  uint8_t wrong;            /* enum hd_dgb_wrong */
  uint8_t pair;             /* the graph consists of two chains */
  uint8_t again;            /* the graph is the one that ran before */
  uint8_t sound;            /* the memory makes no errors */
  uint8_t before_smx;       /* SMX of the dispatch in the previous cycle, NumSmx: none; and its place */
  uint16_t before_index;
  uint8_t early_before; /* an early update was written in the previous cycle */
  uint8_t stood;        /* in the previous cycle a node in this place was offered and not taken */
  uint16_t stood_index;
  uint32_t widest_in, widest_out; /* maximum number of parents and children of a node */
  uint32_t unoffered;             /* preceding cycles without an offer while TBs run */
  /* Phases. */
  uint8_t hold;    /* TBs complete together, at the end of the phase */
  uint8_t alone;   /* all TBs go to one SMX */
  uint8_t full;    /* SMXs rarely accept a node */
  uint16_t slow;   /* maximum cycles of a TB */
  uint16_t oldest; /* additional cycles of some TBs */
  uint32_t running;
  struct hd_dgb_tb tb[HD_MAX_LNA];
  struct hd_dgbstart start;
  struct hd_dgb_graph graph;
  struct hd_memory_bursts port;
  uint64_t base;
  uint8_t *image; /* memory of a large graph; NULL: it is in `bytes` */
  uint64_t image_size;
  uint8_t bytes[HD_DGB_IMAGE];
};

void hd_dgb_neighbours_reset(struct hd_dgb_neighbours *s);

/* Frees the memory of a large graph. */
void hd_dgb_neighbours_free(struct hd_dgb_neighbours *s);

/* Processes the previous cycle (in, out) and sets the inputs of the next. */
void hd_dgb_neighbours_drive(struct hd_dgb_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                             const struct hd_dgb_out *out, const struct hd_dgb_out *now, struct hd_dgb_in *in);

/* ---- dgb_large ---- */

/* Makes the large graph, from s->base on; s->graph holds only its numbers of nodes and edges. */
void hd_dgb_large_make(struct hd_dgb_neighbours *s, struct hd_rng *rng);

#endif
