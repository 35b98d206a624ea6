/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* outstanding: places that are taken until a cycle that is known, such as the MSHRs of an L1. */
#ifndef HD_OUTSTANDING_H
#define HD_OUTSTANDING_H

#include <stdbool.h>
#include <stdint.h>

struct hd_outstanding {
  uint64_t *until; /* a ring, the soonest first */
  uint32_t places, first, n;
};

/* False: out of memory. */
bool hd_outstanding_init(struct hd_outstanding *o, uint32_t places);
void hd_outstanding_free(struct hd_outstanding *o);

/* Gives back what is over in cycle `now`; whether a place is free. If not, *soonest is when one will be. */
bool hd_outstanding_room(struct hd_outstanding *o, uint64_t now, uint64_t *soonest);
/* Takes a free place. */
void hd_outstanding_add(struct hd_outstanding *o, uint64_t until);

#endif
