/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* unwind: 10 */
#define HAS_GHOST
static struct ghost {
  unsigned late;   /* puts accepted while an entry whose write failed is in a queue */
  unsigned sum[8]; /* entries of the queues up to this one: a sum of all at once is hard for the solver */
} ghost;

static uint32_t from_to(const MODEL *m, uint32_t from, uint32_t to) {
  return (to - from) & m->cfg.index_mask;
}

static unsigned ring(unsigned first, unsigned n) {
  return (first + n) % cfg.ring_flight;
}

/* The operation has begun, and its row is not written yet. */
static _Bool looks(const MODEL *m) {
  return m->op == HD_MEMRING_LOOK || m->op == HD_MEMRING_STEP;
}

/* A put whose beats are not all accepted is in `writes`. */
static _Bool asks(const MODEL *m) {
  return m->op == HD_MEMRING_REQUEST || m->op == HD_MEMRING_DATA;
}

static void region_invariant(const MODEL *m, const struct rtl_regs *r) {
  unsigned order = 0, fits = 0;
  for (unsigned k = cfg.ring_order_min; k <= cfg.ring_pos_w; k++)
    if ((uint64_t)cfg.ring_queues << k <= m->count) order = k, fits = 1;
  CHECK(m->order == order && m->fits == fits, "the largest rings that fit");
  if (!m->used && !m->writes && !m->reads && !m->op) return;
  CHECK(REG(count_before_q) == m->count, "the region stays");
  CHECK(m->fits || looks(m), "there is one");
}

static void queue_invariant(const MODEL *m) {
  for (unsigned q = 0; q < cfg.ring_queues; q++) {
    const struct hd_ringends *e = &m->ends[q];
    const uint32_t length = from_to(m, e->first, e->last), written = from_to(m, e->first, e->done);
    unsigned writes = 0;
    for (unsigned i = 0; i < cfg.ring_flight; i++)
      writes += i < m->writes && m->write_queue[ring(m->first_write, i)] == q;
    CHECK(hd_bit(m->given, q) || (!e->first && !e->last && !e->done), "empty before the first put");
    CHECK((e->first | e->last | e->done) <= m->cfg.index_mask, "positions");
    CHECK(!length || length + cfg.ring_flight * cfg.ring_line <= 1u << m->order, "a ring has places");
    CHECK(written + writes == length, "all but those in flight are written");
    CHECK(hd_bit(m->there, q) == (length > 0) && hd_bit(m->readable, q) == (written > 0), "flags");
    CHECK(ghost.sum[q] == (q ? ghost.sum[q - 1] : 0) + length, "entries");
  }
  CHECK(m->used == ghost.sum[cfg.ring_queues - 1], "used");
}

static void flight_invariant(const MODEL *m, const struct rtl_regs *r) {
  const unsigned n = cfg.ring_flight;
  CHECK(m->writes <= n && m->answers <= n && m->reads <= n, "in flight");
  CHECK(m->first_write < n && m->first_answer < n && m->first_read < n, "their rows");
  CHECK(m->writes == m->answers + REG(unanswered_q) + (asks(m) && m->write), "writes");
  for (unsigned i = 0; i < n; i++) {
    const struct hd_ringread *read = &m->read[ring(m->first_read, i)];
    if (i < m->writes) CHECK(m->write_queue[ring(m->first_write, i)] < cfg.ring_queues, "queue of a write");
    if (i >= m->reads) continue;
    CHECK(read->queue_no < cfg.ring_queues && read->count > 0 && read->count <= cfg.ring_line && read->bad <= 1,
          "read");
    CHECK(i || m->got_count < read->count, "entries to come");
  }
  CHECK(m->reads || (!m->got_count && !m->got_beat), "no entry is half read");
  CHECK(m->got_beat <= 1 && REG(got_second_q) == m->got_beat && m->got_error_before <= m->got_beat, "beat");
}

/* The failed writes that are remembered are of different entries, which wait. */
static void bad_invariant(const MODEL *m) {
  unsigned bads = 0;
  for (unsigned i = 0; i < cfg.ring_bad; i++) {
    const struct hd_ringbad *b = &m->bad[i];
    if (!hd_bit(m->bad_valid, i)) continue;
    CHECK(b->queue_no < cfg.ring_queues && b->index <= m->cfg.index_mask, "bad");
    const struct hd_ringends *e = &m->ends[b->queue_no];
    CHECK(from_to(m, e->first, b->index) < from_to(m, e->first, e->done), "it waits");
    for (unsigned j = 0; j < i; j++)
      CHECK(!hd_bit(m->bad_valid, j) || m->bad[j].queue_no != b->queue_no || m->bad[j].index != b->index, "once");
    bads++;
  }
  CHECK(m->bads == bads && ghost.late <= cfg.ring_late, "bads");
  CHECK(!bads || bads + m->writes + (looks(m) && m->write) <= cfg.ring_flight + ghost.late, "no more than rows");
}

static void operation_invariant(const MODEL *m, const struct rtl_regs *r) {
  const uint32_t in_ring = m->index & ((1u << m->order) - 1);
  CHECK(m->op <= HD_MEMRING_DATA && m->write <= 1 && (m->op != HD_MEMRING_DATA || m->write), "operation");
  CHECK(m->beat <= (m->op == HD_MEMRING_DATA), "beat");
  CHECK(m->counting <= 2 && (!m->counting || (!looks(m) && m->answers > 0)), "counting");
  if (m->counting == 1)
    CHECK(same_ringends(r->u_ends_rdata_q, &m->ends[m->write_queue[m->first_write]]), "row of a count");
  if (m->counting == 2) CHECK(same_ringends(r->ends_q, &m->ends[m->write_queue[m->first_write]]), "ends of a count");
  if (!m->op) return;
  CHECK(m->queue < cfg.ring_queues, "queue");
  if (looks(m) && m->write) CHECK(m->writes < cfg.ring_flight, "room for a put");
  if (looks(m) && !m->write) CHECK(m->reads < cfg.ring_flight && hd_bit(m->readable, m->queue), "room for a get");
  if (m->op == HD_MEMRING_LOOK && hd_bit(m->given, m->queue))
    CHECK(same_ringends(r->u_ends_rdata_q, &m->ends[m->queue]), "row");
  if (m->op == HD_MEMRING_STEP) CHECK(same_ringends(r->ends_q, &m->ends[m->queue]), "ends");
  if (m->op != HD_MEMRING_REQUEST) return;
  CHECK(REG(place_q) == ((uint32_t)m->queue << m->order) + in_ring, "place");
  CHECK(m->write || (m->entries > 0 && m->entries <= cfg.ring_line), "entries");
  CHECK(REG(len_q) == (m->write ? 1u : 2u * m->entries - 1), "length");
}

static void invariant(const MODEL *m, const struct rtl_regs *r) {
  region_invariant(m, r);
  flight_invariant(m, r);
  queue_invariant(m);
  bad_invariant(m);
  operation_invariant(m, r);
}

static void contract(const MODEL *m, const IN *in) {
  const _Bool put = in->put_valid && hd_memring_put_ready(m, in->get_valid);
  if (!m->bads) ghost.late = 0;
  ghost.late += put && m->bads;
  ASSUME(ghost.late <= cfg.ring_late);
  for (unsigned q = 0; q < cfg.ring_queues; q++)
    if (m->op == HD_MEMRING_STEP && q >= m->queue) ghost.sum[q] += m->write ? 1 : -hd_memring_asked(m);
}
