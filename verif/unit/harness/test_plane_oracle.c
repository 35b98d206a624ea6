/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The plane's oracle: for each rule a legal script, in which it reports nothing, and the same script with a breach,
 * which it reports. This file: kernels and their TBs. Launches of SMXs: test_plane_launches.c. Banks:
 * test_plane_banks.c. Refusals and "kept": test_plane_rooms.c. Memory errors: test_plane_errors.c. */
#include "unit/oracle_script.h"

TEST_F(a_whole_story) {
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

TEST_F(answers_to_the_host) {
  host_launch(0, 0, 0);
  host_answer(0, HD_CODE_ACCEPTED); /* no TBs */
  breaks(1);
  host_launch(0, 0, 1), host_launch(1, 0, 1);
  host_answer(1, HD_CODE_ACCEPTED); /* out of order */
  breaks(1);
}

TEST_F(tbs_of_a_kernel) {
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

TEST_F(tbs_of_a_group) {
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

TEST_F(saved_tbs) {
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

TEST_F(kernels_of_a_queue) {
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

TEST_F(kernels_of_a_stream) {
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

TEST_F(order_of_tbs) {
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
TEST_F(order_of_saved_tbs) {
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
      silent(), start_anew(), write_regions();
  }
}

TEST_F(slots_and_resources) {
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

TEST_F(ages) {
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

TEST_F(offers_stay) {
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

TEST_F(kernel_done_in_time) {
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

/* A grandchild counts too; and a kernel reported as complete runs no more. */
TEST_F(kernel_done_of_families) {
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
      silent(), start_anew(), write_regions();
  }
}

TEST_F(nothing_is_lost) {
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

TEST_MAIN("plane_oracle", NULL, NULL)
