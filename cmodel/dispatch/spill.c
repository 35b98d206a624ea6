/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "dispatch/spill.h"

#include <string.h>

/* In the order of the CSV. */
enum { PUT, BACK };

size_t hd_spill_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct hd_spill);
}

void hd_spill_init(struct hd_spill *m, const struct hd_cfg *cfg) {
  const struct hd_memq_cfg queues = {.num_queues = cfg->spillq_queues,
                                     .places = cfg->spillq_places,
                                     .flight = cfg->spillq_flight,
                                     .beats = HD_SPILL_BEATS,
                                     .addr_mask = UINT64_MAX >> (64 - cfg->addr_w)};
  memset(m, 0, sizeof *m);
  m->cfg.num_bank = cfg->num_bank;
  m->cfg.max_level = cfg->max_level;
  m->cfg.depth = cfg->spill_depth;
  m->cfg.flight = cfg->spillq_flight;
  m->cfg.x_w = cfg->group_xw;
  m->cfg.y_w = cfg->group_yw;
  m->cfg.z_w = cfg->group_zw;
  m->cfg.ctas_w = cfg->ctas_w;
  m->cfg.param_w = cfg->param_units_w;
  hd_memq_init_as(&m->memq, &queues);
}

void hd_spill_reset(struct hd_spill *m) {
  memset((char *)m + sizeof m->cfg, 0, offsetof(struct hd_spill, memq) - sizeof m->cfg);
  hd_memq_reset(&m->memq);
}

/* ---- the record ---- */

static uint64_t field(uint64_t word, unsigned at, unsigned width) {
  return word >> at & UINT64_MAX >> (64 - width);
}

static struct hd_membeat record_beat(const struct hd_info *g, unsigned beat) {
  struct hd_membeat b = {.strb = 0xffff};
  if (beat == 0) {
    b.lo = (uint64_t)g->grid_y << 48 | (uint64_t)g->grid_x << 32 | g->ctas;
    b.hi = g->grid_z;
  } else {
    b.lo = g->param;
  }
  return b;
}

/* Returns the group of two beats, the second of which has arrived. */
static struct hd_info from_record(const struct hd_spill *m, const struct hd_memdata *r, uint8_t level) {
  return (struct hd_info){.grid_x = (uint16_t)field(m->lo, 32, m->cfg.x_w),
                          .grid_y = (uint16_t)field(m->lo, 48, m->cfg.y_w),
                          .grid_z = (uint8_t)field(m->hi, 0, m->cfg.z_w),
                          .ctas = (uint32_t)field(m->lo, 0, m->cfg.ctas_w),
                          .param = field(r->lo, 0, m->cfg.param_w),
                          .level = level};
}

/* ---- decisions, from the state at the start of the cycle ---- */

static unsigned queue_of(const struct hd_spill *m, unsigned bank, unsigned level) {
  return bank * m->cfg.max_level + level - 1;
}

/* A request: the bank, or -1, and the level. */
struct ask {
  int bank;
  unsigned level;
};

/* Returns the highest level of the bank with a readable group, or 0. */
static unsigned readable_level(const struct hd_spill *m, unsigned bank) {
  for (unsigned level = m->cfg.max_level; level > 0; level--)
    if (hd_memq_readable(&m->memq, queue_of(m, bank, level))) return level;
  return 0;
}

static struct ask decide(const struct hd_spill *m, const struct hd_spill_in *in) {
  const unsigned banks = m->cfg.num_bank;
  if (m->outs >= m->cfg.flight || !hd_memq_used(&m->memq)) return (struct ask){.bank = -1};
  for (unsigned n = 0; n < banks; n++) {
    const unsigned bank = m->bank_ptr + n < banks ? m->bank_ptr + n : m->bank_ptr + n - banks;
    if (hd_bit(m->out, bank) || !in->laperm_place[bank]) continue;
    const unsigned level = readable_level(m, bank);
    if (level) return (struct ask){(int)bank, level};
  }
  return (struct ask){.bank = -1};
}

/* ---- memq ---- */

/* Sets all inputs of memq. */
static void connect(const struct hd_spill *m, const struct hd_spill_in *in, struct ask ask, struct hd_memq_in *to) {
  memset(to, 0, sizeof *to);
  if (m->puts) {
    const struct hd_spillgroup *g = &m->put[m->first_put];
    to->put_valid = 1;
    to->put_queue = g->queue_no;
    to->put_side = g->kdei;
    to->put_data = record_beat(&g->info, hd_memq_put_beat(&m->memq));
  }
  if (ask.bank >= 0) {
    to->get_valid = 1;
    to->get_queue = (uint16_t)queue_of(m, (unsigned)ask.bank, ask.level);
    to->get_tag = (uint8_t)ask.bank;
  }
  to->base = in->regs_config.spill_base;
  to->count = in->regs_config.spill_count;
  to->mem = in->mem;
}

void hd_spill_show_inner(const struct hd_spill *m, const struct hd_spill_in *in, struct hd_spill_inner *out) {
  struct hd_memq_in to;
  connect(m, in, decide(m, in), &to);
  hd_memq_eval(&m->memq, &to, &out->memq);
}

/* ---- outputs ---- */

static void eval_port(const struct hd_spill *m, const struct hd_spill_in *in, struct hd_spill_out *out) {
  struct hd_memq_in to = {.base = in->regs_config.spill_base};
  struct hd_memq_out port;
  if (m->memq.op < HD_MEMQ_REQUEST) return; /* no request */
  if (m->puts) to.put_data = record_beat(&m->put[m->first_put].info, hd_memq_put_beat(&m->memq));
  hd_memq_eval(&m->memq, &to, &port);
  out->mem = port.mem;
}

void hd_spill_eval(const struct hd_spill *m, const struct hd_spill_in *in, struct hd_spill_out *out) {
  memset(out, 0, sizeof *out);
  out->put_ready = hd_spill_put_ready(m, in->regs_config.spill_count);
  out->rows = (uint8_t)hd_spill_rows(m);
  hd_bits_to_bytes(out->held, m->held, m->cfg.num_bank * m->cfg.max_level);
  if (m->backs) {
    const struct hd_spillgroup *g = &m->back[m->first_back];
    out->back.valid = 1;
    out->back.bank = (uint8_t)(g->queue_no / m->cfg.max_level);
    out->back.kdei = g->kdei;
    out->back.info = g->info;
  }
  out->lost.valid = m->lost_valid;
  out->lost.kdei = m->lost_kdei;
  eval_port(m, in, out);
}

/* ---- the edge ---- */

static unsigned ring_row(unsigned first, unsigned n, unsigned rows) {
  return first + n < rows ? first + n : first + n - rows;
}

static void hold(struct hd_spill *m, unsigned queue, int change) {
  m->held_count[queue] = (uint16_t)(m->held_count[queue] + change);
  hd_bit_put(m->held, queue, m->held_count[queue] > 0);
}

/* The requested group of the bank is back in it, or lost. */
static void over(struct hd_spill *m, unsigned bank) {
  hold(m, queue_of(m, bank, m->out_level[bank]), -1);
  hd_bit_clear(m->out, bank);
  m->out_level[bank] = 0;
  m->outs--;
}

static void step_put(struct hd_spill *m, const struct hd_spill_in *in) {
  const unsigned row = ring_row(m->first_put, m->puts, m->cfg.depth);
  const unsigned queue = queue_of(m, in->laperm_put.bank, in->laperm_put.info.level);
  m->put[row] = (struct hd_spillgroup){.queue_no = (uint16_t)queue, .kdei = in->laperm_put.kdei};
  m->put[row].info = in->laperm_put.info;
  hd_wrote(&m->wrote[PUT], row);
  m->puts++;
  hold(m, queue, 1);
}

/* The oldest put is in memory. */
static void leave_puts(struct hd_spill *m) {
  memset(&m->put[m->first_put], 0, sizeof *m->put);
  m->first_put = (uint8_t)ring_row(m->first_put, 1, m->cfg.depth);
  m->puts--;
  m->putting = 0;
}

static void leave_backs(struct hd_spill *m) {
  over(m, m->back[m->first_back].queue_no / m->cfg.max_level);
  memset(&m->back[m->first_back], 0, sizeof *m->back);
  m->first_back = (uint8_t)ring_row(m->first_back, 1, m->cfg.flight);
  m->backs--;
}

static void step_request(struct hd_spill *m, struct ask ask) {
  const unsigned bank = (unsigned)ask.bank;
  hd_bit_set(m->out, bank);
  m->out_level[bank] = (uint8_t)ask.level;
  m->outs++;
  m->bank_ptr = (uint8_t)ring_row(bank, 1, m->cfg.num_bank);
}

/* Receives a beat of the returning group. */
static void come_back(struct hd_spill *m, const struct hd_spill_in *in) {
  struct hd_memq_out got = {0};
  hd_memq_got(&m->memq, in->mem.r_valid, &in->mem.r, &got);
  if (!got.got_valid) {
    m->lo = in->mem.r.lo;
    m->hi = in->mem.r.hi;
    return;
  }
  const unsigned bank = got.got_tag, level = m->out_level[bank];
  if (got.got_error) {
    over(m, bank);
    m->lost_valid = 1;
    m->lost_kdei = (uint8_t)got.got_side;
    return;
  }
  const unsigned row = ring_row(m->first_back, m->backs, m->cfg.flight);
  m->back[row] = (struct hd_spillgroup){.queue_no = (uint16_t)queue_of(m, bank, level), .kdei = (uint8_t)got.got_side};
  m->back[row].info = from_record(m, &in->mem.r, (uint8_t)level);
  hd_wrote(&m->wrote[BACK], row);
  m->backs++;
}

void hd_spill_tick(struct hd_spill *m, const struct hd_spill_in *in) {
  const struct ask ask = decide(m, in);
  const bool asked = ask.bank >= 0 && hd_memq_get_ready(&m->memq, in->regs_config.spill_count, m->puts > 0);
  const bool put_done = hd_memq_put_done(&m->memq, in->mem.take);
  const bool taken = m->backs && in->laperm_back_ready;
  struct hd_memq_in to;
  connect(m, in, ask, &to);
  m->lost_valid = m->lost_kdei = 0;
  if (to.put_valid && hd_memq_put_ready(&m->memq, in->regs_config.spill_count, to.get_valid)) m->putting = 1;
  /* The steps of one cycle do not conflict: a bank that is requested has no group out, one that gets a group back has
   * one, and rows are written after those that leave. */
  if (in->laperm_put.valid) step_put(m, in);
  if (put_done) leave_puts(m);
  if (in->mem.r_valid) come_back(m, in);
  if (taken) leave_backs(m);
  if (asked) step_request(m, ask);
  if (to.put_valid || !hd_memq_quiet(&m->memq)) hd_memq_tick(&m->memq, &to);
}

/* ---- architectural state ---- */

void hd_spill_arch_row(const struct hd_spill *m, unsigned row, struct hd_spill_arch *a) {
  const unsigned depth = m->cfg.depth, flight = m->cfg.flight;
  if (row < depth) {
    a->put_row_valid[row] = ring_row(row, depth - m->first_put, depth) < m->puts;
    a->put_row[row] = m->put[row];
  }
  if (row < flight) {
    a->back_row_valid[row] = ring_row(row, flight - m->first_back, flight) < m->backs;
    a->back_row[row] = m->back[row];
  }
}

void hd_spill_arch_own(const struct hd_spill *m, struct hd_spill_arch *a, bool tables) {
  const unsigned rows = m->cfg.depth > m->cfg.flight ? m->cfg.depth : m->cfg.flight;
  memcpy(a->held_count, m->held_count, m->cfg.num_bank * m->cfg.max_level * sizeof *m->held_count);
  a->puts = m->puts;
  a->first_put = m->first_put;
  a->putting = m->putting;
  hd_bits_to_bytes(a->out_valid, m->out, m->cfg.num_bank);
  memcpy(a->out_level, m->out_level, m->cfg.num_bank);
  a->bank_ptr = m->bank_ptr;
  a->backs = m->backs;
  a->first_back = m->first_back;
  for (unsigned row = 0; tables && row < rows; row++) hd_spill_arch_row(m, row, a);
}

void hd_spill_arch(const struct hd_spill *m, struct hd_spill_arch *a, bool tables) {
  hd_spill_arch_own(m, a, tables);
  hd_memq_arch(&m->memq, &a->memq, tables);
}
