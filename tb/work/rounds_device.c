/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Launches by TBs of a workload in rounds. A child is identified by its parent's place in the list. */
#include "work/rounds_inside.h"

static void plan_warp(const struct hd_rounds *r, const struct hd_rounds_problem *p, uint32_t from, uint32_t to,
                      struct hd_work_warp *w) {
  w->before = r->o.overhead;
  w->after = hd_rounds_warp_walk(r, p, from, to);
  w->calls = 0;
  for (uint32_t i = from; i < to; i++) {
    struct hd_rounds_split s = hd_rounds_split(r, p, i);
    if (s.ctas == 0) continue;
    w->call[w->calls++] = (struct hd_work_call){
        .lane = i - from, .item = i, .ctas = s.ctas, .alone = hd_rounds_walk(r, p, i, s.from, s.to)};
  }
}

static bool device_warp(void *ctx, uint32_t kernel, uint32_t blkid, uint32_t k, struct hd_work_warp *w) {
  struct hd_rounds *r = ctx;
  uint32_t from, to;
  const struct hd_rounds_problem *p = hd_rounds_slice(r, kernel, blkid, &from, &to);
  for (uint32_t i = from; i < to; i += HD_WARP_LANES) {
    const uint32_t end = hd_lesser(i + HD_WARP_LANES, to);
    if (!hd_rounds_launch(p, i, end) || k-- != 0) continue;
    w->warp = (i - from) / HD_WARP_LANES;
    plan_warp(r, p, i, end, w);
    return true;
  }
  return false;
}

/* Returns the first element of a TB of a child; its elements end before *to. */
static uint64_t child_slice(const struct hd_rounds *r, const struct hd_rounds_problem *p, uint32_t item, uint32_t blkid,
                            uint64_t *to) {
  struct hd_rounds_split s = hd_rounds_split(r, p, item);
  uint64_t from = s.from + (uint64_t)blkid * r->o.child_size;
  *to = from + r->o.child_size < s.own ? from + r->o.child_size : s.own;
  return from;
}

static uint64_t device_duration(void *ctx, uint32_t kernel, uint32_t item, uint32_t blkid) {
  const struct hd_rounds *r = ctx;
  const struct hd_rounds_problem *p = &r->problem[r->of_kernel[kernel]];
  uint64_t to, most = 1;
  struct hd_rounds_at at = hd_rounds_at(r, p, item, child_slice(r, p, item, blkid, &to));
  for (; r->kind->turns != NULL && at.element < to; at.element++) {
    uint32_t turns = hd_rounds_turns(r, &at);
    if (turns > most) most = turns;
  }
  uint64_t cycles = r->o.overhead + most * r->o.cycles_per_element;
  return cycles != 0 ? cycles : 1;
}

static void device_launched(void *ctx, uint32_t kernel, uint32_t item) {
  struct hd_rounds *r = ctx;
  (void)item;
  r->problem[r->of_kernel[kernel]].children++;
}

static void device_cta_done(void *ctx, uint32_t kernel, uint32_t item, uint32_t blkid) {
  struct hd_rounds *r = ctx;
  const struct hd_rounds_problem *p = &r->problem[r->of_kernel[kernel]];
  if (r->o.warps) return;
  uint64_t to, from = child_slice(r, p, item, blkid, &to);
  hd_rounds_visit(r, p, item, from, to);
}

static void device_alone(void *ctx, uint32_t kernel, uint32_t item) {
  struct hd_rounds *r = ctx;
  struct hd_rounds_problem *p = &r->problem[r->of_kernel[kernel]];
  struct hd_rounds_split s = hd_rounds_split(r, p, item);
  if (r->o.warps)
    hd_bit_set(p->alone, item);
  else
    hd_rounds_visit(r, p, item, s.from, s.own);
}

static void device_ended(void *ctx, uint64_t now, uint32_t kernel, uint32_t item) {
  struct hd_rounds *r = ctx;
  uint32_t k = r->of_kernel[kernel];
  (void)item;
  r->problem[k].children--;
  hd_rounds_end(r, now, k);
}

struct hd_work_device hd_rounds_device(const struct hd_rounds *r) {
  return (struct hd_work_device){.child = {.cta = {r->o.child_size, 1, 1},
                                           .regs = r->o.regs,
                                           .smem_bytes = r->o.smem * 256,
                                           .pc = HD_ROUNDS_CHILD_PC},
                                 .sync = r->o.sync ? HD_SYNC_END : HD_SYNC_NEVER,
                                 .warp = device_warp,
                                 .duration = device_duration,
                                 .launched = device_launched,
                                 .alone = device_alone,
                                 .cta_done = device_cta_done,
                                 .ended = device_ended};
}
