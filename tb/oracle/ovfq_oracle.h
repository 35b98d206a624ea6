/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* ovfq_oracle: the rules of ovfq: groups of a list come in the order in which they were put, from the first that is not
 * handed out on, each once in a walk, and with what its record says. Of a list no place is read that is not in it with
 * its write answered, and none twice in a walk; of the records, those of the groups in their order. Pointers are
 * written in their order to their places. Fail events come for errors and for records without TBs, in the next cycle,
 * and for nothing else. there, one, unanswered, taken and room tell the truth. Nothing waits for ever. */
#ifndef HD_OVFQ_ORACLE_H
#define HD_OVFQ_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(ovfq);

#endif
