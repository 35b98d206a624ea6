/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* RTL of spill against its golden model, and its rates and latencies, counted in cycles of the RTL. */
#include <string.h>

/* clang-format off */
#include "equiv/cases.h"
#include "env/common/memory.h"
#include "env/common/rings.h"
#include "gen/hd_spill_ports.h"
/* clang-format on */

/* Rings of 512 groups. The writes in flight cover a latency of 300 cycles, as do the groups being read back. */
enum { ORDER = 9, QUEUES = 52, BYTES = (QUEUES << ORDER) * HD_RING_BYTES };
enum { BANKS = 13, LEVELS = 4, LINE = 4, WAITING = 280, MEASURED = 1000, COVERED = 300 };

static struct hd_sim *sim;
static struct hd_spill_in in;
static const struct hd_spill_out *out;       /* outputs of the cycle */
static struct hd_spill_out now;              /* outputs that are known before the cycle: all but wbeat */
static uint8_t was_room[HD_MAX_RING_QUEUES]; /* in the previous cycle */
static struct hd_memory_bursts memory;
static uint8_t bytes[BYTES];
static unsigned cycles, pushed, popped;
static unsigned kept;                                     /* places of all banks that are reserved */
static unsigned put_at, write_at, last_beat_at, back_at;  /* cycles of the last ones */
static unsigned sent[BANKS][LEVELS], back[BANKS][LEVELS]; /* groups put; groups that returned */

static void begin(unsigned latency) {
  char err[512];
  struct hd_sim_opts o = {.block = "spill", .cfg = hd_case_cfg("k20c"), .seed = 1, .test = "directed"};
  assert_int_equal(o.cfg.num_bank, BANKS);
  assert_int_equal(o.cfg.max_level, LEVELS);
  assert_int_equal(o.cfg.spill_line, LINE);
  assert_int_equal(o.cfg.ring_queues, QUEUES);
  sim = hd_sim_open(&o, err, sizeof err);
  if (!sim) fail_msg("%s", err);
  in = (struct hd_spill_in){.regs_config.spill_count = QUEUES << ORDER};
  memory = (struct hd_memory_bursts){.latency = latency};
  memset(was_room, 0, sizeof was_room);
  memset(sent, 0, sizeof sent);
  memset(back, 0, sizeof back);
  cycles = pushed = popped = kept = 0;
}

static void end(void) {
  assert_int_equal(hd_sim_finish(sim), HD_PASS);
  hd_sim_close(sim);
}

/* The group that returns is the next one of its bank and level: its TB count is its number there. */
static void follow_back(void) {
  const struct hd_bankgroup *g = &out->back;
  back_at = cycles;
  if (!in.laperm_back_ready) return;
  assert_int_equal(g->info.ctas, ++back[g->bank][g->info.level - 1]);
  assert_int_equal(g->kdei, g->info.ctas % 32);
  popped++;
  kept--;
}

/* Runs a cycle in which a group of that bank and level (0: none) is put if there is room, and banks have places or not.
 * Returns whether it was put. */
static bool cycle(unsigned bank, unsigned level, bool places) {
  const void *shown;
  in.mem = memory.pins;
  hd_sim_now(sim, &in, &now);
  const bool put = level && was_room[bank * LEVELS + level - 1] && now.rows;
  in.laperm_put = (struct hd_bankgroup){.valid = put};
  if (put) {
    const unsigned n = ++sent[bank][level - 1];
    in.laperm_put.bank = (uint8_t)bank;
    in.laperm_put.kdei = (uint8_t)(n % 32);
    in.laperm_put.info = (struct hd_info){.ctas = n, .level = (uint8_t)level};
    pushed++;
    put_at = cycles;
  }
  memset(in.laperm_place, places, sizeof in.laperm_place);
  in.laperm_back_ready = 1;
  assert_int_equal(hd_sim_cycle(sim, &in, &shown), HD_PASS);
  out = shown;
  if (out->mem.valid && in.mem.ready && out->mem.req.write) write_at = cycles;
  if (in.mem.r_valid && in.mem.r.last) last_beat_at = cycles;
  if (out->back.valid) follow_back();
  for (unsigned b = 0; b < BANKS; b++) kept += (out->reserve[b] ? LINE : 0u) - out->release[b];
  memcpy(was_room, out->room, sizeof was_room);
  hd_memory_drive_bursts(&memory, NULL, NULL, &out->mem, bytes, 0, sizeof bytes);
  cycles++;
  return put;
}

static void idle(unsigned n) {
  while (n--) cycle(0, 0, false);
}

/* Runs cycles in which nothing is put and banks have places until this number of groups has returned. */
static void until_popped(unsigned goal) {
  for (unsigned t = 0; popped < goal; t++) {
    if (t == 1000) fail_msg("%u of %u groups have returned", popped, goal);
    cycle(0, 0, true);
  }
}

/* Returns hundredths of a cycle for one group in and one out of the first `banks` banks, with WAITING of them in
 * memory and not requested. */
static unsigned with_backlog(unsigned latency, unsigned banks) {
  unsigned from = 0, put = 0;
  begin(latency);
  while (pushed < WAITING) cycle(pushed % banks, 1, false);
  idle(2 * latency + 100);
  while (popped < 200 + MEASURED) {
    const unsigned here = pushed - popped - kept;
    if (popped < 200) from = cycles, put = pushed;
    cycle(pushed % banks, here<WAITING + LINE, here> WAITING);
  }
  assert_in_range(pushed - put, MEASURED - 50, MEASURED + 50); /* as many in */
  end();
  return (cycles - from) * 100 / MEASURED;
}

/* 7.5 cycles at most, whatever the bank, at each latency that the groups in flight cover. */
TEST(rate_while_groups_wait) {
  static const unsigned banks[] = {1, 6, BANKS}, latencies[] = {1, 20, 100, COVERED};
  for (unsigned l = 0; l < 4; l++)
    for (unsigned k = 0; k < 3; k++) {
      const unsigned c = with_backlog(latencies[l], banks[k]);
      print_message("memory latency %3u, groups of %2u banks: %u.%02u cycles for a group in and one out\n",
                    latencies[l], banks[k], c / 100, c % 100);
      assert_in_range(c, 720, 760);
    }
}

/* Returns hundredths of a cycle for one group in and one out if each is read back at once. */
static unsigned at_once(unsigned latency, unsigned banks) {
  begin(latency);
  for (unsigned t = 0; t < 1000; t++) cycle(pushed % banks, 1 + pushed / banks % LEVELS, true);
  const unsigned from = cycles, gone = popped;
  while (popped < gone + MEASURED) cycle(pushed % banks, 1 + pushed / banks % LEVELS, true);
  const unsigned c = (cycles - from) * 100 / MEASURED;
  end();
  return c;
}

TEST(rate_without_backlog) {
  static const unsigned latencies[] = {1, 60, COVERED};
  for (unsigned l = 0; l < 3; l++)
    for (unsigned banks = 1; banks <= BANKS; banks += BANKS - 1) {
      const unsigned c = at_once(latencies[l], banks);
      print_message("memory latency %3u, groups of %2u banks, read back at once: %u.%02u cycles\n", latencies[l], banks,
                    c / 100, c % 100);
      assert_in_range(c, 690, 1222);
    }
}

/* A group put in t is requested to be written in t + 4; the last of a group that arrives in t is offered in t + 1. */
TEST(latencies) {
  begin(1);
  idle(10);
  for (unsigned n = 0; n < 20; n++) {
    while (!cycle(n % BANKS, 1 + n % LEVELS, true)) continue;
    const unsigned put = put_at;
    until_popped(n + 1);
    assert_int_equal(write_at, put + 4);
    assert_int_equal(back_at, last_beat_at + 1);
    idle(10 + n);
  }
  end();
}

/* A request for one group reserves the places of a line, and releases those that it does not need three cycles
 * later. */
TEST(places_of_a_line) {
  begin(1);
  idle(10);
  for (unsigned n = 1; n <= LINE; n++) {
    unsigned reserved = 0, released = 0;
    unsigned places = 0;
    for (unsigned put = 0; put < n;) put += cycle(5, 2, false);
    idle(100);
    for (const unsigned goal = popped + n; popped < goal;) {
      assert_true(cycles < 10000);
      cycle(0, 0, true);
      if (out->reserve[5]) reserved = cycles;
      if (out->release[5]) released = cycles;
      places += (out->reserve[5] ? LINE : 0u) - out->release[5];
    }
    assert_int_equal(places, n);
    if (n < LINE) assert_int_equal(released, reserved + 3);
    idle(20);
  }
  end();
}

TEST_MAIN("spill", NULL, NULL)
