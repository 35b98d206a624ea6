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
      .queue_kdei = hd_laperm_pushes(hd_top_laperm(m)),
      .serve_kdei = w->choice.take_bank >= 0 ? w->front[w->choice.take_bank].entry->kdei : -1,
      .serve_last = w->choice.take_bank >= 0 && w->front[w->choice.take_bank].last,
      .node_kdei = w->choice.graph ? w->dats->run.kdei : -1,
      .graph_end_kdei = w->dats->over.valid ? w->dats->over.kdei : -1,
      .graph_fails = w->dats->over.result.code != HD_GCODE_FINE,
      .cur_kdei = s->sscr.valid ? s->sscr.kdei : 0,
      .kind = s->sscr.unit.kind,
      .grant = hd_sched_grants(&w->choice),
      .retire_kdei = s->retired_valid ? s->retired.kdei : -1,
      .unit_end = w->choice.sscr.unit_end,
      .park = w->choice.sscr.park,
      .park_nextbl = s->sscr.nextbl,
      .hold_kdei = w->devq->hold.valid ? w->devq->hold.kdei : -1,
      .unhold_kdei = w->devq->unhold.valid ? w->devq->unhold.kdei : -1,
      .birth_kdei = w->devq->birth.valid ? w->devq->birth.kdei : -1,
      .save_kdei = w->devq->save.valid ? w->devq->save.kdei : -1,
      .birth_kin = w->devq->birth.kin,
      .fail_kdei = {w->ovfq->write_fail.valid ? w->ovfq->write_fail.kdei : -1,
                    w->ovfq->fetch_fail.valid ? w->ovfq->fetch_fail.kdei : -1,
                    w->susp->chunk_fail.valid ? w->susp->chunk_fail.kdei : -1,
                    w->spill->lost.valid ? w->spill->lost.kdei : -1},
      .suspend_free = w->susp->suspend_free,
      .leave_ready = w->kin->leave_ready,
  };
}

static void step_match(struct hd_top *m, struct hd_top_wires *w) {
  const struct hd_kernel *kernel = &hd_top_kmu(m)->kernel;
  struct hd_match_in *i = &w->match_in;
  if (HD_TOP_LEFT_OUT(m, match)) return;
  bool enter = w->enter_kdei >= 0;
  if (!HD_AWAKE(w, match) && !enter && !i->devq_find.first) return;
  i->kd_entry.valid = enter;
  if (enter) {
    i->kd_entry.kdei = (uint8_t)w->enter_kdei;
    i->kmu_offer.kernel.desc = kernel->desc;
    i->kmu_offer.kernel.need = kernel->need;
  }
  hd_match_tick(match_of(m), i);
}

static void step_link(struct hd_top *m, struct hd_top_wires *w) {
  const struct hd_sched *s = hd_top_sched(m);
  const struct hd_kd *kd = hd_top_kd(m);
  struct hd_link_in *i = &w->link_in;
  if (HD_TOP_LEFT_OUT(m, link)) return;
  i->sched_advance = w->choice.sscr.unit_end && holds_group(s);
  hd_top_fail_events(w, i->fails);
  i->kd_take.valid = kd->susp_state == HD_KD_TAKE;
  i->kd_entry.valid = w->enter_kdei >= 0;
  i->agc_free.valid = w->agc->free.valid;
  bool failed = i->fails[0].valid || i->fails[1].valid || i->fails[2].valid || i->fails[3].valid;
  bool reported = i->sched_advance || failed || i->kd_take.valid || i->kd_entry.valid || i->agc_free.valid;
  if (!HD_AWAKE(w, link) && !reported) return;
  i->sched_sscr.kdei = i->sched_advance ? s->sscr.kdei : 0;
  i->agt_succ = w->agt->succ;
  i->kd_take.kdei = i->kd_take.valid ? kd->susp_kdei : 0;
  i->kd_entry.kdei = (uint8_t)(i->kd_entry.valid ? w->enter_kdei : 0);
  i->kmu_offer.kernel.groups = hd_top_kmu(m)->kernel.groups;
  i->agc_free.index = w->agc->free.index;
  hd_link_tick(link_of(m), i);
}

static void step_agt(struct hd_top *m, struct hd_top_wires *w) {
  if (!HD_AWAKE(w, agt)) return;
  w->agt_in.sched_group_pop = w->choice.sscr.load == HD_LOAD_GROUP;
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
  if (HD_TOP_LEFT_OUT(m, ovfq)) return;
  i->link_link.over = w->link->link.over;
  i->sched_advance = w->choice.sscr.unit_end && holds_group(s);
  i->fails[0].valid = w->susp->chunk_fail.valid;
  i->fails[1].valid = w->spill->lost.valid;
  i->kd_take.valid = kd->susp_state == HD_KD_TAKE;
  i->kd_entry.valid = w->enter_kdei >= 0;
  i->sched_sscr.valid = s->sscr.valid;
  i->sched_sscr.kdei = s->sscr.kdei;
  i->regs_config.rec_count = config[HD_CONFIG_REC_COUNT];
  bool reported = i->link_link.over || i->sched_advance || i->fails[0].valid || i->fails[1].valid || i->kd_take.valid ||
                  i->kd_entry.valid;
  if (!HD_AWAKE(w, ovfq) && !reported && hd_ovfq_is_idle(ovfq, i)) return;
  i->link_link.kdei = w->link->link.kdei;
  i->link_link.ptr = w->link->link.ptr;
  i->link_chained[i->sched_sscr.kdei] = hd_top_link(m)->list[i->sched_sscr.kdei].chained;
  i->fails[0].kdei = w->susp->chunk_fail.kdei;
  i->fails[1].kdei = w->spill->lost.kdei;
  i->kd_take.kdei = i->kd_take.valid ? kd->susp_kdei : 0;
  i->kd_kin[i->kd_take.kdei] = kd->entry[i->kd_take.kdei].kin;
  i->kd_entry.kdei = (uint8_t)(i->kd_entry.valid ? w->enter_kdei : 0);
  i->kmu_offer.kernel.resumed = kernel->resumed;
  i->kmu_offer.kernel.kin = kernel->kin;
  i->kmu_offer.kernel.over = kernel->over;
  i->sched_events.waiting = hd_sscr_waiting(&s->sscr);
  i->agt_over_pop = w->agt->over_pop;
  i->regs_config.rec_base = config[HD_CONFIG_REC_BASE];
  i->regs_config.list_base = config[HD_CONFIG_LIST_BASE];
  i->mem = w->mem->mem[MEM_OVFQ];
  hd_ovfq_tick(ovfq_of(m), i);
}

static void step_agc(struct hd_top *m, struct hd_top_wires *w, const struct hd_top_in *in) {
  const struct hd_sched *s = hd_top_sched(m);
  const struct hd_agc *agc = hd_top_agc(m);
  const uint64_t *left = hd_top_kd(m)->left;
  bool group = holds_group(s), parked_leaves = false;
  struct hd_agc_in *i = &w->agc_in;
  if (HD_TOP_LEFT_OUT(m, agc)) return;
  for (unsigned k = 0; k < HD_WORDS(m->num_kde); k++) parked_leaves |= (left[k] & agc->parked[k]) != 0;
  i->sched_hand.load = w->choice.sscr.load == HD_LOAD_GROUP;
  i->sched_hand.grant = hd_sched_grants(&w->choice) && group;
  i->sched_hand.park = w->choice.sscr.park && group;
  i->sched_retire.valid = s->retired_valid && s->retired.age_valid;
  if (!HD_AWAKE(w, agc) && !i->sched_hand.load && !i->sched_hand.grant && !i->sched_hand.park &&
      !i->sched_retire.valid && !parked_leaves)
    return;
  i->sched_hand.ptr = i->sched_hand.load ? w->agt->group.group.self : (struct hd_ptr){0};
  i->sched_hand.last = w->choice.sscr.unit_end && group;
  i->sched_sscr.kdei = s->sscr.kdei;
  hd_bits_to_bytes(i->kd_left, left, m->num_kde);
  i->sched_retire.tb = s->retired;
  i->record_done_ready = in->record_done_ready;
  hd_agc_tick(agc_of(m), i);
}

static void step_kin(struct hd_top *m, struct hd_top_wires *w, const struct hd_top_in *in) {
  struct hd_kin_in *i = &w->kin_in;
  if (HD_TOP_LEFT_OUT(m, kin) || !HD_AWAKE(w, kin))
    return; /* a birth occurs only while devq is active, and then kin is too */
  i->devq_birth.valid = w->devq->birth.valid;
  i->devq_birth.kin = w->devq->birth.kin;
  i->devq_birth.alloc = w->devq->birth.alloc;
  i->kernel_done_ready = in->kernel_done_ready;
  hd_kin_tick(kin_of(m), i);
}

static void step_pool(struct hd_top *m, struct hd_top_wires *w) {
  const uint32_t *config = hd_top_regs(m)->config;
  struct hd_pool_in *i = &w->pool_in;
  i->kin_stream_done.valid = w->kin->stream_done.valid;
  if (!HD_AWAKE(w, pool) && !i->kin_stream_done.valid) return; /* a push occurs only while devq is active */
  i->regs_config.dev_base = config[HD_CONFIG_DEV_BASE];
  i->regs_config.dev_count = config[HD_CONFIG_DEV_COUNT];
  i->devq_push = w->devq->push;
  i->regs_config.policy = (uint8_t)w->policy;
  i->kmu_pool_pop = w->kmu.pick.from == HD_KMU_DEVICE;
  i->kin_stream_done.stream = w->kin->stream_done.stream;
  i->kin_lost_ready = w->kin->lost_ready;
  i->mem = w->mem->mem[MEM_POOL];
  hd_pool_tick(pool_of(m), i);
}

/* Before link: the list of the suspended kernel is link's output of this cycle. */
static void step_susp(struct hd_top *m, struct hd_top_wires *w) {
  const struct hd_sched *s = hd_top_sched(m);
  const struct hd_kd *kd = hd_top_kd(m);
  unsigned cur = s->sscr.kdei, reading = hd_top_susp(m)->sv_kdei;
  struct hd_susp_in *i = &w->susp_in;
  i->devq_save.valid = w->devq->save.valid;
  i->kd_suspend.valid = kd->susp_state == HD_KD_SEND;
  i->kin_resume.valid = w->kin->resume.valid;
  bool reported =
      i->devq_save.valid || i->kd_suspend.valid || i->kin_resume.valid || (s->sscr.valid && kd->entry[cur].sav_count);
  if (!HD_AWAKE(w, susp) && !reported) return;
  i->devq_save.kin = w->devq->save.kin;
  i->devq_save.pos = w->devq->save.pos;
  i->devq_save.tb = w->devq->save.tb;
  if (i->kd_suspend.valid) i->kd_suspend.kernel = hd_kd_suspended(kd);
  i->link_list = w->link->list;
  i->ovfq_taken = w->ovfq->taken;
  i->kin_suspended_ready = w->kin->suspended_ready;
  i->kin_resume.kin = w->kin->resume.kin;
  i->kmu_susp_pop = w->kmu.pick.from == HD_KMU_RESUMED;
  i->sched_sscr.valid = s->sscr.valid;
  i->sched_sscr.kdei = s->sscr.kdei;
  i->kd_sav_first[cur] = kd->entry[cur].sav_first;
  i->kd_sav_count[cur] = kd->entry[cur].sav_count;
  i->kd_kin[reading] = kd->entry[reading].kin;
  i->sched_saved_pop = w->choice.sscr.load == HD_LOAD_SAVED;
  i->regs_config.sus_base = hd_top_regs(m)->config[HD_CONFIG_SUS_BASE];
  i->mem = w->mem->mem[MEM_SUSP];
  hd_susp_tick(susp_of(m), i);
}

static void step_sched(struct hd_top *m, struct hd_top_wires *w, const struct hd_top_in *in) {
  uint64_t ready[HD_SMX_WORDS], done[HD_SMX_WORDS];
  hd_bits_from_bytes(ready, in->dispatch_ready, m->num_smx);
  hd_bits_from_bytes(done, in->cta_done_valid, m->num_smx);
  const struct hd_sched_edge e = {
      .env = &w->env,
      .need = hd_top_kd(m)->need,
      .desc = &hd_top_kd(m)->desc,
      .dispatch_ready = ready,
      .cta_done_valid = done,
      .cta_done_slot = in->cta_done_slot,
      .look_smx = w->devq->look.smx,
      .look_slot = w->devq->look.slot,
      .run_kdei = w->dats->run.valid ? w->dats->run.kdei : -1,
  };
  hd_sched_step(sched_of(m), &w->choice, &e);
}

/* Sets the other inputs of spill, before the edge of LaPerm. A spill at rest reads no place. */
static bool drive_spill(const struct hd_top *m, struct hd_top_wires *w) {
  const struct hd_laperm *banks = hd_top_laperm(m);
  struct hd_spill_in *i = &w->spill_in;
  i->laperm_put.valid = hd_laperm_puts(banks);
  if (!HD_AWAKE(w, spill) && !i->laperm_put.valid) return false;
  i->laperm_put.bank = banks->a3_bank;
  i->laperm_put.kdei = banks->a3_kdei;
  i->laperm_put.info = banks->a3_info;
  i->laperm_back_ready = hd_laperm_takes_back(banks, &w->memory);
  i->mem = w->mem->mem[MEM_SPILL];
  return true;
}

static void step_laperm(struct hd_top *m, const struct hd_top_wires *w) {
  const struct hd_devq_out *q = w->devq;
  const struct hd_laperm_edge e = {.policy = w->policy,
                                   .group = q->group.valid ? &q->group.info : NULL,
                                   .group_kdei = q->group.kdei,
                                   .group_smx = q->group.smx,
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
                                     .mark_kdei = w->link->link.valid ? w->link->link.kdei : -1,
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
