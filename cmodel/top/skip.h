/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* skip: cycles in which nothing happens, passed over at once.
 *
 * There is no clock in the plane beside its counters: if an edge changed nothing but counters, the next one changes
 * nothing else either as long as the inputs stay as they are, and the outputs stay too. So a simulator asks after each
 * cycle in which nothing moved; as soon as the plane is still, it finds out when the first input will change (a TB
 * ends, memory answers, the host launches), and goes there.
 *
 *     hd_top_cycle(m, &in, &out);
 *     if (nothing moved && hd_top_still(m, last) && next_input_change > now + 1)
 *       hd_top_skip(m, last, next_input_change - now - 1);
 *
 * Exact: the state behind the skip is, bit for bit, that behind as many calls of hd_top_cycle. */
#ifndef HD_SKIP_H
#define HD_SKIP_H

#include "top/top.h"

/* What the plane was when it was asked last, tables aside; the caller's memory, 8-byte aligned, at first 0, and again
 * after a reset. */
struct hd_top_last;

/* Bytes of it. */
size_t hd_top_last_size(const struct hd_cfg *cfg);

/* True: the last call was one cycle ago, and that cycle changed nothing but counters. It needs two calls in a row to
 * see that: each keeps in *last what it finds changed, of the blocks that were not passed over since the last call. */
bool hd_top_still(const struct hd_top *m, struct hd_top_last *last);

/* As n edges with the inputs of the last one. Only directly after hd_top_still() was true. */
void hd_top_skip(struct hd_top *m, struct hd_top_last *last, uint64_t n);

#endif
