/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The plane under the policies of LaPerm: device kernels in banks. The oracle checks that no work is lost. */
#include "unit/top/policies_fixture.h"

/* smx-bind: the native TBs of a device kernel run on the SMX that launched it: no group, one level up. */
TEST(a_kernel_goes_to_its_smx) {
  one_on_each(HD_POLICY_SMX_BIND);
  launch_kernel(5, 0, 1, 3, 0);
  until(&tbs, 16, 60);
  for (unsigned b = 0; b < 3; b++) {
    const struct logged_tb *t = expect_tb(13 + b, 1, b);
    assert_int_equal(t->smx, 5);
    assert_int_equal(t->d.group || t->d.age_valid, 0);
    assert_int_equal(t->d.level, 1);
  }
  launch_group(5, 1, 2, 2, 2, 2); /* joins the kernel of its program that is in the first entry */
  until(&tbs, 18, 60);
  assert_int_equal(expect_tb(16, 2, 0)->smx, 5);
  assert_int_equal(tb[16].d.level, 2);
  end();
  assert_int_equal(ended_n, 1);
}

/* Also when it has waited in memory. */
TEST(kernels_through_memory) {
  begin("tiny");
  set_policy(HD_POLICY_SMX_BIND);
  host_kernel(0, 0, 2);
  host_kernel(1000, 1, 1);
  until(&tbs, 3, 40);
  for (unsigned k = 0; k < 8; k++) launch_kernel(1, 0, 1 + k, 2, 0);
  until(&answers, 8, 400);
  ticks(200);
  assert_true(COUNT(SPILLS) > 0);
  episode = 1;
  end_tb(tb[2].smx, tb[2].d.slot);
  until(&tbs, 3 + 16, 2000);
  for (unsigned k = 0; k < 8; k++)
    for (unsigned b = 0; b < 2; b++) assert_int_equal(expect_tb(3 + 2 * k + b, 1 + k, b)->smx, 1);
  end();
}

/* A kernel whose bank does not have two free places goes to queue 0: it waits for no bank, and any SMX takes it. */
TEST(a_kernel_without_room_in_its_bank) {
  for (unsigned groups = 4; groups <= 6; groups++) {
    begin("tiny");
    set_policy(HD_POLICY_SMX_BIND);
    host_kernel(0, 0, 4);
    until(&tbs, 4, 40);
    launch_groups(0, 1, groups);
    launch_kernel(0, 0, 100, 1, 0);
    ticks(60);
    if (groups == 4) {
      no_refill(1, 1);
      refill(0, 1, 1, 0);
    } else {
      refill(1, 1, 100, 0);
    }
    end();
    assert_int_equal(tbs, 4 + groups + 1);
  }
}

/* A kernel for the bank into which a group goes in the same cycle waits for the next one, and enters once. */
TEST(a_kernel_beside_a_group) {
  unsigned later = 0, usual = 0;
  for (unsigned behind = 0; behind < 12; behind++) {
    one_on_each(HD_POLICY_SMX_BIND);
    uint64_t entered = 0;
    launch_kernel(5, 0, 1, 2, 0);
    for (unsigned c = 0; tbs < 17; c++) {
      assert_true(c < 60);
      if (c == behind) launch_group(5, 0, 2, 2, 2, 2);
      tick();
      if (!out.enter_valid) continue;
      assert_int_equal(entered, 0);
      entered = now;
    }
    unsigned took = (unsigned)(entered - port[5].taken_at[0]);
    if (behind == 0) usual = took;
    later += took == usual + 1;
    assert_in_range(took, usual, usual + 1);
    unsigned next[2] = {0};
    for (unsigned n = 13; n < 17; n++) {
      unsigned g = tb[n].d.group;
      assert_int_equal(expect_tb(n, 1 + g, next[g]++)->smx, 5);
    }
    assert_int_equal(COUNT(KERNELS_IN), 2);
    for (unsigned n = 0; n < 17; n++)
      if (tb[n].d.kdei == 0) end_tb(tb[n].smx, tb[n].d.slot);
    ticks(60);
    assert_int_equal(ended_n, 0); /* the child runs, and has left the KD exactly once */
    end();
    assert_int_equal(ended_n, 1);
  }
  assert_int_equal(later, 1);
}

/* A TB of a kernel in a bank is saved: its bank entries are handed out all the same, and then the kernel is suspended.
 * It resumes for its saved TB, which is not bound to an SMX. */
TEST(a_kernel_in_a_bank_is_suspended) {
  begin("tiny");
  set_policy(HD_POLICY_SMX_BIND);
  host_kernel(0, 0, 3);
  until(&tbs, 3, 40);
  launch_kernel(1, 0, 1, 3, 0);
  until(&tbs, 4, 60);
  expect_tb(3, 1, 0);
  launch_kernel(1, 1, 2, 1, 0);
  launch_save(1, 1, 0x5000);
  all_answered();
  for (unsigned n = 0; n < answers; n++) assert_int_equal(answer[n].a.code, HD_CODE_ACCEPTED);
  refill(1, 1, 1, 1);
  ticks(60);
  assert_int_equal(COUNT(SUSPENDS), 0);
  refill(1, 1, 1, 2);
  ticks(60);
  assert_int_equal(COUNT(SUSPENDS), 0); /* it runs */
  end_tb(1, 1);
  until(&tbs, 7, 300);
  ticks(60);
  assert_int_equal(COUNT(SUSPENDS), 1);
  assert_int_equal(expect_tb(6, 2, 0)->smx, 1); /* its child */
  assert_int_equal(tb[6].d.level, 2);
  end_tb(1, 0); /* TB 1 of kernel 0; then no TB is bound, and SMX 0 is before SMX 1 */
  end_tb(0, 1);
  ticks(5);
  end_tb(1, 1);
  until(&tbs, 8, 300);
  assert_int_equal(expect_restart(7, 0x5000)->d.level, 1);
  assert_int_equal(tb[7].smx, 0);
  ticks(60);
  assert_int_equal(tbs, 8);
  end();
  assert_int_equal(ended_n, 1);
}

/* A kernel that was suspended under rr in the middle of its native part resumes under smx-bind: to queue 0, since it
 * has a saved TB, which goes first; then its native TBs, from the next one on, and a group that was linked. */
TEST(a_kernel_comes_back_to_queue_0) {
  begin("tiny");
  host_kernel(0, 0, 3);
  until(&tbs, 3, 40);
  launch_kernel(1, 0, 1001, 4, 0);
  until(&tbs, 4, 60);
  expect_tb(3, 1001, 0);
  launch_kernel(1, 1, 2, 1, 0);
  launch_group(1, 1, 1003, 1, 3, 3);
  launch_save(1, 1, 0x5000);
  all_answered();
  end_tb(1, 1);
  until(&tbs, 5, 300);
  expect_tb(4, 2, 0);
  set_policy(HD_POLICY_SMX_BIND);
  end_tb(1, 1);
  until(&tbs, 6, 300);
  assert_int_equal(expect_restart(5, 0x5000)->smx, 1);
  ticks(60);
  refill(0, 1, 1001, 1);
  refill(1, 1, 1001, 2);
  assert_int_equal(refill(0, 1, 1001, 3)->d.level, 1);
  assert_int_equal(refill(1, 1, 1003, 0)->d.age_valid, 1);
  no_refill(0, 1);
  end();
  assert_int_equal(ended_n, 1);
}

TEST_MAIN("policies_kernels", NULL, NULL)
