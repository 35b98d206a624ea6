/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Describes the first failure. */
#include <inttypes.h>
#include <string.h>

#include "engine/sim_internal.h"

const char *hd_verdict_name(enum hd_verdict v) {
  static const char *const names[] = {"PASS", "MISMATCH", "CONFIG", "ASSERT", "ORACLE", "STUCK", "LIMIT", "INTERNAL"};
  return (unsigned)v < sizeof names / sizeof *names ? names[v] : "?";
}

/* The structs that contain the first difference. */
static const void *failed_model(const struct hd_sim *s) {
  return s->fail_in == HD_FIELD_OUT ? s->model_out : s->fail_in == HD_FIELD_INNER ? s->model_inner : s->model_arch;
}

static const void *failed_rtl(const struct hd_sim *s) {
  return s->fail_in == HD_FIELD_OUT ? s->rtl_out : s->fail_in == HD_FIELD_INNER ? s->rtl_inner : s->rtl_arch;
}

unsigned hd_sim_differences(struct hd_sim *s, hd_difference *fn, void *ctx, unsigned max) {
  const void *a = failed_model(s), *b = failed_rtl(s);
  unsigned n = 0;
  for (unsigned k = 0; k < s->list.fields && n < max; k++) {
    const struct hd_field *f = &s->list.field[k];
    if ((f->kind == HD_FIELD_TABLE ? HD_FIELD_STATE : f->kind) != s->fail_in) continue;
    for (unsigned j = 0; j < f->subcount; j++)
      for (unsigned i = 0; i < f->count && n < max; i++)
        if (hd_field_get(f, a, i, j) != hd_field_get(f, b, i, j)) {
          fn(s, f, i, j, ctx);
          n++;
        }
  }
  return n;
}

static void keep_first(struct hd_sim *s, const struct hd_field *f, unsigned i, unsigned j, void *ctx) {
  struct hd_failure *r = ctx;
  if (!r->field) {
    r->field = f;
    hd_field_label(f, &s->list, i, j, r->label, sizeof r->label);
    hd_field_value(f, hd_field_get(f, failed_model(s), i, j), r->expected, sizeof r->expected);
    hd_field_value(f, hd_field_get(f, failed_rtl(s), i, j), r->actual, sizeof r->actual);
  }
  size_t at = strlen(r->all), len = strlen(f->name);
  if (at + len + 2 < sizeof r->all && !strstr(r->all, f->name))
    snprintf(r->all + at, sizeof r->all - at, "%s%s", at ? " " : "", f->name);
}

struct hd_failure hd_sim_failure(struct hd_sim *s) {
  struct hd_failure r = {.verdict = s->verdict, .cycle = s->fail_cycle, .in_state = s->fail_in == HD_FIELD_STATE};
  if (s->verdict == HD_MISMATCH) hd_sim_differences(s, keep_first, &r, 64);
  if (s->verdict == HD_ORACLE || s->verdict == HD_STUCK) snprintf(r.label, sizeof r.label, "%s", s->rule);
  return r;
}

static void print_row(struct hd_sim *s, const struct hd_field *f, unsigned i, unsigned j, void *ctx) {
  char label[128], a[64], b[64];
  hd_field_label(f, &s->list, i, j, label, sizeof label);
  hd_field_value(f, hd_field_get(f, failed_model(s), i, j), a, sizeof a);
  hd_field_value(f, hd_field_get(f, failed_rtl(s), i, j), b, sizeof b);
  fprintf((FILE *)ctx, "  %-36s %-20s %s\n", label, b, a);
}

void hd_sim_print_diff(struct hd_sim *s, FILE *f) {
  fprintf(f, "  %-36s %-20s %s\n", s->fail_in == HD_FIELD_STATE ? "state after the edge" : "output", "RTL", "model");
  hd_sim_differences(s, print_row, f, 16);
}
