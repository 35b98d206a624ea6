/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/launch/ovfq_neighbours.h"

#include <string.h>

#include "env/launch/ovfq_parts.h"

/* This many cycles after the last answer, ovfq has requested all that can be read of a list. */
enum { STILL = 8 };

void hd_ovfq_neighbours_reset(struct hd_ovfq_neighbours *s) {
  struct hd_cfg cfg = s->cfg;
  memset(s, 0, sizeof *s);
  s->cfg = cfg;
}

/* ---- Groups and their numbers ---- */

static struct hd_ptr pointer(const struct hd_ovfq_neighbours *s, unsigned number) {
  if (number < HD_OVFQ_RECORDS) return (struct hd_ptr){.index = s->first_record + number};
  return (struct hd_ptr){.onchip = 1, .index = number - HD_OVFQ_RECORDS};
}

uint32_t hd_ovfq_length(const struct hd_ovfq_groups *g) {
  return g->old + g->n;
}

static void put_group(struct hd_ovfq_neighbours *s, struct hd_ovfq_groups *g, unsigned number) {
  s->used[number] = 1;
  s->live++;
  if (g->n++)
    s->next[g->last] = (int16_t)number;
  else
    g->first = (int16_t)number;
  g->last = (int16_t)number;
}

void hd_ovfq_free_first(struct hd_ovfq_neighbours *s, struct hd_ovfq_groups *g) {
  s->live--;
  if (g->old) {
    g->old--;
    return;
  }
  s->used[g->first] = 0;
  g->first = s->next[g->first];
  g->n--;
}

void hd_ovfq_free_all(struct hd_ovfq_neighbours *s, struct hd_ovfq_groups *g) {
  while (hd_ovfq_length(g)) hd_ovfq_free_first(s, g);
}

/* Returns an unused number, of the given kind if possible; -1 if none. */
static int free_number(const struct hd_ovfq_neighbours *s, struct hd_rng *rng, bool onchip) {
  for (unsigned kinds = 0; kinds < 2; kinds++, onchip = !onchip) {
    unsigned n = onchip ? s->ages : s->records, first = n ? hd_rng_below(rng, n) : 0;
    for (unsigned k = 0; k < n && k < 8; k++) {
      unsigned number = (onchip ? HD_OVFQ_RECORDS : 0) + (first + k) % n;
      if (!s->used[number]) return (int)number;
    }
  }
  return -1;
}

int hd_ovfq_pick(const struct hd_ovfq_neighbours *s, struct hd_rng *rng, const struct hd_ovfq_in *in,
                 const struct hd_ovfq_out *now, hd_ovfq_want_fn *want) {
  unsigned first = hd_rng_p(rng, 100) ? s->favourite : hd_rng_below(rng, s->cfg.num_kde);
  for (unsigned n = 0; n < s->cfg.num_kde; n++) {
    unsigned k = (first + n) % s->cfg.num_kde;
    if (want(s, in, now, k)) return (int)k;
  }
  return -1;
}

bool hd_ovfq_is_valid(const struct hd_ovfq_neighbours *s, const struct hd_ovfq_in *in, const struct hd_ovfq_out *now,
                      unsigned k) {
  (void)in, (void)now;
  return s->kernel[k].valid;
}

bool hd_ovfq_has_groups(const struct hd_ovfq_neighbours *s, const struct hd_ovfq_in *in, const struct hd_ovfq_out *now,
                        unsigned k) {
  (void)in, (void)now;
  return s->kernel[k].valid && hd_ovfq_length(&s->kernel[k].groups);
}

static void set_phase(struct hd_ovfq_neighbours *s, struct hd_rng *rng) {
  if (!hd_rng_below(rng, 600)) s->favourite = (uint8_t)hd_rng_below(rng, s->cfg.num_kde);
  if (!hd_rng_below(rng, 400)) s->hold = hd_rng_p(rng, 90);
  if (!hd_rng_below(rng, 500)) s->dry = hd_rng_p(rng, 60);
  if (!hd_rng_below(rng, 300)) s->calm = hd_rng_p(rng, 170);
  if (!hd_rng_below(rng, 600)) s->stay = hd_rng_p(rng, 128);
  if (!hd_rng_below(rng, 300)) s->late = hd_rng_p(rng, 80);
  if (!hd_rng_below(rng, 300)) s->onchip = (uint16_t)(64 * hd_rng_below(rng, 5));
  if (!hd_rng_below(rng, 3000) && s->live <= HD_OVFQ_NUMBERS) s->settle = 1;
}

/* A kernel with a short list enters the SSCR. Sometimes its list then grows by one group at a time, slowly enough that
 * each place is read by a separate request, and memory answers none of them until the maximum number of requests is in
 * flight. */
static void begin_drips(struct hd_ovfq_neighbours *s, struct hd_rng *rng, const struct hd_ovfq_in *in) {
  const struct hd_ovfq_groups *g = &s->kernel[in->sched_sscr.kdei].groups;
  bool is_short = hd_ovfq_length(g) == 2 || (hd_ovfq_length(g) == 1 && g->old);
  if (is_short && !s->settle && hd_rng_p(rng, g->old ? 100 : 20)) s->drips = (uint16_t)(64 * s->cfg.ovfq_flight);
}

/* The phase ends a little after the maximum is in flight, or when the kernel fails. */
static void follow_drips(struct hd_ovfq_neighbours *s, const struct hd_ovfq_out *now, const struct hd_ovfq_in *in) {
  bool still = s->drips && !now->mem.valid && !now->unanswered[in->sched_sscr.kdei];
  s->drips -= s->drips > 0;
  if (s->kernel[in->sched_sscr.kdei].failed) s->drips = 0;
  if (s->drips > STILL && s->port.reads == s->cfg.ovfq_flight) s->drips = STILL;
  s->still = still ? (uint8_t)(s->still + (s->still < STILL)) : 0;
}

/* Selects the kernel in the SSCR. While everything drains it stays until its own list is empty. A resumed kernel often
 * enters the SSCR at once, before its list has been copied to the entry. */
static void drive_current(struct hd_ovfq_neighbours *s, struct hd_rng *rng, const struct hd_ovfq_out *now,
                          struct hd_ovfq_in *in) {
  bool stays = s->settle
                   ? in->sched_sscr.valid && hd_ovfq_has_groups(s, in, now, in->sched_sscr.kdei) && hd_rng_p(rng, 255)
                   : s->drips || hd_rng_below(rng, s->calm ? 2000 : 40);
  bool back = !s->drips && s->resumed == s->now - 1 && s->kernel[s->back].valid && hd_rng_p(rng, 80);
  if (back) {
    in->sched_sscr.valid = 1;
    in->sched_sscr.kdei = s->back;
  } else if (in->sched_sscr.valid ? stays : hd_rng_p(rng, 200)) {
    return;
  } else {
    int k = hd_ovfq_pick(s, rng, in, now, hd_rng_p(rng, 128) ? hd_ovfq_has_groups : hd_ovfq_is_valid);
    in->sched_sscr.valid = k >= 0 && (!in->sched_sscr.valid || hd_rng_p(rng, 160));
    in->sched_sscr.kdei = in->sched_sscr.valid ? (uint8_t)k : 0;
  }
  if (in->sched_sscr.valid) begin_drips(s, rng, in);
}

static bool may_push(const struct hd_ovfq_neighbours *s, const struct hd_ovfq_in *in, const struct hd_ovfq_out *now,
                     unsigned k) {
  const struct hd_ovfq_kernel *e = &s->kernel[k];
  const bool advances =
      in->sched_advance && in->sched_sscr.kdei == k && !in->link_chained[k]; /* the place is not free yet */
  (void)now;
  if (s->drips && !(in->sched_sscr.valid && in->sched_sscr.kdei == k && s->still >= STILL)) return false;
  return e->valid && s->now >= e->settled && !(in->kd_take.valid && in->kd_take.kdei == k) &&
         !(in->kd_entry.valid && in->kd_entry.kdei == k) && hd_ovfq_length(&e->groups) + advances <= s->mask;
}

static void drive_push(struct hd_ovfq_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                       const struct hd_ovfq_out *now, struct hd_ovfq_in *in) {
  in->link_link.over = in->link_link.kdei = 0;
  in->link_link.ptr = (struct hd_ptr){0};
  if (!s->room[1] || (s->dry && !s->drips) || s->settle || !hd_rng_p(rng, s->drips ? 128 : p->source)) return;
  int k = hd_ovfq_pick(s, rng, in, now, may_push), number = free_number(s, rng, hd_rng_below(rng, 256) < s->onchip);
  if (k < 0 || number < 0 || (s->kernel[k].failed && hd_rng_p(rng, 250))) return;
  if (number < HD_OVFQ_RECORDS) {
    s->seed[number] = (uint32_t)hd_rng_bits(rng, 32);
    s->hollow[number] = hd_rng_p(rng, p->bad / 12);
  }
  if (!hd_list_cleared(in, now, (unsigned)k))
    put_group(s, &s->kernel[k].groups, (unsigned)number); /* otherwise it is lost */
  in->link_link.over = 1;
  in->link_link.kdei = (uint8_t)k;
  in->link_link.ptr = pointer(s, (unsigned)number);
}

/* A group has been handed out: the first of the kernel's chain, otherwise the oldest popped. */
static void drive_adv(struct hd_ovfq_neighbours *s, struct hd_rng *rng, struct hd_ovfq_in *in) {
  struct hd_ovfq_kernel *e = &s->kernel[s->tag_kdei];
  bool stays = s->tag_valid && in->sched_sscr.valid && in->sched_sscr.kdei == s->tag_kdei;
  in->sched_advance = stays && (e->chained || s->popped) && hd_rng_p(rng, s->late ? 6 : 100);
  if (!in->sched_advance) return;
  if (e->chained) {
    e->chained--;
    return;
  }
  s->popped--;
  hd_ovfq_free_first(s, &e->groups);
}

/* A kernel without a list may get a chain; groups behind it may go into its list. */
static void grow_chain(struct hd_ovfq_neighbours *s, struct hd_rng *rng) {
  struct hd_ovfq_kernel *e = &s->kernel[hd_rng_below(rng, s->cfg.num_kde)];
  if (e->valid && !e->failed && !hd_ovfq_length(&e->groups) && hd_rng_p(rng, 4))
    e->chained = (uint8_t)(1 + hd_rng_below(rng, 8));
}

static void drive_pop(struct hd_ovfq_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                      const struct hd_ovfq_out *now, struct hd_ovfq_in *in) {
  bool holds = s->hold && !s->settle && !hd_rng_p(rng, 1);
  in->agt_over_pop = now->over.valid && !holds && s->popped < 6 && hd_rng_p(rng, p->sink);
  in->sched_events.waiting = hd_rng_p(rng, s->hold ? 30 : 200);
  s->popped += in->agt_over_pop;
}

void hd_ovfq_neighbours_drive(struct hd_ovfq_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                              const struct hd_ovfq_out *out, const struct hd_ovfq_out *now, struct hd_ovfq_in *in) {
  s->now++;
  s->was_live = s->live > 0;
  s->tag_valid = in->sched_sscr.valid;
  s->tag_kdei = in->sched_sscr.kdei;
  if (s->taking) s->away[s->taking].list = now->taken;
  s->taking = 0;
  follow_drips(s, now, in);
  hd_ovfq_drive_memory(s, rng, p, out, in);
  hd_ovfq_set_regions(s, rng, now);
  if (s->now == 1) hd_ovfq_begin_kernels(s, rng);
  set_phase(s, rng);
  in->regs_config.rec_base = s->rec_base;
  in->regs_config.rec_count = s->rec_count;
  in->regs_config.list_base = s->list_base;
  for (unsigned k = 0; k < s->cfg.num_kde; k++) in->link_chained[k] = s->kernel[k].chained > 0;
  drive_current(s, rng, now, in);
  drive_adv(s, rng, in);
  hd_ovfq_drive_fail(s, rng, p, now, in);
  hd_ovfq_drive_take(s, rng, now, in);
  hd_ovfq_drop_lists(s, now, in);
  hd_ovfq_drive_leave(s, rng, now, in);
  hd_ovfq_drive_enter(s, rng, now, in);
  grow_chain(s, rng);
  drive_pop(s, rng, p, now, in);
  drive_push(s, rng, p, now, in);
  if (in->sched_sscr.valid != s->tag_valid || in->sched_sscr.kdei != s->tag_kdei ||
      hd_list_cleared(in, now, s->tag_kdei))
    s->popped = 0;
  for (unsigned k = 0; k < s->cfg.num_kde; k++) in->kd_kin[k] = s->kernel[k].kin ? s->kernel[k].kin - 1 : 0;
  if (in->kd_take.valid) in->kd_kin[in->kd_take.kdei] = s->taking - 1; /* its entry is free from the next cycle on */
  s->room[1] = s->room[0];
  s->room[0] = now->room;
}
