/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* rec: recommendation of products by what else was bought with them. The graph is the matrix of users and products: an
 * edge is a purchase. For each vertex v, and each of its neighbours i, the others that are neighbours of i too are
 * written down as candidates; of an i with more than HD_REC_MOST neighbours only the first ones. What is found for v is
 * the candidate that was written most often, the lowest vertex on ties: of products the one that is most often bought
 * by the same users, of users the one who buys most of the same products.
 *
 * An item is a vertex, an element an edge, a turn a neighbour at its end. One round; candidates are counted behind it.
 */
#ifndef HD_REC_H
#define HD_REC_H

#include "work/rounds.h"

extern const struct hd_rounds_kind hd_rec;

#define HD_REC_MOST 32u
#define HD_REC_NONE UINT32_MAX

/* What was found: a vertex for each vertex. */
const uint32_t *hd_rec_found(const struct hd_rounds *r, uint32_t problem);

#endif
