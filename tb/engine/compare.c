/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The compare of lockstep: outputs, and state group by group. Field names are looked at only when something differs. */
#include <stdlib.h>
#include <string.h>

#include "sim_internal.h"

enum { GAP = 256 };

static void *grown(void *p, size_t bytes) {
  p = realloc(p, bytes);
  if (!p) abort();
  return p;
}

/* Appends a span, or grows the last one over a small gap: the bytes between (elements that this configuration does not
 * use, padding) are 0 on both sides, and one long compare is faster than two short ones. */
static void add_span(struct hd_span_list *l, struct hd_span span) {
  struct hd_span *last = l->n ? &l->span[l->n - 1] : NULL;
  if (last && span.offset >= last->offset + last->bytes && span.offset <= last->offset + last->bytes + GAP) {
    last->bytes = span.offset + span.bytes - last->offset;
    return;
  }
  l->span = grown(l->span, (l->n + 1) * sizeof span);
  l->span[l->n++] = span;
}

static void add_rows(struct hd_state_group *g, struct hd_rows rows) {
  g->rows = grown(g->rows, (g->tables + 1) * sizeof rows);
  g->rows[g->tables++] = rows;
}

/* The compares of a cycle, as flat lists: every output port, those of the blocks inside, and the state items of each
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
      if (p->kind == HD_FIELD_TABLE) add_rows(g, (struct hd_rows){span.offset, p->stride, p->count, 0});
    }
  }
  unsigned tables = 0;
  for (unsigned g = 0; g < s->list.groups; g++) {
    s->group[g].first_table = tables;
    tables += s->group[g].tables;
  }
  s->written = calloc(tables + 1, sizeof *s->written);
  if (!s->written) abort();
}

void hd_compare_free(struct hd_sim *s) {
  for (unsigned g = 0; s->group && g < s->list.groups; g++) {
    free(s->group[g].state.span);
    free(s->group[g].table.span);
    free(s->group[g].rows);
  }
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

/* True if the twin can tell, and tells, that the model's part of the group is as it was; not asked for if `anyhow`. */
static bool raw_same(struct hd_sim *s, unsigned g, bool anyhow) {
  size_t bytes = 0;
  const void *raw = s->twin->raw ? s->twin->raw(s->model, g, &bytes) : NULL;
  if (!bytes || bytes > HD_RAW) return false;
  if (!anyhow && !memcmp(s->group[g].raw, raw, bytes)) return true;
  memcpy(s->group[g].raw, raw, bytes);
  return false;
}

/* The same by the state that the twin shows. What the compare is made for anyhow is not kept then; the next time it is
 * not known. */
static bool arch_same(struct hd_sim *s, struct hd_state_group *grp, bool anyhow) {
  bool known = grp->known;
  grp->known = !anyhow;
  return !anyhow && same_or_copy(&grp->state, s->model_arch, s->last_arch) && known;
}

/* The registers of a group: skipped if neither side changed one of them since the last compare, which found them equal.
 */
static bool registers_differ(struct hd_sim *s, unsigned g, bool everything) {
  struct hd_state_group *grp = &s->group[g];
  unsigned rtl = s->rtl->changed(s->m, g);
  bool anyhow = rtl || everything;
  if (raw_same(s, g, anyhow)) return false;
  s->twin->arch(s->model, g, s->model_arch, false);
  if (arch_same(s, grp, anyhow)) return false;
  s->rtl->get_arch(s->m, g, s->rtl_arch, s->model_arch, everything ? ~0u : rtl, 0);
  return !same(&grp->state, s->model_arch, s->rtl_arch);
}

static bool tables_differ(struct hd_sim *s, unsigned g) {
  s->twin->arch(s->model, g, s->model_arch, true);
  s->rtl->get_arch(s->m, g, s->rtl_arch, s->model_arch, 0, 1);
  return !same(&s->group[g].table, s->model_arch, s->rtl_arch);
}

/* One row of each of a group's tables that has so many. */
static bool row_differs(struct hd_sim *s, unsigned g, unsigned row) {
  s->twin->row(s->model, g, row, s->model_arch);
  s->rtl->get_row(s->m, g, row, s->rtl_arch, s->model_arch);
  bool differs = false;
  for (unsigned k = 0; k < s->group[g].tables; k++) {
    const struct hd_rows *t = &s->group[g].rows[k];
    size_t at = t->offset + row * t->stride;
    if (row < t->count) differs |= memcmp((char *)s->model_arch + at, (char *)s->rtl_arch + at, t->stride) != 0;
  }
  return differs;
}

/* The rows that one side or the other wrote at the edge. */
static bool written_rows_differ(struct hd_sim *s, unsigned g) {
  struct hd_state_group *grp = &s->group[g];
  const struct hd_wrote *wrote = grp->tables ? s->twin->wrote(s->model, g) : NULL;
  bool differs = false;
  for (unsigned k = 0; k < grp->tables; k++) {
    struct hd_rows *t = &grp->rows[k];
    int64_t by_rtl = s->written[grp->first_table + k];
    int64_t by_model = wrote[k].times == t->times ? -1 : (int64_t)wrote[k].row;
    t->times = wrote[k].times;
    if (by_rtl >= 0 && by_rtl < t->count) differs |= row_differs(s, g, (unsigned)by_rtl);
    if (by_model >= 0 && by_model != by_rtl) differs |= row_differs(s, g, (unsigned)by_model);
  }
  return differs;
}

bool hd_compare_state(struct hd_sim *s, bool everything) {
  if (s->rtl->netlist) return false;
  everything |= s->fresh;
  s->fresh = false;
  for (unsigned g = 0; g < s->list.groups; g++) {
    struct hd_state_group *grp = &s->group[g];
    bool rows = grp->tables && written_rows_differ(s, g);
    bool registers = grp->state.n && registers_differ(s, g, everything);
    bool tables = everything && grp->tables && tables_differ(s, g);
    if (rows || registers || tables) return true;
  }
  return false;
}
