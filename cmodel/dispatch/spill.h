/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* spill: golden model of the groups that wait in memory for a bank of priority queues.
 *
 *   put --> [puts] --> memq: put .. get --> [first half] --> [backs] --> back
 *              |          memory port  ^                         '----> lost
 *              v                       |
 *           [held: groups of each queue]   [out: banks with a requested group, its level; bank_ptr]
 *
 * LaPerm's entries go to memory when a queue is full (laperm-isca2016 section IV.E). How they return is ours: one queue
 * per bank and level; one group per bank is requested at a time, the oldest of the highest level that is written, and
 * only while the bank reserves a place for it; banks are served round robin. Groups are offered in the order of their
 * requests. A memory error loses the group that it hits, and is reported for its kernel.
 *
 * The write request of a group put in t is in t + 3; a group whose last beat arrives in t is offered, or reported as
 * lost, in t + 1. Outputs are registered, but put_ready also depends on `count`, the address of a burst on `base`, and
 * wbeat is computed from the oldest of `puts`.
 *
 * Requires: put_valid only with put_ready; place[b] only if the bank has a place that nothing else takes before the
 * group requested then has returned; base and count constant while a group is held.
 *
 * State: hd_spill_size() bytes, owned by the caller, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_SPILL_H
#define HD_SPILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/bits.h"
#include "common/hd_cfg.h"
#include "common/wrote.h"
#include "gen/hd_spill_ports.h"
#include "service/memq.h"

/* Size of a group in memory. */
enum { HD_SPILL_BEATS = 2, HD_SPILL_BYTES = 16 * HD_SPILL_BEATS };

/* Parameters; fixed by init. */
struct hd_spill_cfg {
  uint32_t num_bank, max_level, depth, flight;
  uint32_t x_w, y_w, z_w, ctas_w, param_w; /* widths of the fields of a record */
  uint32_t pad_;
};

struct hd_spill {
  struct hd_spill_cfg cfg;
  struct hd_wrote wrote[2];
  uint64_t held[HD_WORDS(HD_MAX_SPILLQ_QUEUES)]; /* queues with held_count > 0 */
  uint64_t out[HD_WORDS(HD_MAX_NUM_BANK)];       /* banks with a group that was requested and has not returned */
  uint64_t lo, hi;                               /* first beat of the group being received */
  uint16_t held_count[HD_MAX_SPILLQ_QUEUES];
  uint8_t out_level[HD_MAX_NUM_BANK]; /* 0 unless its bank is in `out` */
  uint8_t outs;                       /* number of banks in `out` */
  uint8_t bank_ptr;
  uint8_t puts, first_put, backs, first_back; /* the rings */
  uint8_t putting;                            /* the oldest of `put` has its place in memory */
  uint8_t lost_valid, lost_kdei;
  uint8_t pad_[3];
  struct hd_spillgroup put[HD_MAX_SPILL_DEPTH]; /* rows outside their ring are 0 */
  struct hd_spillgroup back[HD_MAX_SPILL_FLIGHT];
  struct hd_memq memq;
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

/* Sets *a to the architectural state, with the names of rtl/dispatch/spill/spill.csv; the rows of tables only if
 * `tables`. */
void hd_spill_arch(const struct hd_spill *m, struct hd_spill_arch *a, bool tables);

/* Sets *a to the same state without memq's part. */
void hd_spill_arch_own(const struct hd_spill *m, struct hd_spill_arch *a, bool tables);

/* Sets row `row` of each of its own tables that is long enough. */
void hd_spill_arch_row(const struct hd_spill *m, unsigned row, struct hd_spill_arch *a);

/* Sets *out to the outputs of memq in this cycle. */
void hd_spill_show_inner(const struct hd_spill *m, const struct hd_spill_in *in, struct hd_spill_inner *out);

/* ---- For models composed of blocks: single outputs that are needed before the other inputs are known ---- */

static inline const struct hd_memq *hd_spill_memq(const struct hd_spill *m) {
  return &m->memq;
}

/* Returns true if there is room for one more group (put_ready). */
static inline bool hd_spill_put_ready(const struct hd_spill *m, uint32_t count) {
  return m->puts < m->cfg.depth && hd_memq_left(&m->memq, count) > (unsigned)m->puts - m->putting;
}

/* Returns how many more groups can wait to go to memory (rows). */
static inline unsigned hd_spill_rows(const struct hd_spill *m) {
  return m->cfg.depth - m->puts;
}

/* Returns true if groups of the queue are held. */
static inline bool hd_spill_held(const struct hd_spill *m, unsigned bank, unsigned level) {
  return hd_bit(m->held, bank * m->cfg.max_level + level - 1);
}

/* Returns true if nothing is held, in flight or reported: a cycle without a put changes nothing. Then put_ready depends
 * only on `count`, rows is SpillDepth, and all other outputs are 0. */
static inline bool hd_spill_quiet(const struct hd_spill *m) {
  return !m->puts && !m->outs && !m->lost_valid && hd_memq_quiet(&m->memq);
}

#endif
