/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The plane under the policies of LaPerm: waiting entries when the policy changes. The oracle checks that no work is
 * lost. */
#include "gen/hd_policies.h"
#include "unit/top/policies_fixture.h"

/* The banks of SMXs 2 and 3 hold groups 11 (with one TB left), 12 (two TBs), 13 and 14 of level 1, and that of SMX 2
 * also 21 of level 2; queue 0 has four TBs of kernel 0. */
static void entries_wait(void) {
  full_machine(HD_POLICY_SMX_BIND, 212);
  launch_group(2, 0, 11, 2, 11, 11);
  launch_group(2, 0, 12, 2, 12, 12);
  all_answered();
  launch_groups(3, 13, 14);
  refill(2, 15, 11, 0);
  launch_group(2, 15, 21, 1, 21, 21);
  all_answered();
}

/* To rr: queue 0 first, then the banks, highest level first, oldest first, on any SMX. Back to smx-bind: each on its
 * own SMX again, from the next TB on. */
TEST(to_rr_and_back) {
  entries_wait();
  set_policy(HD_POLICY_RR);
  for (unsigned b = 208; b < 212; b++) refill(2 + b % 2, 14, 0, b);
  refill(9, 14, 21, 0);
  refill(10, 14, 11, 1);
  refill(9, 14, 12, 0);
  set_policy(HD_POLICY_SMX_BIND);
  refill(3, 14, 13, 0);
  refill(2, 14, 12, 1);
  no_refill(2, 13);
  refill(3, 14, 14, 0);
  end();
}

/* Through all the others while entries wait: each policy uses its own order, and each entry is handed out once. */
TEST(through_all_policies) {
  entries_wait();
  set_policy(HD_POLICY_TB_PRI);
  refill(9, 14, 21, 0);
  set_policy(HD_POLICY_ADAPTIVE_BIND);
  refill(3, 14, 13, 0);
  refill(9, 14, 0, 208);
  set_policy(HD_POLICY_TB_PRI);
  refill(3, 14, 11, 1);
  set_policy(HD_POLICY_RR);
  refill(2, 14, 0, 209);
  set_policy(HD_POLICY_ADAPTIVE_BIND);
  refill(2, 14, 12, 0);
  refill(9, 14, 0, 210);
  refill(9, 14, 0, 211);
  refill(9, 14, 12, 1); /* bank 2 is the first after SMX 9 */
  refill(9, 14, 14, 0);
  end();
}

/* Groups that were linked under rr stay linked: under smx-bind they are handed out in queue 0, in their order and with
 * their AGEs, to any SMX; later launches precede them on their own SMX. */
TEST(lists_of_rr) {
  full_machine(HD_POLICY_RR, 209);
  launch_groups(5, 1, 3);
  set_policy(HD_POLICY_SMX_BIND);
  launch_groups(5, 4, 4);
  refill(6, 15, 0, 208);
  assert_int_equal(refill(6, 15, 1, 0)->d.age_valid, 1);
  assert_int_equal(refill(5, 15, 4, 0)->d.age_valid, 0);
  for (unsigned g = 2; g <= 3; g++) {
    const struct logged_tb *t = refill(3 + g, 15, g, 0);
    assert_int_equal(t->d.group && t->d.age_valid, 1);
    assert_int_equal(t->d.agei, g);
  }
  no_refill(5, 15);
  end();
}

/* Launches under rr after a change are linked, and precede waiting bank entries. */
TEST(linked_after_a_change) {
  full_machine(HD_POLICY_TB_PRI, 208);
  launch_groups(5, 1, 1);
  set_policy(HD_POLICY_RR);
  launch_groups(7, 2, 2);
  ticks(20);
  assert_int_equal(refill(8, 15, 2, 0)->d.age_valid, 1);
  assert_int_equal(refill(8, 15, 1, 0)->d.age_valid, 0);
  end();
}

/* The policy is changed every few cycles while groups and kernels arrive and leave: no work is lost. */
TEST(changed_all_the_time) {
  uint64_t seed = 5;
  begin("k20c");
  regions(1024, cfg.pool_rows, cfg.num_kin);
  fill(HD_POLICY_SMX_BIND, 400);
  for (unsigned g = 0; g < 1000; g++) {
    unsigned s = ut_below(&seed, 13), ctas = 1 + ut_below(&seed, 3);
    if (ut_below(&seed, 4))
      launch_group(s, 0, 1 + g, ctas, g, ut_below(&seed, 2048));
    else
      launch_kernel(s, 0, 1 + g, ctas, 0);
  }
  episode = 40;
  for (unsigned n = 13; n < 208; n++) slot[tb[n].smx][tb[n].d.slot].ends = now + 1 + n;
  unsigned on[HD_NUM_POLICY] = {0};
  for (unsigned changes = 0; answers < 1000; changes++) {
    unsigned policy = ut_below(&seed, HD_NUM_POLICY), before = tbs;
    assert_true(changes < 1000);
    set_policy(policy);
    ticks(ut_below(&seed, 20));
    on[policy] += tbs - before;
  }
  for (unsigned p = 0; p < HD_NUM_POLICY; p++) assert_true(on[p] > 50);
  assert_true(COUNT(DEV_GROUPS) > 500);
  drain(6000);
  assert_int_equal(ended_n, 1);
  script_end();
  free(m);
}

TEST_MAIN("policies_change", NULL, NULL)
