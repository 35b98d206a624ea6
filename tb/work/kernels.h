/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* kernels: stand-ins for the six kernels of cooperative-warp-tb-scheduling-2017, table 3. The number of TBs, and how
 * many fit on an SMX of gtx480ws, are the paper's. The warps' behaviour is modelled on what the programs are known to
 * do: a table of loops, instructions, loads and stores (kernels.c). The programs themselves do not run, and nothing is
 * computed.
 *
 * Each is one kernel. Its warps loop over loads, each after some instructions, then computation, then an optional
 * store; then a last store, and the end. A warp's number of turns and its addresses depend only on the seed, its TB and
 * its number, so every policy runs the same work. The total number of instructions is known in advance, and checked. */
#ifndef HD_KERNELS_H
#define HD_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/hd_types.h"
#include "sim/work.h"

#define HD_KERNELS_NAMES "vectoradd multigpu montecarlo mergesort storegpu mummer"

/* Address pattern of loads. */
enum hd_kernels_place {
  HD_KERNELS_STREAM, /* streaming, warps side by side: no line is loaded twice */
  HD_KERNELS_SHARED, /* the same lines for all warps, turn by turn */
  HD_KERNELS_ANY     /* random lines of a region */
};

struct hd_kernels_kind {
  const char *name;
  uint32_t ctas, resident;  /* from the paper: TBs; TBs resident on an SMX */
  uint32_t warps;           /* per TB */
  uint32_t smem;            /* per TB, in units of 256 bytes; set where the threads alone would let more TBs in */
  uint32_t least, most;     /* range of turns of a warp; the logarithm is uniform, so few warps turn often */
  uint32_t loads, lines;    /* loads per turn; lines per load */
  uint32_t before, compute; /* instructions before a load; after the loads of a turn */
  enum hd_kernels_place place;
  uint32_t region, hot, hot_percent; /* lines of the region; of its hot first part; percentage of loads that go there */
  bool stores;                       /* store a line in each turn, not only at the end */
};

struct hd_kernels_opts {
  uint32_t regs;   /* per thread */
  uint64_t seed;   /* seed of turns and addresses */
  uint32_t jitter; /* with a seed: the launch is delayed by less than this */
};

struct hd_kernels;

/* Returns the kind with that name, or NULL. */
const struct hd_kernels_kind *hd_kernels_find(const char *name);
/* Returns NULL if out of memory. */
struct hd_kernels *hd_kernels_new(const struct hd_kernels_kind *kind, const struct hd_kernels_opts *o);
void hd_kernels_free(struct hd_kernels *k);
struct hd_work hd_kernels_work(struct hd_kernels *k);

/* Return the number of ended TBs, and the instructions of all warps. */
uint32_t hd_kernels_done(const struct hd_kernels *k);
uint64_t hd_kernels_instructions(const struct hd_kernels *k);

#endif
