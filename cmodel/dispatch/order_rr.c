/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "dispatch/order.h"

struct hd_order_offer hd_order_rr(const struct hd_order_view *v, unsigned smx) {
  (void)smx; /* same for every SMX */
  return (struct hd_order_offer){.bound = -1, .spare = v->winner};
}
