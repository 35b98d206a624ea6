/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Rule 18 of the plane's oracle: a wait that ends in time is not reported; one that does not is reported after its
   bound. */
#include "unit/oracle_script.h"

/* More free cycles than any bound below: fewer than 16 kernels and groups are pending at once. */
enum { LONG = 256 + 16 * (16 + 8) + 64 };

static void wait_for(unsigned cycles) {
  for (unsigned k = 0; k < cycles; k++) cycle();
}

static void named(const char *what) {
  if (!broken || !strstr(broken, what)) fail_msg("the oracle should say '%s', and says '%s'", what, broken);
  breaks(18);
}

TEST_F(launches_of_the_host) {
  host_launch(0, 0, 2);
  wait_for(200);
  silent();
  wait_for(LONG);
  named("a launch of the host is not accepted or not answered");
  for (unsigned k = 0; k < LONG; k++) {
    in.host_launch = ut_launch(0, 0);
    in.host_launch_valid = 1;
    cycle();
  }
  named("a launch of the host is not accepted or not answered");
}

TEST_F(launches_of_an_smx) {
  parent();
  run_tb(0, 0, 1, 0);
  dev_launch(0, 0, HD_KIND_KERNEL, &kernels[1], 1, 0, 0);
  wait_for(LONG);
  named("a launch of an SMX is not accepted or not answered");
  parent();
  run_tb(0, 0, 1, 0);
  for (unsigned k = 0; k < LONG; k++) {
    in.dev_launch[0].desc = kernels[1];
    in.dev_launch_valid[0] = 1;
    cycle();
  }
  named("a launch of an SMX is not accepted or not answered");
}

/* An answer that the SMX does not accept is not the plane's fault. */
TEST_F(a_sink_that_waits) {
  parent();
  run_tb(0, 0, 1, 0);
  dev_launch(0, 0, HD_KIND_KERNEL, &kernels[1], 1, 0, 0);
  for (unsigned k = 0; k < 4 * LONG; k++) {
    out.dev_answer[0] = (struct hd_devanswer){.kind = HD_KIND_KERNEL, .code = HD_CODE_ACCEPTED};
    out.dev_answer_valid[0] = 1;
    cycle();
  }
  silent();
}

/* The clock does not run while the memory owes a beat; it runs once the beat has arrived. */
TEST_F(a_memory_that_waits) {
  host_launch(0, 0, 2);
  out.arvalid = in.arready = 1;
  out.arid = HD_CLIENT_OVFQ;
  out.araddr = 256;
  out.arlen = 7;
  cycle();
  wait_for(4 * LONG);
  silent();
  for (unsigned beat = 0; beat < 8; beat++) {
    in.rvalid = 1;
    in.rid = HD_CLIENT_OVFQ;
    in.rlast = beat == 7;
    cycle();
  }
  wait_for(LONG);
  named("a launch of the host is not accepted or not answered");
}

/* A kernel of the host, one behind it in its HWQ, and one of a stream. */
TEST_F(kernels_that_enter) {
  host_kernel(0, 0, 2);
  wait_for(LONG);
  named("a kernel that is next does not enter the KD");
  parent();
  run_tb(0, 0, 1, 0);
  host_kernel(1, 0, 1); /* waits for kernel 0, which runs */
  device_kernel(2, 1, 1), device_kernel(3, 1, 1);
  run_tb(1, 1, 0, 2); /* 3 may enter now */
  wait_for(LONG);
  named("a kernel that is next does not enter the KD");
  parent();
  run_tb(0, 0, 1, 0);
  host_kernel(1, 0, 1);
  wait_for(4 * LONG);
  silent();
}

TEST_F(complete_kernels) {
  parent();
  run_tb(0, 0, 1, 0);
  wait_for(4 * LONG); /* its TB may run as long as it likes */
  silent();
  done(0, 0);
  wait_for(LONG);
  named("a complete kernel is not reported");
}

TEST_F(suspended_kernels) {
  parent();
  run_tb(0, 0, 1, 0);
  device_kernel(1, 1, 0);
  save(0x5000);
  done(0, 0);
  tb(1, 1, 1, 1, 0, 1);
  wait_for(4 * LONG); /* its child runs */
  silent();
  done(1, 1);
  wait_for(LONG);
  named("a suspended kernel whose children are complete is not resumed");
}

TEST_F(records) {
  parent();
  run_tb(0, 0, 1, 0);
  group(0, 1, 0, HD_CODE_ACCEPTED), group(1, 1, 1, HD_CODE_KEPT);
  group_tb(1, 1, 0, 0, 0, 0, 0);
  done(1, 1);
  group_tb(1, 1, 0, cfg.agt_size, 0, 1, 0);
  done(1, 1);
  wait_for(LONG);
  named("the record of a completed group is not returned");
}

/* An SMX is empty, and kernel 0 has a TB left. Not with both in use; not while the kernel may be stopping. */
TEST_F(empty_smxs) {
  parent();
  wait_for(LONG);
  named("an SMX is empty, and no TB is granted");
  host_kernel(0, 0, 3);
  tb(0, 0, 0, 0, 0, 0), tb(1, 0, 0, 0, 1, 0);
  wait_for(4 * LONG); /* the SMXs may be full */
  silent();
  done(1, 0);
  wait_for(LONG);
  named("an SMX is empty, and no TB is granted");
}

/* A group is left, which may be of kernel 0: no other clock knows which block has to act. */
TEST_F(nothing_happens) {
  parent();
  run_tb(0, 0, 1, 0);
  group(0, 1, 0, HD_CODE_ACCEPTED);
  done(0, 0);
  wait_for(LONG);
  named("all SMXs are empty, and open work makes no progress");
}

/* A stream that is not above its parent's: the program may wait for itself. */
TEST_F(streams_that_do_not_rise) {
  parent();
  run_tb(0, 0, 1, 0);
  device_kernel(1, 1, 2);
  done(0, 0);
  tb(0, 0, 1, 1, 0, 1);
  device_kernel(2, 1, 2);
  done(0, 0);
  wait_for(4 * LONG);
  silent();
}

TEST_MAIN("plane_waits", NULL, NULL)
