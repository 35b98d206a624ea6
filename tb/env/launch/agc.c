/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* agc: golden model, random environment and cover points. The environment is the plane around agc: groups wait in AGEs
 * or records; TBs of one group at a time are handed out and end after a while; kernels stop in the middle of a group,
 * leave, and resume. */
#include "launch/agc.h"

#include "env/common/model.h"

HD_BLOCK_DRIVER_MODEL(agc)
HD_BLOCK_DRIVER_ROWS(agc)

enum { WAITING = 32, LONG_GROUP = 600 };

struct group {
  struct hd_ptr ptr;
  uint32_t left; /* TBs not handed out */
  uint8_t kdei;
};

struct cta {
  uint64_t at; /* cycle in which it was handed out */
  uint16_t agei;
  uint8_t age_valid, kdei;
};

struct stim {
  struct hd_cfg cfg;
  uint64_t cycle;
  struct group waiting[WAITING], cur;
  unsigned waiting_n, ctas_n;
  struct cta ctas[HD_MAX_RESIDENT]; /* in execution */
  uint16_t cur_agei, last_agei;
  uint8_t cur_valid;
  uint8_t taken[HD_MAX_AGT_SIZE];   /* AGEs of the AGT */
  uint8_t stopped[HD_MAX_NUM_KDE];  /* hands out no TBs until it has left and returned */
  uint64_t quiet[HD_MAX_NUM_KDE];   /* cycle of its last change */
  uint64_t left_at[HD_MAX_NUM_KDE]; /* cycle in which it last left */
  uint16_t running[HD_MAX_NUM_KDE]; /* its TBs in execution */
  uint32_t serial;
  uint16_t freed;      /* the AGE freed last */
  uint32_t cur_out;    /* TBs of the current group handed out since it was loaded */
  uint16_t ended_agei; /* AGE of the group whose TB was handed out last, and its number of TBs so far */
  uint32_t ended_out;
  uint8_t left_stopped, again; /* in this cycle: stopped kernels that left; a TB of the same AGE as the last retired one
                                * */
  uint64_t retired_at, silent;
};

HD_BLOCK_DRIVER_STIM

static void grant(struct stim *s, bool group, unsigned kdei) {
  s->ctas[s->ctas_n++] = (struct cta){s->cycle, group ? s->cur_agei : 0, group, (uint8_t)kdei};
  s->running[kdei]++;
}

/* Returns true if no slot of the entry's previous kernel can still be waiting for its return. Until then the kernel in
 * the entry neither leaves nor stops. */
static bool long_there(const struct stim *s, unsigned kdei) {
  return s->cycle > s->left_at[kdei] + s->cfg.num_kde;
}

/* The current group's kernel stops, or hands out one of its TBs or a TB of a native part. */
static void drive_grant(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, struct hd_agc_in *in) {
  in->sched_hand.grant = in->sched_hand.last = in->sched_hand.park = in->sched_sscr.kdei = 0;
  bool may_stop = s->cur_valid && s->waiting_n < WAITING && long_there(s, s->cur.kdei);
  if (may_stop && !hd_rng_below(rng, 250)) {
    in->sched_hand.park = 1;
    in->sched_sscr.kdei = s->cur.kdei;
    s->stopped[s->cur.kdei] = 1;
    s->quiet[s->cur.kdei] = s->cycle;
    memmove(s->waiting + 1, s->waiting, s->waiting_n++ * sizeof *s->waiting);
    s->waiting[0] = s->cur;
    s->cur_valid = 0;
    return;
  }
  if (s->ctas_n == s->cfg.resident || !hd_rng_p(rng, p->source)) return;
  if (!s->cur_valid) {
    unsigned kdei = hd_rng_below(rng, s->cfg.num_kde);
    if (!s->stopped[kdei] && hd_rng_p(rng, 64)) grant(s, false, kdei);
    return;
  }
  grant(s, true, s->cur.kdei);
  in->sched_hand.grant = 1;
  s->cur_out++;
  in->sched_hand.last = !--s->cur.left;
  s->ended_agei = s->cur_agei;
  s->ended_out = s->cur_out;
  if (in->sched_hand.last) s->cur_valid = 0;
}

/* The oldest group of a kernel that has not stopped becomes the current group, if it has an AGE. */
static void drive_load(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_agc_out *now,
                       struct hd_agc_in *in) {
  in->sched_hand.load = 0;
  in->sched_hand.ptr = (struct hd_ptr){0};
  if (s->cur_valid || in->sched_hand.park || !hd_rng_p(rng, p->source)) return;
  unsigned k = 0;
  while (k < s->waiting_n && s->stopped[s->waiting[k].kdei]) k++;
  if (k == s->waiting_n || !(s->waiting[k].ptr.onchip || now->slot.valid)) return;
  s->cur = s->waiting[k];
  s->cur_valid = 1;
  s->cur_out = 0;
  s->cur_agei = (uint16_t)(s->cur.ptr.onchip ? s->cur.ptr.index : s->cfg.agt_size + now->slot.slot);
  memmove(s->waiting + k, s->waiting + k + 1, (--s->waiting_n - k) * sizeof *s->waiting);
  in->sched_hand.load = 1;
  in->sched_hand.ptr = s->cur.ptr;
}

static uint32_t group_size(struct hd_rng *rng, const struct hd_cfg *cfg) {
  uint32_t wrap = 1u << cfg->exe_half_w; /* number at which the counts wrap */
  if (hd_rng_p(rng, 150)) return 1;
  if (hd_rng_p(rng, 240)) return 1 + hd_rng_below(rng, 6);
  return wrap < LONG_GROUP ? wrap + hd_rng_below(rng, wrap / 4) : LONG_GROUP;
}

/* A new group, linked to a random kernel, with or without an AGE of the AGT. */
static void launch(struct stim *s, struct hd_rng *rng, const struct hd_profile *p) {
  if (s->waiting_n >= WAITING - 1 || !hd_rng_p(rng, p->source)) return;
  struct group g = {.left = group_size(rng, &s->cfg), .kdei = (uint8_t)hd_rng_below(rng, s->cfg.num_kde)};
  /* A few indices are more frequent, so that an AGE is soon reused. */
  unsigned index = hd_rng_below(rng, hd_rng_p(rng, 128) && s->cfg.agt_size > 8 ? 8 : s->cfg.agt_size);
  if (hd_rng_p(rng, 64)) index = s->freed;
  if (hd_rng_p(rng, 150) && !s->taken[index]) {
    s->taken[index] = 1;
    g.ptr = (struct hd_ptr){.onchip = 1, .index = index};
  } else {
    g.ptr.index = ++s->serial * 2654435761u & 0x7fffffff;
  }
  s->waiting[s->waiting_n++] = g;
}

static void drive_retire(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, struct hd_agc_in *in) {
  in->sched_retire.valid = 0;
  in->sched_retire.tb = (struct hd_retire){0};
  s->again = 0;
  if (!s->ctas_n || !hd_rng_p(rng, p->sink)) return;
  unsigned at = hd_rng_below(rng, s->ctas_n);
  bool again = hd_rng_p(rng, 160); /* another TB of the same AGE as the last one */
  for (unsigned k = 0; again && k < s->ctas_n && k < 64; k++) {
    unsigned i = (at + k) % s->ctas_n;
    if (s->ctas[i].age_valid && s->ctas[i].agei == s->last_agei) at = i, again = false;
  }
  struct cta t = s->ctas[at];
  if (s->cycle < t.at + 3) return;
  s->ctas[at] = s->ctas[--s->ctas_n];
  s->running[t.kdei]--;
  s->quiet[t.kdei] = s->cycle;
  s->again = t.age_valid && t.agei == s->last_agei && s->cycle == s->retired_at + 1;
  s->last_agei = t.agei;
  s->retired_at = s->cycle;
  in->sched_retire.valid = 1;
  in->sched_retire.tb = (struct hd_retire){.kdei = t.kdei, .age_valid = t.age_valid, .agei = t.agei};
}

/* Kernels without TBs in execution leave, at least two cycles after their last TB was retired; sometimes several
 * stopped kernels leave at once. */
static void drive_left(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, struct hd_agc_in *in) {
  unsigned stopped = hd_rng_below(rng, 24) ? 0 : p->sink / 2 + 100;
  s->left_stopped = 0;
  for (unsigned i = 0; i < s->cfg.num_kde; i++) {
    bool may = !s->running[i] && s->cycle >= s->quiet[i] + 2 && !(s->cur_valid && s->cur.kdei == i) && long_there(s, i);
    in->kd_left[i] = may && hd_rng_p(rng, s->stopped[i] ? stopped : 2);
    if (!in->kd_left[i]) continue;
    s->left_stopped += s->stopped[i];
    s->stopped[i] = 0;
    s->left_at[i] = s->cycle;
  }
}

static void drive(void *s_, struct hd_rng *rng, const struct hd_profile *p, const void *out_, const void *now,
                  void *in_) {
  struct stim *s = s_;
  struct hd_agc_in *in = in_;
  const struct hd_agc_out *out = out_;
  s->cycle++;
  drive_grant(s, rng, p, in);
  drive_load(s, rng, p, now, in);
  launch(s, rng, p);
  drive_retire(s, rng, p, in);
  drive_left(s, rng, p, in);
  /* Sometimes software accepts no records for a while, until the slots are used up. */
  if (!hd_rng_below(rng, 4096)) s->silent = s->cycle + 100 + hd_rng_below(rng, 3000);
  in->record_done_ready = s->cycle >= s->silent && hd_rng_p(rng, p->sink);
  if (out->free.valid) { /* after launch(): the earliest reuse by a group is in the next cycle */
    s->taken[out->free.index] = 0;
    s->freed = out->free.index;
  }
}

static const char *const covers[] = {"event",       "free",          "record_done", "slots_full",  "record_stalled",
                                     "park_onchip", "park_overflow", "left_parked", "retire_same", "retire_in_end",
                                     "load_in_end", "left_together", "counts_wrap", NULL};

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct stim *s = s_;
  const struct hd_agc_in *in = in_;
  const struct hd_agc_out *out = out_;
  bool record = out->record_done_valid && in->record_done_ready;
  hits[0] += in->sched_hand.load + in->sched_hand.grant + in->sched_retire.valid + out->free.valid + record;
  hits[1] += out->free.valid;
  hits[2] += record;
  hits[3] += !out->slot.valid;
  hits[4] += out->record_done_valid && !in->record_done_ready;
  hits[5] += in->sched_hand.park && s->waiting[0].ptr.onchip;
  hits[6] += in->sched_hand.park && !s->waiting[0].ptr.onchip;
  hits[7] += s->left_stopped != 0;
  hits[8] += s->again;
  hits[9] += in->sched_hand.last && in->sched_retire.valid && in->sched_retire.tb.age_valid &&
             in->sched_retire.tb.agei == s->ended_agei;
  hits[10] += in->sched_hand.last && in->sched_hand.load;
  hits[11] += s->left_stopped > 1;
  hits[12] += in->sched_hand.last && s->ended_out >> s->cfg.exe_half_w;
}

/* Oracle:
 * 1. An AGE is freed exactly once, after the last TB of its group was handed out and all are done.
 * 2. A record is returned exactly once, under the same condition.
 * 3. An AGE in use is never given to another group.
 * 4. A free slot is offered, except in the cycles in which slots of parked groups are returned. */
enum age_state { NONE, LOADED, HANDED_OUT };

struct oracle {
  struct hd_cfg cfg;
  uint8_t state[HD_MAX_NUM_AGE];
  uint32_t running[HD_MAX_NUM_AGE]; /* its TBs in execution */
  uint32_t record[HD_MAX_OVF_SLOTS];
  uint16_t park[HD_MAX_NUM_KDE];
  uint8_t parked[HD_MAX_NUM_KDE];
  uint16_t cur;
  uint8_t waits; /* a record was offered and not accepted */
  uint32_t waiting;
  uint32_t overdue; /* AGEs of the AGT whose group is done */
  uint64_t done_at; /* cycle in which the last of these groups was done */
  uint32_t closed;  /* consecutive cycles without an offered slot although one was free */
};

HD_BLOCK_DRIVER_ORACLE

static bool finished(const struct oracle *o, unsigned agei) {
  return o->state[agei] == HANDED_OUT && !o->running[agei];
}

/* Removes the record; returns false if its group is not finished. */
static bool forget_record(struct oracle *o, uint32_t record) {
  for (unsigned s = 0; s < o->cfg.ovf_slots; s++) {
    if (!finished(o, o->cfg.agt_size + s) || o->record[s] != record) continue;
    o->state[o->cfg.agt_size + s] = NONE;
    return true;
  }
  return false;
}

static const char *watch_record(struct oracle *o, const struct hd_agc_in *in, const struct hd_agc_out *out) {
  if (o->waits && (!out->record_done_valid || out->record_done != o->waiting))
    return "an offered record changed before it was accepted";
  if (out->record_done_valid && !o->waits && !forget_record(o, out->record_done))
    return "a record is returned before its group is done, or twice";
  o->waits = out->record_done_valid && !in->record_done_ready;
  o->waiting = out->record_done;
  return NULL;
}

static const char *watch_load(struct oracle *o, const struct hd_agc_in *in, const struct hd_agc_out *out) {
  unsigned agei = in->sched_hand.ptr.onchip ? in->sched_hand.ptr.index : o->cfg.agt_size + out->slot.slot;
  if (!in->sched_hand.ptr.onchip && !out->slot.valid) return NULL;
  if (o->state[agei] != NONE) return "an AGE in use is allocated to another group";
  o->state[agei] = LOADED;
  o->cur = (uint16_t)agei;
  if (!in->sched_hand.ptr.onchip) o->record[out->slot.slot] = in->sched_hand.ptr.index;
  return NULL;
}

static const char *watch_slots(struct oracle *o, const struct hd_agc_out *out) {
  bool some = false;
  for (unsigned s = 0; s < o->cfg.ovf_slots; s++) some |= o->state[o->cfg.agt_size + s] == NONE;
  if (out->slot.valid && o->state[o->cfg.agt_size + out->slot.slot] != NONE) return "a slot in use is offered";
  o->closed = some && !out->slot.valid ? o->closed + 1 : 0;
  return o->closed > 2 * o->cfg.num_kde ? "no slot is offered although one is free" : NULL;
}

static const char *watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_agc_in *in = in_;
  const struct hd_agc_out *out = out_;
  const char *rule = watch_record(o, in, out);
  if (!rule) rule = watch_slots(o, out);
  if (rule) return rule;
  if (out->free.valid) {
    if (!finished(o, out->free.index)) return "an AGE is freed before its group is done, or twice";
    o->state[out->free.index] = NONE;
    o->overdue--;
  }
  if (o->overdue && cycle > o->done_at + 8) return "an AGE is not freed although its group is done";
  if (in->sched_retire.valid && in->sched_retire.tb.age_valid) {
    o->running[in->sched_retire.tb.agei]--;
    if (finished(o, in->sched_retire.tb.agei) && in->sched_retire.tb.agei < o->cfg.agt_size) {
      o->overdue++;
      o->done_at = cycle;
    }
  }
  if (in->sched_hand.grant) o->running[o->cur]++;
  if (in->sched_hand.last) o->state[o->cur] = HANDED_OUT;
  for (unsigned i = 0; i < o->cfg.num_kde; i++)
    if (in->kd_left[i] && o->parked[i]) o->parked[i] = 0, o->state[o->park[i]] = NONE;
  if (in->sched_hand.park) {
    o->parked[in->sched_sscr.kdei] = 1;
    o->park[in->sched_sscr.kdei] = o->cur;
  }
  return in->sched_hand.load ? watch_load(o, in, out) : NULL;
}

const struct hd_block_driver hd_block_driver_agc = {HD_BLOCK_DRIVER_MODEL_FIELDS(agc), HD_BLOCK_DRIVER_ROWS_FIELDS(agc),
                                                    HD_BLOCK_DRIVER_STIM_FIELDS(struct stim),
                                                    HD_BLOCK_DRIVER_ORACLE_FIELDS};
