/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The oracle's rule of the kernels that return from the pool's memory: legal and illegal returns. */
#include "oracle/pool_back.h"
#include "unit/util.h"

enum { QUEUES = 6, LONG = 8 };

static struct hd_pool_back b;

static int setup(void **state) {
  (void)state;
  memset(&b, 0, sizeof b);
  return 0;
}

/* In each of these cycles the oldest kernels of these queues, one bit each, may return. */
static void may(unsigned queues, unsigned cycles) {
  bool set[HD_MAX_POOL_QUEUES] = {false};
  for (unsigned q = 0; q < QUEUES; q++) set[q] = queues >> q & 1;
  while (cycles--) hd_pool_back_cycle(&b, QUEUES, set);
}

static bool broken(unsigned queue) {
  return hd_pool_back_requested(&b, QUEUES, queue) != NULL;
}

/* Two kernels of queue 5, then one of these levels of queues 1 and 2, which may return in all cycles. */
static void write_two(unsigned first, unsigned second) {
  hd_pool_back_written(&b, 5, 1);
  hd_pool_back_written(&b, 5, 1);
  hd_pool_back_written(&b, 1, first);
  hd_pool_back_written(&b, 2, second);
}

TEST_WITH(test_highest_first, setup, NULL) {
  write_two(3, 4);
  may(0x26, LONG);
  assert_false(broken(5)); /* the choice before the first read is unknown */
  may(0x26, LONG);
  assert_false(broken(2));
  may(0x22, LONG);
  assert_true(broken(5));
}

TEST_WITH(test_equal_levels, setup, NULL) {
  write_two(2, 2);
  may(0x26, LONG);
  assert_false(broken(5));
  may(0x26, LONG);
  assert_false(broken(2));
  may(0x22, LONG);
  assert_false(broken(1));
}

/* A kernel that became eligible only after the previous read was requested may have been too late for the choice. */
TEST_WITH(test_too_late, setup, NULL) {
  write_two(2, 3);
  may(0x22, LONG);
  assert_false(broken(5));
  may(0x26, LONG);
  assert_false(broken(1));
  may(0x24, 1);
  assert_true(broken(5));
}

/* A queue has the highest level of its kernels since it was empty. */
TEST_WITH(test_level_of_a_queue, setup, NULL) {
  write_two(1, 2);
  hd_pool_back_written(&b, 1, 3);
  hd_pool_back_written(&b, 2, 2);
  may(0x26, LONG);
  assert_false(broken(5));
  may(0x26, LONG);
  assert_false(broken(1));
  may(0x26, LONG);
  assert_false(broken(2)); /* the next of queue 1 may have been too late */
  may(0x26, LONG);
  assert_true(broken(2)); /* 3 is still there */
  may(0x22, LONG);
  assert_false(broken(1));
  hd_pool_back_written(&b, 1, 1);
  hd_pool_back_written(&b, 2, 2);
  may(0x26, LONG);
  assert_false(broken(5));
  may(0x06, LONG);
  assert_true(broken(1));
}

TEST_MAIN("pool_back", NULL, NULL)
