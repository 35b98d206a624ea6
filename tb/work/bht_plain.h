/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* bht_plain: the plain program that checks the forces of bht.h. */
#ifndef HD_BHT_PLAIN_H
#define HD_BHT_PLAIN_H

#include <stdbool.h>
#include <stdint.h>

#define HD_BHT_SIDE (1 << 20) /* of the square */
#define HD_BHT_LEAF 8u        /* most bodies in a cell that is not split */

struct hd_mass {
  int64_t x, y, mass; /* of a cell: x, y: centre of mass, rounded down */
};

/* Compares the forces on bodies with those of a tree that is built body by body and walked recursively. Returns false
 * if out of memory. */
bool hd_bht_plain_differs(const struct hd_mass *body, uint32_t bodies, int64_t (*force)[2], bool *wrong);

#endif
