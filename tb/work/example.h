/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* example: the example of laperm-isca2016 section IV (figure 4) as a run of the plane.
 *
 * Four SMXs hold one TB each. A kernel of eight TBs, P0 to P7, is launched by the host. P2 launches C0 and C1, P4
 * launches C2 to C5: aggregated groups of one TB with the parents' entry PC, dimensions and resources, so that they
 * join the kernel. The paper says nothing of times; ours are: a TB is done 100 cycles after an SMX took it, and
 * launches are offered 10 cycles after that, lane 0 first, from its SMX and slot.
 *
 *     hd_example_config(&cfg);
 *     struct hd_sim *sim = hd_sim_open(..block "top", cfg..);
 *     hd_example_run(sim, &cfg, HD_POLICY_TB_PRI, &schedule);      // what the plane does
 *     if (!hd_example_agrees(HD_POLICY_TB_PRI, &schedule, text, sizeof text)) puts(text);
 *
 * The paper's schedules are only compared with: what hd_example_run() fills in was seen at the plane's ports. */
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
  HD_EXAMPLE_LIFE = 100,
  HD_EXAMPLE_LAUNCH = 10,
  HD_EXAMPLE_POLICIES = 4
};

struct hd_example_tb {
  char name[4];        /* P0 .. P7, C0 .. C5 */
  uint64_t start, end; /* cycles in which the SMX took it, and told of its end */
};

/* What each SMX ran, in time order. */
struct hd_example_schedule {
  struct hd_loop_result run; /* a verdict that is not PASS: the schedule is not whole */
  struct {
    uint32_t tbs;
    struct hd_example_tb tb[HD_EXAMPLE_TBS];
  } smx[HD_EXAMPLE_SMXS];
};

/* The configuration: one of the smallest that have all of this. */
void hd_example_config(struct hd_cfg *cfg);

/* Runs the example on an open simulation of block "top". */
void hd_example_run(struct hd_sim *sim, const struct hd_cfg *cfg, enum hd_policy policy,
                    struct hd_example_schedule *schedule);

/* The paper's schedule: the TBs of an SMX, parted by blanks. */
const char *hd_example_paper(enum hd_policy policy, uint32_t smx);

/* Whether the schedule is the paper's. If not, text says where it differs first. */
bool hd_example_agrees(enum hd_policy policy, const struct hd_example_schedule *schedule, char *text, size_t text_size);

/* The TBs of an SMX, in the form of the paper's. */
void hd_example_row(const struct hd_example_schedule *schedule, uint32_t smx, char *text, size_t text_size);

#endif
