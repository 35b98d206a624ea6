/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The report's tables of the longest-waiting launches and streams. */
#include <inttypes.h>
#include <stdlib.h>

#include "cmd/report.h"

static const char *name_of(const struct hd_report *r, const struct hd_launches_row *row) {
  const bool named = r->trace != NULL && r->trace->n != 0;
  return named ? hd_trace_name(r->trace, row->kernel) : "";
}

static const char *launch_name(const struct hd_launches_row *r, char text[40]) {
  if (r->child == 0)
    snprintf(text, 40, "kernel %" PRIu32, r->kernel);
  else
    snprintf(text, 40, "child %" PRIu32 " of kernel %" PRIu32, r->child, r->kernel);
  return text;
}

static const char *stream_name(enum hd_launches_kind kind, uint32_t stream, char text[40]) {
  if (kind == HD_LAUNCHES_HOST)
    snprintf(text, 40, "HWQ %" PRIu32, stream);
  else if (kind == HD_LAUNCHES_GROUP)
    snprintf(text, 40, "groups");
  else if (stream != 0)
    snprintf(text, 40, "device stream %" PRIu32, stream);
  else
    snprintf(text, 40, "device kernels");
  return text;
}

static void put_cycle(FILE *f, bool valid, uint64_t cycle) {
  if (valid)
    fprintf(f, " %11" PRIu64, cycle);
  else
    fprintf(f, " %11s", "-");
}

/* Prints the number of rows, or of all if only some are shown; `whole` then says where the others are. */
static void print_head(const struct hd_report *r, const char *label, size_t n, const char *what, const char *whole,
                       FILE *f) {
  if (n > r->longest)
    fprintf(f, "  %-15s %zu %s, here the %" PRIu32 " that waited longest%s\n", label, n, what, r->longest, whole);
  else
    fprintf(f, "  %-15s all %zu %s, longest wait first\n", label, n, what);
}

static void print_launches(const struct hd_report *r, FILE *f) {
  size_t n;
  const struct hd_launches_row **row = hd_launches_longest(r->launched, &n);
  if (n == 0) return;
  print_head(r, "launches", n, "launches", "; --kernels FILE writes all", f);
  fprintf(f, "    %-24s %-17s %11s %11s %11s %11s %5s %8s\n", "", "stream", "launch", "wait", "first TB", "end", "SMXs",
          "TBs");
  for (size_t k = 0; k < n && k < r->longest; k++) {
    const struct hd_launches_row *l = row[k];
    char launch[40], stream[40];
    fprintf(f, "    %-24s %-17s %11" PRIu64 " %11" PRIu64, launch_name(l, launch),
            stream_name(l->kind, l->stream, stream), l->queued, l->wait);
    put_cycle(f, l->begun != 0, l->dispatched);
    put_cycle(f, l->ended == l->ctas, l->done);
    fprintf(f, " %5" PRIu32 " %8" PRIu32, l->smxs, l->ctas);
    const char *name = name_of(r, l);
    fprintf(f, "%s%s\n", *name != '\0' ? "  " : "", name);
  }
  free(row);
}

static void print_streams(const struct hd_report *r, FILE *f) {
  size_t n;
  struct hd_launches_stream *s = hd_launches_streams(r->launched, &n);
  if (n == 0) return;
  print_head(r, "streams", n, "streams", " on average", f);
  fprintf(f, "    %-24s %17s %11s %11s %32s\n", "", "launches", "mean wait", "largest", "TBs");
  for (size_t k = 0; k < n && k < r->longest; k++) {
    char stream[40];
    fprintf(f, "    %-24s %17" PRIu32 " %11.1f %11" PRIu64 " %32" PRIu64 "\n",
            stream_name(s[k].kind, s[k].stream, stream), s[k].launches, s[k].wait_mean, s[k].wait_max, s[k].ctas);
  }
  free(s);
}

void hd_report_launches(const struct hd_report *r, FILE *f) {
  if (r->launched == NULL || r->longest == 0) return;
  print_streams(r, f);
  print_launches(r, f);
}

static void add_cycle(cJSON *to, const char *key, bool valid, uint64_t cycle) {
  if (valid)
    hd_report_count(to, key, cycle);
  else
    cJSON_AddNullToObject(to, key);
}

static cJSON *new_launch(const struct hd_report *r, const struct hd_launches_row *l) {
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "kind", hd_launches_kind_name(l->kind));
  hd_report_count(o, "kernel", l->kernel);
  hd_report_count(o, "child", l->child);
  hd_report_count(o, "stream", l->stream);
  hd_report_count(o, "queued", l->queued);
  hd_report_count(o, "wait", l->wait);
  add_cycle(o, "dispatched", l->begun != 0, l->dispatched);
  add_cycle(o, "done", l->ended == l->ctas, l->done);
  hd_report_count(o, "smxs", l->smxs);
  hd_report_count(o, "ctas", l->ctas);
  const char *name = name_of(r, l);
  if (*name != '\0') cJSON_AddStringToObject(o, "name", name);
  return o;
}

void hd_report_launches_json(const struct hd_report *r, cJSON *to) {
  if (r->launched == NULL) return;
  size_t n, streams;
  struct hd_launches_stream *s = hd_launches_streams(r->launched, &streams);
  const struct hd_launches_row **row = hd_launches_longest(r->launched, &n);
  cJSON *list = cJSON_AddArrayToObject(to, "streams");
  for (size_t k = 0; k < streams; k++) {
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "kind", hd_launches_kind_name(s[k].kind));
    hd_report_count(o, "stream", s[k].stream);
    hd_report_count(o, "launches", s[k].launches);
    cJSON_AddNumberToObject(o, "wait_mean", s[k].wait_mean);
    hd_report_count(o, "wait_max", s[k].wait_max);
    hd_report_count(o, "ctas", s[k].ctas);
    cJSON_AddItemToArray(list, o);
  }
  list = cJSON_AddArrayToObject(to, "longest");
  for (size_t k = 0; k < n && k < r->longest; k++) cJSON_AddItemToArray(list, new_launch(r, row[k]));
  free(row);
  free(s);
}
