/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The oracle of warp: reports no rule for the golden model in its random environment, and reports one when in one cycle
 * an output is changed without the model's knowledge, or an input, as if the model had ignored it. */
#include "gen/hd_warp_ports.h"
#include "oracle/warp_oracle.h"
#include "unit/harness/oracle_fixture.h"

#define BREACH(name, if_, then)                                  \
  static bool name(const void *in_, void *out_) {                \
    struct hd_warp_in *in = (struct hd_warp_in *)(uintptr_t)in_; \
    struct hd_warp_out *out = out_;                              \
    (void)in, (void)out;                                         \
    if (!(if_)) return false;                                    \
    then;                                                        \
    return true;                                                 \
  }

/* ---- over the model ---- */

BREACH(other_scheduler, out->issue_valid[0], out->issue_warp[0] ^= 1)
BREACH(beyond, out->issue_valid[1], out->issue_warp[1] = 63)
BREACH(none, out->issue_valid[1], out->issue_valid[1] = 0; out->issue_warp[1] = 0)
BREACH(from_nowhere, !out->issue_valid[0], out->issue_valid[0] = 1)
BREACH(shows, !out->issue_valid[1], out->issue_warp[1] = 1)
BREACH(stall_lost, out->stalled[0], out->stalled[0] = 0)
BREACH(stall_made_up, !out->stalled[1], out->stalled[1] = 1)
BREACH(wait_lost, out->starved[0], out->starved[0] = 0)
BREACH(wait_made_up, !out->starved[1], out->starved[1] = 1)

TEST(shown) {
  silent("warp");
  names("warp", "a warp issues on the other scheduler", other_scheduler);
  names("warp", "a warp issues that was not ready", beyond);
  names("warp", "no warp issues though one is ready", none);
  names("warp", "a warp issues that was not ready", from_nowhere);
  names("warp", "issue_warp is not 0 while no warp issues", shows);
  names("warp", "stalled does not show whether the scheduler stalls", stall_lost);
  names("warp", "stalled does not show whether the scheduler stalls", stall_made_up);
  names("warp", "starved does not show whether a warp had waited WarpWait cycles", wait_lost);
  names("warp", "starved does not show whether a warp had waited WarpWait cycles", wait_made_up);
}

/* Both warps of scheduler 0 were ready under this policy, and the other one issues. */
static struct hd_warp_in before;

static bool both(const struct hd_warp_in *in, const struct hd_warp_out *out, unsigned policy) {
  const bool ready = before.warp_valid[0] && before.warp_ready[0] && before.warp_valid[2] && before.warp_ready[2];
  const bool is = ready && before.policy == policy && out->issue_valid[0];
  before = *in;
  return is;
}

BREACH(rr, both(in, out, HD_WPOLICY_RR), out->issue_warp[0] ^= 2)
BREACH(grr, both(in, out, HD_WPOLICY_GRR), out->issue_warp[0] ^= 2)
BREACH(gto, both(in, out, HD_WPOLICY_GTO), out->issue_warp[0] ^= 2)
BREACH(lwf, both(in, out, HD_WPOLICY_LWF), out->issue_warp[0] ^= 2)

TEST(policies) {
  names("warp", "rr: the warp that issues is not the next in round robin", rr);
  names("warp", "grr: the warp that issues is neither the last nor the next in round robin", grr);
  names("warp", "gto: the warp that issues is neither the last nor the oldest", gto);
  names("warp", "lwf: the warp that issues is not the first of the list", lwf);
}

/* ---- the oracle alone: the test plays the block, with two warps of a TB on scheduler 0 ---- */

static struct hd_warp_in in;
static struct hd_warp_out out;
static void *oracle;

static int setup(void **state) {
  (void)state;
  cfg = ut_cfg("tiny");
  oracle = zeroed(hd_warp_oracle_size(&cfg));
  hd_warp_oracle_init(oracle, &cfg);
  memset(&in, 0, sizeof in);
  memset(&out, 0, sizeof out);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  free(oracle);
  return 0;
}

/* One cycle that shows an issue of this warp, or none (-1). */
static const char *watch_one(int warp) {
  out.issue_valid[0] = warp >= 0;
  out.issue_warp[0] = (uint8_t)(warp < 0 ? 0 : warp);
  return hd_warp_oracle_watch(oracle, 0, &in, &out);
}

static void right(int warp) {
  const char *rule = watch_one(warp);
  if (rule) fail_msg("the oracle names '%s'", rule);
}

static void wrong(int warp, const char *want) {
  const char *rule = watch_one(warp);
  if (!rule || strcmp(rule, want) != 0)
    fail_msg("the oracle should name '%s', and names '%s'", want, rule ? rule : "none");
}

/* Warp 2 has one stall cycle more than warp 0, from cycle 1 on; no warp is ready yet. `n` cycles in all. */
static void stalls(unsigned n) {
  right(-1);
  in.warp_valid[0] = in.warp_valid[2] = 1;
  in.stall_pipe[2] = 1;
  right(-1);
  in.stall_pipe[2] = 0;
  out.stalled[0] = 1;
  for (unsigned t = 2; t < n; t++) right(-1);
}

/* The sample of cycle 32 decides from cycle 64 on, which shows in cycle 65. */
TEST_F(test_new_list) {
  stalls(64);
  in.policy = HD_WPOLICY_LWF;
  in.warp_ready[0] = in.warp_ready[2] = 1;
  right(-1);
  out.stalled[0] = 0;
  wrong(0, "lwf: the warp that issues is not the first of the list");
}

TEST_F(test_old_list) {
  stalls(63);
  in.policy = HD_WPOLICY_LWF;
  in.warp_ready[0] = in.warp_ready[2] = 1;
  right(-1);
  out.stalled[0] = 0;
  right(0);
  wrong(0, "lwf: the warp that issues is not the first of the list");
}

TEST_F(test_waits) {
  stalls(64);
  in.policy = HD_WPOLICY_LWF;
  in.warp_ready[0] = in.warp_ready[2] = 1;
  right(-1);
  out.stalled[0] = 0;
  for (unsigned t = 0; t < cfg.warp_wait; t++) right(2);
  out.starved[0] = 1;
  right(0);
  out.starved[0] = 0;
  right(2);
}

TEST_MAIN("warp_oracle", NULL, NULL)
