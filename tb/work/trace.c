/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "work/trace.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/mix.h"
#include "sim/fit.h"

#define CHILDREN UINT32_MAX /* in a draw, where a kernel has its place */

/* ---- order ---- */

bool hd_trace_may(const struct hd_trace *t, uint32_t kernel) {
  const struct hd_trace_span *after = &t->kernel[kernel].after;
  for (uint32_t i = 0; i < after->n; i++)
    if (!t->kernel[t->after[after->first + i]].done) return false;
  return true;
}

static int by_arrival(const void *a, const void *b) {
  const struct hd_trace_kernel *x = a, *y = b;
  if (x->arrival != y->arrival) return x->arrival < y->arrival ? -1 : 1;
  return (x->line > y->line) - (x->line < y->line);
}

/* In the order of arrival; kernels that others wait for by their new places; each HWQ's kernels in a chain. False: out
 * of memory. */
static bool put_in_order(struct hd_trace *t) {
  uint32_t *place = calloc(t->n, sizeof *place), last[HD_TRACE_HWQS];
  t->of_number = calloc(t->n, sizeof *t->of_number);
  if (place == NULL || t->of_number == NULL) {
    free(place);
    return false;
  }
  qsort(t->kernel, t->n, sizeof *t->kernel, by_arrival);
  for (unsigned q = 0; q < HD_TRACE_HWQS; q++) t->head[q] = HD_TRACE_NONE;
  for (uint32_t i = 0; i < t->n; i++) {
    const uint8_t q = t->kernel[i].launch.hwq;
    place[t->kernel[i].id] = i;
    t->kernel[i].next = HD_TRACE_NONE;
    if (t->head[q] == HD_TRACE_NONE)
      t->head[q] = i;
    else
      t->kernel[last[q]].next = i;
    last[q] = i;
  }
  for (uint32_t i = 0; i < t->afters; i++) t->after[i] = place[t->after[i]];
  free(place);
  return true;
}

/* Whether each kernel comes to be launched: as if every kernel were done as soon as it is launched. */
static bool ends(struct hd_trace *t, const char *name, char *err, size_t err_size) {
  uint32_t head[HD_TRACE_HWQS], left = t->n;
  memcpy(head, t->head, sizeof head);
  for (bool moved = true; moved;) {
    moved = false;
    for (unsigned q = 0; q < HD_TRACE_HWQS; q++)
      for (; head[q] != HD_TRACE_NONE && hd_trace_may(t, head[q]); left--, moved = true) {
        t->kernel[head[q]].done = true;
        head[q] = t->kernel[head[q]].next;
      }
  }
  for (uint32_t i = 0; i < t->n && left != 0; i++)
    if (!t->kernel[i].done && !hd_trace_may(t, i)) {
      snprintf(err, err_size,
               "%s:%" PRIu64
               ": kernel %s waits for one that is launched after it by the same HWQ, or by "
               "one that waits so",
               name, t->kernel[i].line, t->kernel[i].name);
      return false;
    }
  for (uint32_t i = 0; i < t->n; i++) t->kernel[i].done = false;
  return true;
}

bool hd_trace_order(struct hd_trace *t, const char *name, char *err, size_t err_size) {
  if (put_in_order(t)) return ends(t, name, err, err_size);
  snprintf(err, err_size, "%s: out of memory", name);
  return false;
}

/* No TB fits because of its shared memory, or because of its threads. */
static void refuse_cta(const char *name, uint64_t line, uint32_t smem, uint32_t most, const struct hd_cfg *cfg,
                       const char *text, char *err, size_t err_size) {
  if (smem > cfg->smem_units_per_smx)
    snprintf(err, err_size, "%s:%" PRIu64 ": %s; that much would be accepted, or --set SmemPerSmx=%" PRIu32, name, line,
             text, smem * 256);
  else if (most == 0)
    snprintf(err, err_size, "%s:%" PRIu64 ": %s; fewer registers would be accepted", name, line, text);
  else
    snprintf(err, err_size, "%s:%" PRIu64 ": %s; TBs of up to %" PRIu32 " threads would be accepted", name, line, text,
             most);
}

bool hd_trace_fits(const struct hd_trace *t, const char *name, const struct hd_cfg *cfg, char *err, size_t err_size) {
  char text[256];
  for (uint32_t i = 0; i < t->n; i++) {
    const struct hd_trace_kernel *k = &t->kernel[i];
    uint32_t most;
    if (k->launch.hwq >= cfg->num_hwq) {
      snprintf(err, err_size, "%s:%" PRIu64 ": field 2, HWQ, is %u; %s has 0 to %" PRIu32, name, k->line, k->launch.hwq,
               cfg->name, cfg->num_hwq - 1);
      return false;
    }
    if (hd_fit_cta(cfg, k->launch.threads, k->launch.regs, k->launch.smem, &most, text, sizeof text)) continue;
    refuse_cta(name, k->line, k->launch.smem, most, cfg, text, err, err_size);
    return false;
  }
  for (uint32_t i = 0; i < t->calls; i++) {
    const struct hd_device_call *c = &t->call[i].child;
    uint32_t most;
    if (hd_fit_cta(cfg, c->cta.x * c->cta.y * c->cta.z, c->regs, c->smem_bytes / 256, &most, text, sizeof text))
      continue;
    refuse_cta(name, t->call[i].line, c->smem_bytes / 256, most, cfg, text, err, err_size);
    return false;
  }
  return true;
}

void hd_trace_free(struct hd_trace *t) {
  free(t->kernel);
  free(t->run);
  free(t->call);
  free(t->after);
  free(t->of_number);
  *t = (struct hd_trace){0};
}

/* ---- running ---- */

static double draw_real(const struct hd_draw *d, uint64_t random) {
  double u = hd_mix_unit(random);
  switch (d->kind) {
    case HD_DRAW_UNIFORM:
      /* Whole numbers from a to b are equally likely when both are whole. */
      return floor(d->a + u * (d->b - d->a + 1));
    case HD_DRAW_EXP:
      return -d->a * log1p(-u);
    case HD_DRAW_NORMAL: /* Box and Muller */
      return d->a + d->b * sqrt(-2 * log1p(-u)) * cos(2 * acos(-1) * hd_mix_unit(hd_mix(random)));
    default:
      return d->a;
  }
}

uint64_t hd_draw(const struct hd_draw *d, uint64_t seed, uint32_t kernel, uint32_t blkid) {
  double cycles = round(draw_real(d, hd_mix3(seed, kernel, blkid)));
  return cycles < 1 ? 1 : cycles > HD_TRACE_DURATION_MAX ? (uint64_t)HD_TRACE_DURATION_MAX : (uint64_t)cycles;
}

/* Of the kernels that come next in their HWQs, and wait for none, the one that arrives first. */
static uint32_t first(const struct hd_trace *t) {
  uint32_t found = HD_TRACE_NONE;
  for (unsigned q = 0; q < HD_TRACE_HWQS; q++)
    if (t->head[q] < found && hd_trace_may(t, t->head[q])) found = t->head[q];
  return found;
}

static bool next(void *ctx, uint64_t now, struct hd_launch *launch) {
  struct hd_trace *t = ctx;
  const uint32_t k = first(t);
  if (k == HD_TRACE_NONE || t->kernel[k].arrival > now) return false;
  *launch = t->kernel[k].launch;
  t->head[launch->hwq] = t->kernel[k].next;
  t->of_number[t->handed_over++] = k;
  return true;
}

static bool next_at(void *ctx, uint64_t *cycle) {
  const struct hd_trace *t = ctx;
  const uint32_t k = first(t);
  if (k == HD_TRACE_NONE) return false;
  *cycle = t->kernel[k].arrival;
  return true;
}

/* Of a list: the first stretch of TBs that ends behind this one. */
static uint64_t listed(const struct hd_trace *t, const struct hd_trace_kernel *k, uint32_t blkid) {
  uint32_t low = k->runs.first, high = low + k->runs.n - 1;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (t->run[middle].end > blkid)
      high = middle;
    else
      low = middle + 1;
  }
  return t->run[low].cycles;
}

static uint64_t duration(void *ctx, uint32_t number, uint32_t blkid) {
  const struct hd_trace *t = ctx;
  const uint32_t place = t->of_number[number];
  const struct hd_trace_kernel *k = &t->kernel[place];
  return k->duration.kind == HD_DRAW_EACH ? listed(t, k, blkid) : hd_draw(&k->duration, t->seed, place, blkid);
}

const char *hd_trace_name(const void *trace, uint32_t number) {
  const struct hd_trace *t = trace;
  return t->kernel[t->of_number[number]].name;
}

static void cta_done(void *ctx, uint32_t kernel, uint32_t blkid) {
  struct hd_trace *t = ctx;
  (void)kernel, (void)blkid;
  t->ctas_done++;
}

static void kernel_done(void *ctx, uint64_t now, uint32_t number) {
  struct hd_trace *t = ctx;
  (void)now;
  t->kernel[t->of_number[number]].done = true;
}

static bool finished(void *ctx) {
  const struct hd_trace *t = ctx;
  return t->handed_over == t->n;
}

static double share(const void *ctx) {
  const struct hd_trace *t = ctx;
  double ctas = 0;
  for (uint32_t k = 0; k < t->n; k++) ctas += t->kernel[k].launch.ctas;
  return (double)t->ctas_done / ctas;
}

/* ---- launches from the device: a child's name is its place among the launches of its kernel ---- */

static uint64_t child_cycles(const struct hd_trace *t, const struct hd_trace_call *c, uint32_t place, uint32_t item,
                             uint32_t blkid) {
  return hd_draw(&c->duration, hd_mix3(t->seed, place, item), CHILDREN, blkid);
}

static uint64_t child_duration(void *ctx, uint32_t number, uint32_t item, uint32_t blkid) {
  const struct hd_trace *t = ctx;
  const uint32_t place = t->of_number[number];
  const struct hd_trace_span *calls = &t->kernel[place].calls;
  uint32_t i = calls->first + calls->n - 1;
  while (t->call[i].items > item) i--;
  return child_cycles(t, &t->call[i], place, item, blkid);
}

static bool names(const struct hd_trace_call *c, uint32_t blkid) {
  return blkid >= c->first && blkid <= c->last && (blkid - c->first) % c->step == 0;
}

static bool warp(void *ctx, uint32_t number, uint32_t blkid, uint32_t k, struct hd_work_warp *w) {
  const struct hd_trace *t = ctx;
  const uint32_t place = t->of_number[number];
  const struct hd_trace_span *calls = &t->kernel[place].calls;
  const struct hd_trace_call *c = NULL;
  uint32_t left = k + 1;
  for (uint32_t i = 0; i < calls->n && left != 0; i++)
    if (names(&t->call[calls->first + i], blkid) && --left == 0) c = &t->call[calls->first + i];
  if (c == NULL) return false;
  *w = (struct hd_work_warp){.warp = k, .before = c->before, .calls = c->threads, .child = &c->child};
  for (uint32_t lane = 0; lane < c->threads; lane++) {
    const uint32_t item = c->items + (blkid - c->first) / c->step * c->threads + lane;
    w->call[lane] = (struct hd_work_call){.lane = lane, .item = item, .ctas = c->ctas};
    for (uint32_t tb = 0; tb < c->ctas; tb++) w->call[lane].alone += child_cycles(t, c, place, item, tb);
  }
  return true;
}

static void child_event(void *ctx, uint32_t kernel, uint32_t item) {
  (void)ctx, (void)kernel, (void)item;
}

static void child_cta_done(void *ctx, uint32_t kernel, uint32_t item, uint32_t blkid) {
  (void)ctx, (void)kernel, (void)item, (void)blkid;
}

static void child_ended(void *ctx, uint64_t now, uint32_t kernel, uint32_t item) {
  (void)ctx, (void)now, (void)kernel, (void)item;
}

struct hd_work hd_trace_work(struct hd_trace *t) {
  static const struct hd_work_device device = {.warp = warp,
                                               .duration = child_duration,
                                               .launched = child_event,
                                               .alone = child_event,
                                               .cta_done = child_cta_done,
                                               .ended = child_ended};
  return (struct hd_work){.ctx = t,
                          .next = next,
                          .next_at = next_at,
                          .duration = duration,
                          .cta_done = cta_done,
                          .kernel_done = kernel_done,
                          .finished = finished,
                          .share = share,
                          .device = t->calls != 0 ? &device : NULL};
}
