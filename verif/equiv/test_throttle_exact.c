/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* RTL of throttle against its golden model with 13 SMXs and short epochs; and n of the RTL after samples against exact
 * arithmetic: 20,000 samples with random dead bands and as many without one; a million with the argument `long`. */
/* clang-format off */
#include <string.h>

#include "equiv/cases.h"
#include "engine/rng.h"
#include "gen/hd_throttle_ports.h"
/* clang-format on */

#define SMXS "tiny+NumSmx=13"
#define HOLDS SMXS "+EqualHolds=1+Recovers=0"

enum { EPOCH = 64 };
static unsigned samples = 20000;

__extension__ typedef unsigned __int128 wide; /* stalls times cycles */

static struct hd_sim *sim;
static struct hd_throttle_in in;

static void begin(const char *config) {
  char err[512];
  struct hd_sim_opts o = {.block = "throttle", .cfg = hd_case_cfg(config), .seed = 1, .test = "directed"};
  sim = hd_sim_open(&o, err, sizeof err);
  if (!sim) fail_msg("%s", err);
  in = (struct hd_throttle_in){.regs_config.throttle = 1, .regs_config.throttle_epoch = EPOCH};
}

static void end(void) {
  assert_int_equal(hd_sim_finish(sim), HD_PASS);
  hd_sim_close(sim);
}

static unsigned cycle(void) {
  const void *out;
  assert_int_equal(hd_sim_cycle(sim, &in, &out), HD_PASS);
  return ((const struct hd_throttle_out *)out)->open_count;
}

/* Takes a sample after the counters advanced by these amounts; returns n in the cycle that shows its verdict. */
static unsigned epoch(uint32_t cycles, uint32_t dram_full, uint32_t icnt2sm) {
  in.cycles += cycles;
  in.dram_full += dram_full;
  in.icnt2sm += icnt2sm;
  in.sched_unassigned = 1;
  cycle();
  in.sched_unassigned = 0;
  for (unsigned t = 1; t < EPOCH; t++) cycle();
  return cycle();
}

TEST(random_run) {
  hd_case("throttle", SMXS, 200000);
}

TEST(random_holds) {
  hd_case("throttle", HOLDS, 200000);
}

/* ---- exact ---- */

static struct hd_rng rng = {7};

/* Of all lengths; sometimes the largest. */
static uint32_t any(void) {
  const unsigned bits = hd_rng_below(&rng, 38);
  return bits > 32 ? UINT32_MAX - hd_rng_below(&rng, 2) : bits ? (uint32_t)hd_rng_bits(&rng, bits) : 0;
}

/* Random samples, a third of them with the cycles of the last one or none; counters wrap many times. */
static void exact(const char *config, bool holds, bool banded) {
  uint64_t last_stalls = 0;
  uint32_t last_span = 1;
  unsigned n = 13;
  begin(config);
  for (unsigned t = 0; t < EPOCH; t++) assert_int_equal(cycle(), n);
  for (unsigned k = 0; k < samples; k++) {
    const uint32_t dram_full = any(), icnt2sm = any(),
                   span = hd_rng_p(&rng, 170)  ? any()
                          : hd_rng_p(&rng, 20) ? 0
                                               : last_span;
    const bool like = hd_rng_p(&rng, 60) && last_stalls <= UINT32_MAX;
    const uint64_t stalls = like ? last_stalls : (uint64_t)dram_full + icnt2sm;
    in.regs_config.throttle_band = banded ? hd_rng_below(&rng, 8) : 0;
    const wide a = ((wide)stalls * last_span) << in.regs_config.throttle_band,
               b = (wide)last_stalls * span *
                   ((1u << in.regs_config.throttle_band) + (in.regs_config.throttle_band != 0));
    if (span && a > b) n -= n > 2;
    if (span && (a < b || (a == b && !holds))) n += n < 13;
    if (!holds && !stalls) n = 13; /* recovery */
    assert_int_equal(like ? epoch(span, (uint32_t)stalls, 0) : epoch(span, dram_full, icnt2sm), n);
    if (span) last_stalls = stalls, last_span = span;
  }
  end();
}

TEST(exact_up) {
  exact(SMXS, false, false);
}

TEST(exact_banded) {
  exact(SMXS, false, true);
}

TEST(exact_holds) {
  exact(HOLDS, true, false);
}

int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "long")) samples = 1000000;
  return TEST_RUN("throttle_exact", NULL, NULL);
}
