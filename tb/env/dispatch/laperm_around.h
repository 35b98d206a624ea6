/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* laperm_around: the random environment of laperm: a KD whose kernels enter and leave, groups and kernels of few TBs,
 * and SMXs that accept offers. In phases it fills the banks, drains them, withholds the accepts, or keeps a number of
 * entries (often one); it launches on all SMXs, some or one, at any level, one level or high ones, of all kernels or
 * one. The policy stays for long or changes every few cycles. The needs of a kernel are known only from the cycle after
 * it entered; the element of a free entry changes at random. laperm_memory plays the memory. TBs of the SSCR are
 * granted at random when none of a bank is. */
#ifndef HD_LAPERM_AROUND_H
#define HD_LAPERM_AROUND_H

#include "dispatch/laperm.h"
#include "engine/twin.h"
#include "env/dispatch/laperm_memory.h"

struct hd_laperm_around {
  struct hd_cfg cfg;
  unsigned left;               /* cycles of this phase that are still to come */
  unsigned group, enter, take; /* phase: how often, in 1/256 of what the profile says */
  unsigned grant;              /* phase: that, when nothing is taken, a TB of the SSCR is handed out, in 1/256 */
  unsigned target;             /* phase: nothing new beyond so many entries */
  unsigned few, first;         /* phase: so many SMXs from this one on launch */
  uint8_t mode, level;         /* phase: which levels; the one of mode ONE */
  uint8_t narrow;              /* phase: all groups are of the first kernel that is there */
  uint8_t policy, flicker;     /* the policy changes every few cycles */
  unsigned policy_left;        /* cycles until it changes */
  unsigned used;               /* entries in the banks and on their way */
  unsigned in_bank[HD_MAX_NUM_BANK];
  unsigned live[HD_MAX_MAX_LEVEL + 1];
  int a3;                         /* kernel of the group in A3, or -1, and its bank */
  unsigned a3_bank, a3_level;     /* .. */
  bool a3_behind, a3_freed;       /* it was behind others; it was not, but would have been a cycle before */
  int a3_places;                  /* so many places the bank had for it */
  uint8_t there[HD_MAX_NUM_KDE];  /* kernels in the KD */
  unsigned named[HD_MAX_NUM_KDE]; /* entries of each in the banks and on their way */
  uint64_t backup_valid[HD_LAPERM_WORDS];
  uint8_t backup[HD_MAX_NUM_SMX];
  uint8_t was_policy; /* of the cycle before */
  struct hd_laperm_memory_around memory;
  uint8_t was_held[HD_MAX_SPILLQ_QUEUES]; /* in the cycle before */
  /* The TB that was handed out in the cycle before, under another policy than Rr. */
  bool ran, ran_grant, ran_any;
  unsigned ran_bank, ran_level;
};

void hd_laperm_around_reset(struct hd_laperm_around *s);

/* Processes the previous cycle (in, out) and sets the inputs of the next. */
void hd_laperm_around_drive(struct hd_laperm_around *s, struct hd_rng *rng, const struct hd_profile *p,
                            const struct hd_laperm_out *out, const struct hd_laperm_out *now, struct hd_laperm_in *in);

/* The bank of an SMX. */
static inline unsigned hd_laperm_around_bank(const struct hd_laperm_around *s, unsigned smx) {
  return smx / s->cfg.smx_per_cluster;
}

/* A3 puts a group into this bank. */
static inline bool hd_laperm_around_into(const struct hd_laperm_around *s, const struct hd_laperm_out *out,
                                         unsigned bank) {
  return out->push_valid && !out->put_valid && s->a3_bank == bank;
}

/* Places of a bank that are free, but for that of the group in A3 and the one that is kept for memory. */
static inline int hd_laperm_around_places(const struct hd_laperm_around *s, const struct hd_laperm_in *in,
                                          const struct hd_laperm_out *out, unsigned bank) {
  return (int)(s->cfg.pq_depth - s->in_bank[bank]) - hd_laperm_around_into(s, out, bank) -
         hd_laperm_memory_from(&s->cfg, in, bank, 1);
}

/* Others of the bank and level are in memory, or go there from A3. */
static inline bool hd_laperm_around_behind(const struct hd_laperm_around *s, const struct hd_laperm_in *in,
                                           const struct hd_laperm_out *out, unsigned bank, unsigned level) {
  if (hd_laperm_memory_held(&s->cfg, in, bank, level)) return true;
  return out->put_valid && s->a3_bank == bank && s->a3_level == level;
}

/* The bank whose front goes first under TbPri, or -1. */
int hd_laperm_best_front(const struct hd_laperm_around *s, const struct hd_laperm_out *now);

#endif
