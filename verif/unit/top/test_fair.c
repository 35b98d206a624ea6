/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* FairEvery in the plane: one kernel launches forever. When does another host kernel enter the KD, and run? */
#include "unit/top/policies_fixture.h"

enum { OTHER = 1000, ENDLESS = 1000, FAIR = 8 };

static struct {
  bool kernels;
  unsigned next_tb, next_answer, launched;
  unsigned entered, tbs_before; /* kernels in the KD so far; TBs handed out when the other one entered .. */
  unsigned is_in, ran;          /* .. as the n-th kernel; and ran, as the n-th TB; 0: not yet */
} story;

static void launch_from(unsigned s, unsigned j) {
  const unsigned n = story.launched++;
  if (port[s].taken == port[s].n) port[s].n = port[s].taken = 0;
  if (story.kernels)
    launch_kernel(s, j, 1 + n % 900, 1, 0);
  else
    launch_group(s, j, 1 + n % 900, 1, n % 256, 0);
}

/* Groups: each TB launches one that joins its kernel, and ends with the answer. Kernels: the TBs of kernel 0 do not
 * end, and each keeps four launches in flight; the TBs of the launched kernels end at once. */
static void handed_out(const struct logged_tb *t) {
  const uint64_t param = t->d.desc.param;
  if (param == desc_of(OTHER, 1).param)
    story.ran = story.next_tb + 1;
  else if (story.kernels && param != desc_of(0, 1).param)
    slot[t->smx][t->d.slot].ends = 0;
  else
    for (unsigned k = 0; k < (story.kernels ? 4 : 1); k++) launch_from(t->smx, t->d.slot);
}

static void goes_on(void) {
  tick();
  story.entered += out.enter_valid;
  if (out.enter_valid && out.enter_param == desc_of(OTHER, 1).param) {
    story.is_in = story.entered;
    story.tbs_before = tbs;
  }
  for (; story.next_tb < tbs; story.next_tb++) handed_out(&tb[story.next_tb % SCRIPT_MOST]);
  for (; story.next_answer < answers; story.next_answer++) {
    const struct logged_answer *a = &answer[story.next_answer % SCRIPT_MOST];
    if (story.kernels)
      launch_from(a->smx, a->a.slot);
    else
      slot[a->smx][a->a.slot].ends = now + 1;
  }
}

struct ahead {
  unsigned kernels, tbs;
};

/* Kernels that enter the KD before the other one after its launch; TBs that are handed out before its own after it has
 * entered. ENDLESS: it has not entered, or run, after this many TBs. */
static struct ahead wait_of(unsigned policy, unsigned fair_every, bool kernels) {
  memset(&story, 0, sizeof story);
  story.kernels = kernels;
  begin_with(ut_cfg_but(ut_cfg("tiny"), "FairEvery", fair_every), &fast);
  spill_region(16);
  set_policy(policy);
  host_kernel(0, 0, kernels ? 2 : 8);
  while (now < 400) goes_on();
  const unsigned entered = story.entered, from = tbs;
  host_kernel(OTHER, 1, 1);
  while (!story.ran && tbs < from + ENDLESS) {
    assert_true(now < 20000);
    goes_on();
  }
  struct ahead a = {ENDLESS, ENDLESS};
  if (story.is_in) a.kernels = story.is_in - 1 - entered;
  if (story.ran) a.tbs = story.ran - 1 - story.tbs_before;
  script_end();
  free(m);
  return a;
}

/* It enters at once. With FairEvery one TB more than that is handed out before its own: the TB of the cycle in which it
 * enters. Without it, the policies of LaPerm hand out all launched work first, and rr all of the older kernel. */
TEST(groups_for_ever) {
  for (unsigned p = HD_POLICY_RR; p <= HD_POLICY_ADAPTIVE_BIND; p++) {
    const struct ahead off = wait_of(p, 0, false), fair = wait_of(p, FAIR, false);
    assert_int_equal(off.kernels, 0);
    assert_int_equal(off.tbs, ENDLESS);
    assert_int_equal(fair.kernels, 0);
    assert_in_range(fair.tbs, 0, FAIR + 1);
    if (p != HD_POLICY_RR) assert_in_range(fair.tbs, FAIR, FAIR + 1); /* the banks are never empty */
  }
}

/* Without FairEvery the policies of LaPerm never let it enter, as there is always a kernel of a TB; with it, it enters
 * after at most that many of them, plus the one already offered to the KD. */
TEST(kernels_for_ever) {
  for (unsigned p = HD_POLICY_RR; p <= HD_POLICY_ADAPTIVE_BIND; p++) {
    const struct ahead off = wait_of(p, 0, true), fair = wait_of(p, FAIR, true);
    assert_in_range(off.kernels, p == HD_POLICY_RR ? 0 : ENDLESS, p == HD_POLICY_RR ? 2 : ENDLESS);
    assert_in_range(fair.kernels, 0, p == HD_POLICY_RR ? 2 : FAIR + 1);
    assert_in_range(fair.tbs, 0, FAIR + 1);
  }
}

TEST_MAIN("fair", NULL, NULL)
