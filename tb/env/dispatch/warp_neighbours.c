/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/dispatch/warp_neighbours.h"

#include <string.h>

enum { ANY_POLICY = HD_WPOLICY_LWF + 1 };

void hd_warp_neighbours_reset(struct hd_warp_neighbours *s) {
  struct hd_cfg cfg = s->cfg;
  memset(s, 0, sizeof *s);
  s->cfg = cfg;
  hd_warp_init(&s->seen, &s->cfg);
}

/* ---- phases ---- */

/* Some warps stall often, some rarely, some never. */
static void choose_slow(struct hd_warp_neighbours *s, struct hd_rng *rng) {
  static const uint8_t often[] = {0, 1, 10, 40, 128, 255};
  const unsigned n = sizeof often / sizeof *often, few = 1 + hd_rng_below(rng, n);
  for (unsigned w = 0; w < s->cfg.warps_per_smx; w++) s->slow[w] = often[hd_rng_below(rng, few)];
}

/* A long phase in which a warp may wait until it is served; often under lwf. */
static void choose_flood(struct hd_warp_neighbours *s, struct hd_rng *rng) {
  struct hd_warp_phase *ph = &s->phase;
  ph->flood = 1;
  ph->left += s->cfg.warp_wait + hd_rng_below(rng, s->cfg.warp_wait);
  ph->episode = hd_rng_p(rng, 128) ? 0 : 8 * s->cfg.warp_wait;
  ph->rest = 0;
  if (hd_rng_p(rng, 128)) ph->policy = HD_WPOLICY_LWF;
}

static void choose_phase(struct hd_warp_neighbours *s, struct hd_rng *rng) {
  static const uint16_t rests[] = {0, 3, 20, 300}, readies[] = {256, 200, 60, 8}, comes[] = {256, 80, 10},
                        fills[] = {256, 30, 2};
  static const uint32_t lives[] = {0, 1000, 300, 40};
  struct hd_warp_phase *ph = &s->phase;
  if (ph->left) {
    ph->left--;
    return;
  }
  memset(ph, 0, sizeof *ph);
  ph->left = 10 + hd_rng_below(rng, hd_rng_p(rng, 64) ? 1000 : 150);
  ph->policy = (uint8_t)hd_rng_below(rng, ANY_POLICY + 1);
  ph->one_list = hd_rng_p(rng, 100);
  ph->still = hd_rng_p(rng, 40);
  ph->rest = rests[hd_rng_below(rng, 4)];
  ph->ready = readies[hd_rng_below(rng, 4)];
  ph->episode = lives[hd_rng_below(rng, 4)];
  ph->comes = comes[hd_rng_below(rng, 3)];
  ph->fill = fills[hd_rng_below(rng, 3)];
  if (hd_rng_p(rng, 30)) choose_flood(s, rng);
  if (hd_rng_p(rng, 160)) choose_slow(s, rng);
}

/* ---- TBs ---- */

static bool is_empty(const struct hd_warp_neighbours *s, const struct hd_warp_in *in, unsigned slot) {
  for (unsigned w = 0; w < s->cfg.warps_per_smx; w++)
    if (in->warp_valid[w] && in->warp_slot[w] == slot) return false;
  return true;
}

/* Warps of a TB end one after the other, or all at once; sometimes one ends early. */
static void drive_ends(struct hd_warp_neighbours *s, struct hd_rng *rng, struct hd_warp_in *in) {
  const uint32_t episode = s->phase.episode;
  if (!episode) return;
  for (unsigned k = 0; k < s->cfg.ctas_per_smx; k++)
    if (!hd_rng_below(rng, episode)) s->ends[k] = hd_rng_p(rng, 100) ? 255 : 60;
  for (unsigned w = 0; w < s->cfg.warps_per_smx; w++) {
    const unsigned slot = in->warp_slot[w];
    if (in->warp_valid[w] && (hd_rng_p(rng, s->ends[slot]) || !hd_rng_below(rng, 4 * episode))) in->warp_valid[w] = 0;
  }
}

/* Free warps are assigned to TBs that still need some: all at once or one by one, any or the lowest. */
static void drive_begins(struct hd_warp_neighbours *s, struct hd_rng *rng, struct hd_warp_in *in) {
  const unsigned n = s->cfg.warps_per_smx, from = hd_rng_p(rng, 128) ? 0 : hd_rng_below(rng, n);
  for (unsigned k = 0, slot = 0; k < n; k++) {
    const unsigned w = (from + k) % n;
    while (slot < s->cfg.ctas_per_smx && !s->left[slot]) slot++;
    if (slot == s->cfg.ctas_per_smx) return;
    if (in->warp_valid[w] || !hd_rng_p(rng, s->phase.comes)) continue;
    in->warp_valid[w] = 1;
    in->warp_slot[w] = (uint8_t)slot;
    s->rest[w] = 0;
    s->left[slot]--;
  }
}

/* Assigns a TB with as many warps as may fit; its warps are valid in the next cycle at the earliest. Sometimes warps
 * appear in a slot without a new assignment. */
static void drive_assign(struct hd_warp_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                         struct hd_warp_in *in) {
  const unsigned n = s->cfg.ctas_per_smx, slot = hd_rng_below(rng, n);
  const bool empty = is_empty(s, in, slot) && !s->left[slot],
             comes = empty && hd_rng_p(rng, p->source * s->phase.fill / 256 + 1);
  in->assign_slot = (uint8_t)slot;
  in->assign_valid = comes && hd_rng_p(rng, 250);
  if (!comes) return;
  const unsigned share = s->cfg.warps_per_smx / n + 1;
  s->left[slot] = (uint8_t)(1 + hd_rng_below(rng, hd_rng_p(rng, 40) ? s->cfg.warps_per_smx : 2 * share));
  s->ends[slot] = 0;
}

/* ---- warps ---- */

static void drive_ready(struct hd_warp_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                        const struct hd_warp_out *now, struct hd_warp_in *in) {
  const struct hd_warp_phase *ph = &s->phase;
  for (unsigned k = 0; k < HD_WARP_SCHEDS; k++)
    if (now->issue_valid[k] && ph->rest && hd_rng_p(rng, 100))
      s->rest[now->issue_warp[k]] = (uint16_t)(1 + hd_rng_below(rng, ph->rest));
  for (unsigned w = 0; w < s->cfg.warps_per_smx; w++) {
    const bool may = !s->rest[w] || ph->flood;
    s->rest[w] -= s->rest[w] > 0;
    in->warp_ready[w] = may && (ph->flood || hd_rng_p(rng, ph->ready * (p->sink + 40) / 256));
  }
}

/* With one cause, or several. */
static void drive_stalls(struct hd_warp_neighbours *s, struct hd_rng *rng, struct hd_warp_in *in) {
  for (unsigned w = 0; w < s->cfg.warps_per_smx; w++) {
    const bool stalls = in->warp_valid[w] ? !s->phase.still && hd_rng_p(rng, s->slow[w]) : hd_rng_p(rng, 128);
    const unsigned causes = stalls ? 1 + hd_rng_below(rng, 7) : 0;
    in->stall_control[w] = causes & 1;
    in->stall_raw[w] = causes >> 1 & 1;
    in->stall_pipe[w] = causes >> 2;
  }
}

/* The slot of an invalid warp is arbitrary; that of a valid one may change too, since no rule forbids it. */
static void drive_slots(struct hd_warp_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                        struct hd_warp_in *in) {
  for (unsigned w = 0; w < s->cfg.warps_per_smx; w++)
    if (!in->warp_valid[w]) in->warp_slot[w] = (uint8_t)hd_rng_bits(rng, s->cfg.slot_w);
  const unsigned w = hd_rng_below(rng, s->cfg.warps_per_smx), slot = hd_rng_below(rng, s->cfg.ctas_per_smx);
  if (p->bad < 50 || !hd_rng_p(rng, 2) || (in->assign_valid && slot == in->assign_slot)) return;
  in->warp_slot[w] = (uint8_t)slot;
}

void hd_warp_neighbours_drive(struct hd_warp_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                              const struct hd_warp_out *out, const struct hd_warp_out *now, struct hd_warp_in *in) {
  (void)out;
  s->was_in = *in;
  choose_phase(s, rng);
  drive_ends(s, rng, in);
  drive_begins(s, rng, in);
  drive_assign(s, rng, p, in);
  drive_ready(s, rng, p, now, in);
  drive_stalls(s, rng, in);
  drive_slots(s, rng, p, in);
  in->policy = (uint8_t)(s->phase.policy < ANY_POLICY ? s->phase.policy : hd_rng_below(rng, ANY_POLICY));
  in->one_list = s->phase.one_list ^ (s->phase.policy == ANY_POLICY && hd_rng_p(rng, 128));
}
