/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* wires: done_before
 * passes: u_parked.a_park u_parked.a_left u_slots.a_load_slot */
/* Where the AGE is in use. */
static _Bool is_current(const MODEL *m, unsigned age) {
  return m->cur_valid && m->cur_agei == age;
}
static _Bool is_parked(const MODEL *m, unsigned age) {
  _Bool any = 0;
  for (unsigned k = 0; k < cfg.num_kde; k++) any |= hd_bit(m->parked, k) && m->park_agei[k] == age;
  return any;
}

/* The TB of the previous cycle is the last one of its group. */
static _Bool ends(const MODEL *m) {
  return m->r1_valid && m->r1_over && ((m->done[m->r1_agei] + 1u) & m->cfg.count_mask) == m->handed[m->r1_agei];
}

static void slot_invariant(const MODEL *m, unsigned slot) {
  const unsigned age = cfg.agt_size + slot;
  const unsigned uses = hd_bit(m->ovf_wait, slot) + (m->returning.valid && m->returning.slot == slot) +
                        is_parked(m, age) + is_current(m, age) + (m->r1_valid && m->r1_over && m->r1_agei == age);
  CHECK(uses <= 1 && (!uses || !hd_bit(m->ovf_free, slot)), "a slot has one use");
}

static void parked_invariant(const MODEL *m, unsigned k) {
  CHECK(m->park_agei[k] < cfg.num_age, "range");
  CHECK(!hd_bit(m->leaving, k) || m->park_agei[k] >= cfg.agt_size, "only a slot is given back");
  for (unsigned l = 0; l < k; l++)
    CHECK(!hd_bit(m->parked, k) || !hd_bit(m->parked, l) || m->park_agei[k] < cfg.agt_size ||
              m->park_agei[k] != m->park_agei[l],
          "one kernel's");
}

static void invariant(const MODEL *m) {
  CHECK(!(m->ovf_free[0] >> cfg.ovf_slots) && !(m->ovf_wait[0] >> cfg.ovf_slots) && !(m->parked[0] >> cfg.num_kde) &&
            !(m->leaving[0] >> cfg.num_kde) && !(m->seen[0] >> cfg.num_age),
        "sets");
  CHECK(m->cur_valid <= 1 && m->r1_valid <= 1 && m->r1_over <= 1 && m->free_valid <= 1 && m->fresh <= 1, "bool");
  CHECK(m->returning.valid <= 1 && m->offered.valid <= 1, "bool");
  CHECK(m->cur_agei < cfg.num_age && m->r1_agei < cfg.num_age && m->ret_ptr < cfg.ovf_slots, "range");
  CHECK(!m->returning.valid || m->returning.slot < cfg.ovf_slots, "range");
  CHECK(!m->fresh || m->cur_valid, "fresh");
  for (unsigned x = 0; x < cfg.num_age; x++) {
    CHECK(m->ended[x] <= 1 && m->handed[x] <= m->cfg.count_mask && m->done[x] <= m->cfg.count_mask, "counts");
    CHECK(hd_bit(m->seen, x) || !m->done[x], "done");
  }
  if (m->r1_valid) {
    CHECK(REG(done_before) == m->done[m->r1_agei], "done before");
    CHECK(REG(r1_over_q) == m->r1_over, "over");
    if (m->r1_over) CHECK(REG(u_handed_rdata_q) == m->handed[m->r1_agei], "handed");
  }
  CHECK(!(m->leaving[0] & ~m->parked[0]), "leaving");
  if (m->returning.valid) CHECK(REG(u_slots_u_rec_rdata_q) == m->returning.record, "record");
  for (unsigned k = 0; k < cfg.num_kde; k++) parked_invariant(m, k);
  for (unsigned s = 0; s < cfg.ovf_slots; s++) slot_invariant(m, s);
}

/* A TB retires. */
static void retire_contract(const MODEL *m, const IN *in) {
  const unsigned x = in->sched_retire.tb.agei, s = x - cfg.agt_size;
  ASSUME(x < cfg.num_age);
  ASSUME(!(m->fresh && m->cur_agei == x)); /* handed out three cycles ago, so not of a group that was loaded since */
  ASSUME(!(ends(m) && m->r1_agei == x));   /* nor of one that has no TB left */
  ASSUME(is_current(m, x) || is_parked(m, x) || m->ended[x]);
  if (x >= cfg.agt_size)
    ASSUME(!hd_bit(m->ovf_free, s) && !hd_bit(m->ovf_wait, s) && !(m->returning.valid && m->returning.slot == s));
  for (unsigned k = 0; k < cfg.num_kde; k++) ASSUME(!in->kd_left[k] || !hd_bit(m->parked, k) || m->park_agei[k] != x);
}

static void contract(const MODEL *m, const IN *in) {
  const struct hd_hand *h = &in->sched_hand;
  ASSUME(in->sched_sscr.kdei < cfg.num_kde);
  ASSUME(!h->load || !h->ptr.onchip || h->ptr.index < cfg.agt_size);
  ASSUME(!h->last || h->grant);
  for (unsigned k = 0; k < cfg.num_kde; k++)
    ASSUME(!in->kd_left[k] || !hd_bit(m->parked, k) || !m->r1_valid || m->r1_agei != m->park_agei[k]);
  if (in->sched_retire.valid && in->sched_retire.tb.age_valid) retire_contract(m, in);
}
