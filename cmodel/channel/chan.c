/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "channel/chan.h"

#include <string.h>

size_t hd_chan_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct hd_chan);
}

void hd_chan_init(struct hd_chan *m, const struct hd_cfg *cfg) {
  memset(m, 0, sizeof *m);
  m->cfg = (struct hd_chan_cfg){.addr_mask = UINT64_MAX >> (64 - cfg->addr_w),
                                .pos_mask = (UINT32_C(1) << cfg->chan_pos_w) - 1,
                                .grain = cfg->done_grain,
                                .clients = (uint8_t)cfg->chan_clients,
                                .chans = (uint8_t)cfg->num_chan,
                                .runs = (uint8_t)cfg->chan_runs,
                                .lines = (uint8_t)cfg->chan_lines,
                                .flights = (uint8_t)cfg->chan_flight,
                                .paper = (uint8_t)(cfg->chan_paper & 1)};
  hd_chan_reset(m);
}

void hd_chan_reset(struct hd_chan *m) {
  memset((char *)m + sizeof m->cfg, 0, sizeof *m - sizeof m->cfg);
  for (unsigned c = 0; c < m->cfg.clients; c++) m->order[c] = (uint8_t)c;
}

/* ---- effect of an operation ---- */

/* The answer, the new row, and the outputs. */
struct judged {
  uint8_t code, done_valid, never;
  bool moves; /* the row changes */
  uint16_t base;
  struct hd_chanrow row;
  struct hd_donerun done;
};

static void judge_talloc(const struct hd_chan *m, struct judged *j) {
  const struct hd_chan_stage *s = &m->second;
  const uint32_t c = UINT32_C(1) << j->row.cap, n = s->op.n, o = j->row.tail & (c - 1);
  const uint32_t used = (j->row.tail - m->cfg.grain * s->head) & m->cfg.pos_mask;
  const bool crosses = o + n > c, fits = used + n <= (crosses ? o : c), skips = crosses && used <= o;
  j->code = fits ? HD_CHCODE_OK : HD_CHCODE_NO_ROOM;
  if (skips && (fits || !m->cfg.paper)) {
    j->done_valid = 1;
    j->done = (struct hd_donerun){.chan = s->op.chan, .off = (uint16_t)o, .n = (uint16_t)(c - o)};
    j->row.tail = (uint16_t)((j->row.tail + c - o) & m->cfg.pos_mask);
    j->moves = true;
  }
  if (!fits) return;
  j->base = (uint16_t)(crosses ? 0 : o);
  j->moves = true;
  j->row.tail = (uint16_t)((j->row.tail + n) & m->cfg.pos_mask);
  j->row.pending = (uint16_t)((j->row.pending + n) & m->cfg.pos_mask);
}

static struct judged judge(const struct hd_chan *m) {
  const struct hd_chanop *op = &m->second.op;
  struct judged j = {.code = HD_CHCODE_BAD, .row = m->row[op->chan]};
  const uint32_t c = UINT32_C(1) << j.row.cap;
  const bool asks = op->kind == HD_CHOP_TALLOC || op->kind == HD_CHOP_YIELD;
  if (op->chan >= m->cfg.chans || !m->open[op->chan] || !op->n) return j;
  if (op->kind == HD_CHOP_YIELD && m->second.client == m->cfg.clients - 1) return j;
  if (asks && op->n > c) {
    j.code = HD_CHCODE_NEVER;
    j.never = 1;
    return j;
  }
  if (!asks && (uint32_t)op->off + op->n > c) return j;
  if (op->kind == HD_CHOP_ENQ && op->n > j.row.pending) return j;
  if (op->kind != HD_CHOP_TFREE && m->failed[op->chan]) {
    j.code = HD_CHCODE_FAILED;
    return j;
  }
  j.code = HD_CHCODE_OK;
  if (op->kind == HD_CHOP_TALLOC) judge_talloc(m, &j);
  if (op->kind == HD_CHOP_TFREE) {
    j.done_valid = 1;
    j.done = (struct hd_donerun){.chan = op->chan, .off = op->off, .n = op->n};
  }
  if (op->kind == HD_CHOP_ENQ) {
    j.row.reserve = (uint16_t)((j.row.reserve + op->n) & m->cfg.pos_mask);
    j.row.pending = (uint16_t)(j.row.pending - op->n);
    j.moves = true;
  }
  return j;
}

/* ---- outputs ---- */

/* Returns true if an operation of this kind has the room it needs. */
static bool has_room(const struct hd_chan *m, const struct hd_chan_in *in, unsigned kind) {
  if (in->set_valid) return false;
  if (kind == HD_CHOP_YIELD) return true;
  return kind == HD_CHOP_ENQ ? m->runs + 3u <= m->cfg.runs : in->done_room;
}

/* The clients whose operation would be accepted in this cycle, and the one whose is, or -1. */
struct accepted {
  int client;
  uint8_t ready[HD_MAX_CHAN_CLIENTS];
};

static struct accepted accept(const struct hd_chan *m, const struct hd_chan_in *in) {
  struct accepted a = {.client = -1};
  for (unsigned k = 0; k < m->cfg.clients && a.client < 0; k++) {
    const unsigned c = m->order[k];
    if (!has_room(m, in, in->op[c].kind)) continue;
    a.ready[c] = 1;
    if (in->op_valid[c]) a.client = (int)c;
  }
  return a;
}

/* Makes the client the one served last. */
static void served(struct hd_chan *m, uint8_t client) {
  const unsigned last = m->cfg.clients - 1u;
  bool behind = false;
  for (unsigned k = 0; k < last; k++) {
    behind |= m->order[k] == client;
    if (behind) m->order[k] = m->order[k + 1];
  }
  m->order[last] = client;
}

static void eval_answer(const struct hd_chan *m, struct hd_chan_out *out) {
  const struct hd_chan_stage *s = &m->second;
  if (!s->op_valid) return;
  const struct judged j = judge(m);
  out->answer_valid[s->client] = 1;
  out->answer = (struct hd_chananswer){.kind = s->op.kind, .code = j.code, .base = j.base, .slot = s->op.slot};
  out->done_valid = j.done_valid;
  out->done = j.done;
}

/* Outputs in the cycle after the answer. */
static void eval_told(const struct hd_chan *m, struct hd_chan_out *out) {
  const struct hd_chan_stage *s = &m->third;
  if (!s->op_valid) return;
  if (s->op.kind == HD_CHOP_TALLOC || s->op.kind == HD_CHOP_TFREE) {
    out->live_valid = 1;
    out->live = (struct hd_chanlive){.chan = s->op.chan, .n = s->op.n, .done = s->op.kind == HD_CHOP_TFREE};
  }
  if (s->op.kind != HD_CHOP_YIELD) return;
  out->yield_valid = 1;
  out->yield =
      (struct hd_chanyield){.cu = s->client, .slot = s->op.slot, .chan = s->op.chan, .n = s->op.n, .ctx = s->op.ctx};
}

/* Beat `beat` of a line. */
static struct hd_membeat beat_of(const struct hd_chan *m, unsigned line, unsigned beat) {
  const struct hd_chan_line l = m->line[line];
  struct hd_membeat b = {0};
  for (unsigned k = 0; k < HD_CHAN_BEAT; k++) {
    const unsigned e = HD_CHAN_BEAT * beat + k;
    if (e < l.from || e >= l.to) continue;
    const uint64_t entry = m->entry[HD_CHAN_LINE * line + e];
    b.strb |= (uint16_t)(3u << 2 * k);
    if (k < 4)
      b.lo |= entry << 16 * k;
    else
      b.hi |= entry << 16 * (k - 4);
  }
  return b;
}

static unsigned last_beat(unsigned to) {
  return (to - 1) / HD_CHAN_BEAT;
}

static void eval_port(const struct hd_chan *m, struct hd_chan_out *out) {
  if (m->send == HD_CHAN_IDLE) return;
  const struct hd_chan_line l = m->line[m->first_line];
  out->mem.wbeat = beat_of(m, m->first_line, m->beat);
  if (m->send != HD_CHAN_REQUEST) return;
  out->mem.valid = 1;
  out->mem.req.write = 1;
  out->mem.req.addr = (128 * m->control[l.chan] + 128u * l.number + 16u * m->beat) & m->cfg.addr_mask;
  out->mem.req.len = (uint8_t)(last_beat(l.to) - m->beat);
}

void hd_chan_eval(const struct hd_chan *m, const struct hd_chan_in *in, struct hd_chan_out *out) {
  memset(out, 0, sizeof *out);
  const struct accepted a = accept(m, in);
  memcpy(out->op_ready, a.ready, sizeof a.ready);
  eval_answer(m, out);
  eval_told(m, out);
  out->pub_valid = m->pub_valid;
  out->pub_chan = m->pub_chan;
  out->pub_count = m->pub_count;
  out->quiet = !m->runs && !m->lines && !m->flights;
  memcpy(out->open, m->open, sizeof out->open);
  memcpy(out->failed, m->failed, sizeof out->failed);
  memcpy(out->never, m->never, sizeof out->never);
  eval_port(m, out);
}

/* ---- control arrays ---- */

static void pop_run(struct hd_chan *m) {
  const unsigned last = m->cfg.runs - 1u;
  for (unsigned k = 0; k < last; k++) m->run[k] = m->run[k + 1];
  m->run[last] = (struct hd_chan_run){0};
  m->runs--;
}

enum { NONE = -1 };

/* Returns the open line of this channel, or NONE: there is at most one. */
static int open_line(const struct hd_chan *m, unsigned chan) {
  for (int k = 0; k < m->cfg.lines; k++)
    if (m->line[k].open && m->line[k].chan == chan) return k;
  return NONE;
}

/* Begins a new line, the youngest, or returns NONE. */
static int begin_line(struct hd_chan *m, unsigned chan, unsigned number, unsigned from) {
  if (m->lines == m->cfg.lines) return NONE;
  const int k = (m->first_line + m->lines++) % m->cfg.lines;
  m->line[k] = (struct hd_chan_line){
      .chan = (uint8_t)chan, .number = (uint16_t)number, .from = (uint8_t)from, .to = (uint8_t)from};
  return k;
}

/* Adds the next entries of the oldest run to a line; returns that line, or NONE. */
static int fill(struct hd_chan *m) {
  struct hd_chan_run *r = &m->run[0];
  if (!m->runs) return NONE;
  const uint32_t size = UINT32_C(2) << r->cap, p = r->pos & (size - 1), i = p % HD_CHAN_LINE;
  const uint32_t left = HD_CHAN_BEAT - p % HD_CHAN_BEAT, k = r->n < left ? r->n : left;
  const int joined = open_line(m, r->chan), at = joined != NONE ? joined : begin_line(m, r->chan, p / HD_CHAN_LINE, i);
  if (at == NONE) return NONE;
  for (uint32_t e = 0; e < HD_CHAN_BEAT && e < k; e++)
    m->entry[HD_CHAN_LINE * (unsigned)at + i + e] = (uint16_t)(r->off + e);
  m->line[at].to = (uint8_t)(i + k);
  m->line[at].open = i + k != HD_CHAN_LINE && p + k != size;
  r->off = (uint16_t)(r->off + k);
  r->pos = (uint16_t)((r->pos + k) & m->cfg.pos_mask);
  r->n = (uint16_t)(r->n - k);
  if (!r->n) pop_run(m);
  return joined;
}

/* The port is free. It takes the oldest line, if that existed at the start of the cycle and was not just extended; the
 * line is closed from then on. */
static void begin_burst(struct hd_chan *m, bool there, int joined) {
  m->send = HD_CHAN_IDLE;
  m->beat = 0;
  if (!there || joined == m->first_line || m->flights == m->cfg.flights) return;
  m->line[m->first_line].open = 0;
  m->send = HD_CHAN_REQUEST;
  m->beat = m->line[m->first_line].from / HD_CHAN_BEAT;
}

/* A step of the port; lines: number at the start of the cycle. */
static void send(struct hd_chan *m, const struct hd_chan_in *in, unsigned lines, int joined) {
  const unsigned first = m->first_line;
  const uint8_t chan = m->line[first].chan, from = m->line[first].from, to = m->line[first].to;
  switch (m->send) {
    case HD_CHAN_IDLE:
      begin_burst(m, lines > 0, joined);
      return;
    case HD_CHAN_REQUEST:
      if (!in->mem.ready) return;
      m->send = HD_CHAN_DATA;
      m->flight[m->flights++] = (struct hd_chan_flight){.chan = chan, .entries = (uint8_t)(to - from)};
      return;
    default:
      if (!in->mem.take) return;
      if (m->beat++ != last_beat(to)) return;
      m->first_line = (uint8_t)((first + 1) % m->cfg.lines);
      m->lines--;
      begin_burst(m, lines > 1, joined);
  }
}

/* The oldest burst is in memory, or lost. */
static void answer(struct hd_chan *m, const struct hd_chan_in *in) {
  m->pub_valid = m->pub_chan = m->pub_count = 0;
  if (!in->mem.b_valid) return;
  const struct hd_chan_flight f = m->flight[0];
  const unsigned last = m->cfg.flights - 1u;
  for (unsigned k = 0; k < last; k++) m->flight[k] = m->flight[k + 1];
  m->flight[last] = (struct hd_chan_flight){0};
  m->flights--;
  if (!in->mem.b_error && !m->failed[f.chan]) {
    m->pub_valid = 1;
    m->pub_chan = f.chan;
    m->pub_count = f.entries;
  }
  m->failed[f.chan] |= in->mem.b_error;
}

/* ---- operations ---- */

static void write_row(struct hd_chan *m, unsigned chan, struct hd_chanrow row) {
  m->row[chan] = row;
  hd_wrote(&m->wrote[0], chan);
}

static void carry_out(struct hd_chan *m) {
  const struct hd_chan_stage *s = &m->second;
  const struct hd_chanop *op = &s->op;
  if (s->set_valid) {
    write_row(m, s->set.chan, (struct hd_chanrow){.cap = s->set.cap});
    m->open[s->set.chan] = 1;
  }
  memset(&m->third, 0, sizeof m->third);
  if (!s->op_valid) return;
  const struct judged j = judge(m);
  if (j.code == HD_CHCODE_OK) m->third = *s;
  if (j.never) m->never[op->chan] = 1;
  if (op->kind == HD_CHOP_ENQ && j.code == HD_CHCODE_OK)
    m->run[m->runs++] = (struct hd_chan_run){
        .off = op->off, .pos = m->row[op->chan].reserve, .n = op->n, .chan = op->chan, .cap = j.row.cap};
  if (j.moves) write_row(m, op->chan, j.row);
}

/* Advances the operation accepted in this cycle, and the previous one. */
static void advance(struct hd_chan *m, const struct hd_chan_in *in, int client) {
  m->second = m->first;
  if (m->second.op_valid && m->second.op.chan < m->cfg.chans) m->second.head = in->head[m->second.op.chan];
  memset(&m->first, 0, sizeof m->first);
  if (in->set_valid) {
    m->first.set_valid = 1;
    m->first.set = in->set;
    m->control[in->set.chan] = in->set.control;
  }
  if (client < 0) return;
  m->first.op_valid = 1;
  m->first.client = (uint8_t)client;
  m->first.op = in->op[client];
  served(m, (uint8_t)client);
}

void hd_chan_tick(struct hd_chan *m, const struct hd_chan_in *in) {
  const int client = accept(m, in).client;
  const unsigned lines = m->lines;
  /* in this order each function sees the values that it needs from the start of the cycle */
  const int joined = fill(m);
  send(m, in, lines, joined);
  carry_out(m);
  answer(m, in);
  for (unsigned c = 0; c < m->cfg.chans; c++) m->failed[c] |= in->fail[c];
  advance(m, in, client);
}

void hd_chan_arch_row(const struct hd_chan *m, unsigned row, struct hd_chan_arch *a) {
  if (row >= m->cfg.chans) return;
  a->row_valid[row] = m->open[row];
  a->row[row] = m->open[row] ? m->row[row] : (struct hd_chanrow){0};
}

void hd_chan_arch(const struct hd_chan *m, struct hd_chan_arch *a, bool tables) {
  uint64_t ahead = 0;
  for (unsigned k = 0; k < m->cfg.clients; k++) {
    a->ahead[m->order[k]] = ahead;
    ahead |= UINT64_C(1) << m->order[k];
  }
  a->runs = m->runs;
  a->lines = m->lines;
  a->first_line = m->first_line;
  for (unsigned k = 0; k < m->cfg.lines; k++) a->line_open[k] = m->line[k].open;
  a->send = m->send;
  a->beat = m->send ? m->beat : 0;
  for (unsigned row = 0; tables && row < m->cfg.chans; row++) hd_chan_arch_row(m, row, a);
}
