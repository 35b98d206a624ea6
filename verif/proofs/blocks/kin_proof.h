/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* wires: c_origin
 * passes: u_counts.a_fresh u_counts.a_children_max */
#define HAS_GHOST
static struct ghost {
  uint64_t away; /* records whose kernel was resumed and may still be on its way to the KD, where it may fail */
} ghost;

static void record_invariant(const MODEL *m, unsigned k) {
  const unsigned c = REGS(u_counts_children_q, k, cfg.child_w);
  const struct hd_origin *o = &m->origin[k];
  CHECK(o->host <= 1 && o->failed <= 1 && o->rest <= 1 && o->hwq < cfg.num_hwq && o->up < cfg.num_kin, "row");
  CHECK(!(ghost.away >> k & 1) || same_origin(rtl_u_row_mem_q[k], o), "row of one that is read back");
  CHECK(!REG(u_counts_down_valid_q) || REG(u_counts_down_kin_q) != k || (!hd_bit(m->free, k) && c),
        "a child to be subtracted was counted");
  if (hd_bit(m->free, k)) return;
  CHECK(hd_bit(m->alone, k) == (m->children[k] == 0), "alone");
  CHECK(rtl_u_counts_few_q[k] == (c <= 1) && rtl_u_counts_odd_q[k] == (c & 1), "few, odd");
}

static void invariant(const MODEL *m) {
  const unsigned n = cfg.num_kin;
  CHECK(!((m->free[0] | m->gone[0] | m->susp[0] | m->failed[0] | m->alone[0] | ghost.away) >> n), "sets");
  CHECK(m->ready_ptr < n && m->ripe_ptr < n && m->rest_kin < n, "range");
  CHECK(!(m->gone[0] & m->susp[0]), "not both");
  CHECK(!(ghost.away & (m->free[0] | m->gone[0] | m->susp[0])), "away");
  for (unsigned k = 0; k < n; k++) record_invariant(m, k);
  CHECK(!m->rest || !((m->free[0] | m->gone[0] | m->susp[0] | ghost.away) >> m->rest_kin & 1),
        "rest of a kernel in the KD");
  CHECK(m->c.valid <= 1 && m->resume_valid <= 1 && m->reopen_valid <= 1 && m->rest <= 1, "bool");
  if (m->resume_valid) {
    const unsigned k = m->resume_kin;
    CHECK(k < n && !hd_bit(m->free, k) && hd_bit(m->susp, k) && !hd_bit(m->failed, k) && hd_bit(m->alone, k), "resume");
  }
  if (m->c.valid) {
    struct hd_origin o = m->c.origin;
    o.failed = rtl_c_origin[0];
    CHECK(same_origin(rtl_c_origin, &o), "completion");
    CHECK((rtl_c_origin[0] || REG(c_failed_q)) == m->c.origin.failed, "failed");
    CHECK(REG(c_late_q) == m->c.late, "late");
    CHECK(o.hwq < cfg.num_hwq && o.up < n && o.rest <= 1, "completion");
  }
}

/* The kernel of this record is in the KD. */
static void is_back(_Bool valid, unsigned k) {
  if (valid) ghost.away &= ~(UINT64_C(1) << k);
}

static void contract(const MODEL *m, const IN *in) {
  const unsigned n = cfg.num_kin, k = in->susp_kin_fail.kin;
  ASSUME(in->devq_birth.kin < n && in->kd_rest.kin < n && in->kd_leave.kin < n && in->pool_lost.up < n);
  ASSUME(in->susp_suspended.kin < n && k < n);
  ASSUME(in->kd_leave.origin.up < n && in->susp_suspended.origin.up < n);
  ASSUME(in->kd_leave.origin.hwq < cfg.num_hwq && in->susp_suspended.origin.hwq < cfg.num_hwq);
  is_back(in->devq_birth.valid && !in->devq_birth.alloc, in->devq_birth.kin);
  is_back(in->kd_rest.valid, in->kd_rest.kin);
  is_back(in->kd_leave.valid && in->kd_leave.kin_valid, in->kd_leave.kin);
  is_back(in->susp_suspended.valid, in->susp_suspended.kin);
  ASSUME(!in->susp_kin_fail.valid || !in->susp_kin_fail.back || (ghost.away >> k & 1));
  is_back(in->susp_kin_fail.valid && in->susp_kin_fail.back, k);
  if (m->resume_valid && in->susp_resume_ready) ghost.away |= UINT64_C(1) << m->resume_kin;
}
