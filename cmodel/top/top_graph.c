/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* A kernel with a graph in one cycle of the plane: dats, which controls it from the KMU to its end, and dgb, which
 * holds its graph. Both are skipped while no kernel has a graph. */
#include "top/top_inside.h"

static const struct hd_dats_out dats_idle_out;
static const struct hd_dgb_out dgb_idle_out = {.start_ready = 1};

/* Sets the node offered to the scheduler. */
static void offer_node(const struct hd_top *m, struct hd_top_wires *w) {
  const struct hd_sched_sscr *sscr = &hd_top_sched(m)->sscr;
  const struct hd_dats_out *d = w->dats;
  w->node_valid = d->tb.valid;
  if (!d->tb.valid) return;
  w->node = (struct hd_sched_node){.need = &d->run.need,
                                   .kdei = d->run.kdei,
                                   .index = d->tb.index,
                                   .cta = d->tb.cta,
                                   .smx = d->tb.wants ? d->tb.smx : -1,
                                   .older = sscr->valid && d->older[sscr->kdei]};
}

void hd_top_settle_graph(const struct hd_top *m, struct hd_top_wires *w) {
  struct hd_dats_in *i = &w->dats_in;
  w->dgb = &dgb_idle_out;
  w->dats = &dats_idle_out;
  w->node_valid = false;
  if (!hd_dgb_quiet(hd_top_dgb(m))) {
    hd_dgb_eval(hd_top_dgb(m), &w->dgb_in, &w->dgb_out);
    w->dgb = &w->dgb_out;
  }
  if (hd_dats_quiet(hd_top_dats(m))) return;
  i->dgb_start_ready = w->dgb->start_ready;
  i->dgb_finish_valid = w->dgb->finish_valid;
  i->dgb_finish = w->dgb->finish;
  i->dgb_node_valid = w->dgb->node_valid;
  i->dgb_node = w->dgb->node;
  i->dgb_wish = w->dgb->wish;
  i->sched_graph_take = i->sched_grant.smx = 0; /* not known yet: hd_top_step_graph() sets them */
  hd_dats_eval(hd_top_dats(m), i, &w->dats_out);
  w->dats = &w->dats_out;
  offer_node(m, w);
}

static void step_dgb(struct hd_top *m, struct hd_top_wires *w) {
  const struct hd_sched *s = hd_top_sched(m);
  struct hd_dgb_in *i = &w->dgb_in;
  i->dats_start_valid = w->dats->start_valid;
  if (!HD_AWAKE(w, dgb) && !i->dats_start_valid) return;
  i->dats_start = w->dats->start;
  i->dats_finish_ready = w->dats->finish_ready;
  i->dats_node_ready = w->choice.graph;
  i->dats_node_smx = (uint8_t)(w->choice.graph ? w->choice.grant_smx : 0);
  hd_bits_to_bytes(i->sched_node_done, s->node_done, m->num_smx);
  for (unsigned k = 0; k < m->num_smx; k++) i->sched_node_place[k] = s->node_place[k];
  i->mem = w->mem->mem[MEM_DGB];
  hd_dgb_tick(dgb_of(m), i);
}

static void step_dats(struct hd_top *m, struct hd_top_wires *w) {
  const struct hd_kernel *kernel = &hd_top_kmu(m)->kernel;
  struct hd_dats_in *i = &w->dats_in;
  i->kd_entry.valid = w->enter_kdei >= 0 && kernel->graph;
  if (!HD_AWAKE(w, dats) && !i->kd_entry.valid) return;
  i->kd_entry.kdei = (uint8_t)(i->kd_entry.valid ? w->enter_kdei : 0);
  i->kmu_offer.kernel.graph = i->kd_entry.valid;
  i->kmu_offer.kernel.need = kernel->need;
  i->kmu_offer.kernel.ctas = kernel->ctas;
  i->kmu_offer.kernel.desc.param = kernel->desc.param;
  hd_bits_to_bytes(i->fcfs_marked, hd_top_fcfs(m)->marked, m->num_kde);
  i->sched_give_way = w->choice.sscr.give_way;
  i->sched_sscr.kdei = hd_top_sched(m)->sscr.kdei;
  i->sched_graph_take = w->choice.graph;
  i->sched_grant.smx = (uint8_t)(w->choice.graph ? w->choice.grant_smx : 0);
  i->mem = w->mem->mem[MEM_DATS];
  hd_dats_tick(dats_of(m), i);
}

/* Before the KMU, fcfs and the scheduler, whose state at the start of the cycle it reads. */
void hd_top_step_graph(struct hd_top *m, struct hd_top_wires *w) {
  step_dgb(m, w);
  step_dats(m, w);
}
