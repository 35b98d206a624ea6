/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "launch/ovfq_inside.h"

/* ---- Decisions ---- */

/* Returns the number of places from b to a. */
static uint32_t span(const struct hd_ovfq *m, uint32_t a, uint32_t b) {
  return (a - b) & m->cfg.place_mask;
}

/* Returns true if the window can hold n more places. It is filled by whole beats. */
static bool fits(const struct hd_ovfq *m, unsigned n) {
  return span(m, m->asked + n, m->fetch_pos - m->fetch_pos % HD_OVFQ_LANES) <= m->cfg.window;
}

/* Returns the number of places of the list that were not requested. */
static uint32_t unread(const struct hd_ovfq *m) {
  return m->count[m->tag_kdei] - span(m, m->asked, m->first[m->tag_kdei]);
}

/* Returns how many of them the next read takes, if none is planned already; 0: none. A beat that contains an unwritten
 * place is not read; reading a beat twice is avoided if possible; a read takes at most two beats. */
static unsigned plan(const struct hd_ovfq *m) {
  uint32_t left = unread(m), unans = m->unans[m->tag_kdei];
  unsigned n = 2 * HD_OVFQ_LANES - m->asked % (2 * HD_OVFQ_LANES);
  if (m->planned || left <= unans || !fits(m, n)) return 0;
  uint32_t answered = left - unans, in_part = unans ? (m->asked + answered) % HD_OVFQ_LANES : 0;
  if (answered <= in_part) return 0;
  return n < answered - in_part ? n : answered - in_part;
}

/* A plan that ends within a beat is dropped while a pointer is in flight: that pointer may belong to the same beat. */
static bool drops_plan(const struct hd_ovfq *m) {
  return m->planned && m->unans[m->tag_kdei] && (m->asked + m->planned) % HD_OVFQ_LANES;
}

bool hd_ovfq_ahead_wants_list(const struct hd_ovfq *m) {
  return m->planned && !drops_plan(m);
}

bool hd_ovfq_ahead_wants_record(const struct hd_ovfq *m, const struct hd_ovfq_in *in) {
  if (!m->at || m->ptr.onchip) return false;
  return !m->cfg.on_demand || (in->sched_events.waiting && !m->used);
}

/* Returns the row after a row of groups. */
static unsigned row_behind(const struct hd_ovfq *m, unsigned row) {
  return row + 1 == m->cfg.rows ? 0 : row + 1;
}

/* Returns the row of the first group that is not offered. */
static unsigned row_unshown(const struct hd_ovfq *m) {
  return m->over_valid ? row_behind(m, m->row_out) : m->row_out;
}

void hd_ovfq_ahead_decide(const struct hd_ovfq *m, const struct hd_ovfq_in *in, bool fetches, struct hd_ovfq_walk *w) {
  bool push = in->link_link.over && in->link_link.kdei == m->tag_kdei;
  w->plan = plan(m);
  w->drop_plan = drops_plan(m);
  w->straight = push && unread(m) == 0 && m->here == m->asked && fits(m, 1);
  w->look = !m->at && m->fetch_pos != m->here && m->used < m->cfg.rows;
  w->enters = m->at && (m->ptr.onchip || fetches);
  w->show = m->used > m->over_valid && m->done >> row_unshown(m) & 1 && (!m->over_valid || in->agt_over_pop);
}

/* ---- The edge ---- */

static void put_pointer(struct hd_ovfq *m, uint32_t place, struct hd_ptr ptr) {
  unsigned row = place % HD_OVFQ_LANES * m->cfg.beats + place / HD_OVFQ_LANES % m->cfg.beats;
  m->ptr_row[row] = ptr;
  hd_wrote(&m->wrote[PTR_ROW], row);
}

static struct hd_ptr get_pointer(const struct hd_ovfq *m, uint32_t place) {
  return m->ptr_row[place % HD_OVFQ_LANES * m->cfg.beats + place / HD_OVFQ_LANES % m->cfg.beats];
}

/* Moves the pointer read from the window to the next row. */
static void enter_row(struct hd_ovfq *m) {
  m->self_row[m->row_in] = m->ptr;
  hd_wrote(&m->wrote[SELF_ROW], m->row_in);
  if (m->ptr.onchip) m->done |= UINT64_C(1) << m->row_in;
  m->row_in = (uint8_t)row_behind(m, m->row_in);
  m->used++;
  m->fetch_pos = (m->fetch_pos + 1) & m->cfg.place_mask;
  m->at = 0;
  m->ptr = (struct hd_ptr){0};
}

/* A row is offered, or the offered one leaves. */
static void step_groups(struct hd_ovfq *m, const struct hd_ovfq_in *in, bool show) {
  unsigned row = row_unshown(m);
  bool pop = in->agt_over_pop && m->over_valid;
  if (!pop && !show) return;
  if (pop) {
    m->done &= ~(UINT64_C(1) << m->row_out);
    m->row_out = (uint8_t)row_behind(m, m->row_out);
    m->used--;
  }
  m->over_valid = show;
  m->over = (struct hd_group){0};
  if (!show) return;
  m->over.self = m->self_row[row];
  if (!m->over.self.onchip) m->over.info = m->info_row[row];
}

/* Reads of the window precede beats, which write it, and groups leave before rows are written; a direct pointer and
 * beats of the list never coincide. */
void hd_ovfq_ahead_step(struct hd_ovfq *m, const struct hd_ovfq_in *in, const struct hd_ovfq_walk *w) {
  if (w->plan) m->planned = (uint8_t)w->plan;
  if (w->drop_plan) m->planned = 0;
  step_groups(m, in, w->show);
  if (w->enters) enter_row(m);
  if (w->look) {
    m->at = 1;
    m->ptr = get_pointer(m, m->fetch_pos);
  }
  if (!w->straight) return;
  put_pointer(m, m->here, in->link_link.ptr);
  m->here = m->asked = (m->asked + 1) & m->cfg.place_mask;
}

void hd_ovfq_ahead_stop(struct hd_ovfq *m) {
  m->run = m->planned = m->at = m->row_in = m->row_out = m->used = m->over_valid = m->level = 0;
  m->fetch_pos = m->here = m->asked = 0;
  m->param = m->done = 0;
  m->ptr = (struct hd_ptr){0};
  m->over = (struct hd_group){0};
}

void hd_ovfq_ahead_begin(struct hd_ovfq *m) {
  m->run = 1;
  m->fetch_pos = m->here = m->asked = m->first[m->tag_kdei];
  if (!m->known[m->tag_kdei]) return;
  put_pointer(m, m->fetch_pos, m->head[m->tag_kdei]);
  m->here = m->asked = (m->asked + 1) & m->cfg.place_mask;
}

/* ---- Data from memory ---- */

/* A beat of places: stores all of them that are not already here. */
static void list_beat(struct hd_ovfq *m, const struct hd_memdata *r, unsigned n) {
  uint32_t place = (m->here & ~(HD_OVFQ_LANES - 1u)) + HD_OVFQ_LANES * m->beat;
  for (unsigned lane = m->beat ? 0 : m->here % HD_OVFQ_LANES; lane < HD_OVFQ_LANES; lane++) {
    uint32_t word = (uint32_t)((lane < 2 ? r->lo : r->hi) >> 32 * (lane % 2));
    put_pointer(m, place + lane, (struct hd_ptr){.onchip = word >> 31, .index = word & m->cfg.index_mask});
  }
  if (r->last) m->here = (m->here + n) & m->cfg.place_mask;
}

/* Stores the fields of the record that an AGE would hold; the parameter address and the level came with earlier
 * beats. */
static void record_ends(struct hd_ovfq *m, const struct hd_memdata *r, unsigned row) {
  m->info_row[row] = (struct hd_info){
      .grid_x = (uint16_t)(r->lo & m->cfg.grid_x_mask),
      .grid_y = (uint16_t)(r->lo >> 32 & m->cfg.grid_y_mask),
      .grid_z = (uint8_t)(r->lo >> 48 & m->cfg.grid_z_mask),
      .ctas = (uint32_t)(r->hi & m->cfg.ctas_mask),
      .param = m->param,
      .level = m->level,
  };
  hd_wrote(&m->wrote[INFO_ROW], row);
  m->done |= UINT64_C(1) << row;
}

/* Byte 8 of a record is the parameter address, byte 27 the level, byte 40 the TB count. */
static void record_beat(struct hd_ovfq *m, const struct hd_memdata *r) {
  uint64_t level = r->hi >> 24 & 0xff;
  if (m->beat == 0) m->param = r->hi >> 6 & m->cfg.param_mask;
  if (m->beat == 1) m->level = (uint8_t)(level < m->cfg.max_level ? level : m->cfg.max_level);
}

void hd_ovfq_ahead_beat(struct hd_ovfq *m, const struct hd_memdata *r) {
  const struct hd_ovfqread read = m->read_row[m->read_first];
  bool bad = m->error || r->error || (!read.oflist && !(r->hi & m->cfg.ctas_mask));
  if (r->last && bad) {
    m->fetch_fail_valid = 1;
    m->fetch_fail_kdei = m->tag_kdei;
  } else if (read.oflist) {
    list_beat(m, r, read.arg);
  } else if (r->last) {
    record_ends(m, r, read.arg);
  } else {
    record_beat(m, r);
  }
}

/* ---- Architectural state ---- */

void hd_ovfq_ahead_arch_row(const struct hd_ovfq *m, unsigned row, struct hd_ovfq_arch *a) {
  if (row < m->cfg.window) {
    unsigned place = row % m->cfg.beats * HD_OVFQ_LANES + row / m->cfg.beats; /* modulo the window */
    a->ptr_row_valid[row] = ((place - m->fetch_pos) & (m->cfg.window - 1)) < span(m, m->here, m->fetch_pos);
    a->ptr_row[row] = a->ptr_row_valid[row] ? m->ptr_row[row] : (struct hd_ptr){0};
  }
  if (row < m->cfg.rows) {
    bool used = hd_ovfq_in_ring(row, m->row_out, m->used, m->cfg.rows);
    a->self_row_valid[row] = used;
    a->self_row[row] = used ? m->self_row[row] : (struct hd_ptr){0};
    a->info_row_valid[row] = used && m->done >> row & 1 && !m->self_row[row].onchip;
    a->info_row[row] = a->info_row_valid[row] ? m->info_row[row] : (struct hd_info){0};
  }
}

void hd_ovfq_ahead_arch(const struct hd_ovfq *m, struct hd_ovfq_arch *a) {
  a->tag_valid = m->tag_valid;
  a->tag_kdei = m->tag_kdei;
  a->run = m->run;
  a->fetch_pos = m->fetch_pos;
  a->here = m->here;
  a->asked = m->asked;
  a->planned = m->planned;
  a->at = m->at;
  a->row_in = m->row_in;
  a->row_out = m->row_out;
  a->used = m->used;
  hd_bits_to_bytes(a->done, &m->done, m->cfg.rows);
}
