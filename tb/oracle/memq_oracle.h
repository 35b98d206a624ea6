/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* memq_oracle: the rules of memq: what comes back is the oldest of its queue, unchanged, once, with its side, and under
 * the tag with which it was asked for; it is told as lost exactly if memory answered its write or one of its beats with
 * an error. Bursts are of whole places of the region, and no place has two entries. What is taken is soon asked of the
 * memory, and nothing is refused for long while there is room and nothing else goes on. there, readable, used and left
 * tell the truth. */
#ifndef HD_MEMQ_ORACLE_H
#define HD_MEMQ_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(memq);

#endif
