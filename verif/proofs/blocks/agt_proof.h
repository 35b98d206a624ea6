/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#define HAS_GHOST
static struct ghost { _Bool began; /* a cycle has passed since reset */ } ghost;

static void invariant(const MODEL *m) {
  const BIT *const ahead[HD_AGT_AHEAD] = {rtl_gq0_q, rtl_gq1_q, rtl_gq2_q};
  CHECK(m->wk_valid <= 1 && m->rd_valid <= 1 && m->wk_kdei < cfg.num_kde, "range");
  CHECK(m->ahead_n + m->rd_valid <= HD_AGT_AHEAD && m->cursor <= HD_AGT_TAIL, "range");
  CHECK(m->wk_valid || (!m->ahead_n && !m->rd_valid && m->cursor == HD_AGT_IDLE), "a walk is a kernel's");
  for (unsigned i = 0; i < HD_AGT_AHEAD; i++) CHECK(i >= m->ahead_n || same_group(ahead[i], &m->ahead[i]), "ahead");
  if (m->cursor == HD_AGT_AT)
    CHECK(m->cursor_age < cfg.agt_size && m->entry[m->cursor_age].has_info, "a group is at the cursor");
  else
    CHECK(!m->cursor_age, "cursor");
  CHECK(!REG(read_q) || (m->rd_valid && REG(u_next_out_q)), "read");
  if (m->rd_valid) {
    CHECK(m->rd.self.onchip == 1 && REG(rd_age_q) == m->rd.self.index, "the AGE that was read");
    CHECK(REG(u_info_out_q) && same_info(rtl_u_info_g_bank_0__u_ram_rdata_q, &m->rd.info), "its row");
  } else {
    CHECK(REG(state_q) == m->cursor && (m->cursor != HD_AGT_AT || REG(age_q) == m->cursor_age), "cursor");
  }
  CHECK(!ghost.began || same_info(rtl_alloc_info_q, &m->a2_info), "launch in A2");
  for (unsigned k = 0; k < cfg.agt_size; k++)
    CHECK(m->entry[k].has_info <= 1 && m->entry[k].has_next <= 1 && m->entry[k].next < cfg.agt_size, "row");
}

/* The AGE is allocated: in this cycle at the latest. */
static _Bool allocated(const MODEL *m, const IN *in, unsigned age) {
  return m->entry[age].has_info || (in->link_alloc.valid && in->link_alloc.index == age);
}

/* A row is read that link and ovfq name: it was written before. */
static void read_contract(const MODEL *m, const IN *in) {
  const unsigned age = m->cursor_age;
  if (hd_agt_pops_over(m, in) && in->ovfq_over.group.self.onchip)
    ASSUME(in->ovfq_over.group.self.index < cfg.agt_size && m->entry[in->ovfq_over.group.self.index].has_info &&
           !(in->link_alloc.valid && in->link_alloc.index == in->ovfq_over.group.self.index));
  if (m->cursor != HD_AGT_AT) return;
  ASSUME(!(in->link_alloc.valid && in->link_alloc.index == age));
  if (in->link_lagei[m->wk_kdei] == age) return;
  ASSUME(m->entry[age].has_next && m->entry[m->entry[age].next].has_info);
  ASSUME(!(in->link_link.next && in->link_link.prev == age));
}

static void contract(const MODEL *m, const IN *in) {
  ASSUME(in->sched_sscr.kdei < cfg.num_kde);
  for (unsigned k = 0; k < cfg.num_kde; k++)
    ASSUME(!in->link_chained[k] || (in->link_nagei[k] < cfg.agt_size && allocated(m, in, in->link_nagei[k])));
  if (in->link_link.valid && !in->link_link.over)
    ASSUME(in->link_link.ptr.index < cfg.agt_size && allocated(m, in, in->link_link.ptr.index));
  ASSUME(!in->link_link.next || (in->link_link.valid && !in->link_link.over));
  ASSUME(!in->link_alloc.valid || ghost.began);
  ghost.began = 1;
  read_contract(m, in);
}
