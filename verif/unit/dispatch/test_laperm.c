/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The banks of all SMXs: groups through A3, kernels, numbers, the winner, each policy's offers, backups, sizes. An
 * entry is told by its kernel. */
#include "dispatch/laperm.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static struct hd_laperm *m;
static struct hd_laperm_in in;
static struct hd_laperm_out out; /* of the cycle to come, with the inputs as they are */

/* `config` with these parameters; numbers of so many bits. */
static void start(const char *config, unsigned smxs, unsigned depth, unsigned arrival_w) {
  char err[300];
  free(m);
  cfg = ut_cfg(config);
  assert_true(hd_cfg_set(&cfg, "NumSmx", smxs, err, sizeof err) && hd_cfg_set(&cfg, "PqDepth", depth, err, sizeof err));
  assert_true(hd_cfg_set(&cfg, "ArrivalW", arrival_w, err, sizeof err) && hd_cfg_derive(&cfg, err, sizeof err));
  m = ut_new(hd_laperm_size(&cfg));
  hd_laperm_init(m, &cfg);
  memset(&in, 0, sizeof in);
  memset(&out, 0, sizeof out);
  for (unsigned k = 0; k < cfg.num_kde; k++) in.need[k] = (struct hd_need){.warps = (uint8_t)(1 + k), .regs = 5};
  in.policy = HD_POLICY_SMX_BIND;
}

/* Four SMXs, banks of six, 20-bit numbers. */
static int setup(void **state) {
  (void)state;
  start("k20c", 4, 6, 20);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  free(m);
  m = NULL;
  return 0;
}

static void look(void) {
  hd_laperm_eval(m, &in, &out);
}

/* One cycle with the inputs as they are; afterwards nothing comes and nothing is taken; the policy stays. */
static void cycle(void) {
  uint8_t policy = in.policy;
  struct hd_need need[HD_MAX_NUM_KDE];
  hd_laperm_tick(m, &in);
  if (in.enter_valid && in.enter_ready) in.need[in.enter_kdei] = in.enter_need;
  memcpy(need, in.need, sizeof need);
  memset(&in, 0, sizeof in);
  memcpy(in.need, need, sizeof need);
  in.policy = policy;
  look();
}

static void set_policy(unsigned policy) {
  in.policy = (uint8_t)policy;
  look();
}

/* A group of a kernel stands in A2 in the cycle to come. */
static void group(unsigned kdei, unsigned smx, unsigned level, unsigned ctas) {
  in.a2_group = 1;
  in.a2_kdei = (uint8_t)kdei;
  in.a2_smx = (uint8_t)smx;
  in.a2_info = (struct hd_info){.grid_x = (uint16_t)ctas, .grid_y = 1, .grid_z = 1, .param = 0x100 + kdei};
  in.a2_info.ctas = ctas;
  in.a2_info.level = (uint8_t)level;
}

/* A kernel is offered in the cycle to come, and the KD is ready. */
static void kernel(unsigned kdei, unsigned smx, unsigned level, unsigned ctas) {
  in.enter_valid = in.enter_ready = 1;
  in.enter_kdei = (uint8_t)kdei;
  in.enter_smx = (uint8_t)smx;
  in.enter_level = (uint8_t)level;
  in.enter_ctas = ctas;
  in.enter_need = in.need[kdei];
  look();
}

/* A group goes into its bank: two cycles. */
static void push(unsigned kdei, unsigned smx, unsigned level, unsigned ctas) {
  group(kdei, smx, level, ctas);
  cycle();
  cycle();
}

/* SMX takes the next TB of the front of this bank in the cycle to come. */
static void takes(unsigned smx, unsigned bank, bool spare) {
  in.take_valid = 1;
  in.take_smx = (uint8_t)smx;
  in.take_bank = (uint8_t)bank;
  in.take_spare = spare;
}

static void take(unsigned smx, unsigned bank, bool spare) {
  takes(smx, bank, spare);
  cycle();
}

static struct hd_laperm_arch *arch(void) {
  static struct hd_laperm_arch a;
  hd_laperm_arch(m, &a, true);
  return &a;
}

/* The bank's front is of that kernel, with that next TB. */
static void front(unsigned bank, unsigned kdei, unsigned nextbl) {
  assert_int_equal(out.bank_valid[bank], 1);
  assert_int_equal(out.bank_front[bank].kdei, kdei);
  assert_int_equal(out.bank_nextbl[bank], nextbl);
  assert_int_equal(out.bank_last[bank], nextbl + 1 == out.bank_front[bank].ctas);
}

/* What SMX is offered: banks, -1 none; with the need of the kernel in front there. */
static void offers(unsigned smx, int bound, int spare) {
  assert_int_equal(out.bound_valid[smx] ? out.bound_bank[smx] : -1, bound);
  assert_int_equal(out.spare_valid[smx] ? out.spare_bank[smx] : -1, spare);
  assert_int_equal(out.bound_need[smx].warps, bound < 0 ? 0 : 1 + out.bank_front[bound].kdei);
  assert_int_equal(out.spare_need[smx].warps, spare < 0 ? 0 : 1 + out.bank_front[spare].kdei);
  if (bound < 0) assert_int_equal(out.bound_bank[smx] || out.bound_need[smx].regs, 0);
  if (spare < 0) assert_int_equal(out.spare_bank[smx] || out.spare_need[smx].regs, 0);
}

static void winner_is(int bank) {
  assert_int_equal(arch()->winner_valid ? arch()->winner : -1, bank);
}

/* After reset nothing is held, offered or told, and the model is quiet. */
static void test_empty_after_reset(void **state) {
  (void)state;
  static const struct hd_laperm_out nothing;
  static const struct hd_laperm_arch none;
  for (unsigned p = 0; p < 4; p++) {
    set_policy(p);
    assert_memory_equal(&out, &nothing, sizeof out);
  }
  assert_memory_equal(arch(), &none, sizeof none);
  assert_true(hd_laperm_quiet(m));
  assert_false(hd_laperm_any(m));
}

/* A group: A2 in t, A3 in t+1, in front in t+2, with all that it has. */
static void test_group(void **state) {
  (void)state;
  group(7, 2, 3, 4);
  look();
  assert_int_equal(out.push_valid || out.full, 0);
  cycle();
  assert_int_equal(out.push_valid, 1);
  assert_int_equal(out.push_kdei, 7);
  assert_int_equal(out.full, 0);
  assert_int_equal(arch()->a3_valid && arch()->a3_smx == 2 && arch()->a3_info.ctas == 4, 1);
  assert_int_equal(out.bank_valid[2], 0);
  cycle();
  assert_int_equal(out.push_valid || out.push_kdei, 0);
  const struct hd_pqentry want = {
      .kind = HD_UNIT_GROUP, .kdei = 7, .grid_x = 4, .grid_y = 1, .grid_z = 1, .param = 0x107, .ctas = 4, .level = 3};
  assert_memory_equal(&out.bank_front[2], &want, sizeof want);
  front(2, 7, 0);
}

/* Under Rr a group goes to its kernel's list: not here. */
static void test_group_under_rr(void **state) {
  (void)state;
  set_policy(HD_POLICY_RR);
  group(1, 0, 1, 1);
  cycle();
  assert_int_equal(out.push_valid || out.full, 0);
  cycle();
  assert_int_equal(out.bank_valid[0], 0);
}

/* The policy of the cycle in A2 counts, not that in A3. */
static void test_policy_of_a2(void **state) {
  (void)state;
  group(1, 0, 1, 1);
  cycle();
  set_policy(HD_POLICY_RR);
  assert_int_equal(out.push_valid, 1);
  cycle();
  front(0, 1, 0);
}

/* TBs go out in order; with the last the entry leaves, and the level's count with it. */
static void test_take(void **state) {
  (void)state;
  push(3, 1, 2, 3);
  for (unsigned tb = 0; tb < 3; tb++) {
    assert_int_equal(arch()->live[1], 1);
    front(1, 3, tb);
    take(1, 1, false);
  }
  assert_int_equal(out.bank_valid[1] || out.bank_front[1].ctas || out.bank_last[1], 0);
  assert_int_equal(arch()->live[1], 0);
}

/* A full bank refuses; the other banks do not mind. */
static void test_full(void **state) {
  (void)state;
  for (unsigned k = 0; k < 6; k++) push(k, 0, 1 + k % 4, 1);
  group(6, 0, 1, 1);
  cycle();
  assert_int_equal(out.full, 1);
  assert_int_equal(out.push_valid || out.push_kdei, 0);
  assert_int_equal(arch()->a3_full && !arch()->a3_valid, 1);
  group(7, 1, 1, 1);
  cycle();
  assert_int_equal(out.full, 0);
  assert_int_equal(out.push_valid, 1);
}

/* The place that leaves in t counts for a group in A2 only from t+1 on. */
static void test_refused_though_one_leaves(void **state) {
  (void)state;
  for (unsigned k = 0; k < 6; k++) push(k, 0, 1, 1);
  group(6, 0, 1, 1);
  take(0, 0, false);
  assert_int_equal(out.full, 1);
  group(6, 0, 1, 1);
  cycle();
  assert_int_equal(out.push_valid, 1);
}

/* The group in A3 takes a place that is still free: with one left the next group is refused, with two it is not. */
static void test_place_of_a3(void **state) {
  (void)state;
  for (unsigned k = 0; k < 4; k++) push(k, 0, 1, 1);
  for (unsigned k = 4; k < 7; k++) {
    group(k, 0, 1, 1);
    cycle();
    assert_int_equal(out.push_valid, k < 6);
    assert_int_equal(out.full, k == 6);
  }
}

/* .. but not if it goes elsewhere, or was refused. */
static void test_place_of_another_a3(void **state) {
  (void)state;
  for (unsigned k = 0; k < 5; k++) push(k, 0, 1, 1);
  group(5, 1, 1, 1);
  cycle();
  group(6, 0, 1, 1);
  cycle();
  assert_int_equal(out.push_valid, 1);
  group(7, 0, 1, 1);
  cycle();
  assert_int_equal(out.full, 1);
  group(7, 0, 1, 1);
  takes(0, 0, false); /* of a full bank */
  cycle();
  assert_int_equal(out.full, 1);
  group(7, 0, 1, 1);
  cycle();
  assert_int_equal(out.push_valid, 1);
}

/* A fresh device kernel goes into its bank at once and is not marked. */
static void test_kernel(void **state) {
  (void)state;
  kernel(9, 3, 2, 5);
  assert_int_equal(out.enter_bank, 1);
  assert_int_equal(out.enter_wait || out.enter_mark, 0);
  cycle();
  const struct hd_pqentry want = {.kind = HD_UNIT_NATIVE, .kdei = 9, .ctas = 5, .level = 2};
  assert_memory_equal(&out.bank_front[3], &want, sizeof want);
  front(3, 9, 0);
}

/* Until the KD is ready nothing happens, whatever is told. */
static void test_kernel_waits_for_the_kd(void **state) {
  (void)state;
  kernel(9, 3, 2, 5);
  in.enter_ready = 0;
  look();
  assert_int_equal(out.enter_bank, 1);
  cycle();
  assert_int_equal(out.bank_valid[3], 0);
  assert_int_equal(arch()->number[1], 0);
}

/* Kernels that do not bind are marked: all under Rr, those of the host, those whose native part is done. */
static void test_kernels_that_do_not_bind(void **state) {
  (void)state;
  for (unsigned which = 0; which < 3; which++) {
    set_policy(which == 0 ? HD_POLICY_RR : HD_POLICY_TB_PRI);
    kernel(1, 0, which == 1 ? 0 : 1, 3);
    in.enter_progress.ndone = which == 2;
    look();
    assert_int_equal(out.enter_mark, 1);
    assert_int_equal(out.enter_bank || out.enter_wait, 0);
    cycle();
    assert_int_equal(out.bank_valid[0], 0);
  }
}

/* One that comes back goes on with its next TB; what else it has is marked. */
static void test_resumed_kernel(void **state) {
  (void)state;
  for (unsigned which = 0; which < 4; which++) {
    kernel(which, which, 1, 9);
    in.enter_progress = (struct hd_progress){.nextbl = 6, .sav_count = which & 1};
    in.enter_pending = which >> 1;
    look();
    assert_int_equal(out.enter_bank, 1);
    assert_int_equal(out.enter_mark, which != 0);
    cycle();
    front(which, which, 6);
  }
}

/* Two places are wanted: one may be that of a group that is judged in this very cycle. */
static void test_kernel_wants_two_places(void **state) {
  (void)state;
  for (unsigned k = 0; k < 4; k++) push(k, 0, 1, 1);
  group(4, 0, 1, 1);
  kernel(5, 0, 1, 1);
  assert_int_equal(out.enter_bank, 1);
  cycle();
  assert_int_equal(out.push_valid, 1); /* the last place */
  kernel(6, 0, 1, 1);
  assert_int_equal(out.enter_mark && !out.enter_bank && !out.enter_wait, 1);
  cycle();
  assert_int_equal(arch()->live[0], 6);
  take(0, 0, false);
  kernel(6, 0, 1, 1);
  assert_int_equal(out.enter_mark && !out.enter_bank, 1);
}

/* A kernel waits while a group goes into its bank, and enters in the next cycle. */
static void test_kernel_waits_for_a_group(void **state) {
  (void)state;
  group(1, 2, 1, 1);
  cycle();
  kernel(2, 2, 1, 1);
  in.enter_pending = 1;
  look();
  assert_int_equal(out.enter_wait, 1);
  assert_int_equal(out.enter_bank || out.enter_mark, 0);
  cycle();
  assert_int_equal(arch()->live[0], 1);
  kernel(2, 2, 1, 1);
  assert_int_equal(out.enter_wait, 0);
  assert_int_equal(out.enter_bank, 1);
  cycle();
  assert_int_equal(arch()->live[0], 2);
}

/* Who does not bind does not wait; who binds to another bank neither. */
static void test_kernel_does_not_wait(void **state) {
  (void)state;
  group(1, 2, 1, 1);
  cycle();
  kernel(2, 2, 0, 1);
  assert_int_equal(out.enter_mark && !out.enter_wait, 1);
  kernel(2, 3, 1, 1);
  assert_int_equal(out.enter_bank && !out.enter_wait, 1);
  set_policy(HD_POLICY_RR);
  kernel(2, 2, 1, 1);
  assert_int_equal(out.enter_mark && !out.enter_wait, 1);
}

/* A refused group keeps no kernel waiting. */
static void test_kernel_does_not_wait_for_a_refused_group(void **state) {
  (void)state;
  for (unsigned k = 0; k < 6; k++) push(k, 0, 1, 1);
  group(6, 0, 1, 1);
  cycle();
  kernel(7, 0, 1, 1);
  assert_int_equal(out.full && out.enter_mark && !out.enter_wait, 1);
}

/* Group and kernel in one cycle take two numbers of their level, the group the lower one. */
static void test_numbers_of_two(void **state) {
  (void)state;
  push(0, 0, 2, 9);
  group(1, 1, 2, 1);
  cycle();
  kernel(2, 2, 2, 1);
  cycle();
  assert_int_equal(out.bank_front[0].arrival, 0);
  assert_int_equal(out.bank_front[1].arrival, 1);
  assert_int_equal(out.bank_front[2].arrival, 2);
  assert_int_equal(arch()->number[1], 3);
  assert_int_equal(arch()->live[1], 3);
}

/* .. of different levels one each. */
static void test_numbers_of_levels(void **state) {
  (void)state;
  group(1, 1, 2, 1);
  cycle();
  kernel(2, 2, 4, 1);
  cycle();
  assert_int_equal(arch()->number[1] == 1 && arch()->number[3] == 1, 1);
  assert_int_equal(arch()->number[0] || arch()->number[2], 0);
}

/* The number goes back to 0 one cycle after the last entry of the level has left, unless one comes. */
static void test_number_goes_back(void **state) {
  (void)state;
  push(0, 0, 1, 1);
  push(1, 1, 1, 1);
  take(0, 0, false);
  cycle();
  assert_int_equal(arch()->number[0], 2);
  take(1, 1, false);
  assert_int_equal(arch()->live[0], 0);
  assert_int_equal(arch()->number[0], 2);
  cycle();
  assert_int_equal(arch()->number[0], 0);
  assert_true(hd_laperm_quiet(m));
}

/* The last leaves while one comes, or one comes in the cycle after: the numbers go on. */
static void test_number_goes_on(void **state) {
  (void)state;
  push(0, 0, 1, 1);
  kernel(1, 1, 1, 1);
  take(0, 0, false);
  assert_int_equal(out.bank_front[1].arrival, 1);
  group(2, 2, 1, 1);
  take(1, 1, false);
  assert_int_equal(arch()->live[0], 0);
  cycle();
  assert_int_equal(out.bank_front[2].arrival, 2);
  assert_int_equal(arch()->number[0], 3);
}

/* A level whose numbers run out refuses groups and does not bind kernels, until it is empty; other levels do not mind.
 */
static void test_numbers_run_out(void **state) {
  (void)state;
  start("k20c", 4, 16, 4);
  push(0, 0, 1, 99);
  for (unsigned n = 1; n < 13; n++) push(n, 1, 1, 1);
  assert_int_equal(arch()->number[0], 13);
  group(13, 2, 1, 1);
  kernel(14, 3, 1, 1);
  assert_int_equal(out.enter_mark && !out.enter_bank, 1);
  cycle();
  assert_int_equal(out.full, 1);
  group(13, 2, 2, 1);
  cycle();
  assert_int_equal(out.push_valid, 1);
  cycle();
  for (unsigned n = 0; n < 99; n++) take(0, 0, false);
  for (unsigned n = 0; n < 12; n++) take(1, 1, false);
  cycle();
  assert_int_equal(arch()->number[0], 0);
  push(13, 2, 1, 1);
  assert_int_equal(arch()->number[0], 1);
}

/* Three entries may follow the last number at which a level is open: the group in A3, a kernel, the group in A2. They
 * do not go round. */
static void test_numbers_do_not_go_round(void **state) {
  (void)state;
  start("k20c", 4, 16, 4);
  for (unsigned n = 0; n < 12; n++) push(n, 0, 1, 1);
  group(12, 1, 1, 1);
  cycle();
  group(13, 2, 1, 1);
  kernel(14, 3, 1, 1); /* number 12 is shown */
  cycle();
  assert_int_equal(out.push_valid, 1);
  assert_int_equal(arch()->number[0], 14);
  group(15, 3, 1, 1);
  cycle();
  assert_int_equal(out.full, 1);
  assert_int_equal(arch()->number[0], 15);
  assert_int_equal(out.bank_front[1].arrival, 12);
  assert_int_equal(out.bank_front[3].arrival, 13);
  assert_int_equal(out.bank_front[2].arrival, 14);
}

/* The winner: the highest level, then the oldest, whatever its bank. */
static void test_winner(void **state) {
  (void)state;
  winner_is(-1);
  push(0, 2, 1, 2);
  winner_is(2);
  push(1, 0, 1, 2);
  winner_is(2);
  push(2, 3, 2, 1);
  winner_is(3);
  push(3, 1, 2, 1);
  winner_is(3);
  take(3, 3, false);
  winner_is(1);
  take(1, 1, false);
  winner_is(2);
  take(2, 2, false);
  winner_is(2);
  take(2, 2, false);
  winner_is(0);
}

/* The winner leaves while others come: into its own bank, elsewhere, and both at once. */
static void test_winner_leaves_as_others_come(void **state) {
  (void)state;
  push(0, 0, 3, 1);
  push(1, 1, 1, 1);
  group(2, 0, 1, 1);
  cycle();
  take(0, 0, false);
  winner_is(1); /* number 0 before 1 */
  group(3, 3, 2, 1);
  cycle();
  kernel(4, 2, 2, 1);
  take(1, 1, false);
  winner_is(3); /* the group before the kernel */
  kernel(5, 0, 4, 1);
  take(3, 3, false);
  winner_is(0);
}

/* The winner is overtaken in its own bank, and still wins. */
static void test_winner_overtaken(void **state) {
  (void)state;
  push(0, 0, 2, 5);
  push(1, 1, 2, 5);
  push(2, 0, 3, 1);
  winner_is(0);
  front(0, 2, 0);
  take(0, 0, false);
  winner_is(0);
  push(3, 1, 3, 1);
  winner_is(1);
}

/* Rr: nothing bound; the winner is spare for all. */
static void test_rr(void **state) {
  (void)state;
  push(0, 1, 1, 1);
  push(1, 2, 2, 1);
  set_policy(HD_POLICY_RR);
  for (unsigned s = 0; s < 4; s++) offers(s, -1, 2);
}

/* TbPri: the winner for all, wherever it was launched; nothing spare. */
static void test_tb_pri(void **state) {
  (void)state;
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

/* SmxBind: each its own bank, nothing else. */
static void test_smx_bind(void **state) {
  (void)state;
  push(0, 1, 1, 1);
  push(1, 3, 4, 1);
  set_policy(HD_POLICY_SMX_BIND);
  offers(0, -1, -1);
  offers(1, 1, -1);
  offers(2, -1, -1);
  offers(3, 3, -1);
}

/* AdaptiveBind: its own bank first; the next one in cyclic order is spare, never its own. */
static void test_adaptive_bind(void **state) {
  (void)state;
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

/* A backup stays while it holds an entry, though another is nearer. */
static void test_backup_stays(void **state) {
  (void)state;
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

/* An empty backup is passed over, and is the backup again when it is filled, unless another was taken from. */
static void test_backup_passed_over(void **state) {
  (void)state;
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

/* Only a spare take under AdaptiveBind makes a backup; each SMX has its own. */
static void test_what_makes_a_backup(void **state) {
  (void)state;
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

/* A policy that changes shows in the cycle in which it is there; what is queued stays as it is. */
static void test_policy_changes(void **state) {
  (void)state;
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

/* Group, kernel and take in each cycle, into one bank and out of it: nothing is lost. */
static void test_all_at_once(void **state) {
  (void)state;
  start("k20c", 4, 128, 20);
  unsigned kernels = 0, groups = 0, taken = 0;
  for (unsigned n = 0; n < 400; n++) {
    group(n % 32, n % 4, 1 + n % 3, 1);
    kernel(n % 32, (n + 1) % 4, 1 + n % 4, 1);
    kernels += out.enter_bank;
    groups += out.push_valid;
    for (unsigned b = 0; b < 4; b++)
      if (out.bank_valid[b]) takes(b, b, false);
    taken += in.take_valid;
    cycle();
  }
  groups += out.push_valid;
  cycle();
  for (unsigned b = 0; b < 4; b++)
    for (; out.bank_valid[b]; taken++) take(b, b, false);
  assert_int_equal(taken, kernels + groups);
  for (unsigned l = 0; l < 4; l++) assert_int_equal(arch()->live[l], 0);
}

/* One SMX: nothing is ever spare under AdaptiveBind. */
static void test_one_smx(void **state) {
  (void)state;
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
static void test_many_smxs(void **state) {
  (void)state;
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

/* For models composed of blocks: the accessors say what the outputs say, and a step is an edge. */
static void test_accessors(void **state) {
  (void)state;
  const struct hd_info info = {.ctas = 2, .level = 3};
  struct hd_laperm_edge e = {.policy = HD_POLICY_ADAPTIVE_BIND, .group = &info, .group_kdei = 5, .group_smx = 1};
  e.take_bank = -1;
  hd_laperm_step(m, &e);
  assert_int_equal(hd_laperm_pushes(m), 5);
  assert_false(hd_laperm_full(m));
  e.group = NULL;
  hd_laperm_step(m, &e);
  set_policy(HD_POLICY_ADAPTIVE_BIND);
  assert_int_equal(hd_laperm_pushes(m), -1);
  assert_true(hd_laperm_any(m) && hd_laperm_holds(m, 1) && !hd_laperm_holds(m, 0) && !hd_laperm_quiet(m));
  assert_memory_equal(hd_laperm_front(m, 1), &out.bank_front[1], sizeof out.bank_front[1]);
  assert_int_equal(hd_laperm_bound(m, in.policy, 1), 1);
  assert_int_equal(hd_laperm_spare(m, in.policy, 0), 1);
  assert_int_equal(hd_laperm_spare(m, in.policy, 1), -1);
  e.take_bank = 1;
  e.take_smx = 0;
  e.take_spare = true;
  hd_laperm_step(m, &e);
  assert_int_equal(hd_laperm_nextbl(m, 1), 1);
  assert_true(hd_laperm_last(m, 1));
  assert_int_equal(arch()->backup_valid[0], 1);
}

/* The state depends on what waits and on the backups alone (but for the banks' notes of which row was written last):
 * emptied, or reset in the middle, it is that of a fresh model, byte for byte. */
static void test_state_is_canonical(void **state) {
  (void)state;
  size_t size = hd_laperm_size(&cfg);
  struct hd_laperm *fresh = ut_new(size);
  hd_laperm_init(fresh, &cfg);
  for (unsigned n = 0; n < 16; n++) push(n, n % 4, 1 + n % 3, 1 + n % 2);
  assert_memory_not_equal(m, fresh, size);
  for (unsigned b = 0; b < 4; b++)
    while (out.bank_valid[b]) take(b, b, false);
  cycle();
  for (unsigned b = 0; b < 4; b++) memset((void *)hd_laperm_bank(m, b)->wrote, 0, sizeof hd_laperm_bank(m, b)->wrote);
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

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      T(test_empty_after_reset),
      T(test_group),
      T(test_group_under_rr),
      T(test_policy_of_a2),
      T(test_take),
      T(test_full),
      T(test_refused_though_one_leaves),
      T(test_place_of_a3),
      T(test_place_of_another_a3),
      T(test_kernel),
      T(test_kernel_waits_for_the_kd),
      T(test_kernels_that_do_not_bind),
      T(test_resumed_kernel),
      T(test_kernel_wants_two_places),
      T(test_kernel_waits_for_a_group),
      T(test_kernel_does_not_wait),
      T(test_kernel_does_not_wait_for_a_refused_group),
      T(test_numbers_of_two),
      T(test_numbers_of_levels),
      T(test_number_goes_back),
      T(test_number_goes_on),
      T(test_numbers_run_out),
      T(test_numbers_do_not_go_round),
      T(test_winner),
      T(test_winner_leaves_as_others_come),
      T(test_winner_overtaken),
      T(test_rr),
      T(test_tb_pri),
      T(test_smx_bind),
      T(test_adaptive_bind),
      T(test_backup_stays),
      T(test_backup_passed_over),
      T(test_what_makes_a_backup),
      T(test_policy_changes),
      T(test_all_at_once),
      T(test_one_smx),
      T(test_many_smxs),
      T(test_accessors),
      T(test_state_is_canonical),
  };
  return cmocka_run_group_tests_name("laperm", tests, NULL, NULL);
}
