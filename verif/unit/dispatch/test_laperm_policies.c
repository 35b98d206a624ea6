/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The banks of all SMXs: offers and backups of each policy, with one SMX and with many. */
#include "unit/dispatch/laperm_fixture.h"

/* The offers to an SMX: banks, -1 none; with the need of the kernel at the head there. */
static void offers(unsigned smx, int bound, int spare) {
  assert_int_equal(out.bound_valid[smx] ? out.bound_bank[smx] : -1, bound);
  assert_int_equal(out.spare_valid[smx] ? out.spare_bank[smx] : -1, spare);
  assert_int_equal(out.bound_need[smx].warps, bound < 0 ? 0 : 1 + out.bank_front[bound].kdei);
  assert_int_equal(out.spare_need[smx].warps, spare < 0 ? 0 : 1 + out.bank_front[spare].kdei);
  if (bound < 0) assert_int_equal(out.bound_bank[smx] || out.bound_need[smx].regs, 0);
  if (spare < 0) assert_int_equal(out.spare_bank[smx] || out.spare_need[smx].regs, 0);
}

/* Rr: nothing bound; the winner is spare for all. */
TEST_F(test_rr) {
  push(0, 1, 1, 1);
  push(1, 2, 2, 1);
  set_policy(HD_POLICY_RR);
  for (unsigned s = 0; s < 4; s++) offers(s, -1, 2);
}

/* TbPri: the winner for all SMXs, whichever launched it; nothing spare. */
TEST_F(test_tb_pri) {
  push(0, 1, 1, 1);
  push(1, 2, 2, 1);
  push(2, 3, 2, 1);
  set_policy(HD_POLICY_TB_PRI);
  for (unsigned s = 0; s < 4; s++) offers(s, 2, -1);
  take(0, 2, false);
  for (unsigned s = 0; s < 4; s++) offers(s, 3, -1);
  take(3, 3, false);
  for (unsigned s = 0; s < 4; s++) offers(s, 1, -1);
}

/* The saved list of the head's kernel could overflow: the entry stays offered, and needs more than an SMX has. */
TEST_F(test_front_waits_for_its_list) {
  push(0, 1, 1, 1);
  push(1, 2, 1, 1);
  set_policy(HD_POLICY_SMX_BIND);
  in.kd_sav_full[out.bank_front[1].kdei] = 1;
  look();
  assert_int_equal(out.bound_valid[1], 1);
  assert_int_equal(out.bound_bank[1], 1);
  assert_true(out.bound_need[1].warps > cfg.warps_per_smx);
  offers(2, 2, -1);
  in.kd_sav_full[out.bank_front[1].kdei] = 0;
  look();
  offers(1, 1, -1);
}

/* SmxBind: each its own bank, nothing else. */
TEST_F(test_smx_bind) {
  push(0, 1, 1, 1);
  push(1, 3, 4, 1);
  set_policy(HD_POLICY_SMX_BIND);
  offers(0, -1, -1);
  offers(1, 1, -1);
  offers(2, -1, -1);
  offers(3, 3, -1);
}

/* AdaptiveBind: its own bank first; the next one in cyclic order is spare, never its own. */
TEST_F(test_adaptive_bind) {
  push(0, 1, 1, 1);
  set_policy(HD_POLICY_ADAPTIVE_BIND);
  offers(0, -1, 1);
  offers(1, 1, -1);
  offers(2, -1, 1);
  push(1, 3, 4, 1);
  offers(0, -1, 1);
  offers(1, 1, 3);
  offers(2, -1, 3);
  offers(3, 3, 1);
}

/* A backup stays while it holds an entry, even if another is nearer. */
TEST_F(test_backup_stays) {
  set_policy(HD_POLICY_ADAPTIVE_BIND);
  push(0, 3, 1, 9);
  take(0, 3, true);
  assert_int_equal(arch()->backup_valid[0] && arch()->backup[0] == 3, 1);
  push(1, 1, 1, 9);
  offers(0, -1, 3);
  offers(2, -1, 3);
  push(2, 0, 1, 1); /* own work does not change it */
  offers(0, 0, 3);
  take(0, 0, false);
  offers(0, -1, 3);
}

/* An empty backup is skipped, and is the backup again when it is filled, unless a TB was taken from another. */
TEST_F(test_backup_passed_over) {
  set_policy(HD_POLICY_ADAPTIVE_BIND);
  push(0, 3, 1, 1);
  take(0, 3, true);
  push(1, 2, 1, 2);
  push(2, 1, 1, 9);
  offers(0, -1, 1);
  push(3, 3, 1, 1);
  offers(0, -1, 3);
  take(3, 3, false);
  offers(0, -1, 1);
  take(0, 1, true);
  push(3, 3, 1, 1);
  offers(0, -1, 1);
  assert_int_equal(arch()->backup[0], 1);
}

/* Only a spare take under AdaptiveBind sets a backup; each SMX has its own. */
TEST_F(test_what_makes_a_backup) {
  push(0, 1, 1, 9);
  set_policy(HD_POLICY_RR);
  take(0, 1, true);
  set_policy(HD_POLICY_TB_PRI);
  take(0, 1, false);
  set_policy(HD_POLICY_ADAPTIVE_BIND);
  take(1, 1, false);
  for (unsigned s = 0; s < 4; s++) assert_int_equal(arch()->backup_valid[s], 0);
  take(2, 1, true);
  for (unsigned s = 0; s < 4; s++) assert_int_equal(arch()->backup_valid[s], s == 2);
  set_policy(HD_POLICY_RR);
  cycle();
  assert_int_equal(arch()->backup_valid[2], 1);
}

/* A change of policy takes effect in the same cycle; queued entries stay unchanged. */
TEST_F(test_policy_changes) {
  push(0, 1, 1, 3);
  push(1, 2, 2, 3);
  set_policy(HD_POLICY_TB_PRI);
  offers(0, 2, -1);
  set_policy(HD_POLICY_ADAPTIVE_BIND);
  offers(0, -1, 1);
  set_policy(HD_POLICY_RR);
  offers(0, -1, 2);
  set_policy(HD_POLICY_SMX_BIND);
  offers(0, -1, -1);
  front(1, 0, 0);
  front(2, 1, 0);
}

/* One SMX: nothing is ever spare under AdaptiveBind. */
TEST_F(test_one_smx) {
  start("k20c", 1, 2, 20);
  push(0, 0, 1, 1);
  set_policy(HD_POLICY_ADAPTIVE_BIND);
  offers(0, 0, -1);
  set_policy(HD_POLICY_TB_PRI);
  offers(0, 0, -1);
  set_policy(HD_POLICY_RR);
  offers(0, -1, 0);
}

/* 132 SMXs: cyclic order across the words of a set. */
TEST_F(test_many_smxs) {
  start("big", 132, 4, 20);
  set_policy(HD_POLICY_ADAPTIVE_BIND);
  push(0, 65, 1, 2);
  push(1, 131, 2, 2);
  offers(0, -1, 65);
  offers(65, 65, 131);
  offers(66, -1, 131);
  offers(131, 131, 65);
  winner_is(131);
}

/* Five SMXs in clusters of two: banks 0, 1, and 2, which SMX 4 has for itself. Launches of an SMX wait in the bank of
 * its cluster; each SMX of a cluster has a backup of its own. */
TEST_F(test_clusters) {
  start_clusters("k20c", 5, 2, 6, 20);
  push(0, 3, 1, 9);
  push(1, 2, 1, 9);
  front(1, 0, 0);
  assert_int_equal(out.bank_valid[0] || out.bank_valid[2], 0);
  set_policy(HD_POLICY_SMX_BIND);
  for (unsigned s = 0; s < 5; s++) offers(s, s / 2 == 1 ? 1 : -1, -1);
  set_policy(HD_POLICY_ADAPTIVE_BIND);
  offers(0, -1, 1);
  offers(2, 1, -1);
  offers(4, -1, 1);
  take(0, 1, true);
  push(2, 4, 2, 9);
  offers(0, -1, 1);
  offers(1, -1, 1);
  offers(3, 1, 2);
  offers(4, 2, 1);
  take(1, 1, true);
  push(3, 0, 1, 9);
  offers(0, 0, 1);
  offers(4, 2, 0);
  assert_int_equal(arch()->backup_valid[0] && arch()->backup_valid[1] && !arch()->backup_valid[4], 1);
}

/* All SMXs in one cluster: one bank, nothing spare but under Rr. */
TEST_F(test_one_cluster) {
  start_clusters("k20c", 4, 4, 6, 20);
  push(0, 3, 2, 2);
  push(1, 0, 1, 2);
  set_policy(HD_POLICY_ADAPTIVE_BIND);
  for (unsigned s = 0; s < 4; s++) offers(s, 0, -1);
  set_policy(HD_POLICY_RR);
  for (unsigned s = 0; s < 4; s++) offers(s, -1, 0);
  front(0, 0, 0);
}

TEST_MAIN("laperm_policies", NULL, NULL)
