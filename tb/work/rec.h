/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* rec: recommendation of products that are often bought together. The graph is the matrix of users and products: an
 * edge is a purchase. For each vertex v and each of its neighbours i, the other neighbours of i are candidates; if i
 * has more than HD_REC_MOST neighbours, only the first ones. The result for v is the most frequent candidate, the
 * lowest vertex on ties: for a product the one most often bought by the same users, for a user the one who buys most of
 * the same products.
 *
 * An item is a vertex, an element an edge, a turn a neighbour at its end. One round; candidates are counted after
 * it. */
#ifndef HD_REC_H
#define HD_REC_H

#include "work/rounds.h"

extern const struct hd_rounds_kind hd_rec;

#define HD_REC_MOST 32u
#define HD_REC_NONE UINT32_MAX

/* Returns the result: a vertex, or HD_REC_NONE, for each vertex. */
const uint32_t *hd_rec_found(const struct hd_rounds *r, uint32_t problem);

#endif
