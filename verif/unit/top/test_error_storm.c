/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Ten thousand errors of the memory in one life of the plane, with work between them that comes to its end now and
 * then: in the end every entry of every table is free. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first */
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "common/hd_cfg.h"
#include "engine/twin.h"
#include "top/top.h"

static struct {
  struct hd_top *plane;
  void *stim, *oracle;
  struct hd_rng rng;
  struct hd_top_in in;
  struct hd_top_out out;
  uint64_t cycle, errors;
} storm;

static const struct hd_twin *twin = &hd_twin_top;

static void run_cycle(void) {
  static const struct hd_profile failing = {"failing", 230, 230, 0};
  static struct hd_top_out now;
  hd_top_eval(storm.plane, &storm.in, &now);
  twin->drive(storm.stim, &storm.rng, &failing, &storm.out, &now, &storm.in);
  hd_top_cycle(storm.plane, &storm.in, &storm.out);
  const char *rule = twin->watch(storm.oracle, storm.cycle, &storm.in, &storm.out);
  if (rule) fail_msg("cycle %llu: %s", (unsigned long long)storm.cycle, rule);
  storm.cycle++;
  storm.errors += (storm.in.rvalid && storm.in.rlast && storm.in.rresp & 2) + (storm.in.bvalid && storm.in.bresp & 2);
}

/* Work for a while, then its end. False: this life has none. */
static bool work(unsigned cycles) {
  while (cycles--) run_cycle();
  if (!twin->drain(storm.stim)) return false;
  for (unsigned n = 0; !twin->over(storm.oracle); n++) {
    run_cycle();
    if (n > 200000) fail_msg("cycle %llu: what runs does not end", (unsigned long long)storm.cycle);
  }
  return true;
}

static void check_link(const struct hd_link *l, const struct hd_cfg *cfg) {
  struct hd_link *fresh = calloc(1, hd_link_size(cfg));
  assert_non_null(fresh);
  hd_link_init(fresh, cfg);
  assert_memory_equal(l->list, fresh->list, sizeof l->list);
  assert_memory_equal(l->used, fresh->used, sizeof l->used);
  assert_memory_equal(&l->ring, &fresh->ring, sizeof l->ring);
  free(fresh);
}

/* Nothing is taken anywhere. */
static void check_empty(const struct hd_cfg *cfg) {
  const struct hd_top *m = storm.plane;
  const struct hd_agc *agc = hd_top_agc(m);
  const struct hd_ovfq *ovfq = hd_top_ovfq(m);
  assert_false(hd_kd_busy(hd_top_kd(m)));
  assert_false(hd_kin_busy(hd_top_kin(m)));
  assert_true(hd_pool_quiet(hd_top_pool(m)));
  assert_true(hd_susp_quiet(hd_top_susp(m)));
  assert_true(hd_agc_quiet(agc));
  assert_true(hd_ovfq_quiet(ovfq));
  assert_false(hd_laperm_any(hd_top_laperm(m)));
  assert_int_equal(hd_top_fcfs(m)->count, 0);
  assert_int_equal(hd_bits_count(agc->ovf_free, HD_WORDS(HD_MAX_OVF_SLOTS)), cfg->ovf_slots);
  assert_int_equal(hd_bits_count(agc->parked, HD_WORDS(HD_MAX_NUM_KDE)), 0);
  for (unsigned k = 0; k < cfg->num_kde; k++) assert_int_equal(ovfq->count[k], 0);
  check_link(hd_top_link(m), cfg);
}

static void storm_of(const char *config, uint64_t seed, uint64_t errors) {
  struct hd_cfg cfg;
  assert_true(hd_cfg_find(config, &cfg));
  memset(&storm, 0, sizeof storm);
  storm.plane = malloc(hd_top_size(&cfg));
  storm.stim = calloc(1, twin->stim_size);
  storm.oracle = calloc(1, twin->oracle_size(&cfg));
  storm.rng.s = seed;
  assert_true(storm.plane && storm.stim && storm.oracle);
  hd_top_init(storm.plane, &cfg);
  twin->stim_init(storm.stim, &cfg, &storm.rng);
  twin->oracle_init(storm.oracle, &cfg);
  unsigned ends = 0;
  while (storm.errors < errors) {
    if (!work(6000)) { /* a life without an end: another one */
      hd_top_reset(storm.plane);
      twin->stim_reset(storm.stim);
      twin->oracle_init(storm.oracle, &cfg);
      memset(&storm.in, 0, sizeof storm.in);
      memset(&storm.out, 0, sizeof storm.out);
      storm.errors = ends = 0;
      continue;
    }
    check_empty(&cfg);
    ends++;
    twin->again(storm.stim);
  }
  print_message("%s: %llu errors in %llu cycles, all entries free %u times\n", config, (unsigned long long)storm.errors,
                (unsigned long long)storm.cycle, ends);
  twin->stim_free(storm.stim);
  free(storm.stim);
  free(storm.oracle);
  free(storm.plane);
}

static void test_tiny(void **state) {
  (void)state;
  storm_of("tiny", 1, 10000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_tiny)};
  return cmocka_run_group_tests_name("error_storm", tests, NULL, NULL);
}
