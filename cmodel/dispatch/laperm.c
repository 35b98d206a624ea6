/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "dispatch/laperm.h"

#include <string.h>

hd_order_fn *const hd_orders[] = {[HD_POLICY_RR] = hd_order_rr,
                                  [HD_POLICY_TB_PRI] = hd_order_tb_pri,
                                  [HD_POLICY_SMX_BIND] = hd_order_smx_bind,
                                  [HD_POLICY_ADAPTIVE_BIND] = hd_order_adaptive_bind};

static struct hd_pq *bank_of(struct hd_laperm *m, unsigned b) {
  return (struct hd_pq *)(void *)((char *)m->bank + b * m->cfg.pq_size);
}

size_t hd_laperm_size(const struct hd_cfg *cfg) {
  return sizeof(struct hd_laperm) + cfg->num_smx * hd_pq_size(cfg);
}

void hd_laperm_init(struct hd_laperm *m, const struct hd_cfg *cfg) {
  memset(m, 0, hd_laperm_size(cfg));
  m->cfg = (struct hd_laperm_cfg){
      .size = (uint32_t)hd_laperm_size(cfg),
      .num_smx = cfg->num_smx,
      .smx_words = HD_WORDS(cfg->num_smx),
      .max_level = cfg->max_level,
      .pq_size = (uint32_t)hd_pq_size(cfg),
      .last_open = (uint32_t)((UINT64_C(1) << cfg->arrival_w) - 4),
  };
  for (unsigned b = 0; b < cfg->num_smx; b++) hd_pq_init(bank_of(m, b), cfg);
  hd_laperm_reset(m);
}

void hd_laperm_reset(struct hd_laperm *m) {
  memset((char *)m + sizeof m->cfg, 0, sizeof *m - sizeof m->cfg);
  m->winner = -1;
  for (unsigned b = 0; b < m->cfg.num_smx; b++) hd_pq_reset(bank_of(m, b));
}

/* ---- what is decided in a cycle ---- */

/* The element of a level's arrays; within them, whatever the caller says. */
static unsigned index_of(unsigned level) {
  return (level - 1) % HD_MAX_MAX_LEVEL;
}

/* Are there numbers for an entry that comes in this cycle or the next? */
static bool is_open(const struct hd_laperm *m, unsigned level) {
  return m->number[index_of(level)] <= m->cfg.last_open;
}

/* Does A3 put a group into that bank in this cycle? */
static bool a3_into(const struct hd_laperm *m, unsigned bank) {
  return m->a3_valid && m->a3_smx == bank;
}

/* Can a group in A2 go into that bank in the next cycle? */
static bool group_fits(const struct hd_laperm *m, unsigned bank, unsigned level) {
  return hd_pq_free(hd_laperm_bank(m, bank)) > a3_into(m, bank) && is_open(m, level);
}

/* Is the kernel's native part one for its bank, and is there room for it? */
static bool binds(const struct hd_laperm *m, unsigned policy, const struct hd_laperm_kernel *k) {
  if (policy == HD_POLICY_RR || !k->level || k->progress->ndone) return false;
  return hd_pq_free(hd_laperm_bank(m, k->smx)) >= 2 && is_open(m, k->level);
}

struct hd_laperm_entry hd_laperm_enter(const struct hd_laperm *m, unsigned policy, const struct hd_laperm_kernel *k) {
  struct hd_laperm_entry to = {0};
  bool bound = binds(m, policy, k);
  to.wait = bound && a3_into(m, k->smx);
  to.bank = bound && !to.wait;
  to.mark = !to.wait && (!to.bank || k->progress->sav_count || k->pending);
  return to;
}

/* ---- outputs ---- */

static void show_banks(const struct hd_laperm *m, struct hd_laperm_out *out) {
  for (unsigned b = 0; b < m->cfg.num_smx; b++) {
    bool any = hd_laperm_holds(m, b);
    out->bank_valid[b] = any;
    out->bank_front[b] = any ? *hd_laperm_front(m, b) : (struct hd_pqentry){0};
    out->bank_nextbl[b] = any ? hd_laperm_nextbl(m, b) : 0;
    out->bank_last[b] = any && hd_laperm_last(m, b);
  }
}

/* An offer from a bank, or none: writes the three ports. */
static void show_offer(const struct hd_laperm *m, const struct hd_laperm_in *in, int bank, uint8_t *valid,
                       uint8_t *which, struct hd_need *need) {
  *valid = bank >= 0;
  *which = bank >= 0 ? (uint8_t)bank : 0;
  *need = bank >= 0 ? in->need[hd_laperm_front(m, (unsigned)bank)->kdei] : (struct hd_need){0};
}

static struct hd_laperm_kernel kernel_of(const struct hd_laperm_in *in) {
  return (struct hd_laperm_kernel){.progress = &in->enter_progress,
                                   .ctas = in->enter_ctas,
                                   .kdei = in->enter_kdei,
                                   .level = in->enter_level,
                                   .smx = in->enter_smx,
                                   .pending = in->enter_pending};
}

void hd_laperm_eval(const struct hd_laperm *m, const struct hd_laperm_in *in, struct hd_laperm_out *out) {
  const struct hd_laperm_kernel k = kernel_of(in);
  struct hd_laperm_entry to = {0};
  if (in->enter_valid) to = hd_laperm_enter(m, in->policy, &k);
  out->full = m->a3_full;
  out->push_valid = m->a3_valid;
  out->push_kdei = m->a3_kdei;
  out->enter_wait = to.wait;
  out->enter_bank = to.bank;
  out->enter_mark = to.mark;
  show_banks(m, out);
  for (unsigned s = 0; s < m->cfg.num_smx; s++) {
    const struct hd_order_offer o = hd_laperm_offer(m, in->policy, s);
    show_offer(m, in, o.bound, &out->bound_valid[s], &out->bound_bank[s], &out->bound_need[s]);
    show_offer(m, in, o.spare, &out->spare_valid[s], &out->spare_bank[s], &out->spare_need[s]);
  }
}

/* ---- the edge ---- */

/* What goes into banks in a cycle: at most one group and one kernel, in this order. */
struct push {
  unsigned bank;
  uint32_t nextbl;
  struct hd_pqentry entry;
};

static struct push push_of_group(const struct hd_laperm *m) {
  const struct hd_info *g = &m->a3_info;
  struct push p = {.bank = m->a3_smx};
  p.entry.kind = HD_UNIT_GROUP;
  p.entry.kdei = m->a3_kdei;
  p.entry.grid_x = g->grid_x;
  p.entry.grid_y = g->grid_y;
  p.entry.grid_z = g->grid_z;
  p.entry.param = g->param;
  p.entry.ctas = g->ctas;
  p.entry.level = g->level;
  return p;
}

static struct push push_of_kernel(const struct hd_laperm_kernel *k) {
  struct push p = {.bank = k->smx, .nextbl = k->progress->nextbl};
  p.entry.kind = HD_UNIT_NATIVE;
  p.entry.kdei = k->kdei;
  p.entry.ctas = k->ctas;
  p.entry.level = k->level;
  return p;
}

/* An entry is born: it takes the number of its level. */
static void count_in(struct hd_laperm *m, struct push *p) {
  unsigned i = index_of(p->entry.level);
  p->entry.arrival = m->number[i]++;
  m->live[i]++;
  m->lives |= 1u << i;
  m->numbered |= 1u << i;
}

static void count_out(struct hd_laperm *m, unsigned level) {
  unsigned i = index_of(level);
  if (!--m->live[i]) m->lives &= ~(1u << i);
}

/* Levels that had no entry and got none begin again with number 0. */
static void renumber(struct hd_laperm *m, uint32_t none) {
  for (; none; none &= none - 1) m->number[hd_lowest(none)] = 0;
}

/* Does the front of bank a go before that of bank b? */
static bool before(const struct hd_laperm *m, unsigned a, unsigned b) {
  const struct hd_pqentry *x = hd_laperm_front(m, a), *y = hd_laperm_front(m, b);
  return x->level != y->level ? x->level > y->level : x->arrival < y->arrival;
}

static void challenge(struct hd_laperm *m, unsigned b) {
  if (m->winner < 0 || before(m, b, (unsigned)m->winner)) m->winner = (int16_t)b;
}

/* The winner's front has left: all are asked. */
static void elect(struct hd_laperm *m) {
  m->winner = -1;
  for (unsigned k = 0; k < m->cfg.smx_words; k++)
    for (uint64_t w = m->holding[k]; w; w &= w - 1) challenge(m, k * 64 + hd_lowest(w));
}

/* The edge of one bank. */
static void step_bank(struct hd_laperm *m, unsigned b, const struct push *p, bool take) {
  struct hd_pq *q = bank_of(m, b);
  hd_pq_step(q, p ? &p->entry : NULL, p ? p->nextbl : 0, take);
  hd_bit_put(m->holding, b, hd_pq_any(q));
}

/* The edge of all banks that something goes into or comes out of, and the winner. */
static void step_banks(struct hd_laperm *m, struct push *push, unsigned n, int take) {
  bool gone = take >= 0 && hd_laperm_last(m, (unsigned)take);
  if (gone) count_out(m, hd_laperm_front(m, (unsigned)take)->level);
  bool taken = take < 0;
  for (unsigned i = 0; i < n; i++) {
    bool both = take == (int)push[i].bank;
    count_in(m, &push[i]);
    step_bank(m, push[i].bank, &push[i], both);
    taken |= both;
  }
  if (!taken) step_bank(m, (unsigned)take, NULL, true);
  if (gone && take == m->winner) elect(m);
  for (unsigned i = 0; i < n; i++) challenge(m, push[i].bank);
}

static void step_a3(struct hd_laperm *m, const struct hd_laperm_edge *e, bool fits) {
  bool group = e->group && e->policy != HD_POLICY_RR;
  m->a3_valid = group && fits;
  m->a3_full = group && !fits;
  m->a3_kdei = m->a3_valid ? (uint8_t)e->group_kdei : 0;
  m->a3_smx = m->a3_valid ? (uint8_t)e->group_smx : 0;
  m->a3_info = m->a3_valid ? *e->group : (struct hd_info){0};
}

static void record_backup(struct hd_laperm *m, const struct hd_laperm_edge *e) {
  if (e->take_bank < 0 || !e->take_spare || e->policy != HD_POLICY_ADAPTIVE_BIND) return;
  hd_bit_set(m->backup_valid, e->take_smx);
  m->backup[e->take_smx] = (uint8_t)e->take_bank;
}

void hd_laperm_step(struct hd_laperm *m, const struct hd_laperm_edge *e) {
  struct push push[2];
  unsigned n = 0;
  uint32_t levels = 0;
  if (hd_laperm_quiet(m) && !e->group && !e->enter) return;
  bool fits = e->group && group_fits(m, e->group_smx, e->group->level);
  if (m->a3_valid) push[n++] = push_of_group(m);
  if (e->enter && hd_laperm_enter(m, e->policy, e->enter).bank) push[n++] = push_of_kernel(e->enter);
  for (unsigned i = 0; i < n; i++) levels |= 1u << index_of(push[i].entry.level);
  uint32_t none = m->numbered & ~m->lives & ~levels;
  renumber(m, none);
  m->numbered &= ~none;
  int take = e->take_bank >= 0 && hd_laperm_holds(m, (unsigned)e->take_bank) ? e->take_bank : -1;
  if (n || take >= 0) step_banks(m, push, n, take);
  record_backup(m, e);
  step_a3(m, e, fits);
}

void hd_laperm_tick(struct hd_laperm *m, const struct hd_laperm_in *in) {
  const struct hd_laperm_kernel k = kernel_of(in);
  const struct hd_laperm_edge e = {.policy = in->policy,
                                   .group = in->a2_group ? &in->a2_info : NULL,
                                   .group_kdei = in->a2_kdei,
                                   .group_smx = in->a2_smx,
                                   .enter = in->enter_valid && in->enter_ready ? &k : NULL,
                                   .take_bank = in->take_valid ? in->take_bank : -1,
                                   .take_smx = in->take_smx,
                                   .take_spare = in->take_spare};
  hd_laperm_step(m, &e);
}

/* ---- architectural state ---- */

void hd_laperm_arch_own(const struct hd_laperm *m, struct hd_laperm_arch *a) {
  a->a3_valid = m->a3_valid;
  a->a3_full = m->a3_full;
  a->a3_kdei = m->a3_kdei;
  a->a3_smx = m->a3_smx;
  a->a3_info = m->a3_info;
  for (unsigned l = 0; l < m->cfg.max_level; l++) {
    a->number[l] = m->number[l];
    a->live[l] = m->live[l];
  }
  a->winner_valid = m->winner >= 0;
  a->winner = m->winner >= 0 ? (uint8_t)m->winner : 0;
  hd_bits_to_bytes(a->backup_valid, m->backup_valid, m->cfg.num_smx);
  memcpy(a->backup, m->backup, m->cfg.num_smx);
}

void hd_laperm_arch(const struct hd_laperm *m, struct hd_laperm_arch *a, bool tables) {
  hd_laperm_arch_own(m, a);
  for (unsigned b = 0; b < m->cfg.num_smx; b++) hd_pq_arch(hd_laperm_bank(m, b), &a->pq[b], tables);
}
