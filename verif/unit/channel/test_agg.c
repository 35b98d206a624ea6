/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* agg against its page: predicates, levels, partial wavefronts, records, slots, ends and yields. Uses tiny: 2 CUs of 3
 * slots, wavefronts of 4, 12 records. */
#include "channel/agg.h"
#include "unit/util.h"

enum { RECS = 12 };

static struct hd_cfg cfg;
static struct hd_agg *m;
static struct hd_agg_in in;
static struct hd_agg_out out;

static int setup(void **state) {
  (void)state;
  cfg = ut_cfg("tiny");
  m = ut_new(hd_agg_size(&cfg));
  hd_agg_init(m, &cfg);
  memset(&in, 0, sizeof in);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

static void cycle(void) {
  in.quiet = 1;
  hd_agg_eval(m, &in, &out);
  hd_agg_tick(m, &in);
  memset(&in, 0, sizeof in);
}

static void cycles(unsigned n) {
  while (n--) cycle();
}

static void open_channel(unsigned chan, unsigned level, bool levelized) {
  in.set_valid = 1;
  in.set = (struct hd_chanset){
      .chan = (uint8_t)chan, .cap = 4, .level = (uint8_t)level, .levelized = levelized, .threshold = 4};
  cycle();
}

static void live(unsigned chan, unsigned n, bool done) {
  in.live_valid = 1;
  in.live = (struct hd_chanlive){.chan = (uint8_t)chan, .n = (uint16_t)n, .done = done};
}

/* Publishes n elements, reserved before or in this cycle. */
static void publish(unsigned chan, unsigned n) {
  if (m->chan[chan].coming < n) live(chan, n, false);
  in.pub_valid = 1;
  in.pub_chan = (uint8_t)chan;
  in.pub_count = (uint8_t)n;
  cycle();
}

static void ends(unsigned cu, unsigned slot) {
  in.end_valid[cu] = 1;
  in.end_slot[cu] = (uint8_t)slot;
  cycle();
}

static void yields(unsigned cu, unsigned slot) {
  in.yield_valid = 1;
  in.yield = (struct hd_chanyield){.cu = (uint8_t)cu, .slot = (uint8_t)slot, .chan = 2, .n = 5, .ctx = 77};
  cycle();
}

static void goes(unsigned own, unsigned start, unsigned count, unsigned cu, unsigned slot) {
  assert_true(out.go_valid && !out.go.restart);
  assert_int_equal(out.go.own, own);
  assert_int_equal(out.go.start, start);
  assert_int_equal(out.go.count, count);
  assert_int_equal(out.go.cu, cu);
  assert_int_equal(out.go.slot, slot);
}

/* Published in t: the wavefront starts in t + 3, in the lowest slot of the next CU; one in every cycle. */
TEST_F(test_latency_and_rate) {
  open_channel(0, 0, false);
  cycle();
  publish(0, 13); /* t */
  for (unsigned t = 0; t < 2; t++) {
    cycle();
    assert_false(out.go_valid);
  }
  cycle();
  goes(0, 0, 4, 0, 0);
  cycle();
  goes(0, 4, 4, 1, 0);
  cycle();
  goes(0, 8, 4, 0, 1);
  cycle();
  goes(0, 12, 1, 1, 1); /* the rest */
}

/* No wavefront goes within n cycles. */
static void expect_no_grant(unsigned n) {
  for (unsigned t = 0; t < n; t++) {
    cycle();
    assert_false(out.go_valid);
  }
}

/* The elements published in the previous cycle go next, as soon as a whole wavefront would. */
static void starts_at_once(unsigned own, unsigned start, unsigned count, unsigned cu, unsigned slot) {
  expect_no_grant(2);
  cycle();
  goes(own, start, count, cu, slot);
}

/* A3, A19: fewer elements than the predicate requires go when no producer can add to them, even while other wavefronts
 * run. Wavefronts of the channel itself are no producers for it. */
TEST_F(test_partial) {
  open_channel(0, 0, false);
  publish(0, 3);
  starts_at_once(0, 0, 3, 0, 0);
  publish(0, 2);
  starts_at_once(0, 3, 2, 1, 0);
}

/* A19: a wavefront of a shallower level can add, until it ends. One of a deeper level can not; one of the same level
 * can add only to a levelized channel behind its own. */
TEST_F(test_producers) {
  open_channel(0, 0, false);
  open_channel(1, 1, false);
  open_channel(2, 1, false);
  open_channel(3, 1, true);
  cycle();
  publish(1, 3);
  starts_at_once(1, 0, 3, 0, 0);
  publish(2, 3); /* of the level of the running wavefront */
  starts_at_once(2, 0, 3, 1, 0);
  publish(0, 1);
  starts_at_once(0, 0, 1, 0, 1);
  publish(2, 1);
  publish(3, 1);
  expect_no_grant(40);
  ends(0, 1); /* t: of level 0. It counts in t + 2, so that the channel is alone in t + 4 */
  expect_no_grant(4);
  cycle();
  goes(2, 3, 1, 1, 1);
  expect_no_grant(40);
  ends(0, 0);
  ends(1, 0);
  expect_no_grant(40);
  ends(1, 1);
  expect_no_grant(4);
  cycle();
  assert_int_equal(out.go.own, 3);
}

/* A19: a waiting wavefront is no producer; one that may be receiving room, or has received it, is. */
TEST_F(test_waiting_producer) {
  open_channel(0, 0, false);
  open_channel(1, 1, false);
  open_channel(2, 2, false);
  cycle();
  publish(0, 4);
  cycles(3);
  publish(2, 3);
  expect_no_grant(20);
  yields(0, 0);
  for (unsigned t = 0; t < 20; t++) {
    in.asking = 1;
    expect_no_grant(1);
  }
  expect_no_grant(2);
  cycle();
  goes(2, 0, 3, 1, 0);
  in.back_valid = 1;
  in.back = (struct hd_chanback){.cu = 0, .own = 0, .chan = 2};
  publish(2, 3);
  cycles(2);
  assert_true(out.go_valid && out.go.restart);
  expect_no_grant(40);
  ends(0, 0);
  expect_no_grant(4);
  cycle();
  goes(2, 3, 3, 0, 0);
}

/* A19: elements on their way and elements ready upstream hold back a partial wavefront; elements reserved by a waiting
 * wavefront do not. */
TEST_F(test_on_the_way) {
  open_channel(0, 0, false);
  open_channel(1, 1, false);
  cycle();
  live(1, 2, false);
  cycle();
  publish(1, 3); /* of five */
  for (unsigned t = 0; t < 20; t++) {
    hd_agg_tick(m, &in); /* not quiet */
    memset(&in, 0, sizeof in);
    assert_false(m->go_valid);
  }
  live(0, 1, false);
  hd_agg_tick(m, &in);
  memset(&in, 0, sizeof in);
  publish(1, 2);
  starts_at_once(1, 0, 4, 0, 0);
  cycle();
  goes(1, 4, 1, 1, 0); /* all is quiet, though one is reserved upstream */
}

/* A19: elements upstream that can go are dispatched first. */
TEST_F(test_upstream) {
  open_channel(0, 0, false);
  open_channel(1, 1, false);
  cycle();
  m->chan[0].ready = m->chan[1].ready = 2;
  expect_no_grant(2);
  cycle();
  goes(0, 0, 2, 0, 0);
  expect_no_grant(20);
  ends(0, 0);
  expect_no_grant(4);
  cycle();
  goes(1, 0, 2, 1, 0);
}

/* A4: the deepest level first, round robin within a level. */
TEST_F(test_levels) {
  open_channel(0, 0, false);
  open_channel(1, 1, false);
  open_channel(2, 1, false);
  cycle();
  m->chan[0].ready = 4; /* all three at once */
  m->chan[1].ready = m->chan[2].ready = 8;
  static const uint8_t order[] = {1, 2, 1, 2, 0};
  cycles(2);
  for (unsigned k = 0; k < 5; k++) {
    cycle();
    assert_int_equal(out.go.own, order[k]);
  }
}

/* A14: a levelized channel waits while a deeper level has elements or wavefronts. */
TEST_F(test_levelized) {
  open_channel(0, 0, true);
  open_channel(1, 1, false);
  live(1, 4, false);
  cycles(2);
  publish(0, 4);
  cycles(4);
  assert_false(out.go_valid);
  publish(1, 4);
  cycles(3);
  goes(1, 0, 4, 0, 0);
  live(1, 4, true);
  cycle();
  cycles(4);
  assert_false(out.go_valid); /* its wavefront has not ended */
  ends(0, 0);
  for (unsigned t = 0; t < 5 && !out.go_valid; t++) cycle();
  goes(0, 0, 4, 1, 0);
}

/* .. but not for one of a lost channel without wavefronts left. */
TEST_F(test_lost) {
  open_channel(0, 0, true);
  open_channel(1, 1, false);
  live(1, 4, false);
  cycles(2);
  publish(0, 4);
  for (unsigned t = 0; t < 6; t++) {
    in.failed[1] = 1;
    cycle();
    if (out.go_valid) break;
  }
  goes(0, 0, 4, 0, 0);
}

/* A11, A12: a yielding wavefront frees its slot, keeps its record and its elements, and resumes in its CU, before new
 * work of its level. */
TEST_F(test_yield) {
  open_channel(0, 0, false);
  cycle();
  publish(0, 4);
  cycles(3);
  goes(0, 0, 4, 0, 0);
  yields(0, 0);
  cycle();
  assert_true(out.wait_valid && out.wait.own == 0 && out.wait.chan == 2 && out.wait.n == 5 && out.wait.ctx == 77);
  assert_int_equal(m->recs, 1);
  assert_int_equal(m->slot[0], 0);
  publish(0, 4);
  cycle();
  in.back_valid = 1; /* there from the next cycle on: the wavefront is chosen in this one */
  in.back = (struct hd_chanback){.cu = 0, .own = 0, .chan = 2, .base = 9, .ctx = 77};
  cycle();
  cycle();
  goes(0, 4, 4, 1, 0);
  assert_true(out.back_busy[0]);
  m->chan[0].ready = 4;
  cycle();
  assert_true(out.go_valid && out.go.restart && out.go.cu == 0 && out.go.slot == 0 && out.go.base == 9);
  assert_true(out.go.ctx == 77 && out.go.chan == 2 && !out.back_busy[0]);
  cycles(2);
  goes(0, 8, 4, 0, 1);
  assert_int_equal(m->recs, 3);
}

/* A15: a channel keeps a record for each one behind it. */
TEST_F(test_records) {
  open_channel(0, 0, false);
  open_channel(1, 0, true);
  open_channel(2, 1, false);
  cycles(2);
  m->recs = RECS - 2; /* keep: 2, 1, 0 */
  cycle();
  assert_false(m->chan[0].spare);
  assert_true(m->chan[1].spare && m->chan[2].spare);
  m->chan[0].ready = m->chan[1].ready = m->chan[2].ready = 4;
  cycles(3);
  goes(2, 0, 4, 0, 0);
}

/* A15: a record taken in the cycle before it is visible is not taken twice. */
TEST_F(test_kept_records) {
  open_channel(0, 0, false);
  open_channel(1, 1, false);
  cycles(2);
  m->recs = RECS - 2; /* keep: 1, 0 */
  m->chan[0].ready = 16;
  cycles(20);
  assert_int_equal(m->recs, RECS - 1);
  m->chan[1].ready = 16;
  cycles(20);
  assert_int_equal(m->recs, RECS);
}

/* A10, A11: one end per cycle, none with a yield, none of a wavefront that does not run. */
TEST_F(test_ends) {
  open_channel(0, 0, false);
  cycle();
  publish(0, 8);
  cycles(5);
  in.end_valid[0] = in.end_valid[1] = in.yield_valid = 1;
  in.yield.slot = 2;
  cycle();
  assert_false(out.end_ready[0] || out.end_ready[1]);
  cycle();
  assert_true(out.bad && !out.wait_valid);
  in.end_valid[0] = in.end_valid[1] = 1;
  cycle();
  assert_true(out.end_ready[0] && !out.end_ready[1]);
  ends(1, 0);
  assert_true(out.end_ready[1]);
  cycle();
  assert_int_equal(m->recs, 1); /* A12: the first, two cycles after its end */
  cycle();
  assert_int_equal(m->recs, 0);
}

/* A7, A11: an end belongs to the channel with which the wavefront went. */
TEST_F(test_ends_at_once) {
  open_channel(0, 0, false);
  open_channel(1, 0, false);
  cycle();
  for (unsigned cu = 0; cu < 2; cu++) { /* the lowest slots were of channel 0 */
    publish(0, 4);
    cycles(3);
    goes(0, 4 * cu, 4, cu, 0);
    ends(cu, 0);
  }
  publish(1, 4);
  cycles(2);
  ends(0, 0);
  goes(1, 0, 4, 0, 0);
  assert_int_equal(m->chan[1].alive, 1);
  cycles(2);
  assert_true(!out.bad && !m->chan[0].alive && !m->chan[1].alive && !m->recs);
}

/* The control places wrap at twice the capacity. */
TEST_F(test_wrap) {
  open_channel(0, 0, false);
  cycle();
  for (unsigned k = 0; k < 10; k++) {
    publish(0, 4);
    cycles(3);
    assert_int_equal(out.go.start, 4 * k % 32);
    ends(out.go.cu, out.go.slot);
  }
}

/* A18: a slot that is freed in t is assigned in t + 2; of two free slots the lowest first, and the other one directly
   after. */
TEST_F(test_slots) {
  open_channel(0, 0, false);
  cycle();
  publish(0, 24); /* six wavefronts: all slots */
  cycles(8);
  publish(0, 8);
  cycles(4);
  assert_false(out.go_valid || m->room[0] || m->room[1]);
  ends(1, 2); /* t */
  cycle();
  assert_true(!out.go_valid && !m->slot[5]);
  cycle();
  assert_false(out.go_valid);
  cycle();
  goes(0, 24, 4, 1, 2);
  ends(0, 2);
  ends(0, 1);
  cycle();
  cycle();
  goes(0, 28, 4, 0, 2);
  assert_true(m->room[0] && m->low[0] == 1);
}

TEST_MAIN("agg", NULL, NULL)
