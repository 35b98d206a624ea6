/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/dispatch/sched_neighbours.h"

#include <stdlib.h>
#include <string.h>

#include "env/common/clients.h"
#include "env/dispatch/sched_parts.h"
#include "host/fcfs.h"
#include "host/kd.h"

static struct hd_kd *kd_of(struct hd_sched_neighbours *s) {
  return (struct hd_kd *)s->kd;
}
static struct hd_fcfs *fcfs_of(struct hd_sched_neighbours *s) {
  return (struct hd_fcfs *)s->fcfs;
}

void hd_sched_neighbours_init(struct hd_sched_neighbours *s, const struct hd_cfg *cfg) {
  s->cfg = *cfg;
  if (hd_kd_size(cfg) > sizeof s->kd || hd_fcfs_size(cfg) > sizeof s->fcfs) abort();
  hd_kd_init(kd_of(s), cfg);
  hd_fcfs_init(fcfs_of(s), cfg);
  hd_sched_neighbours_reset(s);
}

void hd_sched_neighbours_reset(struct hd_sched_neighbours *s) {
  hd_kd_reset(kd_of(s));
  hd_fcfs_reset(fcfs_of(s));
  memset(&s->kd_in, 0, sizeof s->kd_in);
  memset(&s->fcfs_in, 0, sizeof s->fcfs_in);
  memset(s->groups, 0, sizeof s->groups);
  s->suspended_n = 0;
  s->a2 = s->a3 = -1;
  s->wk_valid = s->wk_kdei = s->ahead = s->popped = 0;
  s->sv_valid = s->sv_kdei = s->sv_here = 0;
  s->running = false;
  s->kernels = s->launches = 20;
  memset(s->bank, 0, sizeof s->bank);
  s->binds = s->policy = 0;
  memset(&s->graph, 0, sizeof s->graph);
}

/* ---- the clock edge ---- */

/* Groups are linked, handed out, lost with their kernel, or suspended with it. */
static void edge_groups(struct hd_sched_neighbours *s, const struct hd_sched_in *in, const struct hd_sched_out *out) {
  if (out->advance) {
    struct hd_sched_groups *g = &s->groups[out->sscr.kdei];
    memmove(g->group, g->group + 1, --g->n * sizeof *g->group);
  }
  if (in->link_link.valid) {
    struct hd_sched_groups *g = &s->groups[in->link_link.kdei];
    g->group[g->n++] = s->a3_group;
  }
  for (unsigned k = 0; k < 3; k++)
    if (s->kd_in.fails[k].valid) s->groups[s->kd_in.fails[k].kdei].n = 0;
  if (s->kd_out.take.valid) {
    s->taken = s->groups[s->kd_out.take.kdei];
    s->groups[s->kd_out.take.kdei].n = 0;
  }
}

/* Rarely software modifies a record that is in use: the group has fewer TBs when it is read again. */
static void modify_record(struct hd_sched_groups *g, struct hd_rng *rng) {
  struct hd_group *first = &g->group[0];
  if (g->n && !first->self.onchip && hd_rng_p(rng, 16)) first->info.ctas = 1 + hd_rng_below(rng, first->info.ctas);
}

/* Groups read ahead belong to the kernel in the SSCR, one cycle late. */
static void edge_walk(struct hd_sched_neighbours *s, struct hd_rng *rng, const struct hd_sched_in *in,
                      const struct hd_sched_out *out) {
  bool same = s->wk_valid == out->sscr.valid && (!out->sscr.valid || s->wk_kdei == out->sscr.kdei), fails = false;
  for (unsigned k = 0; k < 3; k++) fails |= s->kd_in.fails[k].valid && s->kd_in.fails[k].kdei == s->wk_kdei;
  (void)in;
  if (!same || fails) {
    s->wk_valid = out->sscr.valid;
    s->wk_kdei = out->sscr.valid ? out->sscr.kdei : 0;
    s->ahead = s->popped = 0;
    modify_record(&s->groups[s->wk_kdei], rng);
    return;
  }
  if (out->advance) s->popped = 0;
  if (out->group_pop) {
    s->popped = 1;
    s->ahead--;
  }
  if (s->wk_valid && s->ahead < 3 && s->ahead + s->popped < (int)s->groups[s->wk_kdei].n && hd_rng_p(rng, 170))
    s->ahead++;
}

static void edge_saved(struct hd_sched_neighbours *s, struct hd_rng *rng, const struct hd_sched_out *out) {
  unsigned k = out->sscr.kdei;
  bool wanted = out->sscr.valid && s->kd_out.sav_count[k];
  if (s->sv_valid != wanted || (wanted && s->sv_kdei != k)) {
    s->sv_valid = wanted;
    s->sv_kdei = (uint8_t)(wanted ? k : 0);
    s->sv_pos = s->kd_out.sav_first[k];
    s->sv_left = s->kd_out.sav_count[k];
    s->sv_here = 0;
    return;
  }
  if (out->saved_pop) {
    s->sv_here = s->sv_pos % 16 != 15;
    s->sv_pos = (s->sv_pos + 1) % s->cfg.sav_max;
    s->sv_left--;
  }
  s->sv_here |= hd_rng_p(rng, 100);
}

/* Kernels enter, possibly with groups; kernels are suspended. */
static void edge_kernels(struct hd_sched_neighbours *s) {
  if (s->kd_out.suspend.valid) {
    s->suspended[s->suspended_n].kernel = s->kd_out.suspend.kernel;
    s->suspended[s->suspended_n].kernel.resumed = 1;
    s->suspended[s->suspended_n++].groups = s->taken;
  }
  if (!s->kd_in.kmu_offer.valid || !s->kd_out.free.valid) return;
  s->groups[s->kd_out.entry.kdei].n = 0;
  if (s->kd_in.kmu_offer.kernel.resumed) {
    s->groups[s->kd_out.entry.kdei] = s->suspended[0].groups;
    memmove(s->suspended, s->suspended + 1, --s->suspended_n * sizeof *s->suspended);
  }
  s->kd_in.kmu_offer.valid = 0;
}

void hd_sched_neighbours_edge(struct hd_sched_neighbours *s, struct hd_rng *rng, const struct hd_sched_in *in,
                              const struct hd_sched_out *out) {
  if (!s->running) return;
  s->kd_in.sched_grant.valid = out->grant.valid;
  s->kd_in.sched_sscr.kdei = out->sscr.kdei;
  s->kd_in.sched_grant.kind = out->grant.kind;
  s->kd_in.sched_grant.unit_end = out->grant.unit_end;
  s->kd_in.sched_park = out->park;
  s->kd_in.sched_take.valid = out->take.valid;
  s->kd_in.sched_take.kdei = out->take.kdei;
  s->kd_in.sched_take.last = out->take.last;
  s->kd_in.sched_graph_take = out->graph_take;
  s->kd_in.dats_run.kdei = in->dats_run.kdei;
  s->kd_in.sched_retire.valid = out->retire.valid;
  s->kd_in.sched_retire.tb.kdei = out->retire.tb.kdei;
  s->fcfs_in.sched_unmark = out->unmark;
  s->fcfs_in.sched_rotate = out->rotate;
  hd_kd_tick(kd_of(s), &s->kd_in);
  hd_fcfs_tick(fcfs_of(s), &s->fcfs_in);
  edge_groups(s, in, out);
  edge_walk(s, rng, in, out);
  edge_saved(s, rng, out);
  hd_sched_banks_edge(s, out);
  hd_sched_graph_edge(s, rng, in, out);
  edge_kernels(s);
}

/* ---- the next cycle ---- */

/* Returns the number of kernels that are suspended, or will be. */
static unsigned stops(const struct hd_sched_neighbours *s) {
  unsigned n = s->suspended_n;
  for (unsigned k = 0; k < s->cfg.num_kde; k++) n += s->kd_out.suspending[k];
  return n;
}

/* An offered kernel waits until the KD accepts it. */
static void drive_kernel(struct hd_sched_neighbours *s, struct hd_rng *rng, const struct hd_profile *p) {
  if (s->kd_in.kmu_offer.valid) return;
  memset(&s->kd_in.kmu_offer.kernel, 0, sizeof s->kd_in.kmu_offer.kernel);
  if (!hd_rng_below(rng, 400)) s->kernels = hd_rng_p(rng, 128) ? hd_rng_below(rng, 12) : p->source;
  if (!hd_rng_below(rng, 400)) s->launches = hd_rng_p(rng, 128) ? hd_rng_below(rng, 12) : p->source / 3;
  s->kd_in.kmu_offer.valid = hd_rng_p(rng, s->kernels);
  if (!s->kd_in.kmu_offer.valid) return;
  if (!hd_rng_below(rng, 40) && stops(s) < HD_SCHED_SUSPENDED) hd_sched_suspend_far(s, rng, p);
  bool resumes = s->suspended_n && hd_rng_p(rng, 128);
  s->kd_in.kmu_offer.kernel = resumes ? s->suspended[0].kernel : hd_sched_random_kernel(s, rng, p);
  s->kd_in.kmu_offer.kernel.graph = !resumes && !s->graph.here && hd_rng_p(rng, 80);
  if (s->kd_in.kmu_offer.kernel.graph) s->kd_in.kmu_offer.kernel.level = 0;
}

static bool room_for_two(const struct hd_sched_neighbours *s, unsigned bank) {
  return s->bank[bank].n + 2 <= HD_SCHED_BANK;
}

/* A group leaves A1 for an eligible kernel; two cycles later it goes into a bank, or is linked, unless the kernel has
 * failed in between. */
static void drive_link(struct hd_sched_neighbours *s, struct hd_rng *rng, struct hd_sched_in *in) {
  unsigned i = hd_rng_below(rng, s->cfg.num_kde);
  s->kd_in.devq_unhold.valid = s->a3 >= 0;
  s->kd_in.devq_unhold.kdei = (uint8_t)(s->a3 >= 0 ? s->a3 : 0);
  s->queue_bank = (uint8_t)hd_rng_below(rng, s->cfg.num_bank);
  s->kd_in.laperm_push.valid = s->a3 >= 0 && room_for_two(s, s->queue_bank) && hd_rng_p(rng, s->binds);
  s->kd_in.laperm_push.kdei = s->kd_in.laperm_push.valid ? s->kd_in.devq_unhold.kdei : 0;
  in->link_link.valid = s->a3 >= 0 && !s->kd_in.laperm_push.valid && !s->kd_out.failed[s->a3];
  in->link_link.kdei = in->link_link.valid ? s->kd_in.devq_unhold.kdei : 0;
  if (in->link_link.valid || s->kd_in.laperm_push.valid) s->a3_group = hd_sched_random_group(s, rng);
  s->fcfs_in.link_link = in->link_link;
  if (hd_rng_p(rng, 40) && in->link_link.valid) i = in->link_link.kdei; /* several to one kernel */
  bool room = s->groups[i].n + (s->a2 == (int)i) + (s->a3 == (int)i) < HD_SCHED_GROUPS;
  s->kd_in.devq_hold.valid = s->kd_out.eligible[i] && room && hd_rng_p(rng, s->launches);
  s->kd_in.devq_hold.kdei = (uint8_t)(s->kd_in.devq_hold.valid ? i : 0);
  s->a3 = s->a2;
  s->a2 = s->kd_in.devq_hold.valid ? (int)i : -1;
}

/* Returns a kernel with a TB that does not end in this cycle, or num_kde. */
static unsigned running(struct hd_sched_neighbours *s, struct hd_rng *rng, const struct hd_sched_out *now) {
  unsigned n = s->cfg.num_kde, at = hd_rng_below(rng, n);
  for (unsigned k = 0; k < n; k++, at = (at + 1) % n) {
    unsigned runs = kd_of(s)->shown[at].exebl;
    if (runs > (now->retire.valid && now->retire.tb.kdei == at)) return at;
  }
  return n;
}

/* TBs launch kernels, and are saved, as long as there is room for another suspended kernel. */
static void drive_saves(struct hd_sched_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                        const struct hd_sched_out *now) {
  unsigned i = running(s, rng, now);
  s->kd_in.devq_birth.valid = s->kd_in.devq_save.valid = 0;
  s->kd_in.devq_birth.kdei = s->kd_in.devq_save.kdei = 0;
  s->kd_in.devq_birth.kin = 0;
  if (i == s->cfg.num_kde || !hd_rng_p(rng, p->source / 6)) return;
  if (s->kd_out.save_ok[i] && (s->kd_out.suspending[i] || stops(s) < HD_SCHED_SUSPENDED)) {
    s->kd_in.devq_save.valid = 1;
    s->kd_in.devq_save.kdei = (uint8_t)i;
  } else if (!s->kd_out.kin_valid[i]) {
    s->kd_in.devq_birth.valid = 1;
    s->kd_in.devq_birth.kdei = (uint8_t)i;
    s->kd_in.devq_birth.kin = (uint16_t)hd_rng_below(rng, s->cfg.num_kin);
  }
}

static void drive_fails(struct hd_sched_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                        const struct hd_sched_out *now) {
  memset(s->kd_in.fails, 0, sizeof s->kd_in.fails);
  if (!hd_rng_p(rng, p->bad / 4)) return;
  const struct hd_kd *kd = kd_of(s);
  unsigned i = hd_rng_p(rng, 128) && now->sscr.valid ? now->sscr.kdei : hd_rng_below(rng, s->cfg.num_kde);
  if (!hd_bit(kd->valid, i) || (kd->susp_state && kd->susp_kdei == i) || hd_bit(kd->graph, i)) return;
  unsigned bus = hd_rng_below(rng, 3);
  s->kd_in.fails[bus].valid = 1;
  s->kd_in.fails[bus].kdei = (uint8_t)i;
}

static void show_kd(struct hd_sched_neighbours *s, struct hd_sched_in *in) {
  unsigned n = s->cfg.num_kde;
  memcpy(in->kd_need, s->kd_out.need, n * sizeof *in->kd_need);
  memcpy(in->kd_ctas, s->kd_out.ctas, n * sizeof *in->kd_ctas);
  memcpy(in->kd_level, s->kd_out.level, n);
  memcpy(in->kd_nextbl, s->kd_out.nextbl, n * sizeof *in->kd_nextbl);
  memcpy(in->kd_ndone, s->kd_out.ndone, n);
  memcpy(in->kd_sav_count, s->kd_out.sav_count, n * sizeof *in->kd_sav_count);
  memcpy(in->kd_suspending, s->kd_out.suspending, n);
  memcpy(in->kd_failed, s->kd_out.failed, n);
  memcpy(in->fcfs_marked, s->fcfs_out.marked, n);
  for (unsigned i = 0; i < n; i++) {
    in->link_pending[i] = s->groups[i].n > 0;
    in->link_single[i] = s->groups[i].n == 1;
  }
  memcpy(s->kd_in.fcfs_marked, s->fcfs_out.marked, n);
  memcpy(s->kd_in.link_pending, in->link_pending, n);
  in->kd_desc = s->kd_out.desc;
  in->kd_stall = s->kd_out.stall;
  in->fcfs_next = s->fcfs_out.next;
}

/* A kernel whose native part goes into a bank is marked only if it has other units; one with a graph never. */
static void show_enter(struct hd_sched_neighbours *s, struct hd_rng *rng, struct hd_sched_in *in) {
  const struct hd_kernel *k = &s->kd_in.kmu_offer.kernel;
  bool more = k->progress.sav_count || (k->resumed && s->suspended[0].groups.n);
  s->enter_bank = (uint8_t)hd_rng_below(rng, s->cfg.num_bank);
  s->kd_in.laperm_enter.bank = s->kd_in.kmu_offer.valid && !k->graph && !k->progress.ndone &&
                               room_for_two(s, s->enter_bank) && hd_rng_p(rng, s->binds);
  in->kmu_offer = s->kd_in.kmu_offer;
  in->laperm_enter = s->kd_in.laperm_enter;
  in->laperm_enter.mark = in->kmu_offer.valid && !k->graph && (more || !in->laperm_enter.bank);
  in->kd_entry = (struct hd_entry){in->kmu_offer.valid && s->kd_out.free.valid, s->kd_out.free.kdei};
  s->fcfs_in.kd_entry = in->kd_entry;
  s->fcfs_in.laperm_enter = in->laperm_enter;
}

static void show_units(struct hd_sched_neighbours *s, struct hd_rng *rng, struct hd_sched_in *in) {
  in->agt_group.valid = s->wk_valid && s->ahead;
  in->agt_group.kdei = in->agt_group.valid ? s->wk_kdei : 0;
  in->agt_group.group = in->agt_group.valid ? s->groups[s->wk_kdei].group[s->popped] : (struct hd_group){0};
  in->agc_slot.valid = hd_rng_p(rng, 200);
  in->agc_slot.slot = (uint8_t)(in->agc_slot.valid ? hd_rng_below(rng, s->cfg.ovf_slots) : 0);
  in->susp_saved.valid = s->sv_valid && s->sv_left && s->sv_here;
  in->susp_saved.kdei = in->susp_saved.valid ? s->sv_kdei : 0;
  in->susp_saved.tb = (struct hd_saved){0};
  if (!in->susp_saved.valid) return;
  in->susp_saved.tb.ctx = (s->sv_pos + 1) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - s->cfg.param_w);
  in->susp_saved.tb.level = (uint8_t)(in->susp_saved.tb.ctx % (s->cfg.max_level + 1u));
}

void hd_sched_neighbours_drive(struct hd_sched_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                               const struct hd_sched_out *now, struct hd_sched_in *in) {
  s->running = true;
  drive_kernel(s, rng, p);
  hd_fcfs_eval(fcfs_of(s), &s->fcfs_in, &s->fcfs_out);
  hd_kd_eval(kd_of(s), &s->kd_in, &s->kd_out);
  s->kd_in.susp_suspend_free = s->suspended_n < HD_SCHED_SUSPENDED && hd_rng_p(rng, p->sink);
  s->kd_in.kin_leave_ready = 1;
  drive_link(s, rng, in);
  drive_saves(s, rng, p, now);
  drive_fails(s, rng, p, now);
  show_kd(s, in);
  show_enter(s, rng, in);
  show_units(s, rng, in);
  hd_sched_banks_show(s, rng, in);
  hd_sched_graph_show(s, rng, in);
}
