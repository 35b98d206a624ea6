/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* kd_oracle: the rules of kd: each kernel that entered leaves once, as done or as suspended, when none of its TBs is in
 * execution and nothing of it is on its way; with the origin and the parent record that it had; and nobody else leaves.
 */
#ifndef HD_KD_ORACLE_H
#define HD_KD_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(kd);

#endif
