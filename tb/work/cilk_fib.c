/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fibonacci numbers as in figures 8 to 12: fib(n) = 1 for n <= 2. */
#include <stdio.h>

#include "work/cilk.h"

struct sum {
  uint64_t part[2], *to;
};

struct task {
  uint32_t n;
  uint64_t *to;
};

enum { WORK_TASK = 12, WORK_JOIN = 6 }; /* instructions of a wavefront */

struct fib {
  int tasks, sums;
  struct hd_cost *cost;
};

static void spawn(struct hd_channels_wave *w, void *ctx) {
  const struct fib *f = ctx;
  const uint32_t lanes = hd_channels_lanes(w), level = hd_channels_level(w);
  uint32_t inner = 0;
  struct sum *sum = NULL;
  struct task *child = NULL;
  for (uint32_t k = 0; k < lanes; k++) inner += ((struct task *)hd_channels_deq(w, k))->n > 2;
  if (inner != 0) {
    sum = hd_channels_talloc(w, f->sums, level, inner);
    if (sum == NULL) return;
    child = hd_channels_talloc(w, f->tasks, level + 1, 2 * inner);
    if (child == NULL) return;
  }
  for (uint32_t k = 0, i = 0; k < lanes; k++) {
    const struct task *task = hd_channels_deq(w, k);
    if (task->n <= 2) {
      *task->to = 1;
      hd_cost_touch(f->cost, task->to);
    } else {
      sum[i].to = task->to;
      for (uint32_t c = 0; c < 2; c++) child[2 * i + c] = (struct task){task->n - 1 - c, &sum[i].part[c]};
      i++;
    }
    hd_channels_tfree(w, k);
  }
  hd_cost_work(f->cost, WORK_TASK);
  hd_cost_access(f->cost, true);
  if (inner == 0) return;
  hd_channels_enq(w, child);
  hd_channels_enq(w, sum);
}

static void join(struct hd_channels_wave *w, void *ctx) {
  const struct fib *f = ctx;
  for (uint32_t k = 0; k < hd_channels_lanes(w); k++) {
    const struct sum *s = hd_channels_deq(w, k);
    *s->to = s->part[0] + s->part[1];
    hd_cost_touch(f->cost, s->to);
    hd_channels_tfree(w, k);
  }
  hd_cost_work(f->cost, WORK_JOIN);
  hd_cost_access(f->cost, true);
}

static uint64_t plain(uint32_t n) {
  uint64_t a = 0, b = 1;
  for (uint32_t k = 1; k < n; k++) {
    const uint64_t next = a + b;
    a = b;
    b = next;
  }
  return b;
}

static bool run(const struct hd_cilk_opts *o, struct hd_cilk_run *r, char *err, size_t err_size) {
  struct hd_channels *g = hd_channels_new(o->cfg);
  struct fib f = {.cost = o->cost};
  const uint32_t levels = o->size > 2 ? o->size - 1 : 2; /* levels of tasks: fib(size) to fib(2) */
  if (g == NULL) {
    snprintf(err, err_size, "out of memory");
    return false;
  }
  f.tasks = hd_channels_stack(g, "tasks", sizeof(struct task), o->width, 0, levels, false);
  f.sums = hd_channels_stack(g, "sums", sizeof(struct sum), o->width, 0, levels - 1, true);
  const int kernel = hd_channels_kernel(g, "fib", f.tasks, spawn, &f);
  hd_channels_kernel(g, "join", f.sums, join, &f);
  hd_channels_output(g, kernel, f.sums, 0, 1);
  hd_channels_output(g, kernel, f.tasks, 1, 2);
  struct task *root = hd_channels_talloc(hd_channels_host(g), f.tasks, 0, 1);
  if (root != NULL) {
    *root = (struct task){o->size, &r->answer};
    hd_channels_enq(hd_channels_host(g), root);
  }
  hd_cost_row(o->cost, &r->answer, sizeof r->answer, sizeof r->answer, sizeof r->answer, HD_COST_LINE);
  r->plain = plain(o->size);
  if (!hd_cilk_finish(g, HD_CILK_NODE(f.tasks), HD_CILK_NODE(f.sums), o, r, err, err_size)) return false;
  r->right = r->answer == r->plain;
  return true;
}

const struct hd_cilk_program hd_cilk_fib = {"fib", "Fibonacci numbers", 24, 1, 32, 32768, 2192, 9064, run};
