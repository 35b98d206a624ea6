/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "engine/wave_model.h"

#include <stdlib.h>
#include <string.h>

#include "engine/sim_internal.h"

/* RAMs with more rows are not recorded; equals Verilator's limit for elements of an array. */
enum { ROWS = 1024, LABEL = 200 };

/* Source of a value. */
struct source {
  const struct hd_field *field;
  unsigned i, j;
};

struct hd_wave_model {
  struct hd_wave_extra extra;
  uint64_t cycle;
  unsigned room;
  struct source *source;
  char **name;
  uint64_t *value;
  void *in, *out, *inner, *arch; /* the model's */
};

static void *zeroed(size_t bytes) {
  void *p = calloc(1, bytes + 64);
  if (!p) abort();
  return p;
}

static void *grown(void *p, size_t bytes) {
  p = realloc(p, bytes);
  if (!p) abort();
  return p;
}

static void add(struct hd_wave_model *b, const char *name, struct source from) {
  if (b->extra.n == b->room) {
    b->room = b->room ? 2 * b->room : 256;
    b->source = grown(b->source, b->room * sizeof *b->source);
    b->name = grown(b->name, b->room * sizeof *b->name);
    b->value = grown(b->value, b->room * sizeof *b->value);
  }
  const unsigned n = b->extra.n++;
  b->name[n] = strdup(name);
  if (!b->name[n]) abort();
  b->value[n] = 0;
  b->source[n] = from;
}

/* All compared fields, except the rows of large RAMs. */
static void add_model(struct hd_wave_model *b, const struct hd_field_list *l) {
  char label[LABEL];
  for (unsigned k = 0; k < l->fields; k++) {
    const struct hd_field *f = &l->field[k];
    if (f->kind == HD_FIELD_IN || !f->width || (f->kind == HD_FIELD_TABLE && f->count > ROWS)) continue;
    for (unsigned j = 0; j < f->subcount; j++)
      for (unsigned i = 0; i < f->count; i++) {
        hd_field_label(f, l, i, j, label, LABEL);
        add(b, label, (struct source){f, i, j});
      }
  }
}

/* Matches the RTL when a step is written: after it settled with the inputs of the cycle, or after the edge. */
static void look(void *ctx) {
  struct hd_sim *s = ctx;
  struct hd_wave_model *b = s->overlaps;
  b->cycle = s->cycle;
  if (!b->extra.n) return;
  s->driver->eval(s->model, b->in, b->out);
  if (s->driver->inner) s->driver->inner(s->model, &s->o.cfg, b->in, b->inner);
  for (unsigned g = 0; g < s->list.groups; g++) s->driver->arch(s->model, g, b->arch, true);
  for (unsigned k = 0; k < b->extra.n; k++) {
    const struct source *from = &b->source[k];
    const enum hd_field_kind kind = from->field->kind;
    const void *base = kind == HD_FIELD_OUT ? b->out : kind == HD_FIELD_INNER ? b->inner : b->arch;
    b->value[k] = hd_field_get(from->field, base, from->i, from->j);
  }
}

void hd_wave_model_open(struct hd_sim *s, const char *fst, bool model) {
  struct hd_wave_model *b = calloc(1, sizeof *b);
  if (!b) abort();
  s->overlaps = b;
  if (model && s->o.engine == HD_ENGINE_BOTH) {
    add_model(b, &s->list);
    b->in = zeroed(s->table->in_size);
    b->out = zeroed(s->table->out_size);
    b->inner = zeroed(s->driver->inner_size);
    b->arch = zeroed(s->table->arch_size);
  }
  b->extra.cycle = &b->cycle;
  b->extra.name = (const char *const *)b->name;
  b->extra.value = b->value;
  b->extra.look = look;
  b->extra.ctx = s;
  s->rtl->wave_model(s->m, &b->extra);
  s->rtl->wave_open(s->m, fst);
}

void hd_wave_model_inputs(struct hd_sim *s, const void *in) {
  if (s->overlaps && s->overlaps->in) memcpy(s->overlaps->in, in, s->table->in_size);
}

void hd_wave_model_close(struct hd_sim *s) {
  struct hd_wave_model *b = s->overlaps;
  if (!b) return;
  s->rtl->wave_close(s->m);
  s->overlaps = NULL;
  for (unsigned k = 0; k < b->extra.n; k++) free(b->name[k]);
  free(b->source);
  free(b->name);
  free(b->value);
  free(b->in);
  free(b->out);
  free(b->inner);
  free(b->arch);
  free(b);
}
