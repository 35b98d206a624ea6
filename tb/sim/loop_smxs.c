/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* SMXs that run warps in the loop: their warp schedulers, and the contention inputs of the plane's throttle. */
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
  return l->o->gpu == NULL || make_gpu(l, text, text_size);
}

void hd_loop_free_smxs(struct hd_loop *l) {
  hd_warps_free(l->warps);
  hd_gpu_free(l->gpu);
}

void hd_loop_watch_warps(struct hd_loop *l) {
  char text[400];
  const enum hd_verdict v = hd_warps_verdict(l->warps, text, sizeof text);
  l->r.warps_differ = v == HD_MISMATCH;
  if (v != HD_PASS) hd_loop_end(l, v, "cycle %" PRIu64 ": %s", l->now, text);
}

/* ---- the throttle ---- */

void hd_loop_drive_contention(struct hd_loop *l) {
  uint64_t dram_full, icnt2sm;
  hd_gpu_contention(l->gpu, &dram_full, &icnt2sm);
  l->in.cycles = (uint32_t)l->now;
  l->in.dram_full = (uint32_t)dram_full;
  l->in.icnt2sm = (uint32_t)icnt2sm;
}

void hd_loop_count_open(struct hd_loop *l, uint64_t cycles) {
  struct hd_loop_throttle *t = &l->r.throttle;
  const uint32_t n = l->out->open_count;
  t->closes += n < l->open;
  t->opens += n > l->open;
  t->open_sum += cycles * n;
  if (n < t->least) t->least = n;
  l->open = n;
}

void hd_loop_count_bound(struct hd_loop *l, uint32_t smx, const struct hd_resident *r) {
  const uint32_t cluster = l->o->cfg->smx_per_cluster;
  if (smx < l->out->open_count || r->child == 0 || !hd_launcher_binds(l->launcher)) return;
  l->r.throttle.bound += r->from_smx / cluster == smx / cluster;
}

void hd_loop_report_smxs(struct hd_loop *l) {
  if (l->warps != NULL) {
    l->r.starved = hd_warps_starved(l->warps);
    l->r.warps_compared = hd_warps_compared(l->warps);
  }
  if (l->gpu == NULL) return;
  l->r.gpu = hd_gpu_counts(l->gpu);
  l->r.gpu_memory = hd_gpu_memory(l->gpu);
  if (l->o->gpu->footprint && !hd_gpu_footprint(l->gpu, &l->r.footprint))
    hd_loop_end(l, HD_INTERNAL, "out of memory for the footprints of TBs");
}
