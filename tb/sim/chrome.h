/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* chrome: a run in the Chrome trace format, which Perfetto and chrome://tracing open. A cycle is a microsecond.
 *
 * - An SMX is a process, a slot of it a thread: a slice for each TB, called after its kernel by letters (kernel A, B ..
 *   Z, AA ..), since viewers choose the colour by the name without its digits; a child has letters of its own behind
 *   those of its kernel. The numbers are in `args`.
 * - The host is a process, a HWQ a thread of it: a slice for each kernel from the cycle in which its launch was taken
 *   until it is reported, and in it one for as long as it waits for its first TB. Kernels that wait behind each other
 *   in a HWQ lie in threads of their own below it.
 *   Its `args` are its row of launches.h.
 * - An arrow leads from the TB that launched a child to the child's first TB; the row of the child is in its `args`.
 * - Counters: resident TBs of each SMX and of all, and TBs whose launch was taken and that were not handed out. Of a
 *   run that did not come to its end they count the TBs that did. */
#ifndef HD_CHROME_H
#define HD_CHROME_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/array.h"
#include "sim/launches.h"

struct hd_chrome;

/* Begins the file. NULL: out of memory. */
struct hd_chrome *hd_chrome_new(FILE *f, uint32_t num_smx, uint32_t ctas_per_smx);
void hd_chrome_free(struct hd_chrome *c);

/* Where launches are counted; without, their rows are not told. */
void hd_chrome_launches(struct hd_chrome *c, const struct hd_launches *l);
/* A TB's end in cycle `done`; `name`: of its kernel, "" if it has none. */
void hd_chrome_tb(struct hd_chrome *c, uint32_t smx, uint32_t slot, const struct hd_resident *r, const char *name,
                  uint64_t done);
/* A kernel of the host is reported in cycle `done`; all its TBs were told before. */
void hd_chrome_kernel(struct hd_chrome *c, uint32_t kernel, const char *name, uint32_t hwq, uint32_t ctas,
                      uint64_t queued, uint64_t done);
/* Counters, arrows, and the end of the file. False: memory ran out on the way. */
bool hd_chrome_end(struct hd_chrome *c);

#endif
