/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include <string.h>

#include "env/launch/agt_parts.h"

/* Loads the SSCR with a kernel that has TBs to hand out, or with none. */
static void next_kernel(struct hd_agt_neighbours *s, struct hd_rng *rng, int not_this) {
  memset(&s->sscr, 0, sizeof s->sscr);
  unsigned at = hd_rng_below(rng, s->cfg.num_kde);
  for (unsigned n = 0; n < s->cfg.num_kde; n++, at = at + 1 == s->cfg.num_kde ? 0 : at + 1) {
    const struct hd_plane_kernel *k = &s->kernel[at];
    bool fresh = hd_rng_p(rng, 16); /* with a native part */
    if (k->away || (k->failed && !hd_rng_p(rng, 16)) || (int)at == not_this) continue;
    if (!hd_agt_pending(k) && !fresh) continue;
    s->sscr.valid = 1;
    s->sscr.kdei = (uint8_t)at;
    s->sscr.unit = fresh ? HD_PLANE_NATIVE : HD_PLANE_NONE;
    s->sscr.left = fresh ? 1 + hd_rng_below(rng, 8) : 0;
    return;
  }
}

static void load_group(struct hd_agt_neighbours *s, const struct hd_agt_out *now) {
  s->sscr.unit = HD_PLANE_GROUP;
  s->sscr.group = now->group.group.self;
  s->sscr.left = now->group.group.info.ctas > 8 ? 1 : now->group.group.info.ctas;
  s->popped = 1;
}

/* The kernel stops, is preempted, or has no TBs left to hand out; a stopped one stays for a cycle if a group is being
 * linked to it. */
static void leave_kernel(struct hd_agt_neighbours *s, struct hd_rng *rng, bool stop, bool links) {
  unsigned kdei = s->sscr.kdei;
  s->stops = stop;
  if (!stop || !links || hd_rng_p(rng, 128)) {
    next_kernel(s, rng, (int)kdei);
    return;
  }
  memset(&s->sscr, 0, sizeof s->sscr);
  s->sscr.valid = 1;
  s->sscr.kdei = (uint8_t)kdei;
}

void hd_agt_step_sscr(struct hd_agt_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                      const struct hd_agt_out *now) {
  unsigned kdei = s->sscr.kdei;
  const struct hd_plane_kernel *k = &s->kernel[kdei];
  bool links = s->a3.valid && s->a3.kdei == kdei;
  bool was_popped = s->popped;
  memset(&s->adv, 0, sizeof s->adv);
  s->popped = s->rotates = s->stops = s->links_behind_last = s->pops_in_a_row = s->adv_and_link = 0;
  if (!s->sscr.valid) {
    next_kernel(s, rng, -1);
    return;
  }
  bool stop = k->suspending || k->failed, group = s->sscr.unit == HD_PLANE_GROUP;
  bool last = s->sscr.unit && !stop && hd_rng_p(rng, p->source) && !--s->sscr.left;
  bool more = links || (group ? !hd_agt_single(k) : hd_agt_pending(k));
  if (last && group) {
    s->adv.valid = 1;
    s->adv.kdei = (uint8_t)kdei;
    s->adv.group = s->sscr.group;
  }
  s->rotates = s->adv.valid && more && hd_rng_p(rng, 16);
  s->links_behind_last = hd_agt_joins(s, kdei) && hd_agt_single(k);
  s->adv_and_link = s->adv.valid && s->links_behind_last;
  bool lingers = hd_rng_p(rng, 200); /* a kernel without groups may stay, longer than in the plane */
  if (stop || s->rotates || ((last || !s->sscr.unit) && !more && !lingers)) {
    leave_kernel(s, rng, stop, links);
    return;
  }
  if (!last && s->sscr.unit) return;
  s->sscr.unit = HD_PLANE_NONE;
  if (!now->group.valid || now->group.kdei != kdei || !hd_rng_p(rng, 250)) return;
  s->pops_in_a_row = was_popped;
  load_group(s, now);
}
