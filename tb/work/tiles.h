/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* tiles: the workloads of wireframe-micro2017 section 5.2, as a GPU program runs them on tiles: dtw, heat2d, hist,
 * intimg, sor, sw.
 *
 *     struct hd_tiles_data d = {.kind = &hd_tiles_sw, .width = 3072, .height = 3072, .sweeps = 1, .bins = 1};
 *     hd_tiles_generate(&d, 1);                       // or hd_tiles_read(): see tiles_read.h
 *     struct hd_tiles *t = hd_tiles_new(&d, &opts, err, sizeof err);
 *     struct hd_work work = hd_tiles_work(t);         // for the loop, with hd_tiles_taken(t, ..) as its `taken`
 *     hd_tiles_check(t, &wrong);                      // against a plain program
 *
 * A table of width x height cells is cut into columns x rows tiles of at least one cell, whose sizes differ by at most
 * one. A TB is a tile; with several sweeps it is a tile in one sweep, its third coordinate. Its parents are its
 * neighbours to the west and to the north and, from the previous sweep, itself and its neighbours to the east and to
 * the south. The graph is DepLinks' (hd_tiles_graph()); its levels are the waves.
 *
 * A TB reads its neighbours at its begin, and writes its cells to the table at its end. A TB that begins before a
 * parent has ended reads old cells, so the answer is wrong, and hd_tiles_broken() names that TB. Storage of the table:
 * tiles_table.c.
 *
 * Launches:
 * - HD_TILES_WAVES (code block 1 of the paper, global barriers): a kernel per wave, launched by the host `host_latency`
 *   cycles after the previous one was reported.
 * - HD_TILES_NESTED (code block 3, CDP): the host launches one TB in the same way, and that TB launches the waves, each
 *   when the TBs of the previous one have ended.
 * - HD_TILES_GRAPH (code block 5): the host launches one kernel of all TBs, with the graph, in the same way.
 * - HD_TILES_BARRIERS (section 2.2, the paper's "DepLinks"): the same with a graph in which a TB waits for all TBs of
 *   the previous wave.
 *
 * On SMXs that run warps, durations come from the SMX: tiles_warps.c. */
#ifndef HD_TILES_H
#define HD_TILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/deplinks.h"
#include "sim/array.h"
#include "sim/work.h"

enum hd_tiles_launch { HD_TILES_WAVES, HD_TILES_NESTED, HD_TILES_BARRIERS, HD_TILES_GRAPH };
enum hd_tiles_input { HD_TILES_NO_INPUT, HD_TILES_SERIES, HD_TILES_SEQUENCES, HD_TILES_IMAGE };

/* The cells of a tile: x0 <= x < x1, y0 <= y < y1. */
struct hd_tiles_area {
  uint32_t x0, x1, y0, y1;
};

struct hd_tiles_data;

/* A row of a tile: cells x0 <= x < x1 of row y. `own` is to be computed; own[-1], north[-1] and, in place, own[x1 - x0]
 * are cells too. In place `own` holds what they were before, and `south` the row below; it is NULL elsewhere. */
struct hd_tiles_row {
  uint32_t x0, x1, y;
  const void *north;
  void *own;
  const void *south;
};

/* Result of the comparison with the plain program. */
struct hd_tiles_wrong {
  uint32_t tiles;   /* number of tiles with a cell that differs */
  uint32_t x, y;    /* the first such cell, row by row */
  bool out_of_room; /* not compared: out of memory */
};

/* A comparison in progress. */
struct hd_tiles_check;

/* One of the workloads. */
struct hd_tiles_kind {
  const char *name, *title;
  enum hd_tiles_input input;
  uint32_t size;   /* cells per side of generated data, by default */
  uint32_t sweeps; /* sweeps, by default */
  uint32_t bins;   /* bins per cell; 1 for kinds without bins */
  size_t item;     /* bytes per number of the table; a cell has one per bin */
  /* In-place kinds: writes the table before the first tile, row by row, `pitch` cells apart. Else NULL. */
  void (*begin)(const struct hd_tiles_data *d, void *table, size_t pitch);
  /* Writes a cell to the north or west of the table (x or y is -1), where it is not 0; or NULL. */
  void (*outside)(int64_t x, int64_t y, void *cell);
  /* Computes a row of a tile from the surrounding cells and the data. */
  void (*row)(const struct hd_tiles_data *d, const struct hd_tiles_row *row);
  /* Returns the number of steps in which thread `first` or a later one of a TB of that many threads is active; in each
   * step a thread computes a cell, or a bin of one. With first = 0: the steps of the TB. */
  uint64_t (*steps)(const struct hd_tiles_data *d, uint32_t width, uint32_t height, uint32_t threads, uint32_t first);
  uint32_t instructions; /* per step, with its loads and stores on the SMX; about those that a compiler generates */
  /* Computes the table by a plain program, independent of row(), and passes all its rows in order to
   * hd_tiles_check_row(). Returns false if out of memory. */
  bool (*check)(const struct hd_tiles_data *d, struct hd_tiles_check *c);
  /* Name and value of the answer. With `largest`, the maximum of result() over groups of n adjacent cells. Otherwise
   * result() of the whole table for in-place kinds, and of the last cell for others. */
  const char *found;
  bool largest;
  double (*result)(const struct hd_tiles_data *d, const void *cell, size_t n);
};

extern const struct hd_tiles_kind hd_tiles_dtw, hd_tiles_heat2d, hd_tiles_hist, hd_tiles_intimg, hd_tiles_sor,
    hd_tiles_sw;

/* Steps of a kind whose cells wait for their western and northern neighbours, diagonal by diagonal; of a kind that adds
 * up rows, then columns, one thread each. */
uint64_t hd_tiles_diagonals(uint32_t width, uint32_t height, uint32_t threads, uint32_t first);
uint64_t hd_tiles_scans(uint32_t width, uint32_t height, uint32_t bins, uint32_t threads, uint32_t first);
/* Passes the next row of the reference table, all cells of its width. */
void hd_tiles_check_row(struct hd_tiles_check *c, const void *cells);

/* Returns the workload with that name, or NULL. */
const struct hd_tiles_kind *hd_tiles_find(const char *name);

/* The input data. */
struct hd_tiles_data {
  const struct hd_tiles_kind *kind;
  uint32_t width, height; /* cells */
  uint32_t sweeps, bins;
  double *series[2];         /* dtw: width and height numbers */
  char *sequence[2];         /* sw: width and height letters, in capitals */
  uint16_t *grey, grey_most; /* hist, intimg: width x height, each 0 to grey_most */
  uint64_t seed;             /* seed of generated data */
};

/* Generates data for the given kind, width x height cells, sweeps and bins. Equal seeds give equal data on every
 * machine. Returns false if out of memory. */
bool hd_tiles_generate(struct hd_tiles_data *d, uint64_t seed);
void hd_tiles_data_free(struct hd_tiles_data *d);

struct hd_tiles_opts {
  uint32_t nodes; /* TBs of the graph: a square number times the sweeps */
  enum hd_tiles_launch launch;
  enum hd_deplinks_policy order; /* with a graph: which of the ready TBs goes first .. */
  uint32_t bound;                /* .. and how many levels ahead it may be */
  uint32_t block_size;           /* threads per TB */
  uint32_t regs, smem;           /* per thread; of a TB, in units of 256 bytes */
  uint32_t overhead;             /* on timers a TB is held for overhead .. */
  uint32_t cycles_per_step;      /* .. + steps x cycles_per_step cycles */
  uint32_t uneven;               /* .. plus up to this many percent, at random */
  uint32_t host_latency;         /* latency of a launch by the host */
  uint64_t seed;                 /* seed of `uneven` and of the jitter; 0: no jitter */
  uint32_t jitter;               /* each launch by the host is delayed by 0 to this many further cycles */
};

/* Returns true if the host launches one kernel of all TBs, with a graph. */
static inline bool hd_tiles_launch_has_graph(enum hd_tiles_launch l) {
  return l >= HD_TILES_BARRIERS;
}

struct hd_tiles;

/* Returns the tiles per side for that many TBs and sweeps; 0: nodes / sweeps is not a square. */
uint32_t hd_tiles_side(uint32_t nodes, uint32_t sweeps);

/* Returns false if hd_tiles_new() would refuse these sizes; err then names the reason. At most 1 GiB each is held for
 * the table and for an image. */
bool hd_tiles_fits(const struct hd_tiles_data *d, uint32_t nodes, char *err, size_t err_size);

/* Creates the workload. The data must outlive it. Returns NULL on failure; err then has the reason for a user. */
struct hd_tiles *hd_tiles_new(const struct hd_tiles_data *d, const struct hd_tiles_opts *o, char *err, size_t err_size);
void hd_tiles_free(struct hd_tiles *t);
struct hd_work hd_tiles_work(struct hd_tiles *t);

/* An SMX has taken a TB: for hd_loop_opts.taken, with the hd_tiles as watcher. */
void hd_tiles_taken(void *tiles, uint32_t smx, const struct hd_resident *r);

/* Returns the dependency graph; with barriers, each TB depends on the whole previous wave. */
const struct hd_deplinks_graph *hd_tiles_graph(const struct hd_tiles *t);
uint32_t hd_tiles_done(const struct hd_tiles *t); /* TBs that have ended */
/* Returns the largest difference of levels among TBs that ran at the same time. */
uint32_t hd_tiles_level_range(const struct hd_tiles *t);
/* Returns the bytes that the TBs read and write, each byte once per TB: its data, the surrounding cells that it needs,
 * and its own cells, which it writes, and in-place kinds also read. */
uint64_t hd_tiles_bytes(const struct hd_tiles *t);

/* Returns a sentence about the first TB that began twice or before a parent had ended; NULL: none did. */
const char *hd_tiles_broken(const struct hd_tiles *t);

/* Compares the cells of all tiles with the plain program, by digest. */
void hd_tiles_check(const struct hd_tiles *t, struct hd_tiles_wrong *wrong);
double hd_tiles_result(const struct hd_tiles *t);

#endif
