/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* work: what the closed loop asks of a workload, whichever it is.
 *
 * The loop numbers kernels 0, 1, 2, .. in the order in which the workload hands them over; the workload knows them by
 * that number from then on. It keeps the order of the kernels of one HWQ, and repeats a launch that is refused because
 * its HWQ is full, so a workload sees neither. */
#ifndef HD_WORK_H
#define HD_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "api/deplinks.h"
#include "api/device.h"
#include "gen/hd_types.h"
#include "gpu/stream.h"

/* A launch that a thread makes. */
struct hd_work_call {
  uint32_t lane;
  uint32_t item;  /* the workload's name for the child, among those of its kernel */
  uint32_t ctas;  /* TBs of the child */
  uint64_t alone; /* cycles of work that the thread has left after it, if it must do the child's work itself */
};

/* What a warp does that launches: it runs, calls the device runtime once for all threads that launch, and runs on. */
struct hd_work_warp {
  uint32_t warp; /* of its TB */
  uint64_t before, after;
  const struct hd_device_call *child; /* what these children have in common; NULL, as it comes: what all have */
  uint32_t calls;
  struct hd_work_call call[HD_DEVICE_LANES];
};

/* Launches by TBs, for workloads that make some. A child is named by its kernel, of which a TB launched it, and by its
 * item. Children do not launch.
 *
 * HD_SYNC_EACH: the warps of warp() are calls of one warp, one after the other: the k-th comes when all that the one
 * before it launched has ended (cudaDeviceSynchronize()), `before` cycles later; `after` is worked off before the warp
 * waits. On SMXs that run warps it is warp 0, which comes to its next call by itself. HD_SYNC_END: a TB waits when all
 * its work is done, and ends behind that. How a TB waits is the launcher's: it is saved, or stays on the SMX.
 */
enum hd_work_sync { HD_SYNC_NEVER, HD_SYNC_EACH, HD_SYNC_END };

struct hd_work_device {
  enum hd_work_sync sync; /* when a TB waits for what it has launched */
  /* What all children have in common; grid, lane and parameters are filled in. */
  struct hd_device_call child;
  /* The k-th warp of a TB that launches; false: there is no k-th. Asked again later, it says the same. */
  bool (*warp)(void *ctx, uint32_t kernel, uint32_t blkid, uint32_t k, struct hd_work_warp *w);
  /* Cycles for which an SMX holds a TB of a child, at least 1. */
  uint64_t (*duration)(void *ctx, uint32_t kernel, uint32_t item, uint32_t blkid);
  void (*launched)(void *ctx, uint32_t kernel, uint32_t item);
  /* It could not be launched: its thread does the work itself, and is not done before. */
  void (*alone)(void *ctx, uint32_t kernel, uint32_t item);
  void (*cta_done)(void *ctx, uint32_t kernel, uint32_t item, uint32_t blkid);
  /* All TBs of the child have ended. */
  void (*ended)(void *ctx, uint64_t now, uint32_t kernel, uint32_t item);
};

struct hd_work {
  void *ctx;
  /* Hands over the next kernel that is due in cycle `now` or before. The loop fills in the tag and the parameter
   * address. */
  bool (*next)(void *ctx, uint64_t now, struct hd_launch *launch);
  /* When next() will have a kernel without anything else happening before; false: it waits for completions, or has
   * ended. */
  bool (*next_at)(void *ctx, uint64_t *cycle);
  /* Cycles for which an SMX holds this TB, at least 1; of one that launches: for the sake of its other warps. */
  uint64_t (*duration)(void *ctx, uint32_t kernel, uint32_t blkid);
  /* An SMX has finished this TB. */
  void (*cta_done)(void *ctx, uint32_t kernel, uint32_t blkid);
  /* The plane has reported the kernel as done in cycle `now`. */
  void (*kernel_done)(void *ctx, uint64_t now, uint32_t kernel);
  /* No kernel will come any more. */
  bool (*finished)(void *ctx);
  /* About how much of the work is done, 0 to 1, for whoever watches; NULL: nothing is known of it. */
  double (*share)(const void *ctx);
  const int8_t *priority;                /* of each HWQ, 256 of them, the lower first; NULL: all alike */
  const struct hd_work_device *device;   /* NULL: only the host launches */
  const struct hd_warp_source *warps;    /* what warps run, on SMXs that run warps; NULL: it is not known */
  const struct hd_deplinks_graph *graph; /* of kernel 0, if its launch says that it has one; NULL: there is none */
};

#endif
