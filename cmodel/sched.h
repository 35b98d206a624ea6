/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* sched: golden model of the SMX scheduler, baseline round robin, with the tbcr of each SMX in it.
 *
 *   enter (KMU -> KD), next (FCFS), link event --> [SSCR: kernel]
 *   need, ctas, progress (KD) ------------------>  [    : unit, NextBL] --> grant: TB NextBL to the next SMX with room
 *   group (agt), saved TB (susp) --------------->                             |
 *                                                        [tbcr 0] .. [tbcr NumSmx-1] --> dispatch, per SMX
 *                                                                             |   <-- cta_done
 *                                                     retire: one completed TB per cycle, round robin
 *
 * The scheduler takes the oldest marked kernel and hands out its TBs in increasing id, at most one per cycle, each to
 * the next SMX in cyclic order that has room and whose dispatch register is empty (dtbl-isca2015 sections 2.2 and 2.3,
 * laperm-isca2016 section II). When the native TBs of a kernel are all given, its aggregated groups follow, in the
 * order in which they were linked (dtbl-isca2015 section 4.2); then the next marked kernel. What is handed out in
 * increasing id is called a unit here: the native part of a kernel, a group, or one TB that was saved. Saved TBs of a
 * kernel that was suspended go out first; they, and suspension, are ours. A kernel that is to be suspended, or has
 * failed, stops: it leaves the SSCR at once, and the KD is told the place within the unit. With FairEvery = k a kernel
 * that has handed out k TBs goes behind the other marked kernels at the end of its group (ours).
 *
 * The pointer is reset neither between kernels nor by anything but reset. With Visit = 1 only the SMX at the pointer is
 * looked at, and the pointer moves on in every cycle with a kernel (LaPerm's literal walk).
 *
 * Cycle by cycle: a completion in t is seen by the decision in t+1, whose dispatch is valid from t+2; each further SMX
 * freed in t follows one cycle later. Within a kernel and across kernels the next unit follows without a lost cycle if
 * it is there; only a kernel that comes back by a link event, or begins with saved TBs or groups, waits for what agt
 * and susp bring. grant, unit_end and all that tells of units and of the next kernel depend on this cycle's inputs;
 * everything else comes from registers, but for dispatch.desc in the first cycle of a dispatch.
 *
 * The caller keeps to: `group` and `sv` are those of the kernel that they name; a group is linked only to a kernel in
 * the KD; vectors of the KD are those of the SSCR's kernel as long as it is marked.
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
  struct hd_need sscr_need;
  uint8_t sscr_valid, sscr_kdei;
  uint8_t unit_valid; /* the SSCR has a unit; all 0 else: */
  uint8_t smx_ptr, retire_ptr;
  uint8_t fresh_valid, fresh_smx; /* the SMX whose dispatch began in this cycle .. */
  struct hd_look look;            /* what the slot asked for in the cycle before held */
  struct hd_retire retired;       /* the completed TB that left its done FIFO in the cycle before: now at the KD */
  uint8_t retired_valid;
  uint8_t pad_[1];
  uint16_t fair; /* TBs handed out since the kernel came; up to FairEvery */
  uint32_t sscr_ctas, sscr_nextbl;
  struct hd_sscrunit unit;
  struct hd_sscrunit fresh_unit;      /* .. and the unit of its TB */
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

/* What the scheduler knows of a kernel in the KD. */
struct hd_sched_kernel {
  uint32_t ctas, nextbl;
  uint16_t sav_count;
  uint8_t level, ndone, suspending, failed;
  uint8_t pending, single; /* groups are linked; just one */
};

/* What the neighbours show in a cycle, from registers; entries are -1 when there is none. */
struct hd_sched_env {
  struct hd_sched_kernel cur, next; /* of the SSCR's kernel and of next_kdei; count while these are there */
  int enter_kdei;                   /* entry of the kernel that enters the KD; those below then count */
  const struct hd_need *enter_need;
  const struct hd_progress *enter_progress;
  uint32_t enter_ctas;
  uint8_t enter_level;
  bool steal;                   /* nothing can be handed out */
  bool link_marked;             /* .. and its kernel is marked */
  int link_kdei;                /* a group is linked .. */
  int next_kdei;                /* the second oldest marked kernel */
  const struct hd_group *group; /* next group of kernel group_kdei, or NULL */
  const struct hd_saved *sv;    /* next saved TB of kernel sv_kdei, or NULL */
  int group_kdei, sv_kdei;
  int slot; /* a free overflow slot, or -1 */
};

/* What becomes of the unit in the SSCR. */
enum hd_sched_load { HD_LOAD_KEEP, HD_LOAD_NOTHING, HD_LOAD_NATIVE, HD_LOAD_GROUP, HD_LOAD_SAVED };

/* What is decided in a cycle. */
struct hd_sched_choice {
  int grant_smx;  /* the SMX that gets TB NextBL of the unit, or -1 */
  int retire_smx; /* the SMX whose oldest done FIFO entry is taken, or -1; it is told in the next cycle */
  bool unit_end;  /* the TB is the last of its unit */
  bool unmark;    /* nothing of the kernel is left to hand out, or it stops */
  bool rotate;    /* it goes behind the others */
  bool park;      /* it stops within its native part or a group */
  bool blocked;   /* a TB is left to hand out and goes nowhere */
  enum hd_sched_load load;
};
struct hd_sched_choice hd_sched_choose(const struct hd_sched *m, const struct hd_sched_env *e);

/* The SSCR's kernel has no unit: a group or a saved TB is awaited. */
static inline bool hd_sched_waiting(const struct hd_sched *m) {
  return m->sscr_valid && !m->unit_valid;
}

/* .. a group that lacks an overflow slot. */
static inline bool hd_sched_slot_wait(const struct hd_sched *m, const struct hd_sched_env *e) {
  return hd_sched_waiting(m) && e->group && !e->group->self.onchip && e->slot < 0;
}

/* What a cycle brings, as the neighbours have it. */
struct hd_sched_edge {
  const struct hd_sched_env *env;
  const struct hd_need *need;     /* of each KD entry */
  const struct hd_desc *desc;     /* of the kernel granted in the cycle before */
  const uint64_t *dispatch_ready; /* set of SMXs */
  const uint64_t *cta_done_valid; /* set of SMXs */
  const uint8_t *cta_done_slot;   /* of each SMX */
  unsigned look_smx, look_slot;   /* TB slot asked for */
};

/* The edge; choice is this cycle's hd_sched_choose(). */
void hd_sched_step(struct hd_sched *m, const struct hd_sched_choice *choice, const struct hd_sched_edge *e);

/* Writes the dispatch ports of this cycle, NumSmx elements each; desc as in struct hd_sched_edge. */
void hd_sched_show_dispatch(const struct hd_sched *m, const struct hd_desc *desc, uint8_t *valid,
                            struct hd_dispatch *dispatch);

#endif
