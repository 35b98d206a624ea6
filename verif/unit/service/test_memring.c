/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Queues as rings in memory: latency, order, lines, sizes of rings, room. */
#include "unit/service/memring_fixture.h"

/* 8 queues, requests of 2 entries, 3 bursts in flight in each direction; rings of 16 places, whose
 * margin is 12. */
static int setup(void **state) {
  (void)state;
  start_as(ut_cfg("tiny"));
  idle(1);
  return 0;
}

TEST_F(test_empty_after_reset) {
  cycle();
  assert_int_equal(out.put_ready && out.get_ready, 1);
  assert_int_equal(out.put_done || out.mem.valid || out.used || out.mem.wbeat.strb || out.asked || out.failing, 0);
  for (unsigned q = 0; q < cfg.ring_queues; q++) {
    assert_int_equal(out.there[q] || out.readable[q], 0);
    assert_int_equal(out.room[q], 1);
  }
  assert_true(hd_memring_quiet(m, in.count));
}

/* Accepted in t, requested in t + 3, one beat per cycle from then on. The answer is counted in the two cycles after it,
 * in which nothing is accepted; the entry is readable then. */
TEST_F(test_put_latency) {
  offer(2, 77);
  cycle(); /* t */
  assert_int_equal(out.put_ready, 1);
  for (unsigned t = 1; t < 3; t++) {
    cycle();
    assert_int_equal(out.put_ready || out.get_ready || out.mem.valid || out.there[2] || out.mem.wbeat.strb, 0);
    assert_int_equal(out.used, 0);
  }
  cycle();
  assert_int_equal(out.mem.valid && out.mem.req.write && out.mem.req.len == 1 && out.there[2] && out.used == 1, 1);
  assert_true(out.mem.req.addr == BASE * 256 + 32 * (2 << 4));
  assert_true(out.mem.wbeat.hi == beat_of(77, 0).hi);
  for (unsigned k = 0; k < 2; k++) {
    cycle();
    assert_int_equal(out.mem.valid || out.mem.req.write || out.put_ready || out.get_ready, 0);
    assert_int_equal(out.put_beat, k);
    assert_true(out.mem.wbeat.hi == beat_of(77, k).hi);
    assert_int_equal(out.put_done, k == 1);
  }
  no_offer();
  cycle(); /* the answer */
  assert_int_equal(in.mem.b_valid && out.put_ready && out.get_ready && out.there[2], 1);
  assert_int_equal(out.put_beat || out.mem.wbeat.strb, 0);
  cycle(); /* the count begins, since no put or get is offered */
  assert_int_equal(out.put_ready && out.get_ready && !out.readable[2], 1);
  for (unsigned t = 0; t < 2; t++) {
    cycle();
    assert_int_equal(out.put_ready || out.get_ready || out.readable[2], 0);
  }
  cycle();
  assert_int_equal(out.put_ready && out.readable[2], 1);
}

/* Accepted in t, the number of entries in t + 2, requested in t + 3. */
TEST_F(test_get_latency) {
  put(3, 9);
  put(3, 10);
  settle();
  ask(3);
  cycle(); /* t */
  assert_int_equal(out.get_ready && out.readable[3], 1);
  no_request();
  for (unsigned t = 1; t < 3; t++) {
    cycle();
    assert_int_equal(out.mem.valid || out.get_ready || out.put_ready, 0);
    assert_int_equal(out.readable[3] && out.there[3] && out.used == 2, 1);
    assert_int_equal(out.asked, t == 2 ? 2 : 0);
  }
  cycle();
  assert_int_equal(out.mem.valid && !out.mem.req.write && out.mem.req.len == 3, 1);
  assert_true(out.mem.req.addr == BASE * 256 + 32 * (3 << 4));
  assert_int_equal(out.there[3] || out.readable[3] || out.used || out.asked, 0);
  for (unsigned k = 0; k < 4; k++) {
    assert_int_equal(arch()->got_count, k / 2);
    cycle();
    assert_int_equal(out.get_ready && out.put_ready, 1);
    assert_int_equal(out.got_beat_valid, 1);
    assert_int_equal(out.got_beat, k % 2);
    assert_int_equal(out.got_valid, k % 2);
  }
  expect(3, 9, false);
  expect(3, 10, false);
  assert_int_equal(arch()->reads || arch()->got_count, 0);
  assert_true(hd_memring_quiet(m, in.count));
}

/* A queue is first in, first out, also with puts to other queues. */
TEST_F(test_order_of_a_queue) {
  for (unsigned n = 0; n < 12; n++) put(n % 3, 100 + n);
  settle();
  assert_int_equal(out.used, 12);
  for (unsigned q = 3; q-- > 0;) {
    while (hd_memring_there(m, q)) get(q);
    for (unsigned n = q; n < 12; n += 3) expect(q, 100 + n, false);
  }
}

/* Entries return in the order of the requests, whichever queues these are of. */
TEST_F(test_order_of_requests) {
  port.latency = 40;
  for (unsigned n = 0; n < 12; n++) put(n % 4, n);
  settle();
  static const unsigned queue[] = {2, 0, 3, 2, 1, 0, 3, 1};
  static const unsigned first[] = {2, 0, 3, 10, 1, 8, 11, 9}; /* one of an odd number, or both of a line */
  for (unsigned k = 0; k < 8; k++) {
    const unsigned n = get(queue[k]);
    assert_int_equal(n, k == 0 || k == 1 || k == 2 || k == 4 ? 2 : 1);
  }
  for (unsigned k = 0; k < 8; k++) {
    expect(queue[k], first[k], false);
    if (k == 0 || k == 1 || k == 2 || k == 4) expect(queue[k], first[k] + 4, false);
  }
}

/* Entries are appended to one queue while others are read. */
TEST_F(test_puts_between_gets) {
  put(1, 0);
  put(1, 1);
  for (unsigned n = 0; n < 40; n++) {
    for (unsigned k = get(1); k > 0; k--) expect(1, taken, false);
    put(1, n + 2);
  }
  assert_true(out.used <= 3);
}

/* The last entry of a queue is requested, and another is put before it has arrived. */
TEST_F(test_queue_empty_again) {
  port.latency = 30;
  put(0, 5);
  assert_int_equal(get(0), 1);
  put(0, 6); /* behind the first, which is not read yet */
  assert_int_equal(burst[2].entry, 1);
  assert_int_equal(get(0), 1);
  expect(0, 5, false);
  expect(0, 6, false);
}

/* A request reads the entries of one line, as far as they are written: at each offset, for each number. */
TEST(test_lines) {
  for (unsigned offset = 0; offset < 4; offset++)
    for (unsigned n = 1; n <= 9; n++) {
      start_as(ut_cfg("k20c")); /* lines of 4 */
      idle(1);
      for (unsigned k = 0; k < offset + n; k++) {
        put(5, k);
        if (k >= offset) continue;
        assert_int_equal(get(5), 1);
        expect(5, k, false);
      }
      settle();
      bursts = 0;
      for (unsigned at = offset; at < offset + n;) {
        const unsigned line = 4 - at % 4, left = offset + n - at, want = line < left ? line : left;
        assert_int_equal(get(5), want);
        for (unsigned k = 0; k < want; k++) expect(5, at++, false);
        assert_int_equal(burst[bursts - 1].entries, want);
        assert_int_equal(burst[bursts - 1].entry, (5u << cfg.ring_order_min) + at - want);
      }
      assert_int_equal(out.used || out.there[5], 0);
    }
  free(m);
  m = NULL;
}

/* .. and not those that are not written yet. */
TEST_F(test_written_only) {
  put(4, 1);
  settle();
  port.latency = 50;
  put(4, 2);
  assert_int_equal(get(4), 1);
  cycle();
  assert_int_equal(out.readable[4], 0);
  assert_int_equal(out.there[4], 1);
  expect(4, 1, false);
  settle();
  assert_int_equal(get(4), 1);
  expect(4, 2, false);
}

/* The place of the first entry of a queue: rings of 2^order places each, side by side. */
static void ring_of(unsigned queue, unsigned order) {
  bursts = 0;
  put(queue, order);
  assert_int_equal(burst[0].entry, (uint64_t)queue << order);
}

/* All sizes of rings; each takes effect one cycle after the size of the region. */
TEST_F(test_orders) {
  assert_int_equal(cfg.ring_order_min, 4);
  assert_int_equal(cfg.ring_pos_w, 7);
  for (unsigned k = 4; k <= 7; k++) {
    start_as(ut_cfg("tiny"));
    in.count = (cfg.ring_queues << k) - 1;
    idle(1);
    assert_int_equal(arch()->order, k > 4 ? k - 1 : 0);
    assert_int_equal(arch()->fits, k > 4);
    in.count++;
    cycle();
    assert_int_equal(out.room[0], k > 4);
    cycle();
    assert_int_equal(arch()->order, k);
    for (unsigned q = 0; q < cfg.ring_queues; q++) assert_int_equal(out.room[q], 1);
    ring_of(0, k);
    ring_of(1, k);
    ring_of(7, k);
  }
  start_as(ut_cfg("tiny"));
  in.count = UINT32_MAX;
  idle(1);
  ring_of(3, 7);
}

/* A region without rings has no room. */
TEST_F(test_no_region) {
  static const uint32_t none[] = {0, 1, 127};
  for (unsigned k = 0; k < 3; k++) {
    start_as(ut_cfg("tiny"));
    in.count = none[k];
    idle(2);
    assert_false(memchr(out.room, 1, sizeof out.room));
    assert_int_equal(arch()->fits || arch()->order, 0);
  }
}

/* A ring has room up to its margin of 11. The put after which it has none, and RingLate - 1 more, are not lost. */
TEST_F(test_full) {
  for (unsigned n = 1; n <= 6 + cfg.ring_late - 1; n++) {
    put(6, n);
    assert_int_equal(hd_memring_room(m, 6), n + 12 <= 16);
    assert_int_equal(hd_memring_room(m, 5), 1);
  }
  for (unsigned n = 10; n > 0;) {
    const unsigned k = get(6);
    for (n -= k; taken < 10 - n;) expect(6, taken + 1, false);
    assert_int_equal(hd_memring_room(m, 6), n + 12 <= 16);
  }
}

/* .. also while as many entries as possible are being read: their places are not used before. */
TEST_F(test_full_with_reads) {
  unsigned puts = 0;
  for (unsigned round = 0; round < 8; round++) {
    for (; hd_memring_room(m, 2); puts++) put(2, puts);
    for (unsigned late = 1; late < cfg.ring_late; late++) put(2, puts++);
    settle();
    port.holds_reads = 1;
    const unsigned before = m->used;
    for (unsigned k = 0; k < cfg.ring_flight; k++) get(2);
    assert_in_range(before - m->used, 5, 6);
    for (unsigned late = 0; hd_memring_room(m, 2) || late < cfg.ring_late - 1; puts++) {
      late += !hd_memring_room(m, 2);
      put(2, puts);
    }
    port.holds_reads = 0;
    while (taken < gots || m->reads || m->used)
      if (taken < gots)
        expect(2, taken, false);
      else if (hd_memring_readable(m, 2))
        get(2);
      else
        cycle();
  }
  assert_int_equal(taken, puts);
}

/* A ring wraps. */
TEST_F(test_ring_wraps) {
  for (unsigned n = 0; n < 100; n++) {
    put(7, n);
    assert_int_equal(burst[(bursts - 1) % LOG].entry, 7 * 16 + n % 16);
    if (n % 3 == 2)
      while (hd_memring_there(m, 7)) get(7);
  }
  while (hd_memring_there(m, 7)) get(7);
  for (unsigned n = 0; n < 100; n++) expect(7, n, false);
}

/* Positions wrap at twice the largest ring. */
TEST_F(test_positions_wrap) {
  assert_int_equal(cfg.ring_index_w, 8);
  for (unsigned n = 0; n < 600; n += 2) {
    put(3, n);
    put(3, n + 1);
    settle();
    assert_int_equal(get(3), 2);
    expect(3, n, false);
    expect(3, n + 1, false);
    assert_int_equal(out.there[3] || out.readable[3], 0);
    assert_int_equal(arch()->ends_row[3].first, (n + 2) % 256);
    assert_int_equal(arch()->ends_row[3].last, (n + 2) % 256);
  }
}

/* Addresses wrap at the end. */
TEST_F(test_address_wraps) {
  in.base = UINT32_MAX;
  for (unsigned n = 0; n < 12; n++) {
    offer(0, n);
    do cycle();
    while (!out.mem.valid);
    assert_true(out.mem.req.addr == (UINT64_C(0xffffffff00) + n * 32) % (UINT64_C(1) << cfg.addr_w));
    while (!out.put_done) cycle();
    no_offer();
  }
}

/* Reset in mid-burst leaves the state of a new model, byte for byte. */
TEST_F(test_reset) {
  struct hd_memring *fresh = ut_new(hd_memring_size(&cfg));
  hd_memring_init(fresh, &cfg);
  fail_write = true;
  put(1, 1);
  settle();
  port.latency = 50;
  put(1, 2);
  get(1);
  offer(3, 3);
  idle(6);
  assert_int_equal(arch()->op, HD_MEMRING_DATA);
  assert_int_equal(arch()->write && arch()->reads && arch()->writes && arch()->given[3] && arch()->there[3], 1);
  hd_memring_reset(m);
  assert_memory_equal(m, fresh, hd_memring_size(&cfg));
  free(fresh);
}

/* Valid rows of the tables. */
TEST_F(test_rows) {
  put(1, 1);
  put(1, 2);
  settle();
  port.latency = 30;
  put(4, 3);
  get(1);
  cycle();
  const struct hd_memring_arch *a = arch();
  for (unsigned q = 0; q < cfg.ring_queues; q++) assert_int_equal(a->ends_row_valid[q], q == 1 || q == 4);
  assert_memory_equal(&a->ends_row[1], (&(struct hd_ringends){2, 2, 2}), sizeof *a->ends_row);
  assert_memory_equal(&a->ends_row[4], (&(struct hd_ringends){0, 0, 1}), sizeof *a->ends_row);
  assert_int_equal(a->writes == 1 && a->first_write == 2 && a->write_row_valid[2] && !a->write_row_valid[0], 1);
  assert_int_equal(a->write_row[2], 4);
  assert_int_equal(a->reads == 1 && a->first_read == 0 && a->read_row_valid[0] && !a->read_row_valid[1], 1);
  assert_memory_equal(&a->read_row[0], (&(struct hd_ringread){.queue_no = 1, .count = 2}), sizeof *a->read_row);
  assert_int_equal(a->answers || a->answer_row_valid[0], 0);
  assert_int_equal(a->first_answer, 2);
}

TEST_MAIN("memring", NULL, NULL)
