/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* laperm_memory: plays spill for the random environment of laperm (contract: docs/dispatch/spill.md). Stores the groups
 * written; requests up to SpillLine of a bank and level at once, the oldest first, in a cycle in which the bank has
 * places for them, and reserves these; returns the groups later in the order of the requests, and loses some. Places
 * that no group needs are released some cycles later. After a loss no queue has room until all groups have returned;
 * then the losses are reported, one per cycle. A bank and level is held as spill reports it: one cycle after its state.
 * In phases no group is written, many are written and few requested, queues have room for few, all pass at once, or
 * memory is drained. */
#ifndef HD_LAPERM_MEMORY_H
#define HD_LAPERM_MEMORY_H

#include "engine/block_driver.h"
#include "gen/hd_laperm_ports.h"

/* Maximum number of groups. */
enum { HD_LAPERM_GROUPS = 64 };

/* Stages of a group in memory: being written, written, requested, read. */
enum hd_laperm_stage { HD_LAPERM_PUT, HD_LAPERM_WRITTEN, HD_LAPERM_REQUESTED, HD_LAPERM_BACK };

struct hd_laperm_group {
  struct hd_info info;
  uint32_t number; /* sequence number of the request */
  uint8_t kdei, bank, stage;
  uint8_t bad; /* its write failed */
};

struct hd_laperm_memory_neighbours {
  struct hd_cfg cfg;
  unsigned left;                           /* remaining cycles of this phase */
  unsigned room, write, ask, arrive, give; /* phase: probabilities, of 256 */
  unsigned lose;                           /* phase: probability (of 256) that a group is lost */
  unsigned most;                           /* phase: maximum number of groups that wait in a queue */
  uint8_t highest;                         /* phase: highest level of a bank first, as spill does; otherwise any */
  uint8_t closed;                          /* no room since a group was lost */
  uint32_t asks;                           /* groups requested so far */
  unsigned outs;                           /* groups requested that are not in their bank, and `spare` */
  unsigned n;
  struct hd_laperm_group group[HD_LAPERM_GROUPS]; /* in the order in which they were put */
  uint8_t waits[HD_MAX_RING_QUEUES];              /* of the queue: groups that are not requested */
  uint8_t spare[HD_MAX_RING_QUEUES];              /* of the queue: reserved places that are to be released */
  uint8_t given[HD_MAX_RING_QUEUES];              /* .. that are released in this cycle */
  uint8_t kept[HD_MAX_NUM_BANK];                  /* of the bank: reserved places */
  uint16_t missing[HD_MAX_NUM_KDE];               /* of the kernel: lost groups that are not reported */
  unsigned lost;                                  /* number lost so far */
  uint8_t opened;                                 /* all losses have been reported: queues may have room again */
};

void hd_laperm_memory_reset(struct hd_laperm_memory_neighbours *s);

/* Processes the previous cycle: groups put, groups back in their banks, places reserved and released. Sets spill_held
 * of the next cycle. */
void hd_laperm_memory_follow(struct hd_laperm_memory_neighbours *s, struct hd_laperm_in *in,
                             const struct hd_laperm_out *out);

/* Sets the other inputs of the next cycle. Returns the kernel of a loss that is reported, or -1. */
int hd_laperm_memory_drive(struct hd_laperm_memory_neighbours *s, struct hd_rng *rng, const struct hd_laperm_out *now,
                           struct hd_laperm_in *in);

/* hd_laperm_memory_held: returns true if bank and level are held under these inputs. hd_laperm_memory_from: returns
 * true if any level of the bank is, from this one on. hd_laperm_memory_line: the places of the bank that stay free for
 * its next line. hd_laperm_memory_room: returns true if memory has room for groups of the bank and level. */
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
static inline unsigned hd_laperm_memory_line(const struct hd_cfg *cfg, const struct hd_laperm_in *in, unsigned bank) {
  return hd_laperm_memory_from(cfg, in, bank, 1) ? cfg->spill_line : 0;
}
static inline bool hd_laperm_memory_room(const struct hd_cfg *cfg, const struct hd_laperm_in *in, unsigned bank,
                                         unsigned level) {
  return in->spill_room[bank * cfg->max_level + level - 1];
}

#endif
