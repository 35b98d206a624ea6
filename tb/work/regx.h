/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* regx: matches a regular expression in packets of text: an item is a packet, an element a position at which a match
 * may begin, a turn a byte read from there on. One round; it finds the first position of each packet at which a match
 * begins.
 *
 * Packets are stanzas of the user's file (data.rows), or generated: letters a to h, lengths of 4 to 511 bytes with
 * uniform logarithms. The expression is a POSIX extended one, with the syntax of regex.h. */
#ifndef HD_REGX_H
#define HD_REGX_H

#include "work/rounds.h"

extern const struct hd_rounds_kind hd_regx;

#define HD_REGX_DEFAULT "(ab|cd)+e*[fg]h?a"
#define HD_REGX_NONE UINT32_MAX

/* Returns, for each packet, the position at which its first match begins, or HD_REGX_NONE. */
const uint32_t *hd_regx_places(const struct hd_rounds *r, uint32_t problem);

#endif
