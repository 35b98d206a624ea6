/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* bht_plain: the plain program that checks the forces of bht.h. */
#ifndef HD_BHT_PLAIN_H
#define HD_BHT_PLAIN_H

#include <stdbool.h>
#include <stdint.h>

#define HD_BHT_SIDE (1 << 20) /* of the square */
#define HD_BHT_LEAF 8u        /* bodies of a cell that is not cut */

struct hd_mass {
  int64_t x, y, mass; /* of a cell: its centre of mass, rounded down */
};

/* Compares the forces on bodies with those by a tree that grows body by body, walked by a recursion. False: out of
 * memory. */
bool hd_bht_plain_differs(const struct hd_mass *body, uint32_t bodies, int64_t (*force)[2], bool *wrong);

#endif
