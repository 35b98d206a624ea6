/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* laperm: golden model of LaPerm's banks of priority queues, one per cluster of SMXs, and of the TBs offered to each
 * SMX.
 *
 *   group in A2 (devq) ----> [A3] --+--> put: to memory (spill), or full: refused
 *                                   v
 *   back from memory (spill) -----> + ----+--> [bank 0] --+
 *                                   ^     |      ..       +--> order --> bound, spare: per SMX
 *   kernel that enters (KMU) -------+     +--> [bank n] --+               |
 *                                                 ^                       v
 *                                                 +------- take ------ (sched)
 *
 * The launches of a TB wait in the bank (pq.h) of the SMX on which that TB runs (laperm-isca2016 sections IV.A and
 * IV.B), or of its cluster: bank s / SmxPerCluster (section IV.B, SMXs that share an L1). A policy (laperm_order.h)
 * decides from which bank an SMX is offered a TB, before and after queue 0; the SMX scheduler takes it. The policy is
 * the input `policy` and may change in any cycle. Ours: an entry holds everything that a TB needs and its kernel does
 * not have in the KD; a kernel that finds no place goes to queue 0; the policy may change at any time; arrival numbers
 * per level, since a policy that orders all banks (TbPri) must know which front arrived first.
 *
 * - A group in A2 in t is judged by the room of its bank at the start of t: places that are neither used nor kept, less
 *   the one that a group in A3 takes in t, and less SpillLine while groups of that bank are in memory. In t+1 it is in
 *   A3 and enters its bank, visible at the front from t+2 on. It goes to memory if there is no room, if its level is not
 *   open, or if it is behind others of its bank and level that are in memory or go there from A3; it is refused if
 *   memory has no room for its bank and level in t either.
 * - A kernel enters its bank in the cycle in which it enters the KD, if the bank has room for two (SpillLine more while
 *   groups of that bank are in memory), its level is open, and it is behind no group in memory; it waits if a group
 *   enters the same bank in this cycle, or a group returns to any bank. Otherwise, and for its other TBs, it is marked.
 * - Groups are read back SpillLine at a time: with `place` a bank has room for them, with reserve it keeps places, with
 *   release it gives some of them up. A group that returns in t enters its bank in t, into a kept place, if its level
 *   is open and A3 puts none there (laperm-isca2016 section IV.E sends entries to memory; it does not say how they
 *   return).
 * - Each entry takes the next number of its level, the group of A3 before the other one. Numbers do not wrap: a level
 *   whose numbers are used up accepts no more entries until it is empty; in a cycle in which it is empty and without a
 *   push, its number returns to 0. Up to three entries may take numbers after the last check: the one in A3, a kernel
 *   or a returning group, and the one in A2.
 * - A TB that an SMX takes as spare under AdaptiveBind makes its bank the backup of that SMX. A backup stays while its
 *   bank is empty, but is skipped then.
 * - An inversion is reported in the cycle after a TB was handed out, under a policy other than Rr, if a higher level of
 *   the TB's bank (under TbPri, of any bank) is then in memory. The bank of a TB of the SSCR is that of its SMX. Under
 *   AdaptiveBind a spare TB passes the bank of its SMX, and that SMX's backup if it comes from a third bank: any level
 *   of theirs counts.
 *
 * Requires: devq_group.info.level from 1 to MaxLevel, TB counts 1 or more; one take per cycle, of the entry offered to
 * this SMX, or one grant; `kd_need` as described in pq.h; a kernel's offer stays until it is accepted (kd_free.valid
 * and not enter.wait_bank). Of spill: a queue is held from the cycle after a put until its groups are all back or lost;
 * a group is accepted in the cycle after its queue had room; places are reserved only in a cycle with `place`; each
 * reserved place is given up, or used by a returning group, which is offered until it is accepted.
 *
 * State: hd_laperm_size() bytes, owned by the caller, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_LAPERM_H
#define HD_LAPERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/bits.h"
#include "dispatch/laperm_order.h"
#include "dispatch/pq.h"
#include "gen/hd_laperm_ports.h"

#define HD_LAPERM_WORDS HD_WORDS(HD_MAX_NUM_SMX)

/* Parameters; fixed by init. */
struct hd_laperm_cfg {
  uint32_t size; /* bytes of the state */
  uint32_t num_smx, smx_per_cluster, num_bank, bank_words, max_level, choice_latency;
  uint32_t line;          /* groups that are read back from memory at once */
  uint32_t pq_size;       /* bytes of one bank */
  uint32_t last_open;     /* a level is open while its number is at most this */
  struct hd_need no_room; /* needs more than any SMX has */
};

struct hd_laperm {
  struct hd_laperm_cfg cfg;
  uint64_t holding[HD_LAPERM_WORDS];      /* banks that hold an entry */
  uint64_t backup_valid[HD_LAPERM_WORDS]; /* SMXs that have a backup */
  struct hd_info a3_info;                 /* the group in A3; it and the next four are 0 unless a3_valid */
  uint8_t a3_valid;
  uint8_t a3_put, a3_full; /* it goes to memory; it is refused; neither: it enters its bank */
  uint8_t a3_kdei, a3_bank;
  uint8_t ran; /* a TB was handed out in the previous cycle, not under Rr; if not, the next five are 0 */
  uint8_t ran_any, ran_bank, ran_level;
  uint8_t pad2_;
  uint8_t passed_own, passed_backup; /* banks that it passed, each + 1; 0: none */
  int16_t winner;                    /* bank whose front has the highest level, then the lowest number; or -1 */
  uint16_t live[HD_MAX_MAX_LEVEL];   /* number of entries of a level; element 0: level 1 */
  uint8_t pad_[2];
  uint32_t number[HD_MAX_MAX_LEVEL]; /* number of the next entry of a level */
  uint32_t lives;                    /* bit l - 1: level l has entries */
  uint32_t numbered;                 /* bit l - 1: the number of level l is not 0 */
  uint8_t backup[HD_MAX_NUM_SMX];    /* bank, of each SMX; 0 if not valid */
  uint32_t stepped;                  /* total number of bank steps; statistics only */
  uint64_t bank[];                   /* NumBank struct hd_pq of pq_size bytes each: hd_laperm_bank() */
};

/* Returns the bytes of the state in this configuration, the banks included. */
size_t hd_laperm_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. Requires m: hd_laperm_size(cfg) bytes of any content. */
void hd_laperm_init(struct hd_laperm *m, const struct hd_cfg *cfg);

/* Resets: empty banks, numbers 0, no backups. */
void hd_laperm_reset(struct hd_laperm *m);

/* Sets *out to this cycle's outputs; changes nothing. */
void hd_laperm_eval(const struct hd_laperm *m, const struct hd_laperm_in *in, struct hd_laperm_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_laperm_tick(struct hd_laperm *m, const struct hd_laperm_in *in);

/* Sets *a to the architectural state, with the names of rtl/dispatch/laperm/laperm.csv; the rows of the banks only if
 * `tables`. */
void hd_laperm_arch(const struct hd_laperm *m, struct hd_laperm_arch *a, bool tables);

/* Sets *a to the same state without the banks. */
void hd_laperm_arch_own(const struct hd_laperm *m, struct hd_laperm_arch *a);

/* ---- For models composed of blocks ---- */

/* Returns true if A3 and all banks are empty, no TB was handed out in the previous cycle, and all numbers are 0: then a
 * cycle in which no group or kernel arrives, none returns, no place is reserved or given up, and no TB of the SSCR is
 * handed out changes nothing, and no SMX is offered anything. */
static inline bool hd_laperm_quiet(const struct hd_laperm *m) {
  return !m->numbered && !m->a3_valid && !m->ran;
}

/* Returns bank b. */
static inline const struct hd_pq *hd_laperm_bank(const struct hd_laperm *m, unsigned b) {
  return (const struct hd_pq *)(const void *)((const char *)m->bank + b * m->cfg.pq_size);
}

/* Returns a need above what any SMX has in this configuration. */
struct hd_need hd_laperm_above_all(const struct hd_cfg *cfg);

/* Returns the need that a bank offers for a TB of a kernel whose saved list could overflow: it fits no SMX, so the TB
 * waits. */
static inline const struct hd_need *hd_laperm_no_room(const struct hd_laperm *m) {
  return &m->cfg.no_room;
}

/* Returns true if any bank holds an entry. */
static inline bool hd_laperm_any(const struct hd_laperm *m) {
  return m->winner >= 0;
}

/* Return whether bank b holds an entry; its first one, that one's next TB, and whether that TB is its last. The last
 * three require an entry. */
static inline bool hd_laperm_holds(const struct hd_laperm *m, unsigned b) {
  return hd_bit(m->holding, b);
}
static inline const struct hd_pqentry *hd_laperm_front(const struct hd_laperm *m, unsigned b) {
  return hd_pq_front(hd_laperm_bank(m, b));
}
static inline uint32_t hd_laperm_nextbl(const struct hd_laperm *m, unsigned b) {
  return hd_pq_nextbl(hd_laperm_bank(m, b));
}
static inline bool hd_laperm_last(const struct hd_laperm *m, unsigned b) {
  return hd_pq_last(hd_laperm_bank(m, b));
}

/* Returns the banks from which SMX s is offered a TB under this policy (enum hd_policy); -1: none. */
static inline struct hd_laperm_order_offer hd_laperm_offer(const struct hd_laperm *m, unsigned policy, unsigned s) {
  /* C++ reads this header, and has no designated initializers before C++20 */
  const struct hd_laperm_order_offer none = {-1, -1};
  const struct hd_laperm_order_view v = {m->holding, m->cfg.bank_words, m->cfg.num_bank, m->cfg.smx_per_cluster,
                                         m->winner,  m->backup_valid,   m->backup};
  if (!hd_laperm_any(m)) return none;
  return hd_orders[policy](&v, s);
}

/* Return the bank offered before queue 0, and the bank offered when queue 0 is empty. */
static inline int hd_laperm_bound(const struct hd_laperm *m, unsigned policy, unsigned s) {
  return hd_laperm_offer(m, policy, s).bound;
}
static inline int hd_laperm_spare(const struct hd_laperm *m, unsigned policy, unsigned s) {
  return hd_laperm_offer(m, policy, s).spare;
}

/* Returns the kernel of the entry that would be the winner if the winner's first entry left; -1 if there is none or it
 * is not needed (ChoiceLatency 1). */
int hd_laperm_then(const struct hd_laperm *m);

/* Outputs of spill in a cycle. All 0: nothing is in memory, and nothing can go there. Queue: bank * MaxLevel + level -
 * 1. */
struct hd_laperm_memory {
  const uint64_t *room;       /* set of queues for which memory has room; NULL: none */
  const uint64_t *held;       /* set of queues with groups in memory or on their way; NULL: none */
  const uint8_t *reserve;     /* per bank: whether SpillLine places are kept from now on; NULL: none */
  const uint8_t *release;     /* per bank: number of kept places that are given up; NULL: none */
  const struct hd_info *back; /* the group that returns, or NULL; its kernel and bank: */
  uint8_t back_kdei, back_bank;
};

/* Return whether the group in A3 goes to memory in this cycle (put.valid; it is a3_info of a3_kdei and a3_bank), and
 * whether it is refused (full). */
static inline bool hd_laperm_puts(const struct hd_laperm *m) {
  return m->a3_put;
}
static inline bool hd_laperm_full(const struct hd_laperm *m) {
  return m->a3_full;
}

/* Returns the kernel of the group in A3; -1 if A3 is empty or refuses its group (push.valid, push.kdei). */
static inline int hd_laperm_pushes(const struct hd_laperm *m) {
  return m->a3_valid && !m->a3_full ? m->a3_kdei : -1;
}

/* Returns whether bank b has places for SpillLine groups requested in this cycle (place). */
bool hd_laperm_place(const struct hd_laperm *m, unsigned b);

/* Returns the number of groups, up to 7, that find a place in bank b whatever their level; 0 while a group of the bank
 * is in memory, goes there or is refused (bank_room). */
unsigned hd_laperm_room(const struct hd_laperm *m, const struct hd_laperm_memory *mem, unsigned b);

/* Returns whether the returning group enters its bank (back_ready). */
bool hd_laperm_takes_back(const struct hd_laperm *m, const struct hd_laperm_memory *mem);

/* Returns whether an inversion is reported in this cycle. */
bool hd_laperm_inversion(const struct hd_laperm *m, const struct hd_laperm_memory *mem);

/* A kernel that the KMU offers. */
struct hd_laperm_kernel {
  const struct hd_progress *progress;
  uint32_t ctas;
  uint8_t kdei, level, smx;
  bool pending; /* groups are linked to it */
  bool graph;   /* its TBs are those of a graph: never marked */
};

/* The decision about it if the KD accepts it in this cycle. */
struct hd_laperm_entry {
  bool wait; /* it has to wait; nothing else happens */
  bool bank; /* its native part enters its bank */
  bool mark; /* the rest of it must be marked */
};
struct hd_laperm_entry hd_laperm_enter(const struct hd_laperm *m, const struct hd_laperm_memory *mem, unsigned policy,
                                       const struct hd_laperm_kernel *k);

/* Inputs of an edge. */
struct hd_laperm_edge {
  unsigned policy;             /* enum hd_policy */
  const struct hd_info *group; /* the group in A2, or NULL; its kernel and SMX: */
  unsigned group_kdei, group_smx;
  const struct hd_laperm_kernel *enter; /* the kernel offered while the KD is ready, or NULL */
  int take_bank;                        /* the bank that hands out a TB, or -1 */
  unsigned take_smx;                    /* receiving SMX, also of a TB of the SSCR, .. */
  bool take_spare;                      /* .. and whether as spare */
  bool grant;                           /* a TB of the SSCR is handed out; its level: */
  unsigned grant_level;
  struct hd_laperm_memory memory;
};

/* The edge. May be skipped for a quiet model without inputs. */
void hd_laperm_step(struct hd_laperm *m, const struct hd_laperm_edge *e);

#endif
