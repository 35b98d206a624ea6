/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "launch/agc.h"

#include <string.h>

size_t hd_agc_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct hd_agc);
}

void hd_agc_init(struct hd_agc *m, const struct hd_cfg *cfg) {
  memset(m, 0, sizeof *m);
  m->cfg = (struct hd_agc_cfg){
      .size = sizeof *m,
      .agt_size = cfg->agt_size,
      .ovf_slots = cfg->ovf_slots,
      .num_age = cfg->num_age,
      .num_kde = cfg->num_kde,
      .count_mask = (1u << cfg->exe_half_w) - 1,
  };
  hd_agc_reset(m);
}

void hd_agc_reset(struct hd_agc *m) {
  struct hd_agc_cfg cfg = m->cfg;
  memset(m, 0, sizeof *m);
  m->cfg = cfg;
  for (unsigned s = 0; s < cfg.ovf_slots; s++) hd_bit_set(m->ovf_free, s);
}

/* Returns the kernel whose slot is freed in this cycle, or -1. */
static int first_leaving(const struct hd_agc *m) {
  return hd_bits_first(m->leaving, HD_WORDS(m->cfg.num_kde));
}

int hd_agc_slot(const struct hd_agc *m) {
  return first_leaving(m) >= 0 ? -1 : hd_bits_first(m->ovf_free, HD_WORDS(m->cfg.ovf_slots));
}

void hd_agc_eval(const struct hd_agc *m, const struct hd_agc_in *in, struct hd_agc_out *out) {
  (void)in;
  int slot = hd_agc_slot(m);
  out->slot.valid = slot >= 0;
  out->slot.slot = (uint16_t)(slot < 0 ? 0 : slot);
  out->free.valid = m->free_valid;
  out->free.index = m->free_index;
  out->record_done_valid = m->offered.valid;
  out->record_done = m->offered.record;
}

/* A group becomes the current one: none of its TBs is done, or none since it was parked. */
static void load(struct hd_agc *m, const struct hd_ptr *group, int slot) {
  unsigned agei = group->index;
  if (!group->onchip) {
    agei = m->cfg.agt_size + (unsigned)slot;
    hd_bit_clear(m->ovf_free, (unsigned)slot);
    m->record[slot] = group->index;
    hd_wrote(&m->wrote[2], (unsigned)slot);
  }
  m->fresh = 1;
  m->cur_valid = 1;
  m->cur_agei = (uint16_t)agei;
  m->cur_count = 0;
}

static void drop_current(struct hd_agc *m) {
  m->cur_valid = 0;
  m->cur_agei = m->cur_count = 0;
}

/* A TB of the current group is handed out. */
static void hand_out(struct hd_agc *m, bool last) {
  m->cur_count = (uint16_t)((m->cur_count + 1u) & m->cfg.count_mask);
  if (!last) return;
  m->handed[m->cur_agei] = m->cur_count;
  m->ended[m->cur_agei] = 1;
  hd_wrote(&m->wrote[0], m->cur_agei);
  drop_current(m);
}

/* The current group's kernel stops. */
static void park(struct hd_agc *m, unsigned kdei) {
  hd_bit_set(m->parked, kdei);
  m->park_agei[kdei] = m->cur_agei;
  drop_current(m);
}

/* Frees a slot. */
static void return_slot(struct hd_agc *m, unsigned slot) {
  hd_bit_set(m->ovf_free, slot);
  m->record[slot] = 0;
}

static void forget_park(struct hd_agc *m, unsigned kdei) {
  hd_bit_clear(m->parked, kdei);
  m->park_agei[kdei] = 0;
}

/* A parked group's kernel has left the KD. A group on chip keeps its AGE; an overflow slot must be freed, and its
 * record stays in its list. */
static void leave(struct hd_agc *m, unsigned kdei) {
  if (m->park_agei[kdei] < m->cfg.agt_size)
    forget_park(m, kdei);
  else
    hd_bit_set(m->leaving, kdei);
}

/* Frees the slot of a parked group; its record is not returned. */
static void return_parked(struct hd_agc *m, unsigned kdei) {
  hd_bit_clear(m->leaving, kdei);
  return_slot(m, m->park_agei[kdei] - m->cfg.agt_size);
  forget_park(m, kdei);
}

/* Returns true if all TBs of this AGE's group are handed out: it is neither current nor parked. */
static bool over(const struct hd_agc *m, unsigned agei) {
  if (m->cur_valid && m->cur_agei == agei) return false;
  for (unsigned i = 0; i < m->cfg.num_kde; i++)
    if (hd_bit(m->parked, i) && m->park_agei[i] == agei) return false;
  return true;
}

/* A group loaded in the previous cycle has no completed TB. */
static void forget_done(struct hd_agc *m, unsigned agei) {
  hd_bit_clear(m->seen, agei);
  m->done[agei] = 0;
}

/* Counts the TB retired in the previous cycle. Returns true if it was the last of its group. */
static bool count_done(struct hd_agc *m) {
  unsigned agei = m->r1_agei;
  m->done[agei] = (uint16_t)((m->done[agei] + 1u) & m->cfg.count_mask);
  hd_bit_set(m->seen, agei);
  hd_wrote(&m->wrote[1], agei);
  return m->r1_over && m->done[agei] == m->handed[agei];
}

/* Returns records: one offered to software, then the one whose slot is not free yet. */
static void report(struct hd_agc *m, const struct hd_agc_in *in) {
  if (in->record_done_ready) m->offered = (struct hd_agc_record){0};
  if (m->returning.valid && !m->offered.valid) {
    m->offered = m->returning;
    m->offered.slot = 0;
    return_slot(m, m->returning.slot);
    m->returning = (struct hd_agc_record){0};
  }
  if (m->returning.valid) return;
  int slot = hd_bits_rr(m->ovf_wait, HD_WORDS(m->cfg.ovf_slots), m->ret_ptr);
  if (slot < 0) return;
  hd_bit_clear(m->ovf_wait, (unsigned)slot);
  m->returning = (struct hd_agc_record){.valid = 1, .slot = (uint16_t)slot, .record = m->record[slot]};
  m->ret_ptr = (uint16_t)((unsigned)slot + 1 == m->cfg.ovf_slots ? 0 : slot + 1);
}

static void free_age(struct hd_agc *m, unsigned agei) {
  if (agei >= m->cfg.agt_size) {
    hd_bit_set(m->ovf_wait, agei - m->cfg.agt_size);
    return;
  }
  m->free_valid = 1;
  m->free_index = (uint16_t)agei;
}

void hd_agc_tick(struct hd_agc *m, const struct hd_agc_in *in) {
  int slot = hd_agc_slot(m); /* as output in this cycle */
  int back = first_leaving(m);
  bool retired = in->sched_retire.valid && in->sched_retire.tb.age_valid;
  bool is_over = retired && over(m, in->sched_retire.tb.agei);
  report(m, in); /* before a slot starts to wait: it is considered in the next cycle */
  m->free_valid = 0;
  m->free_index = 0;
  if (m->fresh) forget_done(m, m->cur_agei);
  m->fresh = 0;
  if (m->r1_valid && count_done(m)) free_age(m, m->r1_agei);
  m->r1_valid = retired;
  m->r1_agei = retired ? in->sched_retire.tb.agei : 0;
  m->r1_over = is_over;
  for (unsigned i = 0; i < m->cfg.num_kde; i++)
    if (in->kd_left[i] && hd_bit(m->parked, i)) leave(m, i);
  if (back >= 0) return_parked(m, (unsigned)back);
  if (in->sched_hand.grant) hand_out(m, in->sched_hand.last);
  if (in->sched_hand.park) park(m, in->sched_sscr.kdei);
  if (in->sched_hand.load) load(m, &in->sched_hand.ptr, slot);
}

void hd_agc_arch_row(const struct hd_agc *m, unsigned row, struct hd_agc_arch *a) {
  a->handed_row_valid[row] = m->ended[row];
  a->handed_row[row] = m->handed[row];
  a->done_row_valid[row] = hd_bit(m->seen, row);
  a->done_row[row] = m->done[row];
  if (row >= m->cfg.ovf_slots) return;
  a->rec_row_valid[row] = !hd_bit(m->ovf_free, row);
  a->rec_row[row] = m->record[row];
}

void hd_agc_arch(const struct hd_agc *m, struct hd_agc_arch *a, bool tables) {
  a->cur_valid = m->cur_valid;
  a->cur_agei = m->cur_agei;
  a->cur_count = m->cur_count;
  hd_bits_to_bytes(a->seen, m->seen, m->cfg.num_age);
  hd_bits_to_bytes(a->ovf_used, m->ovf_free, m->cfg.ovf_slots);
  for (unsigned s = 0; s < m->cfg.ovf_slots; s++) a->ovf_used[s] ^= 1;
  hd_bits_to_bytes(a->ovf_wait, m->ovf_wait, m->cfg.ovf_slots);
  hd_bits_to_bytes(a->park_valid, m->parked, m->cfg.num_kde);
  hd_bits_to_bytes(a->leaving, m->leaving, m->cfg.num_kde);
  memcpy(a->park_agei, m->park_agei, m->cfg.num_kde * sizeof *a->park_agei);
  a->ret_ptr = m->ret_ptr;
  a->r1_valid = m->r1_valid;
  a->r1_agei = m->r1_agei;
  a->fresh = m->fresh;
  a->s1_valid = m->returning.valid;
  a->s1_slot = m->returning.slot;
  a->s2_valid = m->offered.valid;
  a->s2_record = m->offered.record;
  for (unsigned row = 0; tables && row < m->cfg.num_age; row++) hd_agc_arch_row(m, row, a);
}

bool hd_agc_quiet(const struct hd_agc *m) {
  return !m->r1_valid && !m->fresh && !m->free_valid && !m->returning.valid && !m->offered.valid &&
         first_leaving(m) < 0 && hd_bits_first(m->ovf_wait, HD_WORDS(m->cfg.ovf_slots)) < 0;
}
