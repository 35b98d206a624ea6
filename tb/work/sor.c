/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* sor: successive over-relaxation of a random matrix by a stencil of five points: a cell becomes (1 - w) of itself and
 * w of the mean of its neighbours, of which the western and northern ones have their new values, w = 1.5. What
 * surrounds the matrix is 0. */
#include <math.h>
#include <stdlib.h>

#include "graph/mix.h"
#include "work/tiles.h"

#define OMEGA 1.5

static void begin(const struct hd_tiles_data *d, void *table) {
  double *t = table;
  for (size_t k = 0; k < (size_t)d->width * d->height; k++) t[k] = hd_mix_unit(hd_mix3(d->seed, 0, k));
}

static double cell(const struct hd_tiles_data *d, const double *table, int64_t x, int64_t y) {
  const bool outside = x < 0 || y < 0 || x >= d->width || y >= d->height;
  return outside ? 0 : table[(size_t)y * d->width + (size_t)x];
}

static void tile(const struct hd_tiles_data *d, void *table, const struct hd_tiles_area *a) {
  double *t = table;
  for (int64_t y = a->y0; y < a->y1; y++)
    for (int64_t x = a->x0; x < a->x1; x++) {
      double *own = &t[(size_t)y * d->width + (size_t)x];
      const double lateral = cell(d, t, x - 1, y) + cell(d, t, x + 1, y);
      const double vertical = cell(d, t, x, y - 1) + cell(d, t, x, y + 1);
      *own = (1 - OMEGA) * *own + OMEGA / 4 * (lateral + vertical);
    }
}

static uint64_t steps(const struct hd_tiles_data *d, uint32_t width, uint32_t height, uint32_t threads,
                      uint32_t first) {
  (void)d;
  return hd_tiles_diagonals(width, height, threads, first);
}

/* A matrix with a rim of 0, swept from its corner. Additions are in the order of tile(), so that numbers are equal to
 * the last bit. */
static void check(const struct hd_tiles_data *d, const void *table, struct hd_tiles_wrong *wrong) {
  const double *is = table;
  const size_t row = d->width + 2u;
  double *start = malloc((size_t)d->width * d->height * sizeof *start);
  double *m = calloc((d->height + 2u) * row, sizeof *m);
  wrong->out_of_room = start == NULL || m == NULL;
  if (!wrong->out_of_room) {
    begin(d, start);
    for (size_t k = 0; k < (size_t)d->width * d->height; k++) m[(k / d->width + 1) * row + k % d->width + 1] = start[k];
    for (uint32_t s = 0; s < d->sweeps; s++)
      for (size_t k = row; k < (d->height + 1u) * row; k++)
        if (k % row != 0 && k % row != row - 1)
          m[k] = -0.5 * m[k] + 0.375 * ((m[k - 1] + m[k + 1]) + (m[k - row] + m[k + row]));
    for (size_t k = 0; k < (size_t)d->width * d->height; k++)
      if (is[k] != m[(k / d->width + 1) * row + k % d->width + 1])
        hd_tiles_differs(wrong, (uint32_t)(k % d->width), (uint32_t)(k / d->width));
  }
  free(start);
  free(m);
}

static double result(const struct hd_tiles_data *d, const void *table) {
  const double *t = table;
  double sum = 0;
  for (size_t k = 0; k < (size_t)d->width * d->height; k++) sum += t[k] * t[k];
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
                                           .tile = tile,
                                           .steps = steps,
                                           .instructions = 12,
                                           .check = check,
                                           .found = "root mean square",
                                           .result = result};
