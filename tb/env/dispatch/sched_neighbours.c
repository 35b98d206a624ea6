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
  if (out->adv_valid) {
    struct hd_sched_groups *g = &s->groups[out->grant_kdei];
    memmove(g->group, g->group + 1, --g->n * sizeof *g->group);
  }
  if (in->link_valid) {
    struct hd_sched_groups *g = &s->groups[in->link_kdei];
    g->group[g->n++] = s->a3_group;
  }
  for (unsigned k = 0; k < 3; k++)
    if (s->kd_in.fail_valid[k]) s->groups[s->kd_in.fail_kdei[k]].n = 0;
  if (s->kd_out.take_valid) {
    s->taken = s->groups[s->kd_out.take_kdei];
    s->groups[s->kd_out.take_kdei].n = 0;
  }
}

/* Groups read ahead belong to the kernel in the SSCR, one cycle late. */
static void edge_walk(struct hd_sched_neighbours *s, struct hd_rng *rng, const struct hd_sched_in *in,
                      const struct hd_sched_out *out) {
  bool same = s->wk_valid == out->cur_valid && (!out->cur_valid || s->wk_kdei == out->grant_kdei), fails = false;
  for (unsigned k = 0; k < 3; k++) fails |= s->kd_in.fail_valid[k] && s->kd_in.fail_kdei[k] == s->wk_kdei;
  (void)in;
  if (!same || fails) {
    s->wk_valid = out->cur_valid;
    s->wk_kdei = out->cur_valid ? out->grant_kdei : 0;
    s->ahead = s->popped = 0;
    return;
  }
  if (out->adv_valid) s->popped = 0;
  if (out->group_pop) {
    s->popped = 1;
    s->ahead--;
  }
  if (s->wk_valid && s->ahead < 3 && s->ahead + s->popped < (int)s->groups[s->wk_kdei].n && hd_rng_p(rng, 170))
    s->ahead++;
}

static void edge_saved(struct hd_sched_neighbours *s, struct hd_rng *rng, const struct hd_sched_out *out) {
  unsigned k = out->grant_kdei;
  bool wanted = out->cur_valid && s->kd_out.sav_count[k];
  if (s->sv_valid != wanted || (wanted && s->sv_kdei != k)) {
    s->sv_valid = wanted;
    s->sv_kdei = (uint8_t)(wanted ? k : 0);
    s->sv_pos = s->kd_out.sav_first[k];
    s->sv_left = s->kd_out.sav_count[k];
    s->sv_here = 0;
    return;
  }
  if (out->sv_pop) {
    s->sv_here = s->sv_pos % 16 != 15;
    s->sv_pos = (s->sv_pos + 1) % s->cfg.sav_max;
    s->sv_left--;
  }
  s->sv_here |= hd_rng_p(rng, 100);
}

/* Kernels enter, possibly with groups; kernels are suspended. */
static void edge_kernels(struct hd_sched_neighbours *s) {
  if (s->kd_out.suspend_valid) {
    s->suspended[s->suspended_n].kernel = s->kd_out.suspend;
    s->suspended[s->suspended_n].kernel.resumed = 1;
    s->suspended[s->suspended_n++].groups = s->taken;
  }
  if (!s->kd_in.kernel_valid || !s->kd_out.kernel_ready) return;
  s->groups[s->kd_out.alloc_kdei].n = 0;
  if (s->kd_in.kernel.resumed) {
    s->groups[s->kd_out.alloc_kdei] = s->suspended[0].groups;
    memmove(s->suspended, s->suspended + 1, --s->suspended_n * sizeof *s->suspended);
  }
  s->kd_in.kernel_valid = 0;
}

void hd_sched_neighbours_edge(struct hd_sched_neighbours *s, struct hd_rng *rng, const struct hd_sched_in *in,
                              const struct hd_sched_out *out) {
  if (!s->running) return;
  s->kd_in.grant_valid = out->grant_valid;
  s->kd_in.grant_kdei = out->grant_kdei;
  s->kd_in.grant_kind = out->grant_kind;
  s->kd_in.unit_end = out->unit_end;
  s->kd_in.park_valid = out->park_valid;
  s->kd_in.park_nextbl = out->park_nextbl;
  s->kd_in.serve_valid = out->take_valid;
  s->kd_in.serve_kdei = out->take_kdei;
  s->kd_in.serve_last = out->take_last;
  s->kd_in.graph_take = out->graph_take;
  s->kd_in.graph_kdei = in->run_kdei;
  s->kd_in.retire_valid = out->retire_valid;
  s->kd_in.retire_kdei = out->retire.kdei;
  s->fcfs_in.unmark = out->unmark;
  s->fcfs_in.rotate = out->rotate;
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
  if (s->kd_in.kernel_valid) return;
  memset(&s->kd_in.kernel, 0, sizeof s->kd_in.kernel);
  if (!hd_rng_below(rng, 400)) s->kernels = hd_rng_p(rng, 128) ? hd_rng_below(rng, 12) : p->source;
  if (!hd_rng_below(rng, 400)) s->launches = hd_rng_p(rng, 128) ? hd_rng_below(rng, 12) : p->source / 3;
  s->kd_in.kernel_valid = hd_rng_p(rng, s->kernels);
  if (!s->kd_in.kernel_valid) return;
  if (!hd_rng_below(rng, 40) && stops(s) < HD_SCHED_SUSPENDED) hd_sched_suspend_far(s, rng, p);
  bool resumes = s->suspended_n && hd_rng_p(rng, 128);
  s->kd_in.kernel = resumes ? s->suspended[0].kernel : hd_sched_random_kernel(s, rng, p);
  s->kd_in.kernel.graph = !resumes && !s->graph.here && hd_rng_p(rng, 80);
  if (s->kd_in.kernel.graph) s->kd_in.kernel.level = 0;
}

static bool room_for_two(const struct hd_sched_neighbours *s, unsigned bank) {
  return s->bank[bank].n + 2 <= HD_SCHED_BANK;
}

/* A group leaves A1 for an eligible kernel; two cycles later it goes into a bank, or is linked, unless the kernel has
 * failed in between. */
static void drive_link(struct hd_sched_neighbours *s, struct hd_rng *rng, struct hd_sched_in *in) {
  unsigned i = hd_rng_below(rng, s->cfg.num_kde);
  s->kd_in.unhold_valid = s->a3 >= 0;
  s->kd_in.unhold_kdei = (uint8_t)(s->a3 >= 0 ? s->a3 : 0);
  s->queue_bank = (uint8_t)hd_rng_below(rng, s->cfg.num_bank);
  s->kd_in.queue_valid = s->a3 >= 0 && room_for_two(s, s->queue_bank) && hd_rng_p(rng, s->binds);
  s->kd_in.queue_kdei = s->kd_in.queue_valid ? s->kd_in.unhold_kdei : 0;
  in->link_valid = s->a3 >= 0 && !s->kd_in.queue_valid && !s->kd_out.failed[s->a3];
  in->link_kdei = in->link_valid ? s->kd_in.unhold_kdei : 0;
  if (in->link_valid || s->kd_in.queue_valid) s->a3_group = hd_sched_random_group(s, rng);
  s->fcfs_in.mark_valid = in->link_valid;
  s->fcfs_in.mark_kdei = in->link_kdei;
  if (hd_rng_p(rng, 40) && in->link_valid) i = in->link_kdei; /* several to one kernel */
  bool room = s->groups[i].n + (s->a2 == (int)i) + (s->a3 == (int)i) < HD_SCHED_GROUPS;
  s->kd_in.hold_valid = s->kd_out.eligible[i] && room && hd_rng_p(rng, s->launches);
  s->kd_in.hold_kdei = (uint8_t)(s->kd_in.hold_valid ? i : 0);
  s->a3 = s->a2;
  s->a2 = s->kd_in.hold_valid ? (int)i : -1;
}

/* Returns a kernel with a TB that does not end in this cycle, or num_kde. */
static unsigned running(struct hd_sched_neighbours *s, struct hd_rng *rng, const struct hd_sched_out *now) {
  unsigned n = s->cfg.num_kde, at = hd_rng_below(rng, n);
  for (unsigned k = 0; k < n; k++, at = (at + 1) % n) {
    unsigned runs = kd_of(s)->shown[at].exebl;
    if (runs > (now->retire_valid && now->retire.kdei == at)) return at;
  }
  return n;
}

/* TBs launch kernels, and are saved, as long as there is room for another suspended kernel. */
static void drive_saves(struct hd_sched_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                        const struct hd_sched_out *now) {
  unsigned i = running(s, rng, now);
  s->kd_in.birth_valid = s->kd_in.save_valid = 0;
  s->kd_in.birth_kdei = s->kd_in.save_kdei = 0;
  s->kd_in.birth_kin = 0;
  if (i == s->cfg.num_kde || !hd_rng_p(rng, p->source / 6)) return;
  if (s->kd_out.save_ok[i] && (s->kd_out.suspending[i] || stops(s) < HD_SCHED_SUSPENDED)) {
    s->kd_in.save_valid = 1;
    s->kd_in.save_kdei = (uint8_t)i;
  } else if (!s->kd_out.kin_valid[i]) {
    s->kd_in.birth_valid = 1;
    s->kd_in.birth_kdei = (uint8_t)i;
    s->kd_in.birth_kin = (uint16_t)hd_rng_below(rng, s->cfg.num_kin);
  }
}

static void drive_fails(struct hd_sched_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                        const struct hd_sched_out *now) {
  memset(s->kd_in.fail_valid, 0, sizeof s->kd_in.fail_valid);
  memset(s->kd_in.fail_kdei, 0, sizeof s->kd_in.fail_kdei);
  if (!hd_rng_p(rng, p->bad / 4)) return;
  const struct hd_kd *kd = kd_of(s);
  unsigned i = hd_rng_p(rng, 128) && now->cur_valid ? now->grant_kdei : hd_rng_below(rng, s->cfg.num_kde);
  if (!hd_bit(kd->valid, i) || (kd->susp_state && kd->susp_kdei == i) || hd_bit(kd->graph, i)) return;
  unsigned bus = hd_rng_below(rng, 3);
  s->kd_in.fail_valid[bus] = 1;
  s->kd_in.fail_kdei[bus] = (uint8_t)i;
}

static void show_kd(struct hd_sched_neighbours *s, struct hd_sched_in *in) {
  unsigned n = s->cfg.num_kde;
  memcpy(in->need, s->kd_out.need, n * sizeof *in->need);
  memcpy(in->ctas, s->kd_out.ctas, n * sizeof *in->ctas);
  memcpy(in->level, s->kd_out.level, n);
  memcpy(in->nextbl, s->kd_out.nextbl, n * sizeof *in->nextbl);
  memcpy(in->ndone, s->kd_out.ndone, n);
  memcpy(in->sav_count, s->kd_out.sav_count, n * sizeof *in->sav_count);
  memcpy(in->suspending, s->kd_out.suspending, n);
  memcpy(in->failed, s->kd_out.failed, n);
  memcpy(in->marked, s->fcfs_out.marked, n);
  for (unsigned i = 0; i < n; i++) {
    in->pending[i] = s->groups[i].n > 0;
    in->single[i] = s->groups[i].n == 1;
  }
  memcpy(s->kd_in.marked, s->fcfs_out.marked, n);
  memcpy(s->kd_in.pending, in->pending, n);
  in->desc = s->kd_out.desc;
  in->steal = s->kd_out.steal;
  in->next_valid = s->fcfs_out.next_valid;
  in->next_kdei = s->fcfs_out.next_kdei;
}

/* A kernel whose native part goes into a bank is marked only if it has other units; one with a graph never. */
static void show_enter(struct hd_sched_neighbours *s, struct hd_rng *rng, struct hd_sched_in *in) {
  const struct hd_kernel *k = &s->kd_in.kernel;
  bool more = k->progress.sav_count || (k->resumed && s->suspended[0].groups.n);
  s->enter_bank = (uint8_t)hd_rng_below(rng, s->cfg.num_bank);
  s->kd_in.enter_queued = s->kd_in.kernel_valid && !k->graph && !k->progress.ndone && room_for_two(s, s->enter_bank) &&
                          hd_rng_p(rng, s->binds);
  s->fcfs_in.enter_valid = in->enter_valid = s->kd_in.kernel_valid && !k->graph && (more || !s->kd_in.enter_queued);
  s->fcfs_in.enter_ready = in->enter_ready = s->kd_out.kernel_ready;
  s->fcfs_in.enter_kdei = in->enter_kdei = s->kd_out.alloc_kdei;
  in->enter_need = k->need;
  in->enter_ctas = k->ctas;
  in->enter_level = k->level;
  in->enter_progress = k->progress;
  in->enter_progress.ndone |= s->kd_in.enter_queued;
}

static void show_units(struct hd_sched_neighbours *s, struct hd_rng *rng, struct hd_sched_in *in) {
  in->group_valid = s->wk_valid && s->ahead;
  in->group_kdei = in->group_valid ? s->wk_kdei : 0;
  in->group = in->group_valid ? s->groups[s->wk_kdei].group[s->popped] : (struct hd_group){0};
  in->slot_valid = hd_rng_p(rng, 200);
  in->slot = (uint8_t)(in->slot_valid ? hd_rng_below(rng, s->cfg.ovf_slots) : 0);
  in->sv_valid = s->sv_valid && s->sv_left && s->sv_here;
  in->sv_kdei = in->sv_valid ? s->sv_kdei : 0;
  in->sv = (struct hd_saved){0};
  if (!in->sv_valid) return;
  in->sv.ctx = (s->sv_pos + 1) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - s->cfg.param_w);
  in->sv.level = (uint8_t)(in->sv.ctx % (s->cfg.max_level + 1u));
}

void hd_sched_neighbours_drive(struct hd_sched_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                               const struct hd_sched_out *now, struct hd_sched_in *in) {
  s->running = true;
  drive_kernel(s, rng, p);
  hd_fcfs_eval(fcfs_of(s), &s->fcfs_in, &s->fcfs_out);
  hd_kd_eval(kd_of(s), &s->kd_in, &s->kd_out);
  s->kd_in.suspend_free = s->suspended_n < HD_SCHED_SUSPENDED && hd_rng_p(rng, p->sink);
  s->kd_in.leave_ready = 1;
  drive_link(s, rng, in);
  drive_saves(s, rng, p, now);
  drive_fails(s, rng, p, now);
  show_kd(s, in);
  show_enter(s, rng, in);
  show_units(s, rng, in);
  hd_sched_banks_show(s, rng, in);
  hd_sched_graph_show(s, rng, in);
}
