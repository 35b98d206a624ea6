/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* clr: colours of vertices, such that neighbours differ, by Jones and Plassmann's rule: a vertex has a random priority
 * (problem k has its own ones, made of k and the vertex's id), and gets its colour when no neighbour without a colour
 * has a higher one. A problem is a colouring, a list the vertices without a colour, in ascending order; those that get
 * one in round c get colour c. The graph must be undirected. */
#ifndef HD_CLR_H
#define HD_CLR_H

#include "work/rounds.h"

extern const struct hd_rounds_kind hd_clr;

#define HD_CLR_NONE UINT32_MAX

/* Colours that colouring k has found: one for each vertex; and the priorities, of which the higher goes first, of two
 * that are equal the lower vertex. */
const uint32_t *hd_clr_colours(const struct hd_rounds *r, uint32_t colouring);
const uint32_t *hd_clr_priorities(const struct hd_rounds *r, uint32_t colouring);

#endif
