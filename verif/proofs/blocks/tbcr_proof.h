/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* passes: u_free.a_fits */
#define HAS_GHOST
#include "../need.h"
static struct ghost { struct hd_need need[HD_MAX_NUM_KDE]; /* of a kernel, as long as it has a TB here */ } ghost;

static _Bool runs(const MODEL *m, unsigned kdei) {
  _Bool any = 0;
  for (unsigned j = 0; j < cfg.ctas_per_smx; j++) any |= !(m->free >> j & 1) && m->row[j].kdei == kdei;
  return any;
}

static void invariant(const MODEL *m) {
  unsigned busy = 0, warps = m->warps, regs = m->regs, smem = m->smem;
  CHECK(!(m->free >> cfg.ctas_per_smx), "no other slots");
  for (unsigned j = 0; j < cfg.ctas_per_smx; j++) {
    if (m->free >> j & 1) continue;
    CHECK(m->row[j].kdei < cfg.num_kde && m->row[j].age_valid <= 1, "range");
    CHECK(m->row[j].age_valid || m->row[j].agei < cfg.lna, "place");
    const struct hd_need *need = &ghost.need[m->row[j].kdei];
    busy++;
    warps += need->warps;
    regs += need->regs;
    smem += need->smem;
  }
  CHECK(warps == cfg.warps_per_smx && regs == cfg.reg_units_per_smx && smem == cfg.smem_units_per_smx, "resources");
  CHECK(m->owed == busy + m->done_count, "owed");
  CHECK(m->owed <= cfg.done_depth && m->done_first < cfg.done_depth, "done FIFO");
  CHECK(REG(resident_q) == busy, "resident");
  CHECK(REG(u_dispatch_fresh_q) == m->fresh && m->fresh <= m->dispatch_valid, "fresh");
}

static void contract(const MODEL *m, const IN *in) {
  ASSUME(in->grant_kdei < cfg.num_kde);
  for (unsigned k = 0; k < cfg.num_kde; k++) {
    ASSUME(!runs(m, k) || equal_need(&in->need[k], &ghost.need[k]));
    ASSUME(!in->grant || in->grant_kdei != k || equal_need(&in->grant_need, &in->need[k]));
    ghost.need[k] = in->need[k];
  }
}
