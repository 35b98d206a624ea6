/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* agg: golden model, random environment and cover points; the oracle is agg_oracle. The environment sets up channels;
 * reserves, publishes and frees elements; and models the wavefronts of all CUs, running and waiting. */
#include "channel/agg.h"

#include "engine/rng.h"
#include "env/common/model.h"
#include "oracle/agg_oracle.h"

HD_BLOCK_DRIVER_MODEL(agg)
HD_BLOCK_DRIVER_ROWS(agg)

enum { CHANS = HD_MAX_NUM_CHAN, SLOTS = HD_MAX_CHAN_SLOTS, RECS = HD_MAX_CHAN_RECS, LINE = 64 };

struct elements {
  uint32_t capacity, live, reserved, given; /* live: not free; reserved: not yet published; given: held by a wavefront
                                             * */
  uint8_t threshold;
};

struct stim {
  struct hd_cfg cfg;
  uint8_t began, chans, next, level, levels, still, crowd;
  uint8_t late;  /* channels are set up while others are active */
  uint8_t skips; /* some numbers have no channel */
  uint8_t favourite;
  uint16_t waiting; /* waiting wavefronts, in `who` */
  struct elements chan[CHANS];
  struct hd_chanback who[RECS];
  uint8_t runs[SLOTS], ends[SLOTS]; /* runs: a wavefront runs in the slot; ends: its end is offered */
};

HD_BLOCK_DRIVER_STIM

static unsigned slot_at(const struct stim *s, unsigned cu, unsigned slot) {
  return cu * s->cfg.waves_per_cu + slot;
}

/* ---- the previous cycle ---- */

static void follow(struct stim *s, const struct hd_agg_in *in, const struct hd_agg_out *out) {
  if (out->go_valid) {
    s->runs[slot_at(s, out->go.cu, out->go.slot)] = 1;
    s->chan[out->go.own].given += out->go.count;
  }
  if (out->wait_valid)
    s->who[s->waiting++] =
        (struct hd_chanback){.cu = out->wait.cu, .own = out->wait.own, .chan = out->wait.chan, .ctx = out->wait.ctx};
  for (unsigned u = 0; u < s->cfg.num_cu; u++) {
    if (!in->end_valid[u] || !out->end_ready[u] || in->end_slot[u] >= s->cfg.waves_per_cu) continue;
    const unsigned at = slot_at(s, u, in->end_slot[u]);
    s->runs[at] &= !s->ends[at];
    s->ends[at] = 0;
  }
}

/* ---- wavefronts ---- */

/* Finds a running wavefront of the CU without another operation; sometimes an empty or non-existent slot. */
static bool find_wave(const struct stim *s, struct hd_rng *rng, const struct hd_profile *p, unsigned cu,
                      uint8_t *slot) {
  *slot = (uint8_t)hd_rng_below(rng, s->cfg.waves_per_cu);
  const unsigned at = slot_at(s, cu, *slot);
  if (s->runs[at] && !s->ends[at]) return true;
  if (!hd_rng_p(rng, p->bad) || hd_rng_below(rng, 16)) return false;
  *slot = (uint8_t)hd_rng_bits(rng, s->cfg.wave_w);
  return *slot >= s->cfg.waves_per_cu || !s->runs[slot_at(s, cu, *slot)];
}

static void drive_ends(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_agg_out *out,
                       struct hd_agg_in *in) {
  const unsigned often = s->crowd ? 2 : 20 + p->sink / 2u;
  for (unsigned u = 0; u < s->cfg.num_cu; u++) {
    if (in->end_valid[u] && !out->end_ready[u]) continue;
    in->end_slot[u] = 0;
    in->end_valid[u] = hd_rng_p(rng, often) && find_wave(s, rng, p, u, &in->end_slot[u]);
    if (!in->end_valid[u]) in->end_slot[u] = 0;
    if (in->end_valid[u] && in->end_slot[u] < s->cfg.waves_per_cu && s->runs[slot_at(s, u, in->end_slot[u])])
      s->ends[slot_at(s, u, in->end_slot[u])] = 1;
  }
}

static void drive_yield(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, struct hd_agg_in *in) {
  const unsigned cu = hd_rng_below(rng, s->cfg.num_cu), chan = hd_rng_below(rng, s->next);
  const uint32_t capacity = s->chan[chan].capacity;
  uint8_t slot;
  memset(&in->yield, 0, sizeof in->yield);
  in->yield_valid = hd_rng_p(rng, s->crowd ? 180 : 20) && capacity && find_wave(s, rng, p, cu, &slot);
  if (!in->yield_valid) return;
  in->yield.cu = (uint8_t)cu;
  in->yield.slot = slot;
  in->yield.chan = (uint8_t)chan;
  in->yield.n = (uint16_t)(1 + hd_rng_below(rng, capacity));
  in->yield.ctx = hd_rng_bits(rng, s->cfg.param_w);
  if (slot < s->cfg.waves_per_cu) s->runs[slot_at(s, cu, slot)] = 0;
}

static void drive_back(struct stim *s, struct hd_rng *rng, const struct hd_agg_out *now, struct hd_agg_in *in) {
  in->back_valid = 0;
  memset(&in->back, 0, sizeof in->back);
  in->asking = s->waiting && !s->still && hd_rng_p(rng, 30);
  if (!s->waiting || !hd_rng_p(rng, s->crowd ? 4 : 60)) return;
  struct hd_chanback *w = &s->who[hd_rng_below(rng, s->waiting)];
  if (now->back_busy[w->cu]) return;
  in->back_valid = 1;
  in->back = *w;
  in->back.code = hd_rng_p(rng, 20) ? HD_CHCODE_FAILED : HD_CHCODE_OK;
  in->back.base = (uint16_t)hd_rng_bits(rng, s->cfg.chan_pos_w);
  *w = s->who[--s->waiting];
}

/* ---- elements ---- */

static void drive_live(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, struct hd_agg_in *in) {
  const unsigned c = hd_rng_p(rng, 128) ? s->favourite : hd_rng_below(rng, s->next);
  struct elements *e = &s->chan[c];
  const bool done = hd_rng_p(rng, 120);
  const uint32_t most = done ? e->given : e->capacity - e->live;
  in->live_valid = 0;
  memset(&in->live, 0, sizeof in->live);
  if (!most || (s->still && !done) || !hd_rng_p(rng, p->source)) return;
  const uint32_t some = 1 + hd_rng_below(rng, hd_rng_p(rng, 128) ? (most < 8 ? most : 8) : most);
  const uint32_t n = hd_rng_p(rng, 10) ? most : some;
  in->live_valid = 1;
  in->live = (struct hd_chanlive){.chan = (uint8_t)c, .n = (uint16_t)n, .done = done};
  if (done) {
    e->live -= n;
    e->given -= n;
  } else {
    e->live += n;
    e->reserved += n;
  }
}

static void drive_pub(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, struct hd_agg_in *in) {
  const unsigned c = hd_rng_p(rng, 128) ? s->favourite : hd_rng_below(rng, s->next);
  struct elements *e = &s->chan[c];
  const uint32_t most = e->reserved < LINE ? e->reserved : LINE;
  in->pub_valid = most && !s->still && hd_rng_p(rng, p->source);
  in->pub_chan = in->pub_count = 0;
  in->quiet = s->still || hd_rng_p(rng, 60);
  if (!in->pub_valid) return;
  in->pub_chan = (uint8_t)c;
  in->pub_count = (uint8_t)(1 + hd_rng_below(rng, hd_rng_p(rng, 128) ? (most < 8 ? most : 8) : most));
  e->reserved -= in->pub_count;
}

static void set_up(struct stim *s, struct hd_rng *rng, const struct hd_agg_out *now, struct hd_agg_in *in) {
  const unsigned least = (unsigned)__builtin_ctz(s->cfg.done_grain);
  const bool busy = memchr(now->back_busy, 1, s->cfg.num_cu), full = !memchr(s->runs, 0, s->cfg.chan_slots);
  const unsigned seldom = !busy ? 3000 : full ? 8 : 100; /* a restart waits, with all slots in use for some time */
  in->set_valid = s->next < s->chans && (!s->late || !s->next || !hd_rng_below(rng, seldom));
  memset(&in->set, 0, sizeof in->set);
  if (!in->set_valid) return;
  const unsigned deeper = s->cfg.num_chan - 1u - s->level;
  if (deeper && hd_rng_p(rng, s->levels))
    s->level = (uint8_t)(s->level + 1 + (hd_rng_p(rng, 40) ? hd_rng_below(rng, deeper) : 0));
  if (s->skips && s->next + 1 < s->chans && hd_rng_p(rng, 100)) s->next++; /* a number without a channel */
  in->set.chan = s->next;
  in->set.cap = (uint8_t)(least + hd_rng_below(rng, s->cfg.chan_cap - least + 1));
  in->set.level = s->level;
  in->set.levelized = hd_rng_p(rng, 100);
  const unsigned size = 1u << in->set.cap, lanes = s->cfg.wave_lanes < size ? s->cfg.wave_lanes : size;
  in->set.threshold = (uint8_t)(hd_rng_p(rng, 128) ? lanes : 1 + hd_rng_below(rng, lanes));
  in->set.control = hd_rng_bits(rng, s->cfg.chan_base_w);
  in->set.done = hd_rng_bits(rng, s->cfg.chan_base_w);
  s->favourite = s->next;
  s->chan[s->next].threshold = in->set.threshold;
  s->chan[s->next++].capacity = size;
}

static void drive(void *s_, struct hd_rng *rng, const struct hd_profile *p, const void *out_, const void *now_,
                  void *in_) {
  struct stim *s = s_;
  struct hd_agg_in *in = in_;
  const struct hd_agg_out *out = out_, *now = now_;
  if (!s->began) {
    s->began = 1;
    s->chans = (uint8_t)(hd_rng_p(rng, 60) ? s->cfg.num_chan : 1 + hd_rng_below(rng, s->cfg.num_chan));
    s->levels = (uint8_t)(hd_rng_p(rng, 60) ? 0 : hd_rng_below(rng, 256));
    s->late = hd_rng_p(rng, 128);
    s->skips = hd_rng_p(rng, 80);
  }
  if (s->next && !hd_rng_below(rng, 60)) s->favourite = (uint8_t)hd_rng_below(rng, s->next);
  if (!hd_rng_below(rng, 200)) s->still = hd_rng_p(rng, 90);
  if (!hd_rng_below(rng, 400 + 4u * s->cfg.chan_slots)) s->crowd = hd_rng_p(rng, 60);
  follow(s, in, out);
  if (!s->next || (!s->late && s->next < s->chans)) {
    set_up(s, rng, now, in);
    in->quiet = 1;
    return;
  }
  drive_live(s, rng, p, in);
  drive_pub(s, rng, p, in);
  drive_ends(s, rng, p, out, in);
  drive_yield(s, rng, p, in);
  drive_back(s, rng, now, in);
  set_up(s, rng, now, in);
  if (!hd_rng_below(rng, 20000)) in->failed[hd_rng_below(rng, s->next)] = 1;
}

static const char *const covers[] = {"event",   "begins",    "goes_on", "full",     "partial",      "two_levels",
                                     "yields",  "end_waits", "bad",     "no_spare", "waits_deeper", "wraps",
                                     "no_slot", "set_late",  "beside",  NULL};

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct stim *s = s_;
  const struct hd_agg_in *in = in_;
  const struct hd_agg_out *out = out_;
  unsigned runs = 0;
  for (unsigned k = 0; k < s->cfg.chan_slots; k++) runs += s->runs[k];
  hits[0] += out->go_valid;
  hits[1] += out->go_valid && !out->go.restart;
  hits[2] += out->go_valid && out->go.restart;
  hits[3] += out->go_valid && out->go.count == s->cfg.wave_lanes;
  hits[4] += out->go_valid && out->go.count == 1;
  hits[5] += out->go_valid && s->level > 1;
  hits[6] += out->wait_valid;
  hits[7] += in->yield_valid && memchr(in->end_valid, 1, s->cfg.num_cu);
  hits[8] += out->bad;
  hits[9] += s->waiting + runs + s->cfg.num_chan >= s->cfg.chan_recs; /* approximately */
  hits[10] += out->go_valid && !out->go.restart && s->still;
  hits[11] += out->go_valid && out->go.start + out->go.count > 2 * s->chan[out->go.own].capacity;
  hits[12] += runs == s->cfg.chan_slots || s->cfg.chan_slots > 64; /* too rare */
  hits[13] += in->set_valid && memchr(out->back_busy, 1, s->cfg.num_cu);
  hits[14] += out->go_valid && !out->go.restart && out->go.count < s->chan[out->go.own].threshold && runs > 1;
}

const struct hd_block_driver hd_block_driver_agg = {HD_BLOCK_DRIVER_MODEL_FIELDS(agg), HD_BLOCK_DRIVER_ROWS_FIELDS(agg),
                                                    HD_BLOCK_DRIVER_STIM_FIELDS(struct stim),
                                                    HD_BLOCK_ORACLE_FIELDS(agg)};
