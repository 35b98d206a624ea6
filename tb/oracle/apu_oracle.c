/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "oracle/apu_oracle.h"

#include "gen/hd_apu_ports.h"
#include "oracle/apu_channel.h"

enum { SLOTS = HD_MAX_CHAN_SLOTS, CUS = HD_MAX_NUM_CU, RECS = HD_MAX_CHAN_RECS };
enum { AGES = 12, STILL = 100, BURSTS = 128, CONTROL_ID = 0, NO_CLIENT = 255, TURN = 12 };
enum {
  SOON = 8,
  ASKED = 6
}; /* cycles: at most from an error to `failed`; at least from a room request to the restart */

struct burst {
  uint64_t addr;
  uint8_t id, chan, entries;
};

struct channel {
  struct hd_apu_channel elements;
  struct hd_chanset set;
  /* Cycle since which a condition holds, or 0. */
  uint64_t enough_since, busy_since; /* its predicate holds; it has elements or wavefronts */
  uint64_t runs_since, ready_since;  /* a wavefront of it runs; it has a published element */
  uint64_t coming_since;             /* elements of it are enqueued and not published */
  uint64_t lost_since, partial_at;   /* a burst to its arrays had an error; cycle of its last partial wavefront */
  uint16_t alive, runs;              /* wavefronts with its elements that have not ended; those of them with a slot */
  uint16_t held;                     /* cycles in which it was held back though no producer adds to it */
};

struct waiting {
  struct hd_chanop op;
  uint8_t cu, own, used;
  uint8_t may_go_on; /* there may have been room for it at some time */
};

struct oracle {
  struct hd_cfg cfg;
  struct hd_chanop op[2]; /* accepted one cycle ago, two cycles ago .. */
  uint8_t taken[2];       /* .. from CU taken - 1; 0: none */
  uint8_t slot[SLOTS];    /* 1 + the channel of the wavefront */
  struct waiting waits[RECS];
  struct burst burst[BURSTS]; /* unanswered write bursts, oldest first */
  uint8_t read[BURSTS];       /* open reads, oldest first: the channel whose done counts they read */
  uint16_t bursts, filled, reads, runs, recs, waiting;
  uint8_t chans, wrong;  /* wrong: an end named a slot that does not exist */
  uint16_t still;        /* cycles in which no wavefront runs and nothing happens */
  uint16_t waited[CUS];  /* cycles for which an operation waits though no burst is open */
  struct channel chan[]; /* NumChan: they are large */
};

HD_BLOCK_ORACLE_STATE_AND(apu, cfg->num_chan * sizeof(struct channel))

/* ---- operations ---- */

static const char *yields(struct oracle *o, unsigned cu, const struct hd_chanop *op) {
  const unsigned at = cu * o->cfg.waves_per_cu + op->slot;
  if (op->slot >= o->cfg.waves_per_cu || !o->slot[at]) return NULL; /* reported by bad */
  for (unsigned k = 0; k < RECS; k++) {
    if (o->waits[k].used) continue;
    o->waits[k] = (struct waiting){*op, (uint8_t)cu, (uint8_t)(o->slot[at] - 1), 1, 0};
    o->chan[o->slot[at] - 1].runs--;
    o->slot[at] = 0;
    o->runs--;
    o->waiting++;
    return NULL;
  }
  return "more wavefronts wait than records exist";
}

/* Checks that a refusal has a reason. Grants to waiting wavefronts become visible later, so there may be less room than
 * visible, and more elements that may be enqueued. */
static const char *judge(const struct oracle *o, const struct hd_chanop *op, unsigned code, bool failed) {
  const struct hd_apu_channel *c = &o->chan[op->chan].elements;
  const bool talloc = op->kind == HD_CHOP_TALLOC, enq = op->kind == HD_CHOP_ENQ, tfree = op->kind == HD_CHOP_TFREE;
  const uint32_t most = op->chan < o->chans ? c->capacity : 0, end = op->n + (enq || tfree ? (uint32_t)op->off : 0);
  unsigned due = HD_CHCODE_OK;
  if (!most || !op->n || (end > most && (enq || tfree)))
    due = HD_CHCODE_BAD;
  else if (end > most)
    due = HD_CHCODE_NEVER;
  else if (enq && op->n > c->granted - c->enqueued)
    return NULL;
  else if (failed && !tfree)
    due = HD_CHCODE_FAILED;
  if (code == due || (talloc && code == HD_CHCODE_NO_ROOM && due == HD_CHCODE_OK)) return NULL;
  return due == HD_CHCODE_OK ? "an operation is refused that must be executed"
                             : "an operation is not refused, or with a wrong code";
}

static const char *answered(struct oracle *o, unsigned cu, const struct hd_chananswer *a, const uint8_t *failed) {
  const struct hd_chanop *op = &o->op[1];
  struct hd_apu_channel *c = &o->chan[op->chan].elements;
  if (a->kind != op->kind || a->slot != op->slot) return "an answer to another operation";
  const char *rule = judge(o, op, a->code, failed[op->chan]);
  if (rule || a->code != HD_CHCODE_OK) return rule;
  if (op->kind == HD_CHOP_TALLOC) return hd_apu_channel_grant(c, a->base, op->n, false);
  if (op->kind == HD_CHOP_ENQ) return hd_apu_channel_enqueue(c, op->off, op->n);
  if (op->kind == HD_CHOP_TFREE) return hd_apu_channel_done(c, op->off, op->n);
  return yields(o, cu, op);
}

static const char *watch_ops(struct oracle *o, const struct hd_apu_in *in, const struct hd_apu_out *out) {
  const char *rule = NULL;
  for (unsigned u = 0; u < o->cfg.num_cu; u++)
    if (out->answer_valid[u] != (o->taken[1] == u + 1)) return "an answer is missing, or is set without an operation";
  if (o->taken[1]) rule = answered(o, o->taken[1] - 1u, &out->answer, out->failed);
  o->op[1] = o->op[0];
  o->taken[1] = o->taken[0];
  o->taken[0] = 0;
  for (unsigned u = 0; u < o->cfg.num_cu; u++) {
    if (!in->op_valid[u] || !out->op_ready[u]) continue;
    if (o->taken[0] && !rule) rule = "two operations in one cycle";
    o->taken[0] = (uint8_t)(u + 1);
    o->op[0] = in->op[u];
  }
  return rule;
}

/* ---- memory ---- */

static unsigned channel_at(const struct oracle *o, uint64_t addr) {
  for (unsigned c = 0; c < o->chans; c++)
    if (addr - 128 * o->chan[c].set.control < 4u * o->chan[c].elements.capacity) return c;
  return NO_CLIENT;
}

/* Returns the channel whose done counts are at the address. These are read and written in whole beats. */
static unsigned counts_at(const struct oracle *o, uint64_t addr) {
  for (unsigned c = 0; c < o->chans; c++) {
    const uint32_t bytes = o->chan[c].elements.capacity / o->cfg.done_grain;
    if (addr - 128 * o->chan[c].set.done < (bytes + 15) / 16 * 16) return c;
  }
  return NO_CLIENT;
}

static void lose(struct oracle *o, unsigned chan, bool error, uint64_t cycle) {
  if (error && chan < o->chans && !o->chan[chan].lost_since) o->chan[chan].lost_since = cycle;
}

static const char *watch_beat(struct oracle *o, struct burst *b, const struct hd_apu_out *out) {
  const unsigned chan = channel_at(o, b->addr);
  if (chan == NO_CLIENT) return "a write outside the control arrays";
  struct channel *c = &o->chan[chan];
  b->chan = (uint8_t)chan;
  for (unsigned k = 0; k < 8; k++) {
    const uint32_t place = (uint32_t)(b->addr - 128 * c->set.control) / 2 + k;
    const uint16_t offset = (uint16_t)((k < 4 ? out->wdata[0] : out->wdata[1]) >> 16 * (k % 4));
    if (!(out->wstrb >> 2 * k & 3)) continue;
    const char *rule = hd_apu_channel_write(&c->elements, place, offset);
    if (rule) return rule;
    b->entries++;
  }
  b->addr += 16;
  return NULL;
}

/* The oldest write burst is answered: answers arrive in the order of the bursts. */
static void publish(struct oracle *o, const struct hd_apu_in *in, const struct hd_apu_out *out, uint64_t cycle) {
  const struct burst b = o->burst[0];
  lose(o, b.chan, in->bresp, cycle);
  if (b.id == CONTROL_ID && !in->bresp && !out->failed[b.chan])
    hd_apu_channel_publish(&o->chan[b.chan].elements, b.entries);
  o->bursts--;
  o->filled--;
  memmove(o->burst, o->burst + 1, o->bursts * sizeof b);
}

static const char *watch_reads(struct oracle *o, const struct hd_apu_in *in, const struct hd_apu_out *out,
                               uint64_t cycle) {
  if (in->rvalid && o->reads) lose(o, o->read[0], in->rresp, cycle);
  if (in->rvalid && in->rlast && o->reads) memmove(o->read, o->read + 1, --o->reads);
  if (!out->arvalid || !in->arready || o->reads == BURSTS) return NULL;
  const unsigned chan = counts_at(o, out->araddr);
  o->read[o->reads++] = (uint8_t)chan;
  return chan == NO_CLIENT ? "a read outside the done counts" : NULL;
}

static const char *watch_memory(struct oracle *o, const struct hd_apu_in *in, const struct hd_apu_out *out,
                                uint64_t cycle) {
  const char *rule = NULL;
  if (in->bvalid) publish(o, in, out, cycle);
  if (out->awvalid && in->awready && o->bursts < BURSTS) {
    const unsigned chan = out->awid == CONTROL_ID ? channel_at(o, out->awaddr) : counts_at(o, out->awaddr);
    if (chan == NO_CLIENT) rule = "a burst writes outside the arrays of the channels";
    o->burst[o->bursts++] = (struct burst){.addr = out->awaddr, .id = out->awid, .chan = (uint8_t)chan};
  }
  if (out->wvalid && in->wready) {
    if (o->burst[o->filled].id == CONTROL_ID && !rule) rule = watch_beat(o, &o->burst[o->filled], out);
    o->filled = (uint16_t)(o->filled + out->wlast);
  }
  const char *read = watch_reads(o, in, out, cycle);
  return rule ? rule : read;
}

/* A channel fails at most SOON cycles after an error in its arrays, and at no other time. */
static const char *watch_failed(const struct oracle *o, const struct hd_apu_out *out, uint64_t cycle) {
  for (unsigned c = 0; c < o->chans; c++) {
    const uint64_t since = o->chan[c].lost_since;
    if (out->failed[c] && !since) return "a channel fails without an error of its arrays";
    if (!out->failed[c] && since && cycle - since > SOON)
      return "a channel does not fail though its arrays had an error";
  }
  return NULL;
}

/* ---- wavefronts ---- */

static bool aged(uint64_t since, uint64_t cycle) {
  return since && cycle - since > AGES;
}

/* Returns true if wavefronts of d may add elements to c. */
static bool feeds(const struct oracle *o, unsigned d, unsigned c) {
  const struct hd_chanset *from = &o->chan[d].set, *to = &o->chan[c].set;
  return from->level < to->level || (from->level == to->level && to->levelized && d < c);
}

/* A wavefront of `own` resumes, so its room was being granted ASKED cycles ago. It could then add to the channels that
 * it feeds, so none of these may have dispatched a partial wavefront since. */
static const char *watch_requests(const struct oracle *o, unsigned own, uint64_t cycle) {
  for (unsigned c = 0; c < o->chans; c++)
    if (feeds(o, own, c) && o->chan[c].partial_at && cycle - o->chan[c].partial_at <= ASKED)
      return "a wavefront is partial while a producer of its channel is granted room";
  return NULL;
}

static const char *watch_restart(struct oracle *o, const struct hd_chango *g, uint64_t cycle) {
  const char *asked = watch_requests(o, g->own, cycle);
  if (asked) return asked;
  for (unsigned k = 0; k < RECS; k++) {
    struct waiting *w = &o->waits[k];
    if (!w->used || w->cu != g->cu || w->own != g->own || w->op.chan != g->chan || w->op.ctx != g->ctx) continue;
    w->used = 0;
    o->waiting--;
    if (g->code != HD_CHCODE_OK) return NULL;
    return hd_apu_channel_grant(&o->chan[g->chan].elements, g->base, w->op.n, true);
  }
  return "a wavefront resumes that did not yield, or with other data";
}

/* Returns true if no wavefront of d may begin before c is empty. */
static bool stands_behind(const struct oracle *o, unsigned d, unsigned c) {
  return o->chan[d].set.levelized && o->chan[d].set.level < o->chan[c].set.level;
}

/* Returns true if a record is free for a wavefront of c, even if up to 6 more are allocated in the meantime. */
static bool has_record(const struct oracle *o, unsigned c) {
  return o->recs + (o->chans - c) + 6u <= o->cfg.chan_recs;
}

/* Checks that no deeper level goes before the new wavefront of c. */
static const char *watch_deeper(const struct oracle *o, const struct channel *c, uint64_t cycle) {
  for (unsigned d = 0; d < o->chans; d++) {
    const struct channel *deep = &o->chan[d];
    if (deep->set.level <= c->set.level) continue;
    if (c->set.levelized && aged(deep->busy_since, cycle)) return "a levelized channel does not wait for a deeper one";
    if (deep->set.levelized || !has_record(o, d)) continue;
    if (aged(deep->enough_since, cycle)) return "a level is served while a deeper one is ready";
  }
  return NULL;
}

/* A wavefront smaller than the threshold of channel `own` is dispatched: no producer may be able to add to it. */
static const char *watch_partial(const struct oracle *o, unsigned own, uint64_t cycle) {
  if (aged(o->chan[own].coming_since, cycle))
    return "a wavefront is partial while elements of its channel are in flight";
  for (unsigned d = 0; d < o->chans; d++) {
    if (!feeds(o, d, own)) continue;
    if (aged(o->chan[d].runs_since, cycle)) return "a wavefront is partial while a producer of its channel runs";
    if (aged(o->chan[d].ready_since, cycle) && !stands_behind(o, d, own) && has_record(o, d))
      return "a wavefront is partial while a producer of its channel can begin";
  }
  return NULL;
}

static const char *watch_begin(struct oracle *o, const struct hd_chango *g, uint64_t cycle) {
  struct channel *c = &o->chan[g->own];
  if (!g->count || g->count > o->cfg.wave_lanes) return "a wavefront has no elements, or more than its lanes";
  const bool partial = g->count < c->set.threshold;
  const char *rule = partial ? watch_partial(o, g->own, cycle) : NULL;
  if (partial) c->partial_at = cycle;
  if (!rule) rule = watch_deeper(o, c, cycle);
  if (!rule && o->recs == o->cfg.chan_recs) rule = "more wavefronts than records";
  c->alive++;
  o->recs++;
  c->enough_since = 0;
  return rule ? rule : hd_apu_channel_dispatch(&c->elements, g->start, g->count);
}

static const char *watch_go(struct oracle *o, const struct hd_chango *g, uint64_t cycle) {
  const unsigned at = g->cu * o->cfg.waves_per_cu + g->slot;
  if (g->cu >= o->cfg.num_cu || g->slot >= o->cfg.waves_per_cu || o->slot[at])
    return "a wavefront is dispatched to an occupied slot";
  if (g->own >= o->chans) return "a wavefront of a channel that is not set up";
  const char *rule = g->restart ? watch_restart(o, g, cycle) : watch_begin(o, g, cycle);
  o->slot[at] = (uint8_t)(g->own + 1);
  o->chan[g->own].runs++;
  o->runs++;
  return rule;
}

static void watch_ends(struct oracle *o, const struct hd_apu_in *in, const struct hd_apu_out *out) {
  for (unsigned u = 0; u < o->cfg.num_cu; u++) {
    if (!in->end_valid[u] || !out->end_ready[u]) continue;
    if (in->end_slot[u] >= o->cfg.waves_per_cu) {
      o->wrong = 1;
      continue;
    }
    uint8_t *slot = &o->slot[u * o->cfg.waves_per_cu + in->end_slot[u]];
    if (!*slot) continue;
    o->chan[*slot - 1].alive--;
    o->chan[*slot - 1].runs--;
    *slot = 0;
    o->runs--;
    o->recs--;
  }
}

static void since(uint64_t *at, bool is, uint64_t cycle) {
  if (!is || !*at) *at = is ? cycle : 0;
}

/* Updates the ages of the conditions of each channel. */
static void watch_ages(struct oracle *o, const struct hd_apu_out *out, uint64_t cycle) {
  for (unsigned k = 0; k < o->chans; k++) {
    struct channel *c = &o->chan[k];
    const uint32_t ready = hd_apu_channel_ready(&c->elements);
    since(&c->enough_since, ready >= c->set.threshold && !out->failed[k], cycle);
    since(&c->busy_since, (c->elements.live && !out->failed[k]) || c->alive, cycle);
    since(&c->runs_since, c->runs, cycle);
    since(&c->ready_since, ready, cycle);
    since(&c->coming_since, c->elements.enqueued != c->elements.published && !out->failed[k], cycle);
  }
}

/* ---- progress ---- */

/* Returns true if a waiting wavefront certainly can be granted room. */
static bool can_go_on(const struct oracle *o, const struct hd_apu_out *out) {
  for (unsigned k = 0; k < RECS; k++)
    if (o->waits[k].used && (!o->chan[o->waits[k].op.chan].elements.live || out->failed[o->waits[k].op.chan]))
      return true;
  return false;
}

static bool can_go(const struct oracle *o, const struct hd_apu_out *out) {
  for (unsigned c = 0; c < o->chans; c++)
    if (hd_apu_channel_ready(&o->chan[c].elements) && !out->failed[c]) return true;
  return o->waiting && can_go_on(o, out);
}

static const char *watch_idle(struct oracle *o, const struct hd_apu_in *in, const struct hd_apu_out *out) {
  const bool asks = memchr(in->op_valid, 1, o->cfg.num_cu) || o->taken[0] || o->taken[1] || out->awvalid;
  if (o->runs || o->bursts || o->reads || asks || out->arvalid || out->go_valid || in->set_valid) {
    o->still = 0;
    return NULL;
  }
  if (o->still < STILL) o->still++;
  return o->still == STILL && !o->cfg.chan_paper && can_go(o, out)
             ? "no wavefront runs, and one that could be dispatched is not"
             : NULL;
}

/* An operation waits for places in use, which are freed as the memory answers. */
static const char *watch_offered(struct oracle *o, const struct hd_apu_in *in, const struct hd_apu_out *out) {
  const bool owed = o->bursts || o->reads || out->awvalid || out->arvalid || in->set_valid;
  const char *rule = NULL;
  for (unsigned u = 0; u < o->cfg.num_cu; u++) {
    const bool waits = in->op_valid[u] && !out->op_ready[u] && !owed;
    o->waited[u] = (uint16_t)(waits ? o->waited[u] + 1 : 0);
    if (o->waited[u] < STILL) continue;
    o->waited[u] = 0;
    rule = "an operation is not accepted though the memory has answered every burst";
  }
  return rule;
}

/* ---- partial wavefronts that are held back ---- */

/* Returns true if a waiting wavefront may have been granted room. Its channel has none while live elements and the
 * request exceed the capacity. */
static bool may_go_on(struct oracle *o, const struct hd_apu_out *out) {
  bool any = false;
  for (unsigned k = 0; o->waiting && k < RECS; k++) {
    struct waiting *w = &o->waits[k];
    const struct hd_apu_channel *c = &o->chan[w->op.chan].elements;
    w->may_go_on |= w->used && (c->live + w->op.n <= c->capacity || out->failed[w->op.chan]);
    any |= w->used && w->may_go_on;
  }
  return any;
}

/* Returns true if c has elements, fewer than its threshold, that could be dispatched: a slot and a record are free, no
 * deeper level goes first, and no producer can add to it. */
static bool is_held(const struct oracle *o, unsigned c) {
  const struct channel *own = &o->chan[c];
  const uint32_t ready = hd_apu_channel_ready(&own->elements);
  if (!ready || ready >= own->set.threshold || hd_apu_channel_coming(&own->elements)) return false;
  if (o->runs == o->cfg.chan_slots || !has_record(o, c)) return false;
  for (unsigned d = 0; d < o->chans; d++) {
    const struct channel *other = &o->chan[d];
    const bool deeper = other->set.level > own->set.level;
    if (deeper && own->set.levelized && (other->elements.live || other->alive)) return false;
    if (!feeds(o, d, c)) continue;
    if (other->runs) return false;
    if (!stands_behind(o, d, c) && (hd_apu_channel_ready(&other->elements) || hd_apu_channel_coming(&other->elements)))
      return false;
  }
  return true;
}

/* After each event, room may be requested once more for each channel, which takes TURN cycles. */
static const char *watch_held(struct oracle *o, const struct hd_apu_in *in, const struct hd_apu_out *out) {
  const unsigned most = TURN * (o->cfg.num_chan + 1u);
  const bool memory = o->bursts || o->reads || out->awvalid || out->arvalid;
  const bool happens = o->waiting && (memory || o->taken[0] || o->taken[1]);
  const bool none = happens || may_go_on(o, out) || in->set_valid || out->go_valid;
  const char *rule = NULL;
  for (unsigned c = 0; c < o->chans; c++) {
    uint16_t *held = &o->chan[c].held;
    *held = (uint16_t)(none || !is_held(o, c) ? 0 : *held + 1);
    if (*held > most && !o->cfg.chan_paper) rule = "a wavefront is held back though no producer adds to it";
  }
  return rule;
}

const char *hd_apu_oracle_watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_apu_in *in = in_;
  const struct hd_apu_out *out = out_;
  const char *rule = out->bad && !o->wrong ? "bad is set without an end or yield of a free slot" : NULL, *r = NULL;
  if (o->wrong && !out->bad) rule = "bad is not set after an end of a free slot";
  if (out->go_valid) r = watch_go(o, &out->go, cycle);
  if (!rule) rule = r;
  r = watch_ops(o, in, out);
  if (!rule) rule = r;
  r = watch_failed(o, out, cycle);
  if (!rule) rule = r;
  r = watch_memory(o, in, out, cycle);
  if (!rule) rule = r;
  r = watch_offered(o, in, out);
  if (!rule) rule = r;
  watch_ends(o, in, out);
  watch_ages(o, out, cycle);
  r = watch_held(o, in, out);
  if (!rule) rule = r;
  r = watch_idle(o, in, out);
  if (in->set_valid) {
    struct channel *c = &o->chan[in->set.chan];
    hd_apu_channel_init(&c->elements, UINT32_C(1) << in->set.cap, o->cfg.done_grain);
    c->set = in->set;
    o->chans = (uint8_t)(in->set.chan + 1);
  }
  return rule ? rule : r;
}
