/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* tbcr: golden model of the thread block control registers of one SMX.
 *
 *   grant -> [slot 0 .. CtasPerSmx-1: kernel, AGE, level] -- cta_done --> [done FIFO] -> retire (ExeBL - 1)
 *        \-> [dispatch register] -> dispatch (to the SMX)    \-- look: what the slot runs (to device launches)
 *
 * One TB slot per TB that may be resident. A TB allocates warps, registers and shared memory when it is granted and
 * frees them in the cycle of its completion, for the decision of the next cycle (dtbl-isca2015 sections 2.2 and 4.2: an
 * SMX takes TBs up to its limits of TBs, threads, registers and shared memory). Slot allocation (the lowest), the
 * dispatch register and the done FIFO are ours.
 *
 * Completions of all SMXs are accepted at once, but the KD counts only one per cycle: the others wait in the done
 * FIFOs. `owed` counts the TBs that are resident or queued there; a grant needs owed < DoneDepth, so a completion
 * always finds a place: a grant may wait, a completion never does.
 *
 * A slot also keeps the AGE (entry of the Aggregated Group Table) of a TB of a group, whose ExeBL is decremented with
 * it (dtbl-isca2015 section 4.2), and the TB's nesting level. A launch by a TB names its slot: `look` returns its
 * contents one cycle later, or nothing while the SMX has not accepted the TB.
 *
 * For a TB of a graph the slot keeps the place of its node in the LNA instead of the AGE (wireframe-micro2017 section
 * 4). When a TB completes whose kernel is then that of the running graph, the place is output in the next cycle.
 *
 * A completion of an empty slot (done_empty), or of a TB that the SMX has not accepted yet (done_early), is ignored and
 * reported in the next cycle. All outputs are registered, except dispatch.desc in the first cycle of a dispatch, which
 * is the desc input.
 *
 * Requires: grant only while slot_free, done_room, !dispatch_valid and the TB fits, with the need of its kernel; the
 * need of a kernel does not change while a TB of it is resident; pop only while retire_valid; run_valid only while no
 * resident TB of kernel run_kdei has an AGE.
 *
 * State: hd_tbcr_size() bytes, owned by the caller, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_TBCR_H
#define HD_TBCR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/bits.h"
#include "common/wrote.h"
#include "gen/hd_tbcr_ports.h"

/* Result of a completion. */
enum hd_done { HD_DONE_NONE, HD_DONE_OK, HD_DONE_EMPTY, HD_DONE_EARLY };

/* Parameters; fixed by init. */
struct hd_tbcr_cfg {
  uint32_t size; /* bytes of the state */
  uint8_t slots, done_depth, warps;
  uint16_t regs, smem; /* of an empty SMX, in units */
};

struct hd_tbcr {
  struct hd_tbcr_cfg cfg;
  struct hd_wrote wrote[1];
  /* answer to look_slot of the previous cycle; used, like event, only if the block runs alone */
  struct hd_look look;
  /* the TB completed in the previous cycle is a node of the graph; used only if the block runs alone .. */
  uint8_t node_done;
  uint8_t pad_[1];
  uint16_t node_place; /* .. and its place; else 0 */
  struct hd_dispatch dispatch;
  /* From here on: what hd_tbcr_arch() shows, and little else. */
  uint32_t free;       /* set of free slots */
  uint16_t regs, smem; /* free, in units */
  uint8_t warps;       /* free */
  uint8_t owed;        /* resident TBs and done FIFO entries */
  uint8_t done_count, done_first;
  uint8_t dispatch_valid;
  uint8_t fresh; /* dispatch.desc has yet to arrive from the desc input */
  /* enum hd_done of the previous cycle, if the block runs alone; sched keeps it for all its SMXs */
  uint8_t event;
  uint8_t level[HD_MAX_CTAS_PER_SMX]; /* of the TB in each slot, 0 when free */
  struct hd_retire row[];             /* of each slot, 0 when free; then the done FIFO as a ring of DoneDepth rows */
};

/* Returns the bytes of the state in this configuration. */
size_t hd_tbcr_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. Requires m: hd_tbcr_size(cfg) bytes of any content. */
void hd_tbcr_init(struct hd_tbcr *m, const struct hd_cfg *cfg);

/* Resets: an empty SMX. */
void hd_tbcr_reset(struct hd_tbcr *m);

/* Sets *out to this cycle's outputs; changes nothing. */
void hd_tbcr_eval(const struct hd_tbcr *m, const struct hd_tbcr_in *in, struct hd_tbcr_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_tbcr_tick(struct hd_tbcr *m, const struct hd_tbcr_in *in);

/* Sets *a to the architectural state, with the names of rtl/dispatch/tbcr/tbcr.csv; the rows of the done FIFO only if
 * `tables`. */
void hd_tbcr_arch(const struct hd_tbcr *m, struct hd_tbcr_arch *a, bool tables);

/* Sets row `row` in each table that is long enough. */
void hd_tbcr_arch_row(const struct hd_tbcr *m, unsigned row, struct hd_tbcr_arch *a);

/* ---- For models composed of blocks: the parts of the edge, so that idle SMXs cost nothing. Order: hd_tbcr_slot,
 * hd_tbcr_look, hd_tbcr_complete, hd_tbcr_dispatch, hd_tbcr_pop, hd_tbcr_grant. ---- */

/* Returns the oldest entry of the done FIFO. Requires one. */
static inline const struct hd_retire *hd_tbcr_oldest(const struct hd_tbcr *m) {
  return &m->row[m->cfg.slots + m->done_first];
}

/* Returns the slot that a grant in this cycle takes: the lowest that was free at its start. Requires one. */
static inline unsigned hd_tbcr_slot(const struct hd_tbcr *m) {
  return hd_lowest(m->free);
}

/* Returns true if there are a slot, a place in the done FIFO, and room for a TB with this need. */
static inline bool hd_tbcr_has_room(const struct hd_tbcr *m, const struct hd_need *need) {
  return m->free != 0 && m->owed < m->cfg.done_depth && need->warps <= m->warps && need->regs <= m->regs &&
         need->smem <= m->smem;
}

/* Returns the contents of the slot; all 0 if it is empty. */
struct hd_look hd_tbcr_look(const struct hd_tbcr *m, unsigned slot);

/* Returns the place of the node whose TB is in `slot`; call before hd_tbcr_complete(). -1: the TB is not of kernel
 * run_kdei (-1: no graph runs), or the slot is empty. */
static inline int hd_tbcr_node(const struct hd_tbcr *m, unsigned slot, int run_kdei) {
  bool holds = slot < m->cfg.slots && !(m->free >> slot & 1);
  return holds && m->row[slot].kdei == run_kdei ? m->row[slot].agei : -1;
}

/* Completes the TB in `slot`. need: of one TB of each KD entry. */
enum hd_done hd_tbcr_complete(struct hd_tbcr *m, unsigned slot, const struct hd_need *need);

/* Steps the dispatch register. Requires that it is valid: it is cleared if taken, else a descriptor that has just
 * arrived is stored. */
void hd_tbcr_dispatch(struct hd_tbcr *m, bool taken, const struct hd_desc *desc);

/* Removes the oldest entry of the done FIFO. Requires one. */
void hd_tbcr_pop(struct hd_tbcr *m);

/* Puts a TB, whose descriptor has yet to arrive, into the slot that it names. Without an AGE, cta->agei is the place of
 * its node, or 0; it is not dispatched. */
void hd_tbcr_grant(struct hd_tbcr *m, const struct hd_dispatch *cta, const struct hd_need *need);

#endif
