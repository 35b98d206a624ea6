/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The table of a tiled workload: reads and writes by tiles, and the comparison with the plain program.
 *
 * In-place kinds store the whole table, since each sweep begins with the cells of the previous one. For other kinds the
 * neighbours of a tile read only its last row and its last column, so only these are stored:
 *
 *     south[r]  last row of the tiles of row r, over the width of the table
 *     east[c]   last column of the tiles of column c, over the height of the table
 *
 * which is rows * width + columns * height cells. In both cases the digest of each tile's cells is stored, which the
 * check of the answer compares. A difference in one word of 8 bytes always changes the digest; differences in several
 * words go unnoticed with a probability of 2^-64. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "work/tiles_inside.h"

#define HELD_BYTES_MAX ((uint64_t)1 << 30)
#define DIGEST_BEGIN UINT64_C(0x9e3779b97f4a7c15)
#define DIGEST_FACTOR UINT64_C(0xbf58476d1ce4e5b9) /* odd, so that different words never give the same product */

static bool in_place(const struct hd_tiles_data *d) {
  return d->kind->begin != NULL;
}

/* ---- size ---- */

static uint64_t image_bytes(const struct hd_tiles_data *d) {
  return d->kind->input == HD_TILES_IMAGE ? (uint64_t)d->width * d->height * sizeof *d->grey : 0;
}

static uint64_t table_cells(const struct hd_tiles_data *d, uint32_t side) {
  return in_place(d) ? (uint64_t)d->width * d->height : side * ((uint64_t)d->width + d->height);
}

bool hd_tiles_fits(const struct hd_tiles_data *d, uint32_t nodes, char *err, size_t err_size) {
  const uint32_t side = hd_tiles_side(nodes, d->sweeps);
  const uint64_t cell = d->kind->item * d->bins, cells = table_cells(d, side);
  if (side == 0)
    snprintf(err, err_size,
             "%" PRIu32 " nodes in %" PRIu32 " sweeps; a square of tiles times the sweeps would be accepted", nodes,
             d->sweeps);
  else if (d->width < side || d->height < side)
    snprintf(err, err_size,
             "%" PRIu32 " x %" PRIu32 " cells for %" PRIu32 " x %" PRIu32
             " tiles; as many cells as tiles on each side, or more, would be accepted",
             d->width, d->height, side, side);
  else if (image_bytes(d) > HELD_BYTES_MAX)
    snprintf(err, err_size, "%" PRIu32 " x %" PRIu32 " pixels need more than 1 GiB; %" PRIu64 " would be accepted",
             d->width, d->height, HELD_BYTES_MAX / sizeof *d->grey);
  else if (cells <= HELD_BYTES_MAX / cell)
    return true;
  else if (in_place(d))
    snprintf(err, err_size,
             "%" PRIu32 " x %" PRIu32 " cells need a table of more than 1 GiB; %" PRIu64 " cells would be accepted",
             d->width, d->height, HELD_BYTES_MAX / cell);
  else
    snprintf(err, err_size,
             "%" PRIu32 " x %" PRIu32 " cells in %" PRIu32 " x %" PRIu32
             " tiles, whose borders need more than 1 GiB; a width and height of %" PRIu64
             " cells together, or fewer tiles, would be accepted",
             d->width, d->height, side, side, HELD_BYTES_MAX / cell / side);
  return false;
}

bool hd_tiles_table_make(struct hd_tiles *t) {
  const struct hd_tiles_data *d = t->d;
  const uint64_t width = d->width / t->side + 3u, height = in_place(d) ? d->height / t->side + 3u : 2;
  t->table = calloc(table_cells(d, t->side), t->cell);
  t->scratch = calloc(width * height, t->cell);
  t->digest = calloc((size_t)t->side * t->side, sizeof *t->digest);
  if (t->table != NULL && in_place(d)) d->kind->begin(d, t->table, d->width);
  return t->table != NULL && t->scratch != NULL && t->digest != NULL;
}

void hd_tiles_table_free(struct hd_tiles *t) {
  free(t->table);
  free(t->scratch);
  free(t->digest);
}

static unsigned char *whole(const struct hd_tiles *t, uint32_t x, uint32_t y) {
  return t->table + ((size_t)y * t->d->width + x) * t->cell;
}

static unsigned char *south(const struct hd_tiles *t, uint32_t row, uint32_t x) {
  return t->table + ((size_t)row * t->d->width + x) * t->cell;
}

static unsigned char *east(const struct hd_tiles *t, uint32_t column, uint32_t y) {
  return south(t, t->side, 0) + ((size_t)column * t->d->height + y) * t->cell;
}

static uint64_t with_word(uint64_t so_far, uint64_t word) {
  so_far = (so_far ^ word) * DIGEST_FACTOR;
  return so_far ^ so_far >> 32;
}

static uint64_t digest(uint64_t so_far, const unsigned char *bytes, size_t n) {
  uint64_t word;
  for (; n >= sizeof word; n -= sizeof word, bytes += sizeof word) {
    memcpy(&word, bytes, sizeof word);
    so_far = with_word(so_far, word);
  }
  if (n == 0) return so_far;
  word = 0;
  memcpy(&word, bytes, n);
  return with_word(so_far, word);
}

/* ---- a tile ---- */

/* A tile in computation: its position among the tiles, its cells, and its result. */
struct tile {
  struct hd_dim3 at;
  struct hd_tiles_area area;
  size_t row; /* bytes of a row */
  struct hd_tiles_result *result;
};

static struct tile find(const struct hd_tiles *t, uint32_t vid, struct hd_tiles_result *result) {
  const struct hd_tiles_area a = hd_tiles_area(t, vid);
  return (struct tile){.at = hd_tiles_at(t, vid), .area = a, .row = (a.x1 - a.x0) * t->cell, .result = result};
}

static void compute_row(const struct hd_tiles *t, const struct tile *k, const struct hd_tiles_row *row) {
  struct hd_tiles_result *r = k->result;
  t->d->kind->row(t->d, row);
  r->digest = digest(r->digest, row->own, k->row);
  if (!t->d->kind->largest) return;
  const double value = t->d->kind->result(t->d, row->own, k->area.x1 - k->area.x0);
  if (value > r->largest) r->largest = value;
}

/* Sets a cell to the north or west of the table. */
static void outside(const struct hd_tiles *t, int64_t x, int64_t y, unsigned char *cell) {
  memset(cell, 0, t->cell);
  if (t->d->kind->outside != NULL) t->d->kind->outside(x, y, cell);
}

/* Computes in two rows, each with a cell before its first; stores the last row and the last column. */
static void compute_borders(const struct hd_tiles *t, const struct tile *k) {
  const struct hd_tiles_area *a = &k->area;
  unsigned char *north = t->scratch, *own = t->scratch + t->cell + k->row;
  unsigned char *last_row = k->result->cells, *last_column = last_row + k->row;
  if (a->y0 > 0)
    memcpy(north + t->cell, south(t, k->at.y - 1, a->x0), k->row);
  else
    for (uint32_t x = a->x0; x < a->x1; x++) outside(t, x, -1, north + (x - a->x0 + 1) * t->cell);
  if (a->x0 > 0 && a->y0 > 0)
    memcpy(north, south(t, k->at.y - 1, a->x0 - 1), t->cell);
  else
    outside(t, (int64_t)a->x0 - 1, (int64_t)a->y0 - 1, north);
  for (uint32_t y = a->y0; y < a->y1; y++) {
    if (a->x0 > 0)
      memcpy(own, east(t, k->at.x - 1, y), t->cell);
    else
      outside(t, -1, y, own);
    compute_row(t, k, &(struct hd_tiles_row){a->x0, a->x1, y, north + t->cell, own + t->cell, NULL});
    memcpy(last_column + (y - a->y0) * t->cell, own + k->row, t->cell);
    unsigned char *other = north;
    north = own;
    own = other;
  }
  memcpy(last_row, north + t->cell, k->row);
}

/* Computes in the scratch memory, with the surrounding cells; stores all cells. */
static void compute_whole(const struct hd_tiles *t, const struct tile *k) {
  const struct hd_tiles_area *a = &k->area;
  const struct hd_tiles_data *d = t->d;
  const size_t pitch = k->row + 2 * t->cell;
  const uint32_t height = a->y1 - a->y0, west = a->x0 > 0, right = a->x1 < d->width;
  unsigned char *first = t->scratch + pitch + t->cell;
  memset(t->scratch, 0, (height + 2) * pitch);
  for (uint32_t y = 0; y < height; y++)
    memcpy(first + y * pitch - west * t->cell, whole(t, a->x0 - west, a->y0 + y), k->row + (west + right) * t->cell);
  if (a->y0 > 0) memcpy(first - pitch, whole(t, a->x0, a->y0 - 1), k->row);
  if (a->y1 < d->height) memcpy(first + height * pitch, whole(t, a->x0, a->y1), k->row);
  for (uint32_t y = 0; y < height; y++) {
    unsigned char *own = first + y * pitch;
    compute_row(t, k, &(struct hd_tiles_row){a->x0, a->x1, a->y0 + y, own - pitch, own, own + pitch});
    memcpy(k->result->cells + y * k->row, own, k->row);
  }
}

struct hd_tiles_result *hd_tiles_compute(const struct hd_tiles *t, uint32_t vid) {
  const struct hd_tiles_area a = hd_tiles_area(t, vid);
  const size_t width = a.x1 - a.x0, height = a.y1 - a.y0;
  const size_t kept = in_place(t->d) ? width * height : width + height;
  struct hd_tiles_result *result = malloc(sizeof *result + kept * t->cell);
  if (result == NULL) return NULL;
  const struct tile k = find(t, vid, result);
  *result = (struct hd_tiles_result){.digest = DIGEST_BEGIN};
  if (in_place(t->d))
    compute_whole(t, &k);
  else
    compute_borders(t, &k);
  return result;
}

void hd_tiles_store(struct hd_tiles *t, uint32_t vid, const struct hd_tiles_result *result) {
  const struct hd_tiles_area a = hd_tiles_area(t, vid);
  const struct hd_dim3 at = hd_tiles_at(t, vid);
  const size_t row = (a.x1 - a.x0) * t->cell;
  t->digest[at.y * t->side + at.x] = result->digest;
  if (result->largest > t->largest) t->largest = result->largest;
  if (in_place(t->d)) {
    for (uint32_t y = a.y0; y < a.y1; y++) memcpy(whole(t, a.x0, y), result->cells + (y - a.y0) * row, row);
    return;
  }
  memcpy(south(t, at.y, a.x0), result->cells, row);
  memcpy(east(t, at.x, a.y0), result->cells + row, (a.y1 - a.y0) * t->cell);
}

/* ---- check ---- */

struct hd_tiles_check {
  const struct hd_tiles *t;
  uint64_t *digest; /* of each column of tiles */
  uint32_t y, row;  /* next row of cells, in this row of tiles */
  struct hd_tiles_wrong *wrong;
};

void hd_tiles_check_row(struct hd_tiles_check *c, const void *cells) {
  const struct hd_tiles *t = c->t;
  const bool last = c->y + 1 == hd_tiles_cut(t->d->height, c->row + 1, t->side);
  for (uint32_t k = 0; k < t->side; k++) {
    const uint32_t x0 = hd_tiles_cut(t->d->width, k, t->side), x1 = hd_tiles_cut(t->d->width, k + 1, t->side);
    c->digest[k] = digest(c->y == hd_tiles_cut(t->d->height, c->row, t->side) ? DIGEST_BEGIN : c->digest[k],
                          (const unsigned char *)cells + x0 * t->cell, (x1 - x0) * t->cell);
    if (!last || c->digest[k] == t->digest[c->row * t->side + k]) continue;
    if (c->wrong->tiles++ == 0) {
      c->wrong->x = k;
      c->wrong->y = c->row;
    }
  }
  c->y++;
  c->row += last;
}

void hd_tiles_check(const struct hd_tiles *t, struct hd_tiles_wrong *wrong) {
  struct hd_tiles_check c = {.t = t, .digest = calloc(t->side, sizeof *c.digest), .wrong = wrong};
  *wrong = (struct hd_tiles_wrong){0};
  wrong->out_of_room = c.digest == NULL || !t->d->kind->check(t->d, &c);
  free(c.digest);
}

double hd_tiles_result(const struct hd_tiles *t) {
  const struct hd_tiles_data *d = t->d;
  if (d->kind->largest) return t->largest;
  if (in_place(d)) return d->kind->result(d, t->table, (size_t)d->width * d->height);
  return d->kind->result(d, south(t, t->side - 1, d->width - 1), 1);
}
