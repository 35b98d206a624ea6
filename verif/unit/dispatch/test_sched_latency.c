/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The SMX scheduler with ChoiceLatency 2: an SMX takes a TB whose fit was determined in the previous cycle. */
#include "unit/dispatch/sched_fixture.h"

static int setup_two(void **state) {
  (void)state;
  start(ut_cfg_with("k20c", "ChoiceLatency", 2));
  return 0;
}

#define TEST_TWO(NAME) TEST_WITH(NAME, setup_two, teardown)

/* A kernel that enters an empty scheduler is tested on entry: its first TB is handed out no later than with a latency
 * of 1. */
TEST_TWO(test_a_kernel_is_tested_as_it_enters) {
  enter(4, 3, 1);
  expect_sscr(-1);
  for (int s = 0; s < 3; s++) expect_sscr(s);
  expect_sscr(-1);
}

/* A completion frees room that the next cycle detects and the one after it uses. */
TEST_TWO(test_a_freed_slot_is_taken_a_cycle_later) {
  enter(4, 1000, 100);
  cycle();
  for (int s = 0; s < 13; s++) expect_sscr(s);
  expect_sscr(-1);
  done(7, 0);
  expect_sscr(-1);
  expect_sscr(-1); /* found */
  assert_int_equal(out.events.blocked, 1);
  expect_sscr(7);
  expect_sscr(-1);
}

/* Room granted to an SMX is subtracted before its next grant: two TBs would not fit. */
TEST_TWO(test_no_smx_takes_twice_what_was_found) {
  free(m);
  start(ut_cfg_but(ut_cfg_with("k20c", "NumSmx", 1), "ChoiceLatency", 2));
  enter(4, 9, 100);
  cycle();
  expect_sscr(0);
  for (int t = 0; t < 5; t++) expect_sscr(-1);
  assert_int_equal(hd_sched_tbcr(m, 0)->smem, 92);
}

/* One TB per cycle, even if each kernel has one TB and another need than the previous one. */
TEST_TWO(test_one_tb_kernels_of_all_needs) {
  for (unsigned k = 0; k < 32; k++) in_kd(k, 1, 1 + k % 7);
  enter(0, 1, 1);
  next(-1);
  cycle();
  for (unsigned k = 0; k < 32; k++) {
    next(k < 31 ? (int)k + 1 : -1);
    expect_sscr((int)(k % 13));
    assert_int_equal(out.unmark, 1);
  }
}

/* Groups of a kernel need what the kernel does. */
TEST_TWO(test_groups_of_one_tb) {
  enter(4, 1, 9);
  in.link_pending[4] = 1;
  offer_group(4, 5, 1);
  cycle();
  for (int s = 0; s < 20; s++) {
    expect_sscr(s % 13);
    in.kd_ndone[4] = 1;
    assert_int_equal(out.group_pop, 1);
  }
}

/* A TB whose need differs from the tested one is tested first; one with the same need is taken at once, of any
 * entry. */
TEST_TWO(test_another_need_is_tested_first) {
  fill_bank(3, HD_UNIT_GROUP, 2, 9, 0);
  bound(0, 3, 5);
  expect_sscr(-1);
  bound(0, 3, 6); /* overtaken */
  expect_sscr(-1);
  expect_take(0, 3, false);
  bound(0, 3, 7);
  expect_sscr(-1); /* its dispatch register is full */
  fill_bank(3, HD_UNIT_GROUP, 8, 9, 0);
  expect_take(0, 3, false);
}

/* The likely next head of all banks is tested ahead: one TB per cycle although each has another need. */
TEST_TWO(test_the_winner_changes) {
  enter(9, 2, 30);
  for (unsigned k = 0; k < 20; k++) {
    const bool more = k < 19;
    for (unsigned s = 0; s < 13; s++) bound(s, k % 13, 1 + k % 5);
    fill_bank(k % 13, HD_UNIT_NATIVE, k, 1, 0);
    in.laperm_then.valid = more;
    in.laperm_then.need =
        more ? (struct hd_need){.warps = 1, .regs = 2, .smem = (uint16_t)(1 + (k + 1) % 5)} : (struct hd_need){0};
    if (!k) {
      expect_sscr(-1);
      in.kd_entry.valid = 0;
    }
    expect_take(k % 13, k % 13, false);
  }
  memset(in.laperm_bound_valid, 0, sizeof in.laperm_bound_valid);
  expect_sscr(20 % 13); /* and no cycle is lost when the banks are empty */
  expect_sscr(21 % 13);
}

/* A wrong guess is not used as room. */
TEST_TWO(test_a_wrong_guess) {
  fill_bank(3, HD_UNIT_GROUP, 2, 1, 0);
  bound(0, 3, 5);
  in.laperm_then.valid = 1;
  in.laperm_then.need = (struct hd_need){.warps = 1, .regs = 2, .smem = 7};
  cycle();
  bound(0, 3, 8);
  expect_sscr(-1);
  expect_take(0, 3, false);
}

/* The cycle of a descriptor's read hands out no TB, and loses no state. */
TEST_TWO(test_steal) {
  enter(4, 3, 1);
  cycle();
  in.kd_stall = 1;
  expect_sscr(-1);
  expect_sscr(0);
}

/* Reset leaves no room that was found. */
TEST_TWO(test_reset_forgets) {
  struct hd_sched *fresh = ut_new(hd_sched_size(&cfg));
  hd_sched_init(fresh, &cfg);
  enter(4, 3, 1);
  cycle();
  hd_sched_reset(m);
  assert_memory_equal(m, fresh, hd_sched_size(&cfg));
  free(fresh);
}

TEST_MAIN("sched, ChoiceLatency 2", NULL, NULL)
