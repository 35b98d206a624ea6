/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Device launches: checks, refusals, and the final code. */
#include "unit/launch/devq_fixture.h"

TEST_F(test_does_not_fit) {
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
    assert_int_equal(out.find.valid, k >= 3);
    cycle();
    assert_int_equal(out.group.valid, k >= 3);
    cycle();
    assert_int_equal(out.push.valid, k < 3);
    assert_int_equal(out.event[3], k < 3);
  }
}

TEST_F(test_save_refused) {
  in.kd_save_ok[5] = 0;
  assert_int_equal(answer_to(beat(HD_KIND_SAVE, true)), HD_CODE_REFUSED);
  in.kd_save_ok[5] = 1;
  in.regs_config.sus_count = 17; /* records 0 to 16 */
  assert_int_equal(answer_to(beat(HD_KIND_SAVE, true)), HD_CODE_REFUSED);
  in.regs_config.sus_count = 18;
  assert_int_equal(answer_to(beat(HD_KIND_SAVE, true)), HD_CODE_ACCEPTED);
}

/* No room in memory, none for a kernel of the stream, no parent record: refused at once, without effect. */
TEST_F(test_kernel_refused) {
  struct hd_devlaunch d = beat(HD_KIND_KERNEL, true);
  d.stream = 2;
  in.pool_room.full = 1;
  offer(0, d);
  for (unsigned t = 0; t < 4; t++) cycle();
  assert_int_equal(out.push.valid || out.birth.valid, 0);
  assert_int_equal(out.event[5], 1);
  assert_int_equal(answer(0), HD_CODE_REFUSED);
  in.pool_room.full = 0;
  in.pool_stream_ok[2] = 0;
  assert_int_equal(answer_to(d), HD_CODE_REFUSED);
  in.pool_stream_ok[2] = 1;
  in.kin_free.valid = 0; /* its kernel has a record */
  assert_int_equal(answer_to(d), HD_CODE_ACCEPTED);
  in.kd_kin_valid[5] = 0;
  assert_int_equal(answer_to(d), HD_CODE_REFUSED);
}

/* Each cause has its code; the first in order counts. */
TEST_F(test_codes) {
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
  in.regs_config.rec_count = 0; /* no groups */
  d = beat(HD_KIND_GROUP, true);
  d.record = 0;
  assert_int_equal(answer_to(d), HD_CODE_OVER_LIMIT);
}

/* An illegal launch causes no search and no wait, and leaves no state behind. */
TEST_F(test_wrong_launch) {
  struct hd_devlaunch d = beat(HD_KIND_GROUP, true);
  d.ctas = 0;
  in.ovfq_room = in.pool_room.ready = 0;
  offer(0, d);
  cycle();
  cycle();
  assert_int_equal(out.find.valid || out.find_take || out.hold.valid, 0);
  cycle();
  assert_int_equal(out.group.valid, 0);
  cycle();
  assert_int_equal(out.unhold.valid || out.push.valid, 0);
  assert_int_equal(out.event[6], 1);
  assert_int_equal(out.code, HD_CODE_ZERO_DIM);
}

/* A slot without a running TB: no group, no kernel, no save; reservations are released. */
TEST_F(test_empty_slot) {
  in.sched_look = (struct hd_look){0};
  offer(0, beat(HD_KIND_GROUP, true));
  for (unsigned t = 0; t < 3; t++) cycle();
  assert_int_equal(out.group.valid || out.group.record || out.group.info.ctas, 0);
  cycle();
  assert_int_equal(out.unhold.valid && out.event[6], 1);
  assert_int_equal(out.unhold.kdei, 3);
  assert_int_equal(answer(0), HD_CODE_EMPTY_SLOT);
  assert_int_equal(answer_to(beat(HD_KIND_KERNEL, true)), HD_CODE_EMPTY_SLOT);
  assert_int_equal(answer_to(beat(HD_KIND_SAVE, true)), HD_CODE_EMPTY_SLOT);
}

TEST_MAIN("devq_refused", NULL, NULL)
