/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "gpu/outstanding.h"

#include <stdlib.h>

bool hd_outstanding_init(struct hd_outstanding *o, uint32_t places) {
  *o = (struct hd_outstanding){.until = calloc(places, sizeof *o->until), .places = places};
  return o->until != NULL;
}

void hd_outstanding_free(struct hd_outstanding *o) {
  free(o->until);
  *o = (struct hd_outstanding){0};
}
