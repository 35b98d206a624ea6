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

#include "hd_types.h"

struct hd_work {
  void *ctx;
  /* Hands over the next kernel that is due in cycle `now` or before. The loop fills in the tag and the parameter
   * address. */
  bool (*next)(void *ctx, uint64_t now, struct hd_launch *launch);
  /* When next() will have a kernel without anything else happening before; false: it waits for completions, or has
   * ended. */
  bool (*next_at)(void *ctx, uint64_t *cycle);
  /* Cycles for which an SMX holds this TB, at least 1. */
  uint64_t (*duration)(void *ctx, uint32_t kernel, uint32_t blkid);
  /* An SMX has finished this TB. */
  void (*cta_done)(void *ctx, uint32_t kernel, uint32_t blkid);
  /* The plane has reported the kernel as done in cycle `now`. */
  void (*kernel_done)(void *ctx, uint64_t now, uint32_t kernel);
  /* No kernel will come any more. */
  bool (*finished)(void *ctx);
};

#endif
