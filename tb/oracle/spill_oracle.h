/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* spill_oracle: the rules of spill: what comes back is the oldest of its queue, unchanged, once, to its bank and in the
 * order in which it was asked for; it is told as lost, with its kernel, exactly if the memory answered its write or one
 * of its beats with an error. Records lie in whole places of the region, and no place has two. Of a bank one group at a
 * time is asked for, of the highest level that is written, only while the bank has a place, and the banks take turns.
 * Room is told while there is a place, and only then; what waits to go to memory or to come back is soon asked for
 * while nothing else goes on. held tells the truth. */
#ifndef HD_SPILL_ORACLE_H
#define HD_SPILL_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(spill);

#endif
