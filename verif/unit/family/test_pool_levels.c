/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Device kernels under the policies of LaPerm: queues by level, the highest level first, the policy changing. */
#include "unit/family/pool_rig.h"

/* tiny has 4 levels: queues 4, 5 and 6 are those of levels 2, 3 and 4. */
static int setup_levels(void **state) {
  setup(state);
  in.policy = HD_POLICY_SMX_BIND;
  return 0;
}

static void launch_at(unsigned at, unsigned n, unsigned stream) {
  level = at;
  launch(n, stream);
}

/* A kernel waits at the head, whatever else comes: what is launched then is only looked at when it has been taken. */
static void hold_head(void) {
  launch_at(4, 90, 0);
  idle(5);
  assert_int_equal(out.head_valid, 1);
}

/* The highest level first, within a level in the order of arrival. */
static void test_highest_first(void **state) {
  (void)state;
  const int order[] = {90, 3, 2, 1};
  hold_head();
  for (unsigned n = 1; n <= 3; n++) launch_at(n, n, 0);
  idle(5);
  for (unsigned k = 0; k < 4; k++) assert_int_equal(take(), order[k]);
  hold_head();
  launch_at(2, 11, 0);
  launch_at(2, 12, 0);
  launch_at(3, 13, 0);
  idle(5);
  assert_int_equal(take(), 90);
  assert_int_equal(take(), 13);
  assert_int_equal(take(), 11);
  assert_int_equal(take(), 12);
}

/* Which queue, by policy, level and stream; one of a level above the highest counts as that. */
static void test_queues(void **state) {
  (void)state;
  const struct {
    uint8_t policy, level, stream, queue;
  } cases[] = {{HD_POLICY_RR, 4, 0, 0},       {HD_POLICY_TB_PRI, 0, 0, 0},       {HD_POLICY_TB_PRI, 1, 0, 0},
               {HD_POLICY_TB_PRI, 2, 0, 4},   {HD_POLICY_SMX_BIND, 3, 0, 5},     {HD_POLICY_ADAPTIVE_BIND, 4, 0, 6},
               {HD_POLICY_SMX_BIND, 9, 0, 6}, {HD_POLICY_ADAPTIVE_BIND, 4, 3, 3}};
  for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
    hd_pool_reset(m);
    in.policy = cases[k].policy;
    level = cases[k].level;
    push(1, cases[k].stream);
    idle(2);
    for (unsigned q = 0; q < cfg.pool_queues; q++) assert_int_equal(arch()->chip_valid[q], q == cases[k].queue);
    idle(3);
    assert_int_equal(out.head_valid, 1);
    assert_int_equal(out.head.stream, cases[k].stream);
    assert_int_equal(out.head.level, cases[k].level);
  }
}

/* Queues whose first kernels have one level take turns; a stream competes with the level of its next one. */
static void test_turns_within_a_level(void **state) {
  (void)state;
  const int order[] = {90, 1, 3, 2};
  hold_head(); /* queue 6 */
  launch_at(3, 1, 1);
  launch_at(2, 2, 0);
  launch_at(2, 3, 3);
  idle(5);
  for (unsigned k = 0; k < 4; k++) assert_int_equal(take(), order[k]);
}

/* When the first of a stream leaves, the level of the one behind it counts. */
static void test_next_of_a_stream(void **state) {
  (void)state;
  launch_at(4, 1, 2);
  launch_at(1, 2, 2);
  launch_at(2, 3, 0);
  assert_int_equal(take(), 1);
  stream_done(2);
  assert_int_equal(take(), 3);
  assert_int_equal(take(), 2);
}

/* Under Rr the level does not count: the queues take turns. */
static void test_rr_takes_turns(void **state) {
  (void)state;
  hold_head();
  launch_at(3, 1, 0); /* queue 5 */
  launch_at(1, 2, 0); /* queue 0 */
  in.policy = HD_POLICY_RR;
  launch_at(4, 3, 0); /* queue 0 */
  idle(5);
  assert_int_equal(take(), 90);
  assert_int_equal(take(), 2); /* after queue 6 */
  assert_int_equal(take(), 1);
  assert_int_equal(take(), 3);
}

/* What came under Rr stays in its order, its first one competing by its level. */
static void test_policy_changes(void **state) {
  (void)state;
  const int order[] = {90, 2, 1, 3};
  in.policy = HD_POLICY_RR;
  hold_head(); /* queue 0 */
  launch_at(1, 1, 0);
  launch_at(4, 3, 0);
  in.policy = HD_POLICY_ADAPTIVE_BIND;
  launch_at(2, 2, 0);
  idle(5);
  for (unsigned k = 0; k < 4; k++) assert_int_equal(take(), order[k]);
}

/* The policy of the push counts, not that of the cycle in which the kernel gets its row. */
static void test_policy_of_the_push(void **state) {
  (void)state;
  push(1, 0);
  in.policy = HD_POLICY_RR;
  idle(2);
  assert_int_equal(arch()->chip_valid[5], 1);
}

/* Of what waits in memory the highest level comes back first, streams and queue 0 after the levels. */
static void test_memory_highest_first(void **state) {
  (void)state;
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

/* What comes back as the first of its queue competes by the level in its record. */
static void test_level_from_memory(void **state) {
  (void)state;
  in.policy = HD_POLICY_RR;
  level = 2;
  launch_all(90, 93, 0);
  launch_at(3, 1, 1); /* in memory */
  launch_at(1, 2, 2);
  idle(40);
  assert_int_equal(in_memory(), 2);
  in.policy = HD_POLICY_TB_PRI;
  const int order[] = {90, 91, 1, 92, 93, 2}; /* 91 was picked before 1 was back */
  for (unsigned k = 0; k < sizeof order / sizeof *order; k++) {
    assert_int_equal(take(), order[k]);
    idle(40);
  }
}

/* A kernel of a level that memory has lost is told without a stream, and makes no stream busy. */
static void test_lost_of_a_level(void **state) {
  (void)state;
  level = 4;
  launch_all(1, 4, 0);
  write_fails = true;
  launch_all(5, 6, 0);
  for (int n = 1; n <= 4; n++) assert_int_equal(take(), n);
  for (int t = 0; t < 100 && !out.lost_valid; t++) cycle();
  assert_int_equal(out.lost_valid, 1);
  assert_int_equal(out.lost_stream, 0);
  assert_int_equal(out.lost_up, 5);
  in.lost_ready = 1;
  cycle();
  for (unsigned s = 0; s < cfg.num_streams; s++) assert_int_equal(arch()->busy[s], 0);
  assert_int_equal(take(), 6);
}

#undef TEST
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup_levels, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_highest_first),        TEST(test_queues),
      TEST(test_turns_within_a_level), TEST(test_next_of_a_stream),
      TEST(test_rr_takes_turns),       TEST(test_policy_changes),
      TEST(test_policy_of_the_push),   TEST(test_memory_highest_first),
      TEST(test_level_from_memory),    TEST(test_lost_of_a_level),
  };
  return cmocka_run_group_tests_name("pool_levels", tests, NULL, NULL);
}
