/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* devq, before A0: the SMXs that wait in their ports, so that no beat after A0 waits for a bank, the pool or susp. */
#include "launch/devq_inside.h"

/* A group is free if its bank has this many places beyond those for the launches in flight: one for the group, one for
 * a kernel that enters. */
enum { SPARE = 2 };

static unsigned bank_of(const struct hd_devq *m, unsigned smx) {
  return smx / m->cfg.smx_per_cluster;
}

unsigned hd_devq_fly(const struct hd_devq *m, unsigned bank) {
  unsigned n = (m->a2.valid && bank_of(m, m->a2.smx) == bank) + (m->a3.valid && bank_of(m, m->a3.smx) == bank);
  for (unsigned k = 0; k < HD_DEVQ_BEATS; k++) n += k < m->q_count && bank_of(m, m->q[k].smx) == bank;
  return n;
}

unsigned hd_devq_promised(const struct hd_devq *m) {
  unsigned n = (unsigned)m->a2.row + m->a3.row;
  for (unsigned k = 0; k < HD_DEVQ_BEATS; k++) n += k < m->q_count && m->q[k].sort == HD_DEVQ_ROW;
  return n;
}

bool hd_devq_sure(const struct hd_devq *m, const struct hd_devq_in *in, unsigned smx) {
  const unsigned bank = bank_of(m, smx);
  return in->laperm_bank_room[bank] >= hd_devq_fly(m, bank) + 1;
}

enum hd_devq_sort hd_devq_sort(const struct hd_devq *m, const struct hd_devq_in *in, unsigned smx) {
  const unsigned bank = bank_of(m, smx);
  if (in->dev_launch[smx].kind != HD_KIND_GROUP || m->lone[smx]) return HD_DEVQ_ALONE;
  return in->laperm_bank_room[bank] >= hd_devq_fly(m, bank) + SPARE ? HD_DEVQ_FREE : HD_DEVQ_ROW;
}

static bool asks(const struct hd_devq *m, const struct hd_devq_in *in, unsigned smx) {
  return in->dev_launch_valid[smx] && hd_devq_open(m, smx);
}

bool hd_devq_one_waits(const struct hd_devq *m) {
  return (m->q_count > 0 && m->q[0].sort == HD_DEVQ_ALONE) || (m->q_count > 1 && m->q[1].sort == HD_DEVQ_ALONE);
}

static bool is(const struct hd_devq_stage *s, enum hd_devq_mode mode) {
  return s->valid && s->mode == mode;
}

/* Returns true if the beat in A3 is accepted and uses a place of that kind. */
static bool uses(const struct hd_devq_stage *s, enum hd_devq_mode mode) {
  return is(s, mode) && s->code == HD_CODE_ACCEPTED;
}

/* Returns true if the group in A1 may take an unreserved row. */
static bool a1_wants_row(const struct hd_devq *m, const struct hd_devq_in *in) {
  const struct hd_devq_beat *b = &m->q[0];
  return m->q_count && b->launch.kind == HD_KIND_GROUP && b->sort != HD_DEVQ_ROW && !hd_devq_sure(m, in, b->smx);
}

struct hd_devq_gate hd_devq_gate(const struct hd_devq *m, const struct hd_devq_in *in) {
  struct hd_devq_gate g = {0};
  const bool alone = !hd_devq_one_waits(m) && !is(&m->a2, HD_DEVQ_KERNEL) && !is(&m->a2, HD_DEVQ_SAVE);
  g.row = in->spill_rows > hd_devq_promised(m) + a1_wants_row(m, in);
  g.kernel = alone && (in->pool_room.two || (in->pool_room.ready && !uses(&m->a3, HD_DEVQ_KERNEL)));
  g.save = alone && in->susp_save_room && !uses(&m->a3, HD_DEVQ_SAVE);
  for (unsigned s = 0; m->passed_n && s < m->cfg.num_smx; s++) {
    if (!m->passed[s] || !asks(m, in, s)) continue;
    const enum hd_devq_sort sort = hd_devq_sort(m, in, s);
    g.row_passed |= sort == HD_DEVQ_ROW;
    g.alone_passed |= sort == HD_DEVQ_ALONE;
  }
  return g;
}

bool hd_devq_waits(const struct hd_devq *m, const struct hd_devq_in *in, const struct hd_devq_gate *g, unsigned smx) {
  if (!asks(m, in, smx)) return false;
  switch (hd_devq_sort(m, in, smx)) {
    case HD_DEVQ_ROW:
      return !g->row || (g->row_passed && !m->passed[smx]);
    case HD_DEVQ_ALONE:
      if (g->alone_passed && !m->passed[smx]) return true;
      return in->dev_launch[smx].kind == HD_KIND_SAVE ? !g->save : !g->kernel;
    default:
      return false;
  }
}

void hd_devq_step_gate(struct hd_devq *m, const struct hd_devq_in *in, int smx) {
  const struct hd_devq_gate g = hd_devq_gate(m, in);
  m->passed_n = 0;
  for (unsigned s = 0; s < m->cfg.num_smx; s++) {
    const bool first = m->passed[s];
    m->passed[s] = 0;
    if (!asks(m, in, s) || (int)s == smx) continue;
    const enum hd_devq_sort sort = hd_devq_sort(m, in, s);
    if (sort == HD_DEVQ_ROW) m->passed[s] = first || !g.row_passed;
    if (sort == HD_DEVQ_ALONE) m->passed[s] = first || !g.alone_passed;
    m->passed_n += m->passed[s];
  }
}
