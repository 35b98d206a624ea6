/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* sw: Smith-Waterman, the best local alignment of two sequences: 2 for a match, -1 for a mismatch, -1 for a gap of one
 * letter. The first sequence runs along x, the second along y; a cell is the score of the best alignment that ends
 * there, at least 0. */
#include <stdlib.h>

#include "work/tiles.h"

enum { MATCH = 2, MISMATCH = -1, GAP = -1 };

static int32_t larger(int32_t a, int32_t b) {
  return a > b ? a : b;
}

static void row(const struct hd_tiles_data *d, const struct hd_tiles_row *r) {
  const int32_t *north = r->north;
  const char *letter = d->sequence[0] + r->x0, other = d->sequence[1][r->y];
  int32_t *own = r->own;
  for (int64_t k = 0; k < r->x1 - r->x0; k++) {
    const int32_t pair = letter[k] == other ? MATCH : MISMATCH;
    const int32_t gap = larger(own[k - 1], north[k]) + GAP;
    own[k] = larger(larger(0, gap), north[k - 1] + pair);
  }
}

static uint64_t steps(const struct hd_tiles_data *d, uint32_t width, uint32_t height, uint32_t threads,
                      uint32_t first) {
  (void)d;
  return hd_tiles_diagonals(width, height, threads, first);
}

/* The plain program: two rows, each with a 0 before its first cell. */
static bool check(const struct hd_tiles_data *d, struct hd_tiles_check *c) {
  const size_t n = d->width + 1u;
  int32_t *rows = calloc(2 * n, sizeof *rows);
  for (uint32_t j = 0; rows != NULL && j < d->height; j++) {
    int32_t *now = rows + j % 2 * n, *before = rows + (j + 1) % 2 * n;
    for (uint32_t i = 1; i < n; i++) {
      int32_t best = before[i - 1] - 1;
      if (d->sequence[1][j] == d->sequence[0][i - 1]) best += 3;
      if (before[i] - 1 > best) best = before[i] - 1;
      if (now[i - 1] - 1 > best) best = now[i - 1] - 1;
      now[i] = best < 0 ? 0 : best;
    }
    hd_tiles_check_row(c, now + 1);
  }
  free(rows);
  return rows != NULL;
}

static double result(const struct hd_tiles_data *d, const void *cell, size_t n) {
  const int32_t *t = cell;
  int32_t best = 0;
  (void)d;
  for (size_t k = 0; k < n; k++) best = larger(best, t[k]);
  return best;
}

const struct hd_tiles_kind hd_tiles_sw = {.name = "sw",
                                          .title = "Smith-Waterman",
                                          .input = HD_TILES_SEQUENCES,
                                          .size = 3072,
                                          .sweeps = 1,
                                          .bins = 1,
                                          .item = sizeof(int32_t),
                                          .row = row,
                                          .steps = steps,
                                          .instructions = 10,
                                          .check = check,
                                          .found = "best score",
                                          .largest = true,
                                          .result = result};
