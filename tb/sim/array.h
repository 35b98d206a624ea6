/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* array: the SMXs as the plane sees them: each TB handed out is held for as long as its work takes, then reported as
 * done.
 *
 *     hd_array_take(a, now, smx, slot, &resident, duration);      // the plane handed out a TB in cycle `now`
 *     hd_array_offer(a, now, valid, slot);                        // at the start of each cycle: cta_done of this cycle
 *     hd_array_done(a, now, smx, &resident);                      // that completion was taken
 *
 * A TB taken in cycle t with duration d is reported in cycle t + d at the earliest (d >= 1). An SMX reports one TB a
 * cycle: of several that end together the one that was handed out first goes first, the others wait, their slots held.
 * Ends to come lie in a heap, so a cycle in which nothing ends costs one comparison. A TB that launches does not know
 * its end when it begins: it is taken with duration HD_ARRAY_OPEN, and hd_array_end() tells it later. */
#ifndef HD_ARRAY_H
#define HD_ARRAY_H

#include <stdbool.h>
#include <stdint.h>

/* A TB in its slot. */
struct hd_resident {
  uint32_t kernel;
  uint32_t child; /* 0: a TB of that kernel; n: of its (n-1)-th launch from the device, see children.h */
  uint32_t item;  /* of a child: the workload's name for it */
  uint32_t blkid;
  uint32_t warps;
  uint32_t regs, smem; /* of a thread; of the TB, in units of 256 bytes; 0 of a child */
  uint32_t family;     /* which TB of a host's kernel it is, counted as SMXs take them; of a child: which launched it */
  uint32_t from_smx, from_slot; /* of a child: where the TB is that launched it */
  uint64_t queued;              /* its kernel's launch was taken; of a child: its own was offered */
  uint64_t dispatched;          /* the SMX took it */
};

struct hd_array;

/* warps: of an SMX, for the occupancy. NULL: out of memory. */
struct hd_array *hd_array_new(uint32_t num_smx, uint32_t ctas_per_smx, uint32_t warps);
void hd_array_free(struct hd_array *a);

#define HD_ARRAY_OPEN 0u /* a duration: hd_array_end() will follow */

/* False: there is no such slot, or a TB is in it already, or out of memory. */
bool hd_array_take(struct hd_array *a, uint64_t now, uint32_t smx, uint32_t slot, const struct hd_resident *r,
                   uint64_t duration);
/* The TB in that slot, which was taken as open, is reported in `cycle` at the earliest. False: out of memory. */
bool hd_array_end(struct hd_array *a, uint32_t smx, uint32_t slot, uint64_t cycle);
/* Writes the completions that are offered in this cycle, one for each SMX at most. Cycles are passed in order. */
void hd_array_offer(struct hd_array *a, uint64_t now, uint8_t *valid, uint8_t *slot);
/* The completion that `smx` offers in this cycle was taken: the slot is free, *r is what was in it. */
void hd_array_done(struct hd_array *a, uint64_t now, uint32_t smx, struct hd_resident *r);

/* SMXs that offer a completion in this cycle, as filled in by hd_array_offer: their number and the list of them. */
uint32_t hd_array_offering(const struct hd_array *a, const uint32_t **smx);

/* Whether a TB is in that slot, which exists. */
bool hd_array_full(const struct hd_array *a, uint32_t smx, uint32_t slot);
uint32_t hd_array_residents(const struct hd_array *a);
uint32_t hd_array_residents_of(const struct hd_array *a, uint32_t smx);
/* Their warps, on all SMXs. */
uint32_t hd_array_resident_warps(const struct hd_array *a);
/* The cycle in which the next TB ends; false if none is to come. */
bool hd_array_next_end(const struct hd_array *a, uint64_t *cycle);
/* Resident warps over the SMX's warps, averaged over cycles 0 to now - 1. */
double hd_array_occupancy(const struct hd_array *a, uint32_t smx, uint64_t now);

#endif
