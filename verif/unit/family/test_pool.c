/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Waiting device kernels: rows on chip, streams, round robin, the reserve. */
#include "unit/family/pool_fixture.h"

TEST_F(test_empty_after_reset) {
  assert_true(hd_pool_quiet(m));
  cycle();
  assert_int_equal(out.room.ready, 1);
  assert_int_equal(out.room.full, 0);
  assert_int_equal(out.head.valid || out.lost.valid || out.mem.valid, 0);
  for (unsigned s = 0; s < cfg.num_streams; s++) assert_int_equal(out.stream_ok[s], 1);
}

/* Pushed at t into an empty pool: offered at t + 5; the next, three cycles after it was taken. */
TEST_F(test_head_latency) {
  push(1, 0); /* t */
  push(2, 0);
  for (int t = 2; t < 5; t++) {
    cycle();
    assert_int_equal(out.head.valid, 0);
    assert_int_equal(out.head.kernel.ctas, 0);
  }
  in.kmu_pool_pop = 1;
  cycle(); /* t + 5 */
  assert_int_equal(out.head.valid, 1);
  assert_int_equal(out.head.kernel.ctas, 1);
  assert_int_equal(out.head.kernel.up, 5);
  assert_int_equal(out.head.kernel.smx, 1);
  for (int t = 0; t < 2; t++) {
    cycle();
    assert_int_equal(out.head.valid, 0);
  }
  cycle();
  assert_int_equal(out.head.kernel.ctas, 2);
}

/* A kernel stays offered until it is taken. */
TEST_F(test_head_holds) {
  push(4, 0);
  idle(4);
  for (int t = 0; t < 4; t++) {
    cycle();
    assert_int_equal(out.head.kernel.ctas, 4);
  }
}

/* A kernel every three cycles goes through the chip without memory. */
TEST_F(test_rate_on_chip) {
  unsigned taken = 0;
  for (unsigned t = 0; t < 300; t++) {
    in.devq_push.valid = t % 3 == 0;
    in.devq_push.kernel = kernel(t / 3, 0);
    hd_pool_eval(m, &in, &out);
    in.kmu_pool_pop = out.head.valid;
    if (out.head.valid) assert_int_equal(out.head.kernel.ctas, taken++);
    cycle();
    assert_int_equal(out.room.ready, 1);
  }
  assert_in_range(taken, 98, 100);
  assert_int_equal(requests, 0);
}

/* A row that joins a chain as its only row leaves is the first and the last. */
TEST_F(test_joins_as_the_last_leaves) {
  push(1, 2);
  idle(2);
  push(2, 2);
  idle(1);
  in.kmu_pool_pop = 1;
  cycle(); /* 1 leaves, 2 gets the row */
  assert_int_equal(arch()->chip_valid[2], 1);
  assert_int_equal(arch()->chip_first[2], arch()->chip_last[2]);
  assert_int_equal(arch()->busy[2], 1);
  stream_done(2);
  assert_int_equal(take(), 2);
  assert_int_equal(arch()->chip_valid[2], 0);
}

/* Without a region: the last row is not for a kernel that could not run. */
TEST_F(test_stream_ok) {
  in.regs_config.dev_count = 0;
  block(1);
  launch_all(1, 3, 1);
  launch_all(50, 50, 2);
  assert_int_equal(take(), 50);
  idle(2);
  assert_int_equal(rows_used(), 3);
  assert_int_equal(out.room.full, 0);
  assert_int_equal(out.stream_ok[0], 1);
  assert_int_equal(out.stream_ok[1], 0); /* three have rows */
  assert_int_equal(out.stream_ok[2], 0); /* one runs */
  assert_int_equal(out.stream_ok[3], 1); /* none runs or waits */
  stream_done(2);
  idle(2);
  assert_int_equal(out.stream_ok[2], 1);
}

/* Kernels of one stream run one after the other, those of another stream in parallel. */
TEST_F(test_streams_in_order) {
  launch(1, 2);
  launch(2, 2);
  launch(3, 1);
  assert_int_equal(take(), 1);
  assert_int_equal(take(), 3);
  assert_int_equal(take(), -1);
  stream_done(2);
  assert_int_equal(take(), 2);
  stream_done(2);
  cycle();
  stream_done(1);
  launch(4, 2);
  assert_int_equal(take(), 4);
}

/* A blocked kernel delays no other: H waits for P, P waits for its child C, which arrived after H. */
TEST_F(test_blocked_kernel_gives_way) {
  launch(1, 3); /* P */
  launch(2, 3); /* H */
  assert_int_equal(take(), 1);
  idle(50);
  assert_int_equal(out.head.valid, 0);
  launch(3, 0); /* C */
  assert_int_equal(take(), 3);
  stream_done(3);
  assert_int_equal(take(), 2);
  assert_int_equal(requests, 0);
}

/* Queues whose heads may run are served round robin. */
TEST_F(test_turns) {
  launch(1, 0);
  launch(2, 0);
  launch(3, 3);
  launch(4, 2);
  idle(10);
  assert_int_equal(take(), 1);
  assert_int_equal(take(), 4);
  assert_int_equal(take(), 3);
  assert_int_equal(take(), 2);
}

/* So are queues in memory whose kernels may get a row. */
TEST_F(test_turns_in_memory) {
  const unsigned then[] = {1, 3, 4, 1}; /* the queue after 0, 2, 3, 0 */
  launch_all(1, 6, 0);
  launch_all(7, 7, 2);
  launch_all(8, 8, 3);
  for (unsigned n = 0; n < 4; n++) {
    assert_true(take() > 0);
    idle(40);
    assert_int_equal(arch()->get_ptr, then[n]);
  }
}

/* Kernels that could not run leave the reserve free, in memory as on chip; a kernel that could run gets it. */
TEST_F(test_reserve) {
  block(1);
  launch_all(1, 5, 1);
  assert_int_equal(rows_used(), 3);
  assert_int_equal(in_memory(), 2);
  unsigned before = requests;
  idle(100);
  assert_int_equal(requests, before); /* they stay where they are */
  launch_all(6, 6, 2);
  assert_int_equal(rows_used(), 4);
  launch_all(7, 7, 3); /* no row is left */
  assert_int_equal(in_memory(), 3);
  assert_int_equal(take(), 6);
  assert_int_equal(take(), 7); /* it may run: it gets the reserve */
}

/* Reset with work in flight leaves the state of a new model, byte for byte. */
TEST_F(test_reset) {
  struct hd_pool *fresh = ut_new(hd_pool_size(&cfg));
  hd_pool_init(fresh, &cfg);
  for (unsigned n = 0; n < 8; n++) launch(n, n % 4);
  cycle();
  assert_memory_not_equal(m, fresh, hd_pool_size(&cfg));
  hd_pool_reset(m);
  assert_memory_equal(m, fresh, hd_pool_size(&cfg));
  free(fresh);
}

TEST_MAIN("pool", NULL, NULL)
