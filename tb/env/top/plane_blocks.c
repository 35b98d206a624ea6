/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/top/plane_blocks.h"

#include <string.h>

void hd_sched_show_inner(const struct hd_sched *m, const struct hd_sched_in *in, struct hd_sched_inner *out) {
  const struct hd_tbcr_in none = {0};
  uint8_t valid[HD_MAX_NUM_SMX];
  struct hd_dispatch dispatch[HD_MAX_NUM_SMX];
  hd_sched_show_dispatch(m, &in->kd_desc, valid, dispatch);
  for (unsigned s = 0; s < m->cfg.num_smx; s++) {
    struct hd_tbcr_out *o = &out->tbcr[s];
    hd_tbcr_eval(hd_sched_tbcr(m, s), &none, o);
    o->dispatch = dispatch[s]; /* the scheduler, not the TBCR, computes the dispatch and the flags below, for all SMXs
                                * */
    o->done_ok = hd_bit(m->done_ok, s);
    o->done_empty = hd_bit(m->done_empty, s);
    o->done_early = hd_bit(m->done_early, s);
    o->node_done = hd_bit(m->node_done, s);
    o->node_place = m->node_place[s];
  }
}

void hd_laperm_show_inner(const struct hd_laperm *m, const struct hd_laperm_in *in, struct hd_laperm_inner *out) {
  struct hd_pq_in pq;
  memcpy(pq.need, in->kd_need, sizeof pq.need);
  for (unsigned b = 0; b < m->cfg.num_bank; b++) hd_pq_eval(hd_laperm_bank(m, b), &pq, &out->pq[b]);
}

void hd_plane_blocks_of(struct hd_plane_blocks *p, const struct hd_top *m, const struct hd_cfg *cfg) {
  p->cfg = cfg;
#define MODEL(B) p->B = hd_top_##B(m);
  HD_TOP_BLOCKS(MODEL)
#undef MODEL
}

/* Evaluates each block after the blocks whose outputs of this cycle it depends on. KMU, KD, devq, ovfq, agt and dats
 * are evaluated twice: what they offer depends on no block (dats: only on dgb), but what they accept depends on the
 * blocks that receive their offers or supply their inputs. So is spill: the places that it reserves depend on those
 * that laperm reports. */
void hd_plane_blocks_settle(struct hd_plane_blocks *p, const struct hd_top_in *in) {
  p->in = in;
#define SETTLE(B) \
  hd_wire_##B(p); \
  hd_##B##_eval(p->B, &p->B##_in, &p->out.B);
  SETTLE(regs)
  SETTLE(kd)
  SETTLE(fcfs)
  SETTLE(pool)
  SETTLE(susp)
  SETTLE(spill)
  SETTLE(ovfq)
  SETTLE(agt)
  SETTLE(kin)
  SETTLE(dgb)
  SETTLE(dats)
  SETTLE(kmu)
  SETTLE(laperm)
  SETTLE(spill)
  if (!p->cfg->has_banks) memset(p->out.laperm.bank_room, 7, sizeof p->out.laperm.bank_room); /* none is full */
  SETTLE(kd)
  SETTLE(kmu)
  p->out.sched.look = p->sched->look; /* a register output */
  SETTLE(devq)
  SETTLE(match)
  SETTLE(link)
  SETTLE(ovfq)
  SETTLE(devq)
  SETTLE(agc)
  SETTLE(throttle)
  SETTLE(sched)
  SETTLE(dats)
  SETTLE(agt)
  SETTLE(memarb)
#undef SETTLE
  hd_sched_show_inner(p->sched, &p->sched_in, &p->out.sched_inner);
  hd_laperm_show_inner(p->laperm, &p->laperm_in, &p->out.laperm_inner);
  hd_wire_pool(p); /* the grants of memarb to pool and spill are known only now */
  hd_pool_show_inner(p->pool, &p->pool_in, &p->out.pool_inner);
  hd_wire_spill(p);
  hd_spill_show_inner(p->spill, &p->spill_in, &p->out.spill_inner);
}

void hd_plane_blocks_wire(struct hd_plane_blocks *p) {
#define WIRE(B) hd_wire_##B(p);
  HD_TOP_BLOCKS(WIRE)
#undef WIRE
}
