/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "channel/apu.h"

#include <string.h>

enum { CHAN, DCOUNT }; /* clients of the memory port */

size_t hd_apu_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct hd_apu);
}

void hd_apu_init(struct hd_apu *m, const struct hd_cfg *cfg) {
  memset(m, 0, sizeof *m);
  hd_chan_init(&m->chan, cfg);
  hd_dcount_init(&m->dcount, cfg);
  hd_agg_init(&m->agg, cfg);
  hd_yrec_init(&m->yrec, cfg);
  hd_memarb_init(&m->memarb, cfg);
  m->cus = (uint8_t)cfg->num_cu;
}

void hd_apu_reset(struct hd_apu *m) {
  hd_chan_reset(&m->chan);
  hd_dcount_reset(&m->dcount);
  hd_agg_reset(&m->agg);
  hd_yrec_reset(&m->yrec);
  hd_memarb_reset(&m->memarb);
}

/* ---- the wires ---- */

struct wires {
  struct hd_chan_in chan;
  struct hd_dcount_in dcount;
  struct hd_agg_in agg;
  struct hd_yrec_in yrec;
  struct hd_memarb_in memarb;
};

/* Sets inputs from the blocks' outputs o. Only outputs that depend on state alone need to be valid yet. */
static void connect_chan(const struct hd_apu *m, const struct hd_apu_in *in, const struct hd_apu_inner *o,
                         struct hd_chan_in *to) {
  to->set_valid = in->set_valid;
  to->set = in->set;
  memcpy(to->op_valid, in->op_valid, sizeof in->op_valid);
  memcpy(to->op, in->op, sizeof in->op);
  to->op_valid[m->cus] = o->yrec.op_valid;
  to->op[m->cus] = o->yrec.op;
  to->done_room = o->dcount.run_room;
  memcpy(to->head, o->dcount.head, sizeof to->head);
  memcpy(to->fail, o->dcount.fail, sizeof to->fail);
  to->mem = o->memarb.mem[CHAN];
}

static void connect_dcount(const struct hd_apu_in *in, const struct hd_apu_inner *o, struct hd_dcount_in *to) {
  to->set_valid = in->set_valid;
  to->set = in->set;
  to->run_valid = o->chan.done_valid;
  to->run = o->chan.done;
  to->mem = o->memarb.mem[DCOUNT];
}

static void connect_agg(const struct hd_apu_in *in, const struct hd_apu_inner *o, struct hd_agg_in *to) {
  to->set_valid = in->set_valid;
  to->set = in->set;
  to->live_valid = o->chan.live_valid;
  to->live = o->chan.live;
  to->pub_valid = o->chan.pub_valid;
  to->pub_chan = o->chan.pub_chan;
  to->pub_count = o->chan.pub_count;
  memcpy(to->failed, o->chan.failed, sizeof to->failed);
  to->quiet = o->chan.quiet;
  memcpy(to->end_valid, in->end_valid, sizeof to->end_valid);
  memcpy(to->end_slot, in->end_slot, sizeof to->end_slot);
  to->yield_valid = o->chan.yield_valid;
  to->yield = o->chan.yield;
  to->back_valid = o->yrec.back_valid;
  to->back = o->yrec.back;
  to->asking = o->yrec.asking;
}

static void connect_yrec(const struct hd_apu *m, const struct hd_apu_inner *o, struct hd_yrec_in *to) {
  to->wait_valid = o->agg.wait_valid;
  to->wait = o->agg.wait;
  memcpy(to->back_busy, o->agg.back_busy, sizeof to->back_busy);
  to->freed_valid = o->dcount.freed_valid;
  to->freed_chan = o->dcount.freed_chan;
  memcpy(to->failed, o->chan.failed, sizeof to->failed);
  to->op_ready = o->chan.op_ready[m->cus];
  to->answer_valid = o->chan.answer_valid[m->cus];
  to->answer = o->chan.answer;
}

static void connect_memarb(const struct hd_apu_in *in, const struct hd_apu_inner *o, struct hd_memarb_in *to) {
  to->mem[CHAN] = o->chan.mem;
  to->mem[DCOUNT] = o->dcount.mem;
  to->awready = in->awready;
  to->wready = in->wready;
  to->bvalid = in->bvalid;
  to->bid = in->bid;
  to->bresp = in->bresp;
  to->arready = in->arready;
  to->rvalid = in->rvalid;
  to->rid = in->rid;
  to->rdata[0] = in->rdata[0];
  to->rdata[1] = in->rdata[1];
  to->rresp = in->rresp;
  to->rlast = in->rlast;
}

/* Sets all outputs and all wires. Each block is evaluated once the inputs of its outputs are known: those of dcount and
 * yrec depend on state alone. */
static void settle(const struct hd_apu *m, const struct hd_apu_in *in, struct wires *w, struct hd_apu_inner *o) {
  memset(w, 0, sizeof *w);
  memset(o, 0, sizeof *o);
  hd_dcount_eval(&m->dcount, &w->dcount, &o->dcount);
  hd_yrec_eval(&m->yrec, &w->yrec, &o->yrec);
  connect_chan(m, in, o, &w->chan);
  hd_chan_eval(&m->chan, &w->chan, &o->chan);
  connect_agg(in, o, &w->agg);
  hd_agg_eval(&m->agg, &w->agg, &o->agg);
  connect_memarb(in, o, &w->memarb);
  hd_memarb_eval(&m->memarb, &w->memarb, &o->memarb);
  connect_chan(m, in, o, &w->chan);
  connect_dcount(in, o, &w->dcount);
  connect_yrec(m, o, &w->yrec);
}

/* ---- outputs ---- */

static void show_axi(const struct hd_memarb_out *o, struct hd_apu_out *out) {
  out->awvalid = o->awvalid;
  out->awid = o->awid;
  out->awaddr = o->awaddr;
  out->awlen = o->awlen;
  out->awsize = o->awsize;
  out->awburst = o->awburst;
  out->wvalid = o->wvalid;
  out->wdata[0] = o->wdata[0];
  out->wdata[1] = o->wdata[1];
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

void hd_apu_eval(const struct hd_apu *m, const struct hd_apu_in *in, struct hd_apu_out *out) {
  struct wires w;
  struct hd_apu_inner o;
  settle(m, in, &w, &o);
  memset(out, 0, sizeof *out);
  memcpy(out->op_ready, o.chan.op_ready, m->cus);
  memcpy(out->answer_valid, o.chan.answer_valid, m->cus);
  if (memchr(out->answer_valid, 1, m->cus)) out->answer = o.chan.answer;
  out->go_valid = o.agg.go_valid;
  out->go = o.agg.go;
  memcpy(out->end_ready, o.agg.end_ready, sizeof out->end_ready);
  memcpy(out->open, o.chan.open, sizeof out->open);
  memcpy(out->failed, o.chan.failed, sizeof out->failed);
  memcpy(out->never, o.chan.never, sizeof out->never);
  out->bad = o.agg.bad;
  show_axi(&o.memarb, out);
}

void hd_apu_show_inner(const struct hd_apu *m, const struct hd_apu_in *in, struct hd_apu_inner *inner) {
  struct wires w;
  settle(m, in, &w, inner);
}

void hd_apu_tick(struct hd_apu *m, const struct hd_apu_in *in) {
  struct wires w;
  struct hd_apu_inner o;
  settle(m, in, &w, &o);
  hd_chan_tick(&m->chan, &w.chan);
  hd_dcount_tick(&m->dcount, &w.dcount);
  hd_agg_tick(&m->agg, &w.agg);
  hd_yrec_tick(&m->yrec, &w.yrec);
  hd_memarb_tick(&m->memarb, &w.memarb);
}
