/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* kernels: stand-ins for the six kernels of cooperative-warp-tb-scheduling-2017, table 3. TBs, and how many of them an
 * SMX of gtx480ws holds, are the paper's; what a warp does is made up from what the programs are known to do: a table
 * of loops, instructions, loads and stores (kernels.c), not the programs themselves, and nothing is computed.
 *
 * Each is one kernel. Its warps go through a loop: loads, each behind some instructions, then computation, then a store
 * or none; a last store, and the end. How often a warp turns, and where it loads, depends on the seed, its TB and its
 * number alone, so every policy runs the same. All that was to be issued is known beforehand, and checked. */
#ifndef HD_KERNELS_H
#define HD_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/hd_types.h"
#include "sim/work.h"

#define HD_KERNELS_NAMES "vectoradd multigpu montecarlo mergesort storegpu mummer"

/* Where loads go. */
enum hd_kernels_place {
  HD_KERNELS_STREAM, /* on and on, warps side by side: no line is loaded twice */
  HD_KERNELS_SHARED, /* the same lines for all warps, turn by turn */
  HD_KERNELS_ANY     /* lines of a region, any of them */
};

struct hd_kernels_kind {
  const char *name;
  uint32_t ctas, resident;  /* of the paper: TBs; of them on an SMX */
  uint32_t warps;           /* of a TB */
  uint32_t smem;            /* of a TB, in units of 256 bytes: where threads alone would let more of them in */
  uint32_t least, most;     /* turns of a warp; few turn often: the logarithm is even */
  uint32_t loads, lines;    /* of a turn; of a load */
  uint32_t before, compute; /* instructions before a load; behind the loads of a turn */
  enum hd_kernels_place place;
  uint32_t region, hot, hot_percent; /* lines of the region; of its first lines, so many loads in 100 */
  bool stores;                       /* a line in each turn, not only at the end */
};

struct hd_kernels_opts {
  uint32_t regs;   /* of a thread */
  uint64_t seed;   /* of turns and places */
  uint32_t jitter; /* with a seed: the launch comes late by less than this */
};

struct hd_kernels;

/* NULL: it is no name of theirs. */
const struct hd_kernels_kind *hd_kernels_find(const char *name);
/* NULL: out of memory. */
struct hd_kernels *hd_kernels_new(const struct hd_kernels_kind *kind, const struct hd_kernels_opts *o);
void hd_kernels_free(struct hd_kernels *k);
struct hd_work hd_kernels_work(struct hd_kernels *k);

/* TBs that have ended; instructions of all warps. */
uint32_t hd_kernels_done(const struct hd_kernels *k);
uint64_t hd_kernels_instructions(const struct hd_kernels *k);

#endif
