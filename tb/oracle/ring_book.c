/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "oracle/ring_book.h"

#include <stddef.h>

#include "env/common/rings.h"

enum { NONE = HD_RING_NONE };

static uint32_t new_entry(struct hd_ring_book *b) {
  const uint32_t e = b->free;
  if (e != NONE)
    b->free = b->at[e].next;
  else
    return b->made + 1 < HD_RING_ENTRIES ? ++b->made : NONE;
  return e;
}

uint32_t hd_ring_put(struct hd_ring_book *b, unsigned queue, uint64_t count, const char **rule) {
  struct hd_ring_queue *q = &b->queue[queue];
  const uint64_t places = UINT64_C(1) << hd_rings_order(&b->cfg, count);
  *rule = "a place is written whose entry is not read";
  if (q->put - q->ended >= places) return NONE;
  const uint32_t e = new_entry(b);
  *rule = e == NONE ? "more entries are in memory than this oracle can hold" : NULL;
  if (e == NONE) return NONE;
  b->at[e] = (struct hd_ring_entry){.next = NONE};
  if (q->last != NONE) b->at[q->last].next = e;
  q->last = e;
  if (q->first == NONE) q->first = e;
  if (q->reading == NONE) q->reading = e;
  q->waits++;
  q->put++;
  b->used++;
  return e;
}

const char *hd_ring_answer(struct hd_ring_book *b, uint32_t entry, uint64_t now, bool error) {
  struct hd_ring_entry *e = &b->at[entry];
  e->answered = 1;
  e->bad = error;
  e->early = now + HD_RING_EARLY;
  e->late = now + HD_RING_LATE > b->counted + HD_RING_COUNT ? now + HD_RING_LATE : b->counted + HD_RING_COUNT;
  b->counted = e->late;
  if (!error) return NULL;
  if (b->bads == b->cfg.ring_bad) return "more entries are lost than can be remembered";
  b->bad[b->bads++] = entry;
  return NULL;
}

static bool counts(const struct hd_ring_entry *e, uint64_t now, bool most) {
  return e->answered && (most ? e->early : e->late) <= now;
}

unsigned hd_ring_written(const struct hd_ring_book *b, unsigned queue, uint64_t now, bool most) {
  unsigned n = 0;
  for (uint32_t e = b->queue[queue].first; e != NONE && n <= b->cfg.ring_line && counts(&b->at[e], now, most);
       e = b->at[e].next)
    n++;
  return n;
}

bool hd_ring_failing(const struct hd_ring_book *b, uint64_t now, bool most) {
  for (unsigned k = 0; k < b->bads; k++)
    if (counts(&b->at[b->bad[k]], now, most)) return true;
  return false;
}

const char *hd_ring_check_get(const struct hd_ring_book *b, unsigned queue, unsigned n, uint64_t now) {
  const unsigned line = b->cfg.ring_line, left = line - (unsigned)(hd_ring_first(b, queue) % line);
  const unsigned least = hd_ring_written(b, queue, now, false), most = hd_ring_written(b, queue, now, true);
  if (!n || n > most) return "an entry is requested before it is written";
  if (n > left) return "a request crosses the end of a line";
  if (hd_ring_failing(b, now, false) && n > 1) return "more than one entry is requested while one is lost";
  if (hd_ring_failing(b, now, true)) return NULL;
  return n < (least < left ? least : left) ? "entries are not requested although they are in the line" : NULL;
}

/* The lost entry is requested. */
static void forgive(struct hd_ring_book *b, uint32_t entry) {
  unsigned k = 0;
  while (k < b->bads && b->bad[k] != entry) k++;
  if (k < b->bads) b->bad[k] = b->bad[--b->bads];
}

void hd_ring_get(struct hd_ring_book *b, unsigned queue, unsigned n) {
  struct hd_ring_queue *q = &b->queue[queue];
  for (unsigned k = 0; k < n; k++) {
    if (b->at[q->first].bad) forgive(b, q->first);
    q->first = b->at[q->first].next;
    q->waits--;
    b->used--;
  }
}

void hd_ring_leave(struct hd_ring_book *b, unsigned queue) {
  struct hd_ring_queue *q = &b->queue[queue];
  const uint32_t e = q->reading;
  q->reading = b->at[e].next;
  if (q->last == e) q->last = NONE;
  b->at[e].next = b->free;
  b->free = e;
}
