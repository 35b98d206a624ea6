/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* RTL of spill against its golden model, and its rates, counted in cycles of the RTL. */
#include <string.h>

/* clang-format off */
#include "equiv/cases.h"
#include "env/common/memory.h"
#include "gen/hd_spill_ports.h"
/* clang-format on */

enum { PLACES = 2048, RECORD = 32, WAITING = 400, MEASURED = 1000, BANKS = 13 };

static struct hd_sim *sim;
static struct hd_spill_in in;
static struct hd_spill_out now; /* outputs that are known before the cycle: all but wbeat */
static struct hd_memory_bursts memory;
static uint8_t bytes[PLACES * RECORD];
static unsigned pushed, popped, banks;
static unsigned gone[BANKS]; /* groups of the bank that returned */

/* Groups go to this many banks round robin, all of them at level 1. */
static void begin(unsigned latency, unsigned to) {
  char err[512];
  struct hd_sim_opts o = {.block = "spill", .cfg = hd_case_cfg("k20c"), .seed = 1, .test = "directed"};
  assert_int_equal(o.cfg.num_bank, BANKS);
  assert_int_equal(o.cfg.spill_flight, 16);
  sim = hd_sim_open(&o, err, sizeof err);
  if (!sim) fail_msg("%s", err);
  in = (struct hd_spill_in){.regs_config.spill_count = PLACES};
  memory = (struct hd_memory_bursts){.latency = latency};
  pushed = popped = 0;
  banks = to;
  memset(gone, 0, sizeof gone);
}

static void end(void) {
  assert_int_equal(hd_sim_finish(sim), HD_PASS);
  hd_sim_close(sim);
}

/* Runs a cycle in which a group is put if there is room and it may be, and returning groups are taken or not. The TB
 * count of a group is its number, and the groups of a bank return in that order. */
static void cycle(bool put, bool take) {
  const void *shown;
  in.mem = memory.pins;
  hd_sim_now(sim, &in, &now);
  in.laperm_put.valid = put && now.put_ready;
  in.laperm_put.bank = in.laperm_put.valid ? (uint8_t)(pushed % banks) : 0;
  in.laperm_put.info = (struct hd_info){0};
  if (in.laperm_put.valid) in.laperm_put.info = (struct hd_info){.ctas = pushed++, .level = 1};
  memset(in.laperm_place, take, sizeof in.laperm_place);
  in.laperm_back_ready = take;
  assert_int_equal(hd_sim_cycle(sim, &in, &shown), HD_PASS);
  const struct hd_spill_out *out = shown;
  if (out->back.valid && take) {
    assert_int_equal(out->back.info.ctas, out->back.bank + banks * gone[out->back.bank]++);
    popped++;
  }
  hd_memory_drive_bursts(&memory, NULL, NULL, &out->mem, bytes, 0, sizeof bytes);
}

/* Runs a cycle that keeps about this many groups in memory. */
static void evenly(void) {
  const unsigned here = pushed - popped;
  cycle(here<WAITING + 4, here> WAITING);
}

/* Returns hundredths of a cycle for one group in and one out, with this many waiting in memory. */
static unsigned hundredths(unsigned latency, unsigned to) {
  begin(latency, to);
  while (pushed < WAITING) cycle(true, false);
  for (unsigned t = 0; t < 2 * latency + 100; t++) cycle(false, false);
  while (popped < 100) evenly();
  unsigned t = 0;
  for (const unsigned first = popped, put = pushed; popped < first + MEASURED; t++) {
    evenly();
    if (popped == first + MEASURED) assert_in_range(pushed - put, MEASURED - 10, MEASURED + 10); /* as many in */
  }
  end();
  return t * 100 / MEASURED;
}

/* Eight cycles, or as many as are needed to return one group of each bank, five more than the latency. */
static void measure(unsigned latency, unsigned to) {
  const unsigned c = hundredths(latency, to), round = (latency + 5) * 100 / to;
  print_message("memory latency %3u, %2u banks: %u.%02u cycles for a group in and one out\n", latency, to, c / 100,
                c % 100);
  const unsigned want = round > 800 ? round : 800;
  assert_in_range(c, want - want / 100, want + want / 100);
}

TEST(rate_of_all_banks) {
  static const unsigned latencies[] = {1, 40, 80, 120, 400};
  for (unsigned k = 0; k < 5; k++) measure(latencies[k], BANKS);
}

TEST(rate_of_few_banks) {
  measure(1, 1);
  measure(40, 1);
  measure(40, 6);
}

TEST_MAIN("spill", NULL, NULL)
