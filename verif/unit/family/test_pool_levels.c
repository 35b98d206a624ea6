/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Device kernels under the policies of LaPerm: queues by bank and level, highest level first, SMXs round robin, changes
 * of the policy. */
#include "unit/family/pool_fixture.h"

/* tiny has 4 streams, 4 levels and 2 SMXs, each a bank: queues 4 to 7 are those of SMX 0 and levels 1 to 4, 8 to 11
 * those of SMX 1. SMX 0 launches the kernels with even numbers, SMX 1 those with odd ones. */
static int setup_levels(void **state) {
  setup(state);
  in.regs_config.policy = HD_POLICY_SMX_BIND;
  return 0;
}

#define LEVELS_TEST(NAME) TEST_WITH(NAME, setup_levels, teardown)

static void launch_at(unsigned at, unsigned n, unsigned stream) {
  level = at;
  launch(n, stream);
}

/* A kernel at the head stays there: later launches are considered only after it has been taken. */
static void hold_head(void) {
  launch_at(4, 90, 0);
  idle(5);
  assert_int_equal(out.head.valid, 1);
}

/* The highest level first, within a level and SMX in the order of arrival. */
LEVELS_TEST(test_highest_first) {
  const int order[] = {90, 3, 2, 1};
  hold_head();
  for (unsigned n = 1; n <= 3; n++) launch_at(n, n, 0);
  idle(5);
  for (unsigned k = 0; k < 4; k++) assert_int_equal(take(), order[k]);
  hold_head();
  launch_at(2, 11, 0);
  launch_at(2, 15, 0);
  launch_at(3, 13, 0);
  idle(5);
  assert_int_equal(take(), 90);
  assert_int_equal(take(), 13);
  assert_int_equal(take(), 11);
  assert_int_equal(take(), 15);
}

/* The queue by policy, level, stream and SMX; a level above the highest counts as the highest. */
LEVELS_TEST(test_queues) {
  const struct {
    uint8_t policy, level, stream, smx, queue;
  } cases[] = {
      {HD_POLICY_RR, 4, 0, 1, 0},       {HD_POLICY_TB_PRI, 0, 0, 1, 0},   {HD_POLICY_TB_PRI, 1, 0, 0, 4},
      {HD_POLICY_TB_PRI, 2, 0, 1, 9},   {HD_POLICY_SMX_BIND, 3, 0, 0, 6}, {HD_POLICY_ADAPTIVE_BIND, 4, 0, 1, 11},
      {HD_POLICY_SMX_BIND, 9, 0, 0, 7}, {HD_POLICY_SMX_BIND, 1, 0, 1, 8}, {HD_POLICY_ADAPTIVE_BIND, 4, 3, 1, 3}};
  for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
    hd_pool_reset(m);
    in.regs_config.policy = cases[k].policy;
    level = cases[k].level;
    push(2 + cases[k].smx, cases[k].stream);
    idle(2);
    for (unsigned q = 0; q < cfg.pool_queues; q++) assert_int_equal(arch()->chip_valid[q], q == cases[k].queue);
    idle(3);
    assert_int_equal(out.head.valid, 1);
    assert_int_equal(out.head.kernel.stream, cases[k].stream);
    assert_int_equal(out.head.kernel.level, cases[k].level);
  }
}

/* SMXs are served round robin within a level, in any order of arrival; the pointer is shared by all levels. */
LEVELS_TEST(test_smxs_take_turns) {
  const struct {
    unsigned high; /* is taken before the others: the next turn is that of the other SMX */
    int order[3];
  } cases[] = {{92, {1, 2, 4}}, {93, {2, 1, 4}}};
  for (unsigned k = 0; k < 2; k++) {
    hd_pool_reset(m);
    launch_at(3, cases[k].high, 0);
    idle(5);
    launch_at(2, 2, 0);
    launch_at(2, 4, 0);
    launch_at(2, 1, 0);
    idle(5);
    assert_int_equal(take(), cases[k].high);
    for (unsigned n = 0; n < 3; n++) assert_int_equal(take(), cases[k].order[n]);
  }
}

/* Kernels in memory are also read back round robin over the SMXs. */
LEVELS_TEST(test_smxs_take_turns_in_memory) {
  const int order[] = {90, 92, 94, 96, 1, 2, 4};
  hold_head();
  level = 4;
  for (unsigned n = 92; n <= 96; n += 2) launch(n, 0); /* the rows are full */
  launch_at(2, 2, 0);
  launch_at(2, 4, 0);
  launch_at(2, 1, 0);
  idle(40);
  assert_int_equal(in_memory(), 3);
  for (unsigned k = 0; k < sizeof order / sizeof *order; k++) {
    assert_int_equal(take(), order[k]);
    idle(40);
    if (k == 1) assert_int_equal(arch()->chip_valid[5] && arch()->chip_valid[9], 1);
  }
}

/* Queues whose first kernels have the same level are served round robin; a stream competes with the level of its next
   kernel. */
LEVELS_TEST(test_turns_within_a_level) {
  const int order[] = {90, 1, 3, 2};
  hold_head(); /* SMX 0, after which streams come */
  launch_at(3, 1, 1);
  launch_at(2, 2, 0);
  launch_at(2, 3, 3);
  idle(5);
  for (unsigned k = 0; k < 4; k++) assert_int_equal(take(), order[k]);
}

/* When the first of a stream leaves, the level of the one behind it counts. */
LEVELS_TEST(test_next_of_a_stream) {
  launch_at(4, 1, 2);
  launch_at(1, 2, 2);
  launch_at(2, 3, 0);
  assert_int_equal(take(), 1);
  stream_done(2);
  assert_int_equal(take(), 3);
  assert_int_equal(take(), 2);
}

/* Under Rr the level does not count: streams and SMXs are served round robin, each SMX with its highest level. */
LEVELS_TEST(test_rr_takes_turns) {
  hold_head();
  launch_at(1, 1, 0);
  launch_at(3, 3, 0);
  in.regs_config.policy = HD_POLICY_RR;
  launch_at(4, 2, 0); /* queue 0 */
  idle(5);
  assert_int_equal(take(), 90);
  assert_int_equal(take(), 3); /* SMX 1, after SMX 0 */
  assert_int_equal(take(), 2);
  assert_int_equal(take(), 1);
}

/* Kernels launched under Rr stay in their order, and the first of them competes by its level. */
LEVELS_TEST(test_policy_changes) {
  const int order[] = {90, 2, 1, 3};
  in.regs_config.policy = HD_POLICY_RR;
  hold_head(); /* queue 0 */
  launch_at(1, 1, 0);
  launch_at(4, 3, 0);
  in.regs_config.policy = HD_POLICY_ADAPTIVE_BIND;
  launch_at(2, 2, 0);
  idle(5);
  for (unsigned k = 0; k < 4; k++) assert_int_equal(take(), order[k]);
}

/* The policy of the push counts, not that of the cycle in which the kernel gets its row. */
LEVELS_TEST(test_policy_of_the_push) {
  push(1, 0);
  in.regs_config.policy = HD_POLICY_RR;
  idle(2);
  assert_int_equal(arch()->chip_valid[10], 1);
}

/* Of the kernels in memory the highest level returns first. A stream ranks by the highest level of its kernels there,
 * since those before that kernel have to return first. */
LEVELS_TEST(test_streams_in_memory) {
  const int order[] = {90, 91, 3, 92, 93, 4, 1, 5, 2}; /* 91 was picked before 3 was back */
  hold_head();
  level = 2;
  launch_all(91, 93, 0); /* the rows are full */
  launch_at(1, 5, 0);
  launch_at(2, 4, 1);
  launch_at(1, 1, 3);
  launch_at(3, 2, 3);
  launch_at(4, 3, 2);
  idle(60);
  assert_int_equal(in_memory(), 5);
  for (unsigned k = 0; k < sizeof order / sizeof *order; k++) {
    assert_int_equal(take(), order[k]);
    if (order[k] == 1) stream_done(3);
    idle(40);
    /* 1 came back before 4, since 2 is behind it. */
    if (k == 1) assert_true(arch()->chip_valid[3] && !arch()->chip_valid[1]);
  }
}

/* A stream without kernels in memory ranks by the next one written there. */
LEVELS_TEST(test_stream_in_memory_anew) {
  const int order[] = {90, 91, 1, 92, 93, 4, 5};
  hold_head();
  level = 2;
  launch_all(91, 93, 0);
  launch_at(4, 1, 1);
  idle(40);
  for (unsigned k = 0; k < 2; k++) {
    assert_int_equal(take(), order[k]);
    idle(40);
  }
  assert_int_equal(in_memory(), 0);
  level = 2;
  launch_at(2, 4, 0);
  launch_at(1, 5, 1);
  idle(40);
  for (unsigned k = 2; k < sizeof order / sizeof *order; k++) {
    assert_int_equal(take(), order[k]);
    if (order[k] == 1) stream_done(1);
    idle(40);
  }
}

/* Of the kernels in memory the highest level returns first. */
LEVELS_TEST(test_memory_highest_first) {
  const int order[] = {90, 91, 4, 3, 92, 93, 2, 1}; /* 91 was picked before 4 was back */
  hold_head();
  level = 2;
  launch_all(91, 93, 0); /* the rows are full */
  for (unsigned n = 1; n <= 4; n++) launch_at(n, n, 0);
  idle(40);
  assert_int_equal(in_memory(), 4);
  for (unsigned k = 0; k < sizeof order / sizeof *order; k++) {
    assert_int_equal(take(), order[k]);
    idle(40);
  }
}

/* A kernel that returns as the first of its queue competes by the level in its record. */
LEVELS_TEST(test_level_from_memory) {
  in.regs_config.policy = HD_POLICY_RR;
  level = 2;
  launch_all(90, 93, 0);
  launch_at(3, 1, 1); /* in memory */
  launch_at(1, 2, 2);
  idle(40);
  assert_int_equal(in_memory(), 2);
  in.regs_config.policy = HD_POLICY_TB_PRI;
  const int order[] = {90, 91, 1, 92, 93, 2}; /* 91 was picked before 1 was back */
  for (unsigned k = 0; k < sizeof order / sizeof *order; k++) {
    assert_int_equal(take(), order[k]);
    idle(40);
  }
}

/* A kernel of a level that memory has lost is reported without a stream, and makes no stream busy. */
LEVELS_TEST(test_lost_of_a_level) {
  level = 4;
  launch_all(1, 4, 0);
  write_fails = true;
  launch(5, 0);
  launch(7, 0);
  for (int n = 1; n <= 4; n++) assert_int_equal(take(), n);
  for (int t = 0; t < 100 && !out.lost.valid; t++) cycle();
  assert_int_equal(out.lost.valid, 1);
  assert_int_equal(out.lost.stream, 0);
  assert_int_equal(out.lost.up, 5);
  in.kin_lost_ready = 1;
  cycle();
  for (unsigned s = 0; s < cfg.num_streams; s++) assert_int_equal(arch()->busy[s], 0);
  assert_int_equal(take(), 7);
}

TEST_MAIN("pool_levels", NULL, NULL)
