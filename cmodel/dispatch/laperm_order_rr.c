/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "dispatch/laperm_order.h"

struct hd_laperm_order_offer hd_laperm_order_rr(const struct hd_laperm_order_view *v, unsigned smx) {
  (void)smx; /* same for every SMX */
  return (struct hd_laperm_order_offer){.bound = -1, .spare = v->winner};
}
