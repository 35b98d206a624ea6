/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "host/kd.h"

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

/* ---- outputs ---- */

struct hd_kernel hd_kd_suspended(const struct hd_kd *m) {
  const unsigned i = m->susp_kdei;
  const struct hd_kd_entry e = m->entry[i];
  struct hd_kernel k = {.desc = e.desc, .need = m->need[i], .ctas = e.ctas, .level = e.level};
  k.origin = e.tag[m->shown[i].bank];
  k.origin.failed = 0; /* if it is set, it is the rest that has failed */
  k.kin = e.kin;
  k.progress.ndone = hd_bit(m->ndone, i);
  k.progress.nextbl = e.nextbl;
  k.progress.sav_first = e.sav_first;
  k.progress.sav_count = e.sav_count;
  return k;
}

/* ---- entries ---- */

/* An entry is free when it holds no kernel and has a tag row for the next one. */
static void update_free(struct hd_kd *m, unsigned i) {
  hd_bit_put(m->free, i, !hd_bit(m->valid, i) && !(hd_bit(m->pend, 2 * i) && hd_bit(m->pend, 2 * i + 1)));
}

static void count_queued(struct hd_kd *m, unsigned i, int by) {
  m->shown[i].queued += (uint32_t)by;
  hd_bit_put(m->waiting, i, m->shown[i].queued > 0);
}

static void enter(struct hd_kd *m, unsigned i, const struct hd_kernel *k, bool queued) {
  struct hd_kd_entry e = m->entry[i];
  const unsigned bank = hd_bit(m->pend, 2 * i);
  hd_bit_set(m->valid, i);
  hd_bit_clear(m->free, i);
  hd_bit_put(m->host, i, k->origin.host);
  hd_bit_put(m->kin_valid, i, k->resumed);
  hd_bit_put(m->ndone, i, k->progress.ndone || queued);
  if (queued) count_queued(m, i, 1);
  hd_bit_put(m->failed, i, k->origin.failed);
  hd_bit_put(m->graph, i, k->graph);
  hd_bit_put(m->graph_runs, i, k->graph);
  e.desc = k->desc;
  m->shown[i].bank = (uint8_t)bank;
  m->shown[i].hwq = k->origin.hwq;
  e.tag[bank] = k->origin;
  hd_wrote(&m->wrote[0], i);
  hd_wrote(&m->wrote[1], 2 * i + bank);
  e.level = k->level;
  e.ctas = k->ctas;
  e.nextbl = queued ? 0 : k->progress.nextbl;
  e.sav_first = k->progress.sav_first;
  e.sav_count = k->progress.sav_count;
  e.kin = k->resumed ? k->kin : 0;
  m->entry[i] = e;
  m->need[i] = k->need;
}

/* Frees the entry; the tag rows stay as they are. */
static void clear(struct hd_kd *m, unsigned i) {
  const struct hd_kd_entry e = m->entry[i];
  const struct hd_kd_shown x = m->shown[i];
  hd_bit_clear(m->valid, i);
  hd_bit_clear(m->host, i);
  hd_bit_clear(m->kin_valid, i);
  hd_bit_clear(m->ndone, i);
  hd_bit_clear(m->suspending, i);
  hd_bit_clear(m->failed, i);
  hd_bit_clear(m->graph, i);
  hd_bit_clear(m->waiting, i);
  hd_bit_set(m->left, i);
  m->entry[i] = (struct hd_kd_entry){.tag = {e.tag[0], e.tag[1]}};
  m->shown[i] = (struct hd_kd_shown){.pend = {x.pend[0], x.pend[1]}};
  m->need[i] = (struct hd_need){0};
  update_free(m, i);
}

/* Releases the entry of a kernel that has ended: its HWQ reopens unless a child is incomplete, and its tag row waits to
 * be reported. */
static void release(struct hd_kd *m, unsigned i) {
  const unsigned bank = m->shown[i].bank;
  const bool kin = hd_bit(m->kin_valid, i);
  hd_bit_set(m->pend, 2 * i + bank);
  m->shown[i].pend[bank] =
      (struct hd_kd_pend){.kin_valid = kin, .kin = m->entry[i].kin, .failed = hd_bit(m->failed, i)};
  if (hd_bit(m->host, i) && !kin) hd_bit_set(m->reopen, m->shown[i].hwq);
  clear(m, i);
}

/* The entries that banks hold of a suspended kernel stay as a kernel of their own, its child. */
static void leave_rest(struct hd_kd *m, unsigned i) {
  struct hd_kd_entry e = m->entry[i];
  const unsigned bank = m->shown[i].bank;
  e.tag[bank] = (struct hd_origin){.up = e.kin, .smx = e.tag[bank].smx, .rest = 1};
  hd_wrote(&m->wrote[1], 2 * i + bank);
  hd_bit_clear(m->host, i);
  m->shown[i].hwq = 0;
  hd_bit_clear(m->kin_valid, i);
  hd_bit_clear(m->suspending, i);
  hd_bit_set(m->ndone, i);
  hd_bit_set(m->left, i);
  e.nextbl = 0;
  e.sav_first = 0;
  e.sav_count = 0;
  e.kin = 0;
  m->entry[i] = e;
}

/* The kernel has been sent to susp: frees its entry and tag row. */
static void suspend(struct hd_kd *m, unsigned i) {
  m->entry[i].tag[m->shown[i].bank] = (struct hd_origin){0};
  clear(m, i);
}

/* Loads the output stage with the next kernel to report, if any. */
static void report(struct hd_kd *m) {
  int row = hd_bits_rr(m->pend, m->cfg.pend_words, m->pend_ptr);
  m->leave_valid = row >= 0;
  m->leave = (struct hd_leave){0};
  if (row < 0) return;
  const unsigned i = (unsigned)row / 2, bank = (unsigned)row % 2;
  const struct hd_kd_pend pend = m->shown[i].pend[bank];
  m->leave.origin = m->entry[i].tag[bank];
  m->leave.origin.failed = pend.failed;
  m->leave.kin_valid = pend.kin_valid;
  m->leave.kin = pend.kin;
  m->entry[i].tag[bank] = (struct hd_origin){0};
  m->shown[i].pend[bank] = (struct hd_kd_pend){0};
  hd_bit_clear(m->pend, (unsigned)row);
  m->pend_ptr = (uint8_t)((unsigned)row + 1 == 2 * m->cfg.num_kde ? 0 : row + 1);
  update_free(m, i);
}

/* ---- events of the kernels ---- */

/* Returns the entry whose TB is handed out in this cycle, or -1. */
static int handed_out(const struct hd_kd_edge *e) {
  if (e->grant) return (int)e->cur_kdei;
  return e->serve_kdei >= 0 ? e->serve_kdei : e->node_kdei;
}

/* Counts TBs in execution. A hand-out and a retirement of one entry cancel out. */
static void count_exebl(struct hd_kd *m, const struct hd_kd_edge *e) {
  int out = handed_out(e);
  m->out_valid = out >= 0;
  m->out_kdei = (uint8_t)(out >= 0 ? out : 0);
  m->out_last = e->serve_kdei >= 0 && e->serve_last;
  if (out >= 0) {
    m->shown[out].exebl++;
    hd_bit_set(m->running, (unsigned)out);
  }
  if (e->serve_kdei >= 0 && e->serve_last) count_queued(m, (unsigned)e->serve_kdei, -1);
  if (e->retire_kdei >= 0) {
    unsigned i = (unsigned)e->retire_kdei;
    m->shown[i].exebl--;
    hd_bit_put(m->running, i, m->shown[i].exebl > 0);
  }
}

/* Counts launches between A1 and A3 that found the kernel. */
static void count_hold(struct hd_kd *m, const struct hd_kd_edge *e) {
  if (e->hold_kdei >= 0) {
    m->shown[e->hold_kdei].hold++;
    hd_bit_set(m->held, (unsigned)e->hold_kdei);
  }
  if (e->unhold_kdei >= 0) {
    unsigned i = (unsigned)e->unhold_kdei;
    m->shown[i].hold--;
    hd_bit_put(m->held, i, m->shown[i].hold > 0);
  }
}

/* Applies what the scheduler hands out of the kernel in the SSCR to its progress. */
static void hand_out(struct hd_kd *m, const struct hd_kd_edge *e) {
  const unsigned i = e->cur_kdei;
  if (e->grant && e->kind == HD_UNIT_SAVED) {
    const unsigned next = m->entry[i].sav_first + 1u;
    m->entry[i].sav_first = (uint16_t)(next == m->cfg.sav_max ? 0 : next);
    m->entry[i].sav_count--;
  }
  if (e->unit_end && e->kind != HD_UNIT_SAVED) {
    m->entry[i].nextbl = 0;
    if (e->kind == HD_UNIT_NATIVE) hd_bit_set(m->ndone, i);
  }
  if (e->park) m->entry[i].nextbl = e->park_nextbl;
}

/* Stops a failed kernel. If it is being suspended, its saved list stays, and its rest fails. */
static void stop(struct hd_kd *m, unsigned i) {
  hd_bit_set(m->failed, i);
  hd_bit_set(m->ndone, i);
  if (m->susp_state != HD_KD_REST && m->susp_kdei == i) return;
  hd_bit_clear(m->suspending, i);
  m->entry[i].sav_count = 0;
}

/* Applies births and saves, errors of the memory, and the end of a graph. */
static void follow_launches(struct hd_kd *m, const struct hd_kd_edge *e) {
  if (e->birth_kdei >= 0) {
    hd_bit_set(m->kin_valid, (unsigned)e->birth_kdei);
    m->entry[e->birth_kdei].kin = e->birth_kin;
  }
  /* otherwise the save is lost with the saved list */
  if (e->save_kdei >= 0 && !hd_bit(m->failed, (unsigned)e->save_kdei)) {
    m->entry[e->save_kdei].sav_count++;
    hd_bit_set(m->suspending, (unsigned)e->save_kdei);
  }
  for (unsigned k = 0; k < HD_MAX_NUM_FAIL; k++) {
    if (e->fail_kdei[k] < 0) continue;
    stop(m, (unsigned)e->fail_kdei[k]);
    if (k == HD_KD_LOST) count_queued(m, (unsigned)e->fail_kdei[k], -1);
  }
  if (e->graph_end_kdei < 0) return;
  hd_bit_clear(m->graph_runs, (unsigned)e->graph_end_kdei);
  if (e->graph_fails) stop(m, (unsigned)e->graph_end_kdei);
}

static void show_desc(struct hd_kd *m, const struct hd_kd_edge *e) {
  int out = handed_out(e);
  if (out >= 0) {
    m->desc = m->entry[out].desc;
    m->desc_valid = 1;
  } else if (m->desc_valid) {
    m->desc = (struct hd_desc){0};
    m->desc_valid = 0;
  }
}

/* ---- the edge ---- */

void hd_kd_quiet(const struct hd_kd *m, const uint64_t *marked, uint64_t *quiet) {
  for (unsigned k = 0; k < m->cfg.kde_words; k++)
    quiet[k] = m->valid[k] & ~marked[k] & ~m->running[k] & ~m->held[k] & ~m->graph_runs[k] &
               (~m->waiting[k] | m->suspending[k]);
}

static void remove_entry(uint64_t *set, int kdei) {
  if (kdei >= 0) hd_bit_clear(set, (unsigned)kdei);
}

/* Entries that have no TB in execution, no launch or pointer on its way, and no event in this cycle. Banks may still
 * hold entries of a suspending kernel. */
static void find_idle(const struct hd_kd *m, const struct hd_kd_edge *e, uint64_t *still) {
  hd_kd_quiet(m, e->marked, still);
  for (unsigned k = 0; k < m->cfg.kde_words; k++) still[k] &= ~e->unanswered[k];
  remove_entry(still, e->hold_kdei);
  remove_entry(still, e->birth_kdei);
  remove_entry(still, e->save_kdei);
  for (unsigned k = 0; k < HD_MAX_NUM_FAIL; k++) remove_entry(still, e->fail_kdei[k]);
}

/* Returns the entry whose suspension begins in this cycle, or -1: of the still ones, the lowest without entries in
 * banks or with a full saved list. */
static int choose_suspension(const struct hd_kd *m, const struct hd_kd_edge *e, const uint64_t *still) {
  if (m->susp_state != HD_KD_REST || !e->suspend_free) return -1;
  for (unsigned k = 0; k < m->cfg.kde_words; k++) {
    for (uint64_t w = still[k] & m->suspending[k]; w; w &= w - 1) {
      unsigned i = k * 64 + hd_lowest(w);
      if (!hd_bit(m->waiting, i) || m->entry[i].sav_count + 1u >= m->cfg.sav_max) return (int)i;
    }
  }
  return -1;
}

/* Sets the suspending kernels whose saved list might have no place for one more TB. */
static void find_full_lists(const struct hd_kd *m, uint64_t *full) {
  for (unsigned k = 0; k < m->cfg.kde_words; k++) {
    full[k] = 0;
    for (uint64_t w = m->suspending[k]; w; w &= w - 1) {
      unsigned i = k * 64 + hd_lowest(w);
      if (m->shown[i].exebl + m->entry[i].sav_count + 1u >= m->cfg.sav_max) hd_bit_set(full, i);
    }
  }
}

static void step_suspension(struct hd_kd *m, int begin) {
  if (m->susp_state == HD_KD_TAKE) {
    m->susp_state = HD_KD_SEND;
  } else if (m->susp_state == HD_KD_SEND) {
    if (hd_kd_rest_stays(m))
      leave_rest(m, m->susp_kdei);
    else
      suspend(m, m->susp_kdei);
    m->susp_state = HD_KD_REST;
    m->susp_kdei = 0;
  } else if (begin >= 0) {
    m->susp_state = HD_KD_TAKE;
    m->susp_kdei = (uint8_t)begin;
  }
}

void hd_kd_step(struct hd_kd *m, const struct hd_kd_edge *e) {
  int alloc = e->kernel && hd_kd_ready(m) ? hd_kd_alloc(m) : -1;
  uint64_t ended[HD_KDE_WORDS]; /* the still ones, then those to release */
  uint64_t full[HD_KDE_WORDS];
  find_idle(m, e, ended);
  find_full_lists(m, full);
  int begin = choose_suspension(m, e, ended);
  for (unsigned k = 0; k < m->cfg.kde_words; k++) {
    ended[k] &= ~m->suspending[k] & ~e->pending[k];
    m->left[k] = 0;
  }
  for (unsigned k = 0; k < m->cfg.hwq_words; k++) m->reopen[k] = 0;

  show_desc(m, e);
  count_exebl(m, e);
  count_hold(m, e);
  hand_out(m, e);
  follow_launches(m, e);
  if (e->queue_kdei >= 0) count_queued(m, (unsigned)e->queue_kdei, 1);
  if (alloc >= 0) /* before report: a row freed now is not available yet */
    enter(m, (unsigned)alloc, e->kernel, e->enter_queued);
  if (!m->leave_valid || e->leave_ready) {
    if (m->susp_state != HD_KD_TAKE) {
      report(m);
    } else { /* the tag RAM is being read for the suspension */
      m->leave_valid = 0;
      m->leave = (struct hd_leave){0};
    }
  }
  for (unsigned k = 0; k < m->cfg.kde_words; k++) {
    for (uint64_t w = ended[k]; w; w &= w - 1) release(m, k * 64 + hd_lowest(w));
  }
  step_suspension(m, begin);
  memcpy(m->sav_full, full, m->cfg.kde_words * sizeof *full);
}
