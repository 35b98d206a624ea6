/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "shrink.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fields.h"

struct shrink {
  struct hd_sim *sim;
  struct hd_replay *r;
  char field[256]; /* the field that must go on failing */
  double deadline;
  unsigned runs;
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct hd_sim *open_for(const struct hd_replay *r, char *err, size_t err_size) {
  struct hd_sim_opts o = {.block = r->block, .cfg = r->cfg, .seed = r->seed, .fault = r->fault};
  if (r->variant[0]) o.variant = r->variant;
  return hd_sim_open(&o, err, err_size);
}

/* Runs the inputs; returns the cycle of the failure + 1, or 0 if there was none. */
static uint64_t run(struct hd_sim *s, const unsigned char *in, uint64_t cycles, size_t size) {
  const void *out;
  for (uint64_t c = 0; c < cycles; c++)
    if (hd_sim_cycle(s, in + c * size, &out)) return c + 1;
  return hd_sim_finish(s) ? cycles : 0;
}

struct hd_failure hd_replay_run(const struct hd_replay *r, char *err, size_t err_size) {
  struct hd_sim *s = open_for(r, err, err_size);
  struct hd_failure f = {.verdict = HD_CONFIG};
  if (!s) return f;
  run(s, r->in, r->cycles, r->in_size);
  f = hd_sim_failure(s);
  f.field = NULL; /* it lives in the simulation */
  hd_sim_close(s);
  return f;
}

static bool still_fails(struct shrink *k, const unsigned char *in, uint64_t cycles, uint64_t *fail_at) {
  k->runs++;
  hd_sim_restart(k->sim);
  *fail_at = run(k->sim, in, cycles, k->r->in_size);
  struct hd_failure f = hd_sim_failure(k->sim);
  return *fail_at && f.verdict == HD_MISMATCH && f.field && !strcmp(f.field->name, k->field);
}

static void drop_cycles(struct shrink *k) {
  struct hd_replay *r = k->r;
  size_t size = r->in_size;
  unsigned char *trial = malloc(r->cycles * size + 1);
  if (!trial) abort();
  for (uint64_t chunk = r->cycles / 2; chunk; chunk /= 2) {
    for (uint64_t at = 0; at < r->cycles && now() < k->deadline;) {
      uint64_t n = at + chunk < r->cycles ? chunk : r->cycles - at, fail_at;
      memcpy(trial, r->in, at * size);
      memcpy(trial + at * size, r->in + (at + n) * size, (r->cycles - at - n) * size);
      if (r->cycles > n && still_fails(k, trial, r->cycles - n, &fail_at)) {
        memcpy(r->in, trial, fail_at * size);
        r->cycles = fail_at;
      } else {
        at += n;
      }
    }
  }
  free(trial);
}

/* Sets one input to 0 over a range of cycles, and keeps that if the failure stays. */
static void quiet(struct shrink *k, const struct hd_field *f, uint64_t from, uint64_t to) {
  struct hd_replay *r = k->r;
  size_t size = r->in_size;
  unsigned char *trial = malloc(r->cycles * size);
  bool changed = false;
  uint64_t fail_at;
  if (!trial) abort();
  memcpy(trial, r->in, r->cycles * size);
  for (uint64_t c = from; c < to; c++)
    for (unsigned i = 0; i < f->count; i++) {
      changed |= hd_field_get(f, trial + c * size, i, 0) != 0;
      hd_field_set(f, trial + c * size, i, 0, 0);
    }
  if (changed && still_fails(k, trial, r->cycles, &fail_at)) {
    memcpy(r->in, trial, fail_at * size);
    r->cycles = fail_at;
  }
  free(trial);
}

static void quiet_ports(struct shrink *k, bool single) {
  struct hd_field_list l = {0};
  hd_field_table_find(k->r->block)->fill(&k->r->cfg, &l);
  for (unsigned i = 0; i < l.fields && now() < k->deadline; i++) {
    if (l.field[i].kind != HD_FIELD_IN) continue;
    if (!single) quiet(k, &l.field[i], 0, k->r->cycles);
    for (uint64_t c = 0; single && c < k->r->cycles && now() < k->deadline; c++) quiet(k, &l.field[i], c, c + 1);
  }
  hd_field_list_free(&l);
}

unsigned hd_shrink(struct hd_replay *r, double seconds) {
  char err[256];
  struct shrink k = {.sim = open_for(r, err, sizeof err), .r = r, .deadline = now() + seconds};
  if (!k.sim) return 0;
  uint64_t fail_at = run(k.sim, r->in, r->cycles, r->in_size), was = r->cycles;
  struct hd_failure f = hd_sim_failure(k.sim);
  unsigned char *original = malloc(r->cycles * r->in_size + 1);
  if (!original) abort();
  memcpy(original, r->in, r->cycles * r->in_size);
  if (fail_at && f.verdict == HD_MISMATCH && f.field) {
    snprintf(k.field, sizeof k.field, "%s", f.field->name);
    r->cycles = fail_at;
    drop_cycles(&k);
    quiet_ports(&k, false);
    drop_cycles(&k);
    if (r->cycles <= 64) quiet_ports(&k, true);
    f = hd_replay_run(r, err, sizeof err);
    if (f.verdict != HD_MISMATCH) {
      memcpy(r->in, original, was * r->in_size);
      r->cycles = was;
    }
  }
  free(original);
  hd_sim_close(k.sim);
  return k.runs;
}
