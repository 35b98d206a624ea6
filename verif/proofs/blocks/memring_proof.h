/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* unwind: 10 */
#define HAS_GHOST
/* spill has a memring inside, and defines RING: the name of a register of it. */
struct ring_ghost {
  unsigned late;   /* puts accepted while an entry whose write failed is in a queue */
  unsigned sum[8]; /* entries of the queues up to this one: a sum of all at once is hard for the solver */
  unsigned free;   /* cycles of the operation in which the memory accepted what it was offered */
};
#ifndef RING
#define RING(name) name
#define ALONE
static struct ghost { struct ring_ghost ring; } ghost;
#endif

static uint32_t from_to(const struct hd_memring *m, uint32_t from, uint32_t to) {
  return (to - from) & m->cfg.index_mask;
}

static unsigned ring(unsigned first, unsigned n) {
  return (first + n) % cfg.ring_flight;
}

static uint32_t length_of(const struct hd_memring *m, unsigned queue) {
  return from_to(m, m->ends[queue].first, m->ends[queue].last);
}

/* The operation has begun, and its row is not written yet. */
static _Bool looks(const struct hd_memring *m) {
  return m->op == HD_MEMRING_LOOK || m->op == HD_MEMRING_STEP;
}

/* The operation is in `writes` or `reads`; the port has not accepted all of it. */
static _Bool asks(const struct hd_memring *m) {
  return m->op == HD_MEMRING_REQUEST || m->op == HD_MEMRING_DATA;
}

static void region_invariant(const struct hd_memring *m) {
  unsigned order = 0, fits = 0;
  for (unsigned k = cfg.ring_order_min; k <= cfg.ring_pos_w; k++)
    if ((uint64_t)cfg.ring_queues << k <= m->count) order = k, fits = 1;
  CHECK(m->order == order && m->fits == fits, "the largest rings that fit");
  if (!m->used && !m->writes && !m->reads && !m->op) return;
  CHECK(REG(RING(count_before_q)) == m->count, "the region stays");
  CHECK(m->fits || looks(m), "there is one");
}

static void queue_invariant(const struct hd_memring *m, const struct ring_ghost *g) {
  for (unsigned q = 0; q < cfg.ring_queues; q++) {
    const struct hd_ringends *e = &m->ends[q];
    const uint32_t length = length_of(m, q), written = from_to(m, e->first, e->done);
    unsigned writes = 0;
    for (unsigned i = 0; i < cfg.ring_flight; i++)
      writes += i < m->writes && m->write_queue[ring(m->first_write, i)] == q;
    CHECK(hd_bit(m->given, q) || (!e->first && !e->last && !e->done), "empty before the first put");
    CHECK((e->first | e->last | e->done) <= m->cfg.index_mask, "positions");
    CHECK(!length || length + cfg.ring_flight * cfg.ring_line <= 1u << m->order, "a ring has places");
    CHECK(written + writes == length, "all but those in flight are written");
    CHECK(hd_bit(m->there, q) == (length > 0) && hd_bit(m->readable, q) == (written > 0), "flags");
    CHECK(g->sum[q] == (q ? g->sum[q - 1] : 0) + length, "entries");
  }
  CHECK(m->used == g->sum[cfg.ring_queues - 1], "used");
  CHECK(!((m->given[0] | m->there[0] | m->readable[0]) >> cfg.ring_queues), "no other queues");
}

static void flight_invariant(const struct hd_memring *m) {
  const unsigned n = cfg.ring_flight;
  CHECK(m->writes <= n && m->answers <= n && m->reads <= n, "in flight");
  CHECK(m->first_write < n && m->first_answer < n && m->first_read < n, "their rows");
  CHECK(m->writes == m->answers + REG(RING(unanswered_q)) + (asks(m) && m->write), "writes");
  for (unsigned i = 0; i < n; i++) {
    const struct hd_ringread read = m->read[ring(m->first_read, i)];
    if (i < m->writes) CHECK(m->write_queue[ring(m->first_write, i)] < cfg.ring_queues, "queue of a write");
    if (i >= m->reads) continue;
    CHECK(read.queue_no < cfg.ring_queues && read.count > 0 && read.count <= cfg.ring_line && read.bad <= 1, "read");
    CHECK(i || m->got_count < read.count, "entries to come");
  }
  CHECK(m->reads || (!m->got_count && !m->got_beat), "no entry is half read");
  CHECK(m->got_beat <= 1 && REG(RING(got_second_q)) == m->got_beat && m->got_error_before <= m->got_beat, "beat");
}

/* The failed writes that are remembered are of different entries, which wait. */
static void bad_invariant(const struct hd_memring *m, const struct ring_ghost *g) {
  unsigned bads = 0;
  for (unsigned i = 0; i < cfg.ring_bad; i++) {
    const struct hd_ringbad *b = &m->bad[i];
    if (!hd_bit(m->bad_valid, i)) continue;
    CHECK(b->queue_no < cfg.ring_queues && b->index <= m->cfg.index_mask, "bad");
    const struct hd_ringends e = m->ends[b->queue_no];
    CHECK(from_to(m, e.first, b->index) < from_to(m, e.first, e.done), "it waits");
    for (unsigned j = 0; j < i; j++)
      CHECK(!hd_bit(m->bad_valid, j) || m->bad[j].queue_no != b->queue_no || m->bad[j].index != b->index, "once");
    bads++;
  }
  CHECK(m->bads == bads && g->late <= cfg.ring_late, "bads");
  CHECK(!bads || bads + m->writes + (looks(m) && m->write) <= cfg.ring_flight + g->late, "no more than rows");
}

static void operation_invariant(const struct hd_memring *m) {
  const uint32_t in_ring = m->index & ((1u << m->order) - 1);
  CHECK(m->op <= HD_MEMRING_DATA && m->write <= 1 && (m->op != HD_MEMRING_DATA || m->write), "operation");
  CHECK(m->beat <= (m->op == HD_MEMRING_DATA), "beat");
  CHECK(m->counting <= 2 && (!m->counting || (!looks(m) && m->answers > 0)), "counting");
  if (m->counting) {
    const struct hd_ringends ends = m->ends[m->write_queue[m->first_write]];
    CHECK(m->counting == 2 || same_ringends(RTL(RING(u_ends_rdata_q)), &ends), "row of a count");
    CHECK(m->counting == 1 || same_ringends(RTL(RING(ends_q)), &ends), "ends of a count");
  }
  if (!m->op) return;
  CHECK(m->queue < cfg.ring_queues, "queue");
  if (looks(m) && m->write) CHECK(m->writes < cfg.ring_flight, "room for a put");
  if (looks(m) && !m->write) CHECK(m->reads < cfg.ring_flight && hd_bit(m->readable, m->queue), "room for a get");
  const struct hd_ringends ends = m->ends[m->queue];
  if (m->op == HD_MEMRING_LOOK && hd_bit(m->given, m->queue))
    CHECK(same_ringends(RTL(RING(u_ends_rdata_q)), &ends), "row");
  if (m->op == HD_MEMRING_STEP) CHECK(same_ringends(RTL(RING(ends_q)), &ends), "ends");
  if (m->op != HD_MEMRING_REQUEST) return;
  CHECK(REG(RING(place_q)) == ((uint32_t)m->queue << m->order) + in_ring, "place");
  CHECK(m->write || (m->entries > 0 && m->entries <= cfg.ring_line), "entries");
  CHECK(REG(RING(len_q)) == (m->write ? 1u : 2u * m->entries - 1), "length");
}

/* Progress: a put has ended after 5 cycles in which the memory accepts what it is offered, a get after 3. */
static void progress_invariant(const struct hd_memring *m, const struct ring_ghost *g) {
  const unsigned all = m->write ? 5 : 3, left = m->op == HD_MEMRING_DATA ? 2u - m->beat : all + 1u - m->op;
  CHECK(m->op ? g->free + left <= all : !g->free, "an operation ends");
}

static void ring_invariant(const struct hd_memring *m, const struct ring_ghost *g) {
  region_invariant(m);
  flight_invariant(m);
  queue_invariant(m, g);
  bad_invariant(m, g);
  operation_invariant(m);
  progress_invariant(m, g);
}

/* Follows a cycle; put: one is accepted in it. */
static void ring_follow(const struct hd_memring *m, _Bool put, const struct hd_memdown *mem, struct ring_ghost *g) {
  const _Bool takes = m->op == HD_MEMRING_REQUEST ? mem->ready : mem->take;
  const _Bool ends = m->op == HD_MEMRING_DATA ? m->beat == 1 : m->op == HD_MEMRING_REQUEST && !m->write;
  g->free = !m->op || (ends && takes) ? 0 : g->free + (!asks(m) || takes);
  if (!m->bads) g->late = 0;
  g->late += put && m->bads;
  for (unsigned q = 0; q < cfg.ring_queues; q++)
    if (m->op == HD_MEMRING_STEP && q >= m->queue) g->sum[q] += m->write ? 1 : -hd_memring_asked(m);
}

#ifdef ALONE
static void invariant(const MODEL *m) {
  ring_invariant(m, &ghost.ring);
}

static void contract(const MODEL *m, const IN *in) {
  ring_follow(m, in->put_valid && hd_memring_put_ready(m, in->get_valid), &in->mem, &ghost.ring);
  ASSUME(ghost.ring.late <= cfg.ring_late);
}
#endif
