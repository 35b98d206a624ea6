/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* accelsim: kernels of NVBit traces, as Accel-Sim's tracer writes them and its post-processing groups them by TB, into
 * a Heddle trace (work/trace.h, version 2).
 *
 * kernelslist.g has a line for each command: copies of memory, which are passed over, and names of files of kernels. Of
 * such a file the header is read (lines "-name = value", of which grid dim, block dim, shmem, nregs and cuda stream id
 * are wanted), and of each TB its number ("thread block = x,y,z") and how many instructions each warp has
 * ("insts = n"). What the instructions are is passed over, unless they are wanted (accelsim_warps.h: version 3). A TB
 * is held for their sum times the cycles per instruction, rounded up; one that the file omits, for a cycle. Files may
 * be compressed (graph/lines.h).
 *
 * A stream becomes a HWQ, in the order in which they appear, over and over if there are more of them. All kernels
 * arrive in cycle 0: one after the other in their HWQ. */
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
  const char *only;  /* which kernels of the list (select.h); NULL: all */
  bool instructions; /* what warps run is written, too */
};

/* What was read. */
struct hd_accelsim_counts {
  uint32_t kernels, streams, copies;
  uint32_t left_out; /* kernels of the list */
  uint32_t lists;    /* further ones in the folder, of other contexts */
  uint64_t ctas, instructions;
  uint64_t absent; /* of the TBs: the files omit them, as they executed no instruction */
  struct hd_accelsim_warps_counts warps;
};

/* `path`: a kernelslist.g, or a folder with one. False: err holds one line. */
bool hd_accelsim_import(const char *path, const struct hd_accelsim_opts *o, FILE *to, struct hd_accelsim_counts *n,
                        char *err, size_t err_size);

#endif
