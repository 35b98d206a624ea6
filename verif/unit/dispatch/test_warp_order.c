/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The lists: the order of a sample, when it takes effect, and its age. */
#include "unit/dispatch/warp_fixture.h"

/* ---- a reference order: how many precede each ---- */

/* What a list is made of. */
struct sample {
  struct hd_warp_in in;
  struct hd_warp_arch state;
};

static bool ranks_before(const struct sample *s, unsigned a, unsigned b) {
  const bool there = a < cfg.warps_per_smx && s->in.warp_valid[a],
             there_b = b < cfg.warps_per_smx && s->in.warp_valid[b];
  if (there != there_b) return there;
  if (!there) return a < b;
  const unsigned rank_a = s->state.rank[s->in.warp_slot[a]], rank_b = s->state.rank[s->in.warp_slot[b]];
  const int age = s->in.one_list ? 0 : (int)rank_a - (int)rank_b;
  const int stalls = (int)s->state.count[b] - (int)s->state.count[a];
  return age < 0 || (!age && (stalls < 0 || (!stalls && a < b)));
}

/* The order that is used now is that of the sample. */
static void is_order_of(const struct sample *s) {
  const struct hd_warp_arch *a = arch();
  const unsigned n = cfg.warps_per_sched;
  for (unsigned p = 0; p < 2; p++) {
    for (unsigned i = 0; i < n; i++) {
      unsigned place = 0;
      for (unsigned k = 0; k < n; k++) place += k != i && ranks_before(s, 2 * k + p, 2 * i + p);
      assert_int_equal(a->order[p * n + place], i);
    }
  }
}

static void take(struct sample *s) {
  s->in = in;
  s->state = *arch();
}

/* ---- random warps ---- */

static uint64_t seed;

static void random_warps(unsigned changes) {
  const unsigned n = cfg.warps_per_smx;
  for (; changes; changes--) {
    const unsigned w = ut_below(&seed, n);
    in.warp_valid[w] = ut_below(&seed, 4) > 0;
    in.warp_slot[w] = (uint8_t)ut_below(&seed, cfg.ctas_per_smx);
  }
  for (unsigned w = 0; w < n; w++) {
    in.stall_control[w] = ut_below(&seed, n) < w / 4;
    in.warp_ready[w] = ut_below(&seed, 2);
  }
}

static void random_assign(void) {
  const unsigned slot = ut_below(&seed, cfg.ctas_per_smx);
  if (ut_below(&seed, 10)) return;
  for (unsigned w = 0; w < cfg.warps_per_smx; w++)
    if (in.warp_slot[w] == slot) in.warp_valid[w] = 0;
  in.assign_valid = 1;
  in.assign_slot = (uint8_t)slot;
}

/* In each cycle t the order is exactly that of the last sample that is 32 to 63 cycles old; before, that of the
 * numbers. */
static void follow(unsigned passes) {
  struct sample used, made;
  memset(&used, 0, sizeof used);
  memset(&made, 0, sizeof made);
  seed = 5;
  for (unsigned t = 0; t < passes * PASS; t++) {
    assert_int_equal(arch()->phase, t % PASS);
    random_warps(t / PASS % 3);
    in.one_list = ut_below(&seed, 3) == 0;
    in.policy = (uint8_t)ut_below(&seed, 4);
    random_assign();
    if (t % PASS == 0) {
      used = made;
      take(&made);
    }
    is_order_of(&used);
    cycle();
  }
}

TEST_F(test_random) {
  follow(300);
}

TEST_F(test_random_others) {
  static const unsigned threads[] = {32, 64, 96, 512, 1504, 2048};
  for (unsigned k = 0; k < sizeof threads / sizeof *threads; k++) {
    start_anew(ut_cfg_but(ut_cfg_with("k20c", "ThreadsPerSmx", threads[k]), "StallW", 3));
    follow(100);
  }
}

/* ---- how old ---- */

/* Stalls from cycle s - 1 on are in the order from s + 32 on if s has phase 0, wherever in the pass they began: after
 * 32 to 63 cycles. */
TEST_F(test_age) {
  for (unsigned phase = 0; phase < PASS; phase++) {
    hd_warp_reset(m);
    memset(&in, 0, sizeof in);
    put(0, 0, 1, 32);
    settle();
    cycles(phase);
    assert_int_equal(arch()->order[0], 0);
    stall(20, 1); /* at the start of the next cycle it is counted */
    unsigned age = 0;
    while (arch()->order[0] != 10) cycle(), age++;
    assert_int_equal(age, 2 * PASS - 1 - phase);
    assert_true(age >= 31 && age <= 63);
  }
}

/* Counts do not change: two passes later the order is exact, and stays so. */
TEST_F(test_is_idle) {
  struct sample now;
  seed = 8;
  for (unsigned round = 0; round < 50; round++) {
    random_warps(20);
    cycles(1 + ut_below(&seed, 200));
    memset(in.stall_control, 0, sizeof in.stall_control);
    cycles(2 * PASS - 1);
    for (unsigned t = 0; t < 100; t++) {
      take(&now);
      is_order_of(&now);
      cycle();
    }
  }
}

/* The order is wholly turned around in one pass: the network has time for the farthest way. */
TEST_F(test_turned_around) {
  start_anew(ut_cfg("k20c"));
  put(0, 0, 1, 64);
  for (unsigned t = 0; t < 64; t++) {
    for (unsigned w = 0; w < 64; w++) in.stall_pipe[w] = w >= t;
    cycle();
  }
  memset(in.stall_pipe, 0, sizeof in.stall_pipe);
  settle();
  for (unsigned p = 0; p < 2; p++)
    for (unsigned k = 0; k < 32; k++) assert_int_equal(arch()->order[32 * p + k], 31 - k);
}

/* ---- ties and those that are not there ---- */

static void order(const uint8_t *want, unsigned n) {
  settle();
  for (unsigned k = 0; k < n; k++) assert_int_equal(2 * arch()->order[k], want[k]);
}

/* Equal counts: the smaller warp first, within a TB and in one list. */
TEST_F(test_ties) {
  tb(3, 8, 8);
  tb(1, 0, 8);
  stall(14, 2);
  stall(10, 2);
  stall(2, 2);
  stall(6, 2);
  order((const uint8_t[]){10, 14, 8, 12, 2, 6, 0, 4, 16, 18}, 10);
  in.one_list = 1;
  order((const uint8_t[]){2, 6, 10, 14, 0, 4, 8, 12, 16, 18}, 10);
}

/* The older TB goes first, independent of its number and its stalls. */
TEST_F(test_ages) {
  tb(7, 24, 4);
  tb(0, 0, 4);
  tb(4, 8, 4);
  stall(10, 30);
  stall(2, 10);
  order((const uint8_t[]){24, 26, 2, 0, 10, 8, 4, 6}, 8);
  memset(in.warp_valid + 24, 0, 4);
  tb(7, 24, 4);
  order((const uint8_t[]){2, 0, 10, 8, 24, 26, 4, 6}, 8);
}

/* A warp that comes after the sample is behind all that were there, in the order of the numbers. */
TEST_F(test_newcomers) {
  tb(0, 16, 8);
  in.policy = HD_WPOLICY_LWF;
  settle();
  put(0, 0, 1, 4);
  put(1, 28, 1, 4);
  READY(0, 2, 22, 28);
  chooses(22);
  READY(0, 2, 28);
  chooses(0);
  READY(2, 28);
  chooses(2);
  READY(28);
  chooses(28);
}

/* A warp that ends keeps its place until the next list is used; a new warp with its number has the place. */
TEST_F(test_leaves) {
  tb(0, 0, 8);
  stall(6, 3);
  in.policy = HD_WPOLICY_LWF;
  settle();
  in.warp_valid[6] = 0;
  READY(0, 6);
  chooses(0);
  tb(2, 6, 1);
  chooses(6);
  settle();
  chooses(0);
}

/* Reset: the order of numbers, and phase 0; earlier samples are not used. */
TEST_F(test_reset) {
  tb(0, 0, 32);
  stall(8, 40);
  settle();
  cycles(5);
  hd_warp_reset(m);
  memset(&in, 0, sizeof in);
  for (unsigned t = 0; t < 3 * PASS; t++) {
    assert_int_equal(arch()->phase, t % PASS);
    for (unsigned k = 0; k < 32; k++) assert_int_equal(arch()->order[k], k % 16);
    cycle();
  }
}

TEST_MAIN("warp_order", NULL, NULL)
