/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The rules of laperm for groups that are sent to memory. Groups of one bank and level enter the bank in launch order,
 * whether they were in memory or not. It follows that groups behind one in memory are sent there too, and that no
 * kernel overtakes it. A group is refused only if neither its bank nor its queue in memory has room. Places that are
 * reserved for a line of groups stay free until these enter the bank or the places are released; while groups of the
 * bank are in memory, the places of the next line stay free as well. The oracle tracks the groups in memory itself;
 * `held` only shows it which were lost. */
#include "oracle/laperm_state.h"

static unsigned queue_of(const struct hd_laperm_oracle *o, unsigned bank, unsigned level) {
  return bank * o->cfg.max_level + level - 1;
}

static bool any_held(const struct hd_laperm_oracle *o, const struct hd_laperm_in *in, unsigned bank, unsigned from) {
  bool any = false;
  for (unsigned l = from; l <= o->cfg.max_level; l++) any |= in->spill_held[queue_of(o, bank, l)];
  return any;
}

bool hd_laperm_passes(const struct hd_laperm_oracle *o, const struct hd_laperm_in *in, unsigned bank, unsigned level) {
  bool a3 = o->a3_valid && o->a3_put && o->a3.bank == bank && o->a3.info.level == level;
  return a3 || in->spill_held[queue_of(o, bank, level)];
}

int hd_laperm_places(const struct hd_laperm_oracle *o, const struct hd_laperm_in *in, unsigned bank) {
  const unsigned line = any_held(o, in, bank, 1) ? o->cfg.spill_line : 0;
  return (int)hd_laperm_free(o, bank) - hd_laperm_a3_to(o, bank) - (int)line;
}

bool hd_laperm_memory_has_room(const struct hd_laperm_oracle *o, const struct hd_laperm_in *in, unsigned bank,
                               unsigned level) {
  return in->spill_room[queue_of(o, bank, level)];
}

/* ---- outputs ---- */

static const char *watch_a3(const struct hd_laperm_oracle *o, const struct hd_laperm_out *out) {
  static const struct hd_info none;
  const bool put = o->a3_valid && o->a3_put, full = o->a3_valid && o->a3_full;
  if (out->full != full)
    return full ? "a group without a place in bank or memory is not refused" : "a group is refused that has a place";
  if (out->put.valid && full) return "a group is sent to memory that has no room for it";
  if (out->put.valid != put)
    return put ? "a group that its bank does not accept is not sent to memory"
               : "a group is sent to memory though its bank accepts it";
  if (out->push.valid != (o->a3_valid && !full)) return "push_valid does not show whether a group has found a place";
  if (out->push.kdei != (out->push.valid ? o->a3.kdei : 0)) return "push_kdei is not the kernel of the group";
  if (out->put.bank != (put ? o->a3.bank : 0) || out->put.kdei != (put ? o->a3.kdei : 0) ||
      memcmp(&out->put.info, put ? &o->a3.info : &none, sizeof none))
    return "put shows another group than the one in A3";
  return NULL;
}

static const char *watch_places(const struct hd_laperm_oracle *o, const struct hd_laperm_in *in,
                                const struct hd_laperm_out *out) {
  for (unsigned b = 0; b < o->cfg.num_bank; b++) {
    if (o->promised[b] && !out->place[b]) return "the places of a line that were promised are no longer free";
    if (out->place[b] != (hd_laperm_free(o, b) >= hd_laperm_a3_to(o, b) + o->cfg.spill_line))
      return "place does not show whether the bank has free places for a line of groups";
    if (in->spill_reserve[b] && !out->place[b]) return "places are reserved in a bank that has none";
  }
  return NULL;
}

/* Returns true if at least eight arrival numbers of each level are left. */
static bool all_wide(const struct hd_laperm_oracle *o) {
  bool wide = true;
  for (unsigned l = 1; l <= o->cfg.max_level; l++) wide &= o->count[l] + 8 <= UINT64_C(1) << o->cfg.arrival_w;
  return wide && o->cfg.arrival_w > 3;
}

/* bank_room is the number of places that are neither used nor kept (at most 7), or 0 if a group might find none for its
 * level. */
static const char *watch_room(const struct hd_laperm_oracle *o, const struct hd_laperm_in *in,
                              const struct hd_laperm_out *out) {
  for (unsigned b = 0; b < o->cfg.num_bank; b++) {
    const unsigned left = hd_laperm_free(o, b);
    const bool a3 = o->a3_valid && !hd_laperm_a3_enters(o) && o->a3.bank == b;
    const bool none = any_held(o, in, b, 1) || a3 || !all_wide(o);
    if (out->bank_room[b] > (none ? 0 : left)) return "bank_room reports room that a group may not find";
    if (!none && out->bank_room[b] < (left < 7 ? left : 7)) return "bank_room does not report free places";
  }
  return NULL;
}

static const char *watch_back(const struct hd_laperm_oracle *o, const struct hd_laperm_in *in,
                              const struct hd_laperm_out *out) {
  const unsigned bank = in->spill_back.bank;
  if (!in->spill_back.valid) return out->back_ready ? "back_ready is set though no group returns" : NULL;
  if (!o->kept[bank]) return "a group returns for which no place is kept";
  const bool ready = hd_laperm_open(o, in->spill_back.info.level) && !hd_laperm_a3_to(o, bank);
  return out->back_ready != ready
             ? "back_ready does not wait for the level and the group in A3, or waits for something else"
             : NULL;
}

static const char *watch_inversion(const struct hd_laperm_oracle *o, const struct hd_laperm_in *in,
                                   const struct hd_laperm_out *out) {
  bool want = false;
  for (unsigned b = 0; o->ran && b < o->cfg.num_bank; b++) {
    want |= (o->ran_any || b == o->ran_bank) && any_held(o, in, b, o->ran_level + 1);
    want |= o->passed[b] && any_held(o, in, b, 1);
  }
  return out->inversion != want ? "inversion does not show that a TB was granted before one that waits in memory"
                                : NULL;
}

/* Groups whose queue memory does not report as held are lost. */
static void forget_lost(struct hd_laperm_oracle *o, const struct hd_laperm_in *in) {
  unsigned left = 0;
  for (unsigned k = 0; k < o->away; k++)
    if (in->spill_held[queue_of(o, o->group[k].bank, o->group[k].info.level)]) o->group[left++] = o->group[k];
  o->away = left;
}

const char *hd_laperm_watch_memory(struct hd_laperm_oracle *o, const struct hd_laperm_in *in,
                                   const struct hd_laperm_out *out) {
  forget_lost(o, in);
  const char *rule = watch_a3(o, out);
  if (!rule) rule = watch_places(o, in, out);
  if (!rule) rule = watch_room(o, in, out);
  if (!rule) rule = watch_back(o, in, out);
  return rule ? rule : watch_inversion(o, in, out);
}

/* ---- the edge ---- */

static bool in_memory(const struct hd_laperm_oracle *o, unsigned bank, unsigned level) {
  for (unsigned k = 0; k < o->away; k++)
    if (o->group[k].bank == bank && o->group[k].info.level == level) return true;
  return false;
}

const char *hd_laperm_group_enters(struct hd_laperm_oracle *o, const struct hd_laperm_launched *g) {
  uint64_t *latest = &o->latest[queue_of(o, g->bank, g->info.level)];
  if (*latest > g->when) return "a group enters its bank after one that was launched later";
  for (unsigned k = 0; k < o->away; k++)
    if (o->group[k].bank == g->bank && o->group[k].info.level == g->info.level && o->group[k].when < g->when)
      return "a group enters its bank before an older one in memory";
  *latest = g->when + 1;
  return NULL;
}

const char *hd_laperm_kernel_enters(const struct hd_laperm_oracle *o, unsigned bank, unsigned level) {
  return in_memory(o, bank, level) ? "a kernel passes a group of its bank and level that is in memory" : NULL;
}

const char *hd_laperm_check_return(struct hd_laperm_oracle *o, const struct hd_laperm_in *in,
                                   struct hd_laperm_launched *g) {
  unsigned left = 0, found = o->away;
  for (unsigned k = 0; k < o->away; k++) {
    const struct hd_laperm_launched *w = &o->group[k];
    const bool queue = w->bank == in->spill_back.bank && w->info.level == in->spill_back.info.level;
    if (found == o->away && queue && w->kdei == in->spill_back.kdei &&
        !memcmp(&w->info, &in->spill_back.info, sizeof w->info))
      found = k;
  }
  if (found == o->away) return "a group returns that was not sent to memory";
  *g = o->group[found];
  for (unsigned k = 0; k < o->away; k++) {
    const struct hd_laperm_launched *w = &o->group[k];
    const bool queue = w->bank == g->bank && w->info.level == g->info.level;
    if (!queue || k > found) o->group[left++] = *w;
  }
  o->away = left;
  return NULL;
}

/* Free places of a line are promised to groups held in memory, unless they are reserved in this cycle. */
static void promise(struct hd_laperm_oracle *o, const struct hd_laperm_in *in, const struct hd_laperm_out *out) {
  for (unsigned b = 0; b < o->cfg.num_bank; b++)
    o->promised[b] = out->place[b] && !in->spill_reserve[b] && any_held(o, in, b, 1);
}

/* Places are reserved and released. The entries pushed in this cycle have their places already, those that leave still
 * have them. */
static const char *keep_places(struct hd_laperm_oracle *o, const struct hd_laperm_in *in) {
  for (unsigned b = 0; b < o->cfg.num_bank; b++) {
    if (in->spill_release[b] > o->kept[b]) return "more places are released than are kept";
    o->kept[b] += in->spill_reserve[b] ? o->cfg.spill_line : 0;
    o->kept[b] -= in->spill_release[b];
    if (o->n[b] + o->kept[b] > o->cfg.pq_depth) return "a kept place is not free";
  }
  return NULL;
}

/* Notes the TB that is granted, and the banks that it passes; before its bank becomes the backup of its SMX. */
static void note_ran(struct hd_laperm_oracle *o, const struct hd_laperm_in *in, unsigned front_level) {
  const unsigned own = hd_laperm_bank_of(o, in->sched_grant.smx), from = in->sched_take.bank;
  const int backup = o->backup[in->sched_grant.smx];
  o->ran = (in->sched_take.valid || in->sched_grant.valid) && in->regs_config.policy != HD_POLICY_RR;
  o->ran_any = in->regs_config.policy == HD_POLICY_TB_PRI;
  o->ran_bank = in->sched_take.valid ? from : own;
  o->ran_level = in->sched_take.valid ? front_level : in->sched_grant.level;
  memset(o->passed, 0, sizeof o->passed);
  if (!in->sched_take.valid || !in->sched_take.spare || in->regs_config.policy != HD_POLICY_ADAPTIVE_BIND) return;
  o->passed[own] = 1;
  if (backup) o->passed[backup - 1] = 1;
  o->passed[from] = 0;
}

/* A group in A2 in the next cycle finds a place if one is left after those in A2 and A3 now and a kernel. */
static void note_room(struct hd_laperm_oracle *o, const struct hd_laperm_in *in, const struct hd_laperm_out *out) {
  for (unsigned b = 0; b < o->cfg.num_bank; b++) {
    const bool a2 = in->devq_group.valid && hd_laperm_bank_of(o, in->devq_group.smx) == b;
    o->sure[b] = out->bank_room[b] > a2 + hd_laperm_a3_to(o, b) + 1;
  }
}

const char *hd_laperm_follow_memory(struct hd_laperm_oracle *o, const struct hd_laperm_in *in,
                                    const struct hd_laperm_out *out, unsigned front_level) {
  const char *rule = keep_places(o, in);
  if (rule) return rule;
  promise(o, in, out);
  note_room(o, in, out);
  note_ran(o, in, front_level);
  if (!out->put.valid) return NULL;
  if (o->away == HD_LAPERM_AWAY) return "more groups are in memory than this oracle can hold";
  o->group[o->away++] = o->a3;
  return NULL;
}
