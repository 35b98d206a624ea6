/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "sched.h"

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
      .smx_words = HD_WORDS(cfg->num_smx),
      .num_kde = cfg->num_kde,
      .tbcr_size = (uint32_t)hd_tbcr_size(cfg),
      .visit = cfg->visit,
      .fair_every = cfg->fair_every,
      .agt_size = cfg->agt_size,
  };
  for (unsigned s = 0; s < cfg->num_smx; s++) hd_tbcr_init(tbcr_of(m, s), cfg);
  hd_sched_reset(m);
}

void hd_sched_reset(struct hd_sched *m) {
  memset((char *)m + sizeof m->cfg, 0, sizeof *m - sizeof m->cfg);
  for (unsigned s = 0; s < m->cfg.num_smx; s++) hd_tbcr_reset(tbcr_of(m, s));
}

/* ---- What is decided ---- */

/* The SMX that gets a TB in this cycle, if one is to be handed out, or -1. */
static int choose_smx(const struct hd_sched *m) {
  uint64_t takers[HD_SMX_WORDS] = {0};
  for (unsigned k = 0; k < m->cfg.smx_words; k++) takers[k] = m->room[k] & ~m->dispatching[k];
  if (m->cfg.visit) return hd_bit(takers, m->smx_ptr) ? m->smx_ptr : -1;
  return hd_bits_rr(takers, m->cfg.smx_words, m->smx_ptr);
}

/* Saved TBs of the SSCR's kernel that are left behind its unit. */
static unsigned saved_behind(const struct hd_sched *m, const struct hd_sched_edge *e) {
  return e->sav_count[m->sscr_kdei] - (unsigned)hd_sched_holds(m, HD_UNIT_SAVED);
}

/* Is anything left to hand out behind the unit in the SSCR, if there is one? */
static bool more(const struct hd_sched *m, const struct hd_sched_edge *e) {
  bool linked = e->link_kdei == m->sscr_kdei;
  if (hd_sched_holds(m, HD_UNIT_NATIVE)) return e->pending || linked;
  if (hd_sched_holds(m, HD_UNIT_GROUP)) return !e->single || linked;
  return saved_behind(m, e) > 0 || !e->ndone[m->sscr_kdei] || e->pending || linked;
}

/* The next unit of the SSCR's kernel, if it is here. */
static enum hd_sched_load next_unit(const struct hd_sched *m, const struct hd_sched_edge *e) {
  unsigned kdei = m->sscr_kdei;
  if (saved_behind(m, e) > 0) return e->sv && e->sv_kdei == (int)kdei ? HD_LOAD_SAVED : HD_LOAD_NONE;
  if (!e->ndone[kdei] && !hd_sched_holds(m, HD_UNIT_NATIVE)) return HD_LOAD_NATIVE;
  if (!e->group || e->group_kdei != (int)kdei) return HD_LOAD_NONE;
  return e->group->self.onchip || e->slot >= 0 ? HD_LOAD_GROUP : HD_LOAD_NONE;
}

struct hd_sched_choice hd_sched_choose(const struct hd_sched *m, const struct hd_sched_edge *e) {
  struct hd_sched_choice c = {.grant_smx = -1, .retire_smx = -1};
  c.retire_smx = hd_bits_rr(m->queued, m->cfg.smx_words, m->retire_ptr);
  if (!m->sscr_valid) return c;
  bool stop = e->suspending[m->sscr_kdei] || e->failed[m->sscr_kdei];
  if (m->sscr_unit_valid && !stop && !e->steal) c.grant_smx = choose_smx(m);
  c.unit_end = c.grant_smx >= 0 && m->sscr_nextbl + 1 == m->sscr_ctas;
  c.park = stop && m->sscr_unit_valid && !hd_sched_holds(m, HD_UNIT_SAVED);
  bool ends = c.unit_end || !m->sscr_unit_valid, goes_on = ends && more(m, e);
  c.unmark = stop || (ends && !goes_on);
  c.rotate = c.unit_end && goes_on && hd_sched_holds(m, HD_UNIT_GROUP) && m->cfg.fair_every &&
             m->fair + 1u >= m->cfg.fair_every && e->next_kdei >= 0;
  c.turn = ends && !c.unmark && !c.rotate;
  if (c.turn) c.load = next_unit(m, e);
  return c;
}

/* ---- Outputs ---- */

/* The descriptor of a TB of a unit: the kernel's, but for what the unit has of its own. */
static struct hd_desc desc_of(const struct hd_sscrunit *unit, const struct hd_desc *kernel) {
  struct hd_desc d = *kernel;
  if (unit->kind == HD_UNIT_NATIVE) return d;
  d.param = unit->param;
  if (unit->kind == HD_UNIT_SAVED) return d;
  d.grid_x = unit->grid_x;
  d.grid_y = unit->grid_y;
  d.grid_z = unit->grid_z;
  return d;
}

void hd_sched_show_dispatch(const struct hd_sched *m, const struct hd_desc *desc, uint8_t *valid,
                            struct hd_dispatch *dispatch) {
  for (unsigned s = 0; s < m->cfg.num_smx; s++) {
    const struct hd_tbcr *t = hd_sched_tbcr(m, s);
    valid[s] = t->dispatch_valid;
    dispatch[s] = t->dispatch;
  }
  if (m->fresh_valid) dispatch[m->fresh_smx].desc = desc_of(&m->given, desc);
}

/* The inputs of the choice out of the ports. */
static struct hd_sched_edge edge_of(const struct hd_sched *m, const struct hd_sched_in *in, uint64_t *marked) {
  hd_bits_from_bytes(marked, in->marked, m->cfg.num_kde);
  return (struct hd_sched_edge){
      .enter_kdei = in->enter_valid && in->enter_ready ? in->enter_kdei : -1,
      .enter_need = &in->enter_need,
      .enter_ctas = in->enter_ctas,
      .enter_level = in->enter_level,
      .enter_progress = &in->enter_progress,
      .next_kdei = in->next_valid ? in->next_kdei : -1,
      .marked = marked,
      .need = in->need,
      .ctas = in->ctas,
      .nextbl = in->nextbl,
      .sav_count = in->sav_count,
      .level = in->level,
      .ndone = in->ndone,
      .suspending = in->suspending,
      .failed = in->failed,
      .steal = in->steal,
      .desc = &in->desc,
      .pending = in->pending[m->sscr_kdei],
      .single = in->single[m->sscr_kdei],
      .link_kdei = in->link_valid ? in->link_kdei : -1,
      .group = in->group_valid ? &in->group : NULL,
      .group_kdei = in->group_kdei,
      .slot = in->slot_valid ? in->slot : -1,
      .sv = in->sv_valid ? &in->sv : NULL,
      .sv_kdei = in->sv_kdei,
      .look_smx = in->look_smx,
      .look_slot = in->look_slot,
      .cta_done_slot = in->cta_done_slot,
  };
}

void hd_sched_eval(const struct hd_sched *m, const struct hd_sched_in *in, struct hd_sched_out *out) {
  uint64_t marked[HD_WORDS(HD_MAX_NUM_KDE)];
  const struct hd_sched_edge e = edge_of(m, in, marked);
  const struct hd_sched_choice c = hd_sched_choose(m, &e);
  bool grant = c.grant_smx >= 0, group = hd_sched_holds(m, HD_UNIT_GROUP);
  out->grant_valid = grant;
  out->grant_kdei = m->sscr_valid ? m->sscr_kdei : 0;
  out->grant_smx = grant ? (uint8_t)c.grant_smx : 0;
  out->grant_kind = m->sscr_valid && m->sscr_unit_valid ? m->sscr_unit.kind : 0;
  out->unit_end = c.unit_end;
  out->unmark = c.unmark;
  out->rotate = c.rotate;
  out->blocked = m->sscr_valid && m->sscr_unit_valid && !grant;
  out->cur_valid = m->sscr_valid;
  out->waiting = m->sscr_valid && !m->sscr_unit_valid;
  out->slot_wait = out->waiting && e.group && !e.group->self.onchip && e.slot < 0;
  out->adv_valid = c.unit_end && group;
  out->group_pop = out->load_valid = c.load == HD_LOAD_GROUP;
  out->load_ptr = out->load_valid ? in->group.self : (struct hd_ptr){0};
  out->grant_group = grant && group;
  out->grant_end = c.unit_end && group;
  out->sv_pop = c.load == HD_LOAD_SAVED;
  out->park_valid = c.park;
  out->park_nextbl = c.park ? m->sscr_nextbl : 0;
  out->park_group = c.park && group;
  out->look = m->look;
  out->retire_valid = m->retired_valid;
  out->retire = m->retired;
  hd_sched_show_dispatch(m, &in->desc, out->dispatch_valid, out->dispatch);
  hd_bits_to_bytes(out->done_ok, m->done_ok, m->cfg.num_smx);
  hd_bits_to_bytes(out->done_empty, m->done_empty, m->cfg.num_smx);
  hd_bits_to_bytes(out->done_early, m->done_early, m->cfg.num_smx);
}

/* ---- The SMXs ---- */

/* Judges anew whether SMX s has room for the SSCR's kernel. */
static void update_room(struct hd_sched *m, unsigned s) {
  hd_bit_put(m->room, s, m->sscr_valid && hd_tbcr_has_room(hd_sched_tbcr(m, s), &m->sscr_need));
}

static void complete_all(struct hd_sched *m, const struct hd_sched_edge *e) {
  for (unsigned k = 0; k < m->cfg.smx_words; k++) {
    m->done_ok[k] = m->done_empty[k] = m->done_early[k] = 0;
    for (uint64_t w = e->cta_done_valid[k]; w; w &= w - 1) {
      unsigned s = k * 64 + hd_lowest(w);
      enum hd_done done = hd_tbcr_complete(tbcr_of(m, s), e->cta_done_slot[s], e->need);
      uint64_t *set = done == HD_DONE_OK ? m->done_ok : done == HD_DONE_EMPTY ? m->done_empty : m->done_early;
      hd_bit_set(set, s);
    }
    m->queued[k] |= m->done_ok[k];
  }
}

static void dispatch_all(struct hd_sched *m, const struct hd_sched_edge *e) {
  if (m->fresh_valid && !hd_bit(e->dispatch_ready, m->fresh_smx)) {
    const struct hd_desc desc = desc_of(&m->given, e->desc);
    hd_tbcr_dispatch(tbcr_of(m, m->fresh_smx), false, &desc);
  }
  m->given = (struct hd_sscrunit){0};
  m->fresh_valid = 0;
  m->fresh_smx = 0;
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

static void grant(struct hd_sched *m, unsigned s, unsigned slot) {
  const struct hd_sscrunit *u = &m->sscr_unit;
  const struct hd_dispatch cta = {.slot = (uint8_t)slot,
                                  .kdei = m->sscr_kdei,
                                  .age_valid = u->kind == HD_UNIT_GROUP,
                                  .agei = u->agei,
                                  .level = u->level,
                                  .restart = u->kind == HD_UNIT_SAVED,
                                  .blkid = m->sscr_nextbl};
  hd_tbcr_grant(tbcr_of(m, s), &cta, &m->sscr_need);
  hd_bit_set(m->dispatching, s);
  m->fresh_valid = 1;
  m->fresh_smx = (uint8_t)s;
  m->given = *u;
  m->sscr_nextbl++;
}

/* ---- The SSCR ---- */

static void no_unit(struct hd_sched *m) {
  m->sscr_unit_valid = 0;
  m->sscr_unit = (struct hd_sscrunit){0};
  m->sscr_ctas = m->sscr_nextbl = 0;
}

static void load_native(struct hd_sched *m, uint32_t ctas, uint32_t nextbl, uint8_t level) {
  m->sscr_unit_valid = 1;
  m->sscr_unit = (struct hd_sscrunit){.kind = HD_UNIT_NATIVE, .level = level};
  m->sscr_ctas = ctas;
  m->sscr_nextbl = nextbl;
}

static void load_saved(struct hd_sched *m, const struct hd_saved *sv) {
  m->sscr_unit_valid = 1;
  m->sscr_unit = (struct hd_sscrunit){.kind = HD_UNIT_SAVED, .level = sv->level, .param = sv->ctx};
  m->sscr_ctas = 1;
  m->sscr_nextbl = 0;
}

/* nextbl: where the group was left when its kernel stopped. A record that was changed meanwhile may have fewer TBs. */
static void load_group(struct hd_sched *m, const struct hd_group *g, int slot, uint32_t nextbl) {
  const struct hd_info *i = &g->info;
  m->sscr_unit_valid = 1;
  m->sscr_unit =
      (struct hd_sscrunit){.kind = HD_UNIT_GROUP,
                           .agei = (uint16_t)(g->self.onchip ? g->self.index : m->cfg.agt_size + (unsigned)slot),
                           .level = i->level,
                           .grid_x = i->grid_x,
                           .grid_y = i->grid_y,
                           .grid_z = i->grid_z,
                           .param = i->param * 64};
  m->sscr_ctas = i->ctas;
  m->sscr_nextbl = nextbl < i->ctas ? nextbl : i->ctas - 1;
}

/* The kernel in the SSCR goes on with its next unit. was: the kind of the one that has just ended, or -1. */
static void turn_unit(struct hd_sched *m, enum hd_sched_load load, int was, const struct hd_sched_edge *e) {
  unsigned kdei = m->sscr_kdei;
  no_unit(m);
  if (load == HD_LOAD_SAVED)
    load_saved(m, e->sv);
  else if (load == HD_LOAD_NATIVE)
    load_native(m, e->ctas[kdei], e->nextbl[kdei], e->level[kdei]);
  else if (load == HD_LOAD_GROUP)
    load_group(m, e->group, e->slot, was == HD_UNIT_NATIVE || was == HD_UNIT_GROUP ? 0 : e->nextbl[kdei]);
}

/* The next marked kernel comes into the SSCR, or one to which a group is linked, or one that enters, or none. */
static void turn_kernel(struct hd_sched *m, const struct hd_sched_edge *e, bool was_unmarked) {
  int link = e->link_kdei;
  if (link >= 0 && hd_bit(e->marked, (unsigned)link) && !(was_unmarked && link == m->sscr_kdei)) link = -1;
  int kdei = e->next_kdei >= 0 ? e->next_kdei : link >= 0 ? link : e->enter_kdei;
  no_unit(m);
  m->sscr_valid = kdei >= 0;
  m->sscr_kdei = (uint8_t)(kdei >= 0 ? kdei : 0);
  m->sscr_need = (struct hd_need){0};
  if (kdei < 0) return;
  m->fair = 0;
  if (e->next_kdei < 0 && link < 0) {
    m->sscr_need = *e->enter_need;
    const struct hd_progress *p = e->enter_progress;
    if (!p->ndone && !p->sav_count) load_native(m, e->enter_ctas, p->nextbl, e->enter_level);
    return;
  }
  m->sscr_need = e->need[kdei];
  if (e->next_kdei >= 0 && !e->ndone[kdei] && !e->sav_count[kdei])
    load_native(m, e->ctas[kdei], e->nextbl[kdei], e->level[kdei]);
}

/* Keeps `room` true: only SMXs that changed need a new look, unless the kernel did. */
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
  bool had_kernel = m->sscr_valid, granted = choice->grant_smx >= 0;
  int was = m->sscr_unit_valid ? m->sscr_unit.kind : -1;
  unsigned slot = granted ? hd_tbcr_slot(hd_sched_tbcr(m, (unsigned)choice->grant_smx)) : 0;
  bool turn_kernels =
      !had_kernel ? e->next_kdei >= 0 || e->link_kdei >= 0 || e->enter_kdei >= 0 : choice->unmark || choice->rotate;
  m->look =
      e->look_smx < m->cfg.num_smx ? hd_tbcr_look(hd_sched_tbcr(m, e->look_smx), e->look_slot) : (struct hd_look){0};
  m->retired_valid = 0;
  m->retired = (struct hd_retire){0};
  complete_all(m, e);
  dispatch_all(m, e);
  if (choice->retire_smx >= 0) retire(m, (unsigned)choice->retire_smx);
  if (granted) grant(m, (unsigned)choice->grant_smx, slot);
  if (granted && m->cfg.fair_every && m->fair < m->cfg.fair_every) m->fair++;
  if (m->cfg.visit ? had_kernel : granted) {
    unsigned s = m->cfg.visit ? m->smx_ptr : (unsigned)choice->grant_smx;
    m->smx_ptr = (uint8_t)(s + 1 == m->cfg.num_smx ? 0 : s + 1);
  }
  if (choice->turn) turn_unit(m, choice->load, was, e);
  if (turn_kernels) turn_kernel(m, e, choice->unmark);
  update_rooms(m, choice, turn_kernels);
}

void hd_sched_tick(struct hd_sched *m, const struct hd_sched_in *in) {
  uint64_t ready[HD_SMX_WORDS], done[HD_SMX_WORDS], marked[HD_WORDS(HD_MAX_NUM_KDE)];
  struct hd_sched_edge e = edge_of(m, in, marked);
  hd_bits_from_bytes(ready, in->dispatch_ready, m->cfg.num_smx);
  hd_bits_from_bytes(done, in->cta_done_valid, m->cfg.num_smx);
  e.dispatch_ready = ready;
  e.cta_done_valid = done;
  const struct hd_sched_choice choice = hd_sched_choose(m, &e);
  hd_sched_step(m, &choice, &e);
}

void hd_sched_arch_own(const struct hd_sched *m, struct hd_sched_arch *a) {
  a->sscr_valid = m->sscr_valid;
  a->sscr_kdei = m->sscr_kdei;
  a->sscr_need = m->sscr_need;
  a->sscr_unit_valid = m->sscr_unit_valid;
  a->sscr_unit = m->sscr_unit;
  a->sscr_ctas = m->sscr_ctas;
  a->sscr_nextbl = m->sscr_nextbl;
  a->fair = m->fair;
  a->smx_ptr = m->smx_ptr;
  a->retire_ptr = m->retire_ptr;
  a->retired_valid = m->retired_valid;
  a->retired = m->retired;
}

void hd_sched_arch(const struct hd_sched *m, struct hd_sched_arch *a, bool tables) {
  hd_sched_arch_own(m, a);
  for (unsigned s = 0; s < m->cfg.num_smx; s++) hd_tbcr_arch(hd_sched_tbcr(m, s), &a->tbcr[s], tables);
}
