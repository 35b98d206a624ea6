/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The nodes of a graph, and the operations of kernels on elements. */
#include "api/channels.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/channels_inside.h"

void hd_chn_refuse(struct hd_channels *g, enum hd_channels_code code, const char *fmt, ...) {
  va_list ap;
  if (g->code != HD_CHANNELS_OK) return;
  g->code = code;
  va_start(ap, fmt);
  vsnprintf(g->text, sizeof g->text, fmt, ap);
  va_end(ap);
}

struct hd_channels *hd_channels_new(const struct hd_cfg *cfg) {
  struct hd_channels *g = calloc(1, sizeof *g);
  if (g == NULL) return NULL;
  g->cfg = *cfg;
  g->host = (struct hd_channels_wave){.g = g, .own = HD_CHN_NONE, .wants = HD_CHN_NONE};
  return g;
}

void hd_channels_free(struct hd_channels *g) {
  if (g == NULL) return;
  for (uint32_t c = 0; c < g->chans; c++) {
    free(g->chan[c].data);
    free(g->chan[c].done);
    free(g->chan[c].control);
  }
  free(g->chan);
  free(g->wave);
  free(g->lane);
  free(g->slots);
  free(g->back);
  free(g);
}

enum hd_channels_code hd_channels_code(const struct hd_channels *g) {
  return g->code;
}

const char *hd_channels_text(const struct hd_channels *g) {
  return g->text;
}

struct hd_channels_counts hd_channels_counts(const struct hd_channels *g, int node) {
  if (node == -1) return g->counts;
  return node >= 0 && node < g->nodes ? g->node[node].counts : (struct hd_channels_counts){0};
}

/* ---- nodes ---- */

/* Returns a new node for the caller to fill in; NULL after an error. */
static struct hd_chn_node *add(struct hd_channels *g, const char *name) {
  if (g->code != HD_CHANNELS_OK) return NULL;
  if (g->nodes == HD_CHANNELS_NODES || g->chans != 0) {
    hd_chn_refuse(
        g, HD_CHANNELS_NODE, "%s: %s", name,
        g->chans != 0 ? "the graph was already checked; no node can be added" : "a graph has at most 64 nodes");
    return NULL;
  }
  struct hd_chn_node *n = &g->node[g->nodes++];
  n->name = name;
  n->kernel = n->from = -1;
  return n;
}

static bool power_of_two(uint32_t n) {
  return n != 0 && (n & (n - 1)) == 0;
}

int hd_channels_stack(struct hd_channels *g, const char *name, uint32_t bytes, uint32_t capacity, uint32_t level,
                      uint32_t levels, bool levelized) {
  const uint32_t least = g->cfg.done_grain, most = UINT32_C(1) << g->cfg.chan_cap, chans = g->cfg.num_chan;
  if (bytes == 0) hd_chn_refuse(g, HD_CHANNELS_SIZE, "%s: an element has no bytes", name);
  if (!power_of_two(capacity) || capacity < least || capacity > most)
    hd_chn_refuse(g, HD_CHANNELS_SIZE, "%s: a capacity of %u; a power of two from %u to %u would be accepted", name,
                  (unsigned)capacity, (unsigned)least, (unsigned)most);
  if (levels == 0 || level >= chans || levels > chans - level)
    hd_chn_refuse(g, HD_CHANNELS_SIZE, "%s: %u levels from %u on; one or more, below %u, would be accepted", name,
                  (unsigned)levels, (unsigned)level, (unsigned)chans);
  struct hd_chn_node *n = add(g, name);
  if (n == NULL) return -1;
  n->bytes = bytes;
  n->capacity = capacity;
  n->level = level;
  n->levels = levels;
  n->levelized = levelized;
  return g->nodes - 1;
}

int hd_channels_channel(struct hd_channels *g, const char *name, uint32_t bytes, uint32_t capacity, uint32_t level,
                        bool levelized) {
  return hd_channels_stack(g, name, bytes, capacity, level, 1, levelized);
}

static bool is(const struct hd_channels *g, int node, bool is_kernel) {
  return node >= 0 && node < g->nodes && g->node[node].is_kernel == is_kernel;
}

int hd_channels_kernel(struct hd_channels *g, const char *name, int from, hd_channels_function *function, void *ctx) {
  if (g->code == HD_CHANNELS_OK && (!is(g, from, false) || g->node[from].kernel >= 0))
    hd_chn_refuse(g, HD_CHANNELS_NODE, "%s: its input is %s", name,
                  is(g, from, false) ? "another kernel's" : "not a channel");
  if (function == NULL) hd_chn_refuse(g, HD_CHANNELS_NODE, "%s: a kernel without a function", name);
  struct hd_chn_node *n = add(g, name);
  if (n == NULL) return -1;
  n->is_kernel = true;
  n->from = from;
  n->function = function;
  n->ctx = ctx;
  g->node[from].kernel = g->nodes - 1;
  return g->nodes - 1;
}

void hd_channels_output(struct hd_channels *g, int kernel, int to, uint32_t rise, uint32_t fan) {
  if (g->code != HD_CHANNELS_OK) return;
  if (!is(g, kernel, true) || !is(g, to, false) || g->chans != 0) {
    hd_chn_refuse(g, HD_CHANNELS_NODE, "output: not a kernel, not a channel, or the graph was already checked");
    return;
  }
  struct hd_chn_node *n = &g->node[kernel];
  if (n->outputs == HD_CHANNELS_OUTPUTS || fan == 0 || fan > g->node[to].capacity) {
    hd_chn_refuse(g, HD_CHANNELS_SIZE,
                  "%s: up to %u elements of %s per element, as output %u; 1 to the capacity of %u, and 4 outputs, "
                  "would be accepted",
                  n->name, (unsigned)fan, g->node[to].name, (unsigned)n->outputs + 1, (unsigned)g->node[to].capacity);
    return;
  }
  n->output[n->outputs++] = (struct hd_chn_output){to, rise, fan};
}

/* ---- a channel's elements ---- */

/* Frees whole grains whose elements are all done. */
static void release(struct hd_channels *g, struct hd_chn_channel *c) {
  const uint32_t mask = g->node[c->node].capacity - 1, grain = g->cfg.done_grain;
  while (c->tail - c->head >= grain) {
    uint32_t k = 0;
    while (k < grain && c->done[(c->head + k) & mask]) k++;
    if (k < grain) return;
    for (k = 0; k < grain; k++) c->done[(c->head + k) & mask] = false;
    c->head += grain;
  }
}

/* A grant that would cross the end of the array starts at place 0; the skipped places are done at once. */
bool hd_chn_grant(struct hd_channels *g, struct hd_channels_wave *w, uint32_t chan, uint32_t n) {
  struct hd_chn_channel *c = &g->chan[chan];
  const uint32_t capacity = g->node[c->node].capacity, o = (uint32_t)(c->tail & (capacity - 1));
  if (g->driven) return false;
  if (o + n > capacity) {
    if (c->tail - c->head > o) return false;
    for (uint32_t k = o; k < capacity; k++) c->done[k] = true;
    c->tail += capacity - o;
    release(g, c);
  }
  if (c->tail - c->head + n > capacity) return false;
  w->grant[w->granted++] = (struct hd_chn_grant){chan, n, c->tail & (capacity - 1), false, 0};
  c->tail += n;
  c->live += n;
  return true;
}

/* ---- what a kernel does ---- */

static const char *who(const struct hd_channels_wave *w) {
  const struct hd_channels *g = w->g;
  return w->own == HD_CHN_NONE ? "the host" : g->node[g->node[g->chan[w->own].node].kernel].name;
}

uint32_t hd_channels_lanes(const struct hd_channels_wave *w) {
  return w->count;
}

uint32_t hd_channels_level(const struct hd_channels_wave *w) {
  return w->own == HD_CHN_NONE ? 0 : w->g->chan[w->own].level;
}

uint32_t hd_chn_place(const struct hd_channels_wave *w, uint32_t k) {
  const struct hd_chn_channel *c = &w->g->chan[w->own];
  return c->control[(w->start + k) & (2 * w->g->node[c->node].capacity - 1)];
}

/* Returns true for the host and for the wavefront whose kernel runs; records an error for others. */
static bool is_live(const struct hd_channels_wave *w, const char *what) {
  if (w->own == HD_CHN_NONE || w == w->g->called) return true;
  hd_chn_refuse(w->g, HD_CHANNELS_MISUSE, "%s: %s for a wavefront whose kernel does not run", who(w), what);
  return false;
}

void *hd_channels_deq(struct hd_channels_wave *w, uint32_t k) {
  if (!is_live(w, "a deq")) return NULL;
  if (k >= w->count || w->lane_freed[k]) {
    hd_chn_refuse(w->g, HD_CHANNELS_MISUSE, "%s: deq of element %u, which it does not have", who(w), (unsigned)k);
    return NULL;
  }
  const struct hd_chn_channel *c = &w->g->chan[w->own];
  return c->data + (size_t)hd_chn_place(w, k) * w->g->node[c->node].bytes;
}

static void *elements(const struct hd_channels *g, const struct hd_chn_grant *grant) {
  const struct hd_chn_channel *c = &g->chan[grant->chan];
  return c->data + (size_t)grant->place * g->node[c->node].bytes;
}

/* Returns what is wrong with such a talloc; NULL if nothing is. */
static const char *wrong(const struct hd_channels_wave *w, uint32_t chan, uint32_t n) {
  const struct hd_chn_grant *last = &w->grant[w->asked > 0 ? w->asked - 1 : 0];
  if (chan == HD_CHN_NONE) return "no such channel";
  if (n == 0) return "1 or more would be accepted";
  if (w->wants != HD_CHN_NONE) return "it must return after a talloc without room";
  if (w->freed != 0) return "it has already freed elements";
  for (uint32_t k = 0; k < w->granted; k++)
    if (w->grant[k].enqueued && w->own != HD_CHN_NONE) return "it has already enqueued elements";
  if (w->asked < w->granted)
    return w->grant[w->asked].chan == chan && w->grant[w->asked].n == n ? NULL
                                                                        : "it differs from the talloc before the yield";
  if (w->asked > 0 && w->g->chan[last->chan].level >= w->g->chan[chan].level)
    return "a wavefront allocates from shallow levels to deep ones, once per level";
  return w->asked == HD_CHANNELS_GRANTS ? "it already has four allocations" : NULL;
}

/* Returns whether the graph declares that the wavefront may add n elements there. */
static bool declared(const struct hd_channels_wave *w, uint32_t chan, uint32_t n) {
  const struct hd_channels *g = w->g;
  if (w->own == HD_CHN_NONE) return true;
  const struct hd_chn_channel *from = &g->chan[w->own], *to = &g->chan[chan];
  const struct hd_chn_node *kernel = &g->node[g->node[from->node].kernel];
  for (uint32_t k = 0; k < kernel->outputs; k++)
    if (kernel->output[k].to == to->node && (uint64_t)from->level + kernel->output[k].rise == to->level)
      return n <= (uint64_t)w->count * kernel->output[k].fan;
  return false;
}

void *hd_channels_talloc(struct hd_channels_wave *w, int node, uint32_t level, uint32_t n) {
  struct hd_channels *g = w->g;
  if (g->code != HD_CHANNELS_OK || !is_live(w, "a talloc")) return NULL;
  if (w->own == HD_CHN_NONE) w->granted = w->asked = 0;
  const uint32_t chan = hd_chn_find(g, node, level);
  const char *why = wrong(w, chan, n);
  if (why == NULL && !declared(w, chan, n)) why = "the graph declares no such output";
  if (why != NULL) {
    hd_chn_refuse(g, HD_CHANNELS_MISUSE, "%s: talloc of %u elements of level %u: %s", who(w), (unsigned)n,
                  (unsigned)level, why);
    return NULL;
  }
  if (w->asked == w->granted && !hd_chn_grant(g, w, chan, n)) {
    w->wants = chan;
    w->wants_n = n;
    if (w->own == HD_CHN_NONE)
      hd_chn_refuse(g, HD_CHANNELS_SIZE, "the host: %s has no room for %u elements", hd_chn_name(g, chan).s,
                    (unsigned)n);
    return NULL;
  }
  return elements(g, &w->grant[w->asked++]);
}

void hd_channels_enq(struct hd_channels_wave *w, void *p) {
  struct hd_channels *g = w->g;
  if (g->code != HD_CHANNELS_OK || !is_live(w, "an enq")) return;
  uint32_t k = 0;
  while (k < w->asked && (w->grant[k].enqueued || elements(g, &w->grant[k]) != p)) k++;
  if (k == w->asked) {
    hd_chn_refuse(g, HD_CHANNELS_MISUSE, "%s: enq of elements that it has not allocated, or has already enqueued",
                  who(w));
    return;
  }
  struct hd_chn_grant *grant = &w->grant[k];
  struct hd_chn_channel *c = &g->chan[grant->chan];
  const uint32_t mask = 2 * g->node[c->node].capacity - 1;
  for (uint32_t e = 0; e < grant->n && !g->driven; e++) c->control[c->published++ & mask] = (uint32_t)grant->place + e;
  grant->enqueued = true;
  grant->turn = w->turns++;
}

void hd_channels_tfree(struct hd_channels_wave *w, uint32_t k) {
  struct hd_channels *g = w->g;
  if (g->code != HD_CHANNELS_OK || !is_live(w, "a tfree")) return;
  if (k >= w->count || w->lane_freed[k]) {
    hd_chn_refuse(g, HD_CHANNELS_MISUSE, "%s: tfree of element %u, which it does not have", who(w), (unsigned)k);
    return;
  }
  struct hd_chn_channel *c = &g->chan[w->own];
  w->lane_freed[k] = true;
  w->freed++;
  if (g->driven) return;
  c->done[hd_chn_place(w, k)] = true;
  c->live--;
  release(g, c);
}
