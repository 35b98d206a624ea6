/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* link: golden model of the linking of aggregated groups to their kernels.
 *
 *   group (devq, A2) --> [allocate an AGE] --> [A3] --> link event (agt, scheduler, FCFS)
 *                          ^                     |
 *   free AGE (agc) --------+                     +--> [list of each KD entry: pending, NAGEI, LAGEI] --> nagei, lagei
 *                                                |            ^ advance (scheduler), successor (agt)
 *                                                |            ^ fail events, take and enter of a suspended kernel
 *                                                +--> [next queue] --> memory: Next of a record
 *
 * A group gets an entry of the Aggregated Group Table (AGE) by its hardware thread index if that entry is free, and
 * stays in its record in memory if not; it is appended to the list of its kernel, which begins with NAGEI, the next
 * aggregated group to be handed out, and ends with LAGEI, the last one linked: dtbl-isca2015 sections 4.2 and 4.3. The
 * other two ways of allocation, the bit `pending` (the paper tells an empty list by NAGEI alone) and the queue of Next
 * writes are ours.
 *
 * - AgtHash 0: entry hw_tid mod AgtSize. 1: (hw_tid + smx * SmxStep) mod AgtSize. 2: the entry that is free longest,
 *   those never used first; an entry freed in t can be allocated in t+3.
 * - A group in A2 in t is a link event in t+1, and part of the list in t+2. Behind an AGE agt writes Next in t+1;
 *   behind a record the write joins the next queue, one burst of one beat each; their answers come in order.
 * - An advance and a link event of one kernel in one cycle: both count. A fail event of the kernel empties its list,
 *   whatever else happens; a group for a kernel that has failed is lost.
 * - All outputs come from registers, but for next_room, which counts a2_group.
 *
 * The caller keeps to: a2_group only when next_room was 1 in the cycle before; adv only of a pending kernel; free only
 * of an AGE in use; nothing of a kernel on its way when it is taken; an answer only to a write that was sent.
 *
 * State: hd_link_size() bytes, the caller's, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_LINK_H
#define HD_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/bits.h"
#include "common/wrote.h"
#include "gen/hd_link_ports.h"

#define HD_LINK_OUTPUT_REGS 2 /* behind the RAM of the free list */

enum hd_agt_hash { HD_AGT_HASH_HWTID, HD_AGT_HASH_SMX, HD_AGT_HASH_FREELIST };

/* Parameters; fixed by init. */
struct hd_link_cfg {
  uint32_t size; /* bytes of the state */
  uint32_t num_kde, agt_size, hash, smx_step, next_depth;
  uint64_t addr_mask;
};

/* The group in A3. */
struct hd_link_a3 {
  struct hd_ptr ptr;
  uint8_t valid, kdei;
  uint8_t pad_[6];
};

/* A Next write: ptr is the group behind the record. */
struct hd_link_next {
  struct hd_ptr ptr;
  uint32_t record;
  uint8_t kdei;
  uint8_t pad_[3];
};

/* The AGEs under AgtHash 2: a ring of those that were freed, the oldest first. The oldest `regs` of them stand in the
 * output registers, the next `reading` is on its way there, the rest lies in the RAM. */
struct hd_link_ring {
  uint32_t fresh; /* the next AGE never used */
  uint32_t first, count;
  uint8_t regs, reading;
  uint8_t pad_[2];
};

struct hd_link {
  struct hd_link_cfg cfg;
  struct hd_wrote wrote[1];
  struct hd_list list[HD_MAX_NUM_KDE];
  struct hd_list taken; /* list of the kernel that was suspended in the cycle before */
  struct hd_link_next next[HD_MAX_NEXT_DEPTH];
  /* From here to the ring: what hd_link_arch() shows, and little else. */
  struct hd_link_a3 a3;
  uint8_t next_count, next_first;
  uint8_t next_sent; /* of the oldest: sent, not yet answered */
  uint8_t next_beat; /* the arbiter has the request of the next one, and is to take its beat */
  uint8_t fail_valid, fail_kdei;
  uint8_t pad_[2];
  uint64_t used[HD_WORDS(HD_MAX_AGT_SIZE)]; /* AgtHash 0, 1 */
  struct hd_link_ring ring;
  uint16_t freed[]; /* AgtSize; AgtHash 2 only */
};

/* Bytes of the state in this configuration. */
size_t hd_link_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. m: hd_link_size(cfg) bytes of any content. */
void hd_link_init(struct hd_link *m, const struct hd_cfg *cfg);

/* The state after reset: all AGEs free, no lists, nothing to be written. */
void hd_link_reset(struct hd_link *m);

/* This cycle's outputs; changes nothing. */
void hd_link_eval(const struct hd_link *m, const struct hd_link_in *in, struct hd_link_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_link_tick(struct hd_link *m, const struct hd_link_in *in);

/* The architectural state under the names of rtl/launch/link/link.csv. */
void hd_link_arch(const struct hd_link *m, struct hd_link_arch *a, bool tables);

/* Row `row` of each table that has so many. */
void hd_link_arch_row(const struct hd_link *m, unsigned row, struct hd_link_arch *a);

/* ---- For models composed of blocks ---- */

/* Does the list hold just one group? */
static inline bool hd_link_single(const struct hd_list *l) {
  return l->pending && l->nagei.onchip == l->lagei.onchip && l->nagei.index == l->lagei.index;
}

/* The outputs but for the lists (pending, single, nagei, lagei). Of in->failed only that of m->a3.kdei is looked at. */
void hd_link_show(const struct hd_link *m, const struct hd_link_in *in, struct hd_link_out *out);

/* Nothing is under way: a cycle without a group in A2, an advance, a fail event, a list that goes or comes, or an AGE
 * that is freed changes nothing. Then there is room, and all other outputs but the lists are 0. */
static inline bool hd_link_quiet(const struct hd_link *m) {
  const struct hd_link_ring *r = &m->ring;
  return !m->a3.valid && !m->next_count && !m->fail_valid && !m->taken.pending && !r->reading &&
         (r->regs == HD_LINK_OUTPUT_REGS || r->regs == r->count);
}

#endif
