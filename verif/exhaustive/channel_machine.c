/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "exhaustive/channel_machine.h"

#include <stdarg.h>
#include <string.h>

#include "exhaustive/channel_ring.h"

enum phase { IDLE, RUNS, YIELDED, GRANTED };
enum step { WANT_FIRST, WANT_SECOND, ENQUEUE, FINISH };

struct wave {
  uint8_t phase, chan, cu, step; /* chan: the channel that it consumes from */
  uint8_t children;
  uint8_t turn; /* 1 for the waiting wavefront that yielded first */
};

struct state {
  uint8_t host, budget; /* remaining tasks of the host; children still allowed plus 1, 0: any number */
  struct ring ring[CHANS];
  struct wave wave[WAVES];
};

/* A step of the machine: its next state, its name, and where to put it. */
struct move {
  const struct graph *g;
  struct state s;
  struct search_moves *to;
};

static void add(const struct move *v, const char *format, ...) {
  char label[SEARCH_LABEL];
  va_list args;
  va_start(args, format);
  vsnprintf(label, sizeof label, format, args);
  va_end(args);
  search_add(v->to, sizeof v->s, &v->s, label);
}

/* ---- wavefronts ---- */

/* Returns the channel in which a wavefront requests room in this step, and how much; 0: in none. */
static unsigned wants(const struct graph *g, const struct wave *w, unsigned *chan) {
  const bool continuation = (w->step == WANT_FIRST) == (g->literal != CHILDREN_FIRST);
  *chan = continuation ? g->chan[w->chan].after : g->chan[w->chan].child;
  if (w->step > WANT_SECOND || *chan == NO_CHANNEL || w->children == 0) return 0;
  return continuation ? 1 : w->children;
}

/* Steps without a request take no time. */
static void settle(const struct graph *g, struct wave *w) {
  unsigned chan;
  while (w->step <= WANT_SECOND && !wants(g, w, &chan)) w->step++;
  if (w->step == ENQUEUE && !w->children) w->step = FINISH;
}

/* Number of waiting wavefronts. */
static uint8_t waiting(const struct state *s) {
  uint8_t n = 0;
  for (unsigned i = 0; i < WAVES; i++) n += s->wave[i].phase == YIELDED;
  return n;
}

static void run(struct move v, unsigned i) {
  struct wave *w = &v.s.wave[i];
  unsigned chan;
  const unsigned n = wants(v.g, w, &chan);
  if (w->step == ENQUEUE) {
    for (unsigned c = 0; c < v.g->chans; c++) ring_enqueue(v.g, &v.s.ring[c], i);
    w->step++;
    add(&v, "%u enqueues", i);
  } else if (w->step == FINISH) {
    ring_finish(v.g, &v.s.ring[w->chan], i);
    *w = (struct wave){0};
    add(&v, "%u frees what it took and ends", i);
  } else if (ring_fits(v.g, &v.s.ring[chan], n)) {
    ring_reserve(v.g, &v.s.ring[chan], n, i);
    w->step++;
    settle(v.g, w);
    add(&v, "%u reserves %u of channel %u", i, n, chan);
  } else {
    if (ring_skips(v.g, &v.s.ring[chan], n)) ring_skip(v.g, &v.s.ring[chan], n);
    w->phase = YIELDED;
    w->turn = waiting(&v.s);
    add(&v, "%u yields: wants %u of channel %u", i, n, chan);
  }
}

/* ---- the aggregator's knowledge ---- */

static unsigned running(const struct state *s, unsigned cu) {
  unsigned n = 0;
  for (unsigned i = 0; i < WAVES; i++) n += s->wave[i].phase == RUNS && s->wave[i].cu == cu;
  return n;
}

/* It is the first that yielded among those that wait for room in the same channel. */
static bool is_first(const struct graph *g, const struct state *s, unsigned i) {
  unsigned chan, other;
  wants(g, &s->wave[i], &chan);
  for (unsigned j = 0; j < WAVES; j++) {
    if (s->wave[j].phase != YIELDED || s->wave[j].turn >= s->wave[i].turn) continue;
    wants(g, &s->wave[j], &other);
    if (other == chan) return false;
  }
  return true;
}

/* A wavefront with granted room waits for a slot of the CU. */
static bool busy(const struct state *s, unsigned cu) {
  bool any = false;
  for (unsigned i = 0; i < WAVES; i++) any |= s->wave[i].phase == GRANTED && s->wave[i].cu == cu;
  return any;
}

static bool grantable(const struct graph *g, const struct state *s, unsigned i) {
  unsigned chan;
  const unsigned n = wants(g, &s->wave[i], &chan);
  if (s->wave[i].phase != YIELDED || !is_first(g, s, i) || busy(s, s->wave[i].cu)) return false;
  return g->literal == YIELD_WITHOUT_N ? s->ring[chan].used < g->capacity : ring_fits(g, &s->ring[chan], n);
}

static bool level_empty(const struct graph *g, const struct state *s, unsigned level) {
  for (unsigned c = 0; c < g->chans; c++)
    if (g->chan[c].level == level && !ring_is_empty(g, &s->ring[c])) return false;
  for (unsigned i = 0; i < WAVES; i++)
    if (s->wave[i].phase != IDLE && g->chan[s->wave[i].chan].level == level) return false;
  return true;
}

static unsigned deepest(const struct graph *g) {
  unsigned most = 0;
  for (unsigned c = 0; c < g->chans; c++)
    if (g->chan[c].level > most) most = g->chan[c].level;
  return most;
}

/* A continuation waits until every deeper level is empty. */
static bool waits(const struct graph *g, const struct state *s, unsigned chan) {
  bool empty = true;
  for (unsigned l = g->chan[chan].level + 1u; l <= deepest(g); l++) empty &= level_empty(g, s, l);
  return g->chan[chan].continuation && !empty;
}

/* Something upstream of the channel may still add to it, by one reading of the rule: a wavefront that consumes from a
 * channel which feeds it, or an element there. */
static bool upstream(const struct graph *g, const struct state *s, unsigned chan) {
  for (unsigned c = 0; c < g->chans; c++) {
    const bool feeds = g->chan[c].child == chan || g->chan[c].after == chan;
    if (feeds && !ring_is_empty(g, &s->ring[c])) return true;
  }
  return false;
}

/* Channels are numbered by level; within a level the continuations are last. */
static bool is_behind(const struct graph *g, unsigned d, unsigned chan) {
  const struct graph_channel *a = &g->chan[d], *b = &g->chan[chan];
  if (a->level != b->level) return a->level > b->level;
  return a->continuation != b->continuation ? a->continuation : d > chan;
}

/* A record is free for it, and one for each channel behind it. */
static bool recorded(const struct graph *g, const struct state *s, unsigned chan) {
  unsigned n = g->records, behind = 0;
  for (unsigned i = 0; i < WAVES; i++) n -= s->wave[i].phase != IDLE;
  for (unsigned d = 0; d < g->chans; d++) behind += is_behind(g, d, chan);
  if (g->literal == POOL_BLIND) behind = 0;
  if (g->literal == POOL_LEVELS) behind = deepest(g) - g->chan[chan].level;
  return n > behind;
}

/* Wavefronts of channel d may put elements into the channel: it is deeper, or a continuation behind d. */
static bool feeds(const struct graph *g, unsigned d, unsigned chan) {
  if (g->chan[d].level != g->chan[chan].level) return g->chan[d].level < g->chan[chan].level;
  return g->chan[chan].continuation && is_behind(g, chan, d);
}

/* A wavefront of channel d runs, may resume, or can begin. */
static bool produces(const struct graph *g, const struct state *s, unsigned d) {
  for (unsigned i = 0; i < WAVES; i++) {
    const struct wave *w = &s->wave[i];
    if (w->chan == d && (w->phase == RUNS || w->phase == GRANTED)) return true;
  }
  if (g->literal == PREDICATE_HOLDS && s->ring[d].ready >= g->lanes) return true;
  return s->ring[d].ready && !waits(g, s, d) && recorded(g, s, d);
}

/* Less than a full wavefront of it may go: no wavefront can be granted room, and no producer can add to it. */
static bool partial(const struct graph *g, const struct state *s, unsigned chan) {
  bool adds = false;
  if (g->literal == PARTIAL_WAITS) return !upstream(g, s, chan);
  for (unsigned i = 0; i < WAVES; i++) adds |= grantable(g, s, i);
  for (unsigned d = 0; d < g->chans; d++) adds |= feeds(g, d, chan) && produces(g, s, d);
  return !adds;
}

static bool ready(const struct graph *g, const struct state *s, unsigned chan) {
  if (!s->ring[chan].ready || waits(g, s, chan)) return false;
  return s->ring[chan].ready >= g->lanes || partial(g, s, chan);
}

/* ---- the aggregator's work for a CU with a free slot ---- */

/* Twice the level, plus 1 for a restart: the greatest goes. */
static unsigned key_of_restart(const struct graph *g, const struct state *s, unsigned i) {
  return 2u * g->chan[s->wave[i].chan].level + 1;
}

static int best_key(const struct graph *g, const struct state *s, unsigned cu) {
  int best = -1;
  for (unsigned i = 0; i < WAVES; i++)
    if (s->wave[i].phase == GRANTED && s->wave[i].cu == cu && (int)key_of_restart(g, s, i) > best)
      best = (int)key_of_restart(g, s, i);
  for (unsigned c = 0; c < g->chans; c++)
    if (ready(g, s, c) && recorded(g, s, c) && 2 * g->chan[c].level > best) best = 2 * g->chan[c].level;
  return best;
}

/* A waiting wavefront is granted room before it has a slot. */
static void grant(struct move v, unsigned i) {
  struct wave *w = &v.s.wave[i];
  unsigned chan;
  const unsigned n = wants(v.g, w, &chan);
  if (!grantable(v.g, &v.s, i)) return;
  w->phase = GRANTED;
  for (unsigned j = 0; j < WAVES; j++) v.s.wave[j].turn -= v.s.wave[j].phase == YIELDED && v.s.wave[j].turn > w->turn;
  w->turn = 0;
  if (v.g->literal != YIELD_WITHOUT_N) {
    ring_reserve(v.g, &v.s.ring[chan], n, i);
    w->step++;
    settle(v.g, w);
  }
  add(&v, "%u is given %u of channel %u", i, n, chan);
}

static void restart(struct move v, unsigned i) {
  v.s.wave[i].phase = RUNS;
  add(&v, "%u restarts", i);
}

/* A restart that does not fit yet requests all the same, so that the skip is made. */
static void ask(struct move v, unsigned i) {
  unsigned chan;
  const unsigned n = wants(v.g, &v.s.wave[i], &chan);
  if (v.s.wave[i].phase != YIELDED || !is_first(v.g, &v.s, i) || v.g->literal == ASKS_ONCE ||
      !ring_skips(v.g, &v.s.ring[chan], n))
    return;
  ring_skip(v.g, &v.s.ring[chan], n);
  add(&v, "%u asks for %u of channel %u: a skip", i, n, chan);
}

/* The wavefront may have any number of children. */
static void dispatch(struct move v, unsigned chan, unsigned cu) {
  const struct state was = v.s;
  const unsigned lanes = was.ring[chan].ready < v.g->lanes ? was.ring[chan].ready : v.g->lanes;
  unsigned most = v.g->chan[chan].child == NO_CHANNEL ? 0 : lanes * v.g->fan, i = 0;
  if (most > v.g->capacity) most = v.g->capacity;
  if (was.budget && most > was.budget - 1u) most = was.budget - 1u;
  while (was.wave[i].phase != IDLE) i++;
  for (unsigned m = 0; m <= most; m++) {
    v.s = was;
    ring_take(&v.s.ring[chan], lanes, i);
    if (was.budget) v.s.budget = (uint8_t)(was.budget - m);
    v.s.wave[i] = (struct wave){.phase = RUNS, .chan = (uint8_t)chan, .cu = (uint8_t)cu, .children = (uint8_t)m};
    settle(v.g, &v.s.wave[i]);
    add(&v, "%u takes %u of channel %u, has %u children", i, lanes, chan, m);
  }
}

/* Actions of an aggregator that does not yet know of new elements or of producers. */
static void early(const struct move *v, unsigned cu) {
  const struct state *s = &v->s;
  for (unsigned c = 0; c < v->g->chans; c++)
    if (s->ring[c].ready && !waits(v->g, s, c) && recorded(v->g, s, c)) dispatch(*v, c, cu);
}

static void aggregate(const struct move *v, unsigned cu) {
  const struct state *s = &v->s;
  if (running(s, cu) == v->g->slots) return;
  if (v->g->literal == EARLY) early(v, cu);
  const int best = best_key(v->g, s, cu);
  for (unsigned i = 0; i < WAVES; i++)
    if (s->wave[i].phase == GRANTED && s->wave[i].cu == cu && (int)key_of_restart(v->g, s, i) == best) restart(*v, i);
  for (unsigned c = 0; c < v->g->chans; c++)
    if (ready(v->g, s, c) && recorded(v->g, s, c) && 2 * v->g->chan[c].level == best) dispatch(*v, c, cu);
}

/* ---- the machine ---- */

static void host(struct move v) {
  struct ring *r = &v.s.ring[0];
  if (!v.s.host || !ring_fits(v.g, r, 1)) return;
  v.s.host--;
  ring_reserve(v.g, r, 1, WAVES);
  ring_enqueue(v.g, r, WAVES);
  add(&v, "the host puts an element into channel 0");
}

static void moves(const void *ctx, const void *state, struct search_moves *m) {
  struct move v = {.g = ctx, .s = *(const struct state *)state, .to = m};
  host(v);
  for (unsigned i = 0; i < WAVES; i++)
    if (v.s.wave[i].phase == RUNS) run(v, i);
  for (unsigned i = 0; i < WAVES; i++) ask(v, i), grant(v, i);
  for (unsigned cu = 0; cu < v.g->cus; cu++) aggregate(&v, cu);
}

static const char *judge(const void *ctx, const void *state) {
  const struct graph *g = ctx;
  const struct state *s = state;
  for (unsigned cu = 0; cu < g->cus; cu++)
    if (running(s, cu) > g->slots) return "more wavefronts than slots";
  return NULL;
}

static bool over(const void *ctx, const void *state) {
  const struct graph *g = ctx;
  const struct state *s = state;
  bool all = !s->host;
  for (unsigned c = 0; c < g->chans; c++) all &= ring_is_empty(g, &s->ring[c]);
  for (unsigned i = 0; i < WAVES; i++) all &= s->wave[i].phase == IDLE;
  return all;
}

struct search_machine channel_machine(const struct graph *g) {
  return (struct search_machine){
      .bytes = sizeof(struct state), .moves = moves, .judge = judge, .over = over, .ends = true, .ctx = g};
}

void channel_machine_first(const struct graph *g, void *state) {
  struct state *s = state;
  memset(s, 0, sizeof *s);
  s->host = g->host;
  s->budget = g->budget ? (uint8_t)(g->budget + 1) : 0;
}
