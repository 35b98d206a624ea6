/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/common/clients.h"
#include "env/dispatch/sched_parts.h"

struct hd_kernel hd_sched_random_kernel(struct hd_sched_neighbours *s, struct hd_rng *rng, const struct hd_profile *p) {
  struct hd_profile good = {.source = p->source, .sink = p->sink};
  struct hd_launch l = hd_random_launch(rng, &good, &s->cfg, ++s->serial, 1u << hd_rng_below(rng, 6));
  uint32_t warps = (l.threads + 31u) / 32, unit = (l.regs * 32u + s->cfg.reg_unit - 1) / s->cfg.reg_unit;
  struct hd_kernel k = {.desc = l.desc, .ctas = l.ctas};
  k.need.warps = (uint8_t)warps;
  k.need.regs = (uint16_t)(warps * unit <= s->cfg.reg_units_per_smx ? warps * unit : 0);
  k.need.smem = l.smem;
  k.level = (uint8_t)hd_rng_below(rng, s->cfg.max_level + 1);
  k.origin.tag = l.tag;
  return k;
}

struct hd_group hd_sched_random_group(struct hd_sched_neighbours *s, struct hd_rng *rng) {
  struct hd_group g = {0};
  g.self.onchip = hd_rng_p(rng, 180);
  g.self.index = g.self.onchip ? hd_rng_below(rng, s->cfg.agt_size) : (uint32_t)hd_rng_bits(rng, s->cfg.rec_w);
  g.info.grid_x = (uint16_t)hd_rng_bits(rng, s->cfg.group_xw);
  g.info.grid_y = (uint16_t)hd_rng_bits(rng, s->cfg.group_yw);
  g.info.grid_z = (uint8_t)hd_rng_bits(rng, s->cfg.group_zw);
  g.info.ctas = hd_rng_p(rng, 128) ? 1 : 1 + hd_rng_below(rng, 8);
  g.info.param = hd_rng_bits(rng, s->cfg.param_units_w);
  g.info.level = (uint8_t)hd_rng_below(rng, s->cfg.max_level + 1);
  return g;
}

/* Adds a suspended kernel with a native part or a group of very many TBs, few of which are left; or rarely few plus one
 * high bit, so that it does not end. */
void hd_sched_suspend_far(struct hd_sched_neighbours *s, struct hd_rng *rng, const struct hd_profile *p) {
  uint32_t ctas = (1u << (hd_rng_p(rng, 32) ? 31 : 13 + hd_rng_below(rng, 19))), left = 1 + hd_rng_below(rng, 32);
  ctas += hd_rng_below(rng, hd_rng_p(rng, 128) ? 16 : 1u << 13);
  if (!hd_rng_below(rng, 6) && ctas >> 14)
    left += 1u << (13 + hd_rng_below(rng, 31 - (unsigned)__builtin_clz(ctas) - 13));
  struct hd_kernel k = hd_sched_random_kernel(s, rng, p);
  struct hd_sched_groups g = {0};
  k.resumed = 1;
  k.kin = (uint16_t)hd_rng_below(rng, s->cfg.num_kin);
  k.progress.nextbl = ctas - left;
  k.progress.ndone = k.groups.pending = hd_rng_p(rng, 128);
  if (k.progress.ndone) {
    g.n = 1;
    g.group[0] = hd_sched_random_group(s, rng);
    g.group[0].info.ctas = ctas;
  } else {
    k.ctas = ctas;
  }
  s->suspended[s->suspended_n].kernel = k;
  s->suspended[s->suspended_n++].groups = g;
}
