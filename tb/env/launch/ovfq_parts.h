/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* ovfq_parts: declarations shared by the files of ovfq_neighbours. ovfq_kernels: kernels enter, are suspended, resume,
 * fail and leave. ovfq_memory: the regions and the memory. ovfq_neighbours: the rest. */
#ifndef HD_OVFQ_PARTS_H
#define HD_OVFQ_PARTS_H

#include "env/common/over_lists.h"
#include "env/launch/ovfq_neighbours.h"

/* ---- ovfq_neighbours ---- */

/* Number of groups of a list; remove the first one; remove all. */
uint32_t hd_ovfq_length(const struct hd_ovfq_groups *g);
void hd_ovfq_free_first(struct hd_ovfq_neighbours *s, struct hd_ovfq_groups *g);
void hd_ovfq_free_all(struct hd_ovfq_neighbours *s, struct hd_ovfq_groups *g);

/* Returns a kernel for which `want` holds: often the favourite, otherwise the first one from a random index on; -1 if
 * none. */
typedef bool hd_ovfq_want_fn(const struct hd_ovfq_neighbours *s, const struct hd_ovfq_in *in,
                             const struct hd_ovfq_out *now, unsigned k);
int hd_ovfq_pick(const struct hd_ovfq_neighbours *s, struct hd_rng *rng, const struct hd_ovfq_in *in,
                 const struct hd_ovfq_out *now, hd_ovfq_want_fn *want);
hd_ovfq_want_fn hd_ovfq_is_valid, hd_ovfq_has_groups;

/* ---- ovfq_kernels ---- */

/* After reset, once the regions are set: in some runs adds kernels that are already suspended, with lists of any length
 * and place, as if suspended before the reset. */
void hd_ovfq_begin_kernels(struct hd_ovfq_neighbours *s, struct hd_rng *rng);

/* In the order in which they are called each cycle: a fail event; a kernel is taken out of the KD; lists of failing
 * kernels are dropped; a kernel ends; a kernel enters. */
void hd_ovfq_drive_fail(struct hd_ovfq_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                        const struct hd_ovfq_out *now, struct hd_ovfq_in *in);
void hd_ovfq_drive_take(struct hd_ovfq_neighbours *s, struct hd_rng *rng, const struct hd_ovfq_out *now,
                        struct hd_ovfq_in *in);
void hd_ovfq_drop_lists(struct hd_ovfq_neighbours *s, const struct hd_ovfq_out *now, const struct hd_ovfq_in *in);
void hd_ovfq_drive_leave(struct hd_ovfq_neighbours *s, struct hd_rng *rng, const struct hd_ovfq_out *now,
                         const struct hd_ovfq_in *in);
void hd_ovfq_drive_enter(struct hd_ovfq_neighbours *s, struct hd_rng *rng, const struct hd_ovfq_out *now,
                         struct hd_ovfq_in *in);

/* ---- ovfq_memory ---- */

/* Sets the regions after reset, and again once everything has drained. */
void hd_ovfq_set_regions(struct hd_ovfq_neighbours *s, struct hd_rng *rng, const struct hd_ovfq_out *now);

/* Drives the memory port; `out` is of the previous cycle. */
void hd_ovfq_drive_memory(struct hd_ovfq_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                          const struct hd_ovfq_out *out, struct hd_ovfq_in *in);

#endif
