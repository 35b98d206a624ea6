/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* intimg: the integral image; a cell is the sum of all pixels to its west and north, itself among them. */
#include <stdlib.h>

#include "work/tiles.h"

/* Cell (x, y), where x or y may be -1. */
static uint64_t cell(const struct hd_tiles_data *d, const uint64_t *table, int64_t x, int64_t y) {
  return x < 0 || y < 0 ? 0 : table[(size_t)y * d->width + (size_t)x];
}

static void tile(const struct hd_tiles_data *d, void *table, const struct hd_tiles_area *a) {
  uint64_t *t = table;
  for (int64_t y = a->y0; y < a->y1; y++)
    for (int64_t x = a->x0; x < a->x1; x++) {
      const size_t k = (size_t)y * d->width + (size_t)x;
      t[k] = cell(d, t, x - 1, y) + cell(d, t, x, y - 1) - cell(d, t, x - 1, y - 1) + d->grey[k];
    }
}

static uint64_t steps(const struct hd_tiles_data *d, uint32_t width, uint32_t height, uint32_t threads,
                      uint32_t first) {
  (void)d;
  return hd_tiles_scans(width, height, 1, threads, first);
}

/* The sum of each column so far, added up along a row. */
static void check(const struct hd_tiles_data *d, const void *table, struct hd_tiles_wrong *wrong) {
  const uint64_t *is = table;
  const uint16_t *pixel = d->grey;
  uint64_t *column = calloc(d->width, sizeof *column);
  wrong->out_of_room = column == NULL;
  for (uint32_t y = 0; column != NULL && y < d->height; y++) {
    uint64_t sum = 0;
    for (uint32_t x = 0; x < d->width; x++) {
      column[x] += *pixel++;
      sum += column[x];
      if (*is++ != sum) hd_tiles_differs(wrong, x, y);
    }
  }
  free(column);
}

static double result(const struct hd_tiles_data *d, const void *table) {
  return (double)cell(d, table, (int64_t)d->width - 1, (int64_t)d->height - 1);
}

const struct hd_tiles_kind hd_tiles_intimg = {.name = "intimg",
                                              .title = "integral image",
                                              .input = HD_TILES_IMAGE,
                                              .size = 3072,
                                              .sweeps = 1,
                                              .bins = 1,
                                              .item = sizeof(uint64_t),
                                              .tile = tile,
                                              .steps = steps,
                                              .instructions = 5,
                                              .check = check,
                                              .found = "sum of all pixels",
                                              .result = result};
