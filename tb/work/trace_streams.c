/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Lines of a trace about streams: events that one stream records and another waits for, priorities, launch
 * latencies. */
#include <stdio.h>
#include <string.h>

#include "work/trace_inside.h"

static bool no_more(struct hd_lines *l, char *p, const char *line) {
  char shown[48];
  const char *more = hd_trace_field(&p);
  if (more == NULL) return true;
  return hd_lines_fail(l, "'%s' is one field too many; %s would be accepted", hd_shown(shown, more), line);
}

/* latency CYCLES: latency of the launch of the kernel above. */
bool hd_trace_latency(struct hd_lines *l, char *p, struct hd_trace *t) {
  static const char line[] = "CYCLES";
  static const struct hd_trace_number cycles = {"field 1, cycles,", 0, HD_TRACE_LATENCY_MAX, line};
  uint64_t v;
  if (t->n == 0) return hd_lines_fail(l, "'latency' before any kernel");
  if (t->kernel[t->n - 1].latency != HD_TRACE_NO_LATENCY)
    return hd_lines_fail(l, "a second 'latency' of the kernel above");
  if (!hd_trace_numbers(l, &p, &cycles, 1, &v) || !no_more(l, p, line)) return false;
  t->kernel[t->n - 1].latency = v;
  return true;
}

/* record or wait EVENT ARRIVAL HWQ */
static bool parse_event(struct hd_lines *l, char *p, bool records, struct hd_trace *t) {
  static const char line[] = "EVENT, arrival and HWQ";
  static const struct hd_trace_number fields[2] = {{"field 2, arrival,", 0, HD_TRACE_ARRIVAL_MAX, line},
                                                   {"field 3, HWQ,", 0, HD_TRACE_HWQS - 1, line}};
  uint64_t v[2];
  const char *name = hd_trace_field(&p);
  if (name == NULL || strlen(name) > HD_TRACE_NAME_MAX)
    return hd_lines_fail(l, "field 1, the event's name, is missing or has more than %d characters", HD_TRACE_NAME_MAX);
  if (!hd_trace_numbers(l, &p, fields, 2, v) || !no_more(l, p, line)) return false;
  if (!hd_trace_room(l, (void **)&t->event, sizeof *t->event, t->events, &t->events_cap)) return false;
  struct hd_trace_event *e = &t->event[t->events++];
  *e = (struct hd_trace_event){.records = records, .arrival = v[0], .line = l->number, .hwq = (uint8_t)v[1]};
  snprintf(e->name, sizeof e->name, "%s", name);
  return true;
}

bool hd_trace_record(struct hd_lines *l, char *p, struct hd_trace *t) {
  return parse_event(l, p, true, t);
}

bool hd_trace_wait(struct hd_lines *l, char *p, struct hd_trace *t) {
  return parse_event(l, p, false, t);
}

/* Parses a whole number with an optional minus sign. */
static bool priority_of(const char *text, int8_t *priority) {
  uint64_t v;
  const bool minus = text != NULL && text[0] == '-';
  if (text == NULL || !hd_whole(text + minus, &v) || v > HD_TRACE_PRIORITY_MAX) return false;
  *priority = (int8_t)(minus ? -(int)v : (int)v);
  return true;
}

/* stream HWQ PRIORITY */
bool hd_trace_stream(struct hd_lines *l, char *p, struct hd_trace *t) {
  static const char line[] = "HWQ and priority";
  static const struct hd_trace_number hwq = {"field 1, HWQ,", 0, HD_TRACE_HWQS - 1, line};
  char shown[48];
  uint64_t q;
  if (!hd_trace_numbers(l, &p, &hwq, 1, &q)) return false;
  const char *text = hd_trace_field(&p);
  if (!priority_of(text, &t->priority[q]))
    return hd_lines_fail(
        l, "field 2, priority, is '%s'; a whole number from -%d, which goes first, to %d would be accepted",
        hd_shown(shown, text != NULL ? text : ""), HD_TRACE_PRIORITY_MAX, HD_TRACE_PRIORITY_MAX);
  if (t->stream_line[q] != 0)
    return hd_lines_fail(l, "HWQ %u already has a priority, from line %llu", (unsigned)q,
                         (unsigned long long)t->stream_line[q]);
  t->stream_line[q] = l->number;
  return no_more(l, p, line);
}
