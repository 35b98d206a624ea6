/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include <stdio.h>

#include "sim/launcher_inside.h"

const char *hd_launcher_fail(struct hd_launcher *l, const char *what, const char *why) {
  snprintf(l->text, sizeof l->text, "%s: %s", what, why);
  return l->text;
}

static const char *end_tb(struct hd_launcher *l, uint32_t tb) {
  const uint32_t smx = hd_launcher_smx(l, tb), slot = hd_launcher_slot(l, tb);
  return hd_array_end(l->array, smx, slot, l->tb[tb].end) ? NULL : "out of memory";
}

/* If out of memory for the call, the TB never ends, and the loop's watchdog ends the run. */
static void plan_call(struct hd_launcher *l, uint64_t now, uint32_t tb, uint32_t k, const struct hd_work_warp *w) {
  uint64_t due = now + hd_launcher_later(1, w->before + hd_devrt_cycles(&l->rt, w->calls));
  hd_heap_push(&l->calls, (struct hd_event){due, l->order++, tb, k});
}

static bool kth_warp(const struct hd_launcher *l, uint32_t tb, uint32_t k, struct hd_work_warp *w) {
  const struct hd_resident *r = &l->tb[tb].r;
  return l->work->device->warp(l->work->ctx, r->kernel, r->blkid, k, w);
}

static bool each(const struct hd_launcher *l) {
  return l->work->device->sync == HD_SYNC_EACH;
}

uint32_t hd_launcher_plan(struct hd_launcher *l, uint64_t now, uint32_t tb) {
  struct hd_launcher_tb *p = &l->tb[tb];
  struct hd_work_warp w;
  if (l->work->device == NULL) return 0;
  while ((!each(l) || p->left == 0) && kth_warp(l, tb, p->left, &w)) plan_call(l, now, tb, p->left++, &w);
  p->turn = p->left;
  return p->left;
}

const char *hd_launcher_warp_calls(struct hd_launcher *l, uint64_t now, uint32_t smx, uint32_t slot, uint32_t warp) {
  const uint32_t tb = l->tb_at[smx * l->cfg.ctas_per_smx + slot];
  struct hd_work_warp w;
  for (uint32_t k = each(l) ? l->tb[tb].turn++ : 0; kth_warp(l, tb, k, &w); k++) {
    if (w.warp != warp) continue;
    w.before = 0; /* already executed */
    plan_call(l, now, tb, k, &w);
    return NULL;
  }
  return "a warp without launches calls the runtime";
}

/* With HD_SYNC_EACH, schedules the next call. */
const char *hd_launcher_go_on(struct hd_launcher *l, uint64_t now, uint32_t tb) {
  struct hd_launcher_tb *p = &l->tb[tb];
  struct hd_work_warp w;
  p->end = hd_launcher_later(now + 1, p->end);
  if (each(l) && kth_warp(l, tb, p->turn, &w)) {
    plan_call(l, p->end, tb, p->turn++, &w);
    return NULL;
  }
  p->left = 0;
  return end_tb(l, tb);
}

/* After the last warp the TB's end is known, or the TB waits. On SMXs that run warps, the warp continues. */
const char *hd_launcher_answered(struct hd_launcher *l, uint64_t now, uint32_t tb, uint32_t warp, uint64_t after) {
  struct hd_launcher_tb *p = &l->tb[tb];
  if (l->gpu != NULL) {
    hd_gpu_go_on(l->gpu, hd_launcher_smx(l, tb), hd_launcher_slot(l, tb), warp, now + 1);
    return NULL;
  }
  p->end = hd_launcher_later(now + hd_launcher_later(1, after), p->end);
  if (!each(l) && --p->left != 0) return NULL;
  return hd_launcher_syncs(l) ? hd_launcher_wait(l, now, tb) : end_tb(l, tb);
}

/* All threads of the warp do the work that they would have launched. */
static const char *do_alone(struct hd_launcher *l, uint64_t now, uint32_t tb, const struct hd_work_warp *w) {
  uint64_t after = w->after;
  for (uint32_t k = 0; k < w->calls; k++) {
    l->work->device->alone(l->work->ctx, l->tb[tb].r.kernel, w->call[k].item);
    after = hd_launcher_later(after, w->call[k].alone);
  }
  l->alone += w->calls;
  return hd_launcher_answered(l, now, tb, w->warp, after);
}

static uint32_t free_caller(struct hd_launcher *l) {
  while (l->caller[l->caller_next].tb != HD_LAUNCHER_NONE) l->caller_next = (l->caller_next + 1) % l->callers;
  return l->caller_next;
}

static const char *note_children(struct hd_launcher *l, const struct hd_work_warp *w, uint32_t caller, uint64_t called,
                                 const struct hd_devlaunch *beat, uint32_t *first) {
  struct hd_launcher_tb *p = &l->tb[l->caller[caller].tb];
  uint32_t level = p->level + 1 < l->cfg.max_level ? p->level + 1 : l->cfg.max_level;
  p->open += w->calls;
  for (uint32_t k = 0; k < w->calls; k++) {
    struct hd_child *child;
    uint32_t number = hd_children_add(l->children, &beat[k], (uint8_t)level, &child);
    if (child == NULL) return "out of memory";
    if (k == 0) *first = number;
    child->kernel = p->r.kernel;
    child->family = p->r.family;
    child->parent = l->caller[caller].tb;
    child->smx = p->place / l->cfg.ctas_per_smx;
    child->item = w->call[k].item;
    child->alone = w->call[k].alone;
    child->caller = caller;
    child->called = called;
    l->work->device->launched(l->work->ctx, p->r.kernel, w->call[k].item);
  }
  return NULL;
}

const char *hd_launcher_call(struct hd_launcher *l, uint64_t now, uint32_t tb, uint32_t k) {
  const struct hd_launcher_tb *p = &l->tb[tb];
  uint32_t smx = hd_launcher_smx(l, tb), first = 0;
  struct hd_devlaunch beat[HD_DEVICE_LANES];
  struct hd_work_warp w;
  bool stored = false;
  w.child = NULL; /* default, which the workload may change */
  kth_warp(l, tb, k, &w);
  if (w.warp >= p->warps) return "a launch by a warp that its TB does not have";
  const struct hd_device_warp dw = {
      .smx = smx, .slot = hd_launcher_slot(l, tb), .hwtid = 32u * p->warp[w.warp], .level = p->level};
  const struct hd_device_call *child = w.child != NULL ? w.child : &l->work->device->child;
  enum hd_device_code code = hd_devrt_command(&l->rt, &dw, child, &w, p->r.kernel, beat, &stored);
  if (code == HD_DEVICE_NO_BUFFER || code == HD_DEVICE_NO_RECORD) return do_alone(l, now, tb, &w);
  if (code != HD_DEVICE_OK) return hd_launcher_fail(l, "a launch of the workload", hd_device_text(code));
  uint32_t caller = free_caller(l);
  l->caller[caller] = (struct hd_launcher_caller){tb, w.warp, w.calls, w.after};
  const char *broken = note_children(l, &w, caller, now - hd_devrt_cycles(&l->rt, w.calls), beat, &first);
  if (broken != NULL) return broken;
  return stored && hd_commands_push(l->commands, smx, beat, w.calls, first) ? NULL : "out of memory";
}
