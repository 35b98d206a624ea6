/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#undef FIXED
#define FIXED clients
#define HAS_GHOST
static struct ghost {
  uint8_t passed[HD_MAX_MEM_CLIENTS]; /* bursts of others since the client has had this request */
  uint8_t free;                       /* cycles since the last burst in which the memory accepted what it was offered */
} ghost;

static void beat_invariant(const MODEL *m, const BIT *row, unsigned i) {
  const struct hd_memarb_beat *b = &m->beat[i];
  const struct hd_membeat data = {.hi = b->hi, .lo = b->lo, .strb = b->strb};
  CHECK(i < m->beats ? same_membeat(row + 1, &data) && row[0] == b->last && b->last <= 1
                     : !b->hi && !b->lo && !b->strb && !b->last,
        "beat");
}

/* Progress: a request waits for one burst of each other client at most, and a burst keeps the next one waiting for as
 * many cycles as it has beats, and one more, if the memory accepts what it is offered. */
static void progress_invariant(const MODEL *m) {
  const unsigned n = cfg.mem_clients, address = m->ar.valid || m->aw.valid;
  const unsigned data = m->w_left + (m->w_busy && m->beats == HD_MEMARB_BEATS);
  for (unsigned c = 0; c < n; c++) CHECK(ghost.passed[c] + (c + n - m->ptr) % n < n, "one burst of each other client");
  CHECK(ghost.free + (data > address ? data : address) <= 8 + 1, "as many cycles as a burst has beats, and one");
}

static void invariant(const MODEL *m) {
  const unsigned first = REG(u_wdata_first_q);
  CHECK(REG(u_wdata_count_q) == m->beats && m->beats <= HD_MEMARB_BEATS, "beats");
  for (unsigned i = 0; i < HD_MEMARB_BEATS; i++) beat_invariant(m, rtl_u_wdata_row_q[i ^ first], i);
  CHECK(m->ptr < cfg.mem_clients, "ptr");
  CHECK(m->w_busy <= 1 && (m->w_busy ? m->w_client < cfg.mem_clients && m->w_left >= 1 && m->w_left <= 8 : !m->w_left),
        "write");
  CHECK(!(m->ar.valid && m->aw.valid), "one address");
  progress_invariant(m);
}

static void contract(const MODEL *m, const IN *in) {
  struct hd_memarb_out out = {0};
  _Bool accepted = 0;
  hd_memarb_eval(m, in, &out);
  for (unsigned c = 0; c < cfg.mem_clients; c++) accepted |= in->mem[c].valid && out.mem[c].ready;
  for (unsigned c = 0; c < cfg.mem_clients; c++) {
    const _Bool waits = in->mem[c].valid && !out.mem[c].ready;
    ghost.passed[c] = waits ? ghost.passed[c] + accepted : 0;
  }
  const _Bool open = !m->ar.valid && !m->aw.valid && !m->w_busy;
  const _Bool takes = (!m->ar.valid || in->arready) && (!m->aw.valid || in->awready) && (!m->beats || in->wready);
  ghost.free = open ? 0 : ghost.free + takes;
}
