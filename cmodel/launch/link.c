/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "launch/link.h"

#include <string.h>

enum { OUTPUT_REGS = HD_LINK_OUTPUT_REGS };

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
  };
  hd_link_reset(m);
}

void hd_link_reset(struct hd_link *m) {
  memset((char *)m + sizeof m->cfg, 0, m->cfg.size - sizeof m->cfg);
}

/* ---- outputs ---- */

/* Under all policies but Rr, groups go to the banks. */
static bool asks(const struct hd_link_in *in) {
  return in->devq_group.valid && in->regs_config.policy == HD_POLICY_RR;
}

/* A failed kernel accepts no group: the group is lost, and there is no link event. */
static bool links(const struct hd_link *m, const struct hd_link_in *in) {
  return m->a3.valid && !in->kd_failed[m->a3.kdei];
}

/* Returns true if the linked group goes into the list in memory: it is not on chip, or others of its kernel are in that
 * list. */
static bool overflows(const struct hd_link *m, const struct hd_link_in *in) {
  return !m->a3.ptr.onchip || in->ovfq_there[m->a3.kdei];
}

void hd_link_show(const struct hd_link *m, const struct hd_link_in *in, struct hd_link_out *out) {
  const struct hd_list *l = &m->list[m->a3.kdei];
  bool link = links(m, in), over = link && overflows(m, in), next = link && !over && l->chained;
  out->kept = m->a3.valid && !m->a3.ptr.onchip;
  out->refused = m->a3.refused;
  out->alloc.valid = m->a3.valid && m->a3.ptr.onchip;
  out->alloc.index = (uint16_t)(out->alloc.valid ? m->a3.ptr.index : 0);
  out->link.valid = link;
  out->link.kdei = link ? m->a3.kdei : 0;
  out->link.ptr = link ? m->a3.ptr : (struct hd_ptr){0};
  out->link.over = over;
  out->link.next = next;
  out->link.prev = next ? l->lagei : 0;
  out->list = m->taken;
}

void hd_link_eval(const struct hd_link *m, const struct hd_link_in *in, struct hd_link_out *out) {
  hd_link_show(m, in, out);
  for (unsigned i = 0; i < m->cfg.num_kde; i++) {
    const struct hd_list *l = &m->list[i];
    out->pending[i] = hd_link_pending(l, in->ovfq_there[i]);
    out->single[i] = hd_link_single(l, in->ovfq_there[i], in->ovfq_one[i]);
    out->chained[i] = l->chained;
    out->nagei[i] = l->nagei;
    out->lagei[i] = l->lagei;
  }
}

/* ---- AGEs ---- */

/* The free list: an AGE never used, otherwise the one in the first output register. */
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

/* The RAM side of the free list: `regs_was` registers were full at the start of the cycle. An AGE freed in this cycle
 * is in the RAM from the next one on. */
static void move_ring(struct hd_link *m, unsigned regs_was, const struct hd_link_in *in) {
  struct hd_link_ring *r = &m->ring;
  unsigned ahead = regs_was + r->reading, popped = regs_was - r->regs, in_ram = r->count + popped - ahead;
  bool read = in_ram && (ahead < OUTPUT_REGS || (ahead == OUTPUT_REGS && popped));
  r->regs = (uint8_t)(r->regs + r->reading);
  r->reading = read;
  if (!in->agc_free.valid) return;
  unsigned row = (r->first + r->count++) % m->cfg.agt_size;
  m->freed[row] = in->agc_free.index;
  hd_wrote(&m->wrote[0], row);
}

/* Without a kernel no AGE is in use: frees those that failed kernels left allocated. */
static void step_idle(struct hd_link *m, bool busy) {
  if (busy) {
    m->idle = 0;
  } else if (m->idle < HD_LINK_IDLE && ++m->idle == HD_LINK_IDLE) {
    memset(m->used, 0, sizeof m->used);
    if (m->cfg.hash == HD_AGT_HASH_FREELIST) memset(m->freed, 0, m->cfg.agt_size * sizeof *m->freed);
    m->ring = (struct hd_link_ring){0};
  }
}

/* Allocates an AGE for the group in A2, if possible. */
static bool allocate(struct hd_link *m, const struct hd_link_in *in, uint32_t *agc) {
  uint32_t index = in->devq_group.hwtid;
  if (m->cfg.hash == HD_AGT_HASH_FREELIST) return pop_free(m, agc);
  if (m->cfg.hash == HD_AGT_HASH_SMX) index += in->devq_group.smx * m->cfg.smx_step;
  index %= m->cfg.agt_size;
  if (hd_bit(m->used, index)) return false;
  hd_bit_set(m->used, index);
  *agc = index;
  return true;
}

static void step_ages(struct hd_link *m, const struct hd_link_in *in) {
  unsigned regs = m->ring.regs;
  uint32_t agc = 0;
  bool refused = asks(in) && in->ovfq_full[in->devq_group.kdei], placed = asks(in) && !refused;
  bool onchip = placed && allocate(m, in, &agc);
  m->a3 = (struct hd_link_a3){.refused = refused};
  if (placed) {
    m->a3.valid = 1;
    m->a3.kdei = in->devq_group.kdei;
    m->a3.ptr.onchip = onchip;
    m->a3.ptr.index = onchip ? agc : in->devq_group.record;
  }
  if (m->cfg.hash == HD_AGT_HASH_FREELIST)
    move_ring(m, regs, in);
  else if (in->agc_free.valid)
    hd_bit_clear(m->used, in->agc_free.index);
}

/* ---- lists ---- */

/* The group in A3 joins the chain of its kernel. */
static void append(struct hd_link *m) {
  struct hd_list *l = &m->list[m->a3.kdei];
  uint16_t age = (uint16_t)m->a3.ptr.index;
  if (!l->chained) l->nagei = age;
  l->chained = 1;
  l->lagei = age;
}

/* The last TB of the kernel's first group, an AGE, is handed out; `last`: it was the only one of the chain at the start
 * of the cycle; `joins`: one joins it in this cycle. */
static void advance(struct hd_list *l, uint16_t succ, bool last, bool joins) {
  if (!last)
    l->nagei = succ;
  else if (joins)
    l->nagei = l->lagei;
  else
    *l = (struct hd_list){0};
}

/* Outputs the list, as of the start of the cycle, with a kernel that is suspended. */
static void take(struct hd_link *m, const struct hd_link_in *in) {
  m->taken = (struct hd_list){0};
  if (!in->kd_take.valid) return;
  m->taken = m->list[in->kd_take.kdei];
  m->taken.pending = hd_link_pending(&m->taken, in->ovfq_there[in->kd_take.kdei]);
}

static void step_lists(struct hd_link *m, const struct hd_link_in *in) {
  struct hd_list *first = &m->list[in->sched_sscr.kdei];
  bool joins = links(m, in) && !overflows(m, in);
  bool moves = in->sched_advance && first->chained, last = first->nagei == first->lagei;
  take(m, in);
  if (joins) append(m);
  if (moves) advance(first, in->agt_succ, last, joins && m->a3.kdei == in->sched_sscr.kdei);
  for (unsigned k = 0; k < HD_MAX_NUM_FAIL; k++)
    if (in->fails[k].valid) m->list[in->fails[k].kdei] = (struct hd_list){0};
  if (in->kd_take.valid) m->list[in->kd_take.kdei] = (struct hd_list){0};
  if (!in->kd_entry.valid) return;
  m->list[in->kd_entry.kdei] = in->kmu_offer.kernel.groups;
  m->list[in->kd_entry.kdei].pending = 0;
}

void hd_link_tick(struct hd_link *m, const struct hd_link_in *in) {
  step_lists(m, in);
  step_ages(m, in);
  step_idle(m, in->kd_busy || in->kin_busy);
}

void hd_link_arch_row(const struct hd_link *m, unsigned row, struct hd_link_arch *a) {
  a->free_row[row] = m->freed[row];
  a->free_row_valid[row] = (row - m->ring.first) % m->cfg.agt_size < m->ring.count; /* AgtSize is a power of two */
}

void hd_link_arch(const struct hd_link *m, struct hd_link_arch *a, bool tables) {
  hd_bits_to_bytes(a->valid, m->used, m->cfg.agt_size);
  a->fresh = m->ring.fresh;
  a->idle = (uint8_t)m->idle;
  a->a3_valid = m->a3.valid;
  a->a3_refused = m->a3.refused;
  a->a3_kdei = m->a3.kdei;
  a->a3_ptr = m->a3.ptr;
  if (m->cfg.hash != HD_AGT_HASH_FREELIST) return;
  for (unsigned row = 0; tables && row < m->cfg.agt_size; row++) hd_link_arch_row(m, row, a);
}
