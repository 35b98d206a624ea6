/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "launch/link.h"

#include <string.h>

enum { RECORD_BYTES = 64, NEXT_AT = 48, OUTPUT_REGS = HD_LINK_OUTPUT_REGS };

size_t hd_link_size(const struct hd_cfg *cfg) {
  size_t n = sizeof(struct hd_link);
  if (cfg->agt_hash == HD_AGT_HASH_FREELIST) n += cfg->agt_size * sizeof(uint16_t);
  return (n + 7) / 8 * 8;
}

void hd_link_init(struct hd_link *m, const struct hd_cfg *cfg) {
  memset(m, 0, hd_link_size(cfg));
  m->cfg = (struct hd_link_cfg){
      .size = (uint32_t)hd_link_size(cfg),
      .num_kde = cfg->num_kde,
      .agt_size = cfg->agt_size,
      .hash = cfg->agt_hash,
      .smx_step = cfg->smx_step,
      .next_depth = cfg->next_depth,
      .addr_mask = (UINT64_C(1) << cfg->addr_w) - 1,
  };
  hd_link_reset(m);
}

void hd_link_reset(struct hd_link *m) {
  memset((char *)m + sizeof m->cfg, 0, m->cfg.size - sizeof m->cfg);
}

/* ---- outputs ---- */

static unsigned next_row(const struct hd_link *m, unsigned nth) {
  return (m->next_first + nth) % m->cfg.next_depth;
}

/* The oldest Next write that is not yet sent, or NULL. */
static const struct hd_link_next *to_send(const struct hd_link *m) {
  return m->next_sent < m->next_count ? &m->next[next_row(m, m->next_sent)] : NULL;
}

/* A failed kernel takes no group: it is lost, and no link event is shown. */
static void show_a3(const struct hd_link *m, const struct hd_link_in *in, struct hd_link_out *out) {
  const struct hd_list *l = &m->list[m->a3.kdei];
  bool link = m->a3.valid && !in->failed[m->a3.kdei];
  out->kept = m->a3.valid && !m->a3.ptr.onchip;
  out->alloc_valid = m->a3.valid && m->a3.ptr.onchip;
  out->alloc_index = (uint16_t)(out->alloc_valid ? m->a3.ptr.index : 0);
  out->link_valid = link;
  out->link_kdei = link ? m->a3.kdei : 0;
  out->link_ptr = link ? m->a3.ptr : (struct hd_ptr){0};
  out->link_prev = link ? l->lagei : (struct hd_ptr){0};
  out->link_first = link && !l->pending;
}

static void show_next(const struct hd_link *m, struct hd_link_out *out) {
  memset(out->next_busy, 0, m->cfg.num_kde);
  memset(out->next_valid, 0, m->cfg.next_depth);
  for (unsigned n = 0; n < m->next_count; n++) {
    out->next_valid[next_row(m, n)] = 1;
    out->next_busy[m->next[next_row(m, n)].kdei] = 1;
  }
  for (unsigned r = 0; r < m->cfg.next_depth; r++) out->next_record[r] = m->next[r].record;
  out->next_fail_valid = m->fail_valid;
  out->next_fail_kdei = m->fail_kdei;
}

static void show_port(const struct hd_link *m, uint32_t rec_base, struct hd_link_out *out) {
  const struct hd_link_next *e = to_send(m);
  out->req_valid = e && !m->next_beat;
  out->req = (struct hd_memreq){0};
  out->wbeat = (struct hd_membeat){0};
  if (!e) return;
  out->wbeat.lo = (uint32_t)e->ptr.onchip << 31 | e->ptr.index;
  out->wbeat.strb = 0xf;
  if (m->next_beat) return;
  out->req.write = 1;
  out->req.addr = ((uint64_t)rec_base * 256 + (uint64_t)e->record * RECORD_BYTES + NEXT_AT) & m->cfg.addr_mask;
}

void hd_link_show(const struct hd_link *m, const struct hd_link_in *in, struct hd_link_out *out) {
  /* Groups in A2 and A3 may each need a place, and so may the one that is about to leave A1. */
  out->next_room = m->next_count + (unsigned)in->a2_group + m->a3.valid + 1u <= m->cfg.next_depth;
  out->list = m->taken;
  show_a3(m, in, out);
  show_next(m, out);
  show_port(m, in->rec_base, out);
}

void hd_link_eval(const struct hd_link *m, const struct hd_link_in *in, struct hd_link_out *out) {
  hd_link_show(m, in, out);
  for (unsigned i = 0; i < m->cfg.num_kde; i++) {
    out->pending[i] = m->list[i].pending;
    out->single[i] = hd_link_single(&m->list[i]);
    out->nagei[i] = m->list[i].nagei;
    out->lagei[i] = m->list[i].lagei;
  }
}

/* ---- AGEs ---- */

/* The free list: an AGE never used, else the one in the first output register. */
static bool pop_free(struct hd_link *m, uint32_t *agc) {
  struct hd_link_ring *r = &m->ring;
  if (r->fresh < m->cfg.agt_size) {
    *agc = r->fresh++;
    return true;
  }
  if (!r->regs) return false;
  *agc = m->freed[r->first];
  m->freed[r->first] = 0;
  r->first = r->first + 1 == m->cfg.agt_size ? 0 : r->first + 1;
  r->count--;
  r->regs--;
  return true;
}

/* The RAM's side of the free list: `regs_was` registers were full when the cycle began. What is freed in this cycle
 * lies in the RAM from the next one on. */
static void move_ring(struct hd_link *m, unsigned regs_was, const struct hd_link_in *in) {
  struct hd_link_ring *r = &m->ring;
  unsigned ahead = regs_was + r->reading, popped = regs_was - r->regs, in_ram = r->count + popped - ahead;
  bool read = in_ram && (ahead < OUTPUT_REGS || (ahead == OUTPUT_REGS && popped));
  r->regs = (uint8_t)(r->regs + r->reading);
  r->reading = read;
  if (!in->free_valid) return;
  unsigned row = (r->first + r->count++) % m->cfg.agt_size;
  m->freed[row] = in->free_index;
  hd_wrote(&m->wrote[0], row);
}

/* An AGE for the group in A2, if there is one. */
static bool allocate(struct hd_link *m, const struct hd_link_in *in, uint32_t *agc) {
  uint32_t index = in->a2_hwtid;
  if (m->cfg.hash == HD_AGT_HASH_FREELIST) return pop_free(m, agc);
  if (m->cfg.hash == HD_AGT_HASH_SMX) index += in->a2_smx * m->cfg.smx_step;
  index %= m->cfg.agt_size;
  if (hd_bit(m->used, index)) return false;
  hd_bit_set(m->used, index);
  *agc = index;
  return true;
}

static void step_ages(struct hd_link *m, const struct hd_link_in *in) {
  unsigned regs = m->ring.regs;
  uint32_t agc = 0;
  bool onchip = in->a2_group && allocate(m, in, &agc);
  m->a3 = (struct hd_link_a3){0};
  if (in->a2_group) {
    m->a3.valid = 1;
    m->a3.kdei = in->a2_kdei;
    m->a3.ptr.onchip = onchip;
    m->a3.ptr.index = onchip ? agc : in->a2_record;
  }
  if (m->cfg.hash == HD_AGT_HASH_FREELIST)
    move_ring(m, regs, in);
  else if (in->free_valid)
    hd_bit_clear(m->used, in->free_index);
}

/* ---- lists ---- */

/* The group in A3 joins the list of its kernel. The group before it hears of it: an AGE from agt, a record by a write.
 */
static void append(struct hd_link *m) {
  const struct hd_link_a3 *e = &m->a3;
  struct hd_list *l = &m->list[e->kdei];
  if (!l->pending) {
    l->pending = 1;
    l->nagei = e->ptr;
  } else if (!l->lagei.onchip) {
    m->next[next_row(m, m->next_count++)] =
        (struct hd_link_next){.ptr = e->ptr, .record = l->lagei.index, .kdei = e->kdei};
  }
  l->lagei = e->ptr;
}

/* The last TB of the kernel's group is handed out; `last`: no group was behind it when the cycle began. */
static void advance(struct hd_link *m, const struct hd_link_in *in, bool last) {
  struct hd_list *l = &m->list[in->adv_kdei];
  if (!last)
    l->nagei = in->succ;
  else if (m->a3.valid && m->a3.kdei == in->adv_kdei)
    l->nagei = m->a3.ptr;
  else
    *l = (struct hd_list){0};
}

/* failing: kernel of the fail event that this block shows in this cycle, or -1. */
static void step_lists(struct hd_link *m, const struct hd_link_in *in, int failing) {
  bool last = hd_link_single(&m->list[in->adv_kdei]);
  m->taken = in->take_valid ? m->list[in->take_kdei] : (struct hd_list){0};
  if (m->a3.valid && !in->failed[m->a3.kdei]) append(m);
  if (in->adv_valid) advance(m, in, last);
  for (unsigned k = 0; k < 2; k++)
    if (in->fail_valid[k]) m->list[in->fail_kdei[k]] = (struct hd_list){0};
  if (failing >= 0) m->list[failing] = (struct hd_list){0};
  if (in->take_valid) m->list[in->take_kdei] = (struct hd_list){0};
  if (in->enter_valid && in->enter_ready) m->list[in->enter_kdei] = in->enter_list;
}

/* ---- Next writes ---- */

/* The oldest write is answered. */
static void answer(struct hd_link *m, bool error) {
  struct hd_link_next *e = &m->next[m->next_first];
  m->fail_valid = error;
  m->fail_kdei = error ? e->kdei : 0;
  *e = (struct hd_link_next){0};
  m->next_first = (uint8_t)next_row(m, 1);
  m->next_count--;
  m->next_sent--;
}

static void step_next(struct hd_link *m, const struct hd_link_in *in) {
  if (m->next_beat) {
    if (in->wbeat_take) {
      m->next_beat = 0;
      m->next_sent++;
    }
  } else if (to_send(m)) {
    m->next_beat = in->req_ready;
  }
  m->fail_valid = m->fail_kdei = 0;
  if (in->b_valid) answer(m, in->b_error);
}

void hd_link_tick(struct hd_link *m, const struct hd_link_in *in) {
  int failing = m->fail_valid ? m->fail_kdei : -1;
  step_next(m, in); /* before a write joins the queue, which is not sent in the same cycle */
  step_lists(m, in, failing);
  step_ages(m, in);
}

void hd_link_arch_row(const struct hd_link *m, unsigned row, struct hd_link_arch *a) {
  a->free_row[row] = m->freed[row];
  a->free_row_valid[row] = (row - m->ring.first) % m->cfg.agt_size < m->ring.count; /* AgtSize is a power of two */
}

void hd_link_arch(const struct hd_link *m, struct hd_link_arch *a, bool tables) {
  hd_bits_to_bytes(a->valid, m->used, m->cfg.agt_size);
  a->fresh = m->ring.fresh;
  a->a3_valid = m->a3.valid;
  a->a3_kdei = m->a3.kdei;
  a->a3_ptr = m->a3.ptr;
  a->next_count = m->next_count;
  a->next_first = m->next_first;
  a->next_sent = m->next_sent;
  if (m->cfg.hash != HD_AGT_HASH_FREELIST) return;
  for (unsigned row = 0; tables && row < m->cfg.agt_size; row++) hd_link_arch_row(m, row, a);
}
