/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "channel/yrec.h"

#include <string.h>

size_t hd_yrec_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct hd_yrec);
}

void hd_yrec_init(struct hd_yrec *m, const struct hd_cfg *cfg) {
  memset(m, 0, sizeof *m);
  m->cfg = (struct hd_yrec_cfg){.places = (uint16_t)cfg->chan_recs,
                                .chans = (uint8_t)cfg->num_chan,
                                .cus = (uint8_t)cfg->num_cu,
                                .paper = (cfg->chan_paper & 2) != 0};
}

void hd_yrec_reset(struct hd_yrec *m) {
  memset((char *)m + sizeof m->cfg, 0, sizeof *m - sizeof m->cfg);
}

static bool wants(const struct hd_yrec *m, unsigned c) {
  return m->list[c].listed && m->list[c].hope && !m->list[c].held;
}

/* Returns the wavefront that requests room. */
static const struct hd_chanrec *requester(const struct hd_yrec *m) {
  return &m->rec[m->list[m->ask_chan].first];
}

void hd_yrec_eval(const struct hd_yrec *m, const struct hd_yrec_in *in, struct hd_yrec_out *out) {
  (void)in;
  memset(out, 0, sizeof *out);
  out->asking = m->ask != HD_YREC_IDLE;
  for (unsigned c = 0; c < m->cfg.chans; c++) out->asking |= wants(m, c);
  out->back_valid = m->back_valid;
  out->back = m->back;
  if (m->ask != HD_YREC_REQUEST) return;
  out->op_valid = 1;
  out->op = (struct hd_chanop){.kind = HD_CHOP_TALLOC, .chan = m->ask_chan, .n = requester(m)->n};
}

/* ---- the request ---- */

static void begin(struct hd_yrec *m) {
  for (unsigned k = 0; k < m->cfg.chans; k++) {
    const unsigned c = (m->ask_ptr + k) % m->cfg.chans;
    if (!wants(m, c)) continue;
    m->ask = HD_YREC_LOOK;
    m->ask_chan = (uint8_t)c;
    m->ask_ptr = (uint8_t)((c + 1) % m->cfg.chans);
    return;
  }
}

static void hear(struct hd_yrec *m, const struct hd_chananswer *a) {
  if (a->code == HD_CHCODE_NO_ROOM && !m->cfg.paper) {
    m->list[m->ask_chan].hope = 0;
    m->ask = HD_YREC_IDLE;
    return;
  }
  m->code = a->code;
  m->base = a->base;
  m->ask = HD_YREC_FETCH;
}

static void leave(struct hd_yrec *m) {
  struct hd_yrec_list *l = &m->list[m->ask_chan];
  const struct hd_chanrec *r = requester(m);
  m->back_valid = 1;
  m->back = (struct hd_chanback){
      .cu = r->cu, .own = r->own, .chan = m->ask_chan, .base = m->base, .code = m->code, .ctx = r->ctx};
  m->used[l->first] = 0;
  if (l->first == l->last)
    l->first = l->last = l->listed = 0;
  else
    l->first = m->fetched;
  m->base = m->fetched = 0;
  m->code = 0;
  m->ask = HD_YREC_IDLE;
}

static void ask(struct hd_yrec *m, const struct hd_yrec_in *in) {
  switch (m->ask) {
    case HD_YREC_IDLE:
      begin(m);
      return;
    case HD_YREC_LOOK:
      m->list[m->ask_chan].held = in->back_busy[requester(m)->cu];
      m->ask = m->list[m->ask_chan].held ? HD_YREC_IDLE : HD_YREC_REQUEST;
      return;
    case HD_YREC_REQUEST:
      if (in->op_ready) m->ask = HD_YREC_ON_ITS_WAY;
      return;
    case HD_YREC_ON_ITS_WAY:
      m->ask = HD_YREC_ANSWER;
      return;
    case HD_YREC_ANSWER:
      if (in->answer_valid) hear(m, &in->answer);
      return;
    case HD_YREC_FETCH:
      if (in->wait_valid) return;
      m->fetched = m->next[m->list[m->ask_chan].first];
      m->ask = HD_YREC_LEAVE;
      return;
    default:
      if (in->wait_valid)
        m->ask = HD_YREC_FETCH;
      else
        leave(m);
  }
}

/* A restart has got its slot: wavefronts that were held behind one may request again, except those found so in this
 * cycle. */
static void release(struct hd_yrec *m, const struct hd_yrec_in *in, bool looked) {
  bool any = false;
  for (unsigned u = 0; u < m->cfg.cus; u++) any |= m->busy[u] && !in->back_busy[u];
  for (unsigned c = 0; any && c < m->cfg.chans; c++)
    if (!looked || c != m->ask_chan) m->list[c].held = 0;
  memcpy(m->busy, in->back_busy, sizeof m->busy);
}

/* ---- lists ---- */

static void enter(struct hd_yrec *m, const struct hd_chanwait *w, unsigned place) {
  struct hd_yrec_list *l = &m->list[w->chan];
  m->used[place] = 1;
  m->rec[place] = (struct hd_chanrec){.cu = w->cu, .own = w->own, .n = w->n, .ctx = w->ctx};
  hd_wrote(&m->wrote[0], place);
  if (l->listed) {
    m->next[l->last] = (uint16_t)place;
  } else {
    l->listed = l->hope = 1;
    l->first = (uint16_t)place;
  }
  l->last = (uint16_t)place;
}

void hd_yrec_tick(struct hd_yrec *m, const struct hd_yrec_in *in) {
  unsigned place = 0;
  while (place < m->cfg.places && m->used[place]) place++;
  m->back_valid = 0;
  memset(&m->back, 0, sizeof m->back);
  const bool looked = m->ask == HD_YREC_LOOK;
  ask(m, in); /* first: setting takes priority over clearing */
  release(m, in, looked);
  if (in->wait_valid && place < m->cfg.places) enter(m, &in->wait, place);
  if (in->freed_valid) m->list[in->freed_chan].hope = 1;
  for (unsigned c = 0; c < m->cfg.chans; c++) m->list[c].hope |= in->failed[c];
}

void hd_yrec_arch_row(const struct hd_yrec *m, unsigned row, struct hd_yrec_arch *a) {
  if (row >= m->cfg.places) return;
  a->rec_valid[row] = m->used[row];
  a->rec[row] = m->used[row] ? m->rec[row] : (struct hd_chanrec){0};
}

void hd_yrec_arch(const struct hd_yrec *m, struct hd_yrec_arch *a, bool tables) {
  memcpy(a->used, m->used, sizeof a->used);
  for (unsigned c = 0; c < m->cfg.chans; c++) {
    a->listed[c] = m->list[c].listed;
    a->first[c] = m->list[c].first;
    a->last[c] = m->list[c].last;
    a->hope[c] = m->list[c].hope;
    a->held[c] = m->list[c].held;
  }
  a->ask = m->ask;
  a->ask_chan = m->ask ? m->ask_chan : 0;
  a->ask_ptr = m->ask_ptr;
  if (!tables) return;
  for (unsigned row = 0; row < m->cfg.places; row++) hd_yrec_arch_row(m, row, a);
}
