/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* spill_oracle: the rules of spill. A record that returns is the oldest of its queue, unchanged, once, to its bank and
 * in the order of the requests. It is reported as lost, with its kernel, exactly if memory answered its write or one of
 * its beats with an error. Records fill whole places of the region, one each. A bank requests one group at a time, of
 * the highest level that is written, only while the bank has a place; banks are served round robin. Room is reported
 * exactly while a place is free. Pending writes and reads are requested soon while nothing else proceeds. held is
 * correct. */
#ifndef HD_SPILL_ORACLE_H
#define HD_SPILL_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(spill);

#endif
