/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "oracle/kd_oracle.h"

#include "gen/hd_kd_ports.h"

/* Index of the fail event of a group that was lost in memory while it waited for its bank. */
enum { LOST = HD_MAX_NUM_FAIL - 1 };

struct resident {
  struct hd_kernel kernel; /* with its current kin and progress */
  uint16_t exebl;
  uint32_t queued; /* entries in banks, and in memory for them */
  uint8_t valid, kin_valid, suspending, hold;
  uint8_t graph_runs; /* it has a graph that has not ended */
  uint8_t chosen;     /* it was chosen for suspension; from then on a failure hits its rest: */
  uint8_t rest_fails;
  uint16_t saved_up; /* upper bound of its TBs in execution that are saved */
};

struct oracle {
  struct hd_cfg cfg;
  struct resident kde[HD_MAX_NUM_KDE];
  struct hd_leave gone[4 * HD_MAX_NUM_KDE]; /* kernels that left and are not reported yet */
  unsigned left_n;
  /* In the cycle before: */
  uint8_t quiet[HD_MAX_NUM_KDE]; /* no TB or group of it was in execution or in flight */
  uint8_t stop[HD_MAX_NUM_KDE];  /* it was suspending */
  uint8_t full[HD_MAX_NUM_KDE];  /* it was suspending, and its running TBs could fill its saved list */
};

HD_BLOCK_ORACLE_STATE(kd)

/* A kernel is suspended while banks hold entries of it, or entries were lost there: its rest, a child of it, takes over
 * the KD entry. */
static void stay(struct resident *r) {
  struct hd_kernel *k = &r->kernel;
  k->origin = (struct hd_origin){.up = k->kin, .smx = k->origin.smx, .rest = 1, .failed = r->rest_fails};
  k->progress = (struct hd_progress){.ndone = 1};
  k->kin = 0;
  r->kin_valid = r->suspending = r->chosen = r->rest_fails = 0;
}

/* Checks the kernels that left their entries at the end of the cycle before. */
static const char *departures(struct oracle *o, const struct hd_kd_in *in, const struct hd_kd_out *out) {
  for (unsigned i = 0; i < o->cfg.num_kde; i++) {
    struct resident *r = &o->kde[i];
    if (!out->left[i]) {
      if (r->valid && o->quiet[i] && !o->stop[i]) return "a kernel without remaining work stays in its entry";
      continue;
    }
    if (!r->valid) return "a kernel left an entry that was empty";
    if (r->suspending) {
      if (r->queued || r->rest_fails)
        stay(r);
      else
        r->valid = 0; /* checked when it was sent */
      continue;
    }
    if (!o->quiet[i]) return "a kernel left while TBs or groups of it were in flight";
    if (o->left_n == 4 * HD_MAX_NUM_KDE) return "too many kernels left without a report";
    struct hd_leave *l = &o->gone[o->left_n++];
    *l = (struct hd_leave){.valid = 1, .origin = r->kernel.origin, .kin_valid = r->kin_valid};
    if (r->kin_valid) l->kin = r->kernel.kin;
    r->valid = 0;
  }
  (void)in;
  return NULL;
}

static const char *sent(struct oracle *o, const struct hd_kd_out *out) {
  if (!out->suspend.valid) return NULL;
  for (unsigned i = 0; i < o->cfg.num_kde; i++) {
    struct resident *r = &o->kde[i];
    struct hd_kernel k = r->kernel;
    k.resumed = out->suspend.kernel.resumed;
    if (!r->valid || !r->suspending || r->exebl || memcmp(&k, &out->suspend.kernel, sizeof k)) continue;
    bool rest = r->queued || r->rest_fails;
    if (rest && k.progress.sav_count + 1u < o->cfg.sav_max)
      return "a kernel is suspended while banks hold TBs of it that could be granted";
    if (out->rest.valid != rest || out->rest.kin != (rest ? k.kin : 0))
      return "the rest of a suspended kernel is not reported, or a rest without entries in banks is";
    return NULL;
  }
  return "a kernel was sent to memory that is not suspending, or with wrong contents";
}

static const char *reports(struct oracle *o, const struct hd_kd_in *in, const struct hd_kd_out *out) {
  if (!out->leave.valid || !in->kin_leave_ready) return NULL;
  unsigned k = 0;
  while (k < o->left_n && memcmp(&o->gone[k], &out->leave, sizeof out->leave)) k++;
  if (k == o->left_n) return "leave reports a kernel that has not left, twice, or changed";
  memmove(&o->gone[k], &o->gone[k + 1], (--o->left_n - k) * sizeof *o->gone);
  return NULL;
}

/* Applies the grants of this cycle to the current kernel. */
static void scheduled(struct oracle *o, const struct hd_kd_in *in) {
  struct resident *r = &o->kde[in->sched_sscr.kdei];
  struct hd_progress *g = &r->kernel.progress;
  if (in->sched_grant.valid) {
    r->exebl++;
    if (in->sched_grant.kind == HD_UNIT_SAVED) {
      g->sav_first = (uint16_t)((g->sav_first + 1u) % o->cfg.sav_max);
      g->sav_count--;
    } else if (in->sched_grant.unit_end) {
      g->nextbl = 0;
      g->ndone |= in->sched_grant.kind == HD_UNIT_NATIVE;
    }
  }
  if (in->sched_park.valid) g->nextbl = in->sched_park.nextbl;
}

static void stops(struct resident *r) {
  if (r->chosen) {
    r->rest_fails = 1;
    return;
  }
  r->kernel.origin.failed = r->kernel.progress.ndone = 1;
  r->kernel.progress.sav_count = r->suspending = 0;
}

static void events(struct oracle *o, const struct hd_kd_in *in) {
  if (in->sched_graph_take) o->kde[in->dats_run.kdei].exebl++;
  if (in->sched_retire.valid) o->kde[in->sched_retire.tb.kdei].exebl--;
  if (in->laperm_push.valid) o->kde[in->laperm_push.kdei].queued++;
  if (in->sched_take.valid) {
    o->kde[in->sched_take.kdei].exebl++;
    o->kde[in->sched_take.kdei].queued -= in->sched_take.last;
  }
  if (in->devq_hold.valid) o->kde[in->devq_hold.kdei].hold++;
  if (in->devq_unhold.valid) o->kde[in->devq_unhold.kdei].hold--;
  if (in->devq_birth.valid) {
    o->kde[in->devq_birth.kdei].kin_valid = 1;
    o->kde[in->devq_birth.kdei].kernel.kin = in->devq_birth.kin;
  }
  if (in->devq_save.valid && !o->kde[in->devq_save.kdei].kernel.origin.failed) {
    o->kde[in->devq_save.kdei].suspending = 1;
    o->kde[in->devq_save.kdei].kernel.progress.sav_count++;
    o->kde[in->devq_save.kdei].saved_up++;
  }
  for (unsigned b = 0; b < HD_MAX_NUM_FAIL; b++) {
    if (!in->fails[b].valid) continue;
    stops(&o->kde[in->fails[b].kdei]);
    o->kde[in->fails[b].kdei].queued -= b == LOST;
  }
  if (!in->dats_over.valid) return;
  o->kde[in->dats_over.kdei].graph_runs = 0;
  if (in->dats_over.result.code != HD_GCODE_FINE) stops(&o->kde[in->dats_over.kdei]);
}

static bool heard_of(const struct hd_kd_in *in, unsigned i) {
  bool any = (in->devq_hold.valid && in->devq_hold.kdei == i) || (in->devq_birth.valid && in->devq_birth.kdei == i) ||
             (in->devq_save.valid && in->devq_save.kdei == i);
  for (unsigned b = 0; b < HD_MAX_NUM_FAIL; b++) any |= in->fails[b].valid && in->fails[b].kdei == i;
  return any;
}

const char *hd_kd_oracle_watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_kd_in *in = in_;
  const struct hd_kd_out *out = out_;
  (void)cycle;
  const char *rule = departures(o, in, out);
  if (!rule) rule = sent(o, out);
  if (!rule) rule = reports(o, in, out);
  if (rule) return rule;
  for (unsigned i = 0; i < o->cfg.num_kde; i++) {
    const struct resident *r = &o->kde[i];
    o->stop[i] = r->suspending;
    o->quiet[i] = r->valid && !in->fcfs_marked[i] && !r->exebl && !r->queued && !r->hold && !in->ovfq_unanswered[i] &&
                  !r->graph_runs && !heard_of(in, i) && (r->suspending || !in->link_pending[i]);
    if (r->valid && r->kernel.graph && (out->eligible[i] || out->save_ok[i]))
      return "a group may join a kernel with a graph, or a TB of it may be saved";
    if (out->sav_full[i] != o->full[i])
      return "sav_full does not show that TBs of a suspending kernel could fill its saved list";
    o->full[i] = r->valid && r->suspending && r->exebl + r->kernel.progress.sav_count + 1u >= o->cfg.sav_max;
    if (out->eligible[i] && r->kernel.progress.sav_count) return "a group may join a kernel that has saved TBs";
    if (r->valid && r->exebl > r->saved_up && r->kin_valid && !r->kernel.origin.failed && !r->kernel.graph &&
        !out->save_ok[i])
      return "save_ok is clear for a kernel with children";
  }
  if (out->take.valid) o->kde[out->take.kdei].chosen = 1;
  scheduled(o, in);
  events(o, in);
  for (unsigned i = 0; i < o->cfg.num_kde; i++)
    if (o->kde[i].saved_up > o->kde[i].exebl) o->kde[i].saved_up = o->kde[i].exebl;
  if (!in->kmu_offer.valid || !out->free.valid) return NULL;
  struct resident *r = &o->kde[out->entry.kdei];
  if (r->valid) return "a new kernel was allocated an entry in use";
  *r = (struct resident){.kernel = in->kmu_offer.kernel, .valid = 1, .kin_valid = in->kmu_offer.kernel.resumed};
  r->kernel.groups = (struct hd_list){0}; /* held by link */
  r->graph_runs = r->kernel.graph;
  if (in->laperm_enter.bank) {
    r->queued = 1;
    r->kernel.progress.ndone = 1;
    r->kernel.progress.nextbl = 0;
  }
  return NULL;
}
