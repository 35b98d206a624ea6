/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Parents that all wait: a kernel of more TBs than a saved list has places; each TB launches a kernel and saves itself.
 * Under every policy no save is refused and all work completes: bank entries of a suspended kernel continue as its rest
 * (docs/host/kd.md). The oracle checks that no work is lost. */
#include "unit/top/policies_fixture.h"

enum { PARENT = 1000, CHILD = 2000, MOST = 1024, QUIET = 3000 };

/* Owners of the pending answers of an SMX, in the order of its commands. */
static struct {
  bool save[SCRIPT_MOST];
  uint8_t slot[SCRIPT_MOST];
  unsigned asked, answered;
} port_of[HD_MAX_NUM_SMX];

static bool has_child[HD_MAX_NUM_SMX][HD_MAX_CTAS_PER_SMX]; /* of the TB in the slot: its kernel was accepted */
static unsigned policy, parents, children, restarts, saves, stay, refused_kernels;

static void ask(unsigned smx, unsigned s, bool save) {
  port_of[smx].save[port_of[smx].asked] = save;
  port_of[smx].slot[port_of[smx].asked++] = (uint8_t)s;
}

/* It launches a kernel of one TB and saves itself; it ends when it is saved. */
static void becomes_a_parent(const struct logged_tb *t) {
  ask(t->smx, t->d.slot, false);
  ask(t->smx, t->d.slot, true);
  launch_kernel(t->smx, t->d.slot, CHILD + parents, 1, 0);
  launch_save(t->smx, t->d.slot, 0x500000 + 64 * parents);
  parents++;
}

/* A parent; a child, or a restarted TB, which ends at once. */
static void follow_tb(const struct logged_tb *t, bool is_parent) {
  if (t->d.restart) restarts++;
  if (!t->d.restart && is_parent) {
    becomes_a_parent(t);
    return;
  }
  children += !t->d.restart;
  slot[t->smx][t->d.slot].ends = now + 2;
}

/* A parent that is saved ends; one that is not ends if it has no child, otherwise it has to stay in its slot. */
static void follow_answer(const struct logged_answer *a) {
  const unsigned n = port_of[a->smx].answered++, s = port_of[a->smx].slot[n];
  const bool accepted = a->a.code == HD_CODE_ACCEPTED;
  if (!port_of[a->smx].save[n]) {
    has_child[a->smx][s] = accepted;
    refused_kernels += !accepted;
    return;
  }
  saves += accepted;
  if (accepted || !has_child[a->smx][s])
    end_tb(a->smx, s);
  else
    stay++;
}

static uint64_t name_of(const struct logged_tb *t) {
  return (t->d.desc.param - 0x100000) / 64;
}

static void start(const char *config, unsigned under) {
  begin(config);
  policy = under;
  memset(port_of, 0, sizeof port_of);
  parents = children = restarts = saves = stay = refused_kernels = 0;
  set_policy(policy);
  host_kernel(0, 0, 1);
  until(&tbs, 1, 40);
}

/* Runs until the host's kernel is reported, or no progress was made for long. The first `seen` TBs have ended; those of
 * kernels or groups first to last are parents. */
static void run(unsigned seen, unsigned first, unsigned last) {
  unsigned next_tb = seen, next_answer = answers;
  uint64_t moved = now;
  while (!ended_n && now - moved < QUIET) {
    tick();
    if (next_tb < tbs || next_answer < answers) moved = now;
    for (; next_tb < tbs; next_tb++) {
      const struct logged_tb *t = &tb[next_tb % SCRIPT_MOST];
      follow_tb(t, name_of(t) >= first && name_of(t) <= last);
    }
    for (; next_answer < answers; next_answer++) follow_answer(&answer[next_answer % SCRIPT_MOST]);
  }
  print_message("%-5s policy %u: %4u parents, %4u saved, %4u children, %4u go on, %u kernels refused, %5llu cycles\n",
                cfg.num_smx > 2 ? "k20c" : "tiny", policy, parents, saves, children, restarts, refused_kernels,
                (unsigned long long)now);
}

static void all_have_ended(unsigned many) {
  assert_int_equal(stay, 0);
  assert_int_equal(parents, many);
  assert_int_equal(children + refused_kernels, many);
  assert_in_range(saves, children, many);
  assert_int_equal(restarts, saves);
  assert_int_equal(ended_n, 1);
  assert_int_equal(ended[0].c.failed, 0);
  end();
}

/* A device kernel of this many TBs: its native part waits in one bank. */
static void native_parents(const char *config, unsigned under, unsigned many) {
  start(config, under);
  launch_kernel(tb[0].smx, tb[0].d.slot, PARENT, many, 0);
  until(&answers, 1, 60);
  end_tb(tb[0].smx, tb[0].d.slot);
  run(1, PARENT, PARENT);
  all_have_ended(many);
}

static void in_every_policy(const char *config, unsigned many) {
  for (unsigned p = 0; p <= HD_POLICY_ADAPTIVE_BIND; p++) native_parents(config, p, many);
}

/* More than a saved list has places (16), by one and by many times. */
TEST(parents_in_tiny) {
  in_every_policy("tiny", 12);
  in_every_policy("tiny", 40);
  in_every_policy("tiny", 200);
}

TEST(parents_in_k20c) {
  in_every_policy("k20c", 600);
}

/* Groups of a kernel, in the banks of all SMXs that launched them: their TBs are the parents. */
static void group_parents(unsigned under) {
  start("tiny", under);
  enum { GROUPS = 6, TBS = 9 };
  launch_kernel(tb[0].smx, tb[0].d.slot, PARENT, 1, 0);
  until(&answers, 1, 60);
  end_tb(tb[0].smx, tb[0].d.slot);
  until(&tbs, 2, 60);
  for (unsigned g = 0; g < GROUPS; g++)
    launch_group(tb[1].smx, tb[1].d.slot, PARENT + 1 + g, TBS, 10 + g, 0)->desc.pc = desc_of(PARENT, 1).pc;
  until(&answers, 1 + GROUPS, 200);
  end_tb(tb[1].smx, tb[1].d.slot);
  run(2, PARENT + 1, PARENT + GROUPS);
  all_have_ended(GROUPS * TBS);
}

TEST(groups_in_tiny) {
  for (unsigned p = 0; p <= HD_POLICY_ADAPTIVE_BIND; p++) group_parents(p);
}

TEST_MAIN("policies_yield", NULL, NULL)
