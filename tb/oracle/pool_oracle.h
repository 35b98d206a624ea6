/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* pool_oracle: the rules of pool: each kernel that was pushed is offered once, unchanged but for the damage that its
 * record took, or told to be lost, once, if and only if memory failed it; all of a queue in the order of their
 * launches, and of a stream one at a time; what is offered or told stays until it is taken; memory is used only inside
 * the region, a place by one kernel; a stream, or none, of which kernels wait and none runs gets its turn before long;
 * of those of one level streams and banks take turns (pool_turns); of those in memory the highest level comes back
 * (pool_back); and room is refused only if it may be short. */
#ifndef HD_POOL_ORACLE_H
#define HD_POOL_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(pool);

#endif
