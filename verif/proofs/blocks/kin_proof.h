/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* wires: c_origin
 * passes: u_counts.a_fresh u_counts.a_children_max */
#define HAS_GHOST
static struct ghost {
  uint64_t away; /* records whose kernel was resumed and is being read back: it may fail on the way */
} ghost;

static void record_invariant(const MODEL *m, const struct rtl_regs *r, unsigned k) {
  const unsigned c = REGS(u_counts_children_q, k, cfg.child_w);
  const struct hd_origin *o = &m->origin[k];
  CHECK(o->host <= 1 && o->failed <= 1 && o->rest <= 1 && o->hwq < cfg.num_hwq && o->up < cfg.num_kin, "row");
  CHECK(!(ghost.away >> k & 1) || same_origin(r->u_row_mem_q[k], o), "row of one that is read back");
  CHECK(!REG(u_counts_down_valid_q) || REG(u_counts_down_kin_q) != k || (!hd_bit(m->free, k) && c),
        "a child to be subtracted was counted");
  if (hd_bit(m->free, k)) return;
  CHECK(hd_bit(m->alone, k) == (m->children[k] == 0), "alone");
  CHECK(r->u_counts_few_q[k] == (c <= 1) && r->u_counts_odd_q[k] == (c & 1), "few, odd");
}

static void invariant(const MODEL *m, const struct rtl_regs *r) {
  const unsigned n = cfg.num_kin;
  CHECK(!((m->free[0] | m->gone[0] | m->susp[0] | m->failed[0] | m->alone[0] | ghost.away) >> n), "sets");
  CHECK(m->ready_ptr < n && m->ripe_ptr < n && m->rest_kin < n, "range");
  CHECK(!(m->gone[0] & m->susp[0]), "not both");
  CHECK(!(ghost.away & (m->free[0] | m->gone[0] | m->susp[0])), "away");
  for (unsigned k = 0; k < n; k++) record_invariant(m, r, k);
  CHECK(!m->rest || !((m->free[0] | m->gone[0] | m->susp[0] | ghost.away) >> m->rest_kin & 1),
        "rest of a kernel in the KD");
  CHECK(m->c.valid <= 1 && m->resume_valid <= 1 && m->reopen_valid <= 1 && m->rest <= 1, "bool");
  if (m->resume_valid) {
    const unsigned k = m->resume_kin;
    CHECK(k < n && !hd_bit(m->free, k) && hd_bit(m->susp, k) && !hd_bit(m->failed, k) && hd_bit(m->alone, k), "resume");
  }
  if (m->c.valid) {
    struct hd_origin o = m->c.origin;
    o.failed = r->c_origin[0];
    CHECK(same_origin(r->c_origin, &o), "completion");
    CHECK((r->c_origin[0] || REG(c_failed_q)) == m->c.origin.failed, "failed");
    CHECK(REG(c_late_q) == m->c.late, "late");
    CHECK(o.hwq < cfg.num_hwq && o.up < n && o.rest <= 1, "completion");
  }
}

/* Whether a rest of the record's kernel has yet to be counted. */
static _Bool rests(const MODEL *m, const IN *in, unsigned k) {
  return (in->kd_rest.valid && in->kd_rest.kin == k) || (m->rest && m->rest_kin == k);
}

static void contract(const MODEL *m, const IN *in) {
  const unsigned n = cfg.num_kin, k = in->susp_kin_fail.kin;
  ASSUME(in->devq_birth.kin < n && in->kd_rest.kin < n && in->kd_leave.kin < n && in->pool_lost.up < n);
  ASSUME(in->susp_suspended.kin < n && k < n);
  ASSUME(in->kd_leave.origin.up < n && in->susp_suspended.origin.up < n);
  ASSUME(in->kd_leave.origin.hwq < cfg.num_hwq && in->susp_suspended.origin.hwq < cfg.num_hwq);
  ghost.away &= nondet_word(); /* it is in the KD again */
  if (in->devq_birth.valid && !in->devq_birth.alloc)
    ASSUME(!((m->gone[0] | m->susp[0] | ghost.away) >> in->devq_birth.kin & 1));
  if (in->kd_rest.valid) ASSUME(!(ghost.away >> in->kd_rest.kin & 1));
  if (in->kd_leave.valid && in->kd_leave.kin_valid)
    ASSUME(!(ghost.away >> in->kd_leave.kin & 1) && !rests(m, in, in->kd_leave.kin));
  if (in->susp_suspended.valid)
    ASSUME(!(ghost.away >> in->susp_suspended.kin & 1) && !rests(m, in, in->susp_suspended.kin));
  if (in->susp_kin_fail.valid) {
    ASSUME(!hd_bit(m->free, k) && !hd_bit(m->gone, k) && !hd_bit(m->susp, k));
    ASSUME(!in->susp_kin_fail.back || (ghost.away >> k & 1));
    if (in->susp_kin_fail.back) ghost.away &= ~(UINT64_C(1) << k);
  }
  if (m->resume_valid && in->susp_resume_ready) ghost.away |= UINT64_C(1) << m->resume_kin;
}
