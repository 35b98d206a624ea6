/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include <string.h>

#include "launch/ovfq_inside.h"

/* Returns true if a group of the list is handed out. */
static bool advances(const struct hd_ovfq_in *in, unsigned k) {
  return in->adv_valid && in->adv_kdei == k && !in->chained[k];
}

static void keep_head(struct hd_ovfq *m, unsigned k, const struct hd_ptr *ptr) {
  m->known[k] = ptr != NULL;
  m->head[k] = ptr ? *ptr : (struct hd_ptr){0};
}

/* Appends a pointer; the first one of a list is also kept here. */
static void push(struct hd_ovfq *m, const struct hd_ovfq_in *in) {
  unsigned k = in->push_kdei;
  if (!m->count[k] || (m->count[k] == 1 && advances(in, k))) keep_head(m, k, &in->push_ptr);
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
  if (in->take_valid) m->taken = (struct hd_memlist){m->first[in->take_kdei], m->count[in->take_kdei]};
  if (advances(in, in->adv_kdei)) keep_head(m, in->adv_kdei, NULL);
  if (in->push_valid) push(m, in);
  if (advances(in, in->adv_kdei)) {
    m->first[in->adv_kdei] = (m->first[in->adv_kdei] + 1) & m->cfg.place_mask;
    m->count[in->adv_kdei]--;
  }
  drop(m, in->fail_valid[0], in->fail_kdei[0]);
  drop(m, in->fail_valid[1], in->fail_kdei[1]);
  drop(m, in->take_valid, in->take_kdei);
  drop(m, m->write_fail_valid, m->write_fail_kdei);
  drop(m, m->fetch_fail_valid, m->fetch_fail_kdei);
  if (!in->enter_valid || !in->enter_ready) return;
  m->first[in->enter_kdei] = in->enter_list.first;
  m->count[in->enter_kdei] = in->enter_list.count;
  keep_head(m, in->enter_kdei, NULL);
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
  if (in->take_valid) {
    m->out_pending = 1;
    m->out_kdei = in->take_kdei;
    m->out_kin = in->kin[in->take_kdei];
  }
  if (in->enter_valid && in->enter_ready && in->enter_resumed) {
    uint8_t *pending = m->in_pending ? &m->late_pending : &m->in_pending;
    *pending = 1;
    *(m->late_pending ? &m->late_kdei : &m->in_kdei) = in->enter_kdei;
    *(m->late_pending ? &m->late_kin : &m->in_kin) = in->enter_kin;
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
