/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/channel/apu_neighbours.h"

#include <string.h>

#include "env/common/memory.h"

enum { FEW = 16, SMALL = 8 }; /* in a crowd: maximum channels; maximum elements reserved at once */

void hd_apu_neighbours_reset(struct hd_apu_neighbours *s) {
  const struct hd_cfg cfg = s->cfg;
  memset(s, 0, sizeof *s);
  s->cfg = cfg;
}

static unsigned log2_of(unsigned n) {
  return (unsigned)__builtin_ctz(n);
}

static unsigned least(unsigned a, unsigned b) {
  return a < b ? a : b;
}

static void begin(struct hd_apu_neighbours *s, struct hd_rng *rng, const struct hd_profile *p) {
  static const uint8_t answers[] = {255, 255, 160, 60, 12}, eager[] = {20, 120, 255};
  s->began = 1;
  s->errors = p->bad > 40 || hd_rng_p(rng, 70);
  s->crowd = hd_rng_p(rng, 110);
  s->chans = (uint8_t)(1 + hd_rng_below(rng, s->crowd ? least(s->cfg.num_chan, FEW) : s->cfg.num_chan));
  s->base = hd_memory_region(rng, &s->cfg, HD_APU_BYTES);
  s->narrow = !s->crowd && hd_rng_p(rng, 100);
  s->single = !s->crowd && hd_rng_p(rng, 60);
  s->slows = hd_rng_p(rng, 120);
  s->greedy = !s->crowd && hd_rng_p(rng, 80);
  s->answers = answers[hd_rng_below(rng, sizeof answers)];
  s->eager = eager[hd_rng_below(rng, sizeof eager)];
}

/* ---- the previous cycle ---- */

static struct hd_apu_wave *wave_at(struct hd_apu_neighbours *s, unsigned cu, unsigned slot) {
  return &s->wave[cu * s->cfg.waves_per_cu + slot];
}

/* Reserves in a channel behind the last one, or continues with freeing. */
static void next_round(struct hd_apu_neighbours *s, struct hd_rng *rng, struct hd_apu_wave *w) {
  w->to = (uint8_t)(w->to + 1 + hd_rng_below(rng, 3));
  const bool may = w->to < s->chans && (s->level[w->to] > s->level[w->own] || s->levelized[w->to]);
  w->step = w->rounds && may ? HD_APU_RESERVE : HD_APU_FREE;
  if (w->step == HD_APU_FREE) return;
  w->rounds--;
  const unsigned most = 1u << s->cap[w->to];
  w->n = (uint16_t)(1 + hd_rng_below(rng, least(most, s->crowd ? SMALL : 2u * w->count)));
  if (s->greedy && !hd_rng_below(rng, 4)) w->n = (uint16_t)(hd_rng_below(rng, 2) ? most : 1 + hd_rng_below(rng, most));
}

static void follow_go(struct hd_apu_neighbours *s, struct hd_rng *rng, const struct hd_chango *g) {
  struct hd_apu_wave *w = wave_at(s, g->cu, g->slot);
  if (g->restart) {
    const unsigned place = g->ctx & ((1u << s->cfg.chan_place_w) - 1);
    *w = s->waits[place];
    s->waits[place].step = HD_APU_NONE;
    w->base = g->base;
    w->step = g->code == HD_CHCODE_OK ? HD_APU_PUBLISH : HD_APU_FREE;
    return;
  }
  *w = (struct hd_apu_wave){.own = g->own, .to = g->own, .start = g->start, .count = g->count};
  w->rounds = (uint8_t)(s->crowd ? 3 : hd_rng_below(rng, 4));
  next_round(s, rng, w);
}

static void follow_wave(struct hd_apu_neighbours *s, struct hd_rng *rng, struct hd_apu_wave *w,
                        const struct hd_chananswer *a) {
  const bool ok = a->code == HD_CHCODE_OK;
  if (a->kind == HD_CHOP_TALLOC) {
    w->base = a->base;
    w->step = ok ? HD_APU_PUBLISH : a->code == HD_CHCODE_NO_ROOM ? HD_APU_YIELD : HD_APU_FREE;
    if (!ok || s->slow || !s->slows || hd_rng_below(rng, 8)) return;
    s->slow = w->slow = 1;
  } else if (a->kind == HD_CHOP_YIELD) {
    if (ok) s->waits[w->asked] = *w;
    if (!ok) s->waits[w->asked].step = HD_APU_NONE;
    w->step = ok ? HD_APU_NONE : HD_APU_FREE;
  } else if (a->kind == HD_CHOP_ENQ) {
    w->n = (uint16_t)(w->n - w->part);
    w->base = (uint16_t)(w->base + w->part);
    if (w->n && ok) return;
    if (w->slow) s->slow = 0;
    w->slow = 0;
    next_round(s, rng, w);
  } else {
    w->start = (uint16_t)(w->start + w->part);
    w->count = (uint16_t)(w->count - w->part);
    if (!w->count) w->step = HD_APU_END;
  }
}

static void follow_answers(struct hd_apu_neighbours *s, struct hd_rng *rng, const struct hd_apu_out *out) {
  const struct hd_chananswer *a = &out->answer;
  for (unsigned u = 0; u < s->cfg.num_cu; u++) {
    if (!out->answer_valid[u]) continue;
    s->busy[u] = 0;
    if (a->slot < s->cfg.waves_per_cu) {
      follow_wave(s, rng, wave_at(s, u, a->slot), a);
      continue;
    }
    s->host = a->kind == HD_CHOP_TALLOC && a->code == HD_CHCODE_OK ? HD_APU_PUBLISH : HD_APU_NONE;
    s->host_base = a->base;
  }
}

/* ---- operations ---- */

/* Returns an invalid number: more than the capacity, or 0. */
static uint16_t too_much(const struct hd_apu_neighbours *s, struct hd_rng *rng, unsigned chan) {
  const unsigned most = 1u << s->cap[chan];
  return (uint16_t)(hd_rng_below(rng, 4) ? most + 1 + hd_rng_below(rng, most - 1) : 0);
}

/* The host uses CU 0, with a slot number that no wavefront has. */
static bool host_op(struct hd_apu_neighbours *s, struct hd_rng *rng, struct hd_chanop *op) {
  if (s->next < s->chans || (s->host == HD_APU_NONE && !hd_rng_p(rng, s->eager))) return false;
  const bool publish = s->host == HD_APU_PUBLISH;
  if (!publish)
    s->host_n = (uint16_t)(1 + hd_rng_below(rng, least(s->crowd ? SMALL : 2 * s->cfg.wave_lanes, 1u << s->cap[0])));
  *op = (struct hd_chanop){.kind = publish ? HD_CHOP_ENQ : HD_CHOP_TALLOC,
                           .slot = (uint8_t)((1u << s->cfg.wave_w) - 1),
                           .off = publish ? s->host_base : 0,
                           .n = s->host_n};
  if (!publish && s->bad) op->n = too_much(s, rng, 0);
  return true;
}

static unsigned entry(const struct hd_apu_neighbours *s, const struct hd_apu_wave *w, unsigned k) {
  const unsigned place = (w->start + k) & ((2u << s->cap[w->own]) - 1);
  const uint8_t *e = s->bytes + s->control[w->own] + 2 * place;
  return e[0] | (unsigned)e[1] << 8;
}

/* Frees the elements that the wavefront received, as far as they are contiguous. */
static void free_op(struct hd_apu_neighbours *s, struct hd_apu_wave *w, struct hd_chanop *op) {
  op->kind = HD_CHOP_TFREE;
  op->chan = w->own;
  op->off = (uint16_t)entry(s, w, 0);
  w->part = 1;
  while (!s->single && w->part < w->count && entry(s, w, w->part) == op->off + (unsigned)w->part) w->part++;
  op->n = w->part;
}

static bool yield_op(struct hd_apu_neighbours *s, struct hd_rng *rng, struct hd_apu_wave *w, struct hd_chanop *op) {
  unsigned k = 0;
  while (k < s->cfg.chan_recs && s->waits[k].step) k++;
  if (k == s->cfg.chan_recs) return false;
  w->asked = (uint16_t)k;
  s->waits[k].step = HD_APU_YIELD;
  op->kind = HD_CHOP_YIELD;
  op->ctx = hd_rng_bits(rng, s->cfg.param_w - s->cfg.chan_place_w) << s->cfg.chan_place_w | k;
  return true;
}

static bool wave_op(struct hd_apu_neighbours *s, struct hd_rng *rng, struct hd_apu_wave *w, struct hd_chanop *op) {
  switch (w->step) {
    case HD_APU_RESERVE:
      op->kind = HD_CHOP_TALLOC;
      if (s->bad) op->n = too_much(s, rng, w->to);
      return true;
    case HD_APU_YIELD:
      return yield_op(s, rng, w, op);
    case HD_APU_PUBLISH:
      if (w->slow && hd_rng_below(rng, 300)) return false;
      op->kind = HD_CHOP_ENQ;
      op->off = w->base;
      op->n = w->part = (uint16_t)(hd_rng_below(rng, 4) ? w->n : 1 + hd_rng_below(rng, w->n));
      return true;
    case HD_APU_FREE:
      free_op(s, w, op);
      return true;
    default:
      return false;
  }
}

/* Picks one of the CU's wavefronts with a pending operation, round robin. */
static bool make_op(struct hd_apu_neighbours *s, struct hd_rng *rng, unsigned cu, struct hd_chanop *op) {
  const unsigned n = s->cfg.waves_per_cu;
  if (cu == 0 && hd_rng_p(rng, 128) && host_op(s, rng, op)) return true;
  for (unsigned k = 0; k < n; k++) {
    const unsigned slot = (s->turn[cu] + k) % n;
    struct hd_apu_wave *w = wave_at(s, cu, slot);
    *op = (struct hd_chanop){.slot = (uint8_t)slot, .chan = w->to, .n = w->n};
    if (!wave_op(s, rng, w, op)) continue;
    s->turn[cu] = (uint8_t)((slot + 1) % n);
    return true;
  }
  return false;
}

/* Sometimes a wavefront ends in an invalid slot. */
static void drive_end(struct hd_apu_neighbours *s, struct hd_rng *rng, const struct hd_profile *p, unsigned cu,
                      const struct hd_apu_out *out, struct hd_apu_in *in) {
  if (in->end_valid[cu] && out->end_ready[cu]) {
    if (in->end_slot[cu] < s->cfg.waves_per_cu) wave_at(s, cu, in->end_slot[cu])->step = HD_APU_NONE;
    in->end_valid[cu] = in->end_slot[cu] = 0;
  }
  for (unsigned k = 0; k < s->cfg.waves_per_cu && !in->end_valid[cu]; k++) {
    if (wave_at(s, cu, k)->step != HD_APU_END) continue;
    wave_at(s, cu, k)->step = HD_APU_ENDING;
    in->end_valid[cu] = 1;
    in->end_slot[cu] = (uint8_t)k;
  }
  const unsigned none = (1u << s->cfg.wave_w) - 1;
  if (in->end_valid[cu] || none < s->cfg.waves_per_cu || hd_rng_below(rng, 400) || !hd_rng_p(rng, p->bad)) return;
  in->end_valid[cu] = 1;
  in->end_slot[cu] = (uint8_t)none;
}

static void drive_cus(struct hd_apu_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                      const struct hd_apu_out *out, struct hd_apu_in *in) {
  for (unsigned u = 0; u < s->cfg.num_cu; u++) {
    drive_end(s, rng, p, u, out, in);
    if (in->op_valid[u] && !out->op_ready[u]) continue;
    s->bad = !hd_rng_below(rng, 40) && hd_rng_p(rng, p->bad);
    in->op_valid[u] = !s->busy[u] && hd_rng_p(rng, p->source) && make_op(s, rng, u, &in->op[u]);
    if (!in->op_valid[u]) memset(&in->op[u], 0, sizeof in->op[u]);
    s->busy[u] |= in->op_valid[u];
  }
}

/* Each channel has a part of the memory: half for the control array and half for the done counts. */
static unsigned half(const struct hd_apu_neighbours *s) {
  unsigned parts = 1;
  while (parts < s->chans) parts *= 2;
  return HD_APU_BYTES / parts / 2;
}

static void place(struct hd_apu_neighbours *s, struct hd_rng *rng, struct hd_chanset *set) {
  const uint64_t part = s->base + set->chan * 2u * half(s), control = 4u << set->cap;
  const uint64_t done = (1u << set->cap) / s->cfg.done_grain, at = hd_memory_place(rng, part, half(s), control);
  s->control[set->chan] = (uint32_t)(at - s->base);
  set->control = at / 128;
  set->done = hd_memory_place(rng, part + half(s), half(s), done) / 128;
}

static void set_up(struct hd_apu_neighbours *s, struct hd_rng *rng, struct hd_apu_in *in) {
  const unsigned most = least(s->cfg.chan_cap, log2_of(half(s) / 4)), low = log2_of(s->cfg.done_grain);
  in->set_valid = s->next < s->chans;
  memset(&in->set, 0, sizeof in->set);
  if (!in->set_valid) return;
  const unsigned c = s->next++;
  if (c) s->level[c] = (uint8_t)(s->level[c - 1] + hd_rng_p(rng, 180));
  s->cap[c] = (uint8_t)(low + hd_rng_below(rng, most - low + 1));
  if (s->crowd) s->cap[c] = (uint8_t)most;
  if (s->narrow) s->cap[c] = (uint8_t)(low < log2_of(s->cfg.wave_lanes) ? log2_of(s->cfg.wave_lanes) : low);
  s->levelized[c] = hd_rng_p(rng, 80);
  in->set = (struct hd_chanset){.chan = (uint8_t)c, .cap = s->cap[c], .level = s->level[c]};
  in->set.levelized = s->levelized[c];
  const unsigned lanes = s->crowd ? least(SMALL, s->cfg.wave_lanes) : s->cfg.wave_lanes;
  in->set.threshold = (uint8_t)(1 + hd_rng_below(rng, least(lanes, 1u << s->cap[c])));
  s->threshold[c] = in->set.threshold;
  place(s, rng, &in->set);
}

void hd_apu_neighbours_drive(struct hd_apu_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                             const void *out_, const void *now, void *in_) {
  struct hd_apu_in *in = in_;
  const struct hd_apu_out *out = out_;
  (void)now;
  if (!s->began) begin(s, rng, p);
  hd_apu_memory_follow(s, in, out);
  if (s->cycles == HD_APU_SPAN) s->cycles = s->starts = 0;
  s->cycles++;
  s->starts = (uint8_t)(s->starts + out->go_valid);
  if (out->go_valid) follow_go(s, rng, &out->go);
  follow_answers(s, rng, out);
  hd_apu_memory_drive(s, rng, p, in);
  drive_cus(s, rng, p, out, in);
  set_up(s, rng, in);
}
