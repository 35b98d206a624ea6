/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* unwind: 70
 * open: step */
#define HAS_GHOST
static struct ghost {
  /* Since a client offers its operation, counted while that has room: operations of other clients accepted, and these
   * clients, as bits. */
  unsigned served[16], clients[16];
  /* The control place, modulo all positions, of a channel's first element without an answer, and of the first element
   * of a burst (by age) and of a line: a sum of elements is hard for the solver. */
  unsigned at[16], flight_at[16], line_at[16];
} ghost;

static unsigned chan_of(const BIT *bits) {
  struct hd_chanop op = {0};
  chanop_from(bits, &op);
  return op.chan;
}

static unsigned capacity(const MODEL *m, unsigned chan) {
  return 1u << m->row[chan].cap;
}

/* The age of a row of a ring: 0 is the first. */
static unsigned age_of(unsigned row, unsigned first, unsigned rows) {
  return (row + rows - first) % rows;
}

/* Elements of the channel between the tail and the head, as they were in the cycle before. */
static unsigned used(const MODEL *m, unsigned chan) {
  return (m->row[chan].tail - cfg.done_grain * (unsigned)REGS(head_q, chan, cfg.grain_w)) & m->cfg.pos_mask;
}

/* The address of a control array, in units of 128 bytes, is a multiple of its size. */
static _Bool aligned(uint64_t control, unsigned cap) {
  const unsigned units = 1u << cap >> 5;
  return !units || !(control & (units - 1));
}

static _Bool setting(const struct hd_chan_stage *s, unsigned chan) {
  return s->set_valid && s->set.chan == chan;
}

static void set_invariant(const MODEL *m, const struct hd_chan_stage *s) {
  const unsigned least = (unsigned)__builtin_ctz(cfg.done_grain);
  if (!s->set_valid) return;
  CHECK(!s->op_valid && s->set.chan < cfg.num_chan, "set-up");
  CHECK(s->set.cap >= least && s->set.cap <= cfg.chan_cap, "capacity");
  CHECK(aligned(m->control[s->set.chan], s->set.cap), "aligned");
}

/* Operations in the first stage: their row was read, or is that of an operation before. */
static void first_invariant(const MODEL *m) {
  const struct hd_chan_stage *s = &m->first;
  const struct hd_chanrow row = m->row[s->op.chan];
  const BIT *read = REG(from_written_q) ? rtl_row_written_q : rtl_u_row_rdata_q;
  CHECK(REG(valid1_q) == s->op_valid && REG(set1_q) == s->set_valid, "first stage");
  set_invariant(m, s);
  if (s->set_valid) CHECK(chan_of(rtl_op1_q) == s->set.chan && REG(cap1_q) == s->set.cap, "set-up");
  if (!s->op_valid) return;
  CHECK(s->client < cfg.chan_clients && REG(client1_q) == s->client, "client");
  CHECK(same_chanop(rtl_op1_q, &s->op), "operation");
  if (m->open[s->op.chan]) CHECK(same_chanrow(read, &row), "its row");
}

static void second_invariant(const MODEL *m) {
  const struct hd_chan_stage *s = &m->second;
  const unsigned chan = s->op.chan, grains = s->head * cfg.done_grain, n = s->op.n, mask = m->cfg.pos_mask;
  const struct hd_chanrow row = m->row[chan];
  CHECK(REG(valid2_q) == s->op_valid && REG(set2_q) == s->set_valid, "second stage");
  set_invariant(m, s);
  if (s->set_valid) CHECK(chan_of(rtl_op2_q) == s->set.chan && REG(cap2_q) == s->set.cap, "set-up");
  if (!s->op_valid) return;
  CHECK(s->client < cfg.chan_clients && REG(client2_q) == s->client, "client");
  CHECK(same_chanop(rtl_op2_q, &s->op), "operation");
  CHECK(REG(open2_q) == m->open[chan] && REG(failed2_q) == m->failed[chan], "open, failed");
  if (!m->open[chan]) return;
  CHECK(same_chanrow(rtl_row2_q, &row), "its row");
  CHECK(s->head == REGS(head_q, chan, cfg.grain_w), "head");
  CHECK(REG(mask2_q) == capacity(m, chan) - 1 && REG(less2_q) == ((n - 1) & mask), "mask, n - 1");
  CHECK(REG(last2_q) == ((s->op.off + n - 1) & (2 * mask + 1)), "off + n - 1");
  CHECK(REG(back2_q) == (~grains & mask) && REG(gain2_q) == ((n + ~grains) & mask), "differences");
}

static void third_invariant(const MODEL *m) {
  const struct hd_chan_stage *s = &m->third;
  const _Bool yields = s->op_valid && s->op.kind == HD_CHOP_YIELD;
  const _Bool lives = s->op_valid && (s->op.kind == HD_CHOP_TALLOC || s->op.kind == HD_CHOP_TFREE);
  CHECK(REG(live3_q) == lives && REG(yield3_q) == yields, "third stage");
  if (s->op_valid) CHECK(same_chanop(rtl_op3_q, &s->op), "operation");
  if (yields) CHECK(REG(cu3_q) == s->client, "CU");
}

/* ---- elements ---- */

static void channel_invariant(const MODEL *m, unsigned c) {
  const unsigned least = (unsigned)__builtin_ctz(cfg.done_grain), size = capacity(m, c), w = cfg.chan_pos_w;
  const unsigned done = REGS(done_q, c, w), live = REGS(live_q, c, w);
  const unsigned moving = (m->row[c].reserve - ghost.at[c]) & m->cfg.pos_mask;
  const unsigned told = m->pub_valid && m->pub_chan == c ? m->pub_count : 0;
  CHECK(m->open[c] + setting(&m->first, c) + setting(&m->second, c) == (REG(set_q) >> c & 1), "set up once");
  CHECK(m->open[c] <= 1 && m->failed[c] <= 1 && m->never[c] <= 1, "flags");
  if (REG(set_q) >> c & 1) CHECK(get(rtl_u_lines_u_base_mem_q[c], cfg.chan_base_w) == m->control[c], "its address");
  if (!m->open[c]) {
    CHECK(!done && !live && !told && !ghost.at[c] && !REGS(head_q, c, cfg.grain_w), "nothing");
    return;
  }
  CHECK(m->row[c].cap >= least && m->row[c].cap <= cfg.chan_cap, "capacity");
  CHECK(aligned(m->control[c], m->row[c].cap), "aligned");
  CHECK(used(m, c) <= size && m->row[c].pending + done + live + told + moving <= used(m, c), "elements in use");
}

/* ---- control arrays ---- */

/* A row of the queue of runs; the oldest run may be in a line partly. */
static void run_invariant(const MODEL *m, unsigned row) {
  const unsigned w = cfg.chan_pos_w, age = age_of(row, (unsigned)REG(u_lines_u_runs_first_q), cfg.chan_runs);
  const struct hd_chan_run r = m->run[age];
  const BIT *b = rtl_u_lines_u_runs_row_q[row];
  const _Bool part = !age && REG(u_lines_part_q);
  if (age >= m->runs) return;
  CHECK(get(b + 3 * w, cfg.chan_cap_w) == r.cap && get(b + 3 * w + cfg.chan_cap_w, cfg.chan_w) == r.chan, "run");
  CHECK((part ? REG(u_lines_part_n_q) : get(b, w)) == r.n, "its elements");
  CHECK((part ? REG(u_lines_part_p_q) : get(b + w, w)) == (r.pos & (2 * capacity(m, r.chan) - 1)), "its place");
  CHECK((part ? REG(u_lines_part_off_q) : get(b + 2 * w, w)) == r.off, "its offset");
  CHECK(r.chan < cfg.num_chan && m->open[r.chan] && r.cap == m->row[r.chan].cap, "its channel");
  CHECK(r.n && (unsigned)r.off + r.n <= capacity(m, r.chan), "in the channel");
}

static _Bool enqs(const struct hd_chan_stage *s) {
  return s->op_valid && s->op.kind == HD_CHOP_ENQ;
}

static void runs_invariant(const MODEL *m) {
  const unsigned n = cfg.chan_runs;
  CHECK(m->runs + enqs(&m->first) + enqs(&m->second) <= n && REG(u_lines_u_runs_first_q) < n, "runs");
  CHECK(m->runs || !REG(u_lines_part_q), "part of a run");
  for (unsigned row = 0; row < n; row++) run_invariant(m, row);
}

static uint16_t entry_of(const BIT *beat, unsigned entry) {
  return (uint16_t)get(beat + 16 * (entry % HD_CHAN_BEAT), 16);
}

/* Entries `from` to `to` - 1 of a line, in rows of 8. */
static void entries_invariant(const MODEL *m, unsigned i) {
  const struct hd_chan_line *l = &m->line[i];
  for (unsigned b = 0; b < HD_CHAN_LINE / HD_CHAN_BEAT; b++) {
    const BIT *row = rtl_u_lines_u_line_mem_q[HD_CHAN_LINE / HD_CHAN_BEAT * i + b];
    const BIT *kept = rtl_u_lines_entries_q + 128 * i;
    for (unsigned k = 0; k < HD_CHAN_BEAT; k++) {
      const unsigned e = HD_CHAN_BEAT * b + k, entry = m->entry[HD_CHAN_LINE * i + e];
      const _Bool last = l->open && b == (l->to - 1u) / HD_CHAN_BEAT;
      if (e < l->from || e >= l->to) continue;
      CHECK(entry_of(row, k) == entry, "entry");
      CHECK(!last || entry_of(kept, k) == entry, "of the last beat");
    }
  }
}

static void line_invariant(const MODEL *m, unsigned i) {
  const struct hd_chan_line *l = &m->line[i];
  const unsigned age = age_of(i, m->first_line, cfg.chan_lines);
  const unsigned end = HD_CHAN_LINE * l->number + l->to, twice = 2 * capacity(m, l->chan);
  CHECK(l->open <= (age < m->lines && !(m->send && !age)), "open");
  if (age >= m->lines) return;
  CHECK(l->chan < cfg.num_chan && m->open[l->chan], "its channel");
  CHECK(REGS(u_lines_line_chan_q, i, cfg.chan_w) == l->chan, "channel of a line");
  CHECK(REGS(u_lines_line_no_q, i, cfg.chan_line_no_w) == l->number, "number of a line");
  CHECK(REGS(u_lines_line_from_q, i, 6) == l->from && REGS(u_lines_line_to_q, i, 7) == l->to, "ends of a line");
  CHECK(l->from < l->to && l->to <= HD_CHAN_LINE && end <= twice, "entries");
  CHECK(HD_CHAN_LINE * l->number + l->from == (ghost.line_at[i] & (twice - 1)), "place of a line");
  CHECK(!l->open || (l->to < HD_CHAN_LINE && end < twice), "room");
  for (unsigned k = 0; k < cfg.chan_lines; k++) {
    const unsigned other = age_of(k, m->first_line, cfg.chan_lines);
    CHECK(other <= age || other >= m->lines || !l->open || m->line[k].chan != l->chan, "the last line of a channel");
  }
  entries_invariant(m, i);
}

/* Elements of a channel that are being published: in a burst, a line or a run. */
struct part {
  _Bool there;
  unsigned chan, at, n;
};

static struct part part_of(const MODEL *m, unsigned i) {
  const unsigned flights = cfg.chan_flight, lines = cfg.chan_lines, k = i - flights - lines;
  if (i < flights) return (struct part){i < m->flights, m->flight[i].chan, ghost.flight_at[i], m->flight[i].entries};
  if (i >= flights + lines) return (struct part){k < m->runs, m->run[k].chan, m->run[k].pos, m->run[k].n};
  const unsigned age = i - flights, line = (m->first_line + age) % lines;
  const _Bool there = age >= (m->send == HD_CHAN_DATA) && age < m->lines;
  const struct hd_chan_line l = m->line[line];
  return (struct part){there, l.chan, ghost.line_at[line], (unsigned)l.to - l.from};
}

/* Each part begins where the one before it ends, and the next one will; all are behind the first element. */
static void place_invariant(const MODEL *m, unsigned c) {
  const unsigned mask = m->cfg.pos_mask, reserve = m->row[c].reserve;
  unsigned end = ghost.at[c];
  if (!m->open[c]) return;
  CHECK(end <= mask, "range");
  for (unsigned i = 0; i < cfg.chan_flight + cfg.chan_lines + cfg.chan_runs; i++) {
    const struct part p = part_of(m, i);
    const unsigned left = (reserve - p.at) & mask;
    if (!p.there || p.chan != c) continue;
    CHECK(p.at == end && p.n <= left && left <= capacity(m, c), "a part follows");
    end = (p.at + p.n) & mask;
  }
  CHECK(end == reserve, "the next one follows");
}

static void send_invariant(const MODEL *m) {
  const struct hd_chan_line l = m->line[m->first_line];
  CHECK(m->send <= HD_CHAN_DATA && REG(u_lines_send_q) == m->send, "send");
  if (!m->send) return;
  const unsigned last = (l.to - 1u) / HD_CHAN_BEAT;
  CHECK(m->lines && REG(u_lines_send_chan_q) == l.chan && REG(u_lines_send_no_q) == l.number, "the line sent");
  CHECK(REG(u_lines_send_from_q) == l.from && REG(u_lines_send_to_q) == l.to, "its entries");
  CHECK(REG(u_lines_u_base_rdata_q) == m->control[l.chan], "its address");
  CHECK(m->beat >= l.from / HD_CHAN_BEAT && m->beat <= last && REG(u_lines_beat_q) == m->beat, "beat");
  CHECK(m->send == HD_CHAN_DATA || (m->beat == l.from / HD_CHAN_BEAT && m->flights < cfg.chan_flight), "request");
  for (unsigned k = 0; k < HD_CHAN_BEAT; k++) {
    const unsigned e = HD_CHAN_BEAT * m->beat + k;
    if (e < l.from || e >= l.to) continue;
    CHECK(entry_of(rtl_u_lines_u_line_rdata_q, k) == m->entry[HD_CHAN_LINE * m->first_line + e], "entries of the beat");
  }
}

static void flight_invariant(const MODEL *m) {
  const unsigned n = cfg.chan_flight, first = REG(u_lines_u_flight_first_q);
  const _Bool data = m->send == HD_CHAN_DATA;
  CHECK(m->flights <= n && first < n && REG(u_lines_u_flight_count_q) == m->flights, "flights");
  for (unsigned i = 0; i < n; i++) {
    const unsigned age = age_of(i, first, n);
    const BIT *row = rtl_u_lines_u_flight_row_q[i];
    const struct hd_chan_flight f = m->flight[age];
    if (age >= m->flights) continue;
    CHECK(get(row, 7) == f.entries && get(row + 7, cfg.chan_w) == f.chan, "flight");
    CHECK(f.entries && f.entries <= HD_CHAN_LINE && f.chan < cfg.num_chan && m->open[f.chan], "flight");
  }
  CHECK(REG(u_answers_owed_q) == m->flights - data && REG(u_answers_reads_q) == 0, "answers");
  CHECK(REG(u_answers_left_q) == (data ? (m->line[m->first_line].to - 1u) / HD_CHAN_BEAT - m->beat + 1 : 0), "beats");
  CHECK(REG(u_lines_pub_valid_q) == m->pub_valid, "published");
  if (!m->pub_valid) {
    CHECK(!m->pub_chan && !m->pub_count, "nothing");
    return;
  }
  CHECK(REG(u_lines_pub_chan_q) == m->pub_chan && REG(u_lines_pub_count_q) == m->pub_count, "published");
  CHECK(m->pub_chan < cfg.num_chan && m->open[m->pub_chan] && m->pub_count <= HD_CHAN_LINE, "published");
}

/* A client that was served is behind the one that waits, so it is not served again before it. */
static void progress_invariant(const MODEL *m) {
  for (unsigned c = 0; c < cfg.chan_clients; c++) {
    unsigned behind = 0, n = 0;
    _Bool passed = 0;
    for (unsigned k = 0; k < cfg.chan_clients; k++) {
      behind |= (unsigned)passed << m->order[k];
      passed |= m->order[k] == c;
      n += ghost.clients[c] >> k & 1;
    }
    CHECK(!(ghost.clients[c] & ~behind) && ghost.served[c] == n, "each other client is served once at most");
  }
}

static void invariant(const MODEL *m) {
  unsigned clients = 0;
  for (unsigned k = 0; k < cfg.chan_clients; k++) clients |= 1u << m->order[k];
  CHECK(clients == (1u << cfg.chan_clients) - 1, "each client once");
  CHECK(m->lines <= cfg.chan_lines && m->first_line < cfg.chan_lines, "lines");
  first_invariant(m);
  second_invariant(m);
  third_invariant(m);
  for (unsigned c = 0; c < cfg.num_chan; c++) {
    channel_invariant(m, c);
    place_invariant(m, c);
  }
  runs_invariant(m);
  for (unsigned i = 0; i < cfg.chan_lines; i++) line_invariant(m, i);
  send_invariant(m);
  flight_invariant(m);
  progress_invariant(m);
}

/* Follows the places of lines and bursts. */
static void places_follow(const MODEL *m, const IN *in) {
  const unsigned begun = (m->first_line + m->lines) % cfg.chan_lines;
  unsigned flights = m->flights;
  _Bool joins = 0;
  if (in->mem.b_valid) {
    const unsigned c = m->flight[0].chan;
    ghost.at[c] = (ghost.at[c] + m->flight[0].entries) & m->cfg.pos_mask;
    for (unsigned i = 0; i + 1 < cfg.chan_flight; i++) ghost.flight_at[i] = ghost.flight_at[i + 1];
    flights--;
  }
  if (m->send == HD_CHAN_REQUEST && in->mem.ready) ghost.flight_at[flights] = ghost.line_at[m->first_line];
  for (unsigned i = 0; i < cfg.chan_lines; i++) joins |= m->line[i].open && m->line[i].chan == m->run[0].chan;
  if (m->runs && !joins && m->lines < cfg.chan_lines) ghost.line_at[begun] = m->run[0].pos;
}

/* Follows which client is served in this cycle. */
static void served_follow(const MODEL *m, const IN *in) {
  struct hd_chan_out out = {0};
  hd_chan_eval(m, in, &out);
  for (unsigned c = 0; c < cfg.chan_clients; c++) {
    const unsigned kind = in->op[c].kind;
    const _Bool room = kind == HD_CHOP_YIELD || (kind == HD_CHOP_ENQ ? m->runs + 3 <= cfg.chan_runs : in->done_room);
    for (unsigned j = 0; j < cfg.chan_clients; j++) {
      const _Bool served = j != c && in->op_valid[j] && out.op_ready[j] && room;
      ghost.served[c] += served;
      ghost.clients[c] |= (unsigned)served << j;
    }
    if (!in->op_valid[c] || out.op_ready[c]) ghost.served[c] = ghost.clients[c] = 0;
  }
}

static void contract(const MODEL *m, const IN *in) {
  served_follow(m, in);
  places_follow(m, in);
  ASSUME(!in->set_valid || aligned(in->set.control, in->set.cap));
}
