/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* unwind: 20
 * sets: PoolRows=4 PoolDepth=2 */
#define HAS_GHOST
#include "../order.h"
/* Where a place is: not used since the region was empty; being read, or about to be free; free; in a queue. */
enum { NONE, OUT, CHAIN, QUEUE };
struct memq_ghost {
  struct order order;
  uint32_t count; /* of the cycle before */
  unsigned free;  /* cycles of the operation in which the memory accepted what it was offered */
};
/* pool has a memq inside, and defines MEMQ: the name of a register of it. */
#ifndef MEMQ
#define MEMQ(name) name
#define ALONE
static struct ghost { struct memq_ghost memq; } ghost;
#endif

static _Bool looks(const struct hd_memq *m, _Bool put) {
  return m->op == HD_MEMQ_READ_NEXT && m->write == put;
}

static unsigned ring(unsigned first, unsigned n) {
  return (first + n) % cfg.memq_flight;
}

static unsigned length(const struct order *o, unsigned list) {
  unsigned n = 0;
  for (unsigned p = 0; p < cfg.memq_places; p++) n += o->list[p] == list;
  return n;
}

/* A put of this place is not answered. */
static _Bool in_flight(const struct hd_memq *m, unsigned p) {
  _Bool any = 0;
  for (unsigned i = 0; i < cfg.memq_flight; i++) any |= i < m->puts && m->put[ring(m->first_put, i)].place == p;
  return any;
}

static void list_of_invariant(const struct hd_memq *m, const struct order *o) {
  for (unsigned p = 0; p < cfg.memq_places; p++) {
    CHECK((p < m->fresh) == (o->list[p] != NONE), "fresh");
    CHECK(o->list[p] < QUEUE + cfg.memq_queues, "list");
  }
}

/* The ends of the list of a place; of an empty list there are none. */
struct ends {
  _Bool any;
  unsigned first, last;
};

static struct ends ends_of(const struct hd_memq *m, unsigned list) {
  if (list == CHAIN)
    return (struct ends){m->chained > 0, m->link == HD_MEMQ_OF_FREE ? m->link_place : m->free_first, m->free_last};
  const unsigned q = list - QUEUE;
  return (struct ends){m->there[q], m->link == HD_MEMQ_OF_QUEUE && m->queue == q ? m->link_place : m->ends[q].first,
                       m->ends[q].last};
}

static void place_invariant(const struct hd_memq *m, const struct order *o, unsigned p) {
  if (o->list[p] < CHAIN) return;
  const struct ends e = ends_of(m, o->list[p]);
  CHECK(e.any && e.first < m->fresh && e.last < m->fresh, "its list has ends");
  chain_invariant(o, cfg.memq_places, p, e.first, e.last, m->next[p], hd_bit(m->next_wrote, p));
}

static void list_invariant(const struct hd_memq *m, const struct order *o) {
  unsigned entries[64] = {0}, puts[64] = {0};
  for (unsigned p = 0; p < cfg.memq_places; p++) {
    place_invariant(m, o, p);
    for (unsigned q = 0; q < cfg.memq_queues; q++) entries[q] += o->list[p] == QUEUE + q;
  }
  for (unsigned i = 0; i < cfg.memq_flight; i++)
    for (unsigned q = 0; q < cfg.memq_queues; q++) puts[q] += i < m->puts && m->put[ring(m->first_put, i)].owner == q;
  for (unsigned q = 0; q < cfg.memq_queues; q++) {
    CHECK(m->there[q] == (entries[q] > 0), "there");
    CHECK(entries[q] == m->answered[q] + puts[q] + (looks(m, 0) && m->queue == q), "answered");
  }
}

static void flight_invariant(const struct hd_memq *m, const struct order *o) {
  const unsigned n = cfg.memq_flight;
  CHECK(m->puts <= n && m->gets <= n && m->first_put < n && m->first_get < n, "flight");
  for (unsigned i = 0; i < n; i++) {
    const struct hd_memqput *p = &m->put[ring(m->first_put, i)];
    const struct hd_memqget *g = &m->get[ring(m->first_get, i)];
    if (i < m->puts) {
      CHECK(p->place < cfg.memq_places && p->owner < cfg.memq_queues && o->list[p->place] == QUEUE + p->owner, "put");
      for (unsigned x = 0; x < cfg.memq_places; x++)
        CHECK(o->list[x] != QUEUE + p->owner || in_flight(m, x) || (o->after[x] >> p->place & 1), "puts come last");
      for (unsigned j = i + 1; j < n; j++) {
        const struct hd_memqput *later = &m->put[ring(m->first_put, j)];
        CHECK(j >= m->puts || later->place != p->place, "each once");
        CHECK(j >= m->puts || later->owner != p->owner || (o->after[p->place] >> later->place & 1), "in order");
      }
    }
    if (i < m->gets) {
      CHECK(g->place < cfg.memq_places && o->list[g->place] == OUT && hd_bit(m->side_wrote, g->place), "get");
      CHECK(!m->freeing || m->freeing_place != g->place, "not free yet");
      for (unsigned j = i + 1; j < n; j++)
        CHECK(j >= m->gets || m->get[ring(m->first_get, j)].place != g->place, "each once");
    }
  }
  for (unsigned p = 0; p < cfg.memq_places; p++)
    CHECK(o->list[p] == NONE || o->list[p] == CHAIN || in_flight(m, p) || hd_bit(m->side_wrote, p), "side");
  const _Bool asks = m->op == HD_MEMQ_REQUEST;
  if (m->puts && !(asks && m->write && m->puts == 1))
    CHECK(same_memqput(RTL(MEMQ(u_flight_u_put_rdata_q)), &m->put[m->first_put]), "put row");
  if (m->gets && !(asks && !m->write && m->gets == 1))
    CHECK(same_memqget(RTL(MEMQ(u_flight_u_get_rdata_q)), &m->get[m->first_get]), "get row");
  if (m->got_beat) CHECK(same_memqside(RTL(MEMQ(u_side_rdata_q)), &m->side[m->get[m->first_get].place]), "side row");
}

static void memory_invariant(const struct hd_memq *m) {
  const _Bool asks = m->op == HD_MEMQ_REQUEST, data = m->op == HD_MEMQ_DATA;
  CHECK(REG(MEMQ(u_answers_left_q)) == (data ? 8u - m->beat : 0), "beats");
  CHECK(REG(MEMQ(u_answers_owed_q)) == m->puts - (m->write && (asks || data)), "answers");
  CHECK(REG(MEMQ(u_answers_reads_q)) == m->gets - (asks && !m->write), "reads");
  CHECK(REG(MEMQ(u_answers_beat_q)) == m->got_beat && REG(MEMQ(u_flight_got_beat_q)) == m->got_beat, "beat");
  CHECK(!m->got_beat || (m->gets && !(asks && !m->write && m->gets == 1)), "of a read that was accepted");
  CHECK(m->got_error_before <= (m->got_beat != 0), "error");
}

static void operation_invariant(const struct hd_memq *m, const struct memq_ghost *g) {
  const _Bool look = m->op == HD_MEMQ_READ_NEXT, asks = m->op == HD_MEMQ_REQUEST;
  CHECK(m->op <= HD_MEMQ_DATA && m->write <= 1 && (m->op != HD_MEMQ_DATA || m->write), "operation");
  CHECK(m->beat < 8 && (m->op == HD_MEMQ_DATA || !m->beat), "beat");
  CHECK(m->link <= HD_MEMQ_OF_FREE && (asks || !m->link), "link");
  CHECK(m->link != (m->write ? HD_MEMQ_OF_QUEUE : HD_MEMQ_OF_FREE), "link");
  CHECK(REG(MEMQ(get_more_q)) == (m->link == HD_MEMQ_OF_QUEUE), "link of a queue");
  CHECK(REG(MEMQ(chain_read_q)) == (m->link == HD_MEMQ_OF_FREE), "link of the chain");
  if (m->link) CHECK(REG(MEMQ(u_next_rdata_q)) == m->link_place && m->link_place < m->fresh, "link");
  if (m->op) CHECK(m->queue < cfg.memq_queues, "queue");
  if (m->op > HD_MEMQ_READ_NEXT) CHECK(REG(MEMQ(place_q)) == m->place && m->place < cfg.memq_places, "place");
  if (look && m->write) CHECK(REG(MEMQ(side_q)) == m->put_side, "side");
  if (look && !m->write) CHECK(REG(MEMQ(tag_q)) == m->tag && m->there[m->queue], "tag");
  if (look) CHECK(REG(MEMQ(had_queue_q)) == m->there[m->queue], "there");
  if (look && m->there[m->queue]) CHECK(same_memqends(RTL(MEMQ(u_ends_rdata_q)), &m->ends[m->queue]), "ends");
  if (m->link == HD_MEMQ_OF_QUEUE) CHECK(REG(MEMQ(last_q)) == m->ends[m->queue].last && m->there[m->queue], "last");
  if (looks(m, 1)) CHECK(m->puts < cfg.memq_flight && hd_memq_used(m) <= g->count, "room");
  if (looks(m, 0)) CHECK(m->gets < cfg.memq_flight, "room");
}

static void memq_progress_invariant(const struct hd_memq *m, const struct memq_ghost *g) {
  const unsigned all = m->write ? 10 : 2, left = m->op == HD_MEMQ_DATA ? 8u - m->beat : all + 1u - m->op;
  CHECK(m->op ? g->free + left <= all : !g->free, "an operation ends");
}

static void memq_invariant(const struct hd_memq *m, const struct memq_ghost *g) {
  const struct order *o = &g->order;
  const unsigned n = cfg.memq_places;
  CHECK(m->fresh <= n && m->chained < n && m->freeing <= 1, "places");
  CHECK(!looks(m, 1) || m->chained || m->fresh < n, "a free place");
  CHECK(m->chained == length(o, CHAIN) && m->gets + m->freeing == length(o, OUT), "counts");
  CHECK(!m->fresh || m->chained < m->fresh, "some place is in use");
  if (m->freeing) {
    CHECK(m->freeing_place < n && o->list[m->freeing_place] == OUT, "freeing");
    CHECK(m->got_beat == 0 || (m->got_beat == 1 && !looks(m, 1)), "soon");
  }
  list_of_invariant(m, o);
  order_invariant(o, n, CHAIN);
  list_invariant(m, o);
  flight_invariant(m, o);
  memory_invariant(m);
  operation_invariant(m, g);
  memq_progress_invariant(m, g);
}

/* Follows what the operation and the places do in this cycle. */
static void memq_follow(const struct hd_memq *m, uint32_t count, const struct hd_memdown *mem, struct memq_ghost *g) {
  const unsigned n = cfg.memq_places;
  struct order *o = &g->order;
  const _Bool look = m->op == HD_MEMQ_READ_NEXT, asks = m->op == HD_MEMQ_REQUEST, takes = asks ? mem->ready : mem->take;
  const _Bool ends = asks ? !m->write : m->beat == 7;
  g->count = count;
  g->free = !m->op || (!look && takes && ends) ? 0 : g->free + (look || takes);
  if (looks(m, 1)) order_append(o, n, m->chained ? m->free_first : m->fresh, QUEUE + m->queue);
  if (looks(m, 0)) order_leave(o, m->ends[m->queue].first, OUT);
  if (!m->freeing || looks(m, 1)) return;
  if (m->fresh - m->chained > 1) {
    order_append(o, n, m->freeing_place, CHAIN);
    return;
  }
  for (unsigned p = 0; p < n; p++) order_leave(o, p, NONE);
}

#ifdef ALONE
static void invariant(const MODEL *m) {
  memq_invariant(m, &ghost.memq);
}

static void contract(const MODEL *m, const IN *in) {
  ASSUME(in->put_queue < cfg.memq_queues && in->get_queue < cfg.memq_queues);
  ASSUME(!hd_memq_used(m) || in->count == ghost.memq.count);
  memq_follow(m, in->count, &in->mem, &ghost.memq);
}
#endif
