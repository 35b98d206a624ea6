/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* port: who has which cycle of a port that takes one flit in each. Lines come to it in any order of their arrival, long
 * before they arrive; each takes the first cycles that are free from its arrival on, so none waits for one that comes
 * later. */
#ifndef HD_PORT_H
#define HD_PORT_H

#include <stdbool.h>
#include <stdint.h>

struct hd_port {
  struct hd_port_word {
    uint64_t number; /* of these 64 cycles: cycle / 64 */
    uint64_t taken;
  } * word;
  uint64_t mask; /* of the number: where it lies */
};

/* `ahead`: how many cycles before its last flit a line is announced, at most. False: out of memory. */
bool hd_port_init(struct hd_port *p, uint64_t ahead);
void hd_port_free(struct hd_port *p);

/* The cycle after the last of `flits` (1 or more) that arrive in cycle `from`. */
uint64_t hd_port_take(struct hd_port *p, uint64_t from, uint32_t flits);

#endif
