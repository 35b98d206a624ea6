/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* kin_oracle: the rules of kin: the tree of kernels, without time. A kernel is complete when it has left and all its
 * children are; each host kernel is reported once, when it is complete or later, as failed if anything of it failed; a
 * record is not used twice; a suspended kernel goes on when all its children are complete, never before. */
#ifndef HD_KIN_ORACLE_H
#define HD_KIN_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(kin);

#endif
