/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* sched at its ports: outputs, the edge, and the architectural state. */
#include <string.h>

#include "dispatch/sched.h"

/* Returns the inputs about one KD entry. */
static struct hd_sscr_kernel kernel_of(const struct hd_sched_in *in, unsigned i) {
  return (struct hd_sscr_kernel){.ctas = in->kd_ctas[i],
                                 .nextbl = in->kd_nextbl[i],
                                 .sav_count = in->kd_sav_count[i],
                                 .level = in->kd_level[i],
                                 .ndone = in->kd_ndone[i],
                                 .suspending = in->kd_suspending[i],
                                 .failed = in->kd_failed[i],
                                 .pending = in->link_pending[i],
                                 .single = in->link_single[i]};
}

/* Inputs from the banks and the graph, and the open SMXs. */
struct offers {
  struct hd_sched_node node;
  struct hd_sched_source bound[HD_MAX_NUM_SMX], spare[HD_MAX_NUM_SMX];
  struct hd_sched_front front[HD_MAX_NUM_BANK];
  uint64_t open[HD_SMX_WORDS];
  struct hd_progress progress; /* of the offered kernel: TBs queued in a bank count as handed out */
};

static void banks_of(const struct hd_sched *m, const struct hd_sched_in *in, struct offers *b) {
  for (unsigned s = 0; s < m->cfg.num_smx; s++) {
    b->bound[s] =
        (struct hd_sched_source){in->laperm_bound_valid[s] ? in->laperm_bound_bank[s] : -1, &in->laperm_bound_need[s]};
    b->spare[s] =
        (struct hd_sched_source){in->laperm_spare_valid[s] ? in->laperm_spare_bank[s] : -1, &in->laperm_spare_need[s]};
  }
  for (unsigned k = 0; k < m->cfg.num_bank; k++)
    b->front[k] =
        (struct hd_sched_front){&in->laperm_bank_front[k], in->laperm_bank_nextbl[k], in->laperm_bank_last[k]};
}

/* Returns the inputs from the graph; NULL if no node is ready. */
static const struct hd_sched_node *node_of(const struct hd_sched *m, const struct hd_sched_in *in,
                                           struct hd_sched_node *n) {
  if (!in->dats_tb.valid) return NULL;
  *n = (struct hd_sched_node){.need = &in->dats_run.need,
                              .kdei = in->dats_run.kdei,
                              .index = in->dats_tb.index,
                              .cta = in->dats_tb.cta,
                              .smx = in->dats_tb.wants ? in->dats_tb.smx : -1,
                              .older = m->sscr.valid && in->dats_older[m->sscr.kdei]};
  return n;
}

static struct hd_sched_env env_of(const struct hd_sched *m, const struct hd_sched_in *in, struct offers *b) {
  b->progress = in->kmu_offer.kernel.progress;
  b->progress.ndone |= in->laperm_enter.bank;
  struct hd_sscr_env e = {
      .enter_kdei = in->kd_entry.valid && in->laperm_enter.mark ? in->kd_entry.kdei : -1,
      .enter_need = &in->kmu_offer.kernel.need,
      .enter_ctas = in->kmu_offer.kernel.ctas,
      .enter_level = in->kmu_offer.kernel.level,
      .enter_progress = &b->progress,
      .next_kdei = in->fcfs_next.valid ? in->fcfs_next.kdei : -1,
      .link_kdei = in->link_link.valid ? in->link_link.kdei : -1,
      .link_marked = in->link_link.valid && in->fcfs_marked[in->link_link.kdei],
      .group = in->agt_group.valid ? &in->agt_group.group : NULL,
      .group_kdei = in->agt_group.kdei,
      .slot = in->agc_slot.valid ? in->agc_slot.slot : -1,
      .sv = in->susp_saved.valid ? &in->susp_saved.tb : NULL,
      .sv_kdei = in->susp_saved.kdei,
  };
  if (m->sscr.valid) e.cur = kernel_of(in, m->sscr.kdei);
  if (in->fcfs_next.valid) e.next = kernel_of(in, in->fcfs_next.kdei);
  banks_of(m, in, b);
  hd_bits_from_bytes(b->open, in->throttle_open, m->cfg.num_smx);
  return (struct hd_sched_env){.sscr = e,
                               .steal = in->kd_stall,
                               .open = b->open,
                               .node = node_of(m, in, &b->node),
                               .bound = b->bound,
                               .spare = b->spare,
                               .front = b->front,
                               .then = in->laperm_then.valid ? &in->laperm_then.need : NULL};
}

static void show_units(const struct hd_sched *m, const struct hd_sscr_env *e, const struct hd_sched_choice *c,
                       struct hd_sched_out *out) {
  const struct hd_sscr_choice *u = &c->sscr;
  bool group = hd_sscr_holds(&m->sscr, HD_UNIT_GROUP);
  out->grant.unit_end = u->unit_end;
  out->advance = out->hand.last = u->unit_end && group;
  out->hand.grant = out->grant.valid && group;
  out->group_pop = out->hand.load = u->load == HD_LOAD_GROUP;
  out->hand.ptr = u->load == HD_LOAD_GROUP ? e->group->self : (struct hd_ptr){0};
  out->saved_pop = u->load == HD_LOAD_SAVED;
  out->park.valid = u->park;
  out->park.nextbl = u->park ? m->sscr.nextbl : 0;
  out->hand.park = u->park && group;
}

static void show_take(const struct hd_sched_env *e, const struct hd_sched_choice *c, unsigned num_smx,
                      struct hd_sched_out *out) {
  out->take.valid = c->take_bank >= 0;
  out->take.bank = c->take_bank >= 0 ? (uint8_t)c->take_bank : 0;
  out->take.spare = c->spare;
  memset(out->take_banks, 0, num_smx);
  if (c->take_bank >= 0) out->take_banks[c->take_bank] = 1;
  out->take.kdei = c->take_bank >= 0 ? e->front[c->take_bank].entry->kdei : 0;
  out->take.last = c->take_bank >= 0 && e->front[c->take_bank].last;
}

void hd_sched_eval(const struct hd_sched *m, const struct hd_sched_in *in, struct hd_sched_out *out) {
  struct offers offers;
  const struct hd_sched_env e = env_of(m, in, &offers);
  const struct hd_sched_choice c = hd_sched_choose(m, &e);
  show_take(&e, &c, m->cfg.num_smx, out);
  out->graph_take = c.graph;
  out->grant.valid = hd_sched_grants(&c);
  out->sscr.kdei = m->sscr.kdei;
  out->grant.smx = c.grant_smx >= 0 ? (uint8_t)c.grant_smx : 0;
  out->grant.kind = m->sscr.unit.kind;
  out->grant.level = (uint8_t)c.level;
  out->unmark = c.sscr.unmark;
  out->rotate = c.sscr.rotate;
  out->give_way = c.sscr.give_way;
  out->events.blocked = c.blocked;
  out->sscr.valid = m->sscr.valid;
  out->events.waiting = hd_sscr_waiting(&m->sscr);
  out->events.slot_wait = hd_sscr_slot_wait(&m->sscr, &e.sscr);
  show_units(m, &e.sscr, &c, out);
  out->unassigned = m->unassigned;
  out->look = m->look;
  out->retire.valid = m->retired_valid;
  out->retire.tb = m->retired;
  hd_sched_show_dispatch(m, &in->kd_desc, out->dispatch_valid, out->dispatch);
  hd_bits_to_bytes(out->done_ok, m->done_ok, m->cfg.num_smx);
  hd_bits_to_bytes(out->done_empty, m->done_empty, m->cfg.num_smx);
  hd_bits_to_bytes(out->done_early, m->done_early, m->cfg.num_smx);
  hd_bits_to_bytes(out->node_done, m->node_done, m->cfg.num_smx);
  memcpy(out->node_place, m->node_place, m->cfg.num_smx * sizeof *out->node_place);
}

void hd_sched_tick(struct hd_sched *m, const struct hd_sched_in *in) {
  uint64_t ready[HD_SMX_WORDS], done[HD_SMX_WORDS];
  hd_bits_from_bytes(ready, in->dispatch_ready, m->cfg.num_smx);
  hd_bits_from_bytes(done, in->cta_done_valid, m->cfg.num_smx);
  struct offers offers;
  const struct hd_sched_env env = env_of(m, in, &offers);
  const struct hd_sched_choice choice = hd_sched_choose(m, &env);
  const struct hd_sched_edge e = {
      .env = &env,
      .need = in->kd_need,
      .desc = &in->kd_desc,
      .dispatch_ready = ready,
      .cta_done_valid = done,
      .cta_done_slot = in->cta_done_slot,
      .look_smx = in->devq_look.smx,
      .look_slot = in->devq_look.slot,
      .run_kdei = in->dats_run.valid ? in->dats_run.kdei : -1,
  };
  hd_sched_step(m, &choice, &e);
}

void hd_sched_arch_own(const struct hd_sched *m, struct hd_sched_arch *a) {
  a->sscr_valid = m->sscr.valid;
  a->sscr_kdei = m->sscr.kdei;
  a->sscr_need = m->sscr.need;
  a->sscr_unit_valid = m->sscr.unit_valid;
  a->sscr_unit = m->sscr.unit;
  a->sscr_ctas = m->sscr.ctas;
  a->sscr_nextbl = m->sscr.nextbl;
  a->smx_ptr = m->smx_ptr;
  a->passed = m->passed;
  a->turn = hd_sched_fair(m);
  a->retire_ptr = m->retire_ptr;
  a->retired_valid = m->retired_valid;
  a->retired = m->retired;
  a->fair = m->sscr.fair;
}

void hd_sched_arch(const struct hd_sched *m, struct hd_sched_arch *a, bool tables) {
  hd_sched_arch_own(m, a);
  for (unsigned s = 0; s < m->cfg.num_smx; s++) hd_tbcr_arch(hd_sched_tbcr(m, s), &a->tbcr[s], tables);
}
