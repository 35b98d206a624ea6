/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* unwind: 10
 * uses: service/memring
 * passes: u_lost.a_good
 * wires: u_puts.row_q[0] u_puts.row_q[1] u_puts.row_q[2]
 * sets: MaxLevel=2 RingPosW=5 */
#define RING(name) u_memring_##name
#define FIXED_INSIDE memring.cfg
#include "memring_proof.h"
static struct ghost {
  struct ring_ghost ring;
  unsigned outs[8]; /* groups out of the queues up to this one */
  unsigned losses;  /* groups that came back lost and are not reported */
} ghost;

static unsigned put_row(unsigned first, unsigned n) {
  return (first + n) % cfg.spill_depth;
}

static _Bool gets(const MODEL *m) {
  return looks(&m->memring) && !m->memring.write;
}

/* The n-th read's entries that have not arrived. */
static unsigned to_come(const struct hd_memring *m, unsigned n) {
  return n < m->reads ? m->read[ring(m->first_read, n)].count - (n ? 0u : m->got_count) : 0;
}

/* Rows of the groups to be written; the first stays until its last beat is accepted. */
static void put_invariant(const MODEL *m) {
  const struct hd_memring *rings = &m->memring;
  CHECK(m->puts <= cfg.spill_depth && m->first_put < cfg.spill_depth && REG(puts_q) == m->puts, "puts");
  CHECK(REG(u_held_row_first_q) == 1u << m->first_put, "first row");
  CHECK(REG(u_held_row_next_q) == 1u << put_row(m->first_put, m->puts), "next row");
  for (unsigned row = 0; row < cfg.spill_depth; row++) {
    const struct hd_spillgroup g = m->put[row];
    const _Bool valid = put_row(row, cfg.spill_depth - m->first_put) < m->puts;
    CHECK((REG(u_held_row_valid_q) >> row & 1) == valid, "valid row");
    if (!valid) continue;
    CHECK(g.queue_no < cfg.ring_queues && g.kdei < cfg.num_kde, "group");
    CHECK(REGS(u_held_row_queue_q, row, cfg.ring_w) == g.queue_no, "queue of a row");
  }
  if (rings->op && rings->write) CHECK(m->puts && rings->queue == m->put[m->first_put].queue_no, "a put stays");
}

/* Groups of a queue that were put and are not in its ring. */
static unsigned pending(const MODEL *m, unsigned queue) {
  unsigned n = 0;
  for (unsigned i = asks(&m->memring) && m->memring.write; i < cfg.spill_depth; i++)
    n += i < m->puts && m->put[put_row(m->first_put, i)].queue_no == queue;
  return n;
}

/* No ring gets more than it has places for: room was seen in the cycle before. */
static void room_invariant(const MODEL *m) {
  const struct hd_memring *rings = &m->memring;
  const unsigned size = 1u << rings->order, flight = cfg.ring_flight * cfg.ring_line;
  const unsigned rows = m->puts - (rings->op && rings->write);
  if (rings->fits) CHECK(REG(count_q) == rings->count, "the size of the region");
  for (unsigned q = 0; q < cfg.ring_queues; q++) {
    const unsigned length = length_of(rings, q), n = pending(m, q);
    const _Bool room = REG(room_q) >> q & 1;
    CHECK(hd_bit(rings->room, q) == (!length || length + cfg.ring_margin <= size), "room");
    if (room && REG(still_q)) CHECK(rings->fits && length + cfg.ring_margin <= size + 1, "room a cycle before");
    if (n) CHECK(rings->fits && length + n + flight <= size, "places");
  }
  if (rings->bads) CHECK(ghost.ring.late + rows + (REG(room_q) != 0) <= cfg.spill_depth + 1, "puts after a failure");
}

/* Who is out: requested, being read, read, given up in this cycle. */
static void out_invariant(const MODEL *m) {
  const struct hd_memring *rings = &m->memring;
  for (unsigned q = 0; q < cfg.ring_queues; q++) {
    unsigned out = gets(m) && rings->queue == q ? cfg.ring_line : 0;
    for (unsigned i = 0; i < cfg.ring_flight; i++)
      if (i < rings->reads && rings->read[ring(rings->first_read, i)].queue_no == q) out += to_come(rings, i);
    for (unsigned i = 0; i < cfg.spill_flight; i++)
      out += i < m->backs && m->back[ring(m->first_back, i)].queue_no == q;
    if (m->gone_valid && m->gone_queue == q) out++;
    if (m->spare && m->ask_queue == q) out += m->spare;
    CHECK(m->out[q] == out, "out");
    CHECK(ghost.outs[q] == (q ? ghost.outs[q - 1] : 0) + m->out[q], "sum of those out");
    CHECK(hd_bit(m->out_of, q) == (m->out[q] > 0), "queues with groups out");
    if (out || length_of(rings, q) || pending(m, q)) CHECK(hd_bit(m->held, q), "held");
  }
  CHECK(m->outs == ghost.outs[cfg.ring_queues - 1] && m->outs <= cfg.spill_flight, "outs");
  CHECK(m->any_held == (m->held[0] != 0) && !(m->held[0] >> cfg.ring_queues), "some are held");
  CHECK(!(m->out_of[0] >> cfg.ring_queues), "no other queues");
  if (m->any_held) CHECK(REG(count_q) == REG(u_memring_count_before_q), "the region");
  if (m->any_held) CHECK(REG(base_q) == REG(u_memring_base_before_q), "the region");
  CHECK(m->bank_ptr < cfg.num_bank && m->spare < cfg.ring_line, "pointer");
  if (gets(m)) CHECK(REG(ask_queue_q) == m->ask_queue && m->ask_queue == rings->queue, "asked");
  if (m->spare)
    CHECK(rings->op == HD_MEMRING_REQUEST && !rings->write && m->ask_queue == rings->queue, "spare after its get");
}

static uint64_t bits_of(uint64_t word, unsigned at, unsigned width) {
  return word >> at & ((UINT64_C(1) << width) - 1);
}

/* Groups read back, and the one that is half read. */
static void back_invariant(const MODEL *m) {
  const struct hd_spillgroup first = m->back[m->first_back], second = m->back[ring(m->first_back, 1)];
  CHECK(m->backs <= cfg.spill_flight && m->first_back < cfg.spill_flight, "backs");
  for (unsigned i = 0; i < cfg.spill_flight; i++)
    if (i < m->backs) CHECK(m->back[ring(m->first_back, i)].queue_no < cfg.ring_queues, "queue");
  if (m->backs) CHECK(same_spillgroup(rtl_u_backs_head_q, &first), "the oldest");
  if (m->backs > 1 && REG(u_backs_late_valid_q)) CHECK(same_spillgroup(rtl_u_backs_late_q, &second), "the next");
  if (m->backs > 1 && !REG(u_backs_late_valid_q))
    CHECK(same_spillgroup(rtl_u_backs_u_row_rdata_q, &second), "the next");
  CHECK(m->gone_valid <= 1 && (m->gone_valid ? m->gone_queue < cfg.ring_queues : !m->gone_queue), "gone");
  if (!m->memring.got_beat) return;
  const unsigned grid_z = cfg.ctas_w, grid_y = grid_z + cfg.group_zw, grid_x = grid_y + cfg.group_yw;
  CHECK(get(rtl_half_q, cfg.ctas_w) == bits_of(m->lo, 0, cfg.ctas_w), "TBs");
  CHECK(get(rtl_half_q + grid_z, cfg.group_zw) == bits_of(m->hi, 0, cfg.group_zw), "grid z");
  CHECK(get(rtl_half_q + grid_y, cfg.group_yw) == bits_of(m->lo, 48, cfg.group_yw), "grid y");
  CHECK(get(rtl_half_q + grid_x, cfg.group_xw) == bits_of(m->lo, 32, cfg.group_xw), "grid x");
}

/* A kernel counts its groups that wait and those that were lost. */
static void loss_invariant(const MODEL *m) {
  const struct hd_memring *rings = &m->memring;
  unsigned groups = m->puts - (asks(rings) && rings->write) + rings->used + ghost.losses, counts = 0;
  for (unsigned i = 0; i < cfg.ring_flight; i++) groups += to_come(rings, i);
  for (unsigned k = 0; k < cfg.num_kde; k++) counts += m->count[k];
  CHECK(counts == groups, "counts");
  CHECK(groups <= cfg.ring_queues << cfg.ring_pos_w, "no more than places");
  CHECK(ghost.losses <= groups && (!ghost.losses || m->closed || m->gone_valid), "closed after a loss");
  CHECK(ghost.losses <= (!m->closed ? 1 : REG(room_q) ? 2 : groups), "no room from the next cycle on");
  CHECK(m->closed <= 1 && m->lost_valid <= 1 && m->lost_kdei < cfg.num_kde, "lost");
}

static void port_invariant(const MODEL *m) {
  const struct hd_memring *rings = &m->memring;
  const _Bool reading = rings->op == HD_MEMRING_REQUEST && !rings->write;
  const unsigned reads = rings->reads - reading;
  const unsigned n = cfg.ring_flight, first = REG(u_answers_g_rows_first_q);
  CHECK(REG(u_answers_left_q) == (rings->op == HD_MEMRING_DATA ? 2u - rings->beat : 0), "beats");
  CHECK(REG(u_answers_owed_q) == REG(u_memring_unanswered_q), "answers");
  CHECK(REG(u_answers_reads_q) == reads && first < n, "reads");
  CHECK(REG(u_answers_g_rows_free_q) == ring(first, reads), "row of the next read");
  CHECK(REG(u_answers_beat_q) == 2u * rings->got_count + rings->got_beat, "beat");
  CHECK(reads || (!rings->got_count && !rings->got_beat), "of a read that was accepted");
  if (reading) {
    const struct hd_ringread read = rings->read[ring(rings->first_read, reads)];
    CHECK(read.queue_no == rings->queue && read.count == rings->entries, "the youngest read is requested");
  }
  for (unsigned row = 0; row < n; row++) {
    const unsigned i = ring(row, n - first);
    const struct hd_ringread read = rings->read[ring(rings->first_read, i)];
    CHECK(i >= reads || get(rtl_u_answers_g_rows_len_q[row], 3) == 2u * read.count - 1, "length of a read");
  }
}

static void invariant(const MODEL *m) {
  ring_invariant(&m->memring, &ghost.ring);
  put_invariant(m);
  room_invariant(m);
  out_invariant(m);
  back_invariant(m);
  loss_invariant(m);
  port_invariant(m);
}

/* Returns the queue whose groups are requested in this cycle, or -1: the readable one of the highest level. */
static int asked_queue(const MODEL *m, const IN *in) {
  struct hd_spill_out out = {0};
  int queue = -1;
  hd_spill_show(m, in, &out);
  for (unsigned q = 0; q < cfg.ring_queues; q++)
    if (out.reserve[q / cfg.max_level] && hd_memring_readable(&m->memring, q)) queue = (int)q;
  return queue;
}

static void contract(const MODEL *m, const IN *in) {
  const struct hd_memring *rings = &m->memring;
  const int asked = asked_queue(m, in);
  const _Bool put = m->puts && hd_memring_can_put(rings) && asked < 0, back = m->backs && in->laperm_back_ready;
  const _Bool waits = m->puts || m->outs || rings->used || rings->bads || m->gone_valid;
  struct hd_memring_out got = {0};
  for (unsigned q = 0; q < cfg.ring_queues; q++) {
    if (asked >= 0 && q >= (unsigned)asked) ghost.outs[q] += cfg.ring_line;
    if (m->spare && q >= m->ask_queue) ghost.outs[q] -= m->spare;
    if (m->gone_valid && q >= m->gone_queue) ghost.outs[q]--;
    if (back && q >= m->back[m->first_back].queue_no) ghost.outs[q]--;
  }
  hd_memring_got(rings, in->mem.r_valid, &in->mem.r, &got);
  if (m->closed && !in->laperm_put.valid && !waits && ghost.losses) ghost.losses--;
  ghost.losses += got.got_valid && got.got_error;
  ring_follow(rings, put, &in->mem, &ghost.ring);
  ASSUME(!in->laperm_put.valid || in->laperm_put.kdei < cfg.num_kde);
}
