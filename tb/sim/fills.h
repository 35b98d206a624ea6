/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* fills: how full the tables and queues of the plane are over a run, for a page.
 *
 * A sample is the largest number of each table in an interval of `every` cycles, from cycle 0 on; at first an interval
 * is a cycle. When a run has more than HD_FILLS_MOST, two neighbours become one and `every` doubles: so a run of any
 * length has between half as many and as many. */
#ifndef HD_FILLS_H
#define HD_FILLS_H

#include <stdbool.h>

#include "gen/hd_top_ports.h"

enum { HD_FILLS_MOST = 4096, HD_FILLS_TABLES = 18 };

/* A table: its block, its name for a reader, how much it holds (0: it has no size of its own). */
struct hd_fill {
  const char *block, *what;
  uint64_t of;
};

struct hd_fills {
  struct hd_fill table[HD_FILLS_TABLES];
  uint32_t most[HD_FILLS_TABLES]; /* the largest of all */
  uint32_t (*sample)[HD_FILLS_TABLES];
  uint32_t n;     /* samples: sample[k] is of the cycles from k * every on */
  uint64_t every; /* cycles */
  uint64_t next;  /* the first cycle that was not looked at */
};

/* False: out of memory. */
bool hd_fills_open(struct hd_fills *f, const struct hd_cfg *c);
/* The state of the plane after cycle `now`, and after all others since the call before. */
void hd_fills_add(struct hd_fills *f, uint64_t now, const struct hd_top_arch *a, const struct hd_cfg *c);
void hd_fills_free(struct hd_fills *f);

/* Rows of the PUB that are in use. */
uint32_t hd_fills_pub(const struct hd_dgb_arch *a, const struct hd_cfg *c);

#endif
