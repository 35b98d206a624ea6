/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "dispatch/laperm_order.h"

/* The backup while it holds an entry; otherwise the next bank, cyclically, that does. */
static int other_bank(const struct hd_laperm_order_view *v, unsigned smx, unsigned own) {
  if (hd_bit(v->backup_valid, smx) && hd_bit(v->holding, v->backup[smx])) return v->backup[smx];
  int next = hd_bits_rr(v->holding, v->words, own + 1 == v->num_bank ? 0 : own + 1);
  return next == (int)own ? -1 : next; /* back at the start */
}

struct hd_laperm_order_offer hd_laperm_order_adaptive_bind(const struct hd_laperm_order_view *v, unsigned smx) {
  unsigned own = hd_laperm_order_own(v, smx);
  return (struct hd_laperm_order_offer){.bound = hd_bit(v->holding, own) ? (int)own : -1,
                                        .spare = other_bank(v, smx, own)};
}
