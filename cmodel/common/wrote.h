/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* wrote: which row of a RAM a model wrote last, so that who compares it looks at that row alone. A block keeps one for
 * each table of its CSV, in that order; nothing in a model depends on it. */
#ifndef HD_WROTE_H
#define HD_WROTE_H

#include <stdint.h>

struct hd_wrote {
  uint32_t times; /* rows written since reset; at most one in a cycle */
  uint32_t row;
};

/* The row is written in this cycle. */
static inline void hd_wrote(struct hd_wrote *w, unsigned row) {
  w->times++;
  w->row = row;
}

#endif
