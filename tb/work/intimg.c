/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* intimg: integral image: a cell is the sum of all pixels to its west and north, including its own. */
#include <stdlib.h>

#include "work/tiles.h"

static void row(const struct hd_tiles_data *d, const struct hd_tiles_row *r) {
  const uint64_t *north = r->north;
  const uint16_t *grey = d->grey + (size_t)r->y * d->width + r->x0;
  uint64_t *own = r->own;
  for (int64_t k = 0; k < r->x1 - r->x0; k++) own[k] = own[k - 1] + north[k] - north[k - 1] + grey[k];
}

static uint64_t steps(const struct hd_tiles_data *d, uint32_t width, uint32_t height, uint32_t threads,
                      uint32_t first) {
  (void)d;
  return hd_tiles_scans(width, height, 1, threads, first);
}

/* The plain program: the sum of each column so far, added up along a row. */
static bool check(const struct hd_tiles_data *d, struct hd_tiles_check *c) {
  const uint16_t *pixel = d->grey;
  uint64_t *column = calloc(2u * d->width, sizeof *column);
  if (column == NULL) return false;
  uint64_t *sums = column + d->width;
  for (uint32_t y = 0; y < d->height; y++) {
    uint64_t sum = 0;
    for (uint32_t x = 0; x < d->width; x++) {
      column[x] += *pixel++;
      sums[x] = sum += column[x];
    }
    hd_tiles_check_row(c, sums);
  }
  free(column);
  return true;
}

static double result(const struct hd_tiles_data *d, const void *cell, size_t n) {
  (void)d;
  return (double)((const uint64_t *)cell)[n - 1];
}

const struct hd_tiles_kind hd_tiles_intimg = {.name = "intimg",
                                              .title = "integral image",
                                              .input = HD_TILES_IMAGE,
                                              .size = 3072,
                                              .sweeps = 1,
                                              .bins = 1,
                                              .item = sizeof(uint64_t),
                                              .row = row,
                                              .steps = steps,
                                              .instructions = 5,
                                              .check = check,
                                              .found = "sum of all pixels",
                                              .result = result};
