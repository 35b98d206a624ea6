/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* RTL of pool against its golden model, and its rates through memory, counted in cycles of the RTL. */
/* clang-format off */
#include "equiv/cases.h"
#include "env/common/memory.h"
#include "gen/hd_pool_ports.h"
/* clang-format on */

enum { PLACES = 2048, RECORD = 128, WAITING = 400 };

static struct hd_sim *sim;
static struct hd_pool_in in;
static const struct hd_pool_out *out;
static struct hd_memory_bursts memory;
static uint8_t bytes[PLACES * RECORD];
static unsigned pushed, popped, since_push;

static void begin(unsigned latency, uint8_t policy) {
  char err[512];
  struct hd_sim_opts o = {.block = "pool", .cfg = hd_case_cfg("k20c"), .seed = 1, .test = "directed"};
  sim = hd_sim_open(&o, err, sizeof err);
  if (!sim) fail_msg("%s", err);
  in = (struct hd_pool_in){.regs_config.dev_count = PLACES, .regs_config.policy = policy};
  memory = (struct hd_memory_bursts){.latency = latency};
  pushed = popped = since_push = 0;
}

static void end(void) {
  assert_int_equal(hd_sim_finish(sim), HD_PASS);
  hd_sim_close(sim);
}

/* Runs a cycle in which a kernel is pushed or not, and the head is taken if it is valid and may be. The TB count of a
 * kernel is its number, and kernels leave in that order. */
static void cycle(bool push, bool take) {
  const void *shown;
  in.devq_push.valid = push;
  in.devq_push.kernel = (struct hd_devk){0};
  if (push) in.devq_push.kernel = (struct hd_devk){.ctas = ++pushed, .level = 2};
  since_push = push ? 0 : since_push + 1;
  in.mem.ready = memory.pins.ready;
  in.mem.take = memory.pins.take;
  in.mem.b_valid = memory.pins.b_valid;
  in.mem.r_valid = memory.pins.r_valid;
  in.mem.r = memory.pins.r;
  in.kmu_pool_pop =
      take && out->head.valid && !in.kmu_pool_pop; /* a kernel taken in the previous cycle is still shown */
  assert_int_equal(hd_sim_cycle(sim, &in, &shown), HD_PASS);
  out = shown;
  if (in.kmu_pool_pop) assert_int_equal(out->head.kernel.ctas, ++popped);
  hd_memory_drive_bursts(&memory, NULL, NULL, &out->mem, bytes, 0, sizeof bytes);
}

/* Returns whether a kernel may be pushed, as devq would decide two cycles after its check. */
static bool may_push(void) {
  return since_push >= 2 && out->room.ready && !out->room.full;
}

/* Runs until this many kernels wait, most of them in memory. */
static void fill(unsigned latency, uint8_t policy) {
  static const struct hd_pool_out nothing;
  begin(latency, policy);
  out = &nothing;
  cycle(false, false);
  while (pushed < WAITING) cycle(may_push(), false);
  for (unsigned t = 0; t < 2 * latency + 100; t++) cycle(false, false);
}

static const unsigned latencies[] = {1, 40, 120, 400};

/* In the queue without a stream, and in the queue of their level. */
static const uint8_t policies[] = {HD_POLICY_RR, HD_POLICY_SMX_BIND};

/* One kernel in and one out per 16 cycles, at any latency: no stall. */
TEST(one_in_and_one_out_per_16_cycles) {
  for (unsigned k = 0; k < 8; k++) {
    fill(latencies[k / 2], policies[k % 2]);
    for (unsigned t = 0; t < 16 * 1000; t++) {
      if (t % 16 == 0) assert_true(out->head.valid && may_push());
      cycle(t % 16 == 0, t % 16 == 0);
    }
    assert_int_equal(popped, 1000);
    end();
  }
}

/* At the rate of arrivals, with a constant number in memory: cycles for one kernel in and one kernel out. */
TEST(rate_through_memory) {
  for (unsigned k = 0; k < 8; k++) {
    fill(latencies[k / 2], policies[k % 2]);
    unsigned t = 0;
    for (; popped < 1000; t++) cycle(may_push(), pushed - popped > WAITING);
    print_message("policy %u, memory latency %3u: %u.%02u cycles for a kernel in and one out\n", policies[k % 2],
                  latencies[k / 2], t / 1000, t % 1000 / 10);
    assert_in_range(t, 13 * 1000, 15 * 1000);
    end();
  }
}

TEST_MAIN("pool", NULL, NULL)
