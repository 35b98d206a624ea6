/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Choice of the issuing warp: each policy, state of the schedulers, counts of cycles without an issue. */
#include "unit/dispatch/warp_fixture.h"

static void setup_warps(unsigned policy) {
  tb(0, 0, cfg.warps_per_smx);
  in.policy = (uint8_t)policy;
}

/* ---- issue ---- */

/* Ready in t, issued in t + 1; each scheduler has the warps of its parity, and both issue at once. */
TEST_F(test_parity) {
  setup_warps(HD_WPOLICY_RR);
  cycle();
  assert_false(out.issue_valid[0] || out.issue_valid[1]);
  READY(6, 9, 11);
  cycle();
  assert_false(out.issue_valid[0] || out.issue_valid[1]);
  issues(0, 6);
  issues(1, 9);
  cycle();
  issues(0, 6);
  issues(1, 11);
  READY(31);
  cycle();
  issues(0, -1);
  issues(1, 31);
}

/* For any set of ready warps: at most one issue per scheduler, and one if one can. An invalid warp never issues. */
TEST_F(test_one) {
  uint64_t seed = 77;
  for (unsigned t = 0; t < 20000; t++) {
    bool can[2] = {false, false};
    in.policy = (uint8_t)ut_below(&seed, 4);
    for (unsigned w = 0; w < cfg.warps_per_smx; w++) {
      in.warp_valid[w] = ut_below(&seed, 4) > 0;
      in.warp_ready[w] = ut_below(&seed, 8) == 0;
      in.warp_slot[w] = (uint8_t)ut_below(&seed, 8);
      can[w % 2] |= in.warp_valid[w] && in.warp_ready[w];
    }
    cycle();
    hd_warp_eval(m, &in, &out);
    for (unsigned p = 0; p < 2; p++) {
      const unsigned w = out.issue_warp[p];
      assert_int_equal(out.issue_valid[p], can[p]);
      if (can[p]) assert_true(w % 2 == p && in.warp_valid[w] && in.warp_ready[w]);
    }
  }
}

/* A cycle without an issue is reported as stalled if the scheduler has a warp. */
TEST_F(test_stalled) {
  in.warp_ready[2] = 1;
  cycles(2);
  assert_false(out.stalled[0] || out.stalled[1]);
  put(0, 4, 2, 3);
  cycles(2);
  assert_true(out.stalled[0] && !out.stalled[1]);
  READY(6);
  cycles(2);
  assert_false(out.stalled[0] || out.stalled[1]);
  put(1, 5, 2, 1);
  cycles(2);
  assert_true(!out.stalled[0] && out.stalled[1]);
}

/* ---- policies ---- */

/* rr: warp 0 first after reset; then round robin, skipping those that are not ready. */
TEST_F(test_rr) {
  setup_warps(HD_WPOLICY_RR);
  all_ready();
  for (unsigned t = 0; t < 40; t++) chooses((int)(2 * t % 32));
  READY(2, 4, 30);
  for (unsigned t = 0; t < 2; t++) {
    chooses(30);
    chooses(2);
    chooses(4);
  }
  READY(4);
  chooses(4);
  chooses(4);
}

/* grr: the same one while it is ready, then the next in turn, and that one again. */
TEST_F(test_grr) {
  setup_warps(HD_WPOLICY_GRR);
  all_ready();
  for (unsigned t = 0; t < 5; t++) chooses(0);
  in.warp_ready[0] = 0;
  for (unsigned t = 0; t < 5; t++) chooses(2);
  all_ready();
  chooses(2);
  READY(0, 30);
  chooses(30);
  READY(0, 2);
  chooses(0);
}

/* gto: the same one while it is ready, then the oldest TB's, of these the smallest. */
TEST_F(test_gto) {
  tb(5, 16, 8);
  tb(2, 0, 4);
  tb(7, 24, 8);
  tb(0, 8, 8);
  in.policy = HD_WPOLICY_GTO;
  READY(0, 20, 22, 24);
  chooses(20);
  in.warp_ready[16] = 1;
  chooses(20);
  in.warp_ready[20] = 0;
  chooses(16);
  READY(2, 8, 24);
  chooses(2);
  in.warp_ready[0] = 1;
  chooses(2);
  READY(8, 30);
  chooses(30);
  READY(8, 24, 28);
  chooses(24);
  READY(8, 12);
  chooses(8);
}

/* lwf: the list of the sample, place by place: most stall cycles first, of the oldest TB. */
TEST_F(test_lwf) {
  tb(3, 8, 8);
  tb(1, 0, 8);
  stall(12, 5);
  stall(10, 3);
  stall(6, 9);
  in.policy = HD_WPOLICY_LWF;
  settle();
  static const int list[] = {12, 10, 8, 14, 6, 0, 2, 4};
  all_ready();
  for (unsigned k = 0; k < 8; k++) {
    chooses(list[k]);
    in.warp_ready[list[k]] = 0;
  }
  chooses(-1);
  in.warp_ready[4] = 1;
  chooses(4);
  in.warp_ready[14] = 1;
  chooses(14);
}

/* One list over all TBs: the most stall cycles first, in any TB. */
TEST_F(test_one_list) {
  tb(3, 8, 8);
  tb(1, 0, 8);
  stall(12, 5);
  stall(10, 3);
  stall(6, 9);
  stall(2, 3);
  in.one_list = 1;
  in.policy = HD_WPOLICY_LWF;
  settle();
  static const int list[] = {6, 12, 2, 10, 0, 4, 8, 14};
  all_ready();
  for (unsigned k = 0; k < 8; k++) {
    chooses(list[k]);
    in.warp_ready[list[k]] = 0;
  }
}

/* A policy takes effect in the cycle in which it is seen; all share the same last warp. */
TEST_F(test_change) {
  setup_warps(HD_WPOLICY_RR);
  stall(24, 3);
  settle();
  all_ready();
  in.policy = HD_WPOLICY_LWF;
  chooses(24);
  in.policy = HD_WPOLICY_GRR;
  chooses(24);
  in.policy = HD_WPOLICY_RR;
  chooses(26);
  in.policy = HD_WPOLICY_GTO;
  chooses(26);
  in.warp_ready[26] = 0;
  chooses(0);
}

/* ---- held ---- */

/* Nothing is held after reset, though the last warp is ready. */
TEST_F(test_not_held) {
  setup_warps(HD_WPOLICY_GRR);
  READY(8, 30);
  chooses(8);
  hd_warp_reset(m);
  in.policy = HD_WPOLICY_GTO;
  READY(8, 30);
  chooses(8);
}

/* A warp that ended is not held when its place has a new one; the next warp after it goes. */
TEST_F(test_ended) {
  for (unsigned policy = HD_WPOLICY_GRR; policy <= HD_WPOLICY_GTO; policy++) {
    hd_warp_reset(m);
    memset(&in, 0, sizeof in);
    setup_warps(policy);
    READY(8);
    chooses(8);
    READY(20);
    in.warp_ready[20] = 0;
    in.warp_valid[8] = 0;
    assert_int_equal(arch()->held[0], 1);
    chooses(-1);
    assert_int_equal(arch()->held[0], 0);
    in.warp_valid[8] = 1;
    READY(2, 8, 12);
    chooses(policy == HD_WPOLICY_GRR ? 12 : 2);
    assert_int_equal(arch()->held[0], 1);
  }
}

/* It stays held while it is valid and not ready, and no other warp issues. */
TEST_F(test_stays_held) {
  setup_warps(HD_WPOLICY_GRR);
  READY(8);
  chooses(8);
  memset(in.warp_ready, 0, sizeof in.warp_ready);
  for (unsigned t = 0; t < 10; t++) chooses(-1);
  all_ready();
  chooses(8);
}

/* ---- other machines ---- */

/* One warp; three; and the second scheduler's last one that is not there. */
TEST_F(test_odd) {
  for (unsigned policy = 0; policy < 4; policy++) {
    start_anew(ut_cfg_with("tiny", "ThreadsPerSmx", 32));
    setup_warps(policy);
    all_ready();
    chooses(0);
    issues(1, -1);
    start_anew(ut_cfg_with("tiny", "ThreadsPerSmx", 96));
    setup_warps(policy);
    stall(2, 3);
    all_ready();
    for (unsigned t = 0; t < 200; t++) {
      cycle();
      issues(1, 1);
    }
    assert_int_equal(arch()->order[2], 0);
    assert_int_equal(arch()->order[3], 1);
  }
}

TEST_MAIN("warp", NULL, NULL)
