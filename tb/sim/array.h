/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* array: the SMXs as the plane sees them: each TB is held for its duration, then reported as done.
 *
 *     hd_array_take(a, now, smx, slot, &resident, duration);      // the plane dispatched a TB in cycle `now`
 *     hd_array_offer(a, now, valid, slot);                        // at the start of each cycle: cta_done of this cycle
 *     hd_array_done(a, now, smx, &resident);                      // the plane accepted that completion
 *
 * A TB taken in cycle t with duration d is reported in cycle t + d at the earliest (d >= 1). An SMX reports one TB per
 * cycle: of several that end together, the one dispatched first is reported first; the others keep their slots until
 * then. sim speed: pending ends are in a heap, so a cycle without an end costs one comparison. The end of a TB that
 * launches is not known at its begin: it is taken with duration HD_ARRAY_OPEN, and hd_array_end() sets its end later.
 * */
#ifndef HD_ARRAY_H
#define HD_ARRAY_H

#include <stdbool.h>
#include <stdint.h>

/* A TB in its slot. */
struct hd_resident {
  uint32_t kernel;
  uint32_t child; /* 0: a TB of that kernel; n: a TB of its (n-1)-th launch from the device, see children.h */
  uint32_t item;  /* the workload's name for the child */
  uint32_t blkid;
  uint32_t warps;
  uint32_t regs, smem; /* registers per thread; shared memory per TB, in units of 256 bytes; 0 for a child */
  uint32_t family;     /* index of the host-kernel TB, in the order taken by SMXs; for a child, of its launching TB */
  uint32_t from_smx, from_slot; /* for a child: place of the TB that launched it */
  uint64_t queued;              /* cycle in which its kernel's launch was accepted; for a child: was first offered */
  uint64_t dispatched;          /* cycle in which the SMX took it */
};

struct hd_array;

/* `warps`: warps per SMX, for the occupancy. Returns NULL if out of memory. */
struct hd_array *hd_array_new(uint32_t num_smx, uint32_t ctas_per_smx, uint32_t warps);
void hd_array_free(struct hd_array *a);

#define HD_ARRAY_OPEN 0u /* as a duration: hd_array_end() will follow */

/* Returns false if the slot does not exist or is occupied, or if out of memory. */
bool hd_array_take(struct hd_array *a, uint64_t now, uint32_t smx, uint32_t slot, const struct hd_resident *r,
                   uint64_t duration);
/* Sets the end of a TB that was taken as open: it is reported in `cycle` at the earliest. Returns false if out of
 * memory. */
bool hd_array_end(struct hd_array *a, uint32_t smx, uint32_t slot, uint64_t cycle);
/* Writes the completions offered in this cycle, at most one per SMX. Requires ascending cycles. */
void hd_array_offer(struct hd_array *a, uint64_t now, uint8_t *valid, uint8_t *slot);
/* The plane accepted the completion of `smx`: frees the slot and writes its TB to *r. */
void hd_array_done(struct hd_array *a, uint64_t now, uint32_t smx, struct hd_resident *r);

/* Returns the number of SMXs that offer a completion in this cycle, as set by hd_array_offer(), and lists them in
 * *smx. */
uint32_t hd_array_offering(const struct hd_array *a, const uint32_t **smx);

/* Returns true if the slot, which must exist, is occupied. */
bool hd_array_full(const struct hd_array *a, uint32_t smx, uint32_t slot);
uint32_t hd_array_residents(const struct hd_array *a);
uint32_t hd_array_residents_of(const struct hd_array *a, uint32_t smx);
/* Returns the number of resident warps on all SMXs. */
uint32_t hd_array_resident_warps(const struct hd_array *a);
/* Sets *cycle to the next end of a TB. Returns false if none is scheduled. */
bool hd_array_next_end(const struct hd_array *a, uint64_t *cycle);
/* Returns resident warps divided by the SMX's warps, averaged over cycles 0 to now - 1. */
double hd_array_occupancy(const struct hd_array *a, uint32_t smx, uint64_t now);

#endif
