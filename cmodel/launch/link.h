/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* link: golden model of the linking of aggregated groups to their kernels.
 *
 *   group (devq, A2) --> [allocate an AGE] --> [A3] --> link event (agt, ovfq, scheduler, FCFS)
 *                          ^                     |
 *   free AGE (agc) --------+                     +--> [chain of each KD entry: NAGEI, LAGEI] --> nagei, lagei
 *                                                |            ^ advance (scheduler), successor (agt)
 *                                                |            ^ fail events, take and enter of a suspended kernel
 *                                                +--> the list in memory (ovfq), if the group has no AGE, or other
 *                                                     groups of its kernel are there
 *
 * A group gets an entry of the Aggregated Group Table (AGE) by its hardware thread index if that entry is free, and
 * otherwise stays in its record in memory; it is appended to the list of its kernel: dtbl-isca2015 sections 4.2 and
 * 4.3. The list begins with a chain of AGEs, from NAGEI, the next aggregated group to be handed out, to LAGEI, the last
 * one linked. From the first group without an AGE on it continues in memory, until the last of these has been handed
 * out. The other two ways of allocation, the bit `chained` (in the paper NAGEI alone marks an empty list) and the list
 * in memory are ours.
 *
 * - AgtHash 0: entry hw_tid mod AgtSize. 1: (hw_tid + smx * SmxStep) mod AgtSize. 2: the entry that has been free
 *   longest, unused ones first; an entry freed in t can be allocated in t+3.
 * - A group in A2 in t is a link event in t+1, and part of the list in t+2. If its predecessor has an AGE, agt writes
 *   Next in t+1.
 * - An advance and a link event of one kernel in one cycle both take effect. A fail event of the kernel empties its
 *   chain, regardless of other events; a group for a failed kernel is lost.
 * - All outputs are registered, except that link.over, link.next, pending and single depend on the lists in memory, and
 *   the link event on the failed kernels.
 *
 * - In the eighth consecutive cycle without a kernel in the KD (kd_busy) or a parent record (kin_busy) all AGEs are
 *   freed, including those that failed kernels left allocated: the free list is as after reset.
 *
 * Requires: adv only for a pending kernel; free only for an AGE in use; no group of a kernel in flight when its list is
 * taken; there and one as ovfq makes them; a list that enters without a chain has 0 in nagei and lagei; no group in A2
 * or A3 and no AGE freed in that eighth cycle.
 *
 * State: hd_link_size() bytes, owned by the caller, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_LINK_H
#define HD_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/bits.h"
#include "common/wrote.h"
#include "gen/hd_link_ports.h"

#define HD_LINK_OUTPUT_REGS 2 /* output registers of the free list's RAM */
#define HD_LINK_IDLE 8        /* cycles without a kernel after which no AGE is in use */

enum hd_agt_hash { HD_AGT_HASH_HWTID, HD_AGT_HASH_SMX, HD_AGT_HASH_FREELIST };

/* Parameters; fixed by init. */
struct hd_link_cfg {
  uint32_t size; /* bytes of the state */
  uint32_t num_kde, agt_size, hash, smx_step;
  uint32_t pad_;
};

/* The group in A3. */
struct hd_link_a3 {
  struct hd_ptr ptr;
  uint8_t valid, kdei;
  uint8_t refused; /* the group found its kernel's list full: a3 is not valid */
  uint8_t pad_[5];
};

/* The AGEs under AgtHash 2: a ring of freed ones, oldest first. The oldest `regs` of them are in the output registers,
 * the next `reading` is on its way there, the rest is in the RAM. */
struct hd_link_ring {
  uint32_t fresh; /* next AGE never used */
  uint32_t first, count;
  uint8_t regs, reading;
  uint8_t pad_[2];
};

struct hd_link {
  struct hd_link_cfg cfg;
  struct hd_wrote wrote[1];
  struct hd_list list[HD_MAX_NUM_KDE]; /* `pending` is 0 here: ovfq has the rest of the list */
  struct hd_list taken;                /* list of the kernel that was suspended in the previous cycle */
  /* From here to the ring: the state that hd_link_arch() outputs, and little else. */
  uint64_t idle; /* cycles without a kernel, saturated at HD_LINK_IDLE */
  struct hd_link_a3 a3;
  uint64_t used[HD_WORDS(HD_MAX_AGT_SIZE)]; /* AgtHash 0, 1 */
  struct hd_link_ring ring;
  uint16_t freed[]; /* AgtSize; AgtHash 2 only */
};

/* Returns the bytes of the state in this configuration. */
size_t hd_link_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. Requires m: hd_link_size(cfg) bytes of any content. */
void hd_link_init(struct hd_link *m, const struct hd_cfg *cfg);

/* Resets: all AGEs free, no lists. */
void hd_link_reset(struct hd_link *m);

/* Sets *out to this cycle's outputs; changes nothing. */
void hd_link_eval(const struct hd_link *m, const struct hd_link_in *in, struct hd_link_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_link_tick(struct hd_link *m, const struct hd_link_in *in);

/* Sets *a to the architectural state, with the names of rtl/launch/link/link.csv. */
void hd_link_arch(const struct hd_link *m, struct hd_link_arch *a, bool tables);

/* Sets row `row` in each table that is long enough. */
void hd_link_arch_row(const struct hd_link *m, unsigned row, struct hd_link_arch *a);

/* ---- For models composed of blocks ---- */

/* Return whether groups of the kernel wait, and whether exactly one does. l: its chain; there, one: ovfq has some,
 * exactly one. */
static inline bool hd_link_pending(const struct hd_list *l, bool there) {
  return l->chained || there;
}

static inline bool hd_link_single(const struct hd_list *l, bool there, bool one) {
  return l->chained ? l->nagei == l->lagei && !there : one;
}

/* Sets the outputs except the lists (pending, single, chained, nagei, lagei). Reads in->failed and in->there only for
 * m->a3.kdei; hd_link_tick() also for in->kd_take.kdei. */
void hd_link_show(const struct hd_link *m, const struct hd_link_in *in, struct hd_link_out *out);

/* Returns true if nothing is in flight: a cycle without a group in A2, an advance, a fail event, a list that leaves or
 * returns, or an AGE that is freed changes nothing. Then all outputs but the lists are 0. busy: kd_busy or kin_busy. */
static inline bool hd_link_quiet(const struct hd_link *m, bool busy) {
  const struct hd_link_ring *r = &m->ring;
  if (m->idle != (busy ? 0 : HD_LINK_IDLE)) return false;
  return !m->a3.valid && !m->a3.refused && !m->taken.pending && !r->reading &&
         (r->regs == HD_LINK_OUTPUT_REGS || r->regs == r->count);
}

#endif
