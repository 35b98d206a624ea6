/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "top/top_inside.h"

static bool holds_group(const struct hd_sched *s) {
  return hd_sscr_holds(&s->sscr, HD_UNIT_GROUP);
}

/* Returns the inputs of the KD; groups, unanswered: storage for sets of entries. */
static struct hd_kd_edge kd_edge(const struct hd_top *m, const struct hd_top_wires *w, uint64_t *groups,
                                 uint64_t *unanswered) {
  const struct hd_sched *s = hd_top_sched(m);
  const struct hd_kmu *kmu = hd_top_kmu(m);
  /* Groups matter only for quiet entries. */
  hd_kd_quiet(hd_top_kd(m), hd_top_fcfs(m)->marked, groups);
  for (unsigned k = 0; k < HD_WORDS(m->num_kde); k++) {
    unanswered[k] = 0;
    for (uint64_t q = groups[k]; q; q &= q - 1) {
      unsigned i = k * 64 + hd_lowest(q);
      hd_bit_put(groups, i, hd_top_pending(m, i));
      hd_bit_put(unanswered, i, hd_ovfq_unanswered(hd_top_ovfq(m), i));
    }
  }
  return (struct hd_kd_edge){
      .kernel = kmu->kernel_valid && !w->enter.wait ? &kmu->kernel : NULL,
      .enter_queued = w->enter.bank,
      .marked = hd_top_fcfs(m)->marked,
      .pending = groups,
      .unanswered = unanswered,
      .queue_kdei = hd_laperm_pushes(hd_top_laperm(m), &w->memory),
      .serve_kdei = w->choice.take_bank >= 0 ? w->front[w->choice.take_bank].entry->kdei : -1,
      .serve_last = w->choice.take_bank >= 0 && w->front[w->choice.take_bank].last,
      .node_kdei = w->choice.graph ? w->dats->run_kdei : -1,
      .graph_end_kdei = w->dats->over_valid ? w->dats->over_kdei : -1,
      .graph_fails = w->dats->over.code != HD_GCODE_FINE,
      .cur_kdei = s->sscr.valid ? s->sscr.kdei : 0,
      .kind = s->sscr.unit.kind,
      .grant = hd_sched_grants(&w->choice),
      .retire_kdei = s->retired_valid ? s->retired.kdei : -1,
      .unit_end = w->choice.sscr.unit_end,
      .park = w->choice.sscr.park,
      .park_nextbl = s->sscr.nextbl,
      .hold_kdei = w->devq->hold_valid ? w->devq->hold_kdei : -1,
      .unhold_kdei = w->devq->unhold_valid ? w->devq->unhold_kdei : -1,
      .birth_kdei = w->devq->birth_valid ? w->devq->birth_kdei : -1,
      .save_kdei = w->devq->save_valid ? w->devq->save_kdei : -1,
      .birth_kin = w->devq->birth_kin,
      .fail_kdei = {w->ovfq->write_fail_valid ? w->ovfq->write_fail_kdei : -1,
                    w->ovfq->fetch_fail_valid ? w->ovfq->fetch_fail_kdei : -1,
                    w->susp->chunk_fail_valid ? w->susp->chunk_fail_kdei : -1,
                    w->spill->lost_valid ? w->spill->lost_kdei : -1},
      .suspend_free = w->susp->suspend_free,
      .leave_ready = w->kin->leave_ready,
  };
}

static void step_match(struct hd_top *m, struct hd_top_wires *w) {
  const struct hd_kernel *kernel = &hd_top_kmu(m)->kernel;
  struct hd_match_in *i = &w->match_in;
  bool enter = w->enter_kdei >= 0;
  if (!HD_AWAKE(w, match) && !enter && !i->find_first) return;
  i->enter_valid = i->enter_ready = enter;
  if (enter) {
    i->enter_kdei = (uint8_t)w->enter_kdei;
    i->enter_key = (struct hd_key){.pc = kernel->desc.pc,
                                   .cta_x = kernel->desc.cta_x,
                                   .cta_y = kernel->desc.cta_y,
                                   .cta_z = kernel->desc.cta_z,
                                   .smem = kernel->need.smem};
  }
  hd_match_tick(match_of(m), i);
}

static void step_link(struct hd_top *m, struct hd_top_wires *w) {
  const struct hd_sched *s = hd_top_sched(m);
  const struct hd_kd *kd = hd_top_kd(m);
  struct hd_link_in *i = &w->link_in;
  i->adv_valid = w->choice.sscr.unit_end && holds_group(s);
  hd_top_fail_events(w, i->fail_valid, i->fail_kdei);
  i->take_valid = kd->susp_state == HD_KD_TAKE;
  i->enter_valid = i->enter_ready = w->enter_kdei >= 0;
  i->free_valid = w->agc->free_valid;
  bool failed = i->fail_valid[0] || i->fail_valid[1] || i->fail_valid[2] || i->fail_valid[3];
  bool reported = i->adv_valid || failed || i->take_valid || i->enter_valid || i->free_valid;
  if (!HD_AWAKE(w, link) && !reported) return;
  i->adv_kdei = i->adv_valid ? s->sscr.kdei : 0;
  i->succ = w->agt->succ;
  i->take_kdei = i->take_valid ? kd->susp_kdei : 0;
  i->enter_kdei = (uint8_t)(i->enter_valid ? w->enter_kdei : 0);
  i->enter_list = hd_top_kmu(m)->kernel.groups;
  i->free_index = w->agc->free_index;
  hd_link_tick(link_of(m), i);
}

static void step_agt(struct hd_top *m, struct hd_top_wires *w) {
  if (!HD_AWAKE(w, agt)) return;
  w->agt_in.group_pop = w->choice.sscr.load == HD_LOAD_GROUP;
  hd_agt_tick(agt_of(m), &w->agt_in);
}

/* Before link, so that it sees the chains at the start of the cycle. */
static void step_ovfq(struct hd_top *m, struct hd_top_wires *w) {
  const struct hd_sched *s = hd_top_sched(m);
  const struct hd_kd *kd = hd_top_kd(m);
  const struct hd_kernel *kernel = &hd_top_kmu(m)->kernel;
  const struct hd_ovfq *ovfq = hd_top_ovfq(m);
  const uint32_t *config = hd_top_regs(m)->config;
  struct hd_ovfq_in *i = &w->ovfq_in;
  i->push_valid = w->link->link_over;
  i->adv_valid = w->choice.sscr.unit_end && holds_group(s);
  i->fail_valid[0] = w->susp->chunk_fail_valid;
  i->fail_valid[1] = w->spill->lost_valid;
  i->take_valid = kd->susp_state == HD_KD_TAKE;
  i->enter_valid = i->enter_ready = w->enter_kdei >= 0;
  i->cur_valid = s->sscr.valid;
  i->cur_kdei = s->sscr.kdei;
  i->rec_count = config[HD_CONFIG_REC_COUNT];
  bool reported =
      i->push_valid || i->adv_valid || i->fail_valid[0] || i->fail_valid[1] || i->take_valid || i->enter_valid;
  if (!HD_AWAKE(w, ovfq) && !reported && hd_ovfq_is_idle(ovfq, i)) return;
  i->push_kdei = w->link->link_kdei;
  i->push_ptr = w->link->link_ptr;
  i->adv_kdei = i->adv_valid ? s->sscr.kdei : 0;
  i->chained[i->adv_kdei] = hd_top_link(m)->list[i->adv_kdei].chained;
  i->fail_kdei[0] = w->susp->chunk_fail_kdei;
  i->fail_kdei[1] = w->spill->lost_kdei;
  i->take_kdei = i->take_valid ? kd->susp_kdei : 0;
  i->kin[i->take_kdei] = kd->entry[i->take_kdei].kin;
  i->enter_kdei = (uint8_t)(i->enter_valid ? w->enter_kdei : 0);
  i->enter_resumed = kernel->resumed;
  i->enter_kin = kernel->kin;
  i->enter_list = kernel->over;
  i->waiting = hd_sscr_waiting(&s->sscr);
  i->over_pop = w->agt->over_pop;
  i->rec_base = config[HD_CONFIG_REC_BASE];
  i->list_base = config[HD_CONFIG_LIST_BASE];
  i->req_ready = w->mem->req_ready[MEM_OVFQ];
  i->wbeat_take = w->mem->wbeat_take[MEM_OVFQ];
  i->b_valid = w->mem->b_valid[MEM_OVFQ];
  i->b_error = w->mem->b_error;
  i->r_valid = w->mem->r_valid[MEM_OVFQ];
  i->r = w->mem->r;
  hd_ovfq_tick(ovfq_of(m), i);
}

static void step_agc(struct hd_top *m, struct hd_top_wires *w, const struct hd_top_in *in) {
  const struct hd_sched *s = hd_top_sched(m);
  const struct hd_agc *agc = hd_top_agc(m);
  const uint64_t *left = hd_top_kd(m)->left;
  bool group = holds_group(s), parked_leaves = false;
  struct hd_agc_in *i = &w->agc_in;
  for (unsigned k = 0; k < HD_WORDS(m->num_kde); k++) parked_leaves |= (left[k] & agc->parked[k]) != 0;
  i->load_valid = w->choice.sscr.load == HD_LOAD_GROUP;
  i->grant_group = hd_sched_grants(&w->choice) && group;
  i->park_valid = w->choice.sscr.park && group;
  i->retire_valid = s->retired_valid && s->retired.age_valid;
  if (!HD_AWAKE(w, agc) && !i->load_valid && !i->grant_group && !i->park_valid && !i->retire_valid && !parked_leaves)
    return;
  i->load_ptr = i->load_valid ? w->agt->group.self : (struct hd_ptr){0};
  i->grant_end = w->choice.sscr.unit_end && group;
  i->park_kdei = s->sscr.kdei;
  hd_bits_to_bytes(i->left, left, m->num_kde);
  i->retire = s->retired;
  i->record_done_ready = in->record_done_ready;
  hd_agc_tick(agc_of(m), i);
}

static void step_kin(struct hd_top *m, struct hd_top_wires *w, const struct hd_top_in *in) {
  struct hd_kin_in *i = &w->kin_in;
  if (!HD_AWAKE(w, kin)) return; /* a birth occurs only while devq is active, and then kin is too */
  i->birth_valid = w->devq->birth_valid;
  i->birth_kin = w->devq->birth_kin;
  i->birth_new = w->devq->birth_new;
  i->kernel_done_ready = in->kernel_done_ready;
  hd_kin_tick(kin_of(m), i);
}

static void step_pool(struct hd_top *m, struct hd_top_wires *w) {
  const uint32_t *config = hd_top_regs(m)->config;
  struct hd_pool_in *i = &w->pool_in;
  i->stream_done_valid = w->kin->stream_done_valid;
  if (!HD_AWAKE(w, pool) && !i->stream_done_valid) return; /* a push occurs only while devq is active */
  i->dev_base = config[HD_CONFIG_DEV_BASE];
  i->dev_count = config[HD_CONFIG_DEV_COUNT];
  i->push_valid = w->devq->push_valid;
  i->push = w->devq->push;
  i->policy = (uint8_t)w->policy;
  i->head_pop = w->kmu.pick.from == HD_KMU_DEVICE;
  i->stream_done = w->kin->stream_done;
  i->lost_ready = w->kin->lost_ready;
  i->req_ready = w->mem->req_ready[MEM_POOL];
  i->wbeat_take = w->mem->wbeat_take[MEM_POOL];
  i->b_valid = w->mem->b_valid[MEM_POOL];
  i->b_error = w->mem->b_error;
  i->r_valid = w->mem->r_valid[MEM_POOL];
  i->r = w->mem->r;
  hd_pool_tick(pool_of(m), i);
}

/* Before link: the list of the suspended kernel is link's output of this cycle. */
static void step_susp(struct hd_top *m, struct hd_top_wires *w) {
  const struct hd_sched *s = hd_top_sched(m);
  const struct hd_kd *kd = hd_top_kd(m);
  unsigned cur = s->sscr.kdei, reading = hd_top_susp(m)->sv_kdei;
  struct hd_susp_in *i = &w->susp_in;
  i->save_valid = w->devq->save_valid;
  i->suspend_valid = kd->susp_state == HD_KD_SEND;
  i->resume_valid = w->kin->resume_valid;
  bool reported = i->save_valid || i->suspend_valid || i->resume_valid || (s->sscr.valid && kd->entry[cur].sav_count);
  if (!HD_AWAKE(w, susp) && !reported) return;
  i->save_kin = w->devq->save_kin;
  i->save_pos = w->devq->save_pos;
  i->save_entry = w->devq->save_entry;
  if (i->suspend_valid) i->suspend = hd_kd_suspended(kd);
  i->list = w->link->list;
  i->taken = w->ovfq->taken;
  i->suspended_ready = w->kin->suspended_ready;
  i->resume_kin = w->kin->resume_kin;
  i->head_pop = w->kmu.pick.from == HD_KMU_RESUMED;
  i->cur_valid = s->sscr.valid;
  i->cur_kdei = s->sscr.kdei;
  i->sav_first[cur] = kd->entry[cur].sav_first;
  i->sav_count[cur] = kd->entry[cur].sav_count;
  i->kin[reading] = kd->entry[reading].kin;
  i->sv_pop = w->choice.sscr.load == HD_LOAD_SAVED;
  i->sus_base = hd_top_regs(m)->config[HD_CONFIG_SUS_BASE];
  i->req_ready = w->mem->req_ready[MEM_SUSP];
  i->wbeat_take = w->mem->wbeat_take[MEM_SUSP];
  i->b_valid = w->mem->b_valid[MEM_SUSP];
  i->b_error = w->mem->b_error;
  i->r_valid = w->mem->r_valid[MEM_SUSP];
  i->r = w->mem->r;
  hd_susp_tick(susp_of(m), i);
}

static void step_sched(struct hd_top *m, struct hd_top_wires *w, const struct hd_top_in *in) {
  uint64_t ready[HD_SMX_WORDS], done[HD_SMX_WORDS];
  hd_bits_from_bytes(ready, in->dispatch_ready, m->num_smx);
  hd_bits_from_bytes(done, in->cta_done_valid, m->num_smx);
  const struct hd_sched_edge e = {
      .env = &w->env,
      .need = hd_kd_need(hd_top_kd(m)),
      .desc = &hd_top_kd(m)->desc,
      .dispatch_ready = ready,
      .cta_done_valid = done,
      .cta_done_slot = in->cta_done_slot,
      .look_smx = w->devq->look_smx,
      .look_slot = w->devq->look_slot,
      .run_kdei = w->dats->run_valid ? w->dats->run_kdei : -1,
  };
  hd_sched_step(sched_of(m), &w->choice, &e);
}

/* Sets the inputs of spill, before the edge of LaPerm. */
static bool drive_spill(const struct hd_top *m, struct hd_top_wires *w) {
  const struct hd_laperm *banks = hd_top_laperm(m);
  const uint32_t *config = hd_top_regs(m)->config;
  struct hd_spill_in *i = &w->spill_in;
  i->put_valid = hd_laperm_puts(banks, &w->memory);
  if (!HD_AWAKE(w, spill) && !i->put_valid) return false;
  i->put_bank = banks->a3_bank;
  i->put_kdei = banks->a3_kdei;
  i->put_info = banks->a3_info;
  for (unsigned b = 0; b < banks->cfg.num_bank; b++) i->place[b] = hd_laperm_place(banks, b);
  i->back_ready = hd_laperm_takes_back(banks, &w->memory);
  i->base = config[HD_CONFIG_SPILL_BASE];
  i->count = config[HD_CONFIG_SPILL_COUNT];
  i->req_ready = w->mem->req_ready[MEM_SPILL];
  i->wbeat_take = w->mem->wbeat_take[MEM_SPILL];
  i->b_valid = w->mem->b_valid[MEM_SPILL];
  i->b_error = w->mem->b_error;
  i->r_valid = w->mem->r_valid[MEM_SPILL];
  i->r = w->mem->r;
  return true;
}

static void step_laperm(struct hd_top *m, const struct hd_top_wires *w) {
  const struct hd_devq_out *q = w->devq;
  const struct hd_laperm_edge e = {.policy = w->policy,
                                   .group = q->a2_group ? &q->a2_info : NULL,
                                   .group_kdei = q->a2_kdei,
                                   .group_smx = q->a2_smx,
                                   .enter = w->enter_kdei >= 0 ? &w->offered : NULL,
                                   .take_bank = w->choice.take_bank,
                                   .take_smx = w->choice.grant_smx >= 0 ? (unsigned)w->choice.grant_smx : 0,
                                   .take_spare = w->choice.spare,
                                   .grant = hd_sched_grants(&w->choice) || w->choice.graph,
                                   .grant_level = w->choice.level,
                                   .memory = w->memory};
  hd_laperm_step(laperm_of(m), &e);
}

/* The edge, block by block, each before the neighbours whose registers it reads. Outputs of a block that steps earlier
 * are in the wires, or are saved first. */
void hd_top_step(struct hd_top *m, struct hd_top_wires *w, const struct hd_top_in *in) {
  uint64_t groups[HD_KDE_WORDS], unanswered[HD_KDE_WORDS];
  const bool busy = hd_kd_busy(hd_top_kd(m)) || hd_kin_busy(hd_top_kin(m));
  const struct hd_kd_edge kd = kd_edge(m, w, groups, unanswered);
  const struct hd_fcfs_edge marks = {.unmark = w->choice.sscr.unmark,
                                     .rotate = w->choice.sscr.rotate,
                                     .mark_kdei = w->link->link_valid ? w->link->link_kdei : -1,
                                     .enter_kdei = w->marked_kdei};
  hd_top_step_graph(m, w);
  step_match(m, w);
  step_agt(m, w);
  step_susp(m, w);
  step_ovfq(m, w);
  step_link(m, w);
  step_agc(m, w, in);
  step_kin(m, w, in);
  step_pool(m, w);
  if (HD_AWAKE(w, devq)) hd_devq_tick(devq_of(m), &w->devq_in);
  hd_top_step_throttle(m, in);
  hd_top_step_regs(m, w, in, busy);
  if (HD_AWAKE(w, mem)) hd_memarb_tick(memarb_of(m), &w->mem_in);
  step_sched(m, w, in);
  bool spills = drive_spill(m, w);
  step_laperm(m, w);
  if (spills) hd_spill_tick(spill_of(m), &w->spill_in);
  hd_kd_step(kd_of(m), &kd);
  hd_fcfs_step(fcfs_of(m), &marks);
  hd_kmu_step(kmu_of(m), &w->kmu);
}
