/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "channel/dcount.h"

#include <string.h>

size_t hd_dcount_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct hd_dcount);
}

void hd_dcount_init(struct hd_dcount *m, const struct hd_cfg *cfg) {
  memset(m, 0, sizeof *m);
  m->cfg = (struct hd_dcount_cfg){.addr_mask = UINT64_MAX >> (64 - cfg->addr_w),
                                  .head_mask = (UINT32_C(1) << cfg->grain_w) - 1,
                                  .grain = cfg->done_grain,
                                  .chans = (uint8_t)cfg->num_chan,
                                  .rows = (uint8_t)cfg->done_rows,
                                  .runs = (uint8_t)cfg->chan_runs,
                                  .spare = (uint8_t)cfg->done_spare};
}

void hd_dcount_reset(struct hd_dcount *m) {
  memset((char *)m + sizeof m->cfg, 0, sizeof *m - sizeof m->cfg);
}

/* ---- entries ---- */

static void push(struct hd_dcount_line *l, unsigned entry) {
  l->at[l->n++] = (uint8_t)entry;
}

static unsigned pop(struct hd_dcount_line *l) {
  const unsigned entry = l->at[0];
  memmove(l->at, l->at + 1, --l->n);
  l->at[l->n] = 0;
  return entry;
}

/* The grain of a channel's data head. */
static unsigned head_grain(const struct hd_dcount *m, unsigned chan) {
  return m->head[chan] & ((UINT32_C(1) << m->cap[chan]) / m->cfg.grain - 1);
}

/* Returns the entry of a beat, or -1. */
static int find(const struct hd_dcount *m, unsigned chan, unsigned no) {
  for (unsigned e = 0; e < m->cfg.rows; e++)
    if (m->entry[e] && m->entry_chan[e] == chan && m->entry_no[e] == no) return (int)e;
  return -1;
}

static int find_free(const struct hd_dcount *m) {
  for (unsigned e = 0; e < m->cfg.rows; e++)
    if (!m->entry[e]) return (int)e;
  return -1;
}

/* Rows are indexed, here and below: CBMC (docs/proofs.md) does not follow a pointer to one of several. */
static void clear(struct hd_dcount *m, unsigned e) {
  for (unsigned k = 0; k < HD_DCOUNT_LANES; k++) m->count[e][k] = 0;
}

static void get(struct hd_dcount *m, unsigned e, unsigned chan, unsigned no) {
  m->entry[e] = HD_DCOUNT_READING;
  m->entry_chan[e] = (uint8_t)chan;
  m->entry_no[e] = (uint16_t)no;
  clear(m, e);
  push(&m->wants, e);
}

static void adds(struct hd_dcount *m, unsigned e) {
  m->adds = 1;
  m->stage_entry = (uint8_t)e;
}

/* ---- outputs ---- */

static struct hd_membeat beat_of(const struct hd_dcount *m, unsigned e) {
  struct hd_membeat b = {.strb = 0xffff};
  for (unsigned k = 0; k < 8; k++) {
    b.lo |= (uint64_t)m->count[e][k] << 8 * k;
    b.hi |= (uint64_t)m->count[e][8 + k] << 8 * k;
  }
  return b;
}

void hd_dcount_eval(const struct hd_dcount *m, const struct hd_dcount_in *in, struct hd_dcount_out *out) {
  (void)in;
  memset(out, 0, sizeof *out);
  out->run_room = m->runs + 3u <= m->cfg.runs;
  memcpy(out->head, m->head, sizeof out->head);
  memcpy(out->fail, m->fail, sizeof out->fail);
  out->freed_valid = m->freed_valid;
  out->freed_chan = m->freed_chan;
  if (m->ask == HD_DCOUNT_IDLE) return;
  const bool write = m->ask != HD_DCOUNT_READ;
  const unsigned e = write ? m->out_entry : m->wants.at[0];
  if (write) out->mem.wbeat = beat_of(m, e);
  if (m->ask == HD_DCOUNT_BEAT) return;
  out->mem.valid = 1;
  out->mem.req.write = write;
  out->mem.req.addr = (128 * m->base[m->entry_chan[e]] + 16u * m->entry_no[e]) & m->cfg.addr_mask;
}

/* ---- stage 1: the first of these functions that can act does; each returns true if it did ---- */

/* State of stage 2 before this cycle's stage 1. */
struct second {
  uint8_t add[HD_DCOUNT_LANES];
  uint8_t adds, leaves, entry;
  bool held; /* at the start of the cycle */
};

static bool fill(struct hd_dcount *m, const struct hd_dcount_in *in) {
  if (!in->mem.r_valid) return false;
  const unsigned e = pop(&m->reads);
  m->entry[e] = HD_DCOUNT_HELD;
  adds(m, e);
  for (unsigned k = 0; k < 8 && !in->mem.r.error; k++) {
    m->add[k] = (uint8_t)(in->mem.r.lo >> 8 * k);
    m->add[8 + k] = (uint8_t)(in->mem.r.hi >> 8 * k);
  }
  m->fail[m->entry_chan[e]] |= in->mem.r.error;
  return true;
}

static bool look(struct hd_dcount *m) {
  if (!m->looking) return false;
  const unsigned c = m->looking_chan, no = m->looking_no;
  const int e = find(m, c, no), free = find_free(m);
  if (e < 0 ? free < 0 : m->entry[e] == HD_DCOUNT_WRITING) return false;
  m->looking = m->looking_chan = m->looking_no = 0;
  if (e < 0) {
    get(m, (unsigned)free, c, no);
    adds(m, (unsigned)free);
  } else if (m->entry[e] == HD_DCOUNT_HELD) {
    adds(m, (unsigned)e);
  }
  return true;
}

/* Select the next item to look at, and the next run to count. */
static void look_next(struct hd_dcount *m) {
  if (m->looking) return;
  for (unsigned c = 0; c < m->cfg.chans; c++) {
    if (!m->look[c]) continue;
    m->look[c] = 0;
    m->looking = 1;
    m->looking_chan = (uint8_t)c;
    m->looking_no = (uint16_t)(head_grain(m, c) / HD_DCOUNT_LANES);
    return;
  }
}

static void count_next(struct hd_dcount *m) {
  if (m->counting || !m->runs) return;
  m->counting = 1;
  m->counted = m->run[0];
  m->runs--;
  for (unsigned k = 0; k + 1u < m->cfg.runs; k++) m->run[k] = m->run[k + 1];
  m->run[m->runs] = (struct hd_donerun){0};
}

static bool check(struct hd_dcount *m) {
  for (unsigned e = 0; e < m->cfg.rows; e++) {
    if (!m->check[e]) continue;
    m->check[e] = 0;
    adds(m, e);
    return true;
  }
  return false;
}

static bool count(struct hd_dcount *m) {
  struct hd_donerun *r = &m->counted;
  if (!m->counting) return false;
  const unsigned g = r->off / m->cfg.grain, left = m->cfg.grain - r->off % m->cfg.grain, k = r->n < left ? r->n : left;
  int e = find(m, r->chan, g / HD_DCOUNT_LANES);
  if (e >= 0 && m->entry[e] == HD_DCOUNT_WRITING) return false;
  if (e < 0) {
    e = find_free(m);
    if (e < 0) return false;
    get(m, (unsigned)e, r->chan, g / HD_DCOUNT_LANES);
  }
  adds(m, (unsigned)e);
  m->add[g % HD_DCOUNT_LANES] = (uint8_t)k;
  r->off = (uint16_t)(r->off + k);
  r->n = (uint16_t)(r->n - k);
  if (r->n) return true;
  m->counting = 0;
  m->counted = (struct hd_donerun){0};
  return true;
}

static void leave(struct hd_dcount *m, const struct second *s) {
  unsigned spare = 0;
  for (unsigned e = 0; e < m->cfg.rows; e++) spare += !m->entry[e] || m->entry[e] == HD_DCOUNT_WRITING;
  if (spare >= m->cfg.spare || m->out_full || s->leaves) return;
  for (unsigned k = 0; k < m->cfg.rows; k++) {
    const unsigned e = (m->evict_ptr + k) % m->cfg.rows;
    if (m->entry[e] != HD_DCOUNT_HELD || m->check[e] || (s->adds && s->entry == e)) continue;
    m->entry[e] = HD_DCOUNT_WRITING;
    m->evict_ptr = (uint8_t)((e + 1) % m->cfg.rows);
    m->leaves = 1;
    m->stage_entry = (uint8_t)e;
    return;
  }
}

/* ---- stage 2 ---- */

static void add(struct hd_dcount *m, const struct second *s, const uint16_t *head) {
  const unsigned e = s->entry, c = m->entry_chan[e], grains = (1u << m->cap[c]) / m->cfg.grain,
                 g = head[c] & (grains - 1);
  for (unsigned k = 0; k < HD_DCOUNT_LANES; k++) m->count[e][k] = (uint8_t)(m->count[e][k] + s->add[k]);
  hd_wrote(&m->wrote[0], e);
  if (!s->held || m->entry_no[e] != g / HD_DCOUNT_LANES || m->count[e][g % HD_DCOUNT_LANES] != m->cfg.grain) return;
  m->count[e][g % HD_DCOUNT_LANES] = 0;
  m->head[c] = (uint16_t)((head[c] + 1) & m->cfg.head_mask);
  m->freed_valid = 1;
  m->freed_chan = (uint8_t)c;
  if (((head[c] + 1u) & (grains - 1)) / HD_DCOUNT_LANES == m->entry_no[e])
    m->check[e] = 1;
  else
    m->look[c] = 1;
}

/* ---- the memory port ---- */

static void step_request(struct hd_dcount *m, const struct hd_dcount_in *in, bool full, bool wants) {
  if (m->ask == HD_DCOUNT_IDLE) {
    m->ask = full ? HD_DCOUNT_WRITE : wants ? HD_DCOUNT_READ : HD_DCOUNT_IDLE;
  } else if (m->ask == HD_DCOUNT_READ && in->mem.ready) {
    push(&m->reads, pop(&m->wants));
    m->ask = HD_DCOUNT_IDLE;
  } else if (m->ask == HD_DCOUNT_WRITE && in->mem.ready) {
    push(&m->writes, m->out_entry);
    m->ask = HD_DCOUNT_BEAT;
  } else if (m->ask == HD_DCOUNT_BEAT && in->mem.take) {
    m->ask = HD_DCOUNT_IDLE;
    m->out_full = m->out_entry = 0;
  }
}

/* A beat is in memory: its entry is freed. */
static void answer(struct hd_dcount *m, const struct hd_dcount_in *in) {
  if (!in->mem.b_valid) return;
  const unsigned e = pop(&m->writes);
  m->fail[m->entry_chan[e]] |= in->mem.b_error;
  m->entry[e] = m->entry_chan[e] = m->entry_no[e] = 0;
  clear(m, e);
}

void hd_dcount_tick(struct hd_dcount *m, const struct hd_dcount_in *in) {
  struct second s = {.adds = m->adds, .leaves = m->leaves, .entry = m->stage_entry};
  uint16_t head[HD_MAX_NUM_CHAN];
  const bool full = m->out_full, wants = m->wants.n > 0;
  memcpy(s.add, m->add, sizeof s.add);
  memcpy(head, m->head, sizeof head);
  s.held = m->entry[s.entry] == HD_DCOUNT_HELD;
  memset(m->add, 0, sizeof m->add);
  memset(m->fail, 0, sizeof m->fail);
  m->adds = m->leaves = m->stage_entry = m->freed_valid = m->freed_chan = 0;
  if (!fill(m, in) && !look(m) && !check(m) && !count(m)) leave(m, &s);
  look_next(m);
  count_next(m);
  if (s.adds) add(m, &s, head);
  step_request(m, in, full, wants);
  if (s.leaves) {
    m->out_full = 1;
    m->out_entry = s.entry;
  }
  answer(m, in);
  if (in->run_valid) m->run[m->runs++] = in->run;
  if (!in->set_valid) return;
  m->cap[in->set.chan] = in->set.cap;
  m->base[in->set.chan] = in->set.done;
  m->head[in->set.chan] = 0;
}

void hd_dcount_arch_row(const struct hd_dcount *m, unsigned row, struct hd_dcount_arch *a) {
  if (row >= m->cfg.rows) return;
  a->count_row_valid[row] = m->entry[row] == HD_DCOUNT_HELD && !(m->adds && m->stage_entry == row);
  const struct hd_membeat b = beat_of(m, row);
  a->count_row[row] = a->count_row_valid[row] ? (struct hd_donerow){.hi = b.hi, .lo = b.lo} : (struct hd_donerow){0};
}

void hd_dcount_arch(const struct hd_dcount *m, struct hd_dcount_arch *a, bool tables) {
  a->runs = m->runs;
  memcpy(a->entry, m->entry, sizeof m->entry);
  memcpy(a->entry_chan, m->entry_chan, sizeof m->entry_chan);
  memcpy(a->entry_no, m->entry_no, sizeof m->entry_no);
  memcpy(a->check, m->check, sizeof m->check);
  memcpy(a->look, m->look, sizeof m->look);
  a->looking = m->looking;
  a->looking_chan = m->looking_chan;
  a->looking_no = m->looking_no;
  a->counting = m->counting;
  a->evict_ptr = m->evict_ptr;
  a->ask = m->ask;
  for (unsigned row = 0; tables && row < m->cfg.rows; row++) hd_dcount_arch_row(m, row, a);
}
