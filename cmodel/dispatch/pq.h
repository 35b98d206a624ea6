/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* pq: golden model of one bank of LaPerm's priority queues.
 *
 *   push --> [level MaxLevel, oldest first] --+
 *            [ ..                         ] --+--> front and its next TB --> take: the next TB, or the entry leaves
 *            [level 1, oldest first       ] --+
 *
 * A bank holds the groups and device kernels that were launched on one SMX and wait for it. Each has the level of its
 * TBs, one more than its parent's; the highest level goes first, and within a level the oldest: laperm-isca2016 section
 * IV.A; banks per SMX: section IV.B. The contents of an entry, its next TB included, are those of section IV.A; 128
 * entries whose levels share one RAM are those of section IV.E. Ours: an entry finds its place in one cycle (the paper
 * searches up to 128 entries), and one may arrive while another leaves.
 *
 * - An entry pushed in t is in the list in t+1, behind all of its level and above, with the next TB that was pushed
 *   with it. It is stored in the lowest place that was free in t; an entry that leaves in t frees its place only for
 *   t+1.
 * - A take in t hands out front_nextbl. With the last TB (front_last) the entry leaves; otherwise front_nextbl
 *   increments in t+1.
 * - Push and take in one cycle are independent. An entry that is overtaken keeps its next TB.
 * - front_need is the front's element of `need`. The model looks it up; the RTL keeps it, and takes the need of an
 *   entry pushed directly to the front from push_need. All outputs of the RTL are registered.
 * - Places may be kept for entries that return from memory; only an entry pushed with push_kept gets one. Which places
 *   these are is not decided before: their number is counted, and every entry is stored in the lowest free place.
 *   Reserve, release and push in t count in t+1. Keeping places is ours.
 *
 * Requires: push.level from 1 to MaxLevel, push.ctas 1 or more, push_nextbl less than that; take only while
 * front_valid; need[push.kdei] is push_need from the cycle after the push on, for as long as an entry names it; reserve
 * only if room is at least SpillLine, or one more in a cycle with an accepted push without push_kept; as many kept
 * places as release and push_kept give up together.
 *
 * State: hd_pq_size() bytes, owned by the caller, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_PQ_H
#define HD_PQ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/bits.h"
#include "common/wrote.h"
#include "gen/hd_pq_ports.h"

#define HD_PQ_WORDS HD_WORDS(HD_MAX_PQ_DEPTH)

/* Parameters; fixed by init. */
struct hd_pq_cfg {
  uint32_t depth, max_level;
  uint32_t line; /* places that a reserve keeps */
  uint32_t pad_;
};

/* The entries of a level, as a chain of places; all 0 if there is none. */
struct hd_pq_queue {
  uint8_t head, tail, count;
};

/* A place; all 0 while it is free. */
struct hd_pq_row {
  struct hd_pqentry entry;
  uint32_t nextbl;
  uint8_t next; /* the next place in its level; 0 in the last */
  uint8_t pad_[3];
};

struct hd_pq {
  struct hd_pq_cfg cfg;
  struct hd_wrote wrote[3];
  uint64_t free[HD_PQ_WORDS];                 /* places */
  uint32_t levels;                            /* bit l - 1: level l has entries */
  struct hd_pq_queue queue[HD_MAX_MAX_LEVEL]; /* queue[0]: level 1 */
  uint8_t used;                               /* places that hold an entry */
  uint8_t kept;                               /* free places that are kept for entries from memory */
  uint8_t pad_[2];
  struct hd_pq_row row[]; /* PqDepth */
};

/* Returns the bytes of the state in this configuration. */
size_t hd_pq_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. Requires m: hd_pq_size(cfg) bytes of any content. */
void hd_pq_init(struct hd_pq *m, const struct hd_cfg *cfg);

/* Resets: no entries, all places free, none of them kept. */
void hd_pq_reset(struct hd_pq *m);

/* Sets *out to this cycle's outputs; changes nothing. */
void hd_pq_eval(const struct hd_pq *m, const struct hd_pq_in *in, struct hd_pq_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_pq_tick(struct hd_pq *m, const struct hd_pq_in *in);

/* Sets *a to the architectural state, with the names of rtl/dispatch/pq/pq.csv; the rows of its RAMs only if
 * `tables`. */
void hd_pq_arch(const struct hd_pq *m, struct hd_pq_arch *a, bool tables);

/* Sets row `row` in each table that is long enough. */
void hd_pq_arch_row(const struct hd_pq *m, unsigned row, struct hd_pq_arch *a);

/* ---- For models composed of blocks ---- */

/* Returns the number of places that are neither used nor kept, or 7 if it is larger (room; push_ready: not 0). */
static inline unsigned hd_pq_room(const struct hd_pq *m) {
  const unsigned room = m->cfg.depth - m->used - m->kept;
  return room < 7 ? room : 7;
}

/* Returns true if the bank holds an entry (front_valid). */
static inline bool hd_pq_any(const struct hd_pq *m) {
  return m->levels != 0;
}

/* Returns the level of the first entry; 0 if there is none. */
static inline unsigned hd_pq_level(const struct hd_pq *m) {
  return m->levels ? 32 - (unsigned)__builtin_clz(m->levels) : 0;
}

/* Returns the place of the first entry. Requires one. */
static inline unsigned hd_pq_place(const struct hd_pq *m) {
  return m->queue[hd_pq_level(m) - 1].head;
}

/* Returns the first entry. Requires one. */
static inline const struct hd_pqentry *hd_pq_front(const struct hd_pq *m) {
  return &m->row[hd_pq_place(m)].entry;
}

/* Returns the second entry, or NULL. */
static inline const struct hd_pqentry *hd_pq_second(const struct hd_pq *m) {
  const unsigned first = hd_pq_level(m);
  const uint32_t below = first ? m->levels & ~(UINT32_C(1) << (first - 1)) : 0;
  if (first && m->queue[first - 1].count > 1) return &m->row[m->row[hd_pq_place(m)].next].entry;
  return below ? &m->row[m->queue[31 - __builtin_clz(below)].head].entry : NULL;
}

/* Returns the next TB of the first entry. Requires one. */
static inline uint32_t hd_pq_nextbl(const struct hd_pq *m) {
  return m->row[hd_pq_place(m)].nextbl;
}

/* Returns true if that is the last TB of the entry (front_last). Requires one. */
static inline bool hd_pq_last(const struct hd_pq *m) {
  const struct hd_pq_row *r = &m->row[hd_pq_place(m)];
  return r->nextbl + 1 == r->entry.ctas;
}

/* The edge, in two parts.
 *
 * hd_pq_step: push: the offered entry, with its next TB, or NULL; it is accepted if there is room, or if it uses a kept
 * place (push_kept). Without push and take it changes nothing.
 * hd_pq_keep, after it: reserve: SpillLine more places are kept; release: this number of places is no longer kept.
 * Without both it changes nothing. */
void hd_pq_step(struct hd_pq *m, const struct hd_pqentry *push, uint32_t nextbl, bool push_kept, bool take);
void hd_pq_keep(struct hd_pq *m, bool reserve, unsigned release);

#endif
