/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* stream: what a warp runs: a stream of operations, which the workload makes one by one, as the warp comes to them. */
#ifndef HD_STREAM_H
#define HD_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "gpu/cache.h"

#define HD_WARP_LANES 32u

/* A TB, as the workload knows it. */
struct hd_warp_tb {
  uint32_t kernel;
  uint32_t child; /* 0: a TB of the kernel itself */
  uint32_t item;  /* of a child: the workload's name for it */
  uint32_t blkid;
  uint32_t family; /* which TB of a host's kernel it is, counted as they begin; of a child: which launched it */
};

enum hd_warp_kind {
  HD_WARP_LOAD,    /* the warp goes on when the last line is there */
  HD_WARP_STORE,   /* .. when the last line is sent */
  HD_WARP_CALL,    /* .. when it is told to: it launches */
  HD_WARP_WAIT,    /* .. when its TB is told to: it waits for what the TB has launched */
  HD_WARP_DELAY,   /* .. when the latency of its unit is over */
  HD_WARP_BARRIER, /* .. when all warps of its TB that have not ended have come to one */
  HD_WARP_END
};

/* Units beside the memory system whose results a warp waits for. */
enum hd_warp_unit { HD_WARP_SHARED, HD_WARP_SPECIAL, HD_WARP_DOUBLE, HD_WARP_TENSOR, HD_WARP_UNITS };

/* Some instructions that need nothing but the warp, and one more, which is of this kind. */
struct hd_warp_op {
  enum hd_warp_kind kind;
  enum hd_warp_unit unit; /* of a delay */
  uint32_t instructions;
  uint32_t lanes; /* threads that take part */
  uint32_t lines;
  uint32_t line[HD_WARP_LANES];
  uint64_t seen; /* for hd_warp_touch() */
};

/* Where the operations come from. */
struct hd_warp_source {
  size_t state; /* bytes that the source keeps for each warp */
  void (*begin)(void *ctx, const struct hd_warp_tb *tb, uint32_t warp, void *state);
  /* The next operation. *op has no lines, and is a load of 32 threads without instructions before it. */
  void (*next)(void *ctx, const struct hd_warp_tb *tb, uint32_t warp, void *state, struct hd_warp_op *op);
};

/* A thread of the operation touches this address: its line is added, unless another thread touches it too. */
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
