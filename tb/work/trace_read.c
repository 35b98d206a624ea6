/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Reads a trace. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/lines.h"
#include "sim/fit.h"
#include "work/trace_inside.h"

#define DURATION_MAX HD_TRACE_DURATION_MAX
#define TRACE_PC 0x2000
#define TRACE_CHILD_PC 0x3000 /* children have other code than kernels of the host */

char *hd_trace_field(char **p) {
  char *s = *p + strspn(*p, " \t");
  if (*s == '\0') return NULL;
  size_t n = strcspn(s, " \t");
  *p = s + n + (s[n] != '\0');
  s[n] = '\0';
  return s;
}

#define HOST_LINE "arrival, HWQ, grid x y z, TB x y z, registers, shared memory and duration"
#define DEVICE_LINE "TBs, cycles, threads, grid, TB x y z, registers, shared memory and duration"

static bool whole(struct hd_lines *l, char **p, const struct hd_trace_number *n, uint64_t *value) {
  const char *text = hd_trace_field(p), *what = n->what;
  const uint64_t min = n->min, max = n->max;
  if (text == NULL) return hd_lines_fail(l, "%s is missing; %s would be accepted", what, n->line);
  return hd_field_range(l, text, what, min, max, value);
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

bool hd_trace_room(struct hd_lines *l, void **of, size_t size, uint32_t n, uint32_t *cap) {
  if (n < *cap) return true;
  uint32_t more = *cap != 0 ? *cap * 2 : 256;
  void *grown = more > *cap ? realloc(*of, more * size) : NULL;
  if (grown == NULL) return hd_lines_fail_file(l, "out of memory after %" PRIu32 " lines", n);
  *of = grown;
  *cap = more;
  return true;
}

static bool is_each(const char *p) {
  return strncmp(p + strspn(p, " \t"), "each(", 5) == 0;
}

/* Parses each(cycles, cycles*TBs, ..), for TBs in the order of their ids. */
static bool parse_each(struct hd_lines *l, char *p, struct hd_trace *t, struct hd_trace_kernel *k) {
  uint64_t at = 0;
  k->duration.kind = HD_DRAW_EACH;
  k->runs = (struct hd_trace_span){t->runs, 0};
  for (p = strchr(p, '(') + 1;; p++) {
    char *end;
    uint64_t count = 1;
    const double cycles = strtod(p, &end);
    bool good = end != p && cycles >= 1 && cycles <= DURATION_MAX && cycles == floor(cycles);
    p = end + strspn(end, " \t");
    if (good && *p == '*') {
      count = strtoull(p + 1, &end, 10);
      good = end != p + 1 && count >= 1 && count <= UINT32_MAX;
      p = end + strspn(end, " \t");
    }
    if (!good || (*p != ',' && *p != ')'))
      return hd_lines_fail(l, "field 11, duration, is not a list; each(cycles, cycles*TBs, ..) would be accepted");
    if (!hd_trace_room(l, (void **)&t->run, sizeof *t->run, t->runs, &t->runs_cap)) return false;
    at += count;
    if (at > k->launch.ctas) break;
    t->run[t->runs++] = (struct hd_trace_run){(uint32_t)at, (uint64_t)cycles};
    k->runs.n++;
    if (*p == ')') break;
  }
  if (at != k->launch.ctas || p[1 + strspn(p + 1, " \t")] != '\0')
    return hd_lines_fail(l, "field 11, duration, lists a number of TBs other than the kernel's %" PRIu32,
                         k->launch.ctas);
  return true;
}

bool hd_trace_numbers(struct hd_lines *l, char **p, const struct hd_trace_number *of, unsigned n, uint64_t *v) {
  for (unsigned i = 0; i < n; i++)
    if (!whole(l, p, &of[i], &v[i])) return false;
  return true;
}

/* Parses the fields of a kernel's line from the arrival on. */
static bool parse_kernel(struct hd_lines *l, char *p, bool runs, struct hd_trace *t) {
  static const struct hd_trace_number fields[10] = {{"field 1, arrival,", 0, HD_TRACE_ARRIVAL_MAX, HOST_LINE},
                                                    {"field 2, HWQ,", 0, 255, HOST_LINE},
                                                    {"field 3, grid x,", 1, INT32_MAX, HOST_LINE},
                                                    {"field 4, grid y,", 1, UINT16_MAX, HOST_LINE},
                                                    {"field 5, grid z,", 1, UINT16_MAX, HOST_LINE},
                                                    {"field 6, TB x,", 1, 1024, HOST_LINE},
                                                    {"field 7, TB y,", 1, 1024, HOST_LINE},
                                                    {"field 8, TB z,", 1, 64, HOST_LINE},
                                                    {"field 9, registers,", 0, 255, HOST_LINE},
                                                    {"field 10, shared memory,", 0, 1023 * 256, HOST_LINE}};
  uint64_t v[10];
  if (!hd_trace_numbers(l, &p, fields, 10, v)) return false;
  uint64_t threads = v[5] * v[6] * v[7], ctas = v[2] * v[3]; /* at most 2^47 */
  if (threads > HD_CTA_THREADS_MAX)
    return hd_lines_fail(l, "fields 6 to 8, TB, make %" PRIu64 " threads; up to %u would be accepted", threads,
                         HD_CTA_THREADS_MAX);
  if (ctas > UINT32_MAX || ctas * v[4] > UINT32_MAX)
    return hd_lines_fail(l, "fields 3 to 5, grid, make more TBs than the %" PRIu32 " that would be accepted",
                         UINT32_MAX);
  if (!hd_trace_room(l, (void **)&t->kernel, sizeof *t->kernel, t->n, &t->cap)) return false;
  struct hd_trace_kernel *k = &t->kernel[t->n];
  *k = (struct hd_trace_kernel){.arrival = v[0], .line = l->number, .latency = HD_TRACE_NO_LATENCY, .id = t->n};
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
  k->calls = (struct hd_trace_span){t->calls, 0};
  k->after = (struct hd_trace_span){t->afters, 0};
  if (!(runs && is_each(p) ? parse_each(l, p, t, k) : parse_draw(l, p, &k->duration))) return false;
  t->n++;
  return true;
}

/* Parses FIRST, FIRST-LAST or FIRST-LAST/STEP. */
static bool parse_some(struct hd_lines *l, char **p, const struct hd_trace_kernel *k, struct hd_trace_call *c) {
  char shown[48], *text = hd_trace_field(p), *at = text;
  uint64_t v[3] = {0, 0, 1};
  if (text == NULL) return hd_lines_fail(l, "field 1, TBs, is missing; " DEVICE_LINE " would be accepted");
  for (unsigned i = 0; i < 3; i++) {
    if (i == 0 || *at == "--/"[i]) {
      const char *digits = i == 0 ? at : at + 1;
      if (*digits < '0' || *digits > '9') break;
      v[i] = strtoull(digits, &at, 10);
    }
    if (i == 0) v[1] = v[0];
  }
  if (*at != '\0' || v[0] > v[1] || v[1] >= k->launch.ctas || v[2] == 0 || v[2] > UINT32_MAX)
    return hd_lines_fail(
        l, "field 1, TBs, is '%s'; FIRST, FIRST-LAST or FIRST-LAST/STEP, up to %" PRIu32 ", would be accepted",
        hd_shown(shown, text), k->launch.ctas - 1);
  c->first = (uint32_t)v[0];
  c->last = (uint32_t)v[1];
  c->step = (uint32_t)v[2];
  return true;
}

/* launch TBs cycles threads grid TB registers shared duration: a launch by TBs of the kernel above. */
static bool parse_call(struct hd_lines *l, char *p, struct hd_trace *t) {
  static const struct hd_trace_number fields[8] = {{"field 2, cycles,", 0, (uint64_t)1 << 40, DEVICE_LINE},
                                                   {"field 3, threads,", 1, HD_DEVICE_LANES, DEVICE_LINE},
                                                   {"field 4, grid,", 1, UINT16_MAX, DEVICE_LINE},
                                                   {"field 5, TB x,", 1, 1024, DEVICE_LINE},
                                                   {"field 6, TB y,", 1, 1024, DEVICE_LINE},
                                                   {"field 7, TB z,", 1, 64, DEVICE_LINE},
                                                   {"field 8, registers,", 0, 255, DEVICE_LINE},
                                                   {"field 9, shared memory,", 0, 1023 * 256, DEVICE_LINE}};
  uint64_t v[8];
  if (t->n == 0) return hd_lines_fail(l, "'launch' before any kernel");
  struct hd_trace_kernel *k = &t->kernel[t->n - 1];
  struct hd_trace_call c = {.line = l->number, .items = k->items};
  if (!parse_some(l, &p, k, &c) || !hd_trace_numbers(l, &p, fields, 8, v)) return false;
  if (v[3] * v[4] * v[5] > HD_CTA_THREADS_MAX)
    return hd_lines_fail(l, "fields 5 to 7, TB, make %" PRIu64 " threads; up to %u would be accepted",
                         v[3] * v[4] * v[5], HD_CTA_THREADS_MAX);
  if (k->calls.n >= hd_fit_warps(k->launch.threads))
    return hd_lines_fail(l, "more launches than the kernel's TBs have warps; each launch belongs to one warp");
  c.before = v[0];
  c.threads = (uint32_t)v[1];
  c.ctas = (uint32_t)v[2];
  c.child = (struct hd_device_call){.cta = {(uint32_t)v[3], (uint32_t)v[4], (uint32_t)v[5]},
                                    .regs = (uint32_t)v[6],
                                    .smem_bytes = (uint32_t)(v[7] + 255) / 256 * 256,
                                    .pc = TRACE_CHILD_PC};
  uint64_t items = k->items + ((uint64_t)(c.last - c.first) / c.step + 1) * c.threads;
  if (items > UINT32_MAX) return hd_lines_fail(l, "more than %" PRIu32 " launches of a kernel", UINT32_MAX);
  k->items = (uint32_t)items;
  if (!parse_draw(l, p, &c.duration)) return false;
  if (!hd_trace_room(l, (void **)&t->call, sizeof *t->call, t->calls, &t->calls_cap)) return false;
  t->call[t->calls++] = c;
  k->calls.n++;
  return true;
}

/* after NAME ..: kernels above that must be done before the one above is launched. */
static bool parse_after(struct hd_lines *l, char *p, struct hd_trace *t) {
  char shown[48];
  if (t->n == 0) return hd_lines_fail(l, "'after' before any kernel");
  struct hd_trace_kernel *k = &t->kernel[t->n - 1];
  for (const char *name; (name = hd_trace_field(&p)) != NULL;) {
    uint32_t i = t->n - 1;
    while (i > 0 && strcmp(t->kernel[i - 1].name, name) != 0) i--;
    if (i == 0) return hd_lines_fail(l, "no kernel above this one is called '%s'", hd_shown(shown, name));
    if (!hd_trace_room(l, (void **)&t->after, sizeof *t->after, t->afters, &t->afters_cap)) return false;
    t->after[t->afters++] = i - 1;
    k->after.n++;
  }
  return true;
}

static bool parse_name(struct hd_lines *l, char *p, struct hd_trace *t) {
  const char *name = hd_trace_field(&p);
  if (name == NULL || strlen(name) > HD_TRACE_NAME_MAX)
    return hd_lines_fail(l, "the kernel's name is missing or has more than %d characters", HD_TRACE_NAME_MAX);
  if (!parse_kernel(l, p, true, t)) return false;
  snprintf(t->kernel[t->n - 1].name, sizeof t->kernel->name, "%s", name);
  return true;
}

/* The words that lines begin with, and the first version that has them. */
static const struct {
  const char *word;
  unsigned version;
  bool (*parse)(struct hd_lines *l, char *p, struct hd_trace *t);
} words[] = {{"kernel", 2, parse_name},        {"after", 2, parse_after},        {"launch", 2, parse_call},
             {"latency", 3, hd_trace_latency}, {"record", 3, hd_trace_record},   {"wait", 3, hd_trace_wait},
             {"stream", 3, hd_trace_stream},   {"program", 3, hd_trace_program}, {"warps", 3, hd_trace_warps}};

static bool parse_line(struct hd_lines *l, char *p, unsigned version, struct hd_trace *t) {
  char shown[48];
  const char *word = hd_trace_field(&p);
  for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
    if (strcmp(word, words[k].word) != 0) continue;
    if (version >= words[k].version) return words[k].parse(l, p, t);
    return hd_lines_fail(l, "'%s' requires version %u; a first line 'heddle-trace %u' would be accepted", word,
                         words[k].version, words[k].version);
  }
  return hd_lines_fail(l, "the line begins with '%s'; kernel, after%s would be accepted", hd_shown(shown, word),
                       version == 2 ? " or launch" : ", launch, latency, record, wait, stream, program or warps");
}

static bool parse_version(struct hd_lines *l, unsigned *number) {
  char shown[48];
  if (!hd_lines_next(l)) return l->failed ? false : hd_lines_fail_file(l, "empty; 'heddle-trace 3' would be accepted");
  char *p = l->line;
  const char *word = hd_trace_field(&p), *version = word != NULL ? hd_trace_field(&p) : NULL;
  if (word == NULL || strcmp(word, "heddle-trace") != 0)
    return hd_lines_fail(l, "field 1 is '%s'; a first line 'heddle-trace 3' would be accepted",
                         hd_shown(shown, word != NULL ? word : ""));
  *number = version != NULL && version[0] >= '1' && version[0] <= '3' && version[1] == '\0' ? version[0] - '0' : 0;
  if (*number == 0 || hd_trace_field(&p) != NULL)
    return hd_lines_fail(l, "field 2, version, is '%s'; 1, 2 or 3 would be accepted",
                         hd_shown(shown, version != NULL ? version : ""));
  return true;
}

static bool parse(struct hd_lines *l, struct hd_trace *t) {
  unsigned version = 0;
  if (!parse_version(l, &version)) return false;
  while (hd_lines_next(l)) {
    l->line[strcspn(l->line, "#")] = '\0';
    if (l->line[strspn(l->line, " \t")] == '\0') continue;
    if (!(version == 1 ? parse_kernel(l, l->line, false, t) : parse_line(l, l->line, version, t))) return false;
  }
  if (!l->failed && t->n == 0) return hd_lines_fail_file(l, "no kernel in the file; at least one would be accepted");
  return !l->failed;
}

bool hd_trace_read(const char *name, const char *only, struct hd_trace *t, char *err, size_t err_size) {
  struct hd_lines l;
  *t = (struct hd_trace){0};
  bool good = hd_lines_open(&l, name, err, err_size) && parse(&l, t);
  hd_lines_close(&l);
  if (good) good = hd_trace_order(t, name, only, err, err_size);
  if (!good) hd_trace_free(t);
  return good;
}
