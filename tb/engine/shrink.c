/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "engine/shrink.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/fields.h"
#include "engine/sim_internal.h"

/* How a trial ended. */
struct outcome {
  enum hd_verdict verdict;
  uint64_t fail_at; /* cycle of the failure + 1 */
  bool asserted;    /* an assertion of the RTL failed on the way */
  char field[256];
};

struct shrink {
  struct hd_sim *sim; /* never changes: each trial runs in a forked process */
  struct hd_replay *r;
  struct outcome first;   /* outcome of the original stimulus: its field must still fail */
  struct outcome *shared; /* outcome of a trial, in shared memory */
  double patience;        /* time limit of a trial in seconds, derived from the first run */
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
  f.field = NULL; /* owned by the simulation */
  hd_sim_close(s);
  return f;
}

static void run_trial(struct shrink *k, const unsigned char *in, uint64_t cycles) {
  struct hd_sim *s = k->sim;
  struct outcome *o = k->shared;
  o->fail_at = run(s, in, cycles, k->r->in_size);
  struct hd_failure f = hd_sim_failure(s);
  if (f.field) snprintf(o->field, sizeof o->field, "%s", f.field->name);
  if (!f.in_state) hd_rtl_edge(s); /* assertions check this cycle's inputs at the edge */
  o->asserted = s->rtl->failed(s->m);
  o->verdict = f.verdict;
}

/* Each trial runs in a separate process: shortened inputs may break a precondition of the block, after which the model
 * may do anything. Messages of failed assertions are discarded. */
static struct outcome trial(struct shrink *k, const unsigned char *in, uint64_t cycles) {
  struct itimerval limit = {.it_value = {.tv_sec = (time_t)k->patience}};
  limit.it_value.tv_usec = (suseconds_t)(1e6 * (k->patience - (double)limit.it_value.tv_sec));
  int status = -1;
  k->runs++;
  *k->shared = (struct outcome){.verdict = HD_INTERNAL};
  fflush(NULL);
  pid_t child = fork();
  if (!child) {
    int null = open("/dev/null", O_WRONLY);
    dup2(null, 1);
    dup2(null, 2);
    setitimer(ITIMER_REAL, &limit, NULL); /* a model that hangs ends by the signal */
    run_trial(k, in, cycles);
    _exit(0);
  }
  if (child < 0 || waitpid(child, &status, 0) < 0 || status) return (struct outcome){.verdict = HD_INTERNAL};
  return *k->shared;
}

/* Returns true if the same field fails, and not only because the inputs now break a rule, as assertions show. */
static bool still_fails(struct shrink *k, const unsigned char *in, uint64_t cycles, uint64_t *fail_at) {
  struct outcome o = trial(k, in, cycles);
  *fail_at = o.fail_at;
  return o.verdict == HD_MISMATCH && !strcmp(o.field, k->first.field) && (!o.asserted || k->first.asserted);
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

/* Sets one input to 0 over a range of cycles; keeps the change if the failure remains. */
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

static void shorten(struct shrink *k) {
  struct hd_replay *r = k->r;
  char err[256];
  uint64_t was = r->cycles;
  unsigned char *original = malloc(was * r->in_size + 1);
  if (!original) abort();
  memcpy(original, r->in, was * r->in_size);
  r->cycles = k->first.fail_at;
  drop_cycles(k);
  quiet_ports(k, false);
  drop_cycles(k);
  if (r->cycles <= 64) quiet_ports(k, true);
  if (hd_replay_run(r, err, sizeof err).verdict != HD_MISMATCH) {
    memcpy(r->in, original, was * r->in_size);
    r->cycles = was;
  }
  free(original);
}

unsigned hd_shrink(struct hd_replay *r, double seconds) {
  char err[256];
  struct shrink k = {.sim = open_for(r, err, sizeof err), .r = r, .deadline = now() + seconds};
  if (!k.sim) return 0;
  k.shared = mmap(NULL, sizeof *k.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (k.shared == MAP_FAILED) abort();
  double start = now();
  k.first = trial(&k, r->in, r->cycles);
  k.patience = 0.1 + 10 * (now() - start);
  if (k.first.verdict == HD_MISMATCH) shorten(&k);
  munmap(k.shared, sizeof *k.shared);
  hd_sim_close(k.sim);
  return k.runs;
}
