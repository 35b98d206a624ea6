/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* sscr: golden model of the SMX scheduler control registers: the oldest marked kernel and what is handed out of it.
 * Part of sched, under whose ports and registers it shows (sched.h).
 *
 *   enter (KMU -> KD), next (FCFS), link event --> [kernel: KDEI, need] --> [unit, NextBL] --> TB on offer
 *   progress (KD), group (agt), saved TB (susp) ---------------------------^             <-- granted
 *
 * When the native TBs of a kernel are all given, its aggregated groups follow, in the order in which they were linked
 * (dtbl-isca2015 section 4.2); then the next marked kernel. What is handed out in increasing id is called a unit here:
 * the native part of a kernel, a group, or one TB that was saved. Saved TBs of a kernel that was suspended go out
 * first; they, and suspension, are ours. A kernel that is to be suspended, or has failed, stops: it leaves the SSCR at
 * once, and the KD is told the place within the unit. With FairEvery = k a kernel that has handed out k TBs goes behind
 * the other marked kernels at the end of its group (ours).
 *
 * Within a kernel and across kernels the next unit follows without a lost cycle if it is there; only a kernel that
 * comes back by a link event, or begins with saved TBs or groups, waits for what agt and susp bring.
 *
 * State: a struct without pointers. */
#ifndef HD_SSCR_H
#define HD_SSCR_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/hd_types.h"

/* Parameters; fixed by init. */
struct hd_sscr_cfg {
  uint32_t fair_every, agt_size;
};

struct hd_sscr {
  struct hd_sscr_cfg cfg;
  struct hd_need need;
  uint8_t valid, kdei;
  uint8_t unit_valid; /* there is a unit; all 0 else: */
  uint8_t pad_[1];
  uint16_t fair; /* TBs handed out since the kernel came; up to FairEvery */
  uint32_t ctas, nextbl;
  struct hd_sscrunit unit;
};

/* What is known of a kernel in the KD. */
struct hd_sscr_kernel {
  uint32_t ctas, nextbl;
  uint16_t sav_count;
  uint8_t level, ndone, suspending, failed;
  uint8_t pending, single; /* groups are linked; just one */
};

/* What the neighbours show in a cycle, from registers; entries are -1 when there is none. */
struct hd_sscr_env {
  struct hd_sscr_kernel cur, next; /* of the kernel that is there and of next_kdei; count while these are there */
  int enter_kdei;                  /* entry of the kernel that enters the KD; those below then count */
  const struct hd_need *enter_need;
  const struct hd_progress *enter_progress;
  uint32_t enter_ctas;
  uint8_t enter_level;
  bool link_marked;             /* .. and its kernel is marked */
  int link_kdei;                /* a group is linked .. */
  int next_kdei;                /* the second oldest marked kernel */
  const struct hd_group *group; /* next group of kernel group_kdei, or NULL */
  const struct hd_saved *sv;    /* next saved TB of kernel sv_kdei, or NULL */
  int group_kdei, sv_kdei;
  int slot; /* a free overflow slot, or -1 */
};

/* What becomes of the unit. */
enum hd_sscr_load { HD_LOAD_KEEP, HD_LOAD_NOTHING, HD_LOAD_NATIVE, HD_LOAD_GROUP, HD_LOAD_SAVED };

/* What is decided in a cycle. */
struct hd_sscr_choice {
  bool unit_end; /* the TB that is handed out is the last of its unit */
  bool unmark;   /* nothing of the kernel is left to hand out, or it stops */
  bool give_way; /* it has handed out enough at a time, and a group of it has ended */
  bool rotate;   /* so it goes behind the others, if there are any */
  bool park;     /* it stops within its native part or a group */
  enum hd_sscr_load load;
};

/* Sets the configuration and resets. Requires m: any content. */
void hd_sscr_init(struct hd_sscr *m, const struct hd_cfg *cfg);

/* Resets: no kernel. */
void hd_sscr_reset(struct hd_sscr *m);

/* Is the unit of this kind? False without a unit. */
static inline bool hd_sscr_holds(const struct hd_sscr *m, enum hd_unit kind) {
  return m->unit_valid && m->unit.kind == kind;
}

/* The kernel has no unit: a group or a saved TB is awaited. */
static inline bool hd_sscr_waiting(const struct hd_sscr *m) {
  return m->valid && !m->unit_valid;
}

/* .. a group that lacks an overflow slot. */
static inline bool hd_sscr_slot_wait(const struct hd_sscr *m, const struct hd_sscr_env *e) {
  return hd_sscr_waiting(m) && e->group && !e->group->self.onchip && e->slot < 0;
}

/* Is TB `nextbl` of the unit on offer? Not while the kernel stops. */
static inline bool hd_sscr_offers(const struct hd_sscr *m, const struct hd_sscr_env *e) {
  return m->valid && m->unit_valid && !e->cur.suspending && !e->cur.failed;
}

/* What a TB of the kernel needs that would follow the one that is there, or NULL: there is none; need: of each KD
 * entry. */
const struct hd_need *hd_sscr_new_need(const struct hd_sscr *m, const struct hd_sscr_env *e,
                                       const struct hd_need *need);

/* What follows; granted: the TB on offer is handed out in this cycle. */
struct hd_sscr_choice hd_sscr_choose(const struct hd_sscr *m, const struct hd_sscr_env *e, bool granted);

/* The edge; choice and granted as in hd_sscr_choose(); need: of each KD entry. Says whether another kernel, or none any
 * more, is there. */
bool hd_sscr_step(struct hd_sscr *m, const struct hd_sscr_choice *choice, bool granted, const struct hd_sscr_env *e,
                  const struct hd_need *need);

#endif
