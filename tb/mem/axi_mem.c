/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "mem/axi_mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/rng.h"
#include "mem/axi_check.h"
#include "mem/pages.h"

enum { BEATS = 8, ALL_BEATS = 0xff };

/* A burst in flight. */
struct burst {
  uint64_t addr, due; /* due: first cycle in which it may be answered */
  uint8_t id, beats, at, resp;
  uint8_t bad;          /* read: a bit for each beat that has an error */
  uint16_t strb[BEATS]; /* write: its strobes */
  uint8_t data[BEATS][HD_AXI_BEAT];
};

/* Oldest first. */
struct bursts {
  struct burst burst[HD_AXI_BURSTS];
  uint32_t n;
};

struct range {
  uint64_t from, to;
  uint8_t what; /* a response, or an ID */
};

struct ranges {
  struct range *range;
  uint32_t n;
};

struct hd_axi_mem {
  struct hd_axi_profile p;
  struct hd_rng rng;
  struct hd_pages pages;
  struct hd_axi_check check;
  struct hd_axi_response reported; /* outputs of this cycle */
  uint64_t now;
  unsigned held; /* HD_AXI_HOLD_* */
  struct bursts reads;
  struct bursts writes; /* with address and complete data */
  struct bursts open;   /* addresses of writes whose data is not complete */
  struct bursts data;   /* data of writes whose address has not arrived; the last may be incomplete */
  struct ranges spoilt, allowed;
  struct hd_axi_counts counts;
  char text[160];
};

struct hd_axi_mem *hd_axi_mem_new(const struct hd_axi_profile *p, uint32_t clients, uint64_t seed) {
  struct hd_axi_mem *m = calloc(1, sizeof *m);
  if (m == NULL) return NULL;
  m->p = *p;
  m->rng.s = seed;
  m->check.clients = clients;
  return m;
}

void hd_axi_mem_free(struct hd_axi_mem *m) {
  if (m == NULL) return;
  hd_pages_free(&m->pages);
  free(m->spoilt.range);
  free(m->allowed.range);
  free(m);
}

void hd_axi_mem_reset(struct hd_axi_mem *m) {
  m->check = (struct hd_axi_check){.clients = m->check.clients, .cycle = m->check.cycle};
  m->reported = (struct hd_axi_response){0};
  m->reads.n = m->writes.n = m->open.n = m->data.n = 0;
}

static bool add_range(struct ranges *r, uint64_t addr, uint64_t bytes, uint8_t what) {
  struct range *grown = realloc(r->range, (r->n + 1) * sizeof *grown);
  if (grown == NULL) return false;
  r->range = grown;
  r->range[r->n++] = (struct range){addr, addr + bytes, what};
  return true;
}

bool hd_axi_mem_spoil(struct hd_axi_mem *m, uint64_t addr, uint64_t bytes, enum hd_axi_resp resp) {
  return add_range(&m->spoilt, addr, bytes, (uint8_t)resp);
}

bool hd_axi_mem_allow(struct hd_axi_mem *m, uint8_t id, uint64_t addr, uint64_t bytes) {
  return add_range(&m->allowed, addr, bytes, id);
}

bool hd_axi_mem_read(struct hd_axi_mem *m, uint64_t addr, void *bytes, size_t n) {
  return hd_pages_read(&m->pages, addr, bytes, n);
}

bool hd_axi_mem_write(struct hd_axi_mem *m, uint64_t addr, const void *bytes, size_t n) {
  return hd_pages_write(&m->pages, addr, bytes, n);
}

void hd_axi_mem_hold(struct hd_axi_mem *m, unsigned channels) {
  m->held = channels;
}

struct hd_axi_counts hd_axi_mem_counts(const struct hd_axi_mem *m) {
  return m->counts;
}

/* ---- outputs of the memory ---- */

/* Returns the index of the burst to answer now, or -1: the oldest if it is due; with `reorder` any due one that is the
 * oldest of its ID. */
static int choose(struct hd_axi_mem *m, const struct bursts *q) {
  uint32_t may[HD_AXI_BURSTS], n = 0;
  if (q->n == 0) return -1;
  bool seen[256] = {false};
  for (uint32_t i = 0; i < q->n; i++) {
    const struct burst *b = &q->burst[i];
    if (!seen[b->id] && b->due <= m->now) may[n++] = i;
    seen[b->id] = true;
    if (!m->p.reorder) break;
  }
  if (n == 0 || !hd_rng_p(&m->rng, m->p.source)) return -1;
  return (int)may[n == 1 ? 0 : hd_rng_below(&m->rng, n)];
}

static void drop(struct bursts *q, uint32_t i) {
  memmove(q->burst + i, q->burst + i + 1, (--q->n - i) * sizeof *q->burst);
}

static uint64_t word_of(const uint8_t *bytes) {
  uint64_t v = 0;
  for (unsigned k = 8; k-- > 0;) v = v << 8 | bytes[k];
  return v;
}

static uint8_t no_error(struct hd_axi_mem *m) {
  return m->p.exokay && hd_rng_p(&m->rng, m->p.exokay) ? HD_AXI_EXOKAY : HD_AXI_OKAY;
}

/* Returns true if an error answer waits for one on the other channel. other: that one is present. */
static bool waits(const struct hd_axi_mem *m, const struct burst *b, bool other) {
  return m->p.together && b->resp != HD_AXI_OKAY && !other && m->now < b->due + HD_AXI_PATIENCE;
}

static bool write_fails(const struct hd_axi_mem *m) {
  for (uint32_t i = 0; i < m->writes.n; i++)
    if (m->writes.burst[i].resp != HD_AXI_OKAY && m->writes.burst[i].due <= m->now) return true;
  return false;
}

/* Drives R. Returns true if a failed read ends. */
static bool drive_read(struct hd_axi_mem *m, struct hd_axi_response *t) {
  int i = choose(m, &m->reads);
  if (i < 0) return false;
  struct burst *b = &m->reads.burst[i];
  if (b->at + 1 == b->beats && waits(m, b, write_fails(m))) return false;
  t->rvalid = 1;
  t->rid = b->id;
  t->rresp = b->bad >> b->at & 1 ? b->resp : no_error(m);
  t->rdata_lo = word_of(b->data[b->at]);
  t->rdata_hi = word_of(b->data[b->at] + 8);
  t->rlast = ++b->at == b->beats;
  m->counts.read_beats++;
  if (!t->rlast) return false;
  bool failed = b->resp != HD_AXI_OKAY;
  m->counts.reads++;
  m->counts.errors += failed;
  drop(&m->reads, (uint32_t)i);
  return failed;
}

/* Writes the bytes that the strobes of a beat select. */
static void put_beat(struct hd_axi_mem *m, const struct burst *b, unsigned beat) {
  for (unsigned k = 0; k < HD_AXI_BEAT; k++)
    if (b->strb[beat] >> k & 1) hd_pages_write(&m->pages, b->addr + beat * HD_AXI_BEAT + k, &b->data[beat][k], 1);
}

static void drive_answer(struct hd_axi_mem *m, struct hd_axi_response *t, bool read_failed) {
  int i = choose(m, &m->writes);
  if (i < 0) return;
  const struct burst *b = &m->writes.burst[i];
  if (waits(m, b, read_failed)) return;
  t->bvalid = 1;
  t->bid = b->id;
  t->bresp = b->resp != HD_AXI_OKAY ? b->resp : no_error(m);
  for (unsigned k = 0; b->resp == HD_AXI_OKAY && k < b->beats; k++) put_beat(m, b, k);
  m->counts.writes++;
  m->counts.errors += b->resp != HD_AXI_OKAY;
  drop(&m->writes, (uint32_t)i);
}

void hd_axi_mem_drive(struct hd_axi_mem *m, struct hd_axi_response *reported) {
  struct hd_axi_response *t = &m->reported;
  *t = (struct hd_axi_response){0};
  bool read_failed = !(m->held & HD_AXI_HOLD_R) && drive_read(m, t);
  if (!(m->held & HD_AXI_HOLD_B)) drive_answer(m, t, read_failed);
  uint32_t writes = m->writes.n + m->open.n + m->data.n;
  t->awready = hd_rng_p(&m->rng, m->p.sink) && writes < HD_AXI_BURSTS - 1;
  t->wready = hd_rng_p(&m->rng, m->p.sink) && writes < HD_AXI_BURSTS - 1;
  t->arready = hd_rng_p(&m->rng, m->p.sink) && m->reads.n < HD_AXI_BURSTS;
  t->awready &= !(m->held & HD_AXI_HOLD_AW);
  t->wready &= !(m->held & HD_AXI_HOLD_W);
  t->arready &= !(m->held & HD_AXI_HOLD_AR);
  *reported = *t;
}

static uint64_t next_of(const struct bursts *q, uint64_t next) {
  for (uint32_t i = 0; i < q->n; i++)
    if (q->burst[i].due < next) next = q->burst[i].due;
  return next;
}

bool hd_axi_mem_is_idle(const struct hd_axi_mem *m, uint64_t *next) {
  *next = next_of(&m->reads, next_of(&m->writes, UINT64_MAX));
  return m->p.sink == 256 && m->held == 0 && !m->reported.rvalid && !m->reported.bvalid && m->reported.awready &&
         m->reported.arready;
}

void hd_axi_mem_skip(struct hd_axi_mem *m, uint64_t n) {
  m->now += n;
  m->check.cycle += n;
}

/* ---- outputs of the plane ---- */

/* Chooses the response of a burst, and the beats that carry it. */
static void answer(struct hd_axi_mem *m, struct burst *b) {
  uint64_t end = b->addr + (uint64_t)HD_AXI_BEAT * b->beats;
  for (uint32_t i = 0; i < m->spoilt.n && !b->bad; i++)
    if (m->spoilt.range[i].from < end && b->addr < m->spoilt.range[i].to) {
      b->resp = m->spoilt.range[i].what;
      b->bad = ALL_BEATS;
    }
  if (b->bad || m->p.errors == 0 || hd_rng_below(&m->rng, 65536) >= m->p.errors) return;
  b->resp = hd_rng_p(&m->rng, 128) ? HD_AXI_SLVERR : HD_AXI_DECERR;
  b->bad = hd_rng_p(&m->rng, 128) ? ALL_BEATS : (uint8_t)(1u << hd_rng_below(&m->rng, b->beats));
}

/* The burst is complete: it is answered after its latency. */
static void start(struct hd_axi_mem *m, struct bursts *q, struct burst b) {
  b.due = m->now + m->p.latency_min + hd_rng_below(&m->rng, m->p.latency_max - m->p.latency_min + 1);
  answer(m, &b);
  q->burst[q->n++] = b;
}

/* Pairs addresses and data of writes. */
static void match_writes(struct hd_axi_mem *m) {
  while (m->open.n > 0 && m->data.n > 0 && m->data.burst[0].at == m->data.burst[0].beats) {
    struct burst b = m->data.burst[0];
    b.addr = m->open.burst[0].addr;
    b.id = m->open.burst[0].id;
    start(m, &m->writes, b);
    drop(&m->open, 0);
    drop(&m->data, 0);
  }
}

static void set_word(uint8_t *bytes, uint64_t word) {
  for (unsigned k = 0; k < 8; k++) bytes[k] = (uint8_t)(word >> 8 * k);
}

/* Accepts a beat of write data. While a burst is incomplete, `beats` is `at` + 1. */
static void take_data(struct hd_axi_mem *m, const struct hd_axi_request *a) {
  struct burst *b = m->data.n > 0 ? &m->data.burst[m->data.n - 1] : NULL;
  if (b == NULL || b->at == b->beats) {
    b = &m->data.burst[m->data.n++];
    *b = (struct burst){.beats = 1};
  }
  set_word(b->data[b->at], a->wdata_lo);
  set_word(b->data[b->at] + 8, a->wdata_hi);
  b->strb[b->at++] = a->wstrb;
  if (!a->wlast) b->beats++;
  m->counts.write_beats++;
}

static void take_read(struct hd_axi_mem *m, const struct hd_axi_request *a) {
  struct burst b = {.addr = a->araddr, .id = a->arid, .beats = (uint8_t)(a->arlen + 1)};
  hd_pages_read(&m->pages, b.addr, b.data, (size_t)HD_AXI_BEAT * b.beats);
  start(m, &m->reads, b);
}

/* Returns the broken rule if a burst is not within one region of its client. */
static const char *outside(struct hd_axi_mem *m, const char *what, uint8_t id, uint64_t addr, unsigned beats) {
  uint64_t end = addr + (uint64_t)HD_AXI_BEAT * beats;
  bool inside = m->allowed.n == 0;
  for (uint32_t i = 0; i < m->allowed.n; i++) {
    const struct range *r = &m->allowed.range[i];
    inside |= r->what == id && r->from <= addr && end <= r->to;
  }
  if (inside) return NULL;
  snprintf(m->text, sizeof m->text,
           "memory, cycle %" PRIu64 ": client %u %s %u beats at 0x%" PRIx64 ", outside its regions", m->now, id, what,
           beats, addr);
  return m->text;
}

static void count_most(struct hd_axi_mem *m) {
  uint32_t writes = m->writes.n + m->open.n;
  if (m->reads.n > m->counts.reads_most) m->counts.reads_most = m->reads.n;
  if (writes > m->counts.writes_most) m->counts.writes_most = writes;
}

const char *hd_axi_mem_follow(struct hd_axi_mem *m, const struct hd_axi_request *a) {
  const struct hd_axi_response *t = &m->reported;
  const char *rule = hd_axi_check(&m->check, a, t);
  if (rule != NULL) return rule; /* a burst against the rules is not served */
  if (a->awvalid && t->awready) {
    m->open.burst[m->open.n++] = (struct burst){.addr = a->awaddr, .id = a->awid};
    rule = outside(m, "writes", a->awid, a->awaddr, a->awlen + 1u);
  }
  if (a->wvalid && t->wready) take_data(m, a);
  match_writes(m);
  if (a->arvalid && t->arready) {
    take_read(m, a);
    rule = rule != NULL ? rule : outside(m, "reads", a->arid, a->araddr, a->arlen + 1u);
  }
  count_most(m);
  m->now++;
  return rule;
}
