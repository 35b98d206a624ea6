/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "top.h"

#include <string.h>

/* The blocks, by the place that each has in the state. */
#define BLOCKS(X) \
  X(kmu) X(kd) X(fcfs) X(sched) X(devq) X(match) X(link) X(agt) X(age) X(kin) X(pool) X(susp) X(regs) X(memarb)

#define OF(b)                                               \
  static struct hd_##b *b##_of(struct hd_top *m) {          \
    return (struct hd_##b *)(void *)(m->block + m->b##_at); \
  }
BLOCKS(OF)

/* Clients of the memory port. */
enum { MEM_LINK, MEM_AGT, MEM_POOL, MEM_SUSP };

/* Lays the blocks out one after the other, each at a multiple of 8 bytes; returns the words that they take. */
static uint32_t lay_out(struct hd_top *m, const struct hd_cfg *cfg) {
  uint32_t at = 0;
#define PLACE(b)  \
  m->b##_at = at; \
  at += HD_WORDS(8 * (uint32_t)hd_##b##_size(cfg));
  BLOCKS(PLACE)
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
  BLOCKS(INIT)
}

void hd_top_reset(struct hd_top *m) {
#define RESET(b) hd_##b##_reset(b##_of(m));
  BLOCKS(RESET)
}

/* ---- The wires between the blocks in one cycle ---- */

struct wires {
  struct hd_devq_in devq_in;
  struct hd_devq_out devq;
  struct hd_match_in match_in;
  struct hd_match_out match;
  struct hd_link_in link_in;
  struct hd_link_out link;
  struct hd_agt_in agt_in;
  struct hd_agt_out agt;
  struct hd_age_in age_in;
  struct hd_age_out age;
  struct hd_kin_in kin_in;
  struct hd_kin_out kin;
  struct hd_pool_in pool_in;
  struct hd_pool_out pool;
  struct hd_susp_in susp_in;
  struct hd_susp_out susp;
  struct hd_memarb_in mem_in;
  struct hd_memarb_out mem;
  uint64_t reopen[HD_WORDS(HD_MAX_NUM_HWQ)];
  struct hd_kmu_edge kmu;
  int enter_kdei; /* the entry of the kernel that goes from KMU to KD, or -1 */
  bool kernel_ready;
  struct hd_sched_env env;
  struct hd_sched_choice choice;
};

/* Every block's outputs, each after those that it depends on. What depends on registers alone comes first. */

static void settle_kernels(const struct hd_top *m, struct wires *w, const struct hd_top_in *in) {
  const struct hd_kd *kd = hd_top_kd(m);
  int alloc = hd_kd_alloc(kd);
  w->kernel_ready = alloc >= 0;
  w->enter_kdei = hd_top_kmu(m)->kernel_valid ? alloc : -1;
  w->pool_in.dev_base = hd_top_regs(m)->config[HD_CONFIG_DEV_BASE];
  w->pool_in.dev_count = hd_top_regs(m)->config[HD_CONFIG_DEV_COUNT];
  hd_pool_eval(hd_top_pool(m), &w->pool_in, &w->pool);
  hd_susp_eval(hd_top_susp(m), &w->susp_in, &w->susp);
  w->kin_in.leave_valid = kd->leave_valid;
  w->kin_in.leave = kd->leave;
  w->kin_in.lost_valid = w->pool.lost_valid;
  w->kin_in.lost_up = w->pool.lost_up;
  w->kin_in.lost_stream = w->pool.lost_stream;
  w->kin_in.suspended_valid = w->susp.suspended_valid;
  w->kin_in.suspended_kin = w->susp.suspended_kin;
  w->kin_in.suspended = w->susp.suspended;
  w->kin_in.kin_fail_valid = w->susp.kin_fail_valid;
  w->kin_in.kin_fail_kin = w->susp.kin_fail_kin;
  w->kin_in.kin_fail_back = w->susp.kin_fail_back;
  w->kin_in.kernel_done_ready = in->kernel_done_ready;
  hd_kin_eval(hd_top_kin(m), &w->kin_in, &w->kin);
  w->susp_in.resume_valid = w->kin.resume_valid;
  w->susp_in.resume_kin = w->kin.resume_kin;
  w->kin_in.resume_ready = w->susp.resume_ready;
  hd_bits_from_bytes(w->reopen, w->kin.reopen, m->num_hwq);
  for (unsigned k = 0; k < kd->cfg.hwq_words; k++) w->reopen[k] |= kd->reopen[k];
  w->kmu = (struct hd_kmu_edge){
      .pick = hd_kmu_pick(hd_top_kmu(m), w->kernel_ready, w->reopen, w->pool.head_valid, w->susp.head_valid),
      .launch = in->host_launch_valid ? &in->host_launch : NULL,
      .dev = &w->pool.head,
      .res = &w->susp.head,
      .reopen = w->reopen,
      .answer_ready = in->host_answer_ready,
      .kernel_ready = w->kernel_ready,
  };
}

/* Launches: devq asks match, link shows whether a group has room, devq decides. */
static void settle_launches(const struct hd_top *m, struct wires *w, const struct hd_top_in *in) {
  const struct hd_kd *kd = hd_top_kd(m);
  unsigned parent = hd_top_sched(m)->look.kdei;
  const uint32_t *config = hd_top_regs(m)->config;
  struct hd_devq_in *d = &w->devq_in;
  memcpy(d->dev_launch_valid, in->dev_launch_valid, m->num_smx);
  for (unsigned s = 0; s < m->num_smx; s++)
    if (in->dev_launch_valid[s]) d->dev_launch[s] = in->dev_launch[s];
  memcpy(d->dev_answer_ready, in->dev_answer_ready, m->num_smx);
  d->found = d->found_hit = d->found_kdei = 0;
  d->look = hd_top_sched(m)->look;
  d->next_room = d->kept = 0;
  d->pool_ready = w->pool.pool_ready;
  d->pool_full = w->pool.pool_full;
  memcpy(d->stream_ok, w->pool.stream_ok, m->num_streams);
  d->kin_free = w->kin.kin_free;
  d->kin_alloc = w->kin.kin_alloc;
  /* Of the entries only that of the launching TB is looked at. */
  d->kin_valid[parent] = hd_bit(kd->kin_valid, parent);
  d->kin[parent] = kd->entry[parent].kin;
  d->save_ok[parent] = hd_kd_save_ok(kd, parent);
  d->sav_first[parent] = kd->entry[parent].sav_first;
  d->sav_count[parent] = kd->entry[parent].sav_count;
  d->save_room = w->susp.save_room;
  d->rec_count = config[HD_CONFIG_REC_COUNT];
  d->sus_count = config[HD_CONFIG_SUS_COUNT];
  hd_devq_eval(hd_top_devq(m), d, &w->devq);
  w->match_in.find_valid = w->devq.find_valid;
  w->match_in.find_key = w->devq.find_key;
  w->match_in.find_last = w->devq.find_last;
  if (w->devq.find_valid)
    for (unsigned i = 0; i < m->num_kde; i++) w->match_in.eligible[i] = hd_kd_eligible(kd, i);
  hd_match_eval(hd_top_match(m), &w->match_in, &w->match);
  w->link_in.a2_group = w->devq.a2_group;
  w->link_in.a2_kdei = w->devq.a2_kdei;
  w->link_in.a2_smx = w->devq.a2_smx;
  w->link_in.a2_hwtid = w->devq.a2_hwtid;
  w->link_in.a2_record = w->devq.a2_record;
  hd_bits_to_bytes(w->link_in.failed, kd->failed, m->num_kde);
  w->link_in.rec_base = config[HD_CONFIG_REC_BASE];
  hd_link_eval(hd_top_link(m), &w->link_in, &w->link);
  d->found = w->match.found;
  d->found_hit = w->match.found_hit;
  d->found_kdei = w->match.found_kdei;
  d->next_room = w->link.next_room;
  d->kept = w->link.kept;
  hd_devq_eval(hd_top_devq(m), d, &w->devq);
  w->match_in.find_take = w->devq.find_take;
}

static struct hd_sched_kernel kernel_of(const struct hd_top *m, const struct wires *w, unsigned kdei) {
  const struct hd_kd *kd = hd_top_kd(m);
  const struct hd_kd_entry *e = &kd->entry[kdei];
  return (struct hd_sched_kernel){.ctas = e->ctas,
                                  .nextbl = e->nextbl,
                                  .sav_count = e->sav_count,
                                  .level = e->level,
                                  .ndone = hd_bit(kd->ndone, kdei),
                                  .suspending = hd_bit(kd->suspending, kdei),
                                  .failed = hd_bit(kd->failed, kdei),
                                  .pending = w->link.pending[kdei],
                                  .single = w->link.single[kdei]};
}

/* Groups and saved TBs that are here, and the choice of the scheduler. */
static void settle_choice(const struct hd_top *m, struct wires *w) {
  const struct hd_sched *s = hd_top_sched(m);
  const struct hd_fcfs *fcfs = hd_top_fcfs(m);
  const struct hd_kernel *kernel = &hd_top_kmu(m)->kernel;
  w->agt_in.rec_base = hd_top_regs(m)->config[HD_CONFIG_REC_BASE];
  hd_agt_eval(hd_top_agt(m), &w->agt_in, &w->agt);
  memcpy(w->age_in.next_valid, w->link.next_valid, m->next_depth);
  memcpy(w->age_in.next_record, w->link.next_record, m->next_depth * sizeof *w->link.next_record);
  hd_age_eval(hd_top_age(m), &w->age_in, &w->age);
  w->env = (struct hd_sched_env){
      .enter_kdei = w->enter_kdei,
      .enter_need = &kernel->need,
      .enter_progress = &kernel->progress,
      .enter_ctas = kernel->ctas,
      .enter_level = kernel->level,
      .steal = hd_top_kd(m)->susp_state == HD_KD_STEAL,
      .link_marked = w->link.link_valid && hd_bit(fcfs->marked, w->link.link_kdei),
      .link_kdei = w->link.link_valid ? w->link.link_kdei : -1,
      .next_kdei = fcfs->count > 1 ? fcfs->order[1] : -1,
      .group = w->agt.group_valid ? &w->agt.group : NULL,
      .sv = w->susp.sv_valid ? &w->susp.sv : NULL,
      .group_kdei = w->agt.group_kdei,
      .sv_kdei = w->susp.sv_kdei,
      .slot = w->age.slot_valid ? w->age.slot : -1,
  };
  if (s->sscr_valid) w->env.cur = kernel_of(m, w, s->sscr_kdei);
  if (fcfs->count > 1) w->env.next = kernel_of(m, w, fcfs->order[1]);
  w->choice = hd_sched_choose(s, &w->env);
}

static void settle_memory(const struct hd_top *m, struct wires *w, const struct hd_top_in *in) {
  struct hd_memarb_in *i = &w->mem_in;
  i->req_valid[MEM_LINK] = w->link.req_valid;
  i->req_valid[MEM_AGT] = w->agt.req_valid;
  i->req_valid[MEM_POOL] = w->pool.req_valid;
  i->req_valid[MEM_SUSP] = w->susp.req_valid;
  i->req[MEM_LINK] = w->link.req;
  i->req[MEM_AGT] = w->agt.req;
  i->req[MEM_POOL] = w->pool.req;
  i->req[MEM_SUSP] = w->susp.req;
  i->wbeat[MEM_LINK] = w->link.wbeat;
  i->wbeat[MEM_AGT] = (struct hd_membeat){0};
  i->wbeat[MEM_POOL] = w->pool.wbeat;
  i->wbeat[MEM_SUSP] = w->susp.wbeat;
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
  hd_memarb_eval(hd_top_memarb(m), i, &w->mem);
}

static void settle(const struct hd_top *m, struct wires *w, const struct hd_top_in *in) {
  settle_kernels(m, w, in);
  settle_launches(m, w, in);
  settle_choice(m, w);
  settle_memory(m, w, in);
}

/* ---- Outputs ---- */

static void show_axi(const struct hd_memarb_out *o, struct hd_top_out *out) {
  out->awvalid = o->awvalid;
  out->awid = o->awid;
  out->awaddr = o->awaddr;
  out->awlen = o->awlen;
  out->awsize = o->awsize;
  out->awburst = o->awburst;
  out->wvalid = o->wvalid;
  out->wdata_hi = o->wdata_hi;
  out->wdata_lo = o->wdata_lo;
  out->wstrb = o->wstrb;
  out->wlast = o->wlast;
  out->bready = o->bready;
  out->arvalid = o->arvalid;
  out->arid = o->arid;
  out->araddr = o->araddr;
  out->arlen = o->arlen;
  out->arsize = o->arsize;
  out->arburst = o->arburst;
  out->rready = o->rready;
}

static void show(const struct hd_top *m, const struct wires *w, struct hd_top_out *out) {
  const struct hd_kmu *kmu = hd_top_kmu(m);
  out->host_launch_ready = hd_kmu_launch_ready(kmu);
  out->host_answer_valid = kmu->answer_count > 0;
  out->host_answer = kmu->answer[0];
  hd_sched_show_dispatch(hd_top_sched(m), &hd_top_kd(m)->desc, out->dispatch_valid, out->dispatch);
  memset(out->cta_done_ready, 1, m->num_smx);
  out->kernel_done_valid = w->kin.kernel_done_valid;
  out->kernel_done = w->kin.kernel_done;
  memcpy(out->dev_launch_ready, w->devq.dev_launch_ready, m->num_smx);
  memcpy(out->dev_answer_valid, w->devq.dev_answer_valid, m->num_smx);
  memcpy(out->dev_answer, w->devq.dev_answer, m->num_smx * sizeof *out->dev_answer);
  out->record_done_valid = w->age.record_done_valid;
  out->record_done = w->age.record_done;
  out->pready = 1;
  out->prdata = hd_top_regs(m)->prdata;
  out->pslverr = hd_top_regs(m)->pslverr;
  show_axi(&w->mem, out);
}

/* ---- The edge ---- */

static bool holds_group(const struct hd_sched *s) {
  return s->unit_valid && s->unit.kind == HD_UNIT_GROUP;
}

static void step_regs(struct hd_top *m, const struct wires *w, const struct hd_top_in *in) {
  const struct hd_kmu *kmu = hd_top_kmu(m);
  const struct hd_sched *s = hd_top_sched(m);
  const struct hd_apb apb = {in->psel, in->penable, in->pwrite, in->pstrb, in->paddr, in->pwdata};
  uint8_t dev_event = 0;
  for (unsigned k = 0; k < sizeof w->devq.dev_event; k++) dev_event |= (uint8_t)(w->devq.dev_event[k] << k);
  const struct hd_regs_events e = {
      .answer = kmu->answer_count > 0 && in->host_answer_ready ? kmu->answer[0].code : -1,
      .enter = w->enter_kdei >= 0,
      .kernel_done = w->kin.kernel_done_valid && in->kernel_done_ready,
      .grant = w->choice.grant_smx >= 0,
      .blocked = w->choice.blocked,
      .done_ok = hd_bits_count(s->done_ok, s->cfg.smx_words),
      .done_empty = hd_bits_count(s->done_empty, s->cfg.smx_words),
      .done_early = hd_bits_count(s->done_early, s->cfg.smx_words),
      .dev_event = dev_event,
      .dev_code = w->devq.dev_code,
      .dev_kind = w->devq.dev_kind,
      .searched = w->match.searched,
      .search = w->match.search,
      .fetch = w->agt.fetch_event,
      .waiting = hd_sched_waiting(s),
      .slot_wait = hd_sched_slot_wait(s, &w->env),
      .record_done = w->age.record_done_valid && in->record_done_ready,
      .spill = w->pool.spill_event,
      .refill = w->pool.refill_event,
      .suspend = w->susp.suspend_event,
      .resume = w->susp.resume_event,
      .oldest_wait = hd_top_fcfs(m)->count > 1,
      .next_error = w->link.next_fail_valid,
      .record_error = w->agt.fetch_fail_valid,
      .pool_error = w->pool.error_event,
      .suspend_error = w->susp.error_event,
  };
  hd_regs_step(regs_of(m), &apb, &e);
}

/* What the KD is told; pending, next_busy: room for sets of entries. */
static struct hd_kd_edge kd_edge(const struct hd_top *m, const struct wires *w, uint64_t *pending,
                                 uint64_t *next_busy) {
  const struct hd_sched *s = hd_top_sched(m);
  const struct hd_kmu *kmu = hd_top_kmu(m);
  hd_kd_quiet(hd_top_kd(m), hd_top_fcfs(m)->marked, pending);
  bool quiet = hd_bits_first(pending, HD_WORDS(m->num_kde)) >= 0;
  if (quiet) { /* else nobody looks at these */
    hd_bits_from_bytes(pending, w->link.pending, m->num_kde);
    hd_bits_from_bytes(next_busy, w->link.next_busy, m->num_kde);
  }
  return (struct hd_kd_edge){
      .kernel = kmu->kernel_valid ? &kmu->kernel : NULL,
      .marked = hd_top_fcfs(m)->marked,
      .pending = pending,
      .next_busy = next_busy,
      .cur_kdei = s->sscr_valid ? s->sscr_kdei : 0,
      .kind = s->unit.kind,
      .grant = w->choice.grant_smx >= 0,
      .retire_kdei = s->retired_valid ? s->retired.kdei : -1,
      .unit_end = w->choice.unit_end,
      .park = w->choice.park,
      .park_nextbl = s->sscr_nextbl,
      .hold_kdei = w->devq.hold_valid ? w->devq.hold_kdei : -1,
      .unhold_kdei = w->devq.unhold_valid ? w->devq.unhold_kdei : -1,
      .birth_kdei = w->devq.birth_valid ? w->devq.birth_kdei : -1,
      .save_kdei = w->devq.save_valid ? w->devq.save_kdei : -1,
      .birth_kin = w->devq.birth_kin,
      .fail_kdei = {w->link.next_fail_valid ? w->link.next_fail_kdei : -1,
                    w->agt.fetch_fail_valid ? w->agt.fetch_fail_kdei : -1,
                    w->susp.chunk_fail_valid ? w->susp.chunk_fail_kdei : -1},
      .suspend_free = w->susp.suspend_free,
      .leave_ready = w->kin.leave_ready,
  };
}

/* match, link and agt: launches are matched and linked, lists are walked. */
static void step_groups(struct hd_top *m, struct wires *w) {
  const struct hd_sched *s = hd_top_sched(m);
  const struct hd_kd *kd = hd_top_kd(m);
  const struct hd_kernel *kernel = &hd_top_kmu(m)->kernel;
  uint8_t sscr_kdei = s->sscr_valid ? s->sscr_kdei : 0;
  bool enter = w->enter_kdei >= 0, group = holds_group(s);
  struct hd_link_in *l = &w->link_in;
  struct hd_agt_in *a = &w->agt_in;
  w->match_in.enter_valid = l->enter_valid = w->match_in.enter_ready = l->enter_ready = enter;
  w->match_in.enter_kdei = l->enter_kdei = (uint8_t)(enter ? w->enter_kdei : 0);
  w->match_in.enter_key = (struct hd_key){.pc = kernel->desc.pc,
                                          .cta_x = kernel->desc.cta_x,
                                          .cta_y = kernel->desc.cta_y,
                                          .cta_z = kernel->desc.cta_z,
                                          .smem = kernel->need.smem};
  hd_match_tick(match_of(m), &w->match_in);
  l->enter_list = kernel->groups;
  l->adv_valid = w->choice.unit_end && group;
  l->adv_kdei = sscr_kdei;
  l->succ = w->agt.succ;
  l->fail_valid[0] = w->agt.fetch_fail_valid;
  l->fail_kdei[0] = w->agt.fetch_fail_kdei;
  l->fail_valid[1] = a->fail_valid[1] = w->susp.chunk_fail_valid;
  l->fail_kdei[1] = a->fail_kdei[1] = w->susp.chunk_fail_kdei;
  a->fail_valid[0] = w->link.next_fail_valid;
  a->fail_kdei[0] = w->link.next_fail_kdei;
  l->take_valid = kd->susp_state == HD_KD_STEAL;
  l->take_kdei = l->take_valid ? kd->susp_kdei : 0;
  l->free_valid = w->age.free_valid;
  l->free_index = w->age.free_index;
  l->req_ready = w->mem.req_ready[MEM_LINK];
  l->wbeat_take = w->mem.wbeat_take[MEM_LINK];
  l->b_valid = w->mem.b_valid[MEM_LINK];
  l->b_error = w->mem.b_error;
  hd_link_tick(link_of(m), l);
  a->a2_info = w->devq.a2_info;
  a->alloc_valid = w->link.alloc_valid;
  a->alloc_index = w->link.alloc_index;
  a->link_valid = w->link.link_valid;
  a->link_kdei = w->link.link_kdei;
  a->link_ptr = w->link.link_ptr;
  a->link_prev = w->link.link_prev;
  a->link_first = w->link.link_first;
  memcpy(a->pending, w->link.pending, m->num_kde);
  memcpy(a->nagei, w->link.nagei, m->num_kde * sizeof *a->nagei);
  memcpy(a->lagei, w->link.lagei, m->num_kde * sizeof *a->lagei);
  memcpy(a->next_valid, w->link.next_valid, m->next_depth);
  memcpy(a->next_record, w->link.next_record, m->next_depth * sizeof *a->next_record);
  a->cur_valid = s->sscr_valid;
  a->cur_kdei = sscr_kdei;
  a->waiting = hd_sched_waiting(s);
  a->group_pop = w->choice.load == HD_LOAD_GROUP;
  a->req_ready = w->mem.req_ready[MEM_AGT];
  a->r_valid = w->mem.r_valid[MEM_AGT];
  a->r = w->mem.r;
  hd_agt_tick(agt_of(m), a);
}

static void step_age(struct hd_top *m, struct wires *w, const struct hd_top_in *in) {
  const struct hd_sched *s = hd_top_sched(m);
  bool group = holds_group(s);
  struct hd_age_in *a = &w->age_in;
  a->load_valid = w->choice.load == HD_LOAD_GROUP;
  a->load_ptr = a->load_valid ? w->agt.group.self : (struct hd_ptr){0};
  a->grant_group = w->choice.grant_smx >= 0 && group;
  a->grant_end = w->choice.unit_end && group;
  a->park_valid = w->choice.park && group;
  a->park_kdei = s->sscr_valid ? s->sscr_kdei : 0;
  hd_bits_to_bytes(a->left, hd_top_kd(m)->left, m->num_kde);
  a->retire_valid = s->retired_valid;
  a->retire = s->retired;
  a->record_done_ready = in->record_done_ready;
  hd_age_tick(age_of(m), a);
}

/* kin, pool and susp: parents and children, device kernels, suspended kernels. */
static void step_families(struct hd_top *m, struct wires *w) {
  const struct hd_sched *s = hd_top_sched(m);
  const struct hd_kd *kd = hd_top_kd(m);
  const uint32_t *config = hd_top_regs(m)->config;
  struct hd_pool_in *p = &w->pool_in;
  struct hd_susp_in *u = &w->susp_in;
  unsigned reading = hd_top_susp(m)->sv_kdei;
  w->kin_in.birth_valid = w->devq.birth_valid;
  w->kin_in.birth_kin = w->devq.birth_kin;
  w->kin_in.birth_new = w->devq.birth_new;
  hd_kin_tick(kin_of(m), &w->kin_in);
  p->push_valid = w->devq.push_valid;
  p->push = w->devq.push;
  p->head_pop = w->kmu.pick.from == HD_KMU_DEVICE;
  p->stream_done_valid = w->kin.stream_done_valid;
  p->stream_done = w->kin.stream_done;
  p->lost_ready = w->kin.lost_ready;
  p->req_ready = w->mem.req_ready[MEM_POOL];
  p->wbeat_take = w->mem.wbeat_take[MEM_POOL];
  p->b_valid = w->mem.b_valid[MEM_POOL];
  p->b_error = w->mem.b_error;
  p->r_valid = w->mem.r_valid[MEM_POOL];
  p->r = w->mem.r;
  hd_pool_tick(pool_of(m), p);
  u->save_valid = w->devq.save_valid;
  u->save_kin = w->devq.save_kin;
  u->save_pos = w->devq.save_pos;
  u->save_entry = w->devq.save_entry;
  u->suspend_valid = kd->susp_state == HD_KD_SEND;
  if (u->suspend_valid) u->suspend = hd_kd_suspended(kd);
  u->list = w->link.list;
  u->suspended_ready = w->kin.suspended_ready;
  u->head_pop = w->kmu.pick.from == HD_KMU_RESUMED;
  u->cur_valid = s->sscr_valid;
  u->cur_kdei = s->sscr_valid ? s->sscr_kdei : 0;
  /* Of the entries only that in the SSCR and the one whose saved TBs are read are looked at. */
  u->sav_first[u->cur_kdei] = kd->entry[u->cur_kdei].sav_first;
  u->sav_count[u->cur_kdei] = kd->entry[u->cur_kdei].sav_count;
  u->kin[reading] = kd->entry[reading].kin;
  u->sv_pop = w->choice.load == HD_LOAD_SAVED;
  u->sus_base = config[HD_CONFIG_SUS_BASE];
  u->req_ready = w->mem.req_ready[MEM_SUSP];
  u->wbeat_take = w->mem.wbeat_take[MEM_SUSP];
  u->b_valid = w->mem.b_valid[MEM_SUSP];
  u->b_error = w->mem.b_error;
  u->r_valid = w->mem.r_valid[MEM_SUSP];
  u->r = w->mem.r;
  hd_susp_tick(susp_of(m), u);
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
      .look_smx = w->devq.look_smx,
      .look_slot = w->devq.look_slot,
  };
  hd_sched_step(sched_of(m), &w->choice, &e);
}

/* The edge, block by block: each before the neighbours whose registers it reads. What a block is told by one that steps
 * before it lies in the wires, or is gathered first. */
static void step(struct hd_top *m, struct wires *w, const struct hd_top_in *in) {
  uint64_t pending[HD_KDE_WORDS], next_busy[HD_KDE_WORDS] = {0};
  const struct hd_kd_edge kd = kd_edge(m, w, pending, next_busy);
  const struct hd_fcfs_edge marks = {.unmark = w->choice.unmark,
                                     .rotate = w->choice.rotate,
                                     .mark_kdei = w->link.link_valid ? w->link.link_kdei : -1,
                                     .enter_kdei = w->enter_kdei};
  step_groups(m, w);
  step_age(m, w, in);
  step_families(m, w);
  hd_devq_tick(devq_of(m), &w->devq_in);
  step_regs(m, w, in);
  hd_memarb_tick(memarb_of(m), &w->mem_in);
  step_sched(m, w, in);
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
  BLOCKS(ARCH)
}
