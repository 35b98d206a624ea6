/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* unwind: 64 */
static void invariant(const MODEL *m) {
  CHECK(m->setup <= 1 && REG(setup_q) == m->setup, "a setup phase");
  CHECK(m->pslverr <= m->setup, "an error belongs to a setup phase");
  CHECK(!m->pslverr || !m->prdata, "no data with an error");
  CHECK(m->granted <= 1 && m->blocked <= 1 && m->entered <= 1, "events");
  for (unsigned k = 0; k < HD_NUM_COUNTERS; k++) CHECK(!(m->count[k] >> 48), "counters have 48 bits");
}

static void contract(const MODEL *m, const IN *in) {
  (void)m;
  (void)in;
}
