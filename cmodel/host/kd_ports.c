/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* kd at its ports: outputs, the edge, and the architectural state. */
#include <string.h>

#include "host/kd.h"

static void show_entries(const struct hd_kd *m, struct hd_kd_out *out) {
  unsigned n = m->cfg.num_kde;
  memcpy(out->need, m->need, n * sizeof *out->need);
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
  int alloc = hd_kd_alloc(m);
  out->free.valid = hd_kd_ready(m);
  out->free.kdei = out->entry.kdei = (uint8_t)(alloc < 0 ? 0 : alloc);
  out->entry.valid = out->free.valid && in->kmu_offer.valid && !in->laperm_enter.wait_bank;
  show_entries(m, out);
  out->desc = m->desc;
  hd_bits_to_bytes(out->reopen, m->reopen, m->cfg.num_hwq);
  out->busy = hd_kd_busy(m);
  out->stall = out->take.valid = m->susp_state == HD_KD_TAKE;
  out->take.kdei = out->take.valid ? m->susp_kdei : 0;
  out->suspend.valid = m->susp_state == HD_KD_SEND;
  out->suspend.kernel = out->suspend.valid ? hd_kd_suspended(m) : (struct hd_kernel){0};
  out->rest.valid = hd_kd_rest_stays(m);
  out->rest.kin = out->rest.valid ? out->suspend.kernel.kin : 0;
  out->leave = m->leave;
  out->leave.valid = m->leave_valid;
}

void hd_kd_tick(struct hd_kd *m, const struct hd_kd_in *in) {
  uint64_t marked[HD_KDE_WORDS], pending[HD_KDE_WORDS], unanswered[HD_KDE_WORDS];
  hd_bits_from_bytes(marked, in->fcfs_marked, m->cfg.num_kde);
  hd_bits_from_bytes(pending, in->link_pending, m->cfg.num_kde);
  hd_bits_from_bytes(unanswered, in->ovfq_unanswered, m->cfg.num_kde);
  struct hd_kd_edge e = {
      .kernel = in->kmu_offer.valid && !in->laperm_enter.wait_bank ? &in->kmu_offer.kernel : NULL,
      .enter_queued = in->laperm_enter.bank,
      .marked = marked,
      .pending = pending,
      .unanswered = unanswered,
      .queue_kdei = in->laperm_push.valid ? in->laperm_push.kdei : -1,
      .serve_kdei = in->sched_take.valid ? in->sched_take.kdei : -1,
      .serve_last = in->sched_take.last,
      .node_kdei = in->sched_graph_take ? in->dats_run.kdei : -1,
      .graph_end_kdei = in->dats_over.valid ? in->dats_over.kdei : -1,
      .graph_fails = in->dats_over.result.code != HD_GCODE_FINE,
      .cur_kdei = in->sched_sscr.kdei,
      .kind = in->sched_grant.kind,
      .grant = in->sched_grant.valid,
      .unit_end = in->sched_grant.unit_end,
      .park = in->sched_park.valid,
      .park_nextbl = in->sched_park.nextbl,
      .retire_kdei = in->sched_retire.valid ? in->sched_retire.tb.kdei : -1,
      .hold_kdei = in->devq_hold.valid ? in->devq_hold.kdei : -1,
      .unhold_kdei = in->devq_unhold.valid ? in->devq_unhold.kdei : -1,
      .birth_kdei = in->devq_birth.valid ? in->devq_birth.kdei : -1,
      .birth_kin = in->devq_birth.kin,
      .save_kdei = in->devq_save.valid ? in->devq_save.kdei : -1,
      .suspend_free = in->susp_suspend_free,
      .leave_ready = in->kin_leave_ready,
  };
  for (unsigned k = 0; k < HD_MAX_NUM_FAIL; k++) e.fail_kdei[k] = in->fails[k].valid ? in->fails[k].kdei : -1;
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
    const bool out = m->out_valid && i == m->out_kdei;
    a->exebl[i] = (uint16_t)(e->exebl - out);
    a->hwq[i] = e->hwq;
    a->bank[i] = e->bank;
    a->hold[i] = e->hold;
    a->queued[i] = e->queued + (out && m->out_last);
    for (unsigned b = 0; b < 2; b++) {
      a->pend_kin_valid[2 * i + b] = e->pend[b].kin_valid;
      a->pend_kin[2 * i + b] = e->pend[b].kin;
      a->pend_failed[2 * i + b] = e->pend[b].failed;
    }
  }
  for (unsigned row = 0; tables && row < 2 * n; row++) hd_kd_arch_row(m, row, a);
}
