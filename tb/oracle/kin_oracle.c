/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "oracle/kin_oracle.h"

#include "gen/hd_kin_ports.h"

enum { ABSENT, RUNNING, SUSPENDED, RESUMED, GONE, PATIENCE = 4096 };

struct record {
  struct hd_origin origin;
  uint32_t children;
  uint8_t state, failed;
};

struct oracle {
  struct hd_cfg cfg;
  struct record record[HD_MAX_NUM_KIN];
  uint8_t done[65536]; /* by tag: 0, or 1 + failed */
  uint8_t late[65536], hwq[65536];
  uint32_t done_n, waited, ready_n, ready_waited;
  uint32_t stream[HD_MAX_NUM_STREAMS]; /* unreported completions */
  uint8_t reopen_valid, reopen_hwq, stalled;
  struct hd_completion offered;
};

HD_BLOCK_ORACLE_STATE(kin)

static void complete(struct oracle *o, const struct hd_origin *origin, bool failed, bool late) {
  struct hd_origin k = *origin;
  for (;;) {
    if (k.host) {
      o->done[k.tag] = (uint8_t)(1 + (failed || k.failed));
      o->late[k.tag] = late;
      o->hwq[k.tag] = k.hwq;
      o->done_n++;
      return;
    }
    if (k.stream) o->stream[k.stream]++;
    struct record *r = &o->record[k.up];
    r->children--;
    if (k.rest && (failed || k.failed)) r->failed = 1; /* a rest is part of its parent */
    if (r->children || !(r->state == GONE || (r->state == SUSPENDED && r->failed))) return;
    k = r->origin; /* this was the last child, so the parent completes too */
    failed = r->failed;
    late = true;
    *r = (struct record){0};
  }
}

static const char *watch_done(struct oracle *o, const struct hd_kin_in *in, const struct hd_kin_out *out) {
  for (unsigned h = 0; h < o->cfg.num_hwq; h++)
    if (out->reopen[h] != (o->reopen_valid && o->reopen_hwq == h)) return "reopen does not follow kernel_done";
  o->reopen_valid = 0;
  if (o->stalled && (!out->kernel_done_valid || memcmp(&o->offered, &out->kernel_done, sizeof o->offered)))
    return "an offered kernel_done changed before it was accepted";
  o->stalled = out->kernel_done_valid && !in->kernel_done_ready;
  o->offered = out->kernel_done;
  o->waited = o->done_n && in->kernel_done_ready && !out->kernel_done_valid ? o->waited + 1 : 0;
  if (o->waited > PATIENCE) return "a complete kernel is never reported";
  if (!out->kernel_done_valid) return NULL;
  unsigned tag = out->kernel_done.tag;
  if (!o->done[tag]) return "kernel_done reports a kernel that is not complete, or a kernel twice";
  if (out->kernel_done.failed != o->done[tag] - 1) return "kernel_done has a wrong failed bit";
  if (!in->kernel_done_ready) return NULL;
  o->done[tag] = 0;
  o->done_n--;
  o->reopen_valid = o->late[tag];
  o->reopen_hwq = o->hwq[tag];
  return NULL;
}

static const char *watch_resume(struct oracle *o, const struct hd_kin_in *in, const struct hd_kin_out *out) {
  unsigned ready = 0;
  for (unsigned r = 0; r < o->cfg.num_kin; r++)
    ready += o->record[r].state == SUSPENDED && !o->record[r].failed && !o->record[r].children;
  o->ready_waited = ready && !out->resume.valid ? o->ready_waited + 1 : 0;
  if (o->ready_waited > PATIENCE) return "a suspended kernel whose children are complete is never resumed";
  if (!out->resume.valid) return NULL;
  struct record *r = &o->record[out->resume.kin];
  if (r->state != SUSPENDED || r->failed || r->children) return "a kernel is resumed that is not ready";
  if (in->susp_resume_ready) r->state = RESUMED;
  return NULL;
}

static const char *watch_leave(struct oracle *o, const struct hd_leave *l) {
  struct record *r = &o->record[l->kin];
  if (!l->kin_valid) {
    complete(o, &l->origin, false, false);
  } else if (r->children) {
    r->state = GONE;
    r->origin = l->origin;
  } else {
    bool failed = r->failed;
    *r = (struct record){0};
    complete(o, &l->origin, failed, true);
  }
  return NULL;
}

static void watch_suspended(struct oracle *o, const struct hd_kin_in *in, bool taken) {
  struct record *r = &o->record[in->susp_suspended.kin], *f = &o->record[in->susp_kin_fail.kin];
  if (taken) {
    r->state = SUSPENDED;
    r->origin = in->susp_suspended.origin;
  }
  if (in->susp_kin_fail.valid) {
    f->failed = 1;
    if (in->susp_kin_fail.back) f->state = SUSPENDED;
  }
  struct record *const both[] = {taken ? r : NULL, in->susp_kin_fail.valid ? f : NULL};
  for (unsigned k = 0; k < 2; k++) {
    if (!both[k] || both[k]->state != SUSPENDED || !both[k]->failed || both[k]->children) continue;
    struct hd_origin origin = both[k]->origin;
    *both[k] = (struct record){0};
    complete(o, &origin, true, true);
  }
}

const char *hd_kin_oracle_watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_kin_in *in = in_;
  const struct hd_kin_out *out = out_;
  (void)cycle;
  const char *rule = watch_done(o, in, out);
  if (!rule) rule = watch_resume(o, in, out);
  if (rule) return rule;
  if (out->stream_done.valid && !o->stream[out->stream_done.stream]--)
    return "stream_done reports a kernel that is not complete";
  if (out->free.valid && o->record[out->free.kin].state != ABSENT) return "a record in use is offered as free";
  if (in->devq_birth.valid) {
    struct record *r = &o->record[in->devq_birth.kin];
    if (in->devq_birth.alloc) *r = (struct record){.state = RUNNING};
    r->children++;
  }
  if (in->kd_rest.valid) o->record[in->kd_rest.kin].children++;
  if (in->pool_lost.valid && out->lost_ready) {
    struct hd_origin lost = {.up = in->pool_lost.up, .stream = in->pool_lost.stream};
    complete(o, &lost, true, false);
  }
  watch_suspended(o, in, in->susp_suspended.valid && out->suspended_ready);
  if (!in->kd_leave.valid || !out->leave_ready) return NULL;
  if (in->kd_leave.kin_valid && in->kd_leave.origin.failed && in->susp_saving)
    return "a failed kernel leaves while a saved TB is written to memory";
  return watch_leave(o, &in->kd_leave);
}
