/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "dispatch/order.h"

/* The backup as long as it holds an entry; else the next bank, in cyclic order, that does. */
static int other_bank(const struct hd_order_view *v, unsigned smx) {
  if (hd_bit(v->backup_valid, smx) && hd_bit(v->holding, v->backup[smx])) return v->backup[smx];
  int next = hd_bits_rr(v->holding, v->words, smx + 1 == v->num_smx ? 0 : smx + 1);
  return next == (int)smx ? -1 : next; /* back where we began */
}

struct hd_order_offer hd_order_adaptive_bind(const struct hd_order_view *v, unsigned smx) {
  return (struct hd_order_offer){.bound = hd_bit(v->holding, smx) ? (int)smx : -1, .spare = other_bank(v, smx)};
}
