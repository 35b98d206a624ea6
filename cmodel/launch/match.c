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
  return in->eligible[i] && same_key(&m->key[i], &in->find_key);
}

/* Returns true if the group may reuse the result of an earlier beat of its turn. A miss remains a miss. */
static bool kept(const struct hd_match *m, const struct hd_match_in *in) {
  return m->res_valid && !in->find_first && same_key(&m->res_key, &in->find_key) &&
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
  if (!in->find_valid) return (struct hd_match_found){0};
  return kept(m, in) ? m->res : look(m, in);
}

void hd_match_eval(const struct hd_match *m, const struct hd_match_in *in, struct hd_match_out *out) {
  struct hd_match_found f = search(m, in);
  out->found = f.found;
  out->found_hit = f.hit;
  out->found_kdei = f.kdei;
  out->searched = m->searched;
  out->search = m->search;
}

/* The result is taken; later beats of its turn may reuse it. With one step, reuse saves nothing. */
static void keep(struct hd_match *m, const struct hd_match_in *in, const struct hd_match_found *f) {
  m->pos = 0;
  if (m->cfg.steps == 1) return;
  m->res_valid = 1;
  m->res = *f;
  m->res_key = in->find_key;
}

/* Another turn has begun. */
static void forget(struct hd_match *m) {
  m->res_valid = 0;
  memset(&m->res, 0, sizeof m->res);
  memset(&m->res_key, 0, sizeof m->res_key);
}

void hd_match_tick(struct hd_match *m, const struct hd_match_in *in) {
  struct hd_match_found f = search(m, in);
  m->search = in->find_valid && !kept(m, in);
  m->searched = in->find_take;
  if (in->find_first) forget(m);
  if (in->find_take)
    keep(m, in, &f);
  else if (!in->find_valid)
    m->pos = 0;
  else if (!f.found)
    m->pos++;
  if (in->enter_valid && in->enter_ready) {
    m->key[in->enter_kdei] = in->enter_key;
    m->written[in->enter_kdei] = 1;
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
