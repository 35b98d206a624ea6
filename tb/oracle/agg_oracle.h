/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* agg_oracle: what the aggregator may do, by its ports: elements go once each, in the order of their control places and
 * after they are published; a wavefront is full, or its predicate holds, or nothing else moves; the deepest level goes
 * first, a restart before new work, and something does if it can; a levelized channel waits for deeper ones; a slot has
 * one wavefront; who waits goes on where it was, with what it was given; no more wavefronts than records; of
 * channels of one level that can go none waits for two wavefronts of another while that level goes; bad follows an end
 * or a yield of a slot that is free, and nothing else. On which CU one goes is not its matter. */
#ifndef HD_AGG_ORACLE_H
#define HD_AGG_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(agg);

#endif
