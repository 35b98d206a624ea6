/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* join: the inner equi-join of two tables R and S: all pairs of rows whose keys are equal. S lies in buckets by a hash
 * of the key, as the build of a hash join leaves it; the probes are run: an item is a row of R, its elements what lies
 * in the bucket of its key. In the first round threads count their matches, in the second they write them, each to its
 * place, which the sums of the counts tell.
 *
 * Tables are made (data.made: R and S have so many rows each; skewed: a cubic law, the most frequent of n keys comes in
 * n^(2/3) rows; or uniform), or rows of the user's (data.rows: a key each): those with an even number are R, the others
 * S. */
#ifndef HD_JOIN_H
#define HD_JOIN_H

#include "work/rounds.h"

extern const struct hd_rounds_kind hd_join;

/* Pairs that join k has written: as R's row << 32 | S's row. */
uint64_t hd_join_pairs(const struct hd_rounds *r, uint32_t join, const uint64_t **pair);

#endif
