/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The rates that the plane promises for launches of TBs, counted in cycles of the RTL, in lockstep with the model and
 * under its oracle. */
#include "equiv/dev_lockstep.h"

/* A kernel with one TB left when the machine is full: its groups wait. */
static void full_machine(void) {
  host_kernel(0, 0, 209);
  until(&tbs, 208, 300);
  ticks(10);
}

/* 1000 groups in commands of 32, distributed over the first `smxs` SMXs: one is accepted in each of 1000 cycles. */
static void groups_per_cycle(unsigned smxs) {
  begin("k20c", &fast);
  full_machine();
  uint64_t first = NEVER, last = 0;
  for (unsigned g = 0; g < 1000; g++) {
    unsigned s = g / 32 % smxs;
    launch_group(s, 0, 1 + g, 1, 0, g)->last = g % 32 == 31 || g == 999;
  }
  until(&answers, 1000, 1100);
  for (unsigned s = 0; s < smxs; s++) {
    if (port[s].taken_at[0] < first) first = port[s].taken_at[0];
    if (port[s].taken_at[port[s].n - 1] > last) last = port[s].taken_at[port[s].n - 1];
  }
  assert_int_equal(last - first, 999);
  for (unsigned n = 0; n < 1000; n++) assert_int_equal(answer[n].a.code, HD_CODE_ACCEPTED);
  assert_int_equal(COUNT(SEARCHES), 1000); /* one cycle each */
  assert_int_equal(COUNT(SEARCH_CYCLES), 1000);
  print_message("1000 groups of %u SMXs in %llu cycles\n", smxs, (unsigned long long)(last - first + 1));
  end();
}

TEST(a_group_in_every_cycle) {
  groups_per_cycle(1);
  groups_per_cycle(5);
}

/* Accepted in t, linked at the end of t + 3: the answer is offered in t + 4. In an idle plane its first TB is offered
 * in t + 9. */
TEST(linked_in_the_third_cycle) {
  begin("k20c", &fast);
  host_kernel(0, 0, 1);
  until(&tbs, 1, 20);
  ticks(10);
  launch_group(0, 0, 1, 1, 0, 0);
  until(&tbs, 2, 30);
  assert_int_equal(answer[0].cycle, port[0].taken_at[0] + 4);
  assert_int_equal(tb[1].cycle, port[0].taken_at[0] + 9);
  end();
}

/* The paper's search, one entry of the KD per cycle: 32 cycles for a warp whose threads launch for the kernel in the
 * last entry. The first lane leaves the search after them, and each other lane one cycle later with the kept result. */
TEST(the_papers_search_takes_32_cycles) {
  begin("k20c+AgtHash=0+KdeSearchLanes=1", &fast);
  expect_a_warp_in_63_cycles();
  assert_int_equal(COUNT(SEARCH_CYCLES), 32);
  end();
}

/* The last `n` TBs were handed out in `n` cycles. */
static void expect_one_per_cycle(unsigned n) {
  assert_int_equal(tb[tbs - 1].cycle - tb[tbs - n].cycle, n - 1);
  print_message("%u groups of one TB in %u cycles\n", n, n);
}

/* 500 waiting groups after the end of the native part: one TB in each cycle. */
TEST(one_tb_per_cycle_from_a_backlog) {
  begin("k20c", &fast);
  full_machine();
  for (unsigned g = 0; g < 500; g++) launch_group(0, 0, 1 + g, 1, 0, g);
  until(&answers, 500, 600);
  episode = 60;
  for (unsigned n = 1; n < 208; n++) slot[tb[n].smx][tb[n].d.slot].ends = now + 1;
  until(&tbs, 709, 800);
  for (unsigned g = 0; g < 500; g++) expect_tb(209 + g, 1 + g, 0);
  expect_one_per_cycle(501);
  end();
}

/* The same when each group has only just been linked. */
TEST(one_tb_per_cycle_at_the_tail) {
  begin("k20c", &fast);
  host_kernel(0, 0, 1);
  until(&tbs, 1, 20);
  episode = 60;
  for (unsigned g = 0; g < 500; g++) launch_group(0, 0, 1 + g, 1, 0, g);
  until(&tbs, 501, 600);
  for (unsigned g = 0; g < 500; g++) assert_int_equal(expect_tb(1 + g, 1 + g, 0)->cycle, port[0].taken_at[g] + 9);
  expect_one_per_cycle(500);
  end();
}

/* Groups of several TBs follow each other, and the native part, without a gap. */
TEST(no_gap_between_groups) {
  for (unsigned ctas = 2; ctas < 6; ctas++) {
    begin("k20c", &fast);
    full_machine();
    for (unsigned g = 0; g < 100; g++) launch_group(0, 0, 1 + g, ctas, 0, g);
    until(&answers, 100, 200);
    episode = 60;
    for (unsigned n = 1; n < 208; n++) slot[tb[n].smx][tb[n].d.slot].ends = now + 1;
    until(&tbs, 209 + 100 * ctas, 1000);
    assert_int_equal(tb[tbs - 1].cycle - tb[208].cycle, 100 * ctas);
    end();
  }
}

/* All SMXs report a TB of a group in every cycle: all are accepted and counted, and no AGE remains in use. */
TEST(a_completion_per_smx_and_cycle) {
  begin("k20c", &fast);
  host_kernel(0, 0, 1);
  until(&tbs, 1, 20);
  for (unsigned g = 0; g < 69; g++) launch_group(0, 0, 1 + g, 3, 0, g);
  until(&tbs, 208, 400);
  for (unsigned n = 1; n < 208; n++) slot[tb[n].smx][tb[n].d.slot].ends = now + 1;
  unsigned before = dones;
  ticks(16);
  assert_int_equal(dones - before, 207);
  ticks(300);
  assert_int_equal(COUNT(CTAS_DONE), 207);
  for (unsigned g = 0; g < 69; g++) launch_group(0, 0, 101 + g, 3, 0, g);
  until(&answers, 138, 100);
  for (unsigned n = 69; n < 138; n++) assert_int_equal(answer[n].a.code, HD_CODE_ACCEPTED);
  end();
}

/* Every group overflows and the memory is slow: still in order of arrival. */
TEST(in_order_from_slow_memory) {
  static const struct hd_axi_profile slow = {
      .name = "slow", .latency_min = 30, .latency_max = 90, .reorder = true, .sink = 200, .source = 200};
  begin("tiny", &slow);
  host_kernel(0, 0, 1);
  until(&tbs, 1, 20);
  launch_group(0, 0, 1, 1, 0, 0);
  until(&tbs, 2, 60);
  episode = 5;
  for (unsigned g = 0; g < 100; g++) launch_group(0, 0, 2 + g, 1 + g % 3, 1 + g, 0);
  until(&tbs, 2 + 34 + 33 * 2 + 33 * 3, 60000);
  for (unsigned g = 0, n = 2; g < 100; g++)
    for (unsigned b = 0; b < 1 + g % 3; b++, n++) expect_tb(n, 2 + g, b);
  ticks(500);
  assert_true(COUNT(DEV_KEPT) > 90);
  assert_int_equal(returneds, COUNT(DEV_KEPT));
  end();
}

/* A kernel that stops with a group half handed out holds that group's overflow slot, and one for each of its TBs. With
 * the TBs of another kernel on the rest of the machine no slot is left: the next group waits, although a record is
 * free, until one of those TBs ends. */
TEST(a_stopping_kernel_holds_a_slot_more) {
  begin("tiny", &fast);
  host_kernel(0, 0, 1);
  host_kernel(1000, 1, 1);
  until(&tbs, 2, 30);
  ticks(10);
  launch_kernel(tb[0].smx, tb[0].d.slot, 1, 1, 0); /* so that a TB of kernel 0 may be saved */
  for (unsigned g = 0; g < 4; g++) launch_group(tb[0].smx, tb[0].d.slot, 10 + g, 1, g, g); /* all AGEs */
  until(&answers, 5, 60);
  launch_group(tb[0].smx, tb[0].d.slot, 20, 2, 20, 0);
  launch_group(tb[0].smx, tb[0].d.slot, 21, 4, 21, 1);
  for (unsigned g = 0; g < 4; g++) launch_group(tb[1].smx, tb[1].d.slot, 1010 + g, 1, 30 + g, g);
  until(&answers, 11, 100);
  for (unsigned n = 0; n < 11; n++) assert_int_equal(answer[n].a.code, n < 5 ? HD_CODE_ACCEPTED : HD_CODE_KEPT);
  for (unsigned n = 0; n < 6; n++) end_nth(n), until(&tbs, n < 2 ? 5 + n : 6, 30), ticks(10);
  until(&tbs, 10, 200); /* two TBs of group 20, two of 21 */
  expect_tb(7, 20, 1);
  expect_tb(9, 21, 1);
  launch_save(tb[9].smx, tb[9].d.slot, 0x5000);
  until(&answers, 12, 60);
  assert_int_equal(answer[11].a.code, HD_CODE_ACCEPTED);
  for (unsigned n = 7; n < 10; n++) end_nth(n), ticks(1);
  until(&tbs, 13, 300);
  for (unsigned n = 0; n < 3; n++) expect_tb(10 + n, 1010 + n, 0);
  ticks(100);
  assert_int_equal(tbs, 13);
  assert_int_equal(returneds, 0);
  assert_in_range(COUNT(SLOT_WAIT), 80, 102);
  end_nth(10);
  until(&tbs, 14, 30);
  expect_tb(13, 1013, 0);
  end();
  assert_int_equal(returneds, 6);
}

TEST_MAIN("dev_rates", NULL, NULL)
