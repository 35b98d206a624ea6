/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The cost that a wavefront's kernel reports: the lines of all lanes, each counted once. */
#include <stddef.h>
#include <stdint.h>

#include "sim/cost.h"
#include "test_list.h"

enum { LANES = 64 };

/* Returns the lines of a load of one word by each lane, from a row with this distance of elements. */
static uint32_t lines(uint32_t stride, uint32_t align) {
  static uint32_t row[LANES];
  struct hd_cost *c = hd_cost_new();
  struct hd_cost_trace t = {0};
  assert_int_equal(hd_cost_row(c, row, sizeof row, sizeof *row, stride, align) % align, 0);
  for (uint32_t k = 0; k < LANES; k++) hd_cost_touch(c, &row[k]);
  hd_cost_access(c, false);
  hd_cost_take(c, &t);
  assert_int_equal(t.ops, 1);
  const uint32_t n = t.op[0].lines;
  hd_cost_trace_free(&t);
  hd_cost_free(c);
  return n;
}

TEST(test_lines) {
  assert_int_equal(lines(4, 64), 4);
  assert_int_equal(lines(16, 64), 16);
  assert_int_equal(lines(64, 64), LANES);
  assert_int_equal(lines(128, 4096), LANES);
}

/* Instructions precede the following access, which is one itself; the remaining ones end the trace. */
TEST(test_work) {
  struct hd_cost *c = hd_cost_new();
  struct hd_cost_trace t = {0};
  hd_cost_work(c, 3);
  hd_cost_access(c, true); /* of nothing */
  hd_cost_touch_address(c, 100);
  hd_cost_touch_address(c, 64);
  hd_cost_access(c, true);
  hd_cost_work(c, 5);
  hd_cost_take(c, &t);
  assert_int_equal(t.ops, 2);
  assert_true(t.op[0].work == 4 && t.op[0].lines == 1 && t.op[0].store && t.line[t.op[0].first] == 1);
  assert_true(t.op[1].work == 5 && t.op[1].lines == 0);
  hd_cost_take(c, &t);
  assert_int_equal(t.ops, 0);
  hd_cost_trace_free(&t);
  hd_cost_free(c);
}

/* Rows follow each other without sharing a byte; an access to no address is recorded. */
TEST(test_rows) {
  static uint8_t a[100], b[10], other;
  struct hd_cost *c = hd_cost_new();
  const uint64_t first = hd_cost_row(c, a, sizeof a, 10, 20, 1);
  assert_int_equal(hd_cost_row(c, b, sizeof b, 1, 1, 1), first + 200);
  hd_cost_touch(c, &b[9]);
  assert_false(c->unknown);
  hd_cost_touch(c, &other);
  assert_true(c->unknown);
  hd_cost_free(c);
}

/* Without a cost no access is reported, and no error occurs. */
TEST(test_none) {
  uint8_t a = 0;
  hd_cost_row(NULL, &a, 1, 1, 1, 1);
  hd_cost_work(NULL, 1);
  hd_cost_touch(NULL, &a);
  hd_cost_access(NULL, false);
  hd_cost_free(NULL);
}

TEST_MAIN("cost", NULL, NULL)
