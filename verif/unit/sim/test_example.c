/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The example of LaPerm's paper on the golden model: its four schedules, the assumptions behind them, and detection of
 * a difference. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "test_list.h"
#include "work/example.h"

static struct hd_cfg cfg;
static struct hd_example_schedule schedule;

static void run(enum hd_policy policy) {
  char err[512];
  hd_example_config(&cfg);
  const struct hd_sim_opts o = {
      .block = "top", .cfg = cfg, .engine = HD_ENGINE_MODEL, .test = "example", .oracle = true};
  struct hd_sim *sim = hd_sim_open(&o, err, sizeof err);
  if (sim == NULL) fail_msg("%s", err);
  hd_example_run(sim, &cfg, policy, &schedule);
  if (schedule.run.verdict != HD_PASS) fail_msg("%s: %s", hd_verdict_name(schedule.run.verdict), schedule.run.text);
  assert_int_equal(hd_sim_finish(sim), HD_PASS);
  hd_sim_close(sim);
}

/* Spelt out again: these lines are the specification, independent of those that the command compares with. */
static void gives(enum hd_policy policy, const char *smx0, const char *smx1, const char *smx2, const char *smx3) {
  const char *const want[HD_EXAMPLE_SMXS] = {smx0, smx1, smx2, smx3};
  char text[200];
  run(policy);
  for (uint32_t s = 0; s < HD_EXAMPLE_SMXS; s++) {
    hd_example_row(&schedule, s, text, sizeof text);
    assert_string_equal(text, want[s]);
  }
  assert_true(hd_example_agrees(policy, &schedule, text, sizeof text));
}

TEST(test_rr) {
  gives(HD_POLICY_RR, "P0 P4 C0 C4", "P1 P5 C1 C5", "P2 P6 C2", "P3 P7 C3");
}

TEST(test_tb_pri) {
  gives(HD_POLICY_TB_PRI, "P0 C0 C2 P6", "P1 C1 C3 P7", "P2 P4 C4", "P3 P5 C5");
}

TEST(test_smx_bind) {
  gives(HD_POLICY_SMX_BIND, "P0 P4 C2 C3 C4 C5", "P1 P5 P7", "P2 C0 C1", "P3 P6");
}

TEST(test_adaptive_bind) {
  gives(HD_POLICY_ADAPTIVE_BIND, "P0 P4 C2 C4", "P1 P5 P7 C5", "P2 C0 C1", "P3 P6 C3");
}

/* All TBs run equally long, a TB follows another within three cycles if one waits, and all children are groups that
 * joined the kernel. */
TEST(test_preconditions) {
  for (unsigned p = 0; p < HD_EXAMPLE_POLICIES; p++) {
    run((enum hd_policy)p);
    assert_int_equal(schedule.run.kernels, 1);
    assert_int_equal(schedule.run.ctas, HD_EXAMPLE_TBS);
    assert_int_equal(schedule.run.device.groups, HD_EXAMPLE_CHILDREN);
    assert_int_equal(schedule.run.device.matched, HD_EXAMPLE_CHILDREN);
    for (uint32_t s = 0; s < HD_EXAMPLE_SMXS; s++)
      for (uint32_t k = 0; k < schedule.smx[s].tbs; k++) {
        const struct hd_example_tb *t = &schedule.smx[s].tb[k];
        assert_int_equal(t->end - t->start, HD_EXAMPLE_EPISODE);
        if (k > 0) assert_in_range(t->start - t[-1].end, 1, 3);
      }
  }
}

/* Another policy's schedule is not the paper's: detected at the first SMX that differs. So is a schedule that ends
   early. */
TEST(test_difference) {
  char text[200];
  run(HD_POLICY_SMX_BIND);
  assert_false(hd_example_agrees(HD_POLICY_ADAPTIVE_BIND, &schedule, text, sizeof text));
  assert_string_equal(text, "SMX0 ran P0 P4 C2 C3 C4 C5; in the paper P0 P4 C2 C4");
  schedule.smx[3].tbs = 0;
  assert_false(hd_example_agrees(HD_POLICY_SMX_BIND, &schedule, text, sizeof text));
  assert_string_equal(text, "SMX3 ran nothing; in the paper P3 P6");
}

TEST_MAIN("example", NULL, NULL)
