/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* sor: successive over-relaxation of a random matrix with a five-point stencil: a cell becomes (1 - w) times itself
 * plus w times the mean of its neighbours, w = 1.5; the western and northern neighbours already have their new values.
 * Outside the matrix cells are 0. */
#include <math.h>
#include <stdlib.h>

#include "graph/mix.h"
#include "work/tiles.h"

#define OMEGA 1.5

static void begin(const struct hd_tiles_data *d, void *table, size_t pitch) {
  double *t = table;
  for (size_t k = 0; k < (size_t)d->width * d->height; k++)
    t[k / d->width * pitch + k % d->width] = hd_mix_unit(hd_mix3(d->seed, 0, k));
}

static void row(const struct hd_tiles_data *d, const struct hd_tiles_row *r) {
  const double *north = r->north, *south = r->south;
  double *own = r->own;
  (void)d;
  for (int64_t k = 0; k < r->x1 - r->x0; k++) {
    const double lateral = own[k - 1] + own[k + 1], vertical = north[k] + south[k];
    own[k] = (1 - OMEGA) * own[k] + OMEGA / 4 * (lateral + vertical);
  }
}

static uint64_t steps(const struct hd_tiles_data *d, uint32_t width, uint32_t height, uint32_t threads,
                      uint32_t first) {
  (void)d;
  return hd_tiles_diagonals(width, height, threads, first);
}

/* The plain program: a matrix with a border of 0, swept from the corner. Additions are in the order of row(), so that
 * results are equal to the last bit. */
static bool check(const struct hd_tiles_data *d, struct hd_tiles_check *c) {
  const size_t pitch = d->width + 2u;
  double *m = calloc((d->height + 2u) * pitch, sizeof *m);
  if (m == NULL) return false;
  begin(d, m + pitch + 1, pitch);
  for (uint32_t s = 0; s < d->sweeps; s++)
    for (size_t k = pitch; k < (d->height + 1u) * pitch; k++)
      if (k % pitch != 0 && k % pitch != pitch - 1)
        m[k] = -0.5 * m[k] + 0.375 * ((m[k - 1] + m[k + 1]) + (m[k - pitch] + m[k + pitch]));
  for (uint32_t y = 0; y < d->height; y++) hd_tiles_check_row(c, m + (y + 1) * pitch + 1);
  free(m);
  return true;
}

static double result(const struct hd_tiles_data *d, const void *cell, size_t n) {
  const double *t = cell;
  double sum = 0;
  for (size_t k = 0; k < n; k++) sum += t[k] * t[k];
  return sqrt(sum / d->width / d->height);
}

const struct hd_tiles_kind hd_tiles_sor = {.name = "sor",
                                           .title = "successive over-relaxation",
                                           .input = HD_TILES_NO_INPUT,
                                           .size = 1536,
                                           .sweeps = 4,
                                           .bins = 1,
                                           .item = sizeof(double),
                                           .begin = begin,
                                           .row = row,
                                           .steps = steps,
                                           .instructions = 12,
                                           .check = check,
                                           .found = "root mean square",
                                           .result = result};
