/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The plane's oracle: TBs from banks of priority queues. */
#include "unit/oracle_script.h"

/* Groups from banks, each SMX and each level by itself, and bound TBs on their SMX; those of a kernel that has left no
 * longer count. */
TEST_F(groups_in_banks) {
  parents(HD_POLICY_SMX_BIND);
  banked(1, 0, 0, 1, HD_CODE_ACCEPTED), banked(0, 0, 1, 2, HD_CODE_ACCEPTED), banked(0, 0, 2, 1, HD_CODE_ACCEPTED);
  bank_tb(0, 1, 1, 0, 1);
  banked(0, 1, 3, 1, HD_CODE_ACCEPTED); /* of level 2 */
  done(0, 1);
  bank_tb(0, 1, 2, 0, 3);
  bank_tb(1, 1, 1, 0, 0); /* the oldest, of another SMX */
  done(0, 1);
  bank_tb(0, 1, 1, 1, 1);
  done(0, 1), done(1, 1);
  write_register(HD_REG_POLICY, HD_POLICY_RR);
  cycle();
  bank_tb(1, 1, 1, 0, 2); /* left from another policy, to any SMX */
  done(1, 1), done(0, 0), done(1, 0);
  kernel_done(0, false);
  silent();
  assert_null(hd_plane_oracle_end(oracle, 0));
}

/* Only under a policy other than rr may a group have no AGE. */
TEST_F(groups_in_banks_under_rr) {
  parents(HD_POLICY_RR);
  banked(0, 0, 0, 1, HD_CODE_ACCEPTED);
  bank_tb(0, 1, 1, 0, 0);
  breaks(13);
}

TEST_F(order_in_a_bank) {
  parents(HD_POLICY_TB_PRI);
  banked(0, 0, 0, 1, HD_CODE_ACCEPTED), banked(0, 0, 1, 1, HD_CODE_ACCEPTED);
  bank_tb(0, 1, 1, 0, 1);
  silent();
  bank_tb(1, 1, 1, 0, 0); /* the older one last */
  breaks(13);
  parents(HD_POLICY_TB_PRI);
  banked(0, 0, 0, 2, HD_CODE_ACCEPTED), banked(0, 0, 1, 1, HD_CODE_ACCEPTED);
  bank_tb(0, 1, 1, 0, 0);
  silent();
  bank_tb(1, 1, 1, 0, 1); /* before the end of the first */
  breaks(13);
}

/* A group in a bank is no longer in its record. */
TEST_F(kept_in_a_bank) {
  parents(HD_POLICY_TB_PRI);
  banked(0, 0, 0, 1, HD_CODE_KEPT);
  bank_tb(0, 1, 1, 0, 0);
  breaks(13);
  parents(HD_POLICY_TB_PRI);
  dev_launch(0, 0, HD_KIND_GROUP, &groups[0], 1, 0, 0);
  bank_tb(0, 1, 1, 0, 0);
  silent();
  dev_answer(0, 0, HD_KIND_GROUP, HD_CODE_KEPT); /* it runs without an AGE */
  breaks(13);
}

/* Under smx-bind another SMX must not have it; under the other policies it may, and also in the cycle after a change,
 * whose TBs were chosen under the previous policy. */
TEST_F(bound_to_an_smx) {
  parents(HD_POLICY_SMX_BIND);
  banked(0, 0, 0, 1, HD_CODE_ACCEPTED);
  bank_tb(1, 1, 1, 0, 0);
  breaks(13);
  parents(HD_POLICY_ADAPTIVE_BIND);
  banked(0, 0, 0, 3, HD_CODE_ACCEPTED);
  bank_tb(1, 1, 1, 0, 0);
  done(1, 1);
  write_register(HD_REG_POLICY, HD_POLICY_SMX_BIND);
  bank_tb(1, 1, 1, 1, 0);
  done(1, 1);
  silent();
  bank_tb(1, 1, 1, 2, 0);
  breaks(13);
}

/* A kernel with a partly handed out entry is not complete. TBs from banks are in order, and of their level. */
TEST_F(a_bank_keeps_its_kernel) {
  parents(HD_POLICY_TB_PRI);
  banked(0, 0, 0, 2, HD_CODE_ACCEPTED);
  bank_tb(0, 1, 1, 0, 0);
  done(0, 1), done(0, 0), done(1, 0);
  kernel_done(0, false);
  breaks(7);
  parents(HD_POLICY_TB_PRI);
  banked(0, 0, 0, 2, HD_CODE_ACCEPTED);
  bank_tb(0, 1, 1, 1, 0); /* not from TB 0 on */
  breaks(2);
  parents(HD_POLICY_TB_PRI);
  banked(0, 0, 0, 2, HD_CODE_ACCEPTED);
  bank_tb(0, 1, 2, 0, 0); /* of a wrong level */
  breaks(2);
}

/* A device kernel may hand out from a bank in the middle of the native part of another kernel; a host kernel may not,
 * under any policy. */
TEST_F(native_parts_in_banks) {
  for (unsigned policy = HD_POLICY_RR; policy <= HD_POLICY_ADAPTIVE_BIND; policy++) {
    write_register(HD_REG_POLICY, policy);
    parent(); /* one of its TBs is left */
    device_kernel(1, 2, 0);
    run_tb(1, 1, 0, 1);
    if (policy == HD_POLICY_RR) {
      breaks(4);
      continue;
    }
    run_tb(1, 1, 1, 1);
    host_kernel(2, 1, 1);
    silent();
    run_tb(1, 0, 0, 2);
    breaks(4);
  }
}

enum rest { STAYS, OF_THE_KERNEL, NOT_FULL, TB_RUNS, EMPTY_BANK };

/* Kernel 0 has saved a TB, which fills its saved list, and group 0 is in a bank: they stay in its KD entry as its rest.
 * Kernel 5 in entry 1 runs in slot 0 of SMX 0, under rr. Other cases: group 1 was launched before the save; the list
 * is not full; a TB of kernel 0 runs; the bank is empty. */
static void suspended(enum rest how) {
  cfg.sav_max = how == NOT_FULL ? 3 : 2;
  start_anew(), write_regions();
  parents(HD_POLICY_TB_PRI);
  banked(1, 0, 0, 1, HD_CODE_ACCEPTED);
  if (how == EMPTY_BANK) bank_tb(1, 1, 1, 0, 0), done(1, 1);
  write_register(HD_REG_POLICY, HD_POLICY_RR), cycle();
  device_kernel(1, 1, 0);
  if (how == OF_THE_KERNEL) group(1, 1, 4, HD_CODE_ACCEPTED);
  save(0x7000);
  done(0, 0);
  if (how != TB_RUNS) done(1, 0);
  host_kernel(5, 1, 1);
  tb(0, 0, 1, 0, 0, 5);
  if (how != OF_THE_KERNEL) group(1, 1, 4, HD_CODE_ACCEPTED);
}

/* A group with an AGE may join the rest of a suspended kernel, and run before the entries in banks. */
TEST_F(groups_that_join_a_rest) {
  suspended(STAYS);
  group_tb(0, 1, 0, 0, 0, 1, 0);
  bank_tb(1, 1, 1, 0, 0);
  done(0, 0), done(0, 1), done(1, 1);
  run_tb(1, 1, 0, 1);
  restart_tb(0, 0, 0, 0x7000, 0);
  done(0, 0);
  kernel_done(5, false), kernel_done(0, false);
  silent();
  assert_null(hd_plane_oracle_end(oracle, 0));
  for (unsigned how = OF_THE_KERNEL; how <= EMPTY_BANK; how++) { /* kernel 0 has no rest that the group can join */
    suspended(how);
    silent();
    group_tb(0, 1, 0, 0, 0, 1, 0);
    breaks(10);
  }
}

/* A kernel is not resumed while a group that joined its rest has TBs left. */
TEST_F(a_rest_keeps_its_kernel) {
  for (unsigned runs = 0; runs < 2; runs++) {
    suspended(STAYS);
    group_tb(0, 1, 0, 0, 0, 1, 0);
    bank_tb(1, 1, 1, 0, 0);
    done(1, 1);
    if (!runs) done(0, 1);
    done(0, 0);
    run_tb(1, 1, 0, 1);
    restart_tb(0, 0, 0, 0x7000, 0);
    if (runs) breaks(10);
    silent();
  }
}

/* One SMX is reported as open, before the next TB. */
static void one_is_open(void) {
  out.open_count = 1;
  cycle();
}

/* FairEvery 2: in the middle of a native part two TBs of banks may be handed out, and one more only on a closed SMX. */
TEST_F(banks_pass_a_native_part) {
  cfg = ut_cfg_but(cfg, "FairEvery", 2);
  for (unsigned closed = 0; closed < 2; closed++) {
    start_anew();
    write_regions();
    write_register(HD_REG_THROTTLE, closed);
    write_register(HD_REG_POLICY, HD_POLICY_TB_PRI);
    host_kernel(0, 0, 3);
    one_is_open(), tb(0, 0, 0, 0, 0, 0);
    for (unsigned g = 0; g < 6; g++) banked(0, 0, g, 1, HD_CODE_ACCEPTED);
    for (unsigned g = 0; g < 2; g++) bank_tb(0, 1, 1, 0, g), done(0, 1);
    silent();
    one_is_open(), bank_tb(1, 1, 1, 0, 2);
    if (closed)
      silent();
    else
      breaks(17);
  }
  done(1, 1);
  one_is_open(), tb(0, 1, 0, 0, 1, 0), done(0, 1);
  for (unsigned g = 3; g < 5; g++) one_is_open(), bank_tb(0, 1, 1, 0, g), done(0, 1);
  silent();
  one_is_open(), bank_tb(0, 1, 1, 0, 5); /* together with the last of the native part */
  breaks(17);
}

TEST_MAIN("plane_banks", NULL, NULL)
