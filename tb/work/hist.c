/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* hist: integral histogram: a cell holds, for each bin of grey values, the number of pixels to its west and north,
 * including its own, that fall into the bin. */
#include <stdlib.h>

#include "work/tiles.h"

static void row(const struct hd_tiles_data *d, const struct hd_tiles_row *r) {
  const uint16_t *grey = d->grey + (size_t)r->y * d->width + r->x0;
  const uint32_t *north = r->north;
  uint32_t *own = r->own;
  for (uint32_t k = 0; k < r->x1 - r->x0; k++, own += d->bins, north += d->bins) {
    const uint32_t *west = own - d->bins, *both = north - d->bins;
    for (uint32_t b = 0; b < d->bins; b++) own[b] = west[b] + north[b] - both[b];
    own[grey[k] * d->bins / (d->grey_most + 1u)]++;
  }
}

static uint64_t steps(const struct hd_tiles_data *d, uint32_t width, uint32_t height, uint32_t threads,
                      uint32_t first) {
  return hd_tiles_scans(width, height, d->bins, threads, first);
}

/* The plain program: histograms of each column so far, added up along a row. */
static bool check(const struct hd_tiles_data *d, struct hd_tiles_check *c) {
  uint32_t *columns = calloc(2 * (size_t)d->width, d->bins * sizeof *columns);
  if (columns == NULL) return false;
  uint32_t *sums = columns + (size_t)d->width * d->bins;
  for (uint32_t y = 0; y < d->height; y++) {
    for (uint32_t x = 0; x < d->width; x++) {
      uint32_t *column = columns + (size_t)x * d->bins, *sum = sums + (size_t)x * d->bins, bin = 0;
      while ((bin + 1) * (d->grey_most + 1u) <= (uint32_t)d->grey[(size_t)y * d->width + x] * d->bins) bin++;
      column[bin]++;
      for (uint32_t b = 0; b < d->bins; b++) sum[b] = column[b] + (x > 0 ? sum[(int64_t)b - d->bins] : 0);
    }
    hd_tiles_check_row(c, sums);
  }
  free(columns);
  return true;
}

static double result(const struct hd_tiles_data *d, const void *cell, size_t n) {
  const uint32_t *last = (const uint32_t *)cell + (n - 1) * d->bins;
  uint32_t most = 0;
  for (uint32_t b = 0; b < d->bins; b++)
    if (last[b] > most) most = last[b];
  return most;
}

const struct hd_tiles_kind hd_tiles_hist = {.name = "hist",
                                            .title = "integral histogram",
                                            .input = HD_TILES_IMAGE,
                                            .size = 1536,
                                            .sweeps = 1,
                                            .bins = 16,
                                            .item = sizeof(uint32_t),
                                            .row = row,
                                            .steps = steps,
                                            .instructions = 5,
                                            .check = check,
                                            .found = "pixels in the fullest bin",
                                            .result = result};
