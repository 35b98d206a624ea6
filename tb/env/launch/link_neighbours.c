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
  if (!out->kept && !out->alloc_valid) return;
  if (out->alloc_valid) s->taken[record_slot(s, s->a3_record)] = 0; /* the group is stored in its AGE */
  if (!out->link_valid)
    lose_group(s, out->kept ? record(s->a3_record) : age(out->alloc_index));
  else if (out->link_over)
    put_over(s, &s->over[out->link_kdei], out->link_ptr);
  else if (out->link_next)
    *behind(s, age(out->link_prev)) = out->link_ptr;
}

/* The kernel's first group was handed out, from the chain or else from the list in memory. */
static void follow_adv(struct hd_link_neighbours *s, const struct hd_link_in *in, const struct hd_link_out *out) {
  struct hd_link_over *o = &s->over[in->adv_kdei];
  if (!in->adv_valid) return;
  if (out->chained[in->adv_kdei]) {
    end_group(s, age(out->nagei[in->adv_kdei]));
  } else {
    end_group(s, leave_first(s, o));
    s->emptied[in->adv_kdei] = !o->n;
  }
}

/* The kernel fails: the groups of its list are lost, including one linked in the same cycle. */
static void fail(struct hd_link_neighbours *s, unsigned kdei, const struct hd_link_in *in,
                 const struct hd_link_out *out) {
  bool handed_out = in->adv_valid && in->adv_kdei == kdei;
  struct hd_ptr p = age(out->nagei[kdei]);
  if (s->entry[kdei] == HD_LINK_FAILED || s->entry[kdei] == HD_LINK_ABSENT) return;
  while (out->chained[kdei]) {
    if (!handed_out) lose_group(s, p);
    handed_out = false;
    if (p.index == out->lagei[kdei]) break;
    p = *behind(s, p);
  }
  if (out->link_valid && out->link_kdei == kdei && !out->link_over) lose_group(s, out->link_ptr);
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
  if (in->take_valid) follow_take(s, in->take_kdei, &now->list);
  for (unsigned k = 0; k < HD_MAX_NUM_FAIL; k++)
    if (in->fail_valid[k]) fail(s, in->fail_kdei[k], in, out);
  if (in->enter_valid && in->enter_ready) follow_enter(s, in->enter_kdei);
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
  in->a2_group = kdei >= 0 && !s->closing && !s->taken[slot] && hd_rng_p(rng, p->source >> s->sparse);
  in->a2_kdei = in->a2_smx = 0;
  in->a2_hwtid = 0;
  in->a2_record = 0;
  if (!in->a2_group) return;
  s->taken[slot] = 1;
  s->a2_record = s->first_record + slot;
  in->a2_kdei = (uint8_t)kdei;
  in->a2_smx = (uint8_t)hd_rng_below(rng, s->cfg.num_smx);
  in->a2_hwtid = (uint16_t)hd_rng_bits(rng, s->spread);
  in->a2_record = s->a2_record;
}

/* Frees the AGE or record of the group that ended first. */
static void drive_free(struct hd_link_neighbours *s, struct hd_rng *rng, struct hd_link_in *in) {
  struct hd_ptr p = s->ended[0].ptr;
  in->free_valid = 0;
  in->free_index = 0;
  if (!s->ended_n || s->ended[0].at > s->cycle || !hd_rng_p(rng, s->closing ? 200 : s->reuse)) return;
  memmove(s->ended, s->ended + 1, --s->ended_n * sizeof *s->ended);
  if (p.onchip) {
    in->free_valid = 1;
    in->free_index = (uint16_t)p.index;
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
  if (in->a2_group && hd_rng_p(rng, 100)) k = in->a2_kdei;
  if (now->link_valid && hd_rng_p(rng, 128)) k = now->link_kdei;
  in->adv_valid = pending(s, now, k) && s->entry[k] == HD_LINK_OPEN && hd_rng_p(rng, s->closing ? 200 : s->hand_out);
  in->adv_kdei = in->adv_valid ? (uint8_t)k : 0;
  /* succ of agt is used only if an AGE is behind the first in the chain. */
  in->succ = (uint16_t)hd_rng_bits(rng, s->cfg.agt_w);
  if (in->adv_valid && now->chained[k] && now->nagei[k] != now->lagei[k])
    in->succ = (uint16_t)behind(s, age(now->nagei[k]))->index;
}

/* ---- kernels ---- */

/* Returns true if no group of the kernel is in flight. */
static bool settled(const struct hd_link_in *in, const struct hd_link_out *now, unsigned i) {
  return !(in->a2_group && in->a2_kdei == i) && !(now->link_valid && now->link_kdei == i);
}

/* Fail events: a pointer was not written; a list, a record or saved TBs could not be read. One to three at once,
 * possibly for a kernel that has already failed or that is being taken out of the KD. */
static void drive_failures(struct hd_link_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                           const struct hd_link_out *now, struct hd_link_in *in) {
  for (unsigned k = 0; k < HD_MAX_NUM_FAIL; k++) {
    unsigned i = now->link_valid && hd_rng_p(rng, 128) ? now->link_kdei : hd_rng_below(rng, s->cfg.num_kde);
    if (s->taking >= 0 && hd_rng_p(rng, 64)) i = (unsigned)s->taking;
    in->fail_valid[k] = s->entry[i] != HD_LINK_ABSENT && hd_rng_p(rng, (int)i == s->taking ? p->bad : p->bad / 8);
    in->fail_kdei[k] = in->fail_valid[k] ? (uint8_t)i : 0;
  }
}

static bool failing(const struct hd_link_in *in, unsigned i) {
  for (unsigned k = 0; k < HD_MAX_NUM_FAIL; k++)
    if (in->fail_valid[k] && in->fail_kdei[k] == i) return true;
  return false;
}

/* Kernels leave once they have no groups or have failed; a suspended one is taken out in the next cycle. */
static void drive_leaving(struct hd_link_neighbours *s, struct hd_rng *rng, const struct hd_link_out *now,
                          struct hd_link_in *in) {
  unsigned i = hd_rng_below(rng, s->cfg.num_kde);
  in->take_valid = s->taking >= 0;
  in->take_kdei = in->take_valid ? (uint8_t)s->taking : 0;
  s->taking = -1;
  if (in->take_valid || failing(in, i)) return;
  if (s->entry[i] == HD_LINK_OPEN && !hd_rng_below(rng, 150)) s->entry[i] = HD_LINK_SUSPENDING;
  if (!settled(in, now, i)) return;
  if (s->entry[i] == HD_LINK_SUSPENDING && s->away_n < HD_LINK_AWAY) s->taking = (int)i;
  if (s->entry[i] == HD_LINK_FAILED && hd_rng_p(rng, 32)) s->entry[i] = HD_LINK_ABSENT;
  if (s->entry[i] == HD_LINK_OPEN && !pending(s, now, i) && hd_rng_p(rng, 16)) s->entry[i] = HD_LINK_ABSENT;
}

/* Reading back a suspended kernel fails: it completes as failed and its list is lost. */
static void lose_away(struct hd_link_neighbours *s, const struct hd_link_in *in) {
  unsigned i = s->away_n - 1;
  if (!s->away_n || (!i && in->enter_valid && s->resumed)) return;
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
  if (!s->closing || in->kd_busy || in->enter_valid) return;
  s->closing--;
  if (hd_rng_p(rng, 200)) lose_away(s, in);
}

/* A new kernel, or a suspended one with its list, requests a free entry and waits until it is accepted. */
static void drive_enter(struct hd_link_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                        struct hd_link_in *in) {
  unsigned i = hd_rng_below(rng, s->cfg.num_kde);
  if (!in->enter_valid || in->enter_ready) {
    in->enter_valid = !s->closing && hd_rng_p(rng, p->source / 2);
    s->resumed = in->enter_valid && s->away_n && hd_rng_p(rng, 160);
    in->enter_list = s->resumed ? s->away[0].list : (struct hd_list){0};
  }
  in->enter_ready = s->entry[i] == HD_LINK_ABSENT;
  in->enter_kdei = in->enter_ready ? (uint8_t)i : 0;
}

void hd_link_neighbours_drive(struct hd_link_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                              const struct hd_link_out *out, const struct hd_link_out *now, struct hd_link_in *in) {
  if (!s->cycle++) s->first_record = hd_rng_below(rng, (UINT32_C(1) << s->cfg.rec_w) - HD_LINK_RECORDS);
  follow(s, in, out, now);
  change_phase(s, rng);
  for (unsigned i = 0; i < s->cfg.num_kde; i++) {
    in->failed[i] = s->entry[i] == HD_LINK_FAILED;
    in->there[i] = s->over[i].n > 0;
    in->one[i] = s->over[i].n == 1;
    in->full[i] = s->over[i].n > 0 && hd_rng_below(rng, 256) < s->filled;
  }
  drive_group(s, rng, p, in);
  drive_free(s, rng, in);
  drive_adv(s, rng, now, in);
  drive_failures(s, rng, p, now, in);
  drive_leaving(s, rng, now, in);
  drive_enter(s, rng, p, in);
  drive_busy(s, rng, in);
}
