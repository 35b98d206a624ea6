/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Merge sort: sorts four quarters, merges pairs into a second array, and merges the halves back. A task of up to BASE
 * elements sorts them itself. A merge task merges its two rows itself if the shorter has at most BASE elements;
 * otherwise it halves the longer row, divides the other at that element, and spawns two merges. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "work/cilk.h"

enum { BASE = 64, QUARTERS = 4, MERGE_LEVELS = 32, MOST_LANES = 64 };
enum { WORK_TASK = 16, WORK_SWAP = 5, WORK_MERGE = 8, WORK_HALVE = 10 }; /* instructions of a wavefront */

struct part {
  uint32_t at, n;
};

/* Two rows of one array, to be merged into the other array at `to`. */
struct merge {
  struct part a, b;
  uint32_t to, from; /* from: array of the two rows */
};

struct sort {
  uint32_t size, deepest; /* deepest: last level of merges, whose tasks do not divide */
  int sorts, pairs, lasts, merges;
  struct hd_cost *cost;
  uint32_t *row[2];
};

/* Returns quarter q; the last quarter includes the remainder. */
static struct part quarter(struct part p, uint32_t q) {
  const uint32_t n = p.n / QUARTERS;
  return (struct part){p.at + q * n, q < QUARTERS - 1 ? n : p.n - q * n};
}

/* Inserts element k into the sorted elements before it. Returns the number of elements that it passed. */
static uint32_t insert(uint32_t *v, uint32_t k) {
  const uint32_t x = v[k];
  uint32_t i = k;
  for (; i > 0 && v[i - 1] > x; i--) v[i] = v[i - 1];
  v[i] = x;
  return k - i;
}

/* Sorts all base cases of a wavefront, in lockstep. */
static void insertion(struct hd_channels_wave *w, const struct sort *s) {
  for (uint32_t k = 0; k < BASE; k++)
    for (uint32_t turn = 0, most = 0; turn < 2; turn++) {
      for (uint32_t l = 0; l < hd_channels_lanes(w); l++) {
        const struct part *p = hd_channels_deq(w, l);
        if (p->n > BASE || k >= p->n) continue;
        const uint32_t past = turn == 0 ? insert(s->row[0] + p->at, k) : 0;
        most = past > most ? past : most;
        hd_cost_touch(s->cost, &s->row[0][p->at + k]);
      }
      hd_cost_access(s->cost, turn != 0);
      hd_cost_work(s->cost, turn == 0 ? WORK_SWAP * (most + 1) : 0);
    }
}

static void sort_kernel(struct hd_channels_wave *w, void *ctx) {
  struct sort *s = ctx;
  const uint32_t lanes = hd_channels_lanes(w), level = hd_channels_level(w);
  uint32_t inner = 0;
  struct part *pair = NULL, *child = NULL;
  for (uint32_t k = 0; k < lanes; k++) inner += ((struct part *)hd_channels_deq(w, k))->n > BASE;
  if (inner != 0) {
    pair = hd_channels_talloc(w, s->pairs, level, inner);
    if (pair == NULL) return;
    child = hd_channels_talloc(w, s->sorts, level + 1, QUARTERS * inner);
    if (child == NULL) return;
  }
  hd_cost_work(s->cost, WORK_TASK);
  insertion(w, s);
  for (uint32_t k = 0, i = 0; k < lanes; k++) {
    const struct part *p = hd_channels_deq(w, k);
    if (p->n > BASE) {
      pair[i] = *p;
      for (uint32_t q = 0; q < QUARTERS; q++) child[QUARTERS * i + q] = quarter(*p, q);
      i++;
    }
    hd_channels_tfree(w, k);
  }
  if (inner == 0) return;
  hd_channels_enq(w, child);
  hd_channels_enq(w, pair);
}

/* Continuation after the quarters are sorted: merges pairs of them. */
static void pair_kernel(struct hd_channels_wave *w, void *ctx) {
  const struct sort *s = ctx;
  const uint32_t lanes = hd_channels_lanes(w), level = hd_channels_level(w);
  struct part *last = hd_channels_talloc(w, s->lasts, level, lanes);
  if (last == NULL) return;
  struct merge *child = hd_channels_talloc(w, s->merges, level + 1, 2 * lanes);
  if (child == NULL) return;
  hd_cost_work(s->cost, WORK_TASK);
  for (uint32_t k = 0; k < lanes; k++) {
    const struct part p = *(struct part *)hd_channels_deq(w, k);
    last[k] = p;
    for (uint32_t h = 0; h < 2; h++)
      child[2 * k + h] = (struct merge){quarter(p, 2 * h), quarter(p, 2 * h + 1), p.at + 2 * h * (p.n / QUARTERS), 0};
    hd_channels_tfree(w, k);
  }
  hd_channels_enq(w, child);
  hd_channels_enq(w, last);
}

/* Continuation after the halves are sorted, in the second array: merges them back. */
static void last_kernel(struct hd_channels_wave *w, void *ctx) {
  const struct sort *s = ctx;
  const uint32_t lanes = hd_channels_lanes(w);
  struct merge *child = hd_channels_talloc(w, s->merges, hd_channels_level(w) + 1, lanes);
  if (child == NULL) return;
  hd_cost_work(s->cost, WORK_TASK);
  for (uint32_t k = 0; k < lanes; k++) {
    const struct part p = *(struct part *)hd_channels_deq(w, k);
    const uint32_t half = 2 * (p.n / QUARTERS);
    child[k] = (struct merge){{p.at, half}, {p.at + half, p.n - half}, p.at, 1};
    hd_channels_tfree(w, k);
  }
  hd_channels_enq(w, child);
}

static void longer_first(struct merge *m) {
  const struct part a = m->a;
  if (m->b.n <= m->a.n) return;
  m->a = m->b;
  m->b = a;
}

static bool by_itself(const struct sort *s, const struct merge *m, uint32_t level) {
  return (m->a.n < m->b.n ? m->a.n : m->b.n) <= BASE || level == s->deepest;
}

/* Executes all undivided merges of a wavefront, in lockstep: one element of each per step. */
static void merge_rows(struct hd_channels_wave *w, const struct sort *s) {
  const uint32_t lanes = hd_channels_lanes(w), level = hd_channels_level(w);
  uint32_t taken[MOST_LANES] = {0}; /* elements taken from row a */
  bool any = true;
  for (uint32_t k = 0; any; k++) {
    any = false;
    for (uint32_t turn = 0; turn < 2; turn++) {
      for (uint32_t l = 0; l < lanes; l++) {
        const struct merge *m = hd_channels_deq(w, l);
        if (!by_itself(s, m, level) || k >= m->a.n + m->b.n) continue;
        uint32_t *to = s->row[1 - m->from] + m->to + k;
        any = true;
        if (turn == 1) {
          hd_cost_touch(s->cost, to);
          continue;
        }
        const uint32_t i = taken[l], j = k - i, *a = s->row[m->from] + m->a.at + i, *b = s->row[m->from] + m->b.at + j;
        const bool first = j == m->b.n || (i < m->a.n && *a <= *b);
        *to = first ? *a : *b;
        taken[l] += first;
        hd_cost_touch(s->cost, first ? a : b);
      }
      hd_cost_access(s->cost, turn == 1);
      if (turn == 0 && any) hd_cost_work(s->cost, WORK_MERGE);
    }
  }
}

/* A merge to be divided: the number of elements of row b that do not exceed the middle of row a is from `least` to
 * `most`. */
struct search {
  struct merge m;
  uint32_t least, most;
};

static const uint32_t *middle(const struct sort *s, const struct merge *m) {
  return s->row[m->from] + m->a.at + m->a.n / 2;
}

/* One step of each binary search. Returns false if all have ended. */
static bool step(const struct sort *s, struct search *search, uint32_t n) {
  bool any = false;
  for (uint32_t k = 0; k < n; k++) {
    struct search *of = &search[k];
    if (of->least == of->most) continue;
    const uint32_t mid = (of->least + of->most) / 2, *v = s->row[of->m.from] + of->m.b.at + mid;
    any = true;
    hd_cost_touch(s->cost, v);
    if (*v <= *middle(s, &of->m))
      of->least = mid + 1;
    else
      of->most = mid;
  }
  hd_cost_work(s->cost, any ? WORK_HALVE : 0);
  hd_cost_access(s->cost, false);
  return any;
}

/* Divides the merge in two; stores the middle element itself. */
static void divide(const struct sort *s, const struct search *of, struct merge child[2]) {
  const struct merge *m = &of->m;
  const uint32_t half = m->a.n / 2, below = of->least;
  uint32_t *to = &s->row[1 - m->from][m->to + half + below];
  *to = *middle(s, m);
  hd_cost_touch(s->cost, to);
  child[0] = (struct merge){{m->a.at, half}, {m->b.at, below}, m->to, m->from};
  child[1] = (struct merge){
      {m->a.at + half + 1, m->a.n - half - 1}, {m->b.at + below, m->b.n - below}, m->to + half + below + 1, m->from};
}

static void merge_kernel(struct hd_channels_wave *w, void *ctx) {
  const struct sort *s = ctx;
  const uint32_t lanes = hd_channels_lanes(w), level = hd_channels_level(w);
  struct search search[MOST_LANES];
  uint32_t inner = 0;
  struct merge *child = NULL;
  for (uint32_t k = 0; k < lanes; k++) {
    const struct merge *m = hd_channels_deq(w, k);
    if (by_itself(s, m, level)) continue;
    search[inner] = (struct search){.m = *m};
    longer_first(&search[inner].m);
    search[inner].most = search[inner].m.b.n;
    inner++;
  }
  if (inner != 0) {
    child = hd_channels_talloc(w, s->merges, level + 1, 2 * inner);
    if (child == NULL) return;
  }
  hd_cost_work(s->cost, WORK_TASK);
  merge_rows(w, s);
  for (uint32_t k = 0; k < inner; k++) hd_cost_touch(s->cost, middle(s, &search[k].m));
  hd_cost_access(s->cost, false);
  while (step(s, search, inner)) continue;
  for (uint32_t k = 0; k < inner; k++) divide(s, &search[k], &child[2 * k]);
  hd_cost_access(s->cost, true);
  for (uint32_t k = 0; k < lanes; k++) hd_channels_tfree(w, k);
  if (inner != 0) hd_channels_enq(w, child);
}

static void build(struct hd_channels *g, const struct hd_cfg *cfg, struct sort *s, uint32_t width) {
  uint32_t levels = 1, merges = MERGE_LEVELS;
  for (uint32_t n = s->size; n > BASE; n -= (QUARTERS - 1) * (n / QUARTERS)) levels++;
  const uint32_t joins = levels > 1 ? levels - 1 : 1, left = cfg->num_chan - levels - 2 * joins;
  if (cfg->num_chan > levels + 2 * joins && left < merges) merges = left;
  s->sorts = hd_channels_stack(g, "sorts", sizeof(struct part), width, 0, levels, false);
  s->pairs = hd_channels_stack(g, "pairs", sizeof(struct part), width, 0, joins, true);
  s->lasts = hd_channels_stack(g, "lasts", sizeof(struct part), width, 0, joins, true);
  s->merges = hd_channels_stack(g, "merges", sizeof(struct merge), width, 1, merges, false);
  s->deepest = merges;
  const int sort = hd_channels_kernel(g, "sort", s->sorts, sort_kernel, s);
  const int pair = hd_channels_kernel(g, "pair", s->pairs, pair_kernel, s);
  const int last = hd_channels_kernel(g, "last", s->lasts, last_kernel, s);
  const int merge = hd_channels_kernel(g, "merge", s->merges, merge_kernel, s);
  hd_channels_output(g, sort, s->pairs, 0, 1);
  hd_channels_output(g, sort, s->sorts, 1, QUARTERS);
  hd_channels_output(g, pair, s->lasts, 0, 1);
  hd_channels_output(g, pair, s->merges, 1, 2);
  hd_channels_output(g, last, s->merges, 1, 1);
  hd_channels_output(g, merge, s->merges, 1, 2);
}

static int by_value(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Returns a checksum that depends on the order of the elements; 48 bits, which a JSON number holds exactly. */
static uint64_t mark(const uint32_t *v, uint32_t n) {
  uint64_t sum = 0;
  for (uint32_t k = 0; k < n; k++) sum += (uint64_t)v[k] * (k + 1);
  return sum & ((UINT64_C(1) << 48) - 1);
}

static bool execute(const struct hd_cilk_opts *o, struct sort *s, struct hd_cilk_run *r, char *err, size_t err_size) {
  struct hd_channels *g = hd_channels_new(o->cfg);
  if (g == NULL) {
    snprintf(err, err_size, "out of memory");
    return false;
  }
  build(g, o->cfg, s, o->width);
  struct part *root = hd_channels_talloc(hd_channels_host(g), s->sorts, 0, 1);
  if (root != NULL) {
    *root = (struct part){0, s->size};
    hd_channels_enq(hd_channels_host(g), root);
  }
  return hd_cilk_finish(g, HD_CILK_NODE(s->sorts) | HD_CILK_NODE(s->merges),
                        HD_CILK_NODE(s->pairs) | HD_CILK_NODE(s->lasts), o, r, err, err_size);
}

static bool run(const struct hd_cilk_opts *o, struct hd_cilk_run *r, char *err, size_t err_size) {
  const uint32_t size = o->size;
  uint32_t *row = malloc(3 * (size_t)size * sizeof *row), draw = 1;
  if (row == NULL) {
    snprintf(err, err_size, "out of memory");
    return false;
  }
  struct sort s = {.size = size, .cost = o->cost, .row = {row, row + size}};
  uint32_t *plain = row + 2 * (size_t)size;
  for (uint32_t k = 0; k < size; k++) {
    draw = draw * 1664525u + 1013904223u;
    row[k] = draw >> 4;
  }
  memcpy(plain, row, (size_t)size * sizeof *row);
  hd_cost_row(o->cost, row, 2 * (size_t)size * sizeof *row, sizeof *row, sizeof *row, HD_COST_LINE);
  const bool good = execute(o, &s, r, err, err_size);
  if (good) {
    qsort(plain, size, sizeof *plain, by_value);
    r->answer = mark(row, size);
    r->plain = mark(plain, size);
    r->right = memcmp(row, plain, (size_t)size * sizeof *row) == 0;
  }
  free(row);
  return good;
}

const struct hd_cilk_program hd_cilk_sort = {
    "sort", "numbers, sorted as quarters and merged", 1000000, 1, 1u << 22, 32768, 4238, 9064, run};
