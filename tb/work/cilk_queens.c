/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* N queens: a task of level k has queens in the first k rows. With at most BASE open columns in the next row it counts
 * the solutions itself. */
#include <stdio.h>

#include "work/cilk.h"

enum { BASE = 4, MOST = 14 };
enum { WORK_TASK = 16, WORK_CHILD = 8, WORK_PLACE = 12, WORK_PART = 4 }; /* instructions of a wavefront */

/* Occupied columns, and columns of the next row that the diagonals attack; a bit each. */
struct task {
  uint32_t cols, left, right;
  uint64_t *to;
};

struct sum {
  uint32_t parts;
  uint64_t part[MOST], *to;
};

struct queens {
  uint32_t size;
  int tasks, sums;
  struct hd_cost *cost;
};

static uint32_t open_cols(const struct task *t, uint32_t size) {
  return ((1u << size) - 1) & ~(t->cols | t->left | t->right);
}

static struct task put(const struct task *t, uint32_t bit, uint64_t *to) {
  return (struct task){t->cols | bit, (t->left | bit) << 1, (t->right | bit) >> 1, to};
}

/* *places: number of positions examined. */
static uint64_t solve(const struct task *t, uint32_t size, uint32_t *places) {
  uint64_t n = 0;
  (*places)++;
  if (t->cols == (1u << size) - 1) return 1;
  for (uint32_t open = open_cols(t, size); open != 0; open &= open - 1) {
    const struct task next = put(t, open & (0u - open), NULL);
    n += solve(&next, size, places);
  }
  return n;
}

static uint32_t ones(uint32_t v) {
  uint32_t n = 0;
  for (; v != 0; v &= v - 1) n++;
  return n;
}

/* Makes the children of a task, and sets where each stores its count. */
static uint32_t spread(const struct task *t, uint32_t size, struct sum *sum, struct task *child) {
  uint32_t n = 0;
  for (uint32_t open = open_cols(t, size); open != 0; open &= open - 1, n++)
    child[n] = put(t, open & (0u - open), &sum->part[n]);
  sum->parts = n;
  sum->to = t->to;
  return n;
}

static void spawn(struct hd_channels_wave *w, void *ctx) {
  const struct queens *q = ctx;
  const uint32_t lanes = hd_channels_lanes(w), level = hd_channels_level(w);
  uint32_t inner = 0, children = 0;
  struct sum *sum = NULL;
  struct task *child = NULL;
  for (uint32_t k = 0; k < lanes; k++) {
    const uint32_t n = ones(open_cols(hd_channels_deq(w, k), q->size));
    inner += n > BASE;
    children += n > BASE ? n : 0;
  }
  if (inner != 0) {
    sum = hd_channels_talloc(w, q->sums, level, inner);
    if (sum == NULL) return;
    child = hd_channels_talloc(w, q->tasks, level + 1, children);
    if (child == NULL) return;
  }
  uint32_t longest = 0, widest = 0;
  for (uint32_t k = 0, i = 0, c = 0; k < lanes; k++) {
    uint32_t places = 0, n = 0;
    const struct task *t = hd_channels_deq(w, k);
    if (ones(open_cols(t, q->size)) > BASE) {
      n = spread(t, q->size, &sum[i++], &child[c]);
      c += n;
    } else {
      *t->to = solve(t, q->size, &places);
      hd_cost_touch(q->cost, t->to);
    }
    longest = places > longest ? places : longest;
    widest = n > widest ? n : widest;
    hd_channels_tfree(w, k);
  }
  hd_cost_work(q->cost, WORK_TASK + WORK_PLACE * longest + WORK_CHILD * widest);
  hd_cost_access(q->cost, true);
  if (inner == 0) return;
  hd_channels_enq(w, child);
  hd_channels_enq(w, sum);
}

static void join(struct hd_channels_wave *w, void *ctx) {
  const struct queens *q = ctx;
  for (uint32_t k = 0; k < hd_channels_lanes(w); k++) {
    const struct sum *s = hd_channels_deq(w, k);
    uint64_t n = 0;
    for (uint32_t p = 0; p < s->parts; p++) n += s->part[p];
    *s->to = n;
    hd_cost_touch(q->cost, s->to);
    hd_channels_tfree(w, k);
  }
  hd_cost_work(q->cost, WORK_PART * q->size);
  hd_cost_access(q->cost, true);
}

/* The reference program: row by row, with backtracking over the column of each queen. */
static uint64_t plain(uint32_t size) {
  uint32_t col[MOST + 1] = {0}, row = 0;
  uint64_t n = 0;
  for (;;) {
    uint32_t r = 0;
    while (r < row && col[r] != col[row] && col[r] + row != col[row] + r && col[r] + r != col[row] + row) r++;
    const bool fits = col[row] < size && r == row;
    if (fits && row + 1 < size) {
      col[++row] = 0;
      continue;
    }
    n += fits;
    while (col[row] >= size) {
      if (row == 0) return n;
      row--;
    }
    col[row]++;
  }
}

static bool run(const struct hd_cilk_opts *o, struct hd_cilk_run *r, char *err, size_t err_size) {
  struct hd_channels *g = hd_channels_new(o->cfg);
  struct queens q = {.size = o->size, .cost = o->cost};
  if (g == NULL) {
    snprintf(err, err_size, "out of memory");
    return false;
  }
  q.tasks = hd_channels_stack(g, "tasks", sizeof(struct task), o->width, 0, o->size, false);
  q.sums = hd_channels_stack(g, "sums", sizeof(struct sum), o->width, 0, o->size, true);
  const int kernel = hd_channels_kernel(g, "queens", q.tasks, spawn, &q);
  hd_channels_kernel(g, "join", q.sums, join, &q);
  hd_channels_output(g, kernel, q.sums, 0, 1);
  hd_channels_output(g, kernel, q.tasks, 1, o->size);
  struct task *root = hd_channels_talloc(hd_channels_host(g), q.tasks, 0, 1);
  if (root != NULL) {
    *root = (struct task){.to = &r->answer};
    hd_channels_enq(hd_channels_host(g), root);
  }
  hd_cost_row(o->cost, &r->answer, sizeof r->answer, sizeof r->answer, sizeof r->answer, HD_COST_LINE);
  if (!hd_cilk_finish(g, HD_CILK_NODE(q.tasks), HD_CILK_NODE(q.sums), o, r, err, err_size)) return false;
  r->plain = plain(o->size);
  r->right = r->answer == r->plain;
  return true;
}

const struct hd_cilk_program hd_cilk_queens = {
    "queens", "ways to put N queens on a board of N x N", 13, 1, MOST, 16384, 1114, 9072, run};
