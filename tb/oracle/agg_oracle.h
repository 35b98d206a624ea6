/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* agg_oracle: checks the aggregator at its ports.
 * - Each element is dispatched once, in the order of control places, after its publication.
 * - A wavefront is full, or its predicate holds, or nothing else can run.
 * - The deepest level goes first, a restart before new work; something is dispatched whenever possible. A levelized
 *   channel waits for deeper ones.
 * - A slot runs one wavefront. A yielded wavefront resumes in its slot with the room that it was granted. There are no
 *   more wavefronts than records.
 * - Among ready channels of one level, none waits for two wavefronts of another while that level dispatches.
 * - `bad` is set after an end or a yield of a free slot, and at no other time.
 * The choice of the CU is not checked. */
#ifndef HD_AGG_ORACLE_H
#define HD_AGG_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(agg);

#endif
