/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* wrote: which row of a RAM a model wrote last, so that a comparison reads only that row. A block keeps one per table
 * of its CSV, in that order; the model's behaviour does not depend on it. */
#ifndef HD_WROTE_H
#define HD_WROTE_H

#include <stdint.h>

struct hd_wrote {
  uint32_t times; /* rows written since reset; at most one per cycle */
  uint32_t row;
};

/* Records that the row is written in this cycle. */
static inline void hd_wrote(struct hd_wrote *w, unsigned row) {
  w->times++;
  w->row = row;
}

#endif
