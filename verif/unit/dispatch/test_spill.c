/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Groups that overflow to memory and return: cycles, order, and destination. */
#include "unit/dispatch/spill_fixture.h"

/* Put in t, asked to be written in t + 3; the last beat in t, offered in t + 1. */
TEST_F(test_latencies) {
  close_all();
  const unsigned put_at = now;
  put_now(1, 3, 7);
  idle(20);
  assert_int_equal(writes, 1);
  assert_int_equal(write_at, put_at + 3);
  assert_int_equal(reads, 0);
  assert_int_equal(arch()->puts, 0);
  open_bank(1, true);
  const unsigned requested_at = now;
  expect(1, 3, 7);
  assert_int_equal(read_at, requested_at + 2);
  assert_int_equal(back_at, last_beat_at + 1);
  idle(2);
  assert_true(hd_spill_quiet(m));
}

/* The record in memory has the documented format. */
TEST_F(test_record) {
  const struct hd_info g = group_of(9, 2);
  close_all();
  put_now(0, 2, 9);
  idle(20);
  assert_int_equal(hd_memory_get(bytes, 4), g.ctas);
  assert_int_equal(hd_memory_get(bytes + 4, 2), g.grid_x);
  assert_int_equal(hd_memory_get(bytes + 6, 2), g.grid_y);
  assert_true(hd_memory_get(bytes + 8, 8) == g.grid_z);
  assert_true(hd_memory_get(bytes + 16, 8) == g.param);
  assert_true(hd_memory_get(bytes + 24, 8) == 0);
}

/* Bits beyond a field are not returned. */
TEST_F(test_beyond_the_fields) {
  close_all();
  put_now(0, 4, 11);
  idle(20);
  memset(bytes + 9, 0xff, 7);
  hd_memory_put(bytes + 16, 8, group_of(11, 4).param | ~(UINT64_MAX >> (64 - cfg.param_units_w)));
  memset(bytes + 24, 0xff, 8);
  open_bank(0, true);
  expect(0, 4, 11);
}

/* A queue is first in, first out, also with puts to others in between. */
TEST_F(test_order) {
  close_all();
  for (unsigned n = 0; n < 10; n++) put(n % 2, 2, n);
  idle(20);
  open_bank(1, true);
  for (unsigned n = 1; n < 10; n += 2) expect(1, 2, n);
  expect_nothing();
  open_bank(0, true);
  for (unsigned n = 0; n < 10; n += 2) expect(0, 2, n);
}

/* For each bank the highest level goes first, and in it the oldest. */
TEST_F(test_highest_level) {
  close_all();
  for (unsigned n = 0; n < 8; n++) put(0, 1 + n % 4, n);
  idle(20);
  open_bank(0, true);
  for (unsigned level = 4; level > 0; level--) {
    expect(0, level, level - 1);
    expect(0, level, level + 3);
  }
}

/* A higher level that is still being written to memory is not waited for. */
TEST_F(test_not_waited_for) {
  close_all();
  put(0, 1, 1);
  idle(20);
  port.latency = 40;
  put(0, 4, 2);
  idle(10);
  assert_int_equal(writes, 2);
  open_bank(0, true);
  expect(0, 1, 1);
  expect(0, 4, 2);
}

/* The banks are served round robin, from the last request on. */
TEST_F(test_turns) {
  start_as(ut_cfg_with("tiny", "NumSmx", 4));
  close_all();
  for (unsigned n = 0; n < 12; n++) put(n / 3, 1 + n % 3, n);
  idle(20);
  open_bank(2, true);
  expect(2, 3, 8);
  open_bank(2, false);
  idle(20);
  memset(in.laperm_place, 1, cfg.num_bank);
  expect(3, 3, 11);
  expect(0, 3, 2);
  expect(1, 3, 5);
  expect(2, 2, 7);
  expect(3, 2, 10);
}

/* One group of a bank at a time, until it is in its bank again. */
TEST_F(test_one_of_a_bank) {
  in.laperm_back_ready = 0;
  for (unsigned n = 0; n < 4; n++) put(0, 1, n);
  idle(60);
  assert_int_equal(reads, 1);
  assert_int_equal(arch()->out_valid[0], 1);
  assert_int_equal(arch()->out_level[0], 1);
  assert_int_equal(arch()->out_valid[1], 0);
  put(1, 1, 4);
  idle(60);
  assert_int_equal(reads, 2);
  in.laperm_back_ready = 1;
  cycle();
  in.laperm_back_ready = 0;
  idle(60);
  assert_int_equal(reads, 3);
}

/* At most SpillFlight groups are in flight. */
TEST_F(test_flight) {
  start_as(ut_cfg_but(ut_cfg_with("tiny", "NumSmx", 5), "SpillFlight", 2));
  in.laperm_back_ready = 0;
  for (unsigned b = 0; b < 5; b++) put(b, 1, b);
  idle(100);
  assert_int_equal(reads, 2);
  assert_int_equal(arch()->backs, 2);
  in.laperm_back_ready = 1;
  for (unsigned b = 0; b < 5; b++) expect(b, 1, b);
}

/* No request is made while the bank has no place; a requested group is delivered even if no place is reported. */
TEST_F(test_place) {
  close_all();
  open_bank(1, true);
  put(0, 2, 1);
  expect_nothing();
  assert_int_equal(reads, 0);
  open_bank(0, true);
  cycle();
  close_all();
  expect(0, 2, 1);
}

/* A returned group waits for its bank unchanged, with others behind it; the rings wrap. */
TEST_F(test_back_waits) {
  for (unsigned n = 0; n < 20; n += 2) {
    in.laperm_back_ready = 0;
    put(0, 1, n);
    idle(30);
    put(1, 2, n + 1);
    idle(30);
    assert_int_equal(arch()->backs, 2);
    assert_int_equal(arch()->first_back, n % 3);
    assert_int_equal(out.back.info.ctas - 0xf0000000, n);
    in.laperm_back_ready = 1;
    expect(0, 1, n);
    expect(1, 2, n + 1);
  }
}

/* One group in and one out per 8 cycles, at any latency. */
TEST_F(test_rate) {
  for (unsigned latency = 1; latency <= 41; latency += 20) {
    start_as(ut_cfg("k20c"));
    port.latency = latency;
    in.regs_config.spill_count = 2048;
    unsigned puts = 0;
    for (; now < 1000;) {
      in.laperm_put.valid = 0;
      if (hd_spill_put_ready(m, in.regs_config.spill_count)) offer(puts % 13, 1 + puts % 4, puts), puts++;
      cycle();
    }
    assert_in_range(puts, 120, 135);
    assert_in_range(gots, 112, puts);
  }
}

TEST_MAIN("spill", NULL, NULL)
