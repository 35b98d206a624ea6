/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* sched_oracle: knows the rules of sched, and nothing of how it is built. */
#ifndef HD_SCHED_ORACLE_H
#define HD_SCHED_ORACLE_H

#include <stddef.h>
#include <stdint.h>

#include "gen/hd_types.h"

size_t hd_sched_oracle_size(const struct hd_cfg *cfg);
/* The state after reset. */
void hd_sched_oracle_init(void *oracle, const struct hd_cfg *cfg);
/* NULL, or the rule that was broken in this cycle. */
const char *hd_sched_oracle_watch(void *oracle, uint64_t cycle, const void *in, const void *out);

#endif
