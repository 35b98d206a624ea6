/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "gpu/memsys.h"

#include <stdio.h>
#include <stdlib.h>

#include "gpu/cache.h"
#include "gpu/outstanding.h"
#include "gpu/port.h"

#define FRACTION 256u /* units of channel time per cycle: a line does not take a whole number of cycles */

struct smx {
  struct hd_cache l1; /* notes: requests that wait for the line, including the first */
  struct hd_outstanding mshrs, stores;
  struct hd_port port; /* lines to the SMX */
  uint64_t sends;      /* first cycle in which it can send the next request */
};

struct part {
  struct hd_cache l2; /* notes: 1 if the line is dirty */
  uint64_t takes;     /* first cycle in which it can accept the next request */
  uint64_t moves;     /* time at which its channel can move the next line, in fractions of a cycle */
  uint64_t works;     /* end of the channel's work so far, in fractions of a cycle */
  uint64_t active;    /* time in which the channel had work, in fractions of a cycle */
  uint64_t waits;     /* end of the last wait of a reply for a port */
};

struct hd_memsys {
  struct hd_memsys_opts o;
  uint32_t smxs;
  uint64_t line_fractions; /* time that a line occupies its channel */
  struct smx *smx;
  struct part *part;
  struct hd_memsys_counts n;
};

struct hd_memsys_opts hd_memsys_defaults(void) {
  return (struct hd_memsys_opts){.line = HD_LINE_BYTES,
                                 .l1_kb = 16,
                                 .l1_ways = 4,
                                 .l1_latency = 20,
                                 .mshrs = 32,
                                 .merges = 8,
                                 .port_cycles = 4,
                                 .stores = 32,
                                 .l2_kb = 768,
                                 .l2_ways = 8,
                                 .l2_parts = 12,
                                 .l2_latency = 120,
                                 .l2_cycles = 4,
                                 .dram_latency = 220,
                                 .dram_bandwidth = 295,
                                 .dram_queue = 32};
}

/* ---- creation ---- */

static uint32_t lines_of(const struct hd_memsys_opts *o, uint32_t kb) {
  return kb * (1024 / o->line);
}

/* Returns the smallest size in whole KB that is a multiple of `lines` lines. */
static uint32_t step_kb(const struct hd_memsys_opts *o, uint32_t lines) {
  uint32_t kb = 1;
  while (lines_of(o, kb) % lines != 0) kb++;
  return kb;
}

bool hd_memsys_check(const struct hd_memsys_opts *o, char *text, size_t text_size) {
  if (lines_of(o, o->l1_kb) % o->l1_ways != 0)
    snprintf(text, text_size,
             "an L1 of %u KB is not a whole number of sets of %u ways; a multiple of %u KB would be accepted", o->l1_kb,
             o->l1_ways, step_kb(o, o->l1_ways));
  else if (lines_of(o, o->l2_kb) % (o->l2_parts * o->l2_ways) != 0)
    snprintf(
        text, text_size,
        "an L2 of %u KB is not a whole number of sets of %u ways in each of %u parts; a multiple of %u KB would be "
        "accepted",
        o->l2_kb, o->l2_ways, o->l2_parts, step_kb(o, o->l2_parts * o->l2_ways));
  else if (o->l2_latency < o->port_cycles || o->dram_latency < o->l2_latency)
    snprintf(text, text_size,
             "latencies of %u cycles for a line through the port, %u from the L2, %u from DRAM: each includes the one "
             "before, so values that do not decrease would be accepted",
             o->port_cycles, o->l2_latency, o->dram_latency);
  else
    return true;
  return false;
}

/* Returns an upper bound of the cycles from a request to the arrival of the line: all requests that can be outstanding
 * are ahead of it in one part. */
static uint64_t longest(const struct hd_memsys *m) {
  const struct hd_memsys_opts *o = &m->o;
  uint64_t outstanding = (uint64_t)m->smxs * (o->mshrs + o->stores) + o->dram_queue;
  uint64_t each = 2 * (m->line_fractions / FRACTION + 1) + o->l2_cycles + o->port_cycles;
  return o->dram_latency + outstanding * each + (uint64_t)o->stores * o->port_cycles;
}

static bool make_smx(struct smx *s, const struct hd_memsys_opts *o, uint64_t ahead) {
  return hd_cache_init(&s->l1, lines_of(o, o->l1_kb) / o->l1_ways, o->l1_ways) &&
         hd_outstanding_init(&s->mshrs, o->mshrs) && hd_outstanding_init(&s->stores, o->stores) &&
         hd_port_init(&s->port, ahead);
}

struct hd_memsys *hd_memsys_new(const struct hd_memsys_opts *o, uint32_t smxs, char *text, size_t text_size) {
  if (!hd_memsys_check(o, text, text_size)) return NULL;
  struct hd_memsys *m = calloc(1, sizeof *m);
  snprintf(text, text_size, "out of memory");
  if (m == NULL) return NULL;
  *m = (struct hd_memsys){
      .o = *o, .smxs = smxs, .smx = calloc(smxs, sizeof *m->smx), .part = calloc(o->l2_parts, sizeof *m->part)};
  m->line_fractions = ((uint64_t)o->line * FRACTION * o->l2_parts + o->dram_bandwidth / 2) / o->dram_bandwidth;
  bool good = m->smx != NULL && m->part != NULL;
  for (uint32_t s = 0; good && s < smxs; s++) good = make_smx(&m->smx[s], o, longest(m));
  for (uint32_t p = 0; good && p < o->l2_parts; p++)
    good = hd_cache_init(&m->part[p].l2, lines_of(o, o->l2_kb) / o->l2_parts / o->l2_ways, o->l2_ways);
  if (good) return m;
  hd_memsys_free(m);
  return NULL;
}

void hd_memsys_free(struct hd_memsys *m) {
  if (m == NULL) return;
  for (uint32_t s = 0; m->smx != NULL && s < m->smxs; s++) {
    hd_cache_free(&m->smx[s].l1);
    hd_outstanding_free(&m->smx[s].mshrs);
    hd_outstanding_free(&m->smx[s].stores);
    hd_port_free(&m->smx[s].port);
  }
  for (uint32_t p = 0; m->part != NULL && p < m->o.l2_parts; p++) hd_cache_free(&m->part[p].l2);
  free(m->smx);
  free(m->part);
  free(m);
}

/* ---- DRAM ---- */

static uint64_t later(uint64_t x, uint64_t y) {
  return x > y ? x : y;
}

/* Moves a line, requested in cycle `from`, through the part's channel. Returns the cycle in which the transfer begins.
 * For a read, the channel counts as active until the data are at the L2. */
static uint64_t move_line(struct hd_memsys *m, struct part *p, uint64_t from, uint64_t access) {
  uint64_t begin = later(p->moves, from * FRACTION);
  p->moves = begin + m->line_fractions;
  uint64_t end = p->moves + access * FRACTION;
  uint64_t since = later(p->works, from * FRACTION);
  if (end > since) p->active += end - since;
  p->works = later(p->works, end);
  return begin / FRACTION;
}

/* Returns the first cycle in which the queue of the part's channel has room. */
static uint64_t queue_room(const struct hd_memsys *m, const struct part *p) {
  uint64_t full = m->o.dram_queue * m->line_fractions;
  return p->moves > full ? (p->moves - full + FRACTION - 1) / FRACTION : 0;
}

/* ---- L2 ---- */

/* The part and the set of a line in the L2. */
struct place {
  struct part *part;
  uint64_t *set;
};

static struct place place_of(const struct hd_memsys *m, uint32_t line) {
  uint32_t number = line / m->o.l2_parts;
  struct part *p = &m->part[line - number * m->o.l2_parts];
  return (struct place){p, hd_cache_set(&p->l2, number)};
}

/* A request. `start`: cycle in which the part accepts it, in the order of the calls; `made`: cycle in which it is made,
 * which may be later. */
struct request {
  uint64_t *set;
  uint32_t line;
  bool store;
  uint64_t start, made;
};

/* A miss: allocates a way. Returns the cycle in which the part can return the line, without l2_latency. */
static uint64_t fetch(struct hd_memsys *m, struct part *p, struct request *r) {
  const uint64_t asked = r->start;
  r->start = later(r->start, queue_room(m, p));
  m->n.dram_full += r->start - asked;
  uint64_t soonest, there = later(r->start, r->made);
  uint32_t way = hd_cache_victim(&p->l2, r->set, r->start, &soonest);
  bool evicts = way != HD_CACHE_NONE && hd_cache_note(&p->l2, r->set)[way] != 0;
  uint32_t access = m->o.dram_latency - m->o.l2_latency;
  if (!r->store) {
    there = later(move_line(m, p, r->start, access), r->made) + access;
    m->n.dram_reads++;
  }
  if (evicts || (r->store && way == HD_CACHE_NONE)) {
    move_line(m, p, r->start, 0);
    m->n.dram_writes++;
  }
  if (way == HD_CACHE_NONE) return there; /* all ways are in flight: the line is not stored */
  hd_cache_put(&p->l2, r->set, way, r->line, there);
  hd_cache_note(&p->l2, r->set)[way] = r->store;
  return there;
}

/* Returns the cycle in which the part can return the data, without l2_latency; for a store, accepts it. */
static uint64_t read_l2(struct hd_memsys *m, struct place at_l2, uint64_t now, uint64_t late, uint32_t line,
                        bool store) {
  struct part *p = at_l2.part;
  struct request r = {at_l2.set, line, store, later(now, p->takes), now + late};
  uint32_t way = hd_cache_find(&p->l2, r.set, line);
  uint64_t there = later(r.start, r.made);
  if (way == HD_CACHE_NONE) {
    there = fetch(m, p, &r);
  } else if (store) {
    hd_cache_note(&p->l2, r.set)[way] = true;
  } else {
    const uint64_t ready = hd_cache_ready(&p->l2, r.set)[way];
    bool here = ready <= there;
    m->n.l2_hits += here;
    m->n.l2_merged += !here;
    there = later(there, ready);
  }
  m->n.l2_loads += !store;
  p->takes = r.start + m->o.l2_cycles;
  return there;
}

/* ---- L1 ---- */

/* The SMX sends a request or a line that takes `cycles`. Returns the cycles that it waits before. */
static uint64_t send(struct smx *s, uint64_t now, uint32_t cycles) {
  uint64_t begin = later(now, s->sends);
  s->sends = begin + cycles;
  return begin - now;
}

/* Counts cycles `from` to `to` - 1, in which a reply of the part waits; overlapping waits count once. */
static void reply_waits(struct hd_memsys *m, struct part *p, uint64_t from, uint64_t to) {
  from = later(from, p->waits);
  if (to <= from) return;
  m->n.icnt2sm += to - from;
  p->waits = to;
}

/* A load in cycle *at, or in the first later cycle in which an MSHR and a way are free, which it writes to
 * *at. Returns the cycle in which its data arrive; 0 if the load is not possible up to cycle `until`: retry in *at. */
static uint64_t miss(struct hd_memsys *m, struct smx *s, uint64_t now, uint64_t until, uint32_t line, uint64_t *at) {
  uint64_t *set = hd_cache_set(&s->l1, line);
  uint64_t soonest;
  uint32_t way;
  for (;;) {
    if (!hd_outstanding_room(&s->mshrs, *at, at)) {
      m->n.no_mshr++;
    } else {
      way = hd_cache_victim(&s->l1, set, *at, &soonest);
      if (way != HD_CACHE_NONE) break;
      m->n.no_way++;
      *at = soonest;
    }
    if (*at > until) return 0;
  }
  uint64_t late = *at - now;
  late += send(s, *at, 1);
  struct place at_l2 = place_of(m, line);
  uint64_t arrives = read_l2(m, at_l2, now, late, line, false) + m->o.l2_latency - m->o.port_cycles;
  uint64_t there = hd_port_take(&s->port, arrives, m->o.port_cycles);
  reply_waits(m, at_l2.part, arrives, there - m->o.port_cycles);
  hd_cache_put(&s->l1, set, way, line, there);
  hd_cache_note(&s->l1, set)[way] = 1;
  hd_outstanding_add(&s->mshrs, there);
  m->n.filled++;
  m->n.loads++;
  return there;
}

static inline uint64_t load(struct hd_memsys *m, struct smx *s, uint64_t now, uint64_t until, uint32_t line,
                            uint64_t *at) {
  struct hd_cache *l1 = &s->l1;
  uint64_t *set = hd_cache_set(l1, line);
  const uint32_t way = hd_cache_find(l1, set, line);
  if (way == HD_CACHE_NONE) return miss(m, s, now, until, line, at);
  const uint64_t ready = hd_cache_ready(l1, set)[way];
  uint32_t *asked = &hd_cache_note(l1, set)[way];
  if (ready > *at && *asked == m->o.merges) {
    m->n.no_merge++;
    *at = ready;
    if (ready > until) return 0;
  }
  const bool here = ready <= *at;
  *asked += !here;
  m->n.loads++;
  m->n.l1_hits += here;
  m->n.l1_merged += !here;
  return here ? *at + m->o.l1_latency : ready;
}

/* Invalidates a line in an L1 that has it. */
static inline void drop(struct smx *s, uint64_t now, uint32_t line) {
  uint64_t *set = hd_cache_set(&s->l1, line);
  const uint32_t way = hd_cache_find(&s->l1, set, line);
  if (way != HD_CACHE_NONE && hd_cache_ready(&s->l1, set)[way] <= now) hd_cache_drop(&s->l1, set, way);
}

/* As miss(), for a store: waits for a place of the store buffer, and returns the cycle after the store. */
static inline uint64_t store(struct hd_memsys *m, struct smx *s, uint64_t now, uint64_t until, uint32_t line,
                             uint64_t *at) {
  if (!hd_outstanding_room(&s->stores, *at, at)) {
    m->n.store_waits++;
    if (*at > until) return 0;
    hd_outstanding_room(&s->stores, *at, at);
  }
  drop(s, *at, line);
  for (uint32_t k = 0; m->o.coherent && k < m->smxs; k++) drop(&m->smx[k], *at, line);
  uint64_t late = *at - now;
  late += send(s, *at, m->o.port_cycles);
  hd_outstanding_add(&s->stores, read_l2(m, place_of(m, line), now, late, line, true) + m->o.port_cycles);
  m->n.stores++;
  return *at + 1;
}

void hd_memsys_ahead(const struct hd_memsys *m, const uint32_t *line, uint32_t n) {
  for (uint32_t k = 0; k < n; k++) {
    const struct place p = place_of(m, line[k]);
    hd_cache_ahead(&p.part->l2, p.set);
  }
}

bool hd_memsys_send(struct hd_memsys *m, uint32_t smx, uint64_t now, uint64_t until, const uint32_t *line, uint32_t n,
                    struct hd_memsys_sends *s) {
  struct smx *x = &m->smx[smx];
  while (s->sent < n) {
    if (s->free > until) return false;
    uint64_t at = s->free, there = s->store ? store(m, x, now, until, line[s->sent], &at)
                                            : load(m, x, now, until, line[s->sent], &at);
    s->waits += at - s->free;
    s->free = at;
    if (there == 0) return false;
    s->sent++;
    s->free++;
    s->slowest = later(s->slowest, there);
  }
  return true;
}

/* ---- counts ---- */

double hd_memsys_dram_cycles(const struct hd_memsys *m) {
  return (double)m->line_fractions / FRACTION;
}

void hd_memsys_contention(const struct hd_memsys *m, uint64_t *dram_full, uint64_t *icnt2sm) {
  *dram_full = m->n.dram_full;
  *icnt2sm = m->n.icnt2sm;
}

struct hd_memsys_counts hd_memsys_counts(struct hd_memsys *m, uint64_t now) {
  struct hd_memsys_counts n = m->n;
  for (uint32_t s = 0; s < m->smxs; s++) {
    uint64_t soonest;
    hd_outstanding_room(&m->smx[s].mshrs, now, &soonest);
    n.filled -= m->smx[s].mshrs.n;
  }
  for (uint32_t p = 0; p < m->o.l2_parts; p++) n.dram_active += (double)m->part[p].active / FRACTION;
  n.dram_busy = (double)(n.dram_reads + n.dram_writes) * hd_memsys_dram_cycles(m);
  return n;
}
