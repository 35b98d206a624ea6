/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The operations of warps of a trace, from their programs. */
#include <inttypes.h>
#include <stdio.h>

#include "graph/mix.h"
#include "sim/fit.h"
#include "work/trace.h"

enum { LOCAL_WORDS = 1024 }; /* words per warp, after which addresses repeat */
#define LOCAL UINT32_C(0x80000000)

struct walk {
  const struct hd_trace_op *at, *end; /* end: NULL for a warp without instructions */
  uint32_t line;                      /* last line touched */
  bool second;                        /* the load of an atomic is next */
};

static const struct hd_trace_kernel *kernel_of(const struct hd_trace *t, const struct hd_warp_tb *tb) {
  return &t->kernel[t->of_number[tb->kernel]];
}

static const struct hd_trace_program *program_of(const struct hd_trace *t, const struct hd_trace_warp *w) {
  return w->program < t->programs ? &t->program[w->program] : NULL;
}

static void begin(void *ctx, const struct hd_warp_tb *tb, uint32_t warp, void *state) {
  const struct hd_trace *t = ctx;
  const struct hd_trace_kernel *k = kernel_of(t, tb);
  const struct hd_trace_warp *w = &k->warp[(size_t)tb->blkid * hd_fit_warps(k->launch.threads) + warp];
  const struct hd_trace_program *p = program_of(t, w);
  struct walk *walk = state;
  *walk = (struct walk){.at = NULL};
  if (p == NULL) return;
  walk->at = &t->op[p->first];
  walk->end = walk->at + p->n;
  walk->line = w->line;
}

/* Words of local memory: one line each, since the same word of a warp's threads is interleaved in memory. */
static void touch_local(const struct hd_trace *t, const struct hd_warp_tb *tb, uint32_t warp,
                        const struct hd_trace_op *o, struct hd_warp_op *op) {
  const uint64_t own = hd_mix3(kernel_of(t, tb)->draws, tb->blkid, warp) * LOCAL_WORDS;
  uint32_t word = 0;
  for (uint32_t i = 0; i < o->lines; i++) {
    word += (uint32_t)t->delta[o->first + i];
    hd_warp_touch(op, (uint64_t)(LOCAL | (uint32_t)(own + word % LOCAL_WORDS)) * HD_LINE_BYTES);
  }
}

static void touch_lines(const struct hd_trace *t, const struct hd_trace_op *o, uint32_t line, struct hd_warp_op *op,
                        uint32_t *last) {
  for (uint32_t i = 0; i < o->lines; i++) {
    line += (uint32_t)t->delta[o->first + i];
    hd_warp_touch(op, (uint64_t)line * HD_LINE_BYTES);
  }
  *last = line;
}

static void set_unit(struct hd_warp_op *op, enum hd_warp_unit unit) {
  op->kind = HD_WARP_DELAY;
  op->unit = unit;
}

static void next(void *ctx, const struct hd_warp_tb *tb, uint32_t warp, void *state, struct hd_warp_op *op) {
  const struct hd_trace *t = ctx;
  struct walk *w = state;
  if (w->at == w->end) {
    op->kind = HD_WARP_END;
    return;
  }
  const struct hd_trace_op *o = w->at;
  op->lanes = o->lanes;
  op->instructions = w->second ? 0 : o->before;
  switch ((enum hd_trace_op_kind)o->kind) {
    case HD_TRACE_LOAD:
    case HD_TRACE_STORE:
      if (o->kind == HD_TRACE_STORE) op->kind = HD_WARP_STORE;
      touch_lines(t, o, w->line, op, &w->line);
      break;
    case HD_TRACE_ATOMIC: {
      uint32_t last;
      touch_lines(t, o, w->line, op, &last);
      w->second = !w->second;
      if (w->second) {
        op->kind = HD_WARP_STORE;
        return; /* the load follows */
      }
      w->line = last;
      break;
    }
    case HD_TRACE_LOCAL_LOAD:
    case HD_TRACE_LOCAL_STORE:
      if (o->kind == HD_TRACE_LOCAL_STORE) op->kind = HD_WARP_STORE;
      touch_local(t, tb, warp, o, op);
      break;
    case HD_TRACE_SHARED:
      set_unit(op, HD_WARP_SHARED);
      break;
    case HD_TRACE_SPECIAL:
      set_unit(op, HD_WARP_SPECIAL);
      break;
    case HD_TRACE_DOUBLE:
      set_unit(op, HD_WARP_DOUBLE);
      break;
    case HD_TRACE_TENSOR:
      set_unit(op, HD_WARP_TENSOR);
      break;
    case HD_TRACE_BARRIER:
      op->kind = HD_WARP_BARRIER;
      break;
    case HD_TRACE_END:
      op->kind = HD_WARP_END;
      break;
  }
  w->at++;
}

const struct hd_warp_source *hd_trace_source(void) {
  static const struct hd_warp_source source = {sizeof(struct walk), begin, next};
  return &source;
}

bool hd_trace_has_instructions(const struct hd_trace *t, const char *name, char *err, size_t err_size) {
  for (uint32_t i = 0; i < t->n; i++) {
    const struct hd_trace_kernel *k = &t->kernel[i];
    if (k->warp != NULL) continue;
    snprintf(err, err_size,
             "%s:%" PRIu64
             ": no 'warps' lines follow: the trace has no instructions for the kernel; --smx timer, or --only with "
             "kernels that have such lines, would be accepted ('heddle import accelsim --instructions' writes them)",
             name, k->line);
    return false;
  }
  return true;
}

uint64_t hd_trace_instructions(const struct hd_trace *t) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < t->n; i++) {
    const struct hd_trace_kernel *k = &t->kernel[i];
    const size_t n = (size_t)k->launch.ctas * hd_fit_warps(k->launch.threads);
    for (size_t w = 0; w < n; w++) {
      const struct hd_trace_program *p = program_of(t, &k->warp[w]);
      sum += p != NULL ? p->instructions : 1;
    }
  }
  return sum;
}
