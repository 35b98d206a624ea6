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
  s->a2 = s->a3 = s->fails = s->suspended = s->graph = -1;
  s->serves = 256;
}

static bool holds(const struct hd_kd_out *now, unsigned i) {
  return now->need[i].warps != 0;
}

/* Processes the previous cycle's changes of the entries. */
static void follow(struct hd_kd_neighbours *s, const struct hd_kd_in *in, const struct hd_kd_out *out,
                   const struct hd_kd_out *now) {
  if (in->grant_valid) s->exebl[in->grant_kdei]++;
  if (in->retire_valid) s->exebl[in->retire_kdei]--;
  if (in->save_valid) s->saved[in->save_kdei]++;
  if (in->queue_valid) s->queued[in->queue_kdei]++;
  if (in->serve_valid) {
    s->exebl[in->serve_kdei]++;
    s->queued[in->serve_kdei] -= in->serve_last;
  }
  if (in->unhold_valid && !in->queue_valid && !out->failed[in->unhold_kdei] && in->unhold_kdei != s->fails) {
    /* The group was linked, and its kernel marked. */
    s->pending[in->unhold_kdei] = 1;
    s->marked[in->unhold_kdei] = 1;
  }
  if (in->graph_take) s->exebl[in->graph_kdei]++;
  if (in->graph_end_valid) s->graph = -1;
  for (unsigned k = 0; k < HD_MAX_NUM_FAIL; k++)
    if (in->fail_valid[k]) s->pending[in->fail_kdei[k]] = 0;
  if (in->fail_valid[LOST]) s->queued[in->fail_kdei[LOST]]--;
  if (out->take_valid) s->pending[out->take_kdei] = 0;
  if (in->kernel_valid && out->kernel_ready) {
    unsigned i = out->alloc_kdei;
    s->marked[i] = !in->enter_queued || in->kernel.groups.pending;
    if (in->kernel.graph) s->graph = (int16_t)i, s->marked[i] = 0;
    s->queued[i] = in->enter_queued;
    s->exebl[i] = s->saved[i] = 0;
    s->host[i] = in->kernel.origin.host;
    s->hwq[i] = in->kernel.origin.hwq;
    s->pending[i] = in->kernel.groups.pending;
    s->unanswered[i] = 0;
  }
  for (unsigned i = 0; i < s->cfg.num_kde; i++)
    if (now->left[i] && s->host[i]) s->hwq_busy[s->hwq[i]] = 0;
  if (out->rest_valid) s->host[s->suspended] = 0; /* the rest in the entry is not a kernel of the host */
  s->suspended = now->take_valid ? now->take_kdei : out->take_valid ? out->take_kdei : (int16_t)-1;
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
/* A TB can have a slot: at most SavMax TBs run. */
static bool has_slot(const struct hd_kd_neighbours *s, unsigned i) {
  return s->exebl[i] < s->cfg.sav_max;
}
/* A save is accepted in one cycle and reported in the next: its kernel may have failed in between. */
static bool may_save(const struct hd_kd_neighbours *s, const struct hd_kd_out *now, unsigned i) {
  return holds(now, i) && s->exebl[i] > s->saved[i] && (now->save_ok[i] || (s->save_ok[i] && now->failed[i]));
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
  in->grant_valid = in->unit_end = in->park_valid = 0;
  in->grant_kdei = in->grant_kind = 0;
  in->park_nextbl = 0;
  if (k == s->cfg.num_kde) return;
  in->grant_kdei = (uint8_t)k;
  in->grant_kind = now->sav_count[k] ? HD_UNIT_SAVED : !now->ndone[k] ? HD_UNIT_NATIVE : HD_UNIT_GROUP;
  if (now->suspending[k] || now->failed[k]) {
    in->park_valid = in->grant_kind != HD_UNIT_SAVED && hd_rng_p(rng, 128);
    in->park_nextbl = in->park_valid ? (uint32_t)hd_rng_bits(rng, s->cfg.ctas_w) : 0;
    s->marked[k] = 0;
    return;
  }
  bool something = in->grant_kind != HD_UNIT_GROUP || s->pending[k];
  if (something && !now->steal && has_slot(s, k) && hd_rng_p(rng, p->source)) {
    in->grant_valid = 1;
    in->unit_end = in->grant_kind == HD_UNIT_SAVED || hd_rng_p(rng, 100);
    if (in->unit_end && in->grant_kind == HD_UNIT_GROUP) s->pending[k] = hd_rng_p(rng, 60);
    if (in->unit_end && in->grant_kind == HD_UNIT_SAVED && now->sav_count[k] > 1) return;
    s->marked[k] = !in->unit_end || s->pending[k] || (in->grant_kind == HD_UNIT_SAVED && !now->ndone[k]);
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
  unsigned most = s->cfg.num_bank * s->cfg.pq_depth + s->cfg.spill_rows + s->cfg.spill_depth + s->cfg.spill_flight;
  if (!hd_rng_below(rng, 300)) s->serves = hd_rng_p(rng, 64) ? 4 : 256;
  if (!hd_rng_below(rng, 300)) s->yields = hd_rng_p(rng, 80);
  if (!hd_rng_below(rng, 300)) s->binds = hd_rng_p(rng, 128) ? 0 : hd_rng_below(rng, 257);
  in->serve_valid = !now->steal && !in->grant_valid && k < s->cfg.num_kde && hd_rng_p(rng, p->source * s->serves / 256);
  in->serve_kdei = (uint8_t)(in->serve_valid ? k : 0);
  in->serve_last = in->serve_valid && hd_rng_p(rng, s->yields ? 4 : 128);
  in->queue_valid = in->unhold_valid && s->queued[in->unhold_kdei] < most && hd_rng_p(rng, s->binds);
  in->queue_kdei = in->queue_valid ? in->unhold_kdei : 0;
  in->enter_queued = in->kernel_valid && !in->kernel.graph && !in->kernel.progress.ndone &&
                     !in->kernel.progress.sav_count && hd_rng_p(rng, s->binds);
}

/* The graph: its kernel hands out a TB instead of another kernel; or the graph ends, whether or not its TBs are done.
 * */
static void drive_graph(struct hd_kd_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                        const struct hd_kd_out *now, struct hd_kd_in *in) {
  in->graph_take = in->graph_end_valid = 0;
  in->graph_kdei = (uint8_t)hd_rng_below(rng, s->cfg.num_kde);
  in->graph_end_kdei = (uint8_t)hd_rng_below(rng, s->cfg.num_kde);
  in->graph_end_code = (uint8_t)(hd_rng_p(rng, 200) ? HD_GCODE_FINE : hd_rng_bits(rng, s->cfg.gcode_w));
  if (s->graph < 0) return;
  const bool others = now->steal || in->grant_valid || in->serve_valid;
  in->graph_take = !others && has_slot(s, (unsigned)s->graph) && hd_rng_p(rng, p->source);
  if (in->graph_take) in->graph_kdei = (uint8_t)s->graph;
  in->graph_end_valid = !in->graph_take && hd_rng_p(rng, 8);
  if (in->graph_end_valid) in->graph_end_kdei = (uint8_t)s->graph;
}

/* A device kernel, or a save of a TB that does not end in this cycle. */
static void drive_launches(struct hd_kd_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                           const struct hd_kd_out *now, struct hd_kd_in *in) {
  in->birth_valid = in->save_valid = 0;
  in->birth_kdei = in->save_kdei = 0;
  in->birth_kin = 0;
  bool save = hd_rng_p(rng, s->yields ? 200 : 80);
  unsigned i = choose(s, rng, now, save ? may_save : has_running);
  if (s->yields && first(s, now, banked_may_save) < s->cfg.num_kde) i = first(s, now, banked_may_save);
  if (save && in->grant_valid && may_save(s, now, in->grant_kdei)) i = in->grant_kdei; /* even a TB that was resumed */
  if (i == s->cfg.num_kde || (in->retire_valid && in->retire_kdei == i && s->exebl[i] == 1)) return;
  if (!hd_rng_p(rng, s->yields ? p->source : p->source / 8)) return;
  if (save) {
    in->save_valid = 1;
    in->save_kdei = (uint8_t)i;
    return;
  }
  in->birth_valid = 1;
  in->birth_kdei = (uint8_t)i;
  in->birth_kin = now->kin_valid[i] ? now->kin[i] : (uint16_t)hd_rng_below(rng, s->cfg.num_kin);
}

/* Groups in A1 to A3, and the pointers of groups that overflow. */
static void drive_groups(struct hd_kd_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                         const struct hd_kd_out *now, struct hd_kd_in *in) {
  unsigned i = choose(s, rng, now, may_join);
  in->unhold_valid = s->a3 >= 0;
  in->unhold_kdei = (uint8_t)(s->a3 >= 0 ? s->a3 : 0);
  if (!hd_rng_below(rng, 300)) s->groups = hd_rng_p(rng, 128) ? 0 : hd_rng_below(rng, p->source);
  in->hold_valid = i < s->cfg.num_kde && hd_rng_p(rng, s->groups);
  in->hold_kdei = (uint8_t)(in->hold_valid ? i : 0);
  s->a3 = s->a2;
  s->a2 = in->hold_valid ? in->hold_kdei : (int16_t)-1;
  for (unsigned k = 0; k < s->cfg.num_kde; k++) {
    bool on_its_way = holds(now, k) && (int)k != s->suspended;
    if (!s->unanswered[k] && on_its_way && s->pending[k]) s->unanswered[k] = hd_rng_p(rng, 10);
    in->unanswered[k] = s->unanswered[k] && on_its_way;
  }
}

/* Writes to lists complete, sometimes with an error, which is reported in the cycle in which the list is no longer
 * busy. Errors of records and saved TBs hit the kernel in the SSCR; a group lost on its way to a bank is of any kernel
 * that has one. */
static void drive_fails(struct hd_kd_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                        const struct hd_kd_out *now, struct hd_kd_in *in) {
  memset(in->fail_valid, 0, sizeof in->fail_valid);
  memset(in->fail_kdei, 0, sizeof in->fail_kdei);
  if (s->fails >= 0) {
    in->fail_valid[0] = 1;
    in->fail_kdei[0] = (uint8_t)s->fails;
  }
  s->fails = -1;
  unsigned k = hd_rng_below(rng, s->cfg.num_kde);
  if (in->unanswered[k] && hd_rng_p(rng, 128)) {
    s->unanswered[k] = 0;
    if (hd_rng_p(rng, p->bad)) s->fails = (int16_t)k;
  }
  bool current = holds(now, in->grant_kdei) && in->marked[in->grant_kdei];
  for (unsigned b = 1; b < LOST && current; b++) {
    in->fail_valid[b] = hd_rng_p(rng, p->bad / 8);
    in->fail_kdei[b] = in->fail_valid[b] ? in->grant_kdei : 0;
  }
  bool both = in->serve_last && in->queue_valid && in->queue_kdei == in->serve_kdei; /* rare, so often with a loss */
  unsigned lost = both ? in->serve_kdei : choose(s, rng, now, is_queued);
  if (s->suspended >= 0 && s->queued[s->suspended]) lost = (unsigned)s->suspended, both = true;
  bool leaves = in->serve_last && in->serve_kdei == lost;
  in->fail_valid[LOST] =
      lost < s->cfg.num_kde && s->queued[lost] > leaves && hd_rng_p(rng, both ? 2 * p->bad : p->bad / 8);
  in->fail_kdei[LOST] = in->fail_valid[LOST] ? (uint8_t)lost : 0;
}

void hd_kd_neighbours_drive(struct hd_kd_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                            const struct hd_kd_out *out, const struct hd_kd_out *now, struct hd_kd_in *in) {
  unsigned n = s->cfg.num_kde, i;
  bool taken = in->kernel_valid && out->kernel_ready;
  follow(s, in, out, now);
  memcpy(s->save_ok, out->save_ok, n);
  if (!in->kernel_valid || taken) {
    memset(&in->kernel, 0, sizeof in->kernel);
    unsigned hwq = hd_rng_below(rng, s->cfg.num_hwq);
    in->kernel_valid = !s->hwq_busy[hwq] && hd_rng_p(rng, p->source);
    if (in->kernel_valid) in->kernel = random_kernel(s, rng, hwq);
  }
  memcpy(in->marked, s->marked, n);
  memcpy(in->pending, s->pending, n);
  in->retire_valid = in->retire_kdei = 0;
  if (hd_rng_p(rng, p->sink) && (i = choose(s, rng, now, has_running)) < n &&
      (!s->yields || s->saved[i] || hd_rng_p(rng, 20))) {
    in->retire_valid = 1;
    in->retire_kdei = (uint8_t)i;
    if (s->saved[i] && (s->yields || s->saved[i] == s->exebl[i] || hd_rng_p(rng, 128))) s->saved[i]--;
  }
  drive_sched(s, rng, p, now, in);
  drive_launches(s, rng, p, now, in);
  drive_groups(s, rng, p, now, in);
  drive_banks(s, rng, p, now, in);
  drive_graph(s, rng, p, now, in);
  drive_fails(s, rng, p, now, in);
  in->suspend_free = hd_rng_p(rng, p->sink / 2);
  in->leave_ready = hd_rng_p(rng, p->sink);
}
