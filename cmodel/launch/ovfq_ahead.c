/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "launch/ovfq_inside.h"

/* ---- Decisions ---- */

/* From place b to place a. */
static uint32_t span(const struct hd_ovfq *m, uint32_t a, uint32_t b) {
  return (a - b) & m->cfg.place_mask;
}

/* Would the window hold n more places? It is filled by whole beats. */
static bool fits(const struct hd_ovfq *m, unsigned n) {
  return span(m, m->asked + n, m->fetch - m->fetch % HD_OVFQ_LANES) <= m->cfg.window;
}

/* Places of the list that were not asked for. */
static uint32_t unread(const struct hd_ovfq *m) {
  return m->count[m->tag_kdei] - span(m, m->asked, m->first[m->tag_kdei]);
}

/* How many of them the next read takes, if one is not planned already; 0: none can be. Of a beat in which a place is
 * still to be written nothing is read. A beat is not read twice if that can be avoided, and two beats at most. */
static unsigned plan(const struct hd_ovfq *m) {
  uint32_t left = unread(m), unans = m->unans[m->tag_kdei];
  unsigned n = 2 * HD_OVFQ_LANES - m->asked % (2 * HD_OVFQ_LANES);
  if (m->planned || left <= unans || !fits(m, n)) return 0;
  uint32_t answered = left - unans, in_part = unans ? (m->asked + answered) % HD_OVFQ_LANES : 0;
  if (answered <= in_part) return 0;
  return n < answered - in_part ? n : answered - in_part;
}

/* A plan that ends within a beat is dropped when a pointer is on its way: it may be that of a place in that beat. */
static bool drops_plan(const struct hd_ovfq *m) {
  return m->planned && m->unans[m->tag_kdei] && (m->asked + m->planned) % HD_OVFQ_LANES;
}

bool hd_ovfq_ahead_wants_list(const struct hd_ovfq *m) {
  return m->planned && !drops_plan(m);
}

bool hd_ovfq_ahead_wants_record(const struct hd_ovfq *m, const struct hd_ovfq_in *in) {
  if (!m->at || m->ptr.onchip) return false;
  return !m->cfg.on_demand || (in->waiting && !m->used);
}

/* The row behind one of the groups. */
static unsigned row_behind(const struct hd_ovfq *m, unsigned row) {
  return row + 1 == m->cfg.rows ? 0 : row + 1;
}

/* The row of the first group that is not shown. */
static unsigned row_unshown(const struct hd_ovfq *m) {
  return m->over_valid ? row_behind(m, m->row_out) : m->row_out;
}

void hd_ovfq_ahead_decide(const struct hd_ovfq *m, const struct hd_ovfq_in *in, bool fetches, struct hd_ovfq_walk *w) {
  bool push = in->push_valid && in->push_kdei == m->tag_kdei;
  w->plan = plan(m);
  w->drop_plan = drops_plan(m);
  w->straight = push && unread(m) == 0 && m->here == m->asked && fits(m, 1);
  w->look = !m->at && m->fetch != m->here && m->used < m->cfg.rows;
  w->enters = m->at && (m->ptr.onchip || fetches);
  w->show = m->used > m->over_valid && m->done >> row_unshown(m) & 1 && (!m->over_valid || in->over_pop);
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

/* The pointer that was read gets the next row. */
static void enter_row(struct hd_ovfq *m) {
  m->self_row[m->row_in] = m->ptr;
  hd_wrote(&m->wrote[SELF_ROW], m->row_in);
  if (m->ptr.onchip) m->done |= UINT64_C(1) << m->row_in;
  m->row_in = (uint8_t)row_behind(m, m->row_in);
  m->used++;
  m->fetch = (m->fetch + 1) & m->cfg.place_mask;
  m->at = 0;
  m->ptr = (struct hd_ptr){0};
}

/* A row is shown, or the one that is goes. */
static void step_groups(struct hd_ovfq *m, const struct hd_ovfq_in *in, bool show) {
  unsigned row = row_unshown(m);
  bool pop = in->over_pop && m->over_valid;
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

/* Looks go before beats, which write the window, and groups before rows are written; a straight pointer and beats of
 * the list do not meet. */
void hd_ovfq_ahead_step(struct hd_ovfq *m, const struct hd_ovfq_in *in, const struct hd_ovfq_walk *w) {
  if (w->plan) m->planned = (uint8_t)w->plan;
  if (w->drop_plan) m->planned = 0;
  step_groups(m, in, w->show);
  if (w->enters) enter_row(m);
  if (w->look) {
    m->at = 1;
    m->ptr = get_pointer(m, m->fetch);
  }
  if (!w->straight) return;
  put_pointer(m, m->here, in->push_ptr);
  m->here = m->asked = (m->asked + 1) & m->cfg.place_mask;
}

void hd_ovfq_ahead_stop(struct hd_ovfq *m) {
  m->run = m->planned = m->at = m->row_in = m->row_out = m->used = m->over_valid = m->level = 0;
  m->fetch = m->here = m->asked = 0;
  m->param = m->done = 0;
  m->ptr = (struct hd_ptr){0};
  m->over = (struct hd_group){0};
}

void hd_ovfq_ahead_begin(struct hd_ovfq *m) {
  m->run = 1;
  m->fetch = m->here = m->asked = m->first[m->tag_kdei];
  if (!m->known[m->tag_kdei]) return;
  put_pointer(m, m->fetch, m->head[m->tag_kdei]);
  m->here = m->asked = (m->asked + 1) & m->cfg.place_mask;
}

/* ---- What memory brings ---- */

/* A beat of places: all that lie in it, but for those that are here already. */
static void list_beat(struct hd_ovfq *m, const struct hd_memdata *r, unsigned n) {
  uint32_t place = (m->here & ~(HD_OVFQ_LANES - 1u)) + HD_OVFQ_LANES * m->beat;
  for (unsigned lane = m->beat ? 0 : m->here % HD_OVFQ_LANES; lane < HD_OVFQ_LANES; lane++) {
    uint32_t word = (uint32_t)((lane < 2 ? r->lo : r->hi) >> 32 * (lane % 2));
    put_pointer(m, place + lane, (struct hd_ptr){.onchip = word >> 31, .index = word & m->cfg.index_mask});
  }
  if (r->last) m->here = (m->here + n) & m->cfg.place_mask;
}

/* What an AGE would hold of the record; the parameter address and the level came with the beats before. */
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

/* ---- For the compare ---- */

void hd_ovfq_ahead_arch_row(const struct hd_ovfq *m, unsigned row, struct hd_ovfq_arch *a) {
  if (row < m->cfg.window) {
    unsigned place = row % m->cfg.beats * HD_OVFQ_LANES + row / m->cfg.beats; /* modulo the window */
    a->ptr_row_valid[row] = ((place - m->fetch) & (m->cfg.window - 1)) < span(m, m->here, m->fetch);
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
  a->fetch = m->fetch;
  a->here = m->here;
  a->asked = m->asked;
  a->planned = m->planned;
  a->at = m->at;
  a->row_in = m->row_in;
  a->row_out = m->row_out;
  a->used = m->used;
  hd_bits_to_bytes(a->done, &m->done, m->cfg.rows);
}
