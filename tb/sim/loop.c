/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gen/hd_regs_map.h"
#include "sim/fit.h"
#include "sim/loop_inside.h"

enum { AHEAD = 1 << 20 }; /* most cycles that SMXs run ahead at once */

/* ---- inputs of this cycle ---- */

static void take_kernels(struct hd_loop *l) {
  struct hd_launch launch;
  char text[256];
  while (memset(&launch, 0, sizeof launch), l->work->next(l->work->ctx, l->now, &launch))
    if (!hd_driver_add(l->driver, &launch, text, sizeof text)) {
      hd_loop_end(l, HD_CONFIG, "kernel %" PRIu32 ": %s", hd_driver_kernels(l->driver), text);
      return;
    }
  if (!l->work->next_at(l->work->ctx, &l->due)) l->due = UINT64_MAX;
}

/* Runs the SMXs up to this cycle and processes their events: ends of TBs, calls of warps. */
static void run_warps(struct hd_loop *l) {
  const char *broken = NULL;
  struct hd_gpu_notice t;
  hd_gpu_run(l->gpu, l->now);
  while (hd_gpu_notice(l->gpu, &t)) {
    if (t.event == HD_GPU_ENDED)
      broken = hd_array_end(l->array, t.smx, t.slot, l->now) ? NULL : "out of memory";
    else if (l->launcher == NULL)
      broken = "a warp calls the runtime though the workload has no launches";
    else if (t.event == HD_GPU_CALLS)
      broken = hd_launcher_warp_calls(l->launcher, l->now, t.smx, t.slot, t.warp);
    else if (t.event == HD_GPU_WAITS)
      broken = hd_launcher_tb_waits(l->launcher, l->now, t.smx, t.slot);
    else
      broken = hd_launcher_tb_moved(l->launcher, l->now, t.smx, t.slot);
    if (broken != NULL) hd_loop_break_rule(l, broken);
  }
  if (l->o->series != NULL && l->now == l->o->series->next)
    hd_series_add(l->o->series, l->now, hd_array_residents(l->array), hd_array_resident_warps(l->array), l->gpu);
}

static void set_inputs(struct hd_loop *l) {
  if (l->gpu != NULL) run_warps(l);
  bool may_launch = l->launcher == NULL || hd_launcher_ready(l->launcher);
  const struct hd_launch *launch = may_launch ? hd_driver_offer(l->driver) : NULL;
  l->in.host_launch_valid = launch != NULL;
  if (launch != NULL)
    l->in.host_launch = *launch;
  else
    memset(&l->in.host_launch, 0, sizeof l->in.host_launch);
  hd_array_offer(l->array, l->now, l->in.cta_done_valid, l->in.cta_done_slot);
  if (l->o->take_every > 1)
    for (uint32_t s = 0; s < l->o->cfg->num_smx; s++) l->in.dispatch_ready[s] = (l->now + s) % l->o->take_every == 0;
  if (l->o->throttle) hd_loop_drive_contention(l);
  const char *broken = l->launcher != NULL ? hd_launcher_drive(l->launcher, l->now, &l->in) : NULL;
  if (broken != NULL) hd_loop_break_rule(l, broken);
}

/* ---- transfers of this cycle ---- */

static void see_ctas_done(struct hd_loop *l) {
  const uint32_t *smx;
  uint32_t n = hd_array_offering(l->array, &smx);
  for (uint32_t i = 0; i < n; i++) {
    struct hd_resident r;
    if (!l->out->cta_done_ready[smx[i]]) continue;
    hd_array_done(l->array, l->now, smx[i], &r);
    const bool ended = l->launcher == NULL || !hd_launcher_leaves(l->launcher, smx[i], l->in.cta_done_slot[smx[i]]);
    if (r.child == 0 && ended) hd_driver_kernel(l->driver, r.kernel)->ctas_done++;
    if (l->o->launches != NULL && ended) hd_launches_end(l->o->launches, l->now, &r);
    if (l->o->timeline != NULL) hd_timeline_add(l->o->timeline, smx[i], l->in.cta_done_slot[smx[i]], &r, l->now);
    if (l->o->left != NULL && ended) l->o->left(l->o->watcher, l->now, smx[i], &r);
    const char *broken =
        l->launcher != NULL ? hd_launcher_cta_done(l->launcher, l->now, smx[i], l->in.cta_done_slot[smx[i]], &r) : NULL;
    if (broken != NULL) hd_loop_break_rule(l, broken);
    if (r.child == 0 && ended) l->work->cta_done(l->work->ctx, r.kernel, r.blkid);
    if (r.child != 0) l->due = 0; /* the workload may have waited for this */
    l->moved = l->now;
  }
}

static void see_kernel_done(struct hd_loop *l) {
  uint32_t kernel = 0;
  if (!l->out->kernel_done_valid) return;
  if (l->out->kernel_done.failed) {
    hd_loop_kernel_failed(l);
    return;
  }
  const char *broken = hd_driver_kernel_done(l->driver, l->out->kernel_done.tag, &kernel);
  if (broken == NULL && l->launcher != NULL) broken = hd_launcher_kernel_done(l->launcher, kernel);
  if (broken != NULL) {
    hd_loop_break_rule(l, broken);
    return;
  }
  const struct hd_kernel_info *k = hd_driver_kernel(l->driver, kernel);
  if (l->o->launches != NULL) hd_launches_reported(l->o->launches, l->now, kernel);
  if (l->o->timeline != NULL)
    hd_timeline_kernel(l->o->timeline, kernel, k->launch.hwq, k->launch.ctas, k->queued, l->now);
  l->work->kernel_done(l->work->ctx, l->now, kernel);
  l->due = 0; /* the workload may launch its next kernel now */
  l->moved = l->now;
}

/* Identifies a TB that an SMX receives: sets *r and its duration. Returns NULL, or the broken rule. */
static const char *identify(struct hd_loop *l, uint32_t smx, const struct hd_dispatch *t, struct hd_resident *r,
                            uint64_t *duration) {
  if (l->launcher != NULL && t->restart) return hd_launcher_take_back(l->launcher, l->now, smx, t, r);
  if (l->launcher != NULL && hd_launcher_is_child(l->launcher, t))
    return hd_launcher_take_child(l->launcher, l->now, smx, t, r, duration);
  uint32_t kernel = 0;
  const char *broken = hd_driver_handed_out(l->driver, t, &kernel);
  if (broken != NULL) return broken;
  const struct hd_kernel_info *k = hd_driver_kernel(l->driver, kernel);
  *r = (struct hd_resident){.kernel = kernel,
                            .blkid = t->blkid,
                            .warps = hd_fit_warps(k->launch.threads),
                            .regs = k->launch.regs,
                            .smem = k->launch.smem,
                            .family = l->families++,
                            .queued = k->queued,
                            .dispatched = l->now};
  if (l->launcher != NULL)
    *duration = hd_launcher_take(l->launcher, l->now, smx, t, r);
  else
    *duration = l->gpu != NULL ? HD_ARRAY_OPEN : l->work->duration(l->work->ctx, kernel, t->blkid);
  return NULL;
}

static void take_cta(struct hd_loop *l, uint32_t smx, const struct hd_dispatch *t) {
  struct hd_resident r;
  uint64_t duration = HD_ARRAY_OPEN;
  bool taken = t->slot < l->o->cfg->ctas_per_smx && !hd_array_full(l->array, smx, t->slot);
  const char *broken = taken ? identify(l, smx, t, &r, &duration) : NULL;
  if (broken != NULL) {
    hd_loop_break_rule(l, broken);
    return;
  }
  if (!taken || !hd_array_take(l->array, l->now, smx, t->slot, &r, duration)) {
    hd_loop_end(l, HD_ORACLE,
                "cycle %" PRIu64 ": SMX %" PRIu32 " receives a TB for slot %u, which is occupied or does not exist",
                l->now, smx, t->slot);
    return;
  }
  l->moved = l->now;
  if (t->restart) return; /* it began earlier */
  const struct hd_warp_tb tb = {
      .kernel = r.kernel, .child = r.child, .item = r.item, .blkid = r.blkid, .family = r.family};
  if (l->gpu != NULL && !hd_gpu_take(l->gpu, l->now, smx, t->slot, &tb, r.warps))
    hd_loop_break_rule(l, "an SMX receives more warps than it can hold");
  if (l->o->launches != NULL && !hd_launches_begin(l->o->launches, smx, &r))
    hd_loop_end(l, HD_INTERNAL, "out of memory for the table of launches");
  if (l->o->taken != NULL) l->o->taken(l->o->watcher, smx, &r);
  uint64_t wait = l->now - r.queued;
  l->wait_sum += wait;
  if (l->o->throttle) hd_loop_count_bound(l, smx, &r);
  if (wait > l->r.wait_max) l->r.wait_max = wait;
  l->r.ctas++;
}

static void see_launches(struct hd_loop *l) {
  bool moved = false;
  const char *broken = hd_launcher_follow(l->launcher, l->now, &l->in, l->out, &moved);
  if (broken != NULL) hd_loop_break_rule(l, broken);
  if (moved) l->moved = l->now;
}

static void see_transfers(struct hd_loop *l) {
  see_ctas_done(l);
  see_kernel_done(l);
  for (uint32_t s = 0; s < l->o->cfg->num_smx; s++)
    if (l->out->dispatch_valid[s] && l->in.dispatch_ready[s]) take_cta(l, s, &l->out->dispatch[s]);
  if (l->launcher != NULL) see_launches(l);
  if (l->out->host_answer_valid) {
    const char *broken = hd_driver_answer(l->driver, &l->out->host_answer);
    if (broken != NULL) hd_loop_break_rule(l, broken);
    l->moved = l->now;
  }
  if (l->in.host_launch_valid && l->out->host_launch_ready) {
    hd_driver_taken(l->driver, l->now);
    l->moved = l->now;
  }
}

/* ---- watching ---- */

static bool ended(const struct hd_loop *l) {
  return hd_driver_reported(l->driver) == hd_driver_kernels(l->driver) && l->work->finished(l->work->ctx) &&
         (l->launcher == NULL || hd_launcher_idle(l->launcher));
}

/* ---- skipping ---- */

/* Sets *next to the first cycle in which an input may change or the loop has to decide whether the run is stuck. There
 * was no transfer in the last cycle, so the inputs stay constant until then. Returns false if they may change at once.
 */
static bool next_change(const struct hd_loop *l, uint64_t *next) {
  uint64_t at = l->moved + l->o->patience + 1, event;
  if (at <= l->now) at = UINT64_MAX; /* judge_quiet() waits for one of the events below */
  if (l->o->take_every > 1 || l->moved + 1 >= l->now) return false;
  if (l->launcher != NULL && !hd_launcher_is_idle(l->launcher, &event)) return false;
  if (l->launcher != NULL && event < at) at = event;
  if (hd_array_next_end(l->array, &event) && event < at) at = event;
  if (l->due < at) at = l->due;
  if (l->o->series != NULL && l->o->series->next < at) at = l->o->series->next;
  if (l->o->max_cycles != 0 && l->o->max_cycles < at) at = l->o->max_cycles;
  *next = at;
  return at > l->now;
}

/* Runs the SMXs ahead, at most to cycle `next` and at most to their first event. Returns the cycle reached. */
static uint64_t run_ahead(struct hd_loop *l, uint64_t next) {
  uint64_t nothing;
  if (!hd_gpu_next(l->gpu, &nothing)) return next;
  return hd_gpu_run(l->gpu, next - l->now < AHEAD ? next : l->now + AHEAD);
}

/* Skips to that cycle if the plane is idle until then, too. */
static void skip(struct hd_loop *l) {
  uint64_t next;
  if (l->o->skip == HD_SKIP_NEVER || !next_change(l, &next) || !hd_sim_is_idle(l->sim)) return;
  if (l->gpu != NULL) next = run_ahead(l, next);
  if (next <= l->now) return;
  uint64_t n = next - l->now;
  if (!hd_sim_skip(l->sim, &l->in, n, l->o->skip == HD_SKIP_CHECKED))
    hd_loop_end(l, HD_INTERNAL, "cycle %" PRIu64 ": %" PRIu64 " skipped cycles give another result than single steps",
                l->now, n);
  if (l->launcher != NULL) hd_launcher_skip(l->launcher, n);
  if (l->o->throttle) hd_loop_count_open(l, n);
  l->now = next;
  l->r.skipped += n;
}

/* Simulates a cycle. Returns false if the run has ended. */
static bool cycle(struct hd_loop *l) {
  const void *out;
  set_inputs(l);
  enum hd_verdict v = hd_sim_cycle(l->sim, &l->in, &out);
  if (v != HD_PASS) {
    hd_loop_end(l, v, "cycle %" PRIu64, l->now);
    return false;
  }
  l->out = out;
  if (l->warps != NULL) hd_loop_watch_warps(l);
  if (l->work->graph != NULL) hd_loop_watch_graph(l);
  see_transfers(l);
  l->now++;
  return true;
}

/* ---- registers, over APB, as a driver accesses them ---- */

static uint64_t read_word(struct hd_loop *l, uint16_t addr) {
  l->in.paddr = addr;
  l->in.psel = 1;
  cycle(l);
  l->in.penable = 1;
  cycle(l);
  l->in.psel = l->in.penable = 0;
  return l->r.verdict == HD_PASS ? l->out->prdata : 0;
}

static void write_word(struct hd_loop *l, uint16_t addr, uint32_t value) {
  l->in.pwrite = 1;
  l->in.pstrb = 0xf;
  l->in.pwdata = value;
  read_word(l, addr);
  l->in.pwrite = l->in.pstrb = 0;
}

/* Sets up the throttle before the first kernel, after the launcher has written its registers. */
static void throttle(struct hd_loop *l) {
  while (l->launcher != NULL && !hd_launcher_ready(l->launcher) && cycle(l)) continue;
  if (l->o->rule.epoch != 0) write_word(l, HD_REG_THROTTLE_EPOCH, l->o->rule.epoch);
  if (l->o->rule.banded) write_word(l, HD_REG_THROTTLE_BAND, l->o->rule.band);
  write_word(l, HD_REG_THROTTLE, 1);
  l->open = l->r.throttle.least = l->o->cfg->num_smx;
  if (l->r.verdict == HD_PASS) hd_loop_count_open(l, l->now);
}

/* Reads the low word first; the counters no longer change. */
static uint64_t read_counter(struct hd_loop *l, uint16_t addr) {
  uint64_t low = read_word(l, addr);
  return low | read_word(l, addr + 4) << 32;
}

/* Reads counters after a few cycles, since an event is counted with a delay. */
static void read_counters(struct hd_loop *l) {
  for (unsigned k = 0; k < 4; k++) cycle(l);
  l->r.counters.group_spills = read_counter(l, HD_REG_GROUP_SPILLS_LO);
  l->r.counters.group_refills = read_counter(l, HD_REG_GROUP_REFILLS_LO);
  l->r.counters.inversions = read_counter(l, HD_REG_INVERSIONS_LO);
  if (l->work->graph == NULL) return;
  l->r.graph.pub_updates = read_counter(l, HD_REG_GRAPH_PUB_LO);
  l->r.graph.early_updates = read_counter(l, HD_REG_GRAPH_EARLY_LO);
  l->r.graph.big_nodes = read_counter(l, HD_REG_GRAPH_BIG_LO);
}

static void run(struct hd_loop *l) {
  if (l->o->throttle) throttle(l);
  while (l->r.verdict == HD_PASS && !ended(l)) {
    if (l->now >= l->due) take_kernels(l);
    if (!cycle(l)) break;
    if (l->o->throttle) hd_loop_count_open(l, 1);
    if (ended(l)) break;
    skip(l);
    hd_loop_watch_fills(l);
    hd_loop_watch(l);
  }
  hd_loop_watch_fills(l);
}

/* At the end of the run, reports every launch that the plane has accepted. */
static void report_launches(struct hd_loop *l) {
  bool good = true;
  for (uint32_t k = 0; good && k < hd_driver_kernels(l->driver); k++) {
    const struct hd_kernel_info *i = hd_driver_kernel(l->driver, k);
    if (i->state != HD_KERNEL_ACCEPTED && i->state != HD_KERNEL_REPORTED) continue;
    const struct hd_launches_row about = {
        .kind = HD_LAUNCHES_HOST, .kernel = k, .stream = i->launch.hwq, .ctas = i->launch.ctas, .queued = i->queued};
    good = hd_launches_add(l->o->launches, l->now, &about);
  }
  if (good && l->launcher != NULL) good = hd_launcher_report(l->launcher, l->now, l->o->launches);
  if (!good) hd_loop_end(l, HD_INTERNAL, "out of memory for the table of launches");
}

struct hd_loop_result hd_loop_run(struct hd_sim *sim, const struct hd_work *work, const struct hd_loop_opts *o) {
  const struct hd_cfg *c = o->cfg;
  struct hd_loop l = {.sim = sim, .work = work, .o = o};
  char text[200] = "out of memory";
  l.driver = hd_driver_new(c);
  l.array = hd_array_new(c->num_smx, c->ctas_per_smx, c->warps_per_smx);
  l.graph_part = hd_sim_part(sim, "dgb.pub");
  l.in.host_answer_ready = l.in.kernel_done_ready = 1;
  l.in.awready = l.in.wready = l.in.arready = 1;
  memset(l.in.dispatch_ready, 1, c->num_smx);
  bool good = l.driver != NULL && l.array != NULL;
  if (good) hd_driver_priorities(l.driver, work->priority);
  if (good && o->launcher != NULL) {
    l.launcher = hd_launcher_new(o->launcher, work, l.array, text, sizeof text);
    good = l.launcher != NULL;
  }
  if (good) good = hd_loop_make_smxs(&l, text, sizeof text);
  if (good)
    run(&l);
  else
    hd_loop_end(&l, l.array != NULL && (o->launcher != NULL || o->gpu != NULL) ? HD_CONFIG : HD_INTERNAL, "%s", text);
  if (l.o->progress && l.shown != 0) fprintf(stderr, "\r\033[K");
  l.r.cycles = l.now;
  if (good && o->launches != NULL) report_launches(&l);
  for (uint32_t s = 0; l.array != NULL && s < c->num_smx; s++) l.r.occupancy[s] = hd_array_occupancy(l.array, s, l.now);
  if (good && l.launcher != NULL && l.r.verdict == HD_PASS) read_counters(&l);
  if (l.driver != NULL) {
    l.r.kernels = hd_driver_kernels(l.driver);
    l.r.refused = hd_driver_refused(l.driver);
  }
  l.r.wait_mean = l.r.ctas != 0 ? (double)l.wait_sum / (double)l.r.ctas : 0;
  if (l.launcher != NULL) {
    l.r.device = hd_launcher_stats(l.launcher);
    l.r.memory = hd_launcher_memory(l.launcher);
    if (work->graph != NULL) l.r.graph.bytes = HD_AXI_BEAT * (l.r.memory.read_beats + l.r.memory.write_beats);
  }
  hd_loop_report_smxs(&l);
  hd_loop_free_smxs(&l);
  hd_launcher_free(l.launcher);
  hd_driver_free(l.driver);
  hd_array_free(l.array);
  return l.r;
}
