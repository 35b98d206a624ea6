/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* skip: skips idle cycles.
 *
 * The only state of the plane that changes by itself is its counters: if an edge changed nothing but counters, the next
 * one changes nothing else either, and the outputs stay, as long as the inputs stay. So a simulator calls
 * hd_top_is_idle() after each cycle in which nothing moved. Once it returns true, the simulator computes when the first
 * input will change (a TB ends, memory answers, the host launches) and skips to that cycle.
 *
 *     hd_top_cycle(m, &in, &out);
 *     if (nothing moved && hd_top_is_idle(m, last) && next_input_change > now + 1)
 *       hd_top_skip(m, last, next_input_change - now - 1);
 *
 * Exact: the state after the skip is bit for bit the one after the same number of calls of hd_top_cycle. */
#ifndef HD_SKIP_H
#define HD_SKIP_H

#include "top/top.h"

/* The plane at the last call of hd_top_is_idle(), without tables. Memory of the caller, 8-byte aligned, zeroed at first
 * and again after a reset. */
struct hd_top_last;

/* Returns its size in bytes. */
size_t hd_top_last_size(const struct hd_cfg *cfg);

/* Returns true if the last call was one cycle ago and that cycle changed nothing but counters. Detecting this takes two
 * consecutive calls: each stores in *last the changes it finds in the blocks that were active since the last call. */
bool hd_top_is_idle(const struct hd_top *m, struct hd_top_last *last);

/* Advances by n edges with the inputs of the last one. Requires that hd_top_is_idle() has just returned true. */
void hd_top_skip(struct hd_top *m, struct hd_top_last *last, uint64_t n);

#endif
