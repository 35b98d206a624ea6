/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* A warp that launches several times, and waits for its children each time in its slot: the exact cycles of its next
 * call and of the end of its TB. */
#include "unit/sim/launcher_fixture.h"

/* One warp that launches twice, one after the other: two children 30 cycles after its start, one 5 cycles after these
   end. */
static bool warp_in_turn(void *ctx, uint32_t kernel, uint32_t blkid, uint32_t k, struct hd_work_warp *w) {
  (void)ctx, (void)kernel, (void)blkid;
  *w = (struct hd_work_warp){.before = k == 0 ? 30 : 5, .after = k == 0 ? 0 : 70, .calls = k == 0 ? 2 : 1};
  for (uint32_t c = 0; c < 2; c++)
    w->call[c] = (struct hd_work_call){.lane = c, .item = 21 + 2 * k + c, .ctas = 1, .alone = 900};
  return k < 2;
}

static const struct hd_work_device device_in_turn = {.sync = HD_SYNC_EACH,
                                                     .child = {.cta = {32, 1, 1}, .regs = 16, .pc = 0x2000},
                                                     .warp = warp_in_turn,
                                                     .duration = child_duration,
                                                     .launched = note_launched,
                                                     .alone = note_alone,
                                                     .cta_done = note_cta_done,
                                                     .ended = note_ended};
static const struct hd_work work_in_turn = {.duration = duration, .device = &device_in_turn};

static void start_turns(uint32_t buffers) {
  spin = true;
  start_on(&work_in_turn, HD_KIND_KERNEL, (struct hd_device_latency){0}, 0, buffers);
}

/* The one TB of a child begins and ends, all in this cycle. */
static void run_child(const struct hd_devlaunch *b) {
  struct hd_resident r;
  uint64_t d;
  assert_null(take_child(b, 0, &r, &d));
  assert_null(hd_launcher_cta_done(l, now, 3, 7, &r));
}

/* The second call follows when both children of the first have ended, and the TB ends after the last. */
TEST_WITH(test_in_turn, NULL, stop) {
  start_turns(0);
  uint64_t t0 = now, end;
  assert_int_equal(take_native(), HD_ARRAY_OPEN);
  struct hd_devlaunch first = next_offer();
  assert_int_equal(now - t0, 30);
  take_and_answer(first, HD_CODE_ACCEPTED);
  struct hd_devlaunch second = next_offer();
  take_and_answer(second, HD_CODE_ACCEPTED);
  run_child(&second);
  for (unsigned k = 0; k < 200; k++) cycle();
  assert_false(hd_launcher_next(l, &end) || hd_array_next_end(array, &end));
  run_child(&first);
  uint64_t ended = now;
  struct hd_devlaunch third = next_offer();
  assert_int_equal(now, ended + 1 + 5);
  take_and_answer(third, HD_CODE_ACCEPTED);
  uint64_t answered = now - 1;
  assert_false(hd_array_next_end(array, &end));
  run_child(&third);
  assert_int_equal(end_of_tb(), answered + 70);
  assert_true(launched == 3 && children_ended == 3 && hd_launcher_idle(l));
}

/* The work of a refused launch is done before the next call, by the warp. */
TEST_WITH(test_in_turn_refused, NULL, stop) {
  start_turns(0);
  uint64_t answered, end;
  take_native();
  struct hd_devlaunch b = next_offer();
  take_and_answer(b, HD_CODE_ACCEPTED);
  take_and_answer(next_offer(), HD_CODE_REFUSED);
  answered = now - 1;
  run_child(&b); /* long before that work is done */
  assert_int_equal(alone, 1);
  b = next_offer();
  assert_int_equal(now, answered + 900 + 5);
  take_and_answer(b, HD_CODE_REFUSED);
  assert_int_equal(end_of_tb(), now - 1 + 900);
  assert_false(hd_launcher_next(l, &end));
}

/* With one buffer the warp does the work of the first call itself, and the second succeeds. */
TEST_WITH(test_in_turn_alone, NULL, stop) {
  start_turns(1);
  uint64_t t0 = now;
  take_native();
  struct hd_devlaunch b = next_offer();
  assert_int_equal(now, t0 + 30 + 900 + 5);
  assert_true(alone == 2 && launched == 1);
  take_and_answer(b, HD_CODE_ACCEPTED);
  uint64_t answered = now - 1;
  run_child(&b);
  assert_int_equal(end_of_tb(), answered + 70);
}

TEST_MAIN("launcher_turns", NULL, NULL)
