/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The plane's oracle: answers to SMXs, records, suspension, and the memory port. */
#include "unit/oracle_script.h"

TEST_F(answers_to_an_smx) {
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

TEST_F(records) {
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
      silent(), start_anew(), write_regions();
  }
}

TEST_F(suspension) {
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

TEST_F(memory_port) {
  out.arvalid = in.arready = 1, out.arid = HD_CLIENT_OVFQ, out.araddr = 256 + 64 * 15, out.arlen = 3;
  cycle();
  silent();
  out.arvalid = in.arready = 1, out.arid = HD_CLIENT_OVFQ, out.araddr = 256 + 64 * 16, out.arlen = 3;
  cycle(); /* behind the records */
  breaks(11);
  out.arvalid = in.arready = 1, out.arid = HD_CLIENT_POOL, out.araddr = 256;
  cycle(); /* the pool has no region */
  breaks(11);
}

/* A kernel in memory names the SMX that launched it; a host kernel names none. */
TEST_F(kernels_in_memory) {
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
      silent(), start_anew(), write_regions();
  }
}

/* A count of records that is written while launches are in flight: they may have been judged by either count. These
 * come from no TB, since with one in the plane the count is locked. */
TEST_F(count_of_records_changes) {
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

/* This many SMXs are reported as open, before the next TB. */
static void expect_offer_open(unsigned n) {
  out.open_count = (uint8_t)n;
  cycle();
}

/* While it throttles a closed SMX gets TBs that may be bound to it, and no TB that certainly may go to any. Disabled,
 * the number of open SMXs does not matter. */
TEST_F(closed_smxs) {
  for (unsigned on = 0; on < 2; on++) {
    write_register(HD_REG_THROTTLE, on);
    host_kernel(0, 0, 3);
    expect_offer_open(1);
    tb(0, 0, 0, 0, 0, 0);
    silent();
    expect_offer_open(1);
    tb(1, 0, 0, 0, 1, 0);
    if (on)
      breaks(16);
    else
      silent(), start_anew(), write_regions();
  }
  write_register(HD_REG_THROTTLE, 1);
  write_register(HD_REG_POLICY, HD_POLICY_SMX_BIND);
  host_kernel(0, 0, 2);
  expect_offer_open(2);
  tb(1, 0, 0, 0, 0, 0);
  banked(1, 0, 0, 1, HD_CODE_ACCEPTED);
  expect_offer_open(1);
  bank_tb(1, 1, 1, 0, 0);
  silent();
  done(1, 1);
  expect_offer_open(1);
  tb(1, 1, 0, 0, 1, 0); /* of queue 0 */
  breaks(16);
}

TEST_MAIN("plane_launches", NULL, NULL)
