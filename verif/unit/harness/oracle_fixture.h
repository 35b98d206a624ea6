/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the oracle tests: a block's oracle over the golden model in its random environment, unmodified or with the
 * outputs of one cycle changed without the model's knowledge. */
#ifndef HD_ORACLE_FIXTURE_H
#define HD_ORACLE_FIXTURE_H

#include "engine/block_driver.h"
#include "unit/util.h"

/* Changes the outputs if this cycle offers an opportunity; returns whether it did. */
typedef bool breach(const void *in, void *out);

enum { FIXTURE_PORTS = 1 << 20 }; /* bytes; exceeds the ports of any block */

struct run {
  const struct hd_block_driver *driver;
  struct hd_rng rng;
  void *model, *stim, *oracle, *in, *out, *now;
};

static struct hd_profile profile = {"busy", 200, 200, 10}; /* .bad from 12 on: includes errors of the memory */
static struct hd_cfg cfg;
static struct { unsigned model, oracle; } fair; /* FairEvery of the model and of the oracle */

static inline void *zeroed(size_t size) {
  void *p = calloc(1, size);
  assert_non_null(p);
  return p;
}

static inline void begin(struct run *r, const char *block, uint64_t seed) {
  *r = (struct run){.driver = hd_block_driver_find(block), .rng = {seed}};
  cfg = ut_cfg_with("tiny", "FairEvery", fair.model);
  const struct hd_cfg reported = ut_cfg_but(cfg, "FairEvery", fair.oracle);
  r->model = zeroed(r->driver->size(&cfg));
  r->stim = zeroed(r->driver->stim_size);
  r->oracle = zeroed(r->driver->oracle_size(&cfg));
  r->in = zeroed(FIXTURE_PORTS);
  r->out = zeroed(FIXTURE_PORTS);
  r->now = zeroed(FIXTURE_PORTS);
  r->driver->init(r->model, &cfg);
  r->driver->stim_init(r->stim, &cfg, &r->rng);
  r->driver->stim_reset(r->stim);
  r->driver->oracle_init(r->oracle, &reported);
}

static inline void end(struct run *r) {
  void *const all[] = {r->model, r->stim, r->oracle, r->in, r->out, r->now};
  for (unsigned k = 0; k < 6; k++) free(all[k]);
}

/* Returns the first rule that the oracle reports; from cycle 500 on, the first suitable cycle is changed. */
static inline const char *watch(const char *block, uint64_t seed, breach *b) {
  struct run r;
  const char *rule = NULL;
  begin(&r, block, seed);
  for (unsigned t = 0; t < 20000 && !rule; t++) {
    r.driver->eval(r.model, r.in, r.now);
    r.driver->drive(r.stim, &r.rng, &profile, r.out, r.now, r.in);
    r.driver->eval(r.model, r.in, r.out);
    r.driver->tick(r.model, r.in);
    if (b && t > 500 && b(r.in, r.out)) b = NULL;
    rule = r.driver->watch(r.oracle, t, r.in, r.out);
  }
  end(&r);
  return rule;
}

static inline void silent(const char *block) {
  for (uint64_t seed = 1; seed <= 5; seed++) {
    const char *rule = watch(block, seed, NULL);
    if (rule) fail_msg("%s: the oracle names '%s'", block, rule);
  }
}

/* The same over several seeds: a wrong counter may be overwritten before it is read. */
static inline void names(const char *block, const char *want, breach *b) {
  const char *rule = NULL;
  for (uint64_t seed = 1; seed <= 10 && !rule; seed++) rule = watch(block, seed, b);
  if (!rule || strncmp(rule, want, strlen(want)) != 0)
    fail_msg("%s: the oracle should name %s, and names '%s'", block, want, rule ? rule : "none");
}

#endif
