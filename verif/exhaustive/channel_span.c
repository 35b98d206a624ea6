/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* channel_span: bounds the distance of the control offsets of one channel. Searches every reachable state of a channel
 * of capacity C, without time: elements are reserved in any number at once, enqueued one by one in any order; their
 * control offsets are written in any order, and published in the order of reservation; elements are dispatched in
 * order, done in any order, and freed in order, by whole grains of done counts, arbitrarily late.
 *
 * In every state there are at most 2C - 1 offsets from the first control offset of an element that is not freed to the
 * reserve tail, so with 2C of them none in use is overwritten. Result: at most 2C - G with grains of G elements, which
 * is 2C - 1 for G = 1, and some state reaches the bound. With a control array of C, as in the paper's figure, one in
 * use is overwritten; the path to that state is printed. */
#include <string.h>

#include "exhaustive/search.h"

enum { MOST = 8 };

enum status { FREE, RESERVED, SENT, WRITTEN, READY, DISPATCHED, DONE };

struct rules {
  uint8_t capacity, grain; /* grain of a done count, in elements */
  uint8_t most;            /* control offsets in use */
};

/* Elements in the order of their places from the head on; control places as steps back from the reserve tail. */
struct chan {
  uint8_t head, used;            /* place of the first; elements not freed */
  uint8_t unpublished, unserved; /* distances from the tail: to the head of the control array, and its reserve tail */
  uint8_t status[MOST], control[MOST];
};

static void add(struct search_moves *m, const struct chan *c, const char *what, unsigned element) {
  char label[SEARCH_LABEL];
  snprintf(label, sizeof label, "%s %u", what, element);
  search_add(m, sizeof *c, c, label);
}

/* ---- producers ---- */

/* Reserves n contiguous places; places up to the end are skipped, without a reservation if there is no room behind the
   end yet. */
static void reserve(const struct rules *r, struct chan c, unsigned n, struct search_moves *m) {
  const unsigned tail = (c.head + c.used) % r->capacity;
  const unsigned skip = tail + n > r->capacity ? r->capacity - tail : 0;
  const bool fits = c.used + skip + n <= r->capacity;
  if (!fits && (!skip || c.used > tail)) return;
  for (unsigned k = 0; k < skip; k++) c.status[c.used++] = DONE;
  if (!fits) n = 0;
  for (unsigned k = 0; k < n; k++) c.status[c.used++] = RESERVED;
  add(m, &c, "reserve", n);
}

static void enqueue(struct chan c, unsigned i, struct search_moves *m) {
  for (unsigned k = 0; k < c.used; k++) c.control[k] += c.control[k] > 0;
  c.control[i] = 1;
  c.status[i] = SENT;
  c.unpublished++;
  c.unserved++;
  add(m, &c, "enqueue element", i);
}

/* The element whose control place is the tail's, if its offset is written. */
static bool publish(struct chan *c) {
  for (unsigned k = 0; k < c->used; k++) {
    if (c->status[k] != WRITTEN || c->control[k] != c->unpublished) continue;
    c->status[k] = READY;
    c->unpublished--;
    return true;
  }
  return false;
}

static void write(struct chan c, unsigned i, struct search_moves *m) {
  c.status[i] = WRITTEN;
  while (publish(&c)) continue;
  add(m, &c, "written: element", i);
}

/* ---- consumers ---- */

static void dispatch(struct chan c, unsigned i, struct search_moves *m) {
  if (c.control[i] != c.unserved) return;
  c.status[i] = DISPATCHED;
  c.unserved--;
  add(m, &c, "dispatch element", i);
}

static void finish(struct chan c, unsigned i, struct search_moves *m) {
  c.status[i] = DONE;
  add(m, &c, "done: element", i);
}

/* Frees the first grain. */
static void release(const struct rules *r, struct chan c, struct search_moves *m) {
  const unsigned n = r->grain;
  if (n > c.used) return;
  for (unsigned k = 0; k < n; k++)
    if (c.status[k] != DONE) return;
  c.used = (uint8_t)(c.used - n);
  c.head = (uint8_t)((c.head + n) % r->capacity);
  memmove(c.status, c.status + n, MOST - n);
  memmove(c.control, c.control + n, MOST - n);
  memset(c.status + MOST - n, 0, n);
  memset(c.control + MOST - n, 0, n);
  add(m, &c, "free", n);
}

/* ---- the search ---- */

static void moves(const void *ctx, const void *state, struct search_moves *m) {
  const struct rules *r = ctx;
  const struct chan *c = state;
  for (unsigned n = 1; n <= r->capacity; n++) reserve(r, *c, n, m);
  for (unsigned k = 0; k < c->used; k++) {
    if (c->status[k] == RESERVED) enqueue(*c, k, m);
    if (c->status[k] == SENT) write(*c, k, m);
    if (c->status[k] == READY) dispatch(*c, k, m);
    if (c->status[k] == DISPATCHED) finish(*c, k, m);
  }
  release(r, *c, m);
}

static unsigned span(const struct chan *c) {
  unsigned most = 0;
  for (unsigned k = 0; k < c->used; k++)
    if (c->control[k] > most) most = c->control[k];
  return most;
}

static const char *judge(const void *ctx, const void *state) {
  const struct rules *r = ctx;
  return span(state) > r->most ? "a control offset is overwritten that is in use" : NULL;
}

static struct search_result run(const struct rules *r, FILE *way) {
  static const struct chan empty;
  const struct search_machine k = {.bytes = sizeof empty, .moves = moves, .judge = judge, .ctx = r};
  return search(&k, &empty, 4000000, way);
}

/* The bound holds, and one less does not; and the distance with grains of more than one element, which are freed
   later. */
static bool check(struct rules r) {
  const unsigned bound = 2u * r.capacity - r.grain;
  r.most = (uint8_t)bound;
  const struct search_result holds = run(&r, NULL);
  r.most--;
  const bool good = holds.end == SEARCH_FINE && run(&r, NULL).end == SEARCH_BROKEN;
  printf("  %8u %6u %9llu %9llu  %6u %6u  %s\n", r.capacity, r.grain, (unsigned long long)holds.states,
         (unsigned long long)holds.moves, bound, 2u * r.capacity - 1, good ? "ok" : "FAILED");
  return good;
}

int main(void) {
  static const struct rules sizes[] = {{1, 1, 0}, {2, 1, 0}, {2, 2, 0}, {3, 1, 0}, {4, 1, 0}, {4, 2, 0}, {4, 4, 0}};
  static const struct rules small = {2, 1, 2};
  unsigned passed = 0, all = 0;
  printf("  capacity  grain    states     moves  widest  2C - 1\n");
  for (; all < sizeof sizes / sizeof *sizes; all++) passed += check(sizes[all]);
  printf("\n  a control array as large as the data, of 2:\n");
  passed += run(&small, stdout).end == SEARCH_BROKEN;
  all++;
  printf("    a control offset is overwritten that is in use\n\n%u passed, %u failed\n", passed, all - passed);
  return passed != all;
}
