/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "service/memarb.h"

#include <string.h>

#define AXI_SIZE_16_BYTES 4
#define AXI_BURST_INCR 1

size_t hd_memarb_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct hd_memarb);
}

void hd_memarb_init(struct hd_memarb *m, const struct hd_cfg *cfg) {
  m->clients = cfg->mem_clients;
  hd_memarb_reset(m);
}

void hd_memarb_reset(struct hd_memarb *m) {
  uint32_t clients = m->clients;
  memset(m, 0, sizeof *m);
  m->clients = clients;
}

static bool can_accept(const struct hd_memarb *m) {
  return !m->ar.valid && !m->aw.valid && !m->w_busy;
}

static bool fetching(const struct hd_memarb *m) {
  return m->w_busy && m->beats < HD_MEMARB_BEATS;
}

static unsigned next_client(const struct hd_memarb *m, unsigned c) {
  return c + 1 == m->clients ? 0 : c + 1;
}

/* A client is ready if no client ahead of it in the rotation has a request. */
static void show_ready(const struct hd_memarb *m, const struct hd_memup *up, struct hd_memdown *down) {
  bool open = can_accept(m);
  unsigned c = m->ptr;
  for (unsigned n = 0; n < m->clients; n++, c = next_client(m, c)) {
    down[c].ready = open;
    if (up[c].valid) open = false;
  }
}

static void show_axi(const struct hd_memarb *m, struct hd_memarb_out *out) {
  const struct hd_memarb_beat *w = &m->beat[0];
  out->awvalid = m->aw.valid;
  out->awid = m->aw.id;
  out->awaddr = m->aw.addr;
  out->awlen = m->aw.len;
  out->arvalid = m->ar.valid;
  out->arid = m->ar.id;
  out->araddr = m->ar.addr;
  out->arlen = m->ar.len;
  out->wvalid = m->beats > 0;
  out->wdata[0] = w->lo;
  out->wdata[1] = w->hi;
  out->wstrb = w->strb;
  out->wlast = w->last;
  out->awsize = out->arsize = AXI_SIZE_16_BYTES;
  out->awburst = out->arburst = AXI_BURST_INCR;
  out->bready = out->rready = 1;
}

void hd_memarb_eval(const struct hd_memarb *m, const struct hd_memarb_in *in, struct hd_memarb_out *out) {
  for (unsigned c = 0; c < m->clients; c++) {
    out->mem[c].take = fetching(m) && m->w_client == c;
    out->mem[c].b_valid = m->b_valid && m->b_client == c;
    out->mem[c].b_error = m->b_error;
    out->mem[c].r_valid = m->r_valid && m->r_client == c;
    out->mem[c].r = m->r;
  }
  show_ready(m, in->mem, out->mem);
  show_axi(m, out);
}

/* Returns the client whose request is accepted in this cycle, or -1. */
static int winner(const struct hd_memarb *m, const struct hd_memup *up) {
  if (!can_accept(m)) return -1;
  unsigned c = m->ptr;
  for (unsigned n = 0; n < m->clients; n++, c = next_client(m, c)) {
    if (up[c].valid) return (int)c;
  }
  return -1;
}

static void take_request(struct hd_memarb *m, unsigned c, const struct hd_memreq *req) {
  struct hd_memarb_addr *a = req->write ? &m->aw : &m->ar;
  *a = (struct hd_memarb_addr){.addr = req->addr, .valid = 1, .id = (uint8_t)c, .len = req->len};
  if (req->write) {
    m->w_busy = 1;
    m->w_client = (uint8_t)c;
    m->w_left = (uint8_t)(req->len + 1);
  }
  m->ptr = (uint8_t)next_client(m, c);
}

static void pop_beat(struct hd_memarb *m) {
  m->beat[0] = m->beat[1];
  m->beat[1] = (struct hd_memarb_beat){0};
  m->beats--;
}

static void push_beat(struct hd_memarb *m, const struct hd_membeat *b) {
  m->beat[m->beats++] = (struct hd_memarb_beat){.hi = b->hi, .lo = b->lo, .strb = b->strb, .last = m->w_left == 1};
  m->w_left--;
  if (m->w_left == 0) m->w_busy = m->w_client = 0;
}

/* Stores the answers of this cycle, for the clients in the next one. */
static void take_answers(struct hd_memarb *m, const struct hd_memarb_in *in) {
  m->b_valid = in->bvalid && in->bid < m->clients;
  m->b_client = m->b_valid ? in->bid : 0;
  m->b_error = m->b_valid && (in->bresp & 2);
  m->r_valid = in->rvalid && in->rid < m->clients;
  m->r_client = m->r_valid ? in->rid : 0;
  m->r = (struct hd_memdata){0};
  if (m->r_valid) {
    m->r = (struct hd_memdata){.hi = in->rdata[1], .lo = in->rdata[0], .last = in->rlast, .error = in->rresp >> 1 & 1};
  }
}

void hd_memarb_tick(struct hd_memarb *m, const struct hd_memarb_in *in) {
  int win = winner(m, in->mem);
  bool fetch = fetching(m);
  if (m->ar.valid && in->arready) m->ar = (struct hd_memarb_addr){0};
  if (m->aw.valid && in->awready) m->aw = (struct hd_memarb_addr){0};
  if (m->beats && in->wready) pop_beat(m);
  if (fetch) push_beat(m, &in->mem[m->w_client].wbeat);
  if (win >= 0) take_request(m, (unsigned)win, &in->mem[win].req);
  take_answers(m, in);
}

void hd_memarb_arch(const struct hd_memarb *m, struct hd_memarb_arch *a, bool tables) {
  (void)tables;
  a->ptr = m->ptr;
  a->w_busy = m->w_busy;
  a->w_client = m->w_client;
  a->w_left = m->w_left;
}
