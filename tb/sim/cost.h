/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* cost: the work of a wavefront of a channel program between its channel operations: instructions, and loads and stores
 * of lines. The wavefront's kernel reports it while it computes, for all lanes together; without a cost (NULL) it
 * reports nothing.
 *
 *     for (k ..) hd_cost_touch(c, &row[k]);       // a lane's address
 *     hd_cost_access(c, false);                   // one load of all lanes
 *     hd_cost_work(c, 12);                        // instructions that only need the wavefront
 *
 * Addresses are those of the program's memory, which is registered before: rows of elements that are `stride` bytes
 * apart in the timed memory. */
#ifndef HD_COST_H
#define HD_COST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HD_COST_LINE = 64, HD_COST_ROWS = 80 };

/* Instructions, then one that loads or stores `lines` lines from `first` on; the last one of a trace may have no
 * lines. */
struct hd_cost_op {
  uint32_t work, first;
  uint16_t lines;
  bool store;
};

struct hd_cost_trace {
  struct hd_cost_op *op;
  uint32_t *line;
  uint32_t ops, ops_room, lines, lines_room;
};

struct hd_cost_row {
  const uint8_t *from;
  size_t bytes;
  uint32_t element, stride;
  uint64_t address;
};

struct hd_cost {
  struct hd_cost_trace now;
  uint32_t work, touched; /* since the last access; touched: its first line */
  uint32_t rows, last;    /* last: the row of the last lookup */
  struct hd_cost_row row[HD_COST_ROWS];
  uint64_t end;      /* end of the registered addresses */
  bool out, unknown; /* out: out of memory; unknown: an address outside all rows was reported */
};

/* Returns NULL if out of memory. */
struct hd_cost *hd_cost_new(void);
void hd_cost_free(struct hd_cost *c);

/* Registers a row of elements and returns its address. `align`: a power of two. */
uint64_t hd_cost_row(struct hd_cost *c, const void *from, size_t bytes, uint32_t element, uint32_t stride,
                     uint32_t align);

void hd_cost_work(struct hd_cost *c, uint32_t instructions);
void hd_cost_touch(struct hd_cost *c, const void *p);
void hd_cost_touch_address(struct hd_cost *c, uint64_t address);
/* Ends one instruction that accesses the touched addresses; does nothing if there are none. */
void hd_cost_access(struct hd_cost *c, bool store);

/* Moves the reported work to *t, whose memory is reused for the next one. */
void hd_cost_take(struct hd_cost *c, struct hd_cost_trace *t);
void hd_cost_trace_free(struct hd_cost_trace *t);

#endif
