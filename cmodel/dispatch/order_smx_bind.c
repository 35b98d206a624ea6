/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "dispatch/order.h"

struct hd_order_offer hd_order_smx_bind(const struct hd_order_view *v, unsigned smx) {
  unsigned own = hd_order_own(v, smx);
  return (struct hd_order_offer){.bound = hd_bit(v->holding, own) ? (int)own : -1, .spare = -1};
}
