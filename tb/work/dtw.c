/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dtw: dynamic time warping, the cost of the cheapest way to stretch two series so that they agree. The first series
 * runs along x, the second along y; a cell is the cost of their beginnings up to there. */
#include <math.h>
#include <stdlib.h>

#include "work/tiles.h"

/* Cell (x, y), where x or y may be -1. */
static double cell(const struct hd_tiles_data *d, const double *table, int64_t x, int64_t y) {
  if (x < 0 || y < 0) return x == y ? 0 : INFINITY;
  return table[(size_t)y * d->width + (size_t)x];
}

static void tile(const struct hd_tiles_data *d, void *table, const struct hd_tiles_area *a) {
  double *t = table;
  for (int64_t y = a->y0; y < a->y1; y++)
    for (int64_t x = a->x0; x < a->x1; x++) {
      double least = cell(d, t, x - 1, y - 1);
      if (cell(d, t, x - 1, y) < least) least = cell(d, t, x - 1, y);
      if (cell(d, t, x, y - 1) < least) least = cell(d, t, x, y - 1);
      t[(size_t)y * d->width + (size_t)x] = fabs(d->series[0][x] - d->series[1][y]) + least;
    }
}

static uint64_t steps(const struct hd_tiles_data *d, uint32_t width, uint32_t height, uint32_t threads,
                      uint32_t first) {
  (void)d;
  return hd_tiles_diagonals(width, height, threads, first);
}

/* Row by row, in place, in one row with a place before its first. */
static void check(const struct hd_tiles_data *d, const void *table, struct hd_tiles_wrong *wrong) {
  const double *is = table;
  double *row = malloc((d->width + 1u) * sizeof *row);
  wrong->out_of_room = row == NULL;
  if (row == NULL) return;
  row[0] = 0;
  for (uint32_t i = 1; i <= d->width; i++) row[i] = HUGE_VAL;
  for (uint32_t j = 0; j < d->height; j++) {
    double diagonal = row[0];
    row[0] = HUGE_VAL;
    for (uint32_t i = 1; i <= d->width; i++) {
      const double above = row[i];
      row[i] = fmin(fmin(row[i - 1], above), diagonal) + fabs(d->series[1][j] - d->series[0][i - 1]);
      diagonal = above;
      if (*is++ != row[i]) hd_tiles_differs(wrong, i - 1, j);
    }
  }
  free(row);
}

static double result(const struct hd_tiles_data *d, const void *table) {
  return cell(d, table, (int64_t)d->width - 1, (int64_t)d->height - 1);
}

const struct hd_tiles_kind hd_tiles_dtw = {.name = "dtw",
                                           .title = "dynamic time warping",
                                           .input = HD_TILES_SERIES,
                                           .size = 3072,
                                           .sweeps = 1,
                                           .bins = 1,
                                           .item = sizeof(double),
                                           .tile = tile,
                                           .steps = steps,
                                           .instructions = 9,
                                           .check = check,
                                           .found = "distance",
                                           .result = result};
