/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* laperm_memory: plays spill for the random environment of laperm (contract: docs/dispatch/spill.md). Stores the groups
 * written; requests them one per bank at a time, in a cycle in which the bank has a place, oldest of its bank and level
 * first; returns them later in the order of the requests, and loses some. A bank and level is held from the cycle after
 * a group was written until it is back in its bank or lost. In phases no group is written, many are written and few
 * requested, there is room for few, all pass at once, or memory is drained. */
#ifndef HD_LAPERM_MEMORY_H
#define HD_LAPERM_MEMORY_H

#include "engine/block_driver.h"
#include "gen/hd_laperm_ports.h"

/* Maximum number of groups, unless spill has fewer places. */
enum { HD_LAPERM_GROUPS = 64 };

/* Stages of a group in memory: being written, written, requested, read. */
enum hd_laperm_stage { HD_LAPERM_PUT, HD_LAPERM_WRITTEN, HD_LAPERM_REQUESTED, HD_LAPERM_BACK };

struct hd_laperm_group {
  struct hd_info info;
  uint32_t number; /* sequence number of the request */
  uint8_t kdei, bank, stage;
};

struct hd_laperm_memory_neighbours {
  struct hd_cfg cfg;
  unsigned left;                          /* remaining cycles of this phase */
  unsigned put, write, ask, arrive, lose; /* phase: probabilities, of 256 */
  unsigned room;                          /* phase: maximum number of groups */
  uint8_t highest;                        /* phase: highest level of a bank first, as spill does; otherwise any */
  uint32_t asks;
  unsigned n;
  struct hd_laperm_group group[HD_LAPERM_GROUPS]; /* in the order in which they were put */
  unsigned lost;                                  /* number lost so far */
};

void hd_laperm_memory_reset(struct hd_laperm_memory_neighbours *s);

/* Processes the previous cycle: groups put, groups back in their banks. */
void hd_laperm_memory_follow(struct hd_laperm_memory_neighbours *s, const struct hd_laperm_in *in,
                             const struct hd_laperm_out *out);

/* Sets the inputs of the next cycle. Returns the kernel of a group that is lost, or -1. */
int hd_laperm_memory_drive(struct hd_laperm_memory_neighbours *s, struct hd_rng *rng, const struct hd_laperm_out *now,
                           struct hd_laperm_in *in);

/* hd_laperm_memory_held: returns true if bank and level are held under these inputs. hd_laperm_memory_from: returns
 * true if any level of the bank is, from this one on. */
static inline bool hd_laperm_memory_held(const struct hd_cfg *cfg, const struct hd_laperm_in *in, unsigned bank,
                                         unsigned level) {
  return in->spill_held[bank * cfg->max_level + level - 1];
}
static inline bool hd_laperm_memory_from(const struct hd_cfg *cfg, const struct hd_laperm_in *in, unsigned bank,
                                         unsigned level) {
  bool any = false;
  for (unsigned l = level; l <= cfg->max_level; l++) any |= hd_laperm_memory_held(cfg, in, bank, l);
  return any;
}

#endif
