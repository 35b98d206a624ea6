/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* chan_oracle: the rules of the channels of the channel table (channel_rules), told by its ports: grants, what is
 * enqueued, written into the control arrays, published and done. Each operation is answered two cycles after it was
 * taken, to who asked; what a control place is given is the offset that was enqueued there; nothing is published that
 * was not written. An operation that is due is carried out, and another is refused, by what C4 and C5 of the page say
 * of the head that chan has received; what is done or skipped is reported with the answer, live and yield follow it,
 * failed an error of a burst of that channel, and a publication the answer to any other; quiet reports that nothing is
 * on its way. An operation waits for what its own kind needs, and where that has room for one operation of each other
 * client at most; what is enqueued is sent while the memory takes it. */
#ifndef HD_CHAN_ORACLE_H
#define HD_CHAN_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(chan);

#endif
