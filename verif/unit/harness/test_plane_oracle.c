/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The plane's oracle: for each of its rules a story without a breach, at which it is silent, and the same story with
 * one, which it names. What may be refused or kept: test_plane_rooms.c. Errors of the memory: test_plane_errors.c. */
#include "unit/oracle_script.h"

/* ---- the rules ---- */

static void a_whole_story(void **state) {
  (void)state;
  parent();
  device_kernel(1, 1, 1);
  hwtid = 2;
  group(0, 2, 3, HD_CODE_ACCEPTED);
  group(1, 1, 4, HD_CODE_KEPT);
  save(0x7000);
  done(0, 0);
  run_tb(1, 1, 0, 1);
  restart_tb(0, 0, 1, 0x7000, 0);
  done(0, 0);
  run_tb(1, 0, 1, 0);
  for (unsigned b = 0; b < 2; b++) group_tb(0, b, 1, 2, b, 0, 0);
  group_tb(1, 0, 1, cfg.agt_size, 0, 1, 0);
  done(0, 1), done(0, 0), done(1, 0);
  record_done(4);
  kernel_done(0, false);
  silent();
  assert_null(hd_plane_oracle_end(oracle, 0));
}

static void answers_to_the_host(void **state) {
  (void)state;
  host_launch(0, 0, 0);
  host_answer(0, HD_CODE_ACCEPTED); /* no TBs */
  breaks(1);
  host_launch(0, 0, 1), host_launch(1, 0, 1);
  host_answer(1, HD_CODE_ACCEPTED); /* out of order */
  breaks(1);
}

static void tbs_of_a_kernel(void **state) {
  (void)state;
  host_kernel(0, 0, 2);
  run_tb(0, 0, 0, 0), run_tb(0, 0, 0, 0); /* one twice */
  breaks(2);
  host_kernel(0, 0, 2);
  run_tb(0, 0, 0, 0), run_tb(0, 0, 1, 0), run_tb(0, 0, 2, 0); /* one too many */
  breaks(2);
  host_kernel(0, 0, 2);
  run_tb(0, 0, 0, 1); /* another's descriptor */
  breaks(2);
  host_kernel(0, 0, 2);
  run_tb(0, 1, 0, 0); /* level */
  breaks(2);
}

static void tbs_of_a_group(void **state) {
  (void)state;
  parent();
  group(0, 2, 3, HD_CODE_ACCEPTED);
  parent_ends();
  group_tb(0, 0, 0, 0, 1, 0, 0); /* not from TB 0 on */
  breaks(2);
  parent();
  group(0, 2, 3, HD_CODE_ACCEPTED);
  parent_ends();
  kernels[0].cta_y = 5;
  group_tb(0, 0, 0, 0, 0, 0, 0); /* not the kernel's descriptor */
  kernels[0].cta_y = 1;
  breaks(2);
  parent();
  group(1, 1, 4, HD_CODE_ACCEPTED);
  group(0, 1, 3, HD_CODE_KEPT);
  parent_ends();
  offer(0, 0, 1, 1, 0, &groups[0]);
  take(0); /* kept, and runs as a kernel */
  breaks(2);
}

static void saved_tbs(void **state) {
  (void)state;
  parent();
  device_kernel(9, 1, 0);
  save(0x7000);
  done(0, 0);
  run_tb(1, 1, 0, 9);
  restart_tb(0, 0, 1, 0x7000, 0), done(0, 0);
  silent();
  restart_tb(0, 0, 1, 0x7000, 0); /* one twice */
  breaks(2);
}

static void kernels_of_a_queue(void **state) {
  (void)state;
  host_kernel(0, 0, 1), host_kernel(1, 0, 1);
  tb(0, 0, 0, 0, 0, 0);
  tb(0, 1, 1, 0, 0, 1); /* the first still runs */
  breaks(3);
  host_kernel(0, 0, 1), host_kernel(1, 0, 1);
  tb(0, 0, 0, 0, 0, 0);
  device_kernel(2, 1, 0);
  done(0, 0);
  tb(0, 1, 1, 0, 0, 1); /* a child of the first has not run */
  breaks(3);
  host_kernel(0, 0, 1), host_kernel(1, 0, 1);
  tb(0, 0, 0, 0, 0, 1); /* the second first */
  breaks(3);
}

static void kernels_of_a_stream(void **state) {
  (void)state;
  parent();
  device_kernel(1, 1, 1), device_kernel(2, 1, 1), device_kernel(3, 1, 2);
  parent_ends();
  tb(1, 0, 1, 1, 0, 1);
  tb(0, 0, 0, 1, 0, 3); /* another stream */
  silent();
  tb(0, 1, 0, 1, 0, 2); /* the one ahead still runs */
  breaks(3);
  parent();
  device_kernel(1, 1, 1), device_kernel(2, 1, 1);
  parent_ends();
  tb(1, 0, 1, 1, 0, 2); /* overtaken */
  breaks(3);
}

static void order_of_tbs(void **state) {
  (void)state;
  parent();
  host_kernel(1, 1, 2);
  tb(0, 1, 1, 0, 0, 1); /* in the middle of the native part of another */
  breaks(4);
  parent();
  group(0, 1, 3, HD_CODE_ACCEPTED);
  group_tb(0, 1, 0, 0, 0, 0, 0); /* before the end of the native part */
  breaks(4);
  parent();
  group(0, 1, 3, HD_CODE_ACCEPTED), hwtid = 1, group(1, 1, 4, HD_CODE_ACCEPTED);
  parent_ends();
  group_tb(0, 0, 0, 1, 0, 1, 0);
  group_tb(0, 1, 0, 0, 0, 0, 0); /* older group last */
  breaks(4);
  parent();
  group(0, 2, 3, HD_CODE_ACCEPTED), hwtid = 1, group(1, 1, 4, HD_CODE_ACCEPTED);
  parent_ends();
  group_tb(0, 0, 0, 0, 0, 0, 0);
  group_tb(0, 1, 0, 1, 0, 1, 0); /* before the end of the first */
  breaks(4);
}

/* Two TBs saved: the younger first; the native part first. */
static void order_of_saved_tbs(void **state) {
  (void)state;
  for (unsigned wrong = 0; wrong < 3; wrong++) {
    host_kernel(0, 0, 3);
    tb(0, 0, 0, 0, 0, 0);
    tb(1, 1, 0, 0, 1, 0);
    device_kernel(9, 1, 0);
    save(0x7000);
    struct hd_desc ctx = {.param = 0x7100};
    dev_launch(1, 1, HD_KIND_SAVE, &ctx, 0, 0, 0), dev_answer(1, 1, HD_KIND_SAVE, HD_CODE_ACCEPTED);
    done(0, 0), done(1, 1);
    run_tb(1, 1, 0, 9);
    restart_tb(0, 0, 0, wrong == 1 ? 0x7100 : 0x7000, 0);
    if (wrong == 2) tb(0, 1, 0, 0, 2, 0);
    if (wrong)
      breaks(4);
    else
      silent(), start_anew(), tell_regions();
  }
}

static void slots_and_resources(void **state) {
  (void)state;
  host_kernel(0, 0, 4);
  offer(0, 0, 0, 0, 0, &kernels[0]), offer(1, 0, 0, 0, 1, &kernels[0]);
  in.dispatch_ready[0] = 1;
  take(1); /* two in a cycle */
  breaks(5);
  host_kernel(0, 0, 4);
  tb(0, 0, 0, 0, 0, 0), tb(0, 0, 0, 0, 1, 0); /* a slot that is taken */
  breaks(5);
  host_launch(0, 0, 4);
  host_answer(0, HD_CODE_ACCEPTED);
  cfg.threads_per_smx = 32;
  hd_plane_oracle_init(oracle, &cfg);
  host_kernel(0, 0, 4);
  tb(0, 0, 0, 0, 0, 0), tb(0, 1, 0, 0, 1, 0); /* more threads than there are */
  breaks(5);
}

static void ages(void **state) {
  (void)state;
  parent();
  hwtid = 2;
  group(0, 1, 3, HD_CODE_ACCEPTED), group(1, 1, 4, HD_CODE_ACCEPTED);
  parent_ends();
  group_tb(0, 0, 0, 2, 0, 0, 0);
  group_tb(0, 1, 0, 2, 0, 1, 0); /* the first still runs */
  breaks(5);
  parent();
  group(0, 1, 3, HD_CODE_ACCEPTED);
  parent_ends();
  group_tb(0, 0, 0, cfg.agt_size, 0, 0, 0); /* not kept, and an overflow slot */
  breaks(8);
  parent();
  group(0, 1, 3, HD_CODE_ACCEPTED);
  parent_ends();
  group_tb(0, 0, 0, 1, 0, 0, 0); /* not that of its thread */
  breaks(5);
}

static void offers_stay(void **state) {
  (void)state;
  host_kernel(0, 0, 4);
  offer(0, 0, 0, 0, 0, &kernels[0]), cycle();
  offer(0, 1, 0, 0, 0, &kernels[0]), cycle(); /* another slot */
  breaks(6);
  out.record_done_valid = 1, out.record_done = 3, cycle();
  out.record_done_valid = 1, out.record_done = 4, cycle();
  breaks(6);
  out.kernel_done_valid = 1, cycle();
  cycle(); /* withdrawn */
  breaks(6);
  out.dev_answer_valid[1] = 1, cycle();
  out.dev_answer_valid[1] = 1, out.dev_answer[1].lane = 1, cycle();
  breaks(6);
}

static void kernel_done_in_time(void **state) {
  (void)state;
  parent();
  kernel_done(0, false); /* a TB runs, one was never handed out */
  breaks(7);
  parent();
  device_kernel(1, 1, 0);
  parent_ends();
  kernel_done(0, false); /* a child was never run */
  breaks(7);
  parent();
  parent_ends();
  kernel_done(0, false);
  silent();
  kernel_done(0, false); /* twice */
  breaks(7);
  parent();
  parent_ends();
  kernel_done(0, true); /* without an error of the memory */
  breaks(7);
}

/* A grandchild counts too; and what has been taken for complete runs no more. */
static void kernel_done_of_families(void **state) {
  (void)state;
  for (unsigned wrong = 0; wrong < 3; wrong++) {
    parent();
    device_kernel(1, 1, 0);
    parent_ends();
    tb(0, 0, 1, 1, 0, 1);
    device_kernel(2, 1, 0);
    done(0, 0);
    if (wrong != 1) run_tb(0, 2, 0, 2);
    kernel_done(0, false);
    if (wrong == 2) run_tb(1, 2, 0, 2);
    if (wrong == 1)
      breaks(7);
    else if (wrong == 2)
      breaks(2);
    else
      silent(), start_anew(), tell_regions();
  }
}

static void answers_to_an_smx(void **state) {
  (void)state;
  parent();
  dev_launch(0, 0, HD_KIND_KERNEL, &kernels[1], 0, 0, 0); /* no TBs */
  dev_answer(0, 0, HD_KIND_KERNEL, HD_CODE_ACCEPTED);
  breaks(8);
  parent();
  dev_launch(0, 1, HD_KIND_KERNEL, &kernels[1], 1, 0, 0); /* an empty slot */
  dev_answer(0, 1, HD_KIND_KERNEL, HD_CODE_ACCEPTED);
  breaks(8);
  parent();
  group(0, 1, 16, HD_CODE_ACCEPTED); /* no such record */
  breaks(8);
  parent();
  dev_launch(0, 0, HD_KIND_KERNEL, &kernels[1], 1, 0, 0);
  dev_answer(0, 0, HD_KIND_GROUP, HD_CODE_ACCEPTED); /* to something else */
  breaks(8);
  host_kernel(0, 0, 1);
  tb(0, 0, 0, 0, 0, 0);
  dev_launch(0, 0, HD_KIND_KERNEL, &kernels[1], 1, 0, 0);
  tb(1, 0, 1, 1, 0, 1);
  dev_answer(0, 0, HD_KIND_KERNEL, HD_CODE_REFUSED); /* it runs */
  breaks(8);
}

static void records(void **state) {
  (void)state;
  for (unsigned wrong = 0; wrong < 5; wrong++) {
    parent();
    if (wrong != 1) group(1, 1, 4, HD_CODE_ACCEPTED);
    group(0, 1, 3, wrong == 1 ? HD_CODE_ACCEPTED : HD_CODE_KEPT);
    parent_ends();
    group_tb(0, 0, 0, wrong == 1 ? 0 : cfg.agt_size, 0, 0, 0);
    if (wrong == 2) record_done(3); /* it runs */
    done(0, 0);
    if (wrong != 2) record_done(wrong == 3 ? 5 : 3);
    if (wrong == 4) record_done(3);
    if (wrong)
      breaks(9);
    else
      silent(), start_anew(), tell_regions();
  }
}

static void suspension(void **state) {
  (void)state;
  parent();
  device_kernel(1, 1, 0);
  save(0x7000);
  done(0, 0);
  tb(0, 0, 0, 0, 1, 0); /* not resumed */
  breaks(10);
  parent();
  device_kernel(1, 1, 0);
  save(0x7000);
  done(0, 0);
  restart_tb(0, 0, 1, 0x7000, 0); /* the child has not run */
  breaks(10);
  host_kernel(0, 0, 2);
  tb(0, 0, 0, 0, 0, 0), tb(1, 0, 0, 0, 1, 0);
  device_kernel(1, 1, 0);
  run_tb(1, 1, 0, 1);
  save(0x7000);
  done(0, 0);
  restart_tb(0, 0, 1, 0x7000, 0); /* the other TB runs */
  breaks(10);
}

static void memory_port(void **state) {
  (void)state;
  out.arvalid = in.arready = 1, out.arid = 1, out.araddr = 256 + 64 * 15, out.arlen = 3;
  cycle();
  silent();
  out.arvalid = in.arready = 1, out.arid = 1, out.araddr = 256 + 64 * 16, out.arlen = 3;
  cycle(); /* behind the records */
  breaks(11);
  out.arvalid = in.arready = 1, out.arid = 2, out.araddr = 256;
  cycle(); /* the pool has no region */
  breaks(11);
}

/* A kernel in memory names the SMX that launched it; one of the host names none. */
static void kernels_in_memory(void **state) {
  (void)state;
  for (unsigned wrong = 0; wrong < 3; wrong++) {
    write_register(HD_REG_DEV_BASE, 2);
    write_register(HD_REG_DEV_COUNT, 4);
    host_kernel(0, 0, 1);
    tb(1, 0, 0, 0, 0, 0);
    dev_launch(1, 0, HD_KIND_KERNEL, &kernels[1], 1, 0, 0);
    dev_answer(1, 0, HD_KIND_KERNEL, HD_CODE_ACCEPTED);
    write_kernel(1, wrong != 1);
    write_kernel(0, wrong == 2);
    if (wrong)
      breaks(11);
    else
      silent(), start_anew(), tell_regions();
  }
}

/* Groups out of banks, each SMX and each level by itself, and what the SMX is bound to on that SMX; those of a kernel
 * that has left do not count any more. */
static void groups_in_banks(void **state) {
  (void)state;
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
  bank_tb(1, 1, 1, 0, 2); /* what another policy left behind, to any SMX */
  done(1, 1), done(0, 0), done(1, 0);
  kernel_done(0, false);
  silent();
  assert_null(hd_plane_oracle_end(oracle, 0));
}

/* Without another policy than rr no group is without an AGE. */
static void groups_in_banks_under_rr(void **state) {
  (void)state;
  parents(HD_POLICY_RR);
  banked(0, 0, 0, 1, HD_CODE_ACCEPTED);
  bank_tb(0, 1, 1, 0, 0);
  breaks(13);
}

static void order_in_a_bank(void **state) {
  (void)state;
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

/* What is in a bank is not in its record any more. */
static void kept_in_a_bank(void **state) {
  (void)state;
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

/* Under smx-bind another SMX must not have it; under the other policies it may, and in the cycle after a change, whose
 * TBs were chosen under the policy before. */
static void bound_to_an_smx(void **state) {
  (void)state;
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

/* A kernel of which an entry was begun and not handed out to its end is not complete. TBs out of banks are in order,
 * and of their level. */
static void a_bank_keeps_its_kernel(void **state) {
  (void)state;
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

/* A device kernel may hand out from a bank in the middle of the native part of another kernel; one of the host may not,
 * whatever the policy is. */
static void native_parts_in_banks(void **state) {
  (void)state;
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

static void nothing_is_lost(void **state) {
  (void)state;
  host_launch(0, 0, 1);
  assert_non_null(hd_plane_oracle_end(oracle, 0)); /* an answer */
  host_answer(0, HD_CODE_ACCEPTED);
  assert_non_null(hd_plane_oracle_end(oracle, 0)); /* a kernel */
  tb(0, 0, 0, 0, 0, 0);
  group(0, 1, 3, HD_CODE_ACCEPTED);
  done(0, 0);
  kernel_done(0, false);
  assert_string_equal(hd_plane_oracle_end(oracle, 0), "rule 12: a group or its record was lost");
  silent();
}

/* A count of records that is written while launches are under way: either count may have been the one that they were
 * judged by. These come from no TB, since with one in the plane the count is locked. */
static void count_of_records_changes(void **state) {
  (void)state;
  static const struct {
    unsigned count, code;
    bool fits;
  } cases[] = {{8, HD_CODE_OVER_LIMIT, true},  {8, HD_CODE_EMPTY_SLOT, true},   {16, HD_CODE_EMPTY_SLOT, true},
               {8, HD_CODE_ACCEPTED, false},   {12, HD_CODE_OVER_LIMIT, false}, {8, HD_CODE_NEVER_FITS, false},
               {16, HD_CODE_OVER_LIMIT, false}};
  for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
    dev_launch(0, 1, HD_KIND_GROUP, &groups[1], 1, 10, 0);
    write_register(HD_REG_REC_COUNT, cases[k].count);
    write_register(HD_REG_REC_COUNT, 16);
    dev_answer(0, 1, HD_KIND_GROUP, cases[k].code);
    if (cases[k].fits)
      silent();
    else
      breaks(8);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_whole_story),
      TEST(answers_to_the_host),
      TEST(tbs_of_a_kernel),
      TEST(tbs_of_a_group),
      TEST(saved_tbs),
      TEST(kernels_of_a_queue),
      TEST(kernels_of_a_stream),
      TEST(order_of_tbs),
      TEST(order_of_saved_tbs),
      TEST(slots_and_resources),
      TEST(ages),
      TEST(count_of_records_changes),
      TEST(offers_stay),
      TEST(kernel_done_in_time),
      TEST(kernel_done_of_families),
      TEST(answers_to_an_smx),
      TEST(records),
      TEST(suspension),
      TEST(memory_port),
      TEST(kernels_in_memory),
      TEST(groups_in_banks),
      TEST(groups_in_banks_under_rr),
      TEST(order_in_a_bank),
      TEST(kept_in_a_bank),
      TEST(bound_to_an_smx),
      TEST(a_bank_keeps_its_kernel),
      TEST(native_parts_in_banks),
      TEST(nothing_is_lost),
  };
  return cmocka_run_group_tests_name("plane_oracle", tests, NULL, NULL);
}
