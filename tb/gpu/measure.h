/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* measure: microbenchmarks that check an array of SMXs against its parameters: pointer chasing, streaming, loops over a
 * cache, computation. */
#ifndef HD_MEASURE_H
#define HD_MEASURE_H

#include "gpu/gpu.h"

/* TBs of 8 warps, or of one. Each warp walks `turns` times over its own range of lines, with `width` lines per load and
 * `instructions` instructions before each. Ranges are adjacent, step by step. */
struct hd_measure {
  struct hd_gpu_opts gpu;
  uint32_t smxs, tbs, warps;
  uint32_t steps, width, turns, instructions; /* steps: loads per turn */
};

struct hd_measured {
  uint64_t cycles;
  struct hd_gpu_counts gpu;
  struct hd_memsys_counts memory;
  double seconds; /* host CPU time */
};

/* Returns false if out of memory. */
bool hd_measure(const struct hd_measure *m, struct hd_measured *r);

#endif
