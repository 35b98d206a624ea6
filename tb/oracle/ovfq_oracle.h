/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* ovfq_oracle: the rules of ovfq.
 * - Groups of a list are returned in the order of their insertion, from the first that is not granted, each once in a
 *   walk, with the contents of its record.
 * - A place of a list is read only if it belongs to the list and its write is answered, and once per walk; records only
 *   of these groups, in their order. Pointers are written in order to their places.
 * - Fail events follow errors and records without TBs, in the next cycle, and nothing else.
 * - there, one, unanswered, taken and room are correct. Nothing waits forever. */
#ifndef HD_OVFQ_ORACLE_H
#define HD_OVFQ_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(ovfq);

#endif
