/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* A thread of the kernel:
 *
 *     b = body[i]; e = first[i]; end = first[i + 1];
 *     for (; e < end; e++) { m = mass[with[e]]; atomicAdd(&force[i], pull of m on b); }
 *
 * where mass[] holds the cells of the tree, then the bodies: position and mass. */
#include "work/bht.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/mix.h"
#include "work/bht_plain.h"

struct cell {
  uint32_t from, to; /* bodies `from` to `to` - 1 */
  uint32_t size, child, children;
};

struct plane {
  uint32_t bodies, cells, cap;
  uint64_t *code;        /* of each body, ascending: interleaved bits of y and x */
  struct cell *cell;     /* cell 0 is the square */
  struct hd_mass *mass;  /* of cells, then of bodies */
  uint32_t *with;        /* interactions: indices into mass[] */
  uint64_t *first, room; /* first: index in with[] for each body, and an end entry; room: size of with[] */
  int64_t (*force)[2];
};

struct bht {
  struct {
    uint64_t body, first, with, mass, force;
  } at; /* addresses for problem 0; those of the next problem are a stride further */
  uint64_t stride;
  uint32_t problems;
  struct plane *plane;
};

/* Returns true if a cell of that size is far enough away to attract as one mass. */
static bool is_far(const struct hd_mass *b, const struct hd_mass *cell, int64_t size) {
  const int64_t dx = cell->x - b->x, dy = cell->y - b->y;
  return size * size < dx * dx + dy * dy;
}

/* Adds the force of m on b: mass over distance, softened at short range. */
static void pull(const struct hd_mass *b, const struct hd_mass *m, int64_t force[2]) {
  const int64_t dx = m->x - b->x, dy = m->y - b->y, d2 = dx * dx + dy * dy + 1024;
  force[0] += m->mass * dx * (1 << 20) / d2;
  force[1] += m->mass * dy * (1 << 20) / d2;
}

static void close_bht(void *state) {
  struct bht *b = state;
  for (uint32_t k = 0; b->plane != NULL && k < b->problems; k++) {
    struct plane *p = &b->plane[k];
    free(p->code);
    free(p->cell);
    free(p->mass);
    free(p->with);
    free(p->first);
    free(p->force);
  }
  free(b->plane);
  free(b);
}

/* ---- bodies ---- */

/* Returns a random coordinate, densest in the middle: the cube of a uniform number. */
static uint32_t coordinate(const struct hd_rounds_made *made, uint64_t of, uint32_t i) {
  const double u = 2 * hd_mix_unit(hd_mix3(made->seed, of, i)) - 1;
  return (uint32_t)((1 + u * u * u) * (HD_BHT_SIDE / 2 - 1));
}

static uint64_t spread_bits(uint64_t v) {
  uint64_t out = 0;
  for (unsigned k = 0; k < 20; k++) out |= (v >> k & 1) << 2 * k;
  return out;
}

static uint32_t gather_bits(uint64_t code) {
  uint32_t out = 0;
  for (unsigned k = 0; k < 20; k++) out |= (uint32_t)(code >> 2 * k & 1) << k;
  return out;
}

static int by_code(const void *x, const void *y) {
  const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
  return a < b ? -1 : a > b;
}

static bool make_bodies(struct plane *p, const struct hd_rounds_made *made, uint32_t k) {
  p->bodies = made->rows;
  p->code = malloc(p->bodies * sizeof *p->code);
  p->force = calloc(p->bodies, sizeof *p->force);
  p->first = malloc(((size_t)p->bodies + 1) * sizeof *p->first);
  if (p->code == NULL || p->force == NULL || p->first == NULL) return false;
  for (uint32_t i = 0; i < p->bodies; i++)
    p->code[i] =
        spread_bits(coordinate(made, 2 * (uint64_t)k, i)) | spread_bits(coordinate(made, 2 * (uint64_t)k + 1, i)) << 1;
  qsort(p->code, p->bodies, sizeof *p->code, by_code);
  return true;
}

/* ---- the tree: ranges of the bodies in the order of their codes ---- */

static bool add_cell(struct plane *p, struct cell c) {
  if (p->cells == p->cap) {
    const uint32_t cap = 2 * p->cap + 1024;
    struct cell *grown = realloc(p->cell, cap * sizeof *grown);
    if (grown == NULL) return false;
    p->cell = grown;
    p->cap = cap;
  }
  p->cell[p->cells++] = c;
  return true;
}

/* Adds the quarters of a cell that contain a body. */
static bool cut(struct plane *p, uint32_t at) {
  const struct cell c = p->cell[at];
  const uint64_t quarter = (uint64_t)c.size * c.size / 4;
  const uint64_t begin = p->code[c.from] / (4 * quarter) * (4 * quarter);
  p->cell[at].child = p->cells;
  uint32_t from = c.from;
  for (unsigned q = 0; q < 4; q++) {
    uint32_t to = from;
    while (to < c.to && p->code[to] < begin + (q + 1) * quarter) to++;
    if (to != from && !add_cell(p, (struct cell){.from = from, .to = to, .size = c.size / 2})) return false;
    from = to;
  }
  p->cell[at].children = p->cells - p->cell[at].child;
  return true;
}

static bool make_tree(struct plane *p) {
  if (!add_cell(p, (struct cell){.to = p->bodies, .size = HD_BHT_SIDE})) return false;
  for (uint32_t k = 0; k < p->cells; k++)
    if (p->cell[k].to - p->cell[k].from > HD_BHT_LEAF && p->cell[k].size > 1 && !cut(p, k)) return false;
  p->mass = calloc((size_t)p->cells + p->bodies, sizeof *p->mass);
  if (p->mass == NULL) return false;
  for (uint32_t i = 0; i < p->bodies; i++)
    p->mass[p->cells + i] = (struct hd_mass){gather_bits(p->code[i]), gather_bits(p->code[i] >> 1), 1};
  for (uint32_t k = 0; k < p->cells; k++) {
    struct hd_mass m = {0};
    for (uint32_t i = p->cell[k].from; i < p->cell[k].to; i++) {
      m.x += p->mass[p->cells + i].x;
      m.y += p->mass[p->cells + i].y;
      m.mass++;
    }
    p->mass[k] = (struct hd_mass){m.x / m.mass, m.y / m.mass, m.mass};
  }
  return true;
}

static bool add_interaction(struct plane *p, uint64_t *n, uint32_t with) {
  if (*n == p->room) {
    const uint64_t room = 2 * p->room + 65536;
    uint32_t *grown = realloc(p->with, room * sizeof *grown);
    if (grown == NULL) return false;
    p->with = grown;
    p->room = room;
  }
  p->with[(*n)++] = with;
  return true;
}

static bool list_interactions(struct plane *p, uint32_t i, uint64_t *n) {
  uint32_t stack[4 * 21], depth = 0;
  bool good = true;
  for (stack[depth++] = 0; good && depth != 0;) {
    const uint32_t at = stack[--depth];
    const struct cell *c = &p->cell[at];
    if (is_far(&p->mass[p->cells + i], &p->mass[at], c->size)) {
      good = add_interaction(p, n, at);
      continue;
    }
    for (uint32_t q = c->children; q-- > 0;) stack[depth++] = c->child + q;
    for (uint32_t k = c->from; good && c->children == 0 && k < c->to; k++)
      if (k != i) good = add_interaction(p, n, p->cells + k);
  }
  return good;
}

static bool make_lists(struct plane *p) {
  uint64_t n = 0;
  bool good = true;
  for (uint32_t i = 0; good && i < p->bodies; i++) {
    p->first[i] = n;
    good = list_interactions(p, i, &n);
  }
  p->first[p->bodies] = n;
  return good;
}

static void *open_bht(const struct hd_rounds_data *data, uint32_t *problems, uint32_t *items) {
  struct bht *b = calloc(1, sizeof *b);
  if (b == NULL) return NULL;
  b->problems = *problems;
  b->plane = calloc(*problems, sizeof *b->plane);
  bool good = b->plane != NULL;
  uint64_t interactions = 0, masses = 0, end = 256;
  for (uint32_t k = 0; good && k < *problems; k++) {
    struct plane *p = &b->plane[k];
    good = make_bodies(p, &data->made, k) && make_tree(p) && make_lists(p);
    if (good && p->first[p->bodies] > interactions) interactions = p->first[p->bodies];
    if (p->cells + p->bodies > masses) masses = p->cells + p->bodies;
  }
  if (!good) {
    close_bht(b);
    return NULL;
  }
  *items = data->made.rows;
  b->at.body = hd_rounds_put(&end, 8 * (uint64_t)*items);
  b->at.first = hd_rounds_put(&end, 4 * ((uint64_t)*items + 1));
  b->at.with = hd_rounds_put(&end, 4 * interactions);
  b->at.mass = hd_rounds_put(&end, 16 * masses);
  b->at.force = hd_rounds_put(&end, 16 * (uint64_t)*items);
  b->stride = end;
  return b;
}

/* ---- rounds ---- */

static void range(const void *state, uint32_t problem, uint32_t i, uint64_t *from, uint64_t *to) {
  const struct plane *p = &((const struct bht *)state)->plane[problem];
  *from = p->first[i];
  *to = p->first[i + 1];
}

enum { HEADS = 3 };
static const struct hd_rounds_step head[HEADS] = {{HD_WARP_LOAD, 8}, {HD_WARP_LOAD, 1}, {HD_WARP_LOAD, 0}};

static uint64_t head_address(const void *state, const struct hd_rounds_at *at, unsigned step) {
  const struct bht *b = state;
  const uint64_t base = b->stride * at->problem, i = at->item;
  return base + (step == 0 ? b->at.body + 8 * i : b->at.first + 4 * (i + step - 1));
}

enum step { WITH, MASS, FORCE, STEPS };
/* The instructions before the store: distance and division. */
static const struct hd_rounds_step body[STEPS] = {{HD_WARP_LOAD, 4}, {HD_WARP_LOAD, 2}, {HD_WARP_STORE, 16}};

static inline bool body_address(const void *state, const struct hd_rounds_at *at, unsigned step, uint64_t *address) {
  const struct bht *b = state;
  const uint64_t base = b->stride * at->problem;
  if (step == WITH)
    *address = base + b->at.with + 4 * at->element;
  else if (step == MASS)
    *address = base + b->at.mass + 16 * (uint64_t)b->plane[at->problem].with[at->element];
  else
    *address = base + b->at.force + 16 * (uint64_t)at->item;
  return true;
}

static void body_touch(const void *state, const struct hd_rounds_at *at, uint32_t n, unsigned step,
                       struct hd_warp_op *op) {
  hd_rounds_touch(body_address, state, at, n, step, op);
}

static void visit(void *state, struct hd_rounds_at at, uint64_t end) {
  struct plane *p = &((struct bht *)state)->plane[at.problem];
  for (; at.element < end; at.element++)
    pull(&p->mass[p->cells + at.item], &p->mass[p->with[at.element]], p->force[at.item]);
}

static uint32_t next(void *state, uint32_t problem, uint32_t round, uint32_t *list, uint32_t n) {
  (void)state, (void)problem, (void)round, (void)list, (void)n;
  return 0;
}

static bool check(const void *state, uint32_t problem, bool *wrong) {
  const struct plane *p = &((const struct bht *)state)->plane[problem];
  return hd_bht_plain_differs(p->mass + p->cells, p->bodies, p->force, wrong);
}

static void found(const void *state, struct hd_rounds_found *f) {
  const struct bht *b = state;
  uint64_t bodies = 0, interactions = 0, most = 0;
  for (uint32_t k = 0; k < b->problems; k++) {
    const struct plane *p = &b->plane[k];
    bodies += p->bodies;
    interactions += p->first[p->bodies];
    for (uint32_t i = 0; i < p->bodies; i++)
      if (p->first[i + 1] - p->first[i] > most) most = p->first[i + 1] - p->first[i];
  }
  *f = (struct hd_rounds_found){.count = {{"bodies", bodies}, {"interactions", interactions}, {"most", most}}};
  snprintf(f->text, sizeof f->text,
           "forces on %" PRIu64 " bodies by %" PRIu64 " interactions, at most %" PRIu64 " for one", bodies,
           interactions, most);
}

const struct hd_rounds_kind hd_bht = {.name = "bht",
                                      .one = "plane",
                                      .many = "planes",
                                      .plain = "a walk of a tree built body by body",
                                      .input = HD_ROUNDS_MADE,
                                      .single = true,
                                      .head = head,
                                      .heads = HEADS,
                                      .body = body,
                                      .bodies = STEPS,
                                      .open = open_bht,
                                      .close = close_bht,
                                      .range = range,
                                      .head_address = head_address,
                                      .body_touch = body_touch,
                                      .visit = visit,
                                      .next = next,
                                      .check = check,
                                      .found = found};

struct hd_bht_body hd_bht_body(const struct hd_rounds *r, uint32_t problem, uint32_t i) {
  const struct bht *b = hd_rounds_state(r);
  const struct plane *p = &b->plane[problem];
  const struct hd_mass *m = &p->mass[p->cells + i];
  return (struct hd_bht_body){m->x, m->y, p->force[i][0], p->force[i][1]};
}
