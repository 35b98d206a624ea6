/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* RTL of warp against its golden model in the paper's machine, with counters that overflow; and measured on the RTL:
 * one issue per scheduler and cycle, the age of the order, its exactness when counts do not change, new TBs,
 * halving. */
/* clang-format off */
#include <string.h>

#include "engine/rng.h"
#include "equiv/cases.h"
#include "gen/hd_warp_ports.h"
/* clang-format on */

#define PAPER "gtx480ws"
#define NARROW "gtx480ws+StallW=5+WarpWait=100"

enum { WARPS = 32, SLOTS = 8, PASS = 32 };

static struct hd_sim *sim;
static struct hd_warp_in in;
static struct hd_warp_out out;

static void begin(const char *config) {
  char err[512];
  struct hd_sim_opts o = {.block = "warp", .cfg = hd_case_cfg(config), .seed = 1, .test = "directed"};
  sim = hd_sim_open(&o, err, sizeof err);
  if (!sim) fail_msg("%s", err);
  memset(&in, 0, sizeof in);
}

static void end(void) {
  assert_int_equal(hd_sim_finish(sim), HD_PASS);
  hd_sim_close(sim);
}

static void cycle(void) {
  const void *shown;
  assert_int_equal(hd_sim_cycle(sim, &in, &shown), HD_PASS);
  memcpy(&out, shown, sizeof out);
  in.assign_valid = 0;
}

static void cycles(unsigned n) {
  for (; n; n--) cycle();
}

static const struct hd_warp_arch *rtl(void) {
  return hd_sim_state(sim);
}

/* Assigns a TB of n warps from `first` on, and makes them valid. */
static void tb(unsigned slot, unsigned first, unsigned n) {
  in.assign_valid = 1;
  in.assign_slot = (uint8_t)slot;
  cycle();
  memset(in.warp_valid + first, 1, n);
  memset(in.warp_slot + first, (int)slot, n);
}

TEST(random_narrow) {
  hd_case("warp", NARROW, 200000);
}

TEST(profiles_narrow) {
  hd_case_profiles("warp", NARROW, 20000);
}

/* Two issues in each of 1000 cycles under every policy, whichever warps of a scheduler are ready. */
TEST(one_issue_per_cycle) {
  struct hd_rng rng = {3};
  begin(PAPER);
  for (unsigned slot = 0; slot < 4; slot++) tb(slot, 8 * slot, 8);
  for (in.policy = 0; in.policy < 4; in.policy++) {
    for (unsigned t = 0; t <= 1000; t++) {
      for (unsigned w = 0; w < WARPS; w++) in.warp_ready[w] = hd_rng_p(&rng, t % 256);
      in.warp_ready[2 * hd_rng_below(&rng, 16)] = in.warp_ready[2 * hd_rng_below(&rng, 16) + 1] = 1;
      cycle();
      if (!t && !in.policy) continue; /* no warp was ready before */
      assert_true(out.issue_valid[0] && out.issue_valid[1]);
      assert_true(out.issue_warp[0] % 2 == 0 && out.issue_warp[1] % 2 == 1);
    }
  }
  end();
}

/* ---- lists ---- */

/* A warp stalls in one cycle, at any point of the pass: it is the first of the list 32 to 63 cycles after it is
   counted. */
TEST(how_old_the_order_is) {
  begin(PAPER);
  for (unsigned phase = 0; phase < PASS; phase++) {
    unsigned age = 0;
    hd_sim_reset(sim, 1);
    memset(&in, 0, sizeof in);
    tb(0, 0, WARPS);
    while (rtl()->phase != phase) cycle();
    in.stall_raw[20] = 1;
    cycle();
    in.stall_raw[20] = 0;
    for (; rtl()->order[0] != 10; age++) cycle();
    assert_int_equal(age, 2 * PASS - 1 - phase);
  }
  end();
}

/* Returns how many warps of its scheduler precede this one, by the present counts. */
static unsigned place(unsigned warp) {
  const struct hd_warp_arch *a = rtl();
  unsigned n = 0;
  for (unsigned w = warp % 2; w < WARPS; w += 2) {
    const int age = a->rank[in.warp_slot[w]] - a->rank[in.warp_slot[warp]];
    const int stalls = a->count[warp] - a->count[w];
    n += age < 0 || (!age && (stalls < 0 || (!stalls && w < warp)));
  }
  return n;
}

/* Warps stall at random; 63 cycles after the last stall the order is exact and stays so, and warps issue in it. */
TEST(exact_when_counts_stand_still) {
  struct hd_rng rng = {5};
  begin(PAPER);
  in.policy = HD_WPOLICY_LWF;
  for (unsigned k = 0; k < SLOTS; k++) tb((3 * k) % SLOTS, 4 * k, 4);
  for (unsigned round = 0; round < 100; round++) {
    for (unsigned t = 10 + hd_rng_below(&rng, 100); t; t--) {
      for (unsigned w = 0; w < WARPS; w++) in.stall_pipe[w] = hd_rng_p(&rng, 8 * (w * 5 % 7));
      cycle();
    }
    memset(in.stall_pipe, 0, sizeof in.stall_pipe);
    cycles(2 * PASS - 1);
    for (unsigned t = 0; t < 40; t++) {
      for (unsigned w = 0; w < WARPS; w++) assert_int_equal(rtl()->order[w % 2 * 16 + place(w)], w / 2);
      cycle();
    }
    memset(in.warp_ready, 1, sizeof in.warp_ready);
    for (unsigned k = 0; k < 16; k++) {
      const unsigned even = 2u * rtl()->order[k], odd = 2u * rtl()->order[16 + k] + 1;
      cycle();
      in.warp_ready[even] = in.warp_ready[odd] = 0;
      cycle();
      assert_true(out.issue_warp[0] == even && out.issue_warp[1] == odd);
    }
  }
  end();
}

/* ---- counts ---- */

/* TBs start and end at random, and all valid warps stall in half of their cycles. A warp that was not valid in the
 * previous cycle has no stall cycles. For any two warps of a TB, halving keeps their order by stall cycles. */
TEST(new_tbs_and_halving) {
  struct hd_rng rng = {11};
  unsigned begun = 0, halved = 0;
  begin(NARROW);
  for (unsigned t = 0; t < 20000; t++) {
    const struct hd_warp_arch was = *rtl();
    for (unsigned w = 0; w < WARPS; w++) {
      in.stall_raw[w] = hd_rng_p(&rng, 8 * (w % 16));
      in.stall_pipe[w] = hd_rng_p(&rng, 30);
    }
    struct hd_warp_in now = in;
    const unsigned slot = hd_rng_below(&rng, 2);
    if (!hd_rng_below(&rng, 300)) {
      memset(in.warp_valid + 16 * slot, 0, 16);
      now = in;
      tb(slot, 16 * slot, 16);
    } else {
      cycle();
    }
    const uint16_t *is = rtl()->count;
    for (unsigned a = 0; a < WARPS; a++) {
      if (!now.warp_valid[a]) assert_int_equal(is[a], 0);
      begun += !now.warp_valid[a] && in.warp_valid[a];
      if (!now.warp_valid[a] || is[a] >= was.count[a]) continue;
      halved++;
      for (unsigned b = a / 16 * 16; b < a / 16 * 16 + 16; b++)
        if (was.count[a] > was.count[b]) assert_true(is[a] >= is[b]);
    }
  }
  print_message("%u warps of new TBs, %u counts halved\n", begun, halved);
  assert_true(begun > 100 && halved > 1000);
  end();
}

TEST_MAIN("warp", NULL, NULL)
