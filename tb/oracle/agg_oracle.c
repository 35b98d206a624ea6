/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "oracle/agg_oracle.h"

#include "gen/hd_agg_ports.h"

enum { CHANS = HD_MAX_NUM_CHAN, SLOTS = HD_MAX_CHAN_SLOTS, CUS = HD_MAX_NUM_CU, NOTHING = -1 };

/* State of the channels and slots at the start of a cycle. */
struct view {
  uint16_t ready[CHANS], coming[CHANS]; /* elements: published; reserved and not yet published */
  uint16_t alive[CHANS], active[CHANS]; /* wavefronts: not ended; not ended and not waiting after a yield */
  uint8_t open[CHANS], busy[CUS];       /* busy: a restart waits for a slot */
  uint8_t slot[SLOTS];                  /* 1 + the channel of the wavefront; 0: free */
  uint16_t recs;
  uint8_t last;              /* the last channel that was set up */
  uint8_t fresh, fresh_chan; /* elements published in the cycle before (included in ready), and their channel */
};

/* Inputs of a cycle. */
struct received_before {
  uint8_t failed[CHANS], quiet, asks; /* asks: room is requested or was granted for a waiting wavefront */
};

struct oracle {
  struct hd_cfg cfg;
  struct hd_chanset set[CHANS];
  uint32_t next[CHANS]; /* control place of the next element */
  struct hd_chanback back[CUS];
  struct hd_chanyield yield; /* the yield of the cycle before */
  /* 1 + channel of the wavefront that yielded one cycle ago, ended one or two cycles ago; 0: none */
  uint8_t yielded, ended, gone;
  uint8_t rests;                                    /* the same for a yield two cycles ago */
  struct view now, seen, before;                    /* of the next cycle, of this one, and of the one before */
  struct received_before received_before, receives; /* in the cycle of `before`, and of `seen` */
  uint8_t could;                /* with a free slot, new work could be dispatched in the cycle of `before` */
  uint8_t stays[CHANS];         /* but not of these channels: a deeper level goes first, or a record is missing */
  uint8_t passed[CHANS][CHANS]; /* [c][d]: c is ready, and a wavefront of d, of the same level, was dispatched since */
  uint8_t bad;                  /* an end or a yield named a free slot */
};

HD_BLOCK_ORACLE_STATE(agg)

/* ---- wavefronts that can be dispatched, in the cycle of `seen` ---- */

/* Returns true if a slot of the CU is free and was free in the cycle before. */
static bool has_room(const struct oracle *o, unsigned cu) {
  const unsigned first = cu * o->cfg.waves_per_cu;
  for (unsigned k = first; k < first + o->cfg.waves_per_cu; k++)
    if (!o->seen.slot[k] && !o->before.slot[k]) return true;
  return false;
}

static bool waits(const struct oracle *o, unsigned c) {
  const struct view *v = &o->before;
  for (unsigned d = 0; o->set[c].levelized && d < o->cfg.num_chan; d++) {
    const bool busy = ((v->coming[d] || v->ready[d]) && !o->received_before.failed[d]) || v->alive[d];
    if (v->open[d] && o->set[d].level > o->set[c].level && busy) return true;
  }
  return false;
}

static bool has_record(const struct oracle *o, unsigned c) {
  const unsigned keep = o->before.last - c;
  return o->cfg.chan_recs - o->before.recs > keep + o->could;
}

/* Returns true if wavefronts of d may add elements to c. */
static bool feeds(const struct oracle *o, unsigned d, unsigned c) {
  if (o->set[d].level != o->set[c].level) return o->set[d].level < o->set[c].level;
  return o->set[c].levelized && d < c;
}

static bool comes(const struct oracle *o, unsigned c) {
  return o->before.coming[c] && !o->received_before.failed[c] && !o->received_before.quiet;
}

/* Returns true if a wavefront of d is active, or will be dispatched before the channels that d feeds. */
static bool produces(const struct oracle *o, unsigned d) {
  const struct view *v = &o->before;
  if (v->active[d] || (v->alive[d] && o->cfg.chan_paper & 4)) return true;
  return !o->stays[d] && (v->ready[d] || comes(o, d));
}

/* Returns true if no producer can add to the channel. */
static bool is_alone(const struct oracle *o, unsigned c) {
  bool adds = o->received_before.asks || comes(o, c);
  for (unsigned d = 0; d < o->cfg.num_chan; d++) adds |= o->before.open[d] && feeds(o, d, c) && produces(o, d);
  return !adds;
}

static bool can_begin(const struct oracle *o, unsigned c) {
  const struct view *v = &o->seen;
  const unsigned ready = v->ready[c] - (v->fresh_chan == c ? v->fresh : 0u);
  const bool enough = ready >= o->set[c].threshold || (ready && is_alone(o, c));
  return v->open[c] && o->before.open[c] && enough && !waits(o, c) && has_record(o, c);
}

/* Returns the key of the wavefront to dispatch (2 x level, + 1 for a restart), or NOTHING. */
static int best(const struct oracle *o) {
  int key = NOTHING;
  bool room = false;
  for (unsigned u = 0; u < o->cfg.num_cu; u++) {
    if (!has_room(o, u)) continue;
    room = true;
    const int k = o->seen.busy[u] ? 2 * o->set[o->back[u].own].level + 1 : NOTHING;
    if (k > key) key = k;
  }
  for (unsigned c = 0; room && c < o->cfg.num_chan; c++)
    if (can_begin(o, c) && 2 * o->set[c].level > key) key = 2 * o->set[c].level;
  return key;
}

/* ---- dispatches ---- */

static const char *watch_restart(struct oracle *o, const struct hd_chango *g) {
  const struct hd_chanback *b = &o->back[g->cu];
  if (!o->seen.busy[g->cu]) return "a wavefront restarts that was not to";
  if (g->own != b->own || g->chan != b->chan || g->base != b->base || g->code != b->code || g->ctx != b->ctx)
    return "a wavefront restarts with other data than was granted";
  o->now.busy[g->cu] = 0;
  return NULL;
}

static const char *watch_begin(struct oracle *o, const struct hd_chango *g) {
  const unsigned c = g->own;
  if (!g->count || g->count > o->cfg.wave_lanes) return "a wavefront has no elements, or more than its lanes";
  if (g->count > o->seen.ready[c]) return "an element is dispatched before it is published";
  if (g->start != (o->next[c] & ((2u << o->set[c].cap) - 1)))
    return "control places are dispatched out of order, or twice";
  if (g->count < o->set[c].threshold && !is_alone(o, c)) return "a wavefront is partial while a producer can add to it";
  if (waits(o, c)) return "a levelized channel does not wait for a deeper level";
  if (!has_record(o, c)) return "a wavefront begins without a record, or with one reserved for deeper levels";
  o->next[c] += g->count;
  o->now.ready[c] = (uint16_t)(o->now.ready[c] - g->count);
  o->now.alive[c]++;
  o->now.active[c]++;
  o->now.recs++;
  return NULL;
}

static const char *watch_go(struct oracle *o, const struct hd_agg_out *out) {
  const struct hd_chango *g = &out->go;
  const int key = best(o);
  if (!out->go_valid) return key == NOTHING ? NULL : "a wavefront could be dispatched and is not";
  const unsigned at = g->cu * o->cfg.waves_per_cu + g->slot;
  if (g->cu >= o->cfg.num_cu || g->slot >= o->cfg.waves_per_cu || o->seen.slot[at])
    return "a wavefront is dispatched to an occupied slot";
  if (g->own >= o->cfg.num_chan || !o->seen.open[g->own]) return "a wavefront of a channel that is not set up";
  if (2 * o->set[g->own].level + g->restart != key)
    return "a wavefront is not of the deepest level, or new work goes before a restart";
  o->now.slot[at] = (uint8_t)(g->own + 1);
  return g->restart ? watch_restart(o, g) : watch_begin(o, g);
}

/* A ready channel never waits for two wavefronts of another one of its level. A dispatch of another level between them
 * starts the count again, since it moves chan_ptr (A4). */
static const char *watch_passed(struct oracle *o, const struct hd_agg_out *out) {
  const struct hd_chango *g = &out->go;
  const bool begins = out->go_valid && !g->restart && g->own < o->cfg.num_chan;
  const char *rule = NULL;
  for (unsigned c = 0; c < o->cfg.num_chan; c++) {
    const bool goes = begins && (g->own == c || o->set[g->own].level != o->set[c].level);
    if (goes || !can_begin(o, c))
      memset(o->passed[c], 0, sizeof o->passed[c]);
    else if (begins && o->passed[c][g->own]++)
      rule = "a ready channel waits for two wavefronts of another one of its level";
  }
  return rule;
}

/* ---- ends and yields ---- */

/* Frees the slot. Returns 1 + the channel of its wavefront; for a free slot, sets bad and returns 0. */
static uint8_t leave(struct oracle *o, unsigned cu, unsigned slot) {
  uint8_t none = 0, *at = slot < o->cfg.waves_per_cu ? &o->now.slot[cu * o->cfg.waves_per_cu + slot] : &none;
  const uint8_t own = *at;
  *at = 0;
  o->bad |= !own;
  return own;
}

static const char *watch_yield(struct oracle *o, const struct hd_agg_in *in, const struct hd_agg_out *out) {
  const struct hd_chanwait *w = &out->wait;
  const struct hd_chanyield *y = &o->yield;
  if (out->wait_valid != (o->yielded != 0)) return "wait does not follow a yield, or is set without one";
  if (o->yielded &&
      (w->cu != y->cu || w->own + 1u != o->yielded || w->chan != y->chan || w->n != y->n || w->ctx != y->ctx))
    return "wait shows another wavefront than the one that yielded";
  if (o->rests) o->now.active[o->rests - 1]--;
  o->rests = o->yielded;
  o->yielded = in->yield_valid ? leave(o, in->yield.cu, in->yield.slot) : 0;
  o->yield = in->yield;
  return NULL;
}

static const char *watch_ends(struct oracle *o, const struct hd_agg_in *in, const struct hd_agg_out *out) {
  unsigned n = 0;
  if (o->gone) {
    o->now.alive[o->gone - 1]--;
    o->now.active[o->gone - 1]--;
    o->now.recs--;
  }
  o->gone = o->ended;
  o->ended = 0;
  for (unsigned u = 0; u < o->cfg.num_cu; u++) {
    if (!in->end_valid[u] || !out->end_ready[u]) continue;
    o->ended = leave(o, u, in->end_slot[u]);
    n++;
  }
  return n > 1 ? "two ends in one cycle" : NULL;
}

/* ---- other inputs ---- */

static void learn(struct oracle *o, const struct hd_agg_in *in) {
  uint16_t *coming = o->now.coming;
  if (in->live_valid && !in->live.done) coming[in->live.chan] = (uint16_t)(coming[in->live.chan] + in->live.n);
  o->now.fresh = in->pub_valid ? in->pub_count : 0;
  o->now.fresh_chan = in->pub_chan;
  coming[in->pub_chan] = (uint16_t)(coming[in->pub_chan] - o->now.fresh);
  o->now.ready[in->pub_chan] = (uint16_t)(o->now.ready[in->pub_chan] + o->now.fresh);
  if (in->back_valid) {
    o->back[in->back.cu] = in->back;
    o->now.busy[in->back.cu] = 1;
    o->now.active[in->back.own]++;
  }
  o->received_before = o->receives;
  o->receives = (struct received_before){.quiet = in->quiet && !in->pub_valid, .asks = in->asking || in->back_valid};
  memcpy(o->receives.failed, in->failed, sizeof in->failed);
  if (!in->set_valid) return;
  o->set[in->set.chan] = in->set;
  o->now.open[in->set.chan] = 1;
  o->now.last = in->set.chan;
}

const char *hd_agg_oracle_watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_agg_in *in = in_;
  const struct hd_agg_out *out = out_;
  (void)cycle;
  const char *passed = watch_passed(o, out), *rule = watch_go(o, out);
  if (!rule) rule = passed;
  if (!rule && out->bad != o->bad) rule = "bad does not follow an end or yield of a free slot, or is set without one";
  uint8_t could = 0, stays[CHANS] = {0};
  for (unsigned c = 0; c < o->cfg.num_chan; c++) {
    could |= can_begin(o, c);
    stays[c] = !o->before.open[c] || waits(o, c) || !has_record(o, c);
  }
  o->could = could;
  memcpy(o->stays, stays, sizeof stays);
  o->before = o->seen;
  o->seen = o->now;
  const char *yield = watch_yield(o, in, out), *end = watch_ends(o, in, out);
  if (memcmp(out->back_busy, o->seen.busy, o->cfg.num_cu) != 0 && !rule) rule = "a restart is lost";
  learn(o, in);
  return rule ? rule : yield ? yield : end;
}
