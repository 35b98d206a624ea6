/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "channel/agg.h"

#include <string.h>

size_t hd_agg_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct hd_agg);
}

void hd_agg_init(struct hd_agg *m, const struct hd_cfg *cfg) {
  memset(m, 0, sizeof *m);
  m->cfg = (struct hd_agg_cfg){.pos_mask = (UINT32_C(1) << cfg->chan_pos_w) - 1,
                               .recs = cfg->chan_recs,
                               .cus = (uint8_t)cfg->num_cu,
                               .waves = (uint8_t)cfg->waves_per_cu,
                               .lanes = (uint8_t)cfg->wave_lanes,
                               .chans = (uint8_t)cfg->num_chan,
                               .paper = (cfg->chan_paper & 4) != 0};
}

void hd_agg_reset(struct hd_agg *m) {
  memset((char *)m + sizeof m->cfg, 0, sizeof *m - sizeof m->cfg);
}

/* ---- the choice ---- */

static bool any_room(const struct hd_agg *m) {
  return memchr(m->room, 1, m->cfg.cus) != NULL;
}

static bool restart_can_go(const struct hd_agg *m, unsigned cu) {
  return m->busy[cu] && m->room[cu];
}

static unsigned restart_level(const struct hd_agg *m, unsigned cu) {
  return m->chan[m->back[cu].own].set.level;
}

/* Returns true if the channel can supply a wavefront, provided there is a free slot. */
static bool chan_can_go(const struct hd_agg *m, unsigned c) {
  const struct hd_agg_chan *h = &m->chan[c];
  return h->open && !h->waits && h->spare && (h->enough || (h->some && h->alone));
}

/* The choice: a restart of a CU, or new work of a channel for a CU. */
struct choice {
  bool any, restart;
  uint8_t chan, cu, slot;
};

/* Returns the deepest level that can be dispatched, or -1. */
static int deepest(const struct hd_agg *m) {
  int level = -1;
  for (unsigned c = 0; any_room(m) && c < m->cfg.chans; c++)
    if (chan_can_go(m, c) && m->chan[c].set.level > level) level = m->chan[c].set.level;
  for (unsigned u = 0; u < m->cfg.cus; u++)
    if (restart_can_go(m, u) && (int)restart_level(m, u) > level) level = (int)restart_level(m, u);
  return level;
}

static struct choice choose(const struct hd_agg *m) {
  struct choice x = {0};
  const int level = deepest(m);
  for (unsigned k = 0; k < m->cfg.cus; k++) {
    const unsigned u = (m->back_ptr + k) % m->cfg.cus;
    if (!restart_can_go(m, u) || (int)restart_level(m, u) != level) continue;
    return (struct choice){true, true, m->back[u].own, (uint8_t)u, m->low[u]};
  }
  for (unsigned k = 0; k < m->cfg.chans && !x.any; k++) {
    const unsigned c = (m->chan_ptr + k) % m->cfg.chans;
    x.any = level >= 0 && chan_can_go(m, c) && m->chan[c].set.level == level;
    x.chan = (uint8_t)c;
  }
  for (unsigned k = 0; k < m->cfg.cus && x.any; k++) {
    const unsigned u = (m->cu_ptr + k) % m->cfg.cus;
    if (!m->room[u]) continue;
    x.cu = (uint8_t)u;
    x.slot = m->low[u];
    break;
  }
  return x;
}

/* ---- outputs ---- */

/* Returns the CU whose end is accepted in this cycle, or -1. */
static int ended(const struct hd_agg *m, const struct hd_agg_in *in, uint8_t *ready) {
  for (unsigned k = 0; !in->yield_valid && k < m->cfg.cus; k++) {
    const unsigned u = (m->end_ptr + k) % m->cfg.cus;
    if (ready) ready[u] = 1;
    if (in->end_valid[u]) return (int)u;
  }
  return -1;
}

void hd_agg_eval(const struct hd_agg *m, const struct hd_agg_in *in, struct hd_agg_out *out) {
  const struct hd_chanyield *y = &m->left.yield;
  memset(out, 0, sizeof *out);
  ended(m, in, out->end_ready);
  out->wait_valid = m->left.yields;
  if (m->left.yields)
    out->wait = (struct hd_chanwait){.cu = y->cu, .own = m->left.own, .chan = y->chan, .n = y->n, .ctx = y->ctx};
  memcpy(out->back_busy, m->busy, sizeof out->back_busy);
  out->go_valid = m->go_valid;
  out->go = m->go;
  out->bad = m->bad;
}

/* ---- dispatch ---- */

static void restart(struct hd_agg *m, const struct choice *x) {
  const struct hd_chanback *b = &m->back[x->cu];
  m->go = (struct hd_chango){.restart = 1,
                             .own = b->own,
                             .cu = x->cu,
                             .slot = x->slot,
                             .chan = b->chan,
                             .base = b->base,
                             .code = b->code,
                             .ctx = b->ctx};
  memset(&m->back[x->cu], 0, sizeof *b);
  m->busy[x->cu] = 0;
  m->back_ptr = (uint8_t)((x->cu + 1u) % m->cfg.cus);
}

static void begin(struct hd_agg *m, const struct choice *x) {
  struct hd_agg_chan *h = &m->chan[x->chan];
  const uint16_t k = h->ready < m->cfg.lanes ? h->ready : m->cfg.lanes;
  const uint32_t places = UINT32_C(2) << h->set.cap;
  m->go = (struct hd_chango){
      .own = x->chan, .start = (uint16_t)(h->next & (places - 1)), .count = (uint8_t)k, .cu = x->cu, .slot = x->slot};
  h->ready = (uint16_t)(h->ready - k);
  h->next = (uint16_t)((h->next + k) & m->cfg.pos_mask);
  h->alive++;
  h->active++;
  m->recs++;
  m->chan_ptr = (uint8_t)((x->chan + 1u) % m->cfg.chans);
  m->cu_ptr = (uint8_t)((x->cu + 1u) % m->cfg.cus);
}

static void go(struct hd_agg *m, const struct choice *x) {
  m->go_valid = x->any;
  memset(&m->go, 0, sizeof m->go);
  if (!x->any) return;
  if (x->restart)
    restart(m, x);
  else
    begin(m, x);
  m->slot[(unsigned)x->cu * m->cfg.waves + x->slot] = 1;
}

/* ---- counts ---- */

static bool is_busy(const struct hd_agg_chan *h, bool failed) {
  return h->open && (((h->coming || h->ready) && !failed) || h->alive);
}

/* Finds the slots available next: free ones, less the one being taken. */
static void look_slots(const struct hd_agg *was, struct hd_agg *m, const struct choice *x) {
  for (unsigned u = 0; u < m->cfg.cus; u++) {
    m->room[u] = m->low[u] = 0;
    for (unsigned s = 0; s < m->cfg.waves && !m->room[u]; s++) {
      m->room[u] = !was->slot[u * m->cfg.waves + s] && !(x->any && x->cu == u && x->slot == s);
      m->low[u] = m->room[u] ? (uint8_t)s : 0;
    }
  }
}

/* Finds the elements available next: ready ones, less those being dispatched. */
static void look_ready(const struct hd_agg *was, struct hd_agg *m, const struct choice *x) {
  for (unsigned c = 0; c < m->cfg.chans; c++) {
    const bool gives = x->any && !x->restart && x->chan == c;
    const unsigned ready = was->chan[c].ready, left = ready < m->cfg.lanes ? 0 : ready - m->cfg.lanes;
    const unsigned r = gives ? left : ready;
    m->chan[c].some = r > 0;
    m->chan[c].enough = r > 0 && r >= was->chan[c].set.threshold;
  }
}

/* Returns true if wavefronts of channel d may add elements to c. */
static bool feeds(const struct hd_agg *m, unsigned d, unsigned c) {
  const struct hd_chanset *from = &m->chan[d].set, *to = &m->chan[c].set;
  return from->level < to->level || (from->level == to->level && to->levelized && d < c);
}

/* Returns true if elements of the channel are about to be published. */
static bool on_the_way(const struct hd_agg_chan *h, const struct hd_agg_in *in, unsigned c) {
  return h->coming && (!in->quiet || in->pub_valid) && !in->failed[c];
}

/* Returns true if a wavefront of channel c runs or will resume, or one may begin. */
static bool is_producer(const struct hd_agg *m, const struct hd_agg_in *in, unsigned c) {
  const struct hd_agg_chan *h = &m->chan[c];
  if (m->cfg.paper ? h->alive : h->active) return true;
  return h->open && !h->waits && h->spare && (h->ready || on_the_way(h, in, c));
}

/* Finds the channels to which no producer can add. */
static void look_upstream(const struct hd_agg *was, struct hd_agg *m, const struct hd_agg_in *in) {
  for (unsigned c = 0; c < m->cfg.chans; c++) {
    bool alone = was->chan[c].open && !on_the_way(&was->chan[c], in, c) && !in->asking && !in->back_valid;
    for (unsigned d = 0; d < c && alone; d++) alone = !feeds(was, d, c) || !is_producer(was, in, d);
    m->chan[c].alone = alone;
  }
}

/* Computes the values that the choice uses one cycle later, from the state at the start of the cycle. */
static void look(const struct hd_agg *was, struct hd_agg *m, const struct hd_agg_in *in, const struct choice *x) {
  look_slots(was, m, x);
  look_ready(was, m, x);
  look_upstream(was, m, in);
  int busy = -1;
  for (unsigned d = 0; d < m->cfg.chans; d++)
    if (is_busy(&was->chan[d], in->failed[d]) && was->chan[d].set.level > busy) busy = was->chan[d].set.level;
  unsigned may_go = 0;
  for (unsigned c = 0; c < m->cfg.chans; c++) may_go |= chan_can_go(was, c);
  for (unsigned c = 0; c < m->cfg.chans; c++) {
    const struct hd_agg_chan *h = &was->chan[c];
    const unsigned keep = was->last - c;
    m->chan[c].waits = h->open && h->set.levelized && busy > h->set.level;
    m->chan[c].spare = h->open && m->cfg.recs - was->recs >= keep + 1 + may_go;
  }
}

/* Returns the row of u_own of the dispatched wavefront. */
static unsigned go_row(const struct hd_agg *m) {
  return (unsigned)m->go.cu * m->cfg.waves + m->go.slot;
}

/* Writes the choice of the previous cycle; an end in this cycle already uses it. */
static void write_own(struct hd_agg *m) {
  if (!m->go_valid) return;
  m->own[go_row(m)] = m->go.own;
  hd_wrote(&m->wrote[0], go_row(m));
}

/* Marks a slot to be freed; the channel of its elements is known in the next cycle. */
static void leave(struct hd_agg *m, unsigned cu, unsigned slot, bool yields) {
  const unsigned at = cu * m->cfg.waves + slot;
  if (slot >= m->cfg.waves || !m->slot[at]) {
    m->bad = 1;
    return;
  }
  m->slot[at] = 0;
  m->left.ends = !yields;
  m->left.yields = yields;
  m->left.own = m->own[at];
}

static void finish(struct hd_agg *m) {
  if (m->gone) m->chan[m->gone - 1].active--;
  if (m->gone && m->gone_ends) {
    m->chan[m->gone - 1].alive--;
    m->recs--;
  }
  m->gone = (uint8_t)(m->left.ends || m->left.yields ? m->left.own + 1 : 0);
  m->gone_ends = m->left.ends;
  memset(&m->left, 0, sizeof m->left);
}

static void count(struct hd_agg *m, const struct hd_agg_in *in) {
  if (in->pub_valid) {
    struct hd_agg_chan *h = &m->chan[in->pub_chan];
    h->ready = (uint16_t)((h->ready + in->pub_count) & m->cfg.pos_mask);
    h->coming = (uint16_t)((h->coming - in->pub_count) & m->cfg.pos_mask);
  }
  if (in->live_valid && !in->live.done) {
    struct hd_agg_chan *h = &m->chan[in->live.chan];
    h->coming = (uint16_t)((h->coming + in->live.n) & m->cfg.pos_mask);
  }
  if (in->back_valid) {
    m->back[in->back.cu] = in->back;
    m->busy[in->back.cu] = 1;
    m->chan[in->back.own].active++;
  }
  if (in->set_valid) {
    m->chan[in->set.chan].set = in->set;
    m->chan[in->set.chan].open = 1;
    m->last = in->set.chan;
  }
}

void hd_agg_tick(struct hd_agg *m, const struct hd_agg_in *in) {
  const struct hd_agg was = *m;
  const struct choice x = choose(m);
  const int cu = ended(m, in, NULL);
  write_own(m);
  finish(m);
  if (in->yield_valid) {
    leave(m, in->yield.cu, in->yield.slot, true);
    if (m->left.yields) m->left.yield = in->yield;
  }
  if (cu >= 0) {
    leave(m, (unsigned)cu, in->end_slot[cu], false);
    m->end_ptr = (uint8_t)(((unsigned)cu + 1) % m->cfg.cus);
  }
  go(m, &x);
  count(m, in);
  look(&was, m, in, &x);
}

void hd_agg_arch_row(const struct hd_agg *m, unsigned row, struct hd_agg_arch *a) {
  if (row >= (unsigned)m->cfg.cus * m->cfg.waves) return;
  a->own_valid[row] = m->slot[row] && !(m->go_valid && row == go_row(m));
  a->own[row].chan = a->own_valid[row] ? m->own[row] : 0;
}

void hd_agg_arch(const struct hd_agg *m, struct hd_agg_arch *a, bool tables) {
  for (unsigned c = 0; c < m->cfg.chans; c++) {
    a->ready[c] = m->chan[c].ready;
    a->next[c] = m->chan[c].next;
    a->coming[c] = m->chan[c].coming;
    a->alive[c] = m->chan[c].alive;
    a->active[c] = m->chan[c].active;
    a->waits[c] = m->chan[c].waits;
    a->spare[c] = m->chan[c].spare;
    a->enough[c] = m->chan[c].enough;
    a->some[c] = m->chan[c].some;
    a->alone[c] = m->chan[c].alone;
  }
  a->recs = m->recs;
  memcpy(a->slot, m->slot, sizeof a->slot);
  memcpy(a->room, m->room, sizeof a->room);
  memcpy(a->low, m->low, sizeof a->low);
  a->end_ptr = m->end_ptr;
  a->chan_ptr = m->chan_ptr;
  a->cu_ptr = m->cu_ptr;
  a->back_ptr = m->back_ptr;
  if (!tables) return;
  for (unsigned row = 0; row < (unsigned)m->cfg.cus * m->cfg.waves; row++) hd_agg_arch_row(m, row, a);
}
