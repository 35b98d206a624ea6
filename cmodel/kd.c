/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "kd.h"

#include <string.h>

size_t hd_kd_size(const struct hd_cfg *cfg) {
  return sizeof(struct hd_kd) + cfg->num_kde * sizeof(struct hd_kd_entry);
}

void hd_kd_init(struct hd_kd *m, const struct hd_cfg *cfg) {
  memset(m, 0, hd_kd_size(cfg));
  m->cfg = (struct hd_kd_cfg){
      .size = (uint32_t)hd_kd_size(cfg),
      .num_kde = cfg->num_kde,
      .kde_words = HD_WORDS(cfg->num_kde),
      .pend_words = HD_WORDS(2 * cfg->num_kde),
      .num_hwq = cfg->num_hwq,
      .hwq_words = HD_WORDS(cfg->num_hwq),
      .sav_max = cfg->sav_max,
  };
  hd_kd_reset(m);
}

void hd_kd_reset(struct hd_kd *m) {
  memset((char *)m + sizeof m->cfg, 0, m->cfg.size - sizeof m->cfg);
  for (unsigned i = 0; i < m->cfg.num_kde; i++) hd_bit_set(m->free, i);
}

struct hd_kernel hd_kd_suspend(const struct hd_kd *m) {
  unsigned i = m->susp_kdei;
  const struct hd_kd_entry *e = &m->entry[i];
  const struct hd_kd_shown *s = &m->shown;
  struct hd_kernel k = {
      .desc = e->desc,
      .need = s->need[i],
      .ctas = s->ctas[i],
      .level = s->level[i],
      .origin = e->tag[e->bank].origin,
      .resumed = 1,
      .kin = s->kin[i],
      .progress = {
          .ndone = s->ndone[i], .nextbl = s->nextbl[i], .sav_first = s->sav_first[i], .sav_count = s->sav_count[i]}};
  k.origin.failed = s->failed[i];
  return k;
}

static void show(const struct hd_kd *m, struct hd_kd_out *out) {
  const struct hd_kd_shown *s = &m->shown;
  unsigned n = m->cfg.num_kde;
  memcpy(out->need, s->need, n * sizeof *out->need);
  memcpy(out->ctas, s->ctas, n * sizeof *out->ctas);
  memcpy(out->level, s->level, n);
  memcpy(out->nextbl, s->nextbl, n * sizeof *out->nextbl);
  memcpy(out->ndone, s->ndone, n);
  memcpy(out->sav_first, s->sav_first, n * sizeof *out->sav_first);
  memcpy(out->sav_count, s->sav_count, n * sizeof *out->sav_count);
  memcpy(out->kin_valid, s->kin_valid, n);
  memcpy(out->kin, s->kin, n * sizeof *out->kin);
  memcpy(out->suspending, s->suspending, n);
  memcpy(out->failed, s->failed, n);
  memcpy(out->eligible, s->eligible, n);
  memcpy(out->save_ok, s->save_ok, n);
}

void hd_kd_eval(const struct hd_kd *m, const struct hd_kd_in *in, struct hd_kd_out *out) {
  (void)in; /* all outputs come from registers */
  int alloc = hd_kd_alloc(m);
  out->kernel_ready = alloc >= 0;
  out->alloc_kdei = (uint8_t)(alloc < 0 ? 0 : alloc);
  show(m, out);
  out->desc = m->desc;
  hd_bits_to_bytes(out->reopen, m->reopen, m->cfg.num_hwq);
  hd_bits_to_bytes(out->left, m->left, m->cfg.num_kde);
  out->steal = m->susp_state == HD_KD_STEAL;
  out->take_valid = out->steal;
  out->take_kdei = out->steal ? m->susp_kdei : 0;
  out->suspend_valid = m->susp_state == HD_KD_SEND;
  out->suspend = out->suspend_valid ? hd_kd_suspend(m) : (struct hd_kernel){0};
  out->leave_valid = m->leave_valid;
  out->leave = m->leave;
}

/* ---- What follows from other fields ---- */

/* An entry is free when it holds no kernel and has a tag row for the next one. */
static void update_free(struct hd_kd *m, unsigned i) {
  hd_bit_put(m->free, i, !hd_bit(m->valid, i) && !(hd_bit(m->pend, 2 * i) && hd_bit(m->pend, 2 * i + 1)));
}

static void update_shown(struct hd_kd *m, unsigned i) {
  struct hd_kd_shown *s = &m->shown;
  bool valid = hd_bit(m->valid, i);
  s->eligible[i] = valid && !s->suspending[i] && !s->failed[i];
  s->save_ok[i] = valid && s->kin_valid[i] && !s->failed[i] && s->sav_count[i] < m->cfg.sav_max;
  hd_bit_put(m->saved, i, s->suspending[i]);
}

static void update_busy(struct hd_kd *m, unsigned i) {
  hd_bit_put(m->busy, i, m->entry[i].exebl > 0 || m->entry[i].hold > 0);
}

/* ---- Kernels come and go ---- */

static void enter(struct hd_kd *m, unsigned i, const struct hd_kernel *k) {
  struct hd_kd_entry *e = &m->entry[i];
  struct hd_kd_shown *s = &m->shown;
  hd_bit_set(m->valid, i);
  hd_bit_clear(m->free, i);
  e->desc = k->desc;
  e->hwq = k->origin.hwq;
  e->host = k->origin.host;
  e->bank = hd_bit(m->pend, 2 * i);
  e->tag[e->bank] = (struct hd_kd_tag){.origin = k->origin};
  s->need[i] = k->need;
  s->ctas[i] = k->ctas;
  s->level[i] = k->level;
  s->nextbl[i] = k->progress.nextbl;
  s->ndone[i] = k->progress.ndone;
  s->sav_first[i] = k->progress.sav_first;
  s->sav_count[i] = k->progress.sav_count;
  s->kin_valid[i] = k->resumed;
  s->kin[i] = k->resumed ? k->kin : 0;
  s->failed[i] = k->origin.failed;
  update_shown(m, i);
}

/* The entry is empty again. */
static void clear(struct hd_kd *m, unsigned i) {
  struct hd_kd_entry *e = &m->entry[i];
  struct hd_kd_shown *s = &m->shown;
  hd_bit_clear(m->valid, i);
  hd_bit_set(m->left, i);
  *e = (struct hd_kd_entry){.tag = {e->tag[0], e->tag[1]}};
  s->need[i] = (struct hd_need){0};
  s->ctas[i] = s->nextbl[i] = 0;
  s->sav_first[i] = s->sav_count[i] = s->kin[i] = 0;
  s->level[i] = s->ndone[i] = s->kin_valid[i] = s->suspending[i] = s->failed[i] = 0;
  update_shown(m, i);
  update_busy(m, i);
  update_free(m, i);
}

/* The entry's kernel has come to its end: its HWQ may reopen, its tag row waits to leave. */
static void release(struct hd_kd *m, unsigned i) {
  struct hd_kd_entry *e = &m->entry[i];
  struct hd_kd_tag *row = &e->tag[e->bank];
  row->failed = m->shown.failed[i];
  row->kin_valid = m->shown.kin_valid[i];
  row->kin = m->shown.kin[i];
  hd_bit_set(m->pend, 2 * i + e->bank);
  if (e->host && !row->kin_valid) hd_bit_set(m->reopen, e->hwq);
  clear(m, i);
}

/* Loads the output stage with the next kernel that leaves, if there is one. */
static void report(struct hd_kd *m) {
  int row = hd_bits_rr(m->pend, m->cfg.pend_words, m->pend_ptr);
  m->leave_valid = row >= 0;
  m->leave = (struct hd_leave){0};
  if (row < 0) return;
  unsigned i = (unsigned)row / 2;
  struct hd_kd_tag *tag = &m->entry[i].tag[row % 2];
  m->leave = (struct hd_leave){.origin = tag->origin, .kin_valid = tag->kin_valid, .kin = tag->kin};
  m->leave.origin.failed = tag->failed;
  *tag = (struct hd_kd_tag){0};
  hd_bit_clear(m->pend, (unsigned)row);
  m->pend_ptr = (uint8_t)((unsigned)row + 1 == 2 * m->cfg.num_kde ? 0 : row + 1);
  update_free(m, i);
}

/* ---- What happens to kernels ---- */

/* Counts TBs in execution; up and down for one entry are the net. */
static void count_exebl(struct hd_kd *m, int grant_kdei, int retire_kdei) {
  if (grant_kdei >= 0) m->entry[grant_kdei].exebl++;
  if (retire_kdei >= 0) m->entry[retire_kdei].exebl--;
  if (grant_kdei >= 0) update_busy(m, (unsigned)grant_kdei);
  if (retire_kdei >= 0) update_busy(m, (unsigned)retire_kdei);
}

static void count_hold(struct hd_kd *m, int hold_kdei, int unhold_kdei) {
  if (hold_kdei >= 0) m->entry[hold_kdei].hold++;
  if (unhold_kdei >= 0) m->entry[unhold_kdei].hold--;
  if (hold_kdei >= 0) update_busy(m, (unsigned)hold_kdei);
  if (unhold_kdei >= 0) update_busy(m, (unsigned)unhold_kdei);
}

/* The unit in the SSCR: a saved TB leaves its list; the native part or a group ends, or stops. */
static void follow_unit(struct hd_kd *m, const struct hd_kd_edge *e) {
  struct hd_kd_shown *s = &m->shown;
  unsigned i = (unsigned)e->cur_kdei;
  if (e->grant_kdei >= 0 && e->kind == HD_UNIT_SAVED) {
    s->sav_first[i] = (uint16_t)(s->sav_first[i] + 1u == m->cfg.sav_max ? 0 : s->sav_first[i] + 1);
    s->sav_count[i]--;
    update_shown(m, i);
  }
  if (e->unit_end && e->kind != HD_UNIT_SAVED) s->nextbl[i] = 0;
  if (e->unit_end && e->kind == HD_UNIT_NATIVE) s->ndone[i] = 1;
  if (e->park) s->nextbl[i] = e->park_nextbl;
}

static void birth(struct hd_kd *m, unsigned i, uint16_t kin) {
  m->shown.kin_valid[i] = 1;
  m->shown.kin[i] = kin;
  update_shown(m, i);
}

static void save(struct hd_kd *m, unsigned i) {
  m->shown.sav_count[i]++;
  m->shown.suspending[i] = 1;
  update_shown(m, i);
}

static void fail(struct hd_kd *m, unsigned i) {
  struct hd_kd_shown *s = &m->shown;
  if (!hd_bit(m->valid, i)) return;
  s->failed[i] = s->ndone[i] = 1;
  s->sav_count[i] = 0;
  s->suspending[i] = 0;
  update_shown(m, i);
}

static void clear_bit_of(uint64_t *set, int kdei) {
  if (kdei >= 0) hd_bit_clear(set, (unsigned)kdei);
}

/* The entries with nothing to hand out, in execution or on its way, this cycle's events included. */
static void find_idle(const struct hd_kd *m, const struct hd_kd_edge *e, uint64_t *idle) {
  for (unsigned k = 0; k < m->cfg.kde_words; k++)
    idle[k] = m->valid[k] & ~e->marked[k] & ~m->busy[k] & ~e->next_busy[k];
  clear_bit_of(idle, e->hold_kdei);
  clear_bit_of(idle, e->birth_kdei);
  clear_bit_of(idle, e->save_kdei);
  for (unsigned f = 0; f < HD_KD_FAILS; f++) clear_bit_of(idle, e->fail_kdei[f]);
}

/* The suspension goes on by a step; `first`: the lowest entry that could begin one, or -1. */
static void step_suspension(struct hd_kd *m, int first, bool suspend_free) {
  switch (m->susp_state) {
    case HD_KD_STEAL:
      m->susp_state = HD_KD_SEND;
      break;
    case HD_KD_SEND:
      m->entry[m->susp_kdei].tag[m->entry[m->susp_kdei].bank] = (struct hd_kd_tag){0};
      clear(m, m->susp_kdei);
      m->susp_state = HD_KD_IDLE;
      m->susp_kdei = 0;
      break;
    default:
      if (first < 0 || !suspend_free) break;
      m->susp_state = HD_KD_STEAL;
      m->susp_kdei = (uint8_t)first;
  }
}

void hd_kd_step(struct hd_kd *m, const struct hd_kd_edge *e) {
  int alloc = e->kernel ? hd_kd_alloc(m) : -1;
  bool steal = m->susp_state == HD_KD_STEAL, stage_free = !m->leave_valid || e->leave_ready;
  uint64_t idle[HD_KDE_WORDS], ended[HD_KDE_WORDS], stopping[HD_KDE_WORDS];
  find_idle(m, e, idle);
  for (unsigned k = 0; k < m->cfg.kde_words; k++) {
    ended[k] = idle[k] & ~m->saved[k] & ~e->pending[k];
    stopping[k] = idle[k] & m->saved[k];
    m->left[k] = 0;
  }
  for (unsigned k = 0; k < m->cfg.hwq_words; k++) m->reopen[k] = 0;

  if (e->grant_kdei >= 0) {
    m->desc = m->entry[e->grant_kdei].desc;
    m->desc_valid = 1;
  } else if (m->desc_valid) {
    m->desc = (struct hd_desc){0};
    m->desc_valid = 0;
  }
  count_exebl(m, e->grant_kdei, e->retire_kdei);
  count_hold(m, e->hold_kdei, e->unhold_kdei);
  if (e->cur_kdei >= 0) follow_unit(m, e);
  if (e->birth_kdei >= 0) birth(m, (unsigned)e->birth_kdei, e->birth_kin);
  if (e->save_kdei >= 0) save(m, (unsigned)e->save_kdei);
  for (unsigned f = 0; f < HD_KD_FAILS; f++)
    if (e->fail_kdei[f] >= 0) fail(m, (unsigned)e->fail_kdei[f]);
  if (alloc >= 0) enter(m, (unsigned)alloc, e->kernel); /* before report: a row that leaves now is not free yet */
  if (stage_free && !steal) {
    report(m);
  } else if (stage_free) {
    m->leave_valid = 0;
    m->leave = (struct hd_leave){0};
  }
  step_suspension(m, hd_bits_first(stopping, m->cfg.kde_words), e->suspend_free);
  for (unsigned k = 0; k < m->cfg.kde_words; k++) {
    for (uint64_t w = ended[k]; w; w &= w - 1) release(m, k * 64 + hd_lowest(w));
  }
}

void hd_kd_tick(struct hd_kd *m, const struct hd_kd_in *in) {
  uint64_t marked[HD_KDE_WORDS], pending[HD_KDE_WORDS], next_busy[HD_KDE_WORDS];
  hd_bits_from_bytes(marked, in->marked, m->cfg.num_kde);
  hd_bits_from_bytes(pending, in->pending, m->cfg.num_kde);
  hd_bits_from_bytes(next_busy, in->next_busy, m->cfg.num_kde);
  struct hd_kd_edge e = {
      .kernel = in->kernel_valid ? &in->kernel : NULL,
      .marked = marked,
      .pending = pending,
      .next_busy = next_busy,
      .grant_kdei = in->grant_valid ? in->grant_kdei : -1,
      .retire_kdei = in->retire_valid ? in->retire_kdei : -1,
      .cur_kdei = in->grant_kdei,
      .kind = (enum hd_unit)in->grant_kind,
      .unit_end = in->unit_end,
      .park = in->park_valid,
      .park_nextbl = in->park_nextbl,
      .hold_kdei = in->hold_valid ? in->hold_kdei : -1,
      .unhold_kdei = in->unhold_valid ? in->unhold_kdei : -1,
      .birth_kdei = in->birth_valid ? in->birth_kdei : -1,
      .save_kdei = in->save_valid ? in->save_kdei : -1,
      .birth_kin = in->birth_kin,
      .suspend_free = in->suspend_free,
      .leave_ready = in->leave_ready,
  };
  for (unsigned f = 0; f < HD_KD_FAILS; f++) e.fail_kdei[f] = in->fail_valid[f] ? in->fail_kdei[f] : -1;
  hd_kd_step(m, &e);
}

void hd_kd_arch(const struct hd_kd *m, struct hd_kd_arch *a, bool tables) {
  unsigned n = m->cfg.num_kde;
  hd_bits_to_bytes(a->valid, m->valid, n);
  hd_bits_to_bytes(a->pend, m->pend, 2 * n);
  a->pend_ptr = m->pend_ptr;
  a->susp_state = m->susp_state;
  a->susp_kdei = m->susp_kdei;
  for (unsigned i = 0; i < n; i++) {
    const struct hd_kd_entry *e = &m->entry[i];
    a->exebl[i] = e->exebl;
    a->hold[i] = e->hold;
    a->hwq[i] = e->hwq;
    a->host[i] = e->host;
    a->bank[i] = e->bank;
    for (unsigned b = 0; b < 2; b++) {
      a->pend_kin_valid[2 * i + b] = e->tag[b].kin_valid;
      a->pend_kin[2 * i + b] = e->tag[b].kin;
      a->pend_failed[2 * i + b] = e->tag[b].failed;
    }
  }
  if (!tables) return;
  for (unsigned i = 0; i < n; i++) {
    const struct hd_kd_entry *e = &m->entry[i];
    a->desc_row[i] = e->desc;
    a->desc_row_valid[i] = a->valid[i];
    for (unsigned b = 0; b < 2; b++) {
      a->tag_row[2 * i + b] = e->tag[b].origin;
      a->tag_row_valid[2 * i + b] = a->pend[2 * i + b] || (a->valid[i] && e->bank == b);
    }
  }
}
