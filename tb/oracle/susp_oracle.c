/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "oracle/susp_oracle.h"

#include "env/common/memory.h"
#include "gen/hd_susp_ports.h"

enum { PATIENCE = 2000 };

struct oracle_row {
  struct hd_kernel kernel;
  uint8_t state; /* 0 none, 1 suspending, 2 reported to kin as suspended, 3 requested */
};

struct oracle {
  struct hd_cfg cfg;
  struct oracle_row row[HD_MAX_NUM_KIN];
  uint64_t addr;                       /* address of the current burst */
  uint32_t record_at, resume_at, list; /* cycles for which a write, a resumption, a saved TB has been due */
  uint16_t resume_row, pos, left;      /* pos, left: next saved TB of the current kernel, and number left */
  uint8_t tag_valid, tag;
  uint8_t record, beat;            /* the burst transfers a record; its next beat */
  uint8_t reading;                 /* a record is read, not a list */
  uint8_t error;                   /* a beat of the current read had an error */
  uint8_t wrong_write, wrong_read; /* a write, a read ended with an error in the cycle before */
  struct hd_saved saved[];         /* saved TBs, by parent record and place */
};

HD_BLOCK_ORACLE_STATE_AND(susp, (size_t)cfg->num_kin * cfg->sav_max * sizeof(struct hd_saved))

static struct hd_saved *saved_at(struct oracle *o, unsigned row, unsigned pos) {
  return &o->saved[(size_t)row * o->cfg.sav_max + pos];
}

static const char *watch_list(struct oracle *o, const struct hd_susp_in *in, const struct hd_susp_out *out) {
  bool has = in->sched_sscr.valid && in->kd_sav_count[in->sched_sscr.kdei];
  if (o->tag_valid != has || (has && o->tag != in->sched_sscr.kdei)) {
    o->tag_valid = has;
    o->tag = in->sched_sscr.kdei;
    o->pos = in->kd_sav_first[in->sched_sscr.kdei];
    o->left = has ? in->kd_sav_count[in->sched_sscr.kdei] : 0;
    o->list = 0;
    return NULL;
  }
  if (out->saved.valid) {
    if (!has || !o->left || out->saved.kdei != o->tag) return "a saved TB is offered though its kernel has none left";
    const struct hd_saved *s = saved_at(o, in->kd_kin[o->tag], o->pos);
    if (s->ctx != out->saved.tb.ctx || s->level != out->saved.tb.level)
      return "saved TBs are offered out of order, or changed";
  }
  o->list = o->left && !out->saved.valid && !in->devq_save.valid ? o->list + 1 : 0;
  if (o->list > PATIENCE) return "a saved TB is not offered";
  if (!in->sched_saved_pop) return NULL;
  o->pos = (uint16_t)((o->pos + 1u) % o->cfg.sav_max);
  o->left--;
  return NULL;
}

/* Checks the beat of a record that names the SMX that launched the kernel. */
static const char *watch_beat(struct oracle *o, const struct hd_susp_in *in, uint64_t lo, bool written) {
  if (!o->record || o->beat++ != HD_MEMORY_SMX / 16) return NULL;
  struct hd_origin *origin =
      &o->row[(o->addr - (uint64_t)in->regs_config.sus_base * 256) / o->cfg.sus_stride].kernel.origin;
  if (written && origin->smx != (lo >> 48 & 0xff)) return "a kernel is written to memory with another SMX";
  origin->smx = hd_memory_smx(&o->cfg, lo);
  return NULL;
}

static const char *watch_burst(struct oracle *o, const struct hd_susp_in *in, const struct hd_susp_out *out) {
  if (out->mem.valid) {
    uint64_t at = out->mem.req.addr - (uint64_t)in->regs_config.sus_base * 256, in_row = at % o->cfg.sus_stride;
    bool record = in_row == 0 && out->mem.req.len == 7;
    bool list = out->mem.req.write ? in_row >= 128 && in_row % 16 == 0 && out->mem.req.len == 0
                                   : in_row >= 128 && in_row % 128 == 0 && out->mem.req.len == 7;
    if (at / o->cfg.sus_stride >= o->cfg.num_kin || !(record || list))
      return "a burst leaves the room of its parent record";
    o->addr = out->mem.req.addr;
    o->reading = !out->mem.req.write && record;
    o->record = record;
    o->beat = o->error = 0;
  }
  o->error |= in->mem.r_valid && in->mem.r.error;
  if (in->mem.take) return watch_beat(o, in, out->mem.wbeat.lo, true);
  return in->mem.r_valid ? watch_beat(o, in, in->mem.r.lo, false) : NULL;
}

/* An error is reported exactly in the cycle after the end of its burst. */
static const char *watch_errors(struct oracle *o, const struct hd_susp_in *in, const struct hd_susp_out *out) {
  unsigned row = (unsigned)((o->addr - (uint64_t)in->regs_config.sus_base * 256) / o->cfg.sus_stride);
  bool back = o->wrong_read && o->reading, lost = o->wrong_write || back;
  if (out->kin_fail.valid != lost || out->kin_fail.back != back)
    return "kin_fail does not follow an error, or is set without one";
  if (lost && out->kin_fail.kin != row) return "kin_fail reports a wrong parent record";
  if (out->chunk_fail.valid && !(o->wrong_read && !o->reading)) return "chunk_fail is set without a memory error";
  if (out->events.error != (out->kin_fail.valid || out->chunk_fail.valid))
    return "error_event does not match kin_fail and chunk_fail";
  if (back) o->row[row].state = 0, o->resume_at = 0;
  o->wrong_write = in->mem.b_valid && in->mem.b_error;
  o->wrong_read = in->mem.r_valid && in->mem.r.last && (o->error || in->mem.r.error);
  return NULL;
}

static const char *watch_head(struct oracle *o, const struct hd_susp_in *in, const struct hd_susp_out *out) {
  struct oracle_row *r = &o->row[out->head.kernel.kin];
  struct hd_kernel k = r->kernel;
  k.resumed = 1;
  o->resume_at = 0;
  if (r->state != 3) return "a kernel returns that was not requested, or twice";
  if (memcmp(&k, &out->head.kernel, sizeof k)) return "a kernel changed while it was suspended";
  if (in->kmu_susp_pop) r->state = 0;
  return NULL;
}

static const char *watch_records(struct oracle *o, const struct hd_susp_in *in, const struct hd_susp_out *out) {
  if (out->suspended.valid) {
    struct oracle_row *r = &o->row[out->suspended.kin];
    if (r->state != 1 || memcmp(&r->kernel.origin, &out->suspended.origin, sizeof r->kernel.origin))
      return "a kernel is reported as suspended that was not, or twice";
    o->record_at = 0;
    if (in->kin_suspended_ready) r->state = 2;
  }
  if (out->head.valid) {
    const char *rule = watch_head(o, in, out);
    if (rule) return rule;
  }
  if (o->record_at) o->record_at = in->devq_save.valid ? 1 : o->record_at + 1;
  if (o->resume_at) o->resume_at = in->devq_save.valid ? 1 : o->resume_at + 1;
  if (o->record_at > PATIENCE || o->resume_at > PATIENCE) return "a record is not written or read in time";
  if (in->kin_resume.valid && !o->resume_at && !out->head.valid && o->row[in->kin_resume.kin].state == 2)
    o->resume_at = 1;
  if (in->kin_resume.valid && out->resume_ready) o->row[in->kin_resume.kin].state = 3;
  if (in->kd_suspend.valid) {
    struct oracle_row *r = &o->row[in->kd_suspend.kernel.kin];
    r->kernel = in->kd_suspend.kernel;
    r->kernel.groups = in->link_list;
    r->kernel.over = in->ovfq_taken;
    r->state = 1;
    o->record_at = 1;
  }
  return NULL;
}

const char *hd_susp_oracle_watch(void *o_, uint64_t cycle, const void *in, const void *out) {
  struct oracle *o = o_;
  const struct hd_susp_in *i = in;
  (void)cycle;
  const char *rule = watch_errors(o, in, out);
  if (!rule) rule = watch_burst(o, in, out);
  if (!rule) rule = watch_list(o, in, out);
  if (!rule) rule = watch_records(o, in, out);
  if (i->devq_save.valid) *saved_at(o, i->devq_save.kin, i->devq_save.pos) = i->devq_save.tb;
  return rule;
}
