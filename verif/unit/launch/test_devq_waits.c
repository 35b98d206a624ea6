/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Device launches: a command that waits in its port does not block the other SMXs. */
#include "unit/launch/devq_fixture.h"

/* The SMX offers a beat in every cycle; returns whether one was accepted in this one. */
static bool taken(unsigned smx, enum hd_kind kind) {
  if (!in.dev_launch_valid[smx]) offer(smx, beat(kind, true));
  hd_devq_eval(m, &in, &out);
  return out.dev_launch_ready[smx];
}

/* The bank of SMX 0 is full, and spill has no row: its groups wait. Those of SMX 1 are accepted in every cycle and
 * answered four cycles later. */
TEST_F(test_full_bank) {
  in.laperm_bank_room[0] = in.spill_rows = 0;
  for (unsigned t = 0; t < 100; t++) {
    assert_false(taken(0, HD_KIND_GROUP));
    assert_true(taken(1, HD_KIND_GROUP));
    cycle();
    assert_int_equal(out.dev_answer_valid[1], t >= 4);
  }
  in.spill_rows = 1;
  assert_true(taken(0, HD_KIND_GROUP));
}

/* A bank has room if it has two places more than launches in flight: one for the group, one for a kernel. */
TEST_F(test_roomy) {
  in.spill_rows = 0;
  for (unsigned n = 0; n < 3; n++) {
    in.laperm_bank_room[0] = (uint8_t)(n + 1);
    assert_false(taken(0, HD_KIND_GROUP));
    in.laperm_bank_room[0] = (uint8_t)(n + 2);
    assert_true(taken(0, HD_KIND_GROUP));
    cycle();
    assert_int_equal(arch()->fly[0], n + 1);
  }
  in.laperm_bank_room[0] = 7;
  in.dev_launch_valid[0] = 0;
  for (unsigned t = 0; t < 4; t++) cycle();
  assert_int_equal(arch()->fly[0], 0);
}

/* At most as many groups are in flight to spill as it has rows. A row whose group has entered its bank is free
   again. */
TEST_F(test_rows) {
  in.laperm_bank_room[0] = in.laperm_bank_room[1] = 0;
  in.spill_rows = 2;
  assert_true(taken(0, HD_KIND_GROUP));
  cycle();
  assert_true(taken(1, HD_KIND_GROUP));
  cycle();
  for (unsigned t = 0; t < 2; t++) {
    assert_int_equal(arch()->promised, 2);
    assert_false(taken(0, HD_KIND_GROUP) || taken(1, HD_KIND_GROUP));
    cycle();
  }
  assert_int_equal(arch()->promised, 1);
  assert_true(taken(0, HD_KIND_GROUP));
}

/* With four rows a group is accepted in every cycle, in any state of its bank. */
TEST_F(test_rows_at_full_rate) {
  in.laperm_bank_room[0] = 0;
  for (unsigned t = 0; t < 100; t++) {
    assert_true(taken(0, HD_KIND_GROUP));
    cycle();
    assert_int_equal(out.unhold.valid, t >= 3);
  }
}

/* A turn is not kept by a group that needs a row, nor by kernels. */
TEST_F(test_no_lock) {
  in.laperm_bank_room[0] = 0;
  offer(0, beat(HD_KIND_GROUP, false));
  cycle();
  assert_int_equal(arch()->lock_valid, 0);
  offer(1, beat(HD_KIND_KERNEL, false));
  cycle();
  assert_int_equal(arch()->lock_valid, 0);
  offer(2, beat(HD_KIND_GROUP, false));
  cycle();
  assert_int_equal(arch()->lock_valid, 1);
}

/* The pool has no room: kernels wait, groups do not; nor do saves once the kernel has left A2. */
TEST_F(test_busy_pool) {
  in.pool_room.ready = in.pool_room.two = 0;
  for (unsigned t = 0; t < 20; t++) {
    assert_false(taken(0, HD_KIND_KERNEL));
    assert_true(taken(1, HD_KIND_GROUP));
    cycle();
  }
  in.pool_room.ready = 1; /* for one: the next waits while that is in flight */
  for (unsigned t = 0; t < 4; t++) {
    assert_int_equal(taken(0, HD_KIND_KERNEL), t == 0);
    cycle();
  }
  assert_true(taken(0, HD_KIND_KERNEL));
}

/* The same for saves, whose FIFO has no room. */
TEST_F(test_busy_saves) {
  in.susp_save_room = 0;
  for (unsigned t = 0; t < 20; t++) {
    assert_false(taken(0, HD_KIND_SAVE));
    assert_true(taken(1, HD_KIND_GROUP));
    cycle();
  }
  in.susp_save_room = 1;
  for (unsigned t = 0; t < 5; t++) {
    assert_int_equal(taken(0, HD_KIND_SAVE), t == 0 || t == 4); /* the one in A3 may take the room */
    cycle();
  }
}

/* A group that finds no kernel becomes one. The next one of its SMX waits as a kernel does, until one finds a kernel
 * again. */
TEST_F(test_lone) {
  in.match_found.hit = 0;
  assert_int_equal(answer_to(beat(HD_KIND_GROUP, true)), HD_CODE_ACCEPTED);
  assert_int_equal(arch()->lone[0], 1);
  in.match_found.hit = 1;
  in.pool_room.ready = in.pool_room.two = 0;
  for (unsigned t = 0; t < 20; t++) {
    assert_false(taken(0, HD_KIND_GROUP));
    assert_true(taken(1, HD_KIND_GROUP));
    cycle();
  }
  in.pool_room.ready = in.pool_room.two = 1;
  assert_int_equal(answer(0), HD_CODE_ACCEPTED);
  assert_int_equal(arch()->lone[0], 0);
  in.pool_room.ready = in.pool_room.two = 0;
  assert_true(taken(0, HD_KIND_GROUP));
}

/* SMXs 3 and 5 launch kernels, SMXs 2 and 4 groups, so that whenever a kernel may be accepted the turn is at 5; but 3
 * was skipped. */
TEST_F(test_passed_over_goes_first) {
  unsigned kernels[13] = {0};
  for (unsigned t = 0; t < 300; t++) {
    for (unsigned s = 2; s < 6; s++) taken(s, s % 2 ? HD_KIND_KERNEL : HD_KIND_GROUP);
    hd_devq_eval(m, &in, &out);
    for (unsigned s = 3; s < 6; s += 2) kernels[s] += out.dev_launch_ready[s];
    cycle();
  }
  assert_in_range(kernels[3], kernels[5], kernels[5] + 1);
  assert_in_range(kernels[3] + kernels[5], 80, 100);
}

/* A bank that loses its room to a kernel while a group for it is searched: the group takes a row in A1, or waits there
 * for one. */
TEST_F(test_room_lost) {
  in.laperm_bank_room[0] = 2;
  in.spill_rows = 0;
  offer(0, beat(HD_KIND_GROUP, true));
  cycle();
  in.laperm_bank_room[0] = 1;
  for (unsigned t = 0; t < 5; t++) {
    cycle();
    assert_int_equal(out.find.valid && !out.find_take, 1);
  }
  in.spill_rows = 1;
  in.laperm_bank_room[1] = 0; /* that row is not for another */
  assert_false(taken(1, HD_KIND_GROUP));
  cycle();
  assert_int_equal(out.find_take && out.hold.valid, 1);
  assert_int_equal(arch()->promised, 1);
}

TEST_MAIN("devq_waits", NULL, NULL)
