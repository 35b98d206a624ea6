/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "service/memq.h"

#include <string.h>

/* In the order of the CSV. */
enum { ENDS, NEXT, SIDE, PUT, GET };

size_t hd_memq_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct hd_memq);
}

void hd_memq_init(struct hd_memq *m, const struct hd_cfg *cfg) {
  const struct hd_memq_cfg own = {.num_queues = cfg->memq_queues,
                                  .places = cfg->memq_places,
                                  .flight = cfg->memq_flight,
                                  .beats = HD_MEMQ_BEATS,
                                  .addr_mask = UINT64_MAX >> (64 - cfg->addr_w)};
  hd_memq_init_as(m, &own);
}

void hd_memq_init_as(struct hd_memq *m, const struct hd_memq_cfg *cfg) {
  m->cfg = *cfg; /* without padding: models are compared as bytes */
  hd_memq_reset(m);
}

void hd_memq_reset(struct hd_memq *m) {
  memset((char *)m + sizeof m->cfg, 0, sizeof *m - sizeof m->cfg);
}

void hd_memq_got(const struct hd_memq *m, bool r_valid, const struct hd_memdata *r, struct hd_memq_out *out) {
  const struct hd_memqget *g = &m->get[m->first_get];
  bool last = hd_memq_got_valid(r_valid, r);
  out->got_beat_valid = r_valid;
  out->got_beat = r_valid ? m->got_beat : 0;
  out->got_valid = last;
  out->got_tag = last ? g->tag : 0;
  out->got_side = last ? m->side[g->place].side : 0;
  out->got_error = last && (m->side[g->place].bad || m->got_error_before || r->error);
}

static void eval_port(const struct hd_memq *m, const struct hd_memq_in *in, struct hd_memq_out *out) {
  bool data = m->op == HD_MEMQ_DATA || (m->op == HD_MEMQ_REQUEST && m->write);
  if (data) out->mem.wbeat = in->put_data;
  if (m->op != HD_MEMQ_REQUEST) return;
  out->mem.valid = 1;
  out->mem.req.write = m->write;
  out->mem.req.addr = ((uint64_t)in->base * 256 + (uint64_t)m->place * 16 * m->cfg.beats) & m->cfg.addr_mask;
  out->mem.req.len = (uint8_t)(m->cfg.beats - 1);
}

void hd_memq_eval(const struct hd_memq *m, const struct hd_memq_in *in, struct hd_memq_out *out) {
  memset(out, 0, sizeof *out);
  out->put_ready = hd_memq_put_ready(m, in->count, in->get_valid);
  out->put_beat = (uint8_t)hd_memq_put_beat(m);
  out->put_done = hd_memq_put_done(m, in->mem.take);
  out->get_ready = hd_memq_get_ready(m, in->count, in->put_valid);
  hd_memq_got(m, in->mem.r_valid, &in->mem.r, out);
  for (unsigned q = 0; q < m->cfg.num_queues; q++) {
    out->there[q] = hd_memq_there(m, q);
    out->readable[q] = hd_memq_readable(m, q);
  }
  out->used = (uint16_t)hd_memq_used(m);
  out->left = (uint16_t)hd_memq_left(m, in->count);
  eval_port(m, in, out);
}

static void write_next(struct hd_memq *m, unsigned place, uint16_t next) {
  m->next[place] = next;
  hd_bit_set(m->next_wrote, place);
  hd_wrote(&m->wrote[NEXT], place);
}

static void write_ends(struct hd_memq *m, unsigned queue, struct hd_memqends ends) {
  m->ends[queue] = ends;
  hd_wrote(&m->wrote[ENDS], queue);
}

/* Row of the n-th burst after the first of a ring. */
static unsigned ring_row(const struct hd_memq *m, unsigned first, unsigned n) {
  return (first + n) % m->cfg.flight;
}

/* Accepts a get or a put. */
static void take(struct hd_memq *m, const struct hd_memq_in *in) {
  bool get = in->get_valid && hd_memq_get_ready(m, in->count, in->put_valid);
  bool put = in->put_valid && hd_memq_put_ready(m, in->count, in->get_valid);
  if (!get && !put) return;
  m->op = HD_MEMQ_READ_NEXT;
  m->write = put;
  m->queue = get ? in->get_queue : in->put_queue;
  if (get) {
    m->tag = in->get_tag;
    m->answered[m->queue]--;
  } else {
    m->put_side = in->put_side;
  }
}

/* Looks up the oldest entry of the queue; its successor becomes the first. */
static void look_get(struct hd_memq *m) {
  struct hd_memqends ends = m->ends[m->queue];
  unsigned row = ring_row(m, m->first_get, m->gets++);
  m->place = ends.first;
  m->get[row] = (struct hd_memqget){.place = m->place, .tag = m->tag};
  hd_wrote(&m->wrote[GET], row);
  if (ends.first == ends.last) {
    m->there[m->queue] = 0;
  } else {
    m->link = HD_MEMQ_OF_QUEUE;
    m->link_place = m->next[m->place];
  }
}

/* Returns a free place, from the chain if possible. */
static uint16_t take_place(struct hd_memq *m) {
  if (!m->chained) return m->fresh++;
  if (m->chained-- >= 2) {
    m->link = HD_MEMQ_OF_FREE;
    m->link_place = m->next[m->free_first];
  }
  return m->free_first;
}

/* It becomes the last place of the queue. */
static void look_put(struct hd_memq *m) {
  struct hd_memqends ends = m->ends[m->queue];
  unsigned row = ring_row(m, m->first_put, m->puts++);
  uint16_t place = take_place(m);
  m->place = place;
  m->put[row] = (struct hd_memqput){.owner = m->queue, .place = place, .side = m->put_side};
  hd_wrote(&m->wrote[PUT], row);
  if (m->there[m->queue]) write_next(m, ends.last, place);
  write_ends(m, m->queue, (struct hd_memqends){.first = m->there[m->queue] ? ends.first : place, .last = place});
  m->there[m->queue] = 1;
}

/* Uses the result of the look's read. */
static void follow_link(struct hd_memq *m) {
  if (m->link == HD_MEMQ_OF_QUEUE)
    write_ends(m, m->queue, (struct hd_memqends){.first = m->link_place, .last = m->ends[m->queue].last});
  if (m->link == HD_MEMQ_OF_FREE) m->free_first = m->link_place;
  m->link = HD_MEMQ_NO_LINK;
  m->link_place = 0;
}

static void step_op(struct hd_memq *m, const struct hd_memq_in *in) {
  switch (m->op) {
    case HD_MEMQ_IDLE:
      take(m, in);
      break;
    case HD_MEMQ_READ_NEXT:
      m->op = HD_MEMQ_REQUEST;
      if (m->write)
        look_put(m);
      else
        look_get(m);
      break;
    case HD_MEMQ_REQUEST:
      follow_link(m);
      if (in->mem.ready) m->op = m->write ? HD_MEMQ_DATA : HD_MEMQ_IDLE;
      break;
    default:
      if (hd_memq_put_done(m, in->mem.take)) m->op = HD_MEMQ_IDLE;
      if (in->mem.take) m->beat = (uint8_t)((m->beat + 1u) % m->cfg.beats);
  }
}

/* Adds a place that was read to the free chain; with the last entry the chain is dropped. */
static void free_place(struct hd_memq *m) {
  m->freeing = 0;
  if (m->fresh - m->chained == 1) {
    m->fresh = m->chained = 0;
    return;
  }
  if (m->chained)
    write_next(m, m->free_last, m->freeing_place);
  else
    m->free_first = m->freeing_place;
  m->free_last = m->freeing_place;
  m->chained++;
}

/* The oldest put is in memory, or lost. */
static void answer(struct hd_memq *m, bool error) {
  const struct hd_memqput *p = &m->put[m->first_put];
  m->answered[p->owner]++;
  m->side[p->place] = (struct hd_memqside){.bad = error, .side = p->side};
  hd_bit_set(m->side_wrote, p->place);
  hd_wrote(&m->wrote[SIDE], p->place);
  m->first_put = (uint8_t)ring_row(m, m->first_put, 1);
  m->puts--;
}

/* Receives a beat of the oldest get. */
static void beat(struct hd_memq *m, const struct hd_memdata *r) {
  m->got_beat = (uint8_t)((m->got_beat + 1u) % m->cfg.beats);
  m->got_error_before |= r->error;
  if (!r->last) return;
  m->got_beat = m->got_error_before = 0;
  m->freeing = 1;
  m->freeing_place = m->get[m->first_get].place;
  m->first_get = (uint8_t)ring_row(m, m->first_get, 1);
  m->gets--;
}

void hd_memq_tick(struct hd_memq *m, const struct hd_memq_in *in) {
  /* The look of a put has exclusive access to the free chain. */
  bool frees = m->freeing && !(m->op == HD_MEMQ_READ_NEXT && m->write);
  step_op(m, in); /* first: it uses the state at the start of the cycle, and appends after it */
  if (frees) free_place(m);
  if (in->mem.b_valid) answer(m, in->mem.b_error);
  if (in->mem.r_valid) beat(m, &in->mem.r);
}

void hd_memq_arch_row(const struct hd_memq *m, unsigned row, struct hd_memq_arch *a) {
  if (row < m->cfg.num_queues) {
    a->ends_row_valid[row] = m->there[row];
    a->ends_row[row] = m->there[row] ? m->ends[row] : (struct hd_memqends){0};
  }
  if (row < m->cfg.places) {
    a->next_row_valid[row] = hd_bit(m->next_wrote, row);
    a->next_row[row] = m->next[row];
    a->side_row_valid[row] = hd_bit(m->side_wrote, row);
    a->side_row[row] = m->side[row];
  }
  if (row >= m->cfg.flight) return;
  a->put_row_valid[row] = ring_row(m, row, m->cfg.flight - m->first_put) < m->puts;
  a->put_row[row] = a->put_row_valid[row] ? m->put[row] : (struct hd_memqput){0};
  a->get_row_valid[row] = ring_row(m, row, m->cfg.flight - m->first_get) < m->gets;
  a->get_row[row] = a->get_row_valid[row] ? m->get[row] : (struct hd_memqget){0};
}

void hd_memq_arch(const struct hd_memq *m, struct hd_memq_arch *a, bool tables) {
  a->op = m->op;
  a->write = m->write;
  a->queue = m->op ? m->queue : 0;
  a->beat = m->beat;
  memcpy(a->answered, m->answered, m->cfg.num_queues * sizeof *m->answered);
  a->fresh = m->fresh;
  a->chained = m->chained;
  a->free_first = m->chained ? m->free_first : 0;
  a->free_last = m->chained ? m->free_last : 0;
  a->freeing = m->freeing;
  a->freeing_place = m->freeing ? m->freeing_place : 0;
  a->puts = m->puts;
  a->first_put = m->first_put;
  a->gets = m->gets;
  a->first_get = m->first_get;
  a->got_error_before = m->got_error_before;
  unsigned rows = m->cfg.places > m->cfg.num_queues ? m->cfg.places : m->cfg.num_queues;
  if (rows < m->cfg.flight) rows = m->cfg.flight;
  for (unsigned row = 0; tables && row < rows; row++) hd_memq_arch_row(m, row, a);
}
