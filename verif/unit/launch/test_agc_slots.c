/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* AGEs from load to release: overflow slots, records, parked groups. */
#include "unit/launch/agc_fixture.h"

static int until_record(void) {
  for (int t = 0; t < 20; t++) {
    cycle();
    if (out.record_done_valid) return t;
  }
  return -1;
}

/* Retired in t: the slot waits from t+2, the record is read in t+3 and offered in t+4; the slot is free with it. */
TEST_F(test_record_latency) {
  run_overflowed(77, 0);
  cycle();
  cycle();
  assert_int_equal(arch()->ovf_wait[0], 0);
  assert_int_equal(arch()->ovf_used[0], 1);
  cycle();
  assert_int_equal(out.record_done_valid, 0);
  assert_int_equal(out.slot.slot, 1);
  cycle();
  assert_int_equal(out.record_done_valid, 1);
  assert_int_equal(out.record_done, 77);
  assert_int_equal(out.slot.slot, 0);
  assert_int_equal(until_record(), -1);
}

/* Slow software: the slots are used up; completions continue; each record is returned once, and its slot with it. */
TEST_F(test_slots_exhausted) {
  unsigned seen[5] = {0};
  in.record_done_ready = 0;
  for (unsigned i = 0; i < 5; i++) hand_out(false, 100 + i, 1);
  cycle();
  assert_int_equal(out.slot.valid, 0);
  assert_int_equal(out.slot.slot, 0);
  for (unsigned i = 0; i < 5; i++) {
    retire(cfg.agt_size + i);
    cycle();
  }
  for (unsigned k = 0; k < 10; k++) cycle();
  assert_int_equal(out.slot.valid, 1); /* that of the record offered */
  for (unsigned k = 0, n = 0; k < 60; k++) {
    in.record_done_ready = k % 5 == 4;
    cycle();
    if (out.record_done_valid && in.record_done_ready) {
      assert_in_range(out.record_done, 100, 104);
      seen[out.record_done - 100]++, n++;
    }
    assert_true(n <= 5);
  }
  for (unsigned i = 0; i < 5; i++) assert_int_equal(seen[i], 1);
}

/* Waiting slots are searched from the pointer on: after the last chosen one, not from the lowest. */
TEST_F(test_records_round_robin) {
  in.record_done_ready = 0;
  for (unsigned i = 0; i < 4; i++) hand_out(false, 10 + i, 1);
  static const unsigned ended[] = {1, 2, 0, 3}, expected[] = {11, 12, 13, 10};
  for (unsigned k = 0; k < 4; k++) {
    retire(cfg.agt_size + ended[k]);
    cycle();
  }
  for (unsigned k = 0; k < 4; k++) cycle();
  in.record_done_ready = 1;
  for (unsigned k = 0; k < 4; k++) {
    cycle();
    assert_int_equal(out.record_done_valid, 1);
    assert_int_equal(out.record_done, expected[k]);
  }
}

/* A record offered stays until it is taken. */
TEST_F(test_record_holds) {
  in.record_done_ready = 0;
  run_overflowed(9, 0);
  until_record();
  for (int t = 0; t < 5; t++) {
    cycle();
    assert_int_equal(out.record_done, 9);
  }
  in.record_done_ready = 1;
  cycle();
  cycle();
  assert_int_equal(out.record_done_valid, 0);
  assert_int_equal(out.record_done, 0);
}

/* A record waits only for the output: one that is offered and taken is followed by the next in the next cycle. */
TEST_F(test_records_in_a_row) {
  for (unsigned i = 0; i < 4; i++) hand_out(false, 55 + i, 1);
  for (unsigned i = 0; i < 4; i++) {
    retire(cfg.agt_size + i);
    cycle();
  }
  for (unsigned i = 0; i < 4; i++) {
    cycle();
    assert_int_equal(out.record_done_valid, 1);
    assert_int_equal(out.record_done, 55 + i);
  }
  cycle();
  assert_int_equal(out.record_done_valid || out.record_done, 0);
}

/* A parked group on chip: no TB that ends frees its AGE; when its kernel is resumed it counts from the start. */
TEST_F(test_park_onchip) {
  load(true, 1);
  cycle();
  for (unsigned k = 0; k < 2; k++) {
    grant(false);
    cycle();
  }
  park(1);
  cycle();
  assert_int_equal(arch()->park_agei[1], 1);
  retire(1);
  cycle();
  retire(1);
  assert_int_equal(until_free(), -1);
  in.kd_left[1] = 1;
  cycle();
  assert_int_equal(arch()->park_valid[1], 0);
  assert_int_equal(until_free(), -1);
  hand_out(true, 1, 1);
  cycle();
  retire(1);
  assert_int_equal(until_free(), 2);
}

/* A parked group in a slot frees the slot in the cycle after its kernel has left, without its record. */
TEST_F(test_park_overflowed) {
  load(false, 31);
  cycle();
  grant(false);
  cycle();
  park(0);
  cycle();
  retire(cfg.agt_size);
  for (int t = 0; t < 4; t++) cycle();
  in.kd_left[1] = 1; /* another kernel */
  cycle();
  cycle();
  assert_int_equal(out.slot.slot, 1);
  in.kd_left[0] = 1;
  cycle();
  assert_int_equal(arch()->leaving[0] && arch()->park_valid[0] && arch()->ovf_used[0], 1);
  cycle();
  assert_int_equal(out.slot.valid || out.slot.slot, 0);
  cycle();
  assert_int_equal(out.slot.valid, 1);
  assert_int_equal(out.slot.slot, 0);
  assert_int_equal(arch()->leaving[0] || arch()->park_valid[0], 0);
  assert_int_equal(until_record(), -1);
}

/* Kernels that leave together free their slots one per cycle; meanwhile no slot is allocated. */
TEST_F(test_leave_together) {
  for (unsigned i = 0; i < 2; i++) {
    load(false, 40 + i);
    cycle();
    park(i);
    cycle();
  }
  in.kd_left[0] = in.kd_left[1] = 1;
  cycle();
  for (unsigned i = 0; i < 2; i++) {
    assert_int_equal(arch()->ovf_used[0] + arch()->ovf_used[1], 2 - i);
    cycle();
    assert_int_equal(out.slot.valid, 0);
  }
  cycle();
  assert_int_equal(out.slot.valid, 1);
  assert_int_equal(out.slot.slot, 0);
}

/* The same group continues after its kernel was resumed: its record is returned once. */
TEST_F(test_parked_goes_on) {
  load(false, 31);
  cycle();
  grant(false);
  cycle();
  park(0);
  cycle();
  retire(cfg.agt_size);
  for (int t = 0; t < 4; t++) cycle();
  in.kd_left[0] = 1;
  cycle();
  cycle();
  run_overflowed(31, 0);
  assert_int_equal(until_record(), 3);
  assert_int_equal(out.record_done, 31);
  assert_int_equal(until_record(), -1);
}

TEST_MAIN("agc_slots", NULL, NULL)
