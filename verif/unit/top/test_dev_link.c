/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Groups of TBs on the plane: how, when and to which kernel they are linked. */
#include "unit/dev_model.h"

/* Kernel k, whose only TB runs in slot 0 of SMX 0; it has left the FCFS queue. */
static void lone_parent(unsigned k) {
  host_kernel(k, 0, 1);
  until(&tbs, 1, 20);
  ticks(10);
}

/* A group whose kernel has handed out all its native TBs: the beat is accepted in t, the answer is offered in t + 4,
 * the first TB in t + 9. The native TB is not handed out again. */
TEST(first_group_of_an_idle_kernel) {
  begin("k20c");
  lone_parent(0);
  launch_group(0, 0, 1, 2, 5, 7);
  until(&tbs, 3, 20);
  uint64_t t = port[0].taken_at[0];
  assert_int_equal(answer[0].cycle, t + 4);
  assert_int_equal(answer[0].a.code, HD_CODE_ACCEPTED);
  assert_int_equal(expect_tb(1, 1, 0)->cycle, t + 9);
  assert_int_equal(expect_tb(2, 1, 1)->cycle, t + 10);
  assert_int_equal(tb[1].d.agei, 7);
  assert_int_equal(tb[1].d.level, 1);
  end();
}

/* Groups that arrive while their kernel still hands out: its native TBs first, then the groups in order, one TB per
 * cycle across all of them. */
TEST(groups_behind_the_native_part) {
  begin("tiny");
  host_kernel(0, 0, 6);
  until(&tbs, 4, 20);
  for (unsigned g = 0; g < 3; g++) launch_group(0, 0, 1 + g, 1, 5 + g, g);
  until(&answers, 3, 20);
  ticks(5);
  assert_int_equal(tbs, 4);
  episode = 1;
  for (unsigned s = 0; s < 2; s++)
    for (unsigned j = 0; j < 2; j++) end_tb(s, j);
  until(&tbs, 9, 30);
  expect_tb(4, 0, 4);
  expect_tb(5, 0, 5);
  for (unsigned g = 0; g < 3; g++) expect_tb(6 + g, 1 + g, 0);
  for (unsigned n = 5; n < 9; n++) assert_int_equal(tb[n].cycle, tb[n - 1].cycle + 1);
  end();
}

/* ---- lists ---- */

/* The paper's linking rule, and ours, which keeps one bit per kernel for a non-empty list: the results of both for a
 * series of launches. */
struct lists {
  bool literal;
  int next[8], nagei[2], lagei[2];
  bool pending[2];
};

static struct lists new_lists(bool literal) {
  struct lists l = {.literal = literal, .nagei = {-1, -1}, .lagei = {-1, -1}};
  for (unsigned k = 0; k < 8; k++) l.next[k] = -1;
  return l;
}

static void link_group(struct lists *l, unsigned kernel, int age) {
  bool first = l->literal ? l->lagei[kernel] < 0 : !l->pending[kernel];
  l->next[age] = -1;
  if (first || l->nagei[kernel] < 0) l->nagei[kernel] = age;
  if (!first) l->next[l->lagei[kernel]] = age;
  l->lagei[kernel] = age;
  l->pending[kernel] = true;
}

/* The kernel hands out the group at the front of its list: its AGE, or -1. */
static int next_group(struct lists *l, unsigned kernel) {
  int age = l->nagei[kernel];
  if (age < 0) return -1;
  l->nagei[kernel] = l->next[age];
  l->pending[kernel] = l->nagei[kernel] >= 0;
  return age;
}

/* Kernel 0 runs a group in AGE 3 to its end. AGE 3 then belongs to a group of kernel 1000, with AGE 4 behind it. A new
 * group of kernel 0 (AGE 5) must not be linked behind AGE 3, the last one of its list: the literal rule does so, and
 * loses the group of AGE 4. */
static int order_by(bool literal, int *third) {
  struct lists l = new_lists(literal);
  link_group(&l, 0, 3);
  next_group(&l, 0);
  link_group(&l, 1, 3);
  link_group(&l, 1, 4);
  link_group(&l, 0, 5);
  next_group(&l, 1);
  int second = next_group(&l, 1);
  *third = next_group(&l, 1);
  return second;
}

TEST(a_stale_last_group) {
  int third, literal_third;
  assert_int_equal(order_by(false, &third), 4);
  assert_int_equal(third, -1);
  assert_int_equal(order_by(true, &literal_third), 5);
  begin("k20c");
  lone_parent(0);
  launch_group(0, 0, 1, 1, 5, 3);
  until(&tbs, 2, 20);
  end_tb(tb[1].smx, tb[1].d.slot);
  host_kernel(1000, 1, 400); /* fills the machine: its groups wait */
  until(&tbs, 2 + 207, 300);
  struct logged_tb second = tb[2];
  launch_group(second.smx, second.d.slot, 1001, 1, 6, 3);
  launch_group(second.smx, second.d.slot, 1002, 1, 7, 4);
  until(&answers, 3, 30);
  launch_group(0, 0, 2, 1, 8, 5);
  until(&answers, 4, 30);
  EXPECT_CODES(HD_CODE_ACCEPTED, HD_CODE_ACCEPTED, HD_CODE_ACCEPTED, HD_CODE_ACCEPTED);
  unsigned from = tbs;
  episode = 2;
  for (unsigned s = 0; s < 13; s++)
    for (unsigned j = 0; j < 16; j++)
      if (slot[s][j].runs && (s || j)) end_tb(s, j);
  until(&tbs, from + 400 - 207 + 3, 1000);
  expect_tb(tbs - 3, 1001, 0);
  expect_tb(tbs - 2, 1002, 0);
  expect_tb(tbs - 1, 2, 0);
  end();
}

/* The second group is linked in each of the cycles around that in which the last TB of the first is handed out: it is
 * the next, at the end of the list or behind the part that was read. */
TEST(link_when_the_last_tb_goes) {
  for (int off = -6; off <= 6; off++) {
    begin("k20c");
    lone_parent(0);
    launch_group(0, 0, 1, 12, 5, 1);
    until(&port[0].taken, 1, 10);
    uint64_t t = port[0].taken_at[0], last_grant = t + 8 + 11;
    while (now + 1 < last_grant - 3 + (uint64_t)(int64_t)off) tick();
    launch_group(0, 0, 2, 2, 6, 2);
    until(&tbs, 15, 60);
    assert_int_equal(port[0].taken_at[1] + 3, last_grant + (uint64_t)(int64_t)off);
    for (unsigned b = 0; b < 12; b++) assert_int_equal(expect_tb(1 + b, 1, b)->cycle, t + 9 + b);
    expect_tb(13, 2, 0);
    uint64_t soonest = port[0].taken_at[1] + 9;
    assert_int_equal(expect_tb(14, 2, 1)->cycle, tb[13].cycle + 1);
    assert_in_range(tb[13].cycle, last_grant + 2, soonest > last_grant + 2 ? soonest : last_grant + 2);
    end();
  }
}

enum { RETIRE = 3 }; /* cycles from a completion to the release of a kernel with no other pending work */

/* A beat accepted `off` cycles after the completion: the paper's rule checks whether the kernel is in the KD at the
 * time of the search, one cycle later, and links two cycles after that, though the entry may have been released by
 * then. */
static bool literal_rule_loses(int off) {
  bool found = off + 1 <= RETIRE, linked_too_late = off + 3 > RETIRE;
  return found && linked_too_late;
}

/* A group for a kernel whose last TB ends: it joins up to the cycle in which the kernel would be released, and is a
 * kernel of its own from the next one on. There is no gap: the groups that the literal rule loses run as well. */
TEST(race_of_release_and_arrival) {
  unsigned joined = 0, kernels = 0, saved_from_loss = 0;
  for (int off = -4; off <= 6; off++) {
    begin("k20c");
    host_kernel(0, 0, 1);
    host_kernel(1000, 1, 1);
    until(&tbs, 2, 20);
    ticks(10);
    uint64_t done_at = now + 10;
    slot[tb[0].smx][tb[0].d.slot].ends = done_at;
    while (now + 1 < done_at + (uint64_t)(int64_t)off) tick();
    launch_group(tb[1].smx, tb[1].d.slot, 1, 1, 5, 1); /* kernel 0's program */
    until(&tbs, 3, 40);
    expect_tb(2, 1, 0);
    assert_int_equal(port[tb[1].smx].taken_at[0], done_at + (uint64_t)(int64_t)off);
    bool joins = tb[2].d.age_valid;
    assert_int_equal(joins, off + 1 <= RETIRE);
    joined += joins;
    kernels += !joins;
    saved_from_loss += literal_rule_loses(off);
    end();
    assert_int_equal(ended_n, 2);
  }
  assert_int_equal(joined, 7);
  assert_int_equal(kernels, 4);
  assert_int_equal(saved_from_loss, 2);
}

/* Three kernels and a hundred groups for each, launched round robin: the oracle sees each list in order. */
TEST(three_lists_interleaved) {
  begin("k20c");
  for (unsigned k = 0; k < 3; k++) host_kernel(1000 * k, k, 1);
  until(&tbs, 3, 30);
  for (unsigned g = 0; g < 100; g++)
    for (unsigned k = 0; k < 3; k++) launch_group(tb[k].smx, 0, 1000 * k + 1 + g, 1 + g % 3, 0, 3 * g + k);
  episode = 7;
  for (unsigned k = 0; k < 3; k++) slot[tb[k].smx][0].ends = NEVER;
  until(&tbs, 3 + 3 * (34 + 66 + 99), 2000);
  end();
}

/* ---- the search ---- */

/* A command of 32 lanes for three kernels in entries 0, 1 and 2, in runs or alternately: returns the cycles of search.
 * A step searches `lanes` entries; a lane with the key of the previous one needs none. */
static uint32_t search_cycles(uint32_t lanes, bool in_turn) {
  begin_with(ut_cfg_with("k20c", "KdeSearchLanes", lanes), &fast);
  for (unsigned k = 0; k < 3; k++) host_kernel(1000 * k, k, 1);
  until(&tbs, 3, 30);
  ticks(10);
  for (unsigned n = 0; n < 32; n++)
    launch_group(0, 0, 1000 * (in_turn ? n % 3 : n / 11) + 1 + n, 1, n, n)->last = n == 31;
  until(&answers, 32, 2000);
  for (unsigned n = 0; n < 32; n++) assert_int_equal(answer[n].a.code, HD_CODE_ACCEPTED);
  assert_int_equal(COUNT(SEARCHES), 32);
  uint32_t cycles = COUNT(SEARCH_CYCLES);
  end();
  return cycles;
}

TEST(searches) {
  assert_int_equal(search_cycles(32, false), 32);
  assert_int_equal(search_cycles(32, true), 32);
  assert_int_equal(search_cycles(4, false), 3);
  assert_int_equal(search_cycles(4, true), 32);
  assert_int_equal(search_cycles(1, false), 1 + 2 + 3);
  assert_int_equal(search_cycles(1, true), 11 * 1 + 11 * 2 + 10 * 3);
}

/* One entry per cycle, 32 lanes for the kernel in the last entry: the first lane leaves after 32 cycles, each other one
 * a cycle later. */
TEST(a_warp_in_63_cycles) {
  begin_with(ut_cfg_with("k20c", "KdeSearchLanes", 1), &fast);
  expect_a_warp_in_63_cycles();
  end();
}

/* ---- commands of several SMXs ---- */

/* An SMX that stops offering beats in the middle of its command loses the grant after one cycle; its later beats are a
 * new command. */
TEST(a_silent_smx) {
  begin("k20c");
  host_kernel(0, 0, 2);
  until(&tbs, 2, 20);
  for (unsigned n = 0; n < 4; n++) launch_group(0, 0, 1 + n, 1, n, n)->last = n == 3;
  for (unsigned n = 0; n < 2; n++) launch_group(1, 0, 11 + n, 1, 11 + n, 11 + n);
  until(&port[0].taken, 2, 10);
  assert_int_equal(port[1].taken, 0);
  port[0].silent = true;
  uint64_t t = now;
  until(&port[1].taken, 1, 10);
  assert_int_equal(now, t + 2);
  port[0].silent = false;
  until(&answers, 6, 20);
  assert_int_equal(port[0].taken_at[2], t + 3); /* its turn */
  end();
}

/* An SMX that takes no answers is stalled after the limit of waiting answers; the others continue in every cycle. */
TEST(an_smx_that_takes_no_answers) {
  begin("k20c");
  host_kernel(0, 0, 2);
  until(&tbs, 2, 20);
  hold_answers[0] = true;
  for (unsigned n = 0; n < 20; n++) launch_group(0, 0, 1 + n, 1, n, n);
  for (unsigned n = 0; n < 60; n++) launch_group(1, 0, 101 + n, 1, 101 + n, 101 + n);
  until(&port[1].taken, 60, 100);
  assert_int_equal(port[0].taken, cfg.ans_depth);
  for (unsigned n = 30; n < 60; n++) assert_int_equal(port[1].taken_at[n], port[1].taken_at[n - 1] + 1);
  hold_answers[0] = false;
  until(&port[0].taken, 20, 60);
  end();
}

/* ---- AGEs ---- */

/* A group for the AGE of another whose last TB ends: kept until the AGE is free, then on chip; freed in the fourth
 * cycle after the completion, and usable in the next. */
TEST(an_age_comes_free) {
  for (int off = -2; off <= 8; off++) {
    begin("k20c");
    lone_parent(0);
    launch_group(0, 0, 1, 1, 5, 9);
    until(&tbs, 2, 20);
    ticks(5);
    uint64_t done_at = now + 10;
    slot[tb[1].smx][tb[1].d.slot].ends = done_at;
    while (now + 1 < done_at + (uint64_t)(int64_t)off) tick();
    launch_group(0, 0, 2, 1, 6, 9);
    until(&answers, 2, 20);
    assert_int_equal(port[0].taken_at[1], done_at + (uint64_t)(int64_t)off);
    /* Popped in done_at + 1, R0 in + 2, R1 in + 3, freed in + 4: A2 from + 5 on. */
    assert_int_equal(answer[1].a.code, off >= 3 ? HD_CODE_ACCEPTED : HD_CODE_KEPT);
    until(&tbs, 3, 60);
    expect_tb(2, 2, 0);
    end();
  }
}

/* Three SMXs launch from the same hardware thread: the paper's hash gives them one AGE, that with the SMX three; the
 * free list gives the AGEs in order, then the freed ones. */
TEST(hashes) {
  for (unsigned hash = 0; hash < 3; hash++) {
    begin_with(ut_cfg_with("k20c", "AgtHash", hash), &fast);
    host_kernel(0, 0, 3);
    until(&tbs, 3, 20);
    for (unsigned s = 0; s < 3; s++) launch_group(s, 0, 1 + s, 1, s, 5);
    until(&answers, 3, 20);
    unsigned kept = 0;
    for (unsigned n = 0; n < 3; n++) kept += answer[n].a.code == HD_CODE_KEPT;
    assert_int_equal(kept, hash == 0 ? 2 : 0);
    until(&tbs, 6, 100);
    for (unsigned s = 0; s < 3 && hash; s++)
      assert_int_equal(expect_tb(3 + s, 1 + s, 0)->d.agei, hash == 1 ? 5 + s * cfg.smx_step : s);
    end();
  }
}

/* The free list of four AGEs: 0 to 3; then 2 and 0, in the order in which they were freed. */
TEST(free_list_order) {
  begin_with(ut_cfg_with("tiny", "AgtHash", 2), &fast);
  host_kernel(0, 0, 1);
  until(&tbs, 1, 20);
  for (unsigned g = 0; g < 3; g++) launch_group(0, 0, 1 + g, 1, g, 0);
  until(&tbs, 4, 40);
  end_tb(tb[3].smx, tb[3].d.slot);
  ticks(10);
  end_tb(tb[1].smx, tb[1].d.slot);
  ticks(10);
  for (unsigned g = 3; g < 6; g++) launch_group(0, 0, 1 + g, 1, g, 0);
  episode = 1;
  until(&tbs, 7, 60);
  static const unsigned age[] = {0, 1, 2, 3, 2, 0};
  for (unsigned g = 0; g < 6; g++) assert_int_equal(expect_tb(1 + g, 1 + g, 0)->d.agei, age[g]);
  end();
}

/* A group that does not fit the bits of an AGE continues as a device kernel, with its own descriptor. */
TEST(too_large_for_an_age) {
  begin("k20c");
  lone_parent(0);
  launch_group(0, 0, 1, 1, 5, 1)->desc.grid_x = 65536;
  launch_group(0, 0, 2, 1, 6, 2)->desc.grid_z = 256;
  launch_group(0, 0, 3, 1, 7, 3)->desc.param += 8;
  launch_group(0, 0, 4, 1, 8, 4)->desc.grid_x = 65535;
  launch_group(0, 0, 5, 1, 9, 5)->desc.grid_z = 255;
  until(&tbs, 6, 100);
  EXPECT_CODES(0, 0, 0, 0, 0);
  unsigned groups = 0;
  for (unsigned n = 1; n < 6; n++) {
    bool group = tb[n].d.desc.grid_x == 65535 || tb[n].d.desc.grid_z == 255;
    assert_int_equal(tb[n].d.age_valid, group);
    groups += group;
  }
  assert_int_equal(groups, 2);
  assert_int_equal(COUNT(DEV_UNMATCHED), 3);
  end_tb(0, 0);
  ticks(20);
  assert_int_equal(ended_n, 0); /* its children still run */
  end();
  assert_int_equal(ended_n, 1);
}

TEST_MAIN("dev_link", NULL, NULL)
