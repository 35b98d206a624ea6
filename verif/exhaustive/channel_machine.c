/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "exhaustive/channel_machine.h"

#include <stdarg.h>
#include <string.h>

enum element { FREE, RESERVED, READY, DISPATCHED, DONE };
enum phase { IDLE, RUNS, YIELDED };
enum step { WANT_FIRST, WANT_SECOND, ENQUEUE, FINISH };

struct ring {
  uint8_t head, used, ready; /* place of the first; not freed; in the queue */
  uint8_t element[PLACES];   /* by place: its state, and 16 times the wavefront that has it */
  uint8_t queue[PLACES];     /* places in the order of publication */
};

struct wave {
  uint8_t phase, chan, cu, step; /* chan: what it consumes */
  uint8_t children;
};

struct state {
  uint8_t host, budget; /* tasks that it has left; 1 more than children that may still come, 0: any */
  struct ring ring[CHANS];
  struct wave wave[WAVES];
};

/* A step of the machine: the state that it will be, what it is called, and where it goes. */
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

/* ---- rings ---- */

static void release(const struct graph *g, struct ring *r) {
  while (r->used) {
    unsigned n = g->grain - r->head % g->grain;
    if (n > r->used) return;
    for (unsigned k = 0; k < n; k++)
      if (r->element[(r->head + k) % g->capacity] != DONE) return;
    for (unsigned k = 0; k < n; k++) r->element[(r->head + k) % g->capacity] = FREE;
    r->head = (uint8_t)((r->head + n) % g->capacity);
    r->used = (uint8_t)(r->used - n);
  }
}

static unsigned skipped(const struct graph *g, const struct ring *r, unsigned n) {
  const unsigned tail = (r->head + r->used) % g->capacity;
  return tail + n > g->capacity ? g->capacity - tail : 0;
}

static bool fits(const struct graph *g, const struct ring *r, unsigned n) {
  return r->used + skipped(g, r, n) + n <= g->capacity;
}

/* What is used leaves room for the skip alone, after which a grant can begin at place 0. */
static bool skips(const struct graph *g, const struct ring *r, unsigned n) {
  const unsigned tail = (r->head + r->used) % g->capacity;
  return g->literal != CROSSING && skipped(g, r, n) && r->used <= tail && !fits(g, r, n);
}

static void reserve(const struct graph *g, struct ring *r, unsigned n, unsigned wave) {
  const unsigned skip = skipped(g, r, n);
  for (unsigned k = 0; k < skip + n; k++) {
    const unsigned place = (r->head + r->used++) % g->capacity;
    r->element[place] = (uint8_t)(k < skip ? DONE : RESERVED | wave << 4);
  }
}

static void skip(const struct graph *g, struct ring *r, unsigned n) {
  for (unsigned k = skipped(g, r, n); k; k--) r->element[(r->head + r->used++) % g->capacity] = DONE;
  release(g, r);
}

static void enqueue(const struct graph *g, struct ring *r, unsigned wave) {
  for (unsigned k = 0; k < r->used; k++) {
    const unsigned place = (r->head + k) % g->capacity;
    if (r->element[place] != (RESERVED | wave << 4)) continue;
    r->element[place] = READY;
    r->queue[r->ready++] = (uint8_t)place;
  }
}

static void take(struct ring *r, unsigned n, unsigned wave) {
  for (unsigned k = 0; k < n; k++) r->element[r->queue[k]] = (uint8_t)(DISPATCHED | wave << 4);
  r->ready = (uint8_t)(r->ready - n);
  memmove(r->queue, r->queue + n, r->ready);
  memset(r->queue + r->ready, 0, PLACES - r->ready);
}

static void finish(const struct graph *g, struct ring *r, unsigned wave) {
  for (unsigned k = 0; k < g->capacity; k++)
    if (r->element[k] == (DISPATCHED | wave << 4)) r->element[k] = DONE;
  release(g, r);
}

/* All that is used is done: what may be left is a grain that is not full. */
static bool is_empty(const struct graph *g, const struct ring *r) {
  for (unsigned k = 0; k < r->used; k++)
    if (r->element[(r->head + k) % g->capacity] != DONE) return false;
  return true;
}

/* ---- wavefronts ---- */

/* The channel in which a wavefront wants room in this step, and how much; 0: in none. */
static unsigned wants(const struct graph *g, const struct wave *w, unsigned *chan) {
  const bool continuation = (w->step == WANT_FIRST) == (g->literal != CHILDREN_FIRST);
  *chan = continuation ? g->chan[w->chan].after : g->chan[w->chan].child;
  if (w->step > WANT_SECOND || *chan == NO_CHANNEL || w->children == 0) return 0;
  return continuation ? 1 : w->children;
}

/* Steps in which nothing is wanted take no time. */
static void settle(const struct graph *g, struct wave *w) {
  unsigned chan;
  while (w->step <= WANT_SECOND && !wants(g, w, &chan)) w->step++;
  if (w->step == ENQUEUE && !w->children) w->step = FINISH;
}

static void run(struct move v, unsigned i) {
  struct wave *w = &v.s.wave[i];
  unsigned chan;
  const unsigned n = wants(v.g, w, &chan);
  if (w->step == ENQUEUE) {
    for (unsigned c = 0; c < v.g->chans; c++) enqueue(v.g, &v.s.ring[c], i);
    w->step++;
    add(&v, "%u enqueues", i);
  } else if (w->step == FINISH) {
    finish(v.g, &v.s.ring[w->chan], i);
    *w = (struct wave){0};
    add(&v, "%u frees what it took and ends", i);
  } else if (fits(v.g, &v.s.ring[chan], n)) {
    reserve(v.g, &v.s.ring[chan], n, i);
    w->step++;
    settle(v.g, w);
    add(&v, "%u reserves %u of channel %u", i, n, chan);
  } else {
    if (skips(v.g, &v.s.ring[chan], n)) skip(v.g, &v.s.ring[chan], n);
    w->phase = YIELDED;
    add(&v, "%u yields: wants %u of channel %u", i, n, chan);
  }
}

/* ---- what the aggregator knows ---- */

static unsigned running(const struct state *s, unsigned cu) {
  unsigned n = 0;
  for (unsigned i = 0; i < WAVES; i++) n += s->wave[i].phase == RUNS && s->wave[i].cu == cu;
  return n;
}

static bool grantable(const struct graph *g, const struct state *s, unsigned i) {
  unsigned chan;
  const unsigned n = wants(g, &s->wave[i], &chan);
  if (s->wave[i].phase != YIELDED) return false;
  return g->literal == YIELD_WITHOUT_N ? s->ring[chan].used < g->capacity : fits(g, &s->ring[chan], n);
}

static bool level_empty(const struct graph *g, const struct state *s, unsigned level) {
  for (unsigned c = 0; c < g->chans; c++)
    if (g->chan[c].level == level && !is_empty(g, &s->ring[c])) return false;
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

static bool any_active(const struct graph *g, const struct state *s) {
  bool any = false;
  for (unsigned i = 0; i < WAVES; i++) any |= s->wave[i].phase == RUNS || grantable(g, s, i);
  return any;
}

/* Something upstream of the channel may still add to it, as one may read it: a wavefront that consumes of a channel
 * which feeds it, or an element there. */
static bool upstream(const struct graph *g, const struct state *s, unsigned chan) {
  for (unsigned c = 0; c < g->chans; c++) {
    const bool feeds = g->chan[c].child == chan || g->chan[c].after == chan;
    if (feeds && !is_empty(g, &s->ring[c])) return true;
  }
  return false;
}

/* Less than a wavefront of it may go: it is of the deepest level that has something ready, and nothing else moves. */
static bool partial(const struct graph *g, const struct state *s, unsigned chan) {
  if (g->literal == PARTIAL_WAITS) return !upstream(g, s, chan);
  if (any_active(g, s)) return false;
  for (unsigned c = 0; c < g->chans; c++) {
    const bool stays = waits(g, s, c);
    if (s->ring[c].ready >= g->lanes && (!stays || g->literal == PREDICATE_HOLDS)) return false;
    if (s->ring[c].ready && !stays && g->chan[c].level > g->chan[chan].level) return false;
  }
  return true;
}

static bool ready(const struct graph *g, const struct state *s, unsigned chan) {
  if (!s->ring[chan].ready || waits(g, s, chan)) return false;
  return s->ring[chan].ready >= g->lanes || partial(g, s, chan);
}

/* A record is free for it; of what may yield, too, one for each deeper level and one for the continuations. */
static bool recorded(const struct graph *g, const struct state *s, unsigned chan) {
  unsigned n = g->records;
  for (unsigned i = 0; i < WAVES; i++) n -= s->wave[i].phase != IDLE;
  const unsigned deeper = deepest(g) - g->chan[chan].level;
  if (g->literal == POOL_LEVELS) return n > deeper;
  return n > (g->literal == POOL_BLIND || g->chan[chan].continuation ? 0 : deeper + 1);
}

/* ---- what the aggregator does for a CU that has a slot ---- */

/* Twice the level, and 1 more for a restart: the greatest goes. */
static unsigned key_of_restart(const struct graph *g, const struct state *s, unsigned i) {
  return 2u * g->chan[s->wave[i].chan].level + 1;
}

static int best_key(const struct graph *g, const struct state *s, unsigned cu) {
  int best = -1;
  for (unsigned i = 0; i < WAVES; i++)
    if (grantable(g, s, i) && s->wave[i].cu == cu && (int)key_of_restart(g, s, i) > best)
      best = (int)key_of_restart(g, s, i);
  for (unsigned c = 0; c < g->chans; c++)
    if (ready(g, s, c) && recorded(g, s, c) && 2 * g->chan[c].level > best) best = 2 * g->chan[c].level;
  return best;
}

static void restart(struct move v, unsigned i) {
  struct wave *w = &v.s.wave[i];
  unsigned chan;
  const unsigned n = wants(v.g, w, &chan);
  w->phase = RUNS;
  if (v.g->literal != YIELD_WITHOUT_N) {
    reserve(v.g, &v.s.ring[chan], n, i);
    w->step++;
    settle(v.g, w);
  }
  add(&v, "%u restarts for %u of channel %u", i, n, chan);
}

/* A restart that does not fit yet asks nevertheless, so that the skip is made. */
static void ask(struct move v, unsigned i) {
  unsigned chan;
  const unsigned n = wants(v.g, &v.s.wave[i], &chan);
  if (v.s.wave[i].phase != YIELDED || v.g->literal == ASKS_ONCE || !skips(v.g, &v.s.ring[chan], n)) return;
  skip(v.g, &v.s.ring[chan], n);
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
    take(&v.s.ring[chan], lanes, i);
    if (was.budget) v.s.budget = (uint8_t)(was.budget - m);
    v.s.wave[i] = (struct wave){.phase = RUNS, .chan = (uint8_t)chan, .cu = (uint8_t)cu, .children = (uint8_t)m};
    settle(v.g, &v.s.wave[i]);
    add(&v, "%u takes %u of channel %u, has %u children", i, lanes, chan, m);
  }
}

static void aggregate(const struct move *v, unsigned cu) {
  const struct state *s = &v->s;
  if (running(s, cu) == v->g->slots) return;
  const int best = best_key(v->g, s, cu);
  for (unsigned i = 0; i < WAVES; i++)
    if (grantable(v->g, s, i) && s->wave[i].cu == cu && (int)key_of_restart(v->g, s, i) == best) restart(*v, i);
  for (unsigned c = 0; c < v->g->chans; c++)
    if (ready(v->g, s, c) && recorded(v->g, s, c) && 2 * v->g->chan[c].level == best) dispatch(*v, c, cu);
}

/* ---- the machine ---- */

static void host(struct move v) {
  struct ring *r = &v.s.ring[0];
  if (!v.s.host || !fits(v.g, r, 1)) return;
  v.s.host--;
  reserve(v.g, r, 1, WAVES);
  enqueue(v.g, r, WAVES);
  add(&v, "the host puts an element into channel 0");
}

static void moves(const void *ctx, const void *state, struct search_moves *m) {
  struct move v = {.g = ctx, .s = *(const struct state *)state, .to = m};
  host(v);
  for (unsigned i = 0; i < WAVES; i++)
    if (v.s.wave[i].phase == RUNS) run(v, i);
  for (unsigned i = 0; i < WAVES; i++) ask(v, i);
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
  for (unsigned c = 0; c < g->chans; c++) all &= is_empty(g, &s->ring[c]);
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
