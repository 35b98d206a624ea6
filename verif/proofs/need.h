/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The needs of kernels, for the files of blocks/ that follow them. */
#ifndef NEED_H
#define NEED_H
#include "gen/hd_types.h"

static _Bool equal_need(const struct hd_need *a, const struct hd_need *b) {
  return a->warps == b->warps && a->regs == b->regs && a->smem == b->smem;
}

#endif
