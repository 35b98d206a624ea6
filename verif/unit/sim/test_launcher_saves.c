/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* A TB that launches twice and saves itself each time to wait for its child: the exact cost in cycles, refused and late
 * saves, and the rules of a restart. */
#include "unit/sim/launcher_fixture.h"

/* Of one warp of 10 registers, and 256 bytes of shared memory: 12 lines of 3 cycles. */
enum { CONTEXT = 36, DISPATCH = 20, MEMORY = 5, BUSY = 40 };

static bool warp_twice(void *ctx, uint32_t kernel, uint32_t blkid, uint32_t k, struct hd_work_warp *w) {
  (void)ctx, (void)kernel, (void)blkid;
  *w = (struct hd_work_warp){.before = 10, .calls = 1};
  w->call[0] = (struct hd_work_call){.item = 21 + k, .ctas = 1, .alone = 900};
  return k < 2;
}

static const struct hd_work_device device = {.sync = HD_SYNC_EACH,
                                             .child = {.cta = {32, 1, 1}, .regs = 16, .pc = 0x2000},
                                             .warp = warp_twice,
                                             .duration = child_duration,
                                             .launched = note_launched,
                                             .alone = note_alone,
                                             .cta_done = note_cta_done,
                                             .ended = note_ended};
static const struct hd_work work = {.duration = duration, .device = &device};

/* The dispatch latency is part of a call too. */
static struct hd_devlaunch begin(void) {
  spin = false;
  context_cycles = 3;
  start_on(&work, HD_KIND_KERNEL, (struct hd_device_latency){.dispatch = DISPATCH}, 0, 0);
  assert_int_equal(take_native(), HD_ARRAY_OPEN);
  struct hd_devlaunch b = next_offer();
  assert_int_equal(b.kind, HD_KIND_KERNEL);
  take_and_answer(b, HD_CODE_ACCEPTED);
  return b;
}

static void run_child(const struct hd_devlaunch *b) {
  struct hd_resident r;
  uint64_t d;
  assert_null(take_child(b, 0, &r, &d));
  assert_null(hd_launcher_cta_done(l, now, 3, 7, &r));
}

/* The save of the TB in slot 6, which only waits from that cycle on. */
static struct hd_devlaunch next_save(uint64_t wait) {
  const struct hd_devlaunch s = next_offer();
  assert_true(s.kind == HD_KIND_SAVE && s.slot == 6 && s.last);
  assert_int_equal(now, wait + CONTEXT);
  return s;
}

/* SMX 2 reports the TB in slot 6. */
static void leave_slot(void) {
  struct hd_resident r;
  uint8_t valid[64] = {0}, slot[64] = {0};
  hd_array_offer(array, now, valid, slot);
  assert_true(valid[2] && slot[2] == 6);
  hd_array_done(array, now, 2, &r);
  assert_true(hd_launcher_leaves(l, 2, 6));
  assert_null(hd_launcher_cta_done(l, now, 2, 6, &r));
}

/* It is handed out again, to slot 1 of the same SMX. */
static const char *restart(const struct hd_devlaunch *save, struct hd_dispatch *t) {
  struct hd_resident r;
  t->restart = true;
  t->slot = 1;
  t->desc.pc = 0x1000;
  if (save != NULL) t->desc.param = save->desc.param;
  const char *broken = hd_launcher_take_back(l, now, 2, t, &r);
  if (broken != NULL) return broken;
  assert_true(r.kernel == 9 && r.blkid == 1 && r.warps == 4 && r.child == 0 && r.queued == now);
  assert_true(hd_array_take(array, now, 2, 1, &r, HD_ARRAY_OPEN));
  return NULL;
}

static struct hd_save_stats saves(void) {
  return hd_launcher_stats(l).save;
}

/* It waits when its other warps have ended too, stores, saves, leaves; it is restarted, loads, and calls again; then
 * the same again. */
TEST_WITH(test_saved, NULL, stop) {
  struct hd_dispatch t = {0};
  uint64_t end, calls;
  struct hd_devlaunch child = begin(), s;
  assert_true(now < BUSY);
  s = next_save(BUSY);
  take_and_answer(s, HD_CODE_ACCEPTED);
  assert_int_equal(end_of_tb(), now);
  leave_slot();
  for (unsigned k = 0; k < 100; k++) cycle();
  run_child(&child);
  for (unsigned k = 0; k < 100; k++) cycle();
  assert_false(hd_launcher_next(l, &end) || hd_array_next_end(array, &end));
  const uint64_t restarted = now;
  assert_null(restart(&s, &t));
  child = next_offer();
  calls = restarted + DISPATCH + MEMORY + CONTEXT + 1 + 10 + DISPATCH;
  assert_true(now == calls && child.kind == HD_KIND_KERNEL && child.slot == 1);
  take_and_answer(child, HD_CODE_ACCEPTED);
  s = next_offer();
  assert_true(s.kind == HD_KIND_SAVE && s.slot == 1);
  take_and_answer(s, HD_CODE_REFUSED);
  run_child(&child);
  assert_int_equal(end_of_tb(), now + 1);
  const struct hd_save_stats n = saves();
  assert_true(n.saves == 1 && n.refused == 1 && n.restarts == 1 && n.dropped == 0);
  assert_int_equal(n.lines, 3 * 12);
  assert_int_equal(n.save_cycles, CONTEXT + 1);
  assert_int_equal(n.load_cycles, DISPATCH + MEMORY + CONTEXT);
  assert_int_equal(n.late_cycles, 100 + n.load_cycles);
}

/* It waits in its slot, and does not try again. */
TEST_WITH(test_refused, NULL, stop) {
  uint64_t end;
  struct hd_devlaunch child = begin();
  take_and_answer(next_save(BUSY), HD_CODE_REFUSED);
  for (unsigned k = 0; k < 500; k++) cycle();
  assert_false(hd_launcher_next(l, &end) || hd_array_next_end(array, &end));
  run_child(&child);
  const uint64_t ended = now;
  assert_int_equal(next_offer().kind, HD_KIND_KERNEL);
  assert_int_equal(now, ended + 1 + 10 + DISPATCH);
  assert_true(saves().saves == 0 && saves().refused == 1);
}

/* The last child ends while the context is stored: the TB resumes when that is done. */
TEST_WITH(test_dropped, NULL, stop) {
  struct hd_devlaunch child = begin();
  const uint64_t wait = BUSY;
  while (now < wait + 5) cycle();
  run_child(&child);
  assert_int_equal(next_offer().kind, HD_KIND_KERNEL);
  assert_int_equal(now, wait + CONTEXT + 1 + 10 + DISPATCH);
  assert_true(saves().dropped == 1 && saves().saves + saves().refused + saves().restarts == 0);
}

/* .. before it only waits: no context is stored. */
TEST_WITH(test_not_needed, NULL, stop) {
  struct hd_devlaunch child = begin();
  run_child(&child);
  assert_int_equal(next_offer().kind, HD_KIND_KERNEL);
  assert_int_equal(now, BUSY + 10 + DISPATCH);
  assert_true(saves().lines == 0 && saves().dropped == 0);
}

/* .. while the save is in flight: refused, it resumes at once; accepted, it is restarted. */
TEST_WITH(test_late, NULL, stop) {
  for (unsigned accepted = 0; accepted < 2; accepted++) {
    struct hd_dispatch t = {0};
    struct hd_devlaunch child = begin(), s = next_save(BUSY);
    run_child(&child);
    take_and_answer(s, accepted ? HD_CODE_ACCEPTED : HD_CODE_REFUSED);
    uint64_t from = now - 1;
    if (accepted) {
      leave_slot();
      cycle();
      assert_null(restart(&s, &t));
      from = now + DISPATCH + MEMORY + CONTEXT;
    }
    assert_int_equal(next_offer().kind, HD_KIND_KERNEL);
    assert_int_equal(now, from + 1 + 10 + DISPATCH);
    if (!accepted) stop(state);
  }
}

static void breaks(const struct hd_devlaunch *save, struct hd_dispatch t, const char *rule) {
  const char *broken = restart(save, &t);
  assert_non_null(broken);
  if (strstr(broken, rule) == NULL) fail_msg("%s", broken);
}

TEST_WITH(test_rules, NULL, stop) {
  struct hd_devlaunch child = begin(), s = next_save(BUSY);
  breaks(&s, (struct hd_dispatch){0}, "not saved");
  take_and_answer(s, HD_CODE_ACCEPTED);
  breaks(&s, (struct hd_dispatch){0}, "not saved"); /* it is still in its slot */
  leave_slot();
  breaks(&s, (struct hd_dispatch){0}, "before all its launches");
  run_child(&child);
  breaks(NULL, (struct hd_dispatch){.desc = {.param = s.desc.param + 256}}, "an invalid context");
  breaks(NULL, (struct hd_dispatch){.desc = {.param = 576}}, "an invalid context");
  breaks(&s, (struct hd_dispatch){.level = 1}, "another level");
  breaks(&s, (struct hd_dispatch){.group = true}, "another level, or an AGE");
  breaks(&s, (struct hd_dispatch){.desc = {.grid_x = 2}}, "dimensions or PC differ from before");
  assert_null(restart(&s, &(struct hd_dispatch){0}));
  breaks(&s, (struct hd_dispatch){0}, "not saved");
}

TEST_MAIN("launcher_saves", NULL, NULL)
