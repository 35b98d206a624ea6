/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* What throttle does in time, and in the long run, counted on the RTL in lockstep with the model. */
#include <string.h>

/* clang-format off */
#include "equiv/cases.h"
#include "gen/hd_throttle_ports.h"
/* clang-format on */

enum { SMXS = 13, EPOCH = 64, SHOWS = 64 };

static struct hd_sim *sim;
static struct hd_throttle_in in;
static const struct hd_throttle_out *out;

static void start(const char *config) {
  char err[256];
  const struct hd_sim_opts opts = {.block = "throttle", .cfg = hd_case_cfg(config), .seed = 1, .test = "throttle"};
  sim = hd_sim_open(&opts, err, sizeof err);
  if (!sim) fail_msg("%s", err);
  memset(&in, 0, sizeof in);
  in.on = 1;
}

static void stop(void) {
  assert_int_equal(hd_sim_finish(sim), HD_PASS);
  hd_sim_close(sim);
}

/* One cycle, in which the GPU's counters go on by so much. */
static void cycle(uint32_t dram_full, uint32_t icnt2sm) {
  const void *seen;
  assert_int_equal(hd_sim_cycle(sim, &in, &seen), HD_PASS);
  out = seen;
  in.cycles++;
  in.dram_full += dram_full;
  in.icnt2sm += icnt2sm;
}

/* So many epochs with a TB that waits all the time: n after them. */
static unsigned after(unsigned epochs, uint32_t dram_full, uint32_t icnt2sm) {
  for (unsigned k = 0; k < epochs * EPOCH; k++) cycle(dram_full, icnt2sm);
  return out->open_count;
}

/* A sample that shows more contention closes an SMX 64 cycles later, no sooner, and the next comes an epoch later. */
static void test_latency(void **state) {
  unsigned changed[3], changes = 0, n = SMXS;
  (void)state;
  start("tiny+NumSmx=13+Epoch=100");
  in.unassigned = 1;
  for (unsigned t = 0; changes < 3; t++) {
    cycle(t / 50, 0);
    assert_true(t < 1000);
    if (out->open_count == n) continue;
    assert_int_equal(out->open_count, n - 1);
    for (unsigned k = 0; k < SMXS; k++) assert_int_equal(out->open[k], k < n - 1);
    changed[changes++] = t;
    n--;
  }
  print_message("n changes in cycles %u, %u, %u\n", changed[0], changed[1], changed[2]);
  assert_int_equal(changed[0], 100 + SHOWS);
  assert_int_equal(changed[1], 200 + SHOWS);
  assert_int_equal(changed[2], 300 + SHOWS);
  stop();
}

/* Without a TB that waits nothing is looked at. */
static void test_nobody_waits(void **state) {
  (void)state;
  start("tiny+NumSmx=13");
  for (unsigned t = 0; t < 20 * EPOCH; t++) cycle(t, t);
  assert_int_equal(out->open_count, SMXS);
  in.unassigned = 1;
  cycle(0, 0);
  in.unassigned = 0;
  assert_int_equal(after(2, 0, 0), SMXS - 1);
  stop();
}

/* Contention grows for 20 epochs, then it has ended: n in the epochs after. */
static unsigned grow_and_end(const char *config, unsigned epochs) {
  start(config);
  in.unassigned = 1;
  for (unsigned k = 1; k <= 20; k++) after(1, k, k);
  assert_int_equal(after(1, 21, 21), 2);
  const unsigned n = after(epochs, 0, 0);
  stop();
  return n;
}

static void test_recovers(void **state) {
  (void)state;
  const unsigned soon = grow_and_end("tiny+NumSmx=13", 4), late = grow_and_end("tiny+NumSmx=13", 100);
  print_message("n is %u soon after contention has ended, %u in the end\n", soon, late);
  assert_true(soon < SMXS);
  assert_int_equal(late, SMXS);
}

/* With the comparison of the paper's listing it never does. */
static void test_listing_stays(void **state) {
  (void)state;
  const unsigned late = grow_and_end("tiny+NumSmx=13+EqualHolds=1", 100);
  print_message("with the paper's listing n stays at %u of %u\n", late, SMXS);
  assert_int_equal(late, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_latency), cmocka_unit_test(test_nobody_waits),
                                     cmocka_unit_test(test_recovers), cmocka_unit_test(test_listing_stays)};
  return cmocka_run_group_tests_name("throttle in time", tests, NULL, NULL);
}
