/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#undef FIXED
#define FIXED clients

static void beat_invariant(const MODEL *m, const BIT *row, unsigned i) {
  const struct hd_memarb_beat *b = &m->beat[i];
  const struct hd_membeat data = {.hi = b->hi, .lo = b->lo, .strb = b->strb};
  CHECK(i < m->beats ? same_membeat(row + 1, &data) && row[0] == b->last && b->last <= 1
                     : !b->hi && !b->lo && !b->strb && !b->last,
        "beat");
}

static void invariant(const MODEL *m) {
  const unsigned first = REG(u_wdata_first_q);
  CHECK(REG(u_wdata_count_q) == m->beats && m->beats <= HD_MEMARB_BEATS, "beats");
  for (unsigned i = 0; i < HD_MEMARB_BEATS; i++) beat_invariant(m, rtl_u_wdata_row_q[i ^ first], i);
  CHECK(m->ptr < cfg.mem_clients, "ptr");
  CHECK(m->w_busy <= 1 && (m->w_busy ? m->w_client < cfg.mem_clients && m->w_left >= 1 && m->w_left <= 8 : !m->w_left),
        "write");
  CHECK(!(m->ar.valid && m->aw.valid), "one address");
}

static void contract(const MODEL *m, const IN *in) {
  (void)m;
  (void)in;
}
