/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* work: the interface between the closed loop and a workload.
 *
 * The loop numbers kernels 0, 1, 2, .. in the order in which the workload provides them; all later calls use that
 * number. The loop keeps the order of the kernels of one HWQ, and retries a launch that is refused because its HWQ is
 * full; the workload sees neither. */
#ifndef HD_WORK_H
#define HD_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "api/deplinks.h"
#include "api/device.h"
#include "gen/hd_types.h"
#include "gpu/stream.h"

/* A launch by a thread. */
struct hd_work_call {
  uint32_t lane;
  uint32_t item;  /* the workload's name for the child, among those of its kernel */
  uint32_t ctas;  /* TBs of the child */
  uint64_t alone; /* remaining cycles of the thread if it must do the child's work itself */
};

/* A warp that launches: it runs, calls the device runtime once for all launching threads, and runs on. */
struct hd_work_warp {
  uint32_t warp; /* number in its TB */
  uint64_t before, after;
  const struct hd_device_call
      *child; /* common properties of these children; preset to NULL: those common to all children */
  uint32_t calls;
  struct hd_work_call call[HD_DEVICE_LANES];
};

/* Launches by TBs, for workloads that have some. A child is identified by the kernel whose TB launched it, and its
 * item. Children do not launch.
 *
 * HD_SYNC_EACH: the warps of warp() are successive calls of one warp: call k is made `before` cycles after everything
 * that call k-1 launched has ended (cudaDeviceSynchronize()); `after` runs before the warp waits. On SMXs that run
 * warps this is warp 0, which reaches its next call by itself. HD_SYNC_END: a TB waits after all its work, and ends
 * after that. The launcher decides how a TB waits: it is saved, or stays on the SMX. */
enum hd_work_sync { HD_SYNC_NEVER, HD_SYNC_EACH, HD_SYNC_END };

struct hd_work_device {
  enum hd_work_sync sync; /* when a TB waits for its launches */
  /* Common properties of all children; the loop fills in grid, lane and parameters. */
  struct hd_device_call child;
  /* Returns the k-th launching warp of a TB, or false if there is none. Guarantees the same result each time. */
  bool (*warp)(void *ctx, uint32_t kernel, uint32_t blkid, uint32_t k, struct hd_work_warp *w);
  /* Returns the cycles that an SMX holds a TB of a child, at least 1. */
  uint64_t (*duration)(void *ctx, uint32_t kernel, uint32_t item, uint32_t blkid);
  void (*launched)(void *ctx, uint32_t kernel, uint32_t item);
  /* The child could not be launched: its thread does the work itself before it ends. */
  void (*alone)(void *ctx, uint32_t kernel, uint32_t item);
  void (*cta_done)(void *ctx, uint32_t kernel, uint32_t item, uint32_t blkid);
  /* All TBs of the child have ended. */
  void (*ended)(void *ctx, uint64_t now, uint32_t kernel, uint32_t item);
};

struct hd_work {
  void *ctx;
  /* Provides the next kernel that is due in cycle `now` or before; false: none. The loop fills in the tag and the
   * parameter address. */
  bool (*next)(void *ctx, uint64_t now, struct hd_launch *launch);
  /* Sets *cycle to the cycle in which next() will have a kernel if nothing else happens before. Returns false if the
   * workload waits for completions or has finished. */
  bool (*next_at)(void *ctx, uint64_t *cycle);
  /* Returns the cycles that an SMX holds this TB, at least 1; for a TB that launches, those of its other warps. */
  uint64_t (*duration)(void *ctx, uint32_t kernel, uint32_t blkid);
  /* An SMX has finished this TB. */
  void (*cta_done)(void *ctx, uint32_t kernel, uint32_t blkid);
  /* The plane has reported the kernel as done in cycle `now`. */
  void (*kernel_done)(void *ctx, uint64_t now, uint32_t kernel);
  /* Returns true if no more kernels will come. */
  bool (*finished)(void *ctx);
  /* Returns the approximate share of the work that is done, 0 to 1, for progress output; NULL: unknown. */
  double (*share)(const void *ctx);
  const int8_t *priority;                /* priorities of the 256 HWQs, lower first; NULL: all equal */
  const struct hd_work_device *device;   /* NULL: only the host launches */
  const struct hd_warp_source *warps;    /* operations of warps, for SMXs that run warps; NULL: not available */
  const struct hd_deplinks_graph *graph; /* graph of kernel 0, if its launch declares one; else NULL */
};

#endif
