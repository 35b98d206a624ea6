/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "sched.h"

#include <string.h>

static struct hd_tbcr *tbcr_of(struct hd_sched *m, unsigned s) {
  return (struct hd_tbcr *)(void *)((char *)m->smx + s * m->cfg.tbcr_size);
}

size_t hd_sched_size(const struct hd_cfg *cfg) {
  return sizeof(struct hd_sched) + cfg->num_smx * hd_tbcr_size(cfg);
}

void hd_sched_init(struct hd_sched *m, const struct hd_cfg *cfg) {
  memset(m, 0, hd_sched_size(cfg));
  m->cfg = (struct hd_sched_cfg){
      .size = (uint32_t)hd_sched_size(cfg),
      .num_smx = cfg->num_smx,
      .smx_words = HD_WORDS(cfg->num_smx),
      .num_kde = cfg->num_kde,
      .tbcr_size = (uint32_t)hd_tbcr_size(cfg),
      .visit = cfg->visit,
  };
  for (unsigned s = 0; s < cfg->num_smx; s++) hd_tbcr_init(tbcr_of(m, s), cfg);
  hd_sched_reset(m);
}

void hd_sched_reset(struct hd_sched *m) {
  memset((char *)m + sizeof m->cfg, 0, sizeof *m - sizeof m->cfg);
  for (unsigned s = 0; s < m->cfg.num_smx; s++) hd_tbcr_reset(tbcr_of(m, s));
}

/* The SMX that gets a TB in this cycle, or -1. */
static int choose_smx(const struct hd_sched *m) {
  uint64_t takers[HD_SMX_WORDS] = {0};
  if (!m->sscr_valid) return -1;
  for (unsigned k = 0; k < m->cfg.smx_words; k++) takers[k] = m->room[k] & ~m->dispatching[k];
  if (m->cfg.visit) return hd_bit(takers, m->smx_ptr) ? m->smx_ptr : -1;
  return hd_bits_rr(takers, m->cfg.smx_words, m->smx_ptr);
}

struct hd_sched_choice hd_sched_choose(const struct hd_sched *m) {
  struct hd_sched_choice c = {.grant_smx = choose_smx(m), .retire_smx = -1};
  c.grant_last = c.grant_smx >= 0 && m->sscr_nextbl + 1 == m->sscr_ctas;
  c.blocked = m->sscr_valid && c.grant_smx < 0;
  c.retire_smx = hd_bits_rr(m->queued, m->cfg.smx_words, m->retire_ptr);
  return c;
}

void hd_sched_show_dispatch(const struct hd_sched *m, const struct hd_desc *desc, uint8_t *valid,
                            struct hd_dispatch *dispatch) {
  for (unsigned s = 0; s < m->cfg.num_smx; s++) {
    const struct hd_tbcr *t = hd_sched_tbcr(m, s);
    valid[s] = t->dispatch_valid;
    dispatch[s] = t->dispatch;
  }
  if (m->fresh_valid) dispatch[m->fresh_smx].desc = *desc;
}

void hd_sched_eval(const struct hd_sched *m, const struct hd_sched_in *in, struct hd_sched_out *out) {
  struct hd_sched_choice c = hd_sched_choose(m);
  bool grant = c.grant_smx >= 0;
  out->grant_valid = grant;
  out->grant_kdei = m->sscr_valid ? m->sscr_kdei : 0;
  out->grant_smx = grant ? (uint8_t)c.grant_smx : 0;
  out->grant_last = c.grant_last;
  out->blocked = c.blocked;
  out->retire_valid = m->retired_valid;
  out->retire_kdei = m->retired_kdei;
  hd_sched_show_dispatch(m, &in->desc, out->dispatch_valid, out->dispatch);
  hd_bits_to_bytes(out->done_ok, m->done_ok, m->cfg.num_smx);
  hd_bits_to_bytes(out->done_empty, m->done_empty, m->cfg.num_smx);
  hd_bits_to_bytes(out->done_early, m->done_early, m->cfg.num_smx);
}

/* Judges anew whether SMX s has room for the SSCR's kernel. */
static void update_room(struct hd_sched *m, unsigned s) {
  hd_bit_put(m->room, s, m->sscr_valid && hd_tbcr_has_room(hd_sched_tbcr(m, s), &m->sscr_need));
}

static void complete_all(struct hd_sched *m, const struct hd_sched_edge *e) {
  for (unsigned k = 0; k < m->cfg.smx_words; k++) {
    m->done_ok[k] = m->done_empty[k] = m->done_early[k] = 0;
    for (uint64_t w = e->cta_done_valid[k]; w; w &= w - 1) {
      unsigned s = k * 64 + hd_lowest(w);
      enum hd_done done = hd_tbcr_complete(tbcr_of(m, s), e->cta_done_slot[s], e->need);
      uint64_t *set = done == HD_DONE_OK ? m->done_ok : done == HD_DONE_EMPTY ? m->done_empty : m->done_early;
      hd_bit_set(set, s);
    }
    m->queued[k] |= m->done_ok[k];
  }
}

static void dispatch_all(struct hd_sched *m, const struct hd_sched_edge *e) {
  if (m->fresh_valid && !hd_bit(e->dispatch_ready, m->fresh_smx)) {
    hd_tbcr_dispatch(tbcr_of(m, m->fresh_smx), false, e->desc);
  }
  m->fresh_valid = 0;
  m->fresh_smx = 0;
  for (unsigned k = 0; k < m->cfg.smx_words; k++) {
    uint64_t taken = m->dispatching[k] & e->dispatch_ready[k];
    m->dispatching[k] &= ~taken;
    for (; taken; taken &= taken - 1) hd_tbcr_dispatch(tbcr_of(m, k * 64 + hd_lowest(taken)), true, e->desc);
  }
}

static void retire(struct hd_sched *m, unsigned s) {
  const struct hd_tbcr *t = hd_sched_tbcr(m, s);
  m->retired_valid = 1;
  m->retired_kdei = hd_tbcr_done_row(t)[t->done_first];
  hd_tbcr_retire(tbcr_of(m, s));
  hd_bit_put(m->queued, s, hd_sched_tbcr(m, s)->done_count > 0);
  m->retire_ptr = (uint8_t)(s + 1 == m->cfg.num_smx ? 0 : s + 1);
}

static void grant(struct hd_sched *m, unsigned s, unsigned slot) {
  hd_tbcr_grant(tbcr_of(m, s), slot, m->sscr_kdei, m->sscr_nextbl, &m->sscr_need);
  hd_bit_set(m->dispatching, s);
  m->fresh_valid = 1;
  m->fresh_smx = (uint8_t)s;
  m->sscr_nextbl++;
}

static void load_sscr(struct hd_sched *m, int kdei, const struct hd_need *need, uint32_t ctas) {
  m->sscr_valid = kdei >= 0;
  m->sscr_kdei = (uint8_t)(kdei >= 0 ? kdei : 0);
  m->sscr_need = kdei >= 0 ? *need : (struct hd_need){0};
  m->sscr_ctas = kdei >= 0 ? ctas : 0;
  m->sscr_nextbl = 0;
}

/* After the last TB the next marked kernel follows, else the one that enters in this cycle; an idle SSCR waits for one.
 */
static bool advance_sscr(struct hd_sched *m, bool last, const struct hd_sched_edge *e) {
  if (last && e->next_kdei >= 0) {
    load_sscr(m, e->next_kdei, &e->need[e->next_kdei], e->ctas[e->next_kdei]);
  } else if (last || (!m->sscr_valid && e->enter_kdei >= 0)) {
    load_sscr(m, e->enter_kdei, e->enter_need, e->enter_ctas);
  } else {
    return false;
  }
  return true;
}

/* Keeps `room` true: only SMXs that changed need a new look, unless the kernel did. */
static void update_rooms(struct hd_sched *m, const struct hd_sched_choice *c, bool loaded) {
  if (loaded) {
    for (unsigned s = 0; s < m->cfg.num_smx; s++) update_room(m, s);
    return;
  }
  for (unsigned k = 0; k < m->cfg.smx_words; k++) {
    for (uint64_t w = m->done_ok[k]; w; w &= w - 1) update_room(m, k * 64 + hd_lowest(w));
  }
  if (c->grant_smx >= 0) update_room(m, (unsigned)c->grant_smx);
  if (c->retire_smx >= 0) update_room(m, (unsigned)c->retire_smx);
}

void hd_sched_step(struct hd_sched *m, const struct hd_sched_choice *choice, const struct hd_sched_edge *e) {
  bool had_kernel = m->sscr_valid;
  unsigned slot = choice->grant_smx >= 0 ? hd_tbcr_slot(hd_sched_tbcr(m, (unsigned)choice->grant_smx)) : 0;
  m->retired_valid = m->retired_kdei = 0;
  complete_all(m, e);
  dispatch_all(m, e);
  if (choice->retire_smx >= 0) retire(m, (unsigned)choice->retire_smx);
  if (choice->grant_smx >= 0) grant(m, (unsigned)choice->grant_smx, slot);
  if (m->cfg.visit ? had_kernel : choice->grant_smx >= 0) {
    unsigned s = m->cfg.visit ? m->smx_ptr : (unsigned)choice->grant_smx;
    m->smx_ptr = (uint8_t)(s + 1 == m->cfg.num_smx ? 0 : s + 1);
  }
  update_rooms(m, choice, advance_sscr(m, choice->grant_last, e));
}

void hd_sched_tick(struct hd_sched *m, const struct hd_sched_in *in) {
  uint64_t ready[HD_SMX_WORDS], done[HD_SMX_WORDS];
  hd_bits_from_bytes(ready, in->dispatch_ready, m->cfg.num_smx);
  hd_bits_from_bytes(done, in->cta_done_valid, m->cfg.num_smx);
  const struct hd_sched_choice choice = hd_sched_choose(m);
  const struct hd_sched_edge e = {
      .enter_kdei = in->enter_valid && in->enter_ready ? in->enter_kdei : -1,
      .enter_need = &in->enter_need,
      .enter_ctas = in->enter_ctas,
      .next_kdei = in->next_valid ? in->next_kdei : -1,
      .need = in->need,
      .ctas = in->ctas,
      .desc = &in->desc,
      .dispatch_ready = ready,
      .cta_done_valid = done,
      .cta_done_slot = in->cta_done_slot,
  };
  hd_sched_step(m, &choice, &e);
}

void hd_sched_arch_own(const struct hd_sched *m, struct hd_sched_arch *a) {
  a->sscr_valid = m->sscr_valid;
  a->sscr_kdei = m->sscr_kdei;
  a->sscr_need = m->sscr_need;
  a->sscr_ctas = m->sscr_ctas;
  a->sscr_nextbl = m->sscr_nextbl;
  a->smx_ptr = m->smx_ptr;
  a->retire_ptr = m->retire_ptr;
  a->retired_valid = m->retired_valid;
  a->retired_kdei = m->retired_kdei;
}

void hd_sched_arch(const struct hd_sched *m, struct hd_sched_arch *a, bool tables) {
  hd_sched_arch_own(m, a);
  for (unsigned s = 0; s < m->cfg.num_smx; s++) hd_tbcr_arch(hd_sched_tbcr(m, s), &a->tbcr[s], tables);
}
