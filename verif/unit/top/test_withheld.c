/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Which streams continue and which stop when software accepts no records or no kernel_done, or an SMX no TBs; and that
 * all continue once it does. */
#include "unit/dev_model.h"

/* Kernel 0, whose TB stays, with enough groups of one AGE that all overflow slots are used. */
static void all_slots_used(void) {
  begin("tiny");
  host_kernel(0, 0, 1);
  until(&tbs, 1, 30);
  launch_group(0, 0, 1, 1, 20, 0);
  until(&tbs, 2, 30); /* it keeps AGE 0 */
  hold_records = true;
  episode = 1;
  for (unsigned g = 0; g < 10; g++) launch_group(0, 0, 2 + g, 1, 21 + g, 0);
  ticks(500);
  assert_int_equal(tbs, 2 + cfg.ovf_slots + 1);
}

/* Without record_done no kernel hands out TBs once a group waits for a slot, not even the host kernel behind it.
 * Running TBs continue: their launches and those of the host are answered. One record that is taken lets the next group
 * go. */
TEST(records) {
  all_slots_used();
  unsigned were = tbs, answered = answers;
  host_kernel(2000, 1, 1);
  launch_kernel(0, 0, 1001, 1, 0);
  launch_group(0, 0, 50, 1, 40, 1);
  ticks(3000);
  assert_int_equal(host.taken, 2);
  assert_int_equal(COUNT(ACCEPTED), 2);
  assert_int_equal(answers, answered + 2);
  assert_int_equal(answer[answered].a.code, HD_CODE_ACCEPTED);
  assert_int_equal(tbs, were);
  assert_true(COUNT(SLOT_WAIT) > 3000);
  hold_records = false;
  tick();
  hold_records = true;
  ticks(100);
  assert_int_equal(tbs, were + 1);
  hold_records = false;
  until(&tbs, 2 + 10 + 3, 500);
  end();
}

/* Without kernel_done the kernels in the KD continue, with all launches of their TBs; a kernel whose launcher
 * continues, too. Each KD entry accepts two kernels that end, then no other begins. */
TEST(completions) {
  begin("tiny");
  host_kernel(0, 0, 1);
  until(&tbs, 1, 30); /* it stays */
  hold_ends = true;
  episode = 1;
  for (unsigned k = 1; k < 8; k++) host_kernel(1000 * k, k % cfg.num_hwq, 1);
  ticks(2000);
  unsigned were = tbs, answered = answers;
  assert_in_range(were, 4, 7); /* in the other entry: two that wait, one reported, one in flight there */
  launch_group(0, 0, 1, 3, 20, 0);
  launch_kernel(0, 0, 8001, 1, 0);
  ticks(2000);
  assert_int_equal(answers, answered + 2);
  assert_int_equal(tbs, were + 3);
  assert_int_equal(ended_n, 1);
  hold_ends = false;
  ticks(500);
  end();
  assert_int_equal(tbs, 8 + 3 + 1);
  assert_int_equal(ended_n, 8);
}

/* Returns whether a host kernel runs while SMX 0 accepts no TB. A TB on SMX 0 has launched as many kernels as there are
 * KD entries; its kernel has ended. */
static bool runs_overlapping(unsigned policy) {
  begin("tiny");
  set_policy(policy);
  host_kernel(0, 0, 4);
  until(&tbs, 4, 40);
  ticks(10);
  hold_smx[0] = true;
  for (unsigned k = 0; k < cfg.num_kde; k++) launch_kernel(0, 0, 1 + k, 1, 0);
  until(&answers, cfg.num_kde, 200);
  episode = 1;
  for (unsigned k = 0; k < 4; k++) end_nth(k);
  ticks(1000);
  const unsigned were = tbs;
  host_kernel(1000, 1, 3);
  ticks(3000);
  assert_int_equal(host.taken, 2);
  const bool runs = tbs > were;
  hold_smx[0] = false;
  ticks(500);
  end();
  assert_int_equal(tbs, 4 + cfg.num_kde + 3);
  assert_int_equal(ended_n, 2);
  return runs;
}

/* An SMX that accepts no TBs delays its own; under a policy that binds also the kernels with TBs in its bank: they stay
 * in the KD, and if they occupy all entries no other enters. */
TEST(dispatches) {
  assert_true(runs_overlapping(HD_POLICY_RR));
  assert_true(runs_overlapping(HD_POLICY_TB_PRI));
  assert_false(runs_overlapping(HD_POLICY_SMX_BIND));
  assert_true(runs_overlapping(HD_POLICY_ADAPTIVE_BIND));
}

TEST_MAIN("withheld", NULL, NULL)
