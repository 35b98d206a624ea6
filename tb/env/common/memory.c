/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/common/memory.h"

#include <string.h>

enum { IDLE, WRITE, ANSWER, READ };

uint64_t hd_memory_get(const uint8_t *p, unsigned n) {
  uint64_t v = 0;
  while (n--) v = v << 8 | p[n];
  return v;
}

void hd_memory_put(uint8_t *p, unsigned n, uint64_t value) {
  for (unsigned k = 0; k < n; k++) p[k] = (uint8_t)(value >> 8 * k);
}

/* Bytes of the beat at m->addr, NULL outside. */
static uint8_t *beat_at(const struct hd_memory *m, uint8_t *bytes, uint64_t base, uint64_t size) {
  return m->addr >= base && m->addr - base + 16 <= size ? bytes + (m->addr - base) : NULL;
}

static void take_beat(struct hd_memory *m, struct hd_rng *rng, const struct hd_membeat *w, uint8_t *at) {
  for (unsigned k = 0; at && k < 16; k++)
    if (w->strb >> k & 1) at[k] = (uint8_t)((k < 8 ? w->lo : w->hi) >> 8 * (k % 8));
  m->addr += 16;
  if (--m->left) return;
  m->state = ANSWER;
  m->wait = (uint8_t)(2 + hd_rng_below(rng, 4)); /* W and B pass a register each */
}

static void start(struct hd_memory *m, struct hd_rng *rng, const struct hd_profile *p, const struct hd_memreq *req) {
  m->state = req->write ? WRITE : READ;
  m->addr = req->addr;
  m->left = (uint8_t)(req->len + 1);
  m->spoilt = hd_rng_p(rng, p->bad / 12);
  /* AR and R pass a register each; now and then the memory is slow. */
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

void hd_memory_drive(struct hd_memory *m, struct hd_rng *rng, const struct hd_profile *p,
                     const struct hd_memory_asked *asked, uint8_t *bytes, uint64_t base, uint64_t size) {
  bool taken = m->pins.req_ready && asked->req_valid, beat = m->pins.wbeat_take;
  if (beat) take_beat(m, rng, &asked->wbeat, beat_at(m, bytes, base, size));
  if (taken) start(m, rng, p, &asked->req);
  memset(&m->pins, 0, sizeof m->pins);
  m->pins.req_ready = m->state == IDLE && hd_rng_p(rng, p->sink);
  if (m->state == IDLE) return;
  if (m->wait) {
    m->wait--;
    return;
  }
  if (!hd_rng_p(rng, p->sink)) return;
  if (m->state == WRITE) m->pins.wbeat_take = 1;
  if (m->state == READ) drive_read(m, rng, beat_at(m, bytes, base, size));
  if (m->state == ANSWER) {
    m->pins.b_valid = 1;
    m->pins.b_error = m->spoilt;
    m->state = IDLE;
  }
}

void hd_memory_damage(struct hd_memory *m, struct hd_rng *rng, const struct hd_profile *p, uint8_t *bytes,
                      uint64_t base, uint64_t size, unsigned used) {
  uint8_t *at = beat_at(m, bytes, base, size);
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
                           const struct hd_memory_asked *asked) {
  bool taken = m->pins.req_ready && asked->req_valid, beat = m->pins.wbeat_take;
  if (taken) m->taking = 1;
  if (beat) {
    m->taking = 0;
    m->wait[m->unanswered++] = (uint8_t)(2 + hd_rng_below(rng, m->slow ? 60 : 4));
  }
  memset(&m->pins, 0, sizeof m->pins);
  if (!hd_rng_below(rng, 200)) m->slow = hd_rng_p(rng, 100);
  m->pins.req_ready = !m->taking && m->unanswered < HD_MEMORY_POSTS && hd_rng_p(rng, p->sink);
  m->pins.wbeat_take = m->taking && hd_rng_p(rng, p->sink);
  for (unsigned k = 0; k < m->unanswered; k++) m->wait[k] -= m->wait[k] > 0;
  if (!m->unanswered || m->wait[0] || !hd_rng_p(rng, p->sink)) return;
  memmove(m->wait, m->wait + 1, --m->unanswered);
  m->pins.b_valid = 1;
  m->pins.b_error = hd_rng_p(rng, p->bad / 12);
}
