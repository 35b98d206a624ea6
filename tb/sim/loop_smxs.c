/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The SMXs of the loop that run warps: their warp schedulers, and the throttle before all. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/loop_inside.h"

static bool make_gpu(struct hd_loop *l, char *text, size_t text_size) {
  const struct hd_cfg *c = l->o->cfg;
  l->gpu = hd_gpu_new(l->o->gpu, c->num_smx, c->ctas_per_smx, c->warps_per_smx, l->work->warps, l->work->ctx, text,
                      text_size);
  if (l->gpu == NULL) return false;
  if (l->launcher != NULL) hd_launcher_on(l->launcher, l->gpu);
  if (l->o->warps == NULL) return true;
  l->warps = hd_warps_new(l->o->warps, c, text, text_size);
  if (l->warps == NULL) return false;
  const struct hd_choice choice = hd_warps_choice(l->warps);
  snprintf(text, text_size, "out of memory");
  return hd_gpu_clock(l->gpu, &choice);
}

bool hd_loop_make_smxs(struct hd_loop *l, char *text, size_t text_size) {
  if (l->o->gpu != NULL && !make_gpu(l, text, text_size)) return false;
  if (l->o->gate == NULL) return true;
  const bool binds = l->launcher != NULL && hd_launcher_binds(l->launcher);
  l->gate = hd_gate_new(l->o->gate, l->o->cfg, binds, text, text_size);
  return l->gate != NULL;
}

void hd_loop_free_smxs(struct hd_loop *l) {
  hd_gate_free(l->gate);
  hd_warps_free(l->warps);
  hd_gpu_free(l->gpu);
}

void hd_loop_watch_warps(struct hd_loop *l) {
  char text[400];
  const enum hd_verdict v = hd_warps_verdict(l->warps, text, sizeof text);
  if (v != HD_PASS) hd_loop_end(l, v, "cycle %" PRIu64 ": %s", l->now, text);
}

/* ---- the throttle ---- */

void hd_loop_gate_drive(struct hd_loop *l) {
  if (l->o->take_every <= 1) memset(l->in.dispatch_ready, 1, l->o->cfg->num_smx);
  hd_gate_drive(l->gate, l->in.dispatch_ready);
}

static bool bound(void *ctx, uint32_t smx, const struct hd_dispatch *t) {
  const struct hd_loop *l = ctx;
  return l->launcher != NULL && hd_launcher_bound(l->launcher, smx, t);
}

static void judge(struct hd_loop *l, enum hd_verdict v) {
  if (v != HD_PASS) hd_loop_end(l, v, "cycle %" PRIu64 ": the throttle", l->now);
}

void hd_loop_gate_follow(struct hd_loop *l) {
  uint64_t dram_full = 0, icnt2sm = 0;
  if (!hd_gate_contention(l->gate, l->now, &dram_full, &icnt2sm) && l->gpu != NULL)
    hd_gpu_contention(l->gpu, &dram_full, &icnt2sm);
  judge(l, hd_gate_follow(l->gate, l->now, &l->in, l->out, dram_full, icnt2sm, bound, l));
}

void hd_loop_gate_skip(struct hd_loop *l, uint64_t n) {
  judge(l, hd_gate_skip(l->gate, n));
}

void hd_loop_tell_smxs(struct hd_loop *l) {
  if (l->gate != NULL) l->r.gate = hd_gate_counts(l->gate);
  if (l->warps != NULL) l->r.starved = hd_warps_starved(l->warps);
  if (l->gpu == NULL) return;
  l->r.gpu = hd_gpu_counts(l->gpu);
  l->r.gpu_memory = hd_gpu_memory(l->gpu);
  if (l->o->gpu->footprint && !hd_gpu_footprint(l->gpu, &l->r.footprint))
    hd_loop_end(l, HD_INTERNAL, "out of memory for the footprints of TBs");
}
