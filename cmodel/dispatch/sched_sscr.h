/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* sscr: golden model of the SMX scheduler control registers: the oldest marked kernel and its TBs to hand out. Part of
 * sched, whose ports and registers include its own (sched.h).
 *
 *   enter (KMU -> KD), next (FCFS), link event --> [kernel: KDEI, need] --> [unit, NextBL] --> TB on offer
 *   progress (KD), group (agt), saved TB (susp) ---------------------------^             <-- granted
 *
 * After all native TBs of a kernel, its aggregated groups follow, in the order in which they were linked (dtbl-isca2015
 * section 4.2); then the next marked kernel. A unit is a sequence of TBs handed out in increasing id: the native part
 * of a kernel, a group, or one saved TB. Saved TBs of a suspended kernel go first; they, and suspension, are ours. A
 * kernel that must be suspended, or has failed, stops: it leaves the SSCR at once, and its place within the unit is
 * reported to the KD. With FairEvery = k a kernel that has handed out k TBs moves behind the other marked kernels at
 * the end of its group (ours).
 *
 * Within a kernel and across kernels the next unit follows without a lost cycle if it is available; only a kernel that
 * returns by a link event, or begins with saved TBs or groups, waits for agt and susp.
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

struct hd_sched_sscr {
  struct hd_sscr_cfg cfg;
  struct hd_need need;
  uint8_t valid, kdei;
  uint8_t unit_valid; /* a unit exists; if not, all of these are 0: */
  uint8_t pad_[1];
  uint16_t fair; /* TBs handed out since the kernel was loaded; at most FairEvery */
  uint32_t ctas, nextbl;
  struct hd_sscrunit unit;
};

/* Fields of a kernel in the KD. */
struct hd_sscr_kernel {
  uint32_t ctas, nextbl;
  uint16_t sav_count;
  uint8_t level, ndone, suspending, failed;
  uint8_t pending, single; /* groups are linked; exactly one */
};

/* Registered outputs of the neighbours in a cycle; an entry is -1 if there is none. */
struct hd_sscr_env {
  struct hd_sscr_kernel cur, next; /* the current kernel and next_kdei; relevant only if these exist */
  int enter_kdei;                  /* entry of the kernel that enters the KD; the next four are relevant only then */
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

/* Next contents of the unit. */
enum hd_sscr_load { HD_LOAD_KEEP, HD_LOAD_NOTHING, HD_LOAD_NATIVE, HD_LOAD_GROUP, HD_LOAD_SAVED };

/* Decisions of a cycle. */
struct hd_sscr_choice {
  bool unit_end; /* the TB handed out is the last of its unit */
  bool unmark;   /* no TBs of the kernel are left to hand out, or it stops */
  bool give_way; /* it has used up its share, and one of its groups has ended */
  bool rotate;   /* so it moves behind the others, if there are any */
  bool park;     /* it stops within its native part or a group */
  enum hd_sscr_load load;
};

/* Sets the configuration and resets. Requires m: any content. */
void hd_sscr_init(struct hd_sched_sscr *m, const struct hd_cfg *cfg);

/* Resets: no kernel. */
void hd_sscr_reset(struct hd_sched_sscr *m);

/* Returns true if the unit is of this kind; false without a unit. */
static inline bool hd_sscr_holds(const struct hd_sched_sscr *m, enum hd_unit kind) {
  return m->unit_valid && m->unit.kind == kind;
}

/* Returns true if the kernel has no unit: it waits for a group or a saved TB. */
static inline bool hd_sscr_waiting(const struct hd_sched_sscr *m) {
  return m->valid && !m->unit_valid;
}

/* Returns true if it waits for an overflow slot for a group. */
static inline bool hd_sscr_slot_wait(const struct hd_sched_sscr *m, const struct hd_sscr_env *e) {
  return hd_sscr_waiting(m) && e->group && !e->group->self.onchip && e->slot < 0;
}

/* Returns true if TB `nextbl` of the unit is on offer; false while the kernel stops. */
static inline bool hd_sscr_offers(const struct hd_sched_sscr *m, const struct hd_sscr_env *e) {
  return m->valid && m->unit_valid && !e->cur.suspending && !e->cur.failed;
}

/* Returns the need of a TB of the kernel that would follow the current one, or NULL if there is none; need: of each KD
 * entry. */
const struct hd_need *hd_sscr_new_need(const struct hd_sched_sscr *m, const struct hd_sscr_env *e,
                                       const struct hd_need *need);

/* Decides the next contents; granted: the TB on offer is handed out in this cycle. */
struct hd_sscr_choice hd_sscr_choose(const struct hd_sched_sscr *m, const struct hd_sscr_env *e, bool granted);

/* The edge; choice and granted as in hd_sscr_choose(); need: of each KD entry. Returns true if the kernel changed, or
 * left without a successor. */
bool hd_sscr_step(struct hd_sched_sscr *m, const struct hd_sscr_choice *choice, bool granted,
                  const struct hd_sscr_env *e, const struct hd_need *need);

#endif
