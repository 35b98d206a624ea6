/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* TBs that launch, without a plane: the exact cycles in which a command is offered and a TB ends; failed launches; and
 * misuse that the launcher rejects. */
#include "unit/sim/launcher_fixture.h"

#define T(NAME) TEST_WITH(NAME, NULL, stop)

/* ---- a workload: each TB has two warps that launch, 30 cycles after its start ----
 *
 * Warp 1: lanes 3 and 8, then 70 cycles of work; warp 2: lane 0, then 500. The other warps take 40 cycles. A thread
 * that does its child's work itself has 900 cycles left. */

static bool warp(void *ctx, uint32_t kernel, uint32_t blkid, uint32_t k, struct hd_work_warp *w) {
  (void)ctx, (void)kernel, (void)blkid;
  if (k == 0) {
    *w = (struct hd_work_warp){.warp = 1, .before = 30, .after = 70, .calls = 2};
    w->call[0] = (struct hd_work_call){.lane = 3, .item = 11, .ctas = 4, .alone = 900};
    w->call[1] = (struct hd_work_call){.lane = 8, .item = 12, .ctas = 2, .alone = 900};
  }
  if (k == 1) {
    *w = (struct hd_work_warp){.warp = 2, .before = 30, .after = 500, .calls = 1};
    w->call[0] = (struct hd_work_call){.lane = 0, .item = 13, .ctas = 1, .alone = 900};
  }
  return k < 2;
}

static const struct hd_work_device device = {.child = {.cta = {32, 1, 1}, .regs = 16, .pc = 0x2000},
                                             .warp = warp,
                                             .duration = child_duration,
                                             .launched = note_launched,
                                             .alone = note_alone,
                                             .cta_done = note_cta_done,
                                             .ended = note_ended};
static const struct hd_work work = {.duration = duration, .device = &device};

static void start(enum hd_kind kind, struct hd_device_latency latency, uint32_t records, uint32_t buffers) {
  start_on(&work, kind, latency, records, buffers);
}

/* ---- tests ---- */

/* The plane's registers are written first: 14 cycles, then the host may launch. */
T(test_registers_first) {
  start(HD_KIND_GROUP, hd_device_latency_k20c(), 0, 0);
  for (unsigned k = 0; k < 14; k++) {
    cycle();
    assert_true(in.psel && !hd_launcher_ready(l));
  }
  cycle();
  assert_true(!in.psel && hd_launcher_ready(l));
}

/* Groups: the warps call 30 cycles after the TB was taken, and their commands follow when the buffers are available. */
T(test_group_times) {
  start(HD_KIND_GROUP, hd_device_latency_k20c(), 0, 0);
  for (unsigned k = 0; k < 20; k++) cycle();
  uint64_t t0 = now;
  assert_int_equal(take_native(), HD_ARRAY_OPEN);
  struct hd_devlaunch b = next_offer(); /* warp 2: one thread */
  assert_int_equal(now - t0, 30 + 8023 + 129 - hd_device_link_cycles(&cfg, 1));
  assert_true(b.last && b.kind == HD_KIND_GROUP && b.slot == 6 && b.lane == 0 && b.hwtid == 64 && b.ctas == 1);
  take_and_answer(b, HD_CODE_ACCEPTED);
  uint64_t answered = now - 1;
  b = next_offer(); /* warp 1: two */
  assert_int_equal(now - t0, 30 + 8023 + 2 * 129 - hd_device_link_cycles(&cfg, 2));
  assert_true(!b.last && b.lane == 3 && b.hwtid == 32 + 3 && b.ctas == 4 && b.desc.grid_x == 4);
  take_and_answer(b, HD_CODE_ACCEPTED);
  b = next_offer();
  assert_true(b.last && b.lane == 8 && b.ctas == 2);
  take_and_answer(b, HD_CODE_KEPT);
  /* Warp 2 works 500 cycles after its answer, warp 1 only 70 after its last one, a little later. */
  assert_int_equal(end_of_tb(), answered + 500);
  assert_int_equal(launched, 3);
}

/* Kernels: stream, buffer, launch and dispatch, one after the other. */
T(test_kernel_times) {
  start(HD_KIND_KERNEL, hd_device_latency_k20c(), 0, 0);
  uint64_t t0 = now;
  take_native();
  struct hd_devlaunch b = next_offer();
  assert_int_equal(now - t0, 30 + 7165 + 8023 + 129 + 12187 + 1592 + 283);
  assert_true(b.kind == HD_KIND_KERNEL && b.last);
}

/* Ideal: the launches cost only the plane's own cycles. */
T(test_ideal) {
  start(HD_KIND_KERNEL, (struct hd_device_latency){0}, 0, 0);
  uint64_t t0 = now;
  take_native();
  struct hd_devlaunch b = next_offer();
  assert_int_equal(now - t0, 30);
  assert_int_equal(b.lane, 3); /* both warps call in this cycle, the first one first */
  take_and_answer(b, HD_CODE_ACCEPTED);
  take_and_answer(next_offer(), HD_CODE_ACCEPTED);
  assert_int_equal(hd_array_residents(array), 1);
  take_and_answer(next_offer(), HD_CODE_ACCEPTED);
  assert_int_equal(end_of_tb(), now - 1 + 500);
}

/* A refused thread does the work itself, and its warp waits for it. */
T(test_refused) {
  start(HD_KIND_KERNEL, (struct hd_device_latency){0}, 0, 0);
  take_native();
  take_and_answer(next_offer(), HD_CODE_ACCEPTED);
  take_and_answer(next_offer(), HD_CODE_REFUSED);
  uint64_t answered = now - 1;
  take_and_answer(next_offer(), HD_CODE_ACCEPTED);
  assert_true(alone == 1 && launched == 3 && children_ended == 1);
  assert_int_equal(end_of_tb(), answered + 900);
}

/* With one record, a warp of two threads cannot launch, that of one thread can. */
T(test_no_record) {
  start(HD_KIND_GROUP, (struct hd_device_latency){0}, 1, 0);
  uint64_t t0 = now;
  take_native();
  struct hd_devlaunch b = next_offer();
  assert_int_equal(b.ctas, 1);
  assert_true(alone == 2 && launched == 1);
  take_and_answer(b, HD_CODE_ACCEPTED);
  assert_int_equal(end_of_tb(), t0 + 30 + 900);
  assert_int_equal(hd_launcher_stats(l).alone, 2);
}

/* The same with one parameter buffer. */
T(test_no_buffer) {
  start(HD_KIND_KERNEL, (struct hd_device_latency){0}, 0, 1);
  take_native();
  assert_int_equal(next_offer().ctas, 1);
  assert_int_equal(hd_launcher_stats(l).alone, 2);
}

/* A child's TBs; afterwards its buffer and record are free, and no state is left. */
T(test_child) {
  start(HD_KIND_GROUP, (struct hd_device_latency){0}, 1, 1);
  take_native();
  struct hd_devlaunch b = next_offer();
  take_and_answer(b, HD_CODE_ACCEPTED);
  struct hd_resident r;
  uint64_t d;
  assert_null(take_child(&b, 0, &r, &d));
  assert_true(d == 13 && r.kernel == 9 && r.child == 1 && r.blkid == 0 && r.warps == 1);
  assert_false(hd_launcher_idle(l));
  assert_null(hd_launcher_cta_done(l, now, 3, 7, &r));
  assert_true(ctas_done == 1 && children_ended == 1 && hd_launcher_idle(l));
  assert_non_null(take_child(&b, 0, &r, &d)); /* not again */
}

/* A record that is kept is unavailable until it is returned. */
T(test_record_kept) {
  start(HD_KIND_GROUP, (struct hd_device_latency){0}, 1, 1);
  take_native();
  struct hd_devlaunch b = next_offer();
  take_and_answer(b, HD_CODE_KEPT);
  struct hd_dispatch t;
  memset(&t, 0, sizeof t);
  t.desc = b.desc, t.level = 1, t.age_valid = 1, t.agei = (uint16_t)cfg.agt_size;
  struct hd_resident r;
  uint64_t d;
  assert_null(hd_launcher_take_child(l, now, 3, &t, &r, &d));
  assert_null(hd_launcher_cta_done(l, now, 3, 0, &r));
  assert_false(hd_launcher_idle(l));
  drive();
  out.record_done_valid = 1;
  out.record_done = b.record;
  assert_null(follow());
  assert_true(hd_launcher_idle(l));
  assert_int_equal(hd_launcher_stats(l).records_most, 1);
}

/* Wrong outputs of a faulty plane are rejected. */
T(test_broken) {
  start(HD_KIND_GROUP, (struct hd_device_latency){0}, 0, 0);
  drive();
  out.dev_answer_valid[4] = 1;
  assert_non_null(strstr(follow(), "an SMX that has no open request"));
  drive();
  out.record_done_valid = 1;
  assert_non_null(strstr(follow(), "the plane does not own that record"));
  take_native();
  next_offer();
  out.dev_answer_valid[2] = 1;
  assert_non_null(strstr(follow(), "an SMX that has no open request")); /* it was not taken yet */
  drive();
  out.arvalid = 1, out.arsize = 4, out.arburst = 1, out.araddr = 0x40;
  assert_non_null(strstr(follow(), "client 0 reads 1 beats at 0x40, outside its regions"));
}

TEST_MAIN("launcher", NULL, NULL)
