/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* sched_neighbours: the environment of the scheduler: the golden Kernel Distributor and FCFS controller; a KMU that
 * offers random kernels; TBs that launch groups and save themselves; groups and saved TBs of each kernel, which arrive
 * from memory after random times; kernels that are suspended and resume; fail events; banks that receive groups and
 * kernels instead, with offers as under each policy; a kernel with a graph, whose nodes become ready in any order. */
#ifndef HD_SCHED_NEIGHBOURS_H
#define HD_SCHED_NEIGHBOURS_H

#include "engine/block_driver.h"
#include "gen/hd_fcfs_ports.h"
#include "gen/hd_kd_ports.h"
#include "gen/hd_sched_ports.h"

enum {
  HD_SCHED_GROUPS = 8,
  HD_SCHED_SUSPENDED = 4,
  HD_SCHED_BANK = 4,
  HD_SCHED_KD_BYTES = 65536,
  HD_SCHED_FCFS_BYTES = 4096
};

/* The groups of a kernel that are not handed out completely, oldest first. */
struct hd_sched_groups {
  struct hd_group group[HD_SCHED_GROUPS];
  unsigned n;
};

/* A bank; entry 0 is the front. */
struct hd_sched_bank {
  struct hd_pqentry entry[HD_SCHED_BANK];
  uint32_t nextbl[HD_SCHED_BANK];
  unsigned n;
};

/* A kernel with a graph, and its nodes. */
struct hd_sched_graph {
  uint8_t here;  /* a kernel with a graph is in entry kdei, and the graph is not done */
  uint8_t runs;  /* its nodes are being handed out; before that, its descriptor is read */
  uint8_t ready; /* a node is offered */
  uint8_t ends;  /* it is done in this cycle */
  uint8_t kdei;
  uint8_t binds;                 /* nodes prefer SMXs */
  uint8_t older[HD_MAX_NUM_KDE]; /* kernels older than it */
  uint8_t in_place[HD_MAX_LNA];  /* the TB of the node in that place is not done */
  unsigned wait;                 /* cycles before it runs; before it is done */
  unsigned left, running;        /* nodes still to offer; nodes handed out and not done */
  unsigned rate;                 /* phase: probability (of 256) that a node becomes ready */
  uint16_t index;                /* of the offered node */
  uint32_t cta;
  int smx; /* its preferred SMX, or -1 */
};

struct hd_sched_neighbours {
  struct hd_cfg cfg;
  struct hd_kd_in kd_in;
  struct hd_kd_out kd_out;
  struct hd_fcfs_in fcfs_in;
  struct hd_fcfs_out fcfs_out;
  struct hd_sched_groups groups[HD_MAX_NUM_KDE], taken;
  struct {
    struct hd_kernel kernel;
    struct hd_sched_groups groups;
  } suspended[HD_SCHED_SUSPENDED];
  unsigned suspended_n;
  struct hd_group a3_group; /* the group linked in this cycle */
  struct hd_sched_bank bank[HD_MAX_NUM_BANK];
  unsigned binds;  /* phase: probability (of 256) that work goes into a bank */
  unsigned policy; /* enum hd_policy: determines the offers of banks */
  uint8_t enter_bank, queue_bank;
  struct hd_sched_graph graph;
  int a2, a3; /* kernels of the groups in A2 and A3, -1: none */
  /* Groups of kernel wk_kdei that were read ahead: their number is `ahead`. */
  uint8_t wk_valid, wk_kdei, ahead;
  uint8_t popped; /* its first group is the scheduler's current unit */
  /* The saved TBs of kernel sv_kdei. */
  uint8_t sv_valid, sv_kdei, sv_here;
  unsigned sv_pos, sv_left;
  uint32_t serial;
  unsigned kernels, launches; /* phase: probabilities (of 256) of kernels and groups */
  bool running;               /* a cycle was driven since reset */
  _Alignas(8) unsigned char kd[HD_SCHED_KD_BYTES];
  _Alignas(8) unsigned char fcfs[HD_SCHED_FCFS_BYTES];
};

void hd_sched_neighbours_init(struct hd_sched_neighbours *s, const struct hd_cfg *cfg);
void hd_sched_neighbours_reset(struct hd_sched_neighbours *s);
/* Processes the clock edge that ended the cycle with these inputs and outputs. */
void hd_sched_neighbours_edge(struct hd_sched_neighbours *s, struct hd_rng *rng, const struct hd_sched_in *in,
                              const struct hd_sched_out *out);
/* Sets the inputs of the next cycle except those of the SMXs; now: its outputs that do not depend on them. */
void hd_sched_neighbours_drive(struct hd_sched_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                               const struct hd_sched_out *now, struct hd_sched_in *in);

#endif
