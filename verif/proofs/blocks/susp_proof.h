/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* unwind: 20
 * uses: common/burst common/krec */
static _Bool reads(const MODEL *m) {
  return m->op == HD_SUSP_LIST || m->op == HD_SUSP_RESUME;
}

/* A saved TB as it is in the word of a list. */
static struct hd_saved saved_of(uint64_t word) {
  return (struct hd_saved){.ctx = word & ((UINT64_C(1) << cfg.param_w) - 1),
                           .level = word >> 40 & ((1u << cfg.level_w) - 1)};
}

/* A saved TB of the chunk in the RTL. */
static _Bool is_in_chunk(unsigned i, const struct hd_saved *s) {
  return same_saved(rtl_u_saved_chunk_q + i * (sizeof rtl_u_saved_chunk_q / HD_SUSP_CHUNK), s);
}

static void save_invariant(const MODEL *m) {
  const unsigned first = REG(u_save_first_q);
  CHECK(m->save_count <= HD_SUSP_SAVES && first < HD_SUSP_SAVES, "saves");
  for (unsigned i = 0; i < HD_SUSP_SAVES; i++) {
    const struct hd_susp_save *s = &m->save[i];
    const BIT *row = rtl_u_save_row_q[(first + i) % HD_SUSP_SAVES];
    const unsigned saved = sizeof rtl_u_save_row_q[0] - cfg.sav_w - cfg.kin_w;
    CHECK(i >= m->save_count || (same_saved(row, &s->entry) && get(row + saved, cfg.sav_w) == s->pos &&
                                 get(row + saved + cfg.sav_w, cfg.kin_w) == s->kin && s->pos < cfg.sav_max),
          "a save");
  }
}

/* The words of a burst. Those of a kernel that is read are compared as words: so only the beats that were read are. */
static void word_invariant(const MODEL *m) {
  const uint64_t *word = m->burst.word;
  uint64_t packed[HD_KREC_WORDS], seen[HD_KREC_WORDS];
  struct hd_kernel k, read;
  if (m->op == HD_SUSP_SAVE) {
    const struct hd_susp_save *s = &m->save[0];
    const uint64_t entry = s->entry.ctx | (uint64_t)s->entry.level << 40;
    CHECK(word[s->pos % 2] == entry && !word[1 - s->pos % 2], "a saved TB");
    CHECK(m->burst.strb == (s->pos % 2 ? 0xff00 : 0x00ff), "its half of the beat");
  }
  if (m->op == HD_SUSP_RECORD) {
    hd_krec_pack(&m->record, packed);
    for (unsigned i = 0; i < HD_KREC_WORDS; i++) CHECK(word[i] == packed[i], "the record");
    CHECK(m->burst.strb == 0xffff, "whole beats");
  }
  if (m->op == HD_SUSP_LIST) {
    for (unsigned i = 0; i < HD_SUSP_CHUNK; i++) {
      const struct hd_saved s = saved_of(word[i]);
      CHECK(i >= 2u * m->burst.beat || is_in_chunk(i, &s), "the chunk being read");
    }
  }
  if (m->op == HD_SUSP_RESUME) {
    kernel_from(rtl_u_unpack_kernel_q, &k);
    hd_krec_pack(&k, seen);
    hd_krec_unpack(word, &m->cfg.widths, &read);
    hd_krec_pack(&read, packed);
    for (unsigned i = 0; i < HD_KREC_WORDS; i++) CHECK(i >= 2u * m->burst.beat || seen[i] == packed[i], "the kernel");
    CHECK(k.resumed && !k.graph, "what is in no record");
  }
}

/* What the port owes, as hd_mem_answers counts it. */
static void owed_invariant(const struct hd_burst *b) {
  CHECK(REG(u_answers_left_q) == (b->state == HD_BURST_DATA ? b->len + 1u - b->beat : 0), "beats left");
  CHECK(REG(u_answers_owed_q) == (b->state == HD_BURST_WAIT_B), "an answer");
  CHECK(REG(u_answers_reads_q) == (b->state == HD_BURST_WAIT_R), "a read");
  CHECK(REG(u_answers_beat_q) == (b->state == HD_BURST_WAIT_R ? b->beat : 0), "its next beat");
}

static void burst_invariant(const MODEL *m) {
  const struct hd_burst *b = &m->burst;
  const struct hd_memreq req = {.write = b->write, .addr = b->addr, .len = b->len};
  CHECK(REG(u_burst_state_q) == b->state && b->state <= HD_BURST_WAIT_R, "state");
  CHECK(m->op <= HD_SUSP_RESUME && (m->op == HD_SUSP_IDLE) == (b->state == HD_BURST_IDLE), "purpose");
  owed_invariant(b);
  if (m->op == HD_SUSP_IDLE) return;
  CHECK(same_memreq(rtl_u_burst_req_q, &req) && b->write == !reads(m), "request");
  CHECK(b->len == (m->op == HD_SUSP_SAVE ? 0 : 7) && b->beat <= b->len + (b->state == HD_BURST_WAIT_B), "beats");
  CHECK(b->state != HD_BURST_WAIT_R || reads(m), "a read");
  CHECK((b->state != HD_BURST_DATA && b->state != HD_BURST_WAIT_B) || !reads(m), "a write");
  CHECK(b->state != HD_BURST_REQ || !b->beat, "no beat before the request");
  CHECK(b->state == HD_BURST_WAIT_B || REG(u_burst_beat_q) == b->beat, "the next beat");
  CHECK(!reads(m) || REG(u_burst_error_q) == b->error, "an error so far");
  CHECK(m->op != HD_SUSP_SAVE || (m->save_count && m->kin == m->save[0].kin), "the oldest save");
  CHECK(m->op != HD_SUSP_RECORD || (m->record_valid && !m->record_written && m->kin == m->record.kin), "a record");
  CHECK(m->op != HD_SUSP_LIST || !m->chunk_valid, "a chunk");
  CHECK(m->op != HD_SUSP_LIST || m->chunk_drop || (m->sv_tag && m->sv_left), "a chunk that is wanted");
  CHECK(m->op != HD_SUSP_RESUME || (!m->head_valid && REG(resume_kin_q) == m->kin), "a kernel that returns");
}

static void invariant(const MODEL *m) {
  CHECK(m->saving <= 1 && m->record_valid <= 1 && m->record_written <= m->record_valid && m->head_valid <= 1, "bool");
  CHECK(REG(told_q) == m->record_written, "told");
  CHECK(!m->record_valid || same_kernel(rtl_record_q, &m->record), "record");
  CHECK(!m->head_valid || (same_kernel(rtl_u_unpack_kernel_q, &m->head) && m->head.resumed), "head");
  CHECK(m->sv_tag <= 1 && m->chunk_valid <= m->sv_tag && m->chunk_drop <= 1, "bool");
  CHECK(!m->sv_tag || (REG(u_saved_sv_kdei_q) == m->sv_kdei && m->sv_kdei < cfg.num_kde && m->sv_pos < cfg.sav_max),
        "the kernel of the saved TBs");
  CHECK(REG(u_saved_drop_q) == m->chunk_drop && (!m->chunk_drop || m->op == HD_SUSP_LIST), "dropped");
  for (unsigned i = 0; i < HD_SUSP_CHUNK; i++) CHECK(!m->chunk_valid || is_in_chunk(i, &m->chunk[i]), "chunk");
  save_invariant(m);
  burst_invariant(m);
  word_invariant(m);
}

static void contract(const MODEL *m, const IN *in) {
  (void)m;
  ASSUME(in->sched_sscr.kdei < cfg.num_kde);
  for (unsigned k = 0; k < cfg.num_kde; k++) ASSUME(in->kd_sav_first[k] < cfg.sav_max);
}
