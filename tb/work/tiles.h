/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* tiles: the workloads of wireframe-micro2017 section 5.2, as a GPU program runs them on tiles: dtw, heat2d, hist,
 * intimg, sor, sw.
 *
 *     struct hd_tiles_data d = {.kind = &hd_tiles_sw, .width = 3072, .height = 3072, .sweeps = 1, .bins = 1};
 *     hd_tiles_generate(&d, 1);                       // or hd_tiles_read(): see tiles_read.h
 *     struct hd_tiles *t = hd_tiles_new(&d, &opts, err, sizeof err);
 *     struct hd_work work = hd_tiles_work(t);         // for the loop, whose `taken` is hd_tiles_taken(t, ..)
 *     hd_tiles_check(t, &wrong);                      // against a plain program
 *
 * A table of width x height cells is cut into columns x rows tiles, of one cell in size at least and of sizes that
 * differ by one at most. A TB is a tile; with several sweeps, a tile in one sweep, its third coordinate. Its parents
 * are its neighbours to the west and to the north, and, of the sweep before, itself and its neighbours to the east and
 * to the south. The graph is DepLinks' (hd_tiles_graph()), and from it come the waves: its levels.
 *
 * A TB reads its neighbours when it begins, and what it has computed is in the table when it ends: one that begins
 * before a parent has ended reads what was there before, so the answer is wrong, and hd_tiles_broken() says of which
 * TB. What is kept of the table: tiles_table.c.
 *
 * Launches: with HD_TILES_WAVES (code block 1 of the paper, global barriers) a kernel for each wave, launched by the
 * host `host_latency` cycles after the one before was reported. With HD_TILES_NESTED (code block 3, CDP) the host
 * launches one TB in that way, and that TB launches the waves, each when the TBs of the one before have ended. With
 * HD_TILES_GRAPH (code block 5) the host launches one kernel of all TBs, which has the graph, in the same way; with
 * HD_TILES_BARRIERS (section 2.2, the paper's "DepLinks") the same with another graph, in which a TB waits for all TBs
 * of the wave before.
 *
 * On SMXs that run warps what takes how long is theirs: tiles_warps.c. */
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

/* What the plain program found, beside what the tiles did. */
struct hd_tiles_wrong {
  uint32_t tiles;   /* so many have a cell that differs .. */
  uint32_t x, y;    /* .. this one first, row by row */
  bool out_of_room; /* not compared: no memory */
};

/* A comparison that is under way. */
struct hd_tiles_check;

/* One of the workloads. */
struct hd_tiles_kind {
  const char *name, *title;
  enum hd_tiles_input input;
  uint32_t size;   /* cells on a side of what is generated, if nothing else is asked for */
  uint32_t sweeps; /* likewise */
  uint32_t bins;   /* of a cell; 1 where there are none */
  size_t item;     /* bytes of a number of the table; a cell has one for each bin */
  /* Of kinds that work in place: the table before the first tile, row by row, `pitch` cells apart. Else NULL. */
  void (*begin)(const struct hd_tiles_data *d, void *table, size_t pitch);
  /* A cell to the north or west of the table (x or y is -1), where it is not 0; or NULL. */
  void (*outside)(int64_t x, int64_t y, void *cell);
  /* Computes a row of a tile, from the cells around it and the data. */
  void (*row)(const struct hd_tiles_data *d, const struct hd_tiles_row *row);
  /* Steps in which the thread `first` of a TB of so many threads, or one behind it, has something to do: in each it
   * computes a cell or a bin of one. Of 0: those of the TB. */
  uint64_t (*steps)(const struct hd_tiles_data *d, uint32_t width, uint32_t height, uint32_t threads, uint32_t first);
  uint32_t instructions; /* of a step, its loads and stores on the SMX with them: about what a compiler makes of it */
  /* The same by a plain program, which shares nothing with row(): gives hd_tiles_check_row() all rows of the table from
   * the first to the last. False: out of memory. */
  bool (*check)(const struct hd_tiles_data *d, struct hd_tiles_check *c);
  /* What the answer comes to: its name, and the number. `largest`: of n cells side by side, and the largest of these is
   * the answer. Else of the whole table in place, or of its last cell. */
  const char *found;
  bool largest;
  double (*result)(const struct hd_tiles_data *d, const void *cell, size_t n);
};

extern const struct hd_tiles_kind hd_tiles_dtw, hd_tiles_heat2d, hd_tiles_hist, hd_tiles_intimg, hd_tiles_sor,
    hd_tiles_sw;

/* Steps of a thread in which cells wait for their western and northern neighbours, diagonal by diagonal, and of one
 * that adds up rows, and then columns, a thread each. */
uint64_t hd_tiles_diagonals(uint32_t width, uint32_t height, uint32_t threads, uint32_t first);
uint64_t hd_tiles_scans(uint32_t width, uint32_t height, uint32_t bins, uint32_t threads, uint32_t first);
/* The next row of the table, as it should be: all cells of its width. */
void hd_tiles_check_row(struct hd_tiles_check *c, const void *cells);

/* NULL: no such workload. */
const struct hd_tiles_kind *hd_tiles_find(const char *name);

/* What is computed on. */
struct hd_tiles_data {
  const struct hd_tiles_kind *kind;
  uint32_t width, height; /* cells */
  uint32_t sweeps, bins;
  double *series[2];         /* dtw: width and height numbers */
  char *sequence[2];         /* sw: so many letters, in capitals */
  uint16_t *grey, grey_most; /* hist, intimg: width x height, each 0 to grey_most */
  uint64_t seed;             /* of what is generated */
};

/* Generates data for width x height cells, which are set as kind, sweeps and bins are. False: out of memory. Equal
 * seeds give equal data on every machine. */
bool hd_tiles_generate(struct hd_tiles_data *d, uint64_t seed);
void hd_tiles_data_free(struct hd_tiles_data *d);

struct hd_tiles_opts {
  uint32_t nodes; /* TBs of the graph: a square times the sweeps */
  enum hd_tiles_launch launch;
  enum hd_deplinks_policy order; /* of a graph: which of the TBs that may run goes first .. */
  uint32_t bound;                /* .. and how many levels ahead it may be */
  uint32_t block_size;           /* threads of a TB */
  uint32_t regs, smem;           /* per thread; of a TB, in units of 256 bytes */
  uint32_t overhead;             /* on timers a TB is held for overhead .. */
  uint32_t cycles_per_step;      /* .. + steps x cycles_per_step cycles */
  uint32_t uneven;               /* .. and for up to so many percent more, at random */
  uint32_t host_latency;         /* of a launch by the host */
  uint64_t seed;                 /* of that, and of the jitter, of which 0 = none */
  uint32_t jitter;               /* each launch by the host is late by 0 to this many cycles beyond that */
};

/* The host launches one kernel of all TBs, with a graph. */
static inline bool hd_tiles_launch_has_graph(enum hd_tiles_launch l) {
  return l >= HD_TILES_BARRIERS;
}

struct hd_tiles;

/* Tiles on a side for so many TBs in so many sweeps; 0: nodes / sweeps is no square. */
uint32_t hd_tiles_side(uint32_t nodes, uint32_t sweeps);

/* The sizes of the data, with so many TBs: false if hd_tiles_new() refuses them, and err says why. At most 1 GiB is
 * held of the table, and of an image. */
bool hd_tiles_fits(const struct hd_tiles_data *d, uint32_t nodes, char *err, size_t err_size);

/* The data must stay. NULL: err says why, in words for a user. */
struct hd_tiles *hd_tiles_new(const struct hd_tiles_data *d, const struct hd_tiles_opts *o, char *err, size_t err_size);
void hd_tiles_free(struct hd_tiles *t);
struct hd_work hd_tiles_work(struct hd_tiles *t);

/* An SMX has taken a TB; hd_loop_opts.taken, with the hd_tiles as watcher. */
void hd_tiles_taken(void *tiles, uint32_t smx, const struct hd_resident *r);

/* Who waits for whom; with barriers: for the whole wave before. */
const struct hd_deplinks_graph *hd_tiles_graph(const struct hd_tiles *t);
uint32_t hd_tiles_done(const struct hd_tiles *t); /* TBs that have ended */
/* The largest difference of levels among TBs that ran at the same time. */
uint32_t hd_tiles_level_range(const struct hd_tiles *t);
/* Bytes that the TBs read and write, each byte once for each TB: its data, the cells around it that its own need, and
 * its own, which it writes, and also reads if it works in place. */
uint64_t hd_tiles_bytes(const struct hd_tiles *t);

/* The first TB that began before a parent had ended, or a second time, as a sentence; NULL: none did. */
const char *hd_tiles_broken(const struct hd_tiles *t);

/* Compares the cells of all tiles with the plain program, by digest. */
void hd_tiles_check(const struct hd_tiles *t, struct hd_tiles_wrong *wrong);
double hd_tiles_result(const struct hd_tiles *t);

#endif
