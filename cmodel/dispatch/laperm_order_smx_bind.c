/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "dispatch/laperm_order.h"

struct hd_laperm_order_offer hd_laperm_order_smx_bind(const struct hd_laperm_order_view *v, unsigned smx) {
  unsigned own = hd_laperm_order_own(v, smx);
  return (struct hd_laperm_order_offer){.bound = hd_bit(v->holding, own) ? (int)own : -1, .spare = -1};
}
