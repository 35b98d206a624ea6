/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Lines of a trace about instructions: programs, and the program of each warp. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/fit.h"
#include "work/trace_inside.h"

/* Letters of operations; lists: the operation has a list of lines or words. */
static const struct {
  char letter;
  enum hd_trace_op_kind kind;
  bool lists;
} letters[] = {{'l', HD_TRACE_LOAD, true},       {'s', HD_TRACE_STORE, true},       {'a', HD_TRACE_ATOMIC, true},
               {'L', HD_TRACE_LOCAL_LOAD, true}, {'S', HD_TRACE_LOCAL_STORE, true}, {'m', HD_TRACE_SHARED, false},
               {'f', HD_TRACE_SPECIAL, false},   {'d', HD_TRACE_DOUBLE, false},     {'t', HD_TRACE_TENSOR, false},
               {'b', HD_TRACE_BARRIER, false},   {'e', HD_TRACE_END, false}};

/* Parses D, DxN, ..: the distance of each line from the previous one. Returns false for another text or more than 32
 * lines. */
static bool parse_list(struct hd_lines *l, const char *at, struct hd_trace *t, struct hd_trace_op *op, bool *memory) {
  do {
    char *end;
    long long delta = strtoll(++at, &end, 10);
    unsigned long long times = 1;
    if (end == at || delta > INT32_MAX || delta < INT32_MIN) return false;
    if (*end == 'x') {
      at = end + 1;
      if (*at < '1' || *at > '9') return false;
      times = strtoull(at, &end, 10);
    }
    if (times > HD_WARP_LANES - op->lines) return false;
    for (; times != 0; times--) {
      if (!hd_trace_room(l, (void **)&t->delta, sizeof *t->delta, t->deltas, &t->deltas_cap)) {
        *memory = true;
        return false;
      }
      t->delta[t->deltas++] = (int32_t)delta;
      op->lines++;
    }
    at = end;
  } while (*at == ',');
  return *at == '\0';
}

/* Parses [N]KIND[@LANES][:LIST]. */
static bool parse_op(struct hd_lines *l, const char *text, struct hd_trace *t, struct hd_trace_op *op, bool *memory) {
  char *at = (char *)text;
  *op = (struct hd_trace_op){.lanes = HD_WARP_LANES, .first = t->deltas};
  unsigned long long before = *text >= '0' && *text <= '9' ? strtoull(text, &at, 10) : 0;
  size_t k = 0;
  while (k < sizeof letters / sizeof *letters && letters[k].letter != *at) k++;
  if (k == sizeof letters / sizeof *letters || before > UINT32_MAX - 1) return false;
  op->kind = (uint8_t)letters[k].kind;
  op->before = (uint32_t)before;
  if (*++at == '@') {
    const unsigned long long lanes = at[1] >= '0' && at[1] <= '9' ? strtoull(at + 1, &at, 10) : UINT64_MAX;
    if (lanes > HD_WARP_LANES) return false;
    op->lanes = (uint8_t)lanes;
  }
  if (letters[k].lists) return *at == ':' && parse_list(l, at, t, op, memory);
  return *at == '\0';
}

/* program OPERATION ..: the next program of the file. */
bool hd_trace_program(struct hd_lines *l, char *p, struct hd_trace *t) {
  struct hd_trace_program now = {.first = t->ops};
  struct hd_trace_op op = {.kind = HD_TRACE_LOAD};
  char shown[48];
  unsigned number = 0;
  for (const char *text; (text = hd_trace_field(&p)) != NULL;) {
    bool memory = false;
    number++;
    if (now.n != 0 && op.kind == HD_TRACE_END)
      return hd_lines_fail(l, "operation %u follows the end, 'e'; none would be accepted", number);
    if (!parse_op(l, text, t, &op, &memory))
      return memory ? false
                    : hd_lines_fail(l,
                                    "operation %u is '%s'; [INSTRUCTIONS]KIND[@THREADS][:LINES] of the kinds l s a L S "
                                    "m f d t b e would be accepted, up to %u threads and lines",
                                    number, hd_shown(shown, text), HD_WARP_LANES);
    if (!hd_trace_room(l, (void **)&t->op, sizeof *t->op, t->ops, &t->ops_cap)) return false;
    t->op[t->ops++] = op;
    now.n++;
    now.instructions += (uint64_t)op.before + 1 + (op.kind == HD_TRACE_ATOMIC);
  }
  if (now.n == 0 || op.kind != HD_TRACE_END)
    return hd_lines_fail(l, "the program's last operation is not an end; [INSTRUCTIONS]e would be accepted");
  if (!hd_trace_room(l, (void **)&t->program, sizeof *t->program, t->programs, &t->programs_cap)) return false;
  t->program[t->programs++] = now;
  return true;
}

/* Allocates the warps of a kernel. */
static bool make_warps(struct hd_lines *l, struct hd_trace_kernel *k, uint32_t warps) {
  const size_t n = (size_t)k->launch.ctas * warps;
  k->warp = n <= SIZE_MAX / sizeof *k->warp ? malloc(n * sizeof *k->warp) : NULL;
  if (k->warp == NULL) return hd_lines_fail(l, "out of memory for %zu warps of the kernel", n);
  memset(k->warp, 0xff, n * sizeof *k->warp); /* HD_TRACE_NONE */
  return true;
}

/* Parses PROGRAM:LINE, or -. */
static bool parse_warp(const struct hd_trace *t, const char *text, struct hd_trace_warp *w) {
  char *end;
  if (strcmp(text, "-") == 0) {
    *w = (struct hd_trace_warp){.program = HD_TRACE_IDLE};
    return true;
  }
  if (*text < '0' || *text > '9') return false;
  const unsigned long long program = strtoull(text, &end, 10);
  if (*end != ':' || end[1] < '0' || end[1] > '9' || program >= t->programs) return false;
  const unsigned long long line = strtoull(end + 1, &end, 10);
  *w = (struct hd_trace_warp){.program = (uint32_t)program, .line = (uint32_t)line};
  return *end == '\0' && line <= UINT32_MAX;
}

/* warps TB PROGRAM:LINE ..: the program of each warp of a TB of the kernel above. */
bool hd_trace_warps(struct hd_lines *l, char *p, struct hd_trace *t) {
  char shown[48];
  uint64_t tb;
  if (t->n == 0) return hd_lines_fail(l, "'warps' before any kernel");
  struct hd_trace_kernel *k = &t->kernel[t->n - 1];
  const uint32_t warps = hd_fit_warps(k->launch.threads);
  if (!hd_field_range(l, hd_trace_field(&p), "field 1, TB,", 0, k->launch.ctas - 1, &tb)) return false;
  if (k->warp == NULL && !make_warps(l, k, warps)) return false;
  struct hd_trace_warp *w = &k->warp[tb * warps];
  if (w->program != HD_TRACE_NONE) return hd_lines_fail(l, "a second 'warps' of TB %" PRIu64, tb);
  for (uint32_t i = 0; i < warps; i++) {
    const char *text = hd_trace_field(&p);
    if (text == NULL || !parse_warp(t, text, &w[i]))
      return hd_lines_fail(l,
                           "field %" PRIu32 " is '%s'; PROGRAM:LINE or - for each of the %" PRIu32
                           " warps, of the %" PRIu32 " programs above, would be accepted",
                           i + 2, hd_shown(shown, text != NULL ? text : ""), warps, t->programs);
  }
  const char *more = hd_trace_field(&p);
  if (more != NULL)
    return hd_lines_fail(l, "'%s' is one field too many for %" PRIu32 " warps", hd_shown(shown, more), warps);
  return true;
}
