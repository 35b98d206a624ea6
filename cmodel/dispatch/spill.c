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
  memset(m, 0, sizeof *m);
  m->cfg = (struct hd_spill_cfg){.num_bank = cfg->num_bank,
                                 .max_level = cfg->max_level,
                                 .num_kde = cfg->num_kde,
                                 .depth = cfg->spill_depth,
                                 .flight = cfg->spill_flight,
                                 .line = cfg->spill_line,
                                 .x_w = cfg->group_xw,
                                 .y_w = cfg->group_yw,
                                 .z_w = cfg->group_zw,
                                 .ctas_w = cfg->ctas_w,
                                 .param_w = cfg->param_units_w,
                                 .kde_w = cfg->kde_w};
  hd_memring_init(&m->memring, cfg);
}

void hd_spill_reset(struct hd_spill *m) {
  memset((char *)m + sizeof m->cfg, 0, offsetof(struct hd_spill, memring) - sizeof m->cfg);
  hd_memring_reset(&m->memring);
}

/* ---- the record ---- */

static uint64_t field(uint64_t word, unsigned at, unsigned width) {
  return word >> at & UINT64_MAX >> (64 - width);
}

/* Rows are copied, here and below: CBMC (docs/proofs.md) does not follow a pointer to one of several. */
static struct hd_membeat record_beat(struct hd_spillgroup group, unsigned beat) {
  const struct hd_info *g = &group.info;
  struct hd_membeat b = {.strb = 0xffff};
  if (beat == 0) {
    b.lo = (uint64_t)g->grid_y << 48 | (uint64_t)g->grid_x << 32 | g->ctas;
    b.hi = g->grid_z;
  } else {
    b.lo = g->param;
    b.hi = group.kdei;
  }
  return b;
}

/* Returns the group of two beats, the second of which has arrived. */
static struct hd_spillgroup from_record(const struct hd_spill *m, const struct hd_memdata *r, unsigned queue) {
  return (struct hd_spillgroup){.queue_no = (uint16_t)queue,
                                .kdei = (uint8_t)field(r->hi, 0, m->cfg.kde_w),
                                .info = {.grid_x = (uint16_t)field(m->lo, 32, m->cfg.x_w),
                                         .grid_y = (uint16_t)field(m->lo, 48, m->cfg.y_w),
                                         .grid_z = (uint8_t)field(m->hi, 0, m->cfg.z_w),
                                         .ctas = (uint32_t)field(m->lo, 0, m->cfg.ctas_w),
                                         .param = field(r->lo, 0, m->cfg.param_w),
                                         .level = (uint8_t)(queue % m->cfg.max_level + 1)}};
}

/* ---- decisions, from the state at the start of the cycle ---- */

static unsigned words_of(const struct hd_spill *m) {
  return HD_WORDS(m->cfg.num_bank * m->cfg.max_level);
}

static unsigned bank_of(const struct hd_spill *m, unsigned queue) {
  return queue / m->cfg.max_level;
}

/* Returns the readable queue of the highest level of the bank, or -1. */
static int readable_queue(const struct hd_spill *m, unsigned bank) {
  for (unsigned q = (bank + 1) * m->cfg.max_level; q-- > bank * m->cfg.max_level;)
    if (hd_memring_readable(&m->memring, q)) return (int)q;
  return -1;
}

/* Returns the queue that is requested, or -1. */
static int decide(const struct hd_spill *m, const struct hd_spill_in *in) {
  const unsigned banks = m->cfg.num_bank;
  if (m->outs + m->cfg.line > m->cfg.flight || hd_bits_first(m->memring.readable, words_of(m)) < 0) return -1;
  for (unsigned n = 0; n < banks; n++) {
    const unsigned bank = m->bank_ptr + n < banks ? m->bank_ptr + n : m->bank_ptr + n - banks;
    const int queue = in->laperm_place[bank] ? readable_queue(m, bank) : -1;
    if (queue >= 0) return queue;
  }
  return -1;
}

/* Returns the requested queue if the request is accepted, else -1. */
static int accepted(const struct hd_spill *m, int ask) {
  return ask >= 0 && hd_memring_get_ready(&m->memring, m->puts > 0) ? ask : -1;
}

/* ---- memring ---- */

/* Sets all inputs of memring. */
static void connect(const struct hd_spill *m, const struct hd_spill_in *in, int ask, struct hd_memring_in *to) {
  memset(to, 0, sizeof *to);
  if (m->puts) {
    const struct hd_spillgroup g = m->put[m->first_put];
    to->put_valid = 1;
    to->put_queue = g.queue_no;
    to->put_data = record_beat(g, hd_memring_put_beat(&m->memring));
  }
  to->get_valid = ask >= 0;
  to->get_queue = ask >= 0 ? (uint16_t)ask : 0;
  to->base = in->regs_config.spill_base;
  to->count = in->regs_config.spill_count;
  to->mem = in->mem;
}

void hd_spill_show_inner(const struct hd_spill *m, const struct hd_spill_in *in, struct hd_spill_inner *out) {
  struct hd_memring_in to;
  connect(m, in, decide(m, in), &to);
  hd_memring_eval(&m->memring, &to, &out->memring);
}

/* ---- outputs ---- */

static void show_places(const struct hd_spill *m, const struct hd_spill_in *in, struct hd_spill_out *out) {
  const int ask = accepted(m, decide(m, in));
  if (ask >= 0) out->reserve[bank_of(m, (unsigned)ask)] = 1;
  if (m->spare) out->release[bank_of(m, m->ask_queue)] = m->spare;
  if (m->gone_valid) out->release[bank_of(m, m->gone_queue)]++;
}

static void show_port(const struct hd_spill *m, const struct hd_spill_in *in, struct hd_spill_out *out) {
  struct hd_memring_in to = {.base = in->regs_config.spill_base};
  if (m->memring.op < HD_MEMRING_REQUEST) return; /* no request */
  if (m->puts) to.put_data = record_beat(m->put[m->first_put], hd_memring_put_beat(&m->memring));
  hd_memring_port(&m->memring, &to, &out->mem);
}

void hd_spill_show(const struct hd_spill *m, const struct hd_spill_in *in, struct hd_spill_out *out) {
  const size_t from = offsetof(struct hd_spill_out, reserve);
  memset((char *)out + from, 0, sizeof *out - from);
  out->rows = (uint8_t)hd_spill_rows(m);
  show_places(m, in, out);
  if (m->backs) {
    const struct hd_spillgroup g = m->back[m->first_back];
    out->back.valid = 1;
    out->back.bank = (uint8_t)bank_of(m, g.queue_no);
    out->back.kdei = g.kdei;
    out->back.info = g.info;
  }
  out->lost.valid = m->lost_valid;
  out->lost.kdei = m->lost_kdei;
  show_port(m, in, out);
}

void hd_spill_eval(const struct hd_spill *m, const struct hd_spill_in *in, struct hd_spill_out *out) {
  const uint64_t *room = hd_spill_room(m);
  memset(out, 0, sizeof *out);
  if (room) hd_bits_to_bytes(out->room, room, m->cfg.num_bank * m->cfg.max_level);
  hd_bits_to_bytes(out->held, m->held, m->cfg.num_bank * m->cfg.max_level);
  hd_spill_show(m, in, out);
}

/* ---- the edge ---- */

static unsigned ring_row(unsigned first, unsigned n, unsigned rows) {
  return first + n < rows ? first + n : first + n - rows;
}

/* More, or fewer, groups of the queue are requested and not in their bank. */
static void change_out(struct hd_spill *m, unsigned queue, int by) {
  m->out[queue] = (uint8_t)(m->out[queue] + by);
  m->outs = (uint8_t)(m->outs + by);
  hd_bit_put(m->out_of, queue, m->out[queue] > 0);
}

/* Records which queues have groups in this cycle. */
static void step_held(struct hd_spill *m, const struct hd_spill_in *in) {
  const unsigned words = words_of(m);
  for (unsigned k = 0; k < words; k++) m->held[k] = m->memring.there[k] | m->out_of[k];
  for (unsigned n = 0; n < m->puts; n++) hd_bit_set(m->held, m->put[ring_row(m->first_put, n, m->cfg.depth)].queue_no);
  if (in->laperm_put.valid) hd_bit_set(m->held, in->laperm_put.bank * m->cfg.max_level + in->laperm_put.info.level - 1);
  m->any_held = hd_bits_first(m->held, words) >= 0;
}

/* Reports a loss if all groups have returned, and opens the block after the last one. */
static void step_losses(struct hd_spill *m, const struct hd_spill_in *in) {
  const bool trouble = hd_memring_failing(&m->memring) || m->gone_valid;
  const bool returned = !in->laperm_put.valid && !m->puts && !m->outs && !hd_memring_used(&m->memring) && !trouble;
  m->lost_valid = m->lost_kdei = 0;
  if (trouble) m->closed = 1;
  if (!m->closed || !returned) return;
  for (unsigned k = 0; k < m->cfg.num_kde; k++) {
    if (!m->count[k]) continue;
    m->count[k]--;
    m->lost_valid = 1;
    m->lost_kdei = (uint8_t)k;
    return;
  }
  m->closed = 0;
}

static void step_put(struct hd_spill *m, const struct hd_bankgroup *put) {
  const unsigned row = ring_row(m->first_put, m->puts, m->cfg.depth);
  m->put[row] = (struct hd_spillgroup){
      .queue_no = (uint16_t)(put->bank * m->cfg.max_level + put->info.level - 1), .kdei = put->kdei, .info = put->info};
  hd_wrote(&m->wrote[PUT], row);
  m->puts++;
  m->count[put->kdei]++;
}

/* The oldest put is in memory. */
static void leave_puts(struct hd_spill *m) {
  m->put[m->first_put] = (struct hd_spillgroup){0};
  m->first_put = (uint8_t)ring_row(m->first_put, 1, m->cfg.depth);
  m->puts--;
}

/* The oldest returned group enters its bank. */
static void leave_backs(struct hd_spill *m) {
  change_out(m, m->back[m->first_back].queue_no, -1);
  m->back[m->first_back] = (struct hd_spillgroup){0};
  m->first_back = (uint8_t)ring_row(m->first_back, 1, m->cfg.flight);
  m->backs--;
}

/* Gives up the places that no group will use. */
static void step_release(struct hd_spill *m) {
  if (m->spare) change_out(m, m->ask_queue, -(int)m->spare);
  if (m->gone_valid) change_out(m, m->gone_queue, -1);
  m->gone_valid = 0;
  m->gone_queue = 0;
}

static void step_request(struct hd_spill *m, unsigned queue) {
  change_out(m, queue, (int)m->cfg.line);
  m->ask_queue = (uint16_t)queue;
  m->bank_ptr = (uint8_t)ring_row(bank_of(m, queue), 1, m->cfg.num_bank);
}

/* Receives a beat of a returning group. */
static void come_back(struct hd_spill *m, const struct hd_spill_in *in) {
  struct hd_memring_out got = {0};
  hd_memring_got(&m->memring, in->mem.r_valid, &in->mem.r, &got);
  if (!got.got_valid) {
    m->lo = in->mem.r.lo;
    m->hi = in->mem.r.hi;
    return;
  }
  if (got.got_error) {
    m->gone_valid = 1;
    m->gone_queue = got.got_queue;
    return;
  }
  const unsigned row = ring_row(m->first_back, m->backs, m->cfg.flight);
  m->back[row] = from_record(m, &in->mem.r, got.got_queue);
  hd_wrote(&m->wrote[BACK], row);
  m->backs++;
  m->count[m->back[row].kdei]--;
}

void hd_spill_tick(struct hd_spill *m, const struct hd_spill_in *in) {
  const int ask = decide(m, in), asks = accepted(m, ask);
  const bool put_done = hd_memring_put_done(&m->memring, in->mem.take), taken = m->backs && in->laperm_back_ready;
  const unsigned asked = hd_memring_asked(&m->memring);
  struct hd_memring_in to;
  connect(m, in, ask, &to);
  step_held(m, in);
  step_losses(m, in);
  /* The other steps of one cycle do not conflict: counts change by their sum, and rows enter a ring behind those that
   * leave it. */
  step_release(m);
  m->spare = asked ? (uint8_t)(m->cfg.line - asked) : 0;
  if (asks >= 0) step_request(m, (unsigned)asks);
  if (in->laperm_put.valid) step_put(m, &in->laperm_put);
  if (put_done) leave_puts(m);
  if (in->mem.r_valid) come_back(m, in);
  if (taken) leave_backs(m);
  if (to.put_valid || !hd_memring_quiet(&m->memring, to.count)) hd_memring_tick(&m->memring, &to);
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
  a->puts = m->puts;
  a->first_put = m->first_put;
  hd_bits_to_bytes(a->held, m->held, m->cfg.num_bank * m->cfg.max_level);
  memcpy(a->out, m->out, m->cfg.num_bank * m->cfg.max_level);
  a->outs = m->outs;
  a->spare = m->spare;
  a->ask_queue = m->spare ? m->ask_queue : 0;
  a->bank_ptr = m->bank_ptr;
  a->backs = m->backs;
  a->first_back = m->first_back;
  a->gone_valid = m->gone_valid;
  a->gone_queue = m->gone_queue;
  a->closed = m->closed;
  memcpy(a->count, m->count, m->cfg.num_kde * sizeof *m->count);
  a->lost_valid = m->lost_valid;
  a->lost_kdei = m->lost_kdei;
  for (unsigned row = 0; tables && row < rows; row++) hd_spill_arch_row(m, row, a);
}

void hd_spill_arch(const struct hd_spill *m, struct hd_spill_arch *a, bool tables) {
  hd_spill_arch_own(m, a, tables);
  hd_memring_arch(&m->memring, &a->memring, tables);
}
