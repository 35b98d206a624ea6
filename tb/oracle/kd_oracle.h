/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* kd_oracle: the rules of kd: each kernel that entered leaves once, as done or as suspended, when none of its TBs runs
 * and nothing of it is in flight, with the origin and the parent record with which it entered. No other kernel
 * leaves. */
#ifndef HD_KD_ORACLE_H
#define HD_KD_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(kd);

#endif
