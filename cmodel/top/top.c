/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "top/top.h"

#include <string.h>

/* Each block by its place in the state. */
#define OF(b)                                               \
  static struct hd_##b *b##_of(struct hd_top *m) {          \
    return (struct hd_##b *)(void *)(m->block + m->b##_at); \
  }
HD_TOP_BLOCKS(OF)

#define AXI_SIZE_16_BYTES 4
#define AXI_BURST_INCR 1

/* Clients of the memory port. */
enum { MEM_LINK, MEM_AGT, MEM_POOL, MEM_SUSP };

/* Lays the blocks out one after the other, each at a multiple of 8 bytes; returns the words that they take. */
static uint32_t lay_out(struct hd_top *m, const struct hd_cfg *cfg) {
  uint32_t at = 0;
#define PLACE(b)  \
  m->b##_at = at; \
  at += HD_WORDS(8 * (uint32_t)hd_##b##_size(cfg));
  HD_TOP_BLOCKS(PLACE)
  return at;
}

size_t hd_top_size(const struct hd_cfg *cfg) {
  struct hd_top layout;
  return sizeof layout + lay_out(&layout, cfg) * sizeof(uint64_t);
}

void hd_top_init(struct hd_top *m, const struct hd_cfg *cfg) {
  m->size = (uint32_t)hd_top_size(cfg);
  memset(m, 0, m->size);
  m->size = (uint32_t)hd_top_size(cfg);
  m->num_smx = cfg->num_smx;
  m->num_kde = cfg->num_kde;
  m->num_hwq = cfg->num_hwq;
  m->num_streams = cfg->num_streams;
  m->next_depth = cfg->next_depth;
  lay_out(m, cfg);
#define INIT(b) hd_##b##_init(b##_of(m), cfg);
  HD_TOP_BLOCKS(INIT)
}

void hd_top_reset(struct hd_top *m) {
#define RESET(b) hd_##b##_reset(b##_of(m));
  HD_TOP_BLOCKS(RESET)
}

/* ---- The wires between the blocks in one cycle ---- */

/* Of the blocks of device launches most have nothing to do most of the time. Such a block is passed over: its outputs
 * are those of a block at rest, its edge changes nothing. The port structs below are filled in only for those awake,
 * and of vectors only the elements that are looked at. */
struct wires {
  struct hd_devq_in devq_in;
  struct hd_match_in match_in;
  struct hd_link_in link_in;
  struct hd_agt_in agt_in;
  struct hd_agc_in agc_in;
  struct hd_kin_in kin_in;
  struct hd_pool_in pool_in;
  struct hd_susp_in susp_in;
  struct hd_memarb_in mem_in;
  struct hd_devq_out devq_out;
  struct hd_match_out match_out;
  struct hd_link_out link_out;
  struct hd_agt_out agt_out;
  struct hd_agc_out agc_out;
  struct hd_kin_out kin_out;
  struct hd_pool_out pool_out;
  struct hd_susp_out susp_out;
  struct hd_memarb_out mem_out;
  /* What the blocks show: one of the above, or a block at rest. */
  const struct hd_devq_out *devq;
  const struct hd_match_out *match;
  const struct hd_link_out *link;
  const struct hd_agt_out *agt;
  const struct hd_agc_out *agc;
  const struct hd_kin_out *kin;
  const struct hd_pool_out *pool;
  const struct hd_susp_out *susp;
  const struct hd_memarb_out *mem;
  uint64_t reopen[HD_WORDS(HD_MAX_NUM_HWQ)];
  struct hd_kmu_edge kmu;
  int enter_kdei; /* the entry of the kernel that goes from KMU to KD, or -1 */
  bool kernel_ready;
  unsigned policy;
  struct hd_laperm_kernel offered; /* the kernel that the KMU offers, and what becomes of it */
  struct hd_laperm_entry enter;
  struct hd_progress enter_progress; /* as the SSCR sees it */
  struct hd_sched_source bound[HD_MAX_NUM_SMX], spare[HD_MAX_NUM_SMX];
  struct hd_sched_front front[HD_MAX_NUM_SMX];
  struct hd_sched_env env;
  struct hd_sched_choice choice;
};

static const struct hd_devq_out devq_rests; /* dev_launch_ready aside: show() */
static const struct hd_match_out match_rests;
static const struct hd_link_out link_rests = {.next_room = 1};
static const struct hd_agt_out agt_rests;
static const struct hd_agc_out agc_rests;
static const struct hd_kin_out kin_rests = {.lost_ready = 1, .leave_ready = 1, .suspended_ready = 1};
static const struct hd_pool_out pool_rests = {.pool_ready = 1};
static const struct hd_susp_out susp_rests = {.save_room = 1, .suspend_free = 1, .resume_ready = 1};
static const struct hd_memarb_out mem_rests;

/* Every block's outputs, each after those that it depends on. */

static bool launches(const struct hd_top *m, const struct hd_top_in *in) {
  return memchr(in->dev_launch_valid, 1, m->num_smx) != NULL;
}

static void settle_pool(const struct hd_top *m, struct wires *w, bool asked) {
  const uint32_t *config = hd_top_regs(m)->config;
  w->pool = &pool_rests;
  if (hd_pool_quiet(hd_top_pool(m)) && !asked) return;
  w->pool_in.dev_base = config[HD_CONFIG_DEV_BASE];
  w->pool_in.dev_count = config[HD_CONFIG_DEV_COUNT];
  hd_pool_eval(hd_top_pool(m), &w->pool_in, &w->pool_out);
  w->pool = &w->pool_out;
}

static void settle_susp(const struct hd_top *m, struct wires *w, bool asked) {
  w->susp = &susp_rests;
  if (hd_susp_quiet(hd_top_susp(m)) && !asked) return;
  hd_susp_eval(hd_top_susp(m), &w->susp_in, &w->susp_out);
  w->susp = &w->susp_out;
}

static void settle_kin(const struct hd_top *m, struct wires *w, const struct hd_top_in *in, bool asked) {
  const struct hd_kd *kd = hd_top_kd(m);
  struct hd_kin_in *i = &w->kin_in;
  w->kin = &kin_rests;
  i->leave_valid = kd->leave_valid;
  i->lost_valid = w->pool->lost_valid;
  i->suspended_valid = w->susp->suspended_valid;
  i->kin_fail_valid = w->susp->kin_fail_valid;
  bool told = i->leave_valid || i->lost_valid || i->suspended_valid || i->kin_fail_valid;
  if (hd_kin_quiet(hd_top_kin(m)) && !told && !asked) return;
  i->leave = kd->leave;
  i->saving = w->susp->saving;
  i->lost_up = w->pool->lost_up;
  i->lost_stream = w->pool->lost_stream;
  i->suspended_kin = w->susp->suspended_kin;
  i->suspended = w->susp->suspended;
  i->kin_fail_kin = w->susp->kin_fail_kin;
  i->kin_fail_back = w->susp->kin_fail_back;
  i->resume_ready = w->susp->resume_ready;
  i->kernel_done_ready = in->kernel_done_ready;
  hd_kin_eval(hd_top_kin(m), i, &w->kin_out);
  w->kin = &w->kin_out;
}

/* What becomes of the kernel that the KMU offers: a part of it may go into a bank. */
static void settle_enter(const struct hd_top *m, struct wires *w, int alloc) {
  const struct hd_kmu *kmu = hd_top_kmu(m);
  const struct hd_kernel *k = &kmu->kernel;
  w->policy = hd_top_regs(m)->config[HD_CONFIG_POLICY] % (HD_POLICY_ADAPTIVE_BIND + 1);
  w->enter = (struct hd_laperm_entry){0};
  if (kmu->kernel_valid) {
    w->offered = (struct hd_laperm_kernel){.progress = &k->progress,
                                           .ctas = k->ctas,
                                           .kdei = (uint8_t)(alloc < 0 ? 0 : alloc),
                                           .level = k->level,
                                           .smx = k->origin.smx,
                                           .pending = k->groups.pending};
    w->enter = hd_laperm_enter(hd_top_laperm(m), w->policy, &w->offered);
    w->enter_progress = k->progress;
    w->enter_progress.ndone |= w->enter.bank;
  }
  w->kernel_ready = alloc >= 0 && !w->enter.wait;
  w->enter_kdei = kmu->kernel_valid && !w->enter.wait ? alloc : -1;
}

static void settle_kmu(const struct hd_top *m, struct wires *w, const struct hd_top_in *in) {
  const struct hd_kd *kd = hd_top_kd(m);
  settle_enter(m, w, hd_kd_alloc(kd));
  for (unsigned k = 0; k < kd->cfg.hwq_words; k++) w->reopen[k] = kd->reopen[k];
  if (hd_top_kin(m)->reopen_valid) hd_bit_set(w->reopen, hd_top_kin(m)->reopen_hwq);
  w->kmu = (struct hd_kmu_edge){
      .pick = hd_kmu_pick(hd_top_kmu(m), w->kernel_ready, w->reopen, w->pool->head_valid, w->susp->head_valid),
      .launch = in->host_launch_valid ? &in->host_launch : NULL,
      .dev = &w->pool->head,
      .res = &w->susp->head,
      .reopen = w->reopen,
      .answer_ready = in->host_answer_ready,
      .kernel_ready = w->kernel_ready,
  };
}

/* What devq sees beside match and link. */
static void fill_devq(const struct hd_top *m, struct wires *w, const struct hd_top_in *in) {
  const struct hd_kd *kd = hd_top_kd(m);
  const uint32_t *config = hd_top_regs(m)->config;
  unsigned parent = hd_top_sched(m)->look.kdei;
  struct hd_devq_in *d = &w->devq_in;
  memcpy(d->dev_launch_valid, in->dev_launch_valid, m->num_smx);
  for (unsigned s = 0; s < m->num_smx; s++)
    if (in->dev_launch_valid[s]) d->dev_launch[s] = in->dev_launch[s];
  memcpy(d->dev_answer_ready, in->dev_answer_ready, m->num_smx);
  d->look = hd_top_sched(m)->look;
  d->pool_ready = w->pool->pool_ready;
  d->pool_full = w->pool->pool_full;
  memcpy(d->stream_ok, w->pool->stream_ok, m->num_streams);
  d->kin_free = w->kin->kin_free;
  d->kin_alloc = w->kin->kin_alloc;
  d->kin_valid[parent] = hd_bit(kd->kin_valid, parent);
  d->kin[parent] = kd->entry[parent].kin;
  d->save_ok[parent] = hd_kd_save_ok(kd, parent);
  d->sav_first[parent] = kd->entry[parent].sav_first;
  d->sav_count[parent] = kd->entry[parent].sav_count;
  d->save_room = w->susp->save_room;
  d->rec_count = config[HD_CONFIG_REC_COUNT];
  d->sus_count = config[HD_CONFIG_SUS_COUNT];
}

static void settle_match(const struct hd_top *m, struct wires *w) {
  const struct hd_kd *kd = hd_top_kd(m);
  struct hd_match_in *i = &w->match_in;
  w->match = &match_rests;
  i->find_valid = w->devq->find_valid;
  i->find_take = 0;
  i->find_first = w->devq->find_first;
  if (hd_match_quiet(hd_top_match(m)) && !i->find_valid) return;
  i->find_key = w->devq->find_key;
  for (unsigned k = 0; i->find_valid && k < m->num_kde; k++) i->eligible[k] = hd_kd_eligible(kd, k);
  hd_match_eval(hd_top_match(m), i, &w->match_out);
  w->match = &w->match_out;
}

static void settle_link(const struct hd_top *m, struct wires *w, bool asked) {
  const struct hd_link *link = hd_top_link(m);
  struct hd_link_in *i = &w->link_in;
  w->link = &link_rests;
  i->a2_group = w->devq->a2_group && w->policy == HD_POLICY_RR;
  if (hd_link_quiet(link) && !asked) return;
  i->a2_kdei = w->devq->a2_kdei;
  i->a2_smx = w->devq->a2_smx;
  i->a2_hwtid = w->devq->a2_hwtid;
  i->a2_record = w->devq->a2_record;
  i->failed[link->a3.kdei] = hd_bit(hd_top_kd(m)->failed, link->a3.kdei);
  i->rec_base = hd_top_regs(m)->config[HD_CONFIG_REC_BASE];
  hd_link_show(link, i, &w->link_out);
  w->link = &w->link_out;
}

/* Launches: devq asks match, link shows whether a group has room, devq decides. */
static void settle_launches(const struct hd_top *m, struct wires *w, const struct hd_top_in *in, bool awake) {
  struct hd_devq_in *d = &w->devq_in;
  w->devq = &devq_rests;
  if (awake) {
    fill_devq(m, w, in);
    d->found = d->found_hit = d->found_kdei = d->next_room = d->kept = d->full = 0;
    hd_devq_eval(hd_top_devq(m), d, &w->devq_out);
    w->devq = &w->devq_out;
  }
  settle_match(m, w);
  settle_link(m, w, awake);
  if (!awake) return;
  d->found = w->match->found;
  d->found_hit = w->match->found_hit;
  d->found_kdei = w->match->found_kdei;
  d->next_room = w->link->next_room;
  d->kept = w->link->kept;
  d->full = hd_laperm_full(hd_top_laperm(m));
  hd_devq_eval(hd_top_devq(m), d, &w->devq_out);
  w->match_in.find_take = w->devq->find_take;
}

static void settle_agt(const struct hd_top *m, struct wires *w) {
  w->agt = &agt_rests;
  if (hd_agt_quiet(hd_top_agt(m))) return;
  w->agt_in.rec_base = hd_top_regs(m)->config[HD_CONFIG_REC_BASE];
  hd_agt_eval(hd_top_agt(m), &w->agt_in, &w->agt_out);
  w->agt = &w->agt_out;
}

static void settle_agc(const struct hd_top *m, struct wires *w) {
  w->agc = &agc_rests;
  if (hd_agc_quiet(hd_top_agc(m))) return;
  memcpy(w->agc_in.next_valid, w->link->next_valid, m->next_depth);
  memcpy(w->agc_in.next_record, w->link->next_record, m->next_depth * sizeof *w->link->next_record);
  hd_agc_eval(hd_top_agc(m), &w->agc_in, &w->agc_out);
  w->agc = &w->agc_out;
}

static struct hd_sscr_kernel kernel_of(const struct hd_top *m, unsigned kdei) {
  const struct hd_kd *kd = hd_top_kd(m);
  const struct hd_kd_entry *e = &kd->entry[kdei];
  const struct hd_list *groups = &hd_top_link(m)->list[kdei];
  return (struct hd_sscr_kernel){.ctas = e->ctas,
                                 .nextbl = e->nextbl,
                                 .sav_count = e->sav_count,
                                 .level = e->level,
                                 .ndone = hd_bit(kd->ndone, kdei),
                                 .suspending = hd_bit(kd->suspending, kdei),
                                 .failed = hd_bit(kd->failed, kdei),
                                 .pending = groups->pending,
                                 .single = hd_link_single(groups)};
}

/* What SMXs are offered from banks. */
static void settle_banks(const struct hd_top *m, struct wires *w) {
  const struct hd_laperm *banks = hd_top_laperm(m);
  const struct hd_need *need = hd_kd_need(hd_top_kd(m));
  if (!hd_laperm_any(banks)) return;
  for (unsigned s = 0; s < m->num_smx; s++) {
    if (hd_laperm_holds(banks, s))
      w->front[s] =
          (struct hd_sched_front){hd_laperm_front(banks, s), hd_laperm_nextbl(banks, s), hd_laperm_last(banks, s)};
  }
  for (unsigned s = 0; s < m->num_smx; s++) {
    const struct hd_order_offer o = hd_laperm_offer(banks, w->policy, s);
    w->bound[s] = (struct hd_sched_source){o.bound, o.bound >= 0 ? &need[w->front[o.bound].entry->kdei] : NULL};
    w->spare[s] = (struct hd_sched_source){o.spare, o.spare >= 0 ? &need[w->front[o.spare].entry->kdei] : NULL};
  }
  w->env.bound = w->bound;
  w->env.spare = w->spare;
  w->env.front = w->front;
}

/* Groups and saved TBs that are here, and the choice of the scheduler. */
static void settle_choice(const struct hd_top *m, struct wires *w) {
  const struct hd_sched *s = hd_top_sched(m);
  const struct hd_fcfs *fcfs = hd_top_fcfs(m);
  const struct hd_kernel *kernel = &hd_top_kmu(m)->kernel;
  struct hd_sscr_env *e = &w->env.sscr;
  w->env = (struct hd_sched_env){0};
  *e = (struct hd_sscr_env){
      .enter_kdei = w->enter.mark ? w->enter_kdei : -1,
      .enter_need = &kernel->need,
      .enter_progress = &w->enter_progress,
      .enter_ctas = kernel->ctas,
      .enter_level = kernel->level,
      .link_marked = w->link->link_valid && hd_bit(fcfs->marked, w->link->link_kdei),
      .link_kdei = w->link->link_valid ? w->link->link_kdei : -1,
      .next_kdei = fcfs->count > 1 ? fcfs->order[1] : -1,
      .group = w->agt->group_valid ? &w->agt->group : NULL,
      .sv = w->susp->sv_valid ? &w->susp->sv : NULL,
      .group_kdei = w->agt->group_kdei,
      .sv_kdei = w->susp->sv_kdei,
      .slot = w->agt->group_valid ? hd_agc_slot(hd_top_agc(m)) : -1, /* else it is of no use */
  };
  if (s->sscr.valid) e->cur = kernel_of(m, s->sscr.kdei);
  if (fcfs->count > 1) e->next = kernel_of(m, fcfs->order[1]);
  settle_banks(m, w);
  w->env.steal = hd_top_kd(m)->susp_state == HD_KD_STEAL;
  w->choice = hd_sched_choose(s, &w->env);
}

static void settle_memory(const struct hd_top *m, struct wires *w, const struct hd_top_in *in) {
  struct hd_memarb_in *i = &w->mem_in;
  w->mem = &mem_rests;
  i->req_valid[MEM_LINK] = w->link->req_valid;
  i->req_valid[MEM_AGT] = w->agt->req_valid;
  i->req_valid[MEM_POOL] = w->pool->req_valid;
  i->req_valid[MEM_SUSP] = w->susp->req_valid;
  bool asked = w->link->req_valid || w->agt->req_valid || w->pool->req_valid || w->susp->req_valid;
  if (hd_memarb_quiet(hd_top_memarb(m)) && !asked && !in->bvalid && !in->rvalid) return;
  i->req[MEM_LINK] = w->link->req;
  i->req[MEM_AGT] = w->agt->req;
  i->req[MEM_POOL] = w->pool->req;
  i->req[MEM_SUSP] = w->susp->req;
  i->wbeat[MEM_LINK] = w->link->wbeat;
  i->wbeat[MEM_AGT] = (struct hd_membeat){0};
  i->wbeat[MEM_POOL] = w->pool->wbeat;
  i->wbeat[MEM_SUSP] = w->susp->wbeat;
  i->awready = in->awready;
  i->wready = in->wready;
  i->bvalid = in->bvalid;
  i->bid = in->bid;
  i->bresp = in->bresp;
  i->arready = in->arready;
  i->rvalid = in->rvalid;
  i->rid = in->rid;
  i->rdata_hi = in->rdata_hi;
  i->rdata_lo = in->rdata_lo;
  i->rresp = in->rresp;
  i->rlast = in->rlast;
  hd_memarb_eval(hd_top_memarb(m), i, &w->mem_out);
  w->mem = &w->mem_out;
}

static void settle(const struct hd_top *m, struct wires *w, const struct hd_top_in *in) {
  bool launching = !hd_devq_quiet(hd_top_devq(m)) || launches(m, in);
  settle_pool(m, w, launching);
  settle_susp(m, w, launching);
  settle_kin(m, w, in, launching);
  settle_kmu(m, w, in);
  settle_launches(m, w, in, launching);
  settle_agt(m, w);
  settle_agc(m, w);
  settle_choice(m, w);
  settle_memory(m, w, in);
}

/* ---- Outputs ---- */

static void show_axi(const struct hd_memarb_out *o, struct hd_top_out *out) {
  out->awvalid = o->awvalid;
  out->awid = o->awid;
  out->awaddr = o->awaddr;
  out->awlen = o->awlen;
  out->awsize = AXI_SIZE_16_BYTES;
  out->awburst = AXI_BURST_INCR;
  out->wvalid = o->wvalid;
  out->wdata_hi = o->wdata_hi;
  out->wdata_lo = o->wdata_lo;
  out->wstrb = o->wstrb;
  out->wlast = o->wlast;
  out->bready = 1;
  out->arvalid = o->arvalid;
  out->arid = o->arid;
  out->araddr = o->araddr;
  out->arlen = o->arlen;
  out->arsize = AXI_SIZE_16_BYTES;
  out->arburst = AXI_BURST_INCR;
  out->rready = 1;
}

static void show_launches(const struct hd_top *m, const struct wires *w, struct hd_top_out *out) {
  if (w->devq == &devq_rests)
    memset(out->dev_launch_ready, 1, m->num_smx);
  else
    memcpy(out->dev_launch_ready, w->devq->dev_launch_ready, m->num_smx);
  memcpy(out->dev_answer_valid, w->devq->dev_answer_valid, m->num_smx);
  memcpy(out->dev_answer, w->devq->dev_answer, m->num_smx * sizeof *out->dev_answer);
}

static void show(const struct hd_top *m, const struct wires *w, struct hd_top_out *out) {
  const struct hd_kmu *kmu = hd_top_kmu(m);
  out->host_launch_ready = hd_kmu_launch_ready(kmu);
  out->host_answer_valid = kmu->answer_count > 0;
  out->host_answer = kmu->answer[0];
  hd_sched_show_dispatch(hd_top_sched(m), &hd_top_kd(m)->desc, out->dispatch_valid, out->dispatch);
  memset(out->cta_done_ready, 1, m->num_smx);
  out->kernel_done_valid = w->kin->kernel_done_valid;
  out->kernel_done = w->kin->kernel_done;
  show_launches(m, w, out);
  out->record_done_valid = w->agc->record_done_valid;
  out->record_done = w->agc->record_done;
  out->enter_valid = w->enter_kdei >= 0;
  out->enter_kdei = (uint8_t)(w->enter_kdei >= 0 ? w->enter_kdei : 0);
  out->enter_param = w->enter_kdei >= 0 ? kmu->kernel.desc.param : 0;
  out->pready = 1;
  out->prdata = hd_top_regs(m)->prdata;
  out->pslverr = hd_top_regs(m)->pslverr;
  show_axi(w->mem, out);
}

/* ---- The edge ---- */

static bool holds_group(const struct hd_sched *s) {
  return hd_sscr_holds(&s->sscr, HD_UNIT_GROUP);
}

static void step_regs(struct hd_top *m, const struct wires *w, const struct hd_top_in *in, bool busy) {
  const struct hd_kmu *kmu = hd_top_kmu(m);
  const struct hd_sched *s = hd_top_sched(m);
  const struct hd_apb apb = {in->psel, in->penable, in->pwrite, in->pstrb, in->paddr, in->pwdata};
  uint8_t dev_event = 0;
  for (unsigned k = 0; k < sizeof w->devq->dev_event; k++) dev_event |= (uint8_t)(w->devq->dev_event[k] << k);
  const struct hd_regs_events e = {
      .answer = kmu->answer_count > 0 && in->host_answer_ready ? kmu->answer[0].code : -1,
      .enter = w->enter_kdei >= 0,
      .kernel_done = w->kin->kernel_done_valid && in->kernel_done_ready,
      .grant = w->choice.grant_smx >= 0,
      .blocked = w->choice.blocked,
      .done_ok = hd_bits_count(s->done_ok, s->cfg.smx_words),
      .done_empty = hd_bits_count(s->done_empty, s->cfg.smx_words),
      .done_early = hd_bits_count(s->done_early, s->cfg.smx_words),
      .dev_event = dev_event,
      .dev_code = w->devq->dev_code,
      .dev_kind = w->devq->dev_kind,
      .searched = w->match->searched,
      .search = w->match->search,
      .fetch = w->agt->fetch_event,
      .waiting = hd_sscr_waiting(&s->sscr),
      .slot_wait = hd_sscr_slot_wait(&s->sscr, &w->env.sscr),
      .record_done = w->agc->record_done_valid && in->record_done_ready,
      .spill = w->pool->spill_event,
      .refill = w->pool->refill_event,
      .suspend = w->susp->suspend_event,
      .resume = w->susp->resume_event,
      .oldest_wait = hd_top_fcfs(m)->count > 1,
      .busy = busy,
      .next_error = w->link->next_fail_valid,
      .record_error = w->agt->fetch_fail_valid,
      .pool_error = w->pool->error_event,
      .suspend_error = w->susp->error_event,
  };
  hd_regs_step(regs_of(m), &apb, &e);
}

/* What the KD is told; pending, next_busy: room for sets of entries. */
static struct hd_kd_edge kd_edge(const struct hd_top *m, const struct wires *w, uint64_t *pending,
                                 uint64_t *next_busy) {
  const struct hd_sched *s = hd_top_sched(m);
  const struct hd_kmu *kmu = hd_top_kmu(m);
  /* Only of entries that are quiet anybody asks for their groups. */
  hd_kd_quiet(hd_top_kd(m), hd_top_fcfs(m)->marked, pending);
  for (unsigned k = 0; k < HD_WORDS(m->num_kde); k++) {
    next_busy[k] = 0;
    for (uint64_t q = pending[k]; q; q &= q - 1) {
      unsigned i = k * 64 + hd_lowest(q);
      hd_bit_put(pending, i, hd_top_link(m)->list[i].pending);
      hd_bit_put(next_busy, i, w->link->next_busy[i]);
    }
  }
  return (struct hd_kd_edge){
      .kernel = kmu->kernel_valid && !w->enter.wait ? &kmu->kernel : NULL,
      .enter_queued = w->enter.bank,
      .marked = hd_top_fcfs(m)->marked,
      .pending = pending,
      .next_busy = next_busy,
      .queue_kdei = hd_laperm_pushes(hd_top_laperm(m)),
      .serve_kdei = w->choice.take_bank >= 0 ? w->front[w->choice.take_bank].entry->kdei : -1,
      .serve_last = w->choice.take_bank >= 0 && w->front[w->choice.take_bank].last,
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
      .fail_kdei = {w->link->next_fail_valid ? w->link->next_fail_kdei : -1,
                    w->agt->fetch_fail_valid ? w->agt->fetch_fail_kdei : -1,
                    w->susp->chunk_fail_valid ? w->susp->chunk_fail_kdei : -1},
      .suspend_free = w->susp->suspend_free,
      .leave_ready = w->kin->leave_ready,
  };
}

static void step_match(struct hd_top *m, struct wires *w) {
  const struct hd_kernel *kernel = &hd_top_kmu(m)->kernel;
  struct hd_match_in *i = &w->match_in;
  bool enter = w->enter_kdei >= 0;
  if (w->match == &match_rests && !enter && !i->find_first) return;
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

static void step_link(struct hd_top *m, struct wires *w) {
  const struct hd_sched *s = hd_top_sched(m);
  const struct hd_kd *kd = hd_top_kd(m);
  struct hd_link_in *i = &w->link_in;
  i->adv_valid = w->choice.sscr.unit_end && holds_group(s);
  i->fail_valid[0] = w->agt->fetch_fail_valid;
  i->fail_valid[1] = w->susp->chunk_fail_valid;
  i->take_valid = kd->susp_state == HD_KD_STEAL;
  i->enter_valid = i->enter_ready = w->enter_kdei >= 0;
  i->free_valid = w->agc->free_valid;
  bool told = i->adv_valid || i->fail_valid[0] || i->fail_valid[1] || i->take_valid || i->enter_valid || i->free_valid;
  if (w->link == &link_rests && !told) return;
  i->adv_kdei = i->adv_valid ? s->sscr.kdei : 0;
  i->succ = w->agt->succ;
  i->fail_kdei[0] = w->agt->fetch_fail_kdei;
  i->fail_kdei[1] = w->susp->chunk_fail_kdei;
  i->take_kdei = i->take_valid ? kd->susp_kdei : 0;
  i->enter_kdei = (uint8_t)(i->enter_valid ? w->enter_kdei : 0);
  i->enter_list = hd_top_kmu(m)->kernel.groups;
  i->free_index = w->agc->free_index;
  i->req_ready = w->mem->req_ready[MEM_LINK];
  i->wbeat_take = w->mem->wbeat_take[MEM_LINK];
  i->b_valid = w->mem->b_valid[MEM_LINK];
  i->b_error = w->mem->b_error;
  hd_link_tick(link_of(m), i);
}

/* Before link: the walk sees the lists as they were when the cycle began. */
static void step_agt(struct hd_top *m, struct wires *w) {
  const struct hd_sched *s = hd_top_sched(m);
  const struct hd_agt *agt = hd_top_agt(m);
  const struct hd_list *list = hd_top_link(m)->list;
  struct hd_agt_in *i = &w->agt_in;
  unsigned cur = i->cur_kdei = s->sscr.kdei;
  i->cur_valid = s->sscr.valid;
  i->alloc_valid = w->link->alloc_valid;
  i->link_valid = w->link->link_valid;
  i->fail_valid[0] = w->link->next_fail_valid;
  i->fail_valid[1] = w->susp->chunk_fail_valid;
  i->a2_info = w->devq->a2_info;
  bool same = agt->wk_valid == i->cur_valid && agt->wk_kdei == cur, told = i->alloc_valid || i->link_valid;
  told |= i->fail_valid[0] || i->fail_valid[1] || w->devq->a2_group || (i->cur_valid && list[cur].pending);
  if (w->agt == &agt_rests && same && !told) return;
  const unsigned looked_at[] = {cur, agt->wk_kdei};
  for (unsigned k = 0; k < 2; k++) {
    i->pending[looked_at[k]] = list[looked_at[k]].pending;
    i->nagei[looked_at[k]] = list[looked_at[k]].nagei;
    i->lagei[looked_at[k]] = list[looked_at[k]].lagei;
  }
  i->alloc_index = w->link->alloc_index;
  i->link_kdei = w->link->link_kdei;
  i->link_ptr = w->link->link_ptr;
  i->link_prev = w->link->link_prev;
  i->link_first = w->link->link_first;
  i->fail_kdei[0] = w->link->next_fail_kdei;
  i->fail_kdei[1] = w->susp->chunk_fail_kdei;
  memcpy(i->next_valid, w->link->next_valid, m->next_depth);
  memcpy(i->next_record, w->link->next_record, m->next_depth * sizeof *i->next_record);
  i->waiting = hd_sscr_waiting(&s->sscr);
  i->group_pop = w->choice.sscr.load == HD_LOAD_GROUP;
  i->req_ready = w->mem->req_ready[MEM_AGT];
  i->r_valid = w->mem->r_valid[MEM_AGT];
  i->r = w->mem->r;
  hd_agt_tick(agt_of(m), i);
}

static void step_agc(struct hd_top *m, struct wires *w, const struct hd_top_in *in) {
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
  if (w->agc == &agc_rests && !i->load_valid && !i->grant_group && !i->park_valid && !i->retire_valid && !parked_leaves)
    return;
  i->load_ptr = i->load_valid ? w->agt->group.self : (struct hd_ptr){0};
  i->grant_end = w->choice.sscr.unit_end && group;
  i->park_kdei = s->sscr.kdei;
  hd_bits_to_bytes(i->left, left, m->num_kde);
  i->retire = s->retired;
  memcpy(i->next_valid, w->link->next_valid, m->next_depth);
  memcpy(i->next_record, w->link->next_record, m->next_depth * sizeof *i->next_record);
  i->record_done_ready = in->record_done_ready;
  hd_agc_tick(agc_of(m), i);
}

static void step_kin(struct hd_top *m, struct wires *w, const struct hd_top_in *in) {
  struct hd_kin_in *i = &w->kin_in;
  if (w->kin == &kin_rests) return; /* a birth comes only while devq is awake, and kin with it */
  i->birth_valid = w->devq->birth_valid;
  i->birth_kin = w->devq->birth_kin;
  i->birth_new = w->devq->birth_new;
  i->kernel_done_ready = in->kernel_done_ready;
  hd_kin_tick(kin_of(m), i);
}

static void step_pool(struct hd_top *m, struct wires *w) {
  const uint32_t *config = hd_top_regs(m)->config;
  struct hd_pool_in *i = &w->pool_in;
  i->stream_done_valid = w->kin->stream_done_valid;
  if (w->pool == &pool_rests && !i->stream_done_valid) return; /* a push comes only while devq is awake */
  i->dev_base = config[HD_CONFIG_DEV_BASE];
  i->dev_count = config[HD_CONFIG_DEV_COUNT];
  i->push_valid = w->devq->push_valid;
  i->push = w->devq->push;
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

/* Before link: the list of the kernel that is suspended is link's output of this cycle. */
static void step_susp(struct hd_top *m, struct wires *w) {
  const struct hd_sched *s = hd_top_sched(m);
  const struct hd_kd *kd = hd_top_kd(m);
  unsigned cur = s->sscr.kdei, reading = hd_top_susp(m)->sv_kdei;
  struct hd_susp_in *i = &w->susp_in;
  i->save_valid = w->devq->save_valid;
  i->suspend_valid = kd->susp_state == HD_KD_SEND;
  i->resume_valid = w->kin->resume_valid;
  bool told = i->save_valid || i->suspend_valid || i->resume_valid || (s->sscr.valid && kd->entry[cur].sav_count);
  if (w->susp == &susp_rests && !told) return;
  i->save_kin = w->devq->save_kin;
  i->save_pos = w->devq->save_pos;
  i->save_entry = w->devq->save_entry;
  if (i->suspend_valid) i->suspend = hd_kd_suspended(kd);
  i->list = w->link->list;
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

static void step_sched(struct hd_top *m, struct wires *w, const struct hd_top_in *in) {
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
  };
  hd_sched_step(sched_of(m), &w->choice, &e);
}

static void step_laperm(struct hd_top *m, const struct wires *w) {
  const struct hd_devq_out *q = w->devq;
  const struct hd_laperm_edge e = {.policy = w->policy,
                                   .group = q->a2_group ? &q->a2_info : NULL,
                                   .group_kdei = q->a2_kdei,
                                   .group_smx = q->a2_smx,
                                   .enter = w->enter_kdei >= 0 ? &w->offered : NULL,
                                   .take_bank = w->choice.take_bank,
                                   .take_smx = w->choice.take_bank >= 0 ? (unsigned)w->choice.grant_smx : 0,
                                   .take_spare = w->choice.spare};
  hd_laperm_step(laperm_of(m), &e);
}

/* The edge, block by block: each before the neighbours whose registers it reads. What a block is told by one that steps
 * before it lies in the wires, or is gathered first. */
static void step(struct hd_top *m, struct wires *w, const struct hd_top_in *in) {
  uint64_t pending[HD_KDE_WORDS], next_busy[HD_KDE_WORDS];
  const bool busy = hd_kd_busy(hd_top_kd(m)) || hd_kin_busy(hd_top_kin(m));
  const struct hd_kd_edge kd = kd_edge(m, w, pending, next_busy);
  const struct hd_fcfs_edge marks = {.unmark = w->choice.sscr.unmark,
                                     .rotate = w->choice.sscr.rotate,
                                     .mark_kdei = w->link->link_valid ? w->link->link_kdei : -1,
                                     .enter_kdei = w->enter.mark ? w->enter_kdei : -1};
  step_match(m, w);
  step_agt(m, w);
  step_susp(m, w);
  step_link(m, w);
  step_agc(m, w, in);
  step_kin(m, w, in);
  step_pool(m, w);
  if (w->devq != &devq_rests) hd_devq_tick(devq_of(m), &w->devq_in);
  step_regs(m, w, in, busy);
  if (w->mem != &mem_rests) hd_memarb_tick(memarb_of(m), &w->mem_in);
  step_sched(m, w, in);
  step_laperm(m, w);
  hd_kd_step(kd_of(m), &kd);
  hd_fcfs_step(fcfs_of(m), &marks);
  hd_kmu_step(kmu_of(m), &w->kmu);
}

void hd_top_eval(const struct hd_top *m, const struct hd_top_in *in, struct hd_top_out *out) {
  struct wires w;
  settle(m, &w, in);
  show(m, &w, out);
}

void hd_top_tick(struct hd_top *m, const struct hd_top_in *in) {
  struct wires w;
  settle(m, &w, in);
  step(m, &w, in);
}

void hd_top_cycle(struct hd_top *m, const struct hd_top_in *in, struct hd_top_out *out) {
  struct wires w;
  settle(m, &w, in);
  show(m, &w, out);
  step(m, &w, in);
}

void hd_top_arch(const struct hd_top *m, struct hd_top_arch *a, bool tables) {
#define ARCH(b) hd_##b##_arch(hd_top_##b(m), &a->b, tables);
  HD_TOP_BLOCKS(ARCH)
}
