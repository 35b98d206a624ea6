/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* regs_oracle: the rules of regs. */
#ifndef HD_REGS_ORACLE_H
#define HD_REGS_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(regs);

#endif
