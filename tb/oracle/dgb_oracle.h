/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dgb_oracle: the rules of dgb. The graph is known from the beats that memory returned.
 *
 * - A node is granted once, with its TB id and level, after all its parents are done; with the SMX of one of its
 *   parents, or none. If it was in the window at the time, the SMX is that of the last parent that updated it. An offer
 *   stays until it is accepted, except after an error.
 * - Among nodes without parents the smaller goes first, and before all nodes after it. With a bound on levels, no node
 *   is offered whose level is more than the bound above that of the oldest node that is not done.
 * - Edges are read no further than Lea from the first edge of the oldest node that is not done. No update goes to
 *   memory while the PUB has a free row, as far as known: each update fills one; a node that has entered the window has
 *   left it.
 * - The graph is never written. Early updates are incremented by one or cleared, and are all 0 after a correct graph.
 * - A graph ends without error only if all nodes are done, each after all its parents, and all edges lead forward. An
 *   error has its cause in the data from memory at that node, and is reported only when no TB and no burst is in
 *   flight.
 * - After a memory error or a wrong entry no node is offered, and the end is reported soon after nothing is in flight.
 *   A graph in which no node can run ends soon, too. */
#ifndef HD_DGB_ORACLE_H
#define HD_DGB_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(dgb);

#endif
