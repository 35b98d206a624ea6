/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "engine/diagnose.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/fields.h"
#include "engine/objects.h"
#include "engine/sim_internal.h"
#include "engine/view.h"
#include "engine/wave_model.h"

enum { HISTORY = 32, WINDOW = 400 };

/* The last cycles of a run, as copies of their inputs and outputs. */
struct history {
  unsigned char *in[HISTORY], *out[HISTORY];
  uint64_t cycles;
};

void hd_data_dir(char *buf, size_t size) {
  char dir[400];
  hd_build_dir(dir, sizeof dir);
  snprintf(buf, size, "%s/../tb", dir);
  if (access(buf, R_OK)) snprintf(buf, size, "%s/../../share/heddle", dir);
}

struct differing {
  struct hd_differs item[16];
  unsigned n;
};

static void note_difference(struct hd_sim *s, const struct hd_field *f, unsigned i, unsigned j, void *ctx) {
  struct differing *all = ctx;
  struct hd_differs *d = &all->item[all->n++];
  struct hd_field whole = *f;
  whole.count = 1;
  d->width = f->width;
  hd_field_label(f, &s->list, i, j, d->label, sizeof d->label);
  hd_field_label(&whole, &s->list, 0, j, d->whole, sizeof d->whole);
}

/* The view of the failing cycle and recorded cycles before it; differing fields come first. */
static bool write_view(struct hd_sim *s, const struct hd_replay *r, const char *fst, uint64_t cycle) {
  enum { BEFORE = 20, AFTER = 3 };
  struct differing d = {.n = 0};
  struct hd_window whole, w = hd_window_cycles(cycle > BEFORE ? cycle - BEFORE : 0, cycle + AFTER);
  char err[700];
  if (s->verdict == HD_MISMATCH) hd_sim_differences(s, note_difference, &d, sizeof d.item / sizeof *d.item);
  w.differs = d.item;
  w.n = d.n;
  w.mark = hd_window_edge(cycle);
  if (hd_window_whole(fst, &whole, err, sizeof err) && w.from < whole.from) w.from = whole.from;
  return hd_view_of_wave("heddle", r->block, r->cfg.name, fst, &w);
}

static void print_payload(FILE *f, struct hd_field_list *l, const char *stream, size_t n, unsigned i, const void *in,
                          const void *out) {
  unsigned shown = 0;
  for (unsigned k = 0; k < l->fields; k++) {
    const struct hd_field *d = &l->field[k];
    if (d->kind > HD_FIELD_OUT || strncmp(d->name, stream, n) || i >= d->count) continue;
    const char *rest = d->name + n;
    if (!strcmp(rest, "_valid") || !strcmp(rest, "_ready") || (*rest && *rest != '.' && *rest != '_')) continue;
    uint64_t v = hd_field_get(d, d->kind == HD_FIELD_IN ? in : out, i, 0);
    if (!v || shown++ >= 8) continue;
    char text[64];
    hd_field_value(d, v, text, sizeof text);
    fprintf(f, " %s=%s", *rest ? rest + 1 : d->name, text);
  }
}

/* Prints one line per stream X (ports X_valid and, if it exists, X_ready) with a transfer in that cycle. */
static void print_transfers(FILE *f, struct hd_field_list *l, uint64_t cycle, const void *in, const void *out,
                            bool last) {
  for (unsigned k = 0; k < l->fields; k++) {
    const struct hd_field *v = &l->field[k];
    size_t n = strlen(v->name);
    if (v->kind > HD_FIELD_OUT || n < 7 || strcmp(v->name + n - 6, "_valid")) continue;
    char ready[160];
    snprintf(ready, sizeof ready, "%.*s_ready", (int)(n - 6), v->name);
    enum hd_field_kind other = v->kind == HD_FIELD_IN ? HD_FIELD_OUT : HD_FIELD_IN;
    const struct hd_field *r = hd_field_find(l, other, ready);
    if (!r) r = hd_field_find(l, v->kind, ready);
    for (unsigned i = 0; i < v->count; i++) {
      if (!hd_field_get(v, v->kind == HD_FIELD_IN ? in : out, i, 0)) continue;
      bool taken = !r || hd_field_get(r, r->kind == HD_FIELD_IN ? in : out, r->count > 1 ? i : 0, 0);
      fprintf(f, "%s %8" PRIu64 "  %.*s", last ? "->" : "  ", cycle, (int)(n - 6), v->name);
      if (v->count > 1) fprintf(f, "[%u]", i);
      fputs(taken ? "" : " (waits)", f);
      print_payload(f, l, v->name, n - 6, i, in, out);
      fputc('\n', f);
    }
  }
}

static void print_inputs(FILE *f, struct hd_field_list *l, const void *in) {
  char label[160], text[64];
  unsigned n = 0;
  for (unsigned k = 0; k < l->fields; k++) {
    const struct hd_field *d = &l->field[k];
    if (d->kind != HD_FIELD_IN) continue;
    for (unsigned i = 0; i < d->count; i++) {
      uint64_t v = hd_field_get(d, in, i, 0);
      if (!v || n++ >= 24) continue;
      hd_field_label(d, l, i, 0, label, sizeof label);
      hd_field_value(d, v, text, sizeof text);
      fprintf(f, "%s%s=%s", n == 1 ? "  " : " ", label, text);
    }
  }
  fputs(n ? "\n" : "  all 0\n", f);
}

static enum hd_verdict run_again(struct hd_sim *s, const struct hd_replay *r, struct history *h, const char *fst) {
  const void *out;
  enum hd_verdict v = HD_PASS;
  for (uint64_t c = 0; c < r->cycles && !v; c++) {
    const unsigned char *in = r->in + c * r->in_size;
    if (fst && c + WINDOW == (r->cycles > WINDOW ? r->cycles : WINDOW)) hd_wave_model_open(s, fst, true);
    v = hd_sim_cycle(s, in, &out);
    memcpy(h->in[c % HISTORY], in, s->table->in_size);
    memcpy(h->out[c % HISTORY], out, s->table->out_size);
    h->cycles = c + 1;
  }
  if (!v) v = hd_sim_finish(s);
  if (fst) hd_sim_run_on(s, 5);
  hd_wave_model_close(s);
  return v;
}

static void print_failure(struct hd_sim *s, const struct hd_replay *r, const struct hd_failure *d, FILE *f) {
  fprintf(f, "%s %s cycle %" PRIu64 " seed 0x%" PRIx64 " config %s test %s\n", hd_verdict_name(d->verdict), r->block,
          d->cycle, r->seed, r->config, r->test[0] ? r->test : "-");
  if (d->verdict == HD_MISMATCH) {
    fprintf(f, "RTL shows %s = %s, the model %s%s.\n\n", d->label, d->actual, d->expected,
            d->in_state ? ", in the state after this cycle's edge" : "");
    hd_sim_print_diff(s, f);
  } else if (d->verdict == HD_ORACLE) {
    fprintf(f, "Both sides agree, but break a rule: %s\n", d->label);
  } else if (d->verdict == HD_STUCK) {
    fprintf(f, "Both sides agree, but make no progress: %s\n", d->label);
  } else if (d->verdict == HD_ASSERT) {
    fprintf(f, "An assertion of the RTL failed; the simulator's message above names it.\n");
  }
}

enum hd_verdict hd_diagnose(const struct hd_replay *r, const char *path, bool wave, FILE *f) {
  char err[256], fst[600];
  struct hd_sim_opts o = {.block = r->block, .cfg = r->cfg, .seed = r->seed, .fault = r->fault};
  if (r->variant[0]) o.variant = r->variant;
  o.waves = wave;
  struct hd_sim *s = hd_sim_open(&o, err, sizeof err);
  if (!s) {
    fprintf(stderr, "heddle: %s\n", err);
    return HD_CONFIG;
  }
  struct history h = {0};
  for (unsigned k = 0; k < HISTORY; k++) {
    h.in[k] = calloc(1, s->table->in_size);
    h.out[k] = calloc(1, s->table->out_size);
    if (!h.in[k] || !h.out[k]) abort();
  }
  snprintf(fst, sizeof fst, "%s.fst", path);
  enum hd_verdict v = run_again(s, r, &h, wave ? fst : NULL);
  struct hd_failure d = hd_sim_failure(s);
  if (v) print_failure(s, r, &d, f);
  if (v && h.cycles) {
    fprintf(f, "\ninputs of this cycle:\n");
    print_inputs(f, &s->list, h.in[(h.cycles - 1) % HISTORY]);
    fprintf(f, "\nlast transfers:\n");
    for (uint64_t c = h.cycles > HISTORY ? h.cycles - HISTORY : 0; c < h.cycles; c++)
      print_transfers(f, &s->list, c, h.in[c % HISTORY], h.out[c % HISTORY], c + 1 == h.cycles);
    fprintf(f, "\nrun it again: heddle replay %s\n", path);
  }
  if (!v && wave && hd_view_of_wave("heddle", r->block, r->cfg.name, fst, NULL)) fprintf(f, "waveform: %s\n", fst);
  if (v && wave && write_view(s, r, fst, d.cycle)) fprintf(f, "look at it:   heddle wave %s\n", fst);
  for (unsigned k = 0; k < HISTORY; k++) {
    free(h.in[k]);
    free(h.out[k]);
  }
  hd_sim_close(s);
  return v;
}
