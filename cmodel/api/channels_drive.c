/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Wavefronts whose places, room and order come from outside; and the end of each. */
#include <string.h>

#include "api/channels_inside.h"

void hd_chn_drive(struct hd_channels *g) {
  if (hd_channels_check(g) == HD_CHANNELS_OK) g->driven = true;
}

uint32_t hd_chn_begin(struct hd_channels *g, uint32_t chan, uint32_t start, uint32_t count, const uint16_t *place) {
  const uint32_t lanes = g->cfg.wave_lanes, k = g->free_wave;
  struct hd_chn_channel *c = &g->chan[chan];
  const uint32_t mask = 2 * g->node[c->node].capacity - 1;
  if (g->free_waves == 0) return HD_CHN_NONE;
  g->free_wave = g->wave[k].next;
  g->free_waves--;
  for (uint32_t e = 0; e < count; e++) c->control[(start + e) & mask] = place[e];
  bool *freed = g->lane + (size_t)k * lanes;
  memset(freed, 0, lanes * sizeof *freed);
  g->wave[k] = (struct hd_channels_wave){
      .g = g, .own = chan, .count = count, .start = start, .wants = HD_CHN_NONE, .lane_freed = freed};
  hd_chn_count(g, chan, count);
  return k;
}

void hd_chn_run(struct hd_channels *g, struct hd_channels_wave *w) {
  const struct hd_chn_node *kernel = &g->node[g->node[g->chan[w->own].node].kernel];
  const struct hd_channels_wave *before = g->called; /* for a kernel that executes its own graph */
  w->asked = 0;
  g->called = w;
  kernel->function(w, kernel->ctx);
  g->called = before;
}

bool hd_chn_call(struct hd_channels *g, uint32_t record) {
  struct hd_channels_wave *w = &g->wave[record];
  hd_chn_run(g, w);
  return g->code == HD_CHANNELS_OK && w->wants == HD_CHN_NONE && hd_chn_over(g, record);
}

void hd_chn_deliver(struct hd_channels *g, uint32_t record, uint32_t place) {
  struct hd_channels_wave *w = &g->wave[record];
  w->grant[w->granted++] = (struct hd_chn_grant){w->wants, w->wants_n, place, false, 0};
  w->wants = HD_CHN_NONE;
}

bool hd_chn_over(struct hd_channels *g, uint32_t record) {
  const struct hd_channels_wave *w = &g->wave[record];
  const char *name = g->node[g->node[g->chan[w->own].node].kernel].name;
  if (w->freed != w->count)
    hd_chn_refuse(g, HD_CHANNELS_MISUSE, "%s: it ended with %u elements that it has not freed", name,
                  (unsigned)(w->count - w->freed));
  for (uint32_t e = 0; e < w->granted; e++)
    if (!w->grant[e].enqueued)
      hd_chn_refuse(g, HD_CHANNELS_MISUSE, "%s: it ended with elements of %s that it has not enqueued", name,
                    hd_chn_name(g, w->grant[e].chan).s);
  return g->code == HD_CHANNELS_OK;
}

void hd_chn_end(struct hd_channels *g, uint32_t record) {
  g->wave[record].next = g->free_wave;
  g->free_wave = record;
  g->free_waves++;
}
