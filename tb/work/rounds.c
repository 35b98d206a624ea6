/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include <stdlib.h>
#include <string.h>

#include "graph/mix.h"
#include "work/amr.h"
#include "work/bfs.h"
#include "work/bht.h"
#include "work/clr.h"
#include "work/join.h"
#include "work/rec.h"
#include "work/regx.h"
#include "work/rounds_inside.h"
#include "work/sssp.h"

/* Entry address of the program; the value does not matter. */
enum { ROUNDS_PC = 0x1000 };

enum { AHEAD = 6 }; /* sim speed: distance, in places, of the prefetch of elements */

const struct hd_rounds_kind *hd_rounds_find(const char *name) {
  static const struct hd_rounds_kind *const kinds[] = {&hd_bfs,  &hd_sssp, &hd_clr, &hd_join,
                                                       &hd_regx, &hd_rec,  &hd_amr, &hd_bht};
  for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (strcmp(kinds[k]->name, name) == 0) return kinds[k];
  return NULL;
}

static uint64_t delay(const struct hd_rounds *r, uint32_t problem, uint32_t round) {
  if (r->o.seed == 0 || r->o.jitter == 0) return 0;
  return hd_mix3(r->o.seed, problem, round) % ((uint64_t)r->o.jitter + 1);
}

static uint32_t list_all(uint32_t *list, uint32_t items) {
  for (uint32_t i = 0; i < items; i++) list[i] = i;
  return items;
}

/* Returns the TBs of the child that a thread with n elements launches. Requires a threshold. */
static uint64_t child_ctas(const struct hd_rounds *r, uint64_t n) {
  if (n < r->o.threshold) return 0;
  return (r->kind->round_up ? n + r->o.child_size - 1 : n) / r->o.child_size;
}

/* At the start of a round: sets the elements of each place and the threads that launch. */
static void look_up_list(const struct hd_rounds *r, uint32_t k) {
  struct hd_rounds_problem *p = &r->problem[k];
  memset(p->launches, 0, (p->n / 64 + 1) * sizeof *p->launches);
  for (uint32_t i = 0; i < p->n && r->graph == NULL; i++)
    r->kind->range(r->state, k, p->list[i], &p->range[i].from, &p->range[i].to);
  for (uint32_t i = 0; i < p->n && r->o.threshold != 0; i++) {
    const struct hd_rounds_range all = hd_rounds_range(r, p, i);
    if (child_ctas(r, all.to - all.from) != 0) hd_bit_set(p->launches, i);
  }
}

static bool start(struct hd_rounds *r, uint32_t k, uint32_t items) {
  struct hd_rounds_problem *p = &r->problem[k];
  p->list = malloc(items * sizeof *p->list + 1);
  p->range = malloc((r->graph == NULL ? items : 0) * sizeof *p->range + 1);
  p->launches = malloc((items / 64 + 1) * sizeof *p->launches);
  p->alone = calloc(items / 64 + 1, sizeof *p->alone);
  if (p->list == NULL || p->range == NULL || p->launches == NULL || p->alone == NULL) return false;
  p->n = r->kind->begin != NULL ? r->kind->begin(r->state, k, p->list) : list_all(p->list, items);
  look_up_list(r, k);
  p->ready_at = delay(r, k, 0);
  if (p->n == 0) p->progress = HD_ROUNDS_SOLVED;
  r->running += p->n != 0;
  return true;
}

struct hd_rounds *hd_rounds_new(const struct hd_rounds_kind *kind, const struct hd_rounds_data *data,
                                const struct hd_rounds_opts *o) {
  uint32_t items = 0;
  struct hd_rounds *r = calloc(1, sizeof *r);
  if (r == NULL) return NULL;
  *r = (struct hd_rounds){.kind = kind, .o = *o};
  r->state = kind->open(data, &r->o.problems, &items);
  if (r->state != NULL) r->problem = calloc(r->o.problems, sizeof *r->problem);
  bool good = r->problem != NULL;
  if (good && kind->graph != NULL) r->graph = kind->graph(r->state);
  r->items = items;
  for (uint32_t k = 0; good && k < r->o.problems; k++) good = start(r, k, items);
  if (good) return r;
  hd_rounds_free(r);
  return NULL;
}

void hd_rounds_free(struct hd_rounds *r) {
  if (r == NULL) return;
  for (uint32_t k = 0; r->problem != NULL && k < r->o.problems; k++) {
    free(r->problem[k].list);
    free(r->problem[k].range);
    free(r->problem[k].launches);
    free(r->problem[k].alone);
  }
  if (r->state != NULL) r->kind->close(r->state);
  free(r->problem);
  free(r->of_kernel);
  free(r);
}

uint32_t hd_rounds_problems(const struct hd_rounds *r) {
  return r->o.problems;
}

const void *hd_rounds_state(const struct hd_rounds *r) {
  return r->state;
}

const struct hd_rounds_kind *hd_rounds_kind(const struct hd_rounds *r) {
  return r->kind;
}

bool hd_rounds_check(const struct hd_rounds *r, uint32_t *wrong) {
  *wrong = 0;
  for (uint32_t k = 0; k < r->o.problems; k++) {
    bool differs = false;
    if (!r->kind->check(r->state, k, &differs)) return false;
    *wrong += differs;
  }
  return true;
}

/* ---- kernels ---- */

/* Returns the waiting problem that was due first, the lower number on ties; NULL: none. */
static struct hd_rounds_problem *due_first(struct hd_rounds *r) {
  struct hd_rounds_problem *first = NULL;
  for (uint32_t k = 0; k < r->o.problems; k++) {
    struct hd_rounds_problem *p = &r->problem[k];
    if (p->progress == HD_ROUNDS_WAITS && (first == NULL || p->ready_at < first->ready_at)) first = p;
  }
  return first;
}

static bool note_kernel(struct hd_rounds *r, uint32_t problem) {
  if (r->kernels == r->cap) {
    uint32_t cap = r->cap != 0 ? r->cap * 2 : 256;
    uint32_t *grown = realloc(r->of_kernel, cap * sizeof *grown);
    if (grown == NULL) return false;
    r->of_kernel = grown;
    r->cap = cap;
  }
  r->of_kernel[r->kernels++] = problem;
  return true;
}

static bool next(void *ctx, uint64_t now, struct hd_launch *l) {
  struct hd_rounds *r = ctx;
  struct hd_rounds_problem *p = due_first(r);
  if (p == NULL || p->ready_at > now) return false;
  uint32_t k = (uint32_t)(p - r->problem);
  /* If out of memory, the problem makes no progress and the loop's watchdog ends the run. */
  if (!note_kernel(r, k)) return false;
  p->progress = HD_ROUNDS_RUNS;
  l->ctas = (p->n + r->o.block_size - 1) / r->o.block_size;
  l->desc.pc = ROUNDS_PC;
  l->desc.grid_x = l->ctas;
  l->desc.grid_y = l->desc.grid_z = 1;
  l->desc.cta_x = (uint16_t)r->o.block_size;
  l->desc.cta_y = 1;
  l->desc.cta_z = 1;
  l->threads = (uint16_t)r->o.block_size;
  l->regs = (uint8_t)r->o.regs;
  l->smem = (uint16_t)r->o.smem;
  l->hwq = (uint8_t)(k % r->o.num_hwq);
  return true;
}

static bool next_at(void *ctx, uint64_t *cycle) {
  const struct hd_rounds_problem *p = due_first(ctx);
  if (p != NULL) *cycle = p->ready_at;
  return p != NULL;
}

/* Starts the next round if this one has ended. */
void hd_rounds_end(struct hd_rounds *r, uint64_t now, uint32_t k) {
  struct hd_rounds_problem *p = &r->problem[k];
  if (!p->reported || p->children != 0) return;
  memset(p->alone, 0, (p->n / 64 + 1) * sizeof *p->alone);
  p->listed += p->n;
  p->n = r->kind->next(r->state, k, p->round, p->list, p->n);
  look_up_list(r, k);
  p->round++;
  p->reported = false;
  p->progress = p->n != 0 ? HD_ROUNDS_WAITS : HD_ROUNDS_SOLVED;
  p->ready_at = now + delay(r, k, p->round);
  r->running -= p->n == 0;
}

static void kernel_done(void *ctx, uint64_t now, uint32_t kernel) {
  struct hd_rounds *r = ctx;
  r->problem[r->of_kernel[kernel]].reported = true;
  hd_rounds_end(r, now, r->of_kernel[kernel]);
}

static bool finished(void *ctx) {
  const struct hd_rounds *r = ctx;
  return r->running == 0;
}

/* Estimates the progress. Exact if each item is in one list, as in a search; too high if items are in several lists. */
static double share(const void *ctx) {
  const struct hd_rounds *r = ctx;
  double sum = 0;
  for (uint32_t k = 0; k < r->o.problems; k++) {
    const struct hd_rounds_problem *p = &r->problem[k];
    const bool early = p->progress != HD_ROUNDS_SOLVED && p->listed < r->items;
    sum += early ? (double)p->listed / r->items : 1;
  }
  return sum / r->o.problems;
}

/* ---- TBs on timers ---- */

struct hd_rounds_problem *hd_rounds_slice(const struct hd_rounds *r, uint32_t kernel, uint32_t blkid, uint32_t *from,
                                          uint32_t *to) {
  struct hd_rounds_problem *p = &r->problem[r->of_kernel[kernel]];
  *from = blkid * r->o.block_size;
  *to = p->n - *from < r->o.block_size ? p->n : *from + r->o.block_size;
  return p;
}

struct hd_rounds_split hd_rounds_split_launch(const struct hd_rounds *r, const struct hd_rounds_problem *p,
                                              uint32_t place) {
  const struct hd_rounds_range all = hd_rounds_range(r, p, place);
  const uint64_t n = all.to - all.from, ctas = child_ctas(r, n), most = ctas * r->o.child_size;
  return (struct hd_rounds_split){all.from, most < n ? all.from + most : all.to, all.to, (uint32_t)ctas};
}

uint64_t hd_rounds_walk(const struct hd_rounds *r, const struct hd_rounds_problem *p, uint32_t place, uint64_t from,
                        uint64_t to) {
  uint64_t turns = to - from;
  struct hd_rounds_at at = hd_rounds_at(r, p, place, from);
  if (r->kind->turns != NULL)
    for (turns = 0; at.element < to; at.element++) turns += hd_rounds_turns(r, &at);
  return turns * r->o.cycles_per_element;
}

/* Returns the cycles of a warp whose threads walk these elements together. */
static uint64_t walk_together(const struct hd_rounds *r, const struct hd_rounds_problem *p, uint32_t place,
                              uint64_t from, uint64_t to) {
  uint64_t turns = 0;
  struct hd_rounds_at at = hd_rounds_at(r, p, place, from);
  while (at.element < to) {
    uint32_t most = 1;
    for (unsigned lane = 0; lane < HD_WARP_LANES && at.element < to; lane++, at.element++) {
      const uint32_t own = hd_rounds_turns(r, &at);
      if (own > most) most = own;
    }
    turns += most;
  }
  return turns * r->o.cycles_per_element;
}

/* Returns the largest number of elements that a thread walks itself. */
static uint64_t most_elements(const struct hd_rounds *r, const struct hd_rounds_problem *p, uint32_t from,
                              uint32_t to) {
  uint64_t most = 0;
  for (uint32_t i = from; i < to; i++) {
    const struct hd_rounds_split s = hd_rounds_split(r, p, i);
    if (s.to - s.own > most) most = s.to - s.own;
  }
  return most;
}

uint64_t hd_rounds_warp_walk(const struct hd_rounds *r, const struct hd_rounds_problem *p, uint32_t from, uint32_t to) {
  uint64_t largest = 0;
  if (!r->o.together && r->kind->turns == NULL) return most_elements(r, p, from, to) * r->o.cycles_per_element;
  for (uint32_t i = from; i < to; i++) {
    struct hd_rounds_split s = hd_rounds_split(r, p, i);
    uint64_t cycles =
        r->o.together ? largest + walk_together(r, p, i, s.from, s.to) : hd_rounds_walk(r, p, i, s.own, s.to);
    if (cycles > largest) largest = cycles;
  }
  return largest;
}

/* Covers only warps that do not launch; device_warp() returns the plan of those that do. */
static uint64_t duration(void *ctx, uint32_t kernel, uint32_t blkid) {
  struct hd_rounds *r = ctx;
  uint32_t from, to;
  uint64_t largest = 0;
  const struct hd_rounds_problem *p = hd_rounds_slice(r, kernel, blkid, &from, &to);
  for (uint32_t i = from; i < to; i += HD_WARP_LANES) {
    const uint32_t end = hd_lesser(i + HD_WARP_LANES, to);
    const uint64_t cycles = hd_rounds_launch(p, i, end) ? 0 : hd_rounds_warp_walk(r, p, i, end);
    if (cycles > largest) largest = cycles;
  }
  largest += r->o.overhead;
  return largest != 0 ? largest : 1;
}

void hd_rounds_visit(const struct hd_rounds *r, const struct hd_rounds_problem *p, uint32_t place, uint64_t from,
                     uint64_t to) {
  if (from < to) r->kind->visit(r->state, hd_rounds_at(r, p, place, from), to);
}

/* sim speed: prefetches the elements of a place. */
static inline void fetch(const struct hd_rounds *r, const struct hd_rounds_problem *p, uint32_t place) {
  if (r->graph != NULL && place < p->n) __builtin_prefetch(&r->graph->col[hd_rounds_range(r, p, place).from]);
}

/* Visits the elements that the threads of the TB walk themselves; of a thread that launches, its last ones. */
static void cta_done(void *ctx, uint32_t kernel, uint32_t blkid) {
  struct hd_rounds *r = ctx;
  if (r->o.warps) return; /* the warps have visited them */
  uint32_t from, to;
  const struct hd_rounds_problem *p = hd_rounds_slice(r, kernel, blkid, &from, &to);
  for (uint32_t i = from; i < to; i++) {
    struct hd_rounds_split s = hd_rounds_split(r, p, i);
    fetch(r, p, i + AHEAD);
    hd_rounds_visit(r, p, i, s.own, s.to);
  }
}

struct hd_work hd_rounds_work(struct hd_rounds *r) {
  r->device = hd_rounds_device(r);
  return (struct hd_work){.ctx = r,
                          .next = next,
                          .next_at = next_at,
                          .duration = duration,
                          .cta_done = cta_done,
                          .kernel_done = kernel_done,
                          .finished = finished,
                          .share = share,
                          .device = r->o.threshold != 0 ? &r->device : NULL,
                          .warps = &hd_rounds_warps};
}
