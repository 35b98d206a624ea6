/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "service/memring.h"

#include <string.h>

/* In the order of the CSV. */
enum { ENDS, WRITE, ANSWER, READ };

size_t hd_memring_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct hd_memring);
}

void hd_memring_init(struct hd_memring *m, const struct hd_cfg *cfg) {
  m->cfg = (struct hd_memring_cfg){.num_queues = cfg->ring_queues,
                                   .flight = cfg->ring_flight,
                                   .line = cfg->ring_line,
                                   .margin = cfg->ring_margin,
                                   .bad_rows = cfg->ring_bad,
                                   .order_min = cfg->ring_order_min,
                                   .order_max = cfg->ring_pos_w,
                                   .index_mask = UINT32_MAX >> (32 - cfg->ring_index_w),
                                   .addr_mask = UINT64_MAX >> (64 - cfg->addr_w)};
  hd_memring_reset(m);
}

void hd_memring_reset(struct hd_memring *m) {
  memset((char *)m + sizeof m->cfg, 0, sizeof *m - sizeof m->cfg);
  for (unsigned q = 0; q < m->cfg.num_queues; q++) hd_bit_set(m->room, q);
}

/* ---- positions ---- */

/* Returns the number of entries from one position of a ring up to another. */
static uint32_t distance(const struct hd_memring *m, uint32_t from, uint32_t to) {
  return (to - from) & m->cfg.index_mask;
}

static uint32_t after(const struct hd_memring *m, uint32_t index, uint32_t n) {
  return (index + n) & m->cfg.index_mask;
}

/* Returns true if a ring with these entries has room for more: its margin is free. */
static bool has_room(const struct hd_memring *m, const struct hd_ringends *ends) {
  return (uint64_t)distance(m, ends->first, ends->last) + m->cfg.margin <= UINT64_C(1) << m->order;
}

/* Returns the number of entries that a get of this queue reads. */
static uint32_t entries_of(const struct hd_memring *m, unsigned queue) {
  const struct hd_ringends ends = m->ends[queue];
  const uint32_t line = m->cfg.line - ends.first % m->cfg.line, written = distance(m, ends.first, ends.done);
  if (hd_memring_failing(m)) return 1;
  return line < written ? line : written;
}

/* Returns the row of the entry in `bad`, or -1. */
static int bad_row(const struct hd_memring *m, unsigned queue, uint32_t index) {
  for (unsigned row = 0; m->bads && row < m->cfg.bad_rows; row++)
    if (hd_bit(m->bad_valid, row) && m->bad[row].queue_no == queue && m->bad[row].index == index) return (int)row;
  return -1;
}

/* ---- outputs ---- */

unsigned hd_memring_asked(const struct hd_memring *m) {
  return m->op == HD_MEMRING_STEP && !m->write ? entries_of(m, m->queue) : 0;
}

void hd_memring_got(const struct hd_memring *m, bool r_valid, const struct hd_memdata *r, struct hd_memring_out *out) {
  const struct hd_ringread oldest = m->read[m->first_read]; /* a copy, for CBMC (docs/proofs.md) */
  const bool last = r_valid && m->got_beat == HD_MEMRING_BEATS - 1;
  out->got_beat_valid = r_valid;
  out->got_beat = r_valid ? m->got_beat : 0;
  out->got_valid = last;
  out->got_queue = last ? oldest.queue_no : 0;
  out->got_error = last && (oldest.bad || m->got_error_before || r->error);
}

void hd_memring_port(const struct hd_memring *m, const struct hd_memring_in *in, struct hd_memup *mem) {
  const bool data = m->op == HD_MEMRING_DATA || (m->op == HD_MEMRING_REQUEST && m->write);
  if (data) mem->wbeat = in->put_data;
  if (m->op != HD_MEMRING_REQUEST) return;
  const uint64_t place = ((uint64_t)m->queue << m->order) + (m->index & ((UINT32_C(1) << m->order) - 1));
  mem->valid = 1;
  mem->req.write = m->write;
  mem->req.addr = ((uint64_t)in->base * 256 + place * HD_MEMRING_BYTES) & m->cfg.addr_mask;
  mem->req.len = (uint8_t)((m->write ? 1u : m->entries) * HD_MEMRING_BEATS - 1);
}

void hd_memring_eval(const struct hd_memring *m, const struct hd_memring_in *in, struct hd_memring_out *out) {
  memset(out, 0, sizeof *out);
  out->put_ready = hd_memring_put_ready(m, in->get_valid);
  out->put_beat = (uint8_t)hd_memring_put_beat(m);
  out->put_done = hd_memring_put_done(m, in->mem.take);
  out->get_ready = hd_memring_get_ready(m, in->put_valid);
  out->asked = (uint8_t)hd_memring_asked(m);
  hd_memring_got(m, in->mem.r_valid, &in->mem.r, out);
  hd_bits_to_bytes(out->there, m->there, m->cfg.num_queues);
  hd_bits_to_bytes(out->readable, m->readable, m->cfg.num_queues);
  if (m->fits) hd_bits_to_bytes(out->room, m->room, m->cfg.num_queues);
  out->used = m->used;
  out->failing = hd_memring_failing(m);
  hd_memring_port(m, in, &out->mem);
}

/* ---- the edge ---- */

/* Row of the n-th burst after the first of a ring. */
static unsigned ring_row(const struct hd_memring *m, unsigned first, unsigned n) {
  return (first + n) % m->cfg.flight;
}

static void write_ends(struct hd_memring *m, unsigned queue, struct hd_ringends ends) {
  m->ends[queue] = ends;
  hd_wrote(&m->wrote[ENDS], queue);
}

/* Accepts a get or a put. */
static void accept(struct hd_memring *m, const struct hd_memring_in *in) {
  const bool get = in->get_valid && hd_memring_get_ready(m, in->put_valid);
  const bool put = in->put_valid && hd_memring_put_ready(m, in->get_valid);
  if (!get && !put) return;
  m->op = HD_MEMRING_LOOK;
  m->write = !get;
  m->queue = get ? in->get_queue : in->put_queue;
}

/* The entry gets the place behind the youngest. */
static void step_put(struct hd_memring *m) {
  const unsigned queue = m->queue, row = ring_row(m, m->first_write, m->writes++);
  struct hd_ringends ends = m->ends[queue];
  m->index = ends.last;
  ends.last = after(m, ends.last, 1);
  write_ends(m, queue, ends);
  m->write_queue[row] = m->queue;
  hd_wrote(&m->wrote[WRITE], row);
  hd_bit_set(m->given, queue);
  hd_bit_set(m->there, queue);
  hd_bit_put(m->room, queue, has_room(m, &ends));
  m->used++;
}

/* Requests the oldest entries. */
static void step_get(struct hd_memring *m) {
  const unsigned queue = m->queue, row = ring_row(m, m->first_read, m->reads++);
  const uint32_t n = entries_of(m, queue);
  struct hd_ringends ends = m->ends[queue];
  const int bad = bad_row(m, queue, ends.first);
  m->index = ends.first;
  m->entries = (uint8_t)n;
  ends.first = after(m, ends.first, n);
  write_ends(m, queue, ends);
  if (bad >= 0) {
    hd_bit_clear(m->bad_valid, (unsigned)bad);
    m->bad[bad] = (struct hd_ringbad){0};
    m->bads--;
  }
  m->read[row] = (struct hd_ringread){.queue_no = m->queue, .count = (uint8_t)n, .bad = bad >= 0};
  hd_wrote(&m->wrote[READ], row);
  hd_bit_put(m->there, queue, ends.first != ends.last);
  hd_bit_put(m->readable, queue, ends.first != ends.done);
  hd_bit_put(m->room, queue, has_room(m, &ends));
  m->used -= n;
}

static void step_op(struct hd_memring *m, const struct hd_memring_in *in) {
  switch (m->op) {
    case HD_MEMRING_IDLE:
      accept(m, in);
      break;
    case HD_MEMRING_LOOK:
      m->op = HD_MEMRING_STEP;
      break;
    case HD_MEMRING_STEP:
      m->op = HD_MEMRING_REQUEST;
      if (m->write)
        step_put(m);
      else
        step_get(m);
      break;
    case HD_MEMRING_REQUEST:
      if (in->mem.ready) m->op = m->write ? HD_MEMRING_DATA : HD_MEMRING_IDLE;
      break;
    default:
      if (hd_memring_put_done(m, in->mem.take)) m->op = HD_MEMRING_IDLE;
      if (in->mem.take) m->beat ^= 1;
  }
}

/* Remembers that the write of an entry failed. */
static void note_bad(struct hd_memring *m, unsigned queue, uint32_t index) {
  unsigned row = 0;
  while (row < m->cfg.bad_rows && hd_bit(m->bad_valid, row)) row++;
  if (row == m->cfg.bad_rows) return; /* more than the user may put */
  hd_bit_set(m->bad_valid, row);
  m->bad[row] = (struct hd_ringbad){.queue_no = (uint16_t)queue, .index = index};
  m->bads++;
}

/* Counts the oldest answer: the oldest write is in memory, or lost. */
static void count_answer(struct hd_memring *m) {
  const unsigned queue = m->write_queue[m->first_write];
  struct hd_ringends ends = m->ends[queue];
  if (m->answer_error[m->first_answer]) note_bad(m, queue, ends.done);
  ends.done = after(m, ends.done, 1);
  write_ends(m, queue, ends);
  hd_bit_set(m->readable, queue);
  m->first_write = (uint8_t)ring_row(m, m->first_write, 1);
  m->writes--;
  m->first_answer = (uint8_t)ring_row(m, m->first_answer, 1);
  m->answers--;
}

static void append_answer(struct hd_memring *m, bool error) {
  const unsigned row = ring_row(m, m->first_answer, m->answers++);
  m->answer_error[row] = error;
  hd_wrote(&m->wrote[ANSWER], row);
}

static void take_beat(struct hd_memring *m, const struct hd_memdata *r) {
  const bool last = m->got_beat == HD_MEMRING_BEATS - 1;
  m->got_beat ^= 1;
  m->got_error_before = !last && r->error;
  m->got_count = (uint8_t)(m->got_count + last);
  if (!r->last) return;
  m->got_count = 0;
  m->first_read = (uint8_t)ring_row(m, m->first_read, 1);
  m->reads--;
}

/* The largest rings that the region has room for, from the next cycle on. */
static void set_order(struct hd_memring *m, uint32_t count) {
  if (m->count == count) return;
  m->count = count;
  m->order = m->fits = 0;
  for (unsigned k = m->cfg.order_min; k <= m->cfg.order_max; k++)
    if ((uint64_t)m->cfg.num_queues << k <= count) m->order = (uint8_t)k, m->fits = 1;
}

void hd_memring_tick(struct hd_memring *m, const struct hd_memring_in *in) {
  const bool row_in_use = m->op == HD_MEMRING_LOOK || m->op == HD_MEMRING_STEP;
  const bool may_count = !row_in_use && !m->counting && m->answers > 0;
  /* The parts do not conflict: a count does not coincide with the look and the step of an operation; bursts leave a
   * ring at its beginning, and enter it behind the others. */
  step_op(m, in);
  if (m->counting == 2) count_answer(m);
  m->counting = may_count && m->op != HD_MEMRING_LOOK ? 1 : m->counting == 1 ? 2 : 0;
  if (in->mem.b_valid) append_answer(m, in->mem.b_error);
  if (in->mem.r_valid) take_beat(m, &in->mem.r);
  set_order(m, in->count);
}

/* ---- architectural state ---- */

static bool is_in_ring(const struct hd_memring *m, unsigned row, unsigned first, unsigned n) {
  return ring_row(m, row, m->cfg.flight - first) < n;
}

void hd_memring_arch_row(const struct hd_memring *m, unsigned row, struct hd_memring_arch *a) {
  if (row < m->cfg.num_queues) {
    a->ends_row_valid[row] = hd_bit(m->given, row);
    a->ends_row[row] = m->ends[row];
  }
  if (row >= m->cfg.flight) return;
  a->write_row_valid[row] = is_in_ring(m, row, m->first_write, m->writes);
  a->write_row[row] = a->write_row_valid[row] ? m->write_queue[row] : 0;
  a->answer_row_valid[row] = is_in_ring(m, row, m->first_answer, m->answers);
  a->answer_row[row] = a->answer_row_valid[row] ? m->answer_error[row] : 0;
  a->read_row_valid[row] = is_in_ring(m, row, m->first_read, m->reads);
  a->read_row[row] = a->read_row_valid[row] ? m->read[row] : (struct hd_ringread){0};
}

void hd_memring_arch(const struct hd_memring *m, struct hd_memring_arch *a, bool tables) {
  const unsigned rows = m->cfg.num_queues > m->cfg.flight ? m->cfg.num_queues : m->cfg.flight;
  a->op = m->op;
  a->write = m->write;
  a->queue = m->op ? m->queue : 0;
  a->beat = m->beat;
  a->order = m->order;
  a->fits = m->fits;
  a->counting = m->counting;
  hd_bits_to_bytes(a->given, m->given, m->cfg.num_queues);
  hd_bits_to_bytes(a->there, m->there, m->cfg.num_queues);
  hd_bits_to_bytes(a->readable, m->readable, m->cfg.num_queues);
  hd_bits_to_bytes(a->room, m->room, m->cfg.num_queues);
  a->used = m->used;
  a->writes = m->writes;
  a->first_write = m->first_write;
  a->answers = m->answers;
  a->first_answer = m->first_answer;
  a->reads = m->reads;
  a->first_read = m->first_read;
  a->got_count = m->got_count;
  a->got_error_before = m->got_error_before;
  hd_bits_to_bytes(a->bad_valid, m->bad_valid, m->cfg.bad_rows);
  memcpy(a->bad, m->bad, m->cfg.bad_rows * sizeof *m->bad);
  for (unsigned row = 0; tables && row < rows; row++) hd_memring_arch_row(m, row, a);
}
