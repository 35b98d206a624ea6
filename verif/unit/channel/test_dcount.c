/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dcount against its page: heads advance over full grains; counts are read from memory and written back. */
#include "channel/dcount.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static struct hd_dcount *m;
static struct hd_dcount_in in;
static struct hd_dcount_out out;

static int setup(void **state) {
  (void)state;
  cfg = ut_cfg("tiny");
  m = calloc(1, hd_dcount_size(&cfg));
  assert_non_null(m);
  hd_dcount_init(m, &cfg);
  memset(&in, 0, sizeof in);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

static void cycle(void) {
  hd_dcount_eval(m, &in, &out);
  hd_dcount_tick(m, &in);
  in.set_valid = in.run_valid = in.mem.ready = in.mem.r_valid = in.mem.take = in.mem.b_valid = 0;
  memset(&in.mem.r, 0, sizeof in.mem.r);
}

static void open_channel(unsigned chan, unsigned cap) {
  in.set_valid = 1;
  in.set = (struct hd_chanset){.chan = (uint8_t)chan, .cap = (uint8_t)cap, .done = 3 + chan};
  cycle();
}

static void done(unsigned chan, unsigned off, unsigned n) {
  in.run_valid = 1;
  in.run = (struct hd_donerun){.chan = (uint8_t)chan, .off = (uint16_t)off, .n = (uint16_t)n};
  cycle();
}

/* The requested read is answered with this beat. */
static void reads(uint64_t lo) {
  for (unsigned t = 0; t < 10 && !out.mem.valid; t++) cycle();
  assert_true(out.mem.valid && !out.mem.req.write && out.mem.req.len == 0);
  in.mem.ready = 1;
  cycle();
  in.mem.r_valid = 1;
  in.mem.r.lo = lo;
  in.mem.r.last = 1;
  cycle();
}

/* Counts before the beat arrives are added to it; a full grain at the head moves the head, one after the other. */
TEST_F(test_fill) {
  open_channel(0, 4);
  done(0, 0, 4);
  done(0, 4, 2);
  cycle();
  cycle();
  assert_int_equal(out.head[0], 0);
  reads(0x0200);
  cycle();
  cycle();
  assert_true(out.freed_valid && out.freed_chan == 0);
  assert_int_equal(out.head[0], 1);
  cycle();
  cycle();
  assert_int_equal(out.head[0], 2);
}

/* A run that arrives in t - 2 is counted in t, and moves the head at the end of t + 1. */
TEST_F(test_latency) {
  open_channel(0, 4);
  done(0, 0, 1);
  reads(0);
  cycle();
  done(0, 1, 3);
  cycle();
  cycle(); /* t */
  cycle(); /* t + 1 */
  assert_int_equal(out.head[0], 0);
  cycle();
  assert_int_equal(out.head[0], 1);
}

/* A partial grain at the head stops it. */
TEST_F(test_order) {
  open_channel(0, 4);
  done(0, 4, 12);
  reads(0);
  for (unsigned t = 0; t < 8; t++) cycle();
  assert_int_equal(out.head[0], 0);
  done(0, 0, 4);
  for (unsigned t = 0; t < 12; t++) cycle();
  assert_int_equal(out.head[0], 4);
}

TEST_MAIN("dcount", NULL, NULL)
