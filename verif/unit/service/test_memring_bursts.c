/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Queues as rings in memory: bursts in flight, answers, errors, backpressure, rate. */
#include "unit/service/memring_fixture.h"

/* 8 queues, requests of 2 entries, 3 bursts in flight in each direction. */
static int setup(void **state) {
  (void)state;
  start_as(ut_cfg("tiny"));
  idle(1);
  return 0;
}

/* A write that failed affects that entry alone, which returns in its turn. Until then a request reads one entry. */
TEST_F(test_write_error) {
  put(1, 1);
  settle();
  fail_write = true;
  put(1, 2);
  settle();
  cycle();
  assert_int_equal(out.failing, 1);
  put(1, 3);
  put(1, 4);
  put(6, 5);
  put(6, 6);
  settle();
  assert_int_equal(get(6), 1);
  assert_int_equal(get(1), 1);
  assert_int_equal(arch()->bad_valid[0], 1);
  assert_int_equal(get(1), 1);
  cycle();
  assert_int_equal(out.failing || arch()->bad_valid[0], 0);
  assert_int_equal(get(1), 2);
  assert_int_equal(get(6), 1);
  expect(6, 5, false);
  expect(1, 1, false);
  expect(1, 2, true);
  expect(1, 3, false);
  expect(1, 4, false);
  expect(6, 6, false);
  /* The place is good again. */
  for (unsigned n = 0; n < 16; n++) {
    put(1, n);
    get(1);
    expect(1, n, false);
  }
}

/* As many writes fail as may be in flight, and put after the first is reported. */
TEST_F(test_many_write_errors) {
  const unsigned most = cfg.ring_bad;
  assert_int_equal(most, 3 + 5);
  port.latency = 30;
  for (unsigned n = 0; n < most; n++) {
    offer(n % 2 ? 5 : 2, n);
    do {
      cycle();
      fail_write = true;
    } while (!out.put_done);
  }
  no_offer();
  while (m->writes) {
    fail_write = true;
    cycle();
  }
  fail_write = false;
  put(2, 100);
  put(5, 101);
  settle();
  for (unsigned n = 0; n < most; n++) assert_int_equal(arch()->bad_valid[n], 1);
  for (unsigned n = 0; n < most; n++) {
    assert_true(hd_memring_failing(m));
    assert_int_equal(get(n % 2 ? 5 : 2), 1);
    expect(n % 2 ? 5 : 2, n, true);
  }
  assert_false(hd_memring_failing(m));
  get(5);
  get(2);
  expect(5, 101, false);
  expect(2, 100, false);
}

/* The lowest row that is not valid is used. */
TEST_F(test_bad_rows) {
  for (unsigned n = 0; n < 3; n++) {
    fail_write = true;
    put(n, n);
    settle();
  }
  get(1);
  get(0);
  cycle();
  assert_int_equal(arch()->bad_valid[0] || arch()->bad_valid[1], 0);
  assert_memory_equal(&arch()->bad[2], (&(struct hd_ringbad){.queue_no = 2}), sizeof(struct hd_ringbad));
  fail_write = true;
  put(7, 9);
  settle();
  assert_memory_equal(&arch()->bad[0], (&(struct hd_ringbad){.queue_no = 7}), sizeof(struct hd_ringbad));
  expect(1, 1, true);
  expect(0, 0, true);
  get(7);
  get(2);
  expect(7, 9, true);
  expect(2, 2, true);
}

/* An error of either beat of an entry affects that entry alone, at each place of a line. */
TEST(test_read_error) {
  for (unsigned beat = 0; beat < 8; beat++) {
    start_as(ut_cfg("k20c"));
    idle(1);
    for (unsigned n = 0; n < 5; n++) put(0, n);
    settle();
    fail_beat = (int)beat;
    assert_int_equal(get(0), 4);
    for (unsigned n = 0; n < 4; n++) {
      expect(0, n, n == beat / 2);
      assert_int_equal(arch()->got_error_before || out.failing, 0);
    }
    get(0);
    expect(0, 4, false);
  }
  free(m);
  m = NULL;
}

/* The error of a first beat is kept while the second one is late. */
TEST_F(test_late_second_beat) {
  put(0, 1);
  settle();
  fail_beat = 0;
  get(0);
  while (!out.got_beat_valid) cycle();
  for (unsigned t = 0; t < 5; t++) {
    assert_int_equal(arch()->got_error_before, 1);
    struct hd_memring_in none = {.base = in.base, .count = in.count};
    hd_memring_tick(m, &none);
  }
  expect(0, 1, true);
}

/* The limits of unanswered puts and of gets are reached; rows of the rings are used round robin. */
TEST_F(test_bursts_under_way) {
  port.latency = 200;
  for (unsigned n = 0; n < 3; n++) put(n, n);
  assert_int_equal(arch()->writes, 3);
  offer(3, 50);
  for (unsigned t = 0; t < 50; t++) {
    cycle();
    assert_int_equal(out.put_ready || out.readable[0] || out.readable[1] || out.readable[2], 0);
    assert_int_equal(out.get_ready, 1);
  }
  for (unsigned n = 0; n < 3; n++) assert_int_equal(arch()->write_row_valid[n], 1);
  while (!out.put_done) cycle();
  no_offer();
  settle();
  for (unsigned n = 0; n < 3; n++) get(n);
  assert_int_equal(m->reads, 3);
  cycle();
  ask(3);
  for (unsigned t = 0; t < 50; t++) {
    cycle();
    assert_int_equal(!out.get_ready && out.put_ready, 1);
  }
  for (unsigned n = 0; n < 3; n++) assert_int_equal(arch()->read_row_valid[n], 1);
  no_request();
  get(3);
  for (unsigned n = 0; n < 3; n++) expect(n, n, false);
  expect(3, 50, false);
}

TEST_F(test_rings_wrap) {
  port.latency = 25;
  for (unsigned n = 0; n < 16; n++) {
    put(n % 4, n);
    if (n > 1) get((n - 2) % 4);
  }
  get(14 % 4);
  get(15 % 4);
  for (unsigned n = 0; n < 16; n++) expect(n % 4, n, false);
  assert_int_equal(arch()->first_write, 16 % 3);
  assert_int_equal(arch()->first_answer, 16 % 3);
  assert_int_equal(arch()->first_read, 16 % 3);
}

/* A request stays until it is accepted, and so does a beat. */
TEST_F(test_back_pressure) {
  put(1, 3);
  settle();
  stall_requests = stall_beats = true;
  offer(1, 4);
  idle(3);
  for (unsigned t = 0; t < 10; t++) {
    cycle();
    assert_int_equal(out.mem.valid && out.mem.req.write, 1);
    assert_true(out.mem.req.addr == BASE * 256 + 32 * (16 + 1));
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
  settle();
  stall_requests = true;
  assert_int_equal(get(1), 2);
  for (unsigned t = 0; t < 10; t++) {
    cycle();
    assert_int_equal(out.mem.valid && !out.mem.req.write && out.mem.req.len == 3, 1);
    assert_true(out.mem.req.addr == BASE * 256 + 32 * 16);
  }
  stall_requests = false;
  expect(1, 3, false);
  expect(1, 4, false);
}

/* Answers are counted while a burst is requested and its data is accepted: each takes three cycles. */
TEST_F(test_answers_during_a_burst) {
  port.latency = 40;
  put(3, 1);
  put(4, 2);
  stall_requests = true;
  offer(5, 3);
  while (!out.mem.valid) cycle();
  while (!m->answers) cycle();
  assert_int_equal(out.mem.valid && !out.readable[3], 1);
  cycle();
  assert_int_equal(out.readable[3], 0);
  assert_int_equal(arch()->counting, 1);
  cycle();
  assert_int_equal(out.readable[3], 0);
  assert_int_equal(arch()->counting, 2);
  cycle();
  assert_int_equal(out.readable[3], 0);
  assert_int_equal(arch()->counting || arch()->answers, 0);
  cycle();
  assert_int_equal(out.readable[3] && out.mem.valid, 1);
  while (!m->answers) cycle();
  idle(3);
  assert_int_equal(arch()->readable[4] && arch()->op == HD_MEMRING_REQUEST, 1);
  stall_requests = false;
  while (!out.put_done) cycle();
  no_offer();
}

/* .. but no count begins in the cycles in which a row is looked up and written, and nothing is accepted in those of a
 * count. */
TEST_F(test_answers_and_operations) {
  unsigned waits = 0;
  for (unsigned latency = 1; latency < 13; latency++) {
    start_as(ut_cfg("tiny"));
    set_order(8);
    idle(1);
    port.latency = latency;
    offer(0, 0);
    while (puts_done < 50) {
      const bool answers = m->answers > 0, row = m->op == HD_MEMRING_LOOK || m->op == HD_MEMRING_STEP;
      const unsigned counting = m->counting;
      cycle();
      if (counting) assert_int_equal(out.put_ready || out.get_ready, 0);
      assert_int_equal(m->counting, counting ? (counting + 1) % 3 : answers && !row && !out.put_ready);
      waits += answers && row;
      if (out.put_done) offer(0, puts_done);
    }
    no_offer();
    settle();
    while (hd_memring_there(m, 0)) get(0);
    for (unsigned n = 0; n < 50; n++) expect(0, n, false);
  }
  assert_true(waits > 100);
}

/* Gets and puts that wait for each other alternate: a get after the puts, then a put, then a get. */
TEST_F(test_take_turns) {
  put(0, 1);
  put(2, 2);
  settle();
  offer(1, 3);
  ask(0);
  cycle();
  assert_int_equal(out.get_ready && !out.put_ready, 1);
  idle(3);
  ask(2);
  cycle();
  assert_int_equal(out.put_ready && !out.get_ready, 1);
  while (!out.put_done) cycle();
  offer(1, 4);
  cycle();
  assert_int_equal(out.get_ready && !out.put_ready, 1);
  no_request();
  while (!out.put_done) cycle();
  no_offer();
  expect(0, 1, false);
  expect(2, 2, false);
}

/* Quiet: nothing is in a queue or in flight, and the rings have the size of the region. */
TEST_F(test_quiet) {
  assert_true(hd_memring_quiet(m, in.count));
  assert_false(hd_memring_quiet(m, in.count + 1));
  in.count++;
  cycle();
  assert_true(hd_memring_quiet(m, in.count));
  offer(0, 1);
  while (!out.put_done) cycle(), assert_false(hd_memring_quiet(m, in.count));
  no_offer();
  settle();
  assert_false(hd_memring_quiet(m, in.count));
  get(0);
  assert_false(hd_memring_quiet(m, in.count));
  expect(0, 1, false);
  assert_true(hd_memring_quiet(m, in.count));
}

/* Single queues, or all of them, at full speed, with requests of four entries: cycles for four in and four out. */
static double cycles_for_four(unsigned latency, unsigned queues) {
  unsigned puts = 0, gets = 0, turn = 0;
  const unsigned warm = 4 * latency + 3000, span = 28000;
  start_as(ut_cfg("k20c"));
  set_order(9);
  idle(1);
  port.latency = latency;
  offer(0, 0);
  for (unsigned t = 0; t < warm + span; t++) {
    const unsigned q = turn % queues;
    if (t == warm) puts = puts_done, gets = gots;
    no_request();
    if (m->ends[q].done - m->ends[q].first >= 4) ask(q);
    cycle();
    turn += in.get_valid && out.get_ready;
    if (out.put_done) offer(puts_done / 4 % queues, puts_done);
    for (; taken < gots; taken++) {
      assert_int_equal(got[taken % LOG].number, taken);
      assert_int_equal(got[taken % LOG].queue, taken / 4 % queues);
    }
  }
  free(m);
  m = NULL;
  const unsigned n = gots - gets < puts_done - puts ? gots - gets : puts_done - puts;
  return 4.0 * span / n;
}

/* 6 cycles for a put and 4 for a get; up to 4 of the 28 more if a count delays the next one. The
 * 16 writes in flight cover a latency of about 100 cycles. */
TEST(test_rate) {
  static const unsigned latencies[] = {1, 6, 25, 40, 75, 100};
  for (unsigned k = 0; k < 6; k++)
    for (unsigned queues = 1; queues <= 52; queues += 51) {
      const double n = cycles_for_four(latencies[k], queues);
      print_message("latency %u, %u queues: %.2f cycles\n", latencies[k], queues, n);
      assert_true(n <= 32);
      assert_true(n >= 27.9);
    }
  const double n = cycles_for_four(400, 52);
  assert_true(n <= 4 * (400 + 16) / 16.0);
}

TEST_MAIN("memring_bursts", NULL, NULL)
