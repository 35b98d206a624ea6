/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* ovfq_around: the environment of ovfq in random runs: the KD with its kernels, which come, are suspended, come back,
 * fail and go; the launches that put groups behind their lists; the SSCR and what takes groups for it; and the memory,
 * which makes up a record when it is read. */
#ifndef HD_OVFQ_AROUND_H
#define HD_OVFQ_AROUND_H

#include "engine/twin.h"
#include "env/common/memory.h"
#include "gen/hd_ovfq_ports.h"

/* Groups that there can be at once, in all lists, old ones aside; and so many of a list are kept, wherever they lie. */
enum { HD_OVFQ_RECORDS = 400, HD_OVFQ_AGES = 96, HD_OVFQ_NUMBERS = HD_OVFQ_RECORDS + HD_OVFQ_AGES, HD_OVFQ_KEPT = 512 };

/* The groups of a list. Old ones were put before the reset, and are only counted: the memory makes up their pointers.
 * The others have numbers, AGEs behind the records. */
struct hd_ovfq_groups {
  uint32_t old;
  int16_t first, last; /* of the n groups behind the old ones; what they are without groups does not matter */
  uint16_t n;
};

struct hd_ovfq_kernel {
  struct hd_ovfq_groups groups;
  uint16_t kin;    /* parent record, from 1 on; 0: none */
  uint8_t chained; /* groups of its chain, which go first */
  uint8_t valid, failed;
  uint32_t settled, left; /* cycles: from when on it may be given groups; when the entry became free */
};

struct hd_ovfq_away {
  struct hd_ovfq_groups groups;
  struct hd_memlist list;
  uint8_t valid;
};

struct hd_ovfq_around {
  struct hd_cfg cfg;
  uint32_t now;
  uint32_t records, ages; /* numbers that may be used in these regions */
  uint32_t first_record;  /* where those of records begin */
  uint32_t rec_base, rec_count, list_base, mask;
  uint8_t started, tag_valid, tag_kdei;
  uint8_t room[2]; /* one and two cycles ago */
  uint8_t popped;  /* groups of the tag that were taken and are not handed out */
  uint8_t favourite;
  /* Phases: nothing is taken; nothing is pushed; the SSCR keeps its kernel; kernels stay; groups are handed out late;
   * everything is to become empty; parts of 256 that are AGEs. */
  uint8_t hold, dry, calm, stay, late, settle;
  uint16_t onchip;
  uint16_t drips;                         /* phase: so many cycles no read is answered, and groups come one by one */
  uint8_t still;                          /* cycles that nothing was asked of memory or unanswered, in that phase */
  uint16_t taking;                        /* parent record of the kernel that was taken in the cycle before */
  uint32_t took, resumed, resumed_before; /* cycles */
  uint8_t back;                           /* the kernel that was resumed last */
  uint32_t live;                          /* groups in all lists */
  uint16_t gone;                          /* suspended kernels */
  uint8_t was_live;                       /* in the cycle before */
  uint32_t salt;                          /* of what the memory makes up; 0: it has no old lists */
  struct hd_ovfq_kernel kernel[HD_MAX_NUM_KDE];
  struct hd_ovfq_away away[HD_MAX_NUM_KIN + 1]; /* by parent record */
  uint8_t kin_used[HD_MAX_NUM_KIN + 1];
  int16_t next[HD_OVFQ_NUMBERS];
  uint8_t used[HD_OVFQ_NUMBERS], hollow[HD_OVFQ_RECORDS]; /* hollow: without TBs */
  uint32_t seed[HD_OVFQ_RECORDS];                         /* what else a record says */
  struct hd_memory_many port;
  /* What was written to the lists: word[n][slot] is the pointer in place at[n][slot] - 1. */
  uint32_t word[HD_MAX_NUM_LIST][HD_OVFQ_KEPT], at[HD_MAX_NUM_LIST][HD_OVFQ_KEPT];
};

void hd_ovfq_around_reset(struct hd_ovfq_around *s);

/* Processes the previous cycle (in, out) and sets the inputs of the next. */
void hd_ovfq_around_drive(struct hd_ovfq_around *s, struct hd_rng *rng, const struct hd_profile *p,
                          const struct hd_ovfq_out *out, const struct hd_ovfq_out *now, struct hd_ovfq_in *in);

#endif
