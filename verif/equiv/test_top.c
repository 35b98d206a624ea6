/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* RTL of the whole plane against the composed golden model, with the plane's oracle. */
#include "equiv/cases.h"

TEST(tiny_random) {
  hd_case("top", "tiny", 500000);
}

/* Few runs launch enough groups to overflow, and only tiny must show a record that waits for long: in other
 * configurations it takes longer than a test. */
TEST(k20c_random) {
  hd_case_seeds("top", "k20c", 250000, 2, 6, "long_record_done");
}

/* A table of four AGEs, launches that all hash to the same one, a slow memory: nearly every group overflows, and groups
 * move from banks to memory, into small rings that fill and wrap, while the policy changes every hundred or two hundred
 * cycles. A part of what `make test-long` runs. */
TEST(tiny_overflow) {
  static const char *const covers[] = {"group_from_memory",   "policy_changed_over_groups_in_memory",
                                       "groups_read_at_once", "ring_without_room",
                                       "ring_wraps",          NULL};
  hd_case_rare("top", "tiny", "overflow", 200000, covers);
}

/* The same with memory errors, a read and a write error in one cycle: both affected kernels are reported as failed. Any
 * other report of a failure breaks rule 7. Memory that has lost a group accepts others again. */
TEST(tiny_failing) {
  static const char *const covers[] = {"rare_read_and_write_fail", "rare_two_kernels_fail", "room_again_after_a_loss",
                                       NULL};
  hd_case_rare("top", "tiny", "failing", 300000, covers);
}

/* TBs that launch a kernel wait for it, and so have to be saved: more TBs of a kernel than its saved list has places.
 * Under every policy, and while it changes; a refused save breaks rule 8. */
TEST(tiny_parents) {
  static const char *const covers[] = {"rare_parent_saved", "rare_rest_hands_out", NULL};
  hd_case_rare("top", "tiny", "parents", 300000, covers);
}

/* With four SMXs the throttle closes some, for half of the time. */
TEST(throttled) {
  static const char *const covers[] = {"rare_smx_closed", NULL};
  hd_case_rare("top", "tiny+NumSmx=4+CtasPerSmx=1", "random", 100000, covers);
}

/* Planes that are built without some parts: those of k20c-base, k20c-cdp, k20c-dtbl, k20c-laperm and k20c-wireframe,
 * banks of device kernels alone, and a throttle alone. The long runs have all combinations. */
#define BASE "tiny+HasLaunch=0+HasGroups=0+HasBanks=0+HasGraph=0+HasThrottle=0"
#define DTBL "tiny+HasBanks=0+HasGraph=0+HasThrottle=0"

TEST(without_parts) {
  static const struct {
    const char *config, *covers[5];
  } planes[] = {
      {BASE, {"kernel_done", "dev_bad"}},
      {"tiny+HasGroups=0+HasBanks=0+HasGraph=0+HasThrottle=0", {"kernel_done", "dev_bad", "dev_kernel", "save"}},
      {DTBL, {"kernel_done", "dev_kernel", "save", "group_tb"}},
      {"tiny+HasGraph=0+HasThrottle=0", {"kernel_done", "dev_kernel", "bank_smx_bind", "group_tb"}},
      {"tiny+HasLaunch=0+HasGroups=0+HasBanks=0+HasThrottle=0", {"kernel_done", "dev_bad", "graph_tb"}},
      {"tiny+HasGroups=0+HasGraph=0+HasThrottle=0", {"kernel_done", "dev_kernel", "policy_written"}},
      {"tiny+HasLaunch=0+HasGroups=0+HasBanks=0+HasGraph=0", {"kernel_done", "dev_bad"}},
  };
  for (size_t k = 0; k < sizeof planes / sizeof *planes; k++)
    hd_case_rare("top", planes[k].config, "random", 60000, planes[k].covers);
}

TEST(netlist_without_parts) {
  static const char *const base[] = {"kernel_done", "dev_bad", NULL};
  static const char *const dtbl[] = {"kernel_done", "group_tb", "dev_kernel", NULL};
  hd_case_gates_hit("top", BASE, "netlist", 50000, base);
  hd_case_gates_hit("top", DTBL, "netlist", 50000, dtbl);
}

/* The gates of the whole plane: graph kernels run on them, together with ordinary kernels and with launches from TBs,
 * including TBs of graphs. */
TEST(tiny_netlist_of_graphs) {
  static const char *const covers[] = {"graph_tb",       "graph_tb_beside_group_tb",
                                       "graph_launches", "graph_not_read",
                                       "dev_kernel",     "group_tb",
                                       "kernel_done",    NULL};
  hd_case_gates_hit("top", "tiny", "netlist", 200000, covers);
}

TEST_MAIN("top", NULL, NULL)
