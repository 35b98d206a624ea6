/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* kin_oracle: the rules of kin: the tree of kernels, without timing. A kernel is complete when it has left and all its
 * children are complete. Each host kernel is reported once, not before it is complete, as failed if any of its tree
 * failed. A record is not allocated twice. A suspended kernel resumes when all its children are complete, never
 * before. */
#ifndef HD_KIN_ORACLE_H
#define HD_KIN_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(kin);

#endif
