/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* unwind: 8 */

static unsigned part(const BIT *b, size_t all, unsigned i) {
  const unsigned w = (unsigned)all / cfg.num_kde;
  return (unsigned)get(b + i * w, w);
}
#define COUNT(name, i) part(RTL(name), sizeof RTL(name), i)

/* Whether an entry of a hold's pipeline, the valid bit in front, is of this kernel. */
static _Bool holds(const BIT *b, unsigned i) {
  return b[cfg.kde_w] && get(b, cfg.kde_w) == i;
}

static _Bool chosen(const MODEL *m, unsigned i) {
  return m->susp_state != HD_KD_REST && m->susp_kdei == i;
}

/* What an entry without a kernel has is 0. */
static void free_entry(const MODEL *m, unsigned i) {
  const struct hd_kd_entry e = m->entry[i];
  const struct hd_kd_shown x = m->shown[i];
  CHECK(!x.exebl && !x.hold && !x.queued && !x.hwq && !x.bank, "nothing in flight");
  CHECK(!e.ctas && !e.nextbl && !e.sav_first && !e.sav_count && !e.kin && !e.level, "no progress");
  CHECK(!hd_bit(m->host, i) && !hd_bit(m->ndone, i) && !hd_bit(m->kin_valid, i) && !hd_bit(m->suspending, i) &&
            !hd_bit(m->failed, i) && !hd_bit(m->graph, i),
        "no kernel");
}

static void entry_invariant(const MODEL *m, unsigned i) {
  const struct hd_kd_shown x = m->shown[i];
  const unsigned saved = m->entry[i].sav_count, out = COUNT(out_q, i);
  const _Bool valid = hd_bit(m->valid, i);
  CHECK(hd_bit(m->running, i) == (x.exebl > 0) && hd_bit(m->held, i) == (x.hold > 0) &&
            hd_bit(m->waiting, i) == (x.queued > 0),
        "sets of counts");
  CHECK(hd_bit(m->free, i) == (!valid && !(hd_bit(m->pend, 2 * i) && hd_bit(m->pend, 2 * i + 1))), "free");
  CHECK(x.exebl == out && x.queued == COUNT(banked_q, i), "what the neighbours have");
  CHECK(x.hold == holds(rtl_hold_1_q, i) + holds(rtl_hold_2_q, i), "two cycles of hold");
  CHECK(m->entry[i].sav_first < cfg.sav_max && saved <= cfg.sav_max, "saved list");
  CHECK(x.bank <= 1 && out <= cfg.num_smx * cfg.done_depth + 1, "range");
  if (!valid) {
    free_entry(m, i);
    return;
  }
  CHECK(!hd_bit(m->pend, 2 * i + x.bank), "its tag row");
  CHECK(!hd_bit(m->graph_runs, i) || hd_bit(m->graph, i), "runs");
  CHECK(!rtl_could_save_q[i] || !out || hd_kd_save_ok(m, i) || hd_bit(m->failed, i) || saved == cfg.sav_max, "save_ok");
  if (hd_bit(m->suspending, i)) {
    CHECK(saved && hd_bit(m->kin_valid, i) && !hd_bit(m->graph, i), "suspending");
    CHECK(!hd_bit(m->failed, i) || chosen(m, i), "failed and suspending");
  }
  CHECK(hd_bit(m->suspending, i) || !saved || (!x.queued && !x.hold), "saved TBs that it brought back");
  if (hd_bit(m->suspending, i) && x.queued && !x.exebl && saved + 1u >= cfg.sav_max)
    CHECK(hd_bit(m->sav_full, i), "no bank hands out a TB");
  if (chosen(m, i)) CHECK(hd_bit(m->suspending, i) && !x.exebl && !x.hold, "chosen");
}

static void invariant(const MODEL *m) {
  const unsigned n = cfg.num_kde;
  const uint64_t in_range = (UINT64_C(1) << n) - 1;
  const unsigned hand =
      (unsigned)(REG(u_counts_grant_valid_q) + REG(u_counts_serve_valid_q) + REG(u_counts_graph_take_q));
  CHECK(!((m->valid[0] | m->graph_runs[0] | m->left[0] | m->sav_full[0]) & ~in_range) && !(m->pend[0] >> 2 * n) &&
            !(m->reopen[0] >> cfg.num_hwq),
        "range");
  CHECK(!((m->running[0] | m->held[0] | m->waiting[0] | m->host[0] | m->ndone[0] | m->kin_valid[0] | m->suspending[0] |
           m->failed[0] | m->graph[0] | m->free[0]) &
          ~in_range),
        "range");
  CHECK(m->pend_ptr < 2 * n && m->susp_state <= HD_KD_SEND && m->susp_kdei < n, "range");
  CHECK(!m->leave.valid && m->leave_valid <= 1, "leave");
  CHECK(m->out_valid == hand && m->out_valid == m->desc_valid && m->desc_valid == REG(desc_read_q), "handed out");
  CHECK(m->out_last == REG(u_counts_serve_last_q) && m->out_last <= REG(u_counts_serve_valid_q), "the last one");
  if (m->out_valid) {
    CHECK(m->out_kdei < n && hd_bit(m->valid, m->out_kdei) && m->shown[m->out_kdei].exebl, "by a kernel");
    CHECK(m->out_kdei == (REG(u_counts_grant_valid_q)   ? REG(u_counts_grant_kdei_q)
                          : REG(u_counts_serve_valid_q) ? REG(u_counts_serve_kdei_q)
                                                        : REG(u_counts_graph_kdei_q)),
          "by this kernel");
  }
  CHECK(m->susp_state == HD_KD_REST ? !m->susp_kdei : hd_bit(m->valid, m->susp_kdei), "suspended");
  for (unsigned i = 0; i < n; i++) entry_invariant(m, i);
}

static void contract(const MODEL *m, const IN *in) {
  (void)m;
  (void)in;
}
