/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/launch/link_around.h"

#include <string.h>

enum { AGE_KEPT = 6 }; /* cycles from the last hand-out of a group until its AGE or record is free, at least */

void hd_link_around_reset(struct hd_link_around *s) {
  struct hd_cfg cfg = s->cfg;
  memset(s, 0, sizeof *s);
  s->cfg = cfg;
  s->just_failed = -1;
}

static uint32_t record_slot(const struct hd_link_around *s, uint32_t record) {
  return (record - s->first_record) % HD_LINK_RECORDS;
}

static struct hd_ptr *behind(struct hd_link_around *s, const struct hd_ptr *p) {
  return &s->behind[p->onchip ? p->index : HD_MAX_AGT_SIZE + record_slot(s, p->index)];
}

static bool same(const struct hd_ptr *a, const struct hd_ptr *b) {
  return a->onchip == b->onchip && a->index == b->index;
}

/* A group was handed out, or is lost. Of a lost one the plane keeps the AGE until the next reset; here it comes free
 * again, so that groups find AGEs after a failure. */
static void end_group(struct hd_link_around *s, const struct hd_ptr *p) {
  s->ended[s->ended_n].at = s->cycle + AGE_KEPT;
  s->ended[s->ended_n++].ptr = *p;
}

/* ---- the cycle before ---- */

static void follow_link(struct hd_link_around *s, const struct hd_link_in *in, const struct hd_link_out *out) {
  if (!out->link_valid) return;
  if (out->link_ptr.onchip) s->taken[record_slot(s, s->a3_record)] = 0; /* the group stands in its AGE */
  if (in->failed[out->link_kdei])
    end_group(s, &out->link_ptr);
  else if (!out->link_first)
    *behind(s, &out->link_prev) = out->link_ptr;
}

/* The kernel fails: the groups of its list are lost, and so is one that was just linked to it. */
static void fail(struct hd_link_around *s, unsigned kdei, const struct hd_link_in *in, const struct hd_link_out *out) {
  bool handed_out = in->adv_valid && in->adv_kdei == kdei;
  bool linked = out->link_valid && out->link_kdei == kdei && !in->failed[kdei];
  struct hd_ptr p = out->nagei[kdei], last = out->lagei[kdei];
  if (s->entry[kdei] == HD_LINK_FAILED) return;
  while (out->pending[kdei]) {
    if (!handed_out) end_group(s, &p);
    handed_out = false;
    if (same(&p, &last)) break;
    p = *behind(s, &p);
  }
  if (linked) end_group(s, &out->link_ptr);
  s->just_failed = s->entry[kdei] == HD_LINK_OPEN ? (int)kdei : -1;
  s->entry[kdei] = HD_LINK_FAILED;
}

static void follow(struct hd_link_around *s, const struct hd_link_in *in, const struct hd_link_out *out,
                   const struct hd_link_out *now) {
  follow_link(s, in, out);
  if (in->adv_valid) end_group(s, &out->nagei[in->adv_kdei]);
  s->just_failed = -1;
  for (unsigned k = 0; k < 2; k++)
    if (in->fail_valid[k]) fail(s, in->fail_kdei[k], in, out);
  if (out->next_fail_valid) fail(s, out->next_fail_kdei, in, out);
  if (in->take_valid) {
    s->away[s->away_n++] = now->list;
    s->entry[in->take_kdei] = HD_LINK_ABSENT;
  }
  if (!in->enter_valid || !in->enter_ready) return;
  s->entry[in->enter_kdei] = HD_LINK_OPEN;
  if (s->resumed) s->away[0] = s->away[--s->away_n];
}

/* ---- groups ---- */

static void change_phase(struct hd_link_around *s, struct hd_rng *rng) {
  static const unsigned rates[] = {256, 200, 60, 0};
  if (s->spread && hd_rng_below(rng, 900)) return;
  s->spread = 1 + hd_rng_below(rng, s->cfg.hwtid_w);
  s->few = 1 + hd_rng_below(rng, hd_rng_p(rng, 128) ? s->cfg.num_kde : 1 + s->cfg.num_kde / 8);
  s->hand_out = rates[hd_rng_below(rng, 4)];
  s->reuse = rates[hd_rng_below(rng, 3)];
}

/* A kernel that can take groups, or -1. One that failed in the cycle before could when the group left A1. */
static int open_kernel(const struct hd_link_around *s, struct hd_rng *rng) {
  unsigned at = hd_rng_below(rng, s->few);
  if (s->just_failed >= 0 && hd_rng_p(rng, 128)) return s->just_failed;
  for (unsigned n = 0; n < s->cfg.num_kde; n++, at = at + 1 == s->cfg.num_kde ? 0 : at + 1)
    if (s->entry[at] == HD_LINK_OPEN) return (int)at;
  return -1;
}

/* A group is in A2 if there was room for it when it left A1. */
static void drive_group(struct hd_link_around *s, struct hd_rng *rng, const struct hd_profile *p, bool room,
                        struct hd_link_in *in) {
  uint32_t slot = hd_rng_below(rng, HD_LINK_RECORDS);
  int kdei = open_kernel(s, rng);
  s->a3_record = s->a2_record;
  in->a2_group = room && kdei >= 0 && !s->taken[slot] && hd_rng_p(rng, p->source);
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

static bool next_waits(const struct hd_link_around *s, const struct hd_link_out *now, uint32_t record) {
  for (unsigned k = 0; k < s->cfg.next_depth; k++)
    if (now->next_valid[k] && now->next_record[k] == record) return true;
  return false;
}

/* The group that ended first gives its AGE or record back. */
static void drive_free(struct hd_link_around *s, struct hd_rng *rng, const struct hd_link_out *now,
                       struct hd_link_in *in) {
  struct hd_ptr p = s->ended[0].ptr;
  in->free_valid = 0;
  in->free_index = 0;
  if (!s->ended_n || s->ended[0].at > s->cycle || !hd_rng_p(rng, s->reuse)) return;
  if (!p.onchip && next_waits(s, now, p.index)) return;
  memmove(s->ended, s->ended + 1, --s->ended_n * sizeof *s->ended);
  if (p.onchip) {
    in->free_valid = 1;
    in->free_index = (uint16_t)p.index;
  } else {
    s->taken[record_slot(s, p.index)] = 0;
  }
}

/* The scheduler hands out the last TB of a group: of the kernel that is just being linked to, or of any. */
static void drive_adv(struct hd_link_around *s, struct hd_rng *rng, const struct hd_link_out *now,
                      struct hd_link_in *in) {
  unsigned k = now->link_valid && hd_rng_p(rng, 128) ? now->link_kdei : hd_rng_below(rng, s->cfg.num_kde);
  in->adv_valid = now->pending[k] && s->entry[k] == HD_LINK_OPEN && hd_rng_p(rng, s->hand_out);
  in->adv_kdei = in->adv_valid ? (uint8_t)k : 0;
  /* What agt says of a group that is the last one does not count. */
  in->succ = (struct hd_ptr){.onchip = hd_rng_p(rng, 128), .index = (uint32_t)hd_rng_bits(rng, s->cfg.rec_w)};
  if (in->adv_valid && !now->single[k]) in->succ = *behind(s, &now->nagei[k]);
  s->adv_last = in->adv_valid && now->single[k];
  s->adv_and_link = s->adv_last && now->link_valid && now->link_kdei == k;
}

/* ---- kernels ---- */

/* Nothing of the kernel is on its way. */
static bool settled(const struct hd_link_in *in, const struct hd_link_out *now, unsigned i) {
  return !(in->a2_group && in->a2_kdei == i) && !(now->link_valid && now->link_kdei == i) && !now->next_busy[i] &&
         !(now->next_fail_valid && now->next_fail_kdei == i);
}

/* A fetch or the reading of saved TBs failed. */
static void drive_failures(struct hd_link_around *s, struct hd_rng *rng, const struct hd_profile *p,
                           const struct hd_link_out *now, struct hd_link_in *in) {
  s->fail_and_link = 0;
  for (unsigned k = 0; k < 2; k++) {
    unsigned i = now->link_valid && hd_rng_p(rng, 128) ? now->link_kdei : hd_rng_below(rng, s->cfg.num_kde);
    in->fail_valid[k] = (s->entry[i] == HD_LINK_OPEN || s->entry[i] == HD_LINK_SUSPENDING) && hd_rng_p(rng, p->bad / 8);
    in->fail_kdei[k] = in->fail_valid[k] ? (uint8_t)i : 0;
    s->fail_and_link |= in->fail_valid[k] && now->link_valid && now->link_kdei == i && !in->failed[i];
  }
}

static bool failing(const struct hd_link_in *in, unsigned i) {
  return (in->fail_valid[0] && in->fail_kdei[0] == i) || (in->fail_valid[1] && in->fail_kdei[1] == i);
}

/* Kernels leave when they have no groups left or have failed; a suspended one is taken in the next cycle. */
static void drive_leaving(struct hd_link_around *s, struct hd_rng *rng, const struct hd_link_out *now,
                          struct hd_link_in *in) {
  unsigned i = hd_rng_below(rng, s->cfg.num_kde);
  in->take_valid = in->take_kdei = 0;
  for (unsigned k = 0; k < s->cfg.num_kde; k++)
    if (s->entry[k] == HD_LINK_TAKEN) {
      in->take_valid = 1;
      in->take_kdei = (uint8_t)k;
      return;
    }
  if (failing(in, i)) return;
  if (s->entry[i] == HD_LINK_OPEN && !hd_rng_below(rng, 150)) s->entry[i] = HD_LINK_SUSPENDING;
  if (!settled(in, now, i)) return;
  if (s->entry[i] == HD_LINK_SUSPENDING && s->away_n < HD_LINK_AWAY) s->entry[i] = HD_LINK_TAKEN;
  if (s->entry[i] == HD_LINK_FAILED && hd_rng_p(rng, 32)) s->entry[i] = HD_LINK_ABSENT;
  if (s->entry[i] == HD_LINK_OPEN && !now->pending[i] && hd_rng_p(rng, 16)) s->entry[i] = HD_LINK_ABSENT;
}

/* A kernel enters a free entry: a new one, or a suspended one with its list. It waits until it is taken. */
static void drive_enter(struct hd_link_around *s, struct hd_rng *rng, const struct hd_profile *p,
                        struct hd_link_in *in) {
  unsigned i = hd_rng_below(rng, s->cfg.num_kde);
  if (!in->enter_valid || in->enter_ready) {
    in->enter_valid = hd_rng_p(rng, p->source / 2);
    s->resumed = in->enter_valid && s->away_n && hd_rng_p(rng, 160);
    in->enter_list = s->resumed ? s->away[0] : (struct hd_list){0};
  }
  in->enter_ready = s->entry[i] == HD_LINK_ABSENT;
  in->enter_kdei = in->enter_ready ? (uint8_t)i : 0;
}

static void drive_port(struct hd_link_around *s, struct hd_rng *rng, const struct hd_profile *p,
                       const struct hd_link_out *out, struct hd_link_in *in) {
  const struct hd_memory_asked asked = {.req_valid = out->req_valid};
  if (!s->rec_base) { /* after reset */
    s->rec_base = 1 + hd_rng_below(rng, UINT32_MAX);
    s->first_record = hd_rng_below(rng, (UINT32_C(1) << s->cfg.rec_w) - HD_LINK_RECORDS);
  }
  hd_memory_drive_posts(&s->port, rng, p, &asked);
  in->rec_base = s->rec_base;
  in->req_ready = s->port.pins.req_ready;
  in->wbeat_take = s->port.pins.wbeat_take;
  in->b_valid = s->port.pins.b_valid;
  in->b_error = s->port.pins.b_error;
}

void hd_link_around_drive(struct hd_link_around *s, struct hd_rng *rng, const struct hd_profile *p,
                          const struct hd_link_out *out, const struct hd_link_out *now, struct hd_link_in *in) {
  s->cycle++;
  drive_port(s, rng, p, out, in);
  follow(s, in, out, now);
  change_phase(s, rng);
  for (unsigned i = 0; i < s->cfg.num_kde; i++) in->failed[i] = s->entry[i] == HD_LINK_FAILED;
  drive_group(s, rng, p, out->next_room, in);
  drive_free(s, rng, now, in);
  drive_adv(s, rng, now, in);
  drive_failures(s, rng, p, now, in);
  drive_leaving(s, rng, now, in);
  drive_enter(s, rng, p, in);
}
