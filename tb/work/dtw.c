/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dtw: dynamic time warping: the minimum cost of stretching two series so that they agree. The first series runs along
 * x, the second along y; a cell is the cost for the prefixes that end there. */
#include <math.h>
#include <stdlib.h>

#include "work/tiles.h"

static void outside(int64_t x, int64_t y, void *cell) {
  *(double *)cell = x == y ? 0 : INFINITY;
}

static void row(const struct hd_tiles_data *d, const struct hd_tiles_row *r) {
  const double *north = r->north, *number = d->series[0] + r->x0, other = d->series[1][r->y];
  double *own = r->own;
  for (int64_t k = 0; k < r->x1 - r->x0; k++) {
    double least = north[k - 1];
    if (own[k - 1] < least) least = own[k - 1];
    if (north[k] < least) least = north[k];
    own[k] = fabs(number[k] - other) + least;
  }
}

static uint64_t steps(const struct hd_tiles_data *d, uint32_t width, uint32_t height, uint32_t threads,
                      uint32_t first) {
  (void)d;
  return hd_tiles_diagonals(width, height, threads, first);
}

/* Row by row, in place in one row with an extra cell before the first. */
static bool check(const struct hd_tiles_data *d, struct hd_tiles_check *c) {
  double *best = malloc((d->width + 1u) * sizeof *best);
  if (best == NULL) return false;
  best[0] = 0;
  for (uint32_t i = 1; i <= d->width; i++) best[i] = HUGE_VAL;
  for (uint32_t j = 0; j < d->height; j++) {
    double diagonal = best[0];
    best[0] = HUGE_VAL;
    for (uint32_t i = 1; i <= d->width; i++) {
      const double above = best[i];
      best[i] = fmin(fmin(best[i - 1], above), diagonal) + fabs(d->series[1][j] - d->series[0][i - 1]);
      diagonal = above;
    }
    hd_tiles_check_row(c, best + 1);
  }
  free(best);
  return true;
}

static double result(const struct hd_tiles_data *d, const void *cell, size_t n) {
  (void)d;
  return ((const double *)cell)[n - 1];
}

const struct hd_tiles_kind hd_tiles_dtw = {.name = "dtw",
                                           .title = "dynamic time warping",
                                           .input = HD_TILES_SERIES,
                                           .size = 3072,
                                           .sweeps = 1,
                                           .bins = 1,
                                           .item = sizeof(double),
                                           .outside = outside,
                                           .row = row,
                                           .steps = steps,
                                           .instructions = 9,
                                           .check = check,
                                           .found = "distance",
                                           .result = result};
