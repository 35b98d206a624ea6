/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Queues that overflow to memory: bursts in flight, errors, backpressure, rate. */
#include "unit/service/memq_fixture.h"

/* A write that failed affects that entry alone; its side data is returned in its turn. */
TEST_F(test_write_error) {
  put(1, 1);
  idle(2);
  fail_write = true;
  put(1, 2);
  put(1, 3);
  for (unsigned n = 1; n <= 3; n++) get(1, n);
  for (unsigned n = 1; n <= 3; n++) expect(n, n, n == 2);
  /* The place is good again. */
  put(1, 4);
  get(1, 0);
  expect(4, 0, false);
}

/* A read with any failed beat, in the same way. */
TEST_F(test_read_error) {
  port.latency = 10;
  for (int k = 0; k < 8; k++) {
    put(0, 10);
    put(0, 11);
    get(0, 1);
    get(0, 2);
    fail_beat = k;
    expect(10, 1, true);
    assert_int_equal(arch()->got_error_before, 0);
    expect(11, 2, false);
  }
}

/* The limits of unanswered puts and gets are reached; rows of the rings are used round robin. */
TEST_F(test_bursts_under_way) {
  port.latency = 200;
  for (unsigned n = 0; n < cfg.memq_flight; n++) put(n % 2, n);
  assert_int_equal(arch()->puts, cfg.memq_flight);
  offer(0, 50);
  for (unsigned t = 0; t < 50; t++) {
    cycle();
    assert_int_equal(out.put_ready || out.readable[0] || out.readable[1], 0);
  }
  for (unsigned n = 0; n < cfg.memq_flight; n++) assert_int_equal(arch()->put_row_valid[n], 1);
  while (!out.put_done) cycle();
  no_offer();
  while (arch()->puts) cycle();
  for (unsigned n = 0; n < cfg.memq_flight; n++) get(n % 2, n);
  cycle(); /* the last one's look */
  assert_int_equal(arch()->gets, cfg.memq_flight);
  ask(0, 0);
  for (unsigned t = 0; t < 50; t++) {
    cycle();
    assert_int_equal(out.get_ready, 0);
  }
  for (unsigned n = 0; n < cfg.memq_flight; n++) assert_int_equal(arch()->get_row_valid[n], 1);
  get(0, 0);
  for (unsigned n = 0; n < cfg.memq_flight; n++) expect(n, n, false);
  expect(50, 0, false);
}

TEST_F(test_rings_wrap) {
  port.latency = 25;
  unsigned asked = 0, n = 0;
  for (; n < 5 * cfg.memq_flight + 1; n++) {
    put(n % 4, n);
    if (n > 2) get(asked % 4, asked % 4), asked++;
  }
  for (; asked < n; asked++) get(asked % 4, asked % 4);
  for (unsigned k = 0; k < n; k++) expect(k, k % 4, false);
  assert_int_equal(arch()->first_put, n % cfg.memq_flight);
  assert_int_equal(arch()->first_get, n % cfg.memq_flight);
}

/* A request stays until it is accepted, and so does a beat. */
TEST_F(test_back_pressure) {
  put(1, 3);
  stall_requests = stall_beats = true;
  offer(1, 4);
  idle(2);
  for (unsigned t = 0; t < 10; t++) {
    cycle();
    assert_int_equal(out.mem.valid && out.mem.req.write, 1);
    assert_true(out.mem.req.addr == BASE * 256 + 128);
  }
  stall_requests = false;
  cycle();
  for (unsigned t = 0; t < 10; t++) {
    cycle();
    assert_int_equal(out.mem.valid || out.put_beat || out.put_done, 0);
    assert_true(out.mem.wbeat.hi == beat_of(4, 0).hi);
  }
  stall_beats = false;
  while (!out.put_done) cycle();
  no_offer();
  stall_requests = true;
  get(1, 0);
  cycle();
  for (unsigned t = 0; t < 10; t++) {
    cycle();
    assert_int_equal(out.mem.valid && !out.mem.req.write && out.there[1], 1);
  }
  stall_requests = false;
  get(1, 1);
  expect(3, 0, false);
  expect(4, 1, false);
}

/* Gets and puts that wait for each other alternate: a get after the puts, then a put, then a get. */
TEST_F(test_take_turns) {
  put(0, 1);
  put(0, 2);
  idle(2);
  offer(1, 3);
  ask(0, 0);
  cycle();
  assert_int_equal(out.get_ready && !out.put_ready, 1);
  idle(2);
  cycle();
  assert_int_equal(out.put_ready && !out.get_ready, 1);
  while (!out.put_done) cycle();
  offer(1, 4);
  cycle();
  assert_int_equal(out.get_ready && !out.put_ready, 1);
  no_request();
  while (!out.put_done) cycle();
  no_offer();
  expect(1, 0, false);
  expect(2, 0, false);
}

/* A place is freed one cycle later if a put searches for one in the same cycle. */
TEST_F(test_freeing_waits) {
  put(0, 1);
  put(0, 2);
  get(0, 0);
  while (m->got_beat != 7) cycle();
  offer(1, 3);
  cycle();
  assert_int_equal(out.got_valid && out.put_ready, 1);
  assert_int_equal(arch()->freeing, 1);
  cycle(); /* search */
  assert_int_equal(arch()->freeing, 1);
  assert_int_equal(arch()->fresh, 3);
  cycle();
  assert_int_equal(arch()->freeing || arch()->freeing_place, 0);
  assert_int_equal(arch()->chained, 1);
  while (!out.put_done) cycle();
  assert_int_equal(places[2], 2);
}

/* An answer and a get of the same queue in one cycle. */
TEST_F(test_answer_with_get) {
  port.latency = 3;
  put(2, 1);
  idle(4);
  put(2, 2);
  idle(2);
  ask(2, 1);
  cycle();
  assert_int_equal(in.mem.b_valid && out.get_ready, 1);
  no_request();
  assert_int_equal(arch()->answered[2], 1);
  get(2, 2);
  expect(1, 1, false);
  expect(2, 2, false);
}

/* One queue, or all round robin, at full speed: cycles for one entry in and one out. */
static double cycles_per_entry(unsigned latency, unsigned queues) {
  unsigned puts = 0, gets = 0, tags = 0, warm = 4 * latency + 2000, span = 30000;
  start("k20c");
  in.count = UINT32_MAX;
  port.latency = latency;
  offer(0, 0);
  for (unsigned t = 0; t < warm + span; t++) {
    if (t == warm) puts = puts_done, gets = gots;
    if (hd_memq_readable(m, tags % queues))
      ask(tags % queues, tags % 32);
    else
      no_request();
    cycle();
    if (in.get_valid && out.get_ready) tags++;
    if (out.put_done) offer(puts_done % queues, puts_done);
    for (; taken < gots; taken++) {
      assert_int_equal(got[taken % LOG].number, taken);
      assert_int_equal(got[taken % LOG].tag, taken % 32);
    }
  }
  free(m);
  unsigned in_and_out = gots - gets < puts_done - puts ? gots - gets : puts_done - puts;
  return (double)span / in_and_out;
}

/* 11 cycles for a put and 3 for a get, at any latency of the memory. */
TEST(test_rate) {
  static const unsigned latencies[] = {1, 40, 120, 400};
  for (unsigned k = 0; k < 4; k++)
    for (unsigned queues = 1; queues <= 32; queues += 31) {
      double n = cycles_per_entry(latencies[k], queues);
      print_message("latency %u, %u queues: %.2f cycles\n", latencies[k], queues, n);
      assert_true(n <= 15);
      assert_true(n >= 13.9);
    }
}

TEST_MAIN("memq_bursts", NULL, NULL)
