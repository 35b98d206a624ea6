/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Selects the kernels of a trace and orders them by arrival, HWQ and events. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "work/select.h"
#include "work/trace_inside.h"

static bool all_done(const struct hd_trace *t, const struct hd_trace_span *of) {
  for (uint32_t i = 0; i < of->n; i++)
    if (!t->kernel[t->after[of->first + i]].done) return false;
  return true;
}

bool hd_trace_may(const struct hd_trace *t, uint32_t kernel) {
  return all_done(t, &t->kernel[kernel].after) && all_done(t, &t->kernel[kernel].behind);
}

static int by_order(uint64_t arrival, uint64_t line, uint64_t arrival2, uint64_t line2) {
  if (arrival != arrival2) return arrival < arrival2 ? -1 : 1;
  return (line > line2) - (line < line2);
}

static int by_arrival(const void *a, const void *b) {
  const struct hd_trace_kernel *x = a, *y = b;
  return by_order(x->arrival, x->line, y->arrival, y->line);
}

static int events_by_arrival(const void *a, const void *b) {
  const struct hd_trace_event *x = a, *y = b;
  return by_order(x->arrival, x->line, y->arrival, y->line);
}

/* ---- selection ---- */

/* Marks the kernels that are not selected as done. Returns false with a reason in err. */
static bool select_kernels(struct hd_trace *t, const char *name, const char *only, char *err, size_t err_size) {
  struct hd_select s;
  char text[700];
  if (only == NULL) return true;
  bool good = hd_select_init(&s, only, text, sizeof text);
  for (uint32_t i = 0; good && i < t->n; i++) {
    const struct hd_trace_kernel *k = &t->kernel[i]; /* in the order of the file */
    t->kernel[i].done = !hd_select_takes(&s, k->id + 1, k->name[0] != '\0' ? k->name : NULL);
  }
  good = good && hd_select_used(&s, text, sizeof text);
  hd_select_free(&s);
  if (!good) snprintf(err, err_size, "%s: --only %s: %s", name, only, text);
  return good;
}

/* Removes the marked kernels. Requires that kernels are in order of arrival. */
static void drop(struct hd_trace *t) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < t->n; i++)
    if (t->kernel[i].done)
      free(t->kernel[i].warp);
    else
      t->kernel[n++] = t->kernel[i];
  t->left_out = t->n - n;
  t->n = n;
}

/* Replaces the kernels to wait for by their new indices and removes those that were dropped. */
static void place_after(struct hd_trace *t, struct hd_trace_kernel *k, const uint32_t *place) {
  const uint32_t n = k->after.n;
  k->after.n = 0;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t at = place[t->after[k->after.first + i]];
    if (at != HD_TRACE_NONE) t->after[k->after.first + k->after.n++] = at;
  }
}

/* ---- order ---- */

/* Sorts kernels by arrival, replaces the kernels to wait for by their new indices, and chains each HWQ's kernels.
 * Returns false if out of memory. */
static bool put_in_order(struct hd_trace *t) {
  const uint32_t all = t->n;
  uint32_t *place = calloc(all, sizeof *place), last[HD_TRACE_HWQS];
  t->of_number = calloc(all, sizeof *t->of_number);
  if (place == NULL || t->of_number == NULL) {
    free(place);
    return false;
  }
  qsort(t->kernel, t->n, sizeof *t->kernel, by_arrival);
  for (uint32_t i = 0; i < all; i++) {
    t->kernel[i].draws = i;
    place[i] = HD_TRACE_NONE;
  }
  drop(t);
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
  for (uint32_t i = 0; i < t->n; i++) place_after(t, &t->kernel[i], place);
  free(place);
  return true;
}

/* ---- events ---- */

/* For each HWQ: its last kernel so far, and the kernels that its next one waits for. One per HWQ is enough, the last
 * that must be done, since kernels of one HWQ are done in order. */
struct streams {
  uint32_t last[HD_TRACE_HWQS];
  uint32_t waits[HD_TRACE_HWQS][HD_TRACE_HWQS];
  bool any[HD_TRACE_HWQS]; /* the HWQ has something to wait for */
};

static bool add_after(struct hd_trace *t, uint32_t kernel, struct hd_trace_span *of) {
  if (t->afters == t->afters_cap) {
    const uint32_t cap = t->afters_cap != 0 ? t->afters_cap * 2 : 256;
    uint32_t *grown = cap > t->afters_cap ? realloc(t->after, cap * sizeof *grown) : NULL;
    if (grown == NULL) return false;
    t->after = grown;
    t->afters_cap = cap;
  }
  t->after[t->afters++] = kernel;
  of->n++;
  return true;
}

static bool add_waits(struct hd_trace *t, const struct streams *s, uint8_t hwq, struct hd_trace_span *of) {
  for (uint32_t q = 0; q < HD_TRACE_HWQS; q++)
    if (s->waits[hwq][q] != HD_TRACE_NONE && !add_after(t, s->waits[hwq][q], of)) return false;
  return true;
}

/* The kernel waits for the events for which its HWQ has begun to wait since the previous kernel. */
static bool pass_kernel(struct hd_trace *t, struct streams *s, uint32_t i) {
  struct hd_trace_kernel *k = &t->kernel[i];
  const uint8_t q = k->launch.hwq;
  k->behind = (struct hd_trace_span){t->afters, 0};
  if (s->any[q]) {
    if (!add_waits(t, s, q, &k->behind)) return false;
    memset(s->waits[q], 0xff, sizeof s->waits[q]);
    s->any[q] = false;
  }
  s->last[q] = i;
  return true;
}

/* An event is reached when the last kernel of its HWQ is done, and all kernels that the HWQ has waited for since. */
static bool pass_record(struct hd_trace *t, const struct streams *s, struct hd_trace_event *e) {
  e->set = (struct hd_trace_span){t->afters, 0};
  if (s->last[e->hwq] != HD_TRACE_NONE && !add_after(t, s->last[e->hwq], &e->set)) return false;
  return !s->any[e->hwq] || add_waits(t, s, e->hwq, &e->set);
}

/* Returns the record that a wait refers to, the last one before it; NULL: none. */
static const struct hd_trace_event *record_of(const struct hd_trace *t, uint32_t wait) {
  for (uint32_t i = wait; i > 0; i--) {
    const struct hd_trace_event *e = &t->event[i - 1];
    if (e->records && strcmp(e->name, t->event[wait].name) == 0) return e;
  }
  return NULL;
}

static void pass_wait(const struct hd_trace *t, struct streams *s, uint8_t hwq, const struct hd_trace_event *record) {
  for (uint32_t i = 0; i < record->set.n; i++) {
    const uint32_t k = t->after[record->set.first + i];
    uint32_t *last = &s->waits[hwq][t->kernel[k].launch.hwq];
    if (*last == HD_TRACE_NONE || k > *last) *last = k;
    s->any[hwq] = true;
  }
}

static bool no_record(const struct hd_trace_event *e, const char *name, char *err, size_t err_size) {
  snprintf(err, err_size,
           "%s:%" PRIu64
           ": no 'record' of the event '%s' precedes this wait, by arrival and then by line; CUDA does not wait in "
           "this case, so the trace would be accepted without this line",
           name, e->line, e->name);
  return false;
}

/* Processes events and kernels in the order of arrival. */
static bool resolve_events(struct hd_trace *t, const char *name, char *err, size_t err_size) {
  if (t->events == 0) return true;
  struct streams *s = malloc(sizeof *s);
  bool good = s != NULL, recorded = true;
  qsort(t->event, t->events, sizeof *t->event, events_by_arrival);
  if (good) memset(s, 0xff, sizeof *s);
  if (good) memset(s->any, 0, sizeof s->any);
  for (uint32_t i = 0, k = 0; good && recorded && (i < t->events || k < t->n);) {
    struct hd_trace_event *e = i < t->events ? &t->event[i] : NULL;
    const struct hd_trace_kernel *next = k < t->n ? &t->kernel[k] : NULL;
    if (e == NULL || (next != NULL && by_order(next->arrival, next->line, e->arrival, e->line) < 0)) {
      good = pass_kernel(t, s, k++);
    } else if (e->records) {
      good = pass_record(t, s, e);
      i++;
    } else {
      const struct hd_trace_event *record = record_of(t, i++);
      recorded = record != NULL ? true : no_record(e, name, err, err_size);
      if (recorded) pass_wait(t, s, e->hwq, record);
    }
  }
  free(s);
  if (!good) snprintf(err, err_size, "%s: out of memory", name);
  return good && recorded;
}

/* Returns true if each kernel can be launched, by a run in which a kernel is done as soon as it is launched. */
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
      snprintf(
          err, err_size,
          "%s:%" PRIu64
          ": kernel %s waits for a kernel that is launched after it by the same HWQ, directly or through other waits",
          name, t->kernel[i].line, t->kernel[i].name);
      return false;
    }
  for (uint32_t i = 0; i < t->n; i++) t->kernel[i].done = false;
  return true;
}

bool hd_trace_order(struct hd_trace *t, const char *name, const char *only, char *err, size_t err_size) {
  if (!select_kernels(t, name, only, err, err_size)) return false;
  if (put_in_order(t)) return resolve_events(t, name, err, err_size) && ends(t, name, err, err_size);
  snprintf(err, err_size, "%s: out of memory", name);
  return false;
}
