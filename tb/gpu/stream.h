/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* stream: the instruction stream of a warp: operations that the workload generates one by one as the warp reaches
 * them. */
#ifndef HD_STREAM_H
#define HD_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "gpu/cache.h"

#define HD_WARP_LANES 32u

/* Identifies a TB to the workload. */
struct hd_warp_tb {
  uint32_t kernel;
  uint32_t child; /* 0: a TB of the kernel itself; else the number of the child */
  uint32_t item;  /* the workload's name for the child */
  uint32_t blkid;
  uint32_t family; /* index of the host-kernel TB, in order of begin; for a child, of its launching TB */
};

enum hd_warp_kind {
  HD_WARP_LOAD,    /* blocks until the last line has arrived */
  HD_WARP_STORE,   /* .. until the last line is sent */
  HD_WARP_CALL,    /* .. until the launch is answered */
  HD_WARP_WAIT,    /* .. until all that the TB launched has ended */
  HD_WARP_DELAY,   /* .. for the latency of the unit */
  HD_WARP_BARRIER, /* .. until all warps of its TB that have not ended have reached a barrier */
  HD_WARP_END
};

/* Units other than the memory system whose results a warp waits for. */
enum hd_warp_unit { HD_WARP_SHARED, HD_WARP_SPECIAL, HD_WARP_DOUBLE, HD_WARP_TENSOR, HD_WARP_UNITS };

/* Instructions that only occupy the warp, followed by one of this kind. */
struct hd_warp_op {
  enum hd_warp_kind kind;
  enum hd_warp_unit unit; /* unit of a HD_WARP_DELAY */
  uint32_t instructions;
  uint32_t lanes; /* active threads */
  uint32_t lines;
  uint32_t line[HD_WARP_LANES];
  uint64_t seen; /* private to hd_warp_touch() */
};

/* Generator of the operations. */
struct hd_warp_source {
  size_t state; /* state of the source for each warp, in bytes */
  void (*begin)(void *ctx, const struct hd_warp_tb *tb, uint32_t warp, void *state);
  /* Fills in the next operation. *op arrives as a load of 32 threads, without lines and without instructions before
   * it. */
  void (*next)(void *ctx, const struct hd_warp_tb *tb, uint32_t warp, void *state, struct hd_warp_op *op);
};

/* A thread of the operation accesses this address. Adds its line unless another thread has added it. */
static inline void hd_warp_touch(struct hd_warp_op *op, uint64_t address) {
  uint32_t line = (uint32_t)(address / HD_LINE_BYTES);
  uint64_t bit = UINT64_C(1) << line % 64;
  if ((op->seen & bit) != 0)
    for (uint32_t k = op->lines; k > 0; k--)
      if (op->line[k - 1] == line) return;
  op->seen |= bit;
  op->line[op->lines++] = line;
}

#endif
