/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "work/trace.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/lines.h"
#include "graph/mix.h"
#include "sim/fit.h"

#define DURATION_MAX 1e12
#define TRACE_PC 0x2000

/* ---- reading ---- */

/* Cuts the next field, parted by blanks or tabs, out of *p. */
static char *field(char **p) {
  char *s = *p + strspn(*p, " \t");
  if (*s == '\0') return NULL;
  size_t n = strcspn(s, " \t");
  *p = s + n + (s[n] != '\0');
  s[n] = '\0';
  return s;
}

static bool whole(struct hd_lines *l, char **p, const char *what, uint64_t min, uint64_t max, uint64_t *value) {
  const char *text = field(p);
  if (text == NULL)
    return hd_lines_fail(l,
                         "%s is missing; arrival, HWQ, grid x y z, TB x y z, registers, shared memory and duration "
                         "would be accepted",
                         what);
  if (!hd_field_u64(l, text, what, max, value)) return false;
  if (*value >= min) return true;
  return hd_lines_fail(l, "%s is %" PRIu64 "; %" PRIu64 " to %" PRIu64 " would be accepted", what, *value, min, max);
}

/* Reads "a" or "a,b" up to the closing parenthesis. */
static bool arguments(const char *s, unsigned n, double *a, double *b) {
  char *end;
  *a = strtod(s, &end);
  if (end == s) return false;
  s = end + strspn(end, " \t");
  if (n == 2) {
    if (*s++ != ',') return false;
    *b = strtod(s, &end);
    if (end == s) return false;
    s = end + strspn(end, " \t");
  }
  return *s == ')' && s[1 + strspn(s + 1, " \t")] == '\0' && isfinite(*a) && isfinite(*b);
}

static bool in_range(const struct hd_draw *d) {
  bool a = d->a >= 0 && d->a <= DURATION_MAX, b = d->b >= 0 && d->b <= DURATION_MAX;
  return a && b && (d->kind != HD_DRAW_UNIFORM || d->a <= d->b);
}

static bool parse_draw(struct hd_lines *l, char *s, struct hd_draw *d) {
  static const struct {
    const char *name;
    enum hd_draw_kind kind;
    unsigned arguments;
  } kinds[] = {{"uniform(", HD_DRAW_UNIFORM, 2}, {"exp(", HD_DRAW_EXP, 1}, {"normal(", HD_DRAW_NORMAL, 2}};
  char shown[48];
  s += strspn(s, " \t");
  for (size_t n = strlen(s); n > 0 && (s[n - 1] == ' ' || s[n - 1] == '\t'); n--) s[n - 1] = '\0';
  *d = (struct hd_draw){.kind = HD_DRAW_FIXED};
  if (*s != '\0' && s[strspn(s, "0123456789")] == '\0') {
    d->a = strtod(s, NULL);
    if (d->a >= 1 && d->a <= DURATION_MAX) return true;
  }
  for (unsigned i = 0; i < 3; i++) {
    size_t n = strlen(kinds[i].name);
    if (strncmp(s, kinds[i].name, n) != 0) continue;
    d->kind = kinds[i].kind;
    if (arguments(s + n, kinds[i].arguments, &d->a, &d->b) && in_range(d)) return true;
  }
  if (*s == '\0') return hd_lines_fail(l, "field 11, duration, is missing; a number would be accepted");
  return hd_lines_fail(l,
                       "field 11, duration, is '%s'; a number from 1, uniform(a,b), exp(mean) or "
                       "normal(mean,deviation), none negative or over 1e12, would be accepted",
                       hd_shown(shown, s));
}

static bool parse_kernel(struct hd_lines *l, char *p, struct hd_trace_kernel *k) {
  uint64_t v[10] = {0};
  static const struct {
    const char *what;
    uint64_t min, max;
  } fields[10] = {{"field 1, arrival,", 0, (uint64_t)1 << 48},
                  {"field 2, HWQ,", 0, 255},
                  {"field 3, grid x,", 1, INT32_MAX},
                  {"field 4, grid y,", 1, UINT16_MAX},
                  {"field 5, grid z,", 1, UINT16_MAX},
                  {"field 6, TB x,", 1, 1024},
                  {"field 7, TB y,", 1, 1024},
                  {"field 8, TB z,", 1, 64},
                  {"field 9, registers,", 0, 255},
                  {"field 10, shared memory,", 0, 1023 * 256}};
  for (unsigned i = 0; i < 10; i++)
    if (!whole(l, &p, fields[i].what, fields[i].min, fields[i].max, &v[i])) return false;
  uint64_t threads = v[5] * v[6] * v[7], ctas = v[2] * v[3]; /* at most 2^47 */
  if (threads > HD_CTA_THREADS_MAX)
    return hd_lines_fail(l, "fields 6 to 8, TB, make %" PRIu64 " threads; up to %u would be accepted", threads,
                         HD_CTA_THREADS_MAX);
  if (ctas > UINT32_MAX || ctas * v[4] > UINT32_MAX)
    return hd_lines_fail(l, "fields 3 to 5, grid, make more TBs than the %" PRIu32 " that would be accepted",
                         UINT32_MAX);
  *k = (struct hd_trace_kernel){.arrival = v[0], .line = l->number};
  k->launch.hwq = (uint8_t)v[1];
  k->launch.desc.pc = TRACE_PC;
  k->launch.desc.grid_x = (uint32_t)v[2];
  k->launch.desc.grid_y = (uint16_t)v[3];
  k->launch.desc.grid_z = (uint16_t)v[4];
  k->launch.desc.cta_x = (uint16_t)v[5];
  k->launch.desc.cta_y = (uint16_t)v[6];
  k->launch.desc.cta_z = (uint8_t)v[7];
  k->launch.threads = (uint16_t)threads;
  k->launch.ctas = (uint32_t)(ctas * v[4]);
  k->launch.regs = (uint8_t)v[8];
  k->launch.smem = (uint16_t)((v[9] + 255) / 256);
  return parse_draw(l, p, &k->duration);
}

static bool add(struct hd_lines *l, struct hd_trace *t, const struct hd_trace_kernel *k) {
  if (t->n == t->cap) {
    uint32_t cap = t->cap != 0 ? t->cap * 2 : 256;
    struct hd_trace_kernel *grown = cap > t->cap ? realloc(t->kernel, cap * sizeof *grown) : NULL;
    if (grown == NULL) return hd_lines_fail_file(l, "out of memory after %" PRIu32 " kernels", t->n);
    t->kernel = grown;
    t->cap = cap;
  }
  t->kernel[t->n++] = *k;
  return true;
}

static bool parse_version(struct hd_lines *l) {
  char shown[48];
  if (!hd_lines_next(l)) return l->failed ? false : hd_lines_fail_file(l, "empty; 'heddle-trace 1' would be accepted");
  char *p = l->line;
  const char *word = field(&p), *version = word != NULL ? field(&p) : NULL;
  if (word == NULL || strcmp(word, "heddle-trace") != 0)
    return hd_lines_fail(l, "field 1 is '%s'; a first line 'heddle-trace 1' would be accepted",
                         hd_shown(shown, word != NULL ? word : ""));
  if (version == NULL || strcmp(version, "1") != 0 || field(&p) != NULL)
    return hd_lines_fail(l, "field 2, version, is '%s'; 1 would be accepted",
                         hd_shown(shown, version != NULL ? version : ""));
  return true;
}

static bool parse(struct hd_lines *l, struct hd_trace *t) {
  if (!parse_version(l)) return false;
  while (hd_lines_next(l)) {
    struct hd_trace_kernel k;
    l->line[strcspn(l->line, "#")] = '\0';
    if (l->line[strspn(l->line, " \t")] == '\0') continue;
    if (!parse_kernel(l, l->line, &k) || !add(l, t, &k)) return false;
  }
  if (!l->failed && t->n == 0) return hd_lines_fail_file(l, "no kernel in it; at least one would be accepted");
  return !l->failed;
}

static int by_arrival(const void *a, const void *b) {
  const struct hd_trace_kernel *x = a, *y = b;
  if (x->arrival != y->arrival) return x->arrival < y->arrival ? -1 : 1;
  return (x->line > y->line) - (x->line < y->line);
}

bool hd_trace_read(const char *name, struct hd_trace *t, char *err, size_t err_size) {
  struct hd_lines l;
  *t = (struct hd_trace){0};
  bool good = hd_lines_open(&l, name, err, err_size) && parse(&l, t);
  hd_lines_close(&l);
  if (good)
    qsort(t->kernel, t->n, sizeof *t->kernel, by_arrival);
  else
    hd_trace_free(t);
  return good;
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
    snprintf(err, err_size, "%s:%" PRIu64 ": %s; TBs of up to %" PRIu32 " threads fit (a graph's: --block-size)", name,
             k->line, text, most);
    return false;
  }
  return true;
}

void hd_trace_free(struct hd_trace *t) {
  free(t->kernel);
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
  return cycles < 1 ? 1 : cycles > DURATION_MAX ? (uint64_t)DURATION_MAX : (uint64_t)cycles;
}

static bool next(void *ctx, uint64_t now, struct hd_launch *launch) {
  struct hd_trace *t = ctx;
  if (t->handed_over == t->n || t->kernel[t->handed_over].arrival > now) return false;
  *launch = t->kernel[t->handed_over++].launch;
  return true;
}

static bool next_at(void *ctx, uint64_t *cycle) {
  const struct hd_trace *t = ctx;
  if (t->handed_over == t->n) return false;
  *cycle = t->kernel[t->handed_over].arrival;
  return true;
}

static uint64_t duration(void *ctx, uint32_t kernel, uint32_t blkid) {
  const struct hd_trace *t = ctx;
  return hd_draw(&t->kernel[kernel].duration, t->seed, kernel, blkid);
}

/* Nothing depends on a trace's TBs and kernels: all it has to say is in the file. */
static void cta_done(void *ctx, uint32_t kernel, uint32_t blkid) {
  (void)ctx, (void)kernel, (void)blkid;
}

static void kernel_done(void *ctx, uint64_t now, uint32_t kernel) {
  (void)ctx, (void)now, (void)kernel;
}

static bool finished(void *ctx) {
  const struct hd_trace *t = ctx;
  return t->handed_over == t->n;
}

struct hd_work hd_trace_work(struct hd_trace *t) {
  return (struct hd_work){.ctx = t,
                          .next = next,
                          .next_at = next_at,
                          .duration = duration,
                          .cta_done = cta_done,
                          .kernel_done = kernel_done,
                          .finished = finished};
}
