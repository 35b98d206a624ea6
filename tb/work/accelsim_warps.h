/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* accelsim_warps: converts instructions of NVBit traces to programs of a Heddle trace (work/trace.h, version 3).
 *
 *     w = hd_accelsim_warps_new(to);
 *     for (each kernel) {
 *       hd_accelsim_warps_kernel(w, &kernel);
 *       for (each TB) { hd_accelsim_warps_tb(w, id); for (each warp) { .._warp(), .._instruction() of each line } }
 *       hd_accelsim_warps_end(w, l);      // after the last TB
 *       ..                                // the caller writes the kernel's line
 *       hd_accelsim_warps_write(w);       // writes the programs that its warps run
 *     }
 *
 * Each program is written once, when it first occurs. The lines that assign programs to warps follow the kernel's
 * line. */
#ifndef HD_ACCELSIM_WARPS_H
#define HD_ACCELSIM_WARPS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "graph/lines.h"

/* Facts about its instructions from the header of a kernel. */
struct hd_accelsim_kernel {
  uint32_t warps;         /* per TB */
  uint64_t version;       /* of the tracer; up to 2 each instruction has its TB and warp */
  bool line_numbers;      /* each instruction has its line of the source */
  uint64_t shared, local; /* starts of the windows of generic addresses; 0: not in the header */
};

struct hd_accelsim_warps_counts {
  uint32_t programs;
  uint64_t atomics, textures; /* instructions; textures: also of surfaces; a trace has no addresses for them */
};

struct hd_accelsim_warps;

/* Returns NULL if out of memory. */
struct hd_accelsim_warps *hd_accelsim_warps_new(FILE *to);
void hd_accelsim_warps_free(struct hd_accelsim_warps *w);

/* All return false if the current line is refused or if out of memory. */
bool hd_accelsim_warps_kernel(struct hd_accelsim_warps *w, struct hd_lines *l, const struct hd_accelsim_kernel *k);
bool hd_accelsim_warps_tb(struct hd_accelsim_warps *w, struct hd_lines *l, uint64_t id);
bool hd_accelsim_warps_warp(struct hd_accelsim_warps *w, struct hd_lines *l, uint64_t warp);
/* Announces that n instructions of the warp follow. */
bool hd_accelsim_warps_expect(struct hd_accelsim_warps *w, struct hd_lines *l, uint64_t n);
/* Adds the instruction on the current line; modifies the line. */
bool hd_accelsim_warps_instruction(struct hd_accelsim_warps *w, struct hd_lines *l);
bool hd_accelsim_warps_end(struct hd_accelsim_warps *w, struct hd_lines *l);
bool hd_accelsim_warps_write(struct hd_accelsim_warps *w);

struct hd_accelsim_warps_counts hd_accelsim_warps_counts(const struct hd_accelsim_warps *w);

#endif
