/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* ovfq: golden model of the lists of overflowed groups: rings of pointers in memory, with prefetch.
 *
 *   push --> [write_row: waiting ones]  --> [op: idle, read, write, beat] --> memory port
 *     |  first, count, unans[kernel]; list[kernel]: number of its list; kin_row[parent record]: of a suspended kernel
 *     |
 *     +--> directly, if the list is read up to its end ---------+
 *                                                               v
 *   beats of the list (read_row: reads, oldest first) ----> [ptr_row: places fetch_pos .. here] --> at: one pointer
 *                                                                                                  |
 *   beats of records --> [info_row, done] <----------- read of its record ------ [self_row, row_in] <-- or an AGE
 *                             |
 *                             +--> row_out: next --> popped
 *
 * Overflowed groups stay in memory (dtbl-isca2015 section 4.2, where each record names the next one); lists of pointers
 * instead, which can be read ahead, are ours.
 *
 * - The write of a pointer put in t is requested in t + 2 at the earliest. The pointer is readable from the cycle after
 *   the answer on; one that is appended to a list that is read up to its end needs no read.
 * - The list of the kernel in the SSCR (tag, a cycle later) is read from its first group on. When that kernel changes
 *   or fails, everything read ahead is discarded, and the walk restarts once the last read has arrived.
 * - A group is offered two cycles after the last beat of its record. It leaves the list with adv, not with over_pop.
 * - All outputs are registered.
 *
 * Requires (docs/launch/ovfq.md): room two cycles before a push; adv once for each popped group of the tag; takes only
 * for kernels without unanswered writes. Of the memory: answers in order, beats in order.
 *
 * State: hd_ovfq_size() bytes, owned by the caller, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_OVFQ_H
#define HD_OVFQ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/bits.h"
#include "common/hd_cfg.h"
#include "common/wrote.h"
#include "gen/hd_ovfq_ports.h"

/* Pointers per beat; contiguous places of a list; beats read per record. */
enum { HD_OVFQ_LANES = 4, HD_OVFQ_CHUNK = 64, HD_OVFQ_RECORD_BEATS = 3 };

enum hd_ovfq_op { HD_OVFQ_IDLE, HD_OVFQ_READ, HD_OVFQ_WRITE, HD_OVFQ_BEAT };

/* Parameters; fixed by init. */
struct hd_ovfq_cfg {
  uint32_t num_kde, num_kin, num_list;
  uint32_t rows, window, beats, flight, writes;
  uint32_t agt_size, max_level;
  uint32_t on_demand; /* PrefetchDepth 0: a record is read only when the SSCR waits for it */
  uint32_t place_mask, index_mask, grid_x_mask, grid_y_mask, grid_z_mask, ctas_mask;
  uint64_t addr_mask, param_mask;
};

struct hd_ovfq {
  struct hd_ovfq_cfg cfg;
  struct hd_wrote wrote[7];
  /* Events and outputs of this cycle. */
  struct hd_memlist taken;
  struct hd_group over; /* 0 unless over_valid */
  uint8_t over_valid;
  uint8_t write_fail_valid, write_fail_kdei;
  uint8_t fetch_fail_valid, fetch_fail_kdei;
  uint8_t fetch_event;
  /* The swap of lists; fields of swaps that are not pending are 0. */
  uint8_t out_pending, out_kdei, in_pending, in_kdei;
  uint8_t swap, swap_in;
  uint8_t late_pending, late_kdei;
  uint16_t out_kin, in_kin, late_kin;
  /* The memory port; op_* are 0 while idle. */
  uint8_t w_count, w_first, w_flight, wait_first;
  uint8_t op, op_record, op_len, turn; /* enum hd_ovfq_op */
  uint16_t op_list;
  uint8_t r_flight, read_first, beat, error;
  uint8_t tag_valid, tag_kdei;
  uint32_t op_index, op_pos;
  uint32_t mask;
  uint64_t rec_count; /* the value from which the mask follows; the reset value never occurs */
  /* Read-ahead state; all 0 unless run. */
  uint32_t fetch_pos, here, asked;
  uint8_t run, planned, at, row_in, row_out, used;
  uint8_t level;     /* of the record whose beats arrive */
  uint64_t param;    /* of the same record */
  struct hd_ptr ptr; /* pointer read from the window; 0 unless at */
  uint64_t done;
  /* The lists. */
  uint32_t first[HD_MAX_NUM_KDE], count[HD_MAX_NUM_KDE];
  uint16_t list[HD_MAX_NUM_KDE];
  uint8_t unans[HD_MAX_NUM_KDE];
  uint8_t known[HD_MAX_NUM_KDE];
  struct hd_ptr head[HD_MAX_NUM_KDE]; /* 0 unless known */
  uint64_t given[HD_WORDS(HD_MAX_NUM_KIN)];
  uint16_t kin_row[HD_MAX_NUM_KIN];
  /* Tables; rows that are not valid keep their last value. */
  struct hd_ovfqwrite write_row[HD_MAX_OVFQ_WRITES];
  uint8_t wait_row[HD_MAX_OVFQ_FLIGHT];
  struct hd_ovfqread read_row[HD_MAX_OVFQ_FLIGHT];
  struct hd_ptr ptr_row[HD_MAX_OVFQ_WINDOW]; /* all rows of lane 0 first */
  struct hd_ptr self_row[HD_MAX_OVFQ_ROWS];
  struct hd_info info_row[HD_MAX_OVFQ_ROWS];
};

/* Returns the bytes of the state in this configuration. */
size_t hd_ovfq_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. Requires m: hd_ovfq_size(cfg) bytes of any content. */
void hd_ovfq_init(struct hd_ovfq *m, const struct hd_cfg *cfg);

/* Resets: empty lists, entry k has list k. */
void hd_ovfq_reset(struct hd_ovfq *m);

/* Sets *out to this cycle's outputs; changes nothing. */
void hd_ovfq_eval(const struct hd_ovfq *m, const struct hd_ovfq_in *in, struct hd_ovfq_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_ovfq_tick(struct hd_ovfq *m, const struct hd_ovfq_in *in);

/* Sets *a to the architectural state, with the names of rtl/launch/ovfq/ovfq.csv; the rows of its RAMs only if
 * `tables`. */
void hd_ovfq_arch(const struct hd_ovfq *m, struct hd_ovfq_arch *a, bool tables);

/* Sets row `row` in each table that is long enough. */
void hd_ovfq_arch_row(const struct hd_ovfq *m, unsigned row, struct hd_ovfq_arch *a);

/* ---- For models composed of blocks: single outputs that are needed before the other inputs are known ---- */

/* Returns true if the queue of writes has room for three more. */
static inline bool hd_ovfq_room(const struct hd_ovfq *m) {
  return m->w_count + 3u <= m->cfg.writes;
}

/* Return whether groups are in the list of the kernel (there), exactly one (one), or in flight to it (unanswered). */
static inline bool hd_ovfq_there(const struct hd_ovfq *m, unsigned kdei) {
  return m->count[kdei] > 0;
}

static inline bool hd_ovfq_one(const struct hd_ovfq *m, unsigned kdei) {
  return m->count[kdei] == 1;
}

static inline bool hd_ovfq_unanswered(const struct hd_ovfq *m, unsigned kdei) {
  return m->unans[kdei] > 0;
}

/* Returns true if the list of the kernel accepts no group in the next cycle. pushed: one is appended in this cycle. */
static inline bool hd_ovfq_full(const struct hd_ovfq *m, unsigned kdei, bool pushed) {
  return m->count[kdei] + (uint32_t)pushed > m->mask;
}

/* Return whether the next group is offered, and its kernel; 0 if not. */
static inline bool hd_ovfq_over_valid(const struct hd_ovfq *m) {
  return m->over_valid;
}

static inline unsigned hd_ovfq_over_kdei(const struct hd_ovfq *m) {
  return m->over_valid ? m->tag_kdei : 0;
}

/* Returns true if nothing is in flight, and the list of the kernel being read is empty: a cycle without a push, an
 * advance, a fail event, a take or a kernel that enters changes nothing, provided hd_ovfq_is_idle() is true too. Then
 * outputs are 0, except room, there and one. */
static inline bool hd_ovfq_quiet(const struct hd_ovfq *m) {
  bool port = m->op || m->w_count || m->w_flight || m->r_flight || m->write_fail_valid || m->fetch_fail_valid;
  bool lists = m->out_pending || m->in_pending || m->taken.first || m->taken.count || m->fetch_event;
  return !port && !lists && (!m->tag_valid || (m->run && !m->count[m->tag_kdei] && !m->used && !m->at));
}

/* Returns true if the kernel in the SSCR is the one being read, and rec_count has not changed. */
static inline bool hd_ovfq_is_idle(const struct hd_ovfq *m, const struct hd_ovfq_in *in) {
  bool same = m->tag_valid == in->sched_sscr.valid && (!m->tag_valid || m->tag_kdei == in->sched_sscr.kdei);
  return same && in->regs_config.rec_count == m->rec_count;
}

/* Returns true if the kernel has a fail event in this cycle. */
static inline bool hd_ovfq_fails(const struct hd_ovfq *m, unsigned kdei) {
  return (m->write_fail_valid && m->write_fail_kdei == kdei) || (m->fetch_fail_valid && m->fetch_fail_kdei == kdei);
}

/* Returns true if a burst is requested. */
static inline bool hd_ovfq_req_valid(const struct hd_ovfq *m) {
  return m->op == HD_OVFQ_READ || m->op == HD_OVFQ_WRITE;
}

#endif
