/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* accelsim_warps: instructions of NVBit traces into programs of a Heddle trace (work/trace.h, version 3).
 *
 *     w = hd_accelsim_warps_new(to);
 *     for (each kernel) {
 *       hd_accelsim_warps_kernel(w, &kernel);
 *       for (each TB) { hd_accelsim_warps_tb(w, id); for (each warp) { .._warp(), .._instruction() of each line } }
 *       hd_accelsim_warps_end(w, l);      // the last TB is over
 *       ..                                // the caller writes the kernel's line
 *       hd_accelsim_warps_write(w);       // what the warps of its TBs run
 *     }
 *
 * Programs are written as they come up, each once; what warps run behind the kernel's line. */
#ifndef HD_ACCELSIM_WARPS_H
#define HD_ACCELSIM_WARPS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "graph/lines.h"

/* What the header of a kernel tells of its instructions. */
struct hd_accelsim_kernel {
  uint32_t warps;         /* of a TB */
  uint64_t version;       /* of the tracer; up to 2 each instruction names its TB and warp */
  bool line_numbers;      /* each instruction names its line of the source */
  uint64_t shared, local; /* where the windows of generic addresses begin; 0: not told */
};

struct hd_accelsim_warps_counts {
  uint32_t programs;
  uint64_t atomics, textures; /* instructions; of textures and surfaces, of which a trace has no addresses */
};

struct hd_accelsim_warps;

/* NULL: out of memory. */
struct hd_accelsim_warps *hd_accelsim_warps_new(FILE *to);
void hd_accelsim_warps_free(struct hd_accelsim_warps *w);

/* False: the current line is refused, or memory ran out. */
bool hd_accelsim_warps_kernel(struct hd_accelsim_warps *w, struct hd_lines *l, const struct hd_accelsim_kernel *k);
bool hd_accelsim_warps_tb(struct hd_accelsim_warps *w, struct hd_lines *l, uint64_t id);
bool hd_accelsim_warps_warp(struct hd_accelsim_warps *w, struct hd_lines *l, uint64_t warp);
/* That so many instructions of the warp follow. */
bool hd_accelsim_warps_expect(struct hd_accelsim_warps *w, struct hd_lines *l, uint64_t n);
/* The current line; it is cut up. */
bool hd_accelsim_warps_instruction(struct hd_accelsim_warps *w, struct hd_lines *l);
bool hd_accelsim_warps_end(struct hd_accelsim_warps *w, struct hd_lines *l);
bool hd_accelsim_warps_write(struct hd_accelsim_warps *w);

struct hd_accelsim_warps_counts hd_accelsim_warps_counts(const struct hd_accelsim_warps *w);

#endif
