/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include <stdlib.h>
#include <string.h>

#include "graph/mix.h"
#include "work/tiles.h"

static const struct hd_tiles_kind *const kinds[] = {&hd_tiles_dtw,    &hd_tiles_heat2d, &hd_tiles_hist,
                                                    &hd_tiles_intimg, &hd_tiles_sor,    &hd_tiles_sw};

const struct hd_tiles_kind *hd_tiles_find(const char *name) {
  for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (strcmp(kinds[k]->name, name) == 0) return kinds[k];
  return NULL;
}

/* ---- steps of a TB ---- */

/* Returns the number of items of thread `first` if each thread has every `threads`-th item. */
static uint64_t rounds(uint64_t items, uint32_t threads, uint32_t first) {
  return items > first ? (items - first + threads - 1) / threads : 0;
}

uint64_t hd_tiles_diagonals(uint32_t width, uint32_t height, uint32_t threads, uint32_t first) {
  const uint32_t lesser = width < height ? width : height, diagonals = width + height - 1;
  uint64_t steps = 0;
  for (uint32_t d = 1; d <= diagonals; d++) {
    uint32_t cells = d < diagonals + 1 - d ? d : diagonals + 1 - d;
    steps += rounds(cells < lesser ? cells : lesser, threads, first);
  }
  return steps;
}

uint64_t hd_tiles_scans(uint32_t width, uint32_t height, uint32_t bins, uint32_t threads, uint32_t first) {
  return rounds((uint64_t)height * bins, threads, first) * width +
         rounds((uint64_t)width * bins, threads, first) * height;
}

/* ---- generated data, from whole numbers only, so that they are equal on every machine ---- */

/* Returns a random number from 0 to n - 1, identified by `name` and k. */
static uint32_t below(uint64_t seed, uint64_t name, uint64_t k, uint32_t n) {
  return (uint32_t)(hd_mix3(seed, name, k) % n);
}

/* A sum of two triangle waves. */
static double shape(uint64_t k) {
  const uint64_t slow = k % 400, fast = k % 90;
  return (double)(slow < 200 ? slow : 400 - slow) + (double)(fast < 45 ? fast : 90 - fast) / 2;
}

/* Two noisy measurements of one shape, the second at a varying speed. */
static bool make_series(struct hd_tiles_data *d) {
  d->series[0] = malloc(d->width * sizeof(double));
  d->series[1] = malloc(d->height * sizeof(double));
  if (d->series[0] == NULL || d->series[1] == NULL) return false;
  for (uint32_t i = 0; i < d->width; i++) d->series[0][i] = shape(i) + below(d->seed, 0, i, 16);
  uint64_t at = 0;
  for (uint32_t i = 0; i < d->height; i++) {
    d->series[1][i] = shape(at) + below(d->seed, 1, i, 16);
    at += below(d->seed, 2, i / 50, 3); /* 0, 1 or 2, constant over 50 samples */
  }
  return true;
}

/* The second sequence is the first with one letter in eight changed, some inserted and some deleted. */
static bool make_sequences(struct hd_tiles_data *d) {
  d->sequence[0] = malloc(d->width + 1u);
  d->sequence[1] = malloc(d->height + 1u);
  if (d->sequence[0] == NULL || d->sequence[1] == NULL) return false;
  for (uint32_t i = 0; i < d->width; i++) d->sequence[0][i] = "ACGT"[below(d->seed, 0, i, 4)];
  uint32_t at = 0;
  for (uint32_t i = 0; i < d->height; i++) {
    const uint32_t change = below(d->seed, 1, i, 32);
    d->sequence[1][i] = change < 5 ? "ACGT"[below(d->seed, 2, i, 4)] : d->sequence[0][at];
    if (change != 0) at += change == 5 ? 3 : 1;
    at %= d->width;
  }
  d->sequence[0][d->width] = d->sequence[1][d->height] = '\0';
  return true;
}

/* Interpolates between random corners 64 cells apart, and adds noise. */
static uint32_t cloud(const struct hd_tiles_data *d, uint32_t x, uint32_t y) {
  const uint32_t u = x % 64, v = y % 64;
  uint32_t corner[4];
  for (uint32_t k = 0; k < 4; k++)
    corner[k] = below(d->seed, x / 64 + k % 2, ((uint64_t)1 << 32) + y / 64 + k / 2, 240);
  const uint32_t north = corner[0] * (64 - u) + corner[1] * u, south = corner[2] * (64 - u) + corner[3] * u;
  return (north * (64 - v) + south * v) / 4096 + below(d->seed, x, y, 16);
}

static bool make_image(struct hd_tiles_data *d) {
  d->grey = malloc((size_t)d->width * d->height * sizeof *d->grey);
  if (d->grey == NULL) return false;
  d->grey_most = 255;
  for (uint32_t y = 0; y < d->height; y++)
    for (uint32_t x = 0; x < d->width; x++) d->grey[(size_t)y * d->width + x] = (uint16_t)cloud(d, x, y);
  return true;
}

bool hd_tiles_generate(struct hd_tiles_data *d, uint64_t seed) {
  d->seed = seed;
  switch (d->kind->input) {
    case HD_TILES_SERIES:
      return make_series(d);
    case HD_TILES_SEQUENCES:
      return make_sequences(d);
    case HD_TILES_IMAGE:
      return make_image(d);
    default:
      return true; /* begin() fills the table */
  }
}

void hd_tiles_data_free(struct hd_tiles_data *d) {
  for (unsigned k = 0; k < 2; k++) {
    free(d->series[k]);
    free(d->sequence[k]);
    d->series[k] = NULL;
    d->sequence[k] = NULL;
  }
  free(d->grey);
  d->grey = NULL;
}
