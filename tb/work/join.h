/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* join: inner equi-join of two tables R and S: all pairs of rows with equal keys. S is stored in buckets by a hash of
 * the key, as the build phase of a hash join leaves it. The probe phase is simulated: an item is a row of R, its
 * elements are the rows in the bucket of its key. In the first round threads count their matches; in the second they
 * write them, each to its place, which follows from the prefix sums of the counts.
 *
 * Tables are generated (data.made: rows in R and in S; keys skewed by a cubic law, so that the most frequent of n keys
 * occurs in n^(2/3) rows, or uniform), or are rows of the user's file (data.rows: a key each): rows with even numbers
 * are R, the others S. */
#ifndef HD_JOIN_H
#define HD_JOIN_H

#include "work/rounds.h"

extern const struct hd_rounds_kind hd_join;

/* Returns the number of pairs that a join has written; *pair: the pairs, each R's row << 32 | S's row. */
uint64_t hd_join_pairs(const struct hd_rounds *r, uint32_t join, const uint64_t **pair);

#endif
