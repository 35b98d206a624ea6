/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* sched: golden model of the SMX scheduler, baseline round robin, with the tbcr of each SMX in it.
 *
 *   enter (KMU -> KD), next (FCFS), link -> [SSCR: kernel, unit, NextBL] -> grant: TB NextBL to the next SMX with room
 *   saved TBs (susp), native part (KD), groups (agt) --^             | [tbcr 0] .. [tbcr NumSmx-1] -> dispatch, per SMX
 *   <- retire: one completed TB per cycle, round robin --------------'                             <- cta_done, per SMX
 *
 * The scheduler takes the oldest marked kernel and hands out its TBs, at most one per cycle, each to the next SMX in
 * cyclic order that has room and whose dispatch register is empty (dtbl-isca2015 sections 2.2, 2.3 and 4.2,
 * laperm-isca2016 section II). What it hands out in increasing id is a unit: one saved TB, the native part of a kernel,
 * or one group, in this order; the next unit follows at the edge that ends the one before, if it is here. Only the
 * oldest kernel hands out; when nothing of it is left it is unmarked and the next marked kernel follows, or one to
 * which a group is linked in this cycle, or one that enters. A kernel that is suspending or failed stops at once; what
 * is left of its unit is parked. FairEvery k: after k TBs a kernel goes behind the others at the end of a group.
 *
 * The pointer is reset neither between kernels nor by anything but reset. With Visit = 1 only the SMX at the pointer is
 * looked at, and the pointer moves on in every cycle with a kernel (LaPerm's literal walk).
 *
 * Cycle by cycle: a completion in t is seen by the decision in t+1, whose dispatch is valid from t+2; each further SMX
 * freed in t follows one cycle later. A completed TB that is retired in t is told to the KD and to age in t+1.
 *
 * State: hd_sched_size() bytes, the caller's, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_SCHED_H
#define HD_SCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bits.h"
#include "hd_sched_ports.h"
#include "tbcr.h"

#define HD_SMX_WORDS HD_WORDS(HD_MAX_NUM_SMX)

/* Parameters; fixed by init. */
struct hd_sched_cfg {
  uint32_t size; /* bytes of the state */
  uint32_t num_smx, smx_words, num_kde;
  uint32_t tbcr_size; /* bytes of one tbcr */
  uint32_t visit, fair_every, agt_size;
};

struct hd_sched {
  struct hd_sched_cfg cfg;
  uint32_t sscr_ctas, sscr_nextbl;
  struct hd_need sscr_need;
  uint8_t sscr_valid, sscr_kdei;
  uint8_t sscr_unit_valid;
  uint8_t smx_ptr, retire_ptr;
  uint8_t retired_valid; /* the completed TB that left its done FIFO in the cycle before: now at the KD */
  struct hd_retire retired;
  uint16_t fair; /* TBs handed out since the kernel came into the SSCR */
  struct hd_look look;
  uint8_t pad_[3];
  struct hd_sscrunit sscr_unit;
  struct hd_sscrunit given;           /* the unit of the TB granted in the cycle before */
  uint8_t fresh_valid, fresh_smx;     /* the SMX whose dispatch began in this cycle */
  uint64_t room[HD_SMX_WORDS];        /* SMXs with room for a TB of the SSCR's kernel (hd_tbcr_has_room) */
  uint64_t dispatching[HD_SMX_WORDS]; /* SMXs with a full dispatch register */
  uint64_t queued[HD_SMX_WORDS];      /* SMXs with a done FIFO that is not empty */
  uint64_t done_ok[HD_SMX_WORDS];     /* what became of the completions of the cycle before */
  uint64_t done_empty[HD_SMX_WORDS];
  uint64_t done_early[HD_SMX_WORDS];
  uint64_t smx[]; /* NumSmx struct hd_tbcr of tbcr_size bytes each: hd_sched_tbcr() */
};

/* Bytes of the state in this configuration, the tbcr models included. */
size_t hd_sched_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. m: hd_sched_size(cfg) bytes of any content. */
void hd_sched_init(struct hd_sched *m, const struct hd_cfg *cfg);

/* The state after reset: no kernel, empty SMXs, pointers 0. */
void hd_sched_reset(struct hd_sched *m);

/* This cycle's outputs; changes nothing. */
void hd_sched_eval(const struct hd_sched *m, const struct hd_sched_in *in, struct hd_sched_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_sched_tick(struct hd_sched *m, const struct hd_sched_in *in);

/* The architectural state under the names of rtl/sched/sched.csv; the rows of the done FIFOs only if `tables`. */
void hd_sched_arch(const struct hd_sched *m, struct hd_sched_arch *a, bool tables);

/* The same without the tbcr models: the SSCR and the pointers. */
void hd_sched_arch_own(const struct hd_sched *m, struct hd_sched_arch *a);

/* ---- For models composed of blocks ---- */

/* The tbcr of SMX s. */
static inline const struct hd_tbcr *hd_sched_tbcr(const struct hd_sched *m, unsigned s) {
  return (const struct hd_tbcr *)(const void *)((const char *)m->smx + s * m->cfg.tbcr_size);
}

/* What a cycle brings, as the neighbours have it. */
struct hd_sched_edge {
  int enter_kdei; /* entry of the kernel that enters the KD, or -1; the four below then count */
  const struct hd_need *enter_need;
  uint32_t enter_ctas;
  uint8_t enter_level;
  const struct hd_progress *enter_progress;
  int next_kdei;              /* the second oldest marked kernel, or -1 */
  const uint64_t *marked;     /* set of entries */
  const struct hd_need *need; /* these of each KD entry */
  const uint32_t *ctas, *nextbl;
  const uint16_t *sav_count;
  const uint8_t *level, *ndone, *suspending, *failed;
  bool steal;
  const struct hd_desc *desc;   /* of the kernel granted in the cycle before */
  bool pending, single;         /* groups of the SSCR's kernel are linked; just one */
  int link_kdei;                /* the kernel to which a group is linked, or -1 */
  const struct hd_group *group; /* the next group of kernel group_kdei, or NULL */
  int group_kdei;
  int slot;                  /* a free overflow slot, or -1 */
  const struct hd_saved *sv; /* the next saved TB of kernel sv_kdei, or NULL */
  int sv_kdei;
  uint8_t look_smx, look_slot;
  const uint64_t *dispatch_ready; /* set of SMXs */
  const uint64_t *cta_done_valid; /* set of SMXs */
  const uint8_t *cta_done_slot;   /* of each SMX */
};

enum hd_sched_load { HD_LOAD_NONE, HD_LOAD_SAVED, HD_LOAD_NATIVE, HD_LOAD_GROUP };

/* What is decided in a cycle. */
struct hd_sched_choice {
  int grant_smx;           /* the SMX that gets TB NextBL of the SSCR's unit, or -1 */
  int retire_smx;          /* the SMX whose oldest done FIFO entry is taken, or -1; it is told in the next cycle */
  bool unit_end;           /* the TB is the last of its unit */
  bool unmark;             /* nothing of the kernel is left to hand out, or it stops */
  bool rotate;             /* it goes behind the others */
  bool park;               /* it stops within its native part or a group */
  bool turn;               /* another unit, or none, comes into the SSCR */
  enum hd_sched_load load; /* which */
};

/* Looks at the state and at e, but not at its last three and its first members. */
struct hd_sched_choice hd_sched_choose(const struct hd_sched *m, const struct hd_sched_edge *e);

/* The edge; choice is this cycle's hd_sched_choose(). */
void hd_sched_step(struct hd_sched *m, const struct hd_sched_choice *choice, const struct hd_sched_edge *e);

/* Writes the dispatch ports of this cycle, NumSmx elements each; desc as in struct hd_sched_edge. */
void hd_sched_show_dispatch(const struct hd_sched *m, const struct hd_desc *desc, uint8_t *valid,
                            struct hd_dispatch *dispatch);

/* The unit in the SSCR is one of this kind. */
static inline bool hd_sched_holds(const struct hd_sched *m, enum hd_unit kind) {
  return m->sscr_valid && m->sscr_unit_valid && m->sscr_unit.kind == kind;
}

#endif
