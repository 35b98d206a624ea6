/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "top.h"

#include <string.h>

static struct hd_kmu *kmu_of(struct hd_top *m) {
  return (struct hd_kmu *)(void *)(m->block + m->kmu_at);
}
static struct hd_kd *kd_of(struct hd_top *m) {
  return (struct hd_kd *)(void *)(m->block + m->kd_at);
}
static struct hd_fcfs *fcfs_of(struct hd_top *m) {
  return (struct hd_fcfs *)(void *)(m->block + m->fcfs_at);
}
static struct hd_sched *sched_of(struct hd_top *m) {
  return (struct hd_sched *)(void *)(m->block + m->sched_at);
}
static struct hd_regs *regs_of(struct hd_top *m) {
  return (struct hd_regs *)(void *)(m->block + m->regs_at);
}
static struct hd_memarb *memarb_of(struct hd_top *m) {
  return (struct hd_memarb *)(void *)(m->block + m->memarb_at);
}

/* Lays the blocks out one after the other, each at a multiple of 8 bytes; returns the words that they take. */
static uint32_t lay_out(struct hd_top *m, const struct hd_cfg *cfg) {
  uint32_t at = 0;
  m->kmu_at = at;
  at += HD_WORDS(8 * (uint32_t)hd_kmu_size(cfg));
  m->kd_at = at;
  at += HD_WORDS(8 * (uint32_t)hd_kd_size(cfg));
  m->fcfs_at = at;
  at += HD_WORDS(8 * (uint32_t)hd_fcfs_size(cfg));
  m->sched_at = at;
  at += HD_WORDS(8 * (uint32_t)hd_sched_size(cfg));
  m->regs_at = at;
  at += HD_WORDS(8 * (uint32_t)hd_regs_size(cfg));
  m->memarb_at = at;
  at += HD_WORDS(8 * (uint32_t)hd_memarb_size(cfg));
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
  lay_out(m, cfg);
  hd_kmu_init(kmu_of(m), cfg);
  hd_kd_init(kd_of(m), cfg);
  hd_fcfs_init(fcfs_of(m), cfg);
  hd_sched_init(sched_of(m), cfg);
  hd_regs_init(regs_of(m), cfg);
  hd_memarb_init(memarb_of(m), cfg);
}

void hd_top_reset(struct hd_top *m) {
  hd_kmu_reset(kmu_of(m));
  hd_kd_reset(kd_of(m));
  hd_fcfs_reset(fcfs_of(m));
  hd_sched_reset(sched_of(m));
  hd_regs_reset(regs_of(m));
  hd_memarb_reset(memarb_of(m));
}

/* The wires between the blocks in one cycle; all come from registers. */
struct wires {
  struct hd_sched_choice choice;
  int enter_kdei; /* the entry of the kernel that goes from KMU to KD, or -1 */
  bool kernel_ready;
};

static struct wires settle(const struct hd_top *m) {
  struct wires w = {.choice = hd_sched_choose(hd_top_sched(m))};
  int alloc = hd_kd_alloc(hd_top_kd(m));
  w.kernel_ready = alloc >= 0;
  w.enter_kdei = hd_top_kmu(m)->kernel_valid ? alloc : -1;
  return w;
}

/* The AXI4 side, which does not depend on the clients. */
static void show_axi(const struct hd_memarb *m, struct hd_top_out *out) {
  static const struct hd_memarb_in idle;
  struct hd_memarb_out o;
  hd_memarb_eval(m, &idle, &o);
  out->awvalid = o.awvalid;
  out->awid = o.awid;
  out->awaddr = o.awaddr;
  out->awlen = o.awlen;
  out->awsize = o.awsize;
  out->awburst = o.awburst;
  out->wvalid = o.wvalid;
  out->wdata_hi = o.wdata_hi;
  out->wdata_lo = o.wdata_lo;
  out->wstrb = o.wstrb;
  out->wlast = o.wlast;
  out->bready = o.bready;
  out->arvalid = o.arvalid;
  out->arid = o.arid;
  out->araddr = o.araddr;
  out->arlen = o.arlen;
  out->arsize = o.arsize;
  out->arburst = o.arburst;
  out->rready = o.rready;
}

static void show(const struct hd_top *m, struct hd_top_out *out) {
  const struct hd_kmu *kmu = hd_top_kmu(m);
  const struct hd_kd *kd = hd_top_kd(m);
  out->host_launch_ready = hd_kmu_launch_ready(kmu);
  out->host_answer_valid = kmu->answer_count > 0;
  out->host_answer = kmu->answer[0];
  hd_sched_show_dispatch(hd_top_sched(m), &kd->desc, out->dispatch_valid, out->dispatch);
  memset(out->cta_done_ready, 1, m->num_smx);
  out->kernel_done_valid = kd->kernel_done_valid;
  out->kernel_done = kd->kernel_done;
  out->pready = 1;
  out->prdata = hd_top_regs(m)->prdata;
  out->pslverr = hd_top_regs(m)->pslverr;
  show_axi(hd_top_memarb(m), out);
}

static void step_regs(struct hd_top *m, const struct wires *w, const struct hd_top_in *in) {
  const struct hd_kmu *kmu = hd_top_kmu(m);
  const struct hd_sched *s = hd_top_sched(m);
  const struct hd_apb apb = {in->psel, in->penable, in->pwrite, in->pstrb, in->paddr, in->pwdata};
  const struct hd_regs_events e = {
      .answer = kmu->answer_count > 0 && in->host_answer_ready ? kmu->answer[0].code : -1,
      .enter = w->enter_kdei >= 0,
      .kernel_done = hd_top_kd(m)->kernel_done_valid && in->kernel_done_ready,
      .grant = w->choice.grant_smx >= 0,
      .blocked = w->choice.blocked,
      .done_ok = hd_bits_count(s->done_ok, s->cfg.smx_words),
      .done_empty = hd_bits_count(s->done_empty, s->cfg.smx_words),
      .done_early = hd_bits_count(s->done_early, s->cfg.smx_words),
  };
  hd_regs_step(regs_of(m), &apb, &e);
}

static void step_memarb(struct hd_top *m, const struct hd_top_in *in) {
  static const uint8_t no_valid[HD_MAX_MEM_CLIENTS];
  static const struct hd_memreq no_req[HD_MAX_MEM_CLIENTS];
  static const struct hd_membeat no_beat[HD_MAX_MEM_CLIENTS];
  static const struct hd_memarb_clients none = {no_valid, no_req, no_beat};
  const struct hd_memarb_axi axi = {
      .rdata_hi = in->rdata_hi,
      .rdata_lo = in->rdata_lo,
      .awready = in->awready,
      .wready = in->wready,
      .bvalid = in->bvalid,
      .bid = in->bid,
      .bresp = in->bresp,
      .arready = in->arready,
      .rvalid = in->rvalid,
      .rid = in->rid,
      .rresp = in->rresp,
      .rlast = in->rlast,
  };
  hd_memarb_step(memarb_of(m), &none, &axi);
}

static void step_sched(struct hd_top *m, const struct wires *w, const struct hd_top_in *in) {
  uint64_t ready[HD_SMX_WORDS], done[HD_SMX_WORDS];
  const struct hd_kd *kd = hd_top_kd(m);
  const struct hd_kernel *kernel = &hd_top_kmu(m)->kernel;
  const struct hd_fcfs *fcfs = hd_top_fcfs(m);
  hd_bits_from_bytes(ready, in->dispatch_ready, m->num_smx);
  hd_bits_from_bytes(done, in->cta_done_valid, m->num_smx);
  const struct hd_sched_edge e = {
      .enter_kdei = w->enter_kdei,
      .enter_need = &kernel->need,
      .enter_ctas = kernel->ctas,
      .next_kdei = fcfs->count > 1 ? fcfs->order[1] : -1,
      .need = hd_kd_need(kd),
      .ctas = hd_kd_ctas(kd),
      .desc = &kd->desc,
      .dispatch_ready = ready,
      .cta_done_valid = done,
      .cta_done_slot = in->cta_done_slot,
  };
  hd_sched_step(sched_of(m), &w->choice, &e);
}

/* The edge, block by block: each before the neighbours whose registers it reads. */
static void step(struct hd_top *m, const struct wires *w, const struct hd_top_in *in) {
  struct hd_kmu *kmu = kmu_of(m);
  struct hd_kd *kd = kd_of(m);
  int grant_kdei = w->choice.grant_smx >= 0 ? hd_top_sched(m)->sscr_kdei : -1;
  int retire_kdei = hd_top_sched(m)->retired_valid ? hd_top_sched(m)->retired_kdei : -1;
  uint64_t reopen[HD_WORDS(HD_MAX_NUM_HWQ)];
  for (unsigned k = 0; k < kd->cfg.hwq_words; k++) reopen[k] = kd->reopen[k]; /* the KMU's step comes after the KD's */
  step_regs(m, w, in);
  step_memarb(m, in);
  step_sched(m, w, in);
  hd_kd_step(kd, kmu->kernel_valid ? &kmu->kernel : NULL, hd_top_fcfs(m)->marked, grant_kdei, retire_kdei,
             in->kernel_done_ready);
  hd_fcfs_step(fcfs_of(m), w->enter_kdei, w->choice.grant_last);
  hd_kmu_step(kmu, in->host_launch_valid ? &in->host_launch : NULL, in->host_answer_ready, w->kernel_ready, reopen);
}

void hd_top_eval(const struct hd_top *m, const struct hd_top_in *in, struct hd_top_out *out) {
  (void)in; /* no output of the plane depends on this cycle's inputs */
  show(m, out);
}

void hd_top_tick(struct hd_top *m, const struct hd_top_in *in) {
  const struct wires w = settle(m);
  step(m, &w, in);
}

void hd_top_cycle(struct hd_top *m, const struct hd_top_in *in, struct hd_top_out *out) {
  show(m, out);
  hd_top_tick(m, in);
}

void hd_top_arch(const struct hd_top *m, struct hd_top_arch *a, bool tables) {
  hd_kmu_arch(hd_top_kmu(m), &a->kmu, tables);
  hd_kd_arch(hd_top_kd(m), &a->kd, tables);
  hd_fcfs_arch(hd_top_fcfs(m), &a->fcfs, tables);
  hd_sched_arch(hd_top_sched(m), &a->sched, tables);
  hd_regs_arch(hd_top_regs(m), &a->regs, tables);
  hd_memarb_arch(hd_top_memarb(m), &a->memarb, tables);
}
