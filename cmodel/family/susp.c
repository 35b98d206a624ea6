/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "family/susp.h"

#include <string.h>

enum { ENTRY = 8, CHUNK_BEATS = HD_SUSP_CHUNK * ENTRY / 16 };

size_t hd_susp_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct hd_susp);
}

void hd_susp_init(struct hd_susp *m, const struct hd_cfg *cfg) {
  memset(m, 0, sizeof *m);
  m->cfg.widths = hd_krec_widths(cfg);
  m->cfg.stride = cfg->sus_stride;
  m->cfg.sav_max = cfg->sav_max;
  m->cfg.addr_mask = (UINT64_C(1) << cfg->addr_w) - 1;
  m->cfg.ctx_mask = (UINT64_C(1) << cfg->param_w) - 1;
  hd_susp_reset(m);
}

void hd_susp_reset(struct hd_susp *m) {
  struct hd_susp_cfg cfg = m->cfg;
  memset(m, 0, sizeof *m);
  m->cfg = cfg;
}

/* Returns true if saved TBs remain and the chunk with the next one is not loaded. */
static bool chunk_wanted(const struct hd_susp *m) {
  return m->sv_tag && m->sv_left && !m->chunk_valid;
}

static bool record_waits(const struct hd_susp *m) {
  return m->record_valid && !m->record_written;
}

static bool resume_ready(const struct hd_susp *m) {
  return hd_burst_idle(&m->burst) && !m->save_count && !record_waits(m) && !chunk_wanted(m) && !m->head_valid;
}

static bool offered(const struct hd_susp *m) {
  return m->sv_tag && m->sv_left && m->chunk_valid;
}

void hd_susp_eval(const struct hd_susp *m, const struct hd_susp_in *in, struct hd_susp_out *out) {
  (void)in; /* all outputs are registered */
  out->save_room = m->save_count < HD_SUSP_SAVES;
  out->saving = m->saving;
  out->suspend_free = !m->record_valid;
  out->suspended.valid = m->record_written;
  out->suspended.kin = m->record_written ? m->record.kin : 0;
  out->suspended.origin = m->record_written ? m->record.origin : (struct hd_origin){0};
  out->kin_fail.valid = m->kin_fail_valid;
  out->kin_fail.kin = m->kin_fail_kin;
  out->kin_fail.back = m->kin_fail_back;
  out->resume_ready = resume_ready(m);
  out->head.valid = m->head_valid;
  out->head.kernel = m->head;
  out->saved.valid = offered(m);
  out->saved.kdei = offered(m) ? m->sv_kdei : 0;
  out->saved.tb = offered(m) ? m->chunk[m->sv_pos % HD_SUSP_CHUNK] : (struct hd_saved){0};
  out->chunk_fail.valid = m->chunk_fail_valid;
  out->chunk_fail.kdei = m->chunk_fail_kdei;
  out->events.suspend = m->suspend_event;
  out->events.resume = m->resume_event;
  out->events.error = m->error_event;
  out->mem.valid = hd_burst_req(&m->burst, &out->mem.req);
  out->mem.wbeat = hd_burst_wbeat(&m->burst);
}

/* Address of a byte in the region of a parent record. */
static uint64_t address_of(const struct hd_susp *m, const struct hd_susp_in *in, unsigned kin, uint32_t byte) {
  return ((uint64_t)in->regs_config.sus_base * 256 + (uint64_t)kin * m->cfg.stride + byte) & m->cfg.addr_mask;
}

static void start_save(struct hd_susp *m, const struct hd_susp_in *in) {
  const struct hd_susp_save *s = &m->save[0];
  memset(m->burst.word, 0, sizeof m->burst.word);
  m->burst.word[s->pos % 2] = s->entry.ctx | (uint64_t)s->entry.level << 40;
  m->op = HD_SUSP_SAVE;
  m->kin = s->kin;
  uint64_t addr = address_of(m, in, s->kin, HD_KREC_BYTES + 16 * (s->pos / 2u));
  hd_burst_start(&m->burst, true, addr, 1, s->pos % 2 ? 0xff00 : 0x00ff);
}

static void start_record(struct hd_susp *m, const struct hd_susp_in *in) {
  m->op = HD_SUSP_RECORD;
  m->kin = m->record.kin;
  hd_krec_pack(&m->record, m->burst.word);
  hd_burst_start(&m->burst, true, address_of(m, in, m->kin, 0), HD_KREC_BEATS, 0xffff);
}

static void start_chunk(struct hd_susp *m, const struct hd_susp_in *in) {
  uint32_t byte = HD_KREC_BYTES + m->sv_pos / HD_SUSP_CHUNK * (HD_SUSP_CHUNK * ENTRY);
  m->op = HD_SUSP_LIST;
  hd_burst_start(&m->burst, false, address_of(m, in, in->kd_kin[m->sv_kdei], byte), CHUNK_BEATS, 0);
}

static void start_resume(struct hd_susp *m, const struct hd_susp_in *in) {
  m->op = HD_SUSP_RESUME;
  m->kin = in->kin_resume.kin;
  hd_burst_start(&m->burst, false, address_of(m, in, m->kin, 0), HD_KREC_BEATS, 0);
}

/* Reports a memory error to the parent record; back: the kernel was being read back. */
static void fail(struct hd_susp *m, bool back) {
  m->kin_fail_valid = 1;
  m->kin_fail_kin = m->kin;
  m->kin_fail_back = back;
  m->error_event = 1;
}

static void end_save(struct hd_susp *m, bool error) {
  memmove(m->save, m->save + 1, --m->save_count * sizeof *m->save);
  memset(&m->save[m->save_count], 0, sizeof *m->save);
  if (error) fail(m, false);
}

static void end_record(struct hd_susp *m, bool error) {
  m->record_written = 1;
  if (error)
    fail(m, false);
  else
    m->suspend_event = 1;
}

static void end_chunk(struct hd_susp *m, bool error) {
  bool drop = m->chunk_drop;
  m->chunk_drop = 0;
  if (drop) return;
  if (error) {
    m->chunk_fail_valid = 1;
    m->chunk_fail_kdei = m->sv_kdei;
    m->error_event = 1;
    return;
  }
  for (unsigned k = 0; k < HD_SUSP_CHUNK; k++) {
    m->chunk[k].ctx = m->burst.word[k] & m->cfg.ctx_mask;
    m->chunk[k].level = (uint8_t)(m->burst.word[k] >> 40 & ((1u << m->cfg.widths.level) - 1));
  }
  m->chunk_valid = 1;
}

static void end_resume(struct hd_susp *m, bool error) {
  if (error) {
    fail(m, true);
    return;
  }
  hd_krec_unpack(m->burst.word, &m->cfg.widths, &m->head);
  m->head.resumed = 1;
  m->head_valid = 1;
  m->resume_event = 1;
}

static void end_burst(struct hd_susp *m, bool error) {
  if (m->op == HD_SUSP_SAVE) end_save(m, error);
  if (m->op == HD_SUSP_RECORD) end_record(m, error);
  if (m->op == HD_SUSP_LIST) end_chunk(m, error);
  if (m->op == HD_SUSP_RESUME) end_resume(m, error);
  m->op = HD_SUSP_IDLE;
  m->kin = 0;
}

/* The action of an idle engine is decided from the state at the start of the cycle. */
static enum hd_susp_op wanted(const struct hd_susp *m, const struct hd_susp_in *in, bool flush) {
  if (!hd_burst_idle(&m->burst)) return HD_SUSP_IDLE;
  if (m->save_count) return HD_SUSP_SAVE;
  if (record_waits(m)) return HD_SUSP_RECORD;
  if (chunk_wanted(m)) return flush ? HD_SUSP_IDLE : HD_SUSP_LIST;
  return in->kin_resume.valid && !m->head_valid ? HD_SUSP_RESUME : HD_SUSP_IDLE;
}

static void step_engine(struct hd_susp *m, const struct hd_susp_in *in, enum hd_susp_op op) {
  switch (op) {
    case HD_SUSP_SAVE:
      start_save(m, in);
      break;
    case HD_SUSP_RECORD:
      start_record(m, in);
      break;
    case HD_SUSP_LIST:
      start_chunk(m, in);
      break;
    case HD_SUSP_RESUME:
      start_resume(m, in);
      break;
    default: {
      enum hd_burst_end end = hd_burst_step(&m->burst, &in->mem);
      if (end != HD_BURST_CONTINUES) end_burst(m, end == HD_BURST_FAILED);
    }
  }
}

/* Returns true if the tracked list belongs to the current kernel. */
static bool tag_matches(const struct hd_susp *m, bool has_saved, unsigned kdei) {
  return m->sv_tag == has_saved && (!has_saved || m->sv_kdei == kdei);
}

/* Another kernel is current, or the same one without or again with saved TBs: tracks its list from the start. */
static void follow(struct hd_susp *m, const struct hd_susp_in *in, bool has_saved) {
  m->sv_tag = has_saved;
  m->sv_kdei = has_saved ? in->sched_sscr.kdei : 0;
  m->sv_pos = has_saved ? in->kd_sav_first[in->sched_sscr.kdei] : 0;
  m->sv_left = has_saved ? in->kd_sav_count[in->sched_sscr.kdei] : 0;
  m->chunk_valid = 0;
}

static void pop_saved(struct hd_susp *m) {
  if (m->sv_pos % HD_SUSP_CHUNK == HD_SUSP_CHUNK - 1) m->chunk_valid = 0;
  m->sv_pos = (uint16_t)(m->sv_pos + 1u == m->cfg.sav_max ? 0 : m->sv_pos + 1u);
  m->sv_left--;
}

static void push_save(struct hd_susp *m, const struct hd_susp_in *in) {
  m->save[m->save_count++] =
      (struct hd_susp_save){.entry = in->devq_save.tb, .kin = in->devq_save.kin, .pos = in->devq_save.pos};
}

void hd_susp_tick(struct hd_susp *m, const struct hd_susp_in *in) {
  bool has_saved = in->sched_sscr.valid && in->kd_sav_count[in->sched_sscr.kdei];
  bool flush = !tag_matches(m, has_saved, in->sched_sscr.kdei);
  bool pop = in->sched_saved_pop && offered(m) && !flush;
  enum hd_susp_op op = wanted(m, in, flush);
  m->kin_fail_valid = m->kin_fail_back = m->chunk_fail_valid = m->chunk_fail_kdei = 0;
  m->suspend_event = m->resume_event = m->error_event = 0;
  m->kin_fail_kin = 0;
  m->saving = in->devq_save.valid || m->save_count;
  if (m->record_written && in->kin_suspended_ready) {
    m->record_valid = m->record_written = 0;
    memset(&m->record, 0, sizeof m->record);
  }
  if (in->kmu_susp_pop) {
    m->head_valid = 0;
    memset(&m->head, 0, sizeof m->head);
  }
  if (flush && m->op == HD_SUSP_LIST) m->chunk_drop = 1; /* its last beat may arrive in this cycle */
  step_engine(m, in, op);
  if (flush) follow(m, in, has_saved);
  if (pop) pop_saved(m);
  if (in->devq_save.valid) push_save(m, in);
  if (in->kd_suspend.valid) {
    m->record = in->kd_suspend.kernel;
    m->record.groups = in->link_list;
    m->record.over = in->ovfq_taken;
    m->record_valid = 1;
  }
}

void hd_susp_arch(const struct hd_susp *m, struct hd_susp_arch *a, bool tables) {
  (void)tables;
  a->save_count = m->save_count;
  a->saving = m->saving;
  a->record_valid = m->record_valid;
  a->op = m->op;
  a->sv_tag = m->sv_tag;
  a->sv_pos = m->sv_pos;
  a->sv_left = m->sv_left;
  a->chunk_valid = m->chunk_valid;
}
