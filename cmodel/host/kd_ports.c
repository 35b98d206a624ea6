/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* kd at its ports: outputs, the edge, and the architectural state. */
#include <string.h>

#include "host/kd.h"

static void show_entries(const struct hd_kd *m, struct hd_kd_out *out) {
  unsigned n = m->cfg.num_kde;
  memcpy(out->need, hd_kd_need(m), n * sizeof *out->need);
  hd_bits_to_bytes(out->ndone, m->ndone, n);
  hd_bits_to_bytes(out->kin_valid, m->kin_valid, n);
  hd_bits_to_bytes(out->suspending, m->suspending, n);
  hd_bits_to_bytes(out->sav_full, m->sav_full, n);
  hd_bits_to_bytes(out->failed, m->failed, n);
  hd_bits_to_bytes(out->left, m->left, n);
  for (unsigned i = 0; i < n; i++) {
    const struct hd_kd_entry *e = &m->entry[i];
    out->ctas[i] = e->ctas;
    out->level[i] = e->level;
    out->nextbl[i] = e->nextbl;
    out->sav_first[i] = e->sav_first;
    out->sav_count[i] = e->sav_count;
    out->kin[i] = e->kin;
    out->eligible[i] = hd_kd_eligible(m, i);
    out->save_ok[i] = hd_kd_save_ok(m, i);
  }
}

void hd_kd_eval(const struct hd_kd *m, const struct hd_kd_in *in, struct hd_kd_out *out) {
  (void)in; /* all outputs are registered */
  int alloc = hd_kd_alloc(m);
  out->kernel_ready = hd_kd_ready(m);
  out->alloc_kdei = (uint8_t)(alloc < 0 ? 0 : alloc);
  show_entries(m, out);
  out->desc = m->desc;
  hd_bits_to_bytes(out->reopen, m->reopen, m->cfg.num_hwq);
  out->kd_busy = hd_kd_busy(m);
  out->steal = out->take_valid = m->susp_state == HD_KD_TAKE;
  out->take_kdei = out->take_valid ? m->susp_kdei : 0;
  out->suspend_valid = m->susp_state == HD_KD_SEND;
  out->suspend = out->suspend_valid ? hd_kd_suspended(m) : (struct hd_kernel){0};
  out->rest_valid = hd_kd_rest_stays(m);
  out->rest_kin = out->rest_valid ? out->suspend.kin : 0;
  out->leave_valid = m->leave_valid;
  out->leave = m->leave;
}

void hd_kd_tick(struct hd_kd *m, const struct hd_kd_in *in) {
  uint64_t marked[HD_KDE_WORDS], pending[HD_KDE_WORDS], unanswered[HD_KDE_WORDS];
  hd_bits_from_bytes(marked, in->marked, m->cfg.num_kde);
  hd_bits_from_bytes(pending, in->pending, m->cfg.num_kde);
  hd_bits_from_bytes(unanswered, in->unanswered, m->cfg.num_kde);
  struct hd_kd_edge e = {
      .kernel = in->kernel_valid ? &in->kernel : NULL,
      .enter_queued = in->enter_queued,
      .marked = marked,
      .pending = pending,
      .unanswered = unanswered,
      .queue_kdei = in->queue_valid ? in->queue_kdei : -1,
      .serve_kdei = in->serve_valid ? in->serve_kdei : -1,
      .serve_last = in->serve_last,
      .node_kdei = in->graph_take ? in->graph_kdei : -1,
      .graph_end_kdei = in->graph_end_valid ? in->graph_end_kdei : -1,
      .graph_fails = in->graph_end_code != HD_GCODE_FINE,
      .cur_kdei = in->grant_kdei,
      .kind = in->grant_kind,
      .grant = in->grant_valid,
      .unit_end = in->unit_end,
      .park = in->park_valid,
      .park_nextbl = in->park_nextbl,
      .retire_kdei = in->retire_valid ? in->retire_kdei : -1,
      .hold_kdei = in->hold_valid ? in->hold_kdei : -1,
      .unhold_kdei = in->unhold_valid ? in->unhold_kdei : -1,
      .birth_kdei = in->birth_valid ? in->birth_kdei : -1,
      .birth_kin = in->birth_kin,
      .save_kdei = in->save_valid ? in->save_kdei : -1,
      .suspend_free = in->suspend_free,
      .leave_ready = in->leave_ready,
  };
  for (unsigned k = 0; k < HD_MAX_NUM_FAIL; k++) e.fail_kdei[k] = in->fail_valid[k] ? in->fail_kdei[k] : -1;
  hd_kd_step(m, &e);
}

void hd_kd_arch_row(const struct hd_kd *m, unsigned row, struct hd_kd_arch *a) {
  unsigned i = row / 2, bank = row % 2;
  if (row < m->cfg.num_kde) {
    a->desc_row[row] = m->entry[row].desc;
    a->desc_row_valid[row] = hd_bit(m->valid, row);
  }
  a->tag_row[row] = m->entry[i].tag[bank];
  a->tag_row_valid[row] = hd_bit(m->pend, row) || (hd_bit(m->valid, i) && m->shown[i].bank == bank);
}

void hd_kd_arch(const struct hd_kd *m, struct hd_kd_arch *a, bool tables) {
  unsigned n = m->cfg.num_kde;
  hd_bits_to_bytes(a->valid, m->valid, n);
  hd_bits_to_bytes(a->host, m->host, n);
  hd_bits_to_bytes(a->graph, m->graph, n);
  hd_bits_to_bytes(a->graph_runs, m->graph_runs, n);
  hd_bits_to_bytes(a->pend, m->pend, 2 * n);
  a->pend_ptr = m->pend_ptr;
  a->susp_state = m->susp_state;
  a->susp_kdei = m->susp_kdei;
  for (unsigned i = 0; i < n; i++) {
    const struct hd_kd_shown *e = &m->shown[i];
    a->exebl[i] = e->exebl;
    a->hwq[i] = e->hwq;
    a->bank[i] = e->bank;
    a->hold[i] = e->hold;
    a->queued[i] = e->queued;
    for (unsigned b = 0; b < 2; b++) {
      a->pend_kin_valid[2 * i + b] = e->pend[b].kin_valid;
      a->pend_kin[2 * i + b] = e->pend[b].kin;
      a->pend_failed[2 * i + b] = e->pend[b].failed;
    }
  }
  for (unsigned row = 0; tables && row < 2 * n; row++) hd_kd_arch_row(m, row, a);
}
