/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Product of matrices of bytes: a task divides its product into eight of half the size; products of BASE x BASE are
 * computed and added to the result. */
#include <stdio.h>
#include <stdlib.h>

#include "work/cilk.h"

#define BASE UINT32_C(16)

enum { EIGHT = 8 };
enum { WORK_TASK = 24, WORK_ROW = 8, WORK_PRODUCT = 14 }; /* instructions of a wavefront */

/* c += a * b for squares with the upper left corners {row, mid}, {mid, col} and {row, col}. */
struct task {
  uint16_t row, col, mid;
};

struct multiply {
  uint32_t size;
  int tasks;
  struct hd_cost *cost;
  const uint8_t *a, *b;
  uint32_t *c;
};

static void compute(const struct multiply *m, const struct task *t) {
  for (uint32_t i = t->row; i < t->row + BASE; i++)
    for (uint32_t j = t->col; j < t->col + BASE; j++)
      for (uint32_t k = t->mid; k < t->mid + BASE; k++)
        m->c[i * m->size + j] += (uint32_t)m->a[i * m->size + k] * m->b[k * m->size + j];
}

/* Reports the memory accesses of base cases, which the lanes of a wavefront execute in lockstep: a row of a at once;
 * each row of b, with its products; then a row of c, which is added to in memory. */
static void report(struct hd_channels_wave *w, const struct multiply *m) {
  const uint32_t lanes = hd_channels_lanes(w), n = m->size;
  for (uint32_t i = 0; i < BASE && m->cost != NULL; i++) {
    for (uint32_t l = 0; l < lanes; l++) {
      const struct task *t = hd_channels_deq(w, l);
      hd_cost_touch(m->cost, &m->a[(t->row + i) * n + t->mid]);
    }
    hd_cost_work(m->cost, WORK_ROW);
    hd_cost_access(m->cost, false);
    for (uint32_t k = 0; k < BASE; k++) {
      for (uint32_t l = 0; l < lanes; l++) {
        const struct task *t = hd_channels_deq(w, l);
        hd_cost_touch(m->cost, &m->b[(t->mid + k) * n + t->col]);
      }
      hd_cost_access(m->cost, false);
      hd_cost_work(m->cost, WORK_PRODUCT * BASE);
    }
    for (uint32_t l = 0; l < lanes; l++) {
      const struct task *t = hd_channels_deq(w, l);
      hd_cost_touch(m->cost, &m->c[(t->row + i) * n + t->col]);
    }
    hd_cost_access(m->cost, true);
  }
}

static void spawn(struct hd_channels_wave *w, void *ctx) {
  struct multiply *m = ctx;
  const uint32_t lanes = hd_channels_lanes(w), half = m->size >> (hd_channels_level(w) + 1);
  struct task *child = NULL;
  if (half >= BASE) {
    child = hd_channels_talloc(w, m->tasks, hd_channels_level(w) + 1, EIGHT * lanes);
    if (child == NULL) return;
  }
  hd_cost_work(m->cost, WORK_TASK);
  if (child == NULL) report(w, m);
  for (uint32_t k = 0; k < lanes; k++) {
    const struct task *t = hd_channels_deq(w, k);
    if (child == NULL) compute(m, t);
    for (uint32_t e = 0; e < EIGHT && child != NULL; e++)
      child[EIGHT * k + e] =
          (struct task){(uint16_t)(t->row + (e & 1) * half), (uint16_t)(t->col + (e >> 1 & 1) * half),
                        (uint16_t)(t->mid + (e >> 2) * half)};
    hd_channels_tfree(w, k);
  }
  if (child != NULL) hd_channels_enq(w, child);
}

/* Compares with a plain program that adds up rows, and sums up all elements. */
static bool agrees(const struct multiply *m, struct hd_cilk_run *r) {
  bool same = true;
  uint32_t *row = calloc(m->size, sizeof *row);
  for (uint32_t i = 0; i < m->size && row != NULL; i++) {
    for (uint32_t j = 0; j < m->size; j++) row[j] = 0;
    for (uint32_t k = 0; k < m->size; k++)
      for (uint32_t j = 0; j < m->size; j++) row[j] += (uint32_t)m->a[i * m->size + k] * m->b[k * m->size + j];
    for (uint32_t j = 0; j < m->size; j++) {
      r->plain += row[j];
      r->answer += m->c[i * m->size + j];
      same = same && row[j] == m->c[i * m->size + j];
    }
  }
  same = same && row != NULL;
  free(row);
  return same;
}

static bool execute(const struct hd_cilk_opts *o, struct multiply *m, struct hd_cilk_run *r, char *err,
                    size_t err_size) {
  struct hd_channels *g = hd_channels_new(o->cfg);
  uint32_t levels = 1;
  if (g == NULL) {
    snprintf(err, err_size, "out of memory");
    return false;
  }
  while (m->size >> levels >= BASE) levels++;
  m->tasks = hd_channels_stack(g, "tasks", sizeof(struct task), o->width, 0, levels, false);
  hd_channels_output(g, hd_channels_kernel(g, "multiply", m->tasks, spawn, m), m->tasks, 1, EIGHT);
  struct task *root = hd_channels_talloc(hd_channels_host(g), m->tasks, 0, 1);
  if (root != NULL) {
    *root = (struct task){0, 0, 0};
    hd_channels_enq(hd_channels_host(g), root);
  }
  return hd_cilk_finish(g, HD_CILK_NODE(m->tasks), 0, o, r, err, err_size);
}

static bool run(const struct hd_cilk_opts *o, struct hd_cilk_run *r, char *err, size_t err_size) {
  const uint32_t size = o->size;
  const size_t cells = (size_t)size * size;
  uint8_t *in = malloc(2 * cells);
  struct multiply m = {.size = size, .cost = o->cost, .a = in, .c = calloc(cells, sizeof *m.c)};
  uint32_t draw = 1;
  bool good = false;
  if ((size & (size - 1)) != 0) {
    snprintf(err, err_size, "the size is %u; a power of two from 16 to 1024 would be accepted", (unsigned)size);
  } else if (in == NULL || m.c == NULL) {
    snprintf(err, err_size, "out of memory");
  } else {
    m.b = in + cells;
    for (size_t k = 0; k < 2 * cells; k++) {
      draw = draw * 1664525u + 1013904223u;
      in[k] = (uint8_t)(draw >> 24);
    }
    hd_cost_row(o->cost, in, 2 * cells, 1, 1, HD_COST_LINE);
    hd_cost_row(o->cost, m.c, cells * sizeof *m.c, sizeof *m.c, sizeof *m.c, HD_COST_LINE);
    good = execute(o, &m, r, err, err_size);
    if (good) r->right = agrees(&m, r);
  }
  free(m.c);
  free(in);
  return good;
}

const struct hd_cilk_program hd_cilk_multiply = {
    "strassen", "product of two matrices, divided as in the paper's Strassen", 512, BASE, 1024, 8192, 587, 8088, run};
