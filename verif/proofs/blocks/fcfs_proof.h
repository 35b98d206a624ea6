/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#define HAS_GHOST
static struct ghost {
  uint8_t passed[HD_MAX_NUM_KDE]; /* kernels unmarked or moved back while this one is marked and not the oldest */
} ghost;

/* Progress: a marked kernel is the oldest after at most NumKde - 1 others were unmarked or moved back. */
static void progress_invariant(const MODEL *m) {
  for (unsigned i = 0; i < cfg.num_kde; i++)
    CHECK(i >= m->count || ghost.passed[m->order[i]] + i < cfg.num_kde, "no more go first than could be before it");
}

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
  progress_invariant(m);
}

static void contract(const MODEL *m, const IN *in) {
  for (unsigned k = 0; k < cfg.num_kde; k++) {
    const _Bool waits = hd_bit(m->marked, k) && m->order[0] != k;
    ghost.passed[k] = waits ? ghost.passed[k] + (in->sched_unmark || in->sched_rotate) : 0;
  }
  ASSUME(in->kd_entry.kdei < cfg.num_kde && in->link_link.kdei < cfg.num_kde);
}
