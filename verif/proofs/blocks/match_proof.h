/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
static void invariant(const MODEL *m) {
  CHECK(m->pos == 0 && !m->res_valid, "nothing is kept where one cycle searches all entries");
  for (unsigned k = 0; k < cfg.num_kde; k++) CHECK(m->written[k] <= 1, "bool");
}

static void contract(const MODEL *m, const IN *in) {
  (void)m;
  ASSUME(in->kd_entry.kdei < cfg.num_kde);
}
