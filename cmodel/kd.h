/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* kd: golden model of the Kernel Distributor.
 *
 *   kernel (from the KMU) -> [entry 0 .. NumKde-1] -> what the scheduler reads; desc, by the grant of the cycle before
 *         +1 grant, -1 retire -> [ExeBL]    hold, births, saves (from devq)
 *                 idle -> released: reopen (to the KMU), leave (to kin)
 *                      -> suspended: steal, send (to susp)
 *
 * An entry holds a kernel from the cycle in which it enters until nothing of it is left to hand out, in execution or on
 * its way: it is unmarked, ExeBL is 0, no group is between match and link (hold), no Next write is unanswered and no
 * groups are linked (dtbl-isca2015 sections 2.2, 2.3 and 4.2, laperm-isca2016 section II). All entries that qualify are
 * released in the same cycle. The origin of a released kernel waits to leave while its entry may already hold the next
 * one: each entry has two tag rows ("banks"), so that a slow kin blocks an entry only when both wait.
 *
 * A kernel with saved TBs is suspended instead, one at a time: chosen in t, its descriptor read in t+1 (steal: no TB is
 * handed out), sent in t+2, its entry free from t+3. A failed kernel hands out nothing more. Release in one cycle, the
 * two banks, parent records and suspension are ours.
 *
 * All outputs come from registers; desc is a read of the descriptor table by the grant of the cycle before.
 *
 * The caller keeps to: grant_kdei valid, and none while steal; retire_kdei valid with ExeBL > 0; kernel.origin.hwq <
 * NumHwq; hold, births and saves only of valid entries, hold only of eligible ones, save only of those with save_ok.
 *
 * State: hd_kd_size() bytes, the caller's, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is equality.
 */
#ifndef HD_KD_H
#define HD_KD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bits.h"
#include "hd_kd_ports.h"

#define HD_KDE_WORDS HD_WORDS(HD_MAX_NUM_KDE)
#define HD_KD_FAILS 3 /* blocks that can tell of a failure: link, agt, susp */

/* Parameters; fixed by init. */
struct hd_kd_cfg {
  uint32_t size; /* bytes of the state */
  uint32_t num_kde, kde_words, pend_words;
  uint32_t num_hwq, hwq_words;
  uint32_t sav_max;
};

/* By entry, as the ports show it: 0 where no kernel is. */
struct hd_kd_shown {
  uint32_t ctas[HD_MAX_NUM_KDE];
  uint32_t nextbl[HD_MAX_NUM_KDE];
  struct hd_need need[HD_MAX_NUM_KDE];
  uint16_t sav_first[HD_MAX_NUM_KDE];
  uint16_t sav_count[HD_MAX_NUM_KDE];
  uint16_t kin[HD_MAX_NUM_KDE];
  uint8_t level[HD_MAX_NUM_KDE];
  uint8_t ndone[HD_MAX_NUM_KDE];
  uint8_t kin_valid[HD_MAX_NUM_KDE];
  uint8_t suspending[HD_MAX_NUM_KDE];
  uint8_t failed[HD_MAX_NUM_KDE];
  uint8_t eligible[HD_MAX_NUM_KDE];
  uint8_t save_ok[HD_MAX_NUM_KDE];
};

/* A tag row: the origin from the start, the rest from the release on. */
struct hd_kd_tag {
  struct hd_origin origin;
  uint8_t kin_valid, failed;
  uint16_t kin;
};

/* One entry, without what is shown; its two tag rows. */
struct hd_kd_entry {
  struct hd_desc desc;
  struct hd_kd_tag tag[2];
  uint16_t exebl; /* TBs in execution */
  uint8_t hold;   /* groups between match and link */
  uint8_t bank;   /* the tag row that its kernel uses */
  uint8_t hwq, host;
  uint8_t pad_[2];
};

enum hd_kd_susp { HD_KD_IDLE, HD_KD_STEAL, HD_KD_SEND };

struct hd_kd {
  struct hd_kd_cfg cfg;
  uint64_t valid[HD_KDE_WORDS];                /* entries that hold a kernel */
  uint64_t free[HD_KDE_WORDS];                 /* entries that can take one */
  uint64_t busy[HD_KDE_WORDS];                 /* entries with ExeBL or hold > 0 */
  uint64_t saved[HD_KDE_WORDS];                /* entries whose kernel is suspending */
  uint64_t left[HD_KDE_WORDS];                 /* entries released or sent in the cycle before */
  uint64_t pend[HD_WORDS(2 * HD_MAX_NUM_KDE)]; /* tag rows 2 * entry + bank that wait to leave */
  uint64_t reopen[HD_WORDS(HD_MAX_NUM_HWQ)];   /* HWQs of the kernels released in the cycle before */
  struct hd_desc desc;                         /* descriptor of the kernel granted in the cycle before */
  struct hd_leave leave;
  uint8_t leave_valid;
  uint8_t desc_valid;
  uint8_t pend_ptr;
  uint8_t susp_state; /* enum hd_kd_susp .. */
  uint8_t susp_kdei;  /* .. of this entry */
  uint8_t pad_[7];
  struct hd_kd_shown shown;
  struct hd_kd_entry entry[]; /* NumKde */
};

/* Bytes of the state in this configuration. */
size_t hd_kd_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. m: hd_kd_size(cfg) bytes of any content. */
void hd_kd_init(struct hd_kd *m, const struct hd_cfg *cfg);

/* The state after reset: all entries free, nothing to tell. */
void hd_kd_reset(struct hd_kd *m);

/* This cycle's outputs; changes nothing. */
void hd_kd_eval(const struct hd_kd *m, const struct hd_kd_in *in, struct hd_kd_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_kd_tick(struct hd_kd *m, const struct hd_kd_in *in);

/* The architectural state under the names of rtl/kd/kd.csv; the rows of its RAMs only if `tables`. */
void hd_kd_arch(const struct hd_kd *m, struct hd_kd_arch *a, bool tables);

/* ---- For models composed of blocks ---- */

/* The entry that takes a kernel in this cycle: the lowest free one, or -1. */
static inline int hd_kd_alloc(const struct hd_kd *m) {
  return hd_bits_first(m->free, m->cfg.kde_words);
}

/* The record of the kernel that is sent to susp in this cycle (susp_state HD_KD_SEND). */
struct hd_kernel hd_kd_suspend(const struct hd_kd *m);

/* What a cycle brings, as the neighbours have it. Kernels: -1 for none. */
struct hd_kd_edge {
  const struct hd_kernel *kernel;               /* the one offered, or NULL */
  const uint64_t *marked, *pending, *next_busy; /* sets of entries */
  int grant_kdei, retire_kdei;                  /* of the TB handed out, and retired */
  int cur_kdei;                                 /* in the SSCR; the four below are of it */
  enum hd_unit kind;
  bool unit_end, park;
  uint32_t park_nextbl;
  int hold_kdei, unhold_kdei, birth_kdei, save_kdei;
  uint16_t birth_kin;
  int fail_kdei[HD_KD_FAILS];
  bool suspend_free, leave_ready;
};

/* The edge. */
void hd_kd_step(struct hd_kd *m, const struct hd_kd_edge *e);

#endif
