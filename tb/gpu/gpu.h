/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* gpu: the SMXs: the warps of resident TBs, the schedulers that issue their instructions, and the memory system.
 *
 *   hd_gpu_take(g, now, ..);                 // a TB is in its slot; its warps may issue from the next cycle on
 *   hd_gpu_run(g, cycle);                    // all that happens up to there, or up to the first cycle with something
 *   while (hd_gpu_told(g, &told)) ..         //   to tell: a TB has ended, a warp launches
 *   hd_gpu_go_on(g, place, warp, cycle);     // what the warp launched is answered
 *
 * A TB waits for its children when all its warps that have not ended do. It stays where it is, or gives its place up:
 *
 *   hd_gpu_move(g, place, true, line, n);    // its warps store its context; that they have is told
 *   hd_gpu_leave(g, place, kept);            // its warps are gone; what the workload keeps of them is in `kept`
 *   hd_gpu_take_back(g, now, .., kept);      // it is in a slot again, its warps wait still
 *   hd_gpu_move(g, place, false, line, n);   // they load the context
 *   hd_gpu_end_wait(g, place, cycle);        // all its warps go on
 *
 * - Warp w of an SMX belongs to scheduler w mod schedulers. A scheduler issues an instruction a cycle: of the warp that
 *   it issued of last, as long as that can go on, then of the oldest that can (greedy, then oldest). The oldest is the
 *   one whose TB came first; of a TB's warps the first.
 * - A warp issues in order. It can not go on from a load until its slowest line is there, from a store until its last
 *   line is sent.
 * - It can not go on from an instruction of another unit until that unit's latency is over, and not from a barrier
 * until all warps of its TB have come to one, or have ended.
 * - Loads and stores go through the SMX's load/store unit one after the other, a line a cycle. A line that the memory
 *   system can not take holds up the unit, and all that is behind it. Up to 64 cycles of a unit are worked out at once.
 *
 * With a choice (hd_gpu_clock()) the SMXs run cycle by cycle instead, and it tells which warps issue: choice.h.
 *
 * What it costs else does not depend on how long things take: an event for each operation, one for each wait of a unit.
 */
#ifndef HD_GPU_H
#define HD_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu/choice.h"
#include "gpu/footprint.h"
#include "gpu/memsys.h"
#include "gpu/stream.h"

struct hd_gpu_opts {
  uint32_t schedulers;             /* of an SMX */
  uint32_t issue_every;            /* with a choice: cycles from an instruction of a warp to its next */
  uint32_t latency[HD_WARP_UNITS]; /* cycles, at least 1 */
  struct hd_memsys_opts memory;
  bool footprint; /* what TBs of a family share is counted */
};

/* With a choice: cycles of schedulers that had warps and did not issue, and cycles of warps that could not, by cause.
 */
struct hd_gpu_stalls {
  /* No warp could, and all waited for a launch or at a barrier; some for data; for their unit. */
  uint64_t control, raw, pipe;
  uint64_t choice; /* one could: it issues in the next cycle */
  uint64_t warps_control, warps_raw, warps_pipe;
};

struct hd_gpu_counts {
  uint64_t instructions;
  uint64_t operations; /* computations, loads, stores, calls, instructions of other units, barriers and ends */
  uint64_t loads, load_lines, stores, store_lines;
  uint64_t load_wait;              /* cycles from a load's issue to its slowest line, over all loads */
  uint64_t delays;                 /* instructions of other units */
  uint64_t barriers, barrier_wait; /* warps that came to one; cycles for which they waited */
  uint64_t lanes;                  /* threads that took part, over all instructions */
  uint64_t unit_waits;             /* cycles in which a load/store unit was held up */
  uint64_t events;
  struct hd_gpu_stalls stalls;
};

/* Of a TB. HD_GPU_CALLS: its warp `warp` does. HD_GPU_MOVED: the lines of hd_gpu_move(). */
enum hd_gpu_event { HD_GPU_ENDED, HD_GPU_CALLS, HD_GPU_WAITS, HD_GPU_MOVED };
struct hd_gpu_told {
  enum hd_gpu_event event;
  uint64_t cycle;
  uint32_t smx, slot, warp;
};

struct hd_gpu;

struct hd_gpu_opts hd_gpu_defaults(void);

/* Whether the sizes go together, with so many warps on an SMX; if not, text says which do not. */
bool hd_gpu_check(const struct hd_gpu_opts *o, uint32_t warps, char *text, size_t text_size);
/* NULL: text says which option does not go, or that there is no memory. */
struct hd_gpu *hd_gpu_new(const struct hd_gpu_opts *o, uint32_t smxs, uint32_t slots, uint32_t warps,
                          const struct hd_warp_source *source, void *ctx, char *text, size_t text_size);
void hd_gpu_free(struct hd_gpu *g);

/* Before the first TB: the SMXs run cycle by cycle, and the choice, which is copied, tells which warps issue. A TB's
 * warps may issue from the third cycle on. False: out of memory. */
bool hd_gpu_clock(struct hd_gpu *g, const struct hd_choice *choice);

/* A TB of so many warps is in that slot from cycle `now` on, up to which all was run. False: there is no room. */
bool hd_gpu_take(struct hd_gpu *g, uint64_t now, uint32_t smx, uint32_t slot, const struct hd_warp_tb *tb,
                 uint32_t warps);
/* Runs all up to and including that cycle, or up to and including the first cycle of which there is something to tell:
 * the cycle in which it stopped. */
uint64_t hd_gpu_run(struct hd_gpu *g, uint64_t cycle);
/* The next of what there is to tell; false: nothing more. */
bool hd_gpu_told(struct hd_gpu *g, struct hd_gpu_told *told);
/* A warp that called goes on in that cycle, which is still to come. */
void hd_gpu_go_on(struct hd_gpu *g, uint32_t smx, uint32_t slot, uint32_t warp, uint64_t cycle);

/* The warps of a TB that waits store, or load, these lines, a share each, up to 32 in an operation, from that cycle on,
 * which is still to come; with a choice, of a TB that was taken back, two cycles later. Then they wait as before. */
void hd_gpu_move(struct hd_gpu *g, uint32_t smx, uint32_t slot, bool store, uint32_t line, uint32_t lines,
                 uint64_t cycle);
/* Warps that wait, of a TB that does. */
uint32_t hd_gpu_waiting(const struct hd_gpu *g, uint32_t smx, uint32_t slot);
/* The warps of a TB that waits go on in that cycle, which is still to come. */
void hd_gpu_end_wait(struct hd_gpu *g, uint32_t smx, uint32_t slot, uint64_t cycle);
/* Bytes that are kept of a TB that has left. */
size_t hd_gpu_kept(const struct hd_gpu *g);
/* A TB that waits, and moves nothing, leaves its slot. */
void hd_gpu_leave(struct hd_gpu *g, uint32_t smx, uint32_t slot, void *kept);
/* As hd_gpu_take(); its warps wait. */
bool hd_gpu_take_back(struct hd_gpu *g, uint64_t now, uint32_t smx, uint32_t slot, const struct hd_warp_tb *tb,
                      const void *kept);

/* When something will happen next, or is to be told; false: only if a TB is taken or a warp goes on. */
bool hd_gpu_next(const struct hd_gpu *g, uint64_t *cycle);

struct hd_gpu_counts hd_gpu_counts(const struct hd_gpu *g);
struct hd_memsys_counts hd_gpu_memory(struct hd_gpu *g);
/* As hd_memsys_contention(). */
void hd_gpu_contention(const struct hd_gpu *g, uint64_t *dram_full, uint64_t *icnt2sm);
/* With opts.footprint, when all TBs have ended. False: memory ran out on the way. */
bool hd_gpu_footprint(const struct hd_gpu *g, struct hd_footprint_shares *s);

#endif
