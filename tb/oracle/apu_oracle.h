/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* apu_oracle: what channels may do, by the ports of apu alone and without its times: no element is lost, given twice,
 * or dispatched before it is published (apu_channel); a slot has one wavefront; who yields goes on once, on its CU,
 * with what it had, and with room that is its own; a wavefront is full, or its predicate holds, or no producer can add
 * to it; no new work of a level while a deeper one has had enough for long, nor of a levelized channel while a deeper
 * one has long been busy; and what is ready goes, who can be given room goes on, once nobody runs and the memory has
 * answered, and a partial wavefront TURN cycles for each channel after the last of its producers left, if nothing else
 * goes; nor does an operation wait for long once the memory has answered. No wavefront is partial some cycles before
 * one that feeds its channel goes on with the room it was given. A channel fails soon after an error in its arrays,
 * control array or done counts, and otherwise not; a refusal has its reason, but whether a talloc fits is not judged
 * here: what is granted to those that wait shows later.
 *
 * "Long" is AGES cycles in which nothing else decides: so it does not matter how many registers are in between. */
#ifndef HD_APU_ORACLE_H
#define HD_APU_ORACLE_H

#include "oracle/block_oracle.h"

HD_BLOCK_ORACLE(apu);

#endif
