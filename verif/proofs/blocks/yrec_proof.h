/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* wires: rec
 * unwind: 20 */
#define HAS_GHOST
static struct ghost {
  unsigned after[64]; /* places that wait for the same channel and came later, a bit each */
  unsigned chan[64];  /* the channel of a place in use */
} ghost;

static _Bool waits(const MODEL *m, unsigned p, unsigned c) {
  return m->used[p] && ghost.chan[p] == c;
}

/* A place that is free has left its order. */
static void forget(const MODEL *m) {
  for (unsigned p = 0; p < cfg.chan_recs; p++) {
    if (m->used[p]) continue;
    ghost.after[p] = 0;
    for (unsigned q = 0; q < cfg.chan_recs; q++) ghost.after[q] &= ~(1u << p);
  }
}

/* Those that wait for a channel are in one order, which the links of the list follow. */
static void in_order(const MODEL *m, unsigned p) {
  const unsigned n = cfg.chan_recs, c = ghost.chan[p], after = ghost.after[p];
  CHECK(c < cfg.num_chan && m->rec[p].cu < cfg.num_cu, "range");
  CHECK(!(after >> p & 1) && !(after >> n), "not after itself");
  for (unsigned q = 0; q < n; q++) {
    const _Bool pq = after >> q & 1, qp = ghost.after[q] >> p & 1;
    CHECK(q == p || (waits(m, q, c) ? pq != qp : !pq), "before or after each other of the channel");
    CHECK(!pq || !(ghost.after[q] & ~after), "transitive");
    CHECK(p != m->list[c].first || !qp, "none before the first");
  }
  if (p == m->list[c].last) {
    CHECK(!after, "none after the last");
    return;
  }
  const unsigned x = m->next[p];
  CHECK(x < n && (after >> x & 1) && get(rtl_u_next_mem_q[p], sizeof rtl_u_next_mem_q[p]) == x, "next");
  CHECK(!(after & ~(1u << x) & ~ghost.after[x]), "none between");
}

static void invariant(const MODEL *m) {
  const unsigned n = cfg.chan_recs;
  forget(m);
  CHECK(m->ask <= HD_YREC_LEAVE && m->ask_ptr < cfg.num_chan && m->ask_chan < cfg.num_chan, "range");
  for (unsigned u = 0; u < cfg.num_cu; u++) CHECK(m->busy[u] <= 1 && rtl_busy_q[u] == m->busy[u], "busy");
  for (unsigned p = 0; p < n; p++) {
    CHECK(m->used[p] <= 1, "bool");
    if (m->used[p])
      in_order(m, p);
    else
      CHECK(!ghost.after[p], "no order");
  }
  for (unsigned c = 0; c < cfg.num_chan; c++) {
    const struct hd_yrec_list *l = &m->list[c];
    _Bool any = 0;
    for (unsigned p = 0; p < n; p++) any |= waits(m, p, c);
    CHECK(l->listed == any && l->hope <= 1 && l->held <= 1, "listed");
    CHECK(any ? l->first < n && l->last < n && waits(m, l->first, c) && waits(m, l->last, c) : !l->first && !l->last,
          "ends");
  }
  if (m->ask != HD_YREC_IDLE) {
    const struct hd_yrec_list *l = &m->list[m->ask_chan];
    const struct hd_chanrec *w = &m->rec[l->first];
    CHECK(l->listed && same_chanrec(rtl_rec, w), "the first of the channel");
    CHECK(m->ask != HD_YREC_LOOK || !l->held, "not held before the look");
    if (m->ask == HD_YREC_LEAVE && l->first != l->last)
      CHECK(m->fetched == m->next[l->first] && REG(u_next_rdata_q) == m->fetched, "fetched");
    if (m->ask >= HD_YREC_REQUEST) CHECK(REG(cu_q) == w->cu && REG(own_q) == w->own && REG(n_q) == w->n, "its copy");
    if (m->ask >= HD_YREC_FETCH) CHECK(REG(base_q) == m->base && REG(code_q) == m->code, "answer");
  }
}

static void contract(const MODEL *m, const IN *in) {
  unsigned place = 0;
  ASSUME(in->wait.chan < cfg.num_chan && in->wait.cu < cfg.num_cu && in->freed_chan < cfg.num_chan);
  while (place < cfg.chan_recs && m->used[place]) place++;
  if (!in->wait_valid || place == cfg.chan_recs) return;
  ghost.chan[place] = in->wait.chan;
  for (unsigned q = 0; q < cfg.chan_recs; q++)
    if (q != place && waits(m, q, in->wait.chan)) ghost.after[q] |= 1u << place;
}
