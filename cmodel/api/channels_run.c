/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Dispatch of wavefronts: docs/channel/agg.md and yrec.md without timing. */
#include <string.h>

#include "api/channels_inside.h"

/* ---- lists of records ---- */

static void append(struct hd_channels *g, uint32_t *first, uint32_t *last, uint32_t wave) {
  g->wave[wave].next = HD_CHN_NONE;
  if (*first == HD_CHN_NONE)
    *first = wave;
  else
    g->wave[*last].next = wave;
  *last = wave;
}

static uint32_t take(struct hd_channels *g, uint32_t *first) {
  const uint32_t wave = *first;
  *first = g->wave[wave].next;
  return wave;
}

/* ---- waiting wavefronts ---- */

/* Grants room to the first wavefront waiting for each channel, unless an earlier one of its CU still waits for a
 * slot. */
static void give_room(struct hd_channels *g) {
  for (uint32_t c = 0; c < g->chans; c++)
    while (g->chan[c].first_wait != HD_CHN_NONE) {
      struct hd_channels_wave *w = &g->wave[g->chan[c].first_wait];
      if (g->back[w->cu] != HD_CHN_NONE || !hd_chn_grant(g, w, c, w->wants_n)) break;
      w->wants = HD_CHN_NONE;
      g->chan[w->own].active++;
      g->back[w->cu] = take(g, &g->chan[c].first_wait);
    }
}

/* ---- choice of a wavefront ---- */

static uint64_t ready(const struct hd_chn_channel *c) {
  return c->published - c->sent;
}

static uint32_t threshold(const struct hd_channels *g, const struct hd_chn_channel *c) {
  const uint32_t capacity = g->node[c->node].capacity;
  return capacity < g->cfg.wave_lanes ? capacity : g->cfg.wave_lanes;
}

/* Returns true if the channel is levelized and a deeper level has elements. */
static bool waits(const struct hd_channels *g, const struct hd_chn_channel *c) {
  if (!g->node[c->node].levelized) return false;
  for (uint32_t d = 0; d < g->chans; d++)
    if (g->chan[d].level > c->level && (g->chan[d].live != 0 || g->chan[d].alive != 0)) return true;
  return false;
}

/* Returns true if a record remains for each channel after it. */
static bool spare(const struct hd_channels *g, const struct hd_chn_channel *c) {
  return g->free_waves > g->chans - 1 - (uint32_t)(c - g->chan);
}

static bool any_slot(const struct hd_channels *g) {
  for (uint32_t u = 0; u < g->cfg.num_cu; u++)
    if (g->slots[u] != 0) return true;
  return false;
}

/* Returns true if wavefronts of channel d may add elements to channel c: a deeper one, or a levelized one after d. */
static bool feeds(const struct hd_channels *g, uint32_t d, uint32_t c) {
  if (g->chan[d].level != g->chan[c].level) return g->chan[d].level < g->chan[c].level;
  return g->node[g->chan[c].node].levelized && d < c;
}

/* Returns true if a wavefront of it is active, or can begin. */
static bool produces(const struct hd_channels *g, const struct hd_chn_channel *c) {
  return c->active > 0 || (ready(c) > 0 && !waits(g, c) && spare(g, c));
}

/* Returns true if a full wavefront is ready, or any element that no producer can add to. */
static bool enough(const struct hd_channels *g, uint32_t c) {
  const struct hd_chn_channel *chan = &g->chan[c];
  if (ready(chan) == 0 || ready(chan) >= threshold(g, chan)) return ready(chan) > 0;
  for (uint32_t d = 0; d < c; d++)
    if (feeds(g, d, c) && produces(g, &g->chan[d])) return false;
  return true;
}

/* Returns the channel to dispatch from: deepest level first, then round robin; HD_CHN_NONE if there is none. */
static uint32_t choose_chan(const struct hd_channels *g) {
  uint32_t best = HD_CHN_NONE;
  if (!any_slot(g)) return best;
  for (uint32_t k = 0; k < g->chans; k++) {
    const uint32_t c = (g->next_chan + k) % g->chans;
    const struct hd_chn_channel *chan = &g->chan[c];
    if (!enough(g, c) || waits(g, chan) || !spare(g, chan)) continue;
    if (best == HD_CHN_NONE || chan->level > g->chan[best].level) best = c;
  }
  return best;
}

/* Returns the CU whose restart goes, chosen in the same way. */
static uint32_t choose_back(const struct hd_channels *g) {
  uint32_t best = HD_CHN_NONE, level = 0;
  for (uint32_t k = 0; k < g->cfg.num_cu; k++) {
    const uint32_t u = (g->next_back + k) % g->cfg.num_cu;
    if (g->back[u] == HD_CHN_NONE || g->slots[u] == 0) continue;
    const uint32_t own = g->chan[g->wave[g->back[u]].own].level;
    if (best != HD_CHN_NONE && own <= level) continue;
    best = u;
    level = own;
  }
  return best;
}

static void go_back(struct hd_channels *g, uint32_t u) {
  g->next_back = (u + 1) % g->cfg.num_cu;
  g->slots[u]--;
  append(g, &g->running.first, &g->running.last, g->back[u]);
  g->back[u] = HD_CHN_NONE;
}

static void count(struct hd_channels_counts *n, uint32_t elements, bool partial) {
  n->elements += elements;
  n->wavefronts++;
  n->partial += partial;
}

void hd_chn_count(struct hd_channels *g, uint32_t chan, uint32_t elements) {
  struct hd_chn_node *n = &g->node[g->chan[chan].node];
  const bool partial = elements < g->cfg.wave_lanes;
  count(&g->counts, elements, partial);
  count(&n->counts, elements, partial);
  count(&g->node[n->kernel].counts, elements, partial);
}

static void go_new(struct hd_channels *g, uint32_t chan) {
  struct hd_chn_channel *c = &g->chan[chan];
  const uint32_t lanes = g->cfg.wave_lanes, k = take(g, &g->free_wave);
  const uint32_t n = ready(c) < lanes ? (uint32_t)ready(c) : lanes;
  uint32_t u = g->next_cu;
  while (g->slots[u] == 0) u = (u + 1) % g->cfg.num_cu;
  g->next_cu = (u + 1) % g->cfg.num_cu;
  g->next_chan = (chan + 1) % g->chans;
  g->slots[u]--;
  g->free_waves--;
  g->wave[k] = (struct hd_channels_wave){.g = g,
                                         .own = chan,
                                         .count = n,
                                         .start = c->sent,
                                         .cu = u,
                                         .wants = HD_CHN_NONE,
                                         .lane_freed = g->lane + (size_t)k * lanes};
  memset(g->wave[k].lane_freed, 0, lanes * sizeof *g->lane);
  c->sent += n;
  c->alive++;
  c->active++;
  append(g, &g->running.first, &g->running.last, k);
  hd_chn_count(g, chan, n);
}

/* Dispatches one wavefront. Returns false if none can go. */
static bool go(struct hd_channels *g) {
  give_room(g);
  const uint32_t u = choose_back(g), c = choose_chan(g);
  if (u != HD_CHN_NONE && (c == HD_CHN_NONE || g->chan[g->wave[g->back[u]].own].level >= g->chan[c].level)) {
    go_back(g, u);
    return true;
  }
  if (c == HD_CHN_NONE) return false;
  go_new(g, c);
  return true;
}

/* ---- running wavefronts ---- */

void hd_chn_count_yield(struct hd_channels *g, uint32_t record) {
  struct hd_chn_node *n = &g->node[g->chan[g->wave[record].own].node];
  g->counts.yields++;
  n->counts.yields++;
  g->node[n->kernel].counts.yields++;
}

static void yields(struct hd_channels *g, uint32_t k) {
  const struct hd_channels_wave *w = &g->wave[k];
  append(g, &g->chan[w->wants].first_wait, &g->chan[w->wants].last_wait, k);
  hd_chn_count_yield(g, k);
}

static void ends(struct hd_channels *g, uint32_t k) {
  if (!hd_chn_over(g, k)) return;
  g->chan[g->wave[k].own].alive--;
  hd_chn_end(g, k);
}

/* Runs the wavefront that was dispatched first, until it ends or yields. */
static void run(struct hd_channels *g) {
  const uint32_t k = take(g, &g->running.first);
  struct hd_channels_wave *w = &g->wave[k];
  hd_chn_run(g, w);
  g->slots[w->cu]++;
  g->chan[w->own].active--;
  if (g->code != HD_CHANNELS_OK) return;
  if (w->wants != HD_CHN_NONE)
    yields(g, k);
  else
    ends(g, k);
}

struct hd_channels_wave *hd_channels_host(struct hd_channels *g) {
  hd_channels_check(g);
  return &g->host;
}

static bool all_empty(const struct hd_channels *g) {
  for (uint32_t c = 0; c < g->chans; c++)
    if (g->chan[c].live != 0 || g->chan[c].alive != 0) return false;
  return true;
}

enum hd_channels_code hd_channels_execute(struct hd_channels *g) {
  hd_channels_check(g);
  while (g->code == HD_CHANNELS_OK) {
    if (go(g)) continue;
    if (g->running.first == HD_CHN_NONE) break;
    run(g);
  }
  if (g->code == HD_CHANNELS_OK && !all_empty(g)) hd_chn_refuse(g, HD_CHANNELS_STUCK, "no wavefront can run");
  return g->code;
}
