/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/launch/link_neighbours.h"

#include <string.h>

enum {
  AGE_KEPT = 6, /* minimum cycles from the hand-out of a group's last TB until its AGE or record is free */
  IDLE = 8      /* cycles without a kernel until all AGEs are free */
};

void hd_link_neighbours_reset(struct hd_link_neighbours *s) {
  struct hd_cfg cfg = s->cfg;
  memset(s, 0, sizeof *s);
  s->cfg = cfg;
  s->just_failed = s->taking = -1;
}

static uint32_t record_slot(const struct hd_link_neighbours *s, uint32_t record) {
  return (record - s->first_record) % HD_LINK_RECORDS;
}

static struct hd_ptr *behind(struct hd_link_neighbours *s, struct hd_ptr p) {
  return &s->behind[p.onchip ? p.index : HD_MAX_AGT_SIZE + record_slot(s, p.index)];
}

static struct hd_ptr age(unsigned index) {
  return (struct hd_ptr){.onchip = 1, .index = index};
}

static struct hd_ptr record(unsigned number) {
  return (struct hd_ptr){.index = number};
}

/* A group is lost. Its record is reusable at once, its AGE only once the plane was idle. */
static void lose_group(struct hd_link_neighbours *s, struct hd_ptr p) {
  if (p.onchip)
    s->lost_age = 1;
  else
    s->taken[record_slot(s, p.index)] = 0;
}

/* A group was handed out completely. */
static void end_group(struct hd_link_neighbours *s, struct hd_ptr p) {
  s->ended[s->ended_n].at = s->cycle + AGE_KEPT;
  s->ended[s->ended_n++].ptr = p;
}

/* ---- lists in memory ---- */

static void put_over(struct hd_link_neighbours *s, struct hd_link_over *o, struct hd_ptr p) {
  if (o->n++)
    *behind(s, o->last) = p;
  else
    o->first = p;
  o->last = p;
}

static struct hd_ptr leave_first(struct hd_link_neighbours *s, struct hd_link_over *o) {
  struct hd_ptr first = o->first;
  o->first = *behind(s, first);
  o->n--;
  return first;
}

/* ---- the previous cycle ---- */

/* The group in A3 was linked, or lost because its kernel had failed. */
static void follow_link(struct hd_link_neighbours *s, const struct hd_link_out *out) {
  if (out->refused) s->taken[record_slot(s, s->a3_record)] = 0; /* it returns to software */
  if (!out->kept && !out->alloc.valid) return;
  if (out->alloc.valid) s->taken[record_slot(s, s->a3_record)] = 0; /* the group is stored in its AGE */
  if (!out->link.valid)
    lose_group(s, out->kept ? record(s->a3_record) : age(out->alloc.index));
  else if (out->link.over)
    put_over(s, &s->over[out->link.kdei], out->link.ptr);
  else if (out->link.next)
    *behind(s, age(out->link.prev)) = out->link.ptr;
}

/* The kernel's first group was handed out, from the chain or else from the list in memory. */
static void follow_adv(struct hd_link_neighbours *s, const struct hd_link_in *in, const struct hd_link_out *out) {
  struct hd_link_over *o = &s->over[in->sched_sscr.kdei];
  if (!in->sched_advance) return;
  if (out->chained[in->sched_sscr.kdei]) {
    end_group(s, age(out->nagei[in->sched_sscr.kdei]));
  } else {
    end_group(s, leave_first(s, o));
    s->emptied[in->sched_sscr.kdei] = !o->n;
  }
}

/* The kernel fails: the groups of its list are lost, including one linked in the same cycle. */
static void fail(struct hd_link_neighbours *s, unsigned kdei, const struct hd_link_in *in,
                 const struct hd_link_out *out) {
  bool handed_out = in->sched_advance && in->sched_sscr.kdei == kdei;
  struct hd_ptr p = age(out->nagei[kdei]);
  if (s->entry[kdei] == HD_LINK_FAILED || s->entry[kdei] == HD_LINK_ABSENT) return;
  while (out->chained[kdei]) {
    if (!handed_out) lose_group(s, p);
    handed_out = false;
    if (p.index == out->lagei[kdei]) break;
    p = *behind(s, p);
  }
  if (out->link.valid && out->link.kdei == kdei && !out->link.over) lose_group(s, out->link.ptr);
  while (s->over[kdei].n) lose_group(s, leave_first(s, &s->over[kdei]));
  s->just_failed = s->entry[kdei] == HD_LINK_OPEN ? (int)kdei : -1;
  s->entry[kdei] = HD_LINK_FAILED;
}

static void follow_take(struct hd_link_neighbours *s, unsigned kdei, const struct hd_list *list) {
  s->away[s->away_n].list = *list;
  s->away[s->away_n++].over = s->over[kdei];
  s->over[kdei].n = 0;
  s->entry[kdei] = HD_LINK_ABSENT;
}

static void follow_enter(struct hd_link_neighbours *s, unsigned kdei) {
  s->entry[kdei] = HD_LINK_OPEN;
  if (!s->resumed) return;
  s->over[kdei] = s->away[0].over;
  s->away[0] = s->away[--s->away_n];
}

static void follow(struct hd_link_neighbours *s, const struct hd_link_in *in, const struct hd_link_out *out,
                   const struct hd_link_out *now) {
  memset(s->emptied, 0, sizeof s->emptied);
  s->just_failed = -1;
  follow_link(s, out);
  follow_adv(s, in, out);
  if (in->kd_take.valid) follow_take(s, in->kd_take.kdei, &now->list);
  for (unsigned k = 0; k < HD_MAX_NUM_FAIL; k++)
    if (in->fails[k].valid) fail(s, in->fails[k].kdei, in, out);
  if (in->kd_entry.valid) follow_enter(s, in->kd_entry.kdei);
}

/* ---- groups ---- */

static void change_phase(struct hd_link_neighbours *s, struct hd_rng *rng) {
  static const unsigned rates[] = {256, 200, 60, 0};
  if (s->closing || (s->spread && hd_rng_below(rng, 900))) return;
  s->spread = 1 + hd_rng_below(rng, s->cfg.hwtid_w);
  s->few = 1 + hd_rng_below(rng, hd_rng_p(rng, 128) ? s->cfg.num_kde : 1 + s->cfg.num_kde / 8);
  if (hd_rng_p(rng, 24)) s->closing = (uint8_t)(1 + hd_rng_below(rng, 4 * IDLE));
  s->sparse = hd_rng_below(rng, 4);
  s->hand_out = rates[hd_rng_below(rng, 4)];
  s->reuse = rates[hd_rng_below(rng, 3)];
  s->filled = hd_rng_p(rng, 128) ? 0 : hd_rng_below(rng, 257);
}

/* Returns a kernel that accepts groups, or -1. May return one that failed in the previous cycle, since it was open when
 * the group left A1. */
static int open_kernel(const struct hd_link_neighbours *s, struct hd_rng *rng) {
  unsigned at = hd_rng_below(rng, s->few);
  if (s->just_failed >= 0 && hd_rng_p(rng, 128)) return s->just_failed;
  for (unsigned n = 0; n < s->cfg.num_kde; n++, at = at + 1 == s->cfg.num_kde ? 0 : at + 1)
    if (s->entry[at] == HD_LINK_OPEN) return (int)at;
  return -1;
}

static void drive_group(struct hd_link_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                        struct hd_link_in *in) {
  uint32_t slot = hd_rng_below(rng, HD_LINK_RECORDS);
  int kdei = open_kernel(s, rng);
  s->a3_record = s->a2_record;
  in->devq_group.valid = kdei >= 0 && !s->closing && !s->taken[slot] && hd_rng_p(rng, p->source >> s->sparse);
  in->devq_group.kdei = in->devq_group.smx = 0;
  in->devq_group.hwtid = 0;
  in->devq_group.record = 0;
  /* Under another policy the group goes to a bank, and needs no entry here. */
  in->regs_config.policy = (uint8_t)(hd_rng_p(rng, 16) ? 1 + hd_rng_below(rng, 3) : HD_POLICY_RR);
  if (!in->devq_group.valid) return;
  s->taken[slot] = in->regs_config.policy == HD_POLICY_RR;
  s->a2_record = s->first_record + slot;
  in->devq_group.kdei = (uint8_t)kdei;
  in->devq_group.smx = (uint8_t)hd_rng_below(rng, s->cfg.num_smx);
  in->devq_group.hwtid = (uint16_t)hd_rng_bits(rng, s->spread);
  in->devq_group.record = s->a2_record;
}

/* Frees the AGE or record of the group that ended first. */
static void drive_free(struct hd_link_neighbours *s, struct hd_rng *rng, struct hd_link_in *in) {
  struct hd_ptr p = s->ended[0].ptr;
  in->agc_free.valid = 0;
  in->agc_free.index = 0;
  if (!s->ended_n || s->ended[0].at > s->cycle || !hd_rng_p(rng, s->closing ? 200 : s->reuse)) return;
  memmove(s->ended, s->ended + 1, --s->ended_n * sizeof *s->ended);
  if (p.onchip) {
    in->agc_free.valid = 1;
    in->agc_free.index = (uint16_t)p.index;
  } else {
    s->taken[record_slot(s, p.index)] = 0;
  }
}

static bool pending(const struct hd_link_neighbours *s, const struct hd_link_out *now, unsigned kdei) {
  return now->chained[kdei] || s->over[kdei].n;
}

/* The scheduler hands out the last TB of a group. Often the group's kernel is the one being linked to in this cycle or
 * in the next. */
static void drive_adv(struct hd_link_neighbours *s, struct hd_rng *rng, const struct hd_link_out *now,
                      struct hd_link_in *in) {
  unsigned k = hd_rng_below(rng, s->cfg.num_kde);
  if (in->devq_group.valid && hd_rng_p(rng, 100)) k = in->devq_group.kdei;
  if (now->link.valid && hd_rng_p(rng, 128)) k = now->link.kdei;
  in->sched_advance =
      pending(s, now, k) && s->entry[k] == HD_LINK_OPEN && hd_rng_p(rng, s->closing ? 200 : s->hand_out);
  in->sched_sscr.kdei = in->sched_advance ? (uint8_t)k : 0;
  /* succ of agt is used only if an AGE is behind the first in the chain. */
  in->agt_succ = (uint16_t)hd_rng_bits(rng, s->cfg.agt_w);
  if (in->sched_advance && now->chained[k] && now->nagei[k] != now->lagei[k])
    in->agt_succ = (uint16_t)behind(s, age(now->nagei[k]))->index;
}

/* ---- kernels ---- */

/* Returns true if no group of the kernel is in flight. */
static bool settled(const struct hd_link_in *in, const struct hd_link_out *now, unsigned i) {
  return !(in->devq_group.valid && in->devq_group.kdei == i) && !(now->link.valid && now->link.kdei == i);
}

/* Fail events: a pointer was not written; a list, a record or saved TBs could not be read. One to three at once,
 * possibly for a kernel that has already failed or that is being taken out of the KD. */
static void drive_failures(struct hd_link_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                           const struct hd_link_out *now, struct hd_link_in *in) {
  for (unsigned k = 0; k < HD_MAX_NUM_FAIL; k++) {
    unsigned i = now->link.valid && hd_rng_p(rng, 128) ? now->link.kdei : hd_rng_below(rng, s->cfg.num_kde);
    if (s->taking >= 0 && hd_rng_p(rng, 64)) i = (unsigned)s->taking;
    in->fails[k].valid = s->entry[i] != HD_LINK_ABSENT && hd_rng_p(rng, (int)i == s->taking ? p->bad : p->bad / 8);
    in->fails[k].kdei = in->fails[k].valid ? (uint8_t)i : 0;
  }
}

static bool failing(const struct hd_link_in *in, unsigned i) {
  for (unsigned k = 0; k < HD_MAX_NUM_FAIL; k++)
    if (in->fails[k].valid && in->fails[k].kdei == i) return true;
  return false;
}

/* Kernels leave once they have no groups or have failed; a suspended one is taken out in the next cycle. */
static void drive_leaving(struct hd_link_neighbours *s, struct hd_rng *rng, const struct hd_link_out *now,
                          struct hd_link_in *in) {
  unsigned i = hd_rng_below(rng, s->cfg.num_kde);
  in->kd_take.valid = s->taking >= 0;
  in->kd_take.kdei = in->kd_take.valid ? (uint8_t)s->taking : 0;
  s->taking = -1;
  if (in->kd_take.valid || failing(in, i)) return;
  if (s->entry[i] == HD_LINK_OPEN && !hd_rng_below(rng, 150)) s->entry[i] = HD_LINK_SUSPENDING;
  if (!settled(in, now, i)) return;
  if (s->entry[i] == HD_LINK_SUSPENDING && s->away_n < HD_LINK_AWAY) s->taking = (int)i;
  if (s->entry[i] == HD_LINK_FAILED && hd_rng_p(rng, 32)) s->entry[i] = HD_LINK_ABSENT;
  if (s->entry[i] == HD_LINK_OPEN && !pending(s, now, i) && hd_rng_p(rng, 16)) s->entry[i] = HD_LINK_ABSENT;
}

/* Reading back a suspended kernel fails: it completes as failed and its list is lost. */
static void lose_away(struct hd_link_neighbours *s, const struct hd_link_in *in) {
  unsigned i = s->away_n - 1;
  if (!s->away_n || (!i && in->kd_entry.valid && s->resumed)) return;
  s->lost_age |= s->away[i].list.chained;
  while (s->away[i].over.n) lose_group(s, leave_first(s, &s->away[i].over));
  s->away_n--;
}

/* Sets kd_busy (a kernel is in the KD) and kin_busy (a kernel is suspended or has children). An AGE that will be freed
 * belongs to a kernel that still exists. */
static void drive_busy(struct hd_link_neighbours *s, struct hd_rng *rng, struct hd_link_in *in) {
  in->kd_busy = in->kin_busy = 0;
  for (unsigned i = 0; i < s->cfg.num_kde; i++) in->kd_busy |= s->entry[i] != HD_LINK_ABSENT;
  for (unsigned k = 0; k < s->ended_n; k++) in->kin_busy |= s->ended[k].ptr.onchip;
  in->kin_busy |= s->away_n || hd_rng_p(rng, s->closing ? 16 : 128);
  s->was_idle = s->idle;
  s->idle = in->kd_busy || in->kin_busy ? 0 : (uint8_t)(s->idle + (s->idle < 255));
  s->frees_lost = s->idle == IDLE && s->lost_age;
  if (s->frees_lost) s->lost_age = 0;
  if (!s->closing || in->kd_busy || in->kd_entry.valid) return;
  s->closing--;
  if (hd_rng_p(rng, 200)) lose_away(s, in);
}

/* A new kernel, or a suspended one with its list, requests a free entry and waits until it is accepted. The plane shows
 * the list of a suspended one before it requests an entry, too. */
static void drive_enter(struct hd_link_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                        struct hd_link_in *in) {
  unsigned i = hd_rng_below(rng, s->cfg.num_kde);
  if (!in->kmu_offer.valid || in->kd_entry.valid) {
    in->kmu_offer.valid = !s->closing && hd_rng_p(rng, p->source / 2);
    s->resumed = in->kmu_offer.valid && s->away_n && hd_rng_p(rng, 160);
    bool list = s->resumed || (!in->kmu_offer.valid && s->away_n && hd_rng_p(rng, 128));
    in->kmu_offer.kernel.groups = list ? s->away[0].list : (struct hd_list){0};
  }
  in->kd_entry.valid = in->kmu_offer.valid && s->entry[i] == HD_LINK_ABSENT;
  in->kd_entry.kdei = s->entry[i] == HD_LINK_ABSENT ? (uint8_t)i : 0;
}

void hd_link_neighbours_drive(struct hd_link_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                              const struct hd_link_out *out, const struct hd_link_out *now, struct hd_link_in *in) {
  if (!s->cycle++) s->first_record = hd_rng_below(rng, (UINT32_C(1) << s->cfg.rec_w) - HD_LINK_RECORDS);
  follow(s, in, out, now);
  change_phase(s, rng);
  for (unsigned i = 0; i < s->cfg.num_kde; i++) {
    in->kd_failed[i] = s->entry[i] == HD_LINK_FAILED;
    in->ovfq_there[i] = s->over[i].n > 0;
    in->ovfq_one[i] = s->over[i].n == 1;
    in->ovfq_full[i] = s->over[i].n > 0 && hd_rng_below(rng, 256) < s->filled;
  }
  drive_group(s, rng, p, in);
  drive_free(s, rng, in);
  drive_adv(s, rng, now, in);
  drive_failures(s, rng, p, now, in);
  drive_leaving(s, rng, now, in);
  drive_enter(s, rng, p, in);
  drive_busy(s, rng, in);
}
