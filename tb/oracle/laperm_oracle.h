/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* laperm_oracle: knows the rules of laperm, and nothing of how it is built: keeps each entry by itself, in its bank and
 * with its age. Fed with inputs and outputs of every cycle. */
#ifndef HD_LAPERM_ORACLE_H
#define HD_LAPERM_ORACLE_H

#include <stddef.h>
#include <stdint.h>

#include "gen/hd_types.h"

size_t hd_laperm_oracle_size(const struct hd_cfg *cfg);
/* The state after reset. */
void hd_laperm_oracle_init(void *oracle, const struct hd_cfg *cfg);
/* NULL, or the rule that was broken in this cycle. */
const char *hd_laperm_oracle_watch(void *oracle, uint64_t cycle, const void *in, const void *out);

#endif
