/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Checks that the levels of a graph rule out a deadlock, and creates the channels of an accepted one. */
#include <stdio.h>
#include <stdlib.h>

#include "api/channels_inside.h"

uint32_t hd_chn_find(const struct hd_channels *g, int node, uint32_t level) {
  for (uint32_t c = 0; c < g->chans; c++)
    if (g->chan[c].node == node && g->chan[c].level == level) return c;
  return HD_CHN_NONE;
}

struct hd_chn_name hd_chn_name(const struct hd_channels *g, uint32_t chan) {
  struct hd_chn_name n;
  const struct hd_chn_channel *c = &g->chan[chan];
  const struct hd_chn_node *node = &g->node[c->node];
  if (node->levels == 1)
    snprintf(n.s, sizeof n.s, "%.60s", node->name);
  else
    snprintf(n.s, sizeof n.s, "%.60s[%u]", node->name, (unsigned)c->level);
  return n;
}

/* ---- making ---- */

/* Lists channels by level, then by node. */
static void list(struct hd_channels *g) {
  for (uint32_t level = 0; level < g->cfg.num_chan; level++)
    for (int k = 0; k < g->nodes; k++) {
      const struct hd_chn_node *n = &g->node[k];
      if (!n->is_kernel && level >= n->level && level - n->level < n->levels)
        g->chan[g->chans++] =
            (struct hd_chn_channel){.node = k, .level = level, .first_wait = HD_CHN_NONE, .last_wait = HD_CHN_NONE};
    }
}

/* Returns false if out of memory. */
static bool take(struct hd_channels *g, uint32_t chans) {
  const struct hd_cfg *cfg = &g->cfg;
  g->chan = calloc(chans, sizeof *g->chan);
  g->wave = calloc(cfg->chan_recs, sizeof *g->wave);
  g->lane = calloc((size_t)cfg->chan_recs * cfg->wave_lanes, sizeof *g->lane);
  g->slots = calloc(cfg->num_cu, sizeof *g->slots);
  g->back = calloc(cfg->num_cu, sizeof *g->back);
  if (g->chan == NULL) return false;
  list(g);
  for (uint32_t c = 0; c < g->chans; c++) {
    const struct hd_chn_node *n = &g->node[g->chan[c].node];
    g->chan[c].data = calloc(n->capacity, n->bytes);
    g->chan[c].done = calloc(n->capacity, sizeof *g->chan[c].done);
    g->chan[c].control = calloc(n->capacity, 2 * sizeof *g->chan[c].control);
    if (g->chan[c].data == NULL || g->chan[c].done == NULL || g->chan[c].control == NULL) return false;
  }
  return g->wave != NULL && g->lane != NULL && g->slots != NULL && g->back != NULL;
}

static void make(struct hd_channels *g, uint32_t chans) {
  if (!take(g, chans)) {
    hd_chn_refuse(g, HD_CHANNELS_MEMORY, "out of memory for %u channels", (unsigned)chans);
    return;
  }
  for (uint32_t k = 0; k < g->cfg.chan_recs; k++) g->wave[k].next = k + 1;
  g->free_waves = g->cfg.chan_recs;
  g->running = (struct hd_chn_list){HD_CHN_NONE, HD_CHN_NONE};
  for (uint32_t u = 0; u < g->cfg.num_cu; u++) {
    g->slots[u] = g->cfg.waves_per_cu;
    g->back[u] = HD_CHN_NONE;
  }
}

/* ---- cycles ---- */

/* Returns the destination channel of output k of a channel's kernel, or HD_CHN_NONE. */
static uint32_t leads(const struct hd_channels *g, uint32_t chan, uint32_t k) {
  const struct hd_chn_output *o = &g->node[g->node[g->chan[chan].node].kernel].output[k];
  const uint64_t level = (uint64_t)g->chan[chan].level + o->rise;
  return level < g->cfg.num_chan ? hd_chn_find(g, o->to, (uint32_t)level) : HD_CHN_NONE;
}

static uint32_t outputs(const struct hd_channels *g, uint32_t chan) {
  return g->node[g->node[g->chan[chan].node].kernel].outputs;
}

enum { HD_CHN_MOST = 64 * 64 };

struct walk {
  uint32_t way[HD_CHN_MOST], n;
  uint8_t seen[HD_CHN_MOST]; /* 1: on the current path, 2: no cycle is reachable from it */
};

static void refuse_cycle(struct hd_channels *g, const struct walk *w, uint32_t again) {
  char text[300];
  uint32_t k = 0;
  int n = 0;
  while (w->way[k] != again) k++;
  for (; k < w->n && n < (int)sizeof text - 100; k++)
    n += snprintf(text + n, sizeof text - (size_t)n, "%s -> ", hd_chn_name(g, w->way[k]).s);
  hd_chn_refuse(g, HD_CHANNELS_CYCLE, "a cycle of channels that wait for each other's room: %s%s%s", text,
                k < w->n ? ".. -> " : "", hd_chn_name(g, again).s);
}

/* Depth first, at most as deep as the number of channels. */
static bool cycle_from(struct hd_channels *g, struct walk *w, uint32_t chan) {
  w->seen[chan] = 1;
  w->way[w->n++] = chan;
  for (uint32_t k = 0; k < outputs(g, chan); k++) {
    const uint32_t to = leads(g, chan, k);
    if (to == HD_CHN_NONE || w->seen[to] == 2) continue;
    if (w->seen[to] == 1) {
      refuse_cycle(g, w, to);
      return true;
    }
    if (cycle_from(g, w, to)) return true;
  }
  w->seen[chan] = 2;
  w->n--;
  return false;
}

/* ---- levels and sizes ---- */

static void check_outputs(struct hd_channels *g, uint32_t chan) {
  const struct hd_chn_node *kernel = &g->node[g->node[g->chan[chan].node].kernel];
  for (uint32_t k = 0; k < kernel->outputs; k++) {
    const uint32_t to = leads(g, chan, k);
    if (to == HD_CHN_NONE) continue;
    const struct hd_chn_node *n = &g->node[g->chan[to].node];
    const uint64_t most = (uint64_t)kernel->output[k].fan * g->cfg.wave_lanes;
    if (g->chan[to].level == g->chan[chan].level && (!n->levelized || to <= chan))
      hd_chn_refuse(g, HD_CHANNELS_LEVEL, "%s consumes %s and waits for room in %s, which is neither deeper nor %s",
                    kernel->name, hd_chn_name(g, chan).s, hd_chn_name(g, to).s,
                    n->levelized ? "behind it" : "levelized");
    if (most > n->capacity)
      hd_chn_refuse(g, HD_CHANNELS_SIZE, "%s may put %llu elements into %s at once, which has a capacity of %u",
                    kernel->name, (unsigned long long)most, hd_chn_name(g, to).s, (unsigned)n->capacity);
  }
}

enum hd_channels_code hd_channels_check(struct hd_channels *g) {
  uint32_t chans = 0;
  if (g->chans != 0) return g->code;
  for (int k = 0; k < g->nodes && g->code == HD_CHANNELS_OK; k++) {
    if (g->node[k].is_kernel) continue;
    chans += g->node[k].levels;
    if (g->node[k].kernel < 0) hd_chn_refuse(g, HD_CHANNELS_NODE, "no kernel consumes %s", g->node[k].name);
  }
  if (chans == 0 || chans > g->cfg.num_chan)
    hd_chn_refuse(g, HD_CHANNELS_SIZE, "%u channels, one for each level of each node; 1 to %u would be accepted",
                  (unsigned)chans, (unsigned)g->cfg.num_chan);
  if (g->code == HD_CHANNELS_OK) make(g, chans);
  struct walk w = {.n = 0};
  for (uint32_t c = 0; c < g->chans && g->code == HD_CHANNELS_OK; c++)
    if (w.seen[c] == 0) cycle_from(g, &w, c);
  for (uint32_t c = 0; c < g->chans && g->code == HD_CHANNELS_OK; c++) check_outputs(g, c);
  return g->code;
}
