/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* footprint: how much of what children touch their parent touches too, and their siblings (laperm-isca2016, section
 * III, figure 2). A family is a TB of a host's kernel and all TBs of the children that it launches. In lines of 128
 * bytes:
 *
 *   parent-child  pc / c    c: what the family's children touch, pc: of these, what the parent touches
 *   siblings      cos / cs  of each TB of a child; cs: what its siblings touch, cos: of these, what it touches itself
 *
 * Means over all families with children, and over all their TBs with siblings. */
#ifndef HD_FOOTPRINT_H
#define HD_FOOTPRINT_H

#include <stdbool.h>
#include <stdint.h>

struct hd_footprint_shares {
  double parent_child, siblings;
  uint64_t families, children; /* over which the means are; children: TBs */
};

struct hd_footprint;

/* For TBs in so many places, 0 and up. NULL: out of memory. */
struct hd_footprint *hd_footprint_new(uint32_t places);
void hd_footprint_free(struct hd_footprint *f);

/* A TB begins in that place: the parent of a family that begins with it, or a child's. Families are numbered 0, 1, ..
 * by their parents. */
void hd_footprint_begin(struct hd_footprint *f, uint32_t place, uint32_t family, bool child);
/* A parent that has left its place, which is not its end, is in that one. */
void hd_footprint_move(struct hd_footprint *f, uint32_t place, uint32_t family);
void hd_footprint_touch(struct hd_footprint *f, uint32_t place, const uint32_t *line, uint32_t lines);
/* A warp of the TB launches: its family will have children. */
void hd_footprint_launch(struct hd_footprint *f, uint32_t place);
void hd_footprint_end(struct hd_footprint *f, uint32_t place);

/* When all TBs have ended. False: memory ran out on the way. */
bool hd_footprint_shares(const struct hd_footprint *f, struct hd_footprint_shares *s);

#endif
