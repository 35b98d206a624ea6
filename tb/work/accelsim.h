/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* accelsim: converts kernels of NVBit traces, as written by Accel-Sim's tracer and grouped by TB by its
 * post-processing, into a Heddle trace (work/trace.h, version 2).
 *
 * kernelslist.g has a line per command: memory copies, which are skipped, and file names of kernels. From such a file
 * the import reads the header (lines "-name = value": grid dim, block dim, shmem, nregs and cuda stream id), and for
 * each TB its number ("thread block = x,y,z") and the number of instructions of each warp ("insts = n"). The
 * instructions are skipped unless requested (accelsim_warps.h: version 3). A TB is held for their sum times the cycles
 * per instruction, rounded up; a TB that the file omits, for one cycle. Files may be compressed (graph/lines.h).
 *
 * Streams are mapped to HWQs in the order in which they appear, wrapping around if there are more streams than HWQs.
 * All kernels arrive in cycle 0, one after the other in their HWQ. */
#ifndef HD_ACCELSIM_H
#define HD_ACCELSIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "work/accelsim_warps.h"

struct hd_accelsim_opts {
  double cycles_per_instruction;
  uint32_t hwqs;     /* 1 to 256 */
  const char *only;  /* selected kernels of the list (select.h); NULL: all */
  bool instructions; /* also write the warps' instructions */
};

/* Counts of the import. */
struct hd_accelsim_counts {
  uint32_t kernels, streams, copies;
  uint32_t left_out; /* kernels of the list that were not selected */
  uint32_t lists;    /* further lists in the folder, of other contexts */
  uint64_t ctas, instructions;
  uint64_t absent; /* TBs that the files omit since they executed no instruction */
  struct hd_accelsim_warps_counts warps;
};

/* Imports `path`, a kernelslist.g or a folder with one. Returns false on failure; err then holds one line. */
bool hd_accelsim_import(const char *path, const struct hd_accelsim_opts *o, FILE *to, struct hd_accelsim_counts *n,
                        char *err, size_t err_size);

#endif
