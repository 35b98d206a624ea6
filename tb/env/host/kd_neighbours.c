/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/host/kd_neighbours.h"

#include <string.h>

#include "env/common/clients.h"

enum { LOST = HD_MAX_NUM_FAIL - 1 }; /* index of the fail event of a group lost on its way from memory to its bank */

void hd_kd_neighbours_reset(struct hd_kd_neighbours *s) {
  struct hd_cfg cfg = s->cfg;
  uint32_t serial = s->serial;
  memset(s, 0, sizeof *s);
  s->cfg = cfg;
  s->serial = serial;
  s->a2 = s->a3 = s->fails = s->lost = s->suspended = s->graph = -1;
  s->serves = 256;
}

static bool holds(const struct hd_kd_out *now, unsigned i) {
  return now->need[i].warps != 0;
}

/* Processes the previous cycle's changes of the entries. */
static void follow(struct hd_kd_neighbours *s, const struct hd_kd_in *in, const struct hd_kd_out *out,
                   const struct hd_kd_out *now) {
  if (in->sched_grant.valid) s->exebl[in->sched_sscr.kdei]++;
  if (in->sched_retire.valid) s->exebl[in->sched_retire.tb.kdei]--;
  if (in->devq_save.valid) s->saved[in->devq_save.kdei]++;
  if (in->laperm_push.valid) s->queued[in->laperm_push.kdei]++;
  if (in->sched_take.valid) {
    s->exebl[in->sched_take.kdei]++;
    s->queued[in->sched_take.kdei] -= in->sched_take.last;
  }
  if (in->devq_unhold.valid && !in->laperm_push.valid && !out->failed[in->devq_unhold.kdei] &&
      in->devq_unhold.kdei != s->fails) {
    /* The group was linked, and its kernel marked. */
    s->pending[in->devq_unhold.kdei] = 1;
    s->marked[in->devq_unhold.kdei] = 1;
  }
  if (in->sched_graph_take) s->exebl[in->dats_run.kdei]++;
  if (in->dats_over.valid) s->graph = -1;
  for (unsigned k = 0; k < HD_MAX_NUM_FAIL; k++)
    if (in->fails[k].valid) s->pending[in->fails[k].kdei] = 0;
  s->lost = in->fails[LOST].valid ? in->fails[LOST].kdei : (int16_t)-1;
  if (in->fails[LOST].valid) s->queued[in->fails[LOST].kdei]--;
  if (out->take.valid) s->pending[out->take.kdei] = 0;
  if (in->kmu_offer.valid && out->free.valid) {
    unsigned i = out->entry.kdei;
    s->marked[i] = !in->laperm_enter.bank || in->kmu_offer.kernel.groups.pending;
    if (in->kmu_offer.kernel.graph) s->graph = (int16_t)i, s->marked[i] = 0;
    s->queued[i] = in->laperm_enter.bank;
    s->exebl[i] = s->saved[i] = 0;
    s->host[i] = in->kmu_offer.kernel.origin.host;
    s->hwq[i] = in->kmu_offer.kernel.origin.hwq;
    s->pending[i] = in->kmu_offer.kernel.groups.pending;
    s->unanswered[i] = 0;
  }
  for (unsigned i = 0; i < s->cfg.num_kde; i++)
    if (now->left[i] && s->host[i]) s->hwq_busy[s->hwq[i]] = 0;
  if (out->rest.valid) s->host[s->suspended] = 0; /* the rest in the entry is not a kernel of the host */
  s->suspended = now->take.valid ? now->take.kdei : out->take.valid ? out->take.kdei : (int16_t)-1;
}

static struct hd_kernel random_kernel(struct hd_kd_neighbours *s, struct hd_rng *rng, unsigned hwq) {
  struct hd_kernel k = {0};
  uint32_t serial = ++s->serial;
  k.desc = hd_random_desc(rng);
  hd_random_need(rng, &s->cfg, &k.need);
  k.ctas = (uint32_t)hd_rng_bits(rng, 32);
  k.ctas += !k.ctas;
  k.origin.host = hd_rng_p(rng, 128);
  if (k.origin.host) {
    k.origin.tag = (uint16_t)(serial * 40503u); /* all 65536 values, one after the other */
    k.origin.hwq = (uint8_t)hwq;
    s->hwq_busy[hwq] = 1;
  } else {
    k.level = (uint8_t)hd_rng_below(rng, s->cfg.max_level + 1);
    k.origin.up = (uint16_t)(serial % s->cfg.num_kin);
    k.origin.stream = (uint8_t)hd_rng_below(rng, s->cfg.num_streams);
    k.origin.smx = (uint8_t)hd_rng_below(rng, s->cfg.num_smx);
  }
  k.origin.rest = !k.origin.host && hd_rng_p(rng, 32);
  k.resumed = k.origin.rest || hd_rng_p(rng, 64);
  k.graph = k.origin.host && !k.resumed && s->graph < 0 && hd_rng_p(rng, 80);
  if (!k.resumed) return k;
  k.origin.failed = hd_rng_p(rng, 8);
  k.kin = (uint16_t)hd_rng_below(rng, s->cfg.num_kin);
  k.progress.ndone = hd_rng_p(rng, 128);
  k.progress.nextbl = hd_rng_p(rng, 128) ? hd_rng_below(rng, k.ctas) : 0;
  k.progress.sav_first = (uint16_t)hd_rng_below(rng, s->cfg.sav_max);
  k.progress.sav_count = (uint16_t)(hd_rng_p(rng, 128) ? hd_rng_below(rng, 8) : 0);
  k.groups.pending = hd_rng_p(rng, 128);
  return k;
}

/* Returns a random entry for which ok holds, or num_kde. */
static unsigned choose(struct hd_kd_neighbours *s, struct hd_rng *rng, const struct hd_kd_out *now,
                       bool (*ok)(const struct hd_kd_neighbours *, const struct hd_kd_out *, unsigned)) {
  unsigned n = s->cfg.num_kde, at = hd_rng_below(rng, n), k = 0;
  while (k < n && !ok(s, now, at)) at = (at + 1) % n, k++;
  return k < n ? at : n;
}

/* Returns the lowest such entry. */
static unsigned first(const struct hd_kd_neighbours *s, const struct hd_kd_out *now,
                      bool (*ok)(const struct hd_kd_neighbours *, const struct hd_kd_out *, unsigned)) {
  unsigned k = 0;
  while (k < s->cfg.num_kde && !ok(s, now, k)) k++;
  return k;
}

static bool is_marked(const struct hd_kd_neighbours *s, const struct hd_kd_out *now, unsigned i) {
  return holds(now, i) && s->marked[i];
}
static bool has_running(const struct hd_kd_neighbours *s, const struct hd_kd_out *now, unsigned i) {
  return holds(now, i) && s->exebl[i];
}
/* A TB can have a slot: at most SavMax TBs run, and the SMXs and their done FIFOs hold no more TBs. */
static bool has_slot(const struct hd_kd_neighbours *s, unsigned i) {
  return s->exebl[i] < s->cfg.sav_max && s->exebl[i] <= s->cfg.num_smx * s->cfg.done_depth;
}
/* A save is accepted in one cycle and reported in the next: its kernel may have failed in between. */
static bool may_save(const struct hd_kd_neighbours *s, const struct hd_kd_out *now, unsigned i) {
  return holds(now, i) && s->exebl[i] > s->saved[i] && s->save_ok[i] && (now->save_ok[i] || now->failed[i]);
}
static bool banked_may_save(const struct hd_kd_neighbours *s, const struct hd_kd_out *now, unsigned i) {
  return s->queued[i] && may_save(s, now, i);
}
static bool may_join(const struct hd_kd_neighbours *s, const struct hd_kd_out *now, unsigned i) {
  (void)s;
  return now->eligible[i];
}

/* The scheduler, which has a marked kernel in the SSCR. One that must stop is unmarked from the next cycle on. */
static void drive_sched(struct hd_kd_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                        const struct hd_kd_out *now, struct hd_kd_in *in) {
  unsigned k = choose(s, rng, now, is_marked);
  in->sched_grant.valid = in->sched_grant.unit_end = in->sched_park.valid = 0;
  in->sched_sscr.kdei = in->sched_grant.kind = 0;
  in->sched_park.nextbl = 0;
  if (k == s->cfg.num_kde) return;
  in->sched_sscr.kdei = (uint8_t)k;
  in->sched_grant.kind = now->sav_count[k] ? HD_UNIT_SAVED : !now->ndone[k] ? HD_UNIT_NATIVE : HD_UNIT_GROUP;
  if (now->suspending[k] || now->failed[k]) {
    in->sched_park.valid = in->sched_grant.kind != HD_UNIT_SAVED && hd_rng_p(rng, 128);
    in->sched_park.nextbl = in->sched_park.valid ? (uint32_t)hd_rng_bits(rng, s->cfg.ctas_w) : 0;
    s->marked[k] = 0;
    return;
  }
  bool something = in->sched_grant.kind != HD_UNIT_GROUP || s->pending[k];
  if (something && !now->stall && has_slot(s, k) && hd_rng_p(rng, p->source)) {
    in->sched_grant.valid = 1;
    in->sched_grant.unit_end = in->sched_grant.kind == HD_UNIT_SAVED || hd_rng_p(rng, 100);
    if (in->sched_grant.unit_end && in->sched_grant.kind == HD_UNIT_GROUP) s->pending[k] = hd_rng_p(rng, 60);
    if (in->sched_grant.unit_end && in->sched_grant.kind == HD_UNIT_SAVED && now->sav_count[k] > 1) return;
    s->marked[k] =
        !in->sched_grant.unit_end || s->pending[k] || (in->sched_grant.kind == HD_UNIT_SAVED && !now->ndone[k]);
  } else if (!something) {
    s->marked[k] = 0;
  }
}

static bool is_queued(const struct hd_kd_neighbours *s, const struct hd_kd_out *now, unsigned i) {
  return holds(now, i) && s->queued[i];
}
static bool may_grant(const struct hd_kd_neighbours *s, const struct hd_kd_out *now, unsigned i) {
  return is_queued(s, now, i) && !now->sav_full[i] && has_slot(s, i);
}

/* Banks: instead of the scheduler's kernel another kernel with an entry in a bank may hand out a TB. In phases, groups
 * in A3 and entering kernels go into a bank more or less often. */
static void drive_banks(struct hd_kd_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                        const struct hd_kd_out *now, struct hd_kd_in *in) {
  unsigned k = s->yields ? first(s, now, may_grant) : choose(s, rng, now, may_grant);
  const uint32_t most = (s->cfg.ring_queues << s->cfg.ring_pos_w) + s->cfg.num_bank * s->cfg.pq_depth +
                        s->cfg.spill_depth + s->cfg.spill_flight;
  if (!hd_rng_below(rng, 300)) s->serves = hd_rng_p(rng, 64) ? 4 : 256;
  if (!hd_rng_below(rng, 300)) s->yields = hd_rng_p(rng, 80);
  if (!hd_rng_below(rng, 300)) s->binds = hd_rng_p(rng, 128) ? 0 : hd_rng_below(rng, 257);
  in->sched_take.valid =
      !now->stall && !in->sched_grant.valid && k < s->cfg.num_kde && hd_rng_p(rng, p->source * s->serves / 256);
  in->sched_take.kdei = (uint8_t)(in->sched_take.valid ? k : 0);
  in->sched_take.last = in->sched_take.valid && hd_rng_p(rng, s->yields ? 4 : 128);
  in->laperm_push.valid = in->devq_unhold.valid && s->queued[in->devq_unhold.kdei] < most && hd_rng_p(rng, s->binds);
  in->laperm_push.kdei = in->laperm_push.valid ? in->devq_unhold.kdei : 0;
  in->laperm_enter.bank = in->kmu_offer.valid && !in->kmu_offer.kernel.graph && !in->kmu_offer.kernel.progress.ndone &&
                          !in->kmu_offer.kernel.progress.sav_count && hd_rng_p(rng, s->binds);
}

/* The graph: its kernel hands out a TB instead of another kernel; or the graph ends, whether or not its TBs are done.
 * */
static void drive_graph(struct hd_kd_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                        const struct hd_kd_out *now, struct hd_kd_in *in) {
  in->sched_graph_take = in->dats_over.valid = 0;
  in->dats_run.kdei = (uint8_t)hd_rng_below(rng, s->cfg.num_kde);
  in->dats_over.kdei = (uint8_t)hd_rng_below(rng, s->cfg.num_kde);
  in->dats_over.result.code = (uint8_t)(hd_rng_p(rng, 200) ? HD_GCODE_FINE : hd_rng_bits(rng, s->cfg.gcode_w));
  if (s->graph < 0) return;
  const bool others = now->stall || in->sched_grant.valid || in->sched_take.valid;
  in->sched_graph_take = !others && has_slot(s, (unsigned)s->graph) && hd_rng_p(rng, p->source);
  if (in->sched_graph_take) in->dats_run.kdei = (uint8_t)s->graph;
  in->dats_over.valid = !in->sched_graph_take && hd_rng_p(rng, 8);
  if (in->dats_over.valid) in->dats_over.kdei = (uint8_t)s->graph;
}

/* A device kernel, or a save of a TB that does not end in this cycle. */
static void drive_launches(struct hd_kd_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                           const struct hd_kd_out *now, struct hd_kd_in *in) {
  in->devq_birth.valid = in->devq_save.valid = 0;
  in->devq_birth.kdei = in->devq_save.kdei = 0;
  in->devq_birth.kin = 0;
  bool save = hd_rng_p(rng, s->yields ? 200 : 80);
  unsigned i = choose(s, rng, now, save ? may_save : has_running);
  if (s->yields && first(s, now, banked_may_save) < s->cfg.num_kde) i = first(s, now, banked_may_save);
  if (save && in->sched_grant.valid && may_save(s, now, in->sched_sscr.kdei))
    i = in->sched_sscr.kdei; /* even a TB that was resumed */
  if (i == s->cfg.num_kde || (in->sched_retire.valid && in->sched_retire.tb.kdei == i && s->exebl[i] == 1)) return;
  if (!hd_rng_p(rng, s->yields ? p->source : p->source / 8)) return;
  if (save) {
    in->devq_save.valid = 1;
    in->devq_save.kdei = (uint8_t)i;
    return;
  }
  in->devq_birth.valid = 1;
  in->devq_birth.kdei = (uint8_t)i;
  in->devq_birth.kin = now->kin_valid[i] ? now->kin[i] : (uint16_t)hd_rng_below(rng, s->cfg.num_kin);
}

/* Groups in A1 to A3, and the pointers of groups that overflow. */
static void drive_groups(struct hd_kd_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                         const struct hd_kd_out *now, struct hd_kd_in *in) {
  unsigned i = choose(s, rng, now, may_join);
  in->devq_unhold.valid = s->a3 >= 0;
  in->devq_unhold.kdei = (uint8_t)(s->a3 >= 0 ? s->a3 : 0);
  if (!hd_rng_below(rng, 300)) s->groups = hd_rng_p(rng, 128) ? 0 : hd_rng_below(rng, p->source);
  in->devq_hold.valid = i < s->cfg.num_kde && hd_rng_p(rng, s->groups);
  in->devq_hold.kdei = (uint8_t)(in->devq_hold.valid ? i : 0);
  s->a3 = s->a2;
  s->a2 = in->devq_hold.valid ? in->devq_hold.kdei : (int16_t)-1;
  for (unsigned k = 0; k < s->cfg.num_kde; k++) {
    bool on_its_way = holds(now, k) && (int)k != s->suspended;
    if (!s->unanswered[k] && on_its_way && s->pending[k]) s->unanswered[k] = hd_rng_p(rng, 10);
    in->ovfq_unanswered[k] = s->unanswered[k] && on_its_way;
  }
}

/* Writes to lists complete, sometimes with an error, which is reported in the cycle in which the list is no longer
 * busy. Errors of records and saved TBs hit the kernel in the SSCR; a group lost on its way to a bank is of any kernel
 * that has one. Several losses are also reported one after the other, of the lowest kernel first, as spill does. */
static void drive_fails(struct hd_kd_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                        const struct hd_kd_out *now, struct hd_kd_in *in) {
  memset(in->fails, 0, sizeof in->fails);
  if (s->fails >= 0) {
    in->fails[0].valid = 1;
    in->fails[0].kdei = (uint8_t)s->fails;
  }
  s->fails = -1;
  unsigned k = hd_rng_below(rng, s->cfg.num_kde);
  if (in->ovfq_unanswered[k] && hd_rng_p(rng, 128)) {
    s->unanswered[k] = 0;
    if (hd_rng_p(rng, p->bad)) s->fails = (int16_t)k;
  }
  bool current = holds(now, in->sched_sscr.kdei) && in->fcfs_marked[in->sched_sscr.kdei];
  for (unsigned b = 1; b < LOST && current; b++) {
    in->fails[b].valid = hd_rng_p(rng, p->bad / 8);
    in->fails[b].kdei = in->fails[b].valid ? in->sched_sscr.kdei : 0;
  }
  bool both = in->sched_take.last && in->laperm_push.valid &&
              in->laperm_push.kdei == in->sched_take.kdei; /* rare, so often with a loss */
  unsigned lost = both ? in->sched_take.kdei : choose(s, rng, now, is_queued);
  if (s->suspended >= 0 && s->queued[s->suspended]) lost = (unsigned)s->suspended, both = true;
  if (!s->losses && !hd_rng_below(rng, 20) && hd_rng_p(rng, p->bad / 4))
    s->losses = (uint8_t)(2 + hd_rng_below(rng, 5));
  const bool row = s->losses > 0;
  if (row) lost = first(s, now, is_queued), s->losses--;
  bool leaves = in->sched_take.last && in->sched_take.kdei == lost;
  in->fails[LOST].valid =
      lost < s->cfg.num_kde && s->queued[lost] > leaves && (row || hd_rng_p(rng, both ? 2 * p->bad : p->bad / 8));
  in->fails[LOST].kdei = in->fails[LOST].valid ? (uint8_t)lost : 0;
}

void hd_kd_neighbours_drive(struct hd_kd_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                            const struct hd_kd_out *out, const struct hd_kd_out *now, struct hd_kd_in *in) {
  unsigned n = s->cfg.num_kde, i;
  bool taken = in->kmu_offer.valid && out->free.valid;
  follow(s, in, out, now);
  memcpy(s->save_ok, out->save_ok, n);
  if (!in->kmu_offer.valid || taken) {
    memset(&in->kmu_offer.kernel, 0, sizeof in->kmu_offer.kernel);
    unsigned hwq = hd_rng_below(rng, s->cfg.num_hwq);
    in->kmu_offer.valid = !s->hwq_busy[hwq] && hd_rng_p(rng, p->source);
    if (in->kmu_offer.valid) in->kmu_offer.kernel = random_kernel(s, rng, hwq);
  }
  memcpy(in->fcfs_marked, s->marked, n);
  memcpy(in->link_pending, s->pending, n);
  in->sched_retire.valid = in->sched_retire.tb.kdei = 0;
  if (hd_rng_p(rng, p->sink) && (i = choose(s, rng, now, has_running)) < n &&
      (!s->yields || s->saved[i] || hd_rng_p(rng, 20))) {
    in->sched_retire.valid = 1;
    in->sched_retire.tb.kdei = (uint8_t)i;
    if (s->saved[i] && (s->yields || s->saved[i] == s->exebl[i] || hd_rng_p(rng, 128))) s->saved[i]--;
  }
  drive_sched(s, rng, p, now, in);
  drive_launches(s, rng, p, now, in);
  drive_groups(s, rng, p, now, in);
  drive_banks(s, rng, p, now, in);
  drive_graph(s, rng, p, now, in);
  drive_fails(s, rng, p, now, in);
  in->susp_suspend_free = hd_rng_p(rng, p->sink / 2);
  in->kin_leave_ready = hd_rng_p(rng, p->sink);
}
