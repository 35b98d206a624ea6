/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The plane under the policies of LaPerm: groups that wait in memory for their bank. The oracle checks that no work is
 * lost. */
#include "unit/top/policies_fixture.h"

/* Nothing of a group in memory, and no kept place, remains. */
static void expect_at_rest(void) {
  const struct hd_laperm *banks = hd_top_laperm(m);
  const uint32_t count = hd_top_regs(m)->config[HD_CONFIG_SPILL_COUNT];
  assert_true(hd_spill_quiet(hd_top_spill(m), count));
  for (unsigned b = 0; b < cfg.num_bank; b++) {
    assert_false(hd_laperm_holds(banks, b));
    assert_int_equal(hd_laperm_bank(banks, b)->kept, 0);
  }
}

/* The groups of a full bank go to memory and return in the order of their launch, on the SMX that launched them. */
static void through_memory(struct hd_cfg c, const struct hd_axi_profile *memory, unsigned groups) {
  for (unsigned policy = HD_POLICY_TB_PRI; policy <= HD_POLICY_ADAPTIVE_BIND; policy++) {
    begin_with(c, memory);
    const unsigned parents = cfg.num_smx * cfg.ctas_per_smx;
    spill_region(groups);
    set_policy(policy);
    host_kernel(0, 0, parents);
    until(&tbs, parents, 300);
    for (unsigned g = 1; g <= groups; g++) launch_group(0, 0, g, 1, g, g);
    until(&answers, groups, 100 * groups);
    ticks(400);
    for (unsigned a = 0; a < groups; a++) assert_int_equal(answer[a].a.code, HD_CODE_ACCEPTED);
    assert_int_equal(COUNT(GROUP_SPILLS), groups - cfg.pq_depth);
    assert_int_equal(COUNT(GROUP_REFILLS), 0);
    episode = 30;
    end_tb(0, 0);
    until(&tbs, parents + groups, 200 * groups);
    for (unsigned g = 1; g <= groups; g++) assert_int_equal(expect_tb(parents + g - 1, g, 0)->smx, 0);
    assert_int_equal(COUNT(GROUP_REFILLS), groups - cfg.pq_depth);
    drain(3000);
    expect_at_rest();
    script_end();
    free(m);
  }
}

/* Lines of two, and of four; a memory that is fast, and one with several bursts in flight. */
TEST(groups_through_memory) {
  static const struct hd_axi_profile slow = {
      .name = "slow", .latency_min = 120, .latency_max = 120, .sink = 256, .source = 256};
  through_memory(ut_cfg("tiny"), &fast, 60);
  through_memory(ut_cfg("tiny"), &slow, 60);
  through_memory(ut_cfg("k20c"), &fast, 220);
  through_memory(ut_cfg("k20c"), &slow, 220);
}

/* Levels: a group of a higher level in memory returns before one of a lower level that went there earlier. */
TEST(higher_levels_return_first) {
  begin("tiny");
  spill_region(20);
  set_policy(HD_POLICY_SMX_BIND);
  host_kernel(0, 0, 4);
  until(&tbs, 4, 40);
  launch_groups(0, 1, 1);
  refill(0, 1, 1, 0); /* a TB of level 1 in slot 1 of SMX 0 */
  launch_groups(0, 2, 15);
  for (unsigned g = 16; g <= 25; g++) launch_group(0, 1, g, 1, g, g); /* of level 2, with an empty queue in memory */
  all_answered();
  ticks(200);
  const unsigned from = tbs;
  episode = 30;
  end_tb(0, 0);
  until(&tbs, from + 24, 4000);
  unsigned last[3] = {0};
  for (unsigned n = from; n < tbs; n++) {
    const unsigned g = (unsigned)((tb[n].d.desc.param - desc_of(0, 1).param) / 64), level = tb[n].d.level;
    assert_int_equal(level, g < 16 ? 1 : 2);
    assert_true(g > last[level]);
    last[level] = g;
  }
  assert_true(tb[tbs - 1].d.level == 1 && last[1] == 15 && last[2] == 25);
  end();
}

/* A region that is too small for a ring of each bank and level is none; a group whose ring is full is refused, and one
 * of another bank is not. */
TEST(no_room_in_memory) {
  for (unsigned small = 0; small < 2; small++) {
    begin("tiny");
    spill_region(1);
    const uint32_t count = apb(HD_REG_SPILL_COUNT, false, 0);
    if (small) apb(HD_REG_SPILL_COUNT, true, count - 1);
    set_policy(HD_POLICY_SMX_BIND);
    host_kernel(0, 0, 4);
    until(&tbs, 4, 40);
    const unsigned most = cfg.pq_depth + (small ? 0 : 16 - cfg.ring_margin + 1);
    for (unsigned g = 1; g <= most + 20; g++) {
      launch_group(0, 0, g, 1, g, g);
      until(&answers, g, 200);
      ticks(60); /* each is written before the next */
      if (g <= most) assert_int_equal(answer[g - 1].a.code, HD_CODE_ACCEPTED);
    }
    assert_int_equal(answer[answers - 1].a.code, HD_CODE_REFUSED);
    assert_int_equal(COUNT(GROUP_SPILLS) + cfg.pq_depth + COUNT(DEV_REFUSED), answers);
    for (unsigned g = 1; g <= cfg.pq_depth + 1; g++) launch_group(1, 0, 100 + g, 1, 100 + g, g);
    all_answered();
    assert_int_equal(answer[answers - 1].a.code, small ? HD_CODE_REFUSED : HD_CODE_ACCEPTED);
    end();
  }
}

/* A group that memory loses makes its kernel fail, once all groups have returned; those of the other kernel run. Then
 * groups go to memory as before. */
TEST(a_lost_group) {
  begin("tiny");
  spill_region(40);
  set_policy(HD_POLICY_SMX_BIND);
  host_kernel(0, 0, 2);
  host_kernel(1000, 1, 2);
  until(&tbs, 4, 40);
  assert_int_equal(tb[0].smx, 0);
  const uint64_t place = (uint64_t)SPILL_BASE * 256;
  hd_axi_mem_spoil(mem, place, 8, HD_AXI_SLVERR); /* the first entry of bank 0 and level 1 */
  for (unsigned g = 1; g <= cfg.pq_depth + 4; g++) launch_group(0, 0, g, 1, g, g);
  all_answered();
  ticks(400);
  assert_false(status() & HD_STATUS_MEM_SPILL);
  launch_group(0, 0, 50, 1, 50, 50); /* refused: spill is closed */
  all_answered();
  assert_int_equal(answer[answers - 1].a.code, HD_CODE_REFUSED);
  episode = 20;
  end_tb(0, 0);
  ticks(2000);
  assert_true(status() & HD_STATUS_MEM_SPILL);
  assert_int_equal(tbs, 4 + cfg.pq_depth + 3);
  for (unsigned s = 0; s < 2; s++)
    for (unsigned j = 0; j < 2; j++)
      if (slot[s][j].runs) end_tb(s, j);
  ticks(200);
  assert_int_equal(ended_n, 2);
  for (unsigned n = 0; n < 2; n++) assert_int_equal(ended[n].c.failed, ended[n].c.tag == 0);
  expect_at_rest();
  const unsigned from = tbs, answered = answers;
  episode = NEVER;
  host_kernel(2, 0, 4);
  until(&tbs, from + 4, 100);
  for (unsigned g = 60; g < 70; g++) launch_group(0, 0, g, 1, g, g);
  all_answered();
  for (unsigned a = answered; a < answers; a++) assert_int_equal(answer[a].a.code, HD_CODE_ACCEPTED);
  end();
  assert_int_equal(tbs, from + 4 + 10);
}

TEST_MAIN("policies_memory", NULL, NULL)
