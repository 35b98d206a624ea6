/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* kd: golden model of the Kernel Distributor.
 *
 *   kernel (from the KMU) -> [entry 0 .. NumKde-1: descriptor, need, TBs, ExeBL, progress] -> need, ctas, .. desc (to
 *                              ^ +1 grant, -1 retire; marked (FCFS);                           the scheduler)
 *                              | hold, birth, save (devq); fail events
 *                              +-> released: reopen (to the KMU), leave (to kin)
 *                              +-> suspended: suspend (to susp), its list of groups (link to susp)
 *
 * An entry holds a kernel from the cycle in which it enters until it is unmarked and none of its TBs is in execution
 * (ExeBL is 0): dtbl-isca2015 sections 2.2, 2.3 and 4.2, laperm-isca2016 section II. A kernel stays while aggregated
 * groups are linked to it or about to be (dtbl-isca2015 section 4.2), or entries of it wait in banks of priority queues
 * (laperm-isca2016 section IV). All entries that qualify are released in the same cycle. The tag of a released kernel
 * waits to be reported while its entry may already hold the next kernel: each entry has two tag rows ("banks"), so a
 * slow receiver of `leave` blocks an entry only when both wait. Release in one cycle and the two banks are ours.
 * Suspension is ours too. A kernel one of whose TBs was saved hands out no more TBs, except those of its entries in
 * banks, and leaves its entry when these and its TBs in execution are done; it returns with its progress. Its saved
 * list has SavMax places. Banks hand out no TB of a suspending kernel that might find no place there (sav_full, from
 * the state one cycle before: SavMax - 1 or more TBs of it run or are saved). If the list is full and no TB runs, the
 * kernel is suspended, and its remaining entries in banks stay in its KD entry as a kernel of their own, the rest: a
 * child of the suspended kernel, of the same level, with all native TBs handed out and no parent record. No group joins
 * a kernel that has saved TBs; so no group of it is in a bank while it has saved TBs that it brought back, and a save
 * always finds a place in the list.
 *
 * A kernel with a graph (wireframe-micro2017) is not marked: its TBs come from the graph buffer, and it keeps its entry
 * until the graph is over and its TBs are done. No group joins it, and none of its TBs is saved; giving it an ordinary
 * entry is ours.
 *
 * Timing: idle (nothing in execution or on its way, no event of the kernel) in t: released, reopen and left in t+1,
 * leave in t+2 at the earliest; or, for one kernel at a time, t+1 steals the descriptor table's read port, t+2 sends
 * the kernel to susp, left in t+3. A fail event takes priority over other events of the kernel in the same cycle; a
 * failed kernel is never suspended.
 *
 * All outputs but entry are registered; desc is a read of the descriptor table by the grant of the previous cycle.
 *
 * Requires: with a grant sched_sscr.kdei is valid, marked, not suspending and not failed; no grant in a cycle with
 * stall; a grant of a saved TB only for a kernel that has one; at most NumSmx * DoneDepth + 1 TBs of a kernel that have
 * not retired; sched_retire.tb.kdei valid with ExeBL > 0; birth and save only for a kernel with a TB in execution, save
 * only while the saved list has a place and if save_ok was set one cycle before (the kernel may have failed since);
 * hold only with eligible, unhold two cycles after it; a group enters a bank only in the cycle of its unhold; take and
 * lost only for a kernel with an entry in a bank, which is not handed out in that cycle; a kernel enters with at most
 * SavMax saved TBs, the first below SavMax, and a bank only without any and without a graph; no TB from a bank with
 * sav_full; park and the end of a unit only of a kernel in the KD; no event of a kernel chosen for suspension, except
 * that it fails (then its rest fails), in the cycle of SEND only by the loss of a group; kernel.hwq < NumHwq.
 *
 * State: hd_kd_size() bytes, owned by the caller, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_KD_H
#define HD_KD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/bits.h"
#include "common/wrote.h"
#include "gen/hd_kd_ports.h"

#define HD_KDE_WORDS HD_WORDS(HD_MAX_NUM_KDE)
/* index among the fail events: a group that waited in memory for its bank is lost */
#define HD_KD_LOST (HD_MAX_NUM_FAIL - 1)

/* The suspension of a kernel. It leaves in the cycle of SEND, and its rest stays if there is one. */
enum hd_kd_suspension { HD_KD_REST, HD_KD_TAKE, HD_KD_SEND };

/* Parameters; fixed by init. */
struct hd_kd_cfg {
  uint32_t size; /* bytes of the state */
  uint32_t num_kde, kde_words, pend_words;
  uint32_t num_hwq, hwq_words;
  uint32_t sav_max;
};

/* Fields of a tag row that waits to be reported, besides the origin. */
struct hd_kd_pend {
  uint8_t kin_valid, failed;
  uint16_t kin;
};

/* One entry; all 0 except the tag rows while it holds no kernel. */
struct hd_kd_entry {
  struct hd_desc desc;
  uint32_t ctas;
  uint32_t nextbl;    /* next TB to hand out of the unit, while it is not in the SSCR */
  uint16_t sav_first; /* ring of saved TBs: first .. */
  uint16_t sav_count; /* .. and count */
  uint16_t kin;       /* parent record */
  uint8_t level;
  uint8_t pad_[5];
  struct hd_origin tag[2]; /* tag rows */
};

/* Fields of an entry that hd_kd_arch() outputs besides its tables. */
struct hd_kd_shown {
  uint16_t exebl; /* TBs in execution */
  uint8_t hwq;    /* .. HWQ of its kernel */
  uint8_t hold;   /* groups for it between A1 and A3 */
  uint8_t bank;   /* the tag row that its kernel uses */
  uint8_t pad_[3];
  uint32_t queued;           /* entries of it in banks of priority queues, and in memory for them */
  struct hd_kd_pend pend[2]; /* tag rows */
};

struct hd_kd {
  struct hd_kd_cfg cfg;
  struct hd_wrote wrote[2];
  struct hd_desc desc; /* descriptor of the kernel granted in the previous cycle */
  struct hd_leave leave;
  uint8_t leave_valid;
  uint8_t desc_valid;
  uint8_t pad_[6];
  /* From here to `entry`: the state that hd_kd_arch() outputs besides its tables, and little else. */
  uint64_t valid[HD_KDE_WORDS];                /* entries that hold a kernel */
  uint64_t free[HD_KDE_WORDS];                 /* entries that can take one */
  uint64_t running[HD_KDE_WORDS];              /* entries with ExeBL > 0 */
  uint64_t held[HD_KDE_WORDS];                 /* entries with hold > 0 */
  uint64_t waiting[HD_KDE_WORDS];              /* entries with queued > 0 */
  uint64_t host[HD_KDE_WORDS];                 /* kernels from the host */
  uint64_t ndone[HD_KDE_WORDS];                /* kernels whose native TBs are all handed out */
  uint64_t kin_valid[HD_KDE_WORDS];            /* kernels with a parent record */
  uint64_t suspending[HD_KDE_WORDS];           /* kernels that wait for their suspension */
  uint64_t sav_full[HD_KDE_WORDS];             /* .. whose saved list could be filled by TBs in execution */
  uint64_t failed[HD_KDE_WORDS];               /* kernels that hand out no more TBs */
  uint64_t graph[HD_KDE_WORDS];                /* kernels with a graph .. */
  uint64_t graph_runs[HD_KDE_WORDS];           /* .. that is not over */
  uint64_t left[HD_KDE_WORDS];                 /* entries that a kernel left in the previous cycle */
  uint64_t pend[HD_WORDS(2 * HD_MAX_NUM_KDE)]; /* tag rows 2 * entry + bank that wait to be reported */
  uint64_t reopen[HD_WORDS(HD_MAX_NUM_HWQ)];   /* HWQs of the kernels released in the previous cycle */
  uint8_t pend_ptr;
  uint8_t susp_state, susp_kdei; /* enum hd_kd_suspension */
  /* A TB of entry out_kdei was handed out in the previous cycle (out_last: the last one of its bank entry); in the arch
   * exebl and queued do not count that yet. */
  uint8_t out_valid, out_kdei, out_last;
  uint8_t pad2_[2];
  struct hd_kd_shown shown[HD_MAX_NUM_KDE];
  struct hd_need need[HD_MAX_NUM_KDE]; /* of one TB of each kernel; 0 in free entries */
  struct hd_kd_entry entry[];          /* NumKde */
};

/* Returns the bytes of the state in this configuration. */
size_t hd_kd_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. Requires m: hd_kd_size(cfg) bytes of any content. */
void hd_kd_init(struct hd_kd *m, const struct hd_cfg *cfg);

/* Resets: all entries free, nothing to report. */
void hd_kd_reset(struct hd_kd *m);

/* Sets *out to this cycle's outputs; changes nothing. */
void hd_kd_eval(const struct hd_kd *m, const struct hd_kd_in *in, struct hd_kd_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_kd_tick(struct hd_kd *m, const struct hd_kd_in *in);

/* Sets *a to the architectural state, with the names of rtl/host/kd/kd.csv; the rows of its RAMs only if `tables`. */
void hd_kd_arch(const struct hd_kd *m, struct hd_kd_arch *a, bool tables);

/* Sets row `row` in each table that is long enough. */
void hd_kd_arch_row(const struct hd_kd *m, unsigned row, struct hd_kd_arch *a);

/* ---- For models composed of blocks ---- */

/* Returns true if an entry holds a kernel. */
static inline bool hd_kd_busy(const struct hd_kd *m) {
  return hd_bits_first(m->valid, m->cfg.kde_words) >= 0;
}

/* Returns the entry that accepts a kernel in this cycle: the lowest free one, or -1. */
static inline int hd_kd_alloc(const struct hd_kd *m) {
  return hd_bits_first(m->free, m->cfg.kde_words);
}

/* Returns true if the kernel sent to susp in this cycle leaves a rest. */
static inline bool hd_kd_rest_stays(const struct hd_kd *m) {
  return m->susp_state == HD_KD_SEND && (m->shown[m->susp_kdei].queued || hd_bit(m->failed, m->susp_kdei));
}

/* Returns true if an entry accepts a kernel in this cycle: not while a rest stays. */
static inline bool hd_kd_ready(const struct hd_kd *m) {
  return hd_kd_alloc(m) >= 0 && !hd_kd_rest_stays(m);
}

/* Returns true if groups may join the kernel of entry i. */
static inline bool hd_kd_eligible(const struct hd_kd *m, unsigned i) {
  return hd_bit(m->valid, i) && !m->entry[i].sav_count && !hd_bit(m->failed, i) && !hd_bit(m->graph, i);
}

/* Returns true if a TB of entry i may be saved. */
static inline bool hd_kd_save_ok(const struct hd_kd *m, unsigned i) {
  return hd_bit(m->kin_valid, i) && !hd_bit(m->failed, i) && !hd_bit(m->graph, i) &&
         m->entry[i].sav_count < m->cfg.sav_max;
}

/* Returns the kernel that is sent to susp. Requires state HD_KD_SEND. */
struct hd_kernel hd_kd_suspended(const struct hd_kd *m);

/* Sets *quiet to the entries that may be released or suspended in this cycle if their groups allow it: the only ones
 * for which `pending` and `unanswered` matter. */
void hd_kd_quiet(const struct hd_kd *m, const uint64_t *marked, uint64_t *quiet);

/* Inputs of an edge, as the neighbours have them; an entry is -1 if there is none. */
struct hd_kd_edge {
  const struct hd_kernel *kernel;                /* the one offered, or NULL */
  bool enter_queued;                             /* its native part enters a bank */
  const uint64_t *marked, *pending, *unanswered; /* sets of entries */
  int queue_kdei;                                /* a group enters a bank */
  int serve_kdei;                                /* a TB from a bank is handed out .. */
  bool serve_last;                               /* .. the last one of its entry */
  int node_kdei;                                 /* a TB of the graph is handed out */
  int graph_end_kdei;                            /* the graph is over .. */
  bool graph_fails;                              /* .. with an error */
  unsigned cur_kdei;                             /* the kernel in the SSCR; 0 when there is none */
  unsigned kind;                                 /* enum hd_unit of its unit */
  bool grant, unit_end;                          /* a TB of it is handed out; it is the last of the unit */
  bool park;                                     /* it stops within the unit .. */
  uint32_t park_nextbl;                          /* .. before this TB */
  int retire_kdei;                               /* a completed TB */
  int hold_kdei, unhold_kdei;                    /* a group leaves A1, leaves A3 */
  int birth_kdei;                                /* a device kernel is launched */
  uint16_t birth_kin;                            /* parent record of the launching kernel */
  int save_kdei;                                 /* a TB is saved */
  int fail_kdei[HD_MAX_NUM_FAIL];                /* fail events, or -1 */
  bool suspend_free, leave_ready;
};

/* The edge. */
void hd_kd_step(struct hd_kd *m, const struct hd_kd_edge *e);

#endif
