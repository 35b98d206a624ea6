/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* gpu: the SMXs: warps of resident TBs, the schedulers that issue their instructions, and the memory system.
 *
 *   hd_gpu_take(g, now, ..);                 // a TB enters its slot; its warps may issue from the next cycle on
 *   hd_gpu_run(g, cycle);                    // simulates up to `cycle`, or up to the first cycle with an event
 *   while (hd_gpu_notice(g, &told)) ..         //   events: a TB has ended, a warp launches
 *   hd_gpu_go_on(g, place, warp, cycle);     // the warp's launch is answered
 *
 * A TB waits for its children once all its warps that have not ended wait. It stays in its slot, or frees it:
 *
 *   hd_gpu_move(g, place, true, line, n);    // its warps store its context; an event reports the end of that
 *   hd_gpu_leave(g, place, kept);            // its warps are freed; the state to keep is written to `kept`
 *   hd_gpu_take_back(g, now, .., kept);      // it is in a slot again, its warps still wait
 *   hd_gpu_move(g, place, false, line, n);   // they load the context
 *   hd_gpu_end_wait(g, place, cycle);        // all its warps resume
 *
 * - Warp w of an SMX belongs to scheduler w mod schedulers. A scheduler issues one instruction per cycle, greedy then
 *   oldest: from the warp that it issued from last, as long as that warp is ready, then from the oldest ready warp. The
 *   oldest warp is that of the TB that came first; within a TB, the first warp.
 * - A warp issues in order. A load blocks it until its slowest line has arrived, a store until its last line is sent.
 * - An instruction of another unit blocks it for that unit's latency, a barrier until all warps of its TB have reached
 *   one or have ended.
 * - Loads and stores pass the SMX's load/store unit in order, one line per cycle. A line that the memory system cannot
 *   accept stalls the unit and everything behind it. Up to 64 cycles of a unit are computed at once.
 *
 * With a choice (hd_gpu_clock()) the SMXs are simulated cycle by cycle, and the choice selects the warps that issue:
 * choice.h.
 *
 * sim speed: otherwise the cost does not depend on durations: one event per operation, one per stall of a unit. */
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
  uint32_t schedulers;             /* per SMX */
  uint32_t issue_every;            /* with a choice: cycles between two instructions of a warp */
  uint32_t latency[HD_WARP_UNITS]; /* cycles, at least 1 */
  struct hd_memsys_opts memory;
  bool footprint; /* count the lines that TBs of a family share */
};

/* With a choice: scheduler cycles with warps but without an issue, and warp cycles without an issue, by cause. */
struct hd_gpu_stalls {
  /* no warp was ready: all waited for a launch or a barrier; some for data; for a unit */
  uint64_t control, raw, pipe;
  uint64_t choice; /* a warp was ready; it issues in the next cycle */
  uint64_t warps_control, warps_raw, warps_pipe;
};

struct hd_gpu_counts {
  uint64_t instructions;
  uint64_t operations; /* computations, loads, stores, calls, instructions of other units, barriers and ends */
  uint64_t loads, load_lines, stores, store_lines;
  uint64_t load_wait;              /* cycles from a load's issue to its slowest line, over all loads */
  uint64_t delays;                 /* instructions of other units */
  uint64_t barriers, barrier_wait; /* arrivals of warps at barriers; cycles that they waited there */
  uint64_t lanes;                  /* active threads, summed over all instructions */
  uint64_t unit_waits;             /* cycles in which a load/store unit was stalled */
  uint64_t events;
  struct hd_gpu_stalls stalls;
};

/* Events of a TB. HD_GPU_CALLS: its warp `warp` launches. HD_GPU_MOVED: hd_gpu_move() is complete. */
enum hd_gpu_event { HD_GPU_ENDED, HD_GPU_CALLS, HD_GPU_WAITS, HD_GPU_MOVED };
struct hd_gpu_notice {
  enum hd_gpu_event event;
  uint64_t cycle;
  uint32_t smx, slot, warp;
};

struct hd_gpu;

struct hd_gpu_opts hd_gpu_defaults(void);

/* Returns true if the sizes are consistent, with `warps` warps per SMX. Otherwise text names the reason. */
bool hd_gpu_check(const struct hd_gpu_opts *o, uint32_t warps, char *text, size_t text_size);
/* Returns NULL if an option is refused or if out of memory; text then names the reason. */
struct hd_gpu *hd_gpu_new(const struct hd_gpu_opts *o, uint32_t smxs, uint32_t slots, uint32_t warps,
                          const struct hd_warp_source *source, void *ctx, char *text, size_t text_size);
void hd_gpu_free(struct hd_gpu *g);

/* Simulates the SMXs cycle by cycle; `choice`, which is copied, selects the warps that issue. Call it before the first
 * TB. A TB's warps may issue from the third cycle on. Returns false if out of memory. */
bool hd_gpu_clock(struct hd_gpu *g, const struct hd_choice *choice);

/* A TB of `warps` warps enters the slot in cycle `now`, up to which the SMXs were run. Returns false if there are not
 * enough free warps. */
bool hd_gpu_take(struct hd_gpu *g, uint64_t now, uint32_t smx, uint32_t slot, const struct hd_warp_tb *tb,
                 uint32_t warps);
/* Runs up to and including `cycle`, or up to and including the first cycle with an event. Returns the last cycle that
 * it ran. */
uint64_t hd_gpu_run(struct hd_gpu *g, uint64_t cycle);
/* Fetches the next event. Returns false if there are no more. */
bool hd_gpu_notice(struct hd_gpu *g, struct hd_gpu_notice *notice);
/* A warp that called resumes in `cycle`, which must be in the future. */
void hd_gpu_go_on(struct hd_gpu *g, uint32_t smx, uint32_t slot, uint32_t warp, uint64_t cycle);

/* The warps of a waiting TB store (or load) these lines, an equal share each, up to 32 per operation, from `cycle`
 * on, which must be in the future (two cycles later with a choice, for a TB that was taken back). Then they wait as
 * before. */
void hd_gpu_move(struct hd_gpu *g, uint32_t smx, uint32_t slot, bool store, uint32_t line, uint32_t lines,
                 uint64_t cycle);
/* Returns the number of waiting warps of a TB. */
uint32_t hd_gpu_waiting(const struct hd_gpu *g, uint32_t smx, uint32_t slot);
/* The warps of a waiting TB resume in `cycle`, which must be in the future. */
void hd_gpu_end_wait(struct hd_gpu *g, uint32_t smx, uint32_t slot, uint64_t cycle);
/* Returns the number of bytes that hd_gpu_leave() writes to `kept`. */
size_t hd_gpu_kept(const struct hd_gpu *g);
/* A TB that waits, and moves no context, leaves its slot. */
void hd_gpu_leave(struct hd_gpu *g, uint32_t smx, uint32_t slot, void *kept);
/* As hd_gpu_take(), for a TB that left; its warps wait. */
bool hd_gpu_take_back(struct hd_gpu *g, uint64_t now, uint32_t smx, uint32_t slot, const struct hd_warp_tb *tb,
                      const void *kept);

/* Sets *cycle to the next cycle with activity or an event. Returns false if nothing is scheduled. */
bool hd_gpu_next(const struct hd_gpu *g, uint64_t *cycle);

struct hd_gpu_counts hd_gpu_counts(const struct hd_gpu *g);
struct hd_memsys_counts hd_gpu_memory(struct hd_gpu *g);
/* As hd_memsys_contention(). */
void hd_gpu_contention(const struct hd_gpu *g, uint64_t *dram_full, uint64_t *icnt2sm);
/* Requires opts.footprint, and that all TBs have ended. Returns false if out of memory during the run. */
bool hd_gpu_footprint(const struct hd_gpu *g, struct hd_footprint_shares *s);

#endif
