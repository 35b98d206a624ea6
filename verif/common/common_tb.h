/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* common_tb: C interface of the Verilated hd_common_tb. Slots and their bits: hd_common_tb.sv. */
#ifndef HD_COMMON_TB_H
#define HD_COMMON_TB_H

#include <stdint.h>

enum common_part {
  COMMON_FIFO,
  COMMON_ARB,
  COMMON_FIRST,
  COMMON_LIST,
  COMMON_RAM,
  COMMON_BANKS,
  COMMON_ONEHOT,
  COMMON_PAIR,
  COMMON_FOLLOWS,
  COMMON_FIFO_RAM,
  COMMON_PARTS
};
enum { COMMON_SIZES = 6, COMMON_SLOTS = COMMON_PARTS * COMMON_SIZES };

/* Returns a new instance after reset; all flops and rows started with random values. */
void *common_open(uint64_t seed);
void common_close(void *tb);
/* Sets the slot's inputs, clears all others, and returns the slot's outputs before the next clock edge. */
uint64_t common_eval(void *tb, unsigned slot, uint64_t in);
/* Applies a clock edge with the inputs of the last common_eval(). */
void common_edge(void *tb);
/* Returns true if an assertion has failed. */
int common_failed(void *tb);

#endif
