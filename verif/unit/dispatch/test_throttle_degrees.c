/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Degrees of contention against exact arithmetic, and the long-run behaviour of n. */
#include "unit/dispatch/throttle_fixture.h"

enum { SAMPLES = 1000000, ROUNDS = 20 };

/* Products of stalls (33 bits) and cycles (32). */
__extension__ typedef unsigned __int128 wide;

struct degree {
  uint64_t stalls;
  uint32_t span;
};

static uint64_t seed;

static uint32_t random_bits(unsigned bits) {
  return bits ? ut_rand(&seed) >> (32 - bits) : 0;
}

/* Numbers of all lengths, and the largest. */
static uint32_t any(void) {
  return ut_below(&seed, 16) ? random_bits(ut_below(&seed, 33)) : UINT32_MAX - ut_below(&seed, 2);
}

/* Cycles and stalls that make about the last degree: a multiple of it, one stall more, one less. */
static void near(const struct degree *last, uint32_t *span, uint32_t *dram_full, uint32_t *icnt2sm) {
  const unsigned k = in.regs_config.throttle_band < 7 && ut_below(&seed, 2) ? in.regs_config.throttle_band : 0;
  const uint64_t times = (uint64_t)(1 + random_bits(ut_below(&seed, 12))) << k;
  const uint64_t stalls = last->stalls * times + (k ? last->stalls * times >> k : 0) + ut_below(&seed, 3) - 1;
  if (last->span * times > UINT32_MAX || stalls > UINT64_C(0x1fffffffe)) return;
  *span = (uint32_t)(last->span * times);
  *dram_full = stalls > UINT32_MAX ? UINT32_MAX : (uint32_t)stalls;
  *icnt2sm = (uint32_t)(stalls - *dram_full);
}

/* The degree and the end of the band, with the same span. */
static void products(const struct degree *d, const struct degree *last, wide *degree, wide *bar) {
  const unsigned k = in.regs_config.throttle_band < 7 ? in.regs_config.throttle_band : 7;
  *degree = ((wide)d->stalls * last->span) << k;
  *bar = (wide)last->stalls * d->span;
  *bar = (*bar << k) + (k ? *bar : 0);
}

static unsigned expected(unsigned n, const struct degree *d, const struct degree *last, bool holds) {
  wide a, b;
  products(d, last, &a, &b);
  if (a > b) return n > 2 ? n - 1 : n;
  if (a == b && holds) return n;
  return n < cfg.num_smx ? n + 1 : n;
}

/* A million random samples, whose counters wrap again and again. */
static void exact(bool holds, bool banded) {
  struct degree last = {0, 1};
  unsigned n = cfg.num_smx, wraps = 0, higher = 0, equal = 0, lower = 0, none = 0;
  seed = 0x5eed;
  idle(64);
  for (unsigned k = 0; k < SAMPLES; k++) {
    uint32_t span = any(), dram_full = any(), icnt2sm = any();
    if (banded) in.regs_config.throttle_band = ut_below(&seed, 9);
    if (ut_below(&seed, 3) == 0) near(&last, &span, &dram_full, &icnt2sm);
    if (ut_below(&seed, 50) == 0) span = 0;
    const struct hd_throttle_in was = in;
    sample(span, dram_full, icnt2sm);
    wraps += (in.cycles < was.cycles) + (in.dram_full < was.dram_full) + (in.icnt2sm < was.icnt2sm);
    const struct degree d = {(uint64_t)dram_full + icnt2sm, span};
    idle(63);
    none += !d.span;
    if (d.span) {
      wide a, b;
      products(&d, &last, &a, &b);
      higher += a > b, equal += a == b, lower += a < b;
      n = expected(n, &d, &last, holds);
      last = d;
    }
    hd_throttle_eval(m, &in, &out);
    if (out.open_count != n) fail_msg("sample %u: n is %u, exactly it is %u", k, out.open_count, n);
  }
  print_message("%u samples, %u wraps: %u higher, %u equal, %u lower, %u without a cycle\n", SAMPLES, wraps, higher,
                equal, lower, none);
  assert_true(wraps > SAMPLES / 4 && higher > 1000 && equal > 1000 && lower > 1000 && none > 1000);
}

TEST_F(test_exact) {
  exact(false, false);
}

TEST_F(test_exact_holds) {
  free(m);
  start_with(by_the_paper(ut_cfg_but(ut_cfg_with("k20c", "Epoch", 64), "EqualHolds", 1)));
  exact(true, false);
}

/* With a band of its own for each sample, and none. */
TEST_F(test_exact_banded) {
  exact(false, true);
}

/* The closest possible degrees, 2 - 1 / span with the longest spans: the products differ by one. And the highest. */
TEST_F(test_close) {
  const uint32_t max = UINT32_MAX;
  epoch(max - 1, max, max - 3, 12);
  epoch(max, max, max - 1, 11);
  epoch(max - 1, max, max - 3, 12);
  epoch(max - 1, max - 3, max, 13);
  epoch(max, max, max - 1, 12);
  epoch(max, max, max, 11);
  epoch(1, max, max, 10);
  epoch(1, max, max - 1, 11);
  epoch(2, max, max, 12);
  epoch(1, 0, max, 13);
  epoch(1, max, max, 12);
}

/* ---- in the long run ---- */

/* Contention that grows from epoch to epoch closes all but two SMXs, and one is opened as it ends. */
static void grow_and_end(void) {
  for (unsigned k = 1; k <= 11; k++) epoch(64, k, k, 13 - k);
  epoch(64, 0, 0, 3);
}

/* Then all degrees are 0, and n goes up to all. */
TEST_F(test_recovers) {
  grow_and_end();
  for (unsigned k = 1; k <= ROUNDS; k++) epoch(64, 0, 0, 3 + k < 13 ? 3 + k : 13);
}

/* With the paper's listing they are equal, and it stays at 3 of 13. */
TEST_F(test_stays) {
  free(m);
  start_with(by_the_paper(ut_cfg_but(ut_cfg_with("k20c", "Epoch", 64), "EqualHolds", 1)));
  grow_and_end();
  for (unsigned k = 1; k <= 50 * ROUNDS; k++) epoch(64, 0, 0, 3);
}

/* The same contention forever: n goes up to all, as without contention. */
TEST_F(test_steady) {
  for (unsigned k = 1; k <= 8; k++) epoch(640, 50 * k, 7, 13 - k);
  for (unsigned k = 1; k <= ROUNDS; k++) epoch(640, 400, 7, 5 + k < 13 ? 5 + k : 13);
}

/* Steady contention that varies by a fifth: without a band it closes SMXs again and again; with one of a quarter n
 * stays at all of them, once it is there. */
TEST_F(test_noise) {
  for (unsigned band = 0; band <= 2; band += 2) {
    unsigned sum = 0;
    seed = 0x5eed;
    recovering();
    in.regs_config.throttle_band = band;
    epoch(1000, 1000, 0, 12);
    for (unsigned k = 0; k < 1000; k++) {
      idle(1);
      sample(1000, 1000 + ut_below(&seed, 200), 0);
      idle(63);
      hd_throttle_eval(m, &in, &out);
      sum += out.open_count;
    }
    print_message("band %u: %u.%03u SMXs open on the mean\n", band, sum / 1000, sum % 1000);
    assert_true(band ? sum == 13000 : sum < 10000);
  }
}

TEST_MAIN("throttle_degrees", NULL, NULL)
