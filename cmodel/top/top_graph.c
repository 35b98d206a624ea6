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
  w->node_valid = d->graph_valid;
  if (!d->graph_valid) return;
  w->node = (struct hd_sched_node){.need = &d->run_need,
                                   .kdei = d->run_kdei,
                                   .index = d->graph_index,
                                   .cta = d->graph_cta,
                                   .smx = d->graph_wants ? d->graph_smx : -1,
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
  i->start_ready = w->dgb->start_ready;
  i->finish_valid = w->dgb->finish_valid;
  i->finish = w->dgb->finish;
  i->node_valid = w->dgb->node_valid;
  i->node = w->dgb->node;
  i->wish_valid = w->dgb->wish_valid;
  i->wish_smx = w->dgb->wish_smx;
  i->graph_take = i->graph_take_smx = 0; /* not known yet: hd_top_step_graph() sets them */
  hd_dats_eval(hd_top_dats(m), i, &w->dats_out);
  w->dats = &w->dats_out;
  offer_node(m, w);
}

static void step_dgb(struct hd_top *m, struct hd_top_wires *w) {
  const struct hd_sched *s = hd_top_sched(m);
  struct hd_dgb_in *i = &w->dgb_in;
  i->start_valid = w->dats->start_valid;
  if (!HD_AWAKE(w, dgb) && !i->start_valid) return;
  i->start = w->dats->start;
  i->finish_ready = w->dats->finish_ready;
  i->node_ready = w->choice.graph;
  i->node_smx = (uint8_t)(w->choice.graph ? w->choice.grant_smx : 0);
  hd_bits_to_bytes(i->done_valid, s->node_done, m->num_smx);
  for (unsigned k = 0; k < m->num_smx; k++) i->done_index[k] = s->node_place[k];
  i->req_ready = w->mem->req_ready[MEM_DGB];
  i->wbeat_take = w->mem->wbeat_take[MEM_DGB];
  i->b_valid = w->mem->b_valid[MEM_DGB];
  i->b_error = w->mem->b_error;
  i->r_valid = w->mem->r_valid[MEM_DGB];
  i->r = w->mem->r;
  hd_dgb_tick(dgb_of(m), i);
}

static void step_dats(struct hd_top *m, struct hd_top_wires *w) {
  const struct hd_kernel *kernel = &hd_top_kmu(m)->kernel;
  struct hd_dats_in *i = &w->dats_in;
  i->enter_valid = w->enter_kdei >= 0 && kernel->graph;
  if (!HD_AWAKE(w, dats) && !i->enter_valid) return;
  i->enter_ready = i->enter_valid;
  i->enter_kdei = (uint8_t)(i->enter_valid ? w->enter_kdei : 0);
  i->enter_need = kernel->need;
  i->enter_ctas = kernel->ctas;
  i->enter_param = kernel->desc.param;
  hd_bits_to_bytes(i->marked, hd_top_fcfs(m)->marked, m->num_kde);
  i->rotate = w->choice.sscr.give_way;
  i->rotate_kdei = hd_top_sched(m)->sscr.kdei;
  i->graph_take = w->choice.graph;
  i->graph_take_smx = (uint8_t)(w->choice.graph ? w->choice.grant_smx : 0);
  i->req_ready = w->mem->req_ready[MEM_DATS];
  i->r_valid = w->mem->r_valid[MEM_DATS];
  i->r = w->mem->r;
  hd_dats_tick(dats_of(m), i);
}

/* Before the KMU, fcfs and the scheduler, whose state at the start of the cycle it reads. */
void hd_top_step_graph(struct hd_top *m, struct hd_top_wires *w) {
  step_dgb(m, w);
  step_dats(m, w);
}
