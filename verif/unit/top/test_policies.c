/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The plane under the policies of LaPerm: which SMX gets what its TBs launch, and when; entries that wait when the
 * policy is changed. The oracle watches that nothing is lost. */
#include "unit/dev_model.h"

/* So many TBs of kernel 0, of which 208 fill the machine: TB n is in slot n / 13 of SMX n % 13. */
static void fill(unsigned policy, uint32_t ctas) {
  set_policy(policy);
  host_kernel(0, 0, ctas);
  until(&tbs, 208, 300);
  ticks(10);
}

static void full_machine(unsigned policy, uint32_t ctas) {
  begin("k20c");
  fill(policy, ctas);
}

/* A TB on each SMX: in slot 0. */
static void one_on_each(unsigned policy) {
  begin("k20c");
  set_policy(policy);
  host_kernel(0, 0, 13);
  until(&tbs, 13, 40);
  ticks(10);
}

/* All launches are answered: they have gone where they go. */
static void all_answered(void) {
  unsigned beats = 0;
  for (unsigned s = 0; s < cfg.num_smx; s++) beats += port[s].n;
  until(&answers, beats, 100);
  ticks(2);
}

/* Groups `first` .. `last` of one TB each, launched by the TB in slot 0 of an SMX. */
static void launch_groups(unsigned smx, unsigned first, unsigned last) {
  for (unsigned g = first; g <= last; g++) launch_group(smx, 0, g, 1, g, g);
  all_answered();
}

/* On a full machine the TB in this slot ends; the one that follows it there is TB b of k. */
static const struct seen_tb *refill(unsigned smx, unsigned s, unsigned k, uint32_t b) {
  unsigned n = tbs;
  end_tb(smx, s);
  until(&tbs, n + 1, 20);
  assert_int_equal(tb[n].smx, smx);
  assert_int_equal(tb[n].d.slot, s);
  return expect_tb(n, k, b);
}

/* It ends, and nothing follows. */
static void no_refill(unsigned smx, unsigned s) {
  unsigned n = tbs;
  end_tb(smx, s);
  ticks(40);
  assert_int_equal(tbs, n);
}

/* ---- one policy ---- */

/* smx-bind: all TBs of a group run on the SMX that launched it, though others stand idle; without an AGE. What these
 * launch is of the next level, and goes to the same SMX. */
static void a_group_goes_to_its_smx(void **state) {
  (void)state;
  one_on_each(HD_POLICY_SMX_BIND);
  launch_group(5, 0, 1, 4, 7, 9);
  launch_group(11, 0, 2, 3, 8, 9);
  until(&tbs, 20, 40);
  unsigned on[2] = {0};
  for (unsigned n = 13; n < 20; n++) {
    unsigned second = tb[n].smx == 11;
    if (!second) assert_int_equal(tb[n].smx, 5);
    const struct seen_tb *t = expect_tb(n, 1 + second, on[second]++);
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

/* smx-bind: an SMX that has room waits for none of another's. */
static void what_is_bound_waits_for_its_smx(void **state) {
  (void)state;
  full_machine(HD_POLICY_SMX_BIND, 208);
  launch_groups(5, 1, 2);
  no_refill(6, 15);
  no_refill(4, 15);
  refill(5, 15, 1, 0);
  end();
}

/* Before queue 0: kernel 0 has TBs left, which other SMXs get. */
static void bound_before_queue_0(void **state) {
  (void)state;
  full_machine(HD_POLICY_SMX_BIND, 211);
  launch_groups(5, 1, 2);
  refill(6, 15, 0, 208);
  refill(5, 15, 1, 0);
  refill(5, 15, 2, 0);
  refill(5, 15, 0, 209);
  refill(7, 15, 0, 210);
  end();
}

/* tb-pri: the highest level first, within it the oldest, before queue 0, whichever SMX has room. */
static void highest_level_first(void **state) {
  (void)state;
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
  launch_group(tb[n].smx, tb[n].d.slot, 6, 1, 6, 6); /* passes the one that waits */
  all_answered();
  refill(10, 15, 6, 0);
  refill(10, 15, 3, 0);
  refill(11, 15, 0, 207);
  end();
}

/* adaptive-bind: an SMX whose bank and queue 0 are empty takes from the next bank that holds something, and stays with
 * it while it does, whatever comes nearer; it comes back to it later. */
static void the_backup(void **state) {
  (void)state;
  full_machine(HD_POLICY_ADAPTIVE_BIND, 208);
  launch_groups(5, 1, 2);
  launch_groups(8, 3, 4);
  refill(6, 15, 3, 0);
  launch_groups(7, 5, 5);
  refill(6, 15, 4, 0); /* not 5, which is nearer now */
  refill(6, 15, 5, 0); /* 8 is empty */
  refill(6, 15, 1, 0); /* round the end */
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
static void queue_0_before_the_backup(void **state) {
  (void)state;
  full_machine(HD_POLICY_ADAPTIVE_BIND, 210);
  launch_groups(7, 1, 3);
  refill(6, 15, 0, 208);
  refill(7, 15, 1, 0);
  refill(6, 15, 0, 209);
  refill(6, 15, 2, 0);
  end();
}

/* A group whose bank is full is refused; the banks of others are not, and there is room again when one has gone. */
static void a_full_bank(void **state) {
  (void)state;
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

/* ---- device kernels ---- */

/* smx-bind: the native TBs of a device kernel run on the SMX that launched it: no group, one level up. */
static void a_kernel_goes_to_its_smx(void **state) {
  (void)state;
  one_on_each(HD_POLICY_SMX_BIND);
  launch_kernel(5, 0, 1, 3, 0);
  until(&tbs, 16, 60);
  for (unsigned b = 0; b < 3; b++) {
    const struct seen_tb *t = expect_tb(13 + b, 1, b);
    assert_int_equal(t->smx, 5);
    assert_int_equal(t->d.group || t->d.age_valid, 0);
    assert_int_equal(t->d.level, 1);
  }
  launch_group(5, 1, 2, 2, 2, 2); /* joins the kernel of its program that is in the first entry */
  until(&tbs, 18, 60);
  assert_int_equal(expect_tb(16, 2, 0)->smx, 5);
  assert_int_equal(tb[16].d.level, 2);
  end();
  assert_int_equal(tolds, 1);
}

/* Also when it has waited in memory. */
static void kernels_through_memory(void **state) {
  (void)state;
  begin("tiny");
  set_policy(HD_POLICY_SMX_BIND);
  host_kernel(0, 0, 2);
  host_kernel(1000, 1, 1);
  until(&tbs, 3, 40);
  for (unsigned k = 0; k < 8; k++) launch_kernel(1, 0, 1 + k, 2, 0);
  until(&answers, 8, 400);
  ticks(200);
  assert_true(COUNT(SPILLS) > 0);
  life = 1;
  end_tb(tb[2].smx, tb[2].d.slot);
  until(&tbs, 3 + 16, 2000);
  for (unsigned k = 0; k < 8; k++)
    for (unsigned b = 0; b < 2; b++) assert_int_equal(expect_tb(3 + 2 * k + b, 1 + k, b)->smx, 1);
  end();
}

/* A kernel for which its bank has no two places goes to queue 0: it waits for no bank, and any SMX takes it. */
static void a_kernel_without_room_in_its_bank(void **state) {
  (void)state;
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

/* A kernel for the bank into which a group goes in that very cycle waits for the next one, and enters once. */
static void a_kernel_beside_a_group(void **state) {
  (void)state;
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
    assert_int_equal(tolds, 0); /* the child runs, and has left the KD neither once nor twice */
    end();
    assert_int_equal(tolds, 1);
  }
  assert_int_equal(later, 1);
}

/* A TB of a kernel in a bank is saved: what waits in the bank is handed out all the same, and the kernel suspended when
 * that is over. It comes back for its saved TB, which is not bound to an SMX. */
static void a_kernel_in_a_bank_is_suspended(void **state) {
  (void)state;
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
  end_tb(1, 0); /* TB 1 of kernel 0; then nothing is bound, and SMX 0 is before SMX 1 */
  end_tb(0, 1);
  ticks(5);
  end_tb(1, 1);
  until(&tbs, 8, 300);
  assert_int_equal(expect_restart(7, 0x5000)->d.level, 1);
  assert_int_equal(tb[7].smx, 0);
  ticks(60);
  assert_int_equal(tbs, 8);
  end();
  assert_int_equal(tolds, 1);
}

/* A kernel that was suspended under rr in the middle of its native part comes back under smx-bind: the rest of that is
 * bound to the SMX that launched it, from the next TB on; its saved TB is not, nor a group that was linked to it. */
static void a_kernel_comes_back_to_a_bank(void **state) {
  (void)state;
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
  assert_int_equal(expect_tb(5, 1001, 1)->smx, 1);
  ticks(60);
  end_tb(0, 1);
  until(&tbs, 7, 60);
  assert_int_equal(expect_restart(6, 0x5000)->smx, 0);
  assert_int_equal(refill(0, 1, 1003, 0)->d.age_valid, 1);
  no_refill(0, 1);
  refill(1, 1, 1001, 2);
  assert_int_equal(refill(1, 1, 1001, 3)->d.level, 1);
  end();
  assert_int_equal(tolds, 1);
}

/* More SMXs than a word has bits. */
static void of_132_smxs(void **state) {
  (void)state;
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

/* ---- a change of policy ---- */

/* In the banks of SMXs 2 and 3 wait groups 11 (of which one TB is left), 12 (two TBs), 13 and 14 of level 1, and 21 of
 * level 2 in that of SMX 2; in queue 0 four TBs of kernel 0. */
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

/* To rr: queue 0 first, then what is in banks, highest level first, oldest first, on any SMX. Back to smx-bind: each on
 * its own SMX again, from the next TB on. */
static void to_rr_and_back(void **state) {
  (void)state;
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

/* Through all the others while entries wait: each hands out by its own order, and each entry is handed out once. */
static void through_all_policies(void **state) {
  (void)state;
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

/* Groups that were linked under rr stay linked: under smx-bind they go out in queue 0, in their order and with their
 * AGEs, to any SMX; what is launched from then on comes before them on its own SMX. */
static void lists_of_rr(void **state) {
  (void)state;
  full_machine(HD_POLICY_RR, 209);
  launch_groups(5, 1, 3);
  set_policy(HD_POLICY_SMX_BIND);
  launch_groups(5, 4, 4);
  refill(6, 15, 0, 208);
  assert_int_equal(refill(6, 15, 1, 0)->d.age_valid, 1);
  assert_int_equal(refill(5, 15, 4, 0)->d.age_valid, 0);
  for (unsigned g = 2; g <= 3; g++) {
    const struct seen_tb *t = refill(3 + g, 15, g, 0);
    assert_int_equal(t->d.group && t->d.age_valid, 1);
    assert_int_equal(t->d.agei, g);
  }
  no_refill(5, 15);
  end();
}

/* What is launched under rr after a change is linked, and comes before what waits in banks. */
static void linked_after_a_change(void **state) {
  (void)state;
  full_machine(HD_POLICY_TB_PRI, 208);
  launch_groups(5, 1, 1);
  set_policy(HD_POLICY_RR);
  launch_groups(7, 2, 2);
  ticks(20);
  assert_int_equal(refill(8, 15, 2, 0)->d.age_valid, 1);
  assert_int_equal(refill(8, 15, 1, 0)->d.age_valid, 0);
  end();
}

/* The policy is changed every few cycles while groups and kernels come and go: nothing is lost. */
static void changed_all_the_time(void **state) {
  (void)state;
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
  life = 40;
  for (unsigned n = 13; n < 208; n++) slot[tb[n].smx][tb[n].d.slot].ends = now + 1 + n;
  unsigned on[HD_POLICY_ADAPTIVE_BIND + 1] = {0};
  for (unsigned changes = 0; answers < 1000; changes++) {
    unsigned policy = ut_below(&seed, HD_POLICY_ADAPTIVE_BIND + 1), before = tbs;
    assert_true(changes < 1000);
    set_policy(policy);
    ticks(ut_below(&seed, 20));
    on[policy] += tbs - before;
  }
  for (unsigned p = HD_POLICY_RR; p <= HD_POLICY_ADAPTIVE_BIND; p++) assert_true(on[p] > 50);
  assert_true(COUNT(DEV_GROUPS) > 500);
  drain(6000);
  assert_int_equal(tolds, 1);
  script_end();
  free(m);
}

/* ---- the paper ---- */

static void the_papers_example(void **state) {
  (void)state;
  for (unsigned policy = HD_POLICY_RR; policy <= HD_POLICY_ADAPTIVE_BIND; policy++)
    for (unsigned kind = HD_KIND_KERNEL; kind <= HD_KIND_GROUP; kind++) {
      begin("k20c");
      expect_the_papers_example(kind, policy, papers_rows[policy]);
      end();
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_group_goes_to_its_smx),
      cmocka_unit_test(what_is_bound_waits_for_its_smx),
      cmocka_unit_test(bound_before_queue_0),
      cmocka_unit_test(highest_level_first),
      cmocka_unit_test(the_backup),
      cmocka_unit_test(queue_0_before_the_backup),
      cmocka_unit_test(a_full_bank),
      cmocka_unit_test(a_kernel_goes_to_its_smx),
      cmocka_unit_test(kernels_through_memory),
      cmocka_unit_test(a_kernel_without_room_in_its_bank),
      cmocka_unit_test(a_kernel_beside_a_group),
      cmocka_unit_test(a_kernel_in_a_bank_is_suspended),
      cmocka_unit_test(a_kernel_comes_back_to_a_bank),
      cmocka_unit_test(of_132_smxs),
      cmocka_unit_test(to_rr_and_back),
      cmocka_unit_test(through_all_policies),
      cmocka_unit_test(lists_of_rr),
      cmocka_unit_test(linked_after_a_change),
      cmocka_unit_test(changed_all_the_time),
      cmocka_unit_test(the_papers_example),
  };
  return cmocka_run_group_tests_name("policies", tests, NULL, NULL);
}
