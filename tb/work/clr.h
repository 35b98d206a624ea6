/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* clr: graph colouring by the Jones-Plassmann algorithm; neighbours have different colours. Each vertex has a random
 * priority (a hash of problem and vertex), and receives its colour when no uncoloured neighbour has a higher priority.
 * A problem is a colouring; a list holds the uncoloured vertices in ascending order; a vertex coloured in round c has
 * colour c. The graph must be undirected. */
#ifndef HD_CLR_H
#define HD_CLR_H

#include "work/rounds.h"

extern const struct hd_rounds_kind hd_clr;

#define HD_CLR_NONE UINT32_MAX

/* Return the colours found by a colouring, and its priorities, one per vertex. The higher priority goes first; on ties
 * the lower vertex. */
const uint32_t *hd_clr_colours(const struct hd_rounds *r, uint32_t colouring);
const uint32_t *hd_clr_priorities(const struct hd_rounds *r, uint32_t colouring);

#endif
