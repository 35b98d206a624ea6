/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The compare of lockstep: outputs, and state group by group. Field names are used only after a difference. */
#include <stdlib.h>
#include <string.h>

#include "engine/sim_internal.h"

enum { GAP = 256 };

static void *grown(void *p, size_t bytes) {
  p = realloc(p, bytes);
  if (!p) abort();
  return p;
}

/* Appends a span, or extends the last one over a small gap: the bytes between (padding, elements unused in this
 * configuration) are 0 on both sides. sim speed: one long compare is faster than two short ones. */
static void add_span(struct hd_span_list *l, struct hd_span span) {
  struct hd_span *last = l->n ? &l->span[l->n - 1] : NULL;
  if (last && span.offset >= last->offset + last->bytes && span.offset <= last->offset + last->bytes + GAP) {
    last->bytes = span.offset + span.bytes - last->offset;
    return;
  }
  l->span = grown(l->span, (l->n + 1) * sizeof span);
  l->span[l->n++] = span;
}

static int by_group(const void *a_, const void *b_) {
  const struct hd_rows *a = a_, *b = b_;
  return a->group != b->group ? (a->group > b->group) - (a->group < b->group)
                              : (a->offset > b->offset) - (a->offset < b->offset);
}

/* Sorts the tables so that those of each group are contiguous, in the order of the CSV. */
static void plan_tables(struct hd_sim *s) {
  if (s->tables) qsort(s->rows, s->tables, sizeof *s->rows, by_group);
  for (unsigned t = 0; t < s->tables; t++) {
    struct hd_state_group *g = &s->group[s->rows[t].group];
    if (!g->tables) g->first_table = t;
    s->rows[t].wrote = &s->driver->wrote(s->model, s->rows[t].group)[g->tables++];
  }
  s->written = calloc(s->tables + 1, sizeof *s->written);
  if (!s->written) abort();
}

static void plan_raw(struct hd_sim *s, unsigned group) {
  struct hd_state_group *g = &s->group[group];
  if (s->driver->raw) g->raw_now = s->driver->raw(s->model, group, &g->raw_bytes);
  if (!g->raw_now || !g->raw_bytes) return;
  g->raw = calloc(1, g->raw_bytes);
  if (!g->raw) abort();
}

/* The compares of a cycle, as flat lists: every output port, those of inner blocks, and the state items of each
 * group. */
void hd_compare_plan(struct hd_sim *s) {
  s->group = calloc(s->list.groups, sizeof *s->group);
  if (!s->group) abort();
  for (unsigned k = 0; k < s->list.ports; k++) {
    const struct hd_port *p = &s->list.port[k];
    if (p->kind == HD_FIELD_IN) continue;
    for (unsigned j = 0; j < p->subcount; j++) {
      struct hd_span span = {p->offset + j * p->substride, p->count * p->stride};
      struct hd_state_group *g = &s->group[p->group + j];
      struct hd_span_list *const list[] = {[HD_FIELD_OUT] = &s->outs,
                                           [HD_FIELD_STATE] = &g->state,
                                           [HD_FIELD_TABLE] = &g->table,
                                           [HD_FIELD_INNER] = &s->inner};
      add_span(list[p->kind], span);
      if (p->kind != HD_FIELD_TABLE) continue;
      s->rows = grown(s->rows, (s->tables + 1) * sizeof *s->rows);
      s->rows[s->tables++] = (struct hd_rows){NULL, 0, p->group + j, p->count, span.offset, p->stride};
    }
  }
  plan_tables(s);
  for (unsigned g = 0; g < s->list.groups; g++) plan_raw(s, g);
}

void hd_compare_free(struct hd_sim *s) {
  for (unsigned g = 0; s->group && g < s->list.groups; g++) {
    free(s->group[g].state.span);
    free(s->group[g].table.span);
    free(s->group[g].raw);
  }
  free(s->rows);
  free(s->outs.span);
  free(s->inner.span);
  free(s->group);
  free(s->written);
}

static bool same(const struct hd_span_list *l, const void *a, const void *b) {
  for (unsigned k = 0; k < l->n; k++)
    if (memcmp((const char *)a + l->span[k].offset, (const char *)b + l->span[k].offset, l->span[k].bytes))
      return false;
  return true;
}

bool hd_compare_outputs(const struct hd_sim *s) {
  return !same(&s->outs, s->model_out, s->rtl_out);
}

bool hd_compare_inner(struct hd_sim *s) {
  if (s->rtl->netlist) return false;
  s->rtl->get_inner(s->m, s->rtl_inner);
  return !same(&s->inner, s->model_inner, s->rtl_inner);
}

static bool same_or_copy(const struct hd_span_list *l, const void *now, void *before) {
  bool same = true;
  for (unsigned k = 0; k < l->n; k++) {
    const struct hd_span *p = &l->span[k];
    if (!memcmp((const char *)now + p->offset, (char *)before + p->offset, p->bytes)) continue;
    memcpy((char *)before + p->offset, (const char *)now + p->offset, p->bytes);
    same = false;
  }
  return same;
}

/* Returns true if the model's part of the group is known to be unchanged; not checked if `forced`. */
static bool raw_same(struct hd_state_group *g, bool forced) {
  if (!g->raw) return false;
  if (!forced && !memcmp(g->raw, g->raw_now, g->raw_bytes)) return true;
  memcpy(g->raw, g->raw_now, g->raw_bytes);
  return false;
}

/* The same, from the raw state of the driver. If the compare is forced, the state is not saved, and is unknown at the
 * next call. */
static bool arch_same(struct hd_sim *s, struct hd_state_group *grp, bool forced) {
  bool known = grp->known;
  grp->known = !forced;
  return !forced && same_or_copy(&grp->state, s->model_arch, s->last_arch) && known;
}

/* The registers of a group: skipped if neither side changed one of them since the last compare, which found them equal.
 */
static bool registers_differ(struct hd_sim *s, unsigned g, bool everything) {
  struct hd_state_group *grp = &s->group[g];
  unsigned rtl = s->rtl->changed(s->m, g);
  bool forced = rtl || everything;
  if (raw_same(grp, forced)) return false;
  s->driver->arch(s->model, g, s->model_arch, false);
  if (arch_same(s, grp, forced)) return false;
  s->rtl->get_arch(s->m, g, s->rtl_arch, s->model_arch, everything ? ~0u : rtl, 0);
  return !same(&grp->state, s->model_arch, s->rtl_arch);
}

/* Compares every row of a group's tables. Rows that the driver does not set read as 0; otherwise they would keep the
 * values of the last compare. */
static bool tables_differ(struct hd_sim *s, unsigned g) {
  const struct hd_span_list *l = &s->group[g].table;
  for (unsigned k = 0; k < l->n; k++) memset((char *)s->model_arch + l->span[k].offset, 0, l->span[k].bytes);
  s->driver->arch(s->model, g, s->model_arch, true);
  s->rtl->get_arch(s->m, g, s->rtl_arch, s->model_arch, 0, 1);
  return !same(&s->group[g].table, s->model_arch, s->rtl_arch);
}

/* Compares one row of each table of a group that has it. */
static bool row_differs(struct hd_sim *s, unsigned g, unsigned row) {
  s->driver->row(s->model, g, row, s->model_arch);
  s->rtl->get_row(s->m, g, row, s->rtl_arch, s->model_arch);
  bool differs = false;
  for (unsigned k = 0; k < s->group[g].tables; k++) {
    const struct hd_rows *t = &s->rows[s->group[g].first_table + k];
    size_t at = t->offset + row * t->stride;
    if (row < t->count) differs |= memcmp((char *)s->model_arch + at, (char *)s->rtl_arch + at, t->stride) != 0;
  }
  return differs;
}

/* Compares the rows that either side wrote at the edge. */
static bool written_rows_differ(struct hd_sim *s) {
  bool differs = false;
  for (unsigned k = 0; k < s->tables; k++) {
    struct hd_rows *t = &s->rows[k];
    int32_t by_rtl = s->written[k];
    bool by_model = t->wrote->times != t->times;
    if (by_rtl < 0 && !by_model) continue;
    t->times = t->wrote->times;
    if (by_rtl >= 0 && (uint32_t)by_rtl < t->count) differs |= row_differs(s, t->group, (unsigned)by_rtl);
    if (by_model && (int64_t)t->wrote->row != by_rtl) differs |= row_differs(s, t->group, t->wrote->row);
  }
  return differs;
}

bool hd_compare_state(struct hd_sim *s, bool everything) {
  if (s->rtl->netlist) return false;
  everything |= s->after_reset;
  s->after_reset = false;
  if (written_rows_differ(s)) return true;
  for (unsigned g = 0; g < s->list.groups; g++) {
    const struct hd_state_group *grp = &s->group[g];
    bool registers = grp->state.n && registers_differ(s, g, everything);
    bool tables = everything && grp->tables && tables_differ(s, g);
    if (registers || tables) return true;
  }
  return false;
}
