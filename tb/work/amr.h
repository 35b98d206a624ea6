/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* amr: adaptive mesh refinement of a flame front. A field is defined over a square. A cell over which it changes much
 * is split into 2 x 2, 4 x 4 or 8 x 8 smaller cells, depending on the change. A round is a level: its list holds the
 * cells that are split; the elements of an item are its new cells; the work of an element is to compute the change of
 * the field over the new cell.
 *
 * Level 0 is a grid of N x N cells, where N is the square root of data.made.rows, rounded down. Each problem has its
 * own front, a ring. A launch has ceil(elements / ChildSize) TBs. */
#ifndef HD_AMR_H
#define HD_AMR_H

#include "work/rounds.h"

extern const struct hd_rounds_kind hd_amr;

#define HD_AMR_LEVELS 4u

/* Sums over a level: cells, cells that are not split (leaves), and a hash of every cell. */
struct hd_amr_level {
  uint64_t cells, leaves, hash;
};
struct hd_amr_level hd_amr_level(const struct hd_rounds *r, uint32_t problem, uint32_t level);

#endif
