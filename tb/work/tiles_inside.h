/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* tiles_inside: what tiles.c (graph, TBs), tiles_table.c (their cells), tiles_work.c (launches) and tiles_warps.c (what
 * warps run) share. */
#ifndef HD_TILES_INSIDE_H
#define HD_TILES_INSIDE_H

#include "work/tiles.h"

enum hd_tiles_state { HD_TILES_WAIT, HD_TILES_RUN, HD_TILES_ENDED };

/* What a TB will leave in the table when it ends. */
struct hd_tiles_result {
  uint64_t digest;       /* of its cells */
  double largest;        /* of kinds with `largest` */
  unsigned char cells[]; /* in place all, else its last row and its last column */
};

/* A TB, by VID. */
struct hd_tiles_node {
  uint32_t parents;               /* that have not ended */
  bool begun, alone;              /* alone: its wave could not be launched, the TB that wanted to does it itself */
  struct hd_tiles_result *result; /* while it runs */
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
  unsigned char *table, *scratch;
  uint64_t *digest; /* of each tile's cells, row by row; 0 before it has ended */
  double largest;
  uint64_t table_at, data_at[2];         /* the table, and the data: of two inputs each */
  uint32_t done;                         /* TBs that have ended */
  uint32_t *running;                     /* by level: TBs that run; they are between these levels */
  uint32_t lowest, highest, level_range; /* and were at most so far from each other */
  enum hd_tiles_state state;
  uint32_t next;     /* the wave to be launched next by the host */
  uint64_t ready_at; /* HD_TILES_WAIT: when */
  char broken[300];
};

static inline bool hd_tiles_has_graph(const struct hd_tiles *t) {
  return hd_tiles_launch_has_graph(t->o.launch);
}

/* A TB of the kernel, or, nested, of the wave that its one TB launched. A graph kernel has all of them. */
static inline uint32_t hd_tiles_vid(const struct hd_tiles *t, uint32_t wave, uint32_t blkid) {
  return hd_tiles_has_graph(t) ? t->vid[blkid] : t->wave[wave] + blkid;
}

static inline uint32_t hd_tiles_width(const struct hd_tiles *t, uint32_t wave) {
  return t->wave[wave + 1] - t->wave[wave];
}

/* A TB in the grid, its cells, and where the k-th of `side` parts of n cells begins. */
struct hd_dim3 hd_tiles_at(const struct hd_tiles *t, uint32_t vid);
struct hd_tiles_area hd_tiles_area(const struct hd_tiles *t, uint32_t vid);
uint32_t hd_tiles_cut(uint32_t n, uint32_t k, uint32_t side);

/* The table. False: out of memory; to be freed nevertheless. */
bool hd_tiles_table_make(struct hd_tiles *t);
void hd_tiles_table_free(struct hd_tiles *t);
/* Computes a TB's cells from the table as it is; the caller frees the result. NULL: out of memory. */
struct hd_tiles_result *hd_tiles_compute(const struct hd_tiles *t, uint32_t vid);
/* Puts a result into the table. */
void hd_tiles_store(struct hd_tiles *t, uint32_t vid, const struct hd_tiles_result *result);

extern const struct hd_warp_source hd_tiles_warps;

/* Cycles from the moment at which the host could launch to that at which it does. */
uint64_t hd_tiles_delay(const struct hd_tiles *t);
/* Cycles for which an SMX holds the TB, at least 1. */
uint64_t hd_tiles_cycles(const struct hd_tiles *t, uint32_t vid);
/* The TB begins: it reads the table. It ends: what it has computed is in the table. */
void hd_tiles_begin(struct hd_tiles *t, uint32_t vid);
void hd_tiles_end(struct hd_tiles *t, uint32_t vid);

#endif
