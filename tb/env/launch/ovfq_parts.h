/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* ovfq_parts: what the files of ovfq_around share. ovfq_kernels: kernels come, are suspended, come back, fail and go.
 * ovfq_memory: the regions, and the memory. ovfq_around: all else. */
#ifndef HD_OVFQ_PARTS_H
#define HD_OVFQ_PARTS_H

#include "env/common/over_lists.h"
#include "env/launch/ovfq_around.h"

/* ---- ovfq_around ---- */

/* Groups of a list. The first is over, or all are. */
uint32_t hd_ovfq_length(const struct hd_ovfq_groups *g);
void hd_ovfq_free_first(struct hd_ovfq_around *s, struct hd_ovfq_groups *g);
void hd_ovfq_free_all(struct hd_ovfq_around *s, struct hd_ovfq_groups *g);

/* A kernel of which `want` holds: often the favourite, or any, from a random one on; -1: none. */
typedef bool hd_ovfq_want_fn(const struct hd_ovfq_around *s, const struct hd_ovfq_in *in, const struct hd_ovfq_out *now,
                             unsigned k);
int hd_ovfq_pick(const struct hd_ovfq_around *s, struct hd_rng *rng, const struct hd_ovfq_in *in,
                 const struct hd_ovfq_out *now, hd_ovfq_want_fn *want);
hd_ovfq_want_fn hd_ovfq_is_valid, hd_ovfq_has_groups;

/* ---- ovfq_kernels ---- */

/* After reset, when the regions are told: in some lives kernels are suspended already, with lists of any length at any
 * place: as if they had been before the reset. */
void hd_ovfq_begin_kernels(struct hd_ovfq_around *s, struct hd_rng *rng);

/* In the order of their calls in a cycle: a fail event; a kernel is taken out of the KD; lists of kernels that fail are
 * dropped; a kernel ends; one enters. */
void hd_ovfq_drive_fail(struct hd_ovfq_around *s, struct hd_rng *rng, const struct hd_profile *p,
                        const struct hd_ovfq_out *now, struct hd_ovfq_in *in);
void hd_ovfq_drive_take(struct hd_ovfq_around *s, struct hd_rng *rng, const struct hd_ovfq_out *now,
                        struct hd_ovfq_in *in);
void hd_ovfq_drop_lists(struct hd_ovfq_around *s, const struct hd_ovfq_out *now, const struct hd_ovfq_in *in);
void hd_ovfq_drive_leave(struct hd_ovfq_around *s, struct hd_rng *rng, const struct hd_ovfq_out *now,
                         const struct hd_ovfq_in *in);
void hd_ovfq_drive_enter(struct hd_ovfq_around *s, struct hd_rng *rng, const struct hd_ovfq_out *now,
                         struct hd_ovfq_in *in);

/* ---- ovfq_memory ---- */

/* Where the regions lie: told after reset, and again when everything is to become empty and is. */
void hd_ovfq_set_regions(struct hd_ovfq_around *s, struct hd_rng *rng, const struct hd_ovfq_out *now);

/* The memory port. out: of the cycle before. */
void hd_ovfq_drive_memory(struct hd_ovfq_around *s, struct hd_rng *rng, const struct hd_profile *p,
                          const struct hd_ovfq_out *out, struct hd_ovfq_in *in);

#endif
