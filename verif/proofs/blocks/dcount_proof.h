/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* unwind: 18 */
static _Bool is_set_up(unsigned chan) {
  return chan < cfg.num_chan && rtl_set_q[chan];
}

/* The counts of a beat in the RTL. */
static _Bool same_counts(const BIT *b, const uint8_t *count) {
  _Bool same = 1;
  for (unsigned l = 0; l < HD_DCOUNT_LANES; l++) same &= get(b + 8 * l, 8) == count[l];
  return same;
}

static unsigned times(const struct hd_dcount_line *l, unsigned entry) {
  unsigned n = 0;
  for (unsigned i = 0; i < cfg.done_rows; i++) n += i < l->n && l->at[i] == entry;
  return n;
}

/* The i-th entry of a FIFO of n rows is in row k. */
static _Bool is_row(unsigned first, unsigned i, unsigned k, unsigned n) {
  return first + i == k || first + i == k + n;
}

/* A FIFO of entries in the RTL. Every index is a constant, which is easier for CBMC. */
static _Bool same_line(const BIT row[][sizeof rtl_u_mem_u_ask_row_q[0]], unsigned first, unsigned count,
                       const struct hd_dcount_line *l) {
  const unsigned n = cfg.done_rows;
  _Bool same = count == l->n && l->n <= n;
  for (unsigned i = 0; i < n; i++)
    for (unsigned k = 0; k < n; k++)
      same &= i >= l->n || !is_row(first, i, k, n) || (l->at[i] < n && get(row[k], sizeof row[0]) == l->at[i]);
  return same;
}

static void channel_invariant(const MODEL *m, unsigned c) {
  CHECK(is_set_up(c) || !m->look[c], "only a channel that is set up is looked at");
  if (!is_set_up(c)) return;
  CHECK(REGS(u_heads_cap_q, c, cfg.chan_cap_w) == m->cap[c] && REGS(cap_q, c, cfg.chan_cap_w) == m->cap[c], "capacity");
  CHECK(1u << m->cap[c] >= cfg.done_grain && m->cap[c] <= cfg.chan_cap, "range of the capacity");
  CHECK(get(rtl_u_mem_u_base_mem_q[c], cfg.chan_base_w) == m->base[c], "address");
}

/* A run that is not counted yet has elements, all within its channel. */
static _Bool is_run(const MODEL *m, const struct hd_donerun *run) {
  return is_set_up(run->chan) && run->n && run->off + run->n <= 1 << m->cap[run->chan];
}

static void run_invariant(const MODEL *m) {
  const unsigned n = cfg.chan_runs, room = REG(room_q);
  CHECK(m->runs <= n, "runs");
  CHECK(!(room & 1) || m->runs + 2u <= n, "room in the cycle before");
  CHECK(!(room & 2) || m->runs + 1u <= n, "room two cycles before");
  for (unsigned i = 0; i < n; i++) {
    CHECK(i >= m->runs || is_run(m, &m->run[i]), "a run is in its channel");
    for (unsigned k = 0; k < n; k++)
      CHECK(i >= m->runs || !is_row(REG(u_runs_u_runs_first_q), i, k, n) ||
                same_donerun(rtl_u_runs_u_runs_row_q[k], &m->run[i]),
            "a run");
  }
  if (!m->counting) return;
  CHECK(is_run(m, &m->counted), "the run being counted is in its channel");
  CHECK(REG(u_runs_chan_q) == m->counted.chan && REG(u_runs_off_q) == m->counted.off && REG(u_runs_n_q) == m->counted.n,
        "the run being counted");
}

/* Stage 2 adds to this entry. */
static void adds_invariant(const MODEL *m, unsigned e) {
  CHECK(m->entry[e] == HD_DCOUNT_READING || m->entry[e] == HD_DCOUNT_HELD, "state in stage 2");
  CHECK(REG(chan2_q) == m->entry_chan[e] && REG(no2_q) == m->entry_no[e], "beat in stage 2");
  for (unsigned l = 0; l < HD_DCOUNT_LANES; l++) {
    const unsigned read = REG(u_counts_new_q) ? 0 : REGS(u_counts_u_count_rdata_q, l, 8);
    const unsigned k = REG(u_counts_lane_q) == l ? REG(u_counts_k_q) : 0;
    CHECK((REG(u_counts_bypass_q) ? REGS(u_counts_written_q, l, 8) : read) == m->count[e][l], "counts in stage 2");
    CHECK((REG(u_counts_fill_q) ? REGS(u_counts_beat_q, l, 8) : k) == m->add[l], "increment");
  }
}

/* Reading: its beat is to be requested, or awaited. Writing: in stage 2, in `out` before its request, or unanswered. */
static void entry_invariant(const MODEL *m, unsigned e) {
  const _Bool reading = m->entry[e] == HD_DCOUNT_READING, writing = m->entry[e] == HD_DCOUNT_WRITING;
  const _Bool adds = m->adds && m->stage_entry == e, leaves = m->leaves && m->stage_entry == e;
  const _Bool out = m->out_full && m->out_entry == e, beat = m->ask == HD_DCOUNT_BEAT;
  CHECK(times(&m->wants, e) + times(&m->reads, e) == reading, "reading");
  CHECK(leaves + (out && !beat) + times(&m->writes, e) == writing, "writing");
  if (adds) adds_invariant(m, e);
  if (reading && !adds) CHECK(same_counts(rtl_u_counts_u_count_mem_q[e], m->count[e]), "counts before the beat");
  if (leaves) CHECK(same_counts(rtl_u_counts_u_count_rdata_q, m->count[e]), "counts that leave");
  if (out) CHECK(same_counts(rtl_u_mem_out_counts_q, m->count[e]), "counts in out");
  if (m->entry[e] == HD_DCOUNT_FREE) return;
  CHECK(is_set_up(m->entry_chan[e]), "entry of a channel");
  for (unsigned k = 0; k < e; k++)
    CHECK(m->entry[k] == HD_DCOUNT_FREE || m->entry_chan[k] != m->entry_chan[e] || m->entry_no[k] != m->entry_no[e],
          "each beat once");
}

static void port_invariant(const MODEL *m) {
  const _Bool beat = m->ask == HD_DCOUNT_BEAT, write = m->ask == HD_DCOUNT_WRITE;
  CHECK(same_line(rtl_u_mem_u_ask_row_q, REG(u_mem_u_ask_first_q), REG(u_mem_u_ask_count_q), &m->wants), "to request");
  CHECK(same_line(rtl_u_mem_u_await_row_q, REG(u_mem_u_await_first_q), REG(u_mem_u_await_count_q), &m->reads), "reads");
  CHECK(same_line(rtl_u_mem_u_writes_row_q, REG(u_mem_u_writes_first_q), REG(u_mem_u_writes_count_q), &m->writes),
        "writes");
  CHECK(m->out_full <= 1 && REG(u_mem_out_q) == m->out_full && m->out_entry < cfg.done_rows, "out");
  CHECK(!m->out_full || REG(u_mem_out_entry_q) == m->out_entry, "entry in out");
  CHECK(m->ask != HD_DCOUNT_READ || m->wants.n, "a read is of an entry");
  CHECK(!(write || beat) || m->out_full, "a write is of out");
  CHECK(!beat || (m->writes.n && m->writes.at[m->writes.n - 1] == m->out_entry), "its beat is that of the last write");
  if (write || m->ask == HD_DCOUNT_READ)
    CHECK(REG(u_mem_u_base_rdata_q) == m->base[m->entry_chan[write ? m->out_entry : m->wants.at[0]]],
          "base of a burst");
  CHECK(REG(u_answers_left_q) == beat && REG(u_answers_beat_q) == 0, "beats left");
  CHECK(REG(u_answers_owed_q) == m->writes.n - beat, "answers");
  CHECK(REG(u_answers_reads_q) == m->reads.n, "reads that are not answered");
}

static void invariant(const MODEL *m) {
  CHECK(m->evict_ptr < cfg.done_rows, "range");
  CHECK(!m->looking || is_set_up(m->looking_chan), "a head of a channel");
  for (unsigned c = 0; c < cfg.num_chan; c++) channel_invariant(m, c);
  run_invariant(m);
  port_invariant(m);
  CHECK(m->adds <= 1 && m->leaves <= 1 && !(m->leaves && (m->adds || m->out_full)), "stage 2");
  CHECK(m->stage_entry < cfg.done_rows, "entry of stage 2");
  CHECK(REG(u_counts_add_q) == m->adds && REG(leaving_q) == m->leaves, "adds, leaves");
  CHECK(!(m->adds || m->leaves) || REG(u_counts_entry_q) == m->stage_entry, "its entry");
  for (unsigned e = 0; e < cfg.done_rows; e++) entry_invariant(m, e);
}

/* The RTL asserts all that is required. */
static void contract(const MODEL *m, const IN *in) {
  (void)m;
  (void)in;
}
