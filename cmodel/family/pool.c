/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "family/pool.h"

#include <string.h>

size_t hd_pool_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct hd_pool);
}

void hd_pool_init(struct hd_pool *m, const struct hd_cfg *cfg) {
  memset(m, 0, sizeof *m);
  m->cfg.widths = hd_krec_widths(cfg);
  m->cfg.pool_depth = cfg->pool_depth;
  m->cfg.pool_rows = cfg->pool_rows;
  m->cfg.num_streams = cfg->num_streams;
  m->cfg.ticket_mask = (1u << cfg->ticket_w) - 1;
  m->cfg.place_mask = (1u << cfg->pool_pos_w) - 1;
  m->cfg.addr_mask = (UINT64_C(1) << cfg->addr_w) - 1;
  hd_pool_reset(m);
}

void hd_pool_reset(struct hd_pool *m) {
  struct hd_pool_cfg cfg = m->cfg;
  memset(m, 0, sizeof *m);
  m->cfg = cfg;
}

/* Places of the ring in memory that are used; a ring of one place could not turn. */
static uint32_t places(const struct hd_pool *m, const struct hd_pool_in *in) {
  uint32_t n = in->dev_count < m->cfg.pool_rows ? in->dev_count : m->cfg.pool_rows;
  return n < 2 ? 0 : n;
}

/* Does a kernel that is pushed now stay on chip? Only if it overtakes nobody. */
static bool stays_on_chip(const struct hd_pool *m) {
  return !m->mem_count && !m->spill_busy && !m->refill_busy && m->front_count < m->cfg.pool_depth;
}

/* Is ticket a the same as b or a later one? Those in use are at most half of their range apart. */
static bool reached(const struct hd_pool *m, unsigned a, unsigned b) {
  return ((a - b) & m->cfg.ticket_mask) <= m->cfg.ticket_mask / 2;
}

/* May the oldest kernel on chip run? */
static bool allowed(const struct hd_pool *m) {
  const struct hd_devk *k = &m->front[0];
  return k->stream == 0 || reached(m, m->serving[k->stream], k->ticket);
}

static bool offered(const struct hd_pool *m) {
  return m->head == HD_POOL_THERE && allowed(m) && m->turn == 0;
}

void hd_pool_eval(const struct hd_pool *m, const struct hd_pool_in *in, struct hd_pool_out *out) {
  out->pool_ready = !m->spill_busy && m->turn == 0;
  out->pool_full = !stays_on_chip(m) && m->mem_count + 1u >= places(m, in); /* one place is kept for rotation */
  for (unsigned s = 0; s < m->cfg.num_streams; s++)
    out->stream_ok[s] = s == 0 || reached(m, m->issued[s], m->serving[s]);
  out->head_valid = offered(m);
  out->head = offered(m) ? m->front[0] : (struct hd_devk){0};
  out->lost_valid = m->lost.valid;
  out->lost_up = m->lost.up;
  out->lost_stream = m->lost.stream;
  out->spill_event = m->spill_event;
  out->refill_event = m->refill_event;
  out->error_event = m->error_event;
  out->req_valid = hd_burst_req(&m->burst, &out->req);
  out->wbeat = hd_burst_wbeat(&m->burst);
}

/* The row in which the kernel at a position of the front lies. */
static unsigned front_row(const struct hd_pool *m, unsigned position) {
  return (m->front_first + position) % m->cfg.pool_depth;
}

static void push_front(struct hd_pool *m, const struct hd_devk *k) {
  hd_wrote(&m->wrote[0], front_row(m, m->front_count));
  m->front[m->front_count++] = *k;
}

/* The oldest kernel on chip leaves the front. */
static void pop_front(struct hd_pool *m) {
  m->front_first = (uint8_t)front_row(m, 1);
  m->front_count--;
  memmove(m->front, m->front + 1, m->front_count * sizeof *m->front);
  m->front[m->front_count] = (struct hd_devk){0};
  m->head = HD_POOL_NONE;
}

static void spill(struct hd_pool *m, const struct hd_devk *k) {
  m->spill = *k;
  m->spill_busy = 1;
}

/* A launched kernel gets its ticket and waits. */
static void push(struct hd_pool *m, const struct hd_devk *launched, bool on_chip) {
  struct hd_devk k = *launched;
  k.ticket = 0;
  if (k.stream) {
    k.ticket = m->issued[k.stream];
    m->issued[k.stream] = (uint8_t)((m->issued[k.stream] + 1u) & m->cfg.ticket_mask);
  }
  if (on_chip)
    push_front(m, &k);
  else
    spill(m, &k);
}

/* The blocked head goes behind all that wait. */
static void rotate(struct hd_pool *m, bool on_chip) {
  struct hd_devk k = m->front[0];
  pop_front(m);
  if (on_chip)
    push_front(m, &k);
  else
    spill(m, &k);
}

/* Decides on rotation; true when the head moves in this cycle. */
static bool step_turn(struct hd_pool *m, const struct hd_pool_in *in) {
  if (m->turn > 1) {
    m->turn--;
    return false;
  }
  if (m->turn == 1) {
    bool moves = !allowed(m) && !m->spill_busy;
    if (moves || allowed(m)) m->turn = 0;
    return moves;
  }
  bool others = m->front_count + m->mem_count > 1, place = !m->mem_count || m->mem_count < places(m, in);
  if (m->head == HD_POOL_THERE && !allowed(m) && others && !m->spill_busy && place) m->turn = 3;
  return false;
}

/* The kernel could not be written or read: its parent and its stream are told. */
static void lose(struct hd_pool *m, struct hd_pool_side side) {
  m->lost = side;
  m->lost.valid = 1;
  m->error_event = 1;
}

static void end_spill(struct hd_pool *m, bool error) {
  if (error) {
    lose(m, (struct hd_pool_side){.up = m->spill.up, .stream = m->spill.stream});
  } else {
    m->mem_count++;
    m->spill_event = 1;
  }
  m->spill_busy = 0;
  m->spill = (struct hd_devk){0};
}

static struct hd_devk read_kernel(const struct hd_pool *m) {
  struct hd_kernel r;
  uint8_t ticket = hd_krec_unpack(m->burst.word, &m->cfg.widths, &r);
  return (struct hd_devk){.desc = r.desc,
                          .need = r.need,
                          .ctas = r.ctas,
                          .level = r.level,
                          .stream = r.origin.stream,
                          .ticket = ticket,
                          .up = r.origin.up,
                          .smx = r.origin.smx};
}

static void end_refill(struct hd_pool *m, const struct hd_pool_in *in, bool error) {
  if (error) {
    lose(m, m->side[m->mem_first]);
  } else {
    struct hd_devk k = read_kernel(m);
    push_front(m, &k);
    m->refill_event = 1;
  }
  m->mem_count--;
  m->mem_first = (uint16_t)(!m->mem_count || m->mem_first + 1u >= places(m, in) ? 0 : m->mem_first + 1u);
  m->refill_busy = 0;
}

static uint64_t address_of(const struct hd_pool *m, const struct hd_pool_in *in, uint32_t place) {
  return ((uint64_t)in->dev_base * 256 + (uint64_t)place * HD_KREC_BYTES) & m->cfg.addr_mask;
}

static void start_spill(struct hd_pool *m, const struct hd_pool_in *in) {
  const struct hd_devk *k = &m->spill;
  struct hd_kernel r = {.desc = k->desc, .need = k->need, .ctas = k->ctas, .level = k->level};
  uint32_t place = (uint32_t)m->mem_first + m->mem_count;
  if (place >= places(m, in)) place -= places(m, in);
  place &= m->cfg.place_mask;
  r.origin.stream = k->stream;
  r.origin.up = k->up;
  r.origin.smx = k->smx;
  hd_krec_pack(&r, k->ticket, m->burst.word);
  m->side[place] = (struct hd_pool_side){.up = k->up, .stream = k->stream, .valid = 1};
  hd_wrote(&m->wrote[1], place);
  hd_burst_start(&m->burst, true, address_of(m, in, place), HD_KREC_BEATS, 0xffff);
}

/* The state at the start of the cycle decides what an idle engine does. */
enum operation { NOTHING, SPILL, REFILL };

static enum operation wanted(const struct hd_pool *m) {
  if (!hd_burst_idle(&m->burst) || m->lost.valid) return NOTHING;
  if (m->spill_busy) return SPILL;
  return m->mem_count && m->front_count < m->cfg.pool_depth ? REFILL : NOTHING;
}

static void step_engine(struct hd_pool *m, const struct hd_pool_in *in, enum operation op) {
  const struct hd_burst_pins pins = {in->req_ready, in->wbeat_take, in->b_valid, in->b_error, in->r_valid, in->r};
  if (op == SPILL) {
    start_spill(m, in);
  } else if (op == REFILL) {
    m->refill_busy = 1;
    hd_burst_start(&m->burst, false, address_of(m, in, m->mem_first), HD_KREC_BEATS, 0);
  } else {
    enum hd_burst_end end = hd_burst_step(&m->burst, &pins);
    if (end == HD_BURST_GOES_ON) return;
    if (m->refill_busy)
      end_refill(m, in, end == HD_BURST_FAILED);
    else
      end_spill(m, end == HD_BURST_FAILED);
  }
}

void hd_pool_tick(struct hd_pool *m, const struct hd_pool_in *in) {
  enum operation op = wanted(m);
  bool on_chip = stays_on_chip(m), turn_on_chip = !m->mem_count && !m->refill_busy;
  bool read = m->head == HD_POOL_READING, look = m->head == HD_POOL_NONE && m->front_count;
  bool moves = step_turn(m, in);
  m->spill_event = m->refill_event = m->error_event = 0;
  if (m->lost.valid && in->lost_ready) m->lost = (struct hd_pool_side){0};
  if (read) m->head = HD_POOL_THERE;
  if (look) m->head = HD_POOL_READING;
  if (in->head_pop) pop_front(m);
  step_engine(m, in, op); /* before a kernel that is to be spilled joins: the engine sees it in the next cycle */
  if (moves) rotate(m, turn_on_chip);
  if (in->push_valid) push(m, &in->push, on_chip);
  if (in->stream_done_valid) {
    unsigned s = in->stream_done;
    m->serving[s] = (uint8_t)((m->serving[s] + 1u) & m->cfg.ticket_mask);
  }
}

void hd_pool_arch_row(const struct hd_pool *m, unsigned row, struct hd_pool_arch *a) {
  if (row < m->cfg.pool_depth) {
    unsigned position = (row + m->cfg.pool_depth - m->front_first) % m->cfg.pool_depth;
    a->front_row_valid[row] = position < m->front_count;
    a->front_row[row] = m->front[position];
  }
  if (row >= m->cfg.pool_rows) return;
  a->side_row_valid[row] = m->side[row].valid;
  a->side_row[row] = (struct hd_poolside){.up = m->side[row].up, .stream = m->side[row].stream};
}

void hd_pool_arch(const struct hd_pool *m, struct hd_pool_arch *a, bool tables) {
  a->head = m->head;
  a->front_count = (uint8_t)m->front_count;
  a->front_first = m->front_first;
  a->mem_count = m->mem_count;
  a->mem_first = m->mem_first;
  a->spill_busy = m->spill_busy;
  a->spill = m->spill;
  a->refill_busy = m->refill_busy;
  a->turn = m->turn;
  memcpy(a->issued, m->issued, m->cfg.num_streams);
  memcpy(a->serving, m->serving, m->cfg.num_streams);
  unsigned rows = m->cfg.pool_rows > m->cfg.pool_depth ? m->cfg.pool_rows : m->cfg.pool_depth;
  for (unsigned row = 0; tables && row < rows; row++) hd_pool_arch_row(m, row, a);
}
