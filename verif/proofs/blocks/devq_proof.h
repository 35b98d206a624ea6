/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* uses: host/check
 * unwind: 8 */
#define HAS_GHOST
#include "../need.h"
static struct ghost { /* of the cycle before */
  unsigned rows;
  _Bool row; /* the group in A3 had a promised row of spill */
} ghost;

/* A beat in the queue of the RTL: the launch, then SMX, first, row, alone. */
static void beat_invariant(const MODEL *m, const BIT *row, const struct hd_devq_beat *b) {
  const struct hd_devlaunch *l = &b->launch;
  const struct hd_check_tbs tbs = {l->threads, l->regs, l->smem, l->ctas};
  const BIT *more = row + sizeof rtl_u_arb_u_q_head_q - 3 - cfg.smx_w;
  const _Bool launches = l->kind == HD_KIND_KERNEL || l->kind == HD_KIND_GROUP;
  struct hd_need need = {0};
  const unsigned check = launches ? hd_check(&m->cfg.smx, &l->desc, &tbs, &need) : 0;
  CHECK(same_devlaunch(row, l) && b->smx == get(more, cfg.smx_w) && b->first == more[cfg.smx_w], "beat");
  CHECK((b->sort == HD_DEVQ_ROW) == more[cfg.smx_w + 1] && (b->sort == HD_DEVQ_ALONE) == more[cfg.smx_w + 2], "sort");
  CHECK(b->sort <= HD_DEVQ_ALONE, "sort");
  CHECK(b->check == check && equal_need(&b->need, &need), "its check");
}

static void queue_invariant(const MODEL *m) {
  const _Bool full = m->q_count == HD_DEVQ_BEATS;
  CHECK(m->q_count <= HD_DEVQ_BEATS, "queue");
  if (m->q_count) beat_invariant(m, rtl_u_arb_u_q_head_q, &m->q[0]);
  if (full) beat_invariant(m, rtl_u_arb_u_q_tail_q, &m->q[1]);
  CHECK(!full || REG(u_arb_tail_group_q) == (m->q[1].launch.kind == HD_KIND_GROUP), "group");
  CHECK(!full || m->q[0].sort != HD_DEVQ_ALONE || m->q[1].sort != HD_DEVQ_ALONE, "one alone");
  CHECK(!m->lock_valid || m->lock_left, "lock");
}

/* What A2 and A3 have in common. answer: that of the RTL. */
static void stage_invariant(const struct hd_devq_stage *s, const BIT *answer) {
  const struct hd_devlaunch *l = &s->launch;
  const struct hd_devanswer a = {.kind = l->kind, .lane = l->lane, .slot = l->slot, .code = s->code};
  CHECK(s->valid <= 1 && s->row <= 1 && s->mode <= HD_DEVQ_SAVE, "range");
  CHECK(s->valid || (!s->mode && !l->kind), "no beat");
  CHECK(s->mode == HD_DEVQ_GROUP || (!s->group_kdei && !s->row), "no group");
  CHECK(!s->valid || same_devanswer(answer, &a), "answer");
  CHECK(!s->valid || s->mode != HD_DEVQ_BAD || s->code != HD_CODE_ACCEPTED, "bad");
  CHECK(s->code != HD_CODE_KEPT, "not kept yet");
}

static _Bool is_one(const struct hd_devq_stage *s) {
  return s->mode == HD_DEVQ_KERNEL || s->mode == HD_DEVQ_SAVE;
}

/* The data of the kernel or save in A2 or A3: smx, up, stream, level, ctas, need, desc, the lowest bits first. */
static void one_invariant(const MODEL *m) {
  const struct hd_devq_stage s = is_one(&m->a2) ? m->a2 : m->a3;
  const unsigned stream = cfg.smx_w + cfg.kin_w, ctas = stream + cfg.stream_w + cfg.level_w, need = ctas + cfg.ctas_w;
  const unsigned desc = need + cfg.warps_w + cfg.reg_units_w + cfg.smem_units_w;
  const BIT *one = rtl_u_room_one_q;
  CHECK(!is_one(&s) || same_desc(one + desc, &s.launch.desc), "data of a kernel or save");
  CHECK(s.mode != HD_DEVQ_KERNEL || (same_need(one + need, &s.need) && get(one + ctas, cfg.ctas_w) == s.launch.ctas &&
                                     get(one + stream, cfg.stream_w) == s.launch.stream),
        "data of a kernel");
}

static void a2_invariant(const struct hd_devq_stage *s) {
  const struct hd_devlaunch *l = &s->launch;
  const struct hd_info info = {.grid_x = l->desc.grid_x,
                               .grid_y = l->desc.grid_y,
                               .grid_z = l->desc.grid_z,
                               .ctas = l->ctas,
                               .param = l->desc.param / 64};
  stage_invariant(s, rtl_u_room_a2_answer_q);
  CHECK(REG(u_room_a2_is_group_q) == (s->mode == HD_DEVQ_GROUP), "mode");
  CHECK(REG(u_room_a2_is_kernel_q) == (s->mode == HD_DEVQ_KERNEL), "mode");
  CHECK(REG(u_room_a2_is_save_q) == (s->mode == HD_DEVQ_SAVE), "mode");
  CHECK(REG(u_gate_a2_row_q) == s->row, "row");
  CHECK(!s->valid || REG(u_room_a2_smx_q) == s->smx, "smx");
  CHECK(s->mode == HD_DEVQ_BAD || s->code == HD_CODE_ACCEPTED, "code");
  if (s->mode != HD_DEVQ_GROUP) return;
  CHECK(REG(u_room_a2_kdei_q) == s->group_kdei && REG(u_room_a2_hwtid_q) == l->hwtid, "group");
  CHECK(REG(u_room_a2_record_q) == l->record && same_info(rtl_u_room_a2_info_q, &info), "group");
}

static void a3_invariant(const struct hd_devq_stage *s) {
  stage_invariant(s, rtl_a3_answer_q);
  CHECK(REG(a3_is_group_q) == (s->mode == HD_DEVQ_GROUP), "mode");
  CHECK(REG(a3_is_kernel_q) == (s->mode == HD_DEVQ_KERNEL), "mode");
  CHECK(REG(a3_is_save_q) == (s->mode == HD_DEVQ_SAVE), "mode");
  CHECK(REG(u_gate_a3_row_q) == s->row, "row");
  CHECK(!s->valid || REG(a3_smx_q) == s->smx, "smx");
  if (s->mode == HD_DEVQ_GROUP) CHECK(REG(a3_kdei_q) == s->group_kdei, "group");
  if (!is_one(s)) return;
  CHECK(REG(a3_kdei_q) == s->kdei && REG(a3_new_q) == s->first_child && REG(a3_up_q) == s->kin, "its kernel");
  CHECK(REG(a3_level_q) == s->level && REG(a3_pos_q) == s->sav_pos, "level, place");
}

/* A row of the FIFO of an SMX holds the i-th answer, if there are as many. */
static void row_invariant(const MODEL *m, unsigned smx, unsigned i, const BIT *row) {
  const struct hd_devanswer a = m->answer[smx][i % cfg.ans_depth];
  CHECK(i % cfg.ans_depth >= m->answers_n[smx] || same_devanswer(row, &a), "answers");
}

#define ANSWERS(s)                                                        \
  answer_invariant(m, s, REG(u_answers_g_answer_##s##__u_answer_count_q), \
                   REG(u_answers_g_answer_##s##__u_answer_first_q), rtl_u_answers_g_answer_##s##__u_answer_row_q)
static void answer_invariant(const MODEL *m, unsigned smx, unsigned n, unsigned first,
                             const BIT (*row)[sizeof rtl_a3_answer_q]) {
  const struct hd_devanswer a = m->answer[smx][0];
  unsigned owed = n + (m->a2.valid && m->a2.smx == smx) + (m->a3.valid && m->a3.smx == smx);
  for (unsigned k = 0; k < HD_DEVQ_BEATS; k++) owed += k < m->q_count && m->q[k].smx == smx;
  CHECK(m->answers_n[smx] == n && m->owed[smx] == owed && owed <= cfg.ans_depth, "owed");
  CHECK(n || (!a.kind && !a.lane && !a.slot && !a.code), "no answer");
  for (unsigned k = 0; k < cfg.ans_depth; k += 2) { /* two at once: `unwind` is the least for pop_answer() */
    row_invariant(m, smx, k + cfg.ans_depth - first, row[k]);
    row_invariant(m, smx, k + 1 + cfg.ans_depth - first, row[k + 1]);
  }
}

static void invariant(const MODEL *m) {
  CHECK(m->passed_n == m->passed[0] + m->passed[1], "passed");
  queue_invariant(m);
  a2_invariant(&m->a2);
  a3_invariant(&m->a3);
  one_invariant(m);
  ANSWERS(0);
  ANSWERS(1);
}

/* Only a group that was in A3 takes a row of spill, and only one with a promised row: any other finds a place in its
 * bank. */
static void contract(const MODEL *m, const IN *in) {
  ASSUME(in->spill_rows + ghost.row >= ghost.rows);
  ghost.rows = in->spill_rows;
  ghost.row = m->a3.row;
}
