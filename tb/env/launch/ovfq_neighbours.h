/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* ovfq_neighbours: the environment of ovfq in random runs. It has the KD with kernels that enter, are suspended,
 * resume, fail and leave; launches that append groups to their lists; the SSCR and the consumer of its groups; and the
 * memory, which generates a record when it is read. */
#ifndef HD_OVFQ_NEIGHBOURS_H
#define HD_OVFQ_NEIGHBOURS_H

#include "engine/block_driver.h"
#include "env/common/memory.h"
#include "gen/hd_ovfq_ports.h"

/* Limits: groups in all lists at once, old ones excluded; and HD_OVFQ_KEPT, the stored places of each list in memory.
 * */
enum { HD_OVFQ_RECORDS = 400, HD_OVFQ_AGES = 96, HD_OVFQ_NUMBERS = HD_OVFQ_RECORDS + HD_OVFQ_AGES, HD_OVFQ_KEPT = 512 };

/* The groups of a list. Old groups were appended before the reset and are only counted: the memory generates their
 * pointers. The others are numbered: records first, then AGEs. */
struct hd_ovfq_groups {
  uint32_t old;
  int16_t first, last; /* of the n groups behind the old ones; arbitrary if n is 0 */
  uint16_t n;
};

struct hd_ovfq_kernel {
  struct hd_ovfq_groups groups;
  uint16_t kin;    /* parent record plus 1; 0: none */
  uint8_t chained; /* groups of its chain, which are handed out first */
  uint8_t valid, failed;
  uint32_t settled, left; /* cycle numbers: from `settled` on it may receive groups; `left`: its entry became free */
};

struct hd_ovfq_away {
  struct hd_ovfq_groups groups;
  struct hd_memlist list;
  uint8_t valid;
};

struct hd_ovfq_neighbours {
  struct hd_cfg cfg;
  uint32_t now;
  uint32_t records, ages; /* how many numbers may be used for each */
  uint32_t first_record;  /* index of the first record */
  uint32_t rec_base, rec_count, list_base, mask;
  uint8_t started, tag_valid, tag_kdei;
  uint8_t room[2]; /* one and two cycles ago */
  uint8_t popped;  /* groups of the kernel `tag_kdei` that were popped and are not handed out yet */
  uint8_t favourite;
  /* Phases: nothing is popped; nothing is pushed; the SSCR keeps its kernel; kernels stay; groups are handed out late;
   * everything drains. onchip: probability (of 256) of an AGE. */
  uint8_t hold, dry, calm, stay, late, settle;
  uint16_t onchip;
  uint16_t drips;                         /* phase: for this many cycles no read is answered and groups arrive one at a
                                           * time */
  uint8_t still;                          /* in that phase: cycles without a memory request or a pending answer */
  uint16_t taking;                        /* parent record of the kernel taken out of the KD in the previous cycle */
  uint32_t took, resumed, resumed_before; /* cycle numbers */
  uint8_t back;                           /* the kernel that was resumed last */
  uint32_t live;                          /* groups in all lists */
  uint16_t gone;                          /* suspended kernels */
  uint8_t was_live;                       /* in the previous cycle */
  uint32_t salt;                          /* seed of generated memory contents; 0: no old lists exist */
  struct hd_ovfq_kernel kernel[HD_MAX_NUM_KDE];
  struct hd_ovfq_away away[HD_MAX_NUM_KIN + 1]; /* by parent record */
  uint8_t kin_used[HD_MAX_NUM_KIN + 1];
  int16_t next[HD_OVFQ_NUMBERS];
  uint8_t used[HD_OVFQ_NUMBERS], hollow[HD_OVFQ_RECORDS]; /* hollow: the record has no TBs */
  uint32_t seed[HD_OVFQ_RECORDS];                         /* of the rest of a record */
  struct hd_memory_bursts port;
  /* The words written to the lists: word[n][slot] is the pointer at place at[n][slot] - 1. */
  uint32_t word[HD_MAX_NUM_LIST][HD_OVFQ_KEPT], at[HD_MAX_NUM_LIST][HD_OVFQ_KEPT];
};

void hd_ovfq_neighbours_reset(struct hd_ovfq_neighbours *s);

/* Processes the previous cycle (in, out) and sets the inputs of the next. */
void hd_ovfq_neighbours_drive(struct hd_ovfq_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                              const struct hd_ovfq_out *out, const struct hd_ovfq_out *now, struct hd_ovfq_in *in);

#endif
