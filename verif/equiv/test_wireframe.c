/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The example of Wireframe's paper in lockstep: RTL and model agree in every cycle, and both perform the paper's
   steps. */
#include "equiv/cases.h"
#include "work/wireframe.h"

/* All tables are compared in every cycle. */
static void run(uint64_t seed) {
  static struct hd_wireframe_run run;
  struct hd_cfg cfg;
  char err[512];
  hd_wireframe_config(&cfg);
  const struct hd_sim_opts o = {.block = "dgb",
                                .cfg = cfg,
                                .engine = HD_ENGINE_BOTH,
                                .seed = seed,
                                .test = "example",
                                .table_every = 1,
                                .oracle = true};
  struct hd_sim *sim = hd_sim_open(&o, err, sizeof err);
  if (sim == NULL) fail_msg("%s", err);
  hd_wireframe_run(sim, &cfg, &run);
  if (run.verdict != HD_PASS) {
    hd_sim_print_diff(sim, stderr);
    fail_msg("%s: %s", hd_verdict_name(run.verdict), run.text);
  }
  assert_int_equal(hd_sim_finish(sim), HD_PASS);
  assert_int_equal(hd_sim_compared(sim), run.cycles);
  assert_int_equal(run.steps, HD_WIREFRAME_STEPS);
  for (unsigned k = 0; k < HD_WIREFRAME_STEPS; k++)
    if (!hd_wireframe_agrees(&run.step[k], k, err, sizeof err)) fail_msg("step %u: %s", k, err);
  if (!hd_wireframe_order(&run, err, sizeof err)) fail_msg("%s", err);
  hd_sim_close(sim);
}

TEST(steps) {
  run(1);
}

/* The initial values of unreset flops and RAMs do not matter. */
TEST(initial_values) {
  for (uint64_t seed = 2; seed < 10; seed++) run(seed);
}

TEST_MAIN("wireframe", NULL, NULL)
