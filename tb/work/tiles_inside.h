/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* tiles_inside: declarations shared by tiles.c (graph, TBs), tiles_table.c (cells), tiles_work.c (launches) and
 * tiles_warps.c (operations of warps). */
#ifndef HD_TILES_INSIDE_H
#define HD_TILES_INSIDE_H

#include "work/tiles.h"

enum hd_tiles_state { HD_TILES_WAIT, HD_TILES_RUN, HD_TILES_ENDED };

/* The result of a TB, which it writes to the table when it ends. */
struct hd_tiles_result {
  uint64_t digest;       /* of its cells */
  double largest;        /* for kinds with `largest` */
  unsigned char cells[]; /* in-place kinds: all; otherwise the last row and the last column */
};

/* A TB, by VID. */
struct hd_tiles_node {
  uint32_t parents;               /* parents that have not ended */
  bool begun, alone;              /* alone: the plane refused the launch of its wave; the launching TB computes it */
  struct hd_tiles_result *result; /* while it runs */
};

struct hd_tiles {
  const struct hd_tiles_data *d;
  struct hd_tiles_opts o;
  struct hd_work_device device;
  struct hd_deplinks_graph graph;
  struct hd_tiles_node *node;
  uint32_t *wave; /* first VID of each level, and an end entry */
  uint16_t *vid;  /* by TB */
  uint32_t side;  /* tiles per side */
  size_t cell;    /* bytes per cell */
  unsigned char *table, *scratch;
  uint64_t *digest; /* of each tile's cells, row by row; 0 before it has ended */
  double largest;
  uint64_t table_at, data_at[2];         /* addresses of the table, and of the data of each input */
  uint32_t done;                         /* TBs that have ended */
  uint32_t *running;                     /* running TBs of each level */
  uint32_t lowest, highest, level_range; /* range of the levels of running TBs; largest distance so far */
  enum hd_tiles_state state;
  uint32_t next;     /* next wave that the host launches */
  uint64_t ready_at; /* HD_TILES_WAIT: cycle of that launch */
  char broken[300];
};

static inline bool hd_tiles_has_graph(const struct hd_tiles *t) {
  return hd_tiles_launch_has_graph(t->o.launch);
}

/* Returns the VID of a TB of a wave's kernel, whether the host or a TB launched it, or of the graph kernel, which has
 * all TBs. */
static inline uint32_t hd_tiles_vid(const struct hd_tiles *t, uint32_t wave, uint32_t blkid) {
  return hd_tiles_has_graph(t) ? t->vid[blkid] : t->wave[wave] + blkid;
}

static inline uint32_t hd_tiles_width(const struct hd_tiles *t, uint32_t wave) {
  return t->wave[wave + 1] - t->wave[wave];
}

/* Return the position of a TB in the grid; its cells; the first cell of part k if n cells are cut into `side` parts. */
struct hd_dim3 hd_tiles_at(const struct hd_tiles *t, uint32_t vid);
struct hd_tiles_area hd_tiles_area(const struct hd_tiles *t, uint32_t vid);
uint32_t hd_tiles_cut(uint32_t n, uint32_t k, uint32_t side);

/* Creates the table. Returns false if out of memory; the caller frees it in both cases. */
bool hd_tiles_table_make(struct hd_tiles *t);
void hd_tiles_table_free(struct hd_tiles *t);
/* Computes a TB's cells from the current table. The caller frees the result. Returns NULL if out of memory. */
struct hd_tiles_result *hd_tiles_compute(const struct hd_tiles *t, uint32_t vid);
/* Writes a result to the table. */
void hd_tiles_store(struct hd_tiles *t, uint32_t vid, const struct hd_tiles_result *result);

extern const struct hd_warp_source hd_tiles_warps;

/* Returns the cycles from when the host can launch until the launch arrives: latency and jitter. */
uint64_t hd_tiles_delay(const struct hd_tiles *t);
/* Returns the cycles for which a timer holds the TB, at least 1. */
uint64_t hd_tiles_cycles(const struct hd_tiles *t, uint32_t vid);
/* A TB begins, and reads the table; it ends, and writes its result to the table. */
void hd_tiles_begin(struct hd_tiles *t, uint32_t vid);
void hd_tiles_end(struct hd_tiles *t, uint32_t vid);

#endif
