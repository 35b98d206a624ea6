/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/dispatch/laperm_memory.h"

#include <string.h>

void hd_laperm_memory_reset(struct hd_laperm_memory_neighbours *s) {
  const struct hd_cfg cfg = s->cfg;
  memset(s, 0, sizeof *s);
  s->cfg = cfg;
}

static unsigned most(const struct hd_laperm_memory_neighbours *s) {
  const unsigned places = s->cfg.spill_rows + s->cfg.spill_depth + s->cfg.spill_flight;
  return places < HD_LAPERM_GROUPS ? places : HD_LAPERM_GROUPS;
}

static void choose_phase(struct hd_laperm_memory_neighbours *s, struct hd_rng *rng) {
  /* random, none, pass through, many wait, slow, drain, pass through at once, little room */
  static const struct {
    uint16_t put, write, ask, arrive;
  } weights[] = {{0, 0, 0, 0},       {0, 60, 60, 60},   {256, 120, 200, 80},  {256, 40, 4, 60},
                 {220, 30, 100, 12}, {8, 200, 256, 60}, {256, 256, 256, 256}, {256, 100, 100, 60}};
  const unsigned k = hd_rng_below(rng, sizeof weights / sizeof *weights), all = most(s);
  s->put = k ? weights[k].put : hd_rng_below(rng, 257);
  s->write = k ? weights[k].write : 1 + hd_rng_below(rng, 256);
  s->ask = k ? weights[k].ask : hd_rng_below(rng, 257);
  s->arrive = k ? weights[k].arrive : 1 + hd_rng_below(rng, 256);
  s->lose = hd_rng_p(rng, 170) ? 0 : hd_rng_below(rng, 120);
  s->room = k == 7 ? 1 + hd_rng_below(rng, 3) : hd_rng_p(rng, 128) ? all : 1 + hd_rng_below(rng, all);
  s->highest = hd_rng_p(rng, 128);
  s->left = 30 + hd_rng_below(rng, hd_rng_p(rng, 128) ? 200 : 1500);
}

static void leave(struct hd_laperm_memory_neighbours *s, unsigned k) {
  s->n--;
  memmove(&s->group[k], &s->group[k + 1], (s->n - k) * sizeof *s->group);
}

/* Returns the group in this stage that was requested first, or the number of groups. */
static unsigned first_requested(const struct hd_laperm_memory_neighbours *s, unsigned stage) {
  unsigned first = s->n;
  for (unsigned k = 0; k < s->n; k++) {
    const struct hd_laperm_group *g = &s->group[k];
    if (g->stage == stage && (first == s->n || g->number < s->group[first].number)) first = k;
  }
  return first;
}

void hd_laperm_memory_follow(struct hd_laperm_memory_neighbours *s, const struct hd_laperm_in *in,
                             const struct hd_laperm_out *out) {
  if (in->spill_back.valid && out->back_ready) leave(s, first_requested(s, HD_LAPERM_BACK));
  if (!out->put.valid || s->n == most(s)) return;
  s->group[s->n++] = (struct hd_laperm_group){.info = out->put.info, .kdei = out->put.kdei, .bank = out->put.bank};
}

/* Marks the oldest unwritten group as written. */
static void write_one(struct hd_laperm_memory_neighbours *s) {
  for (unsigned k = 0; k < s->n; k++) {
    if (s->group[k].stage != HD_LAPERM_PUT) continue;
    s->group[k].stage = HD_LAPERM_WRITTEN;
    return;
  }
}

/* Reads the group that was requested first: it returns, or is lost. */
static int arrive(struct hd_laperm_memory_neighbours *s, struct hd_rng *rng) {
  const unsigned k = first_requested(s, HD_LAPERM_REQUESTED);
  if (k == s->n) return -1;
  s->group[k].stage = HD_LAPERM_BACK;
  if (!hd_rng_p(rng, s->lose)) return -1;
  const int kdei = s->group[k].kdei;
  s->lost++;
  leave(s, k);
  return kdei;
}

static unsigned under_way(const struct hd_laperm_memory_neighbours *s, int bank) {
  unsigned n = 0;
  for (unsigned k = 0; k < s->n; k++)
    n += s->group[k].stage >= HD_LAPERM_REQUESTED && (bank < 0 || s->group[k].bank == bank);
  return n;
}

/* Returns the group of the bank to request, the oldest of its level; or the number of groups. */
static unsigned choose_of(const struct hd_laperm_memory_neighbours *s, struct hd_rng *rng, unsigned bank) {
  unsigned at = s->n;
  uint32_t seen = 0;
  for (unsigned k = 0; k < s->n; k++) {
    const struct hd_laperm_group *g = &s->group[k];
    if (g->bank != bank || seen >> g->info.level & 1) continue;
    seen |= 1u << g->info.level;
    if (g->stage != HD_LAPERM_WRITTEN) continue;
    const bool better = at == s->n || (s->highest ? g->info.level > s->group[at].info.level : hd_rng_p(rng, 128));
    if (better) at = k;
  }
  return at;
}

static void ask(struct hd_laperm_memory_neighbours *s, struct hd_rng *rng, const struct hd_laperm_out *now) {
  const unsigned from = hd_rng_below(rng, s->cfg.num_bank);
  if (under_way(s, -1) >= s->cfg.spill_flight) return;
  for (unsigned n = 0; n < s->cfg.num_bank; n++) {
    const unsigned bank = (from + n) % s->cfg.num_bank, at = choose_of(s, rng, bank);
    if (at == s->n || !now->place[bank] || under_way(s, (int)bank)) continue;
    s->group[at].stage = HD_LAPERM_REQUESTED;
    s->group[at].number = s->asks++;
    return;
  }
}

/* Offers a group that was read once all that were requested before it are back or lost. */
static void offer(const struct hd_laperm_memory_neighbours *s, struct hd_laperm_in *in) {
  const unsigned back = first_requested(s, HD_LAPERM_BACK);
  in->spill_back.valid = back < s->n;
  in->spill_back.bank = in->spill_back.valid ? s->group[back].bank : 0;
  in->spill_back.kdei = in->spill_back.valid ? s->group[back].kdei : 0;
  memset(&in->spill_back.info, 0, sizeof in->spill_back.info);
  if (in->spill_back.valid) in->spill_back.info = s->group[back].info;
}

int hd_laperm_memory_drive(struct hd_laperm_memory_neighbours *s, struct hd_rng *rng, const struct hd_laperm_out *now,
                           struct hd_laperm_in *in) {
  int lost = -1;
  if (!s->left--) choose_phase(s, rng);
  if (hd_rng_p(rng, s->arrive)) lost = arrive(s, rng);
  if (hd_rng_p(rng, s->ask)) ask(s, rng, now);
  if (hd_rng_p(rng, s->write)) write_one(s);
  memset(in->spill_held, 0, s->cfg.spillq_queues);
  for (unsigned k = 0; k < s->n; k++)
    in->spill_held[s->group[k].bank * s->cfg.max_level + s->group[k].info.level - 1] = 1;
  in->spill_put_ready = s->n < s->room && s->n < most(s) && hd_rng_p(rng, s->put);
  offer(s, in);
  return lost;
}
