/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* unwind: 20
 * sets: PoolRows=4 PoolDepth=2 */
#define HAS_GHOST
/* Where a place is: not used since the region was empty; in a queue; free; being read, or about to be free. Places of
 * one queue, and free ones, are in an order: `after` has a bit for each that came later. */
enum { NONE, QUEUE, CHAIN = 1 << 8, OUT };
static struct ghost {
  unsigned list[16], after[16];
  uint32_t count; /* of the cycle before */
} ghost;

static _Bool looks(const MODEL *m, _Bool put) {
  return m->op == HD_MEMQ_READ_NEXT && m->write == put;
}

static unsigned ring(unsigned first, unsigned n) {
  return (first + n) % cfg.memq_flight;
}

static unsigned length(unsigned list) {
  unsigned n = 0;
  for (unsigned p = 0; p < cfg.memq_places; p++) n += ghost.list[p] == list;
  return n;
}

/* A put of this place is not answered. */
static _Bool in_flight(const MODEL *m, unsigned p) {
  _Bool any = 0;
  for (unsigned i = 0; i < cfg.memq_flight; i++) any |= i < m->puts && m->put[ring(m->first_put, i)].place == p;
  return any;
}

static void order_invariant(const MODEL *m) {
  const unsigned n = cfg.memq_places;
  for (unsigned p = 0; p < n; p++) {
    const unsigned list = ghost.list[p], after = ghost.after[p];
    CHECK((p < m->fresh) == (list != NONE), "fresh");
    CHECK(list < QUEUE + cfg.memq_queues || list == CHAIN || list == OUT, "list");
    CHECK(!(after >> n) && !(after >> p & 1), "order");
    for (unsigned q = 0; q < n; q++) {
      const _Bool pq = after >> q & 1, qp = ghost.after[q] >> p & 1;
      const _Bool ordered = ghost.list[q] == list && list != NONE && list != OUT;
      CHECK(q == p || pq + qp == ordered, "before or after each other");
      CHECK(!pq || !(ghost.after[q] & ~after), "transitive");
    }
  }
}

/* The ends of the list of a place; of an empty list there are none. */
struct ends {
  _Bool any;
  unsigned first, last;
};

static struct ends ends_of(const MODEL *m, unsigned list) {
  if (list == CHAIN)
    return (struct ends){m->chained > 0, m->link == HD_MEMQ_OF_FREE ? m->link_place : m->free_first, m->free_last};
  const unsigned q = list - QUEUE;
  return (struct ends){m->there[q], m->link == HD_MEMQ_OF_QUEUE && m->queue == q ? m->link_place : m->ends[q].first,
                       m->ends[q].last};
}

static void place_invariant(const MODEL *m, unsigned p) {
  const unsigned list = ghost.list[p], after = ghost.after[p], x = m->next[p];
  if (list == NONE || list == OUT) return;
  const struct ends e = ends_of(m, list);
  CHECK(e.any && e.first < m->fresh && e.last < m->fresh, "its list has ends");
  CHECK(p == e.first || (ghost.after[e.first] >> p & 1), "none before the first");
  CHECK((p == e.last) == !after, "the last");
  if (p == e.last) return;
  CHECK(hd_bit(m->next_wrote, p) && x < cfg.memq_places && (after >> x & 1), "next");
  CHECK(!(after & ~(1u << x) & ~ghost.after[x]), "none between");
}

static void list_invariant(const MODEL *m) {
  unsigned entries[64] = {0}, puts[64] = {0};
  for (unsigned p = 0; p < cfg.memq_places; p++) {
    place_invariant(m, p);
    for (unsigned q = 0; q < cfg.memq_queues; q++) entries[q] += ghost.list[p] == QUEUE + q;
  }
  for (unsigned i = 0; i < cfg.memq_flight; i++)
    for (unsigned q = 0; q < cfg.memq_queues; q++) puts[q] += i < m->puts && m->put[ring(m->first_put, i)].owner == q;
  for (unsigned q = 0; q < cfg.memq_queues; q++) {
    CHECK(m->there[q] == (entries[q] > 0), "there");
    CHECK(entries[q] == m->answered[q] + puts[q] + (looks(m, 0) && m->queue == q), "answered");
  }
}

static void flight_invariant(const MODEL *m) {
  const unsigned n = cfg.memq_flight;
  CHECK(m->puts <= n && m->gets <= n && m->first_put < n && m->first_get < n, "flight");
  for (unsigned i = 0; i < n; i++) {
    const struct hd_memqput *p = &m->put[ring(m->first_put, i)];
    const struct hd_memqget *g = &m->get[ring(m->first_get, i)];
    if (i < m->puts) {
      CHECK(p->place < cfg.memq_places && p->owner < cfg.memq_queues && ghost.list[p->place] == QUEUE + p->owner,
            "put");
      for (unsigned x = 0; x < cfg.memq_places; x++)
        CHECK(ghost.list[x] != QUEUE + p->owner || in_flight(m, x) || (ghost.after[x] >> p->place & 1),
              "puts come last");
      for (unsigned j = i + 1; j < n; j++) {
        const struct hd_memqput *later = &m->put[ring(m->first_put, j)];
        CHECK(j >= m->puts || later->place != p->place, "each once");
        CHECK(j >= m->puts || later->owner != p->owner || (ghost.after[p->place] >> later->place & 1), "in order");
      }
    }
    if (i < m->gets) {
      CHECK(g->place < cfg.memq_places && ghost.list[g->place] == OUT && hd_bit(m->side_wrote, g->place), "get");
      CHECK(!m->freeing || m->freeing_place != g->place, "not free yet");
      for (unsigned j = i + 1; j < n; j++)
        CHECK(j >= m->gets || m->get[ring(m->first_get, j)].place != g->place, "each once");
    }
  }
  for (unsigned p = 0; p < cfg.memq_places; p++)
    CHECK(ghost.list[p] == NONE || ghost.list[p] == CHAIN || in_flight(m, p) || hd_bit(m->side_wrote, p), "side");
  const _Bool asks = m->op == HD_MEMQ_REQUEST;
  if (m->puts && !(asks && m->write && m->puts == 1))
    CHECK(same_memqput(rtl_u_flight_u_put_rdata_q, &m->put[m->first_put]), "put row");
  if (m->gets && !(asks && !m->write && m->gets == 1))
    CHECK(same_memqget(rtl_u_flight_u_get_rdata_q, &m->get[m->first_get]), "get row");
  if (m->got_beat) CHECK(same_memqside(rtl_u_side_rdata_q, &m->side[m->get[m->first_get].place]), "side row");
}

static void memory_invariant(const MODEL *m) {
  const _Bool asks = m->op == HD_MEMQ_REQUEST, data = m->op == HD_MEMQ_DATA;
  CHECK(REG(u_answers_left_q) == (data ? 8u - m->beat : 0), "beats");
  CHECK(REG(u_answers_owed_q) == m->puts - (m->write && (asks || data)), "answers");
  CHECK(REG(u_answers_reads_q) == m->gets - (asks && !m->write), "reads");
  CHECK(REG(u_answers_beat_q) == m->got_beat && REG(u_flight_got_beat_q) == m->got_beat, "beat");
  CHECK(!m->got_beat || (m->gets && !(asks && !m->write && m->gets == 1)), "of a read that was accepted");
  CHECK(m->got_error_before <= (m->got_beat != 0), "error");
}

static void operation_invariant(const MODEL *m) {
  const _Bool look = m->op == HD_MEMQ_READ_NEXT, asks = m->op == HD_MEMQ_REQUEST;
  CHECK(m->op <= HD_MEMQ_DATA && m->write <= 1 && (m->op != HD_MEMQ_DATA || m->write), "operation");
  CHECK(m->beat < 8 && (m->op == HD_MEMQ_DATA || !m->beat), "beat");
  CHECK(m->link <= HD_MEMQ_OF_FREE && (asks || !m->link), "link");
  CHECK(m->link != (m->write ? HD_MEMQ_OF_QUEUE : HD_MEMQ_OF_FREE), "link");
  CHECK(REG(get_more_q) == (m->link == HD_MEMQ_OF_QUEUE), "link of a queue");
  CHECK(REG(chain_read_q) == (m->link == HD_MEMQ_OF_FREE), "link of the chain");
  if (m->link) CHECK(REG(u_next_rdata_q) == m->link_place && m->link_place < m->fresh, "link");
  if (m->op) CHECK(m->queue < cfg.memq_queues, "queue");
  if (m->op > HD_MEMQ_READ_NEXT) CHECK(REG(place_q) == m->place && m->place < cfg.memq_places, "place");
  if (look && m->write) CHECK(REG(side_q) == m->put_side, "side");
  if (look && !m->write) CHECK(REG(tag_q) == m->tag && m->there[m->queue], "tag");
  if (look) CHECK(REG(had_queue_q) == m->there[m->queue], "there");
  if (look && m->there[m->queue]) CHECK(same_memqends(rtl_u_ends_rdata_q, &m->ends[m->queue]), "ends");
  if (m->link == HD_MEMQ_OF_QUEUE) CHECK(REG(last_q) == m->ends[m->queue].last && m->there[m->queue], "last");
  if (looks(m, 1)) CHECK(m->puts < cfg.memq_flight && hd_memq_used(m) <= ghost.count, "room");
  if (looks(m, 0)) CHECK(m->gets < cfg.memq_flight, "room");
}

static void invariant(const MODEL *m) {
  const unsigned n = cfg.memq_places;
  CHECK(m->fresh <= n && m->chained < n && m->freeing <= 1, "places");
  CHECK(!looks(m, 1) || m->chained || m->fresh < n, "a free place");
  CHECK(m->chained == length(CHAIN) && m->gets + m->freeing == length(OUT), "counts");
  CHECK(!m->fresh || m->chained < m->fresh, "some place is in use");
  if (m->freeing) {
    CHECK(m->freeing_place < n && ghost.list[m->freeing_place] == OUT, "freeing");
    CHECK(m->got_beat == 0 || (m->got_beat == 1 && !looks(m, 1)), "soon");
  }
  order_invariant(m);
  list_invariant(m);
  flight_invariant(m);
  memory_invariant(m);
  operation_invariant(m);
}

static void append(unsigned place, unsigned list) {
  for (unsigned p = 0; p < cfg.memq_places; p++)
    if (ghost.list[p] == list) ghost.after[p] |= 1u << place;
  ghost.list[place] = list;
  ghost.after[place] = 0;
}

/* Follows what the places do in this cycle. */
static void contract(const MODEL *m, const IN *in) {
  const _Bool all = m->fresh - m->chained == 1;
  ASSUME(in->put_queue < cfg.memq_queues && in->get_queue < cfg.memq_queues);
  ASSUME(!hd_memq_used(m) || in->count == ghost.count);
  ghost.count = in->count;
  if (looks(m, 1)) append(m->chained ? m->free_first : m->fresh, QUEUE + m->queue);
  if (looks(m, 0)) {
    const unsigned place = m->ends[m->queue].first;
    ghost.list[place] = OUT;
    ghost.after[place] = 0;
  }
  if (!m->freeing || looks(m, 1)) return;
  if (!all) {
    append(m->freeing_place, CHAIN);
    return;
  }
  for (unsigned p = 0; p < cfg.memq_places; p++) {
    ghost.list[p] = NONE;
    ghost.after[p] = 0;
  }
}
