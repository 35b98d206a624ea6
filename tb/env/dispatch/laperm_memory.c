/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/dispatch/laperm_memory.h"

#include <string.h>

void hd_laperm_memory_reset(struct hd_laperm_memory_neighbours *s) {
  const struct hd_cfg cfg = s->cfg;
  memset(s, 0, sizeof *s);
  s->cfg = cfg;
}

static void choose_phase(struct hd_laperm_memory_neighbours *s, struct hd_rng *rng) {
  /* random, none, pass through, many wait, slow, drain, pass through at once, little room */
  static const struct {
    uint16_t room, write, ask, arrive, give;
  } weights[] = {{0, 0, 0, 0, 0},        {0, 60, 60, 60, 100},   {256, 120, 200, 80, 100},  {256, 40, 4, 60, 20},
                 {220, 30, 100, 12, 40}, {8, 200, 256, 60, 200}, {256, 256, 256, 256, 256}, {256, 100, 100, 60, 100}};
  const unsigned k = hd_rng_below(rng, sizeof weights / sizeof *weights);
  s->room = k ? weights[k].room : hd_rng_below(rng, 257);
  s->write = k ? weights[k].write : 1 + hd_rng_below(rng, 256);
  s->ask = k ? weights[k].ask : hd_rng_below(rng, 257);
  s->arrive = k ? weights[k].arrive : 1 + hd_rng_below(rng, 256);
  s->give = k ? weights[k].give : 1 + hd_rng_below(rng, 256);
  s->lose = hd_rng_p(rng, 170) ? 0 : hd_rng_below(rng, 120);
  s->most = k == 7 ? 1 + hd_rng_below(rng, 3) : 1 + hd_rng_below(rng, HD_LAPERM_GROUPS);
  s->highest = hd_rng_p(rng, 128);
  s->left = 30 + hd_rng_below(rng, hd_rng_p(rng, 128) ? 200 : 1500);
}

static unsigned queue_of(const struct hd_laperm_memory_neighbours *s, unsigned bank, unsigned level) {
  return bank * s->cfg.max_level + level - 1;
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

/* ---- the previous cycle ---- */

/* A queue is held if it had groups, or places were reserved for it, at the start of the cycle, or a group was put. */
static void set_held(const struct hd_laperm_memory_neighbours *s, struct hd_laperm_in *in,
                     const struct hd_laperm_out *out) {
  for (unsigned q = 0; q < s->cfg.ring_queues; q++) in->spill_held[q] = s->spare[q] > 0;
  for (unsigned k = 0; k < s->n; k++) in->spill_held[queue_of(s, s->group[k].bank, s->group[k].info.level)] = 1;
  if (out->put.valid) in->spill_held[queue_of(s, out->put.bank, out->put.info.level)] = 1;
}

/* A line was requested: its groups were marked, but do not count as out of memory before the end of the cycle. */
static void account_places(struct hd_laperm_memory_neighbours *s, const struct hd_laperm_in *in, bool back) {
  for (unsigned b = 0; b < s->cfg.num_bank; b++) {
    const unsigned more = in->spill_reserve[b] ? s->cfg.spill_line : 0;
    s->kept[b] = (uint8_t)(s->kept[b] + more - in->spill_release[b] - (back && in->spill_back.bank == b));
  }
  for (unsigned q = 0; q < s->cfg.ring_queues; q++) {
    s->spare[q] = (uint8_t)(s->spare[q] - s->given[q]);
    s->outs -= s->given[q];
    s->given[q] = 0;
  }
  s->outs -= back;
}

void hd_laperm_memory_follow(struct hd_laperm_memory_neighbours *s, struct hd_laperm_in *in,
                             const struct hd_laperm_out *out) {
  const bool back = in->spill_back.valid && out->back_ready;
  set_held(s, in, out);
  account_places(s, in, back);
  if (back) leave(s, first_requested(s, HD_LAPERM_BACK));
  if (!out->put.valid || s->n == HD_LAPERM_GROUPS) return;
  s->group[s->n++] = (struct hd_laperm_group){.info = out->put.info, .kdei = out->put.kdei, .bank = out->put.bank};
  s->waits[queue_of(s, out->put.bank, out->put.info.level)]++;
}

/* ---- this cycle ---- */

/* The group is lost at the end of its read, and its place is to be released. */
static void lose(struct hd_laperm_memory_neighbours *s, unsigned k) {
  const struct hd_laperm_group *g = &s->group[k];
  s->missing[g->kdei]++;
  s->spare[queue_of(s, g->bank, g->info.level)]++;
  s->closed = 1;
  s->lost++;
  leave(s, k);
}

/* Marks the oldest unwritten group as written; a failed write closes memory. */
static void write_one(struct hd_laperm_memory_neighbours *s, struct hd_rng *rng) {
  for (unsigned k = 0; k < s->n; k++) {
    if (s->group[k].stage != HD_LAPERM_PUT) continue;
    s->group[k].stage = HD_LAPERM_WRITTEN;
    s->group[k].bad = hd_rng_p(rng, s->lose / 2);
    s->closed |= s->group[k].bad;
    return;
  }
}

/* Reads the group that was requested first: it returns, or is lost. */
static void arrive(struct hd_laperm_memory_neighbours *s, struct hd_rng *rng) {
  const unsigned k = first_requested(s, HD_LAPERM_REQUESTED);
  if (k == s->n) return;
  s->group[k].stage = HD_LAPERM_BACK;
  if (s->group[k].bad || hd_rng_p(rng, s->lose / 2)) lose(s, k);
}

/* Returns the oldest group that waits in a queue of the bank and is written, or the number of groups: of the highest
 * level, or of any. */
static unsigned choose_of(const struct hd_laperm_memory_neighbours *s, struct hd_rng *rng, unsigned bank) {
  unsigned at = s->n;
  uint32_t seen = 0;
  for (unsigned k = 0; k < s->n; k++) {
    const struct hd_laperm_group *g = &s->group[k];
    if (g->bank != bank || g->stage > HD_LAPERM_WRITTEN || seen >> g->info.level & 1) continue;
    seen |= 1u << g->info.level;
    if (g->stage != HD_LAPERM_WRITTEN) continue;
    const bool better = at == s->n || (s->highest ? g->info.level > s->group[at].info.level : hd_rng_p(rng, 128));
    if (better) at = k;
  }
  return at;
}

static bool known_bad(const struct hd_laperm_memory_neighbours *s) {
  for (unsigned k = 0; k < s->n; k++)
    if (s->group[k].bad && s->group[k].stage == HD_LAPERM_WRITTEN) return true;
  return false;
}

/* Requests the group at `from` and those behind it in its queue, up to the end of a line somewhere. One alone while a
 * write is known to have failed. */
static void request(struct hd_laperm_memory_neighbours *s, struct hd_rng *rng, unsigned from) {
  const unsigned line = s->cfg.spill_line, bank = s->group[from].bank, level = s->group[from].info.level;
  const unsigned most = known_bad(s) ? 1 : hd_rng_p(rng, 128) ? line : 1 + hd_rng_below(rng, line);
  const unsigned q = queue_of(s, bank, level);
  unsigned n = 0;
  for (unsigned k = from; k < s->n && n < most; k++) {
    struct hd_laperm_group *g = &s->group[k];
    if (g->bank != bank || g->info.level != level) continue;
    if (g->stage != HD_LAPERM_WRITTEN) break;
    g->stage = HD_LAPERM_REQUESTED;
    g->number = s->asks++;
    n++;
  }
  s->waits[q] = (uint8_t)(s->waits[q] - n);
  s->spare[q] = (uint8_t)(s->spare[q] + line - n);
  s->outs += line;
}

static void ask(struct hd_laperm_memory_neighbours *s, struct hd_rng *rng, const struct hd_laperm_out *now,
                struct hd_laperm_in *in) {
  const unsigned from = hd_rng_below(rng, s->cfg.num_bank);
  if (s->outs + s->cfg.spill_line > s->cfg.spill_flight) return;
  for (unsigned n = 0; n < s->cfg.num_bank; n++) {
    const unsigned bank = (from + n) % s->cfg.num_bank, at = choose_of(s, rng, bank);
    if (at == s->n || !now->place[bank]) continue;
    in->spill_reserve[bank] = 1;
    request(s, rng, at);
    return;
  }
}

/* Releases places that no group needs, all or some of a queue. Those of a line that is reserved in this cycle stay for
 * now: before ask(). */
static void give(struct hd_laperm_memory_neighbours *s, struct hd_rng *rng, struct hd_laperm_in *in) {
  for (unsigned q = 0; q < s->cfg.ring_queues; q++) {
    uint8_t *release = &in->spill_release[q / s->cfg.max_level];
    if (!s->spare[q] || !hd_rng_p(rng, s->give)) continue;
    const unsigned left = 7u - *release, most = s->spare[q] < left ? s->spare[q] : left;
    s->given[q] = (uint8_t)(hd_rng_p(rng, 200) ? most : hd_rng_below(rng, most + 1));
    *release = (uint8_t)(*release + s->given[q]);
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

/* Room of each queue by itself. Two groups may still arrive: the one in A3, and the one in A2, which looks now. */
static void show_room(const struct hd_laperm_memory_neighbours *s, struct hd_rng *rng, struct hd_laperm_in *in) {
  const bool any = !s->closed && s->n + 2 <= HD_LAPERM_GROUPS;
  uint64_t r = 0;
  for (unsigned q = 0; q < s->cfg.ring_queues; q++) {
    r = q % 8 ? r >> 8 : hd_rng_next(rng);
    in->spill_room[q] = any && s->waits[q] < s->most && (r & 255) < s->room;
  }
}

/* Returns the kernel of a loss that is reported, the lowest one, or -1. All groups have returned; after the last report
 * memory has room again. */
static int report(struct hd_laperm_memory_neighbours *s) {
  if (!s->closed || s->n || s->outs) return -1;
  for (unsigned k = 0; k < s->cfg.num_kde; k++) {
    if (!s->missing[k]) continue;
    s->missing[k]--;
    return (int)k;
  }
  s->closed = 0;
  s->opened = 1;
  return -1;
}

int hd_laperm_memory_drive(struct hd_laperm_memory_neighbours *s, struct hd_rng *rng, const struct hd_laperm_out *now,
                           struct hd_laperm_in *in) {
  if (!s->left--) choose_phase(s, rng);
  memset(in->spill_reserve, 0, s->cfg.num_bank);
  memset(in->spill_release, 0, s->cfg.num_bank);
  const int lost = report(s);
  give(s, rng, in);
  if (hd_rng_p(rng, s->arrive)) arrive(s, rng);
  if (hd_rng_p(rng, s->closed && s->ask < 60 ? 60 : s->ask)) ask(s, rng, now, in); /* the losses are found in time */
  if (hd_rng_p(rng, s->write)) write_one(s, rng);
  show_room(s, rng, in);
  offer(s, in);
  return lost;
}
