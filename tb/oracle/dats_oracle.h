/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dats_oracle: the rules of dats. It knows of a descriptor what the beats from memory have told.
 *
 * - The descriptor of each kernel is asked for once, and nothing else; nothing is written.
 * - A graph is started once, as its descriptor says, if that is right and came without an error; else never.
 * - Every node that the buffer offers goes on unchanged, in the same cycle, as a TB of the kernel, and only these do;
 * it is handed out to the SMX that takes it, once. Only under lvl-bind a TB wants an SMX: that of its node, if it has
 * one.
 * - The end of each kernel is told once: as the buffer told it, or, of a graph that was not started, why.
 * - Older is a kernel that has been marked, and was not rotated, since before the graph kernel entered.
 * - What is to come next comes soon. */
#ifndef HD_DATS_ORACLE_H
#define HD_DATS_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(dats);

#endif
