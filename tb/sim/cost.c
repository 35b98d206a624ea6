/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "sim/cost.h"

#include <stdlib.h>

struct hd_cost *hd_cost_new(void) {
  return calloc(1, sizeof(struct hd_cost));
}

void hd_cost_trace_free(struct hd_cost_trace *t) {
  free(t->op);
  free(t->line);
}

void hd_cost_free(struct hd_cost *c) {
  if (c == NULL) return;
  hd_cost_trace_free(&c->now);
  free(c);
}

uint64_t hd_cost_row(struct hd_cost *c, const void *from, size_t bytes, uint32_t element, uint32_t stride,
                     uint32_t align) {
  if (c == NULL || c->rows == HD_COST_ROWS) return 0;
  const uint64_t address = (c->end + align - 1) & ~((uint64_t)align - 1);
  c->row[c->rows++] = (struct hd_cost_row){from, bytes, element, stride, address};
  c->end = address + bytes / element * stride;
  return address;
}

void hd_cost_work(struct hd_cost *c, uint32_t instructions) {
  if (c != NULL) c->work += instructions;
}

/* Doubles the room if it is used up. */
static bool grow(struct hd_cost *c, void **p, uint32_t n, uint32_t *room, size_t each) {
  if (n < *room) return true;
  const uint32_t more = *room == 0 ? 64 : 2 * *room;
  void *q = realloc(*p, more * each);
  if (q == NULL) {
    c->out = true;
    return false;
  }
  *p = q;
  *room = more;
  return true;
}

void hd_cost_touch_address(struct hd_cost *c, uint64_t address) {
  const uint32_t line = (uint32_t)(address / HD_COST_LINE);
  if (c == NULL) return;
  for (uint32_t k = c->now.lines; k > c->touched; k--)
    if (c->now.line[k - 1] == line) return;
  void *p = c->now.line;
  const bool room = grow(c, &p, c->now.lines, &c->now.lines_room, sizeof line);
  c->now.line = p;
  if (room) c->now.line[c->now.lines++] = line;
}

static bool within(const struct hd_cost_row *r, const uint8_t *p) {
  return p >= r->from && (size_t)(p - r->from) < r->bytes;
}

void hd_cost_touch(struct hd_cost *c, const void *p) {
  if (c == NULL) return;
  for (uint32_t k = 0; k < c->rows && !within(&c->row[c->last], p); k++) c->last = k;
  const struct hd_cost_row *r = &c->row[c->last];
  if (!within(r, p)) {
    c->unknown = true;
    return;
  }
  const size_t at = (size_t)((const uint8_t *)p - r->from);
  hd_cost_touch_address(c, r->address + at / r->element * r->stride + at % r->element);
}

static void add(struct hd_cost *c, bool store) {
  void *p = c->now.op;
  const bool room = grow(c, &p, c->now.ops, &c->now.ops_room, sizeof *c->now.op);
  c->now.op = p;
  if (room)
    c->now.op[c->now.ops++] = (struct hd_cost_op){c->work, c->touched, (uint16_t)(c->now.lines - c->touched), store};
  c->touched = c->now.lines;
  c->work = 0;
}

void hd_cost_access(struct hd_cost *c, bool store) {
  if (c == NULL || c->touched == c->now.lines) return;
  c->work++;
  add(c, store);
}

void hd_cost_take(struct hd_cost *c, struct hd_cost_trace *t) {
  const struct hd_cost_trace was = *t;
  if (c->work != 0) add(c, false);
  *t = c->now;
  c->now = was;
  c->now.ops = c->now.lines = c->touched = c->work = 0;
}
