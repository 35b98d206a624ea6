/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* ring_book: the entries that memring has in memory, as its oracle and that of spill know them: in which order those of
 * a queue return, which of them count as written, and which are lost (docs/service/memring.md). */
#ifndef HD_RING_BOOK_H
#define HD_RING_BOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/hd_types.h"

/* Entries are numbered from 1 on. An answer counts from EARLY cycles after it on, and from LATE at the latest: it waits
 * until an operation has left the RAM, and for the answers before it, up to COUNT cycles each. */
enum { HD_RING_ENTRIES = 1 << 14, HD_RING_NONE = 0, HD_RING_EARLY = 4, HD_RING_LATE = 7, HD_RING_COUNT = 6 };

/* An entry that is being written, in memory, or being read. */
struct hd_ring_entry {
  uint64_t early, late; /* it counts as written from a cycle in this range on; valid if `answered` */
  uint32_t next;        /* the next entry of its queue, or of the free entries */
  uint8_t answered, bad;
};

struct hd_ring_queue {
  uint32_t first, last; /* the entries that are not requested, or NONE: the oldest; the youngest, requested or not */
  uint32_t reading;     /* the oldest entry that is not read completely */
  uint32_t waits;       /* entries that are not requested */
  uint64_t put, ended;  /* entries so far: put; in requests that have ended */
};

struct hd_ring_book {
  struct hd_cfg cfg;
  struct hd_ring_entry at[HD_RING_ENTRIES];
  uint32_t made, free; /* entries used so far; free ones among them */
  struct hd_ring_queue queue[HD_MAX_RING_QUEUES];
  uint32_t used;                       /* entries that are not requested, in all queues */
  uint32_t bad[HD_MAX_RING_BAD], bads; /* those of them whose write failed */
  uint64_t counted;                    /* cycle from which on all answers count */
};

/* Appends an entry to the queue, with its request in a region of `count` entries. Returns it, or NONE and the broken
 * rule. */
uint32_t hd_ring_put(struct hd_ring_book *b, unsigned queue, uint64_t count, const char **rule);

/* The write of the entry is answered in cycle `now`. Returns NULL, or why it can not be. */
const char *hd_ring_answer(struct hd_ring_book *b, uint32_t entry, uint64_t now, bool error);

/* Returns the entries of the queue, up to one more than a line has, that certainly count as written in cycle `now`, or
 * (`most`) may do so. */
unsigned hd_ring_written(const struct hd_ring_book *b, unsigned queue, uint64_t now, bool most);

/* Returns true if an entry that is not requested is certainly known to be lost, or (`most`) may be. */
bool hd_ring_failing(const struct hd_ring_book *b, uint64_t now, bool most);

/* Returns the broken rule if a request in cycle `now` does not read n entries of the queue: as many as are written and
 * in a line, or one while an entry is known to be lost. */
const char *hd_ring_check_get(const struct hd_ring_book *b, unsigned queue, unsigned n, uint64_t now);

/* The n oldest entries of the queue are requested. */
void hd_ring_get(struct hd_ring_book *b, unsigned queue, unsigned n);

/* Removes the oldest entry of the queue, which was read. */
void hd_ring_leave(struct hd_ring_book *b, unsigned queue);

/* Returns the index of the oldest entry of the queue that is not requested. */
static inline uint64_t hd_ring_first(const struct hd_ring_book *b, unsigned queue) {
  return b->queue[queue].put - b->queue[queue].waits;
}

#endif
