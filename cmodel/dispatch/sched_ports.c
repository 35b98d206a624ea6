/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* sched at its ports: outputs, the edge, and the architectural state. */
#include <string.h>

#include "dispatch/sched.h"

/* Returns the inputs about one KD entry. */
static struct hd_sscr_kernel kernel_of(const struct hd_sched_in *in, unsigned i) {
  return (struct hd_sscr_kernel){.ctas = in->ctas[i],
                                 .nextbl = in->nextbl[i],
                                 .sav_count = in->sav_count[i],
                                 .level = in->level[i],
                                 .ndone = in->ndone[i],
                                 .suspending = in->suspending[i],
                                 .failed = in->failed[i],
                                 .pending = in->pending[i],
                                 .single = in->single[i]};
}

/* Inputs from the banks and the graph, and the open SMXs. */
struct offers {
  struct hd_sched_node node;
  struct hd_sched_source bound[HD_MAX_NUM_SMX], spare[HD_MAX_NUM_SMX];
  struct hd_sched_front front[HD_MAX_NUM_BANK];
  uint64_t open[HD_SMX_WORDS];
};

static void banks_of(const struct hd_sched *m, const struct hd_sched_in *in, struct offers *b) {
  for (unsigned s = 0; s < m->cfg.num_smx; s++) {
    b->bound[s] = (struct hd_sched_source){in->bound_valid[s] ? in->bound_bank[s] : -1, &in->bound_need[s]};
    b->spare[s] = (struct hd_sched_source){in->spare_valid[s] ? in->spare_bank[s] : -1, &in->spare_need[s]};
  }
  for (unsigned k = 0; k < m->cfg.num_bank; k++)
    b->front[k] = (struct hd_sched_front){&in->bank_front[k], in->bank_nextbl[k], in->bank_last[k]};
}

/* Returns the inputs from the graph; NULL if no node is ready. */
static const struct hd_sched_node *node_of(const struct hd_sched *m, const struct hd_sched_in *in,
                                           struct hd_sched_node *n) {
  if (!in->graph_valid) return NULL;
  *n = (struct hd_sched_node){.need = &in->run_need,
                              .kdei = in->run_kdei,
                              .index = in->graph_index,
                              .cta = in->graph_cta,
                              .smx = in->graph_wants ? in->graph_smx : -1,
                              .older = m->sscr.valid && in->older[m->sscr.kdei]};
  return n;
}

static struct hd_sched_env env_of(const struct hd_sched *m, const struct hd_sched_in *in, struct offers *b) {
  struct hd_sscr_env e = {
      .enter_kdei = in->enter_valid && in->enter_ready ? in->enter_kdei : -1,
      .enter_need = &in->enter_need,
      .enter_ctas = in->enter_ctas,
      .enter_level = in->enter_level,
      .enter_progress = &in->enter_progress,
      .next_kdei = in->next_valid ? in->next_kdei : -1,
      .link_kdei = in->link_valid ? in->link_kdei : -1,
      .link_marked = in->link_valid && in->marked[in->link_kdei],
      .group = in->group_valid ? &in->group : NULL,
      .group_kdei = in->group_kdei,
      .slot = in->slot_valid ? in->slot : -1,
      .sv = in->sv_valid ? &in->sv : NULL,
      .sv_kdei = in->sv_kdei,
  };
  if (m->sscr.valid) e.cur = kernel_of(in, m->sscr.kdei);
  if (in->next_valid) e.next = kernel_of(in, in->next_kdei);
  banks_of(m, in, b);
  hd_bits_from_bytes(b->open, in->open, m->cfg.num_smx);
  return (struct hd_sched_env){.sscr = e,
                               .steal = in->steal,
                               .open = b->open,
                               .node = node_of(m, in, &b->node),
                               .bound = b->bound,
                               .spare = b->spare,
                               .front = b->front,
                               .then = in->then_valid ? &in->then_need : NULL};
}

static void show_units(const struct hd_sched *m, const struct hd_sscr_env *e, const struct hd_sched_choice *c,
                       struct hd_sched_out *out) {
  const struct hd_sscr_choice *u = &c->sscr;
  bool group = hd_sscr_holds(&m->sscr, HD_UNIT_GROUP);
  out->unit_end = u->unit_end;
  out->adv_valid = out->grant_end = u->unit_end && group;
  out->grant_group = out->grant_valid && group;
  out->group_pop = out->load_valid = u->load == HD_LOAD_GROUP;
  out->load_ptr = u->load == HD_LOAD_GROUP ? e->group->self : (struct hd_ptr){0};
  out->sv_pop = u->load == HD_LOAD_SAVED;
  out->park_valid = u->park;
  out->park_nextbl = u->park ? m->sscr.nextbl : 0;
  out->park_group = u->park && group;
}

static void show_take(const struct hd_sched_env *e, const struct hd_sched_choice *c, unsigned num_smx,
                      struct hd_sched_out *out) {
  out->take_valid = c->take_bank >= 0;
  out->take_bank = c->take_bank >= 0 ? (uint8_t)c->take_bank : 0;
  out->take_spare = c->spare;
  memset(out->take, 0, num_smx);
  if (c->take_bank >= 0) out->take[c->take_bank] = 1;
  out->take_kdei = c->take_bank >= 0 ? e->front[c->take_bank].entry->kdei : 0;
  out->take_last = c->take_bank >= 0 && e->front[c->take_bank].last;
}

void hd_sched_eval(const struct hd_sched *m, const struct hd_sched_in *in, struct hd_sched_out *out) {
  struct offers offers;
  const struct hd_sched_env e = env_of(m, in, &offers);
  const struct hd_sched_choice c = hd_sched_choose(m, &e);
  show_take(&e, &c, m->cfg.num_smx, out);
  out->graph_take = c.graph;
  out->grant_valid = hd_sched_grants(&c);
  out->grant_kdei = m->sscr.kdei;
  out->grant_smx = c.grant_smx >= 0 ? (uint8_t)c.grant_smx : 0;
  out->grant_kind = m->sscr.unit.kind;
  out->grant_level = (uint8_t)c.level;
  out->unmark = c.sscr.unmark;
  out->rotate = c.sscr.rotate;
  out->give_way = c.sscr.give_way;
  out->blocked = c.blocked;
  out->cur_valid = m->sscr.valid;
  out->waiting = hd_sscr_waiting(&m->sscr);
  out->slot_wait = hd_sscr_slot_wait(&m->sscr, &e.sscr);
  show_units(m, &e.sscr, &c, out);
  out->unassigned = m->unassigned;
  out->look = m->look;
  out->retire_valid = m->retired_valid;
  out->retire = m->retired;
  hd_sched_show_dispatch(m, &in->desc, out->dispatch_valid, out->dispatch);
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
      .need = in->need,
      .desc = &in->desc,
      .dispatch_ready = ready,
      .cta_done_valid = done,
      .cta_done_slot = in->cta_done_slot,
      .look_smx = in->look_smx,
      .look_slot = in->look_slot,
      .run_kdei = in->run_valid ? in->run_kdei : -1,
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
