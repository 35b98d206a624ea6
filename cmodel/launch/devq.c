/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include <string.h>

#include "launch/devq_inside.h"

enum { COMMAND_BEATS = 32 }; /* one per lane of a warp */

size_t hd_devq_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return (sizeof(struct hd_devq) + 7) / 8 * 8;
}

void hd_devq_init(struct hd_devq *m, const struct hd_cfg *cfg) {
  memset(m, 0, hd_devq_size(cfg));
  m->cfg = (struct hd_devq_cfg){
      .size = (uint32_t)hd_devq_size(cfg),
      .num_smx = cfg->num_smx,
      .smx_per_cluster = cfg->smx_per_cluster,
      .num_bank = cfg->num_bank,
      .ans_depth = cfg->ans_depth,
      .num_streams = cfg->num_streams,
      .max_level = cfg->max_level,
      .sav_max = cfg->sav_max,
      .group_xw = cfg->group_xw,
      .group_yw = cfg->group_yw,
      .group_zw = cfg->group_zw,
      .smx = hd_check_smx(cfg),
      .smem_mask = (UINT32_C(1) << cfg->smem_units_w) - 1,
      .has_launch = cfg->has_launch,
  };
  hd_devq_reset(m);
}

void hd_devq_reset(struct hd_devq *m) {
  memset((char *)m + sizeof m->cfg, 0, m->cfg.size - sizeof m->cfg);
}

/* ---- A0: one beat of one SMX ---- */

static bool has_room(const struct hd_devq *m) {
  return m->q_count < HD_DEVQ_BEATS;
}

static unsigned after(const struct hd_devq *m, unsigned smx) {
  return smx + 1 == m->cfg.num_smx ? 0 : smx + 1;
}

/* Ready SMXs: the holder of the lock; otherwise every SMX in rotation up to the first that offers a beat, except those
 * that have to wait. */
static void show_ready(const struct hd_devq *m, const struct hd_devq_in *in, uint8_t *ready) {
  memset(ready, 0, m->cfg.num_smx);
  if (!has_room(m)) return;
  const struct hd_devq_gate g = hd_devq_gate(m, in);
  if (m->lock_valid) {
    ready[m->lock_smx] = hd_devq_open(m, m->lock_smx) && !hd_devq_waits(m, in, &g, m->lock_smx);
    return;
  }
  for (unsigned n = 0, s = m->ptr; n < m->cfg.num_smx; n++, s = after(m, s)) {
    ready[s] = hd_devq_open(m, s) && !hd_devq_waits(m, in, &g, s);
    if (ready[s] && in->dev_launch_valid[s]) return;
  }
}

/* Returns the SMX whose beat is accepted, or -1. */
static int taken_smx(const struct hd_devq *m, const struct hd_devq_in *in) {
  uint8_t ready[HD_MAX_NUM_SMX];
  show_ready(m, in, ready);
  for (unsigned s = 0; s < m->cfg.num_smx; s++)
    if (ready[s] && in->dev_launch_valid[s]) return (int)s;
  return -1;
}

static void unlock(struct hd_devq *m) {
  m->ptr = (uint8_t)after(m, m->lock_smx);
  m->lock_valid = m->lock_smx = m->lock_left = 0;
}

/* The edge of the lock. `room`: a beat could be accepted; smx: the SMX whose beat was, or -1; its sort. */
static void step_lock(struct hd_devq *m, const struct hd_devq_in *in, bool room, int smx, enum hd_devq_sort sort) {
  if (smx < 0) {
    if (m->lock_valid && room) unlock(m);
    return;
  }
  m->lock_left = (uint8_t)(m->lock_valid ? m->lock_left - 1 : COMMAND_BEATS - 1);
  m->lock_valid = 1;
  m->lock_smx = (uint8_t)smx;
  if (in->dev_launch[smx].last || !m->lock_left || sort != HD_DEVQ_FREE) unlock(m);
}

/* ---- A1 ---- */

/* The oldest beat of q, as judged in this cycle. */
struct a1 {
  const struct hd_devlaunch *launch; /* NULL: none */
  enum hd_code code;
  enum hd_devq_mode mode;
  bool search; /* it searches for a kernel to join */
  bool take;   /* it moves on to A2 */
};

static bool launches(const struct hd_devlaunch *l) {
  return l->kind == HD_KIND_KERNEL || l->kind == HD_KIND_GROUP;
}

/* Makes a beat for q. It is checked here, once, since it may wait long in A1. */
static struct hd_devq_beat beat(const struct hd_devq *m, const struct hd_devlaunch *l, unsigned smx,
                                enum hd_devq_sort sort) {
  const struct hd_check_tbs tbs = {l->threads, l->regs, l->smem, l->ctas};
  struct hd_devq_beat b = {.launch = *l, .smx = (uint8_t)smx, .first = !m->lock_valid, .sort = (uint8_t)sort};
  if (launches(l)) b.check = (uint8_t)hd_check(&m->cfg.smx, &l->desc, &tbs, &b.need);
  return b;
}

static enum hd_code judge(const struct hd_devq *m, const struct hd_devq_beat *b, uint32_t rec_count) {
  const struct hd_devlaunch *l = &b->launch;
  if (l->kind == HD_KIND_SAVE) return HD_CODE_ACCEPTED;
  if (!launches(l)) return HD_CODE_OVER_LIMIT;
  if (b->check == HD_CODE_ZERO_DIM) return HD_CODE_ZERO_DIM;
  if (l->kind == HD_KIND_GROUP && l->record >= rec_count) return HD_CODE_OVER_LIMIT;
  if (b->check == HD_CODE_ACCEPTED && l->stream >= m->cfg.num_streams) return HD_CODE_UNKNOWN_HWQ;
  return (enum hd_code)b->check;
}

/* Returns true if the fields of an AGE are wide enough. */
static bool fits_age(const struct hd_devq *m, const struct hd_desc *d) {
  return !(d->grid_x >> m->cfg.group_xw) && !(d->grid_y >> m->cfg.group_yw) && !(d->grid_z >> m->cfg.group_zw) &&
         d->param % 64 == 0;
}

static bool kernel_or_save(const struct hd_devq_stage *s) {
  return s->valid && (s->mode == HD_DEVQ_KERNEL || s->mode == HD_DEVQ_SAVE);
}

/* Returns true if the group in A1 has a reserved row of spill, can take an unreserved one, or needs none. */
static bool finds_place(const struct hd_devq *m, const struct hd_devq_in *in) {
  return m->q[0].sort == HD_DEVQ_ROW || hd_devq_sure(m, in, m->q[0].smx) || in->spill_rows > hd_devq_promised(m);
}

static bool has_way(const struct hd_devq *m, const struct hd_devq_in *in, enum hd_devq_mode mode) {
  bool alone = !kernel_or_save(&m->a2) && !kernel_or_save(&m->a3);
  switch (mode) {
    case HD_DEVQ_GROUP:
      return in->ovfq_room && finds_place(m, in);
    case HD_DEVQ_KERNEL:
      return alone && in->pool_room.ready;
    case HD_DEVQ_SAVE:
      return alone && in->susp_save_room;
    default:
      return true;
  }
}

static enum hd_devq_mode mode_of(const struct hd_devlaunch *l, bool good, bool joins) {
  if (!good) return HD_DEVQ_BAD;
  if (l->kind == HD_KIND_SAVE) return HD_DEVQ_SAVE;
  return joins ? HD_DEVQ_GROUP : HD_DEVQ_KERNEL;
}

static struct a1 look_at_a1(const struct hd_devq *m, const struct hd_devq_in *in) {
  struct a1 a = {0};
  if (!m->q_count) return a;
  a.launch = &m->q[0].launch;
  a.code = judge(m, &m->q[0], in->regs_config.rec_count);
  bool good = a.code == HD_CODE_ACCEPTED;
  a.search = good && a.launch->kind == HD_KIND_GROUP && fits_age(m, &a.launch->desc);
  a.mode = mode_of(a.launch, good, a.search && in->match_found.valid && in->match_found.hit);
  a.take = (!a.search || in->match_found.valid) && has_way(m, in, a.mode);
  return a;
}

static void show_a1(const struct hd_devq *m, const struct hd_devq_in *in, struct hd_devq_out *out) {
  struct a1 a = look_at_a1(m, in);
  bool group = a.launch && a.launch->kind == HD_KIND_GROUP;
  out->find.valid = a.search;
  out->find.key = (struct hd_key){0};
  if (group) { /* timing: set even if the check failed; the key does not wait for the check */
    const struct hd_desc *d = &a.launch->desc;
    out->find.key.pc = d->pc;
    out->find.key.cta_x = d->cta_x;
    out->find.key.cta_y = d->cta_y;
    out->find.key.cta_z = d->cta_z;
    out->find.key.smem = a.launch->smem & m->cfg.smem_mask;
  }
  out->find_take = a.take && a.search;
  out->find.first = a.launch && m->q[0].first;
  out->hold.valid = a.take && a.mode == HD_DEVQ_GROUP;
  out->hold.kdei = out->hold.valid ? in->match_found.kdei : 0;
  out->look.smx = a.launch ? m->q[0].smx : 0;
  out->look.slot = a.launch ? a.launch->slot : 0;
}

/* The beat in A1 moves on. */
static struct hd_devq_stage leave_a1(const struct hd_devq *m, const struct hd_devq_in *in, const struct a1 *a) {
  struct hd_devq_stage s = {0};
  if (!a->take) return s;
  s.valid = 1;
  s.launch = *a->launch;
  s.need = m->q[0].need;
  s.smx = m->q[0].smx;
  s.mode = (uint8_t)a->mode;
  s.code = (uint8_t)a->code;
  s.group_kdei = a->mode == HD_DEVQ_GROUP ? in->match_found.kdei : 0;
  s.row = a->mode == HD_DEVQ_GROUP && (m->q[0].sort == HD_DEVQ_ROW || !hd_devq_sure(m, in, s.smx));
  return s;
}

/* ---- A2 ---- */

/* The final code, now that the slot of the launching TB is known. */
static enum hd_code final_code(const struct hd_devq *m, const struct hd_devq_in *in) {
  const struct hd_look *look = &in->sched_look;
  const struct hd_devq_stage *s = &m->a2;
  bool refused = false;
  if (s->mode == HD_DEVQ_BAD) return s->code;
  if (!look->valid) return HD_CODE_EMPTY_SLOT;
  if (s->mode == HD_DEVQ_KERNEL)
    refused = !in->pool_stream_ok[s->launch.stream] || in->pool_room.full ||
              (!in->kd_kin_valid[look->kdei] && !in->kin_free.valid);
  if (s->mode == HD_DEVQ_SAVE)
    refused = !in->kd_save_ok[look->kdei] || in->kd_kin[look->kdei] >= in->regs_config.sus_count;
  return refused ? HD_CODE_REFUSED : HD_CODE_ACCEPTED;
}

static uint8_t level(const struct hd_devq *m, const struct hd_look *look) {
  unsigned up = look->level + 1u;
  if (m->a2.mode == HD_DEVQ_SAVE) return look->level;
  return (uint8_t)(up < m->cfg.max_level ? up : m->cfg.max_level);
}

static void show_a2(const struct hd_devq *m, const struct hd_devq_in *in, struct hd_devq_out *out) {
  const struct hd_devlaunch *l = &m->a2.launch;
  bool group = m->a2.valid && m->a2.mode == HD_DEVQ_GROUP && in->sched_look.valid;
  out->group.valid = group;
  out->group.kdei = group ? m->a2.group_kdei : 0;
  out->group.smx = group ? m->a2.smx : 0;
  out->group.hwtid = group ? l->hwtid : 0;
  out->group.record = group ? l->record : 0;
  out->group.info = (struct hd_info){0};
  if (!group) return;
  out->group.info.grid_x = (uint16_t)l->desc.grid_x;
  out->group.info.grid_y = l->desc.grid_y;
  out->group.info.grid_z = (uint8_t)l->desc.grid_z;
  out->group.info.ctas = l->ctas;
  out->group.info.param = l->desc.param / 64;
  out->group.info.level = level(m, &in->sched_look);
}

static struct hd_devq_stage leave_a2(const struct hd_devq *m, const struct hd_devq_in *in) {
  struct hd_devq_stage s = m->a2;
  unsigned k = in->sched_look.kdei;
  if (!s.valid) return s;
  s.code = (uint8_t)final_code(m, in);
  s.kdei = in->sched_look.kdei;
  s.level = level(m, &in->sched_look);
  s.first_child = !in->kd_kin_valid[k];
  s.kin = in->kd_kin_valid[k] ? in->kd_kin[k] : in->kin_free.kin;
  s.sav_pos = (uint16_t)((in->kd_sav_first[k] + (unsigned)in->kd_sav_count[k]) % m->cfg.sav_max);
  return s;
}

/* ---- answers ---- */

static void pop_answer(struct hd_devq *m, unsigned smx) {
  struct hd_devanswer *a = m->answer[smx];
  m->answers_n[smx]--;
  m->owed[smx]--;
  m->owed_n--;
  memmove(a, a + 1, m->answers_n[smx] * sizeof *a);
  m->answer[smx][m->answers_n[smx]] = (struct hd_devanswer){0};
}

static void push_answer(struct hd_devq *m, const struct hd_devq_in *in) {
  const struct hd_devlaunch *l = &m->a3.launch;
  unsigned smx = m->a3.smx;
  m->answer[smx][m->answers_n[smx]++] = (struct hd_devanswer){
      .kind = l->kind, .lane = l->lane, .slot = l->slot, .code = (uint8_t)hd_devq_answer_code(m, in)};
}

/* ---- the block ---- */

/* Records whether the group that leaves A1 found a kernel, as a prediction for the next one of its SMX. */
static void learn(struct hd_devq *m, const struct hd_devq_stage *s) {
  if (!s->valid || s->launch.kind != HD_KIND_GROUP || s->mode == HD_DEVQ_BAD) return;
  m->lone[s->smx] = s->mode == HD_DEVQ_KERNEL;
}

/* ---- In a plane without device launches ---- */

/* The code of the beats that are refused in this cycle. An SMX is ready unless its last answer waits. */
static uint8_t refused(const struct hd_devq *m, const struct hd_devq_in *in) {
  for (unsigned s = 0; s < m->cfg.num_smx; s++)
    if (in->dev_launch_valid[s] && !m->answers_n[s]) return HD_CODE_OVER_LIMIT;
  return HD_CODE_ACCEPTED;
}

static void refuse(struct hd_devq *m, const struct hd_devq_in *in) {
  for (unsigned s = 0; s < m->cfg.num_smx; s++) {
    const struct hd_devlaunch *l = &in->dev_launch[s];
    if (m->answers_n[s] && in->dev_answer_ready[s]) {
      pop_answer(m, s);
    } else if (in->dev_launch_valid[s] && !m->answers_n[s]) {
      m->answer[s][m->answers_n[s]++] =
          (struct hd_devanswer){.kind = l->kind, .lane = l->lane, .slot = l->slot, .code = HD_CODE_OVER_LIMIT};
      m->owed[s]++;
      m->owed_n++;
    }
  }
}

/* ---- The block ---- */

static void show_answers(const struct hd_devq *m, struct hd_devq_out *out) {
  for (unsigned s = 0; s < m->cfg.num_smx; s++) {
    out->dev_answer_valid[s] = m->answers_n[s] > 0;
    out->dev_answer[s] = m->answer[s][0];
  }
}

void hd_devq_eval(const struct hd_devq *m, const struct hd_devq_in *in, struct hd_devq_out *out) {
  if (!m->cfg.has_launch) {
    memset(out, 0, sizeof *out);
    for (unsigned s = 0; s < m->cfg.num_smx; s++) out->dev_launch_ready[s] = !m->answers_n[s];
    show_answers(m, out);
    out->code = refused(m, in);
    return;
  }
  show_ready(m, in, out->dev_launch_ready);
  show_answers(m, out);
  show_a1(m, in, out);
  show_a2(m, in, out);
  hd_devq_show_a3(m, in, out);
}

void hd_devq_tick(struct hd_devq *m, const struct hd_devq_in *in) {
  if (!m->cfg.has_launch) {
    refuse(m, in);
    return;
  }
  bool room = has_room(m);
  int smx = taken_smx(m, in);
  struct a1 a = look_at_a1(m, in);
  struct hd_devq_stage next_a2 = leave_a1(m, in, &a), next_a3 = leave_a2(m, in);
  const enum hd_devq_sort sort = smx >= 0 ? hd_devq_sort(m, in, (unsigned)smx) : HD_DEVQ_FREE;
  hd_devq_step_gate(m, in, smx);
  learn(m, &next_a2);
  for (unsigned s = 0; s < m->cfg.num_smx; s++)
    if (m->answers_n[s] && in->dev_answer_ready[s]) pop_answer(m, s);
  if (m->a3.valid) push_answer(m, in);
  m->a3 = next_a3;
  m->a2 = next_a2;
  if (a.take) {
    m->q[0] = m->q[1];
    m->q[1] = (struct hd_devq_beat){0};
    m->q_count--;
  }
  if (smx >= 0) {
    m->q[m->q_count++] = beat(m, &in->dev_launch[smx], (unsigned)smx, sort);
    m->owed[smx]++;
    m->owed_n++;
  }
  step_lock(m, in, room, smx, sort);
}

void hd_devq_arch(const struct hd_devq *m, struct hd_devq_arch *a, bool tables) {
  (void)tables; /* queue and answers are registers; they are visible at the outputs */
  a->q_count = m->q_count;
  a->lock_valid = m->lock_valid;
  a->lock_smx = m->lock_smx;
  a->lock_left = m->lock_left;
  a->ptr = m->ptr;
  memcpy(a->owed, m->owed, m->cfg.num_smx);
  memcpy(a->passed, m->passed, m->cfg.num_smx);
  memcpy(a->lone, m->lone, m->cfg.num_smx);
  for (unsigned b = 0; b < m->cfg.num_bank; b++) a->fly[b] = (uint8_t)hd_devq_fly(m, b);
  a->promised = (uint8_t)hd_devq_promised(m);
  a->alone = hd_devq_one_waits(m);
  a->a2_valid = m->a2.valid;
  a->a3_valid = m->a3.valid;
}
