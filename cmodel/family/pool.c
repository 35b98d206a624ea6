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
  m->cfg.num_streams = cfg->num_streams;
  m->cfg.max_level = cfg->max_level;
  m->cfg.smx_per_cluster = cfg->smx_per_cluster;
  m->cfg.num_queues = cfg->pool_queues;
  m->cfg.num_turns = cfg->pool_turns;
  m->cfg.reserve = cfg->pool_reserve;
  hd_memq_init(&m->memq, cfg);
}

void hd_pool_reset(struct hd_pool *m) {
  memset((char *)m + sizeof m->cfg, 0, offsetof(struct hd_pool, memq) - sizeof m->cfg);
  hd_memq_reset(&m->memq);
}

/* ---- decisions, from the state at the start of the cycle ---- */

static unsigned free_rows(const struct hd_pool *m) {
  return m->cfg.pool_depth - (unsigned)__builtin_popcountll(m->used);
}

/* A level above the highest is treated as the highest. */
static unsigned rank(const struct hd_pool *m, unsigned level) {
  return level < m->cfg.max_level ? level : m->cfg.max_level;
}

/* Returns the queue of a kernel that arrives under this policy. */
static unsigned queue_of(const struct hd_pool *m, const struct hd_devk *k, unsigned policy) {
  const unsigned level = rank(m, k->level), bank = k->smx / m->cfg.smx_per_cluster;
  if (k->stream || policy == HD_POLICY_RR || !level) return k->stream;
  return m->cfg.num_streams + bank * m->cfg.max_level + level - 1;
}

/* Returns the stream of a queue; 0 for those of banks. */
static uint8_t stream_of(const struct hd_pool *m, unsigned queue) {
  return (uint8_t)(queue < m->cfg.num_streams ? queue : 0);
}

/* Returns the streams whose next kernel could be offered; always including 0, which is no stream. */
static uint64_t runnable_streams(const struct hd_pool *m) {
  return ~(m->chip_valid[0] | m->busy) | 1;
}

/* Returns true if a kernel of the queue may get a row. The reserve is for queues whose next kernel could be offered. */
static bool may_row(const struct hd_pool *m, unsigned queue) {
  const unsigned rows = free_rows(m);
  return rows > m->cfg.reserve || (rows && (queue >= m->cfg.num_streams || runnable_streams(m) >> queue & 1));
}

static unsigned free_row(const struct hd_pool *m) {
  return hd_lowest(~m->used);
}

/* Position in the round robin: one per stream, and one per bank for all its queues. */
static unsigned turn_of(const struct hd_pool *m, unsigned queue) {
  const unsigned streams = m->cfg.num_streams;
  return queue < streams ? queue : streams + (queue - streams) / m->cfg.max_level;
}

/* Returns the level of a bank's queue; for a stream's, the level of its kernels in memory. */
static unsigned level_of(const struct hd_pool *m, unsigned queue) {
  return queue < m->cfg.num_streams ? m->mem_level[queue] : (queue - m->cfg.num_streams) % m->cfg.max_level + 1;
}

/* Selects the next of several queues, which are considered with their levels, lowest first: under a policy other than
 * Rr those with the highest level; of these the first at or after a pointer; of a bank the highest level. */
struct choice {
  int queue; /* or -1 */
  unsigned level, distance;
};

static void consider(const struct hd_pool *m, struct choice *c, unsigned queue, unsigned level, unsigned ptr) {
  const unsigned turn = turn_of(m, queue), distance = turn >= ptr ? turn - ptr : turn + m->cfg.num_turns - ptr;
  if (c->queue >= 0 && (level < c->level || (level == c->level && distance > c->distance))) return;
  *c = (struct choice){(int)queue, level, distance};
}

static unsigned after(const struct hd_pool *m, unsigned queue) {
  const unsigned turn = turn_of(m, queue) + 1;
  return turn == m->cfg.num_turns ? 0 : turn;
}

/* Actions of a cycle for the oldest kernel of `in`, and for those in memory. */
struct moves {
  bool on_chip;   /* it gets a row */
  bool put;       /* it is or will be written to memory */
  int get;        /* queue whose oldest kernel is requested, if memq is ready; or -1 */
  uint8_t join;   /* enum hd_pool_join: recipient of a row */
  uint16_t queue; /* its queue */
};

/* Returns the queue whose oldest kernel in memory must return, or -1. */
static int wanted(const struct hd_pool *m, unsigned policy) {
  struct choice c = {.queue = -1};
  if (!free_rows(m) || !hd_memq_used(&m->memq)) return -1;
  for (unsigned q = 0; q < m->cfg.num_queues; q++) {
    if (hd_memq_readable(&m->memq, q) && may_row(m, q))
      consider(m, &c, q, policy == HD_POLICY_RR ? 0 : level_of(m, q), m->get_ptr);
  }
  return c.queue;
}

static struct moves decide(const struct hd_pool *m, const struct hd_pool_in *in) {
  const unsigned q = m->waiting ? m->in_queue[0] : 0;
  const bool fits = m->waiting && !hd_memq_there(&m->memq, q) && may_row(m, q);
  struct moves d = {.get = m->join == HD_POOL_MEMORY ? m->join_queue : -1};
  d.put = m->waiting && m->join != HD_POOL_IN_OLDEST && (m->putting || !fits);
  /* A returning kernel writes a row, so none else does. */
  d.on_chip = m->join == HD_POOL_IN_OLDEST && !hd_memq_got_valid(in->mem.r_valid, &in->mem.r);
  if (m->join != HD_POOL_UNDECIDED) return d;
  if (fits && !m->putting) {
    d.join = HD_POOL_IN_OLDEST;
    d.queue = (uint16_t)q;
    return d;
  }
  int chosen = wanted(m, in->regs_config.policy);
  if (chosen < 0) return d;
  d.join = HD_POOL_MEMORY;
  d.queue = (uint16_t)chosen;
  return d;
}

/* ---- memq ---- */

/* Returns the beat that memq requests of the record of the oldest kernel. */
static struct hd_membeat record_beat(const struct hd_pool *m) {
  const struct hd_devk *k = &m->in[0];
  const unsigned beat = hd_memq_put_beat(&m->memq);
  struct hd_kernel r = {.desc = k->desc, .need = k->need, .ctas = k->ctas, .level = k->level};
  uint64_t word[HD_KREC_WORDS];
  r.origin.stream = k->stream;
  r.origin.up = k->up;
  r.origin.smx = k->smx;
  hd_krec_pack(&r, word);
  return (struct hd_membeat){.lo = word[2 * beat], .hi = word[2 * beat + 1], .strb = 0xffff};
}

/* Sets all inputs of memq but put_data. */
static void connect(const struct hd_pool *m, const struct hd_pool_in *in, const struct moves *d,
                    struct hd_memq_in *to) {
  memset(to, 0, sizeof *to);
  to->put_valid = d->put;
  to->put_queue = d->put ? m->in_queue[0] : 0;
  to->put_side = d->put ? m->in[0].up : 0;
  to->get_valid = d->get >= 0;
  if (d->get >= 0) {
    to->get_queue = (uint16_t)d->get;
    to->get_tag = (uint8_t)free_row(m);
  }
  to->base = in->regs_config.dev_base;
  to->count = in->regs_config.dev_count;
  to->mem = in->mem;
}

void hd_pool_show_inner(const struct hd_pool *m, const struct hd_pool_in *in, struct hd_pool_inner *out) {
  const struct moves d = decide(m, in);
  struct hd_memq_in to;
  connect(m, in, &d, &to);
  if (d.put) to.put_data = record_beat(m);
  hd_memq_eval(&m->memq, &to, &out->memq);
}

/* ---- outputs ---- */

/* Returns true if memory has a place for one more than those in flight. */
static bool memory_ok(const struct hd_pool *m, const struct hd_pool_in *in) {
  return hd_memq_left(&m->memq, in->regs_config.dev_count) > (unsigned)m->waiting - m->putting;
}

static void eval_room(const struct hd_pool *m, const struct hd_pool_in *in, struct hd_pool_out *out) {
  const unsigned rows = free_rows(m);
  bool mem_ok = memory_ok(m, in), chip_ok = rows > m->waiting;
  uint64_t ok = UINT64_MAX;
  if (!mem_ok && rows <= m->waiting + m->cfg.reserve) ok = !chip_ok ? 0 : m->waiting ? 1 : runnable_streams(m);
  out->room.ready = m->waiting < HD_POOL_IN;
  out->room.two = m->waiting == 0;
  out->room.full = !mem_ok && (hd_memq_used(&m->memq) || !chip_ok);
  hd_bits_to_bytes(out->stream_ok, &ok, m->cfg.num_streams);
}

static void eval_head(const struct hd_pool *m, struct hd_pool_out *out) {
  if (m->head != HD_POOL_THERE) return;
  const unsigned row = m->first[m->head_queue];
  if (m->lost >> row & 1) {
    out->lost.valid = 1;
    out->lost.up = m->row[row].up;
    out->lost.stream = stream_of(m, m->head_queue);
  } else {
    out->head.valid = 1;
    out->head.kernel = m->row[row];
    out->head.kernel.stream = stream_of(m, m->head_queue);
  }
}

void hd_pool_eval(const struct hd_pool *m, const struct hd_pool_in *in, struct hd_pool_out *out) {
  memset(out, 0, sizeof *out);
  eval_room(m, in, out);
  eval_head(m, out);
  out->events.spill = m->spill_event;
  out->events.refill = m->refill_event;
  out->events.error = m->error_event;
  if (m->memq.op < HD_MEMQ_REQUEST) return; /* no request */
  struct hd_memq_in to = {.base = in->regs_config.dev_base};
  struct hd_memq_out port;
  if (m->putting) to.put_data = record_beat(m);
  hd_memq_eval(&m->memq, &to, &port);
  out->mem = port.mem;
}

/* ---- the edge ---- */

static void write_row(struct hd_pool *m, unsigned row, const struct hd_devk *k, bool lost) {
  m->row[row] = *k;
  m->here |= UINT64_C(1) << row;
  if (lost) m->lost |= UINT64_C(1) << row;
  hd_wrote(&m->wrote[0], row);
}

/* A free row becomes the last of the queue. */
static void join(struct hd_pool *m, unsigned row, unsigned queue) {
  m->used |= UINT64_C(1) << row;
  if (hd_bit(m->chip_valid, queue))
    m->next[m->last[queue]] = (uint8_t)row;
  else
    m->first[queue] = (uint8_t)row;
  m->last[queue] = (uint8_t)row;
  hd_bit_set(m->chip_valid, queue);
}

/* The head was taken or reported as lost: its row is freed, and its stream must wait for its end. */
static void leave(struct hd_pool *m) {
  const unsigned q = m->head_queue, row = m->first[q];
  const uint64_t others = ~(UINT64_C(1) << row);
  m->used &= others;
  m->here &= others;
  m->lost &= others;
  if (row == m->last[q]) hd_bit_clear(m->chip_valid, q);
  m->first[q] = m->next[row];
  m->head = HD_POOL_NONE;
  m->busy |= UINT64_C(1) << stream_of(m, q) & ~UINT64_C(1);
}

/* Returns the queue whose oldest kernel is offered next, or -1: the kernel is on chip, and no other of its stream is
 * incomplete. A stream competes with the level of that kernel. */
static int picked(const struct hd_pool *m, unsigned policy) {
  struct choice c = {.queue = -1};
  for (unsigned k = 0; k < HD_WORDS(m->cfg.num_queues); k++) {
    for (uint64_t left = m->chip_valid[k] & (k ? UINT64_MAX : ~m->busy); left; left &= left - 1) {
      const unsigned q = 64 * k + hd_lowest(left), row = m->first[q];
      unsigned level = q < m->cfg.num_streams ? rank(m, m->row[row].level) : level_of(m, q);
      if (m->here >> row & 1) consider(m, &c, q, policy == HD_POLICY_RR ? 0 : level, m->pick_ptr);
    }
  }
  return c.queue;
}

static void step_head(struct hd_pool *m, const struct hd_pool_in *in) {
  if (m->head == HD_POOL_NONE) {
    int q = picked(m, in->regs_config.policy);
    if (q < 0) return;
    m->head = HD_POOL_READING;
    m->head_queue = (uint16_t)q;
    m->pick_ptr = (uint8_t)after(m, (unsigned)q);
  } else if (m->head == HD_POOL_READING) {
    m->head = HD_POOL_THERE;
  } else if (m->lost >> m->first[m->head_queue] & 1 ? in->kin_lost_ready : in->kmu_pool_pop) {
    leave(m);
  }
}

/* Receives a beat of a record; the last one completes its row. Stream and parent in the record are not used: the queue
 * gives the former, memq has kept the latter. */
static void come_back(struct hd_pool *m, const struct hd_pool_in *in) {
  struct hd_memq_out got;
  struct hd_kernel r;
  hd_memq_got(&m->memq, in->mem.r_valid, &in->mem.r, &got);
  m->word[2 * got.got_beat] = in->mem.r.lo;
  m->word[2 * got.got_beat + 1] = in->mem.r.hi;
  if (!got.got_valid) return;
  hd_krec_unpack(m->word, &m->cfg.widths, &r);
  const struct hd_devk k = {
      .desc = r.desc, .need = r.need, .ctas = r.ctas, .level = r.level, .up = got.got_side, .smx = r.origin.smx};
  write_row(m, got.got_tag, &k, got.got_error);
  m->refill_event = !got.got_error;
  m->error_event = got.got_error;
}

static void leave_in(struct hd_pool *m) {
  m->in[0] = m->in[1];
  m->in[1] = (struct hd_devk){0};
  m->in_queue[0] = m->in_queue[1];
  m->in_queue[1] = 0;
  m->waiting--;
  m->putting = 0;
}

static void step_in(struct hd_pool *m, const struct hd_pool_in *in, const struct moves *d) {
  if (hd_memq_put_done(&m->memq, in->mem.take) || d->on_chip) {
    leave_in(m);
  } else if (d->put && hd_memq_put_ready(&m->memq, in->regs_config.dev_count, d->get >= 0)) {
    const unsigned q = m->in_queue[0], level = rank(m, m->in[0].level);
    if (!hd_memq_there(&m->memq, q) || level > m->mem_level[q]) m->mem_level[q] = (uint8_t)level;
    m->putting = 1;
  }
  if (!in->devq_push.valid) return;
  m->in_queue[m->waiting] = (uint16_t)queue_of(m, &in->devq_push.kernel, in->regs_config.policy);
  m->in[m->waiting++] = in->devq_push.kernel;
}

void hd_pool_tick(struct hd_pool *m, const struct hd_pool_in *in) {
  const struct moves d = decide(m, in);
  const unsigned row = m->join ? free_row(m) : 0; /* before one is freed */
  const bool joins = d.on_chip || (d.get >= 0 && hd_memq_get_ready(&m->memq, in->regs_config.dev_count, d.put));
  struct hd_memq_in to;
  connect(m, in, &d, &to);
  m->spill_event = in->mem.b_valid && !in->mem.b_error;
  m->refill_event = m->error_event = 0;
  step_head(m, in);
  if (in->kin_stream_done.valid) m->busy &= ~(UINT64_C(1) << in->kin_stream_done.stream);
  if (in->mem.r_valid) come_back(m, in);
  if (joins) join(m, row, m->join_queue);
  if (d.on_chip) write_row(m, row, &m->in[0], false);
  if (joins || d.join) {
    m->join = d.join;
    m->join_queue = d.queue;
  }
  if (d.join == HD_POOL_MEMORY) m->get_ptr = (uint8_t)after(m, d.queue);
  step_in(m, in, &d);
  if (to.put_valid || !hd_memq_quiet(&m->memq)) hd_memq_tick(&m->memq, &to);
}
