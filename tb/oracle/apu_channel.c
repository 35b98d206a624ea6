/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "oracle/apu_channel.h"

#include <string.h>

void hd_apu_channel_init(struct hd_apu_channel *c, uint32_t capacity, uint32_t grain) {
  memset(c, 0, sizeof *c);
  c->capacity = capacity;
  c->grain = grain;
}

static bool of_none(const struct hd_apu_channel *c, uint32_t place) {
  return c->element[place] == HD_CE_AVAILABLE || c->element[place] == HD_CE_DONE;
}

static bool all_of_none(const struct hd_apu_channel *c, uint32_t base, uint32_t n) {
  for (uint32_t k = 0; k < n; k++)
    if (!of_none(c, base + k)) return false;
  return true;
}

/* Returns true if all elements from the tail to base + n, and on to the end of that grain, are unowned; those before
 * base may also have been granted late. */
static bool clear_from_tail(const struct hd_apu_channel *c, uint32_t base, uint32_t n) {
  const uint32_t far = (base - c->tail) & (c->capacity - 1);
  const uint32_t grain = (c->grain - (base + n) % c->grain) % c->grain;
  for (uint32_t k = 0; k < far; k++) {
    const uint32_t place = (c->tail + k) & (c->capacity - 1);
    if (!of_none(c, place) && !c->late[place]) return false;
  }
  return all_of_none(c, base, n + grain);
}

const char *hd_apu_channel_grant(struct hd_apu_channel *c, uint32_t base, uint32_t n, bool late) {
  if (!n || base >= c->capacity || n > c->capacity - base) return "a grant is empty or not contiguous";
  if (late ? !all_of_none(c, base, n) : !clear_from_tail(c, base, n)) return "elements are granted that are not free";
  for (uint32_t place = c->tail; !late && place != base; place = (place + 1) & (c->capacity - 1)) c->late[place] = 0;
  if (!late) c->tail = (base + n) & (c->capacity - 1);
  memset(c->late + base, late, n);
  memset(c->element + base, HD_CE_RESERVED, n);
  c->live += n;
  c->granted += n;
  return NULL;
}

const char *hd_apu_channel_enqueue(struct hd_apu_channel *c, uint32_t base, uint32_t n) {
  for (uint32_t k = base; k < base + n; k++) {
    if (k >= c->capacity || c->element[k] != HD_CE_RESERVED) return "an element is enqueued that is not reserved";
    c->element[k] = HD_CE_SENT;
    c->place[c->enqueued++ & (2 * c->capacity - 1)] = (uint16_t)k;
  }
  return NULL;
}

const char *hd_apu_channel_write(struct hd_apu_channel *c, uint32_t place, uint32_t offset) {
  const uint32_t next = c->written & (2 * c->capacity - 1);
  if (place != next) return "control places are written out of order";
  if (c->written++ == c->enqueued) return "a control place is written that was not assigned";
  return c->place[next] == offset ? NULL : "an offset is written that differs from the enqueued one";
}

void hd_apu_channel_publish(struct hd_apu_channel *c, uint32_t n) {
  for (; n; n--) c->element[c->place[c->published++ & (2 * c->capacity - 1)]] = HD_CE_READY;
}

const char *hd_apu_channel_dispatch(struct hd_apu_channel *c, uint32_t start, uint32_t count) {
  if (start != (c->dispatched & (2 * c->capacity - 1))) return "elements are dispatched twice, or skipped";
  if (count > hd_apu_channel_ready(c)) return "an element is dispatched before it is published";
  for (; count; count--) c->element[c->place[c->dispatched++ & (2 * c->capacity - 1)]] = HD_CE_DISPATCHED;
  return NULL;
}

const char *hd_apu_channel_done(struct hd_apu_channel *c, uint32_t base, uint32_t n) {
  for (uint32_t k = base; k < base + n; k++) {
    if (k >= c->capacity || c->element[k] != HD_CE_DISPATCHED) return "an element is done that is not dispatched";
    c->element[k] = HD_CE_DONE;
  }
  c->live -= n;
  return NULL;
}

uint32_t hd_apu_channel_ready(const struct hd_apu_channel *c) {
  return c->published - c->dispatched;
}

uint32_t hd_apu_channel_coming(const struct hd_apu_channel *c) {
  return c->granted - c->published;
}
