/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* sched_oracle: the rules of sched. */
#ifndef HD_SCHED_ORACLE_H
#define HD_SCHED_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(sched);

#endif
