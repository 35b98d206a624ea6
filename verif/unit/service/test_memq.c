/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Queues that overflow to memory: latency, order, places, regions. */
#include "unit/service/memq_fixture.h"

TEST_F(test_empty_after_reset) {
  cycle();
  assert_int_equal(out.put_ready && out.get_ready, 1);
  assert_int_equal(out.put_done || out.mem.valid || out.used || out.mem.wbeat.strb, 0);
  assert_int_equal(out.left, 12);
  for (unsigned q = 0; q < cfg.memq_queues; q++) assert_int_equal(out.there[q] || out.readable[q], 0);
  assert_true(hd_memq_quiet(m));
}

/* Accepted in t, requested in t + 2, one beat per cycle from then on; readable in the cycle after the answer. */
TEST_F(test_put_latency) {
  offer(2, 77);
  cycle(); /* t */
  assert_int_equal(out.put_ready, 1);
  cycle();
  assert_int_equal(out.put_ready || out.get_ready || out.mem.valid || out.there[2] || out.mem.wbeat.strb, 0);
  assert_int_equal(out.used, 1);
  cycle();
  assert_int_equal(out.mem.valid && out.mem.req.write && out.mem.req.len == 7 && out.there[2] && out.used == 1, 1);
  assert_true(out.mem.req.addr == BASE * 256);
  assert_true(out.mem.wbeat.hi == beat_of(77, 0).hi);
  for (unsigned k = 0; k < 8; k++) {
    cycle();
    assert_int_equal(out.mem.valid || out.mem.req.write || out.put_ready || out.get_ready, 0);
    assert_int_equal(out.put_beat, k);
    assert_true(out.mem.wbeat.hi == beat_of(77, k).hi);
    assert_int_equal(out.put_done, k == 7);
  }
  no_offer();
  cycle(); /* the answer */
  assert_int_equal(in.mem.b_valid && out.put_ready && out.there[2], 1);
  assert_int_equal(out.readable[2] || out.put_beat || out.mem.wbeat.strb, 0);
  cycle();
  assert_int_equal(out.readable[2], 1);
}

/* Accepted in t, requested in t + 2; the place is free two cycles after the last beat. */
TEST_F(test_get_latency) {
  put(3, 9);
  idle(2);
  ask(3, 2);
  cycle(); /* t */
  assert_int_equal(out.get_ready && out.readable[3], 1);
  assert_int_equal(out.put_ready, 0);
  no_request();
  cycle();
  assert_int_equal(out.mem.valid || out.readable[3], 0);
  assert_int_equal(out.there[3], 1);
  cycle();
  assert_int_equal(out.mem.valid && !out.mem.req.write && out.mem.req.len == 7 && !out.there[3], 1);
  for (unsigned k = 0; k < 8; k++) {
    cycle();
    assert_int_equal(out.get_ready, 1);
    assert_int_equal(out.got_beat_valid, 1);
    assert_int_equal(out.got_beat, k);
    assert_int_equal(out.got_valid, k == 7);
  }
  expect(9, 2, false);
  cycle();
  assert_int_equal(out.used, 1);
  assert_int_equal(arch()->freeing, 0);
  cycle();
  assert_int_equal(out.used, 0);
  assert_true(hd_memq_quiet(m));
}

/* A queue is first in, first out, also with puts to other queues. */
TEST_F(test_order) {
  for (unsigned n = 0; n < 12; n++) put(n % 3, 100 + n);
  assert_int_equal(writes, 12);
  for (unsigned q = 3; q-- > 0;)
    for (unsigned n = q; n < 12; n += 3) {
      get(q, n % 4);
      expect(100 + n, n % 4, false);
    }
}

/* Entries are appended to one queue while others are read. */
TEST_F(test_puts_between_gets) {
  put(1, 0);
  put(1, 1);
  for (unsigned n = 0; n < 40; n++) {
    get(1, n % 4);
    put(1, n + 2);
    expect(n, n % 4, false);
  }
  assert_int_equal(out.used <= 3, 1);
}

/* The last entry of a queue is requested, and another is put before it has arrived. */
TEST_F(test_queue_empty_again) {
  port.latency = 30;
  put(0, 5);
  get(0, 1);
  put(0, 6); /* its place is another: the first is not read yet */
  assert_int_equal(places[1], 1);
  get(0, 2);
  expect(5, 1, false);
  expect(6, 2, false);
}

/* Places that were used go first, in the order in which they became free. */
TEST_F(test_places) {
  for (unsigned n = 0; n < 4; n++) put(n, n);
  get(2, 0);
  expect(2, 0, false);
  get(0, 0);
  expect(0, 0, false);
  get(3, 0);
  expect(3, 0, false);
  idle(3);
  assert_int_equal(arch()->fresh, 4);
  assert_int_equal(arch()->chained, 3);
  assert_int_equal(arch()->free_first, 2);
  assert_int_equal(arch()->free_last, 3);
  for (unsigned n = 4; n < 8; n++) put(0, n);
  static const unsigned expected[] = {0, 1, 2, 3, 2, 0, 3, 4};
  for (unsigned n = 0; n < 8; n++) assert_int_equal(places[n], expected[n]);
  assert_int_equal(arch()->chained, 0);
}

/* All places are used, none is left; when all entries were read, it begins with place 0. */
TEST_F(test_full_and_empty) {
  in.count = 3;
  for (unsigned n = 0; n < 3; n++) put(n % 2, n);
  offer(0, 3);
  for (unsigned t = 0; t < 20; t++) {
    cycle();
    assert_int_equal(out.put_ready || out.left, 0);
    assert_int_equal(out.used, 3);
  }
  no_offer();
  get(1, 0);
  get(0, 1);
  get(0, 2);
  expect(1, 0, false);
  expect(0, 1, false);
  expect(2, 2, false);
  idle(3);
  assert_int_equal(out.left, 3);
  assert_int_equal(arch()->fresh || arch()->chained, 0);
  put(3, 4);
  assert_int_equal(places[3], 0);
}

/* `count` beyond what the block has, and none at all. */
TEST_F(test_region) {
  in.count = 0;
  offer(0, 1);
  idle(10);
  assert_int_equal(out.put_ready || out.left || out.used, 0);
  no_offer();
  in.count = UINT32_MAX;
  for (unsigned n = 0; n < cfg.memq_places; n++) {
    put(n % 4, n);
    assert_int_equal(places[n], n);
  }
  idle(1);
  assert_int_equal(out.left || out.put_ready, 0);
  assert_int_equal(out.used, cfg.memq_places);
}

/* Addresses wrap at the end. */
TEST_F(test_address_wraps) {
  in.base = UINT32_MAX;
  for (unsigned n = 0; n < 3; n++) {
    offer(0, n);
    do cycle();
    while (!out.mem.valid);
    assert_true(out.mem.req.addr == (UINT64_C(0xffffffff00) + n * 128) % (UINT64_C(1) << cfg.addr_w));
    while (!out.put_done) cycle();
    no_offer();
  }
}

/* Reset in mid-burst leaves the state of a new model, byte for byte. */
TEST_F(test_reset) {
  struct hd_memq *fresh = ut_new(hd_memq_size(&cfg));
  hd_memq_init(fresh, &cfg);
  port.latency = 50;
  put(1, 1);
  get(1, 1);
  put(2, 2);
  offer(3, 3);
  idle(6);
  assert_int_equal(arch()->op, HD_MEMQ_DATA);
  assert_memory_not_equal(m, fresh, hd_memq_size(&cfg));
  hd_memq_reset(m);
  assert_memory_equal(m, fresh, hd_memq_size(&cfg));
  free(fresh);
}

/* Valid rows of the tables. */
TEST_F(test_rows) {
  put(1, 1);
  put(1, 2);
  idle(2);
  struct hd_memq_arch *a = arch();
  assert_int_equal(a->ends_row_valid[1] && !a->ends_row_valid[0], 1);
  assert_int_equal(a->ends_row[1].first, 0);
  assert_int_equal(a->ends_row[1].last, 1);
  assert_int_equal(a->next_row_valid[0] && !a->next_row_valid[1], 1);
  assert_int_equal(a->next_row[0], 1);
  assert_int_equal(a->side_row_valid[0] && a->side_row_valid[1] && !a->side_row_valid[2], 1);
  assert_int_equal(a->side_row[1].side, 2);
  assert_int_equal(a->put_row_valid[0] || a->get_row_valid[0], 0);
}

TEST_MAIN("memq", NULL, NULL)
