/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* regx: where a regular expression matches in packets of text: an item is a packet, an element a place in it at which
 * a match may begin, a turn a byte that is read from there on. One round; of each packet it finds the first place at
 * which a match begins.
 *
 * Packets are stanzas of the user's (data.rows), or made: lengths of 4 to 511 bytes, evenly spread over their
 * logarithms, letters a to h. The expression is an extended one (POSIX); regex.h tells what it may hold. */
#ifndef HD_REGX_H
#define HD_REGX_H

#include "work/rounds.h"

extern const struct hd_rounds_kind hd_regx;

#define HD_REGX_DEFAULT "(ab|cd)+e*[fg]h?a"
#define HD_REGX_NONE UINT32_MAX

/* The place in each packet at which its first match begins. */
const uint32_t *hd_regx_places(const struct hd_rounds *r, uint32_t problem);

#endif
