/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* throttle_oracle: the rules of throttle. Keeps the times of samples, and their degrees as fractions, which it compares
 * by Euclid's algorithm.
 *
 * - The open SMXs are the first n; n is between 2 (or all, if there are fewer) and the number of SMXs.
 * - With throttling off, and after reset, all SMXs are open.
 * - n changes only 64 cycles after a sample, by one: down if the degree is higher than the last, up if it is not (with
 *   EqualHolds: if it is lower); no change if n is at its limit or no cycle has passed. */
#ifndef HD_THROTTLE_ORACLE_H
#define HD_THROTTLE_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(throttle);

#endif
