/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* wires: own
 * unwind: 20 */
/* The channel of the elements of the wavefront in a slot, or num_chan. */
static unsigned owner(const MODEL *m, unsigned at) {
  if (!m->slot[at]) return cfg.num_chan;
  const _Bool goes = m->go_valid && at == m->go.cu * cfg.waves_per_cu + m->go.slot;
  return goes ? m->go.own : m->own[at];
}

/* A level begins with the first of its channels. */
static void levels(const MODEL *m) {
  unsigned deepest = 0, last = 0;
  for (unsigned c = 0; c < cfg.num_chan; c++) {
    const struct hd_agg_chan *h = &m->chan[c];
    CHECK(h->open <= 1 && rtl_u_chans_open_q[c] == h->open && rtl_opened_q[c] == h->open, "open");
    CHECK(rtl_u_chans_begins_q[c] == (h->open && h->set.level != deepest), "begins");
    CHECK(rtl_u_chans_levelized_q[c] == (h->open && h->set.levelized), "levelized");
    if (!h->open) continue;
    CHECK(h->set.level < cfg.num_chan && h->set.level >= deepest && h->set.levelized <= 1, "level");
    CHECK(h->set.threshold <= cfg.wave_lanes, "threshold");
    CHECK(REGS(u_chans_cap_q, c, cfg.chan_cap_w) == h->set.cap, "cap");
    CHECK(REGS(u_chans_level_q, c, cfg.chan_level_w) == h->set.level, "level");
    CHECK(REGS(u_chans_threshold_q, c, cfg.lanes_w) == h->set.threshold, "threshold");
    deepest = h->set.level;
    last = c;
  }
  CHECK(REG(u_chans_deepest_q) == deepest && REG(set_level_q) == deepest, "deepest");
  CHECK(m->last == last && REG(u_chans_last_q) == last, "last");
}

static void counts(const MODEL *m) {
  unsigned recs = 0;
  for (unsigned c = 0; c < cfg.num_chan; c++) {
    const struct hd_agg_chan *h = &m->chan[c];
    unsigned runs = 0;
    for (unsigned at = 0; at < cfg.chan_slots; at++) runs += owner(m, at) == c;
    for (unsigned u = 0; u < cfg.num_cu; u++) runs += m->busy[u] && m->back[u].own == c;
    runs += (m->left.ends || m->left.yields) && m->left.own == c;
    CHECK(h->active == runs + (m->gone == c + 1), "active");
    CHECK(h->alive == runs + (m->gone == c + 1 && m->gone_ends) + REGS(waiting_q, c, cfg.chan_rec_w), "alive");
    CHECK(h->open || (!h->alive && !h->ready && !h->coming && !h->spare && !h->some && !h->enough),
          "nothing of a channel that is not set up");
    CHECK(!h->spare || m->recs < cfg.chan_recs, "spare");
    CHECK(m->gone != c + 1 || m->gone_ends || REGS(waiting_q, c, cfg.chan_rec_w), "one that has yielded waits");
    recs += h->alive;
  }
  CHECK(m->recs == recs && recs <= cfg.chan_recs, "records");
}

static void restarts(const MODEL *m) {
  for (unsigned u = 0; u < cfg.num_cu; u++) {
    const struct hd_chanback *b = &m->back[u];
    CHECK(m->busy[u] <= 1, "bool");
    if (!m->busy[u]) continue;
    CHECK(same_chanback(rtl_u_restarts_row_q + u * (sizeof rtl_u_restarts_row_q / cfg.num_cu), b) && b->cu == u, "row");
    CHECK(b->own < cfg.num_chan && m->chan[b->own].open, "own");
    CHECK(REGS(u_restarts_level_q, u, cfg.chan_level_w) == m->chan[b->own].set.level, "level");
    _Bool covered = 1;
    for (unsigned c = 0; c < cfg.num_chan; c++) {
      covered &= c <= b->own || !rtl_u_chans_begins_q[c];
      CHECK(rtl_u_restarts_until_q[u * cfg.num_chan + c] == covered, "until");
    }
  }
}

static void invariant(const MODEL *m) {
  levels(m);
  counts(m);
  restarts(m);
  CHECK(m->chan_ptr < cfg.num_chan && m->cu_ptr < cfg.num_cu && m->end_ptr < cfg.num_cu && m->back_ptr < cfg.num_cu,
        "pointers");
  for (unsigned at = 0; at < cfg.chan_slots; at++)
    CHECK(m->slot[at] <= 1 && (!m->slot[at] || owner(m, at) < cfg.num_chan), "slot");
  for (unsigned u = 0; u < cfg.num_cu; u++) {
    CHECK(m->room[u] <= 1 && m->low[u] < cfg.waves_per_cu, "room");
    CHECK(!m->room[u] || !m->slot[u * cfg.waves_per_cu + m->low[u]], "free");
    CHECK(m->room[u] || !m->low[u], "none");
  }
  CHECK(m->go_valid <= 1 && m->bad <= 1, "bool");
  if (m->go_valid) {
    CHECK(m->go.cu < cfg.num_cu && m->go.slot < cfg.waves_per_cu && m->go.own < cfg.num_chan, "go");
    CHECK(m->slot[m->go.cu * cfg.waves_per_cu + m->go.slot], "its slot");
  }
  const struct hd_agg_left *l = &m->left;
  CHECK(l->ends <= 1 && l->yields <= 1 && !(l->ends && l->yields) && l->own < cfg.num_chan, "left");
  CHECK(REG(u_slots_ended_q) == l->ends && REG(u_slots_yielded_q) == l->yields, "left");
  CHECK((!l->ends && !l->yields) || get(rtl_own, sizeof rtl_own) == l->own, "its channel");
  CHECK(m->gone <= cfg.num_chan && m->gone_ends <= (m->gone != 0), "gone");
  CHECK(REG(u_chans_left_q) == (m->gone != 0) && REG(u_chans_gone_q) == m->gone_ends, "gone");
  CHECK(!m->gone || REG(u_chans_left_chan_q) == m->gone - 1u, "its channel");
}

static void contract(const MODEL *m, const IN *in) {
  const unsigned n = cfg.num_chan;
  (void)m;
  ASSUME(in->set.chan < n && in->live.chan < n && in->pub_chan < n && in->back.own < n && in->yield.cu < cfg.num_cu);
}
