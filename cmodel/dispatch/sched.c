/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "dispatch/sched.h"

#include <stddef.h>
#include <string.h>

static struct hd_tbcr *tbcr_of(struct hd_sched *m, unsigned s) {
  return (struct hd_tbcr *)(void *)((char *)m->smx + s * m->cfg.tbcr_size);
}

size_t hd_sched_size(const struct hd_cfg *cfg) {
  return sizeof(struct hd_sched) + cfg->num_smx * hd_tbcr_size(cfg);
}

void hd_sched_init(struct hd_sched *m, const struct hd_cfg *cfg) {
  memset(m, 0, hd_sched_size(cfg));
  m->cfg = (struct hd_sched_cfg){
      .size = (uint32_t)hd_sched_size(cfg),
      .num_smx = cfg->num_smx,
      .num_bank = cfg->num_bank,
      .smx_words = HD_WORDS(cfg->num_smx),
      .num_kde = cfg->num_kde,
      .tbcr_size = (uint32_t)hd_tbcr_size(cfg),
      .visit = cfg->visit,
      .choice_latency = cfg->choice_latency,
      .fair_every = cfg->fair_every,
  };
  hd_sscr_init(&m->sscr, cfg);
  for (unsigned s = 0; s < cfg->num_smx; s++) hd_tbcr_init(tbcr_of(m, s), cfg);
  hd_sched_reset(m);
}

void hd_sched_reset(struct hd_sched *m) {
  hd_sscr_reset(&m->sscr);
  memset(&m->sscr + 1, 0, sizeof *m - offsetof(struct hd_sched, sscr) - sizeof m->sscr);
  for (unsigned s = 0; s < m->cfg.num_smx; s++) hd_tbcr_reset(tbcr_of(m, s));
}

/* ---- decisions of a cycle ---- */

/* Returns true if, of the two kernels of queue 0, the one with the graph hands out. */
static bool graph_first(const struct hd_sched *m, const struct hd_sched_env *e) {
  return e->node && !(m->sscr.valid && e->node->older);
}

/* Returns true if queue 0 offers a TB. */
static bool queue_0_offers(const struct hd_sched *m, const struct hd_sched_env *e) {
  return graph_first(m, e) || hd_sscr_offers(&m->sscr, &e->sscr);
}

/* Returns the bank from which SMX s takes its next TB; `bank` is -1 if it takes that of queue 0. A closed SMX takes
 * none of queue 0, so it keeps its bank in queue 0's turn. */
static struct hd_sched_source source_of(const struct hd_sched *m, const struct hd_sched_env *e, unsigned s) {
  const struct hd_sched_source none = {.bank = -1};
  if (hd_sched_fair(m) && (!e->open || hd_bit(e->open, s))) return none;
  if (e->bound && e->bound[s].bank >= 0) return e->bound[s];
  return e->spare && !m->sscr.valid && !e->node ? e->spare[s] : none;
}

/* Finds the SMXs with room for the TB of queue 0. */
static void find_rooms(const struct hd_sched *m, const struct hd_sched_env *e, uint64_t *takers) {
  bool graph = graph_first(m, e), sscr = !graph && hd_sscr_offers(&m->sscr, &e->sscr);
  for (unsigned k = 0; k < m->cfg.smx_words; k++) takers[k] = sscr ? m->room[k] : 0;
  for (unsigned s = 0; graph && s < m->cfg.num_smx; s++)
    hd_bit_put(takers, s, hd_tbcr_has_room(hd_sched_tbcr(m, s), e->node->need));
}

/* If the preferred SMX of the node can take it, no other SMX takes a TB of queue 0. banked: SMXs whose source is a
 * bank. */
static void grant_preferred(const struct hd_sched *m, const struct hd_sched_node *n, const uint64_t *banked,
                            uint64_t *takers) {
  if (n->smx < 0 || hd_bit(banked, (unsigned)n->smx) || !hd_bit(takers, (unsigned)n->smx)) return;
  for (unsigned k = 0; k < m->cfg.smx_words; k++) takers[k] &= banked[k];
  hd_bit_set(takers, (unsigned)n->smx);
}

static bool same_need(const struct hd_need *a, const struct hd_need *b) {
  return a->warps == b->warps && a->regs == b->regs && a->smem == b->smem;
}

/* Returns the need of the TB offered to SMX s, or of the one that may follow, or NULL. */
static const struct hd_need *need_of(const struct hd_sched *m, const struct hd_sched_env *e, unsigned s) {
  const struct hd_sched_source source = source_of(m, e, s);
  if (source.bank >= 0) return source.need;
  if (graph_first(m, e)) return e->node->need;
  return m->sscr.valid ? &m->sscr.need : NULL;
}

/* ChoiceLatency 2: returns true if the previous cycle found room for exactly this need. */
static bool found_room(const struct hd_sched_fits *f, unsigned s, const struct hd_need *need) {
  return (hd_bit(f->own, s) && same_need(need, &f->need[s])) || (hd_bit(f->next, s) && same_need(need, &f->next_need));
}

/* The same for every SMX. */
static void find_fitting(const struct hd_sched *m, const struct hd_sched_env *e, uint64_t *takers) {
  const bool queue_0 = queue_0_offers(m, e);
  for (unsigned s = 0; s < m->cfg.num_smx; s++) {
    const bool offered = queue_0 || source_of(m, e, s).bank >= 0;
    hd_bit_put(takers, s, offered && found_room(&m->fits, s, need_of(m, e, s)));
  }
}

/* A closed SMX keeps only its bound TB. */
static void keep_closed(const struct hd_sched *m, const struct hd_sched_env *e, uint64_t *takers) {
  for (unsigned s = 0; s < m->cfg.num_smx; s++) {
    const bool is_bound = e->bound && e->bound[s].bank >= 0;
    if (!hd_bit(e->open, s) && !is_bound) hd_bit_put(takers, s, false);
  }
}

/* Finds the SMXs that can take the TB offered to them. Returns whether any SMX is offered one. */
static bool find_takers(const struct hd_sched *m, const struct hd_sched_env *e, uint64_t *takers) {
  uint64_t banked[HD_SMX_WORDS] = {0};
  bool any = m->sscr.unit_valid || e->node;
  find_rooms(m, e, takers);
  for (unsigned s = 0; e->front && s < m->cfg.num_smx; s++) {
    const struct hd_sched_source source = source_of(m, e, s);
    if (source.bank < 0) continue;
    hd_bit_put(takers, s, hd_tbcr_has_room(hd_sched_tbcr(m, s), source.need));
    hd_bit_set(banked, s);
    any = true;
  }
  if (m->cfg.choice_latency > 1) find_fitting(m, e, takers);
  for (unsigned k = 0; k < m->cfg.smx_words; k++) takers[k] &= ~m->dispatching[k];
  if (e->open) keep_closed(m, e, takers);
  if (graph_first(m, e)) grant_preferred(m, e->node, banked, takers);
  return any;
}

/* Returns the SMX that receives a TB in this cycle, or -1. */
static int choose_smx(const struct hd_sched *m, const uint64_t *takers) {
  if (m->cfg.visit) return hd_bit(takers, m->smx_ptr) ? m->smx_ptr : -1;
  return hd_bits_rr(takers, m->cfg.smx_words, m->smx_ptr);
}

struct hd_sched_choice hd_sched_choose(const struct hd_sched *m, const struct hd_sched_env *e) {
  struct hd_sched_choice c = {.grant_smx = -1, .take_bank = -1};
  c.retire_smx = hd_bits_rr(m->queued, m->cfg.smx_words, m->retire_ptr);
  if (!m->sscr.valid && !e->front && !e->node) return c;
  c.level = graph_first(m, e) ? 0 : m->sscr.unit.level;
  uint64_t takers[HD_SMX_WORDS];
  bool any = find_takers(m, e, takers);
  c.active = any || m->sscr.valid;
  if (!e->steal) c.grant_smx = choose_smx(m, takers);
  c.blocked = any && c.grant_smx < 0;
  if (c.grant_smx >= 0) {
    c.take_bank = source_of(m, e, (unsigned)c.grant_smx).bank;
    c.spare = c.take_bank >= 0 && e->bound[c.grant_smx].bank < 0;
    c.graph = c.take_bank < 0 && graph_first(m, e);
  }
  c.sscr = hd_sscr_choose(&m->sscr, &e->sscr, hd_sched_grants(&c));
  return c;
}

/* ---- outputs ---- */

/* Returns the descriptor of the dispatch that began in this cycle: the kernel's, with the fields of its unit. */
static struct hd_desc fresh_desc(const struct hd_sched *m, const struct hd_desc *kernel) {
  struct hd_desc d = *kernel;
  if (m->fresh_unit.kind == HD_UNIT_NATIVE) return d;
  d.param = m->fresh_unit.param;
  if (m->fresh_unit.kind == HD_UNIT_SAVED) return d;
  d.grid_x = m->fresh_unit.grid_x;
  d.grid_y = m->fresh_unit.grid_y;
  d.grid_z = m->fresh_unit.grid_z;
  return d;
}

void hd_sched_show_dispatch(const struct hd_sched *m, const struct hd_desc *desc, uint8_t *valid,
                            struct hd_dispatch *dispatch) {
  for (unsigned s = 0; s < m->cfg.num_smx; s++) {
    const struct hd_tbcr *t = hd_sched_tbcr(m, s);
    valid[s] = t->dispatch_valid;
    dispatch[s] = t->dispatch;
  }
  if (m->fresh_valid) dispatch[m->fresh_smx].desc = fresh_desc(m, desc);
}

/* ---- the edge ---- */

/* Returns the need of a TB that may follow, for SMXs that are offered the same one, or NULL: the second entry of all
 * banks; the SSCR's kernel, if banks run empty or no node remains ready; the kernel after it. */
static const struct hd_need *next_need(const struct hd_sched *m, const struct hd_sched_edge *e) {
  bool some_bound = false;
  for (unsigned s = 0; e->env->bound && s < m->cfg.num_smx; s++)
    some_bound |= e->env->bound[s].bank >= 0 && source_of(m, e->env, s).bank >= 0;
  if (e->env->then && (some_bound || !m->sscr.valid)) return e->env->then;
  if (m->sscr.valid && (some_bound || graph_first(m, e->env))) return &m->sscr.need;
  return hd_sscr_new_need(&m->sscr, &e->env->sscr, e->need);
}

/* ChoiceLatency 2: records for the next cycle which SMXs have room at the start of this one. */
static void look_for_room(struct hd_sched *m, const struct hd_sched_edge *e) {
  struct hd_sched_fits *f = &m->fits;
  const struct hd_need *next = next_need(m, e);
  memset(f, 0, sizeof *f);
  if (next) f->next_need = *next;
  for (unsigned s = 0; s < m->cfg.num_smx; s++) {
    const struct hd_need *need = need_of(m, e->env, s);
    if (need && hd_tbcr_has_room(hd_sched_tbcr(m, s), need)) {
      hd_bit_set(f->own, s);
      f->need[s] = *need;
    }
    if (next && hd_tbcr_has_room(hd_sched_tbcr(m, s), next)) hd_bit_set(f->next, s);
  }
}

/* Returns true if there is an unbound TB: of queue 0, or a spare one. */
static bool some_unassigned(const struct hd_sched *m, const struct hd_sched_env *e) {
  if (e->node || hd_sscr_offers(&m->sscr, &e->sscr)) return true;
  for (unsigned s = 0; !m->sscr.valid && e->spare && s < m->cfg.num_smx; s++)
    if (e->spare[s].bank >= 0) return true;
  return false;
}

/* Counts TBs of banks that pass one of queue 0. */
static void count_passed(struct hd_sched *m, const struct hd_sched_choice *c, const struct hd_sched_env *e) {
  const bool banks = c->take_bank >= 0, queue_0 = c->grant_smx >= 0 && !banks;
  if (queue_0 || !queue_0_offers(m, e))
    m->passed = 0;
  else if (banks && m->passed < m->cfg.fair_every)
    m->passed++;
}

/* Recomputes whether SMX s has room for the SSCR's kernel. */
static void update_room(struct hd_sched *m, unsigned s) {
  hd_bit_put(m->room, s, m->sscr.valid && hd_tbcr_has_room(hd_sched_tbcr(m, s), &m->sscr.need));
}

/* Records that the TB completed on SMX s is a node. */
static void drive_node(struct hd_sched *m, unsigned s, unsigned place) {
  hd_bit_set(m->node_done, s);
  m->node_place[s] = (uint16_t)place;
}

static void forget_nodes(struct hd_sched *m) {
  for (unsigned k = 0; k < m->cfg.smx_words; k++) {
    for (uint64_t w = m->node_done[k]; w; w &= w - 1) m->node_place[k * 64 + hd_lowest(w)] = 0;
    m->node_done[k] = 0;
  }
}

static void complete_all(struct hd_sched *m, const struct hd_sched_edge *e) {
  forget_nodes(m);
  for (unsigned k = 0; k < m->cfg.smx_words; k++) {
    m->done_ok[k] = m->done_empty[k] = m->done_early[k] = 0;
    for (uint64_t w = e->cta_done_valid[k]; w; w &= w - 1) {
      unsigned s = k * 64 + hd_lowest(w);
      int node = hd_tbcr_node(hd_sched_tbcr(m, s), e->cta_done_slot[s], e->run_kdei);
      enum hd_done done = hd_tbcr_complete(tbcr_of(m, s), e->cta_done_slot[s], e->need);
      uint64_t *set = done == HD_DONE_OK ? m->done_ok : done == HD_DONE_EMPTY ? m->done_empty : m->done_early;
      hd_bit_set(set, s);
      if (done == HD_DONE_OK && node >= 0) drive_node(m, s, (unsigned)node);
    }
    m->queued[k] |= m->done_ok[k];
  }
}

static void dispatch_all(struct hd_sched *m, const struct hd_sched_edge *e) {
  if (m->fresh_valid && !hd_bit(e->dispatch_ready, m->fresh_smx)) {
    struct hd_desc desc = fresh_desc(m, e->desc);
    hd_tbcr_dispatch(tbcr_of(m, m->fresh_smx), false, &desc);
  }
  m->fresh_valid = 0;
  m->fresh_smx = 0;
  m->fresh_unit = (struct hd_sscrunit){0};
  for (unsigned k = 0; k < m->cfg.smx_words; k++) {
    uint64_t taken = m->dispatching[k] & e->dispatch_ready[k];
    m->dispatching[k] &= ~taken;
    for (; taken; taken &= taken - 1) hd_tbcr_dispatch(tbcr_of(m, k * 64 + hd_lowest(taken)), true, e->desc);
  }
}

static void retire(struct hd_sched *m, unsigned s) {
  m->retired_valid = 1;
  m->retired = *hd_tbcr_oldest(hd_sched_tbcr(m, s));
  hd_tbcr_pop(tbcr_of(m, s));
  hd_bit_put(m->queued, s, hd_sched_tbcr(m, s)->done_count > 0);
  m->retire_ptr = (uint8_t)(s + 1 == m->cfg.num_smx ? 0 : s + 1);
}

/* Gives SMX s a TB of this kernel and unit. */
static void give(struct hd_sched *m, unsigned s, const struct hd_dispatch *cta, const struct hd_need *need,
                 const struct hd_sscrunit *unit) {
  hd_tbcr_grant(tbcr_of(m, s), cta, need);
  hd_bit_set(m->dispatching, s);
  m->fresh_valid = 1;
  m->fresh_smx = (uint8_t)s;
  m->fresh_unit = *unit;
}

static void give_sscr(struct hd_sched *m, unsigned s, unsigned slot) {
  const struct hd_sscrunit *u = &m->sscr.unit;
  const struct hd_dispatch cta = {.slot = (uint8_t)slot,
                                  .kdei = m->sscr.kdei,
                                  .group = u->kind == HD_UNIT_GROUP,
                                  .age_valid = u->kind == HD_UNIT_GROUP,
                                  .agei = u->agei,
                                  .level = u->level,
                                  .restart = u->kind == HD_UNIT_SAVED,
                                  .blkid = m->sscr.nextbl};
  give(m, s, &cta, &m->sscr.need, u);
}

/* Gives the TB of a bank: the entry holds the fields of its unit that differ from its kernel's; it has no AGE. */
static void give_front(struct hd_sched *m, unsigned s, unsigned slot, const struct hd_sched_front *front,
                       const struct hd_need *need) {
  const struct hd_pqentry *e = front->entry;
  const struct hd_sscrunit u = {
      .kind = e->kind, .grid_x = e->grid_x, .grid_y = e->grid_y, .grid_z = e->grid_z, .param = e->param * 64};
  const struct hd_dispatch cta = {.slot = (uint8_t)slot,
                                  .kdei = e->kdei,
                                  .group = e->kind == HD_UNIT_GROUP,
                                  .level = e->level,
                                  .blkid = front->nextbl};
  give(m, s, &cta, need, &u);
}

/* Gives the TB of a node: all fields are its kernel's. */
static void give_node(struct hd_sched *m, unsigned s, unsigned slot, const struct hd_sched_node *n) {
  const struct hd_sscrunit native = {.kind = HD_UNIT_NATIVE};
  const struct hd_dispatch cta = {
      .slot = (uint8_t)slot, .kdei = (uint8_t)n->kdei, .agei = (uint16_t)n->index, .blkid = n->cta};
  give(m, s, &cta, n->need, &native);
}

static void grant(struct hd_sched *m, const struct hd_sched_choice *c, const struct hd_sched_env *e, unsigned slot) {
  unsigned s = (unsigned)c->grant_smx;
  if (c->graph)
    give_node(m, s, slot, e->node);
  else if (c->take_bank < 0)
    give_sscr(m, s, slot);
  else
    give_front(m, s, slot, &e->front[c->take_bank], c->spare ? e->spare[s].need : e->bound[s].need);
}

/* Updates `room`: only SMXs that changed are recomputed, unless the kernel changed. */
static void update_rooms(struct hd_sched *m, const struct hd_sched_choice *c, bool loaded) {
  if (loaded) {
    for (unsigned s = 0; s < m->cfg.num_smx; s++) update_room(m, s);
    return;
  }
  for (unsigned k = 0; k < m->cfg.smx_words; k++) {
    for (uint64_t w = m->done_ok[k]; w; w &= w - 1) update_room(m, k * 64 + hd_lowest(w));
  }
  if (c->grant_smx >= 0) update_room(m, (unsigned)c->grant_smx);
  if (c->retire_smx >= 0) update_room(m, (unsigned)c->retire_smx);
}

void hd_sched_step(struct hd_sched *m, const struct hd_sched_choice *choice, const struct hd_sched_edge *e) {
  unsigned slot = choice->grant_smx >= 0 ? hd_tbcr_slot(hd_sched_tbcr(m, (unsigned)choice->grant_smx)) : 0;
  m->look =
      e->look_smx < m->cfg.num_smx ? hd_tbcr_look(hd_sched_tbcr(m, e->look_smx), e->look_slot) : (struct hd_look){0};
  m->retired_valid = 0;
  m->retired = (struct hd_retire){0};
  m->unassigned = some_unassigned(m, e->env);
  if (m->cfg.choice_latency > 1) look_for_room(m, e);
  complete_all(m, e);
  dispatch_all(m, e);
  if (choice->retire_smx >= 0) retire(m, (unsigned)choice->retire_smx);
  if (choice->grant_smx >= 0) grant(m, choice, e->env, slot);
  if (m->cfg.visit ? choice->active : choice->grant_smx >= 0) {
    unsigned s = m->cfg.visit ? m->smx_ptr : (unsigned)choice->grant_smx;
    m->smx_ptr = (uint8_t)(s + 1 == m->cfg.num_smx ? 0 : s + 1);
  }
  count_passed(m, choice, e->env);
  bool other = hd_sscr_step(&m->sscr, &choice->sscr, hd_sched_grants(choice), &e->env->sscr, e->need);
  update_rooms(m, choice, other);
}
