/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* storm: thousands of memory errors in one episode of the plane, mixed with work that is drained now and then. After
 * each drain all entries of all tables must be free, and later work must be unaffected. Runs on the golden model alone,
 * or in lockstep with the RTL, whose state is compared with the model's. */
#ifndef HD_UNIT_STORM_H
#define HD_UNIT_STORM_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/hd_cfg.h"
#include "engine/block_driver.h"
#include "engine/sim_internal.h"
#include "oracle/plane_rest.h"
#include "test_list.h"
#include "top/top.h"

static struct {
  struct hd_cfg cfg;
  struct hd_sim *sim;
  void *stim;
  struct hd_rng rng;
  struct hd_top_in in;
  struct hd_top_out zero;
  const void *out;
  uint64_t errors, failed, pairs; /* bursts; host kernels; pairs that failed in one cycle */
  unsigned ends;
} storm;

static inline void storm_cycle(void) {
  static const struct hd_profile failing = {"failing", 230, 230, 0};
  static struct hd_top_out now;
  const struct hd_top_in *in = &storm.in;
  hd_sim_now(storm.sim, in, &now);
  storm.sim->driver->drive(storm.stim, &storm.rng, &failing, storm.out, &now, &storm.in);
  if (hd_sim_cycle(storm.sim, in, &storm.out)) {
    struct hd_failure f = hd_sim_failure(storm.sim);
    fail_msg("cycle %llu: %s %s", (unsigned long long)f.cycle, hd_verdict_name(f.verdict), f.label);
  }
  const struct hd_top_out *out = storm.out;
  storm.errors += (in->rvalid && in->rlast && in->rresp & 2) + (in->bvalid && in->bresp & 2);
  storm.failed += out->kernel_done_valid && in->kernel_done_ready && out->kernel_done.failed;
  storm.pairs += hd_plane_rest_pair(storm.sim->oracle);
}

/* Works for a while, then drains. Returns false if this episode can not drain. */
static inline bool storm_works(unsigned cycles) {
  while (cycles--) storm_cycle();
  if (!storm.sim->driver->drain(storm.stim)) return false;
  for (unsigned n = 0; !hd_sim_over(storm.sim); n++) {
    storm_cycle();
    if (n > 200000) fail_msg("cycle %llu: what runs does not end", (unsigned long long)hd_sim_cycles(storm.sim));
  }
  return true;
}

static inline void storm_check_link(const struct hd_link *l) {
  struct hd_link *fresh = calloc(1, hd_link_size(&storm.cfg));
  assert_non_null(fresh);
  hd_link_init(fresh, &storm.cfg);
  assert_memory_equal(l->list, fresh->list, sizeof l->list);
  assert_memory_equal(l->used, fresh->used, sizeof l->used);
  assert_memory_equal(&l->ring, &fresh->ring, sizeof l->ring);
  free(fresh);
}

/* Accepts nothing on any stream. */
static inline void storm_check_empty(void) {
  const struct hd_top *m = storm.sim->model;
  const struct hd_kmu *kmu = hd_top_kmu(m);
  const struct hd_agc *agc = hd_top_agc(m);
  const struct hd_ovfq *ovfq = hd_top_ovfq(m);
  assert_int_equal(hd_bits_count(kmu->waiting, HD_WORDS(HD_MAX_NUM_HWQ)), 0);
  assert_int_equal(hd_bits_count(kmu->closed, HD_WORDS(HD_MAX_NUM_HWQ)), 0);
  assert_false(hd_kd_busy(hd_top_kd(m)));
  assert_int_equal(hd_top_fcfs(m)->count, 0);
  assert_true(hd_devq_quiet(hd_top_devq(m)));
  storm_check_link(hd_top_link(m));
  assert_true(hd_agc_quiet(agc));
  assert_int_equal(hd_bits_count(agc->ovf_free, HD_WORDS(HD_MAX_OVF_SLOTS)), storm.cfg.ovf_slots);
  assert_int_equal(hd_bits_count(agc->parked, HD_WORDS(HD_MAX_NUM_KDE)), 0);
  assert_true(hd_ovfq_quiet(ovfq));
  for (unsigned k = 0; k < storm.cfg.num_kde; k++) assert_int_equal(ovfq->count[k], 0);
  assert_false(hd_kin_busy(hd_top_kin(m)));
  assert_true(hd_pool_quiet(hd_top_pool(m)));
  assert_true(hd_susp_quiet(hd_top_susp(m)));
  assert_false(hd_top_sched(m)->sscr.valid);
  assert_false(hd_laperm_any(hd_top_laperm(m)));
  for (unsigned b = 0; b < storm.cfg.num_bank; b++) assert_int_equal(hd_laperm_bank(hd_top_laperm(m), b)->kept, 0);
  assert_true(hd_spill_quiet(hd_top_spill(m), hd_top_regs(m)->config[HD_CONFIG_SPILL_COUNT]));
}

static inline void storm_open(enum hd_engine engine, const char *config, uint64_t seed) {
  char err[512];
  memset(&storm, 0, sizeof storm);
  assert_true(hd_cfg_find(config, &storm.cfg));
  struct hd_sim_opts o = {.block = "top", .cfg = storm.cfg, .engine = engine, .oracle = true, .seed = seed};
  storm.sim = hd_sim_open(&o, err, sizeof err);
  if (!storm.sim) fail_msg("%s", err);
  storm.stim = calloc(1, storm.sim->driver->stim_size);
  assert_non_null(storm.stim);
  storm.rng.s = seed;
  storm.out = &storm.zero;
  storm.sim->driver->stim_init(storm.stim, &storm.cfg, &storm.rng);
}

/* This episode can not drain: starts another one. */
static inline void storm_begins_anew(void) {
  hd_sim_reset(storm.sim, 1);
  storm.sim->driver->stim_reset(storm.stim);
  memset(&storm.in, 0, sizeof storm.in);
  storm.out = &storm.zero;
  storm.errors = storm.failed = storm.pairs = storm.ends = 0;
}

/* Runs one episode with that many errors. */
static inline void storm_of(enum hd_engine engine, const char *config, uint64_t seed, uint64_t errors) {
  storm_open(engine, config, seed);
  while (storm.errors < errors) {
    if (!storm_works(6000)) {
      storm_begins_anew();
      continue;
    }
    storm_check_empty();
    storm.ends++;
    storm.sim->driver->again(storm.stim);
  }
  if (hd_sim_finish(storm.sim)) fail_msg("the end: %s", hd_sim_failure(storm.sim).label);
  print_message(
      "%s: %llu errors in %llu cycles, %llu kernels failed, %llu times two for errors of one cycle, all "
      "entries free %u times\n",
      config, (unsigned long long)storm.errors, (unsigned long long)hd_sim_cycles(storm.sim),
      (unsigned long long)storm.failed, (unsigned long long)storm.pairs, storm.ends);
  assert_true(storm.errors >= errors);
  assert_true(storm.failed >= errors / 10); /* the others: device kernels, and data that is no longer needed */
  assert_true(storm.pairs >= errors / 1000);
  assert_true(storm.ends >= errors / 100);
  storm.sim->driver->stim_free(storm.stim);
  free(storm.stim);
  hd_sim_close(storm.sim);
}

#endif
