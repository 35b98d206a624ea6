/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* port: the schedule of a port that accepts one flit per cycle. Lines are announced in any order, long before they
 * arrive. Each takes the first cycles that are free from its arrival on, so none waits for one that arrives later. */
#ifndef HD_PORT_H
#define HD_PORT_H

#include <stdbool.h>
#include <stdint.h>

struct hd_port {
  struct hd_port_word {
    uint64_t number; /* number of this group of 64 cycles: cycle / 64 */
    uint64_t taken;
  } * word;
  uint64_t mask; /* index mask for the number */
};

/* `ahead`: the largest number of cycles between the announcement of a line and its last flit. Returns false if out of
 * memory. */
bool hd_port_init(struct hd_port *p, uint64_t ahead);
void hd_port_free(struct hd_port *p);

/* Reserves `flits` (1 or more) cycles for a line that arrives in cycle `from`. Returns the cycle after the last. */
uint64_t hd_port_take(struct hd_port *p, uint64_t from, uint32_t flits);

#endif
