/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* order: the policies of the SMX scheduler, one function each. A policy decides only which bank offers an SMX a TB
 * before queue 0 (bound), and which one when queue 0 is empty (spare); queue 0 is the kernel in the SSCR, in FCFS
 * order. The scheduler decides whether the TB fits and which SMX is served.
 *
 *   policy         bound                            spare                                      laperm-isca2016
 *   Rr             -                                the winner                                 section II
 *   TbPri          the winner                       -                                          section IV.A
 *   SmxBind        the SMX's own bank               -                                          section IV.B
 *   AdaptiveBind   the SMX's own bank               its backup; else the first bank after it   section IV.C
 *
 * The functions read their arguments and change nothing. Rr fills no banks: it offers the entries that another policy
 * has left. */
#ifndef HD_ORDER_H
#define HD_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/bits.h"
#include "gen/hd_policies.h"

/* Inputs of a policy. */
struct hd_laperm_order_view {
  const uint64_t *holding; /* banks that hold an entry, a set of `words` words */
  unsigned words, num_bank;
  unsigned smx_per_cluster;     /* the bank of SMX s is s / smx_per_cluster */
  int winner;                   /* the bank with the highest level, then the oldest front; -1: all are empty */
  const uint64_t *backup_valid; /* SMXs that have a backup .. */
  const uint8_t *backup;        /* .. and which bank, of each SMX */
};

/* Returns the SMX's own bank: its cluster's. */
static inline unsigned hd_laperm_order_own(const struct hd_laperm_order_view *v, unsigned smx) {
  return smx / v->smx_per_cluster;
}

/* Banks; -1: none. */
struct hd_laperm_order_offer {
  int bound, spare;
};

/* Returns the banks offered to the SMX. */
typedef struct hd_laperm_order_offer hd_laperm_order_fn(const struct hd_laperm_order_view *v, unsigned smx);

/* hd_laperm_order_rr and so on, one for each policy of rtl/pkg/enums.csv. */
#define HD_ORDER_DECLARE(name, word) hd_laperm_order_fn hd_laperm_order_##name;
HD_POLICIES(HD_ORDER_DECLARE)
#undef HD_ORDER_DECLARE

/* The functions, by enum hd_policy. */
extern hd_laperm_order_fn *const hd_orders[HD_NUM_POLICY];

#endif
