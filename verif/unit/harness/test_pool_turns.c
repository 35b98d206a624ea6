/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The oracle's rule of the round robin in the pool: legal and illegal orders. */
#include "oracle/pool_turns.h"
#include "unit/util.h"

enum { TURNS = 6 };

static struct hd_pool_turns t;

static int setup(void **state) {
  (void)state;
  memset(&t, 0, sizeof t);
  return 0;
}

/* In each of these cycles these turns, one bit each, certainly could be picked with this level. */
static void wait_at(unsigned turns, unsigned level, unsigned cycles) {
  while (cycles--) {
    for (unsigned k = 0; k < TURNS; k++)
      if (turns >> k & 1) hd_pool_turns_may(&t, k, level);
    hd_pool_turns_end(&t);
  }
}

static bool broken(unsigned turn, unsigned level) {
  return hd_pool_turns_offered(&t, TURNS, turn, level) != NULL;
}

TEST_WITH(test_in_turn, setup, NULL) {
  wait_at(0x3f, 2, 3);
  for (unsigned k = 0; k < 3 * TURNS; k++) assert_false(broken((k + 4) % TURNS, 2));
}

TEST_WITH(test_twice_while_another_waits, setup, NULL) {
  wait_at(1 << 1 | 1 << 4, 2, 3);
  assert_false(broken(4, 2));
  assert_true(broken(4, 2));
}

/* The rule looks at whether it could be picked two cycles before the offer is seen. */
TEST_WITH(test_two_cycles_before, setup, NULL) {
  wait_at(1 << 4, 2, 3);
  wait_at(1 << 1 | 1 << 4, 2, 1);
  assert_false(broken(4, 2));
  assert_false(broken(4, 2));
  wait_at(1 << 1 | 1 << 4, 2, 1);
  assert_false(broken(4, 2));
  assert_true(broken(4, 2));
}

/* One of another level, one that no longer waits, or an unobserved pick: the count restarts. */
TEST_WITH(test_begins_anew, setup, NULL) {
  wait_at(1 << 1 | 1 << 4, 2, 3);
  assert_false(broken(4, 2));
  assert_false(broken(3, 3));
  assert_false(broken(4, 2));
  hd_pool_turns_lost(&t);
  assert_false(broken(4, 2));
  assert_false(broken(1, 2));
  assert_false(broken(4, 2));
  wait_at(1 << 4, 2, 3);
  assert_false(broken(4, 2));
  assert_false(broken(4, 2));
}

/* Under Rr the set of pickable kernels is unknown, and a level of 0 is none. */
TEST_WITH(test_level_0, setup, NULL) {
  wait_at(0, 0, 3);
  assert_false(broken(4, 0));
  assert_false(broken(4, 0));
}

/* The highest of several levels counts. */
TEST_WITH(test_highest_counts, setup, NULL) {
  for (unsigned k = 0; k < 3; k++) {
    hd_pool_turns_may(&t, 1, 3);
    hd_pool_turns_may(&t, 1, 2);
    hd_pool_turns_end(&t);
  }
  assert_false(broken(4, 3));
  assert_true(broken(4, 3));
}

TEST_MAIN("pool_turns", NULL, NULL)
