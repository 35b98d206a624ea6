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

/* ---- what is decided in a cycle ---- */

static bool has_unit(const struct hd_sched *m, enum hd_unit kind) {
  return m->unit_valid && m->unit.kind == kind;
}

/* The SMX that gets a TB in this cycle, or -1. */
static int choose_smx(const struct hd_sched *m) {
  uint64_t takers[HD_SMX_WORDS] = {0};
  for (unsigned k = 0; k < m->cfg.smx_words; k++) takers[k] = m->room[k] & ~m->dispatching[k];
  if (m->cfg.visit) return hd_bit(takers, m->smx_ptr) ? m->smx_ptr : -1;
  return hd_bits_rr(takers, m->cfg.smx_words, m->smx_ptr);
}

/* Will the kernel have something to hand out when its unit, if it has one, is handed out? */
static bool has_more(const struct hd_sched *m, const struct hd_sched_env *e) {
  const struct hd_sched_kernel *k = &e->cur;
  bool linked = e->link_kdei == m->sscr_kdei; /* in this cycle */
  if (!m->unit_valid) return k->sav_count || !k->ndone || k->pending || linked;
  if (m->unit.kind == HD_UNIT_SAVED) return k->sav_count > 1 || !k->ndone || k->pending || linked;
  if (m->unit.kind == HD_UNIT_NATIVE) return k->pending || linked;
  return !k->single || linked;
}

/* The unit that follows within the kernel. `ended`: the one that is there is handed out in this cycle. */
static enum hd_sched_load next_unit(const struct hd_sched *m, const struct hd_sched_env *e, bool ended) {
  unsigned saved = e->cur.sav_count - (unsigned)(ended && has_unit(m, HD_UNIT_SAVED));
  if (saved) return e->sv && e->sv_kdei == m->sscr_kdei ? HD_LOAD_SAVED : HD_LOAD_NOTHING;
  if (!e->cur.ndone && !(ended && has_unit(m, HD_UNIT_NATIVE))) return HD_LOAD_NATIVE;
  if (e->group && e->group_kdei == m->sscr_kdei && (e->group->self.onchip || e->slot >= 0)) return HD_LOAD_GROUP;
  return HD_LOAD_NOTHING;
}

struct hd_sched_choice hd_sched_choose(const struct hd_sched *m, const struct hd_sched_env *e) {
  struct hd_sched_choice c = {.grant_smx = -1, .load = HD_LOAD_KEEP};
  c.retire_smx = hd_bits_rr(m->queued, m->cfg.smx_words, m->retire_ptr);
  if (!m->sscr_valid) return c;
  bool stop = e->cur.suspending || e->cur.failed;
  if (m->unit_valid && !stop && !e->steal) c.grant_smx = choose_smx(m);
  c.blocked = m->unit_valid && c.grant_smx < 0;
  c.unit_end = c.grant_smx >= 0 && m->sscr_nextbl + 1 == m->sscr_ctas;
  bool wants_unit = c.unit_end || !m->unit_valid, more = wants_unit && has_more(m, e);
  c.unmark = stop || (wants_unit && !more);
  c.park = stop && m->unit_valid && m->unit.kind != HD_UNIT_SAVED;
  c.rotate = m->cfg.fair_every && c.unit_end && m->unit.kind == HD_UNIT_GROUP && more &&
             m->fair + 1u >= m->cfg.fair_every && e->next_kdei >= 0;
  if (wants_unit && !c.unmark && !c.rotate) c.load = next_unit(m, e, c.unit_end);
  return c;
}

/* ---- outputs ---- */

/* The descriptor of the dispatch that began in this cycle: the kernel's, but for what its unit has of its own. */
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

/* What the ports say of one KD entry. */
static struct hd_sched_kernel kernel_of(const struct hd_sched_in *in, unsigned i) {
  return (struct hd_sched_kernel){.ctas = in->ctas[i],
                                  .nextbl = in->nextbl[i],
                                  .sav_count = in->sav_count[i],
                                  .level = in->level[i],
                                  .ndone = in->ndone[i],
                                  .suspending = in->suspending[i],
                                  .failed = in->failed[i],
                                  .pending = in->pending[i],
                                  .single = in->single[i]};
}

static struct hd_sched_env env_of(const struct hd_sched *m, const struct hd_sched_in *in) {
  struct hd_sched_env e = {
      .enter_kdei = in->enter_valid && in->enter_ready ? in->enter_kdei : -1,
      .enter_need = &in->enter_need,
      .enter_ctas = in->enter_ctas,
      .enter_level = in->enter_level,
      .enter_progress = &in->enter_progress,
      .next_kdei = in->next_valid ? in->next_kdei : -1,
      .link_kdei = in->link_valid ? in->link_kdei : -1,
      .link_marked = in->link_valid && in->marked[in->link_kdei],
      .steal = in->steal,
      .group = in->group_valid ? &in->group : NULL,
      .group_kdei = in->group_kdei,
      .slot = in->slot_valid ? in->slot : -1,
      .sv = in->sv_valid ? &in->sv : NULL,
      .sv_kdei = in->sv_kdei,
  };
  if (m->sscr_valid) e.cur = kernel_of(in, m->sscr_kdei);
  if (in->next_valid) e.next = kernel_of(in, in->next_kdei);
  return e;
}

static void show_units(const struct hd_sched *m, const struct hd_sched_env *e, const struct hd_sched_choice *c,
                       struct hd_sched_out *out) {
  bool group = has_unit(m, HD_UNIT_GROUP);
  out->unit_end = c->unit_end;
  out->adv_valid = out->grant_end = c->unit_end && group;
  out->grant_group = c->grant_smx >= 0 && group;
  out->group_pop = out->load_valid = c->load == HD_LOAD_GROUP;
  out->load_ptr = c->load == HD_LOAD_GROUP ? e->group->self : (struct hd_ptr){0};
  out->sv_pop = c->load == HD_LOAD_SAVED;
  out->park_valid = c->park;
  out->park_nextbl = c->park ? m->sscr_nextbl : 0;
  out->park_group = c->park && group;
}

void hd_sched_eval(const struct hd_sched *m, const struct hd_sched_in *in, struct hd_sched_out *out) {
  const struct hd_sched_env e = env_of(m, in);
  const struct hd_sched_choice c = hd_sched_choose(m, &e);
  out->grant_valid = c.grant_smx >= 0;
  out->grant_kdei = m->sscr_kdei;
  out->grant_smx = c.grant_smx >= 0 ? (uint8_t)c.grant_smx : 0;
  out->grant_kind = m->unit.kind;
  out->unmark = c.unmark;
  out->rotate = c.rotate;
  out->blocked = c.blocked;
  out->cur_valid = m->sscr_valid;
  out->waiting = hd_sched_waiting(m);
  out->slot_wait = hd_sched_slot_wait(m, &e);
  show_units(m, &e, &c, out);
  out->look = m->look;
  out->retire_valid = m->retired_valid;
  out->retire = m->retired;
  hd_sched_show_dispatch(m, &in->desc, out->dispatch_valid, out->dispatch);
  hd_bits_to_bytes(out->done_ok, m->done_ok, m->cfg.num_smx);
  hd_bits_to_bytes(out->done_empty, m->done_empty, m->cfg.num_smx);
  hd_bits_to_bytes(out->done_early, m->done_early, m->cfg.num_smx);
}

/* ---- the edge ---- */

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

static void grant(struct hd_sched *m, unsigned s, unsigned slot) {
  const struct hd_sscrunit *u = &m->unit;
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
  m->fresh_unit = *u;
  m->sscr_nextbl++;
}

static void load_unit(struct hd_sched *m, const struct hd_sscrunit *unit, uint32_t ctas, uint32_t nextbl) {
  m->unit_valid = 1;
  m->unit = *unit;
  m->sscr_ctas = ctas;
  m->sscr_nextbl = nextbl;
}

static void drop_unit(struct hd_sched *m) {
  m->unit_valid = 0;
  m->unit = (struct hd_sscrunit){0};
  m->sscr_ctas = m->sscr_nextbl = 0;
}

static void load_native(struct hd_sched *m, const struct hd_sched_kernel *k) {
  const struct hd_sscrunit u = {.kind = HD_UNIT_NATIVE, .level = k->level};
  load_unit(m, &u, k->ctas, k->nextbl);
}

static void load_saved(struct hd_sched *m, const struct hd_saved *sv) {
  const struct hd_sscrunit u = {.kind = HD_UNIT_SAVED, .level = sv->level, .param = sv->ctx};
  load_unit(m, &u, 1, 0);
}

/* A group goes on where it was parked; a place behind its end comes from a damaged record. */
static void load_group(struct hd_sched *m, const struct hd_sched_env *e, uint32_t nextbl) {
  const struct hd_info *info = &e->group->info;
  struct hd_sscrunit u = {.kind = HD_UNIT_GROUP, .level = info->level, .param = info->param * 64};
  u.agei = (uint16_t)(e->group->self.onchip ? e->group->self.index : m->cfg.agt_size + (unsigned)e->slot);
  u.grid_x = info->grid_x;
  u.grid_y = info->grid_y;
  u.grid_z = info->grid_z;
  load_unit(m, &u, info->ctas, nextbl < info->ctas ? nextbl : info->ctas - 1);
}

/* The unit that follows within the kernel. The KD's place within a unit is that of the next one, unless it is set to 0
 * for the one that ends at this very edge. */
static void advance_unit(struct hd_sched *m, const struct hd_sched_choice *c, const struct hd_sched_env *e) {
  bool from_start = c->unit_end && !has_unit(m, HD_UNIT_SAVED);
  switch (c->load) {
    case HD_LOAD_NATIVE:
      load_native(m, &e->cur);
      break;
    case HD_LOAD_GROUP:
      load_group(m, e, from_start ? 0 : e->cur.nextbl);
      break;
    case HD_LOAD_SAVED:
      load_saved(m, e->sv);
      break;
    case HD_LOAD_NOTHING:
      drop_unit(m);
      break;
    default:
      break;
  }
}

/* Another kernel, whose native TBs may begin at once if none of it is saved. */
static void load_kernel(struct hd_sched *m, unsigned kdei, const struct hd_need *need,
                        const struct hd_sched_kernel *k) {
  m->sscr_valid = 1;
  m->sscr_kdei = (uint8_t)kdei;
  m->sscr_need = *need;
  m->fair = 0;
  if (!k->sav_count && !k->ndone)
    load_native(m, k);
  else
    drop_unit(m);
}

/* After the last TB the next marked kernel follows, else one that is marked in this cycle: by a group that is linked to
 * it, or because it enters. An idle SSCR waits for one. */
static bool next_kernel(struct hd_sched *m, const struct hd_sched_choice *c, const struct hd_sched_edge *e) {
  const struct hd_sched_env *v = e->env;
  bool had = m->sscr_valid;
  if (had && !c->unmark && !c->rotate) return false;
  if (v->next_kdei >= 0) {
    load_kernel(m, (unsigned)v->next_kdei, &e->need[v->next_kdei], &v->next);
  } else if (v->link_kdei >= 0 && (!v->link_marked || (c->unmark && v->link_kdei == m->sscr_kdei))) {
    const struct hd_sched_kernel waits = {.ndone =
                                              1}; /* its groups come through agt; its parked place may be on its way */
    load_kernel(m, (unsigned)v->link_kdei, &e->need[v->link_kdei], &waits);
  } else if (v->enter_kdei >= 0) {
    const struct hd_progress *g = v->enter_progress;
    const struct hd_sched_kernel k = {.ctas = v->enter_ctas,
                                      .nextbl = g->nextbl,
                                      .sav_count = g->sav_count,
                                      .level = v->enter_level,
                                      .ndone = g->ndone};
    load_kernel(m, (unsigned)v->enter_kdei, v->enter_need, &k);
  } else {
    m->sscr_valid = m->sscr_kdei = 0;
    m->sscr_need = (struct hd_need){0};
    drop_unit(m);
    return had;
  }
  return true;
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

static void count_fair(struct hd_sched *m) {
  if (m->fair < m->cfg.fair_every) m->fair++;
}

void hd_sched_step(struct hd_sched *m, const struct hd_sched_choice *choice, const struct hd_sched_edge *e) {
  bool had_kernel = m->sscr_valid;
  unsigned slot = choice->grant_smx >= 0 ? hd_tbcr_slot(hd_sched_tbcr(m, (unsigned)choice->grant_smx)) : 0;
  m->look =
      e->look_smx < m->cfg.num_smx ? hd_tbcr_look(hd_sched_tbcr(m, e->look_smx), e->look_slot) : (struct hd_look){0};
  m->retired_valid = 0;
  m->retired = (struct hd_retire){0};
  complete_all(m, e);
  dispatch_all(m, e);
  if (choice->retire_smx >= 0) retire(m, (unsigned)choice->retire_smx);
  if (choice->grant_smx >= 0) {
    grant(m, (unsigned)choice->grant_smx, slot);
    count_fair(m);
  }
  if (m->cfg.visit ? had_kernel : choice->grant_smx >= 0) {
    unsigned s = m->cfg.visit ? m->smx_ptr : (unsigned)choice->grant_smx;
    m->smx_ptr = (uint8_t)(s + 1 == m->cfg.num_smx ? 0 : s + 1);
  }
  advance_unit(m, choice, e->env);
  update_rooms(m, choice, next_kernel(m, choice, e));
}

void hd_sched_tick(struct hd_sched *m, const struct hd_sched_in *in) {
  uint64_t ready[HD_SMX_WORDS], done[HD_SMX_WORDS];
  hd_bits_from_bytes(ready, in->dispatch_ready, m->cfg.num_smx);
  hd_bits_from_bytes(done, in->cta_done_valid, m->cfg.num_smx);
  const struct hd_sched_env env = env_of(m, in);
  const struct hd_sched_choice choice = hd_sched_choose(m, &env);
  const struct hd_sched_edge e = {
      .env = &env,
      .need = in->need,
      .desc = &in->desc,
      .dispatch_ready = ready,
      .cta_done_valid = done,
      .cta_done_slot = in->cta_done_slot,
      .look_smx = in->look_smx,
      .look_slot = in->look_slot,
  };
  hd_sched_step(m, &choice, &e);
}

void hd_sched_arch_own(const struct hd_sched *m, struct hd_sched_arch *a) {
  a->sscr_valid = m->sscr_valid;
  a->sscr_kdei = m->sscr_kdei;
  a->sscr_need = m->sscr_need;
  a->sscr_unit_valid = m->unit_valid;
  a->sscr_unit = m->unit;
  a->sscr_ctas = m->sscr_ctas;
  a->sscr_nextbl = m->sscr_nextbl;
  a->smx_ptr = m->smx_ptr;
  a->retire_ptr = m->retire_ptr;
  a->retired_valid = m->retired_valid;
  a->retired = m->retired;
  a->fair = m->fair;
}

void hd_sched_arch(const struct hd_sched *m, struct hd_sched_arch *a, bool tables) {
  hd_sched_arch_own(m, a);
  for (unsigned s = 0; s < m->cfg.num_smx; s++) hd_tbcr_arch(hd_sched_tbcr(m, s), &a->tbcr[s], tables);
}
