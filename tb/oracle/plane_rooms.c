/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The parts of rules 8, 13 and 14 of plane_oracle.c that depend on occupancy: when a launch of an SMX may be refused or
 * kept, and when a group must join a kernel.
 *
 * The plane judges the launches of all SMXs in the order in which it takes them, and the ports show the end of work no
 * earlier than it happens, except for AGEs. The occupancy when a launch was taken is therefore an upper bound of the
 * occupancy when it is judged. It counts all work that was launched before, was not refused, and is not known to be
 * over. */
#include "env/common/over_lists.h"
#include "env/common/rings.h"
#include "gen/hd_regs_map.h"
#include "oracle/plane_state.h"

static uint32_t config(const struct hd_plane_oracle *o, unsigned offset) {
  return o->config[(offset - HD_REG_REC_BASE) / 4];
}

/* ---- joining ---- */

/* Returns true if the fields of an AGE are wide enough for the group. */
static bool fits_age(const struct hd_cfg *c, const struct hd_desc *d) {
  return !(d->grid_x >> c->group_xw) && !(d->grid_y >> c->group_yw) && !(d->grid_z >> c->group_zw) &&
         d->param % 64 == 0;
}

/* Returns true if the kernel is certainly in that entry and accepts groups. */
static bool takes_groups(const struct hd_plane_oracle *o, uint32_t kernel, unsigned kdei) {
  const struct hd_work *k = &o->book.work[kernel];
  return kernel && !k->graph && o->book.kde[kdei] == kernel && k->entry == (int)kdei && k->started && !k->closed &&
         !k->stopped && !k->saving && !k->saves && !hd_book_may_fail(&o->book, kernel) &&
         (k->running || k->next < k->ctas);
}

/* Stores in the group the kernel in the lowest entry that it can join. */
static void look_for_kernel(struct hd_plane_oracle *o, struct hd_work *g) {
  if (!fits_age(&o->cfg, &g->desc)) return;
  for (unsigned e = 0; e < o->cfg.num_kde && !g->joins; e++) {
    uint32_t k = o->book.kde[e];
    if (!takes_groups(o, k, e) || !hd_book_same_key(g, hd_oracle_work(o, k))) continue;
    g->joins = e + 1;
    g->join = k;
    g->join_number = hd_oracle_work(o, k)->number;
    g->join_resumes = hd_oracle_work(o, k)->resumes;
  }
}

bool hd_oracle_must_join(struct hd_plane_oracle *o, uint32_t group) {
  const struct hd_work *g = hd_oracle_work(o, group);
  if (!g->joins || g->word != HD_BOOK_REQUESTED) return g->joins;
  const struct hd_work *k = hd_oracle_work(o, g->join);
  return takes_groups(o, g->join, g->joins - 1) && k->number == g->join_number && k->resumes == g->join_resumes;
}

/* ---- occupancy ---- */

/* Returns the AGE of the launch's hash; 0 with a free list, where any AGE is possible. */
static uint32_t hash_of(const struct hd_cfg *c, unsigned smx, const struct hd_devlaunch *l) {
  if (c->agt_hash == HD_ORACLE_HASH_FREE) return 0;
  return (l->hwtid + (c->agt_hash == HD_ORACLE_HASH_SMX ? smx * c->smx_step : 0)) % c->agt_size;
}

/* A kernel on its way to its place counts twice. Without memory, pool_reserve rows are kept free for stream 0. */
static bool pool_full(const struct hd_plane_oracle *o, unsigned stream) {
  uint32_t places = config(o, HD_REG_DEV_COUNT), rows = o->cfg.pool_depth, kept = o->cfg.pool_reserve;
  if (places > o->cfg.pool_rows) places = o->cfg.pool_rows;
  return o->book.in_pool + 1 >= (places ? places : rows + 1 - (stream ? kept : 0));
}

/* Returns the group that certainly has the AGE, or 0. */
static uint32_t holder(const struct hd_plane_oracle *o, uint32_t age) {
  uint32_t h = o->cfg.agt_hash == HD_ORACLE_HASH_FREE ? 0 : o->age[age];
  const struct hd_work *g = &o->book.work[h];
  return h && g->agei == (int)age && (g->running || (g->next < g->ctas && !hd_book_may_fail(&o->book, g->group))) ? h
                                                                                                                  : 0;
}

/* Returns true if the list of the group's kernel may be full: as many other groups with TBs left and the same key are
 * in the book as a list has places. */
static bool group_list_full(const struct hd_plane_oracle *o, uint32_t group) {
  const struct hd_book *b = &o->book;
  uint32_t left = hd_lists_mask(&o->cfg, config(o, HD_REG_REC_COUNT)) + 1;
  for (uint32_t g = 1; g < b->works && left; g++) {
    const struct hd_work *x = &b->work[g];
    left -= g != group && x->kind == HD_BOOK_GROUP && x->next < x->ctas && hd_book_same_key(x, &b->work[group]);
  }
  return !left;
}

void hd_oracle_update_rooms(struct hd_plane_oracle *o, unsigned smx, const struct hd_devlaunch *l,
                            struct hd_oracle_dev_request *a) {
  struct hd_book *b = &o->book;
  struct hd_work *up = hd_oracle_work(o, a->kernel), *w = hd_oracle_work(o, a->work);
  uint32_t others = b->parents - hd_book_has_record(up);
  a->at = o->now;
  a->kernel_number = up->number;
  a->rr = o->policy == HD_POLICY_RR;
  a->bank = !a->rr;
  if (l->kind == HD_KIND_SAVE) return;
  a->pool_full = pool_full(o, l->stream);
  a->no_record = others >= o->cfg.num_kin;
  if (!up->mother && others > up->kin_most) up->kin_most = others;
  w->hash = hash_of(&o->cfg, smx, l);
  a->users = o->cfg.agt_hash == HD_ORACLE_HASH_FREE ? b->in_ages : b->in_age[w->hash];
  a->in_bank = b->in_bank[smx / b->smx_per_cluster];
  a->holder = holder(o, w->hash);
  a->holder_number = hd_oracle_work(o, a->holder)->number;
  hd_book_take(b, a->work, HD_ROOM_POOL | HD_ROOM_BIRTH);
  if (l->kind == HD_KIND_KERNEL) return;
  a->in_ring = o->spill.book.queue[hd_oracle_spill_queue(o, w)].waits;
  a->closed = o->spill.may_close;
  hd_book_take(b, a->work, HD_ROOM_AGE | HD_ROOM_BANK);
  a->list_full = group_list_full(o, a->work);
  if (!a->requested_before) look_for_kernel(o, w);
}

void hd_oracle_policy_changed(struct hd_plane_oracle *o) {
  for (unsigned s = 0; s < o->cfg.num_smx; s++) {
    for (unsigned n = 0; n < o->dev_n[s]; n++) {
      o->dev[s][n].rr |= o->policy == HD_POLICY_RR;
      o->dev[s][n].bank |= o->policy != HD_POLICY_RR;
    }
  }
}

void hd_oracle_kernel_binds(struct hd_plane_oracle *o, uint32_t kernel) {
  const struct hd_work *k = hd_oracle_work(o, kernel);
  hd_book_leave(&o->book, kernel, HD_ROOM_POOL | HD_ROOM_AGE | HD_ROOM_BANK);
  if (k->level == 0 || k->next == k->ctas || o->policy == HD_POLICY_RR) return;
  hd_book_take(&o->book, kernel, HD_ROOM_BANK);
  for (unsigned s = 0; s < o->cfg.num_smx; s++) {
    if (s / o->cfg.smx_per_cluster != k->smx / o->cfg.smx_per_cluster) continue;
    for (unsigned n = 0; n < o->dev_n[s]; n++) o->dev[s][n].in_bank++;
  }
}

/* ---- answers ---- */

/* Returns true if the kernel of the launching TB certainly had a parent record. */
static bool has_record(struct hd_plane_oracle *o, const struct hd_oracle_dev_request *a) {
  const struct hd_work *k = hd_oracle_work(o, a->kernel);
  return k->number == a->kernel_number && k->mother && k->mother < a->number;
}

/* Returns true if a group may be refused for lack of room in its bank: the bank may be full, or its arrival numbers
 * exhausted, and memory may have no room for its bank and level either. Other groups of the bank in memory may keep the
 * group from entering it, although the bank has places. */
static bool bank_full(const struct hd_plane_oracle *o, const struct hd_oracle_dev_request *a) {
  bool full = a->in_bank >= o->cfg.pq_depth || o->book.number >= (UINT64_C(1) << o->cfg.arrival_w) - 4;
  bool rings = hd_rings_order(&o->cfg, config(o, HD_REG_SPILL_COUNT)) >= 0;
  return a->bank && hd_oracle_spill_full(o, a) && (full || (rings && a->in_bank));
}

static bool save_refused(struct hd_plane_oracle *o, const struct hd_oracle_dev_request *a) {
  const struct hd_work *k = hd_oracle_work(o, a->kernel);
  return k->graph || !has_record(o, a) || hd_book_may_fail(&o->book, a->kernel) ||
         config(o, HD_REG_SUS_COUNT) <= k->kin_most;
}

const char *hd_oracle_refused(struct hd_plane_oracle *o, const struct hd_oracle_dev_request *a) {
  bool kernel = a->pool_full || (a->no_record && !has_record(o, a));
  if (a->kind == HD_KIND_SAVE) return save_refused(o, a) ? NULL : "rule 8: a save was refused though there was room";
  if (a->kind == HD_KIND_KERNEL) return kernel ? NULL : "rule 8: a kernel was refused though there was room";
  if (bank_full(o, a) || (a->rr && a->list_full)) return NULL;
  if (!a->bank && hd_oracle_must_join(o, a->work)) return "rule 14: a group was refused though it could join a kernel";
  return kernel && !hd_oracle_must_join(o, a->work) ? NULL : "rule 8: a group was refused though there was room";
}

/* Returns true if the plane may not have freed the AGE yet: it counts one completed TB per cycle, plus some cycles. */
static bool age_may_be_used(const struct hd_plane_oracle *o, const struct hd_oracle_dev_request *a, uint32_t age) {
  return o->age_free[age] && o->age_free[age] + o->cfg.num_smx * o->cfg.ctas_per_smx + 16 > a->at;
}

static bool no_free_age(const struct hd_plane_oracle *o, const struct hd_oracle_dev_request *a, uint32_t hash) {
  uint32_t used = a->users;
  if (o->cfg.agt_hash != HD_ORACLE_HASH_FREE) return used || age_may_be_used(o, a, hash);
  for (uint32_t age = 0; age < o->cfg.agt_size; age++) used += age_may_be_used(o, a, age);
  return used >= o->cfg.agt_size;
}

const char *hd_oracle_joined(struct hd_plane_oracle *o, const struct hd_oracle_dev_request *a, bool kept) {
  struct hd_work *g = hd_oracle_work(o, a->work);
  const struct hd_work *h = hd_oracle_work(o, a->holder);
  bool joins = hd_oracle_must_join(o, a->work);
  if (kept && !a->rr) return "rule 13: a group was kept under a policy other than rr";
  if (kept && !no_free_age(o, a, g->hash)) return "rule 8: a group was kept though its AGE was free";
  if (!kept && joins && !a->bank && a->holder && h->number == a->holder_number && holder(o, g->hash) == a->holder)
    return "rule 8: a group was not kept though its AGE was in use";
  unsigned leaves = kept || joins ? HD_ROOM_POOL | HD_ROOM_BIRTH : 0;
  if (kept || !a->bank) leaves |= HD_ROOM_BANK;
  if (kept || !a->rr) leaves |= HD_ROOM_AGE;
  if (!joins) g->joins = 0;
  hd_book_leave(&o->book, a->work, leaves);
  return NULL;
}

const char *hd_oracle_saved(struct hd_plane_oracle *o, const struct hd_oracle_dev_request *a) {
  const struct hd_work *k = hd_oracle_work(o, a->kernel);
  if (k->graph) return "rule 15: a TB of a kernel with a graph was saved";
  if (!k->births && !k->mother) return "rule 8: a TB was saved of a kernel that has launched no kernel";
  if (!config(o, HD_REG_SUS_COUNT) || k->saves >= o->cfg.sav_max)
    return "rule 8: a TB was saved though there was no room";
  return NULL;
}
