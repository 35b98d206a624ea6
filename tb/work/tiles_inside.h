/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* tiles_inside: what tiles.c (graph, table, TBs) and tiles_work.c (launches) share. */
#ifndef HD_TILES_INSIDE_H
#define HD_TILES_INSIDE_H

#include "work/tiles.h"

enum hd_tiles_state { HD_TILES_WAIT, HD_TILES_RUN, HD_TILES_ENDED };

/* A TB, by VID. */
struct hd_tiles_node {
  uint32_t parents; /* that have not ended */
  bool begun;
  void *result; /* while it runs: what it will leave in the table */
};

struct hd_tiles {
  const struct hd_tiles_data *d;
  struct hd_tiles_opts o;
  struct hd_work_device device;
  struct hd_deplinks_graph graph;
  struct hd_tiles_node *node;
  uint32_t *wave; /* by level: its first VID; and the closing entry */
  uint16_t *vid;  /* by TB */
  uint32_t side;  /* tiles */
  size_t cell;    /* bytes */
  void *table;
  uint32_t done;                         /* TBs that have ended */
  uint32_t *running;                     /* by level: TBs that run; they are between these levels */
  uint32_t lowest, highest, level_range; /* and were at most so far from each other */
  enum hd_tiles_state state;
  uint32_t next;     /* the wave to be launched next by the host */
  uint64_t ready_at; /* HD_TILES_WAIT: when */
  char broken[300];
};

/* Cycles from the moment at which the host could launch to that at which it does. */
uint64_t hd_tiles_delay(const struct hd_tiles *t);
/* Cycles for which an SMX holds the TB, at least 1. */
uint64_t hd_tiles_cycles(const struct hd_tiles *t, uint32_t vid);
/* The TB begins: it reads the table. It ends: what it has computed is in the table. */
void hd_tiles_begin(struct hd_tiles *t, uint32_t vid);
void hd_tiles_end(struct hd_tiles *t, uint32_t vid);

#endif
