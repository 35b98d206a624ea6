/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* block_oracle: the interface of a block's oracle to the block's driver. An oracle knows the rules of the block but not
 * its implementation, and checks inputs and outputs of every cycle. */
#ifndef HD_BLOCK_ORACLE_H
#define HD_BLOCK_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gen/hd_types.h"

/* Declares an oracle. init sets the state after reset; watch returns NULL or the rule broken in this cycle. */
#define HD_BLOCK_ORACLE(B)                                      \
  size_t hd_##B##_oracle_size(const struct hd_cfg *cfg);        \
  void hd_##B##_oracle_init(void *o, const struct hd_cfg *cfg); \
  const char *hd_##B##_oracle_watch(void *o, uint64_t cycle, const void *in, const void *out)

/* Defines size and init for an oracle whose struct oracle starts with the configuration `cfg`; the rest is set to 0. */
#define HD_BLOCK_ORACLE_STATE(B) HD_BLOCK_ORACLE_STATE_AND(B, 0)

/* The same with BYTES more bytes, an expression in `cfg`: for a flexible array. */
#define HD_BLOCK_ORACLE_STATE_AND(B, BYTES)                       \
  size_t hd_##B##_oracle_size(const struct hd_cfg *cfg) {         \
    (void)cfg;                                                    \
    return sizeof(struct oracle) + (BYTES);                       \
  }                                                               \
  void hd_##B##_oracle_init(void *o_, const struct hd_cfg *cfg) { \
    memset(o_, 0, hd_##B##_oracle_size(cfg));                     \
    ((struct oracle *)o_)->cfg = *cfg;                            \
  }

/* Initializers for a struct hd_block_driver. */
#define HD_BLOCK_ORACLE_FIELDS(B) \
  .oracle_size = hd_##B##_oracle_size, .oracle_init = hd_##B##_oracle_init, .watch = hd_##B##_oracle_watch

#endif
