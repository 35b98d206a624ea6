/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* pool_oracle: the rules of pool.
 * - Each pushed kernel is offered once, unchanged except for damage to its record, or reported as lost once, if and
 *   only if memory failed it. Kernels of a queue leave in launch order, those of a stream one at a time. An offer or a
 *   report stays until it is accepted.
 * - Memory is used only inside the region, each place by one kernel.
 * - A stream (or the kernels without one) with waiting and no running kernels is served in bounded time. Streams and
 *   banks of one level are served round robin (pool_turns); of kernels in memory the highest level returns (pool_back).
 * - Room is refused only if it may be short. */
#ifndef HD_POOL_ORACLE_H
#define HD_POOL_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(pool);

#endif
