/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* heat2d: the heat equation on a plate, in place: a cell moves an eighth of the way for each of its neighbours, of
 * which the western and northern ones have moved before it in the same sweep. What surrounds the plate is cold.
 * Temperatures are whole numbers, 65536 to a degree. */
#include <stdlib.h>

#include "graph/mix.h"
#include "work/tiles.h"

enum { DEGREE = 65536, SPOTS = 12, HOTTEST = 100 };

/* A cold plate with warm noise and hot spots. */
static void begin(const struct hd_tiles_data *d, void *table) {
  int32_t *t = table;
  const uint32_t reach = (d->width < d->height ? d->width : d->height) / 16 + 1;
  for (size_t k = 0; k < (size_t)d->width * d->height; k++) t[k] = (int32_t)(hd_mix3(d->seed, 0, k) % DEGREE);
  for (uint32_t s = 0; s < SPOTS; s++) {
    const uint32_t left = (uint32_t)(hd_mix3(d->seed, 1, s) % d->width);
    const uint32_t top = (uint32_t)(hd_mix3(d->seed, 2, s) % d->height);
    for (uint32_t y = top; y < top + reach && y < d->height; y++)
      for (uint32_t x = left; x < left + reach && x < d->width; x++) t[(size_t)y * d->width + x] = HOTTEST * DEGREE;
  }
}

static int32_t cell(const struct hd_tiles_data *d, const int32_t *table, int64_t x, int64_t y) {
  const bool outside = x < 0 || y < 0 || x >= d->width || y >= d->height;
  return outside ? 0 : table[(size_t)y * d->width + (size_t)x];
}

static void tile(const struct hd_tiles_data *d, void *table, const struct hd_tiles_area *a) {
  int32_t *t = table;
  for (int64_t y = a->y0; y < a->y1; y++)
    for (int64_t x = a->x0; x < a->x1; x++) {
      int32_t *own = &t[(size_t)y * d->width + (size_t)x];
      const int32_t around = cell(d, t, x - 1, y) + cell(d, t, x + 1, y) + cell(d, t, x, y - 1) + cell(d, t, x, y + 1);
      *own += (around - 4 * *own) / 8;
    }
}

static uint64_t steps(const struct hd_tiles_data *d, uint32_t width, uint32_t height, uint32_t threads,
                      uint32_t first) {
  (void)d;
  return hd_tiles_diagonals(width, height, threads, first);
}

/* A plate with a cold rim, swept from its corner. */
static void check(const struct hd_tiles_data *d, const void *table, struct hd_tiles_wrong *wrong) {
  const int32_t *is = table;
  const size_t row = d->width + 2u;
  int32_t *start = malloc((size_t)d->width * d->height * sizeof *start);
  int32_t *plate = calloc((d->height + 2u) * row, sizeof *plate);
  wrong->out_of_room = start == NULL || plate == NULL;
  if (!wrong->out_of_room) {
    begin(d, start);
    for (size_t k = 0; k < (size_t)d->width * d->height; k++)
      plate[(k / d->width + 1) * row + k % d->width + 1] = start[k];
    for (uint32_t s = 0; s < d->sweeps; s++)
      for (size_t k = row; k < (d->height + 1u) * row; k++)
        if (k % row != 0 && k % row != row - 1)
          plate[k] += (plate[k - row] + plate[k + row] + plate[k - 1] + plate[k + 1] - 4 * plate[k]) / 8;
    for (size_t k = 0; k < (size_t)d->width * d->height; k++)
      if (is[k] != plate[(k / d->width + 1) * row + k % d->width + 1])
        hd_tiles_differs(wrong, (uint32_t)(k % d->width), (uint32_t)(k / d->width));
  }
  free(start);
  free(plate);
}

static double result(const struct hd_tiles_data *d, const void *table) {
  const int32_t *t = table;
  int64_t sum = 0;
  for (size_t k = 0; k < (size_t)d->width * d->height; k++) sum += t[k];
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
                                              .tile = tile,
                                              .steps = steps,
                                              .instructions = 11,
                                              .check = check,
                                              .found = "mean temperature",
                                              .result = result};
