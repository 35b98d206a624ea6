/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The operations of the warps of a tile's TB:
 *
 *     load the data, the surrounding cells that the tile needs, and its own cells if it works in place
 *     the steps of the warp's threads, on the SMX's own memory
 *     store the tile's cells
 *
 * Thread k loads and stores the numbers k, k + threads, .. of an array, row by row, so the 32 numbers of a warp are
 * adjacent. The barriers of the TB before and after the steps, and at each diagonal, are not modelled.
 *
 * The TB that launches the waves (nested) has one warp: a call for each wave, and a wait for its end. It computes a
 * wave that could not be launched itself, with its 32 threads, tile by tile. */
#include "work/tiles_inside.h"

enum { BEFORE_ACCESS = 3, BEFORE_CALL = 4, BEFORE_WAIT = 1, BEFORE_END = 1 }; /* instructions */
enum { PARTS = 8 };

/* A part of an array. */
struct part {
  enum hd_warp_kind kind;
  uint64_t address, pitch;      /* address of its first number; distance between rows */
  uint32_t rows, numbers, size; /* numbers: per row; size: bytes per number */
};

struct walk {
  uint32_t warp, warps; /* index and number of the warps that share the tile */
  uint32_t owed;        /* instructions before the next operation */
  uint32_t part, parts, turn;
  struct part list[PARTS];
  uint32_t steps; /* instructions, before the stores */
  /* Nested, the launching TB: its current wave, the tile of that wave that it computes itself, and whether it has
   * called. */
  uint32_t wave, tile;
  bool called;
};

static void add(struct walk *w, const struct part *p) {
  w->list[w->parts++] = *p;
}

/* Adds the cells x0 <= x < x1, y0 <= y < y1 of the table, if any. */
static void add_cells(const struct hd_tiles *t, struct walk *w, enum hd_warp_kind kind, struct hd_tiles_area a) {
  const uint64_t row = t->d->width * t->cell;
  if (a.x0 >= a.x1 || a.y0 >= a.y1) return;
  add(w, &(struct part){kind, t->table_at + a.y0 * row + a.x0 * t->cell, row, a.y1 - a.y0, (a.x1 - a.x0) * t->d->bins,
                        (uint32_t)t->d->kind->item});
}

static void add_data(const struct hd_tiles *t, struct walk *w, const struct hd_tiles_area *a) {
  const struct hd_tiles_data *d = t->d;
  const uint32_t size = d->kind->input == HD_TILES_SERIES ? sizeof *d->series[0] : sizeof *d->sequence[0];
  switch (d->kind->input) {
    case HD_TILES_SERIES:
    case HD_TILES_SEQUENCES:
      add(w, &(struct part){HD_WARP_LOAD, t->data_at[0] + (uint64_t)a->x0 * size, 0, 1, a->x1 - a->x0, size});
      add(w, &(struct part){HD_WARP_LOAD, t->data_at[1] + (uint64_t)a->y0 * size, 0, 1, a->y1 - a->y0, size});
      break;
    case HD_TILES_IMAGE:
      add(w, &(struct part){HD_WARP_LOAD, t->data_at[0] + ((uint64_t)a->y0 * d->width + a->x0) * sizeof *d->grey,
                            d->width * sizeof *d->grey, a->y1 - a->y0, a->x1 - a->x0, sizeof *d->grey});
      break;
    case HD_TILES_NO_INPUT:
      break;
  }
}

/* Warp `warp` of a TB of `threads` threads begins a tile. */
static void begin_tile(const struct hd_tiles *t, struct walk *w, uint32_t vid, uint32_t warp, uint32_t threads) {
  const struct hd_tiles_area a = hd_tiles_area(t, vid);
  const bool in_place = t->d->kind->begin != NULL;
  const uint32_t corner = !in_place && a.x0 > 0;
  w->warp = warp;
  w->warps = (threads + HD_WARP_LANES - 1) / HD_WARP_LANES;
  w->part = w->parts = w->turn = 0;
  w->steps = (uint32_t)(t->d->kind->steps(t->d, a.x1 - a.x0, a.y1 - a.y0, threads, warp * HD_WARP_LANES) *
                        t->d->kind->instructions);
  add_data(t, w, &a);
  if (a.y0 > 0) add_cells(t, w, HD_WARP_LOAD, (struct hd_tiles_area){a.x0 - corner, a.x1, a.y0 - 1, a.y0});
  if (a.x0 > 0) add_cells(t, w, HD_WARP_LOAD, (struct hd_tiles_area){a.x0 - 1, a.x0, a.y0, a.y1});
  if (in_place) {
    add_cells(t, w, HD_WARP_LOAD, a);
    if (a.x1 < t->d->width) add_cells(t, w, HD_WARP_LOAD, (struct hd_tiles_area){a.x1, a.x1 + 1, a.y0, a.y1});
    if (a.y1 < t->d->height) add_cells(t, w, HD_WARP_LOAD, (struct hd_tiles_area){a.x0, a.x1, a.y1, a.y1 + 1});
  }
  add_cells(t, w, HD_WARP_STORE, a);
}

/* The next operation of the tile. Returns false at the end. */
static bool in_tile(struct walk *w, struct hd_warp_op *op) {
  for (; w->part < w->parts; w->part++, w->turn = 0) {
    const struct part *p = &w->list[w->part];
    const uint64_t numbers = (uint64_t)p->rows * p->numbers;
    const uint64_t first = ((uint64_t)w->turn * w->warps + w->warp) * HD_WARP_LANES;
    if (p->kind == HD_WARP_STORE && w->turn == 0) w->owed += w->steps;
    if (first >= numbers) continue;
    w->turn++;
    op->kind = p->kind;
    op->lanes = numbers - first < HD_WARP_LANES ? (uint32_t)(numbers - first) : HD_WARP_LANES;
    op->instructions = w->owed + BEFORE_ACCESS;
    w->owed = 0;
    uint64_t row = first / p->numbers;
    uint32_t k = (uint32_t)(first % p->numbers);
    for (uint32_t lane = 0; lane < op->lanes; lane++) {
      hd_warp_touch(op, p->address + row * p->pitch + (uint64_t)k * p->size);
      if (++k < p->numbers) continue;
      k = 0;
      row++;
    }
    return true;
  }
  return false;
}

static bool launches(const struct hd_tiles *t, const struct hd_warp_tb *tb) {
  return t->o.launch == HD_TILES_NESTED && tb->child == 0;
}

static void begin(void *ctx, const struct hd_warp_tb *tb, uint32_t warp, void *state) {
  const struct hd_tiles *t = ctx;
  struct walk *w = state;
  *w = (struct walk){0};
  if (launches(t, tb)) return;
  begin_tile(t, w, hd_tiles_vid(t, tb->child != 0 ? tb->item : tb->kernel, tb->blkid), warp, t->o.block_size);
}

/* The next tile of a wave that could not be launched, which the launching warp computes. Returns false if there is
 * none.
 */
static bool do_alone(const struct hd_tiles *t, struct walk *w) {
  if (w->wave == 0 || w->tile == hd_tiles_width(t, w->wave - 1)) return false;
  const uint32_t vid = hd_tiles_vid(t, w->wave - 1, w->tile);
  if (!t->node[vid].alone) return false;
  w->tile++;
  begin_tile(t, w, vid, 0, HD_WARP_LANES);
  return true;
}

static void next(void *ctx, const struct hd_warp_tb *tb, uint32_t warp, void *state, struct hd_warp_op *op) {
  const struct hd_tiles *t = ctx;
  struct walk *w = state;
  (void)warp;
  do {
    if (in_tile(w, op)) return;
  } while (launches(t, tb) && do_alone(t, w));
  if (w->called) {
    w->called = false;
    op->kind = HD_WARP_WAIT;
    op->instructions = w->owed + BEFORE_WAIT;
    op->lanes = 1;
    w->owed = 0;
    return;
  }
  op->kind = HD_WARP_END;
  op->instructions = w->owed + BEFORE_END;
  op->lanes = HD_WARP_LANES;
  if (!launches(t, tb) || w->wave == t->graph.levels) return;
  op->kind = HD_WARP_CALL;
  op->instructions = w->owed + BEFORE_CALL;
  op->lanes = 1;
  w->owed = 0;
  w->tile = 0;
  w->wave++;
  w->called = true;
}

const struct hd_warp_source hd_tiles_warps = {.state = sizeof(struct walk), .begin = begin, .next = next};
