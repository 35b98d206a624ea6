/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* common_tb: the Verilated hd_common_tb behind a C interface. Slots and their bits: hd_common_tb.sv. */
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
  COMMON_PARTS
};
enum { COMMON_SIZES = 6, COMMON_SLOTS = COMMON_PARTS * COMMON_SIZES };

/* A new instance, all flops and rows at random, then reset. */
void *common_open(uint64_t seed);
void common_close(void *tb);
/* Gives the slot these inputs, all others 0, and returns the slot's outputs before the next clock edge. */
uint64_t common_look(void *tb, unsigned slot, uint64_t in);
/* The clock edge under the inputs of the last common_look(). */
void common_edge(void *tb);
/* An assertion has failed. */
int common_failed(void *tb);

#endif
