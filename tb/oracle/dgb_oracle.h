/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dgb_oracle: the rules of dgb. It knows of a graph what the beats from memory have told.
 *
 * - A node is handed out once, with its TB id and level, and not before as many of its parents are done as it has; with
 *   the SMX of one of these, or none; with that of the last that told it, if it was in the window then. What is
 *   offered stays until it is taken, but for an error.
 * - Of nodes without parents the smaller goes first, and goes before all nodes behind it. With a bound on levels none
 * is offered that is more above the oldest node which is not done.
 * - Edges are read no further than Lea from the first of the oldest node that is not done. No update goes to memory
 *   while the PUB has a free row, as far as that is known: each fills one, and one that has gone in has left.
 * - The graph is never written; early updates go up by one or are cleared, and are all 0 behind a graph that is fine.
 * - A graph is fine only if all nodes are done, each after as many parents as it has, and all edges lead forward. An
 *   error has its reason in what the memory told, at that node, and comes only when no TB and no burst is under way.
 * - After a memory error or a wrong entry no node is offered, and the end comes soon when nothing is under way. Without
 *   any, a graph in which nothing can run ends soon, too. */
#ifndef HD_DGB_ORACLE_H
#define HD_DGB_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(dgb);

#endif
