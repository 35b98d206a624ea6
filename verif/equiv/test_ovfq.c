/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* RTL of ovfq against its golden model, and the rates of long and short lists, counted in cycles of the RTL. */
/* clang-format off */
#include "equiv/cases.h"
#include "env/common/memory.h"
#include "gen/hd_ovfq_ports.h"
/* clang-format on */

enum { RECORDS = 1000, WAITING = 300, LONG = 500, MEASURED = 400, LISTS = 160 * 2048 * 4, BASE = 0x10000 };

static struct hd_sim *sim;
static struct hd_ovfq_in in;
static struct hd_ovfq_out now; /* outputs that are known before the cycle: all of them */
static struct hd_memory_bursts memory;
static uint8_t bytes[LISTS + RECORDS * 64];
static unsigned pushed, popped, handed_out, cycles;
static bool room[2]; /* room one and two cycles ago */

/* Record n has n + 1 TBs. */
static void begin(unsigned latency) {
  char err[512];
  struct hd_sim_opts o = {.block = "ovfq", .cfg = hd_case_cfg("k20c"), .seed = 1, .test = "directed"};
  sim = hd_sim_open(&o, err, sizeof err);
  if (!sim) fail_msg("%s", err);
  in = (struct hd_ovfq_in){.regs_config.rec_count = RECORDS,
                           .regs_config.list_base = BASE / 256,
                           .regs_config.rec_base = (BASE + LISTS) / 256};
  memory = (struct hd_memory_bursts){.latency = latency};
  for (unsigned n = 0; n < RECORDS; n++) hd_memory_put(bytes + LISTS + 64 * n + 40, 4, n + 1);
  pushed = popped = handed_out = cycles = 0;
  room[0] = room[1] = false;
}

static void end(void) {
  assert_int_equal(hd_sim_finish(sim), HD_PASS);
  hd_sim_close(sim);
}

/* Returns whether a group may be pushed, as link would decide two cycles after the check in devq. The oracle tracks no
   longer lists. */
static bool may_push(void) {
  return room[1] && pushed - handed_out < LONG;
}

/* Runs a cycle in which a group is pushed or not, and the next one is taken if it is offered and may be. It is handed
 * out in the cycle after. Groups are in the order of their numbers. */
static void cycle(bool push, bool take) {
  const void *shown;
  hd_sim_now(sim, &in, &now);
  in.link_link.over = push;
  in.link_link.ptr.index = push ? pushed++ % RECORDS : 0;
  in.sched_advance = popped > handed_out;
  handed_out += in.sched_advance;
  in.agt_over_pop = take && now.over.valid;
  in.mem = memory.pins;
  assert_int_equal(hd_sim_cycle(sim, &in, &shown), HD_PASS);
  const struct hd_ovfq_out *out = shown;
  if (in.agt_over_pop) {
    assert_int_equal(out->over.group.self.index, popped % RECORDS);
    assert_int_equal(out->over.group.info.ctas, popped % RECORDS + 1);
    popped++;
  }
  room[1] = room[0];
  room[0] = out->room;
  hd_memory_drive_bursts(&memory, NULL, NULL, &out->mem, bytes, BASE, sizeof bytes);
  cycles++;
}

/* Runs until this many groups wait and the first are fetched. */
static void fill(unsigned latency, unsigned groups) {
  begin(latency);
  while (pushed < groups) cycle(may_push(), false);
  in.sched_sscr.valid = 1;
  for (unsigned t = 0; t < 3 * latency + 200; t++) cycle(false, false);
}

/* Returns the cycles until this many more were handed out, while at least `keep` others wait. */
static unsigned hand_out(unsigned groups, unsigned keep, bool push) {
  unsigned from = handed_out, start = cycles;
  while (handed_out - from < groups) {
    cycle(push && may_push(), pushed - popped > keep);
    assert_true(cycles - start < 100 * groups);
  }
  return cycles - start;
}

static const unsigned latencies[] = {1, 40, 120, 400};

static void report(unsigned latency, unsigned spent, const char *what) {
  print_message("memory latency %3u: %u.%02u cycles for a group %s\n", latency, spent / MEASURED,
                spent * 100 / MEASURED % 100, what);
  assert_true(spent <= 8 * MEASURED);
}

/* The first hundred were fetched ahead. */
TEST(rate_of_a_long_list) {
  for (unsigned k = 0; k < 4; k++) {
    fill(latencies[k], LONG);
    hand_out(100, 0, false);
    report(latencies[k], hand_out(MEASURED, 0, false), "of a long list");
    end();
  }
}

/* At the rate of arrivals, with a constant number in the list. */
TEST(rate_in_and_out) {
  for (unsigned k = 0; k < 4; k++) {
    fill(latencies[k], WAITING);
    hand_out(400, WAITING, true);
    report(latencies[k], hand_out(MEASURED, WAITING, true), "in and one out");
    end();
  }
}

/* One group per 8 cycles, taken at once: none waits longer than the memory takes. */
TEST(one_in_and_one_out_per_8_cycles) {
  for (unsigned k = 0; k < 4; k++) {
    fill(latencies[k], 0);
    for (unsigned t = 0; t < 8 * 1000; t++) {
      if (t % 8 == 0) assert_true(may_push());
      cycle(t % 8 == 0, true);
      assert_in_range(pushed - handed_out, 0, latencies[k] / 8 + 6);
    }
    end();
  }
}

TEST_MAIN("ovfq", NULL, NULL)
