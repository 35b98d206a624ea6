/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The banks of all SMXs while groups are in memory: kernels that enter, inversions, the quiet state. */
#include "unit/dispatch/laperm_fixture.h"

/* A kernel behind others of its bank and level in memory, or on their way there, is marked; another is not. */
TEST_F(test_kernel_behind) {
  room(true);
  hold(1, 2, true);
  kernel(5, 1, 2, 1);
  assert_int_equal(out.enter.mark && !out.enter.bank && !out.enter.wait_bank, 1);
  kernel(5, 1, 3, 1);
  assert_int_equal(out.enter.bank && !out.enter.mark, 1);
  kernel(5, 2, 2, 1);
  assert_int_equal(out.enter.bank && !out.enter.mark, 1);
  in.kmu_offer.valid = 0;
  group(1, 1, 2, 1);
  cycle();
  hold(1, 2, false);
  kernel(5, 1, 2, 1);
  assert_int_equal(out.put.valid && out.enter.mark && !out.enter.bank && !out.enter.wait_bank, 1);
  kernel(5, 1, 3, 1);
  assert_int_equal(out.enter.bank && !out.enter.wait_bank, 1); /* the group does not go into the bank */
  cycle();
  kernel(5, 1, 2, 1);
  assert_int_equal(out.enter.bank, 1);
}

/* While groups of the bank are in memory a kernel wants two places, and those of a line. Then there is a place for all
 * that arrive at once: the kernel, the group in A2, and the line that is requested. */
TEST_F(test_kernel_wants_a_line_more) {
  for (unsigned k = 0; k < 3; k++) push(k, 0, 1, 1);
  kernel(7, 0, 1, 1);
  assert_int_equal(out.enter.bank, 1);
  hold(1, 4, true); /* another bank */
  assert_int_equal(out.enter.bank, 1);
  hold(0, 4, true);
  assert_int_equal(out.enter.mark && !out.enter.bank, 1);
  in.kmu_offer.valid = 0;
  take(0, 0, false);
  kernel(7, 0, 1, 1);
  assert_int_equal(out.enter.bank && out.place[0], 1);
  group(6, 0, 1, 1);
  reserves(0);
  cycle();
  assert_int_equal(out.push.valid && !out.full, 1);
  assert_int_equal(arch()->pq[0].level_count[0] == 3 && arch()->pq[0].kept == 2, 1);
  back(9, 0, 4, 1);
  assert_int_equal(!out.place[0] && !out.back_ready, 1);
  cycle();
  assert_int_equal(arch()->pq[0].level_count[0], 4);
  for (unsigned n = 0; n < 2; n++) {
    back(9, 0, 4, 1);
    assert_int_equal(!out.place[0] && out.back_ready, 1);
    cycle();
  }
  assert_int_equal(arch()->pq[0].level_count[3] == 2 && !arch()->pq[0].kept, 1);
}

/* A kernel that binds waits while a group returns, into any bank; one that does not bind is marked. */
TEST_F(test_kernel_waits_for_back) {
  hold(3, 4, true);
  reserve(3);
  back(9, 3, 4, 1);
  kernel(5, 1, 2, 1);
  assert_int_equal(out.enter.wait_bank && !out.enter.bank && !out.enter.mark, 1);
  kernel(5, 1, 0, 1);
  assert_int_equal(!out.enter.wait_bank && out.enter.mark, 1);
  kernel(5, 3, 4, 1);
  assert_int_equal(!out.enter.wait_bank && out.enter.mark, 1); /* behind the returning group */
  kernel(5, 1, 2, 1);
  cycle();
  assert_int_equal(out.bank_valid[3] && !out.bank_valid[1], 1);
  kernel(5, 1, 2, 1);
  assert_int_equal(out.enter.bank && !out.enter.wait_bank, 1);
}

/* .. but not while that waits itself. */
TEST_F(test_kernel_passes_a_back_that_waits) {
  hold(3, 4, true);
  reserve(3);
  group(1, 3, 1, 1);
  cycle();
  back(9, 3, 4, 1);
  kernel(5, 1, 2, 1);
  assert_int_equal(!out.back_ready && out.enter.bank && !out.enter.wait_bank, 1);
}

/* A TB out of a bank is an inversion in the next cycle, if then a higher level of that bank is in memory. */
TEST_F(test_inversion) {
  push(1, 1, 2, 9);
  hold(1, 3, true);
  takes(1, 1, false);
  look();
  assert_int_equal(out.inversion, 0);
  cycle();
  assert_int_equal(arch()->ran && !arch()->ran_any && arch()->ran_bank == 1 && arch()->ran_level == 2, 1);
  assert_int_equal(out.inversion, 1);
  hold(1, 3, false);
  assert_int_equal(out.inversion, 0);
  hold(1, 2, true); /* its own level */
  assert_int_equal(out.inversion, 0);
  hold(1, 1, true);
  hold(2, 4, true); /* another bank */
  assert_int_equal(out.inversion, 0);
  hold(1, 4, true);
  assert_int_equal(out.inversion, 1);
  cycle();
  assert_int_equal(out.inversion || arch()->ran, 0);
}

/* .. it is the bank that counts, not that of the SMX; the level is that of the front as it was. */
TEST_F(test_inversion_of_a_spare_tb) {
  set_policy(HD_POLICY_ADAPTIVE_BIND);
  push(1, 1, 2, 1);
  push(2, 1, 1, 1);
  hold(1, 2, true);
  hold(2, 4, true);
  take(0, 1, true);
  assert_int_equal(arch()->ran_bank == 1 && arch()->ran_level == 2, 1);
  assert_int_equal(out.inversion, 0);
  take(0, 1, true);
  assert_int_equal(arch()->ran_level, 1);
  assert_int_equal(out.inversion, 1);
}

/* .. and a spare TB passes the bank of its SMX, and that SMX's backup unless it comes from this one: any level of them
 * counts. */
TEST_F(test_inversion_of_passed_banks) {
  set_policy(HD_POLICY_ADAPTIVE_BIND);
  push(1, 1, 2, 9);
  push(2, 2, 2, 9);
  hold(0, 1, true);
  take(0, 1, true); /* the first one: no backup yet */
  assert_int_equal(arch()->passed[0] == 1 && !arch()->passed[1] && !arch()->passed[2], 1);
  assert_int_equal(out.inversion, 1);
  hold(0, 1, false);
  hold(1, 1, true);
  assert_int_equal(out.inversion, 0);
  take(0, 1, true); /* of its backup */
  assert_int_equal(arch()->passed[0] == 1 && !arch()->passed[1], 1);
  assert_int_equal(out.inversion, 0);
  take(0, 2, true); /* its backup was passed */
  assert_int_equal(arch()->passed[0] && arch()->passed[1] && !arch()->passed[2] && !arch()->passed[3], 1);
  assert_int_equal(out.inversion, 1);
  take(0, 2, true); /* .. once */
  assert_int_equal(arch()->passed[0] && !arch()->passed[1], 1);
  assert_int_equal(out.inversion, 0);
  hold(1, 1, false);
  hold(3, 1, true);
  take(3, 2, true);
  assert_int_equal(!arch()->passed[0] && arch()->passed[3], 1);
  assert_int_equal(out.inversion, 1);
  takes(2, 2, false); /* not spare */
  cycle();
  assert_int_equal(memchr(arch()->passed, 1, cfg.num_bank) == NULL, 1);
  set_policy(HD_POLICY_RR);
  take(0, 1, true);
  assert_int_equal(memchr(arch()->passed, 1, cfg.num_bank) == NULL && !out.inversion, 1);
}

/* A TB of the SSCR counts for the bank of its SMX. */
TEST_F(test_inversion_of_the_sscr) {
  start_clusters("k20c", 4, 2, 6, 20);
  hold(1, 1, true);
  grants(3, 0);
  cycle();
  assert_int_equal(arch()->ran && arch()->ran_bank == 1 && arch()->ran_level == 0, 1);
  assert_int_equal(out.inversion, 1);
  grants(1, 0);
  cycle();
  assert_int_equal(out.inversion, 0);
  grants(2, 1);
  cycle();
  assert_int_equal(out.inversion, 0);
  in.sched_grant.level = 0; /* nothing is handed out */
  in.sched_grant.smx = 3;
  cycle();
  assert_int_equal(out.inversion || arch()->ran, 0);
}

/* Under TbPri all banks count, under Rr none. The policy is that of the cycle of the TB. */
TEST_F(test_inversion_by_policy) {
  push(1, 1, 2, 9);
  hold(3, 3, true);
  set_policy(HD_POLICY_TB_PRI);
  takes(0, 1, false);
  cycle();
  assert_int_equal(arch()->ran_any, 1);
  set_policy(HD_POLICY_SMX_BIND);
  assert_int_equal(out.inversion, 1);
  grants(0, 3);
  set_policy(HD_POLICY_TB_PRI);
  cycle();
  assert_int_equal(arch()->ran && !out.inversion, 1);
  hold(1, 4, true);
  set_policy(HD_POLICY_RR);
  takes(1, 1, true);
  cycle();
  set_policy(HD_POLICY_TB_PRI);
  assert_int_equal(out.inversion || arch()->ran, 0);
}

/* Quiet: exactly while a cycle without inputs changes no state. */
TEST_F(test_quiet) {
  const struct hd_info g = {.ctas = 1, .level = 1};
  const uint64_t queue = 1; /* bank 0, level 1 */
  const uint8_t one[HD_MAX_NUM_BANK] = {1};
  struct hd_laperm_edge e = {.policy = HD_POLICY_TB_PRI, .take_bank = -1, .memory = {.held = &queue, .room = &queue}};
  hd_laperm_step(m, &e);
  assert_true(hd_laperm_quiet(m));
  e.grant = true;
  hd_laperm_step(m, &e);
  assert_true(!hd_laperm_quiet(m) && hd_laperm_inversion(m, &e.memory));
  e.grant = false;
  hd_laperm_step(m, &e);
  assert_true(hd_laperm_quiet(m) && !hd_laperm_inversion(m, &e.memory));
  e.group = &g;
  hd_laperm_step(m, &e);
  assert_true(!hd_laperm_quiet(m) && hd_laperm_puts(m) && !hd_laperm_full(m));
  assert_int_equal(hd_laperm_pushes(m), 0);
  e.memory.room = NULL;
  hd_laperm_step(m, &e);
  assert_true(!hd_laperm_quiet(m) && hd_laperm_full(m) && !hd_laperm_puts(m));
  assert_int_equal(hd_laperm_pushes(m), -1);
  e.group = NULL;
  hd_laperm_step(m, &e);
  assert_true(hd_laperm_quiet(m));
  e.memory.reserve = one; /* places are kept, and given up, while nothing else happens */
  hd_laperm_step(m, &e);
  assert_true(hd_laperm_quiet(m) && hd_laperm_bank(m, 0)->kept == 2 && !hd_laperm_bank(m, 1)->kept);
  e.memory.reserve = NULL;
  e.memory.release = one;
  hd_laperm_step(m, &e);
  assert_true(hd_laperm_quiet(m) && hd_laperm_bank(m, 0)->kept == 1);
  e.memory.release = NULL;
  e.memory.back = &g;
  assert_true(hd_laperm_takes_back(m, &e.memory) && hd_laperm_place(m, 0));
  hd_laperm_step(m, &e);
  assert_true(!hd_laperm_quiet(m) && hd_laperm_holds(m, 0) && !hd_laperm_bank(m, 0)->kept);
}

/* Each change of a bank is counted: a copy without the banks shows whether one has changed. */
TEST_F(test_stepped) {
  const uint32_t before = m->stepped;
  cycle();
  assert_int_equal(m->stepped, before);
  reserve(1);
  assert_int_equal(m->stepped, before + 1);
  releases(1, 2);
  reserves(2);
  cycle();
  assert_int_equal(m->stepped, before + 3);
}

/* A reset clears A3, the TB that was handed out, and kept places. */
TEST_F(test_reset) {
  struct hd_laperm *fresh = ut_new(hd_laperm_size(&cfg));
  hd_laperm_init(fresh, &cfg);
  hold(1, 2, true);
  group(1, 1, 2, 1);
  grants(3, 3);
  reserves(2);
  cycle();
  assert_int_equal(arch()->a3_full && arch()->pq[2].kept, 1);
  assert_memory_not_equal(m, fresh, hd_laperm_size(&cfg));
  hd_laperm_reset(m);
  assert_memory_equal(m, fresh, hd_laperm_size(&cfg));
  free(fresh);
}

TEST_MAIN("laperm_held", NULL, NULL)
