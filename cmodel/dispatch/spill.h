/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* spill: golden model of the groups that wait in memory for a bank of priority queues.
 *
 *   put --> [puts] --> memring: put .. get --> [first half] --> [backs] --> back
 *     |        |         memory port    ^                          |
 *     |        '-----> [held, out: groups of each queue]           |
 *     |                                 |                          |
 *     |                                 '-- [bank_ptr]             |
 *     '-- + 1 --> [count of each kernel] <-- - 1 ------------------'
 *                    '-- closed, and all returned --> lost
 *
 * LaPerm's entries go to memory when a queue is full (laperm-isca2016 section IV.E). How they return is ours: one
 * queue per bank and level, a ring in memory; `line` groups are requested at once, the oldest of the highest level
 * of a bank that is written, and only while the bank has places for them, which are reserved at once; banks are
 * served round robin, and several requests are under way. Groups are offered in the order of their requests. Places
 * that a request does not need are given up.
 *
 * Nothing of a group in memory is kept on chip. If the memory loses one, its kernel is unknown at first: the block
 * is closed until all groups have returned. The groups that each kernel misses then are those that were lost, and
 * are reported one per cycle.
 *
 * The write request of a group put in t is in t + 4; a group whose last beat arrives in t is offered in t + 1.
 * Places that the request accepted in t does not need are given up in t + 3, that of a lost group one cycle after
 * its last beat. Outputs are registered, but `reserve` also depends on laperm_place, the address of a burst on
 * `base`, and wbeat is computed from the oldest of `puts`.
 *
 * Requires: at most one put per cycle, only if room of its queue was set in the previous cycle, and rows is not 0;
 * place[b] only if the bank has `line` places that nothing else takes before they are reserved, and a reserved one
 * stays free until its group enters it or it is given up; base and count constant while a group is held, and from the
 * cycle before a put on; the memory answers accepted bursts alone (memarb.h), and returns what was written.
 *
 * State: hd_spill_size() bytes, owned by the caller, 8-byte aligned, without pointers; a copy is a snapshot,
 * memcmp is equality. */
#ifndef HD_SPILL_H
#define HD_SPILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/bits.h"
#include "common/hd_cfg.h"
#include "common/wrote.h"
#include "gen/hd_spill_ports.h"
#include "service/memring.h"

/* Parameters; fixed by init. */
struct hd_spill_cfg {
  uint32_t num_bank, max_level, num_kde, depth, flight, line;
  uint32_t x_w, y_w, z_w, ctas_w, param_w, kde_w; /* widths of the fields of a record */
};

struct hd_spill {
  struct hd_spill_cfg cfg;
  struct hd_wrote wrote[2];
  uint64_t lo, hi;                            /* first beat of the group being received */
  uint16_t ask_queue;                         /* of the last request */
  uint16_t gone_queue;                        /* 0 unless gone_valid */
  uint8_t outs;                               /* groups that were requested and are not in their bank, and `spare` */
  uint8_t spare;                              /* places reserved for the last request that it does not need */
  uint8_t bank_ptr;                           /* round-robin pointer over the banks */
  uint8_t gone_valid;                         /* a group was lost in the previous cycle */
  uint8_t closed;                             /* a group was lost, and the losses are not all reported */
  uint8_t lost_valid, lost_kdei;              /* a loss is reported */
  uint8_t puts, first_put, backs, first_back; /* the rings */
  uint8_t any_held;                           /* `held` is not empty */
  uint64_t held[HD_MEMRING_WORDS];            /* queues with groups in the block in the previous cycle */
  uint64_t out_of[HD_MEMRING_WORDS];          /* queues with out > 0 */
  uint8_t out[HD_MAX_RING_QUEUES];            /* groups of a queue that were requested and are not in their bank */
  uint32_t count[HD_MAX_NUM_KDE]; /* groups of a kernel: to be written, in memory, or lost and not reported */
  struct hd_spillgroup put[HD_MAX_SPILL_DEPTH]; /* rows outside their ring are 0 */
  struct hd_spillgroup back[HD_MAX_SPILL_FLIGHT];
  struct hd_memring memring;
};

/* Returns the bytes of the state in this configuration. */
size_t hd_spill_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. Requires m: hd_spill_size(cfg) bytes of any content. */
void hd_spill_init(struct hd_spill *m, const struct hd_cfg *cfg);

/* Resets: no group is here. */
void hd_spill_reset(struct hd_spill *m);

/* Sets *out to this cycle's outputs; changes nothing. */
void hd_spill_eval(const struct hd_spill *m, const struct hd_spill_in *in, struct hd_spill_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_spill_tick(struct hd_spill *m, const struct hd_spill_in *in);

/* Sets *a to the architectural state, with the names of rtl/dispatch/spill/spill.csv; the rows of tables
 * only if `tables`. */
void hd_spill_arch(const struct hd_spill *m, struct hd_spill_arch *a, bool tables);

/* Sets *a to the same state without memring's part. */
void hd_spill_arch_own(const struct hd_spill *m, struct hd_spill_arch *a, bool tables);

/* Sets row `row` of each of its own tables that is long enough. */
void hd_spill_arch_row(const struct hd_spill *m, unsigned row, struct hd_spill_arch *a);

/* Sets *out to the outputs of memring in this cycle. */
void hd_spill_show_inner(const struct hd_spill *m, const struct hd_spill_in *in, struct hd_spill_inner *out);

/* ---- For models composed of blocks ---- */

/* sim speed: sets the outputs but room and held, for which there are sets. */
void hd_spill_show(const struct hd_spill *m, const struct hd_spill_in *in, struct hd_spill_out *out);

static inline const struct hd_memring *hd_spill_memring(const struct hd_spill *m) {
  return &m->memring;
}

/* Return the queues that have room, and those whose groups are held: sets of bank * MaxLevel + level - 1, inside the
 * model. NULL: none. */
static inline const uint64_t *hd_spill_room(const struct hd_spill *m) {
  return m->memring.fits && !m->closed && !hd_memring_failing(&m->memring) ? m->memring.room : NULL;
}
static inline const uint64_t *hd_spill_held(const struct hd_spill *m) {
  return m->any_held ? m->held : NULL;
}

/* Returns whether reserved places are given up in this cycle (release). */
static inline bool hd_spill_releases(const struct hd_spill *m) {
  return m->spare || m->gone_valid;
}

/* Returns how many more groups can wait to go to memory (rows). */
static inline unsigned hd_spill_rows(const struct hd_spill *m) {
  return m->cfg.depth - m->puts;
}

/* Returns true if nothing is held, in flight or to be reported, and the rings fit this size of the region: a cycle
 * without a put and with the same size changes nothing. Then rows is SpillDepth, and all outputs but room are 0. */
static inline bool hd_spill_quiet(const struct hd_spill *m, uint32_t count) {
  return !m->puts && !m->outs && !m->any_held && !m->closed && hd_memring_quiet(&m->memring, count);
}

#endif
