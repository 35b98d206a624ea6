/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* cost: what a wavefront of a program on channels does between its operations on them: instructions, and loads and
 * stores of lines. Its kernel tells it as it computes, of all lanes together; without a cost (NULL) nothing is told.
 *
 *     for (k ..) hd_cost_touch(c, &row[k]);       // a lane's address
 *     hd_cost_access(c, false);                   // of one load of all lanes
 *     hd_cost_work(c, 12);                        // instructions that need nothing but the wavefront
 *
 * Addresses are those of the program's memory, which is told before: rows of elements that lie `stride` bytes apart in
 * the memory that is timed. */
#ifndef HD_COST_H
#define HD_COST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HD_COST_LINE = 64, HD_COST_ROWS = 80 };

/* Instructions, and then one that loads or stores `lines` lines from `first` on; the last one of a trace may have
 * none. */
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
  uint32_t rows, last;    /* last: the row that was found last */
  struct hd_cost_row row[HD_COST_ROWS];
  uint64_t end;      /* of what has an address */
  bool out, unknown; /* of memory; an address of no row was told */
};

/* NULL: no memory is left. */
struct hd_cost *hd_cost_new(void);
void hd_cost_free(struct hd_cost *c);

/* A row of elements; its address. `align`: a power of two. */
uint64_t hd_cost_row(struct hd_cost *c, const void *from, size_t bytes, uint32_t element, uint32_t stride,
                     uint32_t align);

void hd_cost_work(struct hd_cost *c, uint32_t instructions);
void hd_cost_touch(struct hd_cost *c, const void *p);
void hd_cost_touch_address(struct hd_cost *c, uint64_t address);
/* Of what was touched, in one instruction; nothing if that is nothing. */
void hd_cost_access(struct hd_cost *c, bool store);

/* What was told becomes the trace; that which was there is told anew. */
void hd_cost_take(struct hd_cost *c, struct hd_cost_trace *t);
void hd_cost_trace_free(struct hd_cost_trace *t);

#endif
