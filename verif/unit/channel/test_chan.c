/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* chan against its page: the answers of operations, their cycle, and the writes to the control array. */
#include "channel/chan.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static struct hd_chan *m;
static struct hd_chan_in in;
static struct hd_chan_out out;

static int setup(void **state) {
  (void)state;
  cfg = ut_cfg("tiny");
  cfg.chan_lines = 4;
  cfg.chan_runs = 8;
  m = calloc(1, hd_chan_size(&cfg));
  assert_non_null(m);
  hd_chan_init(m, &cfg);
  memset(&in, 0, sizeof in);
  in.done_room = 1;
  return 0;
}

static int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

/* Runs a cycle, then clears the offers. */
static void cycle(void) {
  hd_chan_eval(m, &in, &out);
  hd_chan_tick(m, &in);
  in.set_valid = in.mem.ready = in.mem.take = in.mem.b_valid = in.mem.b_error = 0;
  memset(in.op_valid, 0, sizeof in.op_valid);
}

/* A channel of 2^cap elements, control array at 128 * 5 * chan. */
static void open_one(unsigned chan, unsigned cap) {
  in.set_valid = 1;
  in.set = (struct hd_chanset){.chan = (uint8_t)chan, .cap = (uint8_t)cap, .control = 5 * chan};
  for (unsigned t = 0; t < 3; t++) cycle();
}

static void open_channel(unsigned cap) {
  open_one(1, cap);
}

/* An operation of client 0 and its answer, two cycles later. */
static unsigned does_on(unsigned chan, unsigned kind, unsigned off, unsigned n) {
  in.op_valid[0] = 1;
  in.op[0] = (struct hd_chanop){
      .kind = (uint8_t)kind, .chan = (uint8_t)chan, .off = (uint16_t)off, .n = (uint16_t)n, .slot = 2};
  hd_chan_eval(m, &in, &out);
  assert_true(out.op_ready[0]);
  cycle();
  cycle();
  cycle();
  assert_true(out.answer_valid[0] && out.answer.kind == kind && out.answer.slot == 2);
  return out.answer.code;
}

static unsigned does(unsigned kind, unsigned off, unsigned n) {
  return does_on(1, kind, off, n);
}

static void grants(unsigned n, unsigned base) {
  assert_int_equal(does(HD_CHOP_TALLOC, 0, n), HD_CHCODE_OK);
  assert_int_equal(out.answer.base, base);
}

/* Returns whether an operation of this kind would be accepted from client 0. */
static bool takes(enum hd_chop kind) {
  in.op[0] = (struct hd_chanop){.kind = (uint8_t)kind, .chan = 1};
  hd_chan_eval(m, &in, &out);
  return out.op_ready[0];
}

/* C1: each kind waits only for its own resources. */
TEST_F(test_room) {
  const struct hd_cfg small = ut_cfg("tiny");
  hd_chan_init(m, &small);
  open_channel(7);
  in.done_room = 0;
  assert_true(takes(HD_CHOP_ENQ) && takes(HD_CHOP_YIELD));
  assert_false(takes(HD_CHOP_TALLOC) || takes(HD_CHOP_TFREE));
  in.done_room = 1;
  grants(128, 0);
  for (unsigned k = 0; k < 66 && takes(HD_CHOP_ENQ); k++)
    assert_int_equal(does(HD_CHOP_ENQ, k, k == 1 ? 63 : 1), HD_CHCODE_OK);
  assert_false(takes(HD_CHOP_ENQ));
  assert_true(takes(HD_CHOP_TALLOC) && takes(HD_CHOP_TFREE) && takes(HD_CHOP_YIELD));
  in.set_valid = 1;
  assert_false(takes(HD_CHOP_YIELD));
}

/* Which of a tfree of client 0, one of client 1 and a yield of client 2 is accepted. */
static unsigned taken(bool done_room) {
  unsigned who = cfg.chan_clients;
  in.done_room = done_room;
  for (unsigned c = 0; c < cfg.chan_clients; c++) {
    in.op_valid[c] = 1;
    in.op[c].kind = c < 2 ? HD_CHOP_TFREE : HD_CHOP_YIELD;
  }
  hd_chan_eval(m, &in, &out);
  for (unsigned c = 0; c < cfg.chan_clients; c++) {
    if (!out.op_ready[c]) continue;
    assert_int_equal(who, cfg.chan_clients);
    who = c;
  }
  cycle();
  return who;
}

/* C1: the least recently served client goes first as soon as there is room for it, whichever went in between. */
TEST_F(test_turns) {
  for (unsigned k = 0; k < 5; k++) assert_int_equal(taken(false), 2);
  assert_int_equal(taken(true), 0);
  assert_int_equal(taken(false), 2);
  assert_int_equal(taken(true), 1);
  assert_int_equal(taken(true), 0);
  assert_int_equal(taken(true), 2);
}

/* C4, in its order. */
TEST_F(test_refused) {
  assert_int_equal(does(HD_CHOP_TALLOC, 0, 1), HD_CHCODE_BAD);
  open_channel(3);
  assert_int_equal(does(HD_CHOP_TALLOC, 0, 0), HD_CHCODE_BAD);
  assert_false(out.never[1]);
  assert_int_equal(does(HD_CHOP_TALLOC, 0, 9), HD_CHCODE_NEVER);
  cycle();
  assert_true(out.never[1]);
  assert_int_equal(does(HD_CHOP_YIELD, 0, 9), HD_CHCODE_NEVER);
  assert_int_equal(does(HD_CHOP_ENQ, 0, 1), HD_CHCODE_BAD);
  assert_int_equal(does(HD_CHOP_TFREE, 7, 2), HD_CHCODE_BAD);
  grants(3, 0);
  assert_int_equal(does(HD_CHOP_ENQ, 0, 4), HD_CHCODE_BAD);
  in.fail[1] = 1;
  cycle();
  in.fail[1] = 0;
  assert_int_equal(does(HD_CHOP_TALLOC, 0, 1), HD_CHCODE_FAILED);
  assert_int_equal(does(HD_CHOP_YIELD, 0, 1), HD_CHCODE_FAILED);
  assert_int_equal(does(HD_CHOP_TFREE, 0, 1), HD_CHCODE_OK);
}

/* C5: the rest at the end is skipped with a grant, or alone. */
TEST_F(test_skips) {
  open_channel(3);
  grants(6, 0);
  assert_int_equal(does(HD_CHOP_TALLOC, 0, 3), HD_CHCODE_NO_ROOM);
  assert_true(out.done_valid && out.done.off == 6 && out.done.n == 2);
  assert_int_equal(does(HD_CHOP_TALLOC, 0, 1), HD_CHCODE_NO_ROOM);
  assert_false(out.done_valid);
  in.head[1] = 1; /* grains of 4 */
  grants(4, 0);
  in.head[1] = 3;
  grants(3, 4);
  assert_int_equal(does(HD_CHOP_TALLOC, 0, 2), HD_CHCODE_OK);
  assert_int_equal(out.answer.base, 0);
  assert_true(out.done_valid && out.done.off == 7 && out.done.n == 1);
}

/* C6 to C9: entries of a run in its line, one request, published when it is answered. */
TEST_F(test_publish) {
  open_channel(4);
  grants(5, 0);
  assert_int_equal(does(HD_CHOP_ENQ, 2, 3), HD_CHCODE_OK);
  for (unsigned t = 0; t < 10 && !out.mem.valid; t++) cycle();
  assert_true(out.mem.valid && out.mem.req.write && out.mem.req.addr == 640 && out.mem.req.len == 0);
  assert_int_equal(out.mem.wbeat.strb, 0x3f);
  assert_int_equal(out.mem.wbeat.lo, 0x000400030002);
  in.mem.ready = 1;
  cycle();
  in.mem.take = 1;
  cycle();
  cycle();
  assert_false(out.mem.valid || out.pub_valid);
  in.mem.b_valid = 1;
  cycle();
  cycle();
  assert_true(out.pub_valid && out.pub_chan == 1 && out.pub_count == 3);
  cycle();
  assert_false(out.pub_valid);
}

/* The next request, its one beat and its answer. */
static void publishes(unsigned addr, uint64_t lo, uint64_t hi, unsigned count) {
  for (unsigned t = 0; t < 10 && !out.mem.valid; t++) cycle();
  assert_true(out.mem.valid && out.mem.req.addr == addr && out.mem.wbeat.lo == lo && out.mem.wbeat.hi == hi);
  in.mem.ready = 1;
  cycle();
  in.mem.take = 1;
  cycle();
  in.mem.b_valid = 1;
  cycle();
  cycle();
  assert_true(out.pub_valid && out.pub_count == count);
}

/* C6: channels that alternate do not close each other's lines; the oldest line is sent, and no longer filled. */
TEST_F(test_lines) {
  open_one(1, 4);
  open_one(2, 4);
  grants(8, 0);
  assert_int_equal(does_on(2, HD_CHOP_TALLOC, 0, 8), HD_CHCODE_OK);
  assert_int_equal(does_on(1, HD_CHOP_ENQ, 0, 1), HD_CHCODE_OK); /* it is sent at once, and waits for the port */
  for (unsigned k = 0; k < 2; k++) {
    assert_int_equal(does_on(2, HD_CHOP_ENQ, 2 * k, 2), HD_CHCODE_OK);
    assert_int_equal(does_on(1, HD_CHOP_ENQ, 1 + k, 1), HD_CHCODE_OK);
  }
  publishes(640, 0, 0, 1);
  publishes(1280, 0x0003000200010000, 0, 4);
  publishes(640, 0x0000000200010000, 0, 2);
}

/* C8: the request of the next burst follows the last beat of the one before. */
TEST_F(test_back_to_back) {
  open_channel(7);
  grants(128, 0);
  assert_int_equal(does(HD_CHOP_ENQ, 0, 128), HD_CHCODE_OK);
  for (unsigned t = 0; t < 40; t++) cycle();
  for (unsigned line = 0; line < 2; line++) {
    hd_chan_eval(m, &in, &out);
    assert_true(out.mem.valid && out.mem.req.addr == 640 + 128 * line && out.mem.req.len == 7);
    in.mem.ready = 1;
    cycle();
    for (unsigned k = 0; k < 8; k++) {
      in.mem.take = 1;
      cycle();
    }
  }
}

/* C9, C10: entries that are in memory in the cycle in which their channel is lost are still published, and none after
   that. */
TEST_F(test_lost) {
  open_channel(4);
  grants(4, 0);
  for (unsigned k = 0; k < 2; k++) {
    assert_int_equal(does(HD_CHOP_ENQ, 2 * k, 2), HD_CHCODE_OK);
    for (unsigned t = 0; t < 10 && !out.mem.valid; t++) cycle();
    in.mem.ready = 1;
    cycle();
    in.mem.take = 1;
    cycle();
  }
  in.mem.b_valid = in.fail[1] = 1;
  cycle();
  in.fail[1] = 0;
  in.mem.b_valid = 1;
  cycle();
  assert_true(out.pub_valid && out.pub_chan == 1 && out.pub_count == 2 && out.failed[1]);
  cycle();
  assert_false(out.pub_valid);
}

/* Figure 4: wavefront 0 reserves first, 1 publishes first; space is free only when those of 0 are done as well. */
TEST_F(test_figure_4) {
  open_channel(3);
  grants(4, 0);
  grants(4, 4);
  assert_int_equal(does(HD_CHOP_ENQ, 4, 4), HD_CHCODE_OK);
  publishes(640, 0x0007000600050004, 0, 4);
  assert_int_equal(does(HD_CHOP_ENQ, 0, 4), HD_CHCODE_OK);
  publishes(640, 0, 0x0003000200010000, 4);
  assert_int_equal(does(HD_CHOP_TFREE, 4, 4), HD_CHCODE_OK);
  assert_true(out.done_valid && out.done.off == 4 && out.done.n == 4);
  assert_int_equal(does(HD_CHOP_TALLOC, 0, 4), HD_CHCODE_NO_ROOM);
  assert_int_equal(does(HD_CHOP_TFREE, 0, 4), HD_CHCODE_OK);
  in.head[1] = 2;
  grants(8, 0);
}

TEST_MAIN("chan", NULL, NULL)
