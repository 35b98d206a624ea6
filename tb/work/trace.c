/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "work/trace.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/mix.h"
#include "sim/fit.h"

#define CHILDREN UINT32_MAX /* in a draw of a child, in place of the kernel's index */

/* Refuses a TB that does not fit: because of its shared memory, its registers or its threads. */
static void refuse_cta(const char *name, uint64_t line, uint32_t smem, uint32_t most, const struct hd_cfg *cfg,
                       const char *text, char *err, size_t err_size) {
  if (smem > cfg->smem_units_per_smx)
    snprintf(err, err_size, "%s:%" PRIu64 ": %s; up to that would be accepted, or --set SmemPerSmx=%" PRIu32, name,
             line, text, smem * 256);
  else if (most == 0)
    snprintf(err, err_size, "%s:%" PRIu64 ": %s; fewer registers would be accepted", name, line, text);
  else
    snprintf(err, err_size, "%s:%" PRIu64 ": %s; TBs of up to %" PRIu32 " threads would be accepted", name, line, text,
             most);
}

static bool hwq_fits(const char *name, uint64_t line, unsigned field, uint32_t hwq, const struct hd_cfg *cfg, char *err,
                     size_t err_size) {
  if (hwq < cfg->num_hwq) return true;
  snprintf(err, err_size, "%s:%" PRIu64 ": field %u, HWQ, is %" PRIu32 "; %s has 0 to %" PRIu32, name, line, field, hwq,
           cfg->name, cfg->num_hwq - 1);
  return false;
}

static bool streams_fit(const struct hd_trace *t, const char *name, const struct hd_cfg *cfg, char *err,
                        size_t err_size) {
  for (uint32_t i = 0; i < t->events; i++)
    if (!hwq_fits(name, t->event[i].line, 3, t->event[i].hwq, cfg, err, err_size)) return false;
  for (uint32_t q = 0; q < HD_TRACE_HWQS; q++)
    if (t->stream_line[q] != 0 && !hwq_fits(name, t->stream_line[q], 1, q, cfg, err, err_size)) return false;
  return true;
}

/* Checks the children of a kernel's TBs. */
static bool calls_fit(const struct hd_trace *t, const struct hd_trace_kernel *k, const char *name,
                      const struct hd_cfg *cfg, char *err, size_t err_size) {
  char text[256];
  for (uint32_t i = 0; i < k->calls.n; i++) {
    const struct hd_trace_call *call = &t->call[k->calls.first + i];
    const struct hd_device_call *c = &call->child;
    uint32_t most;
    if (hd_fit_cta(cfg, c->cta.x * c->cta.y * c->cta.z, c->regs, c->smem_bytes / 256, &most, text, sizeof text))
      continue;
    refuse_cta(name, call->line, c->smem_bytes / 256, most, cfg, text, err, err_size);
    return false;
  }
  return true;
}

bool hd_trace_fits(const struct hd_trace *t, const char *name, const struct hd_cfg *cfg, char *err, size_t err_size) {
  char text[256];
  for (uint32_t i = 0; i < t->n; i++) {
    const struct hd_trace_kernel *k = &t->kernel[i];
    uint32_t most;
    if (!hwq_fits(name, k->line, 2, k->launch.hwq, cfg, err, err_size)) return false;
    if (hd_fit_cta(cfg, k->launch.threads, k->launch.regs, k->launch.smem, &most, text, sizeof text)) {
      if (!calls_fit(t, k, name, cfg, err, err_size)) return false;
      continue;
    }
    refuse_cta(name, k->line, k->launch.smem, most, cfg, text, err, err_size);
    return false;
  }
  return streams_fit(t, name, cfg, err, err_size);
}

void hd_trace_free(struct hd_trace *t) {
  for (uint32_t i = 0; i < t->n; i++) free(t->kernel[i].warp);
  free(t->kernel);
  free(t->run);
  free(t->call);
  free(t->after);
  free(t->event);
  free(t->program);
  free(t->op);
  free(t->delta);
  free(t->of_number);
  *t = (struct hd_trace){0};
}

/* ---- running ---- */

static double draw_real(const struct hd_draw *d, uint64_t random) {
  double u = hd_mix_unit(random);
  switch (d->kind) {
    case HD_DRAW_UNIFORM:
      /* Whole numbers from a to b are equally likely if both limits are whole. */
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

/* Returns the cycle in which the host calls for a kernel: not before the kernels of its 'after' lines are done, and in
 * the order of the HWQ. */
static uint64_t call_of(const struct hd_trace *t, const struct hd_trace_kernel *k) {
  uint64_t call = k->arrival;
  for (uint32_t i = 0; i < k->after.n; i++) {
    const uint64_t done = t->kernel[t->after[k->after.first + i]].done_at;
    if (done > call) call = done;
  }
  return call > t->called[k->launch.hwq] ? call : t->called[k->launch.hwq];
}

/* Returns the first cycle in which it is offered to the plane: its launch has arrived, and its events are reached. */
static uint64_t due_of(const struct hd_trace *t, const struct hd_trace_kernel *k) {
  uint64_t due = call_of(t, k) + (k->latency == HD_TRACE_NO_LATENCY ? t->latency : k->latency);
  for (uint32_t i = 0; i < k->behind.n; i++) {
    const uint64_t done = t->kernel[t->after[k->behind.first + i]].done_at;
    if (done > due) due = done;
  }
  return due;
}

/* Returns the kernel that is due first among the heads of HWQs that wait for no kernel. */
static uint32_t first(const struct hd_trace *t, uint64_t *due) {
  uint32_t found = HD_TRACE_NONE;
  for (unsigned q = 0; q < HD_TRACE_HWQS; q++) {
    const uint32_t k = t->head[q];
    if (k == HD_TRACE_NONE || !hd_trace_may(t, k)) continue;
    const uint64_t at = due_of(t, &t->kernel[k]);
    if (found != HD_TRACE_NONE && (at > *due || (at == *due && k > found))) continue;
    found = k;
    *due = at;
  }
  return found;
}

static bool next(void *ctx, uint64_t now, struct hd_launch *launch) {
  struct hd_trace *t = ctx;
  uint64_t due = 0;
  const uint32_t k = first(t, &due);
  if (k == HD_TRACE_NONE || due > now) return false;
  *launch = t->kernel[k].launch;
  t->called[launch->hwq] = call_of(t, &t->kernel[k]);
  t->head[launch->hwq] = t->kernel[k].next;
  t->of_number[t->handed_over++] = k;
  return true;
}

static bool next_at(void *ctx, uint64_t *cycle) {
  return first(ctx, cycle) != HD_TRACE_NONE;
}

/* Returns the duration from a list: that of the first run of TBs that ends after this TB. */
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
  const struct hd_trace_kernel *k = &t->kernel[t->of_number[number]];
  return k->duration.kind == HD_DRAW_EACH ? listed(t, k, blkid) : hd_draw(&k->duration, t->seed, k->draws, blkid);
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
  struct hd_trace_kernel *k = &t->kernel[t->of_number[number]];
  k->done = true;
  k->done_at = now + 1;
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

/* ---- launches from the device: a child is identified by its index among the launches of its kernel ---- */

static uint64_t child_cycles(const struct hd_trace *t, const struct hd_trace_call *c, uint32_t draws, uint32_t item,
                             uint32_t blkid) {
  return hd_draw(&c->duration, hd_mix3(t->seed, draws, item), CHILDREN, blkid);
}

static uint64_t child_duration(void *ctx, uint32_t number, uint32_t item, uint32_t blkid) {
  const struct hd_trace *t = ctx;
  const struct hd_trace_kernel *kernel = &t->kernel[t->of_number[number]];
  const struct hd_trace_span *calls = &kernel->calls;
  uint32_t i = calls->first + calls->n - 1;
  while (t->call[i].items > item) i--;
  return child_cycles(t, &t->call[i], kernel->draws, item, blkid);
}

static bool names(const struct hd_trace_call *c, uint32_t blkid) {
  return blkid >= c->first && blkid <= c->last && (blkid - c->first) % c->step == 0;
}

static bool warp(void *ctx, uint32_t number, uint32_t blkid, uint32_t k, struct hd_work_warp *w) {
  const struct hd_trace *t = ctx;
  const struct hd_trace_kernel *kernel = &t->kernel[t->of_number[number]];
  const struct hd_trace_span *calls = &kernel->calls;
  const struct hd_trace_call *c = NULL;
  uint32_t left = k + 1;
  for (uint32_t i = 0; i < calls->n && left != 0; i++)
    if (names(&t->call[calls->first + i], blkid) && --left == 0) c = &t->call[calls->first + i];
  if (c == NULL) return false;
  *w = (struct hd_work_warp){.warp = k, .before = c->before, .calls = c->threads, .child = &c->child};
  for (uint32_t lane = 0; lane < c->threads; lane++) {
    const uint32_t item = c->items + (blkid - c->first) / c->step * c->threads + lane;
    w->call[lane] = (struct hd_work_call){.lane = lane, .item = item, .ctas = c->ctas};
    for (uint32_t tb = 0; tb < c->ctas; tb++) w->call[lane].alone += child_cycles(t, c, kernel->draws, item, tb);
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

bool hd_trace_launches(const struct hd_trace *t) {
  for (uint32_t k = 0; k < t->n; k++)
    if (t->kernel[k].calls.n != 0) return true;
  return false;
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
                          .priority = t->priority,
                          .device = hd_trace_launches(t) ? &device : NULL};
}
