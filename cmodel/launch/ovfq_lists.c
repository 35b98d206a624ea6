/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include <string.h>

#include "launch/ovfq_inside.h"

/* Returns true if a group of the list is handed out. */
static bool advances(const struct hd_ovfq_in *in, unsigned k) {
  return in->sched_advance && in->sched_sscr.kdei == k && !in->link_chained[k];
}

static void keep_head(struct hd_ovfq *m, unsigned k, const struct hd_ptr *ptr) {
  m->known[k] = ptr != NULL;
  m->head[k] = ptr ? *ptr : (struct hd_ptr){0};
}

/* Appends a pointer; the first one of a list is also kept here. */
static void push(struct hd_ovfq *m, const struct hd_ovfq_in *in) {
  unsigned k = in->link_link.kdei;
  if (!m->count[k] || (m->count[k] == 1 && advances(in, k))) keep_head(m, k, &in->link_link.ptr);
  m->count[k]++;
  m->unans[k]++;
}

static void drop(struct hd_ovfq *m, bool valid, unsigned k) {
  if (!valid) return;
  m->count[k] = 0;
  keep_head(m, k, NULL);
}

static void step_places(struct hd_ovfq *m, const struct hd_ovfq_in *in) {
  m->taken = (struct hd_memlist){0};
  if (in->kd_take.valid) m->taken = (struct hd_memlist){m->first[in->kd_take.kdei], m->count[in->kd_take.kdei]};
  if (advances(in, in->sched_sscr.kdei)) keep_head(m, in->sched_sscr.kdei, NULL);
  if (in->link_link.over) push(m, in);
  if (advances(in, in->sched_sscr.kdei)) {
    m->first[in->sched_sscr.kdei] = (m->first[in->sched_sscr.kdei] + 1) & m->cfg.place_mask;
    m->count[in->sched_sscr.kdei]--;
  }
  drop(m, in->fails[0].valid, in->fails[0].kdei);
  drop(m, in->fails[1].valid, in->fails[1].kdei);
  drop(m, in->kd_take.valid, in->kd_take.kdei);
  drop(m, m->write_fail_valid, m->write_fail_kdei);
  drop(m, m->fetch_fail_valid, m->fetch_fail_kdei);
  if (!in->kd_entry.valid) return;
  m->first[in->kd_entry.kdei] = in->kmu_offer.kernel.over.first;
  m->count[in->kd_entry.kdei] = in->kmu_offer.kernel.over.count;
  keep_head(m, in->kd_entry.kdei, NULL);
}

/* ---- Ownership of lists ---- */

/* Exchanges the list numbers of a parent record and of its kernel's entry. */
static void exchange(struct hd_ovfq *m, unsigned kdei, unsigned kin) {
  uint16_t row = hd_bit(m->given, kin) ? m->kin_row[kin] : (uint16_t)(m->cfg.num_kde + kin);
  m->kin_row[kin] = m->list[kdei];
  m->list[kdei] = row;
  hd_bit_set(m->given, kin);
  hd_wrote(&m->wrote[KIN_ROW], kin);
}

static void step_swap(struct hd_ovfq *m, const struct hd_ovfq_in *in) {
  if (!m->swap) {
    m->swap = m->out_pending || m->in_pending;
    m->swap_in = m->in_pending && !m->out_pending;
  } else if (m->swap_in) {
    exchange(m, m->in_kdei, m->in_kin);
    m->swap = m->swap_in = 0;
    m->in_pending = m->late_pending; /* the second one is now the first */
    m->in_kdei = m->late_kdei;
    m->in_kin = m->late_kin;
    m->late_pending = m->late_kdei = 0;
    m->late_kin = 0;
  } else {
    exchange(m, m->out_kdei, m->out_kin);
    m->swap = m->out_pending = m->out_kdei = 0;
    m->out_kin = 0;
  }
  if (in->kd_take.valid) {
    m->out_pending = 1;
    m->out_kdei = in->kd_take.kdei;
    m->out_kin = in->kd_kin[in->kd_take.kdei];
  }
  if (in->kd_entry.valid && in->kmu_offer.kernel.resumed) {
    uint8_t *pending = m->in_pending ? &m->late_pending : &m->in_pending;
    *pending = 1;
    *(m->late_pending ? &m->late_kdei : &m->in_kdei) = in->kd_entry.kdei;
    *(m->late_pending ? &m->late_kin : &m->in_kin) = in->kmu_offer.kernel.kin;
  }
}

void hd_ovfq_lists_step(struct hd_ovfq *m, const struct hd_ovfq_in *in) {
  step_places(m, in);
  step_swap(m, in);
}

void hd_ovfq_lists_arch(const struct hd_ovfq *m, struct hd_ovfq_arch *a) {
  memcpy(a->list, m->list, m->cfg.num_kde * sizeof *m->list);
  memcpy(a->first, m->first, m->cfg.num_kde * sizeof *m->first);
  memcpy(a->count, m->count, m->cfg.num_kde * sizeof *m->count);
  memcpy(a->unans, m->unans, m->cfg.num_kde * sizeof *m->unans);
  memcpy(a->known, m->known, m->cfg.num_kde);
  memcpy(a->head, m->head, m->cfg.num_kde * sizeof *m->head);
  hd_bits_to_bytes(a->given, m->given, m->cfg.num_kin);
  a->out_pending = m->out_pending;
  a->out_kdei = m->out_kdei;
  a->out_kin = m->out_kin;
  a->in_pending = m->in_pending;
  a->in_kdei = m->in_kdei;
  a->in_kin = m->in_kin;
  a->late_pending = m->late_pending;
  a->late_kdei = m->late_kdei;
  a->late_kin = m->late_kin;
  a->swap = m->swap;
  a->swap_in = m->swap_in;
}
