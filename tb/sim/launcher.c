/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "sim/launcher.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/fit.h"
#include "sim/launcher_inside.h"

/* ---- creation ---- */

static bool make_parts(struct hd_launcher *l) {
  const struct hd_cfg *c = &l->cfg;
  l->callers = c->num_smx * c->warps_per_smx;
  l->commands = hd_commands_new(c->num_smx);
  l->children = hd_children_new(c, &l->rt.at);
  l->tb_at = calloc((size_t)c->num_smx * c->ctas_per_smx, sizeof *l->tb_at);
  l->caller = calloc(l->callers, sizeof *l->caller);
  l->busy = calloc(c->num_smx, sizeof *l->busy);
  if (l->commands == NULL || l->children == NULL || l->tb_at == NULL || l->caller == NULL || l->busy == NULL)
    return false;
  for (uint32_t i = 0; i < l->callers; i++) l->caller[i].tb = HD_LAUNCHER_NONE;
  return true;
}

struct hd_launcher *hd_launcher_new(const struct hd_launcher_opts *o, const struct hd_work *work,
                                    struct hd_array *array, char *text, size_t text_size) {
  struct hd_launcher *l = calloc(1, sizeof *l);
  snprintf(text, text_size, "out of memory");
  if (l == NULL) return NULL;
  *l = (struct hd_launcher){.cfg = *o->cfg, .work = work, .array = array};
  if (hd_devrt_init(&l->rt, o, work->graph, text, text_size) && make_parts(l)) return l;
  hd_launcher_free(l);
  return NULL;
}

void hd_launcher_free(struct hd_launcher *l) {
  if (l == NULL) return;
  hd_devrt_free(&l->rt);
  hd_commands_free(l->commands);
  hd_children_free(l->children);
  hd_heap_free(&l->calls);
  for (uint32_t k = 0; k < l->tbs; k++) free(l->tb[k].kept);
  free(l->tb);
  free(l->tb_at);
  free(l->caller);
  free(l->busy);
  free(l);
}

void hd_launcher_on(struct hd_launcher *l, struct hd_gpu *gpu) {
  l->gpu = gpu;
}

/* ---- TBs ---- */

static uint32_t place_of(const struct hd_launcher *l, uint32_t smx, uint32_t slot) {
  return smx * l->cfg.ctas_per_smx + slot;
}

void hd_launcher_settle(struct hd_launcher *l, uint32_t tb, uint32_t place, uint32_t warps) {
  const uint32_t smx = place / l->cfg.ctas_per_smx;
  struct hd_launcher_tb *p = &l->tb[tb];
  l->tb_at[place] = tb;
  p->place = place;
  p->warps = 0;
  for (uint32_t w = 0; w < l->cfg.warps_per_smx && p->warps < warps; w++) {
    if (l->busy[smx] >> w & 1) continue;
    l->busy[smx] |= UINT64_C(1) << w;
    p->warp[p->warps++] = (uint8_t)w;
  }
}

/* Returns the lowest free number; HD_LAUNCHER_NONE: out of memory. */
static uint32_t new_tb(struct hd_launcher *l) {
  while (l->tbs_free < l->tbs && l->tb[l->tbs_free].state != HD_LAUNCHER_FREE) l->tbs_free++;
  if (l->tbs_free < l->tbs) return l->tbs_free++;
  if (l->tbs == l->tbs_room) {
    const uint32_t room = l->tbs_room != 0 ? 2 * l->tbs_room : 64;
    struct hd_launcher_tb *grown = realloc(l->tb, room * sizeof *grown);
    if (grown == NULL) return HD_LAUNCHER_NONE;
    l->tb = grown;
    l->tbs_room = room;
  }
  l->tbs_free = l->tbs + 1;
  return l->tbs++;
}

uint64_t hd_launcher_take(struct hd_launcher *l, uint64_t now, uint32_t smx, const struct hd_dispatch *t,
                          const struct hd_resident *r) {
  const uint32_t tb = new_tb(l);
  uint64_t duration = l->gpu != NULL ? HD_ARRAY_OPEN : l->work->duration(l->work->ctx, r->kernel, r->blkid);
  if (tb == HD_LAUNCHER_NONE) return HD_ARRAY_OPEN; /* the TB never ends, and the loop's watchdog ends the run */
  l->tb[tb] = (struct hd_launcher_tb){
      .state = HD_LAUNCHER_RUNS, .r = *r, .desc = t->desc, .level = t->level, .end = now + duration};
  hd_launcher_settle(l, tb, place_of(l, smx, t->slot), r->warps);
  if (l->gpu != NULL) return HD_ARRAY_OPEN;
  return hd_launcher_plan(l, now, tb) != 0 ? HD_ARRAY_OPEN : duration;
}

bool hd_launcher_leaves(const struct hd_launcher *l, uint32_t smx, uint32_t slot) {
  return l->tb[l->tb_at[place_of(l, smx, slot)]].state == HD_LAUNCHER_LEAVES;
}

bool hd_launcher_is_child(const struct hd_launcher *l, const struct hd_dispatch *t) {
  return hd_children_has(l->children, t->desc.param);
}

bool hd_launcher_binds(const struct hd_launcher *l) {
  return l->rt.o.policy == HD_POLICY_SMX_BIND || l->rt.o.policy == HD_POLICY_ADAPTIVE_BIND;
}

const char *hd_launcher_take_child(struct hd_launcher *l, uint64_t now, uint32_t smx, const struct hd_dispatch *t,
                                   struct hd_resident *r, uint64_t *duration) {
  uint32_t child = 0, tb = new_tb(l);
  if (tb == HD_LAUNCHER_NONE) return "out of memory";
  l->tb[tb] = (struct hd_launcher_tb){.state = HD_LAUNCHER_RUNS};
  const char *broken = hd_children_handed_out(l->children, now, smx, t, &child);
  if (broken != NULL) return broken;
  const struct hd_child *k = hd_children_get(l->children, child);
  *r = (struct hd_resident){.kernel = k->kernel,
                            .child = child + 1,
                            .item = k->item,
                            .blkid = t->blkid,
                            .warps = hd_fit_warps(k->launch.threads),
                            .family = k->family,
                            .from_smx = k->smx,
                            .from_slot = k->launch.slot,
                            .queued = k->offered,
                            .dispatched = now};
  hd_launcher_settle(l, tb, place_of(l, smx, t->slot), r->warps);
  *duration = l->gpu != NULL ? HD_ARRAY_OPEN : l->work->device->duration(l->work->ctx, k->kernel, k->item, t->blkid);
  return NULL;
}

const char *hd_launcher_cta_done(struct hd_launcher *l, uint64_t now, uint32_t smx, uint32_t slot,
                                 const struct hd_resident *r) {
  const uint32_t tb = l->tb_at[place_of(l, smx, slot)];
  struct hd_launcher_tb *p = &l->tb[tb];
  for (uint32_t i = 0; i < p->warps; i++) l->busy[smx] &= ~(UINT64_C(1) << p->warp[i]);
  p->place = HD_LAUNCHER_NONE;
  p->state = p->state == HD_LAUNCHER_LEAVES ? HD_LAUNCHER_AWAY : HD_LAUNCHER_FREE;
  if (p->state == HD_LAUNCHER_FREE && tb < l->tbs_free) l->tbs_free = tb;
  if (r->child == 0) return NULL;
  const struct hd_child *k = hd_children_get(l->children, r->child - 1);
  bool ended = false;
  l->work->device->cta_done(l->work->ctx, k->kernel, k->item, r->blkid);
  const char *broken = hd_children_cta_done(l->children, r->child - 1, &ended);
  if (broken != NULL || !ended) return broken;
  l->work->device->ended(l->work->ctx, now, k->kernel, k->item);
  enum hd_device_code code = hd_device_put_buffer(l->rt.device, k->launch.desc.param);
  if (code != HD_DEVICE_OK) return hd_launcher_fail(l, "the parameters of a child", hd_device_text(code));
  return hd_launcher_child_ended(l, now, k->parent);
}

const char *hd_launcher_kernel_done(struct hd_launcher *l, uint32_t kernel) {
  return hd_children_kernel_done(l->children, kernel);
}

/* ---- cycles ---- */

bool hd_launcher_ready(const struct hd_launcher *l) {
  return l->ready;
}

static void drive_apb(struct hd_launcher *l, struct hd_top_in *in) {
  struct hd_apb pins;
  l->ready = !hd_device_apb(&l->rt.at, l->apb_step++, &pins);
  in->psel = pins.psel;
  in->penable = pins.penable;
  in->pwrite = pins.pwrite;
  in->pstrb = pins.pstrb;
  in->paddr = pins.paddr;
  in->pwdata = pins.pwdata;
}

static void drive_commands(struct hd_launcher *l, uint64_t now, struct hd_top_in *in) {
  for (uint32_t s = 0; s < l->cfg.num_smx; s++) {
    bool first_time = false;
    const struct hd_beat *b = hd_commands_offer(l->commands, s, &first_time);
    if (b == NULL && !in->dev_launch_valid[s]) continue;
    in->dev_launch_valid[s] = b != NULL;
    if (b != NULL)
      in->dev_launch[s] = b->launch;
    else
      memset(&in->dev_launch[s], 0, sizeof in->dev_launch[s]);
    if (first_time && b->launch.kind != HD_KIND_SAVE) hd_children_get(l->children, b->owner)->offered = now;
  }
}

const char *hd_launcher_drive(struct hd_launcher *l, uint64_t now, struct hd_top_in *in) {
  struct hd_axi_response notice;
  if (!l->ready) drive_apb(l, in);
  while (hd_heap_due(&l->calls, now)) {
    struct hd_event e = hd_heap_pop(&l->calls);
    const char *broken = e.part == HD_LAUNCHER_WAITS   ? hd_launcher_idles(l, now, e.what)
                         : e.part == HD_LAUNCHER_MOVED ? hd_launcher_moved(l, now, e.what)
                                                       : hd_launcher_call(l, now, e.what, e.part);
    if (broken != NULL) return broken;
  }
  if (hd_commands_open(l->commands) != 0) drive_commands(l, now, in);
  memset(in->dev_answer_ready, 1, l->cfg.num_smx);
  in->record_done_ready = 1;
  hd_axi_mem_drive(l->rt.memory, &notice);
  HD_AXI_INTO(in, &notice);
  return NULL;
}

static const char *take_answer(struct hd_launcher *l, uint64_t now, uint32_t smx, const struct hd_devanswer *a) {
  const struct hd_beat *b = hd_commands_answered(l->commands, smx);
  if (b == NULL) return "an answer to an SMX that has no open request";
  enum hd_device_code code = hd_device_answered(l->rt.device, &b->launch, a);
  if (code != HD_DEVICE_OK) return hd_launcher_fail(l, "an answer to a launch from the device", hd_device_text(code));
  if (b->launch.kind == HD_KIND_SAVE) return hd_launcher_saved(l, now, b->owner, a);
  const char *broken = hd_children_answer(l->children, b->owner, a);
  if (broken != NULL) return broken;
  const struct hd_child *k = hd_children_get(l->children, b->owner);
  struct hd_launcher_caller *c = &l->caller[k->caller];
  if (k->state == HD_CHILD_FAILED) {
    l->alone++;
    l->refused++;
    if (hd_launcher_syncs(l)) l->tb[k->parent].open--;
    l->work->device->alone(l->work->ctx, k->kernel, k->item);
    l->work->device->ended(l->work->ctx, now, k->kernel, k->item);
    hd_device_put_buffer(l->rt.device, k->launch.desc.param);
    c->after = hd_launcher_later(c->after, k->alone);
  }
  if (--c->left != 0) return NULL;
  uint32_t tb = c->tb;
  c->tb = HD_LAUNCHER_NONE;
  return hd_launcher_answered(l, now, tb, c->warp, c->after);
}

const char *hd_launcher_follow(struct hd_launcher *l, uint64_t now, const struct hd_top_in *in,
                               const struct hd_top_out *out, bool *moved) {
  const struct hd_axi_request asked = HD_AXI_FROM(out);
  const char *broken = hd_axi_mem_follow(l->rt.memory, &asked);
  if (asked.arvalid || asked.awvalid || asked.wvalid || in->rvalid || in->bvalid) *moved = true;
  if (out->record_done_valid && broken == NULL) {
    enum hd_device_code code = hd_device_record_done(l->rt.device, out->record_done);
    if (code != HD_DEVICE_OK) broken = hd_launcher_fail(l, "a record is returned", hd_device_text(code));
    *moved = true;
  }
  if (hd_commands_open(l->commands) == 0 && broken == NULL) {
    for (uint32_t s = 0; s < l->cfg.num_smx; s++)
      if (out->dev_answer_valid[s]) return "an answer to an SMX that has no open request";
    return NULL;
  }
  for (uint32_t s = 0; s < l->cfg.num_smx && broken == NULL; s++) {
    if (out->dev_answer_valid[s]) {
      broken = take_answer(l, now, s, &out->dev_answer[s]);
      *moved = true;
    }
    if (in->dev_launch_valid[s] && out->dev_launch_ready[s]) {
      hd_commands_taken(l->commands, s);
      *moved = true;
    }
  }
  return broken;
}

/* ---- reports ---- */

bool hd_launcher_idle(const struct hd_launcher *l) {
  return l->calls.n == 0 && hd_commands_open(l->commands) == 0 && hd_children_open(l->children) == 0 &&
         hd_device_records_out(l->rt.device) == 0;
}

bool hd_launcher_next(const struct hd_launcher *l, uint64_t *cycle) {
  if (l->calls.n > 0) *cycle = l->calls.event[0].cycle;
  return l->calls.n > 0;
}

bool hd_launcher_is_idle(const struct hd_launcher *l, uint64_t *next) {
  uint64_t call;
  if (!l->ready || !hd_axi_mem_is_idle(l->rt.memory, next)) return false;
  if (hd_launcher_next(l, &call) && call < *next) *next = call;
  return true;
}

void hd_launcher_skip(struct hd_launcher *l, uint64_t n) {
  hd_axi_mem_skip(l->rt.memory, n);
}

void hd_launcher_describe(const struct hd_launcher *l, char *text, size_t text_size) {
  uint32_t idle = 0, away = 0;
  for (uint32_t k = 0; k < l->tbs; k++) {
    idle += l->tb[k].state == HD_LAUNCHER_IDLE;
    away += l->tb[k].state == HD_LAUNCHER_AWAY;
  }
  snprintf(text, text_size,
           "%" PRIu32 " launches from the device are unanswered, %" PRIu32 " have not ended, the plane holds %" PRIu32
           " records; %" PRIu32 " TBs wait for their children in their slots, %" PRIu32 " are saved",
           hd_commands_open(l->commands), hd_children_open(l->children), hd_device_records_out(l->rt.device), idle,
           away);
}

bool hd_launcher_report(const struct hd_launcher *l, uint64_t now, struct hd_launches *to) {
  for (uint32_t n = 0; n < hd_children_all(l->children); n++) {
    const struct hd_child *k = hd_children_get(l->children, n);
    if (k->state == HD_CHILD_FAILED || (k->state == HD_CHILD_CALLED && k->ctas_out == 0)) continue;
    const bool group = k->ctas_out != 0 ? k->as_group : k->launch.kind == HD_KIND_GROUP;
    const struct hd_launches_row about = {.kind = group ? HD_LAUNCHES_GROUP : HD_LAUNCHES_KERNEL,
                                          .kernel = k->kernel,
                                          .child = n + 1,
                                          .stream = k->launch.stream,
                                          .ctas = k->launch.ctas,
                                          .queued = k->offered};
    if (!hd_launches_add(to, now, &about)) return false;
  }
  return true;
}

struct hd_launch_stats hd_launcher_stats(const struct hd_launcher *l) {
  struct hd_launch_stats s = hd_children_stats(l->children);
  s.alone = l->alone;
  s.refused = l->refused;
  s.records_most = l->rt.device->records_most;
  s.save = l->save;
  return s;
}

struct hd_axi_counts hd_launcher_memory(const struct hd_launcher *l) {
  return hd_axi_mem_counts(l->rt.memory);
}
