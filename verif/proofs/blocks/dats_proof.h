/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
static void invariant(const MODEL *m) {
  CHECK(m->phase <= HD_DATS_OVER, "phase");
  CHECK(!(m->older[0] >> cfg.num_kde), "no other kernels");
  if (m->phase == HD_DATS_IDLE) return;
  CHECK(m->phase == HD_DATS_REQUEST ? m->beat == 0 : m->phase != HD_DATS_READ || m->beat < HD_DATS_BEATS, "beats");
  CHECK(m->phase == HD_DATS_OVER || (!m->code && !m->vid), "no result");
  for (unsigned k = 0; k < cfg.num_kde; k++) CHECK(rtl_older_q[k] == hd_bit(m->older, k), "older");
}

static void contract(const MODEL *m, const IN *in) {
  (void)m;
  ASSUME(in->sched_sscr.kdei < cfg.num_kde);
}
