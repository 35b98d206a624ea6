/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Device launches: turns of the SMXs, the lock, checks, what a beat waits for, final code, effects, answers. */
#include "launch/devq.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static struct hd_devq *m;
static struct hd_devq_in in;
static struct hd_devq_out out;

/* A plane in which everything goes well: searches end at once in KDE 3, slots run TBs of KDE 5 at level 1. */
static int setup(void **state) {
  (void)state;
  cfg = ut_cfg("k20c");
  m = ut_new(hd_devq_size(&cfg));
  hd_devq_init(m, &cfg);
  memset(&in, 0, sizeof in);
  in.found_hit = 1;
  in.found_kdei = 3;
  in.look = (struct hd_look){.valid = 1, .kdei = 5, .level = 1};
  in.next_room = in.pool_ready = in.save_room = in.kin_free = 1;
  in.kin_alloc = 40;
  in.kin_valid[5] = in.save_ok[5] = 1;
  in.kin[5] = 17;
  in.rec_count = 1000;
  in.sus_count = 128;
  memset(in.stream_ok, 1, cfg.num_streams);
  memset(in.dev_answer_ready, 1, cfg.num_smx);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

/* One cycle; afterwards `out` holds what it showed, and beats that were taken are no longer offered. A search that is
 * asked for ends when `in.found` says so. */
static void step(void) {
  hd_devq_eval(m, &in, &out);
  hd_devq_tick(m, &in);
  for (unsigned s = 0; s < cfg.num_smx; s++)
    if (out.dev_launch_ready[s]) in.dev_launch_valid[s] = 0;
}

/* The same; a search ends in the cycle in which it is asked for. */
static void cycle(void) {
  in.found = 0;
  hd_devq_eval(m, &in, &out);
  in.found = out.find_valid;
  step();
}

static struct hd_devlaunch beat(enum hd_kind kind, bool last) {
  struct hd_launch l = ut_launch(0, 0);
  struct hd_devlaunch d = {.kind = (uint8_t)kind, .last = last, .lane = 7, .slot = 4, .hwtid = 300, .record = 12};
  d.desc = l.desc;
  d.desc.param = 0x4000;
  d.threads = l.threads;
  d.regs = l.regs;
  d.smem = l.smem;
  d.ctas = l.ctas;
  return d;
}

static void offer(unsigned smx, struct hd_devlaunch d) {
  in.dev_launch_valid[smx] = 1;
  in.dev_launch[smx] = d;
}

/* Runs until the answer of the SMX, which is taken: its code. */
static int answer(unsigned smx) {
  for (unsigned t = 0; t < 20; t++) {
    cycle();
    if (out.dev_answer_valid[smx]) return out.dev_answer[smx].code;
  }
  return -1;
}

static int answer_to(struct hd_devlaunch d) {
  offer(0, d);
  return answer(0);
}

static struct hd_devq_arch *arch(void) {
  static struct hd_devq_arch a;
  hd_devq_arch(m, &a, true);
  return &a;
}

static void test_idle_after_reset(void **state) {
  (void)state;
  cycle();
  for (unsigned s = 0; s < cfg.num_smx; s++) {
    assert_int_equal(out.dev_launch_ready[s], 1);
    assert_int_equal(out.dev_answer_valid[s], 0);
  }
  assert_int_equal(out.find_valid || out.hold_valid || out.a2_group || out.unhold_valid || out.push_valid, 0);
  assert_int_equal(out.look_smx || out.look_slot || out.dev_code || out.dev_kind, 0);
}

/* A group: taken in 0, held in 1, allocated for in 2, let go in 3, answered in 4. */
static void test_group(void **state) {
  (void)state;
  offer(2, beat(HD_KIND_GROUP, true));
  cycle(); /* 0 */
  assert_int_equal(out.dev_launch_ready[2], 1);
  cycle(); /* 1 */
  assert_int_equal(out.find_valid && out.find_take && out.find_first && out.hold_valid, 1);
  assert_int_equal(out.hold_kdei, 3);
  assert_true(out.find_key.pc == 0x1000 && out.find_key.cta_x == 32 && out.find_key.smem == 1);
  assert_int_equal(out.look_smx, 2);
  assert_int_equal(out.look_slot, 4);
  assert_int_equal(out.a2_group, 0);
  cycle(); /* 2 */
  assert_int_equal(out.a2_group, 1);
  assert_int_equal(out.a2_kdei, 3);
  assert_int_equal(out.a2_smx, 2);
  assert_int_equal(out.a2_hwtid, 300);
  assert_int_equal(out.a2_record, 12);
  assert_int_equal(out.a2_info.grid_x, 4);
  assert_int_equal(out.a2_info.ctas, 4);
  assert_true(out.a2_info.param == 0x100);
  assert_int_equal(out.a2_info.level, 2);
  cycle(); /* 3 */
  assert_int_equal(out.unhold_valid, 1);
  assert_int_equal(out.unhold_kdei, 3);
  assert_int_equal(out.dev_event[1], 1);
  assert_int_equal(out.dev_kind, HD_KIND_GROUP);
  assert_int_equal(out.push_valid || out.birth_valid || out.dev_answer_valid[2], 0);
  cycle(); /* 4 */
  assert_int_equal(out.dev_answer_valid[2], 1);
  assert_int_equal(out.dev_answer[2].code, HD_CODE_ACCEPTED);
  assert_int_equal(out.dev_answer[2].lane, 7);
  assert_int_equal(out.dev_answer[2].slot, 4);
  cycle();
  assert_int_equal(out.dev_answer_valid[2] || out.dev_answer[2].lane || out.unhold_valid, 0);
}

/* The group found no AGE: its answer says that its record is kept. */
static void test_kept(void **state) {
  (void)state;
  offer(0, beat(HD_KIND_GROUP, true));
  for (unsigned t = 0; t < 3; t++) cycle();
  in.kept = 1;
  cycle();
  assert_int_equal(out.dev_code, HD_CODE_KEPT);
  assert_int_equal(out.dev_event[2] && !out.dev_event[1], 1);
  in.kept = 0;
  cycle();
  assert_int_equal(out.dev_answer[0].code, HD_CODE_KEPT);
}

/* The group found no room in its bank: it is refused, whether it found an AGE or not. */
static void test_full(void **state) {
  (void)state;
  offer(0, beat(HD_KIND_GROUP, true));
  for (unsigned t = 0; t < 3; t++) cycle();
  in.full = in.kept = 1;
  cycle();
  assert_int_equal(out.dev_code, HD_CODE_REFUSED);
  assert_int_equal(out.dev_event[5] && !out.dev_event[0] && !out.dev_event[2], 1);
  assert_int_equal(out.unhold_valid, 1);
  in.full = in.kept = 0;
  cycle();
  assert_int_equal(out.dev_answer[0].code, HD_CODE_REFUSED);
}

/* A group per cycle, for ever, across commands of one SMX. */
static void test_one_group_per_cycle(void **state) {
  (void)state;
  for (unsigned t = 0; t < 1000; t++) {
    offer(0, beat(HD_KIND_GROUP, t % 32 == 31));
    cycle();
    assert_int_equal(out.dev_launch_ready[0], 1);
    assert_int_equal(out.a2_group, t >= 2);
    assert_int_equal(out.unhold_valid, t >= 3);
  }
  assert_int_equal(arch()->owed[0], 4);
}

/* And across commands of several SMXs, which take turns. */
static void test_turns(void **state) {
  (void)state;
  unsigned turns[13] = {0};
  for (unsigned t = 0; t < 13 * 40; t++) {
    for (unsigned s = 0; s < 13; s++) offer(s, beat(HD_KIND_GROUP, true));
    hd_devq_eval(m, &in, &out);
    assert_int_equal(out.dev_launch_ready[t % 13], 1);
    turns[t % 13]++;
    cycle();
    assert_int_equal(arch()->ptr, (t + 1) % 13);
    if (t >= 2) assert_int_equal(out.a2_smx, (t - 2) % 13);
  }
  for (unsigned s = 0; s < 13; s++) assert_int_equal(turns[s], 40);
}

/* An SMX is ready only if nobody ahead of it in rotation offers a beat. */
static void test_ready(void **state) {
  (void)state;
  offer(4, beat(HD_KIND_GROUP, true));
  cycle();
  offer(2, beat(HD_KIND_GROUP, true));
  offer(8, beat(HD_KIND_GROUP, true));
  hd_devq_eval(m, &in, &out); /* from 5 on: 8 is first */
  for (unsigned s = 0; s < 13; s++) assert_int_equal(out.dev_launch_ready[s], s >= 5 && s <= 8);
}

/* The lock stays with the SMX until its last beat. */
static void test_lock(void **state) {
  (void)state;
  for (unsigned t = 0; t < 6; t++) {
    offer(1, beat(HD_KIND_GROUP, true));
    offer(0, beat(HD_KIND_GROUP, t == 4));
    cycle();
    assert_int_equal(out.dev_launch_ready[0], t < 5);
    assert_int_equal(arch()->lock_valid, t < 4);
    if (t < 4) assert_int_equal(arch()->lock_left, 31 - t);
  }
  assert_int_equal(arch()->ptr, 2);
}

/* After 32 beats it is lost, whatever they say. */
static void test_lock_ends(void **state) {
  (void)state;
  for (unsigned t = 0; t < 33; t++) {
    offer(0, beat(HD_KIND_GROUP, false));
    offer(1, beat(HD_KIND_GROUP, true));
    cycle();
    assert_int_equal(out.dev_launch_ready[0], t < 32);
  }
  assert_int_equal(arch()->lock_valid, 0);
}

/* A cycle in which the SMX offers nothing loses the lock; the rest of its command is a new one. */
static void test_lock_cut(void **state) {
  (void)state;
  offer(0, beat(HD_KIND_GROUP, false));
  cycle();
  offer(1, beat(HD_KIND_GROUP, true));
  cycle();
  assert_int_equal(out.dev_launch_ready[1], 0);
  assert_int_equal(arch()->lock_valid, 0);
  assert_int_equal(arch()->ptr, 1);
  offer(0, beat(HD_KIND_GROUP, false));
  cycle();
  assert_int_equal(out.dev_launch_ready[1] && !out.dev_launch_ready[0], 1);
}

/* The lock is not lost while nobody could send. */
static void test_lock_waits_for_room(void **state) {
  (void)state;
  in.next_room = 0;
  for (unsigned t = 0; t < 2; t++) {
    offer(0, beat(HD_KIND_GROUP, false));
    cycle();
  }
  assert_int_equal(arch()->q_count, 2);
  for (unsigned t = 0; t < 5; t++) {
    cycle();
    assert_int_equal(out.dev_launch_ready[0], 0);
    assert_int_equal(arch()->lock_valid, 1);
  }
}

/* An SMX that takes no answers gets 8 beats in and then holds up nobody, not even with its lock. */
static void test_deaf_smx(void **state) {
  (void)state;
  in.dev_answer_ready[0] = 0;
  for (unsigned t = 0; t < 8; t++) {
    offer(0, beat(HD_KIND_GROUP, false));
    cycle();
  }
  offer(0, beat(HD_KIND_GROUP, false));
  offer(1, beat(HD_KIND_GROUP, true));
  cycle();
  assert_int_equal(arch()->owed[0], 8);
  assert_int_equal(out.dev_launch_ready[0] || arch()->lock_valid, 0);
  cycle();
  assert_int_equal(out.dev_launch_ready[1], 1);
  for (unsigned t = 0; t < 8; t++) cycle();
  in.dev_answer_ready[0] = 1;
  in.dev_launch_valid[0] = 0;
  for (unsigned t = 0; t < 8; t++) {
    cycle();
    assert_int_equal(out.dev_answer_valid[0], 1);
    assert_int_equal(arch()->owed[0], 7 - t);
  }
}

/* A kernel: child and pool entry in A3, with what the TB's kernel has as parent record. */
static void test_kernel(void **state) {
  (void)state;
  struct hd_devlaunch d = beat(HD_KIND_KERNEL, true);
  d.stream = 3;
  d.desc.param = 0x4001;
  d.threads = 33;
  offer(7, d);
  for (unsigned t = 0; t < 4; t++) cycle();
  assert_int_equal(out.push_valid && out.birth_valid, 1);
  assert_int_equal(out.birth_kdei, 5);
  assert_int_equal(out.birth_kin, 17);
  assert_int_equal(out.birth_new, 0);
  assert_memory_equal(&out.push.desc, &d.desc, sizeof d.desc);
  assert_int_equal(out.push.need.warps, 2);
  assert_int_equal(out.push.need.regs, 4);
  assert_int_equal(out.push.ctas, 4);
  assert_int_equal(out.push.level, 2);
  assert_int_equal(out.push.stream, 3);
  assert_int_equal(out.push.up, 17);
  assert_int_equal(out.push.smx, 7);
  assert_int_equal(out.dev_event[0], 1);
  assert_int_equal(answer(7), HD_CODE_ACCEPTED);
}

/* The first child of a kernel takes the free record. */
static void test_first_child(void **state) {
  (void)state;
  in.kin_valid[5] = 0;
  offer(0, beat(HD_KIND_KERNEL, true));
  for (unsigned t = 0; t < 4; t++) cycle();
  assert_int_equal(out.birth_new, 1);
  assert_int_equal(out.birth_kin, 40);
  assert_int_equal(out.push.up, 40);
}

/* One kernel or save at a time in A2 and A3: one per 3 cycles. */
static void test_kernels_one_per_3_cycles(void **state) {
  (void)state;
  for (unsigned t = 0; t < 60; t++) {
    offer(0, beat(HD_KIND_KERNEL, true));
    cycle();
    assert_int_equal(out.push_valid, t >= 3 && t % 3 == 0);
  }
}

/* Groups without a kernel of their key, or that no AGE can hold, go on as kernels. */
static void test_unmatched(void **state) {
  (void)state;
  in.found_hit = in.found_kdei = 0;
  offer(0, beat(HD_KIND_GROUP, true));
  for (unsigned t = 0; t < 4; t++) cycle();
  assert_int_equal(out.push_valid, 1);
  assert_int_equal(out.dev_event[3], 1);
  assert_int_equal(out.dev_kind, HD_KIND_GROUP);
  assert_int_equal(out.unhold_valid, 0);
  assert_int_equal(answer(0), HD_CODE_ACCEPTED);
}

static void test_does_not_fit(void **state) {
  (void)state;
  for (unsigned k = 0; k < 6; k++) {
    struct hd_devlaunch d = beat(HD_KIND_GROUP, true);
    if (k == 0) d.desc.grid_x = 65536;
    if (k == 1) d.desc.grid_z = 256;
    if (k == 2) d.desc.param = 0x4020;
    if (k == 3) d.desc.grid_x = 65535;
    if (k == 4) d.desc.grid_y = 65535;
    if (k == 5) d.desc.grid_z = 255;
    offer(0, d);
    cycle();
    cycle();
    assert_int_equal(out.find_valid, k >= 3);
    cycle();
    assert_int_equal(out.a2_group, k >= 3);
    cycle();
    assert_int_equal(out.push_valid, k < 3);
    assert_int_equal(out.dev_event[3], k < 3);
  }
}

/* The level goes up to the highest and stays there. */
static void test_level(void **state) {
  (void)state;
  static const uint8_t want[] = {1, 2, 3, 4, 4};
  for (unsigned k = 0; k < 5; k++) {
    in.look.level = (uint8_t)k;
    offer(0, beat(HD_KIND_GROUP, true));
    for (unsigned t = 0; t < 3; t++) cycle();
    assert_int_equal(out.a2_info.level, want[k]);
  }
}

/* A save: context pointer, level of the TB itself, the next place of the saved list, which is a ring. */
static void test_save(void **state) {
  (void)state;
  struct hd_devlaunch d = beat(HD_KIND_SAVE, true);
  d.desc = (struct hd_desc){.param = 0xabcd};
  d.threads = d.ctas = 0; /* what it does not need does not count */
  in.sav_first[5] = (uint16_t)(cfg.sav_max - 2);
  in.sav_count[5] = 5;
  offer(0, d);
  for (unsigned t = 0; t < 4; t++) cycle();
  assert_int_equal(out.save_valid, 1);
  assert_int_equal(out.save_kdei, 5);
  assert_int_equal(out.save_kin, 17);
  assert_int_equal(out.save_pos, 3);
  assert_true(out.save_entry.ctx == 0xabcd);
  assert_int_equal(out.save_entry.level, 1);
  assert_int_equal(out.dev_event[4], 1);
  assert_int_equal(answer(0), HD_CODE_ACCEPTED);
}

static void test_save_refused(void **state) {
  (void)state;
  in.save_ok[5] = 0;
  assert_int_equal(answer_to(beat(HD_KIND_SAVE, true)), HD_CODE_REFUSED);
  in.save_ok[5] = 1;
  in.sus_count = 17; /* records 0 to 16 */
  assert_int_equal(answer_to(beat(HD_KIND_SAVE, true)), HD_CODE_REFUSED);
  in.sus_count = 18;
  assert_int_equal(answer_to(beat(HD_KIND_SAVE, true)), HD_CODE_ACCEPTED);
}

/* No room in memory, none for a kernel of the stream, no parent record: refused, at once, and nothing happens. */
static void test_kernel_refused(void **state) {
  (void)state;
  struct hd_devlaunch d = beat(HD_KIND_KERNEL, true);
  d.stream = 2;
  in.pool_full = 1;
  offer(0, d);
  for (unsigned t = 0; t < 4; t++) cycle();
  assert_int_equal(out.push_valid || out.birth_valid, 0);
  assert_int_equal(out.dev_event[5], 1);
  assert_int_equal(answer(0), HD_CODE_REFUSED);
  in.pool_full = 0;
  in.stream_ok[2] = 0;
  assert_int_equal(answer_to(d), HD_CODE_REFUSED);
  in.stream_ok[2] = 1;
  in.kin_free = 0; /* its kernel has a record */
  assert_int_equal(answer_to(d), HD_CODE_ACCEPTED);
  in.kin_valid[5] = 0;
  assert_int_equal(answer_to(d), HD_CODE_REFUSED);
}

/* Each cause has its code; the first in order counts. */
static void test_codes(void **state) {
  (void)state;
  struct hd_devlaunch d = beat(HD_KIND_GROUP, true);
  d.stream = 32;
  assert_int_equal(answer_to(d), HD_CODE_UNKNOWN_HWQ);
  d.smem = 193; /* k20c: 192 units */
  assert_int_equal(answer_to(d), HD_CODE_NEVER_FITS);
  d.record = 1000;
  assert_int_equal(answer_to(d), HD_CODE_OVER_LIMIT);
  d.desc.grid_y = 0;
  assert_int_equal(answer_to(d), HD_CODE_ZERO_DIM);
  d = beat(HD_KIND_KERNEL, true);
  d.record = 1000; /* a kernel has none */
  assert_int_equal(answer_to(d), HD_CODE_ACCEPTED);
  d.threads = 1025;
  assert_int_equal(answer_to(d), HD_CODE_OVER_LIMIT);
  d = beat(3, true);
  assert_int_equal(answer_to(d), HD_CODE_OVER_LIMIT);
  in.rec_count = 0; /* no groups */
  d = beat(HD_KIND_GROUP, true);
  d.record = 0;
  assert_int_equal(answer_to(d), HD_CODE_OVER_LIMIT);
}

/* A wrong launch searches for nothing, waits for nothing, and leaves nothing behind. */
static void test_wrong_launch(void **state) {
  (void)state;
  struct hd_devlaunch d = beat(HD_KIND_GROUP, true);
  d.ctas = 0;
  in.next_room = in.pool_ready = 0;
  offer(0, d);
  cycle();
  cycle();
  assert_int_equal(out.find_valid || out.find_take || out.hold_valid, 0);
  cycle();
  assert_int_equal(out.a2_group, 0);
  cycle();
  assert_int_equal(out.unhold_valid || out.push_valid, 0);
  assert_int_equal(out.dev_event[6], 1);
  assert_int_equal(out.dev_code, HD_CODE_ZERO_DIM);
}

/* A slot without a running TB: no group, no kernel, no save; what was held is let go. */
static void test_empty_slot(void **state) {
  (void)state;
  in.look = (struct hd_look){0};
  offer(0, beat(HD_KIND_GROUP, true));
  for (unsigned t = 0; t < 3; t++) cycle();
  assert_int_equal(out.a2_group || out.a2_record || out.a2_info.ctas, 0);
  cycle();
  assert_int_equal(out.unhold_valid && out.dev_event[6], 1);
  assert_int_equal(out.unhold_kdei, 3);
  assert_int_equal(answer(0), HD_CODE_EMPTY_SLOT);
  assert_int_equal(answer_to(beat(HD_KIND_KERNEL, true)), HD_CODE_EMPTY_SLOT);
  assert_int_equal(answer_to(beat(HD_KIND_SAVE, true)), HD_CODE_EMPTY_SLOT);
}

/* A group waits in A1 for its search, then for a place in the next queue; nothing moves behind it, A2 is empty. */
static void test_waits_for_search(void **state) {
  (void)state;
  offer(0, beat(HD_KIND_GROUP, true));
  cycle();
  in.found = 0;
  for (unsigned t = 0; t < 5; t++) {
    step();
    assert_int_equal(out.find_valid && !out.find_take && !out.hold_valid, 1);
    assert_int_equal(arch()->a2_valid, 0);
  }
  in.next_room = 0;
  for (unsigned t = 0; t < 3; t++) {
    cycle();
    assert_int_equal(out.find_take || out.hold_valid, 0);
  }
  in.next_room = 1;
  cycle();
  assert_int_equal(out.find_take && out.hold_valid, 1);
}

/* Kernels wait for the pool, saves for the suspension unit; a group needs neither. */
static void test_waits_for_room(void **state) {
  (void)state;
  in.pool_ready = in.save_room = 0;
  assert_int_equal(answer_to(beat(HD_KIND_GROUP, true)), HD_CODE_ACCEPTED);
  offer(0, beat(HD_KIND_KERNEL, true));
  for (unsigned t = 0; t < 5; t++) cycle();
  assert_int_equal(arch()->a2_valid, 0);
  in.pool_ready = 1;
  assert_int_equal(answer(0), HD_CODE_ACCEPTED);
  offer(0, beat(HD_KIND_SAVE, true));
  for (unsigned t = 0; t < 5; t++) cycle();
  assert_int_equal(arch()->a2_valid, 0);
  in.save_room = 1;
  assert_int_equal(answer(0), HD_CODE_ACCEPTED);
}

/* A kernel in A2 or A3 does not hold up a group behind it; a wrong launch does not hold up a kernel. */
static void test_kernel_then_group(void **state) {
  (void)state;
  struct hd_devlaunch bad = beat(HD_KIND_KERNEL, false);
  bad.ctas = 0;
  const struct hd_devlaunch beats[] = {bad, beat(HD_KIND_KERNEL, false), beat(HD_KIND_GROUP, true)};
  for (unsigned t = 0; t < 6; t++) {
    if (t < 3) offer(0, beats[t]);
    cycle();
    assert_int_equal(out.push_valid, t == 4);
    assert_int_equal(out.unhold_valid, t == 5);
  }
}

/* 32 lanes with three keys: answers in the order of the lanes. */
static void test_answers_in_order(void **state) {
  (void)state;
  unsigned lane = 0, got = 0;
  for (unsigned t = 0; t < 200 && got < 32; t++) {
    struct hd_devlaunch d = beat(lane % 3 ? HD_KIND_GROUP : HD_KIND_KERNEL, lane == 31);
    d.lane = (uint8_t)lane;
    d.desc.pc = lane % 3;
    if (lane < 32 && !in.dev_launch_valid[6]) offer(6, d);
    cycle();
    if (lane < 32 && out.dev_launch_ready[6]) lane++;
    if (out.dev_answer_valid[6]) assert_int_equal(out.dev_answer[6].lane, got++);
  }
  assert_int_equal(got, 32);
}

/* Reset with beats everywhere and a lock: nothing is left. */
static void test_reset(void **state) {
  (void)state;
  in.dev_answer_ready[0] = 0;
  for (unsigned t = 0; t < 6; t++) {
    offer(0, beat(HD_KIND_GROUP, false));
    cycle();
  }
  hd_devq_reset(m);
  struct hd_devq *fresh = ut_new(hd_devq_size(&cfg));
  hd_devq_init(fresh, &cfg);
  assert_memory_equal(m, fresh, hd_devq_size(&cfg));
  free(fresh);
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      T(test_idle_after_reset),
      T(test_group),
      T(test_kept),
      T(test_full),
      T(test_one_group_per_cycle),
      T(test_turns),
      T(test_ready),
      T(test_lock),
      T(test_lock_ends),
      T(test_lock_cut),
      T(test_lock_waits_for_room),
      T(test_deaf_smx),
      T(test_kernel),
      T(test_first_child),
      T(test_kernels_one_per_3_cycles),
      T(test_unmatched),
      T(test_does_not_fit),
      T(test_level),
      T(test_save),
      T(test_save_refused),
      T(test_kernel_refused),
      T(test_codes),
      T(test_wrong_launch),
      T(test_empty_slot),
      T(test_waits_for_search),
      T(test_waits_for_room),
      T(test_kernel_then_group),
      T(test_answers_in_order),
      T(test_reset),
  };
  return cmocka_run_group_tests_name("devq", tests, NULL, NULL);
}
