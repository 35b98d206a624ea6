/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* uses: host/check */

/* A HWQ is a ring of launches, and a bit of each says whether it has a graph. */
static void ring_invariant(const MODEL *m, unsigned h) {
  const struct hd_kmu_ring r = m->ring[h];
  CHECK(r.count <= cfg.hwq_depth && r.first < cfg.hwq_depth && !(r.graph >> cfg.hwq_depth), "range");
  for (unsigned p = r.count; p < cfg.hwq_depth; p++)
    CHECK(!(r.graph >> (r.first + p) % cfg.hwq_depth & 1), "graphs of queued launches");
  CHECK(hd_bit(m->waiting, h) == (r.count > 0), "waiting");
  for (unsigned p = 0; p < cfg.hwq_depth; p++) {
    const _Bool queued = (p + cfg.hwq_depth - r.first) % cfg.hwq_depth < r.count;
    CHECK(!queued || m->row[h * cfg.hwq_depth + p].hwq == h, "its number");
  }
}

static void invariant(const MODEL *m) {
  CHECK(m->launch_valid <= 1 && m->kernel_valid <= 1 && m->hwq_ptr < cfg.num_hwq && m->class_ptr < HD_KMU_CLASSES &&
            m->passed <= cfg.fair_every,
        "range");
  CHECK(!((m->waiting[0] | m->closed[0] | m->served[0]) >> cfg.num_hwq), "range");
  CHECK(m->answer_count <= HD_KMU_ANSWERS && REG(u_answer_first_q) < HD_KMU_ANSWERS, "answers");
  for (unsigned k = 0; k < HD_KMU_ANSWERS; k++) {
    const _Bool here = k < m->answer_count;
    for (unsigned row = 0; row < HD_KMU_ANSWERS; row++) {
      if (here && (REG(u_answer_first_q) + k) % HD_KMU_ANSWERS == row)
        CHECK(same_answer(rtl_u_answer_row_q[row], &m->answer[k]), "answer");
    }
    CHECK(here || (!m->answer[k].tag && !m->answer[k].code), "no answer");
  }
  for (unsigned h = 0; h < cfg.num_hwq; h++) ring_invariant(m, h);
}

static void contract(const MODEL *m, const IN *in) {
  (void)m;
  (void)in;
}
