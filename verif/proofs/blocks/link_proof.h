/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* passes: u_lists.a_adv u_lists.a_take u_lists.a_enter u_lists.a_chain */
static void invariant(const MODEL *m) {
  const struct hd_link_ring *g = &m->ring;
  const unsigned n = cfg.agt_size;
  CHECK(!m->used[0] && m->idle <= HD_LINK_IDLE, "AgtHash 2");
  CHECK(g->fresh <= n && g->first < n && g->count <= n, "ring");
  CHECK(g->regs <= 2 && g->reading <= 1 && g->regs + g->reading <= 2 && g->regs + g->reading <= g->count, "registers");
  CHECK(REG(g_ring_u_ring_heads_q) == g->regs && REG(g_ring_u_ring_flight_q) == g->reading, "registers");
  CHECK(REG(g_ring_u_ring_count_q) == g->count - g->regs - g->reading, "count");
  CHECK(REG(g_ring_u_ring_first_q) == (g->first + g->regs + g->reading) % n, "first");
  if (g->regs > 0) CHECK(REG(g_ring_u_ring_head_q) == m->freed[g->first], "head");
  if (g->regs > 1) CHECK(REG(g_ring_u_ring_second_q) == m->freed[(g->first + 1) % n], "second");
  if (g->reading) CHECK(REG(g_ring_u_ring_u_row_rdata_q) == m->freed[(g->first + g->regs) % n], "on its way");
  /* An AGE that was allocated once is in use or in the ring. */
  unsigned in_ring = 0;
  for (unsigned i = 0; i < n; i++) {
    if ((i - g->first) % n >= g->count) continue;
    CHECK(m->freed[i] < g->fresh && !(in_ring >> m->freed[i] & 1), "each once in the ring");
    in_ring |= 1u << m->freed[i];
  }
  CHECK(REG(g_check_ring_in_use_q) == (((1u << g->fresh) - 1) & ~in_ring), "in use");
  for (unsigned k = 0; k < cfg.num_kde; k++) CHECK(m->list[k].pending == 0 && m->list[k].chained <= 1, "list");
}

static void contract(const MODEL *m, const IN *in) {
  (void)m;
  for (unsigned k = 0; k < cfg.num_kde; k++) ASSUME(!in->ovfq_one[k] || in->ovfq_there[k]);
}
