/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "engine/equiv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/block_driver.h"
#include "engine/outfile.h"
#include "engine/save_failure.h"
#include "engine/sim_internal.h"
#include "engine/vectors.h"

/* Used in alternation (MIXED): free running, idle source, stalled sink, everything random, illegal clients, full load.
 * Only by name:
 * - overflow: a plane with slow memory, whose launches are mostly groups of one AGE
 * - failing: the same launches, and a fast memory that answers with errors
 * - regions: a plane whose regions are rewritten at any time
 * - parents: a plane whose TBs wait for the kernels that they launch
 * - large: dgb with a graph of 65528 nodes, without a reset */
static const struct hd_profile profiles[] = {
    {"free", 230, 256, 2},    {"idle_source", 20, 256, 2}, {"stall_sink", 230, 40, 2}, {"random", 128, 128, 16},
    {"bad", 180, 180, 90},    {"full", 256, 256, 0},       {"overflow", 230, 230, 0},  {"failing", 230, 230, 0},
    {"regions", 180, 180, 2}, {"parents", 230, 230, 0},    {"large", 256, 256, 0}};
enum { MIXED = 6 };

/* Limits of a drain in cycles: MAY for clients that broke their contract, whose work may never end; MUST for others. */
enum { MAY_DRAIN = 60000, MUST_DRAIN = 600000 };

static const struct hd_profile *profile_named(const char *name) {
  for (unsigned k = 0; k < sizeof profiles / sizeof *profiles; k++)
    if (!strcmp(profiles[k].name, name)) return &profiles[k];
  return NULL;
}

uint64_t hd_seed(uint64_t fallback) {
  const char *e = getenv("HD_SEED");
  return e && *e ? strtoull(e, NULL, 0) : fallback;
}

struct equiv {
  const struct hd_equiv_opts *o;
  struct hd_sim *sim;
  const struct hd_block_driver *driver;
  struct hd_rng rng;
  void *stim, *in, *now, *zero;
  const void *out; /* of the previous cycle; all 0 after reset */
  const struct hd_profile *profile;
  enum hd_drain drains; /* the drain before the next reset */
  uint64_t next_profile, next_reset;
  struct hd_vectors *vectors; /* or NULL */
  struct hd_equiv_result r;
};

static void change_profile(struct equiv *e) {
  if (e->o->profile)
    e->profile = profile_named(e->o->profile);
  else
    e->profile = e->drains ? profile_named("full") : &profiles[hd_rng_below(&e->rng, MIXED)]; /* shortens the drain */
  e->next_profile = hd_sim_cycles(e->sim) + 100 + hd_rng_below(&e->rng, 1500);
}

/* Starts an episode after a reset or a drain; drained: all earlier work has completed. */
static void begin_episode(struct equiv *e, bool drained) {
  e->next_reset = hd_sim_cycles(e->sim) + 500 + hd_rng_below(&e->rng, 20000);
  e->r.drains += drained;
  e->drains = HD_DRAIN_NONE;
}

static void reset(struct equiv *e) {
  unsigned cycles = 1 + hd_rng_below(&e->rng, 3);
  bool drained = e->drains && hd_sim_over(e->sim);
  hd_sim_reset(e->sim, cycles);
  if (e->vectors) hd_vectors_reset(e->vectors, cycles);
  memset(e->in, 0, e->sim->table->in_size);
  e->out = e->zero;
  e->driver->stim_reset(e->stim);
  begin_episode(e, drained);
  e->r.resets++;
}

/* After a drain, resets the block or continues without a reset, which would reveal leftover state. */
static void end_episode(struct equiv *e) {
  bool drained = e->drains && hd_sim_over(e->sim);
  if (!drained || !e->driver->again || hd_rng_p(&e->rng, 128)) {
    reset(e);
    return;
  }
  e->driver->again(e->stim);
  begin_episode(e, true);
}

/* Returns true if a reset is due and work in flight has completed, where the environment supports a drain. */
static bool episode_is_over(struct equiv *e) {
  if (e->o->no_reset || !strcmp(e->profile->name, "large") || hd_sim_cycles(e->sim) < e->next_reset) return false;
  if (!e->drains && e->driver->drain) e->drains = e->driver->drain(e->stim);
  if (!e->drains || hd_sim_over(e->sim)) return true;
  const uint64_t drained = hd_sim_cycles(e->sim) - e->next_reset;
  if (e->drains == HD_DRAIN_MUST && drained > MUST_DRAIN) hd_sim_stuck(e->sim, "a drain does not end");
  return e->drains == HD_DRAIN_MAY && drained > MAY_DRAIN;
}

static bool stopped(const struct equiv *e) {
  return e->o->stop != NULL && *e->o->stop != 0;
}

static void run(struct equiv *e) {
  bool tty = e->o->progress && isatty(2);
  while (hd_sim_cycles(e->sim) < e->o->cycles && !stopped(e)) {
    uint64_t c = hd_sim_cycles(e->sim);
    if (c >= e->next_profile) change_profile(e);
    if (episode_is_over(e)) end_episode(e);
    hd_sim_now(e->sim, e->in, e->now);
    e->driver->drive(e->stim, &e->rng, e->profile, e->out, e->now, e->in);
    if (hd_sim_cycle(e->sim, e->in, &e->out)) break;
    if (e->vectors) hd_vectors_cycle(e->vectors, e->in, e->out);
    e->driver->cover(e->stim, e->in, e->out, e->r.hits);
    if (e->driver->cover_oracle && e->sim->oracle) e->driver->cover_oracle(e->sim->oracle, e->r.hits);
    if (tty && c % 65536 == 0)
      fprintf(stderr, "\r%s %s: %3.0f %%", e->o->block, e->o->cfg.name, 100.0 * (double)c / (double)e->o->cycles);
  }
  if (tty) fprintf(stderr, "\r\033[K");
}

/* Verilator writes to a named file and reports no errors, so it writes to a file in memory, which is then copied. */
static bool write_coverage(struct equiv *e) {
  char name[40];
  uint8_t part[4096];
  struct hd_out out = {0};
  const int fd = memfd_create("coverage", 0);
  if (fd < 0) {
    snprintf(e->r.error, sizeof e->r.error, "coverage: %s", strerror(errno));
    return false;
  }
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  bool ok = e->sim->rtl->coverage(e->sim->m, name);
  if (!ok) snprintf(e->r.error, sizeof e->r.error, "this build has no coverage counters");
  ok = ok && hd_out_open(&out, e->o->coverage, e->r.error, sizeof e->r.error);
  for (ssize_t n; ok && (n = read(fd, part, sizeof part)) > 0;) fwrite(part, 1, (size_t)n, out.f);
  close(fd);
  return ok && hd_out_commit(&out, e->r.error, sizeof e->r.error);
}

struct hd_equiv_result hd_equiv(const struct hd_equiv_opts *o) {
  struct equiv e = {.o = o, .rng = {o->seed}, .r = {.verdict = HD_CONFIG}};
  struct hd_sim_opts so = {.block = o->block,
                           .variant = o->variant,
                           .engine = o->engine,
                           .oracle = true,
                           .cfg = o->cfg,
                           .seed = o->init_seed ? o->init_seed : o->seed,
                           .test = o->test,
                           .wave = o->wave,
                           .fault = o->fault,
                           .record = o->out_dir != NULL};
  if (o->profile && !profile_named(o->profile)) {
    int n = snprintf(e.r.error, sizeof e.r.error, "no profile '%s'; there are:", o->profile);
    for (unsigned k = 0; k < sizeof profiles / sizeof *profiles && n < (int)sizeof e.r.error; k++)
      n += snprintf(e.r.error + n, sizeof e.r.error - (size_t)n, " %s", profiles[k].name);
    return e.r;
  }
  e.sim = hd_sim_open(&so, e.r.error, sizeof e.r.error);
  if (!e.sim) return e.r;
  if (o->vectors && !(e.vectors = hd_vectors_open(o->vectors, &e.sim->list, e.r.error, sizeof e.r.error))) {
    hd_sim_close(e.sim);
    return e.r;
  }
  e.driver = e.sim->driver;
  e.stim = calloc(1, e.driver->stim_size + 64);
  e.in = calloc(1, e.sim->table->in_size + 64);
  e.now = calloc(1, e.sim->table->out_size + 64);
  e.out = e.zero = calloc(1, e.sim->table->out_size + 64);
  if (!e.stim || !e.in || !e.now || !e.zero) abort();
  e.driver->stim_init(e.stim, &o->cfg, &e.rng);
  change_profile(&e);
  e.next_reset = 500 + hd_rng_below(&e.rng, 20000);
  run(&e);
  e.r.verdict = hd_sim_finish(e.sim);
  if (e.vectors && !hd_vectors_close(e.vectors, !e.r.verdict, e.r.error, sizeof e.r.error)) e.r.verdict = HD_CONFIG;
  e.r.failure = hd_sim_failure(e.sim);
  e.r.cycles = hd_sim_compared(e.sim);
  e.r.events = e.r.hits[0];
  e.r.covers = e.driver->covers;
  for (unsigned k = 0; e.driver->covers[k]; k++) {
    e.r.covers_total++;
    e.r.covers_hit += e.r.hits[k] != 0;
  }
  if (!e.r.verdict && stopped(&e)) e.r.verdict = HD_LIMIT;
  if (e.r.failure.verdict && o->out_dir)
    hd_save_failure(e.sim, o->out_dir, o->shrink, o->report, e.r.replay, sizeof e.r.replay);
  if (o->coverage && !write_coverage(&e)) {
    if (!e.r.verdict || e.r.verdict == HD_LIMIT)
      e.r.verdict = HD_CONFIG;
    else
      fprintf(stderr, "heddle: %s\n", e.r.error);
  }
  e.r.failure.field = NULL;
  if (e.driver->stim_free) e.driver->stim_free(e.stim);
  free(e.stim);
  free(e.in);
  free(e.now);
  free(e.zero);
  hd_sim_close(e.sim);
  return e.r;
}
