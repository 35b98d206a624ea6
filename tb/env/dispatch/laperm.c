/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* laperm: golden model, random environment and cover points. The environment is a KD with kernels that come and
 * go, groups and kernels of few TBs, and SMXs that take what they are offered. In phases it fills the banks, drains
 * them, holds the takes, keeps some number of entries (often just one), launches on all SMXs, on some, or on one, and
 * at any level, at one, or at high ones; the policy stays for long or changes every few cycles. What a kernel needs is
 * known only from the cycle after it entered on; the element of a free entry changes at random. */
#include "dispatch/laperm.h"

#include "env/common/model.h"
#include "env/top/plane_blocks.h"
#include "oracle/laperm_oracle.h"

HD_TWIN_MODEL(laperm)

static void laperm_arch(const void *m, unsigned group, void *arch, bool tables) {
  struct hd_laperm_arch *a = arch;
  if (group)
    hd_pq_arch(hd_laperm_bank(m, group - 1), &a->pq[group - 1], tables);
  else
    hd_laperm_arch_own(m, a);
}

static const struct hd_wrote *laperm_wrote(const void *m, unsigned group) {
  return group ? hd_laperm_bank(m, group - 1)->wrote : NULL;
}

static void laperm_row(const void *m, unsigned group, unsigned row, void *arch) {
  struct hd_laperm_arch *a = arch;
  hd_pq_arch_row(hd_laperm_bank(m, group - 1), row, &a->pq[group - 1]);
}

static void laperm_inner(const void *m, const struct hd_cfg *cfg, const void *in, void *inner) {
  (void)cfg;
  hd_laperm_show_inner(m, in, inner);
}

enum { ANY, ONE, HIGH, LEVEL_MODES };

struct stim {
  struct hd_cfg cfg;
  unsigned left;               /* cycles of this phase that are still to come */
  unsigned group, enter, take; /* phase: how often, in 1/256 of what the profile says */
  unsigned target;             /* phase: nothing new beyond so many entries */
  unsigned few, first;         /* phase: so many SMXs from this one on launch */
  uint8_t mode, level;         /* phase: which levels; the one of mode ONE */
  uint8_t policy, flicker;     /* the policy changes every few cycles */
  unsigned policy_left;        /* cycles until it changes */
  unsigned used;               /* entries in the banks and on their way */
  unsigned in_bank[HD_MAX_NUM_SMX];
  unsigned live[HD_MAX_MAX_LEVEL + 1];
  int a3;                         /* kernel of the group in A3, or -1, and its bank */
  unsigned a3_smx, a3_level;      /* .. */
  uint8_t there[HD_MAX_NUM_KDE];  /* kernels in the KD */
  unsigned named[HD_MAX_NUM_KDE]; /* entries of each in the banks and on their way */
  uint64_t backup_valid[HD_LAPERM_WORDS];
  uint8_t backup[HD_MAX_NUM_SMX];
  uint8_t was_policy; /* of the cycle before */
};

static void stim_reset(void *s_) {
  struct stim *s = s_;
  struct hd_cfg cfg = s->cfg;
  memset(s, 0, sizeof *s);
  s->cfg = cfg;
  s->a3 = -1;
}

static void stim_init(void *s_, const struct hd_cfg *cfg, struct hd_rng *rng) {
  struct stim *s = s_;
  (void)rng;
  s->cfg = *cfg;
  stim_reset(s);
}

static void choose_phase(struct stim *s, struct hd_rng *rng) {
  /* random, fill, drain, hold, groups fill, all at once, one entry, some entries */
  static const struct {
    uint16_t group, enter, take;
  } weights[] = {{0, 0, 0},     {256, 256, 24},  {16, 16, 256},   {256, 256, 0},
                 {256, 16, 12}, {256, 256, 256}, {256, 256, 256}, {256, 200, 160}};
  unsigned k = hd_rng_below(rng, sizeof weights / sizeof *weights), all = s->cfg.num_smx * s->cfg.pq_depth;
  s->group = k ? weights[k].group : hd_rng_below(rng, 257);
  s->enter = k ? weights[k].enter : hd_rng_below(rng, 257);
  s->take = k ? weights[k].take : hd_rng_below(rng, 257);
  s->target = k < 6 ? all : k == 6 ? 1 : 1 + hd_rng_below(rng, 1 + hd_rng_below(rng, all));
  s->few = hd_rng_p(rng, 100) ? s->cfg.num_smx : 1 + hd_rng_below(rng, hd_rng_p(rng, 128) ? 1 : s->cfg.num_smx);
  s->first = hd_rng_below(rng, s->cfg.num_smx);
  s->mode = (uint8_t)hd_rng_below(rng, LEVEL_MODES);
  s->level = (uint8_t)(1 + hd_rng_below(rng, s->cfg.max_level));
  s->left = 20 + hd_rng_below(rng, hd_rng_p(rng, 200) ? 100 + 4 * s->cfg.pq_depth : 100 + 3 * all);
}

/* Rr, under which little happens, is chosen less often than the others. */
static void drive_policy(struct stim *s, struct hd_rng *rng, struct hd_laperm_in *in) {
  s->was_policy = in->policy;
  if (!s->policy_left--) {
    if (hd_rng_p(rng, 24)) s->flicker = hd_rng_p(rng, 80);
    s->policy_left = s->flicker ? hd_rng_below(rng, 6) : 100 + hd_rng_below(rng, 3000);
    in->policy = hd_rng_p(rng, 16) ? HD_POLICY_RR : (uint8_t)(HD_POLICY_TB_PRI + hd_rng_below(rng, 3));
  }
}

static uint8_t random_smx(const struct stim *s, struct hd_rng *rng) {
  return (uint8_t)((s->first + hd_rng_below(rng, s->few)) % s->cfg.num_smx);
}

static uint8_t random_level(const struct stim *s, struct hd_rng *rng) {
  unsigned most = s->cfg.max_level;
  if (s->mode == ONE) return s->level;
  if (s->mode == HIGH) return (uint8_t)(most - hd_rng_below(rng, (most + 1) / 2));
  return (uint8_t)(1 + hd_rng_below(rng, 1 + hd_rng_below(rng, most))); /* low ones more often */
}

enum { MANY = 30 };

/* Mostly few TBs, so that entries leave; now and then any number, if few of them are left or no bank takes it; rarely,
 * in the lowest level, so many that it stays. */
static uint32_t random_ctas(const struct stim *s, struct hd_rng *rng, unsigned level, bool any) {
  uint32_t most = UINT32_MAX >> (32 - s->cfg.ctas_w);
  uint32_t n = 1 + hd_rng_below(rng, hd_rng_p(rng, 250) ? 3 : MANY);
  if ((any && hd_rng_p(rng, 32)) || (level == 1 && !hd_rng_below(rng, 5000)))
    n = (uint32_t)hd_rng_bits(rng, s->cfg.ctas_w) | 1;
  return n < most ? n : most;
}

static struct hd_need random_need(const struct stim *s, struct hd_rng *rng) {
  struct hd_need n;
  memset(&n, 0, sizeof n);
  n.warps = (uint8_t)hd_rng_bits(rng, s->cfg.warps_w);
  n.regs = (uint16_t)hd_rng_bits(rng, s->cfg.reg_units_w);
  n.smem = (uint16_t)hd_rng_bits(rng, s->cfg.smem_units_w);
  return n;
}

/* ---- what the cycle before did ---- */

static void account_take(struct stim *s, const struct hd_laperm_in *in, const struct hd_laperm_out *out) {
  const struct hd_pqentry *front = &out->bank_front[in->take_bank];
  if (!in->take_valid) return;
  if (out->bank_last[in->take_bank]) {
    s->named[front->kdei]--;
    s->live[front->level]--;
    s->in_bank[in->take_bank]--;
    s->used--;
  }
  if (!in->take_spare || in->policy != HD_POLICY_ADAPTIVE_BIND) return;
  hd_bit_set(s->backup_valid, in->take_smx);
  s->backup[in->take_smx] = in->take_bank;
}

static void account_group(struct stim *s, const struct hd_laperm_in *in, const struct hd_laperm_out *out) {
  if (out->push_valid) {
    s->in_bank[s->a3_smx]++;
    s->live[s->a3_level]++;
  } else if (s->a3 >= 0) {
    s->named[s->a3]--;
    s->used--;
  }
  s->a3 = in->a2_group && in->policy != HD_POLICY_RR ? in->a2_kdei : -1;
  s->a3_smx = in->a2_smx;
  s->a3_level = in->a2_info.level;
  if (s->a3 < 0) return;
  s->named[s->a3]++;
  s->used++;
}

/* What a kernel that entered needs stands in the KD from now on. */
static void account_kernel(struct stim *s, struct hd_laperm_in *in, const struct hd_laperm_out *out) {
  if (!in->enter_valid || !in->enter_ready || out->enter_wait) return;
  s->there[in->enter_kdei] = 1;
  in->need[in->enter_kdei] = in->enter_need;
  in->enter_valid = 0;
  if (!out->enter_bank) return;
  s->named[in->enter_kdei]++;
  s->live[in->enter_level]++;
  s->in_bank[in->enter_smx]++;
  s->used++;
}

/* ---- what this cycle brings ---- */

/* Kernels without entries leave the KD; what a free entry of the KD needs may be anything. */
static void drive_kd(struct stim *s, struct hd_rng *rng, struct hd_laperm_in *in) {
  unsigned k = hd_rng_below(rng, s->cfg.num_kde);
  if (!s->named[k] && hd_rng_p(rng, 100)) s->there[k] = 0;
  if (!s->there[k] && hd_rng_p(rng, 100)) in->need[k] = random_need(s, rng);
}

static struct hd_progress random_progress(const struct stim *s, struct hd_rng *rng, uint32_t ctas) {
  struct hd_progress g;
  memset(&g, 0, sizeof g);
  g.ndone = hd_rng_p(rng, 80);
  g.nextbl = ctas > MANY ? ctas - 1 - hd_rng_below(rng, 4) : hd_rng_below(rng, ctas);
  g.sav_first = (uint16_t)hd_rng_below(rng, s->cfg.sav_max);
  g.sav_count = hd_rng_p(rng, 128) ? (uint16_t)hd_rng_below(rng, s->cfg.sav_max + 1) : 0;
  return g;
}

static void offer_kernel(struct stim *s, struct hd_rng *rng, struct hd_laperm_in *in) {
  bool resumed = hd_rng_p(rng, 90);
  in->enter_valid = 1;
  in->enter_level = hd_rng_p(rng, 40) ? 0 : random_level(s, rng);
  in->enter_smx = random_smx(s, rng);
  in->enter_need = random_need(s, rng);
  in->enter_ctas = random_ctas(s, rng, in->enter_level, resumed || in->policy == HD_POLICY_RR);
  if (resumed) in->enter_progress = random_progress(s, rng, in->enter_ctas);
  in->enter_pending = resumed && hd_rng_p(rng, 128);
}

/* A kernel stays as it is offered until it is taken; the KD's free entry may be another one by then. */
static void drive_kernel(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, struct hd_laperm_in *in) {
  unsigned free = hd_rng_p(rng, 128) ? 0 : hd_rng_below(rng, s->cfg.num_kde);
  if (!in->enter_valid) {
    in->enter_level = in->enter_smx = in->enter_pending = 0;
    in->enter_ctas = 0;
    memset(&in->enter_need, 0, sizeof in->enter_need);
    memset(&in->enter_progress, 0, sizeof in->enter_progress);
    if (s->used < s->target && hd_rng_p(rng, p->source * s->enter / 256)) offer_kernel(s, rng, in);
  }
  for (unsigned k = 0; k < s->cfg.num_kde && s->there[free]; k++) free = free + 1 == s->cfg.num_kde ? 0 : free + 1;
  in->enter_kdei = (uint8_t)free;
  in->enter_ready = !s->there[free] && hd_rng_p(rng, 240);
}

static void drive_group(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, struct hd_laperm_in *in) {
  unsigned k = hd_rng_below(rng, s->cfg.num_kde), n = 0;
  while (n < s->cfg.num_kde && !s->there[k]) {
    k = k + 1 == s->cfg.num_kde ? 0 : k + 1;
    n++;
  }
  bool room = s->used < s->target || hd_rng_p(rng, p->bad / 8);
  in->a2_group = s->there[k] && room && hd_rng_p(rng, p->source * s->group / 256);
  in->a2_kdei = in->a2_smx = 0;
  memset(&in->a2_info, 0, sizeof in->a2_info);
  if (!in->a2_group) return;
  in->a2_kdei = (uint8_t)k;
  in->a2_smx = random_smx(s, rng);
  in->a2_info.grid_x = (uint16_t)hd_rng_bits(rng, s->cfg.group_xw);
  in->a2_info.grid_y = (uint16_t)hd_rng_bits(rng, s->cfg.group_yw);
  in->a2_info.grid_z = (uint8_t)hd_rng_bits(rng, s->cfg.group_zw);
  in->a2_info.param = hd_rng_bits(rng, s->cfg.param_units_w);
  in->a2_info.level = random_level(s, rng);
  in->a2_info.ctas = random_ctas(s, rng, in->a2_info.level, in->policy == HD_POLICY_RR);
}

/* The bank whose front goes first under TbPri, or -1. */
static int best_front(const struct stim *s, const struct hd_laperm_out *now) {
  int best = -1;
  for (unsigned b = 0; b < s->cfg.num_smx; b++) {
    const struct hd_pqentry *f = &now->bank_front[b], *g = &now->bank_front[best < 0 ? b : (unsigned)best];
    if (!now->bank_valid[b]) continue;
    if (best < 0 || f->level > g->level || (f->level == g->level && f->arrival < g->arrival)) best = (int)b;
  }
  return best;
}

/* Some SMX, the next one that is offered something, takes it: what it is bound to, rarely the spare one beside it. */
static void drive_take(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_laperm_out *now,
                       struct hd_laperm_in *in) {
  in->take_valid = in->take_bank = in->take_smx = in->take_spare = 0;
  memset(in->take, 0, sizeof in->take);
  if (!hd_rng_p(rng, p->sink * s->take / 256)) return;
  uint64_t holding[HD_LAPERM_WORDS] = {0};
  hd_bits_from_bytes(holding, now->bank_valid, s->cfg.num_smx);
  const struct hd_order_view v = {.holding = holding,
                                  .words = HD_WORDS(s->cfg.num_smx),
                                  .num_smx = s->cfg.num_smx,
                                  .winner = best_front(s, now),
                                  .backup_valid = s->backup_valid,
                                  .backup = s->backup};
  unsigned smx = hd_rng_below(rng, s->cfg.num_smx);
  struct hd_order_offer o = {-1, -1};
  for (unsigned n = 0; n < s->cfg.num_smx && o.bound < 0 && o.spare < 0; n++) {
    smx = smx + 1 == s->cfg.num_smx ? 0 : smx + 1;
    o = hd_orders[in->policy](&v, smx);
  }
  if (o.bound < 0 && o.spare < 0) return;
  in->take_valid = 1;
  in->take_smx = (uint8_t)smx;
  in->take_spare = o.spare >= 0 && (o.bound < 0 || hd_rng_p(rng, 24));
  in->take_bank = (uint8_t)(in->take_spare ? o.spare : o.bound);
  in->take[in->take_bank] = 1;
}

static void drive(void *s_, struct hd_rng *rng, const struct hd_profile *p, const void *out, const void *now,
                  void *in_) {
  struct stim *s = s_;
  struct hd_laperm_in *in = in_;
  account_take(s, in, out);
  account_group(s, in, out);
  account_kernel(s, in, out);
  if (!s->left--) choose_phase(s, rng);
  drive_policy(s, rng, in);
  drive_kd(s, rng, in);
  drive_group(s, rng, p, in);
  drive_kernel(s, rng, p, in);
  drive_take(s, rng, p, now, in);
}

/* ---- cover points ---- */

/* Those at the end tell the policies apart, or want numbers that run out: they count as hit in a configuration that has
 * less than three banks, or more numbers than a test uses. */
static const char *const covers[] = {"event",
                                     "group_refused",
                                     "refused_since_a3_goes_there",
                                     "a3_goes_there_and_room_is_left",
                                     "refused_though_one_leaves",
                                     "group_under_rr",
                                     "one_bank_full",
                                     "all_banks_full",
                                     "kernel_to_bank",
                                     "kernel_in_the_middle",
                                     "kernel_to_bank_and_marked",
                                     "kernel_waits",
                                     "kernel_waits_ready",
                                     "one_place_is_not_enough",
                                     "kernel_without_native_part",
                                     "kernel_of_the_host",
                                     "group_and_kernel",
                                     "group_and_kernel_of_a_level",
                                     "group_kernel_and_last",
                                     "push_and_take_of_a_bank",
                                     "push_and_last_of_a_bank",
                                     "last_of_its_level",
                                     "last_of_its_level_and_one_comes",
                                     "fronts_of_a_level",
                                     "winner_leaves",
                                     "winner_leaves_as_its_bank_is_pushed",
                                     "rr_spare",
                                     "tb_pri_of_another",
                                     "bound_own",
                                     "adaptive_spare",
                                     "spare_beside_bound",
                                     "policy_changes",
                                     "take_as_policy_changes",
                                     "backup_is_not_the_next",
                                     "backup_is_empty",
                                     "backup_filled_again",
                                     "level_is_closed",
                                     NULL};

static void cover_groups(const struct stim *s, const struct hd_laperm_in *in, const struct hd_laperm_out *out,
                         uint64_t *hits) {
  unsigned room = s->cfg.pq_depth - s->in_bank[in->a2_smx], full = 0;
  bool judged = in->a2_group && in->policy != HD_POLICY_RR, same = out->push_valid && s->a3_smx == in->a2_smx;
  for (unsigned b = 0; b < s->cfg.num_smx; b++) full += s->in_bank[b] == s->cfg.pq_depth;
  hits[1] += out->full;
  hits[2] += judged && same && room == 1;
  hits[3] += judged && same && room == 2;
  hits[4] += judged && room == 0 && in->take_valid && in->take_bank == in->a2_smx && out->bank_last[in->take_bank];
  hits[5] += in->a2_group && in->policy == HD_POLICY_RR;
  hits[6] += full == 1;
  hits[7] += full == s->cfg.num_smx;
}

static void cover_kernels(const struct stim *s, const struct hd_laperm_in *in, const struct hd_laperm_out *out,
                          uint64_t *hits) {
  bool enters = in->enter_valid && in->enter_ready && !out->enter_wait, bank = enters && out->enter_bank;
  bool last = in->take_valid && out->bank_last[in->take_bank];
  hits[8] += bank;
  hits[9] += bank && in->enter_progress.nextbl;
  hits[10] += bank && out->enter_mark;
  hits[11] += out->enter_wait;
  hits[12] += out->enter_wait && in->enter_ready;
  hits[13] += enters && !bank && in->policy != HD_POLICY_RR && in->enter_level && !in->enter_progress.ndone &&
              s->in_bank[in->enter_smx] + 1 == s->cfg.pq_depth;
  hits[14] += enters && in->policy != HD_POLICY_RR && in->enter_level && in->enter_progress.ndone;
  hits[15] += enters && in->policy != HD_POLICY_RR && !in->enter_level;
  hits[16] += bank && out->push_valid;
  hits[17] += bank && out->push_valid && in->enter_level == s->a3_level;
  hits[18] += bank && out->push_valid && last;
}

static void cover_takes(const struct stim *s, const struct hd_laperm_in *in, const struct hd_laperm_out *out,
                        uint64_t *hits) {
  unsigned b = in->take_bank, level = out->bank_front[b].level, peers = 0;
  bool kernel = in->enter_ready && out->enter_bank, last = in->take_valid && out->bank_last[b];
  bool pushed = (out->push_valid && s->a3_smx == b) || (kernel && in->enter_smx == b);
  bool born = (out->push_valid && s->a3_level == level) || (kernel && in->enter_level == level);
  int winner = best_front(s, out);
  for (unsigned k = 0; k < s->cfg.num_smx; k++)
    peers += winner >= 0 && out->bank_front[k].level == out->bank_front[winner].level;
  hits[19] += in->take_valid && pushed;
  hits[20] += last && pushed;
  hits[21] += last && s->live[level] == 1 && !born;
  hits[22] += last && s->live[level] == 1 && born;
  hits[23] += peers > 1;
  hits[24] += last && (int)b == winner;
  hits[25] += last && (int)b == winner && pushed;
}

static void cover_policies(const struct stim *s, const struct hd_laperm_in *in, const struct hd_laperm_out *out,
                           uint64_t *hits) {
  bool adaptive = in->policy == HD_POLICY_ADAPTIVE_BIND, take = in->take_valid;
  hits[26] += take && in->policy == HD_POLICY_RR;
  hits[27] += take && in->policy == HD_POLICY_TB_PRI && in->take_bank != in->take_smx;
  hits[28] += take && in->policy >= HD_POLICY_SMX_BIND && !in->take_spare;
  hits[29] += take && adaptive && in->take_spare;
  hits[30] += take && in->take_spare && out->bound_valid[in->take_smx];
  hits[31] += s->used && s->was_policy != in->policy;
  hits[32] += take && s->was_policy != in->policy;
  hits[33] += s->cfg.num_smx < 3;
  hits[34] += s->cfg.num_smx < 3;
  hits[35] += s->cfg.num_smx < 3;
  for (unsigned k = 0; adaptive && k < s->cfg.num_smx; k++) {
    unsigned backup = s->backup[k], next = k + 1 == s->cfg.num_smx ? 0 : k + 1;
    if (!hd_bit(s->backup_valid, k)) continue;
    hits[33] += s->in_bank[backup] && s->in_bank[next] && backup != next;
    hits[34] += !s->in_bank[backup] && out->spare_valid[k];
    hits[35] += !s->in_bank[backup] && out->push_valid && s->a3_smx == backup;
  }
}

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct stim *s = s_;
  const struct hd_laperm_in *in = in_;
  const struct hd_laperm_out *out = out_;
  hits[0] += out->push_valid + (out->enter_bank && in->enter_ready) + in->take_valid;
  cover_groups(s, in, out, hits);
  cover_kernels(s, in, out, hits);
  cover_takes(s, in, out, hits);
  cover_policies(s, in, out, hits);
  hits[36] += s->cfg.arrival_w > 6 || (out->full && s->in_bank[s->a3_smx] + 1 < s->cfg.pq_depth);
}

const struct hd_twin hd_twin_laperm = {
    HD_TWIN_MODEL_FIELDS(laperm),    HD_TWIN_ROWS_FIELDS(laperm),          .inner_size = sizeof(struct hd_laperm_inner),
    .inner = laperm_inner,           .oracle_size = hd_laperm_oracle_size, .oracle_init = hd_laperm_oracle_init,
    .watch = hd_laperm_oracle_watch, HD_TWIN_STIM_FIELDS(struct stim)};
