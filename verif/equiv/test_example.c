/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The example of LaPerm's paper in lockstep: RTL and model agree in every cycle, and both produce the paper's
   schedule. */
#include "equiv/cases.h"
#include "work/example.h"

/* All tables are compared in every cycle. */
static void run(enum hd_policy policy, uint64_t seed) {
  static struct hd_example_schedule schedule;
  struct hd_cfg cfg;
  char err[512];
  hd_example_config(&cfg);
  const struct hd_sim_opts o = {.block = "top",
                                .cfg = cfg,
                                .engine = HD_ENGINE_BOTH,
                                .seed = seed,
                                .test = "example",
                                .table_every = 1,
                                .oracle = true};
  struct hd_sim *sim = hd_sim_open(&o, err, sizeof err);
  if (sim == NULL) fail_msg("%s", err);
  hd_example_run(sim, &cfg, policy, &schedule);
  if (schedule.run.verdict != HD_PASS) {
    hd_sim_print_diff(sim, stderr);
    fail_msg("%s: %s", hd_verdict_name(schedule.run.verdict), schedule.run.text);
  }
  assert_int_equal(hd_sim_finish(sim), HD_PASS);
  assert_true(hd_sim_compared(sim) >= schedule.run.cycles);
  if (!hd_example_agrees(policy, &schedule, err, sizeof err)) fail_msg("%s", err);
  assert_int_equal(schedule.run.device.matched, HD_EXAMPLE_CHILDREN);
  hd_sim_close(sim);
}

TEST(rr) {
  run(HD_POLICY_RR, 1);
}

TEST(tb_pri) {
  run(HD_POLICY_TB_PRI, 1);
}

TEST(smx_bind) {
  run(HD_POLICY_SMX_BIND, 1);
}

TEST(adaptive_bind) {
  run(HD_POLICY_ADAPTIVE_BIND, 1);
}

/* The initial values of unreset flops and RAMs do not matter. */
TEST(initial_values) {
  for (unsigned p = 0; p < HD_EXAMPLE_POLICIES; p++)
    for (uint64_t seed = 2; seed < 10; seed++) run((enum hd_policy)p, seed);
}

TEST_MAIN("example", NULL, NULL)
