/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "dispatch/laperm.h"

#include <string.h>

#define FUNCTION(name, word) hd_laperm_order_##name,
hd_laperm_order_fn *const hd_orders[HD_NUM_POLICY] = {HD_POLICIES(FUNCTION)};
#undef FUNCTION

static struct hd_pq *bank_of(struct hd_laperm *m, unsigned b) {
  return (struct hd_pq *)(void *)((char *)m->bank + b * m->cfg.pq_size);
}

struct hd_need hd_laperm_above_all(const struct hd_cfg *cfg) {
  return (struct hd_need){.warps = (uint8_t)((1u << cfg->warps_w) - 1),
                          .regs = (uint16_t)((1u << cfg->reg_units_w) - 1),
                          .smem = (uint16_t)((1u << cfg->smem_units_w) - 1)};
}

size_t hd_laperm_size(const struct hd_cfg *cfg) {
  return sizeof(struct hd_laperm) + cfg->num_bank * hd_pq_size(cfg);
}

void hd_laperm_init(struct hd_laperm *m, const struct hd_cfg *cfg) {
  memset(m, 0, hd_laperm_size(cfg));
  m->cfg = (struct hd_laperm_cfg){
      .size = (uint32_t)hd_laperm_size(cfg),
      .num_smx = cfg->num_smx,
      .smx_per_cluster = cfg->smx_per_cluster,
      .num_bank = cfg->num_bank,
      .no_room = hd_laperm_above_all(cfg),
      .bank_words = HD_WORDS(cfg->num_bank),
      .max_level = cfg->max_level,
      .choice_latency = cfg->choice_latency,
      .line = cfg->spill_line,
      .pq_size = (uint32_t)hd_pq_size(cfg),
      .last_open = (uint32_t)((UINT64_C(1) << cfg->arrival_w) - 4),
  };
  for (unsigned b = 0; b < cfg->num_bank; b++) hd_pq_init(bank_of(m, b), cfg);
  hd_laperm_reset(m);
}

void hd_laperm_reset(struct hd_laperm *m) {
  memset((char *)m + sizeof m->cfg, 0, sizeof *m - sizeof m->cfg);
  m->winner = -1;
  for (unsigned b = 0; b < m->cfg.num_bank; b++) hd_pq_reset(bank_of(m, b));
}

/* ---- decisions of a cycle ---- */

/* The bank of an SMX: its cluster's. */
static unsigned bank_of_smx(const struct hd_laperm *m, unsigned smx) {
  return smx / m->cfg.smx_per_cluster;
}

/* Index of a level's arrays; always within bounds. */
static unsigned index_of(unsigned level) {
  return (level - 1) % HD_MAX_MAX_LEVEL;
}

/* Returns true if numbers remain for an entry that arrives in this cycle or the next. */
static bool is_open(const struct hd_laperm *m, unsigned level) {
  return m->number[index_of(level)] <= m->cfg.last_open;
}

/* Returns the number of the queue in memory; always within bounds. */
static unsigned queue_of(const struct hd_laperm *m, unsigned bank, unsigned level) {
  return bank * m->cfg.max_level + (level - 1) % m->cfg.max_level;
}

/* Returns the number of places of the bank that are neither used nor kept, or 7 if it is larger. */
static unsigned room_of(const struct hd_laperm *m, unsigned bank) {
  return hd_pq_room(hd_laperm_bank(m, bank));
}

/* Returns true if A3 puts a group into that bank in this cycle. */
static bool a3_into(const struct hd_laperm *m, unsigned bank) {
  return m->a3_valid && !m->a3_put && !m->a3_full && m->a3_bank == bank;
}

/* Returns true if groups of that bank and level are in memory. */
static bool is_held(const struct hd_laperm *m, const struct hd_laperm_memory *mem, unsigned bank, unsigned level) {
  return mem->held && hd_bit(mem->held, queue_of(m, bank, level));
}

/* The same for that level or a higher one. */
static bool held_from(const struct hd_laperm *m, const struct hd_laperm_memory *mem, unsigned bank, unsigned level) {
  for (unsigned l = level; mem->held && l <= m->cfg.max_level; l++)
    if (is_held(m, mem, bank, l)) return true;
  return false;
}

/* Returns the places of the bank that stay free for the next line of groups from memory. */
static unsigned line_of(const struct hd_laperm *m, const struct hd_laperm_memory *mem, unsigned bank) {
  return held_from(m, mem, bank, 1) ? m->cfg.line : 0;
}

/* Returns true if others of that bank and level are in memory, or go there from A3; a refused one does not count. */
static bool behind(const struct hd_laperm *m, const struct hd_laperm_memory *mem, unsigned bank, unsigned level) {
  return is_held(m, mem, bank, level) || (m->a3_put && m->a3_bank == bank && m->a3_info.level == level);
}

/* Returns true if a group in A2 can enter that bank in the next cycle. */
static bool group_fits(const struct hd_laperm *m, const struct hd_laperm_memory *mem, unsigned bank, unsigned level) {
  if (behind(m, mem, bank, level) || !is_open(m, level)) return false;
  return room_of(m, bank) > a3_into(m, bank) + line_of(m, mem, bank);
}

/* Returns true if it can go to memory in the next cycle. */
static bool memory_has_room(const struct hd_laperm *m, const struct hd_laperm_memory *mem, unsigned bank,
                            unsigned level) {
  return mem->room && hd_bit(mem->room, queue_of(m, bank, level));
}

bool hd_laperm_place(const struct hd_laperm *m, unsigned b) {
  return room_of(m, b) >= a3_into(m, b) + m->cfg.line;
}

/* Returns true if each level has enough numbers left for all arrivals of this cycle and the next; then all stay
 * open. */
static bool all_wide(const struct hd_laperm *m) {
  for (uint32_t w = m->numbered; w; w &= w - 1)
    if ((uint64_t)m->number[hd_lowest(w)] + 4 > m->cfg.last_open) return false;
  return m->cfg.last_open >= 12;
}

unsigned hd_laperm_room(const struct hd_laperm *m, const struct hd_laperm_memory *mem, unsigned b) {
  const bool elsewhere = (m->a3_put || m->a3_full) && m->a3_bank == b;
  return elsewhere || held_from(m, mem, b, 1) || !all_wide(m) ? 0 : room_of(m, b);
}

bool hd_laperm_takes_back(const struct hd_laperm *m, const struct hd_laperm_memory *mem) {
  return mem->back && is_open(m, mem->back->level) && !a3_into(m, mem->back_bank);
}

/* Returns true if the kernel's native part belongs into its bank, and there is room for it. */
static bool binds(const struct hd_laperm *m, const struct hd_laperm_memory *mem, unsigned policy,
                  const struct hd_laperm_kernel *k) {
  const unsigned bank = bank_of_smx(m, k->smx);
  if (policy == HD_POLICY_RR || !k->level || k->progress->ndone || k->progress->sav_count) return false;
  if (behind(m, mem, bank, k->level) || !is_open(m, k->level)) return false;
  return room_of(m, bank) >= 2 + line_of(m, mem, bank);
}

struct hd_laperm_entry hd_laperm_enter(const struct hd_laperm *m, const struct hd_laperm_memory *mem, unsigned policy,
                                       const struct hd_laperm_kernel *k) {
  struct hd_laperm_entry to = {0};
  bool bound = binds(m, mem, policy, k);
  to.wait = bound && (a3_into(m, bank_of_smx(m, k->smx)) || hd_laperm_takes_back(m, mem));
  to.bank = bound && !to.wait;
  to.mark = !to.wait && !k->graph && (!to.bank || k->pending);
  return to;
}

bool hd_laperm_inversion(const struct hd_laperm *m, const struct hd_laperm_memory *mem) {
  const unsigned above = m->ran_level + 1u;
  if (!m->ran || !mem->held) return false;
  if (m->passed_own && held_from(m, mem, m->passed_own - 1u, 1)) return true;
  if (m->passed_backup && held_from(m, mem, m->passed_backup - 1u, 1)) return true;
  if (!m->ran_any) return held_from(m, mem, m->ran_bank, above);
  for (unsigned b = 0; b < m->cfg.num_bank; b++)
    if (held_from(m, mem, b, above)) return true;
  return false;
}

/* ---- the edge ---- */

/* Entries pushed into banks in a cycle: at most the group in A3, and a kernel or a returning group, in this order. */
struct push {
  unsigned bank;
  bool kept; /* it uses a kept place */
  uint32_t nextbl;
  struct hd_pqentry entry;
};

static struct push push_of_group(unsigned bank, uint8_t kdei, const struct hd_info *g) {
  struct push p = {.bank = bank};
  p.entry.kind = HD_UNIT_GROUP;
  p.entry.kdei = kdei;
  p.entry.grid_x = g->grid_x;
  p.entry.grid_y = g->grid_y;
  p.entry.grid_z = g->grid_z;
  p.entry.param = g->param;
  p.entry.ctas = g->ctas;
  p.entry.level = g->level;
  return p;
}

static struct push push_of_kernel(const struct hd_laperm *m, const struct hd_laperm_kernel *k) {
  struct push p = {.bank = bank_of_smx(m, k->smx), .nextbl = k->progress->nextbl};
  p.entry.kind = HD_UNIT_NATIVE;
  p.entry.kdei = k->kdei;
  p.entry.ctas = k->ctas;
  p.entry.level = k->level;
  return p;
}

/* A new entry takes the number of its level. */
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

/* Levels that were empty and received no entry restart at number 0. */
static void renumber(struct hd_laperm *m, uint32_t none) {
  for (; none; none &= none - 1) m->number[hd_lowest(none)] = 0;
}

static bool ranks_before(const struct hd_pqentry *x, const struct hd_pqentry *y) {
  return x->level != y->level ? x->level > y->level : x->arrival < y->arrival;
}

/* Returns true if the front of bank a precedes that of bank b. */
static bool before(const struct hd_laperm *m, unsigned a, unsigned b) {
  return ranks_before(hd_laperm_front(m, a), hd_laperm_front(m, b));
}

int hd_laperm_then(const struct hd_laperm *m) {
  if (m->cfg.choice_latency < 2 || m->winner < 0) return -1;
  const struct hd_pqentry *best = hd_pq_second(hd_laperm_bank(m, (unsigned)m->winner));
  for (unsigned k = 0; k < m->cfg.bank_words; k++)
    for (uint64_t w = m->holding[k]; w; w &= w - 1) {
      const unsigned b = k * 64 + hd_lowest(w);
      if (b == (unsigned)m->winner) continue;
      const struct hd_pqentry *e = hd_laperm_front(m, b);
      if (!best || ranks_before(e, best)) best = e;
    }
  return best ? best->kdei : -1;
}

static void challenge(struct hd_laperm *m, unsigned b) {
  if (m->winner < 0 || before(m, b, (unsigned)m->winner)) m->winner = (int16_t)b;
}

/* The winner's front has left: compares all banks. */
static void elect(struct hd_laperm *m) {
  m->winner = -1;
  for (unsigned k = 0; k < m->cfg.bank_words; k++)
    for (uint64_t w = m->holding[k]; w; w &= w - 1) challenge(m, k * 64 + hd_lowest(w));
}

/* The edge of one bank: an entry enters, a TB is handed out. */
static void step_bank(struct hd_laperm *m, unsigned b, const struct push *p, bool take) {
  struct hd_pq *q = bank_of(m, b);
  hd_pq_step(q, p ? &p->entry : NULL, p ? p->nextbl : 0, p && p->kept, take);
  hd_bit_put(m->holding, b, hd_pq_any(q));
  m->stepped++;
}

/* .. places are kept, or given up. */
static void keep_places(struct hd_laperm *m, const struct hd_laperm_memory *mem) {
  for (unsigned b = 0; b < m->cfg.num_bank; b++) {
    const bool reserve = mem->reserve && mem->reserve[b];
    const unsigned release = mem->release ? mem->release[b] : 0;
    if (!reserve && !release) continue;
    hd_pq_keep(bank_of(m, b), reserve, release);
    m->stepped++;
  }
}

/* The edge of all banks with a push or a take, and the winner. */
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

/* Where the group in A2 goes: to memory, nowhere, or, with neither, into its bank. */
struct destination {
  bool memory, refused;
};

static struct destination destination_of(const struct hd_laperm *m, const struct hd_laperm_edge *e) {
  struct destination to = {0};
  if (!e->group) return to;
  const unsigned bank = bank_of_smx(m, e->group_smx), level = e->group->level;
  if (group_fits(m, &e->memory, bank, level)) return to;
  to.memory = memory_has_room(m, &e->memory, bank, level);
  to.refused = !to.memory;
  return to;
}

static void step_a3(struct hd_laperm *m, const struct hd_laperm_edge *e, struct destination to) {
  bool group = e->group && e->policy != HD_POLICY_RR;
  m->a3_valid = group;
  m->a3_put = group && to.memory;
  m->a3_full = group && to.refused;
  m->a3_kdei = m->a3_valid ? (uint8_t)e->group_kdei : 0;
  m->a3_bank = m->a3_valid ? (uint8_t)bank_of_smx(m, e->group_smx) : 0;
  m->a3_info = m->a3_valid ? *e->group : (struct hd_info){0};
}

/* Returns true if an SMX takes a TB of a bank other than its own under AdaptiveBind. */
static bool takes_spare(const struct hd_laperm_edge *e) {
  return e->take_bank >= 0 && e->take_spare && e->policy == HD_POLICY_ADAPTIVE_BIND;
}

static void record_backup(struct hd_laperm *m, const struct hd_laperm_edge *e) {
  if (!takes_spare(e)) return;
  hd_bit_set(m->backup_valid, e->take_smx);
  m->backup[e->take_smx] = (uint8_t)e->take_bank;
}

/* Records which TB is handed out; before the edge of the banks. */
static void record_ran(struct hd_laperm *m, const struct hd_laperm_edge *e, int take) {
  m->ran = (take >= 0 || e->grant) && e->policy != HD_POLICY_RR;
  m->ran_any = m->ran && e->policy == HD_POLICY_TB_PRI;
  m->ran_bank = m->ran_level = m->passed_own = m->passed_backup = 0;
  if (!m->ran) return;
  m->ran_bank = (uint8_t)(take >= 0 ? (unsigned)take : bank_of_smx(m, e->take_smx));
  m->ran_level = (uint8_t)(take >= 0 ? hd_laperm_front(m, (unsigned)take)->level : e->grant_level);
  if (take < 0 || !takes_spare(e)) return;
  m->passed_own = (uint8_t)(bank_of_smx(m, e->take_smx) + 1);
  if (hd_bit(m->backup_valid, e->take_smx) && m->backup[e->take_smx] != e->take_bank)
    m->passed_backup = (uint8_t)(m->backup[e->take_smx] + 1);
}

/* Finds the pushes into banks; returns their number. */
static unsigned find_pushes(const struct hd_laperm *m, const struct hd_laperm_edge *e, struct push *push) {
  const struct hd_laperm_memory *mem = &e->memory;
  unsigned n = 0;
  if (a3_into(m, m->a3_bank)) push[n++] = push_of_group(m->a3_bank, m->a3_kdei, &m->a3_info);
  if (hd_laperm_takes_back(m, mem)) {
    push[n] = push_of_group(mem->back_bank, mem->back_kdei, mem->back);
    push[n++].kept = true;
  } else if (e->enter && hd_laperm_enter(m, mem, e->policy, e->enter).bank) {
    push[n++] = push_of_kernel(m, e->enter);
  }
  return n;
}

void hd_laperm_step(struct hd_laperm *m, const struct hd_laperm_edge *e) {
  struct push push[2];
  uint32_t levels = 0;
  const struct hd_laperm_memory *mem = &e->memory;
  const bool arrives = e->group || e->enter || mem->back;
  if (hd_laperm_quiet(m) && !arrives && !e->grant && !mem->reserve && !mem->release) return;
  const struct destination to = destination_of(m, e);
  unsigned n = find_pushes(m, e, push);
  for (unsigned i = 0; i < n; i++) levels |= 1u << index_of(push[i].entry.level);
  uint32_t none = m->numbered & ~m->lives & ~levels;
  renumber(m, none);
  m->numbered &= ~none;
  int take = e->take_bank >= 0 && hd_laperm_holds(m, (unsigned)e->take_bank) ? e->take_bank : -1;
  record_ran(m, e, take);
  if (n || take >= 0) step_banks(m, push, n, take);
  if (mem->reserve || mem->release) keep_places(m, mem);
  record_backup(m, e);
  step_a3(m, e, to);
}
