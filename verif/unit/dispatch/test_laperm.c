/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The banks of all SMXs: groups through A3, kernels, TBs that are taken. */
#include "unit/dispatch/laperm_fixture.h"

/* After reset no entry is held, no output is set except the free places, and the model is quiet. */
TEST_F(test_empty_after_reset) {
  static const struct hd_laperm_out nothing = {.place = {1, 1, 1, 1}, .bank_room = {6, 6, 6, 6}};
  static const struct hd_laperm_arch none;
  for (unsigned p = 0; p < 4; p++) {
    set_policy(p);
    assert_memory_equal(&out, &nothing, sizeof out);
  }
  assert_memory_equal(arch(), &none, sizeof none);
  assert_true(hd_laperm_quiet(m));
  assert_false(hd_laperm_any(m));
}

/* A group: A2 in t, A3 in t+1, bank head in t+2, with all its fields. */
TEST_F(test_group) {
  group(7, 2, 3, 4);
  look();
  assert_int_equal(out.push.valid || out.full, 0);
  cycle();
  assert_int_equal(out.push.valid, 1);
  assert_int_equal(out.push.kdei, 7);
  assert_int_equal(out.full, 0);
  assert_int_equal(arch()->a3_valid && arch()->a3_bank == 2 && arch()->a3_info.ctas == 4, 1);
  assert_int_equal(out.bank_valid[2], 0);
  cycle();
  assert_int_equal(out.push.valid || out.push.kdei, 0);
  const struct hd_pqentry want = {
      .kind = HD_UNIT_GROUP, .kdei = 7, .grid_x = 4, .grid_y = 1, .grid_z = 1, .param = 0x107, .ctas = 4, .level = 3};
  assert_memory_equal(&out.bank_front[2], &want, sizeof want);
  front(2, 7, 0);
}

/* Under Rr a group goes to its kernel's list: not here. */
TEST_F(test_group_under_rr) {
  set_policy(HD_POLICY_RR);
  group(1, 0, 1, 1);
  cycle();
  assert_int_equal(out.push.valid || out.full, 0);
  cycle();
  assert_int_equal(out.bank_valid[0], 0);
}

/* The policy of the cycle in A2 counts, not that in A3. */
TEST_F(test_policy_of_a2) {
  group(1, 0, 1, 1);
  cycle();
  set_policy(HD_POLICY_RR);
  assert_int_equal(out.push.valid, 1);
  cycle();
  front(0, 1, 0);
}

/* TBs go out in order; with the last the entry leaves, and the level's count with it. */
TEST_F(test_take) {
  push(3, 1, 2, 3);
  for (unsigned tb = 0; tb < 3; tb++) {
    assert_int_equal(arch()->live[1], 1);
    front(1, 3, tb);
    take(1, 1, false);
  }
  assert_int_equal(out.bank_valid[1] || out.bank_front[1].ctas || out.bank_last[1], 0);
  assert_int_equal(arch()->live[1], 0);
}

/* A full bank refuses; the other banks are not affected. */
TEST_F(test_full) {
  for (unsigned k = 0; k < 6; k++) push(k, 0, 1 + k % 4, 1);
  group(6, 0, 1, 1);
  cycle();
  assert_int_equal(out.full, 1);
  assert_int_equal(out.push.valid || out.push.kdei, 0);
  assert_int_equal(arch()->a3_valid && arch()->a3_full && !arch()->a3_put, 1);
  group(7, 1, 1, 1);
  cycle();
  assert_int_equal(out.full, 0);
  assert_int_equal(out.push.valid, 1);
}

/* The place that leaves in t counts for a group in A2 only from t+1 on. */
TEST_F(test_refused_though_one_leaves) {
  for (unsigned k = 0; k < 6; k++) push(k, 0, 1, 1);
  group(6, 0, 1, 1);
  take(0, 0, false);
  assert_int_equal(out.full, 1);
  group(6, 0, 1, 1);
  cycle();
  assert_int_equal(out.push.valid, 1);
}

/* The group in A3 takes a place that is still free: with one left the next group is refused, with two it is not. */
TEST_F(test_place_of_a3) {
  for (unsigned k = 0; k < 4; k++) push(k, 0, 1, 1);
  for (unsigned k = 4; k < 7; k++) {
    group(k, 0, 1, 1);
    cycle();
    assert_int_equal(out.push.valid, k < 6);
    assert_int_equal(out.full, k == 6);
  }
}

/* .. but not if it goes elsewhere, or was refused. */
TEST_F(test_place_of_another_a3) {
  for (unsigned k = 0; k < 5; k++) push(k, 0, 1, 1);
  group(5, 1, 1, 1);
  cycle();
  group(6, 0, 1, 1);
  cycle();
  assert_int_equal(out.push.valid, 1);
  group(7, 0, 1, 1);
  cycle();
  assert_int_equal(out.full, 1);
  group(7, 0, 1, 1);
  takes(0, 0, false); /* of a full bank */
  cycle();
  assert_int_equal(out.full, 1);
  group(7, 0, 1, 1);
  cycle();
  assert_int_equal(out.push.valid, 1);
}

/* A fresh device kernel goes into its bank at once and is not marked. */
TEST_F(test_kernel) {
  kernel(9, 3, 2, 5);
  assert_int_equal(out.enter.bank, 1);
  assert_int_equal(out.enter.wait_bank || out.enter.mark, 0);
  cycle();
  const struct hd_pqentry want = {.kind = HD_UNIT_NATIVE, .kdei = 9, .ctas = 5, .level = 2};
  assert_memory_equal(&out.bank_front[3], &want, sizeof want);
  front(3, 9, 0);
}

/* Until the KD is ready no state changes, for any inputs. */
TEST_F(test_kernel_waits_for_the_kd) {
  kernel(9, 3, 2, 5);
  in.kd_free.valid = 0;
  look();
  assert_int_equal(out.enter.bank, 1);
  cycle();
  assert_int_equal(out.bank_valid[3], 0);
  assert_int_equal(arch()->number[1], 0);
}

/* Kernels that do not bind are marked: all under Rr, those of the host, those whose native part is done. */
TEST_F(test_kernels_that_do_not_bind) {
  for (unsigned which = 0; which < 3; which++) {
    set_policy(which == 0 ? HD_POLICY_RR : HD_POLICY_TB_PRI);
    kernel(1, 0, which == 1 ? 0 : 1, 3);
    in.kmu_offer.kernel.progress.ndone = which == 2;
    look();
    assert_int_equal(out.enter.mark, 1);
    assert_int_equal(out.enter.bank || out.enter.wait_bank, 0);
    cycle();
    assert_int_equal(out.bank_valid[0], 0);
  }
}

/* A resumed kernel continues with its next TB, and one with groups is marked; with saved TBs it is not bound at all. */
TEST_F(test_resumed_kernel) {
  for (unsigned which = 0; which < 4; which++) {
    kernel(which, which, 1, 9);
    in.kmu_offer.kernel.progress = (struct hd_progress){.nextbl = 6, .sav_count = which & 1};
    in.kmu_offer.kernel.groups.pending = which >> 1;
    look();
    assert_int_equal(out.enter.bank, !(which & 1));
    assert_int_equal(out.enter.mark, which != 0);
    cycle();
    if (which & 1)
      assert_int_equal(out.bank_valid[which], 0);
    else
      front(which, which, 6);
  }
}

/* Two places are needed: one may be for a group that is judged in the same cycle. */
TEST_F(test_kernel_wants_two_places) {
  for (unsigned k = 0; k < 4; k++) push(k, 0, 1, 1);
  group(4, 0, 1, 1);
  kernel(5, 0, 1, 1);
  assert_int_equal(out.enter.bank, 1);
  cycle();
  assert_int_equal(out.push.valid, 1); /* the last place */
  kernel(6, 0, 1, 1);
  assert_int_equal(out.enter.mark && !out.enter.bank && !out.enter.wait_bank, 1);
  cycle();
  assert_int_equal(arch()->live[0], 6);
  take(0, 0, false);
  kernel(6, 0, 1, 1);
  assert_int_equal(out.enter.mark && !out.enter.bank, 1);
}

/* A kernel waits while a group goes into its bank, and enters in the next cycle. */
TEST_F(test_kernel_waits_for_a_group) {
  group(1, 2, 1, 1);
  cycle();
  kernel(2, 2, 1, 1);
  in.kmu_offer.kernel.groups.pending = 1;
  look();
  assert_int_equal(out.enter.wait_bank, 1);
  assert_int_equal(out.enter.bank || out.enter.mark, 0);
  cycle();
  assert_int_equal(arch()->live[0], 1);
  kernel(2, 2, 1, 1);
  assert_int_equal(out.enter.wait_bank, 0);
  assert_int_equal(out.enter.bank, 1);
  cycle();
  assert_int_equal(arch()->live[0], 2);
}

/* A kernel that does not bind, or binds to another bank, does not wait. */
TEST_F(test_kernel_does_not_wait) {
  group(1, 2, 1, 1);
  cycle();
  kernel(2, 2, 0, 1);
  assert_int_equal(out.enter.mark && !out.enter.wait_bank, 1);
  kernel(2, 3, 1, 1);
  assert_int_equal(out.enter.bank && !out.enter.wait_bank, 1);
  set_policy(HD_POLICY_RR);
  kernel(2, 2, 1, 1);
  assert_int_equal(out.enter.mark && !out.enter.wait_bank, 1);
}

/* A refused group does not delay a kernel. */
TEST_F(test_kernel_does_not_wait_for_a_refused_group) {
  for (unsigned k = 0; k < 6; k++) push(k, 0, 1, 1);
  group(6, 0, 1, 1);
  cycle();
  kernel(7, 0, 1, 1);
  assert_int_equal(out.full && out.enter.mark && !out.enter.wait_bank, 1);
}

/* Group, kernel and take in each cycle, into one bank and out of it: no entry is lost. */
TEST_F(test_all_at_once) {
  start("k20c", 4, 128, 20);
  unsigned kernels = 0, groups = 0, taken = 0;
  for (unsigned n = 0; n < 400; n++) {
    group(n % 32, n % 4, 1 + n % 3, 1);
    kernel(n % 32, (n + 1) % 4, 1 + n % 4, 1);
    kernels += out.enter.bank;
    groups += out.push.valid;
    for (unsigned b = 0; b < 4; b++)
      if (out.bank_valid[b]) takes(b, b, false);
    taken += in.sched_take.valid;
    cycle();
  }
  groups += out.push.valid;
  cycle();
  for (unsigned b = 0; b < 4; b++)
    for (; out.bank_valid[b]; taken++) take(b, b, false);
  assert_int_equal(taken, kernels + groups);
  for (unsigned l = 0; l < 4; l++) assert_int_equal(arch()->live[l], 0);
}

/* For models composed of blocks: the accessors return the outputs, and a step is a clock edge. */
TEST_F(test_accessors) {
  const struct hd_info info = {.ctas = 2, .level = 3};
  struct hd_laperm_edge e = {.policy = HD_POLICY_ADAPTIVE_BIND, .group = &info, .group_kdei = 5, .group_smx = 1};
  e.take_bank = -1;
  hd_laperm_step(m, &e);
  assert_int_equal(hd_laperm_pushes(m), 5);
  assert_false(hd_laperm_full(m) || hd_laperm_puts(m));
  e.group = NULL;
  hd_laperm_step(m, &e);
  set_policy(HD_POLICY_ADAPTIVE_BIND);
  assert_int_equal(hd_laperm_pushes(m), -1);
  assert_true(hd_laperm_any(m) && hd_laperm_holds(m, 1) && !hd_laperm_holds(m, 0) && !hd_laperm_quiet(m));
  assert_memory_equal(hd_laperm_front(m, 1), &out.bank_front[1], sizeof out.bank_front[1]);
  assert_int_equal(hd_laperm_bound(m, in.regs_config.policy, 1), 1);
  assert_int_equal(hd_laperm_spare(m, in.regs_config.policy, 0), 1);
  assert_int_equal(hd_laperm_spare(m, in.regs_config.policy, 1), -1);
  e.take_bank = 1;
  e.take_smx = 0;
  e.take_spare = true;
  hd_laperm_step(m, &e);
  assert_int_equal(hd_laperm_nextbl(m, 1), 1);
  assert_true(hd_laperm_last(m, 1));
  assert_int_equal(arch()->backup_valid[0], 1);
}

/* The state depends only on the waiting entries and the backups (apart from each bank's record of the row written
 * last): emptied, or reset in the middle, it equals a new model byte for byte. */
TEST_F(test_state_is_canonical) {
  size_t size = hd_laperm_size(&cfg);
  struct hd_laperm *fresh = ut_new(size);
  hd_laperm_init(fresh, &cfg);
  for (unsigned n = 0; n < 16; n++) push(n, n % 4, 1 + n % 3, 1 + n % 2);
  assert_memory_not_equal(m, fresh, size);
  for (unsigned b = 0; b < 4; b++)
    while (out.bank_valid[b]) take(b, b, false);
  cycle();
  for (unsigned b = 0; b < 4; b++) memset((void *)hd_laperm_bank(m, b)->wrote, 0, sizeof hd_laperm_bank(m, b)->wrote);
  m->stepped = 0;
  assert_memory_equal(m, fresh, size);
  set_policy(HD_POLICY_ADAPTIVE_BIND);
  for (unsigned n = 0; n < 16; n++) push(n, n % 4, 1 + n % 3, 2);
  take(0, 1, true);
  group(1, 1, 1, 1);
  cycle();
  hd_laperm_reset(m);
  assert_memory_equal(m, fresh, size);
  free(fresh);
}

TEST_MAIN("laperm", NULL, NULL)
