/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "oracle/laperm_oracle.h"

#include "oracle/laperm_state.h"

size_t hd_laperm_oracle_size(const struct hd_cfg *cfg) {
  return sizeof(struct hd_laperm_oracle) + (size_t)cfg->num_bank * cfg->pq_depth * sizeof(struct hd_laperm_waiting);
}

void hd_laperm_oracle_init(void *o_, const struct hd_cfg *cfg) {
  memset(o_, 0, hd_laperm_oracle_size(cfg));
  ((struct hd_laperm_oracle *)o_)->cfg = *cfg;
}

static struct hd_laperm_waiting *bank_of(const struct hd_laperm_oracle *o, unsigned b) {
  return (struct hd_laperm_waiting *)o->waiting + (size_t)b * o->cfg.pq_depth;
}

static struct hd_laperm_waiting *front_of(const struct hd_laperm_oracle *o, unsigned b) {
  return bank_of(o, b) + o->first[b];
}

/* Finds the entry that must be in front of a bank: the oldest of the highest level. */
static void find_first(struct hd_laperm_oracle *o, unsigned b) {
  const struct hd_laperm_waiting *w = bank_of(o, b);
  unsigned at = 0;
  for (unsigned i = 1; i < o->n[b]; i++)
    if (w[i].entry.level > w[at].entry.level) at = i;
  o->first[b] = at;
}

static bool kernel_binds(const struct hd_laperm_oracle *o, const struct hd_laperm_in *in) {
  const unsigned bank = hd_laperm_bank_of(o, in->kmu_offer.kernel.origin.smx), level = in->kmu_offer.kernel.level;
  if (in->regs_config.policy == HD_POLICY_RR || level == 0 || in->kmu_offer.kernel.progress.ndone ||
      in->kmu_offer.kernel.progress.sav_count)
    return false;
  if (hd_laperm_passes(o, in, bank, level) || !hd_laperm_open(o, level)) return false;
  return hd_laperm_places(o, in, bank) + hd_laperm_a3_to(o, bank) >= 2;
}

/* Returns true if another push keeps the kernel from entering its bank. */
static bool busy(const struct hd_laperm_oracle *o, const struct hd_laperm_in *in, const struct hd_laperm_out *out) {
  return hd_laperm_a3_to(o, hd_laperm_bank_of(o, in->kmu_offer.kernel.origin.smx)) ||
         (in->spill_back.valid && out->back_ready);
}

static const char *watch_entering(const struct hd_laperm_oracle *o, const struct hd_laperm_in *in,
                                  const struct hd_laperm_out *out) {
  if (out->enter.wait_bank + out->enter.bank + out->enter.mark && !in->kmu_offer.valid)
    return "enter_wait, enter_bank or enter_mark is set without a kernel";
  if (!in->kmu_offer.valid) return NULL;
  bool binds = kernel_binds(o, in), wait = binds && busy(o, in, out);
  if (out->enter.wait_bank != wait)
    return "enter_wait does not show that a group enters the kernel's bank or returns from memory";
  if (out->enter.bank != (binds && !wait))
    return "enter_bank does not show whether the bank has room for the native part";
  if (wait) return out->enter.mark ? "a kernel that waits is marked" : NULL;
  bool more = !binds || in->kmu_offer.kernel.groups.pending;
  return out->enter.mark != more ? "enter_mark does not show whether the kernel has TBs outside a bank" : NULL;
}

/* A wrong entry is in front of a bank. Returns the broken rule. */
static const char *wrong_front(const struct hd_laperm_oracle *o, unsigned b, const struct hd_pqentry *front) {
  const struct hd_laperm_waiting *want = front_of(o, b);
  struct hd_pqentry numbered = *front;
  numbered.arrival = want->entry.arrival;
  if (!memcmp(&numbered, &want->entry, sizeof numbered))
    return "the arrival number of an entry is not its position in its level";
  for (unsigned k = 0; k < o->cfg.num_smx; k++) {
    for (unsigned i = 0; i < o->n[k]; i++) {
      if (memcmp(&bank_of(o, k)[i].entry, front, sizeof *front)) continue;
      if (k != b) return "an entry is in the wrong bank";
      return front->level < want->entry.level ? "an entry is in front of one of a higher level"
                                              : "an entry is in front of an older one of its level";
    }
  }
  return "an entry is in front that was not pushed, has left, or was changed";
}

static const char *watch_bank(const struct hd_laperm_oracle *o, unsigned b, const struct hd_laperm_out *out) {
  static const struct hd_pqentry none;
  const struct hd_pqentry *front = &out->bank_front[b];
  const struct hd_laperm_waiting *want = front_of(o, b);
  if (out->bank_valid[b] != (o->n[b] > 0)) return "bank_valid does not show whether an entry waits";
  if (!o->n[b]) {
    bool shows = memcmp(front, &none, sizeof none) || out->bank_nextbl[b] || out->bank_last[b];
    return shows ? "an empty bank shows an entry in front" : NULL;
  }
  if (memcmp(front, &want->entry, sizeof *front)) return wrong_front(o, b, front);
  if (out->bank_nextbl[b] != want->next) return "bank_nextbl is not the TB after the last granted one";
  if (out->bank_last[b] != (want->next == want->entry.ctas - 1))
    return "bank_last does not show whether one TB is left";
  return NULL;
}

/* Returns bank + 1 of the oldest entry of the highest level, which TbPri grants first; 0: all banks are empty. */
static unsigned oldest_of_highest(const struct hd_laperm_oracle *o) {
  unsigned best = 0;
  for (unsigned b = 0; b < o->cfg.num_bank; b++) {
    if (!o->n[b]) continue;
    const struct hd_laperm_waiting *w = front_of(o, b), *v = best ? front_of(o, best - 1) : w;
    if (w->entry.level > v->entry.level || (w->entry.level == v->entry.level && w->age <= v->age)) best = b + 1;
  }
  return best;
}

/* Returns bank + 1 of the backup bank of an SMX, or 0. */
static unsigned elsewhere(const struct hd_laperm_oracle *o, unsigned s) {
  if (o->backup[s] && o->n[o->backup[s] - 1]) return (unsigned)o->backup[s];
  unsigned own = hd_laperm_bank_of(o, s), banks = o->cfg.num_bank;
  for (unsigned k = 1; k < banks; k++)
    if (o->n[(own + k) % banks]) return (own + k) % banks + 1;
  return 0;
}

/* Returns true if the offer (valid, bank, need) is that of `want` (bank + 1, or 0 for none). If the saved list of the
 * kernel could overflow, the offered need must exceed the resources of an SMX. */
static bool offered(const struct hd_laperm_oracle *o, const struct hd_laperm_in *in, unsigned want, unsigned valid,
                    unsigned bank, const struct hd_need *need) {
  static const struct hd_need nothing;
  if (!want) return !valid && !bank && !memcmp(need, &nothing, sizeof nothing);
  if (!valid || bank != want - 1) return false;
  const struct hd_laperm_waiting *w = front_of(o, want - 1);
  if (!in->kd_sav_full[w->entry.kdei]) return !memcmp(need, &w->need, sizeof *need);
  const struct hd_cfg *c = &o->cfg;
  return need->warps > c->warps_per_smx || need->regs > c->reg_units_per_smx || need->smem > c->smem_units_per_smx;
}

/* For policies without a rule of their own: returns true if the offer is the front of a bank that holds one. */
static bool sound(const struct hd_laperm_oracle *o, const struct hd_laperm_in *in, unsigned valid, unsigned bank,
                  const struct hd_need *need) {
  return offered(o, in, valid && bank < o->cfg.num_smx && o->n[bank] ? bank + 1 : 0, valid, bank, need);
}

static const char *watch_any_offers(const struct hd_laperm_oracle *o, const struct hd_laperm_in *in,
                                    const struct hd_laperm_out *out) {
  for (unsigned s = 0; s < o->cfg.num_smx; s++)
    if (!sound(o, in, out->bound_valid[s], out->bound_bank[s], &out->bound_need[s]) ||
        !sound(o, in, out->spare_valid[s], out->spare_bank[s], &out->spare_need[s]))
      return "an SMX is offered an entry that is in front of no bank";
  return NULL;
}

static const char *watch_offers(const struct hd_laperm_oracle *o, const struct hd_laperm_in *in,
                                const struct hd_laperm_out *out) {
  static const char *const bound_rule[] = {"under Rr an SMX is bound to a bank",
                                           "under TbPri an SMX is not offered the oldest entry of the highest level",
                                           "under SmxBind an SMX is not bound to its own bank, or to another one",
                                           "under AdaptiveBind an SMX is not bound to its own bank"};
  static const char *const fallback_rule[] = {
      "under Rr the spare entry is not the oldest of the highest level", "under TbPri an SMX is offered a spare entry",
      "under SmxBind an SMX is offered a spare entry",
      "under AdaptiveBind the backup changed before its bank was empty, or is not the next bank with entries"};
  if (in->regs_config.policy > HD_POLICY_ADAPTIVE_BIND) return watch_any_offers(o, in, out);
  unsigned oldest = oldest_of_highest(o);
  for (unsigned s = 0; s < o->cfg.num_smx; s++) {
    unsigned mine = hd_laperm_bank_of(o, s), own = o->n[mine] ? mine + 1 : 0;
    unsigned bound = in->regs_config.policy == HD_POLICY_RR       ? 0
                     : in->regs_config.policy == HD_POLICY_TB_PRI ? oldest
                                                                  : own;
    unsigned spare = in->regs_config.policy == HD_POLICY_RR              ? oldest
                     : in->regs_config.policy == HD_POLICY_ADAPTIVE_BIND ? elsewhere(o, s)
                                                                         : 0;
    if (!offered(o, in, bound, out->bound_valid[s], out->bound_bank[s], &out->bound_need[s]))
      return bound_rule[in->regs_config.policy];
    if (!offered(o, in, spare, out->spare_valid[s], out->spare_bank[s], &out->spare_need[s]))
      return fallback_rule[in->regs_config.policy];
  }
  return NULL;
}

/* A TB of the entry at `first`, which was in front, is granted. The entry leaves with its last TB. */
static void follow_take(struct hd_laperm_oracle *o, const struct hd_laperm_in *in, unsigned first) {
  unsigned b = in->sched_take.bank;
  if (!in->sched_take.valid || !o->n[b]) return;
  if (in->sched_take.spare && in->regs_config.policy == HD_POLICY_ADAPTIVE_BIND)
    o->backup[in->sched_grant.smx] = (int)b + 1;
  struct hd_laperm_waiting *w = bank_of(o, b) + first;
  if (++w->next < w->entry.ctas) return;
  o->live[w->entry.level]--;
  o->n[b]--;
  memmove(w, w + 1, (o->n[b] - first) * sizeof *w);
  find_first(o, b);
}

/* Pushes an entry into a bank; kept: into a place that is kept for it. */
static const char *add(struct hd_laperm_oracle *o, unsigned b, const struct hd_pqentry *e, uint32_t next,
                       const struct hd_need *need, bool kept) {
  if (!kept && !hd_laperm_free(o, b)) return "an entry is pushed into a bank without room";
  o->kept[b] -= kept;
  struct hd_laperm_waiting *w = bank_of(o, b) + o->n[b]++;
  *w = (struct hd_laperm_waiting){.entry = *e, .next = next, .need = *need, .age = o->born++};
  w->entry.arrival = (uint32_t)o->count[e->level]++;
  o->live[e->level]++;
  find_first(o, b);
  return o->count[e->level] >> o->cfg.arrival_w ? "the arrival numbers of a level wrap around" : NULL;
}

static struct hd_pqentry group_entry(const struct hd_laperm_launched *g) {
  struct hd_pqentry e;
  memset(&e, 0, sizeof e);
  e.kind = HD_UNIT_GROUP;
  e.kdei = g->kdei;
  e.grid_x = g->info.grid_x;
  e.grid_y = g->info.grid_y;
  e.grid_z = g->info.grid_z;
  e.param = g->info.param;
  e.ctas = g->info.ctas;
  e.level = g->info.level;
  return e;
}

static struct hd_pqentry kernel_entry(const struct hd_laperm_in *in) {
  struct hd_pqentry e;
  memset(&e, 0, sizeof e);
  e.kind = HD_UNIT_NATIVE;
  e.kdei = in->kd_free.kdei;
  e.ctas = in->kmu_offer.kernel.ctas;
  e.level = in->kmu_offer.kernel.level;
  return e;
}

static const char *add_group(struct hd_laperm_oracle *o, const struct hd_laperm_in *in,
                             const struct hd_laperm_launched *g, bool kept) {
  const struct hd_pqentry e = group_entry(g);
  const char *rule = hd_laperm_group_enters(o, g);
  return rule ? rule : add(o, g->bank, &e, 0, &in->kd_need[g->kdei], kept);
}

static const char *add_kernel(struct hd_laperm_oracle *o, const struct hd_laperm_in *in) {
  const unsigned bank = hd_laperm_bank_of(o, in->kmu_offer.kernel.origin.smx);
  const struct hd_pqentry e = kernel_entry(in);
  const char *rule = hd_laperm_kernel_enters(o, bank, in->kmu_offer.kernel.level);
  return rule ? rule : add(o, bank, &e, in->kmu_offer.kernel.progress.nextbl, &in->kmu_offer.kernel.need, false);
}

/* Applies the pushes of this cycle, the group in A3 first. */
static const char *follow_pushes(struct hd_laperm_oracle *o, const struct hd_laperm_in *in,
                                 const struct hd_laperm_out *out) {
  const bool kernel = in->kmu_offer.valid && in->kd_free.valid && out->enter.bank;
  const char *rule = hd_laperm_a3_enters(o) ? add_group(o, in, &o->a3, false) : NULL;
  if (!rule && in->spill_back.valid && out->back_ready) {
    struct hd_laperm_launched g;
    rule = hd_laperm_check_return(o, in, &g);
    if (!rule) rule = add_group(o, in, &g, true);
  }
  return !rule && kernel ? add_kernel(o, in) : rule;
}

/* The group in A2 moves to A3. takes: its bank accepts it; room: memory has room for it. */
static void follow_a2(struct hd_laperm_oracle *o, const struct hd_laperm_in *in, bool takes, bool room) {
  o->a3_valid = in->devq_group.valid && in->regs_config.policy != HD_POLICY_RR;
  o->a3_put = !takes && room;
  o->a3_full = !takes && !room;
  memset(&o->a3, 0, sizeof o->a3);
  o->a3.info = in->devq_group.info;
  o->a3.when = o->launched++;
  o->a3.kdei = in->devq_group.kdei;
  o->a3.bank = (uint8_t)hd_laperm_bank_of(o, in->devq_group.smx);
}

/* A bank accepts a group if its level is open, it overtakes none in memory, and a place is free at the start of the
 * cycle besides that of the group in A3 and those for the next line from memory. */
static const char *follow(struct hd_laperm_oracle *o, const struct hd_laperm_in *in, const struct hd_laperm_out *out) {
  const unsigned bank = hd_laperm_bank_of(o, in->devq_group.smx), level = in->devq_group.info.level;
  const bool room = in->devq_group.valid && hd_laperm_memory_has_room(o, in, bank, level);
  const bool takes = in->devq_group.valid && hd_laperm_places(o, in, bank) > 0 && hd_laperm_open(o, level) &&
                     !hd_laperm_passes(o, in, bank, level);
  if (in->devq_group.valid && in->regs_config.policy != HD_POLICY_RR && o->sure[bank] && !takes)
    return "a group finds no place in a bank that reported room for it";
  const unsigned front_level = front_of(o, in->sched_take.bank)->entry.level;
  bool was[HD_MAX_MAX_LEVEL + 1];
  for (unsigned l = 1; l <= o->cfg.max_level; l++) was[l] = o->live[l] > 0;
  unsigned first = o->first[in->sched_take.bank]; /* before the pushes, which may change the front but not this index */
  const char *rule = follow_pushes(o, in, out);
  if (!rule) rule = hd_laperm_follow_memory(o, in, out, front_level);
  if (rule) return rule;
  follow_take(o, in, first);
  for (unsigned l = 1; l <= o->cfg.max_level; l++)
    if (!was[l] && !o->live[l]) o->count[l] = 0;
  follow_a2(o, in, takes, room);
  return NULL;
}

const char *hd_laperm_oracle_watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct hd_laperm_oracle *o = o_;
  const struct hd_laperm_in *in = in_;
  const struct hd_laperm_out *out = out_;
  const char *rule = hd_laperm_watch_memory(o, in, out);
  (void)cycle;
  if (!rule) rule = watch_entering(o, in, out);
  for (unsigned b = 0; b < o->cfg.num_bank && !rule; b++) rule = watch_bank(o, b, out);
  if (!rule) rule = watch_offers(o, in, out);
  return rule ? rule : follow(o, in, out);
}
