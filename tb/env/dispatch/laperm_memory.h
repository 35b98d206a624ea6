/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* laperm_memory: plays spill for the random environment of laperm (contract: docs/dispatch/spill.md). Stores the groups
 * written; requests them one per bank at a time, in a cycle in which the bank has a place, oldest of its bank and level
 * first; returns them later in the order of the requests, and loses some. A bank and level is held from the cycle after
 * a group was written until it is back in its bank or lost. In phases no group is written, many are written and few
 * requested, there is room for few, all pass at once, or memory is drained. */
#ifndef HD_LAPERM_MEMORY_H
#define HD_LAPERM_MEMORY_H

#include "engine/twin.h"
#include "gen/hd_laperm_ports.h"

/* So many groups, or as many as spill has places for, if these are fewer. */
enum { HD_LAPERM_GROUPS = 64 };

/* A group in memory: on its way there, written, asked for, back. */
enum hd_laperm_stage { HD_LAPERM_PUT, HD_LAPERM_WRITTEN, HD_LAPERM_ASKED, HD_LAPERM_BACK };

struct hd_laperm_group {
  struct hd_info info;
  uint32_t number; /* of those that were asked for, in their order */
  uint8_t kdei, bank, stage;
};

struct hd_laperm_memory_around {
  struct hd_cfg cfg;
  unsigned left;                          /* cycles of this phase that are still to come */
  unsigned put, write, ask, arrive, lose; /* phase: how often, in 1/256 */
  unsigned room;                          /* phase: nothing is put beyond so many groups */
  uint8_t highest;                        /* phase: the highest level of a bank first, as spill has it; else any */
  uint32_t asks;
  unsigned n;
  struct hd_laperm_group group[HD_LAPERM_GROUPS]; /* in the order in which they were put */
  unsigned lost;                                  /* so many so far */
};

void hd_laperm_memory_reset(struct hd_laperm_memory_around *s);

/* Follows the cycle before: what was put, what is back. */
void hd_laperm_memory_follow(struct hd_laperm_memory_around *s, const struct hd_laperm_in *in,
                             const struct hd_laperm_out *out);

/* Makes the inputs of the next. Returns the kernel of a group that is lost, or -1. */
int hd_laperm_memory_drive(struct hd_laperm_memory_around *s, struct hd_rng *rng, const struct hd_laperm_out *now,
                           struct hd_laperm_in *in);

/* Is the bank and level held, under these inputs? Is any level of the bank, from this one on? */
static inline bool hd_laperm_memory_held(const struct hd_cfg *cfg, const struct hd_laperm_in *in, unsigned bank,
                                         unsigned level) {
  return in->held[bank * cfg->max_level + level - 1];
}
static inline bool hd_laperm_memory_from(const struct hd_cfg *cfg, const struct hd_laperm_in *in, unsigned bank,
                                         unsigned level) {
  bool any = false;
  for (unsigned l = level; l <= cfg->max_level; l++) any |= hd_laperm_memory_held(cfg, in, bank, l);
  return any;
}

#endif
