/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Device launches: groups, round robin of the SMXs, the lock, answers. */
#include "unit/launch/devq_fixture.h"

TEST_F(test_idle_after_reset) {
  cycle();
  for (unsigned s = 0; s < cfg.num_smx; s++) {
    assert_int_equal(out.dev_launch_ready[s], 1);
    assert_int_equal(out.dev_answer_valid[s], 0);
  }
  assert_int_equal(out.find.valid || out.hold.valid || out.group.valid || out.unhold.valid || out.push.valid, 0);
  assert_int_equal(out.look.smx || out.look.slot || out.code || out.kind, 0);
}

/* A group: taken in 0, held in 1, allocated for in 2, let go in 3, answered in 4. */
TEST_F(test_group) {
  offer(2, beat(HD_KIND_GROUP, true));
  cycle(); /* 0 */
  assert_int_equal(out.dev_launch_ready[2], 1);
  cycle(); /* 1 */
  assert_int_equal(out.find.valid && out.find_take && out.find.first && out.hold.valid, 1);
  assert_int_equal(out.hold.kdei, 3);
  assert_true(out.find.key.pc == 0x1000 && out.find.key.cta_x == 32 && out.find.key.smem == 1);
  assert_int_equal(out.look.smx, 2);
  assert_int_equal(out.look.slot, 4);
  assert_int_equal(out.group.valid, 0);
  cycle(); /* 2 */
  assert_int_equal(out.group.valid, 1);
  assert_int_equal(out.group.kdei, 3);
  assert_int_equal(out.group.smx, 2);
  assert_int_equal(out.group.hwtid, 300);
  assert_int_equal(out.group.record, 12);
  assert_int_equal(out.group.info.grid_x, 4);
  assert_int_equal(out.group.info.ctas, 4);
  assert_true(out.group.info.param == 0x100);
  assert_int_equal(out.group.info.level, 2);
  cycle(); /* 3 */
  assert_int_equal(out.unhold.valid, 1);
  assert_int_equal(out.unhold.kdei, 3);
  assert_int_equal(out.event[1], 1);
  assert_int_equal(out.kind, HD_KIND_GROUP);
  assert_int_equal(out.push.valid || out.birth.valid || out.dev_answer_valid[2], 0);
  cycle(); /* 4 */
  assert_int_equal(out.dev_answer_valid[2], 1);
  assert_int_equal(out.dev_answer[2].code, HD_CODE_ACCEPTED);
  assert_int_equal(out.dev_answer[2].lane, 7);
  assert_int_equal(out.dev_answer[2].slot, 4);
  cycle();
  assert_int_equal(out.dev_answer_valid[2] || out.dev_answer[2].lane || out.unhold.valid, 0);
}

/* The group found no AGE: its answer reports that its record is kept. */
TEST_F(test_kept) {
  offer(0, beat(HD_KIND_GROUP, true));
  for (unsigned t = 0; t < 3; t++) cycle();
  in.link_kept = 1;
  cycle();
  assert_int_equal(out.code, HD_CODE_KEPT);
  assert_int_equal(out.event[2] && !out.event[1], 1);
  in.link_kept = 0;
  cycle();
  assert_int_equal(out.dev_answer[0].code, HD_CODE_KEPT);
}

/* The group found no room in its bank: it is refused, whether it found an AGE or not. */
TEST_F(test_full) {
  offer(0, beat(HD_KIND_GROUP, true));
  for (unsigned t = 0; t < 3; t++) cycle();
  in.laperm_full = in.link_kept = 1;
  cycle();
  assert_int_equal(out.code, HD_CODE_REFUSED);
  assert_int_equal(out.event[5] && !out.event[0] && !out.event[2], 1);
  assert_int_equal(out.unhold.valid, 1);
  in.laperm_full = in.link_kept = 0;
  cycle();
  assert_int_equal(out.dev_answer[0].code, HD_CODE_REFUSED);
}

/* One group per cycle, indefinitely, across commands of one SMX. */
TEST_F(test_one_group_per_cycle) {
  for (unsigned t = 0; t < 1000; t++) {
    offer(0, beat(HD_KIND_GROUP, t % 32 == 31));
    cycle();
    assert_int_equal(out.dev_launch_ready[0], 1);
    assert_int_equal(out.group.valid, t >= 2);
    assert_int_equal(out.unhold.valid, t >= 3);
  }
  assert_int_equal(arch()->owed[0], 4);
}

/* And across commands of several SMXs, which are served round robin. */
TEST_F(test_turns) {
  unsigned turns[13] = {0};
  for (unsigned t = 0; t < 13 * 40; t++) {
    for (unsigned s = 0; s < 13; s++) offer(s, beat(HD_KIND_GROUP, true));
    hd_devq_eval(m, &in, &out);
    assert_int_equal(out.dev_launch_ready[t % 13], 1);
    turns[t % 13]++;
    cycle();
    assert_int_equal(arch()->ptr, (t + 1) % 13);
    if (t >= 2) assert_int_equal(out.group.smx, (t - 2) % 13);
  }
  for (unsigned s = 0; s < 13; s++) assert_int_equal(turns[s], 40);
}

/* An SMX is ready only if no SMX ahead of it in the rotation offers a beat. */
TEST_F(test_ready) {
  offer(4, beat(HD_KIND_GROUP, true));
  cycle();
  offer(2, beat(HD_KIND_GROUP, true));
  offer(8, beat(HD_KIND_GROUP, true));
  hd_devq_eval(m, &in, &out); /* from 5 on: 8 is first */
  for (unsigned s = 0; s < 13; s++) assert_int_equal(out.dev_launch_ready[s], s >= 5 && s <= 8);
}

/* The lock stays with the SMX until its last beat. */
TEST_F(test_lock) {
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

/* After 32 beats it is lost, for any beats. */
TEST_F(test_lock_ends) {
  for (unsigned t = 0; t < 33; t++) {
    offer(0, beat(HD_KIND_GROUP, false));
    offer(1, beat(HD_KIND_GROUP, true));
    cycle();
    assert_int_equal(out.dev_launch_ready[0], t < 32);
  }
  assert_int_equal(arch()->lock_valid, 0);
}

/* A cycle in which the SMX offers no beat loses the lock; the rest of its command is a new one. */
TEST_F(test_lock_cut) {
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

/* The lock is not lost while no SMX could send. */
TEST_F(test_lock_waits_for_room) {
  in.ovfq_room = 0;
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

/* An SMX that takes no answers sends 8 beats and then delays no other SMX, even with its lock. */
TEST_F(test_deaf_smx) {
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

/* A group waits in A1 for its search, then for a place among ovfq's writes; no stage behind it moves, A2 is empty. */
TEST_F(test_waits_for_search) {
  offer(0, beat(HD_KIND_GROUP, true));
  cycle();
  in.match_found.valid = 0;
  for (unsigned t = 0; t < 5; t++) {
    step();
    assert_int_equal(out.find.valid && !out.find_take && !out.hold.valid, 1);
    assert_int_equal(arch()->a2_valid, 0);
  }
  in.ovfq_room = 0;
  for (unsigned t = 0; t < 3; t++) {
    cycle();
    assert_int_equal(out.find_take || out.hold.valid, 0);
  }
  in.ovfq_room = 1;
  cycle();
  assert_int_equal(out.find_take && out.hold.valid, 1);
}

/* 32 lanes with three keys: answers in the order of the lanes. */
TEST_F(test_answers_in_order) {
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

/* Reset with beats in every stage and a lock: all state is cleared. */
TEST_F(test_reset) {
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

TEST_MAIN("devq", NULL, NULL)
