/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
static void invariant(const MODEL *m) {
  unsigned marked = 0;
  CHECK(m->count <= cfg.num_kde && !(m->marked[0] >> cfg.num_kde), "range");
  for (unsigned k = 0; k < cfg.num_kde; k++) marked += hd_bit(m->marked, k);
  CHECK(marked == m->count, "as many marks");
  for (unsigned i = 0; i < cfg.num_kde; i++) {
    CHECK(i < m->count ? m->order[i] < cfg.num_kde : !m->order[i], "order");
    CHECK(i >= m->count || hd_bit(m->marked, m->order[i]), "marked");
    for (unsigned j = 0; j < i; j++) CHECK(i >= m->count || m->order[i] != m->order[j], "once");
  }
}

static void contract(const MODEL *m, const IN *in) {
  (void)m;
  ASSUME(in->kd_entry.kdei < cfg.num_kde && in->link_link.kdei < cfg.num_kde);
}
