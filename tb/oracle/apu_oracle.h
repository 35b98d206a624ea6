/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* apu_oracle: checks the channels at the ports of apu alone, independent of its latencies.
 * - No element is lost, granted twice, or dispatched before it is published (apu_channel). A slot runs one wavefront.
 * - A yielded wavefront resumes once, on its CU, with its data and with room that belongs to it alone.
 * - A wavefront is full, or its predicate holds, or no producer can add to it. No wavefront is partial in the last
 *   cycles before a producer of its channel resumes with its granted room.
 * - No new work of a level while a deeper level has long had enough, nor of a levelized channel while a deeper one has
 *   long been busy.
 * - Ready work is dispatched, and wavefronts that can be granted room resume, once none runs and memory has answered. A
 *   partial wavefront is dispatched TURN cycles per channel after its last producer left, if nothing else is. No
 *   operation waits long after memory has answered.
 * - A channel fails soon after an error in its arrays, control array or done counts, and at no other time.
 * - A refusal has a reason; whether a talloc fits is not checked here, as later grants to waiting wavefronts show it.
 *
 * "Long" is AGES cycles in which nothing else decides, so that the number of registers in between does not matter. */
#ifndef HD_APU_ORACLE_H
#define HD_APU_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(apu);

#endif
