/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The plane under the policies of LaPerm: which SMX gets the groups that its TBs launch, and when; the example of the
 * paper. The oracle checks that no work is lost. */
#include "unit/top/policies_fixture.h"

/* smx-bind: all TBs of a group run on the SMX that launched it, though others are idle; without an AGE. Their launches
 * are of the next level, and go to the same SMX. */
TEST(a_group_goes_to_its_smx) {
  one_on_each(HD_POLICY_SMX_BIND);
  launch_group(5, 0, 1, 4, 7, 9);
  launch_group(11, 0, 2, 3, 8, 9);
  until(&tbs, 20, 40);
  unsigned on[2] = {0};
  for (unsigned n = 13; n < 20; n++) {
    unsigned second = tb[n].smx == 11;
    if (!second) assert_int_equal(tb[n].smx, 5);
    const struct logged_tb *t = expect_tb(n, 1 + second, on[second]++);
    assert_int_equal(t->d.group, 1);
    assert_int_equal(t->d.age_valid || t->d.agei, 0);
    assert_int_equal(t->d.level, 1);
    assert_int_equal(t->d.kdei, 0);
    assert_int_equal(t->d.desc.grid_x, second ? 3 : 4);
  }
  EXPECT_CODES(HD_CODE_ACCEPTED, HD_CODE_ACCEPTED);
  launch_group(5, 1, 3, 1, 9, 9);
  until(&tbs, 21, 40);
  assert_int_equal(expect_tb(20, 3, 0)->d.level, 2);
  assert_int_equal(tb[20].smx, 5);
  assert_int_equal(COUNT(DEV_GROUPS), 3);
  end();
}

/* smx-bind: an SMX with room does not wait for another. */
TEST(what_is_bound_waits_for_its_smx) {
  full_machine(HD_POLICY_SMX_BIND, 208);
  launch_groups(5, 1, 2);
  no_refill(6, 15);
  no_refill(4, 15);
  refill(5, 15, 1, 0);
  end();
}

/* Before queue 0: kernel 0 has TBs left, which other SMXs get. */
TEST(bound_before_queue_0) {
  full_machine(HD_POLICY_SMX_BIND, 211);
  launch_groups(5, 1, 2);
  refill(6, 15, 0, 208);
  refill(5, 15, 1, 0);
  refill(5, 15, 2, 0);
  refill(5, 15, 0, 209);
  refill(7, 15, 0, 210);
  end();
}

/* tb-pri: the highest level first, within it the oldest, before queue 0, on any SMX with room. */
TEST(highest_level_first) {
  begin("k20c");
  set_policy(HD_POLICY_TB_PRI);
  host_kernel(0, 0, 300);
  until(&tbs, 20, 40);
  launch_group(0, 0, 1, 1, 1, 1);
  until(&tbs, 208, 300);
  ticks(10);
  unsigned n = 20;
  while (n < 208 && tb[n].d.level == 0) n++;
  expect_tb(n, 1, 0);
  launch_groups(12, 2, 2);
  launch_groups(0, 3, 3);
  launch_group(tb[n].smx, tb[n].d.slot, 4, 2, 4, 4); /* of level 2 */
  launch_group(tb[n].smx, tb[n].d.slot, 5, 1, 5, 5);
  all_answered();
  assert_int_equal(refill(6, 15, 4, 0)->d.level, 2);
  refill(7, 15, 4, 1);
  refill(8, 15, 5, 0);
  assert_int_equal(refill(9, 15, 2, 0)->d.level, 1);
  launch_group(tb[n].smx, tb[n].d.slot, 6, 1, 6, 6); /* overtakes the waiting one */
  all_answered();
  refill(10, 15, 6, 0);
  refill(10, 15, 3, 0);
  refill(11, 15, 0, 207);
  end();
}

/* adaptive-bind: an SMX whose bank and queue 0 are empty takes from the next non-empty bank, and stays with it while it
 * is non-empty, even if a nearer one fills; it returns to it later. */
TEST(the_backup) {
  full_machine(HD_POLICY_ADAPTIVE_BIND, 208);
  launch_groups(5, 1, 2);
  launch_groups(8, 3, 4);
  refill(6, 15, 3, 0);
  launch_groups(7, 5, 5);
  refill(6, 15, 4, 0); /* not 5, which is nearer now */
  refill(6, 15, 5, 0); /* 8 is empty */
  refill(6, 15, 1, 0); /* across the wrap */
  launch_groups(6, 6, 6);
  refill(6, 15, 6, 0); /* its own before all others */
  launch_groups(7, 7, 7);
  refill(6, 15, 2, 0);
  launch_groups(5, 8, 8);
  refill(6, 15, 8, 0);
  refill(6, 15, 7, 0);
  launch_groups(5, 9, 9); /* the backup is now 7, which is empty */
  launch_groups(7, 10, 10);
  refill(6, 15, 10, 0);
  refill(6, 15, 9, 0);
  end();
}

/* adaptive-bind: queue 0 before others' banks. */
TEST(queue_0_before_the_backup) {
  full_machine(HD_POLICY_ADAPTIVE_BIND, 210);
  launch_groups(7, 1, 3);
  refill(6, 15, 0, 208);
  refill(7, 15, 1, 0);
  refill(6, 15, 0, 209);
  refill(6, 15, 2, 0);
  end();
}

/* A group whose bank is full is refused; the banks of others are not affected, and there is room again when one has
   left. */
TEST(a_full_bank) {
  for (unsigned policy = HD_POLICY_TB_PRI; policy <= HD_POLICY_ADAPTIVE_BIND; policy++) {
    begin("tiny");
    set_policy(policy);
    host_kernel(0, 0, 4);
    until(&tbs, 4, 40);
    launch_groups(0, 1, cfg.pq_depth + 2);
    for (unsigned n = 0; n < answers; n++)
      assert_int_equal(answer[n].a.code, n < cfg.pq_depth ? HD_CODE_ACCEPTED : HD_CODE_REFUSED);
    assert_true(status() & HD_STATUS_DEV_REFUSED);
    assert_int_equal(COUNT(DEV_REFUSED), 2);
    launch_groups(1, 11, 11);
    assert_int_equal(answer[answers - 1].a.code, HD_CODE_ACCEPTED);
    refill(0, 1, 1, 0);
    launch_groups(0, 12, 13);
    assert_int_equal(answer[answers - 2].a.code, HD_CODE_ACCEPTED);
    assert_int_equal(answer[answers - 1].a.code, HD_CODE_REFUSED);
    end();
    assert_int_equal(tbs, 4 + cfg.pq_depth + 2);
  }
}

/* More SMXs than a word has bits. */
TEST(of_132_smxs) {
  static const unsigned smx[] = {0, 63, 64, 127, 128, 131};
  for (unsigned policy = HD_POLICY_SMX_BIND; policy <= HD_POLICY_ADAPTIVE_BIND; policy++) {
    begin("big");
    set_policy(policy);
    host_kernel(0, 0, 132);
    until(&tbs, 132, 200);
    for (unsigned k = 0; k < 6; k++) launch_group(smx[k], 0, 1 + k, 2, k, k);
    until(&tbs, 144, 100);
    for (unsigned n = 132; n < 144; n++) {
      bool mine = false;
      for (unsigned k = 0; k < 6; k++) mine |= tb[n].smx == smx[k] && tb[n].d.desc.param == desc_of(1 + k, 1).param;
      assert_true(mine || policy == HD_POLICY_ADAPTIVE_BIND);
    }
    end();
  }
}

TEST(the_papers_example) {
  for (unsigned policy = HD_POLICY_RR; policy <= HD_POLICY_ADAPTIVE_BIND; policy++)
    for (unsigned kind = HD_KIND_KERNEL; kind <= HD_KIND_GROUP; kind++) {
      begin("k20c");
      expect_the_papers_example(kind, policy, papers_rows[policy]);
      end();
    }
}

TEST_MAIN("policies", NULL, NULL)
