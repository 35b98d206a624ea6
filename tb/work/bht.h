/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* bht: forces between bodies in two dimensions by the Barnes-Hut method: a distant group of bodies attracts as one
 * mass. An item is a body; an element is an interaction: with a cell of the quadtree that is smaller than its distance,
 * or with a body of a leaf that is not. Tree and interaction lists are made beforehand and are not simulated; the
 * kernel adds up the forces. One round.
 *
 * The bodies (data.made.rows) are densest in the middle; each problem has its own bodies. All sums are of whole
 * numbers, so their order does not matter. */
#ifndef HD_BHT_H
#define HD_BHT_H

#include "work/rounds.h"

extern const struct hd_rounds_kind hd_bht;

struct hd_bht_body {
  int64_t x, y, force_x, force_y; /* in 2^-20 of the square's side; forces in an arbitrary unit */
};
/* Returns body i of a problem, in the order of the list. */
struct hd_bht_body hd_bht_body(const struct hd_rounds *r, uint32_t problem, uint32_t i);

#endif
