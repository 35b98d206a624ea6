/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* chrome: a run in the Chrome trace format, for Perfetto and chrome://tracing. One cycle is one microsecond.
 *
 * - An SMX is a process, each of its slots a thread with a slice per TB. Slices are named after kernels by letters (A,
 *   B .. Z, AA ..), since viewers derive the colour from the name without digits; a child adds its own letters to those
 *   of its kernel. The numbers are in `args`.
 * - The host is a process, each HWQ a thread of it: a slice per kernel, from the acceptance of its launch to its
 *   report, with a slice inside it until its first TB. Kernels that wait behind each other in a HWQ are in separate
 *   threads below. `args` of the slice is the kernel's row of launches.h.
 * - An arrow connects the TB that launched a child to the child's first TB; its `args` has the child's row.
 * - Counters: resident TBs of each SMX and of all, and TBs whose launch was accepted and that were not dispatched. If a
 *   run was cut off, they count the TBs that ended. */
#ifndef HD_CHROME_H
#define HD_CHROME_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/array.h"
#include "sim/launches.h"

struct hd_chrome;

/* Starts the file. Returns NULL if out of memory. */
struct hd_chrome *hd_chrome_new(FILE *f, uint32_t num_smx, uint32_t ctas_per_smx);
void hd_chrome_free(struct hd_chrome *c);

/* Sets the source of the launches' rows; without it they are omitted. */
void hd_chrome_launches(struct hd_chrome *c, const struct hd_launches *l);
/* Adds a TB that ended in cycle `done`; `name`: its kernel's name, "" if it has none. */
void hd_chrome_tb(struct hd_chrome *c, uint32_t smx, uint32_t slot, const struct hd_resident *r, const char *name,
                  uint64_t done);
/* Adds a kernel of the host that was reported in cycle `done`. Requires that all its TBs were added before. */
void hd_chrome_kernel(struct hd_chrome *c, uint32_t kernel, const char *name, uint32_t hwq, uint32_t ctas,
                      uint64_t queued, uint64_t done);
/* Writes counters, arrows and the end of the file. Returns false if out of memory during the run. */
bool hd_chrome_end(struct hd_chrome *c);

#endif
