/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* yrec against its page: waiting wavefronts request room when it may be available, in order, and resume once it is
   granted. */
#include "channel/yrec.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static struct hd_yrec *m;
static struct hd_yrec_in in;
static struct hd_yrec_out out;

static int setup(void **state) {
  (void)state;
  cfg = ut_cfg("tiny");
  m = ut_new(hd_yrec_size(&cfg));
  hd_yrec_init(m, &cfg);
  memset(&in, 0, sizeof in);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

static void cycle(void) {
  hd_yrec_eval(m, &in, &out);
  hd_yrec_tick(m, &in);
  memset(&in, 0, sizeof in);
}

static void waits(unsigned chan, unsigned n, unsigned cu) {
  in.wait_valid = 1;
  in.wait = (struct hd_chanwait){.cu = (uint8_t)cu, .own = 1, .chan = (uint8_t)chan, .n = (uint16_t)n, .ctx = 100 + n};
  cycle();
}

static void frees(unsigned chan) {
  in.freed_valid = 1;
  in.freed_chan = (uint8_t)chan;
}

/* Within ten cycles n elements of the channel are requested; the answer arrives two cycles later. */
static void asks(unsigned chan, unsigned n, unsigned code) {
  for (unsigned t = 0; t < 10 && !out.op_valid; t++) cycle();
  assert_true(out.op_valid && out.op.kind == HD_CHOP_TALLOC);
  assert_int_equal(out.op.chan, chan);
  assert_int_equal(out.op.n, n);
  in.op_ready = 1;
  cycle();
  cycle();
  in.answer_valid = 1;
  in.answer = (struct hd_chananswer){.code = (uint8_t)code, .base = (uint16_t)(code == HD_CHCODE_OK ? 2 * n : 0)};
}

static void goes_on(unsigned n, unsigned code) {
  for (unsigned t = 0; t < 5 && !out.back_valid; t++) cycle();
  assert_true(out.back_valid);
  assert_int_equal(out.back.ctx, 100 + n);
  assert_int_equal(out.back.base, code == HD_CHCODE_OK ? 2 * n : 0);
  assert_int_equal(out.back.code, code);
}

/* It requests at once; refused, it requests again when an element of its channel is freed: freed in t, requested in t +
   3. */
TEST_F(test_hope) {
  waits(2, 5, 0);
  asks(2, 5, HD_CHCODE_NO_ROOM);
  cycle();
  for (unsigned t = 0; t < 20; t++) {
    cycle();
    assert_false(out.op_valid || out.asking);
  }
  frees(1);
  cycle();
  cycle();
  assert_false(out.asking);
  frees(2);
  cycle(); /* t */
  cycle();
  cycle();
  assert_false(out.op_valid);
  cycle();
  assert_true(out.op_valid);
  asks(2, 5, HD_CHCODE_OK);
  cycle();
  goes_on(5, HD_CHCODE_OK);
  cycle();
  assert_false(out.back_valid || out.asking);
}

/* An element freed in the cycle of the refusal is not forgotten. */
TEST_F(test_freed_as_refused) {
  waits(0, 3, 0);
  asks(0, 3, HD_CHCODE_NO_ROOM);
  frees(0);
  cycle();
  out.op_valid = 0;
  asks(0, 3, HD_CHCODE_OK);
  cycle();
  goes_on(3, HD_CHCODE_OK);
}

/* Waiting wavefronts of a channel are served in order, also if others arrive meanwhile; those of a lost channel are
   informed. */
TEST_F(test_order) {
  waits(1, 7, 0);
  waits(1, 2, 1);
  waits(1, 4, 0);
  asks(1, 7, HD_CHCODE_OK);
  cycle();
  waits(1, 6, 1); /* ask 5: it stays */
  cycle();
  waits(1, 8, 1); /* ask 6: back to 5 */
  goes_on(7, HD_CHCODE_OK);
  asks(1, 2, HD_CHCODE_FAILED);
  cycle();
  goes_on(2, HD_CHCODE_FAILED);
  static const uint8_t n[] = {4, 6, 8};
  for (unsigned k = 0; k < 3; k++) {
    asks(1, n[k], HD_CHCODE_OK);
    cycle();
    goes_on(n[k], HD_CHCODE_OK);
  }
  for (unsigned k = 0; k < cfg.chan_recs; k++) assert_false(m->used[k]);
}

/* CU 0 has a restart that waits for a slot, for n cycles. */
static void busy(unsigned n) {
  while (n--) {
    in.back_busy[0] = 1;
    cycle();
  }
}

/* Y3: no room is requested for a wavefront whose CU has a waiting restart; others are served, and it does not take
   their turns. */
TEST_F(test_busy) {
  waits(0, 3, 0);
  waits(3, 4, 1);
  for (unsigned t = 0; t < 10 && !out.op_valid; t++) busy(1);
  assert_int_equal(out.op.chan, 3);
  in.op_ready = 1;
  busy(2);
  in.answer_valid = 1;
  in.answer.code = HD_CHCODE_NO_ROOM;
  busy(1);
  for (unsigned t = 0; t < 40; t++) {
    busy(1);
    assert_false(out.asking || out.op_valid);
  }
}

/* Y3: later wavefronts do not overtake it, even if their CU is free; its request is made three cycles after its CU is
   free. */
TEST_F(test_held) {
  waits(2, 3, 0);
  waits(2, 4, 1);
  for (unsigned t = 0; t < 40; t++) {
    busy(1);
    assert_false(out.op_valid);
  }
  assert_false(out.asking);
  cycle(); /* t: the first in which it is free */
  cycle();
  cycle();
  assert_false(out.op_valid);
  cycle();
  assert_true(out.op_valid && out.op.n == 3);
  asks(2, 3, HD_CHCODE_OK);
  cycle();
  goes_on(3, HD_CHCODE_OK);
  asks(2, 4, HD_CHCODE_OK);
}

/* There are as many places as records. */
TEST_F(test_all) {
  for (unsigned k = 0; k < cfg.chan_recs; k++) waits(k % cfg.num_chan, 1 + k, k % 2);
  for (unsigned k = 0; k < cfg.chan_recs; k++) assert_true(m->used[k]);
  for (unsigned k = 0; k < cfg.chan_recs; k++) {
    for (unsigned t = 0; t < 10 && !out.op_valid; t++) cycle();
    asks(k % cfg.num_chan, 1 + k, HD_CHCODE_OK);
    cycle();
    goes_on(1 + k, HD_CHCODE_OK);
  }
}

TEST_MAIN("yrec", NULL, NULL)
