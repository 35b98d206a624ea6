/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* pq: golden model, random environment and cover points. The environment pushes entries of few TBs and takes TBs of the
 * front. In phases it fills the bank, drains it, takes nothing, or keeps a number of entries (often just one); it
 * pushes to any level, one level, high levels, or levels near the front's. In other phases it reserves places, pushes
 * entries into them, and releases them. The needs of a kernel are known from the cycle after the first push of one of
 * its entries; while it has no entry, they change at random. The oracle of laperm checks the rules of its banks. */
#include "dispatch/pq.h"

#include "env/common/clients.h"
#include "env/common/model.h"

HD_BLOCK_DRIVER_MODEL(pq)
HD_BLOCK_DRIVER_ROWS(pq)

enum { ANY, ONE, HIGH, NEAR, LEVEL_MODES };

struct stim {
  struct hd_cfg cfg;
  uint8_t count[HD_MAX_MAX_LEVEL + 1]; /* entries by level */
  uint8_t named[HD_MAX_NUM_KDE];       /* entries by kernel */
  unsigned used;                       /* all entries */
  unsigned kept;                       /* places kept for entries from memory */
  unsigned left;                       /* remaining cycles of this phase */
  unsigned places;                     /* remaining cycles of this phase of the three probabilities below, of 256: */
  unsigned reserve, release, use; /* a line of places is reserved, some are released, an entry is pushed into one */
  unsigned push, take;            /* phase: factors (of 256) on the profile's probabilities */
  unsigned target;                /* phase: maximum number of entries */
  uint8_t mode, level;            /* phase: which levels; the level of mode ONE */
  uint8_t was_full, was_valid;    /* of the previous cycle */
  struct hd_pqentry was;
};

HD_BLOCK_DRIVER_STIM

static void choose_phase(struct stim *s, struct hd_rng *rng) {
  /* random, fill, drain, hold, one entry, some entries */
  static const struct {
    uint16_t push, take;
  } weights[] = {{0, 0}, {256, 24}, {12, 256}, {256, 0}, {256, 256}, {256, 256}, {200, 160}, {256, 128}};
  unsigned k = hd_rng_below(rng, sizeof weights / sizeof *weights);
  s->push = k ? weights[k].push : hd_rng_below(rng, 257);
  s->take = k ? weights[k].take : hd_rng_below(rng, 257);
  s->target = k < 4 ? s->cfg.pq_depth : k == 4 ? 1 : 1 + hd_rng_below(rng, 1 + hd_rng_below(rng, s->cfg.pq_depth));
  s->mode = (uint8_t)hd_rng_below(rng, LEVEL_MODES);
  s->level = (uint8_t)(1 + hd_rng_below(rng, s->cfg.max_level));
  s->left = 20 + hd_rng_below(rng, 100 + 4 * s->cfg.pq_depth);
}

/* Mostly none is kept; few or all of them are used; all places of the bank are kept; a line at a time passes
 * through. */
static void choose_places(struct stim *s, struct hd_rng *rng) {
  static const struct {
    uint16_t reserve, release, use;
  } weights[] = {{0, 0, 0}, {0, 100, 60}, {0, 200, 0}, {60, 30, 60}, {60, 4, 230}, {256, 0, 8}, {256, 8, 256}};
  const unsigned k = hd_rng_below(rng, sizeof weights / sizeof *weights);
  s->reserve = k ? weights[k].reserve : hd_rng_below(rng, 100);
  s->release = k ? weights[k].release : hd_rng_below(rng, 100);
  s->use = k ? weights[k].use : hd_rng_below(rng, 257);
  s->places = 20 + hd_rng_below(rng, 100 + 4 * s->cfg.pq_depth);
}

static uint8_t random_level(const struct stim *s, struct hd_rng *rng, const struct hd_pq_out *now) {
  unsigned most = s->cfg.max_level;
  unsigned level = 1 + hd_rng_below(rng, 1 + hd_rng_below(rng, most)); /* low ones more often */
  if (s->mode == ONE) level = s->level;
  if (s->mode == HIGH) level = most - hd_rng_below(rng, (most + 1) / 2);
  if (s->mode == NEAR && now->front_valid) level = now->front.level + hd_rng_below(rng, 3) - 1;
  return (uint8_t)(level < 1 ? 1 : level > most ? most : level);
}

enum { MANY = 40 };

/* Usually few TBs, so that entries leave; sometimes any number. */
static uint32_t random_ctas(const struct stim *s, struct hd_rng *rng) {
  uint32_t most = UINT32_MAX >> (32 - s->cfg.ctas_w);
  uint32_t n = 1 + hd_rng_below(rng, hd_rng_p(rng, 250) ? 4 : MANY);
  if (hd_rng_p(rng, 16)) n = (uint32_t)hd_rng_bits(rng, s->cfg.ctas_w) | 1;
  if (n > MANY && hd_rng_p(rng, 128)) n = hd_crossing_ctas(rng, s->cfg.ctas_w);
  return n < most ? n : most;
}

static struct hd_pqentry random_entry(const struct stim *s, struct hd_rng *rng, const struct hd_pq_out *now) {
  struct hd_pqentry e;
  memset(&e, 0, sizeof e);
  e.kind = (uint8_t)hd_rng_below(rng, HD_UNIT_SAVED + 1);
  e.kdei = (uint8_t)hd_rng_below(rng, s->cfg.num_kde);
  e.grid_x = (uint16_t)hd_rng_bits(rng, s->cfg.group_xw);
  e.grid_y = (uint16_t)hd_rng_bits(rng, s->cfg.group_yw);
  e.grid_z = (uint8_t)hd_rng_bits(rng, s->cfg.group_zw);
  e.param = hd_rng_bits(rng, s->cfg.param_units_w);
  e.arrival = (uint32_t)hd_rng_bits(rng, s->cfg.arrival_w);
  e.level = random_level(s, rng, now);
  e.ctas = random_ctas(s, rng);
  return e;
}

/* Usually 0; otherwise the last TB or a random one. With many TBs, usually few are left; rarely, in the lowest level,
 * too many to finish: any number, or the last TB without one bit. */
static uint32_t random_nextbl(struct hd_rng *rng, uint32_t ctas, unsigned level) {
  if (ctas > MANY && (level > 1 || hd_rng_below(rng, 100))) return ctas - 1 - hd_rng_below(rng, 4);
  if (ctas > MANY && hd_rng_p(rng, 128)) return (ctas - 1) & ~(UINT32_C(1) << hd_rng_below(rng, 32));
  if (hd_rng_p(rng, 180)) return 0;
  return hd_rng_p(rng, 128) ? ctas - 1 : hd_rng_below(rng, ctas);
}

/* Returns true if an entry is pushed: a kept place always accepts it. */
static bool pushed(const struct hd_pq_in *in, const struct hd_pq_out *out) {
  return in->push_valid && (out->push_ready || in->push_kept);
}

/* Returns true if the last TB of the front is taken. */
static bool leaves(const struct hd_pq_in *in, const struct hd_pq_out *out) {
  return in->take && out->front_nextbl + 1 == out->front.ctas;
}

/* Processes the previous cycle. From now on `need` of a pushed entry's kernel holds the need pushed with it. */
static void account(struct stim *s, struct hd_pq_in *in, const struct hd_pq_out *out) {
  s->was_full = s->used == s->cfg.pq_depth;
  s->was_valid = out->front_valid;
  s->was = out->front;
  if (leaves(in, out)) {
    s->count[out->front.level]--;
    s->named[out->front.kdei]--;
    s->used--;
  }
  s->kept += in->reserve ? s->cfg.spill_line : 0;
  s->kept -= in->release;
  if (pushed(in, out)) {
    s->count[in->push.level]++;
    if (!s->named[in->push.kdei]++) in->need[in->push.kdei] = in->push_need;
    s->used++;
    s->kept -= in->push_kept;
  }
}

/* The need of a kernel without entries may change. */
static void disturb(const struct stim *s, struct hd_rng *rng, struct hd_pq_in *in) {
  unsigned k = hd_rng_below(rng, s->cfg.num_kde);
  if (!s->named[k] && hd_rng_p(rng, 64)) hd_any_need(rng, &s->cfg, &in->need[k]);
}

/* A refused entry is usually offered again. */
static void drive_push(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_pq_out *out,
                       const struct hd_pq_out *now, struct hd_pq_in *in) {
  bool refused = in->push_valid && !pushed(in, out);
  bool more = s->target == s->cfg.pq_depth || s->used - leaves(in, now) < s->target;
  const bool use = s->kept && hd_rng_p(rng, s->use);
  in->push_kept = 0;
  if (refused && !use && !hd_rng_p(rng, 16 + p->bad)) return;
  in->push_kept = use;
  in->push_valid = use || (more && hd_rng_p(rng, p->source * s->push / 256));
  memset(&in->push, 0, sizeof in->push);
  memset(&in->push_need, 0, sizeof in->push_need);
  in->push_nextbl = 0;
  if (in->push_valid) {
    in->push = random_entry(s, rng, now);
    in->push_nextbl = random_nextbl(rng, in->push.ctas, in->push.level);
    hd_any_need(rng, &s->cfg, &in->push_need);
  }
}

/* An entry has the same need as other entries of its kernel. */
static void agree(const struct stim *s, struct hd_pq_in *in) {
  if (in->push_valid && s->named[in->push.kdei]) in->push_need = in->need[in->push.kdei];
}

/* Reserves a line while there is room for it beside the entry that is pushed, and releases places that no entry
 * uses. */
static void drive_places(struct stim *s, struct hd_rng *rng, const struct hd_pq_out *now, struct hd_pq_in *in) {
  const unsigned least = s->cfg.spill_line + (in->push_valid && !in->push_kept), spare = s->kept - in->push_kept;
  const unsigned most = (1u << 3) - 1;
  in->reserve = now->room >= least && hd_rng_p(rng, s->reserve);
  in->release = 0;
  if (spare && hd_rng_p(rng, s->release)) in->release = (uint8_t)(1 + hd_rng_below(rng, spare < most ? spare : most));
}

static void drive(void *s_, struct hd_rng *rng, const struct hd_profile *p, const void *out, const void *now_,
                  void *in_) {
  struct stim *s = s_;
  struct hd_pq_in *in = in_;
  const struct hd_pq_out *now = now_;
  account(s, in, out);
  if (!s->left--) choose_phase(s, rng);
  if (!s->places--) choose_places(s, rng);
  disturb(s, rng, in);
  in->take = now->front_valid && hd_rng_p(rng, p->sink * s->take / 256);
  drive_push(s, rng, p, out, now, in);
  drive_places(s, rng, now, in);
  agree(s, in);
}

static const char *const covers[] = {"event",
                                     "full",
                                     "refused",
                                     "refused_though_one_leaves",
                                     "place_used_again",
                                     "push_and_take",
                                     "push_and_last",
                                     "push_and_take_of_a_level",
                                     "push_and_last_of_a_level",
                                     "last_and_new_front",
                                     "overtakes",
                                     "overtaken_in_a_take",
                                     "comes_back",
                                     "second_overtaken",
                                     "empty_to_front",
                                     "all_levels",
                                     "one_replaced",
                                     "lower_level_follows",
                                     "behind_the_front",
                                     "behind_the_second",
                                     "behind_the_second_and_last",
                                     "behind_the_third_and_last",
                                     "one_place",
                                     "comes_with_a_next_tb",
                                     "in_front_with_its_need",
                                     "two_places",
                                     "reserve",
                                     "reserve_the_last_places",
                                     "reserve_beside_a_push",
                                     "reserve_the_last_places_beside_a_push",
                                     "reserve_and_use",
                                     "reserve_and_release",
                                     "reserve_and_last",
                                     "reserve_and_all_others",
                                     "release",
                                     "release_and_push",
                                     "release_and_use",
                                     "release_and_last",
                                     "release_as_one_is_refused",
                                     "release_all",
                                     "used",
                                     "used_without_room",
                                     "used_and_last",
                                     "used_by_the_first_entry",
                                     "refused_though_places_are_free",
                                     "all_places_kept",
                                     "full_and_none_kept",
                                     NULL};

/* Returns the levels of the first three entries; 0 if there are fewer. */
static void first_levels(const struct stim *s, unsigned level[3]) {
  unsigned n = 0;
  for (unsigned l = s->cfg.max_level; l; l--)
    for (unsigned k = 0; k < s->count[l] && n < 3; k++) level[n++] = l;
  while (n < 3) level[n++] = 0;
}

/* Returns true if the entry at this position is the last of its level. */
static bool youngest(const struct stim *s, const unsigned level[3], unsigned at) {
  unsigned before = 0;
  for (unsigned k = 0; k < at; k++) before += level[k] == level[at];
  return level[at] && s->count[level[at]] == before + 1;
}

static void cover_places(const struct stim *s, const struct hd_pq_in *in, const struct hd_pq_out *out, uint64_t *hits) {
  const unsigned line = s->cfg.spill_line;
  const bool last = leaves(in, out), use = in->push_valid && in->push_kept, push = pushed(in, out) && !use;
  hits[0] += in->reserve;
  hits[1] += in->reserve && !push && out->room == line;
  hits[2] += in->reserve && push;
  hits[3] += in->reserve && push && out->room == line + 1;
  hits[4] += in->reserve && use;
  hits[5] += in->reserve && in->release;
  hits[6] += in->reserve && last;
  hits[7] += in->reserve && use && in->release && last;
  hits[8] += in->release > 0;
  hits[9] += in->release && push;
  hits[10] += in->release && use;
  hits[11] += in->release && last;
  hits[12] += in->release && in->push_valid && !pushed(in, out);
  hits[13] += in->release > 1 && in->release == s->kept;
  hits[14] += use;
  hits[15] += use && !out->push_ready;
  hits[16] += use && last;
  hits[17] += use && !out->front_valid;
  hits[18] += in->push_valid && !pushed(in, out) && s->used < s->cfg.pq_depth;
  hits[19] += s->kept == s->cfg.pq_depth - s->cfg.pq_depth % line;
  hits[20] += s->used == s->cfg.pq_depth && !s->kept;
}

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct stim *s = s_;
  const struct hd_pq_in *in = in_;
  const struct hd_pq_out *out = out_;
  bool push = pushed(in, out), last = leaves(in, out), all = true;
  unsigned at[3], to = push ? in->push.level : 0;
  first_levels(s, at);
  for (unsigned l = 1; l <= s->cfg.max_level; l++) all &= s->count[l] != 0;
  hits[0] += push + in->take;
  hits[1] += s->used == s->cfg.pq_depth;
  hits[2] += in->push_valid && !push;
  hits[3] += in->push_valid && !push && last;
  hits[4] += push && s->was_full;
  hits[5] += push && in->take;
  hits[6] += push && last;
  hits[7] += push && in->take && to == at[0];
  hits[8] += push && last && to == at[0];
  hits[9] += last && at[1] && to > at[1];
  hits[10] += at[0] && to > at[0] && !last;
  hits[11] += in->take && to > at[0] && !last;
  hits[12] += out->front_nextbl && s->was_valid && memcmp(&s->was, &out->front, sizeof s->was);
  hits[13] += at[1] && to > at[1] && to <= at[0] && !last;
  hits[14] += push && !out->front_valid;
  hits[15] += all;
  hits[16] += push && last && s->used == 1;
  hits[17] += last && at[1] && at[1] < at[0];
  hits[18] += push && to == at[0] && youngest(s, at, 0);
  hits[19] += push && to == at[1] && youngest(s, at, 1) && !last;
  hits[20] += push && to == at[1] && youngest(s, at, 1) && last;
  hits[21] += push && to == at[2] && youngest(s, at, 2) && last;
  hits[22] += out->room == 1;
  hits[23] += push && in->push_nextbl;
  hits[24] += push && (!out->front_valid || to > at[0]) &&
              memcmp(&in->push_need, &in->need[in->push.kdei], sizeof in->push_need);
  hits[25] += out->room == 2;
  cover_places(s, in, out, hits + 26);
}

const struct hd_block_driver hd_block_driver_pq = {HD_BLOCK_DRIVER_MODEL_FIELDS(pq), HD_BLOCK_DRIVER_ROWS_FIELDS(pq),
                                                   HD_BLOCK_DRIVER_STIM_FIELDS(struct stim)};
