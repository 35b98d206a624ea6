/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The SMX array: end of TBs, order of their reports, occupancy. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "sim/array.h"
#include "test_list.h"

enum { SMXS = 3, SLOTS = 4, WARPS = 64 };

static uint8_t valid[SMXS], slot[SMXS];

static struct hd_array *make(void) {
  memset(valid, 0, sizeof valid);
  memset(slot, 0, sizeof slot);
  struct hd_array *a = hd_array_new(SMXS, SLOTS, WARPS);
  assert_non_null(a);
  return a;
}

static bool take(struct hd_array *a, uint64_t now, uint32_t smx, uint32_t s, uint64_t duration) {
  struct hd_resident r = {.kernel = 7, .blkid = s, .warps = 8, .queued = 0, .dispatched = now};
  return hd_array_take(a, now, smx, s, &r, duration);
}

/* Returns the slot that an SMX reports in this cycle, which is taken; -1 if it reports none. */
static int report(struct hd_array *a, uint64_t now, uint32_t smx) {
  struct hd_resident r;
  hd_array_offer(a, now, valid, slot);
  if (!valid[smx]) return -1;
  hd_array_done(a, now, smx, &r);
  assert_int_equal(r.blkid, slot[smx]);
  return slot[smx];
}

/* Taken in t with duration d: reported in t + d, not before. */
TEST(test_duration) {
  struct hd_array *a = make();
  assert_true(take(a, 10, 1, 2, 5));
  for (uint64_t t = 11; t < 15; t++) assert_int_equal(report(a, t, 1), -1);
  assert_int_equal(report(a, 15, 1), 2);
  assert_int_equal(report(a, 16, 1), -1);
  assert_int_equal(hd_array_residents(a), 0);
  hd_array_free(a);
}

/* Four that end together leave one per cycle, in order of arrival. */
TEST(test_one_per_cycle) {
  struct hd_array *a = make();
  const uint32_t order[] = {2, 0, 3, 1};
  for (unsigned i = 0; i < 4; i++) assert_true(take(a, i, 0, order[i], 10 - i));
  for (unsigned i = 0; i < 4; i++) assert_int_equal(report(a, 10 + i, 0), (int)order[i]);
  assert_int_equal(report(a, 14, 0), -1);
  hd_array_free(a);
}

/* SMXs do not wait for each other. */
TEST(test_all_smxs) {
  struct hd_array *a = make();
  const uint32_t *list;
  for (uint32_t s = 0; s < SMXS; s++) assert_true(take(a, 0, s, s, 3));
  hd_array_offer(a, 3, valid, slot);
  assert_int_equal(hd_array_offering(a, &list), SMXS);
  for (uint32_t s = 0; s < SMXS; s++) assert_true(valid[s] && slot[s] == s);
  hd_array_free(a);
}

/* A completion that is not taken is offered again. */
TEST(test_not_taken) {
  struct hd_array *a = make();
  assert_true(take(a, 0, 2, 1, 3));
  hd_array_offer(a, 3, valid, slot);
  hd_array_offer(a, 4, valid, slot);
  assert_true(valid[2] && slot[2] == 1);
  assert_int_equal(report(a, 5, 2), 1);
  hd_array_free(a);
}

/* A slot that is taken, or that does not exist, is refused; once reported it is free. */
TEST(test_slots) {
  struct hd_array *a = make();
  assert_true(take(a, 0, 0, 0, 3));
  assert_false(take(a, 1, 0, 0, 3));
  assert_false(take(a, 1, 0, SLOTS, 3));
  assert_false(take(a, 1, SMXS, 0, 3));
  assert_int_equal(hd_array_residents_of(a, 0), 1);
  assert_int_equal(report(a, 3, 0), 0);
  assert_true(take(a, 4, 0, 0, 3));
  hd_array_free(a);
}

/* The end of an open TB is set later; among TBs that end together the order of hand-outs still counts. */
TEST(test_open) {
  struct hd_array *a = make();
  uint64_t end;
  assert_true(take(a, 0, 0, 3, HD_ARRAY_OPEN));
  assert_true(take(a, 1, 0, 1, 50));
  assert_true(hd_array_next_end(a, &end) && end == 51);
  for (uint64_t t = 2; t < 30; t++) assert_int_equal(report(a, t, 0), -1);
  assert_true(hd_array_end(a, 0, 3, 51));
  assert_int_equal(report(a, 50, 0), -1);
  assert_int_equal(report(a, 51, 0), 3);
  assert_int_equal(report(a, 52, 0), 1);
  hd_array_free(a);
}

/* 8 of 64 warps for 10 of 20 cycles are 1/16. */
TEST(test_occupancy) {
  struct hd_array *a = make();
  assert_true(take(a, 5, 0, 0, 10));
  for (uint64_t t = 6; t < 20; t++) report(a, t, 0);
  assert_true(hd_array_occupancy(a, 0, 20) == 8.0 * 10 / 64 / 20);
  assert_true(hd_array_occupancy(a, 1, 20) == 0);
  hd_array_free(a);
}

/* Many TBs of any duration: each ends in its cycle or in one after in which its SMX reported an earlier one. */
TEST(test_many) {
  struct hd_array *a = make();
  uint64_t due[SMXS][SLOTS] = {0}, last = 0;
  uint32_t random = 1, taken = 0, ended = 0;
  for (uint64_t t = 1; t < 20000; t++) {
    hd_array_offer(a, t, valid, slot);
    for (uint32_t s = 0; s < SMXS; s++) {
      bool any_due = false;
      for (uint32_t k = 0; k < SLOTS; k++) any_due |= due[s][k] != 0 && due[s][k] <= t;
      assert_int_equal(valid[s], any_due);
      if (!valid[s]) continue;
      struct hd_resident r;
      assert_true(due[s][slot[s]] <= t);
      hd_array_done(a, t, s, &r);
      due[s][slot[s]] = 0;
      ended++;
    }
    random = random * 1664525 + 1013904223;
    uint32_t s = (random >> 8) % SMXS, k = (random >> 16) % SLOTS;
    if (due[s][k] != 0 || t > 19000) continue;
    due[s][k] = t + 1 + (random >> 24);
    assert_true(take(a, t, s, k, due[s][k] - t));
    taken++;
    last = t;
  }
  assert_true(last > 0 && taken > 500);
  assert_int_equal(taken, ended);
  assert_int_equal(hd_array_residents(a), 0);
  hd_array_free(a);
}

TEST_MAIN("array", NULL, NULL)
