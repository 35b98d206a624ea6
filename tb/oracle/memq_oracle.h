/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* memq_oracle: the rules of memq. An entry returns unchanged, once, oldest of its queue first, with its side and the
 * tag of its request. It is reported as lost exactly if memory answered its write or one of its beats with an error.
 * Bursts cover whole places of the region, and no place holds two entries. An accepted entry is soon sent to memory;
 * nothing is refused for long while there is room and nothing else proceeds. there, readable, used and left are
 * correct. */
#ifndef HD_MEMQ_ORACLE_H
#define HD_MEMQ_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(memq);

#endif
