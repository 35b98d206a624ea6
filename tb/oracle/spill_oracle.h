/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* spill_oracle: the rules of spill. A group that returns is the oldest of its queue, unchanged, once, to its
 * bank, and in the order of the requests. It is lost exactly if memory answered its write or one of its beats with
 * an error; each lost group is reported once, with its kernel, when all have returned. Each group is written to its
 * place in the ring of its bank and level. A request reads groups of one line, of the highest level of its bank that
 * is written; banks are served round robin, and only while they have places, which are reserved; those that are not
 * needed are released. Room is reported exactly while the ring has room and no loss is being reported. Pending
 * writes and reads are requested soon while nothing else proceeds. rows and held are correct. */
#ifndef HD_SPILL_ORACLE_H
#define HD_SPILL_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(spill);

#endif
