/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* laperm_oracle: the rules of laperm. Tracks each entry of a bank with its age, and each group in memory. */
#ifndef HD_LAPERM_ORACLE_H
#define HD_LAPERM_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(laperm);

#endif
