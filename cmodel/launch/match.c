/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "launch/match.h"

#include <string.h>

size_t hd_match_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct hd_match);
}

void hd_match_init(struct hd_match *m, const struct hd_cfg *cfg) {
  uint32_t lanes = cfg->kde_search_lanes;
  memset(m, 0, sizeof *m);
  m->cfg = (struct hd_match_cfg){.num_kde = cfg->num_kde, .lanes = lanes, .steps = (cfg->num_kde + lanes - 1) / lanes};
  hd_match_reset(m);
}

void hd_match_reset(struct hd_match *m) {
  struct hd_match_cfg cfg = m->cfg;
  memset(m, 0, sizeof *m);
  m->cfg = cfg;
}

static bool same_key(const struct hd_key *a, const struct hd_key *b) {
  return a->pc == b->pc && a->cta_x == b->cta_x && a->cta_y == b->cta_y && a->cta_z == b->cta_z && a->smem == b->smem;
}

/* Returns true if the group can join the kernel of entry i. */
static bool fits(const struct hd_match *m, const struct hd_match_in *in, unsigned i) {
  return in->kd_eligible[i] && same_key(&m->key[i], &in->devq_find.key);
}

/* Returns true if the group may reuse the result of an earlier beat of its turn. A miss remains a miss. */
static bool kept(const struct hd_match *m, const struct hd_match_in *in) {
  return m->res_valid && !in->devq_find.first && same_key(&m->res_key, &in->devq_find.key) &&
         (!m->res.hit || fits(m, in, m->res.kdei));
}

/* Compares the entries of one step. */
static struct hd_match_found look(const struct hd_match *m, const struct hd_match_in *in) {
  unsigned first = m->pos * m->cfg.lanes;
  for (unsigned i = first; i < first + m->cfg.lanes && i < m->cfg.num_kde; i++)
    if (fits(m, in, i)) return (struct hd_match_found){.found = 1, .hit = 1, .kdei = (uint8_t)i};
  return (struct hd_match_found){.found = m->pos + 1u == m->cfg.steps};
}

static struct hd_match_found search(const struct hd_match *m, const struct hd_match_in *in) {
  if (!in->devq_find.valid) return (struct hd_match_found){0};
  return kept(m, in) ? m->res : look(m, in);
}

void hd_match_eval(const struct hd_match *m, const struct hd_match_in *in, struct hd_match_out *out) {
  struct hd_match_found f = search(m, in);
  out->found.valid = f.found;
  out->found.hit = f.hit;
  out->found.kdei = f.kdei;
  out->events.searched = m->searched;
  out->events.compared = m->search;
}

/* The result is taken; later beats of its turn may reuse it. With one step, reuse saves nothing. */
static void keep(struct hd_match *m, const struct hd_match_in *in, const struct hd_match_found *f) {
  m->pos = 0;
  if (m->cfg.steps == 1) return;
  m->res_valid = 1;
  m->res = *f;
  m->res_key = in->devq_find.key;
}

/* Another turn has begun. */
static void forget(struct hd_match *m) {
  m->res_valid = 0;
  memset(&m->res, 0, sizeof m->res);
  memset(&m->res_key, 0, sizeof m->res_key);
}

/* Returns what a group must share with a kernel to join it. */
static struct hd_key key_of(const struct hd_kernel *k) {
  return (struct hd_key){
      .pc = k->desc.pc, .cta_x = k->desc.cta_x, .cta_y = k->desc.cta_y, .cta_z = k->desc.cta_z, .smem = k->need.smem};
}

void hd_match_tick(struct hd_match *m, const struct hd_match_in *in) {
  struct hd_match_found f = search(m, in);
  m->search = in->devq_find.valid && !kept(m, in);
  m->searched = in->devq_find_take;
  if (in->devq_find.first) forget(m);
  if (in->devq_find_take)
    keep(m, in, &f);
  else if (!in->devq_find.valid)
    m->pos = 0;
  else if (!f.found)
    m->pos++;
  if (in->kd_entry.valid) {
    m->key[in->kd_entry.kdei] = key_of(&in->kmu_offer.kernel);
    m->written[in->kd_entry.kdei] = 1;
  }
}

void hd_match_arch(const struct hd_match *m, struct hd_match_arch *a, bool tables) {
  (void)tables; /* the keys are registers */
  memcpy(a->key_valid, m->written, m->cfg.num_kde);
  memcpy(a->key_row, m->key, m->cfg.num_kde * sizeof *a->key_row);
  a->pos = m->pos;
  a->res_valid = m->res_valid;
  a->res_hit = m->res.hit;
  a->res_kdei = m->res.kdei;
  a->res_key = m->res_key;
}
