/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "top/top.h"

#include <string.h>

#include "top/top_inside.h"

#define AXI_SIZE_16_BYTES 4
#define AXI_BURST_INCR 1

/* Lays out the blocks one after the other, aligned to 8 bytes. Returns the number of words. */
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
#define LEAVE_OUT(b) m->left_out |= (HD_TOP_HAS_##b(cfg) ? 0u : 1u) << HD_TOP_NUMBER_##b;
  HD_TOP_BLOCKS(LEAVE_OUT)
  lay_out(m, cfg);
#define INIT(b) hd_##b##_init(b##_of(m), cfg);
  HD_TOP_BLOCKS(INIT)
  memset(m->edges, 0, sizeof m->edges);
}

void hd_top_reset(struct hd_top *m) {
#define RESET(b) hd_##b##_reset(b##_of(m));
  HD_TOP_BLOCKS(RESET)
  memset(m->edges, 0, sizeof m->edges);
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
  out->wdata[0] = o->wdata[0];
  out->wdata[1] = o->wdata[1];
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

static void show_launches(const struct hd_top *m, const struct hd_top_wires *w, struct hd_top_out *out) {
  if (!HD_AWAKE(w, devq))
    memset(out->dev_launch_ready, 1, m->num_smx);
  else
    memcpy(out->dev_launch_ready, w->devq->dev_launch_ready, m->num_smx);
  memcpy(out->dev_answer_valid, w->devq->dev_answer_valid, m->num_smx);
  memcpy(out->dev_answer, w->devq->dev_answer, m->num_smx * sizeof *out->dev_answer);
}

static void show(const struct hd_top *m, const struct hd_top_wires *w, struct hd_top_out *out) {
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
  out->open_count = hd_top_throttle(m)->n;
  out->pready = 1;
  out->prdata = hd_top_regs(m)->prdata;
  out->pslverr = hd_top_regs(m)->pslverr;
  show_axi(w->mem, out);
}

/* ---- A cycle ---- */

void hd_top_eval(const struct hd_top *m, const struct hd_top_in *in, struct hd_top_out *out) {
  struct hd_top_wires w;
  hd_top_settle(m, &w, in);
  show(m, &w, out);
}

void hd_top_tick(struct hd_top *m, const struct hd_top_in *in) {
  struct hd_top_wires w;
  hd_top_settle(m, &w, in);
  hd_top_step(m, &w, in);
}

void hd_top_cycle(struct hd_top *m, const struct hd_top_in *in, struct hd_top_out *out) {
  struct hd_top_wires w;
  hd_top_settle(m, &w, in);
  show(m, &w, out);
  hd_top_step(m, &w, in);
}

void hd_top_arch(const struct hd_top *m, struct hd_top_arch *a, bool tables) {
#define ARCH(b)                    \
  if (HD_TOP_LEFT_OUT(m, b))       \
    memset(&a->b, 0, sizeof a->b); \
  else                             \
    hd_##b##_arch(hd_top_##b(m), &a->b, tables);
  HD_TOP_BLOCKS(ARCH)
}
