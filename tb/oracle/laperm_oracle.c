/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "oracle/laperm_oracle.h"

#include <stdbool.h>
#include <string.h>

#include "gen/hd_laperm_ports.h"

/* Every entry by itself, in the bank that it went into, with its age among all: what must be in front, what an SMX must
 * be offered, and what becomes of groups and kernels, follows from these. */
struct waiting {
  struct hd_pqentry entry;
  struct hd_need need;
  uint32_t next; /* its next TB */
  uint64_t age;  /* entries that came before */
};

struct oracle {
  struct hd_cfg cfg;
  uint64_t born;                        /* entries so far */
  uint64_t count[HD_MAX_MAX_LEVEL + 1]; /* of a level: entries since it was last empty for a cycle */
  unsigned live[HD_MAX_MAX_LEVEL + 1];  /* .. and entries there are */
  unsigned n[HD_MAX_NUM_SMX];           /* entries of a bank */
  unsigned first[HD_MAX_NUM_SMX];       /* the one that must be in front */
  int backup[HD_MAX_NUM_SMX];           /* bank + 1; 0: none */
  bool a3_valid, a3_full;               /* the group of the cycle before */
  unsigned a3_smx;
  struct hd_pqentry a3;
  struct waiting waiting[]; /* NumSmx * PqDepth: each bank's in the order of arrival */
};

size_t hd_laperm_oracle_size(const struct hd_cfg *cfg) {
  return sizeof(struct oracle) + (size_t)cfg->num_smx * cfg->pq_depth * sizeof(struct waiting);
}

void hd_laperm_oracle_init(void *o_, const struct hd_cfg *cfg) {
  memset(o_, 0, hd_laperm_oracle_size(cfg));
  ((struct oracle *)o_)->cfg = *cfg;
}

static struct waiting *bank_of(const struct oracle *o, unsigned b) {
  return (struct waiting *)o->waiting + (size_t)b * o->cfg.pq_depth;
}

static struct waiting *front_of(const struct oracle *o, unsigned b) {
  return bank_of(o, b) + o->first[b];
}

/* Which of a bank's must be in front: of the highest level the oldest. */
static void find_first(struct oracle *o, unsigned b) {
  const struct waiting *w = bank_of(o, b);
  unsigned at = 0;
  for (unsigned i = 1; i < o->n[b]; i++)
    if (w[i].entry.level > w[at].entry.level) at = i;
  o->first[b] = at;
}

/* Four numbers are left at least: three entries may come before this is asked again, and none may be the last. */
static bool open_level(const struct oracle *o, unsigned level) {
  return o->count[level] + 4 <= UINT64_C(1) << o->cfg.arrival_w;
}

static bool a3_to(const struct oracle *o, unsigned b) {
  return o->a3_valid && o->a3_smx == b;
}

static bool kernel_binds(const struct oracle *o, const struct hd_laperm_in *in) {
  if (in->policy == HD_POLICY_RR || in->enter_level == 0 || in->enter_progress.ndone) return false;
  return o->n[in->enter_smx] + 2 <= o->cfg.pq_depth && open_level(o, in->enter_level);
}

static const char *watch_entering(const struct oracle *o, const struct hd_laperm_in *in,
                                  const struct hd_laperm_out *out) {
  if (out->full != o->a3_full) return o->a3_full ? "a group without a place is not refused" : "a group is refused";
  if (out->push_valid != o->a3_valid) return "a group that has a place does not go into its bank in the next cycle";
  if (out->push_kdei != (o->a3_valid ? o->a3.kdei : 0)) return "push_kdei is not the group's kernel";
  if (out->enter_wait + out->enter_bank + out->enter_mark && !in->enter_valid) return "no kernel, but something of it";
  if (!in->enter_valid) return NULL;
  bool binds = kernel_binds(o, in), wait = binds && a3_to(o, in->enter_smx);
  if (out->enter_wait != wait) return "a kernel waits exactly while a group goes into the bank that it binds to";
  if (out->enter_bank != (binds && !wait)) return "a native part goes into its bank if there is room, and only then";
  if (wait) return out->enter_mark ? "a kernel that waits is marked" : NULL;
  bool more = !binds || in->enter_progress.sav_count || in->enter_pending;
  return out->enter_mark != more ? "a kernel is marked exactly for what does not go into a bank" : NULL;
}

/* The wrong entry is in front of a bank: which rule is broken? */
static const char *wrong_front(const struct oracle *o, unsigned b, const struct hd_pqentry *front) {
  const struct waiting *want = front_of(o, b);
  struct hd_pqentry numbered = *front;
  numbered.arrival = want->entry.arrival;
  if (!memcmp(&numbered, &want->entry, sizeof numbered))
    return "an entry's arrival number is not its place in its level";
  for (unsigned k = 0; k < o->cfg.num_smx; k++) {
    for (unsigned i = 0; i < o->n[k]; i++) {
      if (memcmp(&bank_of(o, k)[i].entry, front, sizeof *front)) continue;
      if (k != b) return "an entry is in the wrong bank";
      return front->level < want->entry.level ? "an entry is in front of one of a higher level"
                                              : "an entry is in front of an older one of its level";
    }
  }
  return "an entry is in front that did not come, has left, or was changed";
}

static const char *watch_bank(const struct oracle *o, unsigned b, const struct hd_laperm_out *out) {
  static const struct hd_pqentry none;
  const struct hd_pqentry *front = &out->bank_front[b];
  const struct waiting *want = front_of(o, b);
  if (out->bank_valid[b] != (o->n[b] > 0)) return "bank_valid does not tell whether an entry waits";
  if (!o->n[b]) {
    bool shows = memcmp(front, &none, sizeof none) || out->bank_nextbl[b] || out->bank_last[b];
    return shows ? "an empty bank shows a front" : NULL;
  }
  if (memcmp(front, &want->entry, sizeof *front)) return wrong_front(o, b, front);
  if (out->bank_nextbl[b] != want->next) return "the next TB is not the one behind the last that was handed out";
  if (out->bank_last[b] != (want->next == want->entry.ctas - 1))
    return "bank_last does not tell whether one TB is left";
  return NULL;
}

/* Bank + 1 of the entry that TbPri hands out first, or 0: the oldest of the highest level. */
static unsigned oldest_of_highest(const struct oracle *o) {
  unsigned best = 0;
  for (unsigned b = 0; b < o->cfg.num_smx; b++) {
    if (!o->n[b]) continue;
    const struct waiting *w = front_of(o, b), *v = best ? front_of(o, best - 1) : w;
    if (w->entry.level > v->entry.level || (w->entry.level == v->entry.level && w->age <= v->age)) best = b + 1;
  }
  return best;
}

/* Bank + 1 that an SMX turns to when its own is of no use, or 0. */
static unsigned elsewhere(const struct oracle *o, unsigned s) {
  if (o->backup[s] && o->n[o->backup[s] - 1]) return (unsigned)o->backup[s];
  for (unsigned k = 1; k < o->cfg.num_smx; k++)
    if (o->n[(s + k) % o->cfg.num_smx]) return (s + k) % o->cfg.num_smx + 1;
  return 0;
}

/* An offer is the wanted one: valid, bank, need. want: bank + 1, or 0. */
static bool offered(const struct oracle *o, unsigned want, unsigned valid, unsigned bank, const struct hd_need *need) {
  static const struct hd_need nothing;
  if (!want) return !valid && !bank && !memcmp(need, &nothing, sizeof nothing);
  return valid && bank == want - 1 && !memcmp(need, &front_of(o, want - 1)->need, sizeof *need);
}

static const char *watch_offers(const struct oracle *o, const struct hd_laperm_in *in,
                                const struct hd_laperm_out *out) {
  static const char *const bound_rule[] = {"under Rr nothing comes before queue 0",
                                           "under TbPri all are offered the oldest of the highest level",
                                           "under SmxBind an SMX is offered its own bank, and only that",
                                           "under AdaptiveBind an SMX is offered its own bank first"};
  static const char *const spare_rule[] = {"under Rr what the banks hold is offered when queue 0 is empty",
                                           "under TbPri nothing is spare", "under SmxBind nothing is spare",
                                           "a backup stays until its bank is empty; then it is the next that is not"};
  unsigned oldest = oldest_of_highest(o);
  for (unsigned s = 0; s < o->cfg.num_smx; s++) {
    unsigned own = o->n[s] ? s + 1 : 0;
    unsigned bound = in->policy == HD_POLICY_RR ? 0 : in->policy == HD_POLICY_TB_PRI ? oldest : own;
    unsigned spare = in->policy == HD_POLICY_RR ? oldest : in->policy == HD_POLICY_ADAPTIVE_BIND ? elsewhere(o, s) : 0;
    if (!offered(o, bound, out->bound_valid[s], out->bound_bank[s], &out->bound_need[s])) return bound_rule[in->policy];
    if (!offered(o, spare, out->spare_valid[s], out->spare_bank[s], &out->spare_need[s])) return spare_rule[in->policy];
  }
  return NULL;
}

/* A TB of the entry that was in front, at `first`, is handed out; with its last TB it leaves. */
static void follow_take(struct oracle *o, const struct hd_laperm_in *in, unsigned first) {
  unsigned b = in->take_bank;
  if (!in->take_valid || !o->n[b]) return;
  if (in->take_spare && in->policy == HD_POLICY_ADAPTIVE_BIND) o->backup[in->take_smx] = (int)b + 1;
  struct waiting *w = bank_of(o, b) + first;
  if (++w->next < w->entry.ctas) return;
  o->live[w->entry.level]--;
  o->n[b]--;
  memmove(w, w + 1, (o->n[b] - first) * sizeof *w);
  find_first(o, b);
}

/* An entry comes. */
static const char *add(struct oracle *o, unsigned b, const struct hd_pqentry *e, uint32_t next,
                       const struct hd_need *need) {
  if (o->n[b] == o->cfg.pq_depth) return "an entry comes into a full bank";
  struct waiting *w = bank_of(o, b) + o->n[b]++;
  *w = (struct waiting){.entry = *e, .next = next, .need = *need, .age = o->born++};
  w->entry.arrival = (uint32_t)o->count[e->level]++;
  o->live[e->level]++;
  find_first(o, b);
  return o->count[e->level] >> o->cfg.arrival_w ? "the arrival numbers of a level go round" : NULL;
}

static struct hd_pqentry group_entry(const struct hd_laperm_in *in) {
  struct hd_pqentry e;
  memset(&e, 0, sizeof e);
  e.kind = HD_UNIT_GROUP;
  e.kdei = in->a2_kdei;
  e.grid_x = in->a2_info.grid_x;
  e.grid_y = in->a2_info.grid_y;
  e.grid_z = in->a2_info.grid_z;
  e.param = in->a2_info.param;
  e.ctas = in->a2_info.ctas;
  e.level = in->a2_info.level;
  return e;
}

static struct hd_pqentry kernel_entry(const struct hd_laperm_in *in) {
  struct hd_pqentry e;
  memset(&e, 0, sizeof e);
  e.kind = HD_UNIT_NATIVE;
  e.kdei = in->enter_kdei;
  e.ctas = in->enter_ctas;
  e.level = in->enter_level;
  return e;
}

/* What goes into banks in this cycle, the group first. */
static const char *follow_pushes(struct oracle *o, const struct hd_laperm_in *in) {
  bool kernel = in->enter_valid && in->enter_ready && kernel_binds(o, in) && !a3_to(o, in->enter_smx);
  const char *rule = o->a3_valid ? add(o, o->a3_smx, &o->a3, 0, &in->need[o->a3.kdei]) : NULL;
  if (rule || !kernel) return rule;
  const struct hd_pqentry e = kernel_entry(in);
  return add(o, in->enter_smx, &e, in->enter_progress.nextbl, &in->enter_need);
}

/* A group is judged by what its bank holds at the start of the cycle, and by what A3 puts there. */
static const char *follow(struct oracle *o, const struct hd_laperm_in *in) {
  bool group = in->a2_group && in->policy != HD_POLICY_RR, was[HD_MAX_MAX_LEVEL + 1];
  bool room = group && o->n[in->a2_smx] + a3_to(o, in->a2_smx) < o->cfg.pq_depth && open_level(o, in->a2_info.level);
  for (unsigned l = 1; l <= o->cfg.max_level; l++) was[l] = o->live[l] > 0;
  unsigned first = o->first[in->take_bank]; /* a push puts nothing before it, but something in front of it */
  const char *rule = follow_pushes(o, in);
  if (rule) return rule;
  follow_take(o, in, first);
  for (unsigned l = 1; l <= o->cfg.max_level; l++)
    if (!was[l] && !o->live[l]) o->count[l] = 0;
  o->a3_valid = room;
  o->a3_full = group && !room;
  o->a3_smx = in->a2_smx;
  o->a3 = group_entry(in);
  return NULL;
}

const char *hd_laperm_oracle_watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_laperm_in *in = in_;
  const struct hd_laperm_out *out = out_;
  const char *rule = watch_entering(o, in, out);
  (void)cycle;
  for (unsigned b = 0; b < o->cfg.num_smx && !rule; b++) rule = watch_bank(o, b, out);
  if (!rule) rule = watch_offers(o, in, out);
  return rule ? rule : follow(o, in);
}
