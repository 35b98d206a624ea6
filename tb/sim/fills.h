/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* fills: the occupancy of the plane's tables and queues over a run, for a page.
 *
 * A sample is each table's maximum in an interval of `every` cycles, from cycle 0 on; initially an interval is one
 * cycle. When a run exceeds HD_FILLS_MOST samples, neighbours are merged and `every` doubles, so a run of any greater
 * length has between HD_FILLS_MOST / 2 and HD_FILLS_MOST samples. */
#ifndef HD_FILLS_H
#define HD_FILLS_H

#include <stdbool.h>

#include "gen/hd_top_ports.h"

enum { HD_FILLS_MOST = 4096, HD_FILLS_TABLES = 19 };

/* A table: its block, its name for a reader, its size (0: no size of its own). */
struct hd_fill {
  const char *block, *what;
  uint64_t of;
};

struct hd_fills {
  struct hd_fill table[HD_FILLS_TABLES];
  uint32_t most[HD_FILLS_TABLES]; /* maxima over the run */
  uint32_t (*sample)[HD_FILLS_TABLES];
  uint32_t n;     /* samples; sample[k] starts at cycle k * every */
  uint64_t every; /* cycles per sample */
  uint64_t next;  /* the first cycle not sampled yet */
};

/* Returns false if out of memory. */
bool hd_fills_open(struct hd_fills *f, const struct hd_cfg *c);
/* Samples the state of the plane after cycle `now`; the sample also covers all cycles since the previous call. */
void hd_fills_add(struct hd_fills *f, uint64_t now, const struct hd_top_arch *a, const struct hd_cfg *c);
void hd_fills_free(struct hd_fills *f);

/* Returns the number of PUB rows in use. */
uint32_t hd_fills_pub(const struct hd_dgb_arch *a, const struct hd_cfg *c);

#endif
