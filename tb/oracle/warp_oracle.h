/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* warp_oracle: the rules of warp. It keeps no lists: from the state of each warp at the last sample but one it decides
 * for any two which goes first; no ready warp may go before the one that issues.
 *
 * - A warp issues in the cycle after one in which it was ready, on the scheduler of its parity, at most one each; if
 *   one was ready, one issues.
 * - rr: the next in round robin; grr, gto: the same warp while it is ready; then the next (grr), or the smallest of the
 *   oldest TB (gto).
 * - lwf: the first by age of TB (unless there is one list), stall cycles and number, all as of 32 to 63 cycles ago.
 *   Warps that have waited for WarpWait cycles go before all others, and this is reported.
 * - A cycle in which a scheduler has warps but none is ready is reported. */
#ifndef HD_WARP_ORACLE_H
#define HD_WARP_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(warp);

#endif
