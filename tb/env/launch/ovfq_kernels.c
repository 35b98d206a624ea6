/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/launch/ovfq_parts.h"

/* APART: minimum cycles between two takes, and between a resume and the second one after it. SETTLED: minimum cycles
 * from a take or resume until the entry may receive a group, since a launch has to find the kernel first, and the lists
 * are swapped by then. */
enum { APART = 8, SETTLED = 4 };

/* Returns a list that starts anywhere, with any length up to all places, preferably short or nearly full; or a list of
 * one group at the beginning of a beat. */
static struct hd_memlist old_list(const struct hd_ovfq_neighbours *s, struct hd_rng *rng) {
  uint32_t all = s->mask + 1, first = (uint32_t)hd_rng_bits(rng, s->cfg.list_pos_w);
  if (hd_rng_p(rng, 80)) return (struct hd_memlist){.first = first & ~7u, .count = 1};
  if (hd_rng_p(rng, 100)) return (struct hd_memlist){.first = first, .count = all - hd_rng_below(rng, 4)};
  if (hd_rng_p(rng, 128)) all >>= hd_rng_below(rng, s->cfg.list_pos_w);
  return (struct hd_memlist){first, hd_rng_below(rng, all + 1)};
}

void hd_ovfq_begin_kernels(struct hd_ovfq_neighbours *s, struct hd_rng *rng) {
  s->took = s->resumed = s->resumed_before = 1u - APART;
  s->salt = hd_rng_p(rng, 100) ? 1 + (uint32_t)hd_rng_bits(rng, 31) : 0;
  unsigned many = hd_rng_below(rng, 200);
  for (unsigned kin = 1; s->salt && kin <= s->cfg.num_kin; kin++) {
    struct hd_ovfq_away *a = &s->away[kin];
    if (!hd_rng_p(rng, many)) continue;
    a->list = old_list(s, rng);
    a->groups.old = a->list.count;
    a->valid = s->kin_used[kin] = 1;
    s->live += a->groups.old;
    s->gone++;
  }
}

static bool is_current(const struct hd_ovfq_in *in, unsigned k) {
  return in->sched_sscr.valid && in->sched_sscr.kdei == k;
}

static bool may_take(const struct hd_ovfq_neighbours *s, const struct hd_ovfq_in *in, const struct hd_ovfq_out *now,
                     unsigned k) {
  return s->kernel[k].valid && s->kernel[k].kin && !is_current(in, k) && !now->unanswered[k] &&
         !(in->sched_advance && in->sched_sscr.kdei == k);
}

static bool fails_now(const struct hd_ovfq_neighbours *s, const struct hd_ovfq_in *in, const struct hd_ovfq_out *now,
                      unsigned k) {
  return may_take(s, in, now, k) && hd_list_fails(in, now, k);
}

static bool may_leave(const struct hd_ovfq_neighbours *s, const struct hd_ovfq_in *in, const struct hd_ovfq_out *now,
                      unsigned k) {
  return s->kernel[k].valid && !is_current(in, k) && !now->unanswered[k] && !now->there[k] &&
         !hd_ovfq_length(&s->kernel[k].groups) && !s->kernel[k].chained;
}

static bool may_enter(const struct hd_ovfq_neighbours *s, const struct hd_ovfq_in *in, const struct hd_ovfq_out *now,
                      unsigned k) {
  (void)in;
  return !s->kernel[k].valid && s->kernel[k].left < s->now && !now->unanswered[k] && !now->there[k];
}

void hd_ovfq_drive_fail(struct hd_ovfq_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                        const struct hd_ovfq_out *now, struct hd_ovfq_in *in) {
  bool any = hd_rng_p(rng, p->bad) && !hd_rng_below(rng, 60);
  for (unsigned event = 0; event < sizeof in->fails / sizeof in->fails[0]; event++) {
    int k = any && hd_rng_p(rng, 128) ? hd_ovfq_pick(s, rng, in, now, hd_ovfq_is_valid) : -1;
    if (k < 0 && hd_rng_p(rng, 8)) { /* groups appended to the list of a failed kernel */
      k = hd_ovfq_pick(s, rng, in, now, hd_ovfq_has_groups);
      if (k >= 0 && !s->kernel[k].failed) k = -1;
    }
    in->fails[event].valid = k >= 0;
    in->fails[event].kdei = in->fails[event].valid ? (uint8_t)k : 0;
  }
}

/* A suspended kernel takes its groups along, even if it fails in the same cycle. */
void hd_ovfq_drive_take(struct hd_ovfq_neighbours *s, struct hd_rng *rng, const struct hd_ovfq_out *now,
                        struct hd_ovfq_in *in) {
  int k = -1;
  in->kd_take.valid = in->kd_take.kdei = 0;
  bool fails = now->write_fail.valid || now->fetch_fail.valid || in->fails[0].valid || in->fails[1].valid;
  if (s->now - s->took < APART || s->settle) return;
  if (hd_rng_p(rng, fails ? 60 : s->stay ? 2 : 24)) k = hd_ovfq_pick(s, rng, in, now, fails ? fails_now : may_take);
  if (k < 0) return;
  struct hd_ovfq_kernel *e = &s->kernel[k];
  in->kd_take.valid = 1;
  in->kd_take.kdei = (uint8_t)k;
  s->away[e->kin] = (struct hd_ovfq_away){.groups = e->groups, .valid = 1};
  s->gone++;
  s->taking = e->kin;
  s->took = s->now;
  *e = (struct hd_ovfq_kernel){.settled = s->now + SETTLED, .left = s->now};
}

static void drop_failed(struct hd_ovfq_neighbours *s, unsigned k) {
  hd_ovfq_free_all(s, &s->kernel[k].groups);
  s->kernel[k].chained = 0;
  s->kernel[k].failed = 1;
}

void hd_ovfq_drop_lists(struct hd_ovfq_neighbours *s, const struct hd_ovfq_out *now, const struct hd_ovfq_in *in) {
  for (unsigned k = 0; k < sizeof in->fails / sizeof in->fails[0]; k++)
    if (in->fails[k].valid) drop_failed(s, in->fails[k].kdei);
  if (now->write_fail.valid) drop_failed(s, now->write_fail.kdei);
  if (now->fetch_fail.valid) drop_failed(s, now->fetch_fail.kdei);
}

/* Returns a parent record: of a suspended kernel that may resume (`away`), or a free one; 0: none. */
static unsigned pick_kin(const struct hd_ovfq_neighbours *s, struct hd_rng *rng, bool away) {
  unsigned n = s->cfg.num_kin, first = hd_rng_below(rng, n);
  for (unsigned k = 0; k < n; k++) {
    unsigned kin = 1 + (first + k) % n;
    if (away ? s->away[kin].valid && kin != s->taking : !s->kin_used[kin]) return kin;
  }
  return 0;
}

static void enter(struct hd_ovfq_neighbours *s, struct hd_rng *rng, unsigned k, unsigned kin, bool resumed) {
  struct hd_ovfq_kernel *e = &s->kernel[k];
  uint32_t settled = resumed ? s->now + SETTLED : e->settled;
  *e = (struct hd_ovfq_kernel){.valid = 1, .kin = (uint16_t)kin, .settled = settled};
  if (kin) s->kin_used[kin] = 1;
  if (!resumed) return;
  e->groups = s->away[kin].groups;
  e->chained = hd_rng_p(rng, 40) ? (uint8_t)(1 + hd_rng_below(rng, 4)) : 0;
  s->away[kin].valid = 0;
  s->gone--;
  s->resumed_before = s->resumed;
  s->resumed = s->now;
  s->back = (uint8_t)k;
}

void hd_ovfq_drive_enter(struct hd_ovfq_neighbours *s, struct hd_rng *rng, const struct hd_ovfq_out *now,
                         struct hd_ovfq_in *in) {
  in->kd_entry.valid = in->kd_entry.kdei = in->kmu_offer.kernel.resumed = 0;
  in->kmu_offer.kernel.kin = 0;
  in->kmu_offer.kernel.over = (struct hd_memlist){0};
  int k = hd_rng_p(rng, in->kd_take.valid ? 230
                        : s->settle       ? 60
                        : s->stay         ? 8
                                          : 16)
              ? hd_ovfq_pick(s, rng, in, now, may_enter)
              : -1;
  if (k < 0) return;
  bool resumed =
      s->gone && s->now - s->resumed_before >= APART && (s->settle || hd_rng_p(rng, in->kd_take.valid ? 220 : 128));
  unsigned kin = pick_kin(s, rng, resumed);
  if (resumed && !kin) return;
  in->kd_entry.valid = hd_rng_p(rng, 180);
  in->kd_entry.kdei = (uint8_t)k;
  in->kmu_offer.kernel.resumed = resumed;
  in->kmu_offer.kernel.kin = (uint16_t)(resumed ? kin - 1 : hd_rng_below(rng, s->cfg.num_kin));
  if (resumed) in->kmu_offer.kernel.over = s->away[kin].list;
  if (in->kd_entry.valid) enter(s, rng, (unsigned)k, kin, resumed);
}

/* Kernels leave when their lists are empty; a failed one leaves soon. */
void hd_ovfq_drive_leave(struct hd_ovfq_neighbours *s, struct hd_rng *rng, const struct hd_ovfq_out *now,
                         const struct hd_ovfq_in *in) {
  if (!hd_rng_p(rng, s->settle && s->gone ? 40 : 4)) return;
  int k = hd_ovfq_pick(s, rng, in, now, may_leave);
  if (k < 0 || (s->stay && !s->settle && !s->kernel[k].failed) || hd_list_cleared(in, now, (unsigned)k)) return;
  s->kin_used[s->kernel[k].kin] = 0;
  s->kernel[k] = (struct hd_ovfq_kernel){.settled = s->kernel[k].settled, .left = s->now};
}
