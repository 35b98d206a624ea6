/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* measure: small programs that show of an array of SMXs whether it is what it was asked to be: warps that chase
 * pointers, stream, loop over a cache, or compute. */
#ifndef HD_MEASURE_H
#define HD_MEASURE_H

#include "gpu/gpu.h"

/* TBs of 8 warps, or of one. Each warp goes `turns` times over a range of lines of its own, `width` of them in a load,
 * behind so many instructions. Ranges lie side by side, step by step. */
struct hd_measure {
  struct hd_gpu_opts gpu;
  uint32_t smxs, tbs, warps;
  uint32_t steps, width, turns, instructions; /* steps: loads of a turn */
};

struct hd_measured {
  uint64_t cycles;
  struct hd_gpu_counts gpu;
  struct hd_memsys_counts memory;
  double seconds; /* of the processor */
};

/* False: out of memory. */
bool hd_measure(const struct hd_measure *m, struct hd_measured *r);

#endif
