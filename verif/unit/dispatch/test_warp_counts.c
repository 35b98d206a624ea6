/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Counters of each warp: stall cycles, their halving, the ranks of TBs, and the waiting time of a ready warp. */
#include "unit/dispatch/warp_fixture.h"

static unsigned count(unsigned w) {
  return arch()->count[w];
}

/* ---- stall cycles ---- */

/* One stall cycle, whether for one cause or all; only of a valid warp, ready or not. */
TEST_F(test_causes) {
  tb(2, 0, 8);
  for (unsigned causes = 0; causes < 8; causes++) {
    in.stall_control[causes] = in.stall_control[31] = causes & 1;
    in.stall_raw[causes] = in.stall_raw[31] = causes >> 1 & 1;
    in.stall_pipe[causes] = in.stall_pipe[31] = causes >> 2;
  }
  in.warp_ready[3] = 1;
  cycles(10);
  for (unsigned w = 0; w < 8; w++) assert_int_equal(count(w), w ? 10 : 0);
  assert_int_equal(count(31), 0);
}

/* A new TB starts at zero, in the slot and with the warps of the one before, even if they stalled in the cycle of the
 * assignment. */
TEST_F(test_new_tb) {
  tb(2, 4, 8);
  memset(in.stall_raw, 1, sizeof in.stall_raw);
  cycles(100);
  assert_int_equal(count(4), 100);
  memset(in.warp_valid, 0, sizeof in.warp_valid);
  assign(2);
  put(2, 4, 1, 8);
  for (unsigned w = 4; w < 12; w++) assert_int_equal(count(w), 0);
  cycle();
  for (unsigned w = 4; w < 12; w++) assert_int_equal(count(w), 1);
  assert_int_equal(arch()->rank[2], 7);
}

/* One that ends loses its count at once; the others keep theirs. */
TEST_F(test_ends) {
  tb(2, 0, 8);
  stall(3, 7);
  stall(4, 8);
  in.warp_valid[3] = 0;
  cycle();
  assert_int_equal(count(3), 0);
  assert_int_equal(count(4), 8);
  in.warp_valid[3] = 1;
  cycle();
  assert_int_equal(count(3), 0);
}

/* ---- halving ---- */

/* The stall that would not fit any more halves all of that TB, of both schedulers, in that cycle; no other TB. */
TEST_F(test_halving) {
  start_anew(ut_cfg_with("gtx480ws", "StallW", 8));
  tb(1, 0, 8);
  tb(6, 8, 8);
  stall(3, 255);
  stall(4, 100);
  stall(5, 7);
  stall(9, 201);
  assert_int_equal(count(3), 255);
  in.stall_pipe[6] = 1;
  stall(3, 1);
  static const unsigned after[] = {0, 0, 0, 128, 50, 3, 0, 0, 0, 201};
  for (unsigned w = 0; w < 10; w++) assert_int_equal(count(w), after[w]);
  in.stall_pipe[6] = 0;
  stall(3, 127);
  assert_int_equal(count(3), 255);
  assert_int_equal(count(4), 50);
}

/* A warp that stalls in the same cycle is halved with that stall; two that overflow halve once. */
TEST_F(test_halving_stalls) {
  start_anew(ut_cfg_with("gtx480ws", "StallW", 8));
  tb(1, 0, 8);
  stall(2, 41);
  in.stall_raw[3] = in.stall_control[7] = 1;
  cycles(255);
  in.stall_pipe[2] = 1;
  cycle();
  assert_true(count(2) == 21 && count(3) == 128 && count(7) == 128);
}

/* A warp that always stalls is halved every 2^(StallW - 1) cycles. */
TEST_F(test_halving_period) {
  start_anew(ut_cfg_with("gtx480ws", "StallW", 8));
  tb(1, 0, 1);
  in.stall_raw[0] = 1;
  for (unsigned t = 1; t < 3000; t++) {
    cycle();
    assert_int_equal(count(0), t < 256 ? t : 128 + (t - 256) % 128);
  }
}

/* Halving keeps the order: no warp of the TB that had no fewer than another has fewer then. */
TEST_F(test_halving_keeps_order) {
  uint64_t seed = 31;
  uint16_t was[32];
  unsigned halved = 0;
  start_anew(ut_cfg_with("gtx480ws", "StallW", 5));
  put(0, 0, 1, 16);
  put(5, 16, 1, 16);
  for (unsigned t = 0; t < 20000; t++) {
    memcpy(was, arch()->count, sizeof was);
    for (unsigned w = 0; w < 32; w++) in.stall_raw[w] = ut_below(&seed, 32) < w % 16 + 1;
    cycle();
    const uint16_t *is = arch()->count;
    for (unsigned a = 0; a < 32; a++) {
      halved += is[a] < was[a];
      for (unsigned b = a / 16 * 16; b < a / 16 * 16 + 16; b++) {
        const unsigned sum_a = was[a] + in.stall_raw[a], sum_b = was[b] + in.stall_raw[b];
        if (sum_a >= sum_b) assert_true(is[a] >= is[b]);
        if (sum_a >= sum_b + 2) assert_true(is[a] > is[b]);
      }
    }
  }
  assert_true(halved > 1000);
}

/* The widest counters. */
TEST_F(test_widest) {
  tb(1, 0, 4);
  stall(0, 65535);
  stall(1, 3);
  assert_int_equal(count(0), 65535);
  stall(0, 1);
  assert_true(count(0) == 32768 && count(1) == 1);
}

/* ---- ranks ---- */

static void ranks(const uint8_t *want) {
  assert_memory_equal(arch()->rank, want, 8);
}

#define RANKS(...) ranks((const uint8_t[]){__VA_ARGS__})

/* A TB that is assigned is the youngest; those behind it move up. A slot that is freed keeps its rank. */
TEST_F(test_ranks) {
  RANKS(0, 1, 2, 3, 4, 5, 6, 7);
  assign(3);
  RANKS(0, 1, 2, 7, 3, 4, 5, 6);
  assign(3);
  RANKS(0, 1, 2, 7, 3, 4, 5, 6);
  assign(0);
  RANKS(7, 0, 1, 6, 2, 3, 4, 5);
  in.assign_slot = 1;
  cycles(5);
  RANKS(7, 0, 1, 6, 2, 3, 4, 5);
  assign(4);
  RANKS(6, 0, 1, 5, 7, 2, 3, 4);
}

/* ---- waiting ---- */

static unsigned waited(unsigned w) {
  return arch()->waited[w];
}

/* Cycles in which a warp is ready and another issues, under each policy; not ready, it stays; it issues or ends, 0. */
TEST_F(test_waited) {
  for (unsigned policy = 0; policy < 4; policy++) {
    hd_warp_reset(m);
    memset(&in, 0, sizeof in);
    tb(0, 0, 32);
    in.policy = (uint8_t)policy;
    READY(0, 8);
    chooses(0);
    assert_true(waited(0) == 0 && waited(8) == 1);
    READY(0);
    cycles(3);
    assert_int_equal(waited(8), 1);
    READY(8);
    chooses(8);
    assert_int_equal(waited(8), 0);
  }
}

TEST_F(test_waited_ends) {
  tb(0, 0, 32);
  in.policy = HD_WPOLICY_GRR;
  READY(0, 8);
  cycles(5000);
  assert_int_equal(waited(8), 1024);
  assert_int_equal(waited(0), 0);
  in.warp_valid[8] = 0;
  cycle();
  assert_int_equal(waited(8), 0);
}

/* lwf: a ready warp that has waited for 1024 cycles goes first, and this is reported; then the list again. */
TEST_F(test_goes_first) {
  tb(0, 0, 8);
  in.policy = HD_WPOLICY_LWF;
  stall(4, 9);
  settle();
  READY(2, 4);
  for (unsigned round = 0; round < 3; round++) {
    for (unsigned t = 0; t < 1024; t++) {
      chooses(4);
      assert_false(out.starved[0]);
    }
    chooses(2);
    assert_true(out.starved[0] && !out.starved[1]);
  }
}

/* Among several such warps the first of the list, and only ready ones. */
TEST_F(test_several_wait) {
  tb(0, 0, 8);
  in.policy = HD_WPOLICY_LWF;
  stall(4, 9);
  stall(6, 5);
  settle();
  READY(0, 2, 4, 6);
  cycles(1024);
  issues(0, 4);
  in.warp_ready[6] = 0;
  chooses(0);
  assert_true(out.starved[0]);
  in.warp_ready[6] = 1;
  chooses(6);
  chooses(2);
  assert_true(out.starved[0]);
  chooses(4);
  assert_false(out.starved[0]);
}

/* No other policy gives priority to a waiting warp. */
TEST_F(test_others_do_not) {
  tb(0, 0, 8);
  for (unsigned policy = HD_WPOLICY_GRR; policy <= HD_WPOLICY_GTO; policy++) {
    in.policy = (uint8_t)policy;
    READY(0, 2);
    for (unsigned t = 0; t < 1500; t++) {
      chooses(0);
      assert_false(out.starved[0]);
    }
  }
}

TEST_MAIN("warp_counts", NULL, NULL)
