/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* example: the example of laperm-isca2016 section IV (figure 4) as a run of the plane.
 *
 * Four SMXs hold one TB each. A kernel of eight TBs, P0 to P7, is launched by the host. P2 launches C0 and C1, P4
 * launches C2 to C5: aggregated groups of one TB with the parents' entry PC, dimensions and resources, so that they
 * join the kernel. The paper gives no times; ours are: a TB is done 100 cycles after an SMX took it; its launches are
 * offered 10 cycles after an SMX took it, lane 0 first, from its SMX and slot.
 *
 *     hd_example_config(&cfg);
 *     struct hd_sim *sim = hd_sim_open(..block "top", cfg..);
 *     hd_example_run(sim, &cfg, HD_POLICY_TB_PRI, &schedule);      // the plane's schedule
 *     if (!hd_example_agrees(HD_POLICY_TB_PRI, &schedule, text, sizeof text)) puts(text);
 *
 * hd_example_run() observes the schedule at the plane's ports; the paper's schedules are used only for comparison. */
#ifndef HD_EXAMPLE_H
#define HD_EXAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/sim.h"
#include "sim/loop.h"

enum {
  HD_EXAMPLE_SMXS = 4,
  HD_EXAMPLE_PARENTS = 8,
  HD_EXAMPLE_CHILDREN = 6,
  HD_EXAMPLE_TBS = HD_EXAMPLE_PARENTS + HD_EXAMPLE_CHILDREN,
  HD_EXAMPLE_EPISODE = 100,
  HD_EXAMPLE_LAUNCH = 10,
  HD_EXAMPLE_POLICIES = 4
};

struct hd_example_tb {
  char name[4];        /* P0 .. P7, C0 .. C5 */
  uint64_t start, end; /* cycles in which the SMX took it and reported its end */
};

/* The TBs of each SMX, in time order. */
struct hd_example_schedule {
  struct hd_loop_result run; /* if the verdict is not PASS, the schedule is incomplete */
  struct {
    uint32_t tbs;
    struct hd_example_tb tb[HD_EXAMPLE_TBS];
  } smx[HD_EXAMPLE_SMXS];
};

/* Sets the configuration: a small one with four SMXs of one TB. */
void hd_example_config(struct hd_cfg *cfg);

/* Runs the example on an open simulation of block "top". */
void hd_example_run(struct hd_sim *sim, const struct hd_cfg *cfg, enum hd_policy policy,
                    struct hd_example_schedule *schedule);

/* Returns the paper's schedule of an SMX: TBs, separated by blanks. */
const char *hd_example_paper(enum hd_policy policy, uint32_t smx);

/* Returns true if the schedule agrees with the paper. Otherwise text names the first difference. */
bool hd_example_agrees(enum hd_policy policy, const struct hd_example_schedule *schedule, char *text, size_t text_size);

/* Writes the TBs of an SMX in the form of hd_example_paper(). */
void hd_example_row(const struct hd_example_schedule *schedule, uint32_t smx, char *text, size_t text_size);

#endif
