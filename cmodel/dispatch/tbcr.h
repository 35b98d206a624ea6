/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* tbcr: golden model of the thread block control registers of one SMX.
 *
 *   grant -> [slot 0 .. CtasPerSmx-1: kernel, AGE, level] -- cta_done --> [done FIFO] -> retire (ExeBL - 1)
 *        \-> [dispatch register] -> dispatch (to the SMX)    \-- look: what the slot runs (to device launches)
 *
 * One TB slot per TB that may be resident; a TB takes warps, registers and shared memory when it is granted and gives
 * them back in the cycle of its completion, for the decision of the next cycle (dtbl-isca2015 sections 2.2 and 4.2: an
 * SMX takes TBs up to its limits of TBs, threads, registers and shared memory). Slot allocation (the lowest), the
 * dispatch register and the done FIFO are ours.
 *
 * Completions of all SMXs are accepted at once, but only one a cycle is counted in the KD: the rest waits in the done
 * FIFOs. `owed` counts the TBs that are resident or queued there; a grant needs owed < DoneDepth, so a completion
 * always finds a place: a hand-out waits, a completion never does.
 *
 * A slot also keeps the AGE (entry of the Aggregated Group Table) of a TB of a group, whose ExeBL goes down with it
 * (dtbl-isca2015 section 4.2), and the TB's nesting level. A launch by a TB names its slot: `look` tells one cycle
 * later what runs there, and nothing while the SMX has not taken the TB.
 *
 * Of a TB of a graph it keeps, in place of the AGE, the place of its node in the LNA (wireframe-micro2017 section 4).
 * When a TB is done whose kernel is then that of the graph that runs, the place is told in the next cycle.
 *
 * A completion of an empty slot (done_empty), or of a TB that the SMX has not taken yet (done_early), is ignored and
 * told in the next cycle. All outputs come from registers, but for dispatch.desc in the first cycle of a dispatch,
 * which is the desc input.
 *
 * Requires: grant only while slot_free, done_room, !dispatch_valid and the TB fits; pop only while retire_valid.
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

/* What became of a completion. */
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
  struct hd_look look; /* answer to look_slot of the cycle before; when the block stands alone, like event */
  uint8_t node_done;   /* the TB that was done in the cycle before is a node of the graph; likewise .. */
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
  uint8_t fresh; /* dispatch.desc is still to come, from the desc input */
  uint8_t event; /* enum hd_done of the cycle before, when the block stands alone; sched keeps it for all its SMXs */
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

/* ---- For models composed of blocks: the parts of the edge, so that idle SMXs cost nothing. In this order:
 * hd_tbcr_slot, hd_tbcr_look, hd_tbcr_complete, hd_tbcr_dispatch, hd_tbcr_pop, hd_tbcr_grant. ---- */

/* The oldest entry of the done FIFO, which must not be empty. */
static inline const struct hd_retire *hd_tbcr_oldest(const struct hd_tbcr *m) {
  return &m->row[m->cfg.slots + m->done_first];
}

/* The slot that a grant in this cycle takes: the lowest that was free when it began; there must be one. */
static inline unsigned hd_tbcr_slot(const struct hd_tbcr *m) {
  return hd_lowest(m->free);
}

/* Is there a slot, a place in the done FIFO, and room for a TB that needs this? */
static inline bool hd_tbcr_has_room(const struct hd_tbcr *m, const struct hd_need *need) {
  return m->free != 0 && m->owed < m->cfg.done_depth && need->warps <= m->warps && need->regs <= m->regs &&
         need->smem <= m->smem;
}

/* What the slot runs; all 0 when it runs nothing. */
struct hd_look hd_tbcr_look(const struct hd_tbcr *m, unsigned slot);

/* The place of the node whose TB is in `slot`, before hd_tbcr_complete(); -1: its TB is not of kernel run_kdei (-1: no
 * graph runs), or there is none. */
static inline int hd_tbcr_node(const struct hd_tbcr *m, unsigned slot, int run_kdei) {
  bool holds = slot < m->cfg.slots && !(m->free >> slot & 1);
  return holds && m->row[slot].kdei == run_kdei ? m->row[slot].agei : -1;
}

/* The SMX reports the TB in `slot` as done. need: what one TB of each KD entry takes. */
enum hd_done hd_tbcr_complete(struct hd_tbcr *m, unsigned slot, const struct hd_need *need);

/* The dispatch register, which must be valid: emptied if taken, else a descriptor that is still to come is kept. */
void hd_tbcr_dispatch(struct hd_tbcr *m, bool taken, const struct hd_desc *desc);

/* The oldest entry of the done FIFO, which must not be empty, is taken. */
void hd_tbcr_pop(struct hd_tbcr *m);

/* The TB, whose descriptor is still to come, gets the slot that it names. Of one without an AGE cta->agei is the place
 * of its node, or 0; it is not dispatched. */
void hd_tbcr_grant(struct hd_tbcr *m, const struct hd_dispatch *cta, const struct hd_need *need);

#endif
