/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* laperm_state: the state and functions that the parts of laperm's oracle share. laperm_memory_rules.c: groups sent to
 * memory and returned; laperm_oracle.c: banks, offers to SMXs, kernels. */
#ifndef HD_LAPERM_STATE_H
#define HD_LAPERM_STATE_H

#include "gen/hd_laperm_ports.h"
#include "oracle/laperm_oracle.h"

/* An entry of a bank. The entries and their ages determine the front of each bank, the offers to the SMXs, and what
 * happens to groups and kernels. */
struct hd_laperm_waiting {
  struct hd_pqentry entry;
  struct hd_need need;
  uint32_t next; /* next TB */
  uint64_t age;  /* number of entries pushed before it, into any bank */
};

/* Maximum number of groups in memory or on their way there, with those that were lost and still count as held. */
enum { HD_LAPERM_AWAY = 1 << 10 };

/* A launched group; when: number of groups launched before it. */
struct hd_laperm_launched {
  struct hd_info info;
  uint64_t when;
  uint8_t kdei, bank;
};

struct hd_laperm_oracle {
  struct hd_cfg cfg;
  uint64_t born;                        /* entries so far */
  uint64_t count[HD_MAX_MAX_LEVEL + 1]; /* per level: entries pushed since the level was last empty for a cycle */
  unsigned live[HD_MAX_MAX_LEVEL + 1];  /* per level: entries in all banks */
  unsigned n[HD_MAX_NUM_BANK];          /* occupancy of each bank */
  unsigned kept[HD_MAX_NUM_BANK];       /* places of each bank that are kept for groups read back from memory */
  unsigned first[HD_MAX_NUM_BANK];      /* entry of each bank that must be in front */
  int backup[HD_MAX_NUM_SMX];           /* backup bank + 1; 0: none */
  uint64_t launched;                    /* groups so far */
  bool a3_valid;                        /* A3 holds the group of the cycle before. Its bank does not accept it: */
  bool a3_put, a3_full;                 /* it goes to memory; memory has no room for it either */
  struct hd_laperm_launched a3;
  bool ran, ran_any; /* in the cycle before a TB was granted under a policy other than Rr; the policy was TbPri */
  unsigned ran_bank, ran_level;
  uint8_t passed[HD_MAX_NUM_BANK]; /* that TB was a spare one, and the bank had to go first: its SMX's, or the backup */
  uint8_t sure[HD_MAX_NUM_BANK];   /* bank_room of the cycle before guarantees a place for a group in A2 now */
  uint8_t promised[HD_MAX_NUM_BANK];   /* in the cycle before the places of a line were promised to groups in memory */
  uint64_t latest[HD_MAX_RING_QUEUES]; /* per bank and level: 1 + `when` of the last group that entered the bank */
  unsigned away;                       /* groups in memory, in the order in which they were sent there: */
  struct hd_laperm_launched group[HD_LAPERM_AWAY];
  struct hd_laperm_waiting waiting[]; /* NumBank * PqDepth: the entries of each bank, in the order of arrival */
};

/* Returns the bank of an SMX, which is that of its cluster. */
static inline unsigned hd_laperm_bank_of(const struct hd_laperm_oracle *o, unsigned smx) {
  return smx / o->cfg.smx_per_cluster;
}

/* Returns true if the group in A3 enters a bank; if it enters that bank. */
static inline bool hd_laperm_a3_enters(const struct hd_laperm_oracle *o) {
  return o->a3_valid && !o->a3_put && !o->a3_full;
}
static inline bool hd_laperm_a3_to(const struct hd_laperm_oracle *o, unsigned b) {
  return hd_laperm_a3_enters(o) && o->a3.bank == b;
}

/* Returns the places of the bank that are neither used nor kept. */
static inline unsigned hd_laperm_free(const struct hd_laperm_oracle *o, unsigned b) {
  return o->cfg.pq_depth - o->n[b] - o->kept[b];
}

/* Returns true if at least four arrival numbers of the level are left: up to three entries may be pushed before the
 * next check, and the last number is never used. */
static inline bool hd_laperm_open(const struct hd_laperm_oracle *o, unsigned level) {
  return o->count[level] + 4 <= UINT64_C(1) << o->cfg.arrival_w;
}

/* Returns true if an entry of the bank and level would overtake one that is in memory or about to be sent there. */
bool hd_laperm_passes(const struct hd_laperm_oracle *o, const struct hd_laperm_in *in, unsigned bank, unsigned level);

/* Returns the free places of the bank, without that of the group in A3 and those that stay free for the next line of
 * groups from memory; negative if some of these are missing. */
int hd_laperm_places(const struct hd_laperm_oracle *o, const struct hd_laperm_in *in, unsigned bank);

/* Checks the outputs for the group in A3, room, and groups that return from memory. Returns NULL or the broken rule. */
const char *hd_laperm_watch_memory(struct hd_laperm_oracle *o, const struct hd_laperm_in *in,
                                   const struct hd_laperm_out *out);

/* A group (from A3 or from memory) or a kernel enters its bank. Return NULL or the broken rule. */
const char *hd_laperm_group_enters(struct hd_laperm_oracle *o, const struct hd_laperm_launched *g);
const char *hd_laperm_kernel_enters(const struct hd_laperm_oracle *o, unsigned bank, unsigned level);

/* A group returns from memory: sets *g to the oldest group with the same contents, and removes it and those before it
 * in its queue, which are lost. Returns NULL or the broken rule. */
const char *hd_laperm_check_return(struct hd_laperm_oracle *o, const struct hd_laperm_in *in,
                                   struct hd_laperm_launched *g);

/* Returns true if memory has room for groups of the bank and level. */
bool hd_laperm_memory_has_room(const struct hd_laperm_oracle *o, const struct hd_laperm_in *in, unsigned bank,
                               unsigned level);

/* The remaining updates of the cycle, after the pushes and before the take: promises and room, places that are reserved
 * and released, the granted TB, and the group in A3 if it is sent to memory. Returns NULL or the broken rule. */
const char *hd_laperm_follow_memory(struct hd_laperm_oracle *o, const struct hd_laperm_in *in,
                                    const struct hd_laperm_out *out, unsigned front_level);

#endif
