/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* TBs that wait for their children, saved or in their slots. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/runtime.h"
#include "sim/launcher_inside.h"

/* Memory of the SMXs: contexts are in the upper half of its addresses. */
enum { LINE_BYTES = HD_LINE_BYTES, SMEM_UNIT = 256 };
#define FIRST_LINE (UINT32_C(1) << 31)

/* Returns the lines of a context. A register of a warp is one line. On timers the waiting warps are those that have
 * launched. */
static uint32_t lines_of(const struct hd_launcher *l, uint32_t tb) {
  const struct hd_launcher_tb *p = &l->tb[tb];
  uint32_t warps = l->work->device->sync == HD_SYNC_EACH ? 1 : p->turn;
  if (l->gpu != NULL) warps = hd_gpu_waiting(l->gpu, hd_launcher_smx(l, tb), hd_launcher_slot(l, tb));
  return warps * p->r.regs + p->r.smem * SMEM_UNIT / LINE_BYTES;
}

static uint32_t first_line(const struct hd_launcher *l, uint32_t tb) {
  return FIRST_LINE + (uint32_t)(tb * (l->rt.context_bytes / LINE_BYTES));
}

static bool saves(const struct hd_launcher *l) {
  return !l->rt.o.spin && l->rt.o.kind == HD_KIND_KERNEL;
}

static const char *plan(struct hd_launcher *l, uint64_t due, uint32_t tb, uint32_t part) {
  return hd_heap_push(&l->calls, (struct hd_event){due, l->order++, tb, part}) ? NULL : "out of memory";
}

static const char *end_wait(struct hd_launcher *l, uint64_t now, uint32_t tb) {
  l->tb[tb].state = HD_LAUNCHER_RUNS;
  if (l->gpu == NULL) return hd_launcher_go_on(l, now, tb);
  hd_gpu_end_wait(l->gpu, hd_launcher_smx(l, tb), hd_launcher_slot(l, tb), now + 1);
  return NULL;
}

/* ---- save ---- */

const char *hd_launcher_wait(struct hd_launcher *l, uint64_t now, uint32_t tb) {
  struct hd_launcher_tb *p = &l->tb[tb];
  if (p->open == 0) return end_wait(l, now, tb);
  p->state = HD_LAUNCHER_IDLE;
  if (!saves(l)) return NULL;
  return l->gpu != NULL ? hd_launcher_idles(l, now, tb) : plan(l, p->end, tb, HD_LAUNCHER_WAITS);
}

const char *hd_launcher_tb_waits(struct hd_launcher *l, uint64_t now, uint32_t smx, uint32_t slot) {
  return hd_launcher_wait(l, now, l->tb_at[smx * l->cfg.ctas_per_smx + slot]);
}

const char *hd_launcher_idles(struct hd_launcher *l, uint64_t now, uint32_t tb) {
  struct hd_launcher_tb *p = &l->tb[tb];
  if (p->state != HD_LAUNCHER_IDLE) return NULL; /* its children have ended already */
  p->state = HD_LAUNCHER_STORES;
  p->since = now;
  const uint32_t lines = p->lines = lines_of(l, tb);
  if (l->gpu == NULL)
    return plan(l, now + hd_launcher_later(1, (uint64_t)lines * l->rt.o.context_cycles), tb, HD_LAUNCHER_MOVED);
  hd_gpu_move(l->gpu, hd_launcher_smx(l, tb), hd_launcher_slot(l, tb), true, first_line(l, tb), lines, now + 1);
  return NULL;
}

static const char *ask(struct hd_launcher *l, uint32_t tb) {
  struct hd_launcher_tb *p = &l->tb[tb];
  struct hd_devlaunch beat;
  const uint32_t smx = hd_launcher_smx(l, tb);
  const struct hd_device_warp w = {
      .smx = smx, .slot = hd_launcher_slot(l, tb), .hwtid = 32u * p->warp[0], .level = p->level};
  enum hd_device_code code = hd_device_save(l->rt.device, &w, l->rt.contexts + tb * l->rt.context_bytes, &beat);
  if (code != HD_DEVICE_OK) return hd_launcher_fail(l, "a TB saves itself", hd_device_text(code));
  p->state = HD_LAUNCHER_SAVE_QUERY;
  return hd_commands_push(l->commands, smx, &beat, 1, tb) ? NULL : "out of memory";
}

static const char *leave(struct hd_launcher *l, uint64_t now, uint32_t tb) {
  struct hd_launcher_tb *p = &l->tb[tb];
  const uint32_t smx = hd_launcher_smx(l, tb), slot = hd_launcher_slot(l, tb);
  p->state = HD_LAUNCHER_LEAVES;
  l->save.saves++;
  l->save.save_cycles += now - p->since;
  p->since = now;
  if (l->gpu != NULL) {
    p->kept = malloc(hd_gpu_kept(l->gpu));
    if (p->kept == NULL) return "out of memory";
    hd_gpu_leave(l->gpu, smx, slot, p->kept);
  }
  return hd_array_end(l->array, smx, slot, now + 1) ? NULL : "out of memory";
}

const char *hd_launcher_saved(struct hd_launcher *l, uint64_t now, uint32_t tb, const struct hd_devanswer *a) {
  if (a->code == HD_CODE_ACCEPTED) return leave(l, now, tb);
  if (a->code != HD_CODE_REFUSED) return hd_launcher_fail(l, "the answer to a save", hd_code_text(a->code));
  l->save.refused++;
  if (l->tb[tb].open == 0) return end_wait(l, now, tb);
  l->tb[tb].state = HD_LAUNCHER_IDLE;
  return NULL;
}

/* ---- restart ---- */

/* Checks the rules of a restart; *tb: the restarted TB. */
static const char *check(const struct hd_launcher *l, const struct hd_dispatch *t, uint32_t *tb) {
  const uint64_t at = t->desc.param - l->rt.contexts, number = at / l->rt.context_bytes;
  struct hd_desc desc = t->desc;
  if (t->desc.param < l->rt.contexts || at % l->rt.context_bytes != 0 || number >= l->tbs)
    return "a TB is restarted with an invalid context";
  *tb = (uint32_t)number;
  const struct hd_launcher_tb *p = &l->tb[*tb];
  if (p->state != HD_LAUNCHER_AWAY) return "a TB that is not saved is restarted";
  desc.param = p->desc.param;
  if (memcmp(&desc, &p->desc, sizeof desc) != 0) return "a restarted TB's dimensions or PC differ from before";
  if (t->level != p->level || t->group) return "a restarted TB has another level, or an AGE";
  return p->open != 0 ? "a TB is restarted before all its launches have ended" : NULL;
}

const char *hd_launcher_take_back(struct hd_launcher *l, uint64_t now, uint32_t smx, const struct hd_dispatch *t,
                                  struct hd_resident *r) {
  uint32_t tb = 0;
  const char *broken = check(l, t, &tb);
  if (broken != NULL) return broken;
  struct hd_launcher_tb *p = &l->tb[tb];
  l->save.restarts++;
  l->save.away_cycles += now - p->since;
  p->since = p->r.queued = p->r.dispatched = now;
  p->state = HD_LAUNCHER_LOADS;
  *r = p->r;
  hd_launcher_settle(l, tb, smx * l->cfg.ctas_per_smx + t->slot, p->r.warps);
  const uint64_t dispatch = l->rt.o.latency.dispatch, lines = p->lines;
  if (l->gpu == NULL)
    return plan(l, now + hd_launcher_later(1, dispatch + l->rt.o.memory_latency + lines * l->rt.o.context_cycles), tb,
                HD_LAUNCHER_MOVED);
  const struct hd_warp_tb w = {.kernel = r->kernel, .blkid = r->blkid, .family = r->family};
  bool room = hd_gpu_take_back(l->gpu, now, smx, t->slot, &w, p->kept);
  free(p->kept);
  p->kept = NULL;
  if (!room) return "an SMX receives more warps than it can hold";
  hd_gpu_move(l->gpu, smx, t->slot, false, first_line(l, tb), (uint32_t)lines, now + 2 + dispatch);
  return NULL;
}

/* ---- contexts and children ---- */

const char *hd_launcher_moved(struct hd_launcher *l, uint64_t now, uint32_t tb) {
  struct hd_launcher_tb *p = &l->tb[tb];
  l->save.lines += p->lines;
  if (p->state == HD_LAUNCHER_LOADS) {
    l->save.load_cycles += now - p->since;
    l->save.late_cycles += now - p->last;
    return end_wait(l, now, tb);
  }
  if (p->open != 0) return ask(l, tb);
  l->save.dropped++;
  return end_wait(l, now, tb);
}

const char *hd_launcher_tb_moved(struct hd_launcher *l, uint64_t now, uint32_t smx, uint32_t slot) {
  return hd_launcher_moved(l, now, l->tb_at[smx * l->cfg.ctas_per_smx + slot]);
}

const char *hd_launcher_child_ended(struct hd_launcher *l, uint64_t now, uint32_t tb) {
  struct hd_launcher_tb *p = &l->tb[tb];
  if (!hd_launcher_syncs(l) || --p->open != 0) return NULL;
  p->last = now;
  return p->state == HD_LAUNCHER_IDLE ? end_wait(l, now, tb) : NULL;
}
