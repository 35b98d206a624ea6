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
 * move from banks to memory, while the policy changes every hundred or two hundred cycles. A part of what `make
 * test-long` runs. */
TEST(tiny_overflow) {
  static const char *const covers[] = {"group_from_memory", "policy_changed_over_groups_in_memory", NULL};
  hd_case_rare("top", "tiny", "overflow", 200000, covers);
}

/* The same with memory errors, a read and a write error in one cycle: both affected kernels are reported as failed. Any
 * other report of a failure breaks rule 7. */
TEST(tiny_failing) {
  static const char *const covers[] = {"rare_read_and_write_fail", "rare_two_kernels_fail", NULL};
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

/* Planes that are built without the banks, the graph buffer or the throttle. */
TEST(without_parts) {
  static const char *const covers[] = {"kernel_done", "group_tb", "dev_kernel", NULL};
  for (unsigned has = 0; has < 7; has++) {
    char config[64];
    snprintf(config, sizeof config, "tiny+HasBanks=%u+HasGraph=%u+HasThrottle=%u", has & 1, has >> 1 & 1, has >> 2);
    hd_case_rare("top", config, "random", 60000, covers);
  }
}

TEST(netlist_without_parts) {
  static const char *const covers[] = {"kernel_done", "group_tb", "dev_kernel", NULL};
  hd_case_gates_hit("top", "tiny+HasBanks=0+HasGraph=0+HasThrottle=0", "netlist", 50000, covers);
}

/* The gates of the whole plane: graph kernels run on them, together with ordinary kernels and with launches from TBs,
 * including TBs of graphs. */
TEST(tiny_netlist_of_graphs) {
  static const char *const covers[] = {"graph_tb",       "graph_tb_beside_group_tb",
                                       "graph_launches", "graph_not_read",
                                       "dev_kernel",     "group_tb",
                                       "kernel_done",    NULL};
  hd_case_gates_hit("top", "tiny", "netlist", 100000, covers);
}

TEST_MAIN("top", NULL, NULL)
