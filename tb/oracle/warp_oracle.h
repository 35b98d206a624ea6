/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* warp_oracle: the rules of warp. It makes no lists: of what it knows of each warp at the last sample but one it tells
 * for any two which goes first, and a warp that issues must be passed by none that was ready.
 *
 * - A warp issues in the cycle after one in which it was ready, on the scheduler of its parity, one for each; if one
 * was ready, one issues.
 * - rr: the next in turn; grr, gto: the same again while it is ready; then the next, or the oldest TB's, the smallest.
 * - lwf: the one that goes first by age of TB (unless there is one list), stall cycles and number, as they were 32 to
 * 63 cycles ago; those that have waited for WarpWait cycles before all others, and that is told.
 * - A cycle in which a scheduler has warps and none is ready is told. */
#ifndef HD_WARP_ORACLE_H
#define HD_WARP_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(warp);

#endif
