/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* chan_oracle: checks the channels of the channel table (channel_rules) at their ports: grants, enqueues, writes to the
 * control arrays, publications and done elements.
 * - Each operation is answered to its requester two cycles after its acceptance. The offset returned for a control
 *   place is the offset enqueued there. Nothing is published before it is written.
 * - An operation that is due is executed, and any other refused, according to C4 and C5 of the page and the head that
 *   chan has received.
 * - Done and skipped elements are reported with the answer; live and yield follow it. failed follows an error of a
 *   burst of that channel; a publication follows the answer to any other burst. quiet means that nothing is in flight.
 * - An operation waits for what its own kind needs and, once that has room, for at most one operation of each other
 *   client. Enqueued elements are sent while memory accepts them. */
#ifndef HD_CHAN_ORACLE_H
#define HD_CHAN_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(chan);

#endif
