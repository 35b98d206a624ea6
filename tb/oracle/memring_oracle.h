/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* memring_oracle: the rules of memring. An entry returns unchanged, once, oldest of its queue first. It is reported as
 * lost exactly if memory answered its write or one of its beats with an error. Each entry is written to its place in
 * the ring of its queue; a request reads the oldest entries that are written, up to the end of a line, and only one
 * while an entry is known to be lost. No place is written while its entry is unread or being read. An accepted put or
 * get is sent to memory after three cycles; nothing waits for long while nothing else proceeds. there, room and used
 * are correct; readable, asked and failing follow the answers within a few cycles. */
#ifndef HD_MEMRING_ORACLE_H
#define HD_MEMRING_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(memring);

#endif
