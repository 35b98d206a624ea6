/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* match: golden model, random environment and cover points. The environment is a Kernel Distributor whose kernels
 * enter, stop accepting groups and leave, and a launch queue that searches for groups of a few keys that differ in one
 * field. It runs its own copy of the model to know whether a search ends: only then may a result be accepted. */
#include "launch/match.h"

#include "env/common/model.h"

HD_BLOCK_DRIVER_MODEL(match)
HD_BLOCK_DRIVER_ARCH(match)

enum { BASES = 3, COMMAND = 32 };
enum { ABSENT, OPEN, STOPPED };

struct stim {
  struct hd_cfg cfg;
  struct hd_match search;
  uint8_t entry[HD_MAX_NUM_KDE];
  struct hd_key base[BASES], mine[BASES]; /* of all commands; of this command */
  unsigned left;                          /* beats of the turn still to come */
  uint8_t crowd;                          /* phase: from 200 (kernels enter and stay) to 0 (the KD is almost empty) */
  struct hd_match_out was;                /* outputs offered and not accepted in the previous cycle */
  uint8_t waited, changed;
};

static void stim_init(void *s_, const struct hd_cfg *cfg, struct hd_rng *rng) {
  struct stim *s = s_;
  (void)rng;
  s->cfg = *cfg;
  hd_match_init(&s->search, cfg);
}

static void stim_reset(void *s_) {
  struct stim *s = s_;
  struct hd_cfg cfg = s->cfg;
  memset(s, 0, sizeof *s);
  s->cfg = cfg;
  hd_match_init(&s->search, &cfg);
}

static void choose_bases(struct stim *s, struct hd_rng *rng) {
  for (unsigned k = 0; k < BASES; k++) {
    struct hd_key *b = &s->base[k];
    b->pc = hd_rng_bits(rng, s->cfg.pc_w);
    b->cta_x = (uint16_t)hd_rng_bits(rng, s->cfg.cta_xw);
    b->cta_y = (uint16_t)hd_rng_bits(rng, s->cfg.cta_yw);
    b->cta_z = (uint8_t)hd_rng_bits(rng, s->cfg.cta_zw);
    b->smem = (uint16_t)hd_rng_bits(rng, s->cfg.smem_units_w);
  }
}

/* Returns one of the few keys, sometimes with one bit of one field changed. */
static struct hd_key random_key(const struct stim *s, struct hd_rng *rng) {
  struct hd_key k = s->base[hd_rng_below(rng, BASES)];
  if (!hd_rng_p(rng, 64)) return k;
  switch (hd_rng_below(rng, 5)) {
    case 0:
      k.pc ^= UINT64_C(1) << hd_rng_below(rng, s->cfg.pc_w);
      break;
    case 1:
      k.cta_x ^= (uint16_t)(1u << hd_rng_below(rng, s->cfg.cta_xw));
      break;
    case 2:
      k.cta_y ^= (uint16_t)(1u << hd_rng_below(rng, s->cfg.cta_yw));
      break;
    case 3:
      k.cta_z ^= (uint8_t)(1u << hd_rng_below(rng, s->cfg.cta_zw));
      break;
    default:
      k.smem ^= (uint16_t)(1u << hd_rng_below(rng, s->cfg.smem_units_w));
  }
  return k;
}

/* Kernels stop and leave; match sees the resulting entries in this cycle. */
static void drive_kernels(struct stim *s, struct hd_rng *rng, struct hd_match_in *in) {
  if (in->kd_entry.valid) s->entry[in->kd_entry.kdei] = OPEN;
  if (!hd_rng_below(rng, 300)) s->crowd = (uint8_t)(hd_rng_p(rng, 128) ? 200 : hd_rng_below(rng, 200));
  for (unsigned n = 0; n < 1 + s->cfg.num_kde / 16; n++) {
    unsigned i = hd_rng_below(rng, s->cfg.num_kde);
    if (s->entry[i] == STOPPED && hd_rng_p(rng, 60)) s->entry[i] = ABSENT;
    if (s->entry[i] == OPEN && !hd_rng_p(rng, s->crowd) && hd_rng_p(rng, 20)) s->entry[i] = STOPPED;
  }
  for (unsigned i = 0; i < s->cfg.num_kde; i++) in->kd_eligible[i] = s->entry[i] == OPEN;
}

/* A kernel enters a free entry, if the KD accepts it. */
static void drive_enter(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, struct hd_match_in *in) {
  unsigned i = hd_rng_below(rng, s->cfg.num_kde);
  const struct hd_key key = random_key(s, rng);
  in->kmu_offer.valid = hd_rng_p(rng, p->source);
  in->kmu_offer.kernel.desc.pc = key.pc;
  in->kmu_offer.kernel.desc.cta_x = key.cta_x;
  in->kmu_offer.kernel.desc.cta_y = key.cta_y;
  in->kmu_offer.kernel.desc.cta_z = key.cta_z;
  in->kmu_offer.kernel.need.smem = key.smem;
  in->kd_entry.valid = in->kmu_offer.valid && s->entry[i] == ABSENT && hd_rng_p(rng, s->crowd);
  in->kd_entry.kdei = (uint8_t)i; /* any entry while not valid */
}

/* The launch in A1 stays until its result is accepted, or sometimes becomes an invalid one; then the next one arrives,
 * of this command or of another. devq also shows the key of a launch that needs no search. */
static void drive_find(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, struct hd_match_in *in) {
  if (in->devq_find.valid && !in->devq_find_take) {
    in->devq_find.valid = !hd_rng_p(rng, p->bad / 8);
    return;
  }
  in->devq_find.valid = in->devq_find.first = 0;
  in->devq_find.key = hd_rng_p(rng, 128) ? random_key(s, rng) : (struct hd_key){0};
  if (!hd_rng_p(rng, p->source)) return;
  if (!s->left) {
    in->devq_find.first = 1;
    s->left = 1 + hd_rng_below(rng, 1 + hd_rng_below(rng, COMMAND));
    for (unsigned k = 0; k < BASES; k++) s->mine[k] = random_key(s, rng);
    if (hd_rng_p(rng, 128)) s->mine[2] = s->mine[1] = s->mine[0];
  }
  s->left--;
  if (in->devq_find.first && hd_rng_p(rng, 64)) return; /* no search */
  in->devq_find.valid = 1;
  in->devq_find.key = s->mine[hd_rng_below(rng, 1 + hd_rng_below(rng, BASES))];
}

static void drive(void *s_, struct hd_rng *rng, const struct hd_profile *p, const void *out, const void *now,
                  void *in_) {
  struct stim *s = s_;
  struct hd_match_in *in = in_;
  struct hd_match_out search;
  (void)out;
  (void)now;
  if (!s->base[0].pc || !hd_rng_below(rng, 2000)) choose_bases(s, rng);
  hd_match_tick(&s->search, in);
  drive_kernels(s, rng, in);
  drive_find(s, rng, p, in);
  drive_enter(s, rng, p, in);
  hd_match_eval(&s->search, in, &search);
  in->devq_find_take = search.found.valid && hd_rng_p(rng, p->sink);
  s->changed = s->waited && (search.found.hit != s->was.found.hit || search.found.kdei != s->was.found.kdei);
  s->waited = search.found.valid && !in->devq_find_take;
  s->was = search;
}

static const char *const covers[] = {"event",         "hit",           "miss",         "several_fit", "differs_in_smem",
                                     "not_taken_yet", "waits_changes", "last_kde_hit", "enter",       NULL};

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct stim *s = s_;
  const struct hd_match_in *in = in_;
  const struct hd_match_out *out = out_;
  bool enter = in->kd_entry.valid;
  unsigned fit = 0, other_smem = 0;
  for (unsigned i = 0; in->devq_find_take && i < s->cfg.num_kde; i++) {
    struct hd_key k = s->search.key[i];
    fit += in->kd_eligible[i] && !memcmp(&k, &in->devq_find.key, sizeof k);
    k.smem = in->devq_find.key.smem;
    other_smem += in->kd_eligible[i] && !memcmp(&k, &in->devq_find.key, sizeof k);
  }
  hits[0] += enter + in->devq_find_take;
  hits[1] += in->devq_find_take && out->found.hit;
  hits[2] += in->devq_find_take && !out->found.hit;
  hits[3] += fit > 1;
  hits[4] += other_smem > fit;
  hits[5] += out->found.valid && !in->devq_find_take;
  hits[6] += s->changed;
  hits[7] += in->devq_find_take && out->found.kdei == s->cfg.num_kde - 1;
  hits[8] += enter;
}

/* Oracle:
 * 1. A hit is an eligible kernel with the key.
 * 2. A kernel that is eligible all the time is found.
 * 3. Among several examined in the same cycle the lowest wins.
 * 4. A search ends within one sweep. */
struct oracle {
  struct hd_cfg cfg;
  struct hd_key key[HD_MAX_NUM_KDE];
  uint64_t since[HD_MAX_NUM_KDE]; /* cycle since which the entry is eligible with its key */
  uint64_t turn;                  /* cycle in which the turn began */
  uint8_t first, taken;           /* in the previous cycle: the turn's first beat was present and stayed; a result was
                                   * accepted */
  unsigned cycles;                /* length of this search */
};

HD_BLOCK_DRIVER_ORACLE

static bool could_take(const struct oracle *o, const struct hd_match_in *in, unsigned i) {
  return in->kd_eligible[i] && !memcmp(&o->key[i], &in->devq_find.key, sizeof o->key[i]);
}

/* Returns what a group must share with a kernel to join it. */
static struct hd_key key_of(const struct hd_kernel *k) {
  const struct hd_desc *d = &k->desc;
  return (struct hd_key){.pc = d->pc, .cta_x = d->cta_x, .cta_y = d->cta_y, .cta_z = d->cta_z, .smem = k->need.smem};
}

static const char *watch_found(const struct oracle *o, const struct hd_match_in *in, const struct hd_match_out *out) {
  unsigned k = out->found.kdei, lanes = o->cfg.kde_search_lanes;
  if (!out->found.hit) {
    for (unsigned i = 0; i < o->cfg.num_kde; i++)
      if (could_take(o, in, i) && (o->since[i] <= o->turn || lanes >= o->cfg.num_kde))
        return "an eligible kernel was not found";
    return NULL;
  }
  if (k >= o->cfg.num_kde || !could_take(o, in, k)) return "the kernel found is not eligible, or has another key";
  for (unsigned i = 0; lanes >= o->cfg.num_kde && i < k; i++)
    if (could_take(o, in, i)) return "the kernel found is not the lowest";
  return NULL;
}

static const char *watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_match_in *in = in_;
  const struct hd_match_out *out = out_;
  unsigned steps = (o->cfg.num_kde + o->cfg.kde_search_lanes - 1) / o->cfg.kde_search_lanes;
  const char *rule = NULL;
  for (unsigned i = 0; i < o->cfg.num_kde; i++)
    if (!in->kd_eligible[i]) o->since[i] = cycle + 1;
  if (in->devq_find.first && !o->first) o->turn = cycle;
  o->first = in->devq_find.first && in->devq_find.valid && !in->devq_find_take;
  o->cycles = in->devq_find.valid && !out->found.valid ? o->cycles + 1 : 0;
  if (out->events.searched != o->taken) return "searched is not set in the cycle after a result was accepted";
  if (out->found.valid && !in->devq_find.valid) return "found is set without a search";
  if (o->cycles >= steps) return "a search takes longer than one sweep";
  if (out->found.valid) rule = watch_found(o, in, out);
  o->taken = in->devq_find_take;
  if (in->kd_entry.valid) o->key[in->kd_entry.kdei] = key_of(&in->kmu_offer.kernel);
  return rule;
}

const struct hd_block_driver hd_block_driver_match = {
    HD_BLOCK_DRIVER_MODEL_FIELDS(match), HD_BLOCK_DRIVER_STIM_FIELDS(struct stim), HD_BLOCK_DRIVER_ORACLE_FIELDS};
