/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* A thread of a level's kernel:
 *
 *     c = cell[list[k]]; n = cuts(c.change); first = child[list[k]];
 *     for (e = first; e < first + n * n; e++) {
 *       the field at the corners of c's part e - first; next_cell[e] = that part and its change;
 *     } */
#include "work/amr.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/mix.h"

enum { SIDE = 1 << 20, SAMPLES = 1024 }; /* side of the square; samples in a row of the field in memory, minus 1 */

struct cell {
  uint32_t x, y, size, change;
};

struct front {
  int64_t x, y, radius;
};

struct mesh {
  struct front front;
  uint32_t level, roots; /* roots: cells in a row of level 0 */
  struct cell *cell;     /* cells of the current level */
  uint64_t *child;       /* index of each cell's first part in the next level, and an end entry */
  uint64_t cells;
  struct cell *part; /* the next level */
  struct hd_amr_level reported[HD_AMR_LEVELS];
};

struct amr {
  struct {
    uint64_t field, list, cell, child, part;
  } at; /* addresses for problem 0; those of the next problem are a stride further */
  uint64_t stride;
  uint32_t problems;
  struct mesh *mesh;
};

/* ---- the field, and how cells are split ---- */

/* Returns the field: from 0 outside the front to 255 inside. */
static uint32_t field(const struct front *f, int64_t x, int64_t y) {
  const int64_t dx = x - f->x, dy = y - f->y;
  const int64_t at = 128 + (f->radius * f->radius - dx * dx - dy * dy) / (f->radius * 64);
  return at < 0 ? 0 : at > 255 ? 255 : (uint32_t)at;
}

static uint32_t change(const struct front *f, uint32_t x, uint32_t y, uint32_t size) {
  uint32_t low = 255, high = 0;
  for (unsigned corner = 0; corner < 4; corner++) {
    const uint32_t v = field(f, (int64_t)x + (corner % 2) * size, (int64_t)y + (corner / 2) * size);
    if (v < low) low = v;
    if (v > high) high = v;
  }
  return high - low;
}

/* Returns the number of parts per side into which the cell is split; 0: it is not split. */
static uint32_t cuts(uint32_t level, const struct cell *c) {
  if (level + 1 == HD_AMR_LEVELS) return 0;
  return c->change > 64 ? 8 : c->change > 16 ? 4 : c->change > 4 ? 2 : 0;
}

static uint64_t hash(const struct cell *c) {
  return hd_mix3((uint64_t)c->x << 32 | c->y, c->size, c->change);
}

/* The reference program: recursive (depth first), stores no cells. */
static void plain(const struct front *f, uint32_t level, const struct cell *c, struct hd_amr_level *reported) {
  const uint32_t n = cuts(level, c);
  reported[level].cells++;
  reported[level].leaves += n == 0;
  reported[level].hash += hash(c);
  for (uint32_t y = 0; y < n; y++)
    for (uint32_t x = 0; x < n; x++) {
      struct cell part = {c->x + x * (c->size / n), c->y + y * (c->size / n), c->size / n, 0};
      part.change = change(f, part.x, part.y, part.size);
      plain(f, level + 1, &part, reported);
    }
}

static struct cell root(const struct mesh *m, uint32_t k) {
  const uint32_t size = SIDE / m->roots;
  struct cell c = {k % m->roots * size, k / m->roots * size, size, 0};
  c.change = change(&m->front, c.x, c.y, c.size);
  return c;
}

static void plain_all(const struct mesh *m, struct hd_amr_level *reported) {
  memset(reported, 0, HD_AMR_LEVELS * sizeof *reported);
  for (uint32_t k = 0; k < m->roots * m->roots; k++) {
    const struct cell c = root(m, k);
    plain(&m->front, 0, &c, reported);
  }
}

/* ---- meshes ---- */

static void close_amr(void *state) {
  struct amr *b = state;
  for (uint32_t k = 0; b->mesh != NULL && k < b->problems; k++) {
    free(b->mesh[k].cell);
    free(b->mesh[k].child);
    free(b->mesh[k].part);
  }
  free(b->mesh);
  free(b);
}

/* All cells of a level are known: allocates the next level and assigns the indices of the parts. */
static bool begin_level(struct mesh *m) {
  free(m->child);
  free(m->part);
  m->child = malloc((m->cells + 1) * sizeof *m->child);
  m->part = NULL;
  if (m->child == NULL) return false;
  m->child[0] = 0;
  for (uint64_t i = 0; i < m->cells; i++) {
    const uint32_t n = cuts(m->level, &m->cell[i]);
    m->child[i + 1] = m->child[i] + n * n;
  }
  m->part = calloc(m->child[m->cells] + 1, sizeof *m->part);
  return m->part != NULL;
}

/* Returns the number of cells of the largest level. */
static uint64_t most_cells(const struct mesh *m) {
  struct hd_amr_level reported[HD_AMR_LEVELS];
  uint64_t most = 0;
  plain_all(m, reported);
  for (uint32_t level = 0; level < HD_AMR_LEVELS; level++)
    if (reported[level].cells > most) most = reported[level].cells;
  return most;
}

static bool new_mesh(struct mesh *m, const struct hd_rounds_made *made, uint32_t k) {
  for (m->roots = 1; (m->roots + 1) * (m->roots + 1) <= made->rows && m->roots < SIDE / 512; m->roots++) continue;
  m->front = (struct front){SIDE / 4 + (int64_t)(hd_mix3(made->seed, k, 0) % (SIDE / 2)),
                            SIDE / 4 + (int64_t)(hd_mix3(made->seed, k, 1) % (SIDE / 2)), SIDE / 5};
  m->cells = (uint64_t)m->roots * m->roots;
  m->cell = malloc(m->cells * sizeof *m->cell);
  for (uint32_t i = 0; m->cell != NULL && i < m->cells; i++) m->cell[i] = root(m, i);
  return m->cell != NULL && begin_level(m);
}

static void *open_amr(const struct hd_rounds_data *data, uint32_t *problems, uint32_t *items) {
  struct amr *b = calloc(1, sizeof *b);
  if (b == NULL) return NULL;
  b->problems = *problems;
  b->mesh = calloc(*problems, sizeof *b->mesh);
  bool good = b->mesh != NULL;
  for (uint32_t k = 0; good && k < *problems; k++) good = new_mesh(&b->mesh[k], &data->made, k);
  uint64_t most = 0, end = 256;
  for (uint32_t k = 0; good && k < *problems; k++)
    if (most_cells(&b->mesh[k]) > most) most = most_cells(&b->mesh[k]);
  if (!good || most > UINT32_MAX / 16) {
    close_amr(b);
    return NULL;
  }
  b->at.field = hd_rounds_put(&end, 4 * (SAMPLES + 1) * (SAMPLES + 1));
  b->at.list = hd_rounds_put(&end, 4 * most);
  b->at.cell = hd_rounds_put(&end, 16 * most);
  b->at.child = hd_rounds_put(&end, 4 * most);
  b->at.part = hd_rounds_put(&end, 16 * most);
  b->stride = end;
  *items = (uint32_t)most;
  return b;
}

/* ---- rounds ---- */

/* Lists the cells that are split. */
static uint32_t make_list(const struct mesh *m, uint32_t *list) {
  uint32_t n = 0;
  for (uint64_t i = 0; i < m->cells; i++)
    if (cuts(m->level, &m->cell[i]) != 0) list[n++] = (uint32_t)i;
  return n;
}

/* Computes the sums over a complete level. */
static void report(struct mesh *m) {
  struct hd_amr_level *l = &m->reported[m->level];
  for (uint64_t i = 0; i < m->cells; i++) {
    l->cells++;
    l->leaves += cuts(m->level, &m->cell[i]) == 0;
    l->hash += hash(&m->cell[i]);
  }
}

/* Every cell of level 0 has a thread, whether it is split or not. */
static uint32_t begin(void *state, uint32_t problem, uint32_t *list) {
  struct mesh *m = &((struct amr *)state)->mesh[problem];
  for (uint32_t i = 0; i < m->cells; i++) list[i] = i;
  report(m);
  return (uint32_t)m->cells;
}

static void range(const void *state, uint32_t problem, uint32_t i, uint64_t *from, uint64_t *to) {
  const struct mesh *m = &((const struct amr *)state)->mesh[problem];
  *from = m->child[i];
  *to = m->child[i + 1];
}

static struct cell part_of(const struct mesh *m, const struct hd_rounds_at *at) {
  const struct cell *c = &m->cell[at->item];
  const uint32_t n = cuts(m->level, c), k = (uint32_t)(at->element - m->child[at->item]), size = c->size / n;
  return (struct cell){c->x + k % n * size, c->y + k / n * size, size, 0};
}

enum { HEADS = 3 };
static const struct hd_rounds_step head[HEADS] = {{HD_WARP_LOAD, 8}, {HD_WARP_LOAD, 2}, {HD_WARP_LOAD, 0}};

static uint64_t head_address(const void *state, const struct hd_rounds_at *at, unsigned step) {
  const struct amr *b = state;
  const uint64_t base = b->stride * at->problem;
  if (step == 0) return base + b->at.list + 4 * (uint64_t)at->place;
  return base + (step == 1 ? b->at.cell + 16 * (uint64_t)at->item : b->at.child + 4 * (uint64_t)at->item);
}

/* Loads the field at the four corners; stores the part of the cell. */
enum { CORNERS = 4, STEPS };
static const struct hd_rounds_step body[STEPS] = {
    {HD_WARP_LOAD, 10}, {HD_WARP_LOAD, 2}, {HD_WARP_LOAD, 2}, {HD_WARP_LOAD, 2}, {HD_WARP_STORE, 8}};

static inline bool body_address(const void *state, const struct hd_rounds_at *at, unsigned step, uint64_t *address) {
  const struct amr *b = state;
  const struct cell c = part_of(&b->mesh[at->problem], at);
  const uint64_t base = b->stride * at->problem;
  const uint64_t x = c.x + step % 2 * c.size, y = c.y + step / 2 % 2 * c.size;
  if (step == CORNERS)
    *address = base + b->at.part + 16 * at->element;
  else
    *address = base + b->at.field + 4 * (y / (SIDE / SAMPLES) * (SAMPLES + 1) + x / (SIDE / SAMPLES));
  return true;
}

static void body_touch(const void *state, const struct hd_rounds_at *at, uint32_t n, unsigned step,
                       struct hd_warp_op *op) {
  hd_rounds_touch(body_address, state, at, n, step, op);
}

static void visit(void *state, struct hd_rounds_at at, uint64_t end) {
  struct mesh *m = &((struct amr *)state)->mesh[at.problem];
  for (; at.element < end; at.element++) {
    struct cell c = part_of(m, &at);
    c.change = change(&m->front, c.x, c.y, c.size);
    m->part[at.element] = c;
  }
}

/* If out of memory, the mesh ends here, and the check fails. */
static uint32_t next(void *state, uint32_t problem, uint32_t round, uint32_t *list, uint32_t n) {
  struct mesh *m = &((struct amr *)state)->mesh[problem];
  (void)round, (void)n;
  struct cell *cut = m->cell;
  m->cells = m->child[m->cells];
  m->cell = m->part;
  m->part = NULL;
  free(cut);
  m->level++;
  report(m);
  return begin_level(m) ? make_list(m, list) : 0;
}

static bool check(const void *state, uint32_t problem, bool *wrong) {
  const struct mesh *m = &((const struct amr *)state)->mesh[problem];
  struct hd_amr_level reported[HD_AMR_LEVELS];
  plain_all(m, reported);
  *wrong = memcmp(reported, m->reported, sizeof reported) != 0;
  return true;
}

static void found(const void *state, struct hd_rounds_found *f) {
  const struct amr *b = state;
  uint64_t cells = 0, leaves = 0, levels = 0;
  for (uint32_t k = 0; k < b->problems; k++)
    for (uint32_t level = 0; level < HD_AMR_LEVELS; level++) {
      cells += b->mesh[k].reported[level].cells;
      leaves += b->mesh[k].reported[level].leaves;
      if (b->mesh[k].reported[level].cells != 0 && level + 1 > levels) levels = level + 1;
    }
  *f = (struct hd_rounds_found){.count = {{"cells", cells}, {"leaves", leaves}, {"levels", levels}}};
  snprintf(f->text, sizeof f->text, "%" PRIu64 " cells in %" PRIu64 " levels, %" PRIu64 " of them not refined", cells,
           levels, leaves);
}

const struct hd_rounds_kind hd_amr = {.name = "amr",
                                      .one = "mesh",
                                      .many = "meshes",
                                      .plain = "a recursion",
                                      .input = HD_ROUNDS_MADE,
                                      .single = true,
                                      .round_up = true,
                                      .head = head,
                                      .heads = HEADS,
                                      .body = body,
                                      .bodies = STEPS,
                                      .open = open_amr,
                                      .close = close_amr,
                                      .begin = begin,
                                      .range = range,
                                      .head_address = head_address,
                                      .body_touch = body_touch,
                                      .visit = visit,
                                      .next = next,
                                      .check = check,
                                      .found = found};

struct hd_amr_level hd_amr_level(const struct hd_rounds *r, uint32_t problem, uint32_t level) {
  const struct amr *b = hd_rounds_state(r);
  return b->mesh[problem].reported[level];
}
