/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "dispatch/sched_sscr.h"

#include <string.h>

void hd_sscr_init(struct hd_sched_sscr *m, const struct hd_cfg *cfg) {
  memset(m, 0, sizeof *m);
  m->cfg = (struct hd_sscr_cfg){.fair_every = cfg->fair_every, .agt_size = cfg->agt_size};
}

void hd_sscr_reset(struct hd_sched_sscr *m) {
  memset((char *)m + sizeof m->cfg, 0, sizeof *m - sizeof m->cfg);
}

/* ---- decisions of a cycle ---- */

/* Returns true if the kernel has more TBs to hand out after its unit, if it has one. */
static bool has_more(const struct hd_sched_sscr *m, const struct hd_sscr_env *e) {
  const struct hd_sscr_kernel *k = &e->cur;
  bool linked = e->link_kdei == m->kdei; /* in this cycle */
  if (!m->unit_valid) return k->sav_count || !k->ndone || k->pending || linked;
  if (m->unit.kind == HD_UNIT_SAVED) return k->sav_count > 1 || !k->ndone || k->pending || linked;
  if (m->unit.kind == HD_UNIT_NATIVE) return k->pending || linked;
  return !k->single || linked;
}

/* Returns the next unit within the kernel. `ended`: the current one is completely handed out in this cycle. */
static enum hd_sscr_load next_unit(const struct hd_sched_sscr *m, const struct hd_sscr_env *e, bool ended) {
  unsigned saved = e->cur.sav_count - (unsigned)(ended && hd_sscr_holds(m, HD_UNIT_SAVED));
  if (saved) return e->sv && e->sv_kdei == m->kdei ? HD_LOAD_SAVED : HD_LOAD_NOTHING;
  if (!e->cur.ndone && !(ended && hd_sscr_holds(m, HD_UNIT_NATIVE))) return HD_LOAD_NATIVE;
  if (e->group && e->group_kdei == m->kdei && (e->group->self.onchip || e->slot >= 0)) return HD_LOAD_GROUP;
  return HD_LOAD_NOTHING;
}

/* Returns true if a group is linked and thereby marks its kernel: it was not marked, or it is the current one and
 * leaves. */
static bool marked_by_link(const struct hd_sched_sscr *m, const struct hd_sscr_env *e, bool leaves) {
  return e->link_kdei >= 0 && (!e->link_marked || (leaves && e->link_kdei == m->kdei));
}

const struct hd_need *hd_sscr_new_need(const struct hd_sched_sscr *m, const struct hd_sscr_env *e,
                                       const struct hd_need *need) {
  const bool stop = m->valid && (e->cur.suspending || e->cur.failed);
  if (e->next_kdei >= 0) return &need[e->next_kdei];
  if (marked_by_link(m, e, stop)) return &need[e->link_kdei];
  return e->enter_kdei >= 0 ? e->enter_need : NULL;
}

struct hd_sscr_choice hd_sscr_choose(const struct hd_sched_sscr *m, const struct hd_sscr_env *e, bool granted) {
  struct hd_sscr_choice c = {.load = HD_LOAD_KEEP};
  if (!m->valid) return c;
  bool stop = e->cur.suspending || e->cur.failed;
  c.unit_end = granted && m->nextbl + 1 == m->ctas;
  bool wants_unit = c.unit_end || !m->unit_valid, more = wants_unit && has_more(m, e);
  c.unmark = stop || (wants_unit && !more);
  c.park = stop && m->unit_valid && m->unit.kind != HD_UNIT_SAVED;
  c.give_way =
      m->cfg.fair_every && c.unit_end && m->unit.kind == HD_UNIT_GROUP && more && m->fair + 1u >= m->cfg.fair_every;
  c.rotate = c.give_way && e->next_kdei >= 0;
  if (wants_unit && !c.unmark && !c.rotate) c.load = next_unit(m, e, c.unit_end);
  return c;
}

/* ---- the edge ---- */

static void load_unit(struct hd_sched_sscr *m, const struct hd_sscrunit *unit, uint32_t ctas, uint32_t nextbl) {
  m->unit_valid = 1;
  m->unit = *unit;
  m->ctas = ctas;
  m->nextbl = nextbl;
}

static void drop_unit(struct hd_sched_sscr *m) {
  m->unit_valid = 0;
  m->unit = (struct hd_sscrunit){0};
  m->ctas = m->nextbl = 0;
}

static void load_native(struct hd_sched_sscr *m, const struct hd_sscr_kernel *k) {
  const struct hd_sscrunit u = {.kind = HD_UNIT_NATIVE, .level = k->level};
  load_unit(m, &u, k->ctas, k->nextbl);
}

static void load_saved(struct hd_sched_sscr *m, const struct hd_saved *sv) {
  const struct hd_sscrunit u = {.kind = HD_UNIT_SAVED, .level = sv->level, .param = sv->ctx};
  load_unit(m, &u, 1, 0);
}

/* A group continues where it was parked; a place beyond its end comes from a corrupted record. */
static void load_group(struct hd_sched_sscr *m, const struct hd_sscr_env *e, uint32_t nextbl) {
  const struct hd_info *info = &e->group->info;
  struct hd_sscrunit u = {.kind = HD_UNIT_GROUP, .level = info->level, .param = info->param * 64};
  u.agei = (uint16_t)(e->group->self.onchip ? e->group->self.index : m->cfg.agt_size + (unsigned)e->slot);
  u.grid_x = info->grid_x;
  u.grid_y = info->grid_y;
  u.grid_z = info->grid_z;
  load_unit(m, &u, info->ctas, nextbl < info->ctas ? nextbl : info->ctas - 1);
}

/* Loads the next unit within the kernel. The KD's place within a unit is that of the next one, except that it becomes 0
 * for the unit that ends at this edge. */
static void advance_unit(struct hd_sched_sscr *m, const struct hd_sscr_choice *c, const struct hd_sscr_env *e) {
  bool from_start = c->unit_end && !hd_sscr_holds(m, HD_UNIT_SAVED);
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

/* Loads another kernel, whose native TBs may begin at once if none of its TBs is saved. */
static void load_kernel(struct hd_sched_sscr *m, unsigned kdei, const struct hd_need *need,
                        const struct hd_sscr_kernel *k) {
  m->valid = 1;
  m->kdei = (uint8_t)kdei;
  m->need = *need;
  m->fair = 0;
  if (!k->sav_count && !k->ndone)
    load_native(m, k);
  else
    drop_unit(m);
}

/* Returns the kernel that enters. */
static struct hd_sscr_kernel entering(const struct hd_sscr_env *e) {
  const struct hd_progress *g = e->enter_progress;
  return (struct hd_sscr_kernel){.ctas = e->enter_ctas,
                                 .nextbl = g->nextbl,
                                 .sav_count = g->sav_count,
                                 .level = e->enter_level,
                                 .ndone = g->ndone};
}

/* After the last TB the next marked kernel follows, otherwise one that is marked in this cycle: by a group that is
 * linked to it, or because it enters. An idle SSCR waits for one. */
static bool next_kernel(struct hd_sched_sscr *m, const struct hd_sscr_choice *c, const struct hd_sscr_env *e,
                        const struct hd_need *need) {
  bool had = m->valid;
  if (had && !c->unmark && !c->rotate) return false;
  if (e->next_kdei >= 0) {
    load_kernel(m, (unsigned)e->next_kdei, &need[e->next_kdei], &e->next);
  } else if (marked_by_link(m, e, c->unmark)) {
    /* its groups arrive through agt; its parked place may be in flight */
    const struct hd_sscr_kernel waits = {.ndone = 1};
    load_kernel(m, (unsigned)e->link_kdei, &need[e->link_kdei], &waits);
  } else if (e->enter_kdei >= 0) {
    const struct hd_sscr_kernel k = entering(e);
    load_kernel(m, (unsigned)e->enter_kdei, e->enter_need, &k);
  } else {
    m->valid = m->kdei = 0;
    m->need = (struct hd_need){0};
    drop_unit(m);
    return had;
  }
  return true;
}

bool hd_sscr_step(struct hd_sched_sscr *m, const struct hd_sscr_choice *choice, bool granted,
                  const struct hd_sscr_env *e, const struct hd_need *need) {
  if (granted) {
    m->nextbl++;
    if (m->fair < m->cfg.fair_every) m->fair++;
  }
  advance_unit(m, choice, e);
  return next_kernel(m, choice, e, need);
}
