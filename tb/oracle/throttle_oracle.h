/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* throttle_oracle: the rules of throttle. It knows the times of samples, and their degrees as fractions, which it
 * compares by Euclid's algorithm.
 *
 * - The SMXs that are open are the first n; n is from 2 (or all, if there are fewer) to all SMXs.
 * - Switched off, and after reset, all are open.
 * - n changes by one, 64 cycles after a sample, and then only: down if the degree is higher than the last, up if it is
 * not (with EqualHolds: if it is lower), unless it is at its limit or no cycle has passed. */
#ifndef HD_THROTTLE_ORACLE_H
#define HD_THROTTLE_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(throttle);

#endif
