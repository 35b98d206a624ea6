/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* sched: golden model of the SMX scheduler, baseline round robin; contains the tbcr of each SMX.
 *
 *   enter (KMU -> KD), next (FCFS), link event --> [SSCR: kernel]
 *   need, ctas, progress (KD) ------------------>  [    : unit, NextBL] --> grant: TB NextBL to the next SMX with room
 *   group (agt), saved TB (susp) --------------->                             |   or graph_take: the TB of the graph
 *   ready node (dats) -------------------------------------------------------'|
 *                                                        [tbcr 0] .. [tbcr NumSmx-1] --> dispatch, per SMX
 *                                                                             |   <-- cta_done
 *                                                     retire: one completed TB per cycle, round robin
 *
 * The scheduler takes the oldest marked kernel and hands out its TBs in increasing id, at most one per cycle, each to
 * the next SMX in cyclic order that has room and whose dispatch register is empty (dtbl-isca2015 sections 2.2 and 2.3,
 * laperm-isca2016 section II). The part sscr (sched_sscr.h) decides which kernel and which TB is next.
 *
 * Only reset resets the pointer; a change of kernel does not. With Visit = 1 only the SMX at the pointer is considered,
 * and the pointer advances in every cycle with a kernel (LaPerm's literal walk).
 *
 * Bound TBs go first: an SMX takes the TB bound to it from a bank of priority queues; without a kernel in the SSCR it
 * takes the spare TB offered to it (laperm-isca2016 section IV; policies: laperm.h). Existence alone decides: a TB that
 * does not fit is waited for. With FairEvery = k, queue 0 goes first once banks have handed out k TBs in a row past one
 * that queue 0 offered, until queue 0 has handed out one: so banks that are never empty do not starve queue 0 (ours).
 *
 * A closed SMX takes only bound TBs (cooperative-warp-tb-scheduling-2017 section 4: SMXs above n drain; that bound TBs
 * pass is ours, otherwise they would never run).
 *
 * A kernel with a graph is never in the SSCR: its TB on offer is that of a node whose parents are done
 * (wireframe-micro2017 section 4; running beside other kernels is ours). The older of the two kernels hands out, and
 * the graph is skipped while no node is ready. A node may prefer an SMX, and gets it if that SMX can take a TB of queue
 * 0.
 *
 * With ChoiceLatency = 2 an SMX can take a TB only if the previous cycle has found room for one with the same need:
 * either the TB was already offered then, or it was the one that could have followed (hd_sched_fits). The bank or
 * kernel that supplies the TB is always decided by the current cycle.
 *
 * Timing: a completion in t is seen by the decision in t+1, whose dispatch is valid from t+2 (ChoiceLatency 1); each
 * further SMX freed in t follows one cycle later. grant, unit_end and the outputs about units and the next kernel
 * depend on this cycle's inputs; all other outputs are registered, except dispatch.desc in the first cycle of a
 * dispatch.
 *
 * Requires: `group` and `sv` belong to the kernel that they name; a group is linked only to a kernel in the KD;
 * vectors of the KD are those of the SSCR's kernel as long as it is marked; a node's need is the KD's need of its
 * kernel, and no other TBs of that kernel are handed out. A kernel is marked by its entry or a link, until the
 * scheduler unmarks it; fcfs_next is marked and not the kernel in the SSCR. A kernel enters only an entry that is not
 * marked and has no TBs. The need of an entry does not change while its kernel is marked or has TBs, and banks offer
 * TBs with it. ndone of a marked kernel is set in the cycle after its last native TB, and stays; without ndone nextbl
 * < ctas. Levels are at most MaxLevel. A graph begins to run while its entry has no TBs, and runs in that entry to
 * its end.
 *
 * State: hd_sched_size() bytes, owned by the caller, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_SCHED_H
#define HD_SCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/bits.h"
#include "dispatch/sched_sscr.h"
#include "dispatch/tbcr.h"
#include "gen/hd_sched_ports.h"

#define HD_SMX_WORDS HD_WORDS(HD_MAX_NUM_SMX)

/* Parameters; fixed by init. */
struct hd_sched_cfg {
  uint32_t size; /* bytes of the state */
  uint32_t num_smx, smx_words, num_bank, num_kde;
  uint32_t tbcr_size; /* bytes of one tbcr */
  uint32_t visit, choice_latency, fair_every;
};

/* ChoiceLatency 2: which SMXs have room, and for which need, as found in the previous cycle. Otherwise all 0. */
struct hd_sched_fits {
  uint64_t own[HD_SMX_WORDS];          /* SMXs with room for the TB offered to them, .. */
  uint64_t next[HD_SMX_WORDS];         /* .. for the TB that could have followed */
  struct hd_need need[HD_MAX_NUM_SMX]; /* need of the offered TB; of SMXs in `own` */
  struct hd_need next_need;            /* need of the TB that could have followed */
};

struct hd_sched {
  struct hd_sched_cfg cfg;
  struct hd_sched_sscr sscr;
  uint8_t smx_ptr, retire_ptr;
  uint16_t passed;                /* TBs of banks handed out in a row past one of queue 0; at most FairEvery */
  uint8_t fresh_valid, fresh_smx; /* the SMX whose dispatch began in this cycle .. */
  struct hd_look look;            /* contents of the slot requested in the previous cycle */
  struct hd_retire retired;       /* the completed TB that left its done FIFO in the previous cycle: now at the KD */
  uint8_t retired_valid;
  uint8_t unassigned;            /* in the previous cycle an unbound TB existed */
  struct hd_sscrunit fresh_unit; /* .. and the unit of its TB */
  uint64_t room[HD_SMX_WORDS];   /* SMXs with room for a TB of the SSCR's kernel (hd_tbcr_has_room) */
  struct hd_sched_fits fits;
  uint64_t dispatching[HD_SMX_WORDS]; /* SMXs with a full dispatch register */
  uint64_t queued[HD_SMX_WORDS];      /* SMXs with a done FIFO that is not empty */
  uint64_t done_ok[HD_SMX_WORDS];     /* result of the completions of the previous cycle */
  uint64_t done_empty[HD_SMX_WORDS];
  uint64_t done_early[HD_SMX_WORDS];
  uint64_t node_done[HD_SMX_WORDS];    /* accepted completions that were nodes of the graph .. */
  uint16_t node_place[HD_MAX_NUM_SMX]; /* .. and their places in the LNA; else 0 */
  uint64_t smx[];                      /* NumSmx struct hd_tbcr of tbcr_size bytes each: hd_sched_tbcr() */
};

/* Returns the bytes of the state in this configuration, the tbcr models included. */
size_t hd_sched_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. Requires m: hd_sched_size(cfg) bytes of any content. */
void hd_sched_init(struct hd_sched *m, const struct hd_cfg *cfg);

/* Resets: no kernel, empty SMXs, pointers 0. */
void hd_sched_reset(struct hd_sched *m);

/* Sets *out to this cycle's outputs; changes nothing. */
void hd_sched_eval(const struct hd_sched *m, const struct hd_sched_in *in, struct hd_sched_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_sched_tick(struct hd_sched *m, const struct hd_sched_in *in);

/* Sets *a to the architectural state, with the names of rtl/dispatch/sched/sched.csv; the rows of the done FIFOs only
 * if `tables`. */
void hd_sched_arch(const struct hd_sched *m, struct hd_sched_arch *a, bool tables);

/* Sets *a to the same state without the tbcr models: the SSCR and the pointers. */
void hd_sched_arch_own(const struct hd_sched *m, struct hd_sched_arch *a);

/* ---- For models composed of blocks ---- */

/* Returns the tbcr of SMX s. */
static inline const struct hd_tbcr *hd_sched_tbcr(const struct hd_sched *m, unsigned s) {
  return (const struct hd_tbcr *)(const void *)((const char *)m->smx + s * m->cfg.tbcr_size);
}

/* Returns true if FairEvery TBs of banks have passed one of queue 0, which now goes first. */
static inline bool hd_sched_fair(const struct hd_sched *m) {
  return m->cfg.fair_every && m->passed == m->cfg.fair_every;
}

/* A bank from which an SMX takes its next TB. */
struct hd_sched_source {
  int bank; /* or -1: none */
  const struct hd_need *need;
};

/* The TB that a bank offers. */
struct hd_sched_front {
  const struct hd_pqentry *entry;
  uint32_t nextbl;
  bool last; /* that is the last one of the entry */
};

/* The TB that a graph offers. */
struct hd_sched_node {
  const struct hd_need *need;
  unsigned kdei, index; /* its kernel; the place of its node in the LNA */
  uint32_t cta;
  int smx;    /* the SMX that it prefers, or -1 */
  bool older; /* older than the kernel in the SSCR, if there is one */
};

/* Outputs of the neighbours in a cycle. */
struct hd_sched_env {
  struct hd_sscr_env sscr;
  bool steal;                       /* nothing can be handed out */
  const uint64_t *open;             /* SMXs that accept unbound TBs, or NULL: all */
  const struct hd_sched_node *node; /* or NULL: none is ready */
  /* The TB bound to each SMX, and the one each may take when queue 0 is empty: NumSmx elements; the offer of each bank:
   * NumBank. All NULL if no bank offers anything. */
  const struct hd_sched_source *bound, *spare;
  const struct hd_sched_front *front;
  const struct hd_need *then; /* need of the entry that would be first of all banks if the first left, or NULL */
};

/* Decisions of a cycle. */
struct hd_sched_choice {
  int grant_smx; /* the SMX that receives a TB, or -1 */
  int take_bank; /* .. from this bank; -1: of queue 0 */
  bool spare;    /* .. as spare */
  bool graph;    /* it is the TB of the graph; otherwise, from queue 0, TB NextBL of the SSCR's unit */
  /* nesting level of the SSCR's unit (grant_level); 0 without a unit, and while the graph goes first */
  unsigned level;
  int retire_smx; /* the SMX whose oldest done FIFO entry is taken, or -1; reported in the next cycle */
  bool active;    /* a kernel, a node or an entry exists */
  bool blocked;   /* a TB remains to be handed out but goes to no SMX */
  struct hd_sscr_choice sscr;
};

/* Returns true if the TB handed out is one of the SSCR's. */
static inline bool hd_sched_grants(const struct hd_sched_choice *c) {
  return c->grant_smx >= 0 && c->take_bank < 0 && !c->graph;
}

struct hd_sched_choice hd_sched_choose(const struct hd_sched *m, const struct hd_sched_env *e);

/* Inputs of an edge, as the neighbours have them. */
struct hd_sched_edge {
  const struct hd_sched_env *env;
  const struct hd_need *need;     /* of each KD entry */
  const struct hd_desc *desc;     /* of the kernel granted in the cycle before */
  const uint64_t *dispatch_ready; /* set of SMXs */
  const uint64_t *cta_done_valid; /* set of SMXs */
  const uint8_t *cta_done_slot;   /* of each SMX */
  unsigned look_smx, look_slot;   /* requested TB slot */
  int run_kdei;                   /* the kernel whose TBs are nodes of the graph, or -1 */
};

/* The edge; choice is this cycle's hd_sched_choose(). */
void hd_sched_step(struct hd_sched *m, const struct hd_sched_choice *choice, const struct hd_sched_edge *e);

/* Sets the dispatch ports of this cycle, NumSmx elements each; desc as in struct hd_sched_edge. */
void hd_sched_show_dispatch(const struct hd_sched *m, const struct hd_desc *desc, uint8_t *valid,
                            struct hd_dispatch *dispatch);

#endif
