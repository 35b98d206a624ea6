/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* block_oracle: what the oracle of a block offers to its twin: it knows the rules of the block, and nothing of how it
 * is built, and is fed with inputs and outputs of every cycle. */
#ifndef HD_BLOCK_ORACLE_H
#define HD_BLOCK_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gen/hd_types.h"

/* Declares it. init makes the state after reset; watch returns NULL, or the rule that was broken in this cycle. */
#define HD_BLOCK_ORACLE(B)                                      \
  size_t hd_##B##_oracle_size(const struct hd_cfg *cfg);        \
  void hd_##B##_oracle_init(void *o, const struct hd_cfg *cfg); \
  const char *hd_##B##_oracle_watch(void *o, uint64_t cycle, const void *in, const void *out)

/* Defines the first two for one whose state, struct oracle, begins with the configuration, `cfg`, and else with 0. */
#define HD_BLOCK_ORACLE_STATE(B) HD_BLOCK_ORACLE_STATE_AND(B, 0)

/* The same with so many bytes behind it, which `cfg` tells: of a flexible array. */
#define HD_BLOCK_ORACLE_STATE_AND(B, BYTES)                       \
  size_t hd_##B##_oracle_size(const struct hd_cfg *cfg) {         \
    (void)cfg;                                                    \
    return sizeof(struct oracle) + (BYTES);                       \
  }                                                               \
  void hd_##B##_oracle_init(void *o_, const struct hd_cfg *cfg) { \
    memset(o_, 0, hd_##B##_oracle_size(cfg));                     \
    ((struct oracle *)o_)->cfg = *cfg;                            \
  }

/* Names it in a struct hd_twin. */
#define HD_BLOCK_ORACLE_FIELDS(B) \
  .oracle_size = hd_##B##_oracle_size, .oracle_init = hd_##B##_oracle_init, .watch = hd_##B##_oracle_watch

#endif
