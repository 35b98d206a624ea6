/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* footprint: how many cache lines TBs of children share with their parent and with their siblings (laperm-isca2016,
 * section III, figure 2). A family is a TB of a host kernel with all TBs of the children that it launches. In lines of
 * 128 bytes:
 *
 *   parent-child  pc / c    c: lines that the family's children touch; pc: those of them that the parent touches too
 *   siblings      cos / cs  for each TB of a child; cs: lines that its siblings touch; cos: those that it touches too
 *
 * Means over all families with children, and over all their TBs with siblings. */
#ifndef HD_FOOTPRINT_H
#define HD_FOOTPRINT_H

#include <stdbool.h>
#include <stdint.h>

struct hd_footprint_shares {
  double parent_child, siblings;
  uint64_t families, children; /* number of families and of child TBs in the means */
};

struct hd_footprint;

/* Creates a footprint for TBs in places 0 to places - 1. Returns NULL if out of memory. */
struct hd_footprint *hd_footprint_new(uint32_t places);
void hd_footprint_free(struct hd_footprint *f);

/* A TB begins in `place`: the parent of a new family, or a TB of a child. Families are numbered 0, 1, .. in the order
 * in which their parents begin. */
void hd_footprint_begin(struct hd_footprint *f, uint32_t place, uint32_t family, bool child);
/* A parent that has left its place without ending continues in `place`. */
void hd_footprint_move(struct hd_footprint *f, uint32_t place, uint32_t family);
void hd_footprint_touch(struct hd_footprint *f, uint32_t place, const uint32_t *line, uint32_t lines);
/* A warp of the TB launches, so its family has children. */
void hd_footprint_launch(struct hd_footprint *f, uint32_t place);
void hd_footprint_end(struct hd_footprint *f, uint32_t place);

/* Computes the shares. Requires that all TBs have ended. Returns false if out of memory during the run. */
bool hd_footprint_shares(const struct hd_footprint *f, struct hd_footprint_shares *s);

#endif
