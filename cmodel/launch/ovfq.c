/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "launch/ovfq.h"

#include <string.h>

#include "launch/ovfq_inside.h"

size_t hd_ovfq_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct hd_ovfq);
}

static uint64_t bits(unsigned w) {
  return UINT64_MAX >> (64 - w);
}

void hd_ovfq_init(struct hd_ovfq *m, const struct hd_cfg *cfg) {
  memset(&m->cfg, 0, sizeof m->cfg); /* with padding: models are compared as bytes */
  m->cfg.num_kde = cfg->num_kde;
  m->cfg.num_kin = cfg->num_kin;
  m->cfg.num_list = cfg->num_list;
  m->cfg.rows = cfg->ovfq_rows;
  m->cfg.window = cfg->ovfq_window;
  m->cfg.beats = cfg->ovfq_beats;
  m->cfg.flight = cfg->ovfq_flight;
  m->cfg.writes = cfg->ovfq_writes;
  m->cfg.agt_size = cfg->agt_size;
  m->cfg.max_level = cfg->max_level;
  m->cfg.on_demand = cfg->prefetch_depth == 0;
  m->cfg.place_mask = (uint32_t)bits(cfg->list_pos_w);
  m->cfg.index_mask = (uint32_t)bits(cfg->rec_w);
  m->cfg.grid_x_mask = (uint32_t)bits(cfg->group_xw);
  m->cfg.grid_y_mask = (uint32_t)bits(cfg->group_yw);
  m->cfg.grid_z_mask = (uint32_t)bits(cfg->group_zw);
  m->cfg.ctas_mask = (uint32_t)bits(cfg->ctas_w);
  m->cfg.addr_mask = bits(cfg->addr_w);
  m->cfg.param_mask = bits(cfg->param_units_w);
  hd_ovfq_reset(m);
}

void hd_ovfq_reset(struct hd_ovfq *m) {
  memset((char *)m + sizeof m->cfg, 0, sizeof *m - sizeof m->cfg);
  for (unsigned k = 0; k < m->cfg.num_kde; k++) m->list[k] = (uint16_t)k;
  m->mask = HD_OVFQ_CHUNK - 1;
  m->rec_count = UINT64_MAX;
}

/* Address of a place: the rings of all lists are interleaved in chunks of 64 places. */
static uint64_t place_addr(const struct hd_ovfq *m, const struct hd_ovfq_in *in) {
  uint32_t q = m->op_pos & m->mask;
  uint64_t chunk = (uint64_t)m->cfg.num_list * (q / HD_OVFQ_CHUNK) + m->op_list;
  return ((in->regs_config.list_base + chunk) * 256 + 4 * (q % HD_OVFQ_CHUNK)) & ~UINT64_C(15);
}

static void eval_port(const struct hd_ovfq *m, const struct hd_ovfq_in *in, struct hd_ovfq_out *out) {
  if (m->op == HD_OVFQ_BEAT) {
    const struct hd_ptr p = m->write_row[m->w_first].ptr;
    uint64_t word = (uint64_t)p.onchip << 31 | p.index;
    unsigned lane = m->op_pos % HD_OVFQ_LANES;
    *(lane < 2 ? &out->mem.wbeat.lo : &out->mem.wbeat.hi) = word << 32 * (lane % 2);
    out->mem.wbeat.strb = (uint16_t)(0xf << 4 * lane);
  }
  if (!hd_ovfq_req_valid(m)) return;
  uint64_t addr =
      m->op_record ? (uint64_t)in->regs_config.rec_base * 256 + (uint64_t)m->op_index * 64 : place_addr(m, in);
  out->mem.valid = 1;
  out->mem.req.write = m->op == HD_OVFQ_WRITE;
  out->mem.req.addr = addr & m->cfg.addr_mask;
  out->mem.req.len = m->op_len;
}

void hd_ovfq_eval(const struct hd_ovfq *m, const struct hd_ovfq_in *in, struct hd_ovfq_out *out) {
  memset(out, 0, sizeof *out);
  out->room = hd_ovfq_room(m);
  for (unsigned k = 0; k < m->cfg.num_kde; k++) {
    out->there[k] = m->count[k] > 0;
    out->one[k] = m->count[k] == 1;
    out->full[k] = hd_ovfq_full(m, k, in->link_link.over && in->link_link.kdei == k);
    out->unanswered[k] = m->unans[k] > 0;
  }
  out->taken = m->taken;
  out->over.valid = m->over_valid;
  out->over.kdei = (uint8_t)hd_ovfq_over_kdei(m);
  out->over.group = m->over;
  out->write_fail.valid = m->write_fail_valid;
  out->write_fail.kdei = m->write_fail_kdei;
  out->fetch_fail.valid = m->fetch_fail_valid;
  out->fetch_fail.kdei = m->fetch_fail_kdei;
  out->fetch = m->fetch_event;
  if (m->op) eval_port(m, in, out);
}

/* ---- Decisions, from the state at the start of the cycle ---- */

enum burst { NONE, A_WRITE, OF_LIST, OF_RECORD };

struct step {
  bool flush, stop, begin;
  enum burst burst; /* begins in this cycle */
  struct hd_ovfq_walk walk;
};

/* Returns true if the list of the kernel is dropped in this cycle. */
static bool cleared(const struct hd_ovfq *m, const struct hd_ovfq_in *in, unsigned k) {
  return (in->fails[0].valid && in->fails[0].kdei == k) || (in->fails[1].valid && in->fails[1].kdei == k) ||
         (in->kd_take.valid && in->kd_take.kdei == k) || hd_ovfq_fails(m, k);
}

static enum burst next_burst(const struct hd_ovfq *m, const struct hd_ovfq_in *in) {
  bool write = m->w_count && m->w_flight < m->cfg.flight && !m->out_pending && !m->in_pending;
  bool read = m->run && m->r_flight < m->cfg.flight;
  if (m->op || (write && m->turn)) return m->op ? NONE : A_WRITE;
  if (read && hd_ovfq_ahead_wants_list(m)) return OF_LIST;
  if (read && hd_ovfq_ahead_wants_record(m, in)) return OF_RECORD;
  return write ? A_WRITE : NONE;
}

static void decide(const struct hd_ovfq *m, const struct hd_ovfq_in *in, struct step *d) {
  memset(d, 0, sizeof *d);
  d->flush = m->tag_valid != in->sched_sscr.valid || (m->tag_valid && m->tag_kdei != in->sched_sscr.kdei);
  d->stop = d->flush || (m->tag_valid && cleared(m, in, m->tag_kdei));
  d->burst = next_burst(m, in);
  if (m->run && !d->stop) hd_ovfq_ahead_decide(m, in, d->burst == OF_RECORD, &d->walk);
  d->begin = !m->run && !d->stop && m->tag_valid && !m->r_flight && !m->out_pending && !m->in_pending;
}

/* ---- The memory port ---- */

/* Queues the write of the pointer that is pushed to a list. */
static void queue_write(struct hd_ovfq *m, const struct hd_ovfq_in *in) {
  unsigned k = in->link_link.kdei, row = (m->w_first + m->w_count) % m->cfg.writes;
  uint32_t pos = (m->first[k] + m->count[k]) & m->cfg.place_mask;
  m->write_row[row] = (struct hd_ovfqwrite){.owner = (uint8_t)k, .pos = pos, .ptr = in->link_link.ptr};
  hd_wrote(&m->wrote[WRITE_ROW], row);
  m->w_count++;
}

static void begin_write(struct hd_ovfq *m) {
  const struct hd_ovfqwrite w = m->write_row[m->w_first];
  unsigned row = (m->wait_first + m->w_flight++) % m->cfg.flight;
  m->op = HD_OVFQ_WRITE;
  m->op_list = m->list[w.owner];
  m->op_pos = w.pos;
  m->turn = 0;
  m->wait_row[row] = w.owner;
  hd_wrote(&m->wrote[WAIT_ROW], row);
}

static void begin_read(struct hd_ovfq *m, struct hd_ovfqread what) {
  unsigned row = (m->read_first + m->r_flight++) % m->cfg.flight;
  m->op = HD_OVFQ_READ;
  m->turn = 1;
  m->read_row[row] = what;
  hd_wrote(&m->wrote[READ_ROW], row);
}

static void begin_list(struct hd_ovfq *m) {
  unsigned n = m->planned;
  begin_read(m, (struct hd_ovfqread){.oflist = 1, .arg = (uint8_t)n});
  m->op_list = m->list[m->tag_kdei];
  m->op_pos = m->asked;
  m->op_len = (uint8_t)((m->asked % HD_OVFQ_LANES + n - 1) / HD_OVFQ_LANES);
  m->asked = (m->asked + n) & m->cfg.place_mask;
  m->planned = 0;
}

static void begin_record(struct hd_ovfq *m) {
  begin_read(m, (struct hd_ovfqread){.oflist = 0, .arg = m->row_in});
  m->op_record = 1;
  m->op_index = m->ptr.index;
  m->op_len = HD_OVFQ_RECORD_BEATS - 1;
}

static void end_op(struct hd_ovfq *m) {
  m->op = m->op_record = m->op_len = 0;
  m->op_list = 0;
  m->op_index = m->op_pos = 0;
}

/* Runs before the lists change: a burst that begins reads them as they were at the start of the cycle. */
static void step_op(struct hd_ovfq *m, const struct hd_ovfq_in *in, const struct step *d) {
  m->fetch_event = d->burst == OF_RECORD;
  if (d->burst == A_WRITE) begin_write(m);
  if (d->burst == OF_LIST) begin_list(m);
  if (d->burst == OF_RECORD) begin_record(m);
  if (d->burst || !m->op) return;
  if (m->op == HD_OVFQ_READ && in->mem.ready) end_op(m);
  if (m->op == HD_OVFQ_BEAT && in->mem.take) {
    m->w_first = (uint8_t)((m->w_first + 1) % m->cfg.writes);
    m->w_count--;
    end_op(m);
  }
  if (m->op == HD_OVFQ_WRITE && in->mem.ready) m->op = HD_OVFQ_BEAT;
}

/* The memory answers the oldest write: it is in memory, or lost. */
static void step_answer(struct hd_ovfq *m, const struct hd_ovfq_in *in) {
  m->write_fail_valid = m->write_fail_kdei = 0;
  if (!in->mem.b_valid) return;
  unsigned k = m->wait_row[m->wait_first];
  m->wait_first = (uint8_t)((m->wait_first + 1) % m->cfg.flight);
  m->w_flight--;
  m->unans[k]--;
  if (!in->mem.b_error) return;
  m->write_fail_valid = 1;
  m->write_fail_kdei = (uint8_t)k;
}

/* Receives a beat. If its walk has stopped, the beat is only counted. */
static void step_beat(struct hd_ovfq *m, const struct hd_ovfq_in *in, bool walks) {
  m->fetch_fail_valid = m->fetch_fail_kdei = 0;
  if (!in->mem.r_valid) return;
  if (walks) hd_ovfq_ahead_beat(m, &in->mem.r);
  m->error |= in->mem.r.error;
  m->beat++;
  if (!in->mem.r.last) return;
  m->beat = m->error = m->level = 0;
  m->param = 0;
  m->read_first = (uint8_t)((m->read_first + 1) % m->cfg.flight);
  m->r_flight--;
}

/* ---- The edge ---- */

/* Sets the tag to the kernel in the SSCR, and stops or begins the walk of its list. */
static void follow(struct hd_ovfq *m, const struct hd_ovfq_in *in, const struct step *d) {
  if (d->stop) hd_ovfq_ahead_stop(m);
  if (d->flush) {
    m->tag_valid = in->sched_sscr.valid;
    m->tag_kdei = in->sched_sscr.valid ? in->sched_sscr.kdei : 0;
  }
  if (d->begin) hd_ovfq_ahead_begin(m);
}

/* Returns the number of places of a list, less one: a power of two with room for every group that can exist. */
static uint32_t mask_of(const struct hd_ovfq *m, uint32_t rec_count) {
  uint64_t places = (uint64_t)rec_count + m->cfg.agt_size;
  if (places <= HD_OVFQ_CHUNK) return HD_OVFQ_CHUNK - 1;
  if (places > m->cfg.place_mask) return m->cfg.place_mask;
  return (uint32_t)(UINT64_MAX >> __builtin_clzll(places - 1));
}

void hd_ovfq_tick(struct hd_ovfq *m, const struct hd_ovfq_in *in) {
  struct step d;
  decide(m, in, &d);
  bool walks = m->run && !d.stop;
  step_op(m, in, &d);
  if (walks) hd_ovfq_ahead_step(m, in, &d.walk);
  follow(m, in, &d);
  if (in->link_link.over) queue_write(m, in);
  hd_ovfq_lists_step(m, in);
  step_answer(m, in);
  step_beat(m, in, walks);
  if (m->rec_count == in->regs_config.rec_count) return;
  m->rec_count = in->regs_config.rec_count;
  m->mask = mask_of(m, in->regs_config.rec_count);
}

/* ---- Architectural state ---- */

void hd_ovfq_arch_row(const struct hd_ovfq *m, unsigned row, struct hd_ovfq_arch *a) {
  hd_ovfq_ahead_arch_row(m, row, a);
  if (row < m->cfg.writes) {
    a->write_row_valid[row] = hd_ovfq_in_ring(row, m->w_first, m->w_count, m->cfg.writes);
    a->write_row[row] = a->write_row_valid[row] ? m->write_row[row] : (struct hd_ovfqwrite){0};
  }
  if (row < m->cfg.flight) {
    a->wait_row_valid[row] = hd_ovfq_in_ring(row, m->wait_first, m->w_flight, m->cfg.flight);
    a->wait_row[row] = a->wait_row_valid[row] ? m->wait_row[row] : 0;
    a->read_row_valid[row] = hd_ovfq_in_ring(row, m->read_first, m->r_flight, m->cfg.flight);
    a->read_row[row] = a->read_row_valid[row] ? m->read_row[row] : (struct hd_ovfqread){0};
  }
  if (row < m->cfg.num_kin) {
    a->kin_row_valid[row] = hd_bit(m->given, row);
    a->kin_row[row] = a->kin_row_valid[row] ? m->kin_row[row] : 0;
  }
}

void hd_ovfq_arch(const struct hd_ovfq *m, struct hd_ovfq_arch *a, bool tables) {
  hd_ovfq_lists_arch(m, a);
  hd_ovfq_ahead_arch(m, a);
  a->mask = m->mask;
  a->w_count = m->w_count;
  a->w_first = m->w_first;
  a->w_flight = m->w_flight;
  a->wait_first = m->wait_first;
  a->op = m->op;
  a->op_record = m->op_record;
  a->op_index = m->op_index;
  a->op_list = m->op_list;
  a->op_pos = m->op_pos;
  a->op_len = m->op_len;
  a->turn = m->turn;
  a->r_flight = m->r_flight;
  a->read_first = m->read_first;
  a->beat = m->beat;
  a->error = m->error;
  unsigned rows = m->cfg.num_kin > m->cfg.flight ? m->cfg.num_kin : m->cfg.flight;
  for (unsigned row = 0; tables && row < rows; row++) hd_ovfq_arch_row(m, row, a);
}
