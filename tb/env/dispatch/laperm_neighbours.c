/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/dispatch/laperm_neighbours.h"

#include <string.h>

#include "env/common/clients.h"

enum { ANY, ONE, HIGH, LEVEL_MODES };

void hd_laperm_neighbours_reset(struct hd_laperm_neighbours *s) {
  struct hd_cfg cfg = s->cfg;
  memset(s, 0, sizeof *s);
  s->cfg = cfg;
  s->a3 = -1;
  s->memory.cfg = cfg;
  hd_laperm_memory_reset(&s->memory);
}

static void choose_phase(struct hd_laperm_neighbours *s, struct hd_rng *rng) {
  /* random, fill, drain, hold, groups fill, all at high rate, pass through, one entry, some entries */
  static const struct {
    uint16_t group, enter, take;
  } weights[] = {{0, 0, 0},       {256, 256, 24}, {16, 16, 256},   {256, 256, 0},  {256, 16, 12},
                 {256, 256, 256}, {100, 40, 256}, {256, 256, 256}, {256, 200, 160}};
  unsigned k = hd_rng_below(rng, sizeof weights / sizeof *weights), all = s->cfg.num_bank * s->cfg.pq_depth;
  s->group = k ? weights[k].group : hd_rng_below(rng, 257);
  s->enter = k ? weights[k].enter : hd_rng_below(rng, 257);
  s->take = k ? weights[k].take : hd_rng_below(rng, 257);
  s->target = k < 7 ? all : k == 7 ? 1 : 1 + hd_rng_below(rng, 1 + hd_rng_below(rng, all));
  s->few = hd_rng_p(rng, 100) ? s->cfg.num_smx : 1 + hd_rng_below(rng, hd_rng_p(rng, 128) ? 1 : s->cfg.num_smx);
  s->first = hd_rng_below(rng, s->cfg.num_smx);
  s->mode = (uint8_t)hd_rng_below(rng, LEVEL_MODES);
  s->level = (uint8_t)(1 + hd_rng_below(rng, s->cfg.max_level));
  s->narrow = hd_rng_p(rng, 100);
  s->grant = hd_rng_p(rng, 80) ? 0 : hd_rng_below(rng, 257);
  s->left = 20 + hd_rng_below(rng, hd_rng_p(rng, 200) ? 100 + 4 * s->cfg.pq_depth : 100 + 3 * all);
}

/* Rr, under which banks stay unused, is chosen less often than the others. */
static void drive_policy(struct hd_laperm_neighbours *s, struct hd_rng *rng, struct hd_laperm_in *in) {
  s->was_policy = in->regs_config.policy;
  if (!s->policy_left--) {
    if (hd_rng_p(rng, 24)) s->flicker = hd_rng_p(rng, 80);
    s->policy_left = s->flicker ? hd_rng_below(rng, 6) : 100 + hd_rng_below(rng, 3000);
    in->regs_config.policy = hd_rng_p(rng, 16) ? HD_POLICY_RR : (uint8_t)(1 + hd_rng_below(rng, HD_NUM_POLICY - 1));
  }
}

static uint8_t random_smx(const struct hd_laperm_neighbours *s, struct hd_rng *rng) {
  return (uint8_t)((s->first + hd_rng_below(rng, s->few)) % s->cfg.num_smx);
}

static uint8_t random_level(const struct hd_laperm_neighbours *s, struct hd_rng *rng) {
  unsigned most = s->cfg.max_level;
  if (s->mode == ONE) return s->level;
  if (s->mode == HIGH) return (uint8_t)(most - hd_rng_below(rng, (most + 1) / 2));
  return (uint8_t)(1 + hd_rng_below(rng, 1 + hd_rng_below(rng, most))); /* low ones more often */
}

enum { MANY = 30 };

/* Usually few TBs, so that entries leave. Sometimes any number, if few of them are left or the kernel does not enter a
 * bank; rarely, in the lowest level, up to 2^16, which only a run without a reset finishes. */
static uint32_t random_ctas(const struct hd_laperm_neighbours *s, struct hd_rng *rng, unsigned level, bool any) {
  uint32_t most = UINT32_MAX >> (32 - s->cfg.ctas_w);
  uint32_t n = 1 + hd_rng_below(rng, hd_rng_p(rng, 250) ? 3 : MANY);
  if (any && hd_rng_p(rng, 32)) n = hd_crossing_ctas(rng, s->cfg.ctas_w);
  if (!any && level == 1 && !hd_rng_below(rng, 5000)) n = hd_crossing_ctas(rng, 16);
  return n < most ? n : most;
}

/* ---- the previous cycle ---- */

static void account_take(struct hd_laperm_neighbours *s, const struct hd_laperm_in *in,
                         const struct hd_laperm_out *out) {
  const struct hd_pqentry *front = &out->bank_front[in->sched_take.bank];
  if (!in->sched_take.valid) return;
  if (out->bank_last[in->sched_take.bank]) {
    s->named[front->kdei]--;
    s->live[front->level]--;
    s->in_bank[in->sched_take.bank]--;
    s->used--;
  }
  if (!in->sched_take.spare || in->regs_config.policy != HD_POLICY_ADAPTIVE_BIND) return;
  hd_bit_set(s->backup_valid, in->sched_grant.smx);
  s->backup[in->sched_grant.smx] = in->sched_take.bank;
}

/* Keeps the conditions under which the group in A2 was checked. */
static void account_judged(struct hd_laperm_neighbours *s, const struct hd_laperm_in *in,
                           const struct hd_laperm_out *out) {
  const unsigned bank = hd_laperm_neighbours_bank(s, in->devq_group.smx);
  if (in->devq_group.valid) {
    s->a3_behind = hd_laperm_neighbours_behind(s, in, out, bank, in->devq_group.info.level);
    s->a3_freed = !s->a3_behind && s->was_held[bank * s->cfg.max_level + in->devq_group.info.level - 1];
    s->a3_places = hd_laperm_neighbours_places(s, in, out, bank);
    s->a3_room = hd_laperm_memory_room(&s->cfg, in, bank, in->devq_group.info.level);
  }
  memcpy(s->was_held, in->spill_held, s->cfg.ring_queues);
}

static void account_group(struct hd_laperm_neighbours *s, const struct hd_laperm_in *in,
                          const struct hd_laperm_out *out) {
  account_judged(s, in, out);
  if (out->push.valid && !out->put.valid) {
    s->in_bank[s->a3_bank]++;
    s->live[s->a3_level]++;
  } else if (s->a3 >= 0) {
    s->named[s->a3] -= !out->put.valid; /* while in memory it still counts for its kernel */
    s->used--;
  }
  s->a3 = in->devq_group.valid && in->regs_config.policy != HD_POLICY_RR ? in->devq_group.kdei : -1;
  s->a3_bank = hd_laperm_neighbours_bank(s, in->devq_group.smx);
  s->a3_level = in->devq_group.info.level;
  if (s->a3 < 0) return;
  s->named[s->a3]++;
  s->used++;
}

static void account_back(struct hd_laperm_neighbours *s, const struct hd_laperm_in *in,
                         const struct hd_laperm_out *out) {
  if (!in->spill_back.valid || !out->back_ready) return;
  s->in_bank[in->spill_back.bank]++;
  s->live[in->spill_back.info.level]++;
  s->used++;
}

/* Before account_take, which changes the backup. */
static void account_ran(struct hd_laperm_neighbours *s, const struct hd_laperm_in *in,
                        const struct hd_laperm_out *out) {
  s->ran = (in->sched_take.valid || in->sched_grant.valid) && in->regs_config.policy != HD_POLICY_RR;
  s->ran_grant = in->sched_grant.valid;
  s->ran_any = in->regs_config.policy == HD_POLICY_TB_PRI;
  s->ran_bank = in->sched_take.valid ? in->sched_take.bank : hd_laperm_neighbours_bank(s, in->sched_grant.smx);
  s->ran_level = in->sched_take.valid ? out->bank_front[in->sched_take.bank].level : in->sched_grant.level;
  s->passed_own = s->passed_backup = -1;
  if (!in->sched_take.valid || !in->sched_take.spare || in->regs_config.policy != HD_POLICY_ADAPTIVE_BIND) return;
  const unsigned smx = in->sched_grant.smx;
  s->passed_own = (int)hd_laperm_neighbours_bank(s, smx);
  if (hd_bit(s->backup_valid, smx) && s->backup[smx] != in->sched_take.bank) s->passed_backup = s->backup[smx];
}

/* The needs of a kernel that entered are in the KD from now on. */
static void account_kernel(struct hd_laperm_neighbours *s, struct hd_laperm_in *in, const struct hd_laperm_out *out) {
  if (!in->kmu_offer.valid || !in->kd_free.valid || out->enter.wait_bank) return;
  s->there[in->kd_free.kdei] = 1;
  in->kd_need[in->kd_free.kdei] = in->kmu_offer.kernel.need;
  in->kmu_offer.valid = 0;
  if (!out->enter.bank) return;
  s->named[in->kd_free.kdei]++;
  s->live[in->kmu_offer.kernel.level]++;
  s->in_bank[hd_laperm_neighbours_bank(s, in->kmu_offer.kernel.origin.smx)]++;
  s->used++;
}

/* ---- this cycle ---- */

/* Kernels without entries leave the KD; the needs of a free KD entry are arbitrary. */
static void drive_kd(struct hd_laperm_neighbours *s, struct hd_rng *rng, struct hd_laperm_in *in) {
  unsigned k = hd_rng_below(rng, s->cfg.num_kde);
  if (!s->named[k] && hd_rng_p(rng, 100)) s->there[k] = 0;
  if (!s->there[k] && hd_rng_p(rng, 100)) hd_any_need(rng, &s->cfg, &in->kd_need[k]);
  in->kd_sav_full[k] = hd_rng_p(rng, in->kd_sav_full[k] ? 128 : 1);
}

/* With many TBs few are left; rarely, in the lowest level, too many to finish: the last TB without one bit. */
static struct hd_progress random_progress(const struct hd_laperm_neighbours *s, struct hd_rng *rng, unsigned level,
                                          uint32_t ctas) {
  struct hd_progress g;
  memset(&g, 0, sizeof g);
  g.ndone = hd_rng_p(rng, 80);
  g.nextbl = ctas > MANY ? ctas - 1 - hd_rng_below(rng, 4) : hd_rng_below(rng, ctas);
  if (ctas > MANY && level == 1 && !hd_rng_below(rng, 60))
    g.nextbl = (ctas - 1) & ~(UINT32_C(1) << hd_rng_below(rng, 32));
  g.sav_first = (uint16_t)hd_rng_below(rng, s->cfg.sav_max);
  g.sav_count = hd_rng_p(rng, 128) ? (uint16_t)hd_rng_below(rng, s->cfg.sav_max + 1) : 0;
  return g;
}

/* The group in A3 finds no place in its bank: later groups of its level and bank queue behind it. */
static bool a3_overflows(const struct hd_laperm_neighbours *s) {
  return s->a3 >= 0 && (s->a3_behind || s->a3_places <= 0);
}

static void behind_a3(const struct hd_laperm_neighbours *s, struct hd_rng *rng, uint8_t *smx, uint8_t *level) {
  if (!a3_overflows(s) || hd_rng_p(rng, 20)) return;
  *smx = (uint8_t)(s->a3_bank * s->cfg.smx_per_cluster);
  *level = (uint8_t)s->a3_level;
}

/* Returns a bank that has groups in memory, and places for others as well; or NumBank. */
static unsigned beside_memory(const struct hd_laperm_neighbours *s, struct hd_rng *rng, const struct hd_laperm_in *in) {
  const unsigned from = hd_rng_below(rng, s->cfg.num_bank);
  for (unsigned n = 0; n < s->cfg.num_bank; n++) {
    const unsigned b = (from + n) % s->cfg.num_bank, line = hd_laperm_memory_line(&s->cfg, in, b);
    if (line && hd_laperm_neighbours_room(s, b) >= 2 + line) return b;
  }
  return s->cfg.num_bank;
}

/* Chooses a level of that bank without groups in memory, if there is one. */
static void go_beside(const struct hd_laperm_neighbours *s, struct hd_rng *rng, const struct hd_laperm_in *in,
                      unsigned bank, uint8_t *smx, uint8_t *level) {
  const unsigned from = hd_rng_below(rng, s->cfg.max_level);
  if (bank == s->cfg.num_bank || hd_rng_p(rng, 60)) return;
  for (unsigned n = 0; n < s->cfg.max_level; n++) {
    const unsigned l = 1 + (from + n) % s->cfg.max_level;
    if (hd_laperm_memory_held(&s->cfg, in, bank, l)) continue;
    *smx = (uint8_t)(bank * s->cfg.smx_per_cluster);
    *level = (uint8_t)l;
    return;
  }
}

static void offer_kernel(struct hd_laperm_neighbours *s, struct hd_rng *rng, struct hd_laperm_in *in, unsigned beside) {
  bool resumed = hd_rng_p(rng, 90);
  in->kmu_offer.valid = 1;
  in->kmu_offer.kernel.level = hd_rng_p(rng, 40) ? 0 : random_level(s, rng);
  in->kmu_offer.kernel.origin.smx = random_smx(s, rng);
  behind_a3(s, rng, &in->kmu_offer.kernel.origin.smx, &in->kmu_offer.kernel.level);
  go_beside(s, rng, in, beside, &in->kmu_offer.kernel.origin.smx, &in->kmu_offer.kernel.level);
  hd_any_need(rng, &s->cfg, &in->kmu_offer.kernel.need);
  in->kmu_offer.kernel.ctas =
      random_ctas(s, rng, in->kmu_offer.kernel.level, resumed || in->regs_config.policy == HD_POLICY_RR);
  if (resumed)
    in->kmu_offer.kernel.progress = random_progress(s, rng, in->kmu_offer.kernel.level, in->kmu_offer.kernel.ctas);
  in->kmu_offer.kernel.groups.pending = resumed && hd_rng_p(rng, 128);
}

/* An offered kernel does not change until it is accepted, but the free KD entry may. */
static void drive_kernel(struct hd_laperm_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                         struct hd_laperm_in *in) {
  unsigned free = hd_rng_p(rng, 128) ? 0 : hd_rng_below(rng, s->cfg.num_kde);
  if (!in->kmu_offer.valid) {
    in->kmu_offer.kernel.level = in->kmu_offer.kernel.origin.smx = in->kmu_offer.kernel.groups.pending = 0;
    in->kmu_offer.kernel.ctas = 0;
    memset(&in->kmu_offer.kernel.need, 0, sizeof in->kmu_offer.kernel.need);
    memset(&in->kmu_offer.kernel.progress, 0, sizeof in->kmu_offer.kernel.progress);
    const unsigned beside = beside_memory(s, rng, in);
    bool follows = (beside < s->cfg.num_bank || a3_overflows(s)) && hd_rng_p(rng, p->source / 2);
    if (follows || (s->used < s->target && hd_rng_p(rng, p->source * s->enter / 256))) offer_kernel(s, rng, in, beside);
  }
  for (unsigned k = 0; k < s->cfg.num_kde && s->there[free]; k++) free = free + 1 == s->cfg.num_kde ? 0 : free + 1;
  in->kd_free.kdei = (uint8_t)free;
  in->kd_free.valid = !s->there[free] && hd_rng_p(rng, 240);
}

static void drive_group(struct hd_laperm_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                        struct hd_laperm_in *in) {
  unsigned k = s->narrow ? 0 : hd_rng_below(rng, s->cfg.num_kde), n = 0;
  while (n < s->cfg.num_kde && !s->there[k]) {
    k = k + 1 == s->cfg.num_kde ? 0 : k + 1;
    n++;
  }
  const unsigned beside = hd_rng_p(rng, 128) ? beside_memory(s, rng, in) : s->cfg.num_bank;
  bool room = s->used < s->target || beside < s->cfg.num_bank || hd_rng_p(rng, p->bad / 8);
  in->devq_group.valid = s->there[k] && room && hd_rng_p(rng, p->source * s->group / 256);
  in->devq_group.kdei = in->devq_group.smx = 0;
  memset(&in->devq_group.info, 0, sizeof in->devq_group.info);
  if (!in->devq_group.valid) return;
  in->devq_group.kdei = (uint8_t)k;
  in->devq_group.smx = random_smx(s, rng);
  in->devq_group.info.grid_x = (uint16_t)hd_rng_bits(rng, s->cfg.group_xw);
  in->devq_group.info.grid_y = (uint16_t)hd_rng_bits(rng, s->cfg.group_yw);
  in->devq_group.info.grid_z = (uint8_t)hd_rng_bits(rng, s->cfg.group_zw);
  in->devq_group.info.param = hd_rng_bits(rng, s->cfg.param_units_w);
  in->devq_group.info.level = random_level(s, rng);
  behind_a3(s, rng, &in->devq_group.smx, &in->devq_group.info.level);
  go_beside(s, rng, in, beside, &in->devq_group.smx, &in->devq_group.info.level);
  in->devq_group.info.ctas = random_ctas(s, rng, in->devq_group.info.level, in->regs_config.policy == HD_POLICY_RR);
}

int hd_laperm_best_front(const struct hd_laperm_neighbours *s, const struct hd_laperm_out *now) {
  int best = -1;
  for (unsigned b = 0; b < s->cfg.num_bank; b++) {
    const struct hd_pqentry *f = &now->bank_front[b], *g = &now->bank_front[best < 0 ? b : (unsigned)best];
    if (!now->bank_valid[b]) continue;
    if (best < 0 || f->level > g->level || (f->level == g->level && f->arrival < g->arrival)) best = (int)b;
  }
  return best;
}

/* The next SMX with an offer accepts it: the front it is bound to, rarely the spare one instead. */
static void drive_take(struct hd_laperm_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                       const struct hd_laperm_out *now, struct hd_laperm_in *in) {
  in->sched_take.valid = in->sched_take.bank = in->sched_grant.smx = in->sched_take.spare = 0;
  memset(in->sched_take_banks, 0, sizeof in->sched_take_banks);
  if (!hd_rng_p(rng, p->sink * s->take / 256)) return;
  uint64_t holding[HD_LAPERM_WORDS] = {0};
  hd_bits_from_bytes(holding, now->bank_valid, s->cfg.num_bank);
  const struct hd_laperm_order_view v = {.holding = holding,
                                         .words = HD_WORDS(s->cfg.num_bank),
                                         .num_bank = s->cfg.num_bank,
                                         .smx_per_cluster = s->cfg.smx_per_cluster,
                                         .winner = hd_laperm_best_front(s, now),
                                         .backup_valid = s->backup_valid,
                                         .backup = s->backup};
  unsigned smx = hd_rng_below(rng, s->cfg.num_smx);
  struct hd_laperm_order_offer o = {-1, -1};
  for (unsigned n = 0; n < s->cfg.num_smx && o.bound < 0 && o.spare < 0; n++) {
    smx = smx + 1 == s->cfg.num_smx ? 0 : smx + 1;
    o = hd_orders[in->regs_config.policy](&v, smx);
  }
  if (o.bound >= 0 && in->kd_sav_full[now->bank_front[o.bound].kdei]) o.bound = -1;
  if (o.spare >= 0 && in->kd_sav_full[now->bank_front[o.spare].kdei]) o.spare = -1;
  if (o.bound < 0 && o.spare < 0) return;
  in->sched_take.valid = 1;
  in->sched_grant.smx = (uint8_t)smx;
  in->sched_take.spare = o.spare >= 0 && (o.bound < 0 || hd_rng_p(rng, 24));
  in->sched_take.bank = (uint8_t)(in->sched_take.spare ? o.spare : o.bound);
  in->sched_take_banks[in->sched_take.bank] = 1;
}

/* grant_level is valid in every cycle. */
static void drive_grant(struct hd_laperm_neighbours *s, struct hd_rng *rng, struct hd_laperm_in *in) {
  in->sched_grant.level = (uint8_t)hd_rng_below(rng, s->cfg.max_level + 1);
  in->sched_grant.valid = !in->sched_take.valid && hd_rng_p(rng, s->grant);
  if (!in->sched_take.valid) in->sched_grant.smx = (uint8_t)hd_rng_below(rng, s->cfg.num_smx);
}

static void drive_memory(struct hd_laperm_neighbours *s, struct hd_rng *rng, const struct hd_laperm_out *now,
                         struct hd_laperm_in *in) {
  const int lost = hd_laperm_memory_drive(&s->memory, rng, now, in);
  if (lost >= 0) s->named[lost]--;
}

void hd_laperm_neighbours_drive(struct hd_laperm_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                                const struct hd_laperm_out *out, const struct hd_laperm_out *now,
                                struct hd_laperm_in *in) {
  account_group(s, in, out);
  account_ran(s, in, out);
  account_take(s, in, out);
  account_back(s, in, out);
  hd_laperm_memory_follow(&s->memory, in, out);
  account_kernel(s, in, out);
  if (!s->left--) choose_phase(s, rng);
  drive_memory(s, rng, now, in);
  drive_policy(s, rng, in);
  drive_kd(s, rng, in);
  drive_group(s, rng, p, in);
  drive_kernel(s, rng, p, in);
  drive_take(s, rng, p, now, in);
  drive_grant(s, rng, in);
}
