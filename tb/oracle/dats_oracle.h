/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dats_oracle: the rules of dats. Descriptors are known from the beats that memory returned.
 *
 * - The descriptor of each kernel is read once, and nothing else is read; nothing is written.
 * - A graph is started once, with the values of its descriptor, if that is correct and was read without error;
 *   otherwise never.
 * - Every node that the buffer offers is forwarded unchanged, in the same cycle, as a TB of the kernel, and no other TB
 *   is. Its grant, with the SMX that accepts it, is returned once. A TB requests an SMX only under lvl-bind: that of
 *   its node, if it has one.
 * - The end of each kernel is reported once: as the buffer reported it or, for a graph that was not started, the
 *   reason.
 * - A kernel is older than the graph kernel if it has been marked, and not rotated, since before that entered.
 * - The next action follows soon. */
#ifndef HD_DATS_ORACLE_H
#define HD_DATS_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(dats);

#endif
