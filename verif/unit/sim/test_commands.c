/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Commands of the SMXs: beats in order and without gaps, answers in the same order, each SMX independently. */
#include "sim/commands.h"
#include "unit/util.h"

/* A command of n beats of lanes 0, 1, .. of that slot. */
static void push(struct hd_commands *c, uint32_t smx, uint32_t n, uint8_t slot, uint32_t owner) {
  struct hd_devlaunch beat[32];
  memset(beat, 0, sizeof beat);
  for (uint32_t k = 0; k < n; k++) {
    beat[k].lane = (uint8_t)k;
    beat[k].slot = slot;
    beat[k].last = k + 1 == n;
  }
  assert_true(hd_commands_push(c, smx, beat, n, owner));
}

/* Returns the owner of the beat that the SMX offers, or -1. */
static int offers(struct hd_commands *c, uint32_t smx, bool *first_time) {
  const struct hd_beat *b = hd_commands_offer(c, smx, first_time);
  return b != NULL ? (int)b->owner : -1;
}

/* A beat stays until it is accepted, and is new only once; the next one follows at once, also that of the next
   command. */
TEST(test_order) {
  struct hd_commands *c = hd_commands_new(2);
  bool first;
  push(c, 0, 2, 3, 10);
  push(c, 0, 1, 4, 20);
  assert_int_equal(offers(c, 1, &first), -1);
  assert_int_equal(offers(c, 0, &first), 10);
  assert_true(first);
  assert_int_equal(offers(c, 0, &first), 10);
  assert_false(first);
  static const int owners[] = {10, 11, 20};
  for (unsigned k = 0; k < 3; k++) {
    assert_int_equal(offers(c, 0, &first), owners[k]);
    hd_commands_taken(c, 0);
  }
  assert_int_equal(offers(c, 0, &first), -1);
  hd_commands_free(c);
}

/* Answers belong to the oldest accepted beats; there is none before. */
TEST(test_answers) {
  struct hd_commands *c = hd_commands_new(2);
  push(c, 0, 3, 3, 7);
  push(c, 1, 1, 2, 90);
  assert_null(hd_commands_answered(c, 0));
  hd_commands_taken(c, 0);
  hd_commands_taken(c, 0);
  assert_int_equal(hd_commands_answered(c, 0)->owner, 7);
  assert_int_equal(hd_commands_answered(c, 0)->launch.lane, 1);
  assert_null(hd_commands_answered(c, 0));
  assert_null(hd_commands_answered(c, 1));
  assert_int_equal(hd_commands_open(c), 2);
  hd_commands_free(c);
}

/* Many, so that rings wrap and grow, against plain counts. */
TEST(test_many) {
  struct hd_commands *c = hd_commands_new(3);
  uint32_t pushed[3] = {0}, taken[3] = {0}, answered[3] = {0};
  uint64_t seed = 3;
  for (unsigned i = 0; i < 50000; i++) {
    uint32_t s = ut_below(&seed, 3), what = ut_below(&seed, 20);
    bool first;
    if (what == 0 && i < 40000) {
      uint32_t n = 1 + ut_below(&seed, 32);
      push(c, s, n, 0, pushed[s]);
      pushed[s] += n;
    } else if (what < 12) {
      int o = offers(c, s, &first);
      assert_int_equal(o, taken[s] < pushed[s] ? (int)taken[s] : -1);
      if (o >= 0) hd_commands_taken(c, s), taken[s]++;
    } else {
      const struct hd_beat *b = hd_commands_answered(c, s);
      assert_int_equal(b != NULL, answered[s] < taken[s]);
      if (b != NULL) assert_int_equal(b->owner, answered[s]++);
    }
    uint32_t open = 0;
    for (unsigned k = 0; k < 3; k++) open += pushed[k] - answered[k];
    assert_int_equal(hd_commands_open(c), open);
  }
  assert_true(pushed[0] > 5000);
  hd_commands_free(c);
}

TEST_MAIN("commands", NULL, NULL)
