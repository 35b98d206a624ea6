/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The plane while it throttles: closed SMXs accept only TBs that are bound to them, no TB starves under any policy of
 * LaPerm or with a graph, and closed SMXs open again. The oracle checks the SMX of each TB. */
#include "unit/top/nodes_fixture.h"
#include "unit/top/policies_fixture.h"

enum { EPOCH = 64, LEAST = 2 };

/* 13 SMXs, the shortest epoch, no dead band, and the throttle enabled. */
static void begin_throttled_as(bool recovers) {
  struct hd_cfg c = ut_cfg_hashed("k20c");
  c.recovers = recovers;
  begin_with(c, &fast);
  apb(HD_REG_THROTTLE_EPOCH, true, EPOCH);
  apb(HD_REG_THROTTLE_BAND, true, 0);
  apb(HD_REG_THROTTLE, true, 1);
}

/* One after the other opens, so that a test sees which. */
static void begin_throttled(void) {
  begin_throttled_as(false);
}

/* The memory refuses more and more, or nothing any more, until this many SMXs are open; a TB waits for an SMX. */
static void until_open(unsigned n, bool storm) {
  for (unsigned k = 0; out.open_count != n; k++) {
    assert_true(k < 100);
    refusals = storm ? refusals + 1 : 0;
    ticks(EPOCH);
  }
}

/* While contention grows two SMXs accept unbound TBs: the others drain. */
TEST(closed_ones_drain) {
  begin_throttled();
  fill(HD_POLICY_RR, 240);
  assert_int_equal(out.open_count, 13);
  until_open(LEAST, true);
  no_refill(2, 15);
  no_refill(12, 15);
  refill(0, 15, 0, 208);
  refill(1, 15, 0, 209);
  until_open(4, false); /* as it ends they open, the lowest first: TB 210 goes to SMX 2 */
  assert_int_equal(tbs, 211);
  assert_int_equal(expect_tb(210, 0, 210)->smx, 2);
  until_open(13, false);
  assert_int_equal(expect_tb(211, 0, 211)->smx, 12);
  end();
}

/* smx-bind: a group runs on the closed SMX that launched it, before TBs of queue 0, which do not. */
TEST(bound_work_runs_on_closed_ones) {
  begin_throttled();
  fill(HD_POLICY_SMX_BIND, 240);
  until_open(LEAST, true);
  launch_groups(5, 1, 2);
  launch_groups(1, 3, 3);
  refill(5, 15, 1, 0);
  refill(5, 15, 2, 0);
  no_refill(5, 15);
  refill(1, 15, 3, 0);
  refill(1, 15, 0, 208);
  until_open(13, false);
  assert_int_equal(expect_tb(212, 0, 209)->smx, 5);
  end();
}

/* Disabled, every SMX accepts TBs at once. It is switched where no TB runs. */
TEST(off) {
  begin_throttled();
  fill(HD_POLICY_RR, 240);
  until_open(LEAST, true);
  episode = 1;
  for (unsigned s = 0; s < 13; s++)
    for (unsigned j = 0; j < cfg.ctas_per_smx; j++) end_tb(s, j);
  until(&ended_n, 1, 400);
  ticks(100);
  assert_true(out.open_count < 13); /* no TB waits: it does not count */
  apb(HD_REG_THROTTLE, true, 0);
  ticks(2);
  assert_int_equal(out.open_count, 13);
  end();
}

/* No refusal for an epoch: all SMXs open at once. No waiting TB for two epochs: all are open, though refusals
   continue. */
TEST(all_open_again) {
  begin_throttled_as(true);
  fill(HD_POLICY_RR, 240);
  until_open(LEAST, true);
  refusals = 0;
  for (unsigned t = 0; out.open_count != 13; t++) {
    assert_true(t < 2 * EPOCH + 64);
    ticks(1);
  }
  until_open(LEAST, true);
  episode = 1;
  for (unsigned s = 0; s < 13; s++)
    for (unsigned j = 0; j < cfg.ctas_per_smx; j++) end_tb(s, j);
  until(&ended_n, 1, 400);
  ticks(2 * EPOCH + 1);
  assert_int_equal(out.open_count, 13);
  end();
}

/* Contention grows in every epoch until all kernels are reported. */
static void storm_until_told(unsigned n) {
  for (unsigned k = 0; ended_n < n; k++) {
    assert_true(k < 2000);
    refusals++;
    ticks(EPOCH);
    assert_int_equal(out.open_count, LEAST);
  }
}

/* A full machine whose TBs launch groups, with host kernels behind it and, with a graph, one of these. */
static void play(unsigned policy, bool graph) {
  begin_throttled();
  fill(policy, 300);
  for (unsigned s = 0; s < 13; s++) launch_group(s, 0, 1 + s, 7, s, s);
  all_answered();
  until_open(LEAST, true);
  episode = 40;
  for (unsigned s = 0; s < 13; s++)
    for (unsigned j = 0; j < cfg.ctas_per_smx; j++) end_tb(s, j);
  if (graph) launch_pattern(20, 1, (struct hd_dim3){12, 12, 1}, HD_DEPLINKS_WAVEFRONT, HD_DEPLINKS_LVL_BIND, 4);
  for (unsigned k = 21; k < 25; k++) host_kernel(k, k - 19, 60);
  storm_until_told(graph ? 6 : 5);
  assert_int_equal(tbs, 300 + 13 * 7 + 4 * 60 + (graph ? 144 : 0));
  for (unsigned n = 0; n < ended_n; n++) assert_int_equal(ended[n].c.failed, 0);
  end();
}

TEST(nothing_starves) {
  for (unsigned policy = 0; policy < HD_NUM_POLICY; policy++) play(policy, false);
}

TEST(nothing_starves_beside_a_graph) {
  for (unsigned policy = 0; policy < HD_NUM_POLICY; policy++) play(policy, true);
}

TEST_MAIN("throttled", NULL, NULL)
