/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/common/memory.h"

#include <string.h>

enum { IDLE, WRITE, ANSWER, READ };

uint64_t hd_memory_mask(const struct hd_cfg *cfg) {
  return UINT64_MAX >> (64 - cfg->addr_w);
}

uint32_t hd_huge_count(struct hd_rng *rng) {
  static const uint32_t counts[] = {0x10000, 0x80000000, 0x80000001, UINT32_MAX};
  return counts[hd_rng_below(rng, sizeof counts / sizeof *counts)];
}

uint64_t hd_memory_region(struct hd_rng *rng, const struct hd_cfg *cfg, uint64_t size) {
  return hd_rng_bits(rng, cfg->addr_w) & ~(size - 1);
}

uint64_t hd_memory_place(struct hd_rng *rng, uint64_t region, uint64_t size, uint64_t array) {
  const uint64_t step = array < 128 ? 128 : array;
  return region + hd_rng_below(rng, (uint32_t)(size / step)) * step;
}

uint64_t hd_memory_get(const uint8_t *p, unsigned n) {
  uint64_t v = 0;
  while (n--) v = v << 8 | p[n];
  return v;
}

void hd_memory_put(uint8_t *p, unsigned n, uint64_t value) {
  for (unsigned k = 0; k < n; k++) p[k] = (uint8_t)(value >> 8 * k);
}

/* Returns the bytes of a beat, NULL if outside. */
static uint8_t *beat_at(uint64_t addr, uint8_t *bytes, uint64_t base, uint64_t size) {
  return addr >= base && addr - base + 16 <= size ? bytes + (addr - base) : NULL;
}

static void store(const struct hd_membeat *w, uint8_t *at) {
  for (unsigned k = 0; at && k < 16; k++)
    if (w->strb >> k & 1) at[k] = (uint8_t)((k < 8 ? w->lo : w->hi) >> 8 * (k % 8));
}

static void take_beat(struct hd_memory *m, struct hd_rng *rng, const struct hd_membeat *w, uint8_t *at) {
  store(w, at);
  m->addr += 16;
  if (--m->left) return;
  m->state = ANSWER;
  m->wait = (uint8_t)(2 + hd_rng_below(rng, 4)); /* W and B have one register each */
}

static void start(struct hd_memory *m, struct hd_rng *rng, const struct hd_profile *p, const struct hd_memreq *req) {
  m->state = req->write ? WRITE : READ;
  m->addr = req->addr;
  m->left = (uint8_t)(req->len + 1);
  m->spoilt = hd_rng_p(rng, p->bad / 12);
  /* AR and R have one register each; sometimes the memory is slow. */
  m->wait = (uint8_t)(req->write ? 0 : 2 + hd_rng_below(rng, hd_rng_p(rng, 16) ? 100 : 4));
}

static void drive_read(struct hd_memory *m, struct hd_rng *rng, const uint8_t *at) {
  m->pins.r_valid = 1;
  m->pins.r.lo = at ? hd_memory_get(at, 8) : hd_rng_next(rng);
  m->pins.r.hi = at ? hd_memory_get(at + 8, 8) : hd_rng_next(rng);
  m->pins.r.last = m->left == 1;
  m->pins.r.error = m->spoilt && (m->left == 1 || hd_rng_p(rng, 128));
  if (m->pins.r.error) m->spoilt = m->left > 1 && hd_rng_p(rng, 128);
  m->addr += 16;
  if (!--m->left) m->state = IDLE;
}

void hd_memory_drive(struct hd_memory *m, struct hd_rng *rng, const struct hd_profile *p, const struct hd_memup *asked,
                     uint8_t *bytes, uint64_t base, uint64_t size) {
  bool taken = m->pins.ready && asked->valid, beat = m->pins.take;
  if (beat) take_beat(m, rng, &asked->wbeat, beat_at(m->addr, bytes, base, size));
  if (taken) start(m, rng, p, &asked->req);
  memset(&m->pins, 0, sizeof m->pins);
  m->pins.ready = m->state == IDLE && hd_rng_p(rng, p->sink);
  if (m->state == IDLE) return;
  if (m->wait) {
    m->wait--;
    return;
  }
  if (!hd_rng_p(rng, p->sink)) return;
  if (m->state == WRITE) m->pins.take = 1;
  if (m->state == READ) drive_read(m, rng, beat_at(m->addr, bytes, base, size));
  if (m->state == ANSWER) {
    m->pins.b_valid = 1;
    m->pins.b_error = m->spoilt;
    m->state = IDLE;
  }
}

void hd_memory_damage(struct hd_memory *m, struct hd_rng *rng, const struct hd_profile *p, uint8_t *bytes,
                      uint64_t base, uint64_t size, unsigned used) {
  uint8_t *at = beat_at(m->addr, bytes, base, size);
  if (m->state != READ || m->left != HD_MEMORY_KERNEL_BEATS || !at) return;
  if (hd_rng_p(rng, p->bad / 12)) at[HD_MEMORY_SMX] = (uint8_t)hd_rng_bits(rng, 8);
  if (hd_rng_p(rng, 32))
    for (unsigned k = used; k < 16 * HD_MEMORY_KERNEL_BEATS; k++) at[k] = (uint8_t)hd_rng_bits(rng, 8);
}

uint8_t hd_memory_smx(const struct hd_cfg *cfg, uint64_t lo) {
  unsigned smx = (unsigned)(lo >> 8 * (HD_MEMORY_SMX % 8)) & ((1u << cfg->smx_w) - 1);
  return (uint8_t)(smx < cfg->num_smx ? smx : 0);
}

void hd_memory_drive_posts(struct hd_memory_posts *m, struct hd_rng *rng, const struct hd_profile *p,
                           const struct hd_memup *asked) {
  bool taken = m->pins.ready && asked->valid, beat = m->pins.take;
  if (taken) m->taking = 1;
  if (beat) {
    m->taking = 0;
    m->wait[m->unanswered++] = (uint8_t)(2 + hd_rng_below(rng, m->slow ? 60 : 4));
  }
  memset(&m->pins, 0, sizeof m->pins);
  if (!hd_rng_below(rng, 200)) m->slow = hd_rng_p(rng, 100);
  m->pins.ready = !m->taking && m->unanswered < HD_MEMORY_POSTS && hd_rng_p(rng, p->sink);
  m->pins.take = m->taking && hd_rng_p(rng, p->sink);
  for (unsigned k = 0; k < m->unanswered; k++) m->wait[k] -= m->wait[k] > 0;
  if (!m->unanswered || m->wait[0] || !hd_rng_p(rng, p->sink)) return;
  memmove(m->wait, m->wait + 1, --m->unanswered);
  m->pins.b_valid = 1;
  m->pins.b_error = hd_rng_p(rng, p->bad / 12);
}

/* Returns the write whose beats are being accepted, or NULL. */
static struct hd_memory_burst *taking(struct hd_memory_bursts *m) {
  struct hd_memory_burst *w = &m->write[(m->first_write + m->writes + HD_MEMORY_FLIGHT - 1u) % HD_MEMORY_FLIGHT];
  return m->writes && w->left ? w : NULL;
}

/* Returns the earliest cycle for the answer to a burst that was complete in the previous cycle. */
static uint32_t due(const struct hd_memory_bursts *m, struct hd_rng *rng) {
  if (m->latency) return m->now - 1 + m->latency;
  return m->now + 1 + hd_rng_below(rng, hd_rng_p(rng, 8) ? 100 : 4) + (m->slow ? hd_rng_below(rng, m->slow) : 0);
}

/* Returns the beats to answer with errors: none, one, or all. */
static uint16_t spoil(const struct hd_memory_bursts *m, struct hd_rng *rng, const struct hd_profile *p,
                      unsigned beats) {
  if (m->latency || !hd_rng_p(rng, p->bad / 12)) return 0;
  return hd_rng_p(rng, 64) ? 0xffff : (uint16_t)(1u << hd_rng_below(rng, beats) % 16);
}

static void start_many(struct hd_memory_bursts *m, struct hd_rng *rng, const struct hd_profile *p,
                       const struct hd_memreq *req) {
  struct hd_memory_burst b = {.addr = req->addr, .left = (uint16_t)(req->len + 1)};
  b.spoilt = spoil(m, rng, p, b.left);
  if (req->write) {
    m->write[(m->first_write + m->writes++) % HD_MEMORY_FLIGHT] = b;
  } else {
    b.due = due(m, rng);
    m->read[(m->first_read + m->reads++) % HD_MEMORY_FLIGHT] = b;
  }
}

static void take_many(struct hd_memory_bursts *m, struct hd_rng *rng, const struct hd_membeat *beat, uint8_t *bytes,
                      uint64_t base, uint64_t size) {
  struct hd_memory_burst *w = taking(m);
  store(beat, beat_at(w->addr, bytes, base, size));
  w->addr += 16;
  if (!--w->left) w->due = due(m, rng);
}

static bool is_due(const struct hd_memory_bursts *m, const struct hd_memory_burst *b) {
  return (int32_t)(m->now - b->due) >= 0;
}

static void drive_answer(struct hd_memory_bursts *m) {
  const struct hd_memory_burst *w = &m->write[m->first_write];
  if (!m->writes || m->holds_answers || w->left || !is_due(m, w)) return;
  m->pins.b_valid = 1;
  m->pins.b_error = w->spoilt != 0;
  m->first_write = (m->first_write + 1) % HD_MEMORY_FLIGHT;
  m->writes--;
}

static void drive_beat(struct hd_memory_bursts *m, struct hd_rng *rng, uint8_t *bytes, uint64_t base, uint64_t size) {
  struct hd_memory_burst *r = &m->read[m->first_read];
  if (!m->reads || m->holds_reads || !is_due(m, r)) return;
  const uint8_t *at = beat_at(r->addr, bytes, base, size);
  m->pins.r_valid = 1;
  m->pins.r.lo = at ? hd_memory_get(at, 8) : hd_rng_next(rng);
  m->pins.r.hi = at ? hd_memory_get(at + 8, 8) : hd_rng_next(rng);
  m->pins.r.last = r->left == 1;
  m->pins.r.error = r->spoilt & 1;
  r->spoilt = (uint16_t)(r->spoilt >> 1 | r->spoilt << 15);
  r->addr += 16;
  if (--r->left) return;
  m->first_read = (m->first_read + 1) % HD_MEMORY_FLIGHT;
  m->reads--;
}

void hd_memory_drive_bursts(struct hd_memory_bursts *m, struct hd_rng *rng, const struct hd_profile *p,
                            const struct hd_memup *asked, uint8_t *bytes, uint64_t base, uint64_t size) {
  bool taken = m->pins.ready && asked->valid, beat = m->pins.take, fixed = m->latency != 0;
  m->now++;
  if (!fixed && !hd_rng_below(rng, 300))
    m->slow = hd_rng_p(rng, 60) ? 1 + hd_rng_below(rng, 1 + hd_rng_below(rng, 600)) : 0;
  if (beat) take_many(m, rng, &asked->wbeat, bytes, base, size);
  if (taken) start_many(m, rng, p, &asked->req);
  memset(&m->pins, 0, sizeof m->pins);
  bool room = m->writes < HD_MEMORY_FLIGHT && m->reads < HD_MEMORY_FLIGHT;
  if (fixed || hd_rng_p(rng, p->sink)) {
    m->pins.ready = !taking(m) && room;
    m->pins.take = taking(m) != NULL;
  }
  if (fixed || hd_rng_p(rng, p->sink)) drive_answer(m);
  if (fixed || hd_rng_p(rng, p->sink)) drive_beat(m, rng, bytes, base, size);
}
