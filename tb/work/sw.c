/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* sw: Smith-Waterman, the best local alignment of two sequences: 2 for letters that agree, -1 for those that do not,
 * -1 for a letter left out. The first sequence runs along x, the second along y; a cell is the score of the best
 * alignment that ends there, 0 at least. */
#include <stdlib.h>

#include "work/tiles.h"

enum { MATCH = 2, MISMATCH = -1, GAP = -1 };

/* Cell (x, y), where x or y may be -1. */
static int32_t cell(const struct hd_tiles_data *d, const int32_t *table, int64_t x, int64_t y) {
  return x < 0 || y < 0 ? 0 : table[(size_t)y * d->width + (size_t)x];
}

static int32_t larger(int32_t a, int32_t b) {
  return a > b ? a : b;
}

static void tile(const struct hd_tiles_data *d, void *table, const struct hd_tiles_area *a) {
  int32_t *t = table;
  for (int64_t y = a->y0; y < a->y1; y++)
    for (int64_t x = a->x0; x < a->x1; x++) {
      const int32_t pair = d->sequence[0][x] == d->sequence[1][y] ? MATCH : MISMATCH;
      const int32_t gap = larger(cell(d, t, x - 1, y), cell(d, t, x, y - 1)) + GAP;
      t[(size_t)y * d->width + (size_t)x] = larger(larger(0, gap), cell(d, t, x - 1, y - 1) + pair);
    }
}

static uint64_t steps(const struct hd_tiles_data *d, uint32_t width, uint32_t height, uint32_t threads,
                      uint32_t first) {
  (void)d;
  return hd_tiles_diagonals(width, height, threads, first);
}

/* Two rows, each with a 0 before its first place. */
static void check(const struct hd_tiles_data *d, const void *table, struct hd_tiles_wrong *wrong) {
  const int32_t *is = table;
  const size_t n = d->width + 1u;
  int32_t *rows = calloc(2 * n, sizeof *rows);
  wrong->out_of_room = rows == NULL;
  for (uint32_t j = 0; rows != NULL && j < d->height; j++) {
    int32_t *now = rows + j % 2 * n, *before = rows + (j + 1) % 2 * n;
    for (uint32_t i = 1; i < n; i++) {
      int32_t best = before[i - 1] - 1;
      if (d->sequence[1][j] == d->sequence[0][i - 1]) best += 3;
      if (before[i] - 1 > best) best = before[i] - 1;
      if (now[i - 1] - 1 > best) best = now[i - 1] - 1;
      now[i] = best < 0 ? 0 : best;
      if (*is++ != now[i]) hd_tiles_differs(wrong, i - 1, j);
    }
  }
  free(rows);
}

static double result(const struct hd_tiles_data *d, const void *table) {
  const int32_t *t = table;
  int32_t best = 0;
  for (size_t k = 0; k < (size_t)d->width * d->height; k++) best = larger(best, t[k]);
  return best;
}

const struct hd_tiles_kind hd_tiles_sw = {.name = "sw",
                                          .title = "Smith-Waterman",
                                          .input = HD_TILES_SEQUENCES,
                                          .size = 3072,
                                          .sweeps = 1,
                                          .bins = 1,
                                          .item = sizeof(int32_t),
                                          .tile = tile,
                                          .steps = steps,
                                          .instructions = 10,
                                          .check = check,
                                          .found = "best score",
                                          .result = result};
