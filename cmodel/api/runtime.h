/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* runtime: the driver's part of a launch: makes a launch from a programmer's arguments, and computes the coordinates of
 * a TB from its linear id.
 *
 *     struct hd_launch_args a = {.grid = {100, 1, 1}, .cta = {256, 1, 1}, .regs = 32, .smem_bytes = 4096,
 *                                .pc = 0x1000, .param = 0x2000, .hwq = 3, .tag = 7};
 *     struct hd_launch l;
 *     enum hd_code code = hd_launch_make(&cfg, &a, &l);
 *
 * A kernel is a grid of one to three dimensions of TBs of one to three dimensions of threads (dtbl-isca2015 section
 * 2.1); the launch carries its dimensions, entry PC, parameter address and resources (section 2.2). The launch also
 * carries the two products, TBs of the grid and threads of a TB, so that the plane never multiplies (ours). Nothing
 * here keeps memory or state. */
#ifndef HD_RUNTIME_H
#define HD_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/hd_types.h"

/* Three dimensions; x varies fastest. */
struct hd_dim3 {
  uint32_t x, y, z;
};

/* A launch as a programmer writes it. */
struct hd_launch_args {
  /* in TBs: at least 1 each, up to 2^31 - 1, 2^16 - 1, 2^16 - 1 (field widths of the configuration) */
  struct hd_dim3 grid;
  struct hd_dim3 cta;  /* threads of a TB: at least 1 each, up to 1024, 1024, 64; their product up to 1024 */
  uint32_t regs;       /* registers per thread, 0 .. 255 */
  uint32_t smem_bytes; /* shared memory of a TB in bytes; rounded up to units of 256 */
  uint64_t pc;         /* entry PC, 40 bits */
  uint64_t param;      /* parameter address, 40 bits */
  uint32_t hwq;        /* hardware work queue, 0 .. NumHwq - 1 */
  uint32_t tag;        /* chosen by the caller to identify the launch, 16 bits */
  bool graph;          /* its TBs depend on each other: param is the address of the graph's descriptor (deplinks.h) */
};

/* Fills *out (the caller's, pad bytes 0) and returns HD_CODE_ACCEPTED, or leaves *out zero and returns the first of:
 *   HD_CODE_ZERO_DIM     a dimension is 0
 *   HD_CODE_OVER_LIMIT   a dimension, the TB size (1024), the number of TBs (2^32 - 1), registers per thread, PC,
 *                        parameter address or tag does not fit its field or limit; with a graph: more than 65535 TBs,
 *                        or a parameter address that is not a multiple of 64 or exceeds the memory's address width
 *   HD_CODE_NEVER_FITS   more shared memory than a whole SMX of the configuration has
 *   HD_CODE_UNKNOWN_HWQ  hwq >= NumHwq
 * Accepted here means only that the launch can be encoded; the plane checks it again (warps and registers against an
 * empty SMX, room in the queue) and decides. */
enum hd_code hd_launch_make(const struct hd_cfg *cfg, const struct hd_launch_args *args, struct hd_launch *out);

/* Computes the coordinates (blockIdx) in the grid of d of the TB with that linear id: blkid = x + grid_x * (y + grid_y
 * * z). Returns false, with *at unchanged, if the grid has no such TB or is empty. */
bool hd_blkid_decode(const struct hd_desc *d, uint32_t blkid, struct hd_dim3 *at);

/* Returns a sentence for a code, without a full stop; "unknown code" for other numbers. Static text. */
const char *hd_code_text(unsigned code);

#endif
