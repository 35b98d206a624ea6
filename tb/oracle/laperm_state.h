/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* laperm_state: what the parts of laperm's oracle share. laperm_memory_rules.c: what goes to memory and comes back;
 * laperm_oracle.c: the banks, what SMXs are offered, kernels. */
#ifndef HD_LAPERM_STATE_H
#define HD_LAPERM_STATE_H

#include "gen/hd_laperm_ports.h"
#include "oracle/laperm_oracle.h"

/* Every entry by itself, in the bank that it went into, with its age among all: what must be in front, what an SMX must
 * be offered, and what becomes of groups and kernels, follows from these. */
struct hd_laperm_waiting {
  struct hd_pqentry entry;
  struct hd_need need;
  uint32_t next; /* its next TB */
  uint64_t age;  /* entries that came before */
};

/* So many groups may be in memory, where spill has places for them. */
enum { HD_LAPERM_AWAY = HD_MAX_SPILL_ROWS + HD_MAX_SPILL_DEPTH + HD_MAX_SPILL_FLIGHT };

/* A group that was launched, and when: groups launched before it. */
struct hd_laperm_launched {
  struct hd_info info;
  uint64_t when;
  uint8_t kdei, bank;
};

struct hd_laperm_oracle {
  struct hd_cfg cfg;
  uint64_t born;                        /* entries so far */
  uint64_t count[HD_MAX_MAX_LEVEL + 1]; /* of a level: entries since it was last empty for a cycle */
  unsigned live[HD_MAX_MAX_LEVEL + 1];  /* .. and entries there are */
  unsigned n[HD_MAX_NUM_BANK];          /* entries of a bank */
  unsigned first[HD_MAX_NUM_BANK];      /* the one that must be in front */
  int backup[HD_MAX_NUM_SMX];           /* bank + 1; 0: none */
  uint64_t launched;                    /* groups so far */
  bool a3_valid, a3_put;                /* the group of the cycle before; its bank does not take it */
  struct hd_laperm_launched a3;
  bool ran, ran_any; /* a TB was handed out in the cycle before, not under Rr; under TbPri */
  unsigned ran_bank, ran_level;
  uint8_t sure[HD_MAX_NUM_BANK];         /* by bank_room of the cycle before, a group in A2 now finds a place */
  uint8_t promised[HD_MAX_NUM_BANK];     /* in the cycle before a place was shown to what waits in memory */
  uint64_t latest[HD_MAX_SPILLQ_QUEUES]; /* of a bank and level: 1 + when the last group in its bank was launched */
  unsigned away;                         /* groups in memory, in the order in which they went there: */
  struct hd_laperm_launched group[HD_LAPERM_AWAY];
  struct hd_laperm_waiting waiting[]; /* NumBank * PqDepth: each bank's in the order of arrival */
};

/* An SMX's bank: its cluster's. */
static inline unsigned hd_laperm_bank_of(const struct hd_laperm_oracle *o, unsigned smx) {
  return smx / o->cfg.smx_per_cluster;
}

/* The group of the cycle before goes into that bank. */
static inline bool hd_laperm_a3_to(const struct hd_laperm_oracle *o, unsigned b) {
  return o->a3_valid && !o->a3_put && o->a3.bank == b;
}

/* Four numbers are left at least: three entries may come before this is asked again, and none may be the last. */
static inline bool hd_laperm_open(const struct hd_laperm_oracle *o, unsigned level) {
  return o->count[level] + 4 <= UINT64_C(1) << o->cfg.arrival_w;
}

/* Would an entry of the bank and level pass one that is in memory or about to go there? */
bool hd_laperm_passes(const struct hd_laperm_oracle *o, const struct hd_laperm_in *in, unsigned bank, unsigned level);

/* Places of the bank that are free and not kept for what is in memory; -1 if even that one is missing. */
int hd_laperm_places(const struct hd_laperm_oracle *o, const struct hd_laperm_in *in, unsigned bank);

/* What becomes of the group of the cycle before, what is told of memory, and what comes back; NULL or the rule that is
 * broken. */
const char *hd_laperm_watch_memory(struct hd_laperm_oracle *o, const struct hd_laperm_in *in,
                                   const struct hd_laperm_out *out);

/* A group goes into its bank, from A3 or from memory; a kernel does. */
const char *hd_laperm_group_enters(struct hd_laperm_oracle *o, const struct hd_laperm_launched *g);
const char *hd_laperm_kernel_enters(const struct hd_laperm_oracle *o, unsigned bank, unsigned level);

/* The group that comes back leaves memory: the oldest that looks like it, those before it being lost. */
const char *hd_laperm_comes_back(struct hd_laperm_oracle *o, const struct hd_laperm_in *in,
                                 struct hd_laperm_launched *g);

/* The rest of the edge: the group in A3 goes to memory, if it does; what was handed out; what is promised. */
const char *hd_laperm_follow_memory(struct hd_laperm_oracle *o, const struct hd_laperm_in *in,
                                    const struct hd_laperm_out *out, unsigned front_level);

#endif
