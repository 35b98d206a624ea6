/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include <string.h>

#include "top/top_inside.h"

/* Outputs of a block at rest. */
static const struct hd_devq_out devq_idle_out; /* except dev_launch_ready: all 1, in top.c */
static const struct hd_match_out match_idle_out;
static const struct hd_link_out link_idle_out;
static const struct hd_ovfq_out ovfq_idle_out = {.room = 1}; /* except there, one and full, from its functions */
static const struct hd_agt_out agt_idle_out;
static const struct hd_agc_out agc_idle_out;
static const struct hd_kin_out kin_idle_out = {.lost_ready = 1, .leave_ready = 1, .suspended_ready = 1};
static const struct hd_pool_out pool_idle_out = {.room.ready = 1, .room.two = 1};
static const struct hd_susp_out susp_idle_out = {.save_room = 1, .suspend_free = 1, .resume_ready = 1};
static const struct hd_spill_out spill_idle_out; /* except room and rows, from its functions */

static bool launches(const struct hd_top *m, const struct hd_top_in *in) {
  return memchr(in->dev_launch_valid, 1, m->num_smx) != NULL;
}

static void settle_pool(const struct hd_top *m, struct hd_top_wires *w, bool asked) {
  const uint32_t *config = hd_top_regs(m)->config;
  w->pool = &pool_idle_out;
  if (hd_pool_quiet(hd_top_pool(m)) && !asked) return;
  w->pool_in.regs_config.dev_base = config[HD_CONFIG_DEV_BASE];
  w->pool_in.regs_config.dev_count = config[HD_CONFIG_DEV_COUNT];
  hd_pool_eval(hd_top_pool(m), &w->pool_in, &w->pool_out);
  w->pool = &w->pool_out;
}

static void settle_susp(const struct hd_top *m, struct hd_top_wires *w, bool asked) {
  w->susp = &susp_idle_out;
  if (hd_susp_quiet(hd_top_susp(m)) && !asked) return;
  hd_susp_eval(hd_top_susp(m), &w->susp_in, &w->susp_out);
  w->susp = &w->susp_out;
}

/* Before all users of LaPerm's outputs. Of these spill needs only `place`, which depends on LaPerm's state alone. */
static void settle_spill(const struct hd_top *m, struct hd_top_wires *w) {
  const struct hd_spill *spill = hd_top_spill(m);
  const struct hd_laperm *banks = hd_top_laperm(m);
  const uint32_t *config = hd_top_regs(m)->config;
  struct hd_spill_in *i = &w->spill_in;
  w->spill = &spill_idle_out;
  w->memory = (struct hd_laperm_memory){.room = hd_spill_room(spill)};
  i->regs_config.spill_base = config[HD_CONFIG_SPILL_BASE]; /* the edge uses them as well: before that of regs */
  i->regs_config.spill_count = config[HD_CONFIG_SPILL_COUNT];
  if (hd_spill_quiet(spill, i->regs_config.spill_count)) return;
  for (unsigned b = 0; b < banks->cfg.num_bank; b++) i->laperm_place[b] = hd_laperm_place(banks, b);
  hd_spill_show(spill, i, &w->spill_out);
  w->spill = &w->spill_out;
  w->memory.held = hd_spill_held(spill);
  if (memchr(w->spill->reserve, 1, banks->cfg.num_bank)) w->memory.reserve = w->spill->reserve;
  if (hd_spill_releases(spill)) w->memory.release = w->spill->release;
  if (!w->spill->back.valid) return;
  w->memory.back = &w->spill->back.info;
  w->memory.back_kdei = w->spill->back.kdei;
  w->memory.back_bank = w->spill->back.bank;
}

static void settle_ovfq(const struct hd_top *m, struct hd_top_wires *w) {
  const uint32_t *config = hd_top_regs(m)->config;
  w->ovfq = &ovfq_idle_out;
  if (hd_ovfq_quiet(hd_top_ovfq(m))) return;
  w->ovfq_in.regs_config.rec_base = config[HD_CONFIG_REC_BASE];
  w->ovfq_in.regs_config.list_base = config[HD_CONFIG_LIST_BASE];
  hd_ovfq_eval(hd_top_ovfq(m), &w->ovfq_in, &w->ovfq_out);
  w->ovfq = &w->ovfq_out;
}

static void settle_kin(const struct hd_top *m, struct hd_top_wires *w, const struct hd_top_in *in, bool asked) {
  const struct hd_kd *kd = hd_top_kd(m);
  struct hd_kin_in *i = &w->kin_in;
  w->kin = &kin_idle_out;
  if (HD_TOP_LEFT_OUT(m, kin)) { /* a kernel that leaves the KD is complete */
    w->kin_out = kin_idle_out;
    w->kin_out.leave_ready = in->kernel_done_ready;
    w->kin_out.kernel_done_valid = kd->leave_valid;
    w->kin_out.kernel_done.tag = kd->leave.origin.tag;
    w->kin_out.kernel_done.failed = kd->leave.origin.failed;
    w->kin = &w->kin_out;
    return;
  }
  i->kd_leave.valid = kd->leave_valid;
  i->pool_lost.valid = w->pool->lost.valid;
  i->susp_suspended.valid = w->susp->suspended.valid;
  i->susp_kin_fail.valid = w->susp->kin_fail.valid;
  i->kd_rest.valid = hd_kd_rest_stays(kd);
  bool reported =
      i->kd_leave.valid || i->kd_rest.valid || i->pool_lost.valid || i->susp_suspended.valid || i->susp_kin_fail.valid;
  if (hd_kin_quiet(hd_top_kin(m)) && !reported && !asked) return;
  i->kd_leave = kd->leave;
  i->kd_leave.valid = kd->leave_valid;
  i->kd_rest.kin = i->kd_rest.valid ? kd->entry[kd->susp_kdei].kin : 0;
  i->susp_saving = w->susp->saving;
  i->pool_lost = w->pool->lost;
  i->susp_suspended = w->susp->suspended;
  i->susp_kin_fail = w->susp->kin_fail;
  i->susp_resume_ready = w->susp->resume_ready;
  i->kernel_done_ready = in->kernel_done_ready;
  hd_kin_eval(hd_top_kin(m), i, &w->kin_out);
  w->kin = &w->kin_out;
}

/* Decides what happens to the kernel that the KMU offers: a part of it may enter a bank. */
static void settle_enter(const struct hd_top *m, struct hd_top_wires *w) {
  const int alloc = hd_kd_alloc(hd_top_kd(m));
  const struct hd_kmu *kmu = hd_top_kmu(m);
  const struct hd_kernel *k = &kmu->kernel;
  w->policy = hd_regs_policy(hd_top_regs(m));
  w->enter = (struct hd_laperm_entry){0};
  if (kmu->kernel_valid) {
    w->offered = (struct hd_laperm_kernel){.progress = &k->progress,
                                           .ctas = k->ctas,
                                           .kdei = (uint8_t)(alloc < 0 ? 0 : alloc),
                                           .level = k->level,
                                           .smx = k->origin.smx,
                                           .pending = k->groups.pending,
                                           .graph = k->graph};
    w->enter = hd_laperm_enter(hd_top_laperm(m), &w->memory, w->policy, &w->offered);
    w->enter_progress = k->progress;
    w->enter_progress.ndone |= w->enter.bank;
  }
  w->kernel_ready = hd_kd_ready(hd_top_kd(m)) && !w->enter.wait;
  w->enter_kdei = kmu->kernel_valid && w->kernel_ready ? alloc : -1;
  w->marked_kdei = w->enter.mark ? w->enter_kdei : -1;
}

static void settle_kmu(const struct hd_top *m, struct hd_top_wires *w, const struct hd_top_in *in) {
  const struct hd_kd *kd = hd_top_kd(m);
  settle_enter(m, w);
  for (unsigned k = 0; k < kd->cfg.hwq_words; k++) w->reopen[k] = kd->reopen[k];
  if (hd_top_kin(m)->reopen_valid) hd_bit_set(w->reopen, hd_top_kin(m)->reopen_hwq);
  const struct hd_kmu_requests asks = {.policy = w->policy,
                                       .reopen = w->reopen,
                                       .kernel_ready = w->kernel_ready,
                                       .dev_valid = w->pool->head.valid,
                                       .res_valid = w->susp->head.valid,
                                       .graph_busy = w->dats->busy};
  w->kmu = (struct hd_kmu_edge){
      .pick = hd_kmu_pick(hd_top_kmu(m), &asks),
      .launch = in->host_launch_valid ? &in->host_launch : NULL,
      .dev = &w->pool->head.kernel,
      .res = &w->susp->head.kernel,
      .reopen = w->reopen,
      .answer_ready = in->host_answer_ready,
      .kernel_ready = w->kernel_ready,
  };
}

/* Sets the inputs of devq, except those from match and link. */
static void fill_devq(const struct hd_top *m, struct hd_top_wires *w, const struct hd_top_in *in) {
  const struct hd_kd *kd = hd_top_kd(m);
  const uint32_t *config = hd_top_regs(m)->config;
  unsigned parent = hd_top_sched(m)->look.kdei;
  struct hd_devq_in *d = &w->devq_in;
  const struct hd_laperm *p = hd_top_laperm(m);
  memcpy(d->dev_launch_valid, in->dev_launch_valid, m->num_smx);
  for (unsigned s = 0; s < m->num_smx; s++)
    if (in->dev_launch_valid[s]) d->dev_launch[s] = in->dev_launch[s];
  memcpy(d->dev_answer_ready, in->dev_answer_ready, m->num_smx);
  d->sched_look = hd_top_sched(m)->look;
  d->pool_room = w->pool->room;
  d->spill_rows = (uint8_t)hd_spill_rows(hd_top_spill(m));
  const bool banks = !HD_TOP_LEFT_OUT(m, laperm); /* without banks none is full: 7, the most that is shown */
  for (unsigned b = 0; b < p->cfg.num_bank; b++)
    d->laperm_bank_room[b] = banks ? (uint8_t)hd_laperm_room(p, &w->memory, b) : 7;
  memcpy(d->pool_stream_ok, w->pool->stream_ok, m->num_streams);
  d->kin_free = w->kin->free;
  d->kd_kin_valid[parent] = hd_bit(kd->kin_valid, parent);
  d->kd_kin[parent] = kd->entry[parent].kin;
  d->kd_save_ok[parent] = hd_kd_save_ok(kd, parent);
  d->kd_sav_first[parent] = kd->entry[parent].sav_first;
  d->kd_sav_count[parent] = kd->entry[parent].sav_count;
  d->susp_save_room = w->susp->save_room;
  d->regs_config.rec_count = config[HD_CONFIG_REC_COUNT];
  d->regs_config.sus_count = config[HD_CONFIG_SUS_COUNT];
}

static void settle_match(const struct hd_top *m, struct hd_top_wires *w) {
  const struct hd_kd *kd = hd_top_kd(m);
  struct hd_match_in *i = &w->match_in;
  w->match = &match_idle_out;
  if (HD_TOP_LEFT_OUT(m, match)) return;
  i->devq_find.valid = w->devq->find.valid;
  i->devq_find_take = 0;
  i->devq_find.first = w->devq->find.first;
  if (hd_match_quiet(hd_top_match(m)) && !i->devq_find.valid) return;
  i->devq_find.key = w->devq->find.key;
  for (unsigned k = 0; i->devq_find.valid && k < m->num_kde; k++) i->kd_eligible[k] = hd_kd_eligible(kd, k);
  hd_match_eval(hd_top_match(m), i, &w->match_out);
  w->match = &w->match_out;
}

static void settle_link(const struct hd_top *m, struct hd_top_wires *w, bool asked) {
  const struct hd_link *link = hd_top_link(m);
  const struct hd_kd *kd = hd_top_kd(m);
  struct hd_link_in *i = &w->link_in;
  w->link = &link_idle_out;
  if (HD_TOP_LEFT_OUT(m, link)) return;
  i->regs_config.policy = (uint8_t)w->policy;
  i->devq_group.valid = w->devq->group.valid && w->policy == HD_POLICY_RR;
  if (kd->susp_state == HD_KD_TAKE) i->ovfq_there[kd->susp_kdei] = hd_ovfq_there(hd_top_ovfq(m), kd->susp_kdei);
  i->kd_busy = hd_kd_busy(kd);
  i->kin_busy = hd_kin_busy(hd_top_kin(m));
  if (hd_link_quiet(link, i->kd_busy || i->kin_busy) && !asked) return;
  i->devq_group.kdei = w->devq->group.kdei;
  i->devq_group.smx = w->devq->group.smx;
  i->devq_group.hwtid = w->devq->group.hwtid;
  i->devq_group.record = w->devq->group.record;
  i->kd_failed[link->a3.kdei] = hd_bit(kd->failed, link->a3.kdei);
  i->ovfq_there[link->a3.kdei] = hd_ovfq_there(hd_top_ovfq(m), link->a3.kdei);
  hd_link_show(link, i, &w->link_out);
  w->link = &w->link_out;
  bool pushed = w->link->link.over && w->link->link.kdei == i->devq_group.kdei;
  i->ovfq_full[i->devq_group.kdei] = hd_ovfq_full(hd_top_ovfq(m), i->devq_group.kdei, pushed);
}

/* Launches: devq requests a search from match, link reports whether a group has room, devq decides. */
static void settle_launches(const struct hd_top *m, struct hd_top_wires *w, const struct hd_top_in *in, bool awake) {
  struct hd_devq_in *d = &w->devq_in;
  w->devq = &devq_idle_out;
  if (awake) {
    fill_devq(m, w, in);
    d->match_found.valid = d->match_found.hit = d->match_found.kdei = d->ovfq_room = d->link_kept = d->laperm_full =
        d->link_refused = 0;
    hd_devq_eval(hd_top_devq(m), d, &w->devq_out);
    w->devq = &w->devq_out;
  }
  settle_match(m, w);
  settle_link(m, w, awake);
  if (!awake) return;
  d->match_found = w->match->found;
  d->ovfq_room = w->ovfq->room;
  d->link_kept = w->link->kept;
  d->laperm_full = hd_laperm_full(hd_top_laperm(m));
  d->link_refused = w->link->refused;
  hd_devq_eval(hd_top_devq(m), d, &w->devq_out);
  w->match_in.devq_find_take = w->devq->find_take;
}

/* All inputs but group_pop. */
static void settle_agt(const struct hd_top *m, struct hd_top_wires *w) {
  const struct hd_sched_sscr *sscr = &hd_top_sched(m)->sscr;
  const struct hd_agt *agt = hd_top_agt(m);
  const struct hd_list *list = hd_top_link(m)->list;
  struct hd_agt_in *i = &w->agt_in;
  unsigned cur = i->sched_sscr.kdei = sscr->kdei;
  w->agt = &agt_idle_out;
  if (HD_TOP_LEFT_OUT(m, agt)) return;
  i->sched_sscr.valid = sscr->valid;
  i->link_alloc.valid = w->link->alloc.valid;
  i->link_link.valid = w->link->link.valid;
  i->devq_group.info = w->devq->group.info;
  i->ovfq_over.valid = w->ovfq->over.valid;
  hd_top_fail_events(w, i->fails);
  bool same = agt->wk_valid == i->sched_sscr.valid && agt->wk_kdei == cur,
       reported = i->link_alloc.valid || i->link_link.valid;
  reported |= i->fails[0].valid || i->fails[1].valid || i->fails[2].valid || i->fails[3].valid || i->ovfq_over.valid;
  reported |= w->devq->group.valid || (i->sched_sscr.valid && list[cur].chained);
  if (hd_agt_quiet(agt) && same && !reported) return;
  const unsigned selected[] = {cur, agt->wk_kdei};
  for (unsigned k = 0; k < 2; k++) {
    i->link_chained[selected[k]] = list[selected[k]].chained;
    i->link_nagei[selected[k]] = list[selected[k]].nagei;
    i->link_lagei[selected[k]] = list[selected[k]].lagei;
  }
  i->link_alloc = w->link->alloc;
  i->link_link = w->link->link;
  i->ovfq_over = w->ovfq->over;
  hd_agt_eval(agt, i, &w->agt_out);
  w->agt = &w->agt_out;
}

static void settle_agc(const struct hd_top *m, struct hd_top_wires *w) {
  w->agc = &agc_idle_out;
  if (hd_agc_quiet(hd_top_agc(m))) return;
  hd_agc_eval(hd_top_agc(m), &w->agc_in, &w->agc_out);
  w->agc = &w->agc_out;
}

static bool single(const struct hd_top *m, unsigned kdei) {
  const struct hd_ovfq *over = hd_top_ovfq(m);
  return hd_link_single(&hd_top_link(m)->list[kdei], hd_ovfq_there(over, kdei), hd_ovfq_one(over, kdei));
}

static struct hd_sscr_kernel kernel_of(const struct hd_top *m, unsigned kdei) {
  const struct hd_kd *kd = hd_top_kd(m);
  const struct hd_kd_entry *e = &kd->entry[kdei];
  return (struct hd_sscr_kernel){.ctas = e->ctas,
                                 .nextbl = e->nextbl,
                                 .sav_count = e->sav_count,
                                 .level = e->level,
                                 .ndone = hd_bit(kd->ndone, kdei),
                                 .suspending = hd_bit(kd->suspending, kdei),
                                 .failed = hd_bit(kd->failed, kdei),
                                 .pending = hd_top_pending(m, kdei),
                                 .single = single(m, kdei)};
}

/* Returns a bank and the need of a TB of its front. */
static struct hd_sched_source source(const struct hd_top *m, const struct hd_top_wires *w, int bank) {
  const struct hd_kd *kd = hd_top_kd(m);
  if (bank < 0) return (struct hd_sched_source){-1, NULL};
  const unsigned kdei = w->front[bank].entry->kdei;
  const bool full = hd_bit(kd->sav_full, kdei);
  return (struct hd_sched_source){bank, full ? hd_laperm_no_room(hd_top_laperm(m)) : &kd->need[kdei]};
}

/* Sets the TBs offered to SMXs from banks. */
static void settle_banks(const struct hd_top *m, struct hd_top_wires *w) {
  const struct hd_laperm *banks = hd_top_laperm(m);
  if (!hd_laperm_any(banks)) return;
  for (unsigned b = 0; b < banks->cfg.num_bank; b++) {
    if (hd_laperm_holds(banks, b))
      w->front[b] =
          (struct hd_sched_front){hd_laperm_front(banks, b), hd_laperm_nextbl(banks, b), hd_laperm_last(banks, b)};
  }
  for (unsigned s = 0; s < m->num_smx; s++) {
    const struct hd_laperm_order_offer o = hd_laperm_offer(banks, w->policy, s);
    w->bound[s] = source(m, w, o.bound);
    w->spare[s] = source(m, w, o.spare);
  }
  w->env.bound = w->bound;
  w->env.spare = w->spare;
  w->env.front = w->front;
  const int then = hd_laperm_then(banks);
  w->env.then = then >= 0 ? &hd_top_kd(m)->need[then] : NULL;
}

/* Sets the available groups and saved TBs, and the scheduler's choice. */
static void settle_choice(const struct hd_top *m, struct hd_top_wires *w) {
  const struct hd_sched *s = hd_top_sched(m);
  const struct hd_fcfs *fcfs = hd_top_fcfs(m);
  const struct hd_kernel *kernel = &hd_top_kmu(m)->kernel;
  struct hd_sscr_env *e = &w->env.sscr;
  w->env = (struct hd_sched_env){0};
  *e = (struct hd_sscr_env){
      .enter_kdei = w->marked_kdei,
      .enter_need = &kernel->need,
      .enter_progress = &w->enter_progress,
      .enter_ctas = kernel->ctas,
      .enter_level = kernel->level,
      .link_marked = w->link->link.valid && hd_bit(fcfs->marked, w->link->link.kdei),
      .link_kdei = w->link->link.valid ? w->link->link.kdei : -1,
      .next_kdei = fcfs->count > 1 ? fcfs->order[1] : -1,
      .group = w->agt->group.valid ? &w->agt->group.group : NULL,
      .sv = w->susp->saved.valid ? &w->susp->saved.tb : NULL,
      .group_kdei = w->agt->group.kdei,
      .sv_kdei = w->susp->saved.kdei,
      .slot = w->agt->group.valid ? hd_agc_slot(hd_top_agc(m)) : -1, /* not used otherwise */
  };
  if (s->sscr.valid) e->cur = kernel_of(m, s->sscr.kdei);
  if (fcfs->count > 1) e->next = kernel_of(m, fcfs->order[1]);
  settle_banks(m, w);
  hd_top_settle_throttle(m, w);
  w->env.steal = hd_top_kd(m)->susp_state == HD_KD_TAKE;
  w->env.node = w->node_valid ? &w->node : NULL;
  w->choice = hd_sched_choose(s, &w->env);
}

void hd_top_settle(const struct hd_top *m, struct hd_top_wires *w, const struct hd_top_in *in) {
  bool launching = !hd_devq_quiet(hd_top_devq(m)) || launches(m, in);
  bool asked = launching && !HD_TOP_LEFT_OUT(m, devq); /* otherwise every launch is refused */
  settle_spill(m, w);
  settle_pool(m, w, asked);
  settle_susp(m, w, asked);
  settle_ovfq(m, w);
  settle_kin(m, w, in, asked);
  hd_top_settle_graph(m, w);
  settle_kmu(m, w, in);
  settle_launches(m, w, in, launching);
  settle_agt(m, w);
  settle_agc(m, w);
  settle_choice(m, w);
  hd_top_settle_memory(m, w, in);
}
