/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* bht: forces between bodies in the plane, by Barnes and Hut's rule: what lies together and far away pulls as one. An
 * item is a body, an element what it interacts with: a cell of the quad tree that is smaller than its distance, or a
 * body of a leaf that is not. Tree and lists of interactions are made before, which is not run; the kernel adds up the
 * forces. One round.
 *
 * Bodies (data.made.rows) lie densest in the middle; problem k has its own. All sums are of whole numbers, so that
 * their order does not matter. */
#ifndef HD_BHT_H
#define HD_BHT_H

#include "work/rounds.h"

extern const struct hd_rounds_kind hd_bht;

struct hd_bht_body {
  int64_t x, y, force_x, force_y; /* in 2^-20 of the square's side; the forces' unit is ours */
};
/* Body i of problem k, in the order of the list. */
struct hd_bht_body hd_bht_body(const struct hd_rounds *r, uint32_t problem, uint32_t i);

#endif
