/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* laperm_neighbours: the random environment of laperm: a KD whose kernels enter and leave, groups and kernels of few
 * TBs, and SMXs that accept offers. In phases it fills the banks, drains them, withholds the accepts, or keeps a number
 * of entries (often one); it launches on all SMXs, some or one, at any level, one level or high ones, of all kernels or
 * one. The policy stays for long or changes every few cycles. The needs of a kernel are known only from the cycle after
 * it entered; the element of a free entry changes at random. laperm_memory plays the memory. TBs of the SSCR are
 * granted at random when none of a bank is. */
#ifndef HD_LAPERM_NEIGHBOURS_H
#define HD_LAPERM_NEIGHBOURS_H

#include "dispatch/laperm.h"
#include "engine/block_driver.h"
#include "env/dispatch/laperm_memory.h"

struct hd_laperm_neighbours {
  struct hd_cfg cfg;
  unsigned left;               /* remaining cycles of this phase */
  unsigned group, enter, take; /* phase: factors (of 256) on the profile's probabilities */
  unsigned grant;              /* phase: probability (of 256) that a TB of the SSCR is granted if none of a bank is */
  unsigned target;             /* phase: maximum number of entries */
  unsigned few, first;         /* phase: `few` SMXs launch, from SMX `first` on */
  uint8_t mode, level;         /* phase: which levels; the level of mode ONE */
  uint8_t narrow;              /* phase: all groups belong to the first kernel in the KD */
  uint8_t policy, flicker;     /* flicker: the policy changes every few cycles */
  unsigned policy_left;        /* cycles until it changes */
  unsigned used;               /* entries in the banks and in flight */
  unsigned in_bank[HD_MAX_NUM_BANK];
  unsigned live[HD_MAX_MAX_LEVEL + 1];
  int a3;                         /* kernel of the group in A3, or -1 */
  unsigned a3_bank, a3_level;     /* its bank and level */
  bool a3_behind, a3_freed;       /* it was queued behind others; it was not, but would have been one cycle earlier */
  bool a3_room;                   /* memory had room for its bank and level */
  int a3_places;                  /* free places of its bank */
  uint8_t there[HD_MAX_NUM_KDE];  /* kernels in the KD */
  unsigned named[HD_MAX_NUM_KDE]; /* entries of each kernel in the banks and in flight */
  uint64_t backup_valid[HD_LAPERM_WORDS];
  uint8_t backup[HD_MAX_NUM_SMX];
  uint8_t was_policy; /* of the previous cycle */
  struct hd_laperm_memory_neighbours memory;
  uint8_t was_held[HD_MAX_RING_QUEUES]; /* of the previous cycle */
  /* The TB that was handed out in the previous cycle, under a policy other than Rr. */
  bool ran, ran_grant, ran_any;
  unsigned ran_bank, ran_level;
  int passed_own, passed_backup; /* banks that it passed; -1: none */
};

void hd_laperm_neighbours_reset(struct hd_laperm_neighbours *s);

/* Processes the previous cycle (in, out) and sets the inputs of the next. */
void hd_laperm_neighbours_drive(struct hd_laperm_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                                const struct hd_laperm_out *out, const struct hd_laperm_out *now,
                                struct hd_laperm_in *in);

/* Returns the bank of an SMX. */
static inline unsigned hd_laperm_neighbours_bank(const struct hd_laperm_neighbours *s, unsigned smx) {
  return smx / s->cfg.smx_per_cluster;
}

/* Returns true if A3 puts a group into this bank. */
static inline bool hd_laperm_neighbours_into(const struct hd_laperm_neighbours *s, const struct hd_laperm_out *out,
                                             unsigned bank) {
  return out->push.valid && !out->put.valid && s->a3_bank == bank;
}

/* Returns the places of a bank that are neither used nor kept. */
static inline unsigned hd_laperm_neighbours_room(const struct hd_laperm_neighbours *s, unsigned bank) {
  return s->cfg.pq_depth - s->in_bank[bank] - s->memory.kept[bank];
}

/* Returns these, without that of the group in A3 and those that stay free for the next line from memory. */
static inline int hd_laperm_neighbours_places(const struct hd_laperm_neighbours *s, const struct hd_laperm_in *in,
                                              const struct hd_laperm_out *out, unsigned bank) {
  return (int)hd_laperm_neighbours_room(s, bank) - hd_laperm_neighbours_into(s, out, bank) -
         (int)hd_laperm_memory_line(&s->cfg, in, bank);
}

/* Returns true if other groups of the bank and level are in memory, or go there from A3. */
static inline bool hd_laperm_neighbours_behind(const struct hd_laperm_neighbours *s, const struct hd_laperm_in *in,
                                               const struct hd_laperm_out *out, unsigned bank, unsigned level) {
  if (hd_laperm_memory_held(&s->cfg, in, bank, level)) return true;
  return out->put.valid && s->a3_bank == bank && s->a3_level == level;
}

/* Returns the bank whose front goes first under TbPri, or -1. */
int hd_laperm_best_front(const struct hd_laperm_neighbours *s, const struct hd_laperm_out *now);

#endif
