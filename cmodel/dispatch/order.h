/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* order: the policies of the SMX scheduler, one function each. A policy decides only which bank an SMX is offered a TB
 * from before queue 0 (bound), and which one when queue 0 is empty (spare); queue 0 is the kernel in the SSCR, in FCFS
 * order. Whether the TB fits, and which SMX is served, is the scheduler's.
 *
 *   policy         bound                            spare                                      laperm-isca2016
 *   Rr             -                                the winner                                 section II
 *   TbPri          the winner                       -                                          section IV.A
 *   SmxBind        the SMX's own bank               -                                          section IV.B
 *   AdaptiveBind   the SMX's own bank               its backup; else the first bank after it   section IV.C
 *
 * The functions look at what they are given and change nothing. Rr has no banks of its own: what it offers is what
 * another policy has left behind. */
#ifndef HD_ORDER_H
#define HD_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/bits.h"

/* What a policy may look at. */
struct hd_order_view {
  const uint64_t *holding; /* banks that hold an entry, a set of `words` words */
  unsigned words, num_smx;
  int winner;                   /* of all banks that with the highest level, then the oldest front; -1: all are empty */
  const uint64_t *backup_valid; /* SMXs that have a backup .. */
  const uint8_t *backup;        /* .. and which bank, of each SMX */
};

/* Banks; -1: none. */
struct hd_order_offer {
  int bound, spare;
};

/* What the SMX is offered. */
typedef struct hd_order_offer hd_order_fn(const struct hd_order_view *v, unsigned smx);

hd_order_fn hd_order_rr, hd_order_tb_pri, hd_order_smx_bind, hd_order_adaptive_bind;

/* The functions, by enum hd_policy. */
extern hd_order_fn *const hd_orders[];

#endif
