/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* hist: the integral histogram; a cell has, for each bin of grey values, the number of pixels to its west and north,
 * itself among them, that fall into it. */
#include <stdlib.h>
#include <string.h>

#include "work/tiles.h"

/* The bins of cell (x, y), where x or y may be -1; those are nowhere. */
static uint32_t *cell(const struct hd_tiles_data *d, uint32_t *table, int64_t x, int64_t y) {
  return x < 0 || y < 0 ? NULL : table + ((size_t)y * d->width + (size_t)x) * d->bins;
}

static void tile(const struct hd_tiles_data *d, void *table, const struct hd_tiles_area *a) {
  for (int64_t y = a->y0; y < a->y1; y++)
    for (int64_t x = a->x0; x < a->x1; x++) {
      const uint32_t *west = cell(d, table, x - 1, y), *north = cell(d, table, x, y - 1);
      const uint32_t *both = cell(d, table, x - 1, y - 1);
      const uint32_t grey = d->grey[(size_t)y * d->width + (size_t)x];
      uint32_t *own = cell(d, table, x, y);
      for (uint32_t b = 0; b < d->bins; b++)
        own[b] = (west != NULL ? west[b] : 0) + (north != NULL ? north[b] : 0) - (both != NULL ? both[b] : 0);
      own[grey * d->bins / (d->grey_most + 1u)]++;
    }
}

static uint64_t steps(const struct hd_tiles_data *d, uint32_t width, uint32_t height, uint32_t threads,
                      uint32_t first) {
  return hd_tiles_scans(width, height, d->bins, threads, first);
}

/* Histograms of columns so far, and of a row of them. */
static void check(const struct hd_tiles_data *d, const void *table, struct hd_tiles_wrong *wrong) {
  const uint32_t *is = table;
  uint32_t *columns = calloc((size_t)d->width + 1, d->bins * sizeof *columns);
  wrong->out_of_room = columns == NULL;
  if (columns == NULL) return;
  uint32_t *sum = columns + (size_t)d->width * d->bins;
  for (uint32_t y = 0; y < d->height; y++) {
    memset(sum, 0, d->bins * sizeof *sum);
    for (uint32_t x = 0; x < d->width; x++, is += d->bins) {
      uint32_t *column = columns + (size_t)x * d->bins, bin = 0;
      while ((bin + 1) * (d->grey_most + 1u) <= (uint32_t)d->grey[(size_t)y * d->width + x] * d->bins) bin++;
      column[bin]++;
      for (uint32_t b = 0; b < d->bins; b++) sum[b] += column[b];
      if (memcmp(is, sum, d->bins * sizeof *sum) != 0) hd_tiles_differs(wrong, x, y);
    }
  }
  free(columns);
}

static double result(const struct hd_tiles_data *d, const void *table) {
  const uint32_t *last = (const uint32_t *)table + ((size_t)d->width * d->height - 1) * d->bins;
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
                                            .tile = tile,
                                            .steps = steps,
                                            .instructions = 5,
                                            .check = check,
                                            .found = "pixels in the fullest bin",
                                            .result = result};
