/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Footprints of families: shares small enough to check by hand. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu/footprint.h"
#include "test_list.h"

static struct hd_footprint *f;

static int begin(void **state) {
  (void)state;
  f = hd_footprint_new(4);
  return f == NULL;
}

static int end(void **state) {
  (void)state;
  hd_footprint_free(f);
  return 0;
}

/* A TB in that place touches the lines from `first` to `last`, each twice. */
static void touch(uint32_t place, uint32_t first, uint32_t last) {
  for (uint32_t line = first; line <= last; line++) {
    const uint32_t twice[] = {line, line};
    hd_footprint_touch(f, place, twice, 2);
  }
}

static void parent(uint32_t place, uint32_t family, uint32_t first, uint32_t last) {
  hd_footprint_begin(f, place, family, false);
  touch(place, first, last);
  hd_footprint_launch(f, place);
  hd_footprint_end(f, place);
}

static void is(struct hd_footprint_shares s, double parent_child, double siblings) {
  if (fabs(s.parent_child - parent_child) > 1e-9 || fabs(s.siblings - siblings) > 1e-9)
    fail_msg("%f and %f, not %f and %f", s.parent_child, s.siblings, parent_child, siblings);
}

/* Children touch 10 to 29 and 20 to 39, their parent 0 to 14: it has 5 of their 30; each child has 10 of the 20 of the
 * other. */
TEST_WITH(test_two_children, begin, end) {
  struct hd_footprint_shares s;
  parent(0, 0, 0, 14);
  hd_footprint_begin(f, 1, 0, true);
  hd_footprint_begin(f, 2, 0, true);
  touch(1, 10, 29);
  touch(2, 20, 39);
  hd_footprint_end(f, 1);
  hd_footprint_end(f, 2);
  assert_true(hd_footprint_shares(f, &s));
  is(s, 5.0 / 30, 0.5);
  assert_int_equal(s.families, 1);
  assert_int_equal(s.children, 2);
}

/* A child that starts in its parent's slot after that has ended, and has no siblings: these have no share. */
TEST_WITH(test_one_child, begin, end) {
  struct hd_footprint_shares s;
  parent(3, 0, 1000, 1999);
  hd_footprint_begin(f, 3, 0, true);
  touch(3, 1500, 2499);
  hd_footprint_end(f, 3);
  assert_true(hd_footprint_shares(f, &s));
  is(s, 0.5, 0);
  assert_int_equal(s.children, 0);
}

/* Means over families; a family without children, and lines of another family, do not count. */
TEST_WITH(test_families, begin, end) {
  struct hd_footprint_shares s;
  parent(0, 0, 0, 9);
  hd_footprint_begin(f, 1, 1, false);
  touch(1, 0, 99);
  hd_footprint_end(f, 1);
  parent(1, 2, 100, 109);
  for (uint32_t family = 0; family <= 2; family += 2) {
    hd_footprint_begin(f, 2, family, true);
    touch(2, 0, 9);
    hd_footprint_end(f, 2);
  }
  assert_true(hd_footprint_shares(f, &s));
  is(s, 0.5, 0);
  assert_int_equal(s.families, 2);
}

/* Three that touch the same lines: each shares all lines of the others. */
TEST_WITH(test_all_the_same, begin, end) {
  struct hd_footprint_shares s;
  parent(0, 0, 5, 5);
  for (uint32_t k = 1; k <= 3; k++) {
    hd_footprint_begin(f, k, 0, true);
    touch(k, 7, 7000);
  }
  assert_true(hd_footprint_shares(f, &s));
  is(s, 0, 1);
}

TEST_MAIN("footprint", NULL, NULL)
