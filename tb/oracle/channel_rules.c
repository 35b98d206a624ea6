/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "oracle/channel_rules.h"

#include <string.h>

static const uint32_t nowhere = UINT32_MAX; /* no control place */

void hd_channel_rules_init(struct hd_channel_rules *c, uint32_t capacity, uint32_t grain) {
  memset(c, 0, sizeof *c);
  c->capacity = capacity;
  c->grain = grain;
}

/* Returns the place k elements behind the head. */
static uint32_t at(const struct hd_channel_rules *c, uint32_t k) {
  return (c->head + k) & (c->capacity - 1);
}

/* ---- freeing ---- */

/* Returns the number of elements from the head on that may be freed: whole grains in which all are done, or all. */
static uint32_t releasable(const struct hd_channel_rules *c) {
  uint32_t n = 0;
  while (n < c->used) {
    uint32_t end = n + c->grain - (at(c, n) & (c->grain - 1));
    if (end > c->used) end = c->used;
    for (uint32_t k = n; k < end; k++)
      if (c->element[at(c, k)] != HD_CE_DONE) return n;
    n = end;
  }
  return n;
}

static void release(struct hd_channel_rules *c) {
  const uint32_t n = releasable(c);
  for (uint32_t k = 0; k < n; k++) c->element[at(c, k)] = HD_CE_AVAILABLE;
  c->head = at(c, n);
  c->used -= n;
}

/* ---- producers ---- */

/* Returns the number of elements between the tail and `base`, which a grant at `base` skips. */
static uint32_t skipped(const struct hd_channel_rules *c, uint32_t base) {
  return (base - at(c, c->used)) & (c->capacity - 1);
}

const char *hd_channel_reserve(struct hd_channel_rules *c, uint32_t base, uint32_t n) {
  release(c);
  if (n == 0 || base >= c->capacity || n > c->capacity - base) return "a grant is empty or not contiguous";
  if (!c->used) c->head = base;
  const uint32_t skip = skipped(c, base);
  if (skip && base) return "a grant starts neither at the tail nor at place 0";
  if (c->used + skip + n > c->capacity) return "elements are granted that are not free";
  for (uint32_t k = 0; k < skip + n; k++) {
    c->element[at(c, c->used + k)] = (uint8_t)(k < skip ? HD_CE_DONE : HD_CE_RESERVED);
    c->control[at(c, c->used + k)] = nowhere;
  }
  c->used += skip + n;
  return NULL;
}

bool hd_channel_fits(const struct hd_channel_rules *c, uint32_t n) {
  const uint32_t used = c->used - releasable(c);
  if (!used) return n <= c->capacity;
  const uint32_t tail = at(c, c->used), skip = tail + n > c->capacity ? c->capacity - tail : 0;
  return used + skip + n <= c->capacity;
}

/* Returns the distance from the oldest control place of a used element to the next one to be assigned. */
static uint32_t span(const struct hd_channel_rules *c) {
  uint32_t most = 0;
  for (uint32_t k = 0; k < c->used; k++) {
    const uint32_t place = at(c, k), far = c->reserved - c->control[place];
    if (c->control[place] != nowhere && far > most) most = far;
  }
  return most;
}

const char *hd_channel_enqueue(struct hd_channel_rules *c, uint32_t base, uint32_t n) {
  for (uint32_t k = 0; k < n; k++) {
    const uint32_t place = base + k;
    if (place >= c->capacity || c->element[place] != HD_CE_RESERVED)
      return "an element is enqueued that is not reserved";
    c->element[place] = HD_CE_SENT;
    c->control[place] = c->reserved;
    c->place[c->reserved++ & (2 * c->capacity - 1)] = (uint16_t)place;
  }
  release(c);
  const uint32_t now = span(c);
  if (now > c->span) c->span = now;
  return c->span > 2 * c->capacity - 1 ? "a control place is assigned that is in use" : NULL;
}

const char *hd_channel_publish(struct hd_channel_rules *c, uint32_t n) {
  if (n > c->reserved - c->published) return "more is published than was enqueued";
  for (; n; n--) c->element[hd_channel_place(c, c->published++)] = HD_CE_READY;
  return NULL;
}

/* ---- consumers ---- */

uint32_t hd_channel_place(const struct hd_channel_rules *c, uint32_t control) {
  return c->place[control & (2 * c->capacity - 1)];
}

const char *hd_channel_dispatch(struct hd_channel_rules *c, uint32_t start, uint32_t count) {
  if (start != (c->dispatched & (2 * c->capacity - 1))) return "elements are dispatched twice, or skipped";
  if (count > hd_channel_ready(c)) return "an element is dispatched before it is published";
  for (; count; count--) c->element[hd_channel_place(c, c->dispatched++)] = HD_CE_DISPATCHED;
  return NULL;
}

const char *hd_channel_done(struct hd_channel_rules *c, uint32_t base, uint32_t n) {
  for (uint32_t k = 0; k < n; k++) {
    const uint32_t place = base + k;
    if (place >= c->capacity || c->element[place] != HD_CE_DISPATCHED)
      return "an element is done that is not dispatched";
    c->element[place] = HD_CE_DONE;
  }
  return NULL;
}

uint32_t hd_channel_ready(const struct hd_channel_rules *c) {
  return c->published - c->dispatched;
}

bool hd_channel_empty(const struct hd_channel_rules *c) {
  for (uint32_t k = 0; k < c->used; k++)
    if (c->element[at(c, k)] != HD_CE_DONE) return false;
  return true;
}
