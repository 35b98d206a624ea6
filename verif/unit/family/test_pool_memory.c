/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Device kernels that wait in memory: order, places, regions, rate. */
#include "unit/family/pool_fixture.h"

/* Beyond the rows kernels go to memory and return, in order and unchanged; byte 70 of a record names the SMX that
 * launched the kernel. */
TEST_F(test_spill_and_refill) {
  launch_all(1, 10, 0);
  assert_int_equal(rows_used(), 4);
  assert_int_equal(in_memory(), 6);
  assert_int_equal(spills, 6);
  for (unsigned n = 5; n <= 10; n++) assert_int_equal(bytes[(n - 5) * 128 + 70], n & 1);
  for (unsigned n = 1; n <= 10; n++) {
    struct hd_devk k = kernel(n, 0);
    for (int t = 0; t < 40 && !out.head.valid; t++) cycle();
    assert_memory_equal(&out.head.kernel, &k, sizeof k);
    in.kmu_pool_pop = 1;
    cycle();
    out.head.valid = 0;
  }
  cycle();
  assert_int_equal(refills, 6);
  assert_true(hd_pool_quiet(m));
}

/* A kernel that is pushed while others of its queue wait in memory does not overtake them, though a row is free. */
TEST_F(test_order_past_memory) {
  launch_all(1, 6, 0);
  frozen = true;
  assert_int_equal(take(), 1);
  launch(7, 0);
  assert_int_equal(take(), 2);
  idle(5);
  assert_int_equal(rows_used(), 3); /* 3, 4, and 5, which was requested */
  assert_int_equal(arch()->waiting, 1);
  frozen = false;
  expect(3, 7, 0);
}

/* When all kernels of the queue in memory were requested, it goes on chip, behind them. */
TEST_F(test_order_behind_gets) {
  launch_all(1, 5, 0);
  frozen = true;
  assert_int_equal(take(), 1);
  launch(6, 0);
  assert_int_equal(take(), 2);
  idle(5);
  assert_int_equal(rows_used(), 4); /* 3, 4, 5, 6 */
  frozen = false;
  expect(3, 6, 0);
}

/* A kernel of another queue does not go behind them. */
TEST_F(test_queues_pass_each_other) {
  block(1);
  launch_all(1, 5, 1); /* 3 rows, 2 places */
  assert_int_equal(in_memory(), 2);
  unsigned before = requests;
  push(50, 0);
  assert_int_equal(take(), 50);
  assert_int_equal(requests, before);
  stream_done(1);
  expect(1, 5, 1);
}

/* Pushed in t: request in t + 3, held until it is taken; the first beat shows from then on. */
TEST_F(test_put_request) {
  launch_all(1, 4, 0);
  frozen = true;
  cycle();
  push(9, 0); /* t */
  for (int t = 1; t < 3; t++) {
    cycle();
    assert_int_equal(out.mem.valid, 0);
  }
  assert_int_equal(arch()->putting, 1);
  for (int t = 0; t < 3; t++) {
    cycle();
    assert_int_equal(out.mem.valid, 1);
    assert_int_equal(out.mem.req.write, 1);
    assert_int_equal(out.mem.req.len, 7);
    assert_true(out.mem.req.addr == BASE * 256);
    assert_true(out.mem.wbeat.lo == 0x1000);      /* PC */
    assert_true(out.mem.wbeat.hi == 0x10000 + 9); /* parameter address */
    assert_int_equal(out.mem.wbeat.strb, 0xffff);
  }
  frozen = false;
  while (arch()->putting) cycle(); /* the last beat is taken: it has left `in` */
  assert_int_equal(arch()->waiting, 0);
  assert_int_equal(spills, 0);
  idle(4);
  assert_int_equal(out.mem.wbeat.strb, 0);
  assert_int_equal(spills, 1);
}

/* Two kernels wait for memory: then the pool is not ready; with one it is ready for one. */
TEST_F(test_ready) {
  launch_all(1, 4, 0);
  frozen = true;
  assert_int_equal(out.room.ready && out.room.two, 1);
  launch(5, 0);
  cycle();
  assert_int_equal(out.room.ready && !out.room.two, 1);
  launch(6, 0);
  cycle();
  assert_int_equal(arch()->waiting, 2);
  assert_int_equal(out.room.ready, 0);
  frozen = false;
  idle(20);
  assert_int_equal(out.room.ready, 1);
}

/* Full when the next would have no place in memory, those on their way counted. */
TEST_F(test_full) {
  launch_all(1, 4 + PLACES - 1, 0);
  assert_int_equal(out.room.full, 0);
  assert_int_equal(in_memory(), PLACES - 1);
  frozen = true;
  push(20, 0);
  cycle();
  assert_int_equal(out.room.full, 1);
  frozen = false;
  idle(40);
  assert_int_equal(out.room.full, 1);
  assert_int_equal(out.stream_ok[0], 0);
  assert_int_equal(in_memory(), PLACES);
  assert_int_equal(take(), 1);
  idle(40);
  assert_int_equal(out.room.full, 0); /* one has returned */
}

/* Without a region the rows are all; a region of one place keeps one kernel. */
TEST_F(test_small_regions) {
  for (unsigned count = 0; count < 2; count++) {
    hd_pool_reset(m);
    in.regs_config.dev_count = count;
    cycle();
    assert_int_equal(out.room.full, 0);
    launch_all(1, 4 + count, 0);
    assert_int_equal(out.room.full, 1);
    assert_int_equal(in_memory(), count);
    assert_int_equal(take(), 1);
    idle(40);
    assert_int_equal(out.room.full, 0);
    expect(2, 4 + count, 0);
  }
}

/* With the last kernel of memory gone the region is used from its start again. */
TEST_F(test_region_begins_anew) {
  for (unsigned turn = 0; turn < 5; turn++) {
    launch_all(1, 7, 0);
    assert_int_equal(in_memory(), 3);
    assert_int_equal(bytes[2 * 128 + 40], 7); /* TBs */
    expect(1, 7, 0);
    assert_int_equal(in_memory(), 0);
    memset(bytes, 0, sizeof bytes);
  }
}

/* Places are used again in any order; the queues keep theirs. */
TEST_F(test_order_through_memory) {
  unsigned next = 1, last = 8;
  launch_all(1, last, 0);
  while (next <= 60) {
    assert_int_equal(take(), next++);
    if (last < 60) launch(++last, 0);
    idle(last % 7 * 5);
  }
}

/* A client that launches whenever it may, and a KMU that takes whenever more wait than at first: returns the cycles for
 * `n` kernels in and out. */
static unsigned cycles_for(unsigned n) {
  unsigned a2 = 0, a3 = 0, serial = 0, pushed = 0, taken = 0, t = 0;
  for (; taken < n && t < 100 * n; t++) {
    hd_pool_eval(m, &in, &out);
    in.kmu_pool_pop = out.head.valid && taken < pushed;
    taken += in.kmu_pool_pop;
    bool judged = a2 && !out.room.full && out.stream_ok[0], ready = out.room.ready && !a2 && !a3;
    in.devq_push.valid = a3 != 0;
    if (a3) in.devq_push.kernel = kernel(++serial, 0);
    pushed += a3;
    a3 = judged;
    a2 = ready;
    cycle();
  }
  return t;
}

/* The rows are full and hundreds wait in memory: one kernel in and one out per 16 cycles, at any memory latency. */
TEST_F(test_rate_through_memory) {
  const unsigned latencies[] = {1, 40, 120, 400};
  free(m);
  cfg = ut_cfg("k20c");
  m = ut_new(hd_pool_size(&cfg));
  for (unsigned k = 0; k < 4; k++) {
    hd_pool_init(m, &cfg);
    memset(&memory, 0, sizeof memory);
    memory.latency = latencies[k];
    in.regs_config.dev_count = cfg.pool_rows;
    for (unsigned n = 0; n < 300; n++) launch(n, 0);
    idle(600);
    assert_int_equal(rows_used(), 32);
    cycles_for(200);
    unsigned t = cycles_for(400);
    assert_in_range(t, 1, 16 * 400);
  }
}

TEST_MAIN("pool_memory", NULL, NULL)
