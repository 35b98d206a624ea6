/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* heat2d: the heat equation on a plate, in place: a cell moves an eighth of the difference towards each of its four
 * neighbours; the western and northern ones already have the values of this sweep. Outside the plate it is cold (0).
 * Temperatures are whole numbers, 65536 per degree. */
#include <stdlib.h>

#include "graph/mix.h"
#include "work/tiles.h"

enum { DEGREE = 65536, SPOTS = 12, HOTTEST = 100 };

/* Initial state: a cold plate with warm noise and hot spots. */
static void begin(const struct hd_tiles_data *d, void *table, size_t pitch) {
  int32_t *t = table;
  const uint32_t reach = (d->width < d->height ? d->width : d->height) / 16 + 1;
  for (size_t k = 0; k < (size_t)d->width * d->height; k++)
    t[k / d->width * pitch + k % d->width] = (int32_t)(hd_mix3(d->seed, 0, k) % DEGREE);
  for (uint32_t s = 0; s < SPOTS; s++) {
    const uint32_t left = (uint32_t)(hd_mix3(d->seed, 1, s) % d->width);
    const uint32_t top = (uint32_t)(hd_mix3(d->seed, 2, s) % d->height);
    for (uint32_t y = top; y < top + reach && y < d->height; y++)
      for (uint32_t x = left; x < left + reach && x < d->width; x++) t[y * pitch + x] = HOTTEST * DEGREE;
  }
}

static void row(const struct hd_tiles_data *d, const struct hd_tiles_row *r) {
  const int32_t *north = r->north, *south = r->south;
  int32_t *own = r->own;
  (void)d;
  for (int64_t k = 0; k < r->x1 - r->x0; k++) {
    const int32_t around = own[k - 1] + own[k + 1] + north[k] + south[k];
    own[k] += (around - 4 * own[k]) / 8;
  }
}

static uint64_t steps(const struct hd_tiles_data *d, uint32_t width, uint32_t height, uint32_t threads,
                      uint32_t first) {
  (void)d;
  return hd_tiles_diagonals(width, height, threads, first);
}

/* The plain program: a plate with a cold border, swept from the corner. */
static bool check(const struct hd_tiles_data *d, struct hd_tiles_check *c) {
  const size_t pitch = d->width + 2u;
  int32_t *plate = calloc((d->height + 2u) * pitch, sizeof *plate);
  if (plate == NULL) return false;
  begin(d, plate + pitch + 1, pitch);
  for (uint32_t s = 0; s < d->sweeps; s++)
    for (size_t k = pitch; k < (d->height + 1u) * pitch; k++)
      if (k % pitch != 0 && k % pitch != pitch - 1)
        plate[k] += (plate[k - pitch] + plate[k + pitch] + plate[k - 1] + plate[k + 1] - 4 * plate[k]) / 8;
  for (uint32_t y = 0; y < d->height; y++) hd_tiles_check_row(c, plate + (y + 1) * pitch + 1);
  free(plate);
  return true;
}

static double result(const struct hd_tiles_data *d, const void *cell, size_t n) {
  const int32_t *t = cell;
  int64_t sum = 0;
  for (size_t k = 0; k < n; k++) sum += t[k];
  return (double)sum / DEGREE / d->width / d->height;
}

const struct hd_tiles_kind hd_tiles_heat2d = {.name = "heat2d",
                                              .title = "heat equation",
                                              .input = HD_TILES_NO_INPUT,
                                              .size = 3072,
                                              .sweeps = 1,
                                              .bins = 1,
                                              .item = sizeof(int32_t),
                                              .begin = begin,
                                              .row = row,
                                              .steps = steps,
                                              .instructions = 11,
                                              .check = check,
                                              .found = "mean temperature",
                                              .result = result};
