/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* amr: adaptive mesh refinement of a flame front. A field is given over a square; cells in which it changes much are
 * cut into 2 x 2, 4 x 4 or 8 x 8 smaller ones, by how much it does. A round is a level: its list are the cells that are
 * cut, an item's elements the cells that it is cut into, whose work is the change of the field over the new cell.
 *
 * Level 0 is a grid of N x N cells: N is the root of data.made.rows, rounded down. Problem k has a front of its own, a
 * ring. Launches take a TB for each ChildSize elements or part of them (ceil). */
#ifndef HD_AMR_H
#define HD_AMR_H

#include "work/rounds.h"

extern const struct hd_rounds_kind hd_amr;

#define HD_AMR_LEVELS 4u

/* Of a level: cells, those of them that are not cut, the sum of a hash of all of them. */
struct hd_amr_level {
  uint64_t cells, leaves, hash;
};
struct hd_amr_level hd_amr_level(const struct hd_rounds *r, uint32_t problem, uint32_t level);

#endif
